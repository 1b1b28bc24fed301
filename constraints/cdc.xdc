# SPDX-License-Identifier: BSD-2-Clause
#
# Crossings of rtl/cdc on every board, by the names of their registers (docs/mac.md, "Clock crossings"). Synchronisers that stand
# alone are named in the board's file: a false path to all first stages would also free the Gray pointers, whose skew counts.

# The clear inputs of reset bridges: the tool times recovery and removal behind them.
set_false_path -to [get_pins -hier -filter {NAME =~ *sync_q_reg*/CLR}]
# Handshakes: resets of a crossing's other side, requests and answers.
set_false_path -to [get_cells -hier -filter {NAME =~ *u_sync/sync_q_reg[0]*}]
set_false_path -to [get_cells -hier -filter {NAME =~ *u_req/sync_q_reg[0]* || NAME =~ *u_ack/sync_q_reg[0]*}]
# Gray pointers: skew below a period of the faster clock.
set_max_delay -datapath_only -from [get_cells -hier -filter {NAME =~ *gray_q_reg*}] -to [get_cells -hier -filter {NAME =~ *u_wptr/sync_q_reg[0]* || NAME =~ *u_rptr/sync_q_reg[0]*}] 3.0
# Data that stand still when they are read.
set_max_delay -datapath_only -from [get_cells -hier -filter {NAME =~ *u_bus/data_q_reg*}] -to [get_cells -hier -filter {NAME =~ *u_bus/dst_data_o_reg*}] 6.0
