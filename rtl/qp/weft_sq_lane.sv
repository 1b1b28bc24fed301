// SPDX-License-Identifier: BSD-2-Clause

/// The QPs whose turn it is: a lane each. A lane has up to four buffers of WQEs, in the order of the ring; reads
/// for the last ones are under way while the first one is being built, a batch at a time. A batch that comes
/// back blocked ends the lane: its buffers are given back, those still being read when they come. A lane also
/// ends when nothing is posted any more, or (yield_i) when its buffers are used up and others wait.
/// One event a cycle; an event of a lane sees what the one before it left.
// lint: -GN_SLOT=256 -GN_LANE=16
module weft_sq_lane #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LANE = 16,   ///< power of two, 2 to 128; also the number of buffers
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LnW = $clog2(N_LANE)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 ready_o,

  input  logic                 start_valid_i, ///< a QP that is home, with a pin
  output logic                 start_ready_o,
  input  weft_dp_pkg::who_t    start_i,
  output logic                 view_re_o,     ///< what build says of the slot, a cycle later
  output logic [SlW-1:0]       view_slot_o,
  input  weft_sq_pkg::bview_t  view_i,

  // fetch: which lane wants WQEs, and what became of it
  output logic                 f_valid_o,
  input  logic                 f_ready_i,
  output logic [LnW-1:0]       f_lane_o,
  output weft_dp_pkg::who_t    f_who_o,
  output logic [15:0]          f_index_o,
  output logic                 f_no_o,        ///< none now
  output logic                 f_yield_o,     ///< because others wait
  output logic                 f_more_o,      ///< a third and a fourth buffer would be in place
  output logic                 f_few_o,       ///< a read is under way: none for less than a buffer
  output logic                 f_none_o,      ///< it has no buffer: a pushed WQE may come in front
  input  logic                 got_valid_i,
  output logic                 got_ready_o,
  input  logic [LnW-1:0]       got_lane_i,
  input  logic [4:0]           got_n_i,       ///< WQEs asked for; 0: none
  input  logic                 got_retry_i,   ///< n 0: there was no buffer
  input  logic                 got_yield_i,   ///< n 0: because of f_yield_o
  input  logic [LnW-1:0]       got_buf_i,
  input  logic                 yield_i,

  input  logic                 filled_valid_i, ///< the oldest read of a lane is in its buffer
  output logic                 filled_ready_o,
  input  logic [LnW-1:0]       filled_lane_i,

  // feed: which lane has WQEs
  output logic                 e_valid_o,
  input  logic                 e_ready_i,     ///< taken
  output logic [LnW-1:0]       e_lane_o,
  output logic [SlW-1:0]       e_slot_o,
  output logic [LnW-1:0]       e_buf_o,
  output logic [4:0]           e_n_o,
  output logic [4:0]           e_pos_o,
  output logic [15:0]          e_index_o,     ///< index of the WQE at pos

  input  logic                 done_valid_i,  ///< a batch is through
  output logic                 done_ready_o,
  input  logic [LnW-1:0]       done_lane_i,
  input  logic [15:0]          done_cur_i,
  input  logic                 done_blk_i,

  output logic                 free_valid_o,  ///< a buffer is given back
  output logic [LnW-1:0]       free_buf_o,

  output logic [1:0]           give_o,        ///< a lane is free, a start came to nothing
  output logic                 drop_o,        ///< its pin is dropped
  output logic [SlW-1:0]       drop_slot_o,
  input  logic                 closed_i,      ///< no start but of who is in the middle of a message
  output logic                 later_valid_o, ///< this QP shall come again
  input  logic                 later_ready_i,
  output logic [23:0]          later_qpn_o,
  output logic                 wake_valid_o,  ///< this QP has more to do
  input  logic                 wake_ready_i,
  output logic [23:0]          wake_qpn_o,
  output logic                 err_valid_o,   ///< a doorbell of a QP in state ERR
  input  logic                 err_ready_i,
  output logic [SlW-1:0]       err_slot_o,

  output logic                 idle_o
);

  typedef struct packed {
    logic [LnW-1:0] no;
    logic [4:0]     n;
  } buf_t;
  typedef struct packed {
    logic [23:0] qpn;
    logic [11:0] slot;
    logic [15:0] fetch;   // next WQE to ask for
    logic [15:0] feed;    // WQE at pos
    logic [4:0]  pos;     // in the first buffer
    logic [2:0]  n_buf;   // buffers, and those of them that are filled
    logic [2:0]  n_full;
    logic        batch;   // one is under way, or waits for feed
    logic        fq;      // waits for fetch, or is there
    logic        drain;
    logic        again;
    logic        fed;     // asked for something
    logic [4*(LnW+5)-1:0] b;
  } lane_t;
  localparam int unsigned BW = LnW + 5;

  // ---------------------------------------------------------------- sweep: slots without a lane, free lanes
  logic           sweep_q;
  logic [SlW-1:0] at_q;
  logic [LnW:0]   fresh_q;
  logic           fl_v, fl_r, fl_in_v, fl_in_r;
  logic [LnW-1:0] fl, lane_new;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q <= 1'b1;
      at_q    <= '0;
      fresh_q <= '0;
    end else begin
      if (sweep_q) begin
        sweep_q <= at_q != '1;
        at_q    <= at_q + SlW'(1);
      end
      if (fl_r && !fresh_q[LnW]) fresh_q <= fresh_q + (LnW + 1)'(1);
    end
  end
  assign ready_o  = !sweep_q;
  assign lane_new = !fresh_q[LnW] ? fresh_q[LnW-1:0] : fl;
  logic [LnW:0] fl_n;
  weft_fifo #(.W(LnW), .DEPTH(N_LANE)) u_free (
    .clk_i, .rst_ni, .in_valid_i(fl_in_v), .in_ready_o(fl_in_r), .in_data_i(ev_lane_q),
    .out_valid_o(fl_v), .out_ready_i(fl_r && fresh_q[LnW]), .out_data_o(fl), .count_o(fl_n)
  );

  // ---------------------------------------------------------------- events
  typedef enum logic [2:0] {EvStart, EvKick, EvGot, EvFilled, EvDone, EvClean, EvNone} ev_e;
  ev_e            ev_d, ev_q;
  logic [LnW-1:0] ev_lane_d, ev_lane_q;
  logic           ev_v_q;
  logic [15:0]    cur_q;
  logic           blk_q, retry_q, gyield_q;
  logic [4:0]     n_q;
  logic [LnW-1:0] buf_q;
  weft_dp_pkg::who_t who_q;

  // A start looks at the slot first: has it a lane, does build want it.
  logic           st1_q, st_pick, st_can, st_go, st_kick, st_no, st_err, ends, ends_q;
  logic [LnW:0]   act;
  logic           clean_v, clean_r;
  logic [LnW-1:0] clean_lane;
  assign view_re_o   = start_valid_i;
  assign view_slot_o = start_i.slot[SlW-1:0];
  assign st_kick = act[LnW];
  assign st_err  = !act[LnW] && view_i.state == weft_abi_pkg::QP_STATE_ERR;
  // In HALT a message that was begun goes on.
  assign st_can  = !act[LnW] && (view_i.state == weft_abi_pkg::QP_STATE_RTS || (view_i.state == weft_abi_pkg::QP_STATE_HALT && view_i.mid))
                   && !view_i.swait && !view_i.stopped;
  assign st_go   = st_can && (view_i.mid || !closed_i);
  assign st_no   = !st_kick && !st_go;
  assign st_pick = st1_q && !ends && !ends_q && !done_valid_i && !filled_valid_i && !got_valid_i && !clean_v
                   && (!st_err || err_ready_i) && drop_room;
  assign start_ready_o = st_pick;
  assign err_valid_o   = st1_q && !ends && !ends_q && !done_valid_i && !filled_valid_i && !got_valid_i && !clean_v && st_err && drop_room;
  assign err_slot_o    = start_i.slot[SlW-1:0];
  assign fl_r          = st_pick && st_go;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      st1_q  <= 1'b0;
      ends_q <= 1'b0;
    end else begin
      // Behind one that was picked the slot's lane is looked at again only when it is written.
      st1_q  <= start_valid_i && !st_pick && !(ev_v_q && ev_q == EvStart) && ready_o;
      ends_q <= ends;
    end
  end

  always_comb begin
    ev_d         = EvNone;
    ev_lane_d    = done_lane_i;
    done_ready_o = 1'b0;
    filled_ready_o = 1'b0;
    got_ready_o  = 1'b0;
    clean_r      = 1'b0;
    if (done_valid_i) begin
      ev_d         = EvDone;
      done_ready_o = 1'b1;
    end else if (filled_valid_i) begin
      ev_d           = EvFilled;
      ev_lane_d      = filled_lane_i;
      filled_ready_o = 1'b1;
    end else if (got_valid_i) begin
      ev_d        = EvGot;
      ev_lane_d   = got_lane_i;
      got_ready_o = 1'b1;
    end else if (clean_v) begin
      ev_d      = EvClean;
      ev_lane_d = clean_lane;
      clean_r   = 1'b1;
    end else if (st_pick) begin
      ev_d      = st_go ? EvStart : st_kick ? EvKick : EvNone;
      ev_lane_d = st_go ? lane_new : act[LnW-1:0];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ev_v_q <= 1'b0;
    else ev_v_q <= ev_d != EvNone;
  end
  always_ff @(posedge clk_i) begin
    ev_q      <= ev_d;
    ev_lane_q <= ev_lane_d;
    cur_q     <= done_valid_i ? done_cur_i : view_i.cur;
    blk_q     <= done_blk_i;
    retry_q   <= got_retry_i;
    gyield_q  <= got_yield_i;
    n_q       <= got_n_i;
    buf_q     <= got_buf_i;
    who_q     <= start_i;
  end

  // ---------------------------------------------------------------- the lane as it becomes
  lane_t mem [N_LANE];
  lane_t o, n;
  logic  push_feed, push_fetch, free;
  buf_t  b0;
  assign o  = mem[ev_lane_q];
  assign b0 = o.b[BW-1:0];
  logic [4:0] pos_d;
  assign pos_d = o.pos + 5'(cur_q - o.feed);

  always_comb begin
    n          = o;
    push_feed  = 1'b0;
    push_fetch = 1'b0;
    free       = 1'b0;
    if (ev_v_q) begin
      unique case (ev_q)
        EvStart: begin
          n       = '0;
          n.qpn   = who_q.qpn;
          n.slot  = who_q.slot;
          n.fetch = cur_q;
          n.feed  = cur_q;
          n.fq    = 1'b1;
          push_fetch = 1'b1;
        end
        EvKick: begin
          // One that is being asked about may have read the old index; a batch under way may come back blocked by
          // what is over already.
          n.again = o.again || o.drain || o.fq || o.batch;
          if (!o.drain && !o.fq) begin
            push_fetch = 1'b1;
            n.fq       = 1'b1;
          end
        end
        EvGot: begin
          n.fq = 1'b0;
          if (n_q != '0) begin
            for (int unsigned i = 0; i < 4; i++) if (o.n_buf == 3'(i)) n.b[i*BW+:BW] = {buf_q, n_q};
            n.n_buf = o.n_buf + 3'd1;
            n.fetch = o.fetch + 16'(n_q);
            n.fed   = 1'b1;
            n.fq    = !o.drain;
            push_fetch = !o.drain;
          end else if (retry_q && o.n_buf == '0 && !o.drain) begin
            n.fq       = 1'b1;
            push_fetch = 1'b1;
          end else if (gyield_q) begin
            n.again = 1'b1;
          end
        end
        EvFilled: begin
          if (o.drain) begin
            free = 1'b1;
          end else begin
            n.n_full  = o.n_full + 3'd1;
            n.batch   = 1'b1;
            push_feed = !o.batch;
          end
        end
        EvDone: begin
          n.feed = cur_q;
          n.pos  = pos_d;
          if (blk_q) begin
            n.drain   = 1'b1;
            n.batch   = 1'b0;
            n.n_full  = o.n_full - 3'd1;
            free      = 1'b1;
            push_feed = o.n_full > 3'd1;
          end else begin
            if (pos_d == b0.n) begin
              n.pos      = '0;
              n.n_full   = o.n_full - 3'd1;
              free       = 1'b1;
              n.fq       = 1'b1;
              push_fetch = !o.fq;
            end
            n.batch   = n.n_full != '0;
            push_feed = n.n_full != '0;
          end
        end
        EvClean: begin
          n.n_full  = o.n_full - 3'd1;
          free      = 1'b1;
          push_feed = o.n_full > 3'd1;
        end
        default: ;
      endcase
      if (free) begin
        n.b     = {BW'(0), o.b[4*BW-1:BW]};
        n.n_buf = o.n_buf - 3'd1;
      end
    end
  end
  assign ends         = ev_v_q && n.n_buf == '0 && !n.batch && !n.fq;
  assign free_valid_o = ev_v_q && free;
  assign free_buf_o   = b0.no;
  always_ff @(posedge clk_i) if (ev_v_q) mem[ev_lane_q] <= n;

  // Which slot has which lane.
  logic act_we;
  assign act_we = sweep_q || ends || (ev_v_q && ev_q == EvStart);
  weft_ram_1r1w #(.W(LnW + 1), .DEPTH(N_SLOT)) u_act (
    .clk_i, .we_i(act_we), .waddr_i(sweep_q ? at_q : n.slot[SlW-1:0]), .wdata_i({!sweep_q && !ends, ev_lane_q}),
    .re_i(start_valid_i), .raddr_i(start_i.slot[SlW-1:0]), .rdata_o(act)
  );

  // ---------------------------------------------------------------- queues: a lane is in each once at most
  logic           fq_in_r, eq_in_r, e_v;
  logic [LnW:0]   fq_n, eq_n;
  logic [LnW-1:0] e_lane;
  lane_t          fl_rec, fe_rec;
  buf_t           fe_b;
  weft_fifo #(.W(LnW), .DEPTH(N_LANE)) u_fetch (
    .clk_i, .rst_ni, .in_valid_i(push_fetch), .in_ready_o(fq_in_r), .in_data_i(ev_lane_q),
    .out_valid_o(f_valid_o), .out_ready_i(f_ready_i), .out_data_o(f_lane_o), .count_o(fq_n)
  );
  assign fl_rec    = mem[f_lane_o];
  assign f_who_o   = {fl_rec.qpn, fl_rec.slot};
  assign f_index_o = fl_rec.fetch;
  assign f_yield_o = yield_i && fl_rec.fed;
  assign f_no_o    = fl_rec.drain || fl_rec.n_buf == 3'd4 || f_yield_o;
  assign f_more_o  = fl_rec.n_buf >= 3'd2;
  assign f_none_o  = fl_rec.n_buf == '0;
  assign f_few_o   = fl_rec.n_buf != fl_rec.n_full;

  weft_fifo #(.W(LnW), .DEPTH(N_LANE)) u_feed (
    .clk_i, .rst_ni, .in_valid_i(push_feed), .in_ready_o(eq_in_r), .in_data_i(ev_lane_q),
    .out_valid_o(e_v), .out_ready_i(e_valid_o ? e_ready_i : clean_r), .out_data_o(e_lane), .count_o(eq_n)
  );
  assign fe_rec     = mem[e_lane];
  assign fe_b       = fe_rec.b[BW-1:0];
  assign e_valid_o  = e_v && !fe_rec.drain;
  assign clean_v    = e_v && fe_rec.drain && !ev_v_q;
  assign clean_lane = e_lane;
  assign e_lane_o   = e_lane;
  assign e_slot_o   = fe_rec.slot[SlW-1:0];
  assign e_buf_o    = fe_b.no;
  assign e_n_o      = fe_b.n;
  assign e_pos_o    = fe_rec.pos;
  assign e_index_o  = fe_rec.feed;

  // ---------------------------------------------------------------- ends
  // Pins of starts that came to nothing wait for a cycle in which no lane ends.
  logic           rej_v, rej_r, rej_in_r, wk_in_r, drop_room;
  logic [SlW-1:0] rej;
  logic [3:0]     rej_n;
  logic [LnW:0]   wk_n;
  assign drop_room = rej_n < 4'd7;
  assign fl_in_v   = ends;
  logic           rej_again;
  weft_fifo #(.W(SlW + 25), .DEPTH(8)) u_rej (
    .clk_i, .rst_ni, .in_valid_i(st_pick && !st_go), .in_ready_o(rej_in_r),
    .in_data_i({st_can, start_i.qpn, start_i.slot[SlW-1:0]}),
    .out_valid_o(rej_v), .out_ready_i(rej_r), .out_data_o({rej_again, later_qpn_o, rej}), .count_o(rej_n)
  );
  assign rej_r         = !ends && (!rej_again || later_ready_i);
  assign later_valid_o = rej_v && rej_again && !ends;
  assign drop_o        = ends || (rej_v && rej_r);
  assign drop_slot_o = ends ? n.slot[SlW-1:0] : rej;
  assign give_o      = {st_pick && !st_go, ends};
  weft_fifo #(.W(24), .DEPTH(N_LANE)) u_wake (
    .clk_i, .rst_ni, .in_valid_i(ends && n.again), .in_ready_o(wk_in_r), .in_data_i(n.qpn),
    .out_valid_o(wake_valid_o), .out_ready_i(wake_ready_i), .out_data_o(wake_qpn_o), .count_o(wk_n)
  );
  assign idle_o = ready_o && !start_valid_i && !ev_v_q && !rej_v && !wake_valid_o && fresh_q - (LnW + 1)'(fl_n) == '0;

`ifndef SYNTHESIS
  initial if (N_LANE < 2 || N_LANE > 128 || (N_LANE & (N_LANE - 1)) != 0) $fatal(1, "weft_sq_lane: N_LANE");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(push_fetch && !fq_in_r) && !(push_feed && !eq_in_r) && !(ends && !fl_in_r)) else $error("%m: a lane is lost");
      assert (!(fl_r && fresh_q[LnW] && !fl_v)) else $error("%m: a start without a lane");
      assert (!(ends && n.again && !wk_in_r)) else $error("%m: a QP is lost");
      assert (!(free && o.n_buf == '0)) else $error("%m: a buffer too many is freed");
      if (ev_v_q && ev_q == EvDone) assert (o.batch && o.n_full != '0 && pos_d <= b0.n) else $error("%m: batch");
    end
  end
`endif
  logic unused;
  assign unused = ^{view_i, fl_rec, fe_rec, fq_in_r, eq_in_r, fl_in_r, wk_in_r, rej_in_r, fq_n, eq_n, wk_n, st_no, fl_v};

endmodule
