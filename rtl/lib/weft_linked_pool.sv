// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Blocks of a pool in linked lists: which blocks belong to a list and in which order. What the blocks
/// hold is in the owner's memory, addressed by block number. An operation a cycle, on any list in any
/// order, also the same one in consecutive cycles; the answer comes three cycles later.
///
///   0 READ    nothing changes
///   1 APPEND  a free block becomes the last of the list. It needs a reservation, and uses it up
///   2 POP     the first block leaves the list and is free; nothing when the list is empty
///   3 DROP    all blocks leave the list; they become free in the background, one every two cycles
///             that pop nothing
///
/// Reservations are counts, not blocks: `res_take_i` takes some, if `avail_o` says that there are as many;
/// `res_give_i` gives one back that was not used. So an APPEND that was reserved never fails.
/// A block that is popped or dropped is given out again at once: its owner has read it before. It is
/// counted in `avail_o` three cycles after its POP, or after its turn behind a DROP.
module weft_linked_pool #(
  parameter int unsigned LISTS = 16,   ///< a power of two, 2 or more
  parameter int unsigned BLOCKS = 64,  ///< a power of two, 4 to 65,536
  localparam int unsigned ListW = $clog2(LISTS),
  localparam int unsigned BlkW = $clog2(BLOCKS)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             ready_o,       ///< registered: lists are cleared (LISTS cycles). No operation before

  input  logic             op_valid_i,    ///< no ready
  input  logic [1:0]       op_i,
  input  logic [ListW-1:0] op_list_i,

  output logic             rsp_valid_o,   ///< registered, three cycles after the operation
  output logic [BlkW-1:0]  rsp_block_o,   ///< APPEND: the new block. POP, READ: the first one as it was
  output logic [BlkW:0]    rsp_count_o,   ///< blocks of the list before the operation
  output logic [BlkW-1:0]  rsp_first_o,   ///< first and last one after it, when there is one
  output logic [BlkW-1:0]  rsp_last_o,
  output logic [BlkW-1:0]  rsp_prev_o,    ///< the last one before it: an owner who walks a list keeps links of his own

  input  logic [BlkW:0]    res_take_i,    ///< reservations taken in this cycle, at most avail_o
  input  logic             res_give_i,    ///< one is given back
  output logic [BlkW:0]    avail_o,       ///< registered: free blocks that nobody reserved
  output logic             idle_o         ///< no operation inside, nothing to be freed in the background
);

  typedef struct packed {
    logic [BlkW:0]   count;
    logic [BlkW-1:0] head;
    logic [BlkW-1:0] tail;
  } list_t;

  logic             clear_q;
  logic [ListW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end
  assign ready_o = !clear_q;

  // ---------------------------------------------------------------- stage 1: the list; its next block is read
  logic             v1_q, v2_q, v3_q, hit2, hit3_q;
  logic [1:0]       op1_q, op2_q;
  logic [ListW-1:0] list1_q, list2_q;
  list_t            rec_ram, rec1, rec2_q, new2, new3_q;
  logic             pop1, walk1, walk2_q;
  logic [BlkW-1:0]  dirty_head_q, dirty_tail_q;
  logic [BlkW:0]    dirty_q;          // blocks that wait to be freed

  weft_ram_1r1w #(.W(3 * BlkW + 1), .DEPTH(LISTS)) u_lists (
    .clk_i, .we_i(clear_q || v2_q), .waddr_i(clear_q ? at_q : list2_q),
    .wdata_i(clear_q ? '0 : new2), .re_i(op_valid_i), .raddr_i(op_list_i), .rdata_o(rec_ram)
  );
  // The two operations before this one may have changed its list since.
  assign hit2 = v2_q && list2_q == list1_q;
  assign rec1 = hit2 ? new2 : hit3_q ? new3_q : rec_ram;
  assign pop1 = v1_q && op1_q == 2'd2;
  // What waits to be freed is followed in cycles that pop nothing.
  assign walk1 = !pop1 && dirty_q != '0 && !walk2_q;

  // ---------------------------------------------------------------- stage 2: the list as it becomes
  logic            we, fwd_q, pop2, drop2, append2;
  logic [BlkW-1:0] next_ram, next, fwd_data_q, raddr, waddr, wdata, block, free_block, fresh_block;
  logic            fresh_left, free_valid, free_push;
  logic [BlkW:0]   fresh_q, dirty_left;

  assign raddr = pop1 ? rec1.head : dirty_head_q;
  weft_ram_1r1w #(.W(BlkW), .DEPTH(BLOCKS)) u_next (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(1'b1), .raddr_i(raddr), .rdata_o(next_ram)
  );
  assign next = fwd_q ? fwd_data_q : next_ram;

  assign append2 = v2_q && op2_q == 2'd1;
  assign pop2    = v2_q && op2_q == 2'd2 && rec2_q.count != '0;
  assign drop2   = v2_q && op2_q == 2'd3 && rec2_q.count != '0;

  // Blocks that were never used come from a counter, so the queue of free ones begins empty.
  assign fresh_left  = !fresh_q[BlkW];
  assign fresh_block = fresh_q[BlkW-1:0];
  assign block       = fresh_left ? fresh_block : free_block;

  always_comb begin
    new2 = rec2_q;
    if (append2) begin
      new2.count = rec2_q.count + 1'b1;
      new2.tail  = block;
      if (rec2_q.count == '0) new2.head = block;
    end
    if (pop2) begin
      new2.count = rec2_q.count - 1'b1;
      new2.head  = next;
    end
    if (drop2) new2.count = '0;
  end
  // A dropped list is hung behind what waits already.
  assign dirty_left = dirty_q - (BlkW + 1)'(walk2_q);
  assign we    = (append2 && rec2_q.count != '0) || (drop2 && dirty_left != '0);
  assign waddr = append2 ? rec2_q.tail : dirty_tail_q;
  assign wdata = append2 ? block : rec2_q.head;

  assign free_push = pop2 || walk2_q;
  weft_fifo #(.W(BlkW), .DEPTH(BLOCKS)) u_free (
    .clk_i, .rst_ni, .in_valid_i(free_push), .in_ready_o(), .in_data_i(pop2 ? rec2_q.head : dirty_head_q),
    .out_valid_o(free_valid), .out_ready_i(append2 && !fresh_left), .out_data_o(free_block), .count_o()
  );

  // An APPEND that was reserved comes to stage 2 three cycles later: by then the queue shows the block.
  logic [BlkW:0] avail_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q    <= 1'b0;
      v2_q    <= 1'b0;
      v3_q    <= 1'b0;
      walk2_q <= 1'b0;
      dirty_q <= '0;
      fresh_q <= '0;
      avail_q <= (BlkW + 1)'(BLOCKS);
    end else begin
      v1_q    <= op_valid_i;
      v2_q    <= v1_q;
      v3_q    <= v2_q;
      walk2_q <= walk1;
      dirty_q <= dirty_left + (drop2 ? rec2_q.count : '0);
      fresh_q <= fresh_q + (BlkW + 1)'(append2 && fresh_left);
      avail_q <= avail_q - res_take_i + (BlkW + 1)'(res_give_i) + (BlkW + 1)'(free_push);
    end
  end

  logic [BlkW-1:0] rsp_block_q, rsp_prev_q;
  logic [BlkW:0]   rsp_count_q;
  always_ff @(posedge clk_i) begin
    op1_q       <= op_i;
    op2_q       <= op1_q;
    list1_q     <= op_list_i;
    list2_q     <= list1_q;
    rec2_q      <= rec1;
    new3_q      <= new2;
    hit3_q      <= v2_q && list2_q == op_list_i;
    fwd_q       <= we && waddr == raddr;
    fwd_data_q  <= wdata;
    rsp_block_q <= append2 ? block : rec2_q.head;
    rsp_count_q <= rec2_q.count;
    rsp_prev_q  <= rec2_q.tail;
    if (walk2_q) dirty_head_q <= next;
    if (drop2) begin
      dirty_tail_q <= rec2_q.tail;
      if (dirty_left == '0) dirty_head_q <= rec2_q.head;
    end
  end
  assign rsp_valid_o = v3_q;
  assign rsp_block_o = rsp_block_q;
  assign rsp_count_o = rsp_count_q;
  assign rsp_first_o = new3_q.head;
  assign rsp_last_o  = new3_q.tail;
  assign rsp_prev_o  = rsp_prev_q;
  assign avail_o     = avail_q;
  assign idle_o      = !clear_q && !op_valid_i && !v1_q && !v2_q && dirty_q == '0;

`ifdef FORMAL_linked_pool
  `include "linked_pool.svh"
`endif

`ifndef SYNTHESIS
  initial begin
    if (LISTS < 2 || (LISTS & (LISTS - 1)) != 0) $fatal(1, "weft_linked_pool: LISTS");
    if (BLOCKS < 4 || (BLOCKS & (BLOCKS - 1)) != 0 || BLOCKS > 65536) $fatal(1, "weft_linked_pool: BLOCKS");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(op_valid_i && clear_q)) else $error("%m: an operation before it is cleared");
      assert (res_take_i <= avail_q) else $error("%m: more reserved than there is");
      assert (!(append2 && !fresh_left && !free_valid)) else $error("%m: a block that was promised is not there");
    end
  end
`else
  logic unused;
  assign unused = free_valid;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
