# SPDX-License-Identifier: BSD-2-Clause
#
# Runs tools/vivado.tcl for BOARD with commands that note what they are told, then judges the notes (tools/board says how). Reads
# OUT/lint-files and OUT/ports. Objects are strings: port:NAME, pin:NAME, cell:PATTERN, ip:NAME.

set board $env(BOARD)
set out_dir $env(OUT)
set argv [list $board]
proc slurp {name} { set f [open $name]; set s [read $f]; close $f; return $s }
proc verdict {what wrong} {
  global board
  if {[llength $wrong]} {
    puts "not ok board/$board/$what: [lindex $wrong 0]"
    foreach w $wrong { puts "bad: $w" }
  } else { puts "ok board/$board/$what" }
}

# ---- the design: ports of the top, text of its sources
set ports {}
foreach line [split [slurp $out_dir/ports] \n] {
  if {![regexp {^(input|output|inout) \[(\d+):(\d+)\] (\S+)} $line -> dir hi lo name]} continue
  if {$hi == 0} { lappend ports $name } else { for {set i $lo} {$i <= $hi} {incr i} { lappend ports "$name\[$i\]" } }
}
set lint_files [split [string trim [slurp $out_dir/lint-files]] \n]
set text ""
foreach f $lint_files { append text [regsub -all -line {//.*} [slurp $f] ""] \n }

# ---- notes
set files {}
set steps {}
set wrong_names {}
array set pin_of {}
array set standard_of {}
array set clock_of {}
array set ip_kind {}
array set ip_dict {}
array set read_xdc_done {}

proc literal {pattern} { string map {\[ \\\[ \] \\\] \\ \\\\} $pattern }
proc get_ports {args} {
  global ports wrong_names
  set found {}
  foreach pattern [lindex $args end] {
    set hit 0
    foreach p $ports {
      if {[string match [literal $pattern] $p]} { lappend found port:$p; set hit 1 }
    }
    if {!$hit} { lappend wrong_names "there is no port $pattern" }
  }
  return $found
}
# INSTANCE/REGISTER_reg[..]: the instance and a register that is written are in the sources.
proc known {pattern} {
  global text wrong_names
  set parts [split [string trim $pattern *] /]
  set reg [lindex $parts end]
  foreach instance [lrange $parts 0 end-1] {
    # *sync_q_reg*/CLR: a register's own pin.
    if {[regexp {_reg\*?$} $instance]} { set reg $instance; continue }
    if {![regexp "\\m${instance}\\M\\s*\\(" $text]} { lappend wrong_names "there is no instance $instance ($pattern)" }
  }
  if {![regexp {^(\w+)_reg} [string trim $reg *] -> r]} { return }
  if {![regexp "${r}\\M\\s*(\\\[\[^\\\]\]*\\\])?\\s*<=" $text] && ![regexp "\\{\[^\}\]*${r}\\M\[^\}\]*\\}\\s*<=" $text]} {
    lappend wrong_names "there is no register $r ($pattern)"
  }
}
proc get_cells {args} {
  foreach {all pattern} [regexp -all -inline {NAME =~ (\S+)} [lindex $args end]] { known [string trimright $pattern "\}"] }
  if {[lsearch $args -filter] < 0} { known [lindex $args end] }
  return cell:[lindex $args end]
}
proc get_pins {args} {
  global text wrong_names
  if {[lsearch $args -filter] >= 0} {
    foreach {all pattern} [regexp -all -inline {NAME =~ (\S+)} [lindex $args end]] { known [string trimright $pattern "\}"] }
  } elseif {[regexp {^(\w+)/(\w+)$} [lindex $args end] -> instance pin]} {
    if {![regexp "\\m${instance}\\M\\s*\\(\[^;\]*\\.${pin}\\M" $text]} { lappend wrong_names "there is no pin [lindex $args end]" }
  } else { lappend wrong_names "cannot read the pin [lindex $args end]" }
  return pin:[lindex $args end]
}
proc get_clocks {args} {
  global clock_of wrong_names
  foreach c [lindex $args end] { if {![info exists clock_of($c)]} { lappend wrong_names "there is no clock $c" } }
  return [lindex $args end]
}
proc get_iobanks {args} { return bank }
proc current_design {} { return design }
proc get_ips {name} { return ip:$name }
proc get_files {name} { return file:$name }
proc get_timing_paths {args} { return path }
proc get_property {name object} { expr {$name eq "SLACK" ? 1.0 : "$name of $object"} }
proc set_property {args} {
  global pin_of standard_of ip_dict wrong_names
  if {[lindex $args 0] eq "-dict"} { lassign [lrange $args 1 2] dict objects } else {
    set dict [lrange $args 0 1]
    set objects [lindex $args 2]
  }
  foreach o $objects {
    foreach {key value} $dict {
      if {[string match port:* $o]} {
        set p [string range $o 5 end]
        if {$key in {PACKAGE_PIN LOC}} {
          if {[info exists pin_of($p)]} { lappend wrong_names "$p has two pins" }
          set pin_of($p) $value
        } elseif {$key eq "IOSTANDARD"} { set standard_of($p) $value }
      } elseif {[string match ip:* $o]} { set ip_dict([string range $o 3 end],$key) $value }
    }
  }
}
proc create_clock {args} {
  global clock_of wrong_names
  set name [lindex $args [expr {[lsearch $args -name] + 1}]]
  set clock_of($name) [lindex $args end]
  if {[lindex $args end] eq ""} { lappend wrong_names "clock $name has no port" }
}
proc create_generated_clock {args} { create_clock {*}$args }
proc delay {args} {
  global clock_of wrong_names
  set at [lsearch $args -clock]
  if {$at >= 0 && ![info exists clock_of([lindex $args $at+1])]} { lappend wrong_names "there is no clock [lindex $args $at+1]" }
}
proc set_input_delay {args} { delay {*}$args }
proc set_output_delay {args} { delay {*}$args }
foreach c {set_false_path set_max_delay set_clock_groups set_operating_conditions} { proc $c {args} {} }
proc create_project {args} { lappend ::steps create_project; set ::part [lindex $args [lsearch $args -part]+1] }
proc read_verilog {args} {
  foreach f [lindex $args end] { lappend ::files $f; if {![file exists $f]} { lappend ::wrong_names "there is no file $f" } }
}
proc read_xdc {name} { set ::read_xdc_done($name) 1; uplevel #0 [list source $name] }
proc create_ip {args} {
  set name [lindex $args [lsearch $args -module_name]+1]
  set ::ip_kind($name) [lindex $args [lsearch $args -name]+1]
}
foreach c {generate_target synth_design opt_design place_design phys_opt_design route_design write_checkpoint report_utilization
           report_timing_summary report_cdc report_drc write_bitstream write_cfgmem} {
  proc $c {args} "lappend ::steps $c"
}

if {[catch {source tools/vivado.tcl} message]} {
  puts "not ok board/$board/vivado: $message"
  exit 1
}

# ---- the batch script
set wrong {}
if {$files ne $lint_files} { lappend wrong "its files are not lint's" }
set order {create_project synth_design opt_design place_design phys_opt_design route_design report_timing_summary write_bitstream write_cfgmem}
set seen {}
foreach s $steps { if {$s in $order} { lappend seen $s } }
if {$seen ne $order} { lappend wrong "its steps are $seen" }
if {$part ne $weft_part} { lappend wrong "the project's part is $part" }
foreach n [array names ip_kind] {
  if {![regexp "\\m$n\\M\[^;\]*\\(" $text]} { lappend wrong "block $n is not in the design" }
  if {![file exists tb/board/stubs/$n.sv]} { lappend wrong "block $n has no stub" }
}
foreach n [lsort -unique [regexp -all -inline {\mweft_ip_\w+} $text]] {
  if {![info exists ip_kind($n)]} { lappend wrong "nobody makes block $n" }
}
set abi [slurp abi/weft.abi]
proc abi {name} { regexp "const $name 0x(\[0-9a-f\]+)" $::abi -> v; return [string toupper $v] }
foreach n [array names ip_kind] {
  foreach {key const} [switch -glob $ip_kind($n) {
    pcie_7x { list Vendor_ID PCI_VENDOR_ID Device_ID PCI_DEVICE_ID Subsystem_Vendor_ID PCI_VENDOR_ID Subsystem_ID $weft_subsystem }
    pcie4* { list vendor_id PCI_VENDOR_ID PF0_DEVICE_ID PCI_DEVICE_ID PF0_SUBSYSTEM_VENDOR_ID PCI_VENDOR_ID PF0_SUBSYSTEM_ID $weft_subsystem }
    default { list }
  }] {
    if {![info exists ip_dict($n,CONFIG.$key)] || $ip_dict($n,CONFIG.$key) ne [abi $const]} { lappend wrong "$n: $key is not $const" }
  }
}
verdict vivado $wrong

# ---- pins
set wrong $wrong_names
foreach p [array names pin_of] { lappend used($pin_of($p)) $p }
foreach pin [array names used] { if {[llength $used($pin)] > 1} { lappend wrong "pin $pin has the ports $used($pin)" } }
set reasons {}
foreach {p why} $weft_unbound { lappend reasons $p }
foreach p $ports {
  set base [regsub {\[.*} $p ""]
  set bound [info exists pin_of($p)]
  if {!$bound && $base ni $reasons} { lappend wrong "port $p has neither pin nor reason" }
  if {$bound && $base in $reasons} { lappend wrong "port $p has a pin and a reason to have none" }
  if {$bound && ![regexp {^[A-Z]{1,2}[0-9]{1,2}$} $pin_of($p)]} { lappend wrong "port $p: $pin_of($p) is no pin" }
  set gt [expr {$base in $weft_transceiver}]
  if {$bound && !$gt && ![info exists standard_of($p)]} { lappend wrong "port $p has no I/O standard" }
  if {$gt && [info exists standard_of($p)]} { lappend wrong "port $p of a transceiver has an I/O standard" }
}
foreach {p why} $weft_unbound { if {$why eq "" || [lsearch -glob $ports "[literal $p]*"] < 0} { lappend wrong "reason for $p, which is no port, or an empty one" } }
foreach p $weft_transceiver { if {[lsearch -regexp $ports "^${p}(\\\[|$)"] < 0} { lappend wrong "transceiver port $p is no port" } }
foreach x [glob constraints/$board.xdc constraints/cdc.xdc] { if {![info exists read_xdc_done($x)]} { lappend wrong "$x is not read" } }
verdict pins $wrong
