# SPDX-License-Identifier: BSD-2-Clause
#
# KCU116, xcku5p-ffvb676-2-e: pins and clocks of rtl/board/weft_kcu116.sv; crossings: cdc.xdc.
#
# Where pins come from, as facts:
#   [B] AMD's board file, XilinxBoardStore, boards/Xilinx/kcu116/1.5/part0_pins.xml
#   [L] LiteX-Boards, litex_boards/platforms/xilinx_kcu116.py
# Where both name a pin they agree.

# Bank 0 and the configuration flash at 1.8 V: the flash's pins are LVCMOS18 in [L].
set_property CFGBVS GND [current_design]
set_property CONFIG_VOLTAGE 1.8 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]

# ---- clock and button [B]
set_property -dict {PACKAGE_PIN K22 IOSTANDARD DIFF_SSTL12} [get_ports sysclk_p]
set_property -dict {PACKAGE_PIN K23 IOSTANDARD DIFF_SSTL12} [get_ports sysclk_n]
set_property -dict {PACKAGE_PIN B9 IOSTANDARD LVCMOS33} [get_ports cpu_reset]
create_clock -name sysclk -period 3.333 [get_ports sysclk_p]
set_false_path -from [get_ports cpu_reset]

# ---- LEDs [B]
set_property -dict {PACKAGE_PIN C9 IOSTANDARD LVCMOS33 DRIVE 8} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN D9 IOSTANDARD LVCMOS33 DRIVE 8} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN E10 IOSTANDARD LVCMOS33 DRIVE 8} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN E11 IOSTANDARD LVCMOS33 DRIVE 8} [get_ports {led[3]}]
set_false_path -to [get_ports {led[*]}]

# ---- PCIe [B]
set_property -dict {PACKAGE_PIN T19 IOSTANDARD LVCMOS18 PULLUP true} [get_ports pcie_perst_n]
set_property PACKAGE_PIN V7 [get_ports pcie_clk_p]
set_property PACKAGE_PIN V6 [get_ports pcie_clk_n]
set_property PACKAGE_PIN P2 [get_ports {pcie_rx_p[0]}]
set_property PACKAGE_PIN P1 [get_ports {pcie_rx_n[0]}]
set_property PACKAGE_PIN R5 [get_ports {pcie_tx_p[0]}]
set_property PACKAGE_PIN R4 [get_ports {pcie_tx_n[0]}]
set_property PACKAGE_PIN T2 [get_ports {pcie_rx_p[1]}]
set_property PACKAGE_PIN T1 [get_ports {pcie_rx_n[1]}]
set_property PACKAGE_PIN U5 [get_ports {pcie_tx_p[1]}]
set_property PACKAGE_PIN U4 [get_ports {pcie_tx_n[1]}]
set_property PACKAGE_PIN V2 [get_ports {pcie_rx_p[2]}]
set_property PACKAGE_PIN V1 [get_ports {pcie_rx_n[2]}]
set_property PACKAGE_PIN W5 [get_ports {pcie_tx_p[2]}]
set_property PACKAGE_PIN W4 [get_ports {pcie_tx_n[2]}]
set_property PACKAGE_PIN Y2 [get_ports {pcie_rx_p[3]}]
set_property PACKAGE_PIN Y1 [get_ports {pcie_rx_n[3]}]
set_property PACKAGE_PIN AA5 [get_ports {pcie_tx_p[3]}]
set_property PACKAGE_PIN AA4 [get_ports {pcie_tx_n[3]}]
set_property PACKAGE_PIN AB2 [get_ports {pcie_rx_p[4]}]
set_property PACKAGE_PIN AB1 [get_ports {pcie_rx_n[4]}]
set_property PACKAGE_PIN AC5 [get_ports {pcie_tx_p[4]}]
set_property PACKAGE_PIN AC4 [get_ports {pcie_tx_n[4]}]
set_property PACKAGE_PIN AD2 [get_ports {pcie_rx_p[5]}]
set_property PACKAGE_PIN AD1 [get_ports {pcie_rx_n[5]}]
set_property PACKAGE_PIN AD7 [get_ports {pcie_tx_p[5]}]
set_property PACKAGE_PIN AD6 [get_ports {pcie_tx_n[5]}]
set_property PACKAGE_PIN AE4 [get_ports {pcie_rx_p[6]}]
set_property PACKAGE_PIN AE3 [get_ports {pcie_rx_n[6]}]
set_property PACKAGE_PIN AE9 [get_ports {pcie_tx_p[6]}]
set_property PACKAGE_PIN AE8 [get_ports {pcie_tx_n[6]}]
set_property PACKAGE_PIN AF2 [get_ports {pcie_rx_p[7]}]
set_property PACKAGE_PIN AF1 [get_ports {pcie_rx_n[7]}]
set_property PACKAGE_PIN AF7 [get_ports {pcie_tx_p[7]}]
set_property PACKAGE_PIN AF6 [get_ports {pcie_tx_n[7]}]
create_clock -name pcie_clk -period 10.000 [get_ports pcie_clk_p]
set_false_path -from [get_ports pcie_perst_n]

# ---- first SFP28 cage, quad 226; its clock is the board's Si570 (MGTREFCLK1) [L]
set_property PACKAGE_PIN M7 [get_ports sfp_clk_p]
set_property PACKAGE_PIN M6 [get_ports sfp_clk_n]
set_property PACKAGE_PIN M2 [get_ports sfp_rx_p]
set_property PACKAGE_PIN M1 [get_ports sfp_rx_n]
set_property PACKAGE_PIN N5 [get_ports sfp_tx_p]
set_property PACKAGE_PIN N4 [get_ports sfp_tx_n]
set_property -dict {PACKAGE_PIN AB14 IOSTANDARD LVCMOS33} [get_ports sfp_tx_disable_n]
create_clock -name sfp_clk -period 6.400 [get_ports sfp_clk_p]
set_false_path -to [get_ports sfp_tx_disable_n]

# ---- synchronisers that stand alone
set_false_path -to [get_cells -hier -filter {NAME =~ *u_in/sync_q_reg[0]* || NAME =~ *u_pcs_ok/sync_q_reg[0]*}]
set_false_path -to [get_cells -hier -filter {NAME =~ *u_lock/sync_q_reg[0]* || NAME =~ *u_pause_req/sync_q_reg[0]*}]
set_false_path -to [get_cells -hier -filter {NAME =~ *u_faults/sync_q_reg[0]* || NAME =~ *u_status/sync_q_reg[0]*}]
