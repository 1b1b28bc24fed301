# SPDX-License-Identifier: BSD-2-Clause
#
# What tools/vivado.tcl has to know of the AC701: device, top, constraints, the vendor's blocks, flash.
set weft_part xc7a200tfbg676-2
set weft_top weft_ac701
set weft_subsystem PCI_SUBSYS_ARTIX7
set weft_xdc {cdc.xdc ac701.xdc}
# SPI flash, four bits wide; 16 MB of it are used ([L] of ac701.xdc).
set weft_flash {-format bin -interface SPIx4 -size 16}
# Pins of transceivers: no I/O standard.
set weft_transceiver {pcie_clk_p pcie_clk_n pcie_rx_p pcie_rx_n pcie_tx_p pcie_tx_n}
# Ports without a pin, each with the reason.
set weft_unbound {}

# Ids: abi/weft.abi, PCI_SUBSYS_ARTIX7. BARs: 64 KiB, the doorbell pages (256 of 4 KiB), 64 KiB; MSI-X: 32 vectors, table at 0 and PBA
# at 32768 of BAR4 (the block counts offsets in quadwords).
weft_ip pcie_7x weft_ip_pcie_7x {
  mode_selection {Advanced}
  Link_Speed {5.0_GT/s}
  Maximum_Link_Width {X4}
  Interface_Width {128_bit}
  User_Clk_Freq {125}
  Ref_Clk_Freq {100_MHz}
  Trgt_Link_Speed {4'h2}
  Max_Payload_Size {512_bytes}
  Buf_Opt_BMA {true}
  Trans_Buf_Pipeline {None}
  PCIe_Blk_Locn {X0Y0}
  shared_logic_in_core {true}
  en_ext_clk {false}
  Vendor_ID {1E57}
  Device_ID {5746}
  Subsystem_Vendor_ID {1E57}
  Subsystem_ID {0002}
  Use_Class_Code_Lookup_Assistant {false}
  Class_Code_Base {02}
  Class_Code_Sub {00}
  Class_Code_Interface {00}
  Bar0_Scale {Kilobytes}
  Bar0_Size {64}
  Bar2_Enabled {true}
  Bar2_Type {Memory}
  Bar2_64bit {true}
  Bar2_Prefetchable {true}
  Bar2_Scale {Megabytes}
  Bar2_Size {1}
  Bar4_Enabled {true}
  Bar4_Type {Memory}
  Bar4_Scale {Kilobytes}
  Bar4_Size {64}
  IntX_Generation {false}
  Legacy_Interrupt {NONE}
  MSI_Enabled {false}
  MSIx_Enabled {true}
  MSIx_Table_Size {20}
  MSIx_Table_Offset {0}
  MSIx_Table_BIR {BAR_4}
  MSIx_PBA_Offset {1000}
  MSIx_PBA_BIR {BAR_4}
  DSN_Enabled {true}
  cfg_fc_if {true}
  cfg_status_if {true}
  cfg_ctl_if {true}
  cfg_mgmt_if {false}
  err_reporting_if {false}
  rcv_msg_if {false}
  pl_interface {false}
  PCIe_Debug_Ports {false}
}
