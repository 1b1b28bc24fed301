# SPDX-License-Identifier: BSD-2-Clause
#
# What tools/vivado.tcl has to know of the Alveo U50: device, top, constraints, the vendor's blocks, flash.
set weft_part xcu50-fsvh2104-2-e
set weft_top weft_u50
set weft_subsystem PCI_SUBSYS_US100
set weft_xdc {cdc.xdc u50.xdc}
# Room of the image file in MB, not the size of the flash.
set weft_flash {-format mcs -interface SPIx4 -size 128}
# Pins of transceivers: no I/O standard.
set weft_transceiver {pcie_clk_p pcie_clk_n pcie_rx_p pcie_rx_n pcie_tx_p pcie_tx_n qsfp_clk_p qsfp_clk_n qsfp_rx_p qsfp_rx_n qsfp_tx_p qsfp_tx_n}
# Ports without a pin, each with the reason.
set weft_unbound {}

# Ids: abi/weft.abi, PCI_SUBSYS_US100. BARs: 64 KiB, the doorbell pages (512 of 4 KiB), 64 KiB; MSI-X: 32 vectors, table at 0 and PBA
# at 32768 of BAR4.
weft_ip pcie4c_uscale_plus weft_ip_pcie4c_x16 {
  mode_selection {Advanced}
  PL_LINK_CAP_MAX_LINK_SPEED {8.0_GT/s}
  PL_LINK_CAP_MAX_LINK_WIDTH {X16}
  axisten_if_width {512_bit}
  axisten_freq {250}
  axisten_if_enable_client_tag {true}
  AXISTEN_IF_EXT_512_CQ_STRADDLE {true}
  AXISTEN_IF_EXT_512_RC_4TLP_STRADDLE {true}
  AXISTEN_IF_EXT_512_RQ_STRADDLE {false}
  AXISTEN_IF_EXT_512_CC_STRADDLE {false}
  extended_tag_field {false}
  pf0_dev_cap_max_payload {512_bytes}
  vendor_id {1E57}
  PF0_DEVICE_ID {5746}
  PF0_SUBSYSTEM_VENDOR_ID {1E57}
  PF0_SUBSYSTEM_ID {0003}
  PF0_Use_Class_Code_Lookup_Assistant {false}
  PF0_CLASS_CODE {020000}
  pf0_bar0_64bit {false}
  pf0_bar0_scale {Kilobytes}
  pf0_bar0_size {64}
  pf0_bar2_enabled {true}
  pf0_bar2_type {Memory}
  pf0_bar2_64bit {true}
  pf0_bar2_prefetchable {true}
  pf0_bar2_scale {Megabytes}
  pf0_bar2_size {2}
  pf0_bar4_enabled {true}
  pf0_bar4_type {Memory}
  pf0_bar4_64bit {false}
  pf0_bar4_scale {Kilobytes}
  pf0_bar4_size {64}
  pf0_msi_enabled {false}
  pf0_msix_enabled {true}
  MSI_X_OPTIONS {MSI-X_External}
  PF0_MSIX_CAP_TABLE_SIZE {01F}
  PF0_MSIX_CAP_TABLE_BIR {BAR_4}
  PF0_MSIX_CAP_TABLE_OFFSET {00000000}
  PF0_MSIX_CAP_PBA_BIR {BAR_4}
  PF0_MSIX_CAP_PBA_OFFSET {00008000}
}
# Places of the MAC and of its channels: Corundum, fpga_au50.xdc and placement_au50.xdc.
# FCS insertion and deletion are the block's defaults.
weft_ip cmac_usplus weft_ip_cmac {
  CMAC_CAUI4_MODE {1}
  NUM_LANES {4x25}
  GT_REF_CLK_FREQ {161.1328125}
  GT_DRP_CLK {100.00}
  USER_INTERFACE {AXIS}
  INCLUDE_RS_FEC {1}
  TX_FLOW_CONTROL {1}
  RX_FLOW_CONTROL {1}
  RX_FORWARD_CONTROL_FRAMES {0}
  RX_CHECK_ACK {1}
  RX_MAX_PACKET_LEN {9216}
  CMAC_CORE_SELECT {CMACE4_X0Y4}
  GT_GROUP_SELECT {X0Y28~X0Y31}
}
