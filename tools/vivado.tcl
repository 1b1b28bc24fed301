# SPDX-License-Identifier: BSD-2-Clause
#
#   vivado -mode batch -source tools/vivado.tcl -tclargs BOARD      from the top of the checkout
#
# BOARD is one of constraints/*.tcl. Synthesizes, places and routes it without a project; build/board/BOARD has reports, checkpoints, the
# bitstream and the flash image. The sources are those that lint reads (tools/lint --needs), in that order. The PCI ids of a block
# come from its settings in constraints/BOARD.tcl.

set board [lindex $argv 0]
if {$board eq "" || ![file exists constraints/$board.tcl]} {
  puts stderr "usage: vivado -mode batch -source tools/vivado.tcl -tclargs BOARD   ([glob -nocomplain constraints/*.tcl])"
  exit 2
}
set out build/board/$board
file mkdir $out

# A block of the vendor: its kind, the name of the module in the RTL, its settings.
set weft_blocks {}
proc weft_ip {kind name settings} {
  global weft_blocks
  lappend weft_blocks [list $kind $name $settings]
}
source constraints/$board.tcl

create_project -in_memory -part $weft_part
set sources [split [exec tools/lint --needs rtl/board/$weft_top.sv] \n]
read_verilog -sv $sources
foreach block $weft_blocks {
  lassign $block kind name settings
  create_ip -name $kind -vendor xilinx.com -library ip -module_name $name -dir $out
  set dict {}
  foreach {key value} $settings { lappend dict CONFIG.$key $value }
  set_property -dict $dict [get_ips $name]
  # Inside the design, so that one synthesis has it all.
  set_property generate_synth_checkpoint false [get_files [get_property IP_FILE [get_ips $name]]]
  generate_target all [get_ips $name]
}
foreach xdc $weft_xdc { read_xdc constraints/$xdc }

synth_design -top $weft_top -part $weft_part -verilog_define SYNTHESIS
write_checkpoint -force $out/synth.dcp
report_utilization -hierarchical -file $out/synth-use.txt
opt_design
place_design
phys_opt_design
route_design
write_checkpoint -force $out/route.dcp
report_utilization -hierarchical -file $out/use.txt
report_timing_summary -file $out/timing.txt
report_cdc -file $out/cdc.txt
report_drc -file $out/drc.txt
# A design that misses its clocks makes no bitstream.
set slack [get_property SLACK [get_timing_paths]]
puts "worst slack: $slack ns"
if {$slack < 0} {
  puts stderr "$board: timing is not met: $out/timing.txt"
  exit 1
}
write_bitstream -force $out/$board.bit
write_cfgmem -force {*}$weft_flash -loadbit "up 0x0 $out/$board.bit" $out/$board.bin
