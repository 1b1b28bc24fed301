// SPDX-License-Identifier: BSD-2-Clause
/// weft_ready_fifo and weft_linked_pool, driven by the cycle from C (no streams of valid and ready here:
/// their inputs never wait). Member ports: insert id or -1; ready of the taker. Pool: an operation or -1.
module tb #(
  parameter int DATA_W = 64,
  parameter int N = 64,
  parameter int LISTS = 16,
  parameter int BLOCKS = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int IdW = $clog2(N), ListW = $clog2(LISTS), BlkW = $clog2(BLOCKS);
  // What is to be driven after this edge, from what the unit shows before it.
  import "DPI-C" function void sets_cycle(
    input int ready, input int out_valid, input int out_ready, input int out_id, input int count, input int idle,
    output int ins, output int take);
  import "DPI-C" function void pool_cycle(
    input int ready, input int rsp, input int block, input int count, input int first, input int last, input int prev,
    input int avail, input int idle, output int op, output int list, output int res, output int give);

  logic             ready, ins_valid, out_valid, out_ready, idle, enter, merge;
  logic [IdW-1:0]   ins_id, out_id;
  logic [IdW:0]     count;
  weft_ready_fifo #(.N(N)) u_set (
    .clk_i, .rst_ni, .ready_o(ready), .ins_valid_i(ins_valid), .ins_id_i(ins_id), .out_valid_o(out_valid),
    .out_ready_i(out_ready), .out_id_o(out_id), .count_o(count), .idle_o(idle),
    .stat_enter_o(enter), .stat_merge_o(merge)
  );

  logic             p_ready, op_valid, rsp_valid, give, p_idle;
  logic [1:0]       op;
  logic [ListW-1:0] list;
  logic [BlkW-1:0]  rsp_block, rsp_first, rsp_last, rsp_prev;
  logic [BlkW:0]    rsp_count, take, avail;
  weft_linked_pool #(.LISTS(LISTS), .BLOCKS(BLOCKS)) u_pool (
    .clk_i, .rst_ni, .ready_o(p_ready), .op_valid_i(op_valid), .op_i(op), .op_list_i(list), .rsp_valid_o(rsp_valid),
    .rsp_block_o(rsp_block), .rsp_count_o(rsp_count), .rsp_first_o(rsp_first), .rsp_last_o(rsp_last), .rsp_prev_o(rsp_prev),
    .res_take_i(take), .res_give_i(give), .avail_o(avail), .idle_o(p_idle)
  );

  int ins, rdy, o, l, r, g;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ins_valid <= 1'b0;
      out_ready <= 1'b0;
      op_valid  <= 1'b0;
      take      <= '0;
      give      <= 1'b0;
    end else begin
      sets_cycle(int'(ready), int'(out_valid), int'(out_ready), int'(out_id), int'(count), int'(idle), ins, rdy);
      ins_valid <= ins >= 0;
      ins_id    <= IdW'(ins);
      out_ready <= rdy != 0;
      pool_cycle(int'(p_ready), int'(rsp_valid), int'(rsp_block), int'(rsp_count), int'(rsp_first), int'(rsp_last), int'(rsp_prev),
                 int'(avail), int'(p_idle), o, l, r, g);
      op_valid <= o >= 0;
      op       <= 2'(o);
      list     <= ListW'(l);
      take     <= (BlkW + 1)'(r);
      give     <= g != 0;
    end
  end
  logic unused;
  assign unused = ^{DATA_W != 0, enter, merge};
endmodule
