# SPDX-License-Identifier: BSD-2-Clause
#
# Judges constraints/BOARD.lpf, and the clocks of its top (tools/board says how). Reads OUT/lint-files and OUT/ports. Every statement is
# of a kind that is known here: what is not read is not checked.

set board $env(BOARD)
set out_dir $env(OUT)
proc slurp {name} { set f [open $name]; set s [read $f]; close $f; return $s }
proc verdict {what wrong} {
  global board
  if {[llength $wrong]} {
    puts "not ok board/$board/$what: [lindex $wrong 0]"
    foreach w $wrong { puts "bad: $w" }
  } else { puts "ok board/$board/$what" }
}
set lpf [slurp constraints/$board.lpf]
regexp -line {^# top: (\w+)$} $lpf -> top
set text [regsub -all -line {//.*} [slurp rtl/board/$top.sv] ""]
set dir_of [dict create]
foreach line [split [slurp $out_dir/ports] \n] {
  if {![regexp {^(input|output|inout) \[(\d+):(\d+)\] (\S+)} $line -> dir hi lo name]} continue
  if {$hi == 0} { dict set dir_of $name $dir } else { for {set i $lo} {$i <= $hi} {incr i} { dict set dir_of "$name\[$i\]" $dir } }
}

# ---- statements
set wrong {}
array set site_of {}
array set iobuf {}
array set mhz {}
array set net_mhz {}
array set reason {}
foreach {all port why} [regexp -all -inline -line {^# unbound (\S+): *(.*)$} $lpf] { set reason($port) $why }
foreach statement [split [regsub -all -line {#.*} $lpf ""] \;] {
  set s [string trim [regsub -all {\s+} $statement " "]]
  if {$s eq "" || $s in {"BLOCK RESETPATHS" "BLOCK ASYNCPATHS"}} continue
  if {[regexp {^LOCATE COMP "([^"]+)" SITE "([^"]+)"$} $s -> port site]} {
    if {[info exists site_of($port)]} { lappend wrong "$port has two pins" }
    set site_of($port) $site
  } elseif {[regexp {^IOBUF PORT "([^"]+)"((?: [A-Z_]+=\w+)+)$} $s -> port attributes]} {
    if {[info exists iobuf($port)]} { lappend wrong "$port has two IOBUF" }
    set iobuf($port) $attributes
  } elseif {[regexp {^FREQUENCY PORT "([^"]+)" ([0-9.]+) MHZ$} $s -> port f]} { set mhz($port) $f
  } elseif {[regexp {^FREQUENCY NET "([^"]+)" ([0-9.]+) MHZ$} $s -> net f]} { set net_mhz($net) $f
  } else { lappend wrong "cannot read: $s" }
}

# ---- pins
foreach p [concat [array names site_of] [array names iobuf] [array names mhz] [array names reason]] {
  if {![dict exists $dir_of $p]} { lappend wrong "there is no port $p" }
}
foreach p [dict keys $dir_of] {
  if {[info exists reason($p)]} {
    if {$reason($p) eq ""} { lappend wrong "port $p has no pin and an empty reason" }
    if {[info exists site_of($p)]} { lappend wrong "port $p has a pin and a reason to have none" }
    continue
  }
  if {![info exists site_of($p)]} { lappend wrong "port $p has neither pin nor reason"; continue }
  # Balls of 26 rows and columns: JEDEC leaves out I, O, Q, S, X, Z.
  if {![regexp {^([A-HJ-NPRT-W]|Y|A[A-F])([1-9]|1[0-9]|2[0-6])$} $site_of($p)]} { lappend wrong "port $p: $site_of($p) is no ball of the package" }
  lappend used($site_of($p)) $p
  if {![info exists iobuf($p)] || ![regexp { IO_TYPE=(\w+)} $iobuf($p) -> type]} { lappend wrong "port $p has no I/O standard"; continue }
  if {$type ni {LVCMOS33 LVCMOS25 LVCMOS18 LVCMOS15 LVDS}} { lappend wrong "port $p: I/O standard $type" }
  foreach {all key value} [regexp -all -inline { ([A-Z_]+)=(\w+)} $iobuf($p)] {
    if {!([string equal $key IO_TYPE] || ([string equal $key PULLMODE] && $value in {UP DOWN NONE}) || ([string equal $key SLEWRATE] && $value in {FAST SLOW}))} {
      lappend wrong "port $p: $key=$value"
    }
  }
}
foreach site [array names used] { if {[llength $used($site)] > 1} { lappend wrong "pin $site has the ports $used($site)" } }
verdict pins $wrong

# ---- clocks: what the PLL makes of its input, and what the design takes it for
set wrong {}
proc near {a b} { expr {abs($a - $b) < 1e-6 * $b} }
proc instance {cell name} {  # parameters and connections of an instance, as one text
  global text
  if {![regexp "\\m$cell\\M\\s*(#\\(.*?\\)\\s*)?\\m$name\\M\\s*\\(\[^;\]*\\);" $text all]} { return "" }
  return [regsub -all {\s+} $all " "]
}
proc of {instance key} {
  if {[regexp "\\.$key\\(\\s*\"?(\[^()\"\]*?)\"?\\s*\\)" $instance -> v]} { return [regsub -all _ $v ""] }
  return ""
}
proc net_of {instance key} { if {[regexp "\\.$key\\(\\s*(\\w*)\\s*\\)" $instance -> v]} { return $v }; return "" }
array set freq {}
foreach p [array names mhz] { set freq($p) [expr {double($mhz($p))}] }
foreach p {clk100 rgmii_rxc} { if {![info exists mhz($p)]} { lappend wrong "clock $p has no frequency" } }
set pll [instance EHXPLLL u_pll]
set in [net_of $pll CLKI]
if {$pll eq "" || ![info exists mhz($in)]} { lappend wrong "the PLL or its input is not there" } else {
  set f $mhz($in)
  set pfd [expr {double($f) / [of $pll CLKI_DIV]}]
  if {[of $pll FEEDBK_PATH] ne "CLKOP" || [net_of $pll CLKFB] ne [net_of $pll CLKOP]} { lappend wrong "the PLL's feedback is not CLKOP" }
  set vco [expr {$pfd * [of $pll CLKFB_DIV] * [of $pll CLKOP_DIV]}]
  # ECP5 family data sheet, sysCLOCK PLL timing: input 8 to 400 MHz, phase detector 10 to 400, VCO 400 to 800, outputs 3.125 to 400; dividers
  # 1 to 128.
  if {$f < 8 || $f > 400} { lappend wrong "the PLL's input is $f MHz" }
  if {$pfd < 10 || $pfd > 400} { lappend wrong "the PLL's phase detector is at $pfd MHz" }
  if {$vco < 400 || $vco > 800} { lappend wrong "the PLL's VCO is at $vco MHz" }
  foreach o {CLKOP CLKOS CLKOS2 CLKOS3} {
    if {[of $pll ${o}_ENABLE] ne "ENABLED"} {
      if {[net_of $pll $o] ne ""} { lappend wrong "$o is used and not enabled" }
      continue
    }
    set d [of $pll ${o}_DIV]
    if {$d < 1 || $d > 128} { lappend wrong "${o}_DIV is $d" }
    if {[of $pll ${o}_CPHASE] != $d - 1} { lappend wrong "${o}_CPHASE is not ${o}_DIV - 1" }
    set freq([net_of $pll $o]) [expr {$vco / $d}]
    if {$vco / $d < 3.125 || $vco / $d > 400} { lappend wrong "$o is at [expr {$vco / $d}] MHz" }
  }
  foreach d {CLKI_DIV CLKFB_DIV} { if {[of $pll $d] < 1 || [of $pll $d] > 128} { lappend wrong "$d is [of $pll $d]" } }
}
foreach n [array names net_mhz] {
  if {![info exists freq($n)]} { lappend wrong "nobody makes the clock $n" } elseif {![near $freq($n) $net_mhz($n)]} {
    lappend wrong "$n is constrained to $net_mhz($n) MHz and is at $freq($n)"
  }
}
foreach n [array names freq] { if {![info exists net_mhz($n)] && ![info exists mhz($n)]} { lappend wrong "clock $n is not constrained" } }
set host [instance weft_board_host_bridge u_host]
set mac [instance weft_mac_1g u_mac]
set clk [net_of $host clk_i]
if {$host eq "" || ![info exists freq($clk)]} { lappend wrong "the host side has no clock" } else {
  if {![near [expr {$freq($clk) * 1e6}] [of $host {CLK_HZ}]]} { lappend wrong "CLK_HZ is [of $host CLK_HZ], $clk is at $freq($clk) MHz" }
  if {![near [expr {1e3 / $freq($clk)}] [of $host PERIOD_NS]]} { lappend wrong "PERIOD_NS is [of $host PERIOD_NS], $clk is at $freq($clk) MHz" }
  if {[of $host BAUD] > 12000000 || [of $host BAUD] * 8 > $freq($clk) * 1e6} { lappend wrong "BAUD is [of $host BAUD]" }
  # FT2232H: 12 MHz by a whole number of eighths, from 2 on.
  set eighths [expr {96e6 / [of $host BAUD]}]
  if {abs($eighths - round($eighths)) > 1e-9 || $eighths < 16} { lappend wrong "the adapter cannot do [of $host BAUD] baud" }
}
foreach {key what} {tx_clk_i transmit rx_clk_i receive} {
  set n [net_of $mac $key]
  if {![info exists freq($n)] || ![near $freq($n) 125]} { lappend wrong "the MAC's $what clock is not 125 MHz" }
}
# 25 ps a tap; RGMII wants the clock 1 to 2.6 ns behind its data.
set taps [of [instance DELAYG u_txc_delay] DEL_VALUE]
if {$taps eq "" || $taps > 127 || $taps * 0.025 < 1.0 || $taps * 0.025 > 2.6} { lappend wrong "the transmit clock's delay is $taps taps" }
verdict clocks $wrong
