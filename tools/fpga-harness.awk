# SPDX-License-Identifier: BSD-2-Clause
#
# awk -v out=FILE -v module=NAME -f tools/fpga-harness.awk PORTLIST
#
# Writes a module `harness` around the module NAME whose ports PORTLIST shows (Yosys's `portlist -m`): a chain of registers feeds every
# input, every output is registered and folded, a bit a cycle, into one pin. So what is timed is the module and nothing around it.
#
# module NAME (input [N:M] name, output ...): one port a line of portlist
{ sub(/[,)].*$/, ""); n = $NF; w = 1 }
match($0, /\[[0-9]+:[0-9]+\]/) { split(substr($0, RSTART + 1, RLENGTH - 2), r, ":"); w = r[1] - r[2] + 1 }
/ *input / || /^input/ { if (n ~ /^clk/) clk = n; else if (n ~ /^rst/) rst = n; else { i[++ni] = n; iw[ni] = w; ti += w } }
/ *output / || /^output/ { o[++no] = n; ow[no] = w; to += w }
END {
  if (!ti || !to) { print "no ports" > "/dev/stderr"; exit 1 }
  print "module harness (input clk, input rst_n, input si, output reg so);" > out
  printf "  reg [%d:0] in;\n  wire [%d:0] from;\n  reg [%d:0] held, fold;\n  reg [1:0] rst_q;\n", ti - 1, to - 1, to - 1 > out
  print "  always @(posedge clk or negedge rst_n) if (!rst_n) rst_q <= 0; else rst_q <= {rst_q[0], 1\x27b1};" > out
  printf "  always @(posedge clk) in <= {in[%d:0], si};\n", ti - 2 > out
  printf "  always @(posedge clk) begin held <= from; fold <= {fold[%d:0], 1\x27b0} ^ held; so <= fold[%d]; end\n", to - 2, to - 1 > out
  printf "  %s %s (\n", module, module == "room" ? "room" : "u" > out
  if (clk) printf "    .%s(clk),\n", clk > out
  if (rst) printf "    .%s(rst_q[1]),\n", rst > out
  at = 0; for (k = 1; k <= ni; k++) { printf "    .%s(in[%d +: %d]),\n", i[k], at, iw[k] > out; at += iw[k] }
  at = 0; for (k = 1; k <= no; k++) { printf "    .%s(from[%d +: %d])%s\n", o[k], at, ow[k], k < no ? "," : "" > out; at += ow[k] }
  print "  );\nendmodule" > out
}
