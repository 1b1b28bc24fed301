// SPDX-License-Identifier: BSD-2-Clause

/// FIFOs, register slice, byte-enable memory, context window and timer wheel. Ports as in base.c.
module tb #(
  parameter int unsigned DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function longint unsigned tb_now();

  // 0..2 into, 3..5 out of: shallow FIFO, deep FIFO, register slice
  logic [2:0] iv, ir, ov, o_r;
  logic [2:0][31:0] id, od;
  for (genvar i = 0; i < 3; i++) begin : gen_fifo
    tb_src_item #(.ID(i), .W(32)) u_src (.clk_i, .rst_ni, .valid_o(iv[i]), .ready_i(ir[i]), .data_o(id[i]));
    tb_snk_item #(.ID(3 + i), .W(32)) u_snk (
      .clk_i, .rst_ni, .valid_i(ov[i]), .ready_o(o_r[i]), .data_i(od[i])
    );
  end
  logic [3:0] count8;
  logic [7:0] count128;
  weft_fifo #(.W(32), .DEPTH(8)) u_shallow (
    .clk_i, .rst_ni, .in_valid_i(iv[0]), .in_ready_o(ir[0]), .in_data_i(id[0]), .out_valid_o(ov[0]),
    .out_ready_i(o_r[0]), .out_data_o(od[0]), .count_o(count8)
  );
  weft_fifo #(.W(32), .DEPTH(128)) u_deep (
    .clk_i, .rst_ni, .in_valid_i(iv[1]), .in_ready_o(ir[1]), .in_data_i(id[1]), .out_valid_o(ov[1]),
    .out_ready_i(o_r[1]), .out_data_o(od[1]), .count_o(count128)
  );
  weft_skid #(.W(32)) u_skid (
    .clk_i, .rst_ni, .in_valid_i(iv[2]), .in_ready_o(ir[2]), .in_data_i(id[2]), .out_valid_o(ov[2]),
    .out_ready_i(o_r[2]), .out_data_o(od[2])
  );
  tb_snk_pulse #(.ID(6), .W(12)) u_counts (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({count128, count8}));

  // 7: memory access {we[3:0], waddr[3:0], wdata, re, raddr[3:0]} each cycle, 8: read data
  logic [44:0] mem_op;
  logic mem_v, mem_re_q;
  logic [31:0] mem_rd;
  tb_src_item #(.ID(7), .W(45)) u_mem_src (.clk_i, .rst_ni, .valid_o(mem_v), .ready_i(1'b1), .data_o(mem_op));
  weft_ram_be #(.W(32), .DEPTH(16)) u_mem (
    .clk_i, .we_i(mem_v ? mem_op[44:41] : 4'd0), .waddr_i(mem_op[40:37]), .wdata_i(mem_op[36:5]),
    .re_i(mem_v && mem_op[4]), .raddr_i(mem_op[3:0]), .rdata_o(mem_rd)
  );
  always_ff @(posedge clk_i) mem_re_q <= rst_ni && mem_v && mem_op[4];
  tb_snk_pulse #(.ID(8), .W(32)) u_mem_snk (.clk_i, .rst_ni, .valid_i(mem_re_q), .data_i(mem_rd));

  // Context window: 9 commits, 10 fetch requests, 11 fetch answers
  logic cq_v, cq_r, cr_v, cm_v, cm_r, ft_v, ft_r, fr_v;
  weft_pkg::cfg_req_t cq;
  weft_pkg::cfg_rsp_t cr;
  logic [15:0] cm_i, ft_i;
  logic [511:0] cm_d, fr_d;
  tb_cfg u_cfg (
    .clk_i, .rst_ni, .cfg_req_valid_o(cq_v), .cfg_req_ready_i(cq_r), .cfg_req_o(cq), .cfg_rsp_valid_i(cr_v),
    .cfg_rsp_i(cr)
  );
  weft_ctx_window #(.N(40)) u_win (
    .clk_i, .rst_ni, .cfg_req_valid_i(cq_v), .cfg_req_ready_o(cq_r), .cfg_req_i(cq), .cfg_rsp_valid_o(cr_v),
    .cfg_rsp_o(cr), .commit_valid_o(cm_v), .commit_ready_i(cm_r), .commit_index_o(cm_i), .commit_data_o(cm_d),
    .fetch_valid_o(ft_v), .fetch_ready_i(ft_r), .fetch_index_o(ft_i), .fetch_rsp_valid_i(fr_v),
    .fetch_rsp_data_i(fr_d)
  );
  tb_snk_item #(.ID(9), .W(528)) u_cm (.clk_i, .rst_ni, .valid_i(cm_v), .ready_o(cm_r), .data_i({cm_d, cm_i}));
  tb_snk_item #(.ID(10), .W(16)) u_ft (.clk_i, .rst_ni, .valid_i(ft_v), .ready_o(ft_r), .data_i(ft_i));
  tb_src_item #(.ID(11), .W(512)) u_fr (.clk_i, .rst_ni, .valid_o(fr_v), .ready_i(1'b1), .data_o(fr_d));

  // Timer: 12 operations {deadline, id, cancel}, 13 the same when taken, 14 fires, 15 state each cycle
  localparam int unsigned N = 24;
  logic op_v, op_r, op_c, fi_v, fi_r, dl_v, idle;
  logic [4:0] op_id, fi_id;
  logic [63:0] op_dl, dl, now_q;
  always_ff @(posedge clk_i) now_q <= tb_now();
  tb_src_item #(.ID(12), .W(70)) u_op (.clk_i, .rst_ni, .valid_o(op_v), .ready_i(op_r), .data_o({op_dl, op_id, op_c}));
  weft_timer #(.N(N), .TICK_SHIFT(8), .SLOTS(32)) u_timer (
    .clk_i, .rst_ni, .now_ns_i(now_q), .set_valid_i(op_v), .set_ready_o(op_r), .set_cancel_i(op_c),
    .set_id_i(op_id), .set_deadline_ns_i(op_dl), .fire_valid_o(fi_v), .fire_ready_i(fi_r), .fire_id_o(fi_id),
    .deadline_valid_o(dl_v), .deadline_ns_o(dl), .idle_o(idle)
  );
  tb_snk_pulse #(.ID(13), .W(70)) u_op_taken (
    .clk_i, .rst_ni, .valid_i(op_v && op_r), .data_i({op_dl, op_id, op_c})
  );
  tb_snk_item #(.ID(14), .W(5)) u_fire (.clk_i, .rst_ni, .valid_i(fi_v), .ready_o(fi_r), .data_i(fi_id));
  tb_snk_pulse #(.ID(15), .W(66)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({dl, dl_v, idle}));

endmodule
