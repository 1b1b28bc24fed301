// SPDX-License-Identifier: BSD-2-Clause

/// Items that wait, in a list for each context; the first ones of a list come back to the check pipe when they are
/// asked for (`trig_i`), and each leaves the list only when the pipe takes it out (`pop_i`). Several come back at once, because a
/// context is in the pipe once: one at a time would cost a whole visit for each.
module weft_rdmap_park #(
  parameter int unsigned N_SLOT = 256,  ///< a power of two, 4 to 4096
  parameter int unsigned N = 64,        ///< items, a power of two, 4 or more
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned BlkW = $clog2(N),
  localparam int unsigned BurstW = weft_rdmap_pkg::BurstW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,

  output logic                  room_o,     ///< registered: a place can be promised
  input  logic                  take_i,     ///< one is promised
  input  logic                  give_i,     ///< one is not needed

  input  logic                  put_i,      ///< append to the list; the item comes three cycles later
  input  logic                  pop_i,      ///< the first one leaves
  input  logic [SlW-1:0]        slot_i,
  input  logic                  item_we_i,  ///< three cycles after put_i
  input  weft_rdmap_pkg::item_t item_i,

  input  logic                  trig_i,     ///< send the first ones of the list; not again before the pipe saw all of these
  input  logic [SlW-1:0]        trig_slot_i,
  input  logic [BurstW-1:0]     trig_n_i,   ///< how many, 1 or more and not more than there are
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [SlW-1:0]        out_slot_o,
  output weft_rdmap_pkg::item_t out_item_o,
  output logic                  idle_o
);
  logic [BlkW:0]   avail, count, cnt;
  logic [BlkW-1:0] block, first, last, prev, next, at;
  logic            op, rv, tv, pidle, look, tready, re, leave;
  logic [1:0]      opc;
  logic [SlW-1:0]  ts;
  logic [2:0]      look_q;  // where the look-up of the first item is
  logic            busy_q, have_q;
  logic [BurstW-1:0] tn, out_q;  // asked for; of these so many came out

  assign look = tv && !busy_q && !put_i && !pop_i;
  assign op   = put_i || pop_i || look;
  assign opc  = put_i ? 2'd1 : pop_i ? 2'd2 : 2'd0;
  weft_linked_pool #(.LISTS(N_SLOT), .BLOCKS(N)) u_pool (
    .clk_i, .rst_ni, .ready_o, .op_valid_i(op), .op_i(opc), .op_list_i(look ? ts : slot_i),
    .rsp_valid_o(rv), .rsp_block_o(block), .rsp_count_o(count), .rsp_first_o(first), .rsp_last_o(last), .rsp_prev_o(prev),
    .res_take_i((BlkW + 1)'(take_i)), .res_give_i(give_i), .avail_o(avail), .idle_o(pidle)
  );
  assign room_o = avail != '0;

  weft_ram_1r1w #(.W(weft_rdmap_pkg::ItemW), .DEPTH(N)) u_items (
    .clk_i, .we_i(item_we_i), .waddr_i(block), .wdata_i(item_i),
    .re_i(re), .raddr_i(at), .rdata_o(out_item_o)
  );
  // Which one follows in the list: the pool tells of the first only.
  weft_ram_1r1w #(.W(BlkW), .DEPTH(N)) u_next (
    .clk_i, .we_i(item_we_i && count != '0), .waddr_i(prev), .wdata_i(block),
    .re_i(re), .raddr_i(at), .rdata_o(next)
  );
  weft_fifo #(.W(SlW + BurstW), .DEPTH(N)) u_trig (
    .clk_i, .rst_ni, .in_valid_i(trig_i), .in_ready_o(tready), .in_data_i({trig_slot_i, trig_n_i}),
    .out_valid_o(tv), .out_ready_i(leave), .out_data_o({ts, tn}), .count_o(cnt)
  );
  // An item is read when the one in front of it is taken: so nobody has popped it before.
  assign leave = have_q && out_ready_i && out_q == tn;
  assign re    = look_q[2] || (have_q && out_ready_i && !leave);
  assign at    = look_q[2] ? block : next;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q <= '0;
      busy_q <= 1'b0;
      have_q <= 1'b0;
    end else begin
      look_q <= {look_q[1:0], look};
      busy_q <= look || (busy_q && !leave);
      have_q <= re || (have_q && !out_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (look_q[2]) out_q <= BurstW'(1);
    else if (re) out_q <= out_q + 1'b1;
  end
  assign out_valid_o = have_q;
  assign out_slot_o  = ts;
  assign idle_o      = pidle && !tv;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(trig_i && !tready)) else $error("%m: asked for more lists than there are items");
      assert (!(look_q[2] && count < (BlkW + 1)'(tn))) else $error("%m: more asked for than the list has");
    end
  end
`endif
  logic unused;
  assign unused = ^{rv, first, last, cnt, tready};

endmodule
