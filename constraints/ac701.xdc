# SPDX-License-Identifier: BSD-2-Clause
#
# AC701, xc7a200tfbg676-2: pins and clocks of rtl/board/weft_ac701.sv; crossings: cdc.xdc.
#
# Where pins come from, as facts:
#   [B] AMD's board file, XilinxBoardStore, boards/Xilinx/ac701/1.4/part0_pins.xml
#   [L] LiteX-Boards, litex_boards/platforms/xilinx_ac701.py
# Where both name a pin they agree on its place. They differ on I/O standards of sysclk, RGMII and the button; [B] is taken.

# The configuration flash's pins are LVCMOS33 in [B].
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]

# ---- clock and button [B]
set_property -dict {PACKAGE_PIN R3 IOSTANDARD LVDS_25} [get_ports sysclk_p]
set_property -dict {PACKAGE_PIN P3 IOSTANDARD LVDS_25} [get_ports sysclk_n]
set_property -dict {PACKAGE_PIN U4 IOSTANDARD LVCMOS15} [get_ports cpu_reset]
create_clock -name sysclk -period 5.000 [get_ports sysclk_p]
set_false_path -from [get_ports cpu_reset]

# ---- LEDs [B]
set_property -dict {PACKAGE_PIN M26 IOSTANDARD LVCMOS33} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN T24 IOSTANDARD LVCMOS33} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN T25 IOSTANDARD LVCMOS33} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN R26 IOSTANDARD LVCMOS33} [get_ports {led[3]}]
set_false_path -to [get_ports {led[*]}]

# ---- PCIe [L]
set_property -dict {PACKAGE_PIN M20 IOSTANDARD LVCMOS25 PULLUP true} [get_ports pcie_perst_n]
set_property PACKAGE_PIN F11 [get_ports pcie_clk_p]
set_property PACKAGE_PIN E11 [get_ports pcie_clk_n]
set_property PACKAGE_PIN D12 [get_ports {pcie_rx_p[0]}]
set_property PACKAGE_PIN C12 [get_ports {pcie_rx_n[0]}]
set_property PACKAGE_PIN B13 [get_ports {pcie_rx_p[1]}]
set_property PACKAGE_PIN A13 [get_ports {pcie_rx_n[1]}]
set_property PACKAGE_PIN D14 [get_ports {pcie_rx_p[2]}]
set_property PACKAGE_PIN C14 [get_ports {pcie_rx_n[2]}]
set_property PACKAGE_PIN B11 [get_ports {pcie_rx_p[3]}]
set_property PACKAGE_PIN A11 [get_ports {pcie_rx_n[3]}]
set_property PACKAGE_PIN D10 [get_ports {pcie_tx_p[0]}]
set_property PACKAGE_PIN C10 [get_ports {pcie_tx_n[0]}]
set_property PACKAGE_PIN B9 [get_ports {pcie_tx_p[1]}]
set_property PACKAGE_PIN A9 [get_ports {pcie_tx_n[1]}]
set_property PACKAGE_PIN D8 [get_ports {pcie_tx_p[2]}]
set_property PACKAGE_PIN C8 [get_ports {pcie_tx_n[2]}]
set_property PACKAGE_PIN B7 [get_ports {pcie_tx_p[3]}]
set_property PACKAGE_PIN A7 [get_ports {pcie_tx_n[3]}]
create_clock -name pcie_clk -period 10.000 [get_ports pcie_clk_p]
set_false_path -from [get_ports pcie_perst_n]

# ---- Ethernet PHY [B]
set_property -dict {PACKAGE_PIN V18 IOSTANDARD LVCMOS18} [get_ports phy_rst_n]
set_property -dict {PACKAGE_PIN W18 IOSTANDARD LVCMOS18} [get_ports phy_mdc]
set_property -dict {PACKAGE_PIN T14 IOSTANDARD LVCMOS18 PULLUP true} [get_ports phy_mdio]
set_property -dict {PACKAGE_PIN U22 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports rgmii_txc]
set_property -dict {PACKAGE_PIN T15 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports rgmii_tx_ctl]
set_property -dict {PACKAGE_PIN U16 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports {rgmii_td[0]}]
set_property -dict {PACKAGE_PIN U15 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports {rgmii_td[1]}]
set_property -dict {PACKAGE_PIN T18 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports {rgmii_td[2]}]
set_property -dict {PACKAGE_PIN T17 IOSTANDARD HSTL_I_18 SLEW FAST} [get_ports {rgmii_td[3]}]
set_property -dict {PACKAGE_PIN U21 IOSTANDARD HSTL_I_18} [get_ports rgmii_rxc]
set_property -dict {PACKAGE_PIN U14 IOSTANDARD HSTL_I_18} [get_ports rgmii_rx_ctl]
set_property -dict {PACKAGE_PIN U17 IOSTANDARD HSTL_I_18} [get_ports {rgmii_rd[0]}]
set_property -dict {PACKAGE_PIN V17 IOSTANDARD HSTL_I_18} [get_ports {rgmii_rd[1]}]
set_property -dict {PACKAGE_PIN V16 IOSTANDARD HSTL_I_18} [get_ports {rgmii_rd[2]}]
set_property -dict {PACKAGE_PIN V14 IOSTANDARD HSTL_I_18} [get_ports {rgmii_rd[3]}]
# HSTL inputs need 0.9 V ([B]: iobank.internal_vref). The bank is that of the pins, so it is asked for, not named.
set_property INTERNAL_VREF 0.9 [get_iobanks -of_objects [get_ports rgmii_rxc]]
set_property INTERNAL_VREF 0.9 [get_iobanks -of_objects [get_ports {rgmii_rd[0]}]]
# RGMII 2.0 with the PHY's delays: data stand from 1.2 ns before to 1.2 ns behind each edge of the clock that comes; the clock that
# goes and its data are apart by 0.5 ns at most.
create_clock -name rgmii_rxc -period 8.000 [get_ports rgmii_rxc]
set_input_delay -clock rgmii_rxc -max 2.8 [get_ports {rgmii_rd[*] rgmii_rx_ctl}]
set_input_delay -clock rgmii_rxc -min 1.2 [get_ports {rgmii_rd[*] rgmii_rx_ctl}]
set_input_delay -clock rgmii_rxc -clock_fall -add_delay -max 2.8 [get_ports {rgmii_rd[*] rgmii_rx_ctl}]
set_input_delay -clock rgmii_rxc -clock_fall -add_delay -min 1.2 [get_ports {rgmii_rd[*] rgmii_rx_ctl}]
create_generated_clock -name rgmii_txc -source [get_pins u_txc/C] -divide_by 1 [get_ports rgmii_txc]
set_output_delay -clock rgmii_txc -max 0.5 [get_ports {rgmii_td[*] rgmii_tx_ctl}]
set_output_delay -clock rgmii_txc -min -0.5 [get_ports {rgmii_td[*] rgmii_tx_ctl}]
set_output_delay -clock rgmii_txc -clock_fall -add_delay -max 0.5 [get_ports {rgmii_td[*] rgmii_tx_ctl}]
set_output_delay -clock rgmii_txc -clock_fall -add_delay -min -0.5 [get_ports {rgmii_td[*] rgmii_tx_ctl}]
set_false_path -to [get_ports {phy_rst_n phy_mdc phy_mdio}]
set_false_path -from [get_ports phy_mdio]

# ---- synchronisers that stand alone
set_false_path -to [get_cells -hier -filter {NAME =~ *u_in/sync_q_reg[0]* || NAME =~ *u_link/sync_q_reg[0]*}]
set_false_path -to [get_cells -hier -filter {NAME =~ *u_faults/sync_q_reg[0]* || NAME =~ *u_status/sync_q_reg[0]*}]
set_false_path -to [get_cells -hier -filter {NAME =~ *u_pause_req/sync_q_reg[0]*}]
