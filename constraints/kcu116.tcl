# SPDX-License-Identifier: BSD-2-Clause
#
# What tools/vivado.tcl has to know of the KCU116: device, top, constraints, the vendor's blocks, flash.
set weft_part xcku5p-ffvb676-2-e
set weft_top weft_kcu116
set weft_subsystem PCI_SUBSYS_US100
set weft_xdc {cdc.xdc kcu116.xdc}
# Room of the image file in MB, not the size of the flash.
set weft_flash {-format mcs -interface SPIx4 -size 32}
# Pins of transceivers: no I/O standard.
set weft_transceiver {pcie_clk_p pcie_clk_n pcie_rx_p pcie_rx_n pcie_tx_p pcie_tx_n sfp_clk_p sfp_clk_n sfp_rx_p sfp_rx_n sfp_tx_p sfp_tx_n}
# Ports without a pin, each with the reason.
set weft_unbound {}

# Ids: abi/weft.abi, PCI_SUBSYS_US100. BARs: 64 KiB, the doorbell pages (512 of 4 KiB), 64 KiB; MSI-X: 32 vectors, table at 0 and PBA
# at 32768 of BAR4.
# 512 bits at x8 are offered with 16 GT/s; a slot of generation 3 trains it at 8.
weft_ip pcie4_uscale_plus weft_ip_pcie4_x8 {
  mode_selection {Advanced}
  PL_LINK_CAP_MAX_LINK_SPEED {16.0_GT/s}
  PL_LINK_CAP_MAX_LINK_WIDTH {X8}
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
# Quad 226, channel 0. Channels of the quads beside it: Corundum, fpga/mqnic/Nexus_K3P_S/fpga_25g/fpga_k3p.xdc (same package).
weft_ip xxv_ethernet weft_ip_pcs_10g {
  CORE {Ethernet PCS/PMA 64-bit}
  BASE_R_KR {BASE-R}
  LINE_RATE {10}
  NUM_OF_CORES {1}
  GT_REF_CLK_FREQ {156.25}
  GT_DRP_CLK {100.00}
  INCLUDE_SHARED_LOGIC {1}
  GT_GROUP_SELECT {Quad_X0Y2}
  LANE1_GT_LOC {X0Y8}
}
