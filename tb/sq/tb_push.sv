// SPDX-License-Identifier: BSD-2-Clause

/// Places for pushed WQEs: what is done to them comes as an item a cycle at most, or none; what they answer goes to C.
module tb #(
  parameter int unsigned DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  // Of an item: pulses, and beside them what belongs to them. A WQE is its number in each word.
  typedef struct packed {
    logic        told, take, drop, look, set, fresh, push, db, we;
    logic [1:0]  qpn;
    logic [15:0] index;
    logic [2:0]  at;      // place that is written, or that a doorbell means
    logic [31:0] wqe;
  } op_t;
  logic v, ov, or_, last, idle, hit, taken;
  op_t op, o;
  logic [DATA_W-1:0] data;
  logic [3:0] lane, bufno;
  logic [15:0] index;
  logic [447:0] wqe;
  tb_src_item #(.ID(0), .W(62)) u_op (.clk_i, .rst_ni, .valid_o(v), .ready_i(1'b1), .data_o(op));
  assign o = v ? op : '0;
  for (genvar w = 0; w < 7; w++) assign wqe[64*w+:64] = {32'(w), o.wqe};
  weft_sq_push #(.DATA_W(DATA_W), .N_QP(4), .N_LANE(16), .N_PUSH(8)) dut (
    .clk_i, .rst_ni, .we_i(o.we), .buf_i(o.at), .wqe_i(wqe), .db_valid_i(o.db), .db_qpn_i(o.qpn), .db_index_i(o.index), .db_push_i(o.push),
    .db_buf_i(o.at), .db_new_i(o.fresh), .set_i(o.set), .set_qpn_i(o.qpn), .look_i(o.look), .look_qpn_i(o.qpn), .look_index_i(o.index), .hit_o(hit),
    .drop_i(o.drop), .take_i(o.take), .take_lane_i(o.wqe[3:0]), .take_buf_i(o.wqe[7:4]), .told_i(o.told), .valid_o(ov), .ready_i(or_), .data_o(data),
    .last_o(last), .lane_o(lane), .buf_o(bufno), .index_o(index), .idle_o(idle), .stat_taken_o(taken)
  );
  tb_snk_pulse #(.ID(1), .W(2)) u_state (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({idle, hit}));
  tb_snk_stream #(.ID(2), .DATA_W(DATA_W), .SIDE_W(24)) u_out (.clk_i, .rst_ni, .valid_i(ov), .ready_o(or_), .data_i(data), .cnt_i(($clog2(DATA_W / 8) + 1)'(DATA_W / 8)),
    .last_i(last), .err_i(1'b0), .side_i({index, bufno, lane}));
  always @(posedge clk_i) if (rst_ni) assert (taken == o.take) else $error("a WQE is taken and not counted");
endmodule
