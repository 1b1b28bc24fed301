// SPDX-License-Identifier: BSD-2-Clause

/// Inbound reads: a list of entries for each slot, from one pool. An entry stays until its response is acknowledged, so that
/// it can be sent again. Slots with responses to describe take turns; a turn is a batch of up to 16 items
/// of one response. A slot that has entries holds a pin; the one that comes with `rx` goes.
/// rdmap is told of each entry twice: its response was described (`sent`), it is acknowledged or flushed (`acked`). What finds no place in
/// the queue adds up in the list of its slot, which waits in a set. Each word takes a pin, which goes over with it.
/// rdmap bounds what a connection may have here (IRD + 16) and knows from `free_o` when to refuse.
/// Not yet: atomic results; such an entry is dropped and counted.
module weft_sq_resp #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_RD = 256,    ///< entries, power of two, 16 to 4,096
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned RdW = $clog2(N_RD)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   ready_o,

  input  logic                   rx_valid_i,
  output logic                   rx_ready_o,
  input  weft_dp_pkg::rx_read_t  rx_i,
  output logic [RdW:0]           free_o,        ///< entries that nobody has
  input  logic                   clear_valid_i, ///< load: numbers of this slot begin at 0
  output logic                   clear_ready_o,
  input  logic [SlW-1:0]         clear_slot_i,
  input  logic [23:0]            clear_qpn_i,
  input  logic                   done_i,        ///< pulse: the oldest one is acknowledged, or flushed
  input  logic                   purge_i,       ///< with done_i: the connection is flushed, all are
  input  logic                   whole_i,       ///< with done_i: it was described to its end; its token may still be on its way
  input  logic [SlW-1:0]         done_slot_i,
  output logic                   room_o,        ///< for eight more of these
  input  logic                   tok_i,         ///< pulse: a batch is through
  input  logic [SlW-1:0]         tok_slot_i,
  input  logic [15:0]            tok_cur_i,
  input  logic                   tok_blk_i,
  input  logic                   wake_i,        ///< pulse: a slot that had to wait may go on
  input  logic [SlW-1:0]         wake_slot_i,

  input  logic                   go_i,
  output logic                   in_valid_o,    ///< items
  input  logic                   in_ready_i,
  output logic [SlW-1:0]         in_slot_o,
  output weft_sq_pkg::item_t     in_o,
  output logic                   lock_o,

  output logic                   irq_valid_o,   ///< to rdmap, with a pin
  input  logic                   irq_ready_i,
  output weft_dp_pkg::who_t      irq_o,
  output logic [3:0]             irq_sent_o,    ///< responses described
  output logic [3:0]             irq_acked_o,   ///< entries given back

  input  logic                   rd_re_i,       ///< entries for emit and for the replay
  input  logic [RdW-1:0]         rd_addr_i,
  output logic [223:0]           rd_o,
  input  logic                   ask_re_i,      ///< is a batch of this slot under way
  input  logic [SlW-1:0]         ask_slot_i,
  output logic                   ask_o,
  output logic                   drop_o,
  output logic [SlW-1:0]         drop_slot_o,
  output logic [3:0]             drop_n_o,
  output logic                   idle_o,
  output logic                   stat_drop_o
);

  typedef struct packed {
    logic [RdW-1:0] head;
    logic [RdW-1:0] cur;
    logic [RdW-1:0] tail;
    logic [7:0]     n_all;
    logic [7:0]     n_new;
    logic [15:0]    num;
    logic           busy;   // a batch is under way
    logic           again;
    logic [7:0]     sent;   // not told yet
    logic [7:0]     acked;
  } list_t;
  localparam int unsigned ListW = 3 * RdW + 50;

  // ---------------------------------------------------------------- questions wait in queues
  logic           done_v, done_r, tok_v, tok_r, set_ready, set_v, set_r, set_idle, en;
  logic [SlW-1:0] done_slot, tok_slot, set_slot, en_slot;
  logic [15:0]    tok_cur;
  logic           tok_blk, purge, whole;
  logic [1:0]     full;
  logic [5:0]     dn;
  logic [4:0]     tn;
  weft_fifo #(.W(SlW + 2), .DEPTH(32)) u_done (
    .clk_i, .rst_ni, .in_valid_i(done_i), .in_ready_o(full[0]), .in_data_i({whole_i, purge_i, done_slot_i}),
    .out_valid_o(done_v), .out_ready_i(done_r), .out_data_o({whole, purge, done_slot}), .count_o(dn)
  );
  assign room_o = dn < 6'd20;
  weft_fifo #(.W(SlW + 17), .DEPTH(16)) u_tok (
    .clk_i, .rst_ni, .in_valid_i(tok_i), .in_ready_o(full[1]), .in_data_i({tok_slot_i, tok_cur_i, tok_blk_i}),
    .out_valid_o(tok_v), .out_ready_i(tok_r), .out_data_o({tok_slot, tok_cur, tok_blk}), .count_o(tn)
  );
  logic ins_v, ins_r;
  weft_sq_set #(.N(N_SLOT), .K(1)) u_set (
    .clk_i, .rst_ni, .ready_o(set_ready), .ins_valid_i(wake_i && set_ready), .ins_id_i(wake_slot_i), .req_valid_i(ins_v), .req_ready_o(ins_r),
    .req_id_i(slot_q), .enter_o(en), .enter_id_o(en_slot), .out_valid_o(set_v), .out_ready_i(set_r), .out_id_o(set_slot),
    .idle_o(set_idle)
  );

  // ---------------------------------------------------------------- one at a time
  typedef enum logic [2:0] {StIdle, StList, StNext, StSet} state_e;
  typedef enum logic [2:0] {OpDone, OpTok, OpClear, OpRx, OpFeed, OpTell} op_e;
  state_e         state_q;
  op_e            op_q, op_d;
  logic [SlW-1:0] slot_q, slot_d;
  logic           any, sweep_q, feeding_q, we;
  logic [SlW-1:0] at_q;
  list_t          l, n, ask_l;
  logic [RdW-1:0] next, next_a;
  logic [RdW:0]   fresh_q, fr_n;
  logic           fr_v, fr_in_v, fr_in_r, alloc, have;
  logic [RdW-1:0] fr, blk;
  logic           ins_d, tok_new, feed_go, tell_v, tell_ready, irq_room, new_sent, new_acked, news, tell, had;
  logic [SlW-1:0] tell_slot;
  logic [7:0]     n_sent, n_acked;
  logic [3:0]     t_sent, t_acked, pins;
  logic [31:0]    ent_len;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q <= 1'b1;
      at_q    <= '0;
    end else if (sweep_q) begin
      sweep_q <= at_q != '1;
      at_q    <= at_q + SlW'(1);
    end
  end
  assign ready_o = !sweep_q && set_ready && tell_ready;

  assign have = !fresh_q[RdW] || fr_v;
  assign blk  = !fresh_q[RdW] ? fresh_q[RdW-1:0] : fr;
  assign free_o = (RdW + 1)'(N_RD) - fresh_q + fr_n;
  weft_fifo #(.W(RdW), .DEPTH(N_RD)) u_free (
    .clk_i, .rst_ni, .in_valid_i(fr_in_v), .in_ready_o(fr_in_r), .in_data_i(l.head),
    .out_valid_o(fr_v), .out_ready_i(alloc && fresh_q[RdW]), .out_data_o(fr), .count_o(fr_n)
  );

  always_comb begin
    any    = 1'b1;
    op_d   = OpDone;
    slot_d = done_slot;
    if (tok_v) begin
      op_d   = OpTok;
      slot_d = tok_slot;
    end else if (done_v) begin
    end else if (clear_valid_i) begin
      op_d   = OpClear;
      slot_d = clear_slot_i;
    end else if (tell_v && irq_room) begin
      op_d   = OpTell;
      slot_d = tell_slot;
    end else if (set_v && !feeding_q) begin
      op_d   = OpFeed;
      slot_d = set_slot;
    end else if (rx_valid_i && have) begin
      op_d   = OpRx;
      slot_d = rx_i.who.slot[SlW-1:0];
    end else begin
      any = 1'b0;
    end
    // A member is taken out by what looks at it.
    if (!ready_o) any = 1'b0;
  end
  assign done_r        = state_q == StSet && op_q == OpDone && (!purge || l.n_all <= 8'd1);
  assign tok_r         = we && op_q == OpTok;
  assign clear_ready_o = state_q == StSet && op_q == OpClear;
  assign rx_ready_o    = we && op_q == OpRx;
  assign set_r         = state_q == StSet && op_q == OpFeed;

  // StList: the list is there, its head or its current entry is looked at. StNext: so is the entry behind it. StSet: write.
  assign next_a = op_q == OpDone ? l.head : l.cur;
  logic [RdW-1:0] next_q;
  assign we = state_q == StSet && (!ins_d || ins_r);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      fresh_q <= '0;
    end else begin
      unique case (state_q)
        StIdle:  if (any) state_q <= StList;
        StList:  state_q <= StNext;
        StNext:  state_q <= StSet;
        default: if (we) state_q <= StIdle;
      endcase
      if (alloc && !fresh_q[RdW]) fresh_q <= fresh_q + (RdW + 1)'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      op_q   <= op_d;
      slot_q <= slot_d;
    end
    next_q <= next;
  end

  logic atomic;
  assign atomic  = rx_i.atomic;
  assign tok_new = tok_cur != l.num;
  always_comb begin
    n           = l;
    ins_d       = 1'b0;
    fr_in_v     = 1'b0;
    alloc       = 1'b0;
    feed_go     = 1'b0;
    new_sent    = 1'b0;
    new_acked   = 1'b0;
    pins        = '0;
    stat_drop_o = 1'b0;
    news        = 1'b0;
    tell        = 1'b0;
    n_sent      = '0;
    n_acked     = '0;
    t_sent      = '0;
    t_acked     = '0;
    if (state_q == StSet) begin
      unique case (op_q)
        OpDone: if (!purge || l.n_all != '0) begin
          fr_in_v = 1'b1;
          n.head  = next_q;
          n.n_all = l.n_all - 8'd1;
          // One that is flushed before it was described, or whose ACK is here before the token of its batch.
          if (l.n_new == l.n_all) begin
            n.n_new = l.n_new - 8'd1;
            n.cur   = next_q;
            if (whole) n.num = l.num + 16'd1;
            new_sent = 1'b1;
          end
          new_acked = 1'b1;
          if (l.n_all == 8'd1) pins = 4'd1;
        end
        OpTok: begin
          n.busy  = 1'b0;
          n.again = 1'b0;
          if (tok_new) begin
            n.cur   = next_q;
            n.n_new = l.n_new - 8'd1;
            n.num   = tok_cur;
            new_sent = 1'b1;
          end
          ins_d = (n.n_new != '0 && !tok_blk) || l.again;
        end
        OpClear: n = '0;
        OpRx: begin
          if (atomic) begin
            stat_drop_o = 1'b1;
            new_sent    = 1'b1;
            new_acked   = 1'b1;
            pins        = 4'd1;
          end else begin
            if (l.n_all == '0) n.head = blk;
            if (l.n_new == '0) n.cur = blk;
            n.tail  = blk;
            n.n_all = l.n_all + 8'd1;
            n.n_new = l.n_new + 8'd1;
            ins_d   = 1'b1;
            alloc   = ins_r;
            if (l.n_all != '0) pins = 4'd1;
          end
        end
        OpTell: ;
        default: begin
          if (l.busy) n.again = 1'b1;
          else if (l.n_new != '0) begin
            n.busy  = 1'b1;
            feed_go = 1'b1;
          end
        end
      endcase
      if (op_q == OpTell) begin
        n    = l;
        news = l.sent != '0 || l.acked != '0;
      end
      // Told at once if there is a place and little to say, else it adds up.
      n_sent  = l.sent + 8'(new_sent);
      n_acked = l.acked + 8'(new_acked);
      n.sent  = n_sent;
      n.acked = n_acked;
      t_sent  = n_sent > 8'd15 ? 4'd15 : n_sent[3:0];
      t_acked = n_acked > 8'd15 ? 4'd15 : n_acked[3:0];
      news    = news || new_sent || new_acked;
      if (news && irq_room) begin
        tell    = 1'b1;
        n.sent  = n_sent - 8'(t_sent);
        n.acked = n_acked - 8'(t_acked);
      end
      // The slot's pin for what waits, and that of the word which goes out.
      pins = pins - 4'(tell) + 4'(had) - 4'(n.sent != '0 || n.acked != '0);
      if (op_q == OpClear) begin
        n    = '0;
        tell = 1'b0;
        pins = '0;
      end
    end
  end
  assign had      = l.sent != '0 || l.acked != '0;
  assign drop_n_o = we ? pins : '0;
  assign ins_v       = state_q == StSet && ins_d;

  // ---------------------------------------------------------------- to rdmap
  logic [2:0]  irq_n;
  logic        irq_in_r, tell_idle, tell_enter, tell_merge;
  logic [SlW:0] tell_n;
  logic [23:0] qpn;
  weft_dp_pkg::who_t told;
  assign irq_room = irq_n < 3'd4;
  assign told     = {qpn, 12'(slot_q)};
  weft_ram_1r1w #(.W(24), .DEPTH(N_SLOT)) u_qpn (
    .clk_i, .we_i(clear_ready_o), .waddr_i(slot_q), .wdata_i(clear_qpn_i), .re_i(state_q == StIdle), .raddr_i(slot_d), .rdata_o(qpn)
  );
  weft_fifo #(.W(44), .DEPTH(4)) u_irq (
    .clk_i, .rst_ni, .in_valid_i(we && tell), .in_ready_o(irq_in_r), .in_data_i({told, t_sent, t_acked}),
    .out_valid_o(irq_valid_o), .out_ready_i(irq_ready_i), .out_data_o({irq_o, irq_sent_o, irq_acked_o}), .count_o(irq_n)
  );
  weft_ready_fifo #(.N(N_SLOT)) u_tell (
    .clk_i, .rst_ni, .ready_o(tell_ready), .ins_valid_i(we && (n.sent != '0 || n.acked != '0)), .ins_id_i(slot_q),
    .out_valid_o(tell_v), .out_ready_i(state_q == StList && op_q == OpTell), .out_id_o(tell_slot), .count_o(tell_n), .idle_o(tell_idle),
    .stat_enter_o(tell_enter), .stat_merge_o(tell_merge)
  );
  assign drop_o      = drop_n_o != '0;
  assign drop_slot_o = slot_q;

  weft_ram_1r1w #(.W(ListW), .DEPTH(N_SLOT)) u_list (
    .clk_i, .we_i(sweep_q || we), .waddr_i(sweep_q ? at_q : slot_q), .wdata_i(sweep_q ? '0 : n),
    .re_i(state_q == StIdle), .raddr_i(slot_d), .rdata_o(l)
  );
  weft_ram_1r1w #(.W(ListW), .DEPTH(N_SLOT)) u_list_ask (
    .clk_i, .we_i(sweep_q || we), .waddr_i(sweep_q ? at_q : slot_q), .wdata_i(sweep_q ? '0 : n),
    .re_i(ask_re_i), .raddr_i(ask_slot_i), .rdata_o(ask_l)
  );
  assign ask_o = ask_l.busy;
  // The entry behind the last one is linked while it is the last one.
  weft_ram_1r1w #(.W(RdW), .DEPTH(N_RD)) u_next (
    .clk_i, .we_i(we && op_q == OpRx && !atomic && l.n_all != '0), .waddr_i(l.tail), .wdata_i(blk),
    .re_i(state_q == StList), .raddr_i(next_a), .rdata_o(next)
  );
  logic [223:0] ent_in;
  assign ent_in = {rx_i.sink_stag, rx_i.sink_to, rx_i.len, rx_i.src_stag, rx_i.src_to};
  weft_ram_1r1w #(.W(224), .DEPTH(N_RD)) u_ent (
    .clk_i, .we_i(we && op_q == OpRx), .waddr_i(blk), .wdata_i(ent_in), .re_i(rd_re_i), .raddr_i(rd_addr_i), .rdata_o(rd_o)
  );
  weft_ram_1r1w #(.W(32), .DEPTH(N_RD)) u_len (
    .clk_i, .we_i(we && op_q == OpRx), .waddr_i(blk), .wdata_i(rx_i.len), .re_i(state_q == StList), .raddr_i(l.cur), .rdata_o(ent_len)
  );

  // ---------------------------------------------------------------- a batch
  logic [SlW-1:0] f_slot_q;
  logic [RdW-1:0] f_ref_q;
  logic [15:0]    f_num_q;
  logic [31:0]    f_len_q;
  logic [3:0]     f_cnt_q;
  logic           gap_q, f_last, take;
  assign f_last = f_cnt_q == 4'd15 || 22'(f_cnt_q) == f_len_q[31:10];
  assign take   = in_valid_o && in_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      feeding_q <= 1'b0;
      gap_q     <= 1'b0;
    end else begin
      if (feed_go && we) feeding_q <= 1'b1;
      else if (take && f_last) feeding_q <= 1'b0;
      gap_q <= take;
    end
  end
  always_ff @(posedge clk_i) begin
    if (feed_go) begin
      f_slot_q <= slot_q;
      f_ref_q  <= l.cur;
      f_num_q  <= l.num;
      f_len_q  <= ent_len;
      f_cnt_q  <= '0;
    end else if (take) begin
      f_cnt_q <= f_cnt_q + 4'd1;
    end
  end
  assign in_valid_o = feeding_q && go_i && !gap_q;
  assign in_slot_o  = f_slot_q;
  assign lock_o     = feeding_q;
  always_comb begin
    in_o        = '0;
    in_o.kind   = weft_sq_pkg::ItResp;
    in_o.sob    = f_cnt_q == '0;
    in_o.eob    = f_last;
    in_o.ref_no = 13'(f_ref_q);
    in_o.index  = f_num_q;
    in_o.d.len  = f_len_q;
  end
  assign idle_o = ready_o && state_q == StIdle && !any && set_idle && !feeding_q && !rx_valid_i && !irq_valid_o && tell_idle;

`ifndef SYNTHESIS
  initial if (N_RD < 16 || N_RD > 4096 || (N_RD & (N_RD - 1)) != 0) $fatal(1, "weft_sq_resp: N_RD");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(done_i && !full[0]) && !(tok_i && !full[1]) && !(fr_in_v && !fr_in_r)) else $error("%m: something is lost");
      if (we && op_q == OpDone) assert (purge || l.n_all != '0) else $error("%m: a read too many is done");
      if (we && op_q == OpClear) assert (l.n_all == '0) else $error("%m: reads are left");
      if (we && op_q == OpRx) assert (l.n_all != '1) else $error("%m: too many reads of a connection");
    end
  end
`endif
  logic unused;
  assign unused = ^{rx_i, ask_l, full, dn, tn, en, en_slot, fr_in_r, irq_in_r, tell_n, tell_enter, tell_merge};

endmodule
