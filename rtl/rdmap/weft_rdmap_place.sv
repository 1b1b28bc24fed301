// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Placement: makes accesses of what passed the check pipe, asks for their translation, reads their payload
/// and writes it. An access takes room for its payload in the write buffer first; translation and
/// the payload's way into the buffer go on side by side, so what is translated waits for nothing but the
/// posted stream. Everything keeps its order; one result_t for each walk_t.
///
/// A translation that fails makes the slot dead here: what follows of it is let go, until an item
/// says that the slot has somebody new (`fresh`). What is let go keeps its place among the writes, so that an item that failed is over
/// when all of it was written that will be.
///
/// An invalidation (`inv`) stands behind the accesses of its item and is asked for when all before it are answered: so nothing of a slot
/// that is dead invalidates. What follows of its slot, and a second one, waits in front until then; of others INV_BEHIND
/// accesses go past, no more: their answers all fit into weft_tpt, which may have to empty its pipes before it does the operation.
///
/// An atomic is executed (weft_rdmap_atomic) in its place among the answers: all before it is written, nothing of its slot has failed; what is behind it waits as behind
/// an invalidation, for an answer of the host. So an atomic that is executed retires, and one whose stream failed is none.
module weft_rdmap_place #(
  parameter int unsigned DATA_W = 128,   ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 256,   ///< a power of two, 4 to 4096
  parameter int unsigned PLACES = 64,    ///< walk_t that may wait, a power of two: as many credits as there are
  parameter int unsigned XL_MAX = 64,    ///< translations under way, a power of two
  parameter int unsigned INV_BEHIND = 8, ///< accesses behind an invalidation that is not done: five pieces each fit into weft_tpt_pages
  parameter int unsigned WR_BEATS = 512, ///< beats of the write buffer, a power of two: the largest access twice
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned BufW = weft_rdmap_pkg::BufW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    walk_valid_i,   ///< no ready
  input  weft_rdmap_pkg::walk_t   walk_i,

  output logic                    word_re_o,      ///< 16 bytes of a receive WQE, a cycle later
  output logic [BufW+5:0]         word_addr_o,
  input  logic [127:0]            word_i,
  output logic                    bfree_o,        ///< a buffer of receive WQEs goes back
  output logic [BufW-1:0]         bfree_buf_o,

  output logic                    xl_valid_o,
  input  logic                    xl_ready_i,
  output weft_dp_pkg::tpt_req_t   xl_o,
  input  logic                    xl_valid_i,
  output logic                    xl_ready_o,
  input  weft_dp_pkg::tpt_rsp_t   xl_i,
  output logic [1:0]              xl_done_o,      ///< pulses: an access has left its epoch: written or let go; only looked up
  output logic [3:0]              xl_done_epoch_o,

  /// Operations on STags, as weft_tpt takes them.
  output logic                    op_valid_o,
  input  logic                    op_ready_i,
  output weft_dp_pkg::stag_op_t   op_o,
  input  weft_pkg::xl_err_e       op_err_i,       ///< with op_ready_i
  input  logic [15:0]             op_seq_i,

  output logic                    rd_valid_o,     ///< FPDU store
  input  logic                    rd_ready_i,
  output logic [11:0]             rd_handle_o,
  output logic [15:0]             rd_off_o,
  output logic [15:0]             rd_len_o,
  input  logic                    pay_valid_i,
  output logic                    pay_ready_o,
  input  logic [DATA_W-1:0]       pay_data_i,
  input  logic [CntW-1:0]         pay_cnt_i,
  input  logic                    pay_last_i,
  output logic                    free_valid_o,
  input  logic                    free_ready_i,
  output logic [11:0]             free_handle_o,

  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    at_rd_valid_o,  ///< DMA reads of atomics, 8 bytes each, one at a time
  input  logic                    at_rd_ready_i,
  output weft_pkg::dma_rd_req_t   at_rd_o,
  input  logic                    at_valid_i,
  output logic                    at_ready_o,
  input  logic [DATA_W-1:0]       at_data_i,
  input  logic                    at_err_i,

  output logic                    res_valid_o,    ///< no ready
  output weft_rdmap_pkg::result_t res_o,
  output logic                    placed_o,       ///< pulse: the last beat of one that waits was accepted, or let go

  output logic                    idle_o,
  output logic                    stat_xl_o,      ///< pulse: a translation was asked for
  output logic                    stat_fail_o,    ///< pulse: one failed
  output logic                    stat_beat_o     ///< pulse: a beat was accepted
);

  // ---------------------------------------------------------------- walk: accesses of an item
  typedef enum logic [2:0] {StItem, StSge, StProbe, StInv, StFree} state_e;
  state_e                state_q;
  weft_rdmap_pkg::walk_t w;
  logic                  wv, w_ready, w_room;
  logic [$clog2(PLACES):0] w_count;
  weft_fifo #(.W(weft_rdmap_pkg::WalkW), .DEPTH(PLACES)) u_walk (
    .clk_i, .rst_ni, .in_valid_i(walk_valid_i), .in_ready_o(w_room), .in_data_i(walk_i),
    .out_valid_o(wv), .out_ready_i(w_ready), .out_data_o(w), .count_o(w_count)
  );

  // An access, or an item that has none.
  typedef struct packed {
    logic [SlW-1:0] slot;
    logic           fresh;
    logic           none;
    logic           probe;
    logic           atom;
    logic           front;  // ahead of turn: it may fail
    logic           inv;    // no access, but an operation
    logic           mem;    // inv: accesses of the item came before it
    logic           end_mem;// the last access of its item
    logic           last;   // of its item
    logic [15:0]    len;
  } ax_t;
  localparam int unsigned AxW = SlW + 9 + 16;
  ax_t  ax_in, ax;
  logic emit, can, ax_room, ax_v, ax_take, tq_room, rq_room, fr_room, credit, is_mem, mem_now, inv_now, is_atom, held, acc_end;
  logic                   first_q;   // nothing of the item was emitted yet
  logic [15:0]            rem_q, rem, take, done_q;
  logic [31:0]            skip_q, skip, left;
  logic [3:0]             sge_q;
  logic                   sge_used, item_end, two_free;
  logic [3:0]             rest_q, gives, after;  // buffers to give back: those behind the first one, all, without the one that goes
  logic [63:0]            to;
  logic [31:0]            stag;
  logic [15:0]            len;

  assign rem      = state_q == StItem ? w.len : rem_q;
  assign skip     = skip_q;
  assign left     = word_i[95:64] - skip;
  assign sge_used = word_i[95:64] <= skip;              // nothing of it is left: the next one
  assign take     = left < 32'(rem_q) ? left[15:0] : rem_q;
  assign gives    = state_q == StFree ? rest_q : w.free;
  assign after    = gives & (gives - 4'd1);
  assign two_free = after != '0;

  always_comb begin
    stag = w.stag;
    to   = w.to;
    len  = w.len;
    acc_end = 1'b1;
    unique case (state_q)
      StSge: begin
        stag     = word_i[127:96];
        to       = word_i[63:0] + 64'(skip);
        len      = take;
        acc_end  = take == rem_q;
      end
      StProbe: begin
        to  = w.to + 64'(w.size) - 64'd1;
        len = 16'd1;
      end
      default: if (w.kind == weft_rdmap_pkg::WkProbe) begin
        len      = 16'd1;
        acc_end  = w.size == 32'd1;
      end
    endcase
    // Only a Send invalidates: without accesses (WkNone) in its first and only step, else in one of its own.
    inv_now  = w.inv && (state_q == StInv || w.kind == weft_rdmap_pkg::WkNone);
    item_end = acc_end && (!w.inv || inv_now);
  end

  // Room in the write buffer, in beats.
  localparam int unsigned BtW = $clog2(WR_BEATS) + 1;
  logic [BtW-1:0] avail_q, need;
  logic [16:0]    len_up;
  logic           pop;
  assign len_up = 17'(len) + 17'(Bytes - 1);
  assign need   = BtW'(len_up[16:LaneW]);
  assign is_atom = w.kind == weft_rdmap_pkg::WkAtom;
  assign is_mem = w.kind == weft_rdmap_pkg::WkTag || w.kind == weft_rdmap_pkg::WkSend || is_atom;
  assign mem_now = is_mem && !inv_now;
  assign credit = !mem_now || avail_q >= need;
  assign can    = ax_room && tq_room && rq_room && trk_room && fr_room && credit && !held;
  // An SGE word is looked at a cycle after it was read; a Send begins with that.
  assign emit   = wv && can && (state_q == StSge ? !sge_used :
                                state_q == StProbe || state_q == StInv || (state_q == StItem && w.kind != weft_rdmap_pkg::WkSend));
  assign w_ready = !two_free && (state_q == StFree || (emit && item_end));

  assign word_re_o   = wv && ((state_q == StItem && w.kind == weft_rdmap_pkg::WkSend) ||
                              (state_q == StSge && (sge_used || emit)));
  assign word_addr_o = w.wqe + (BufW + 6)'(state_q == StItem ? 4'd1 : sge_q);
  assign bfree_o     = state_q == StFree || (emit && item_end && w.free != '0);
  always_comb begin
    bfree_buf_o = w.frees[3*BufW+:BufW];
    for (int i = 2; i >= 0; i--) if (gives[i]) bfree_buf_o = w.frees[BufW*i+:BufW];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StItem;
      avail_q <= BtW'(WR_BEATS);
      first_q <= 1'b1;
    end else begin
      unique case (state_q)
        StItem: begin
          if (wv && w.kind == weft_rdmap_pkg::WkSend) state_q <= StSge;
          else if (emit && !item_end) state_q <= StProbe;
          else if (emit && two_free) state_q <= StFree;
        end
        StSge:   if (emit && acc_end) state_q <= w.inv ? StInv : two_free ? StFree : StItem;
        StProbe, StInv: if (emit) state_q <= two_free ? StFree : StItem;
        default: if (!two_free) state_q <= StItem;
      endcase
      if (emit) first_q <= item_end;
      avail_q <= avail_q - (emit && mem_now ? need : '0) + BtW'(pop);
    end
  end
  always_ff @(posedge clk_i) begin
    rest_q <= after;
    if (state_q == StItem) begin
      rem_q  <= w.len;
      done_q <= 16'(w.start);
      skip_q <= w.size;
      sge_q  <= 4'd2;
    end else if (state_q == StSge && (sge_used || emit)) begin
      sge_q  <= sge_q + 4'd1;
      skip_q <= sge_used ? left_over : '0;
      if (emit) begin
        rem_q  <= rem_q - take;
        done_q <= done_q + take;
      end
    end
  end
  logic [31:0] left_over;
  assign left_over = skip - word_i[95:64];

  assign ax_in.slot  = w.who.slot[SlW-1:0];
  assign ax_in.fresh = w.fresh && first_q;
  assign ax_in.none  = w.kind == weft_rdmap_pkg::WkNone || inv_now;
  assign ax_in.probe = w.kind == weft_rdmap_pkg::WkProbe;
  assign ax_in.atom  = is_atom;
  assign ax_in.front = w.front;
  assign ax_in.inv   = inv_now;
  assign ax_in.mem   = is_mem;
  assign ax_in.end_mem = acc_end;
  assign ax_in.last  = item_end;
  assign ax_in.len   = len;
  logic [$clog2(XL_MAX):0] ax_count;
  weft_fifo #(.W(AxW), .DEPTH(XL_MAX)) u_ax (
    .clk_i, .rst_ni, .in_valid_i(emit), .in_ready_o(ax_room), .in_data_i(ax_in),
    .out_valid_o(ax_v), .out_ready_i(ax_take), .out_data_o(ax), .count_o(ax_count)
  );

  // The invalidation or atomic that is not done: what it is of, and what may go past it.
  localparam int unsigned BehindW = $clog2(INV_BEHIND + 1);
  logic               iv_q;
  logic [BehindW-1:0] behind_q;
  weft_dp_pkg::stag_op_t iv_op_q;
  assign held = iv_q && (w.inv || is_atom || w.who.slot == iv_op_q.who.slot || behind_q == BehindW'(INV_BEHIND));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      iv_q     <= 1'b0;
      behind_q <= '0;
    end else begin
      iv_q     <= (emit && (inv_now || is_atom)) || (iv_q && !(x_done && (x_q.inv || x_q.atom)));
      behind_q <= !iv_q ? '0 : behind_q + BehindW'(emit);
    end
  end
  always_ff @(posedge clk_i) begin
    if (emit && (inv_now || is_atom)) begin
      iv_op_q      <= '0;
      iv_op_q.who  <= w.who;
      iv_op_q.op   <= weft_dp_pkg::StagRemInv;
      iv_op_q.stag <= w.stag;
      iv_op_q.pd   <= w.inv_pd;
    end
  end
  assign op_o = iv_op_q;

  // Requests to translation and to the FPDU store.
  weft_dp_pkg::tpt_req_t tq_in;
  localparam int unsigned TqW = 36 + 32 + 64 + 16 + 8 + 24 + 1 + 1 + 1 + 2;
  logic [2:0] tq_count, rq_count, lst_count;
  always_comb begin
    tq_in        = '0;
    tq_in.who    = w.who;
    tq_in.stag   = stag;
    tq_in.to     = to;
    tq_in.len    = is_atom ? 16'(weft_rdmap_pkg::AtomBytes) : len;
    tq_in.access = w.access;
    tq_in.pd     = w.pd;
    tq_in.priv   = w.priv;
  end
  weft_fifo #(.W(TqW), .DEPTH(4)) u_tq (
    .clk_i, .rst_ni, .in_valid_i(emit && w.kind != weft_rdmap_pkg::WkNone && !inv_now), .in_ready_o(tq_room), .in_data_i(tq_in),
    .out_valid_o(xl_valid_o), .out_ready_i(xl_ready_i), .out_data_o(xl_o), .count_o(tq_count)
  );
  weft_fifo #(.W(44), .DEPTH(4)) u_rd (
    .clk_i, .rst_ni, .in_valid_i(emit && mem_now), .in_ready_o(rq_room),
    .in_data_i({w.handle, state_q == StSge ? done_q : 16'(w.start), len}),
    .out_valid_o(rd_valid_o), .out_ready_i(rd_ready_i), .out_data_o({rd_handle_o, rd_off_o, rd_len_o}), .count_o(rq_count)
  );

  // ---------------------------------------------------------------- packets that are done with
  // One of those that were read goes back behind the last beat of its last answer.
  logic        trk_v, trk_last, trk_swap, f0_v, f0_r, f1_v, f1_r, f1_room, trk_room;
  logic [11:0] trk_h, f0_h, f1_h;
  logic [$clog2(XL_MAX):0] trk_count, f1_count;
  weft_fifo #(.W(14), .DEPTH(XL_MAX)) u_track (
    .clk_i, .rst_ni, .in_valid_i(emit && mem_now), .in_ready_o(trk_room), .in_data_i({w.swap, acc_end, w.handle}),
    .out_valid_o(trk_v), .out_ready_i(pay_valid_i && pay_ready_o && pay_last_i), .out_data_o({trk_swap, trk_last, trk_h}),
    .count_o(trk_count)
  );
  weft_fifo #(.W(12), .DEPTH(4)) u_free0 (
    .clk_i, .rst_ni, .in_valid_i(emit && !is_mem && item_end && w.has), .in_ready_o(fr_room), .in_data_i(w.handle),
    .out_valid_o(f0_v), .out_ready_i(f0_r), .out_data_o(f0_h), .count_o(lst_count)
  );
  weft_fifo #(.W(12), .DEPTH(XL_MAX)) u_free1 (
    .clk_i, .rst_ni, .in_valid_i(pay_valid_i && pay_ready_o && pay_last_i && trk_last), .in_ready_o(f1_room),
    .in_data_i(trk_h), .out_valid_o(f1_v), .out_ready_i(f1_r), .out_data_o(f1_h), .count_o(f1_count)
  );
  assign free_valid_o  = f0_v || f1_v;
  assign free_handle_o = f1_v ? f1_h : f0_h;
  assign f1_r          = free_ready_i;
  assign f0_r          = free_ready_i && !f1_v;

  // ---------------------------------------------------------------- payload into the write buffer
  logic              d_v, d_ready, d_room, d_last;
  logic [DATA_W-1:0] d_data;
  logic [CntW-1:0]   d_cnt;
  logic [$clog2(WR_BEATS):0] d_count;
  weft_fifo #(.W(DATA_W + CntW + 1), .DEPTH(WR_BEATS)) u_data (
    .clk_i, .rst_ni, .in_valid_i(pay_valid_i && f1_room), .in_ready_o(d_room), .in_data_i({pay_last_i, pay_cnt_i, pay_in}),
    .out_valid_o(d_v), .out_ready_i(d_ready), .out_data_o({d_last, d_cnt, d_data}), .count_o(d_count)
  );
  logic [DATA_W-1:0] pay_in;
  assign pay_in      = trk_swap ? DATA_W'(weft_rdmap_pkg::be64(pay_data_i[63:0])) : pay_data_i;
  assign pay_ready_o = d_room && f1_room;
  assign pop         = d_v && d_ready;

  // ---------------------------------------------------------------- answers of translation
  typedef struct packed {
    logic [63:0] addr;
    logic [15:0] len;
    logic        drop;
    logic        end_item;
    logic        end_acc;
    logic        atom;
    logic [1:0]  epoch;
  } hdr_t;
  localparam int unsigned HdrW = 64 + 16 + 4 + 2;
  logic           x_v_q, x_first_q, x_dead, x_dead_ram, x_fwd_q, x_fwd_d_q, x_done, x_go, piece, bad, bad_q, bad_d;
  ax_t            x_q;
  logic [15:0]    x_rem_q;
  logic [3:0]     err_q, err_d;
  logic           dead_we, dead_wd, c_room, h_room, drop, x_end;
  hdr_t           h_in, h;
  logic           c_v, c_ready, c_last, h_v, h_ready;
  logic [15:0]    c_len;
  logic [4:0]     c_count, h_count;

  assign ax_take = ax_v && (!x_v_q || x_done);
  weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_dead (
    .clk_i, .we_i(dead_we), .waddr_i(x_q.slot), .wdata_i(dead_wd),
    .re_i(ax_take), .raddr_i(ax.slot), .rdata_o(x_dead_ram)
  );
  assign x_dead = !x_q.fresh && (x_fwd_q ? x_fwd_d_q : x_dead_ram);
  // bad: an access of this item failed, or the slot was dead before it. In the first access both are told apart.
  assign bad    = (x_first_q ? 1'b0 : bad_q);
  assign x_go   = x_v_q && !x_q.none && !run_q && xl_valid_i && c_room && h_room;
  assign piece  = x_go && !x_q.probe && (!x_q.atom || x_end);
  assign x_end  = xl_i.last || xl_i.err != '0;
  // An invalidation of an item that failed, or of a slot that is dead, is none.
  assign op_valid_o = x_v_q && x_q.inv && !x_dead_item && !bad;
  assign x_done = x_v_q && (x_q.none ? !op_valid_o || op_ready_i : run_q ? at_done : x_go && x_end && !(x_q.atom && !drop));
  assign bad_d  = bad || (x_q.none ? op_valid_o && op_err_i != weft_pkg::XlOk : run_q ? at_err : xl_i.err != '0 || skew);
  assign err_d  = bad ? err_q : x_q.none ? (op_valid_o ? 4'(op_err_i) : '0) : run_q ? (at_err ? 4'(weft_pkg::XlBus) : '0)
                : xl_i.err == '0 && skew ? weft_rdmap_pkg::ErrAlign : xl_i.err;
  assign drop   = x_dead_item || bad || xl_i.err != '0 || skew;
  // An atomic is executed when it is translated, nothing before it failed, and the writes before it are accepted: its header comes behind them. RFC 7306
  // 8.2: what must be aligned is the buffer that the TO means. Of 8 bytes that are, all lie in one page.
  logic run_q, skew, skew_q;
  logic [1:0] run_epoch_q;
  assign skew = x_q.atom && (skew_q || xl_i.addr[2:0] != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q  <= 1'b0;
      skew_q <= 1'b0;
    end else begin
      run_q <= run_q ? !at_done : x_go && x_end && x_q.atom && !drop;
      if (x_go) skew_q <= skew && !x_end;
    end
  end
  always_ff @(posedge clk_i) if (x_go) run_epoch_q <= xl_i.epoch;
  // Dead as of the first access of the item.
  logic x_dead_item, x_dead_item_q;
  assign x_dead_item = x_first_q ? x_dead : x_dead_item_q;
  assign xl_ready_o  = x_v_q && !x_q.none && !run_q && c_room && h_room;
  assign dead_we     = x_done && x_q.last;
  assign dead_wd     = x_dead_item || (bad_d && !x_q.front);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_v_q     <= 1'b0;
      x_first_q <= 1'b1;
    end else begin
      x_v_q <= ax_take || (x_v_q && !x_done);
      if (x_done) x_first_q <= x_q.last;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ax_take) begin
      x_q       <= ax;
      x_rem_q   <= ax.len;
      x_fwd_q   <= dead_we && x_q.slot == ax.slot;
      x_fwd_d_q <= dead_wd;
    end else if (piece && !x_q.atom) begin
      x_rem_q <= x_rem_q - xl_i.len;
    end
    if (x_done) begin
      bad_q         <= bad_d;
      err_q         <= err_d;
      x_dead_item_q <= x_dead_item;
    end
  end

  assign h_in.addr     = xl_i.addr;
  assign h_in.len      = xl_i.err == '0 && !x_q.atom ? xl_i.len : x_rem_q;
  assign h_in.drop     = drop;
  // What is let go counts too: pieces of its item that were translated before may not be written yet, and whoever hears that the item
  // failed gives the memory to somebody else.
  assign h_in.end_item = x_end && x_q.end_mem && !x_q.atom;
  assign h_in.end_acc  = x_end;
  assign h_in.atom     = x_q.atom;
  assign h_in.epoch    = xl_i.epoch;
  weft_fifo #(.W(17), .DEPTH(16)) u_cut (
    .clk_i, .rst_ni, .in_valid_i(piece), .in_ready_o(c_room), .in_data_i({h_in.len, x_end}),
    .out_valid_o(c_v), .out_ready_i(c_ready), .out_data_o({c_len, c_last}), .count_o(c_count)
  );
  weft_fifo #(.W(HdrW), .DEPTH(16)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(piece), .in_ready_o(h_room), .in_data_i(h_in),
    .out_valid_o(h_v), .out_ready_i(h_ready), .out_data_o(h), .count_o(h_count)
  );

  assign res_valid_o = x_done && x_q.last;
  assign res_o.dead  = x_dead_item;
  assign res_o.err   = err_d;
  assign res_o.waits = x_q.inv ? x_q.mem : !x_q.none && !x_q.probe && !x_q.atom;
  assign res_o.inv   = op_valid_o;
  assign res_o.seq   = op_seq_i;
  assign res_o.old   = at_old;

  // ---------------------------------------------------------------- the writes
  logic s_v, s_ready, s_last, s_err;
  weft_stream_split #(.DATA_W(DATA_W)) u_split (
    .clk_i, .rst_ni, .cut_valid_i(c_v), .cut_ready_o(c_ready), .cut_len_i(c_len), .cut_last_i(c_last),
    .in_valid_i(d_v), .in_ready_o(d_ready), .in_data_i(d_data), .in_cnt_i(d_cnt), .in_last_i(d_last), .in_err_i(1'b0),
    .out_valid_o(s_v), .out_ready_i(s_ready), .out_data_o(s_data), .out_cnt_o(s_cnt), .out_last_o(s_last), .out_err_o(s_err)
  );
  // While an atomic is executed nobody else has a piece here: what follows is not translated yet.
  logic                  at_wr_v, at_req_r, at_done, at_err, at_idle;
  logic [DATA_W-1:0]     at_wr_data, s_data;
  logic [CntW-1:0]       at_wr_cnt, s_cnt;
  logic [63:0]           at_old;
  weft_pkg::dma_wr_hdr_t at_wr_hdr;
  weft_rdmap_atomic #(.DATA_W(DATA_W)) u_atomic (
    .clk_i, .rst_ni, .req_valid_i(s_v && h_v && h.atom && !h.drop), .req_ready_o(at_req_r), .req_data_i(s_data), .req_last_i(s_last),
    .req_addr_i(h.addr), .rd_valid_o(at_rd_valid_o), .rd_ready_i(at_rd_ready_i), .rd_o(at_rd_o), .rd_valid_i(at_valid_i), .rd_ready_o(at_ready_o),
    .rd_data_i(at_data_i), .rd_err_i(at_err_i), .wr_valid_o(at_wr_v), .wr_ready_i, .wr_hdr_o(at_wr_hdr), .wr_data_o(at_wr_data), .wr_cnt_o(at_wr_cnt),
    .done_o(at_done), .err_o(at_err), .old_o(at_old), .idle_o(at_idle)
  );
  assign wr_valid_o = at_wr_v || (s_v && h_v && !h.drop && !h.atom);
  assign s_ready    = h_v && (h.drop || (h.atom ? at_req_r : wr_ready_i && !at_wr_v));
  assign wr_last_o  = at_wr_v || s_last;
  assign wr_hdr_o   = at_wr_v ? at_wr_hdr : {h.len, h.addr};
  assign wr_data_o  = at_wr_v ? at_wr_data : s_data;
  assign wr_cnt_o   = at_wr_v ? at_wr_cnt : s_cnt;
  assign h_ready    = s_v && s_ready && s_last;
  assign placed_o   = h_ready && h.end_item;
  // An atomic leaves its epoch when it is executed.
  assign xl_done_o  = {x_go && x_q.probe && x_end, at_done || (h_ready && h.end_acc && !(h.atom && !h.drop))};
  assign xl_done_epoch_o = {xl_i.epoch, at_done ? run_epoch_q : h.epoch};

  assign idle_o      = !walk_valid_i && !wv && !ax_v && !x_v_q && !h_v && at_idle && !free_valid_o && d_count == '0;
  assign stat_xl_o   = xl_valid_o && xl_ready_i;
  assign stat_fail_o = x_go && xl_i.err != '0;
  assign stat_beat_o = wr_valid_o && wr_ready_i;

`ifndef SYNTHESIS
  initial begin
    if (WR_BEATS * Bytes < 16384) $fatal(1, "weft_rdmap_place: WR_BEATS");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(at_wr_v && h_v)) else $error("%m: a piece beside an atomic");
      assert (!(walk_valid_i && !w_room)) else $error("%m: more items than credits");
      assert (!(s_v && h_v && s_last && s_err)) else $error("%m: pieces do not fit the payload");
      assert (!(pay_valid_i && f1_room && !d_room)) else $error("%m: payload without room");
      assert (!(xl_valid_i && xl_ready_o && !x_q.probe && xl_i.err == '0 && xl_i.len > x_rem_q)) else $error("%m: a piece too long");
    end
  end
`endif
  logic unused;
  assign unused = ^{rem, w_room, w_count, ax_count, tq_count, rq_count, lst_count, trk_v, trk_room, trk_count, f1_count, c_count,
                    h_count, s_err, w, len_up, x_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
