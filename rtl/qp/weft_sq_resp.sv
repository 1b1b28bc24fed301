// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Inbound reads: a list of entries for each slot, from one pool. An entry stays until its response is acknowledged, so that
/// it can be sent again. Slots with responses to describe take turns; a turn is a batch of up to 16 items
/// of one response. A slot that has entries or a batch on its way (of entries that were flushed meanwhile) holds a pin; the one that comes
/// with `rx` goes.
/// rdmap is told of each entry twice: its response was described (`sent`), it is acknowledged or flushed (`acked`). What finds no place in
/// the queue adds up in the list of its slot, which waits in a set. Each word takes a pin, which goes over with it.
/// rdmap bounds what a connection may have here (IRD + 16) and knows from `free_o` when to refuse.
/// An atomic was executed once, by who gives it: its entry holds the result, by value, with the identifier of the request and the MSN of the response.
/// What is sent again is made of the entry, so it is the same. It stands among the reads, in their order.
module weft_sq_resp #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_RD = 256,    ///< entries, power of two, 16 to 8,192
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
  output logic                   drop_o,
  output logic [SlW-1:0]         drop_slot_o,
  output logic [3:0]             drop_n_o,
  output logic                   idle_o
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

  // ---------------------------------------------------------------- an operation a cycle, a slot once at a time
  // 0: one is chosen, its list is read. 1: so is the entry behind its head or its current one. 3: the list is written.
  typedef enum logic [2:0] {OpDone, OpTok, OpClear, OpRx, OpFeed, OpTell} op_e;
  typedef struct packed {
    op_e            op;
    logic           purge;
    logic           whole;
    logic           blk;      // OpTok: it came back blocked
    logic [15:0]    cur;      // OpTok
    logic [SlW-1:0] slot;
    logic [RdW-1:0] fresh;    // OpRx: its entry
    logic [23:0]    qpn;
  } look_t;
  look_t          p0, p1_q, p2_q, p3_q;
  logic [3:1]     v_q;
  logic           go0, hold, any, sweep_q, we, told_q;
  logic [5:0]     can, free0;
  logic [SlW-1:0] at_q;
  list_t          l1, l2_q, l, n;
  logic [RdW-1:0] next, next_a;
  logic [RdW:0]   fresh_q, fr_n;
  logic           fr_v, fr_in_v, fr_in_r, alloc, have;
  logic [RdW-1:0] fr, blk;
  logic           ins_d, tok_new, feed_go, tell_v, tell_ready, irq_room, new_sent, new_acked, news, tell, had;
  logic [SlW-1:0] tell_slot, slot_q;
  logic [7:0]     n_sent, n_acked;
  logic [3:0]     t_sent, t_acked, pins;
  logic [31:0]    ent_len, ent_len_q;
  logic           ent_atom, ent_atom_q;
  logic [23:0]    qpn1, qpn;
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
    .clk_i, .rst_ni, .in_valid_i(fr_in_v && we), .in_ready_o(fr_in_r), .in_data_i(l.head),
    .out_valid_o(fr_v), .out_ready_i(alloc && fresh_q[RdW]), .out_data_o(fr), .count_o(fr_n)
  );

  // Nobody is chosen whose slot is looked at already.
  logic [2:0] feeds_q;   // of OpFeed, those that are looked at or wait to be fed
  function automatic logic alone(input logic [SlW-1:0] s, input logic [3:1] v, input logic [SlW-1:0] a, input logic [SlW-1:0] b,
                                 input logic [SlW-1:0] c);
    alone = !(v[1] && s == a) && !(v[2] && s == b) && !(v[3] && s == c);
  endfunction
  always_comb begin
    free0[0] = alone(tok_slot, v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    free0[1] = alone(done_slot, v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    free0[2] = alone(clear_slot_i, v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    free0[3] = alone(tell_slot, v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    free0[4] = alone(set_slot, v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    free0[5] = alone(rx_i.who.slot[SlW-1:0], v_q, p1_q.slot, p2_q.slot, p3_q.slot);
    can[0] = tok_v && free0[0];
    can[1] = done_v && free0[1];
    can[2] = clear_valid_i && free0[2];
    can[3] = tell_v && irq_n < 5'd8 && free0[3];
    can[4] = set_v && feeds_q < 3'd4 && free0[4];
    can[5] = rx_valid_i && have && free0[5];
    any       = can != '0 && ready_o;
    p0        = '0;
    p0.purge  = purge;
    p0.whole  = whole;
    p0.blk    = tok_blk;
    p0.cur    = tok_cur;
    p0.fresh  = blk;
    p0.op     = OpRx;
    p0.slot   = rx_i.who.slot[SlW-1:0];
    // Reads come in the order of the wire, many of one slot behind each other, so they go before what is only to be fed.
    // What is left to tell goes every other time: it adds up, and counts at the peer's next read.
    if (can[0]) begin
      p0.op   = OpTok;
      p0.slot = tok_slot;
    end else if (can[3] && !told_q) begin
      p0.op   = OpTell;
      p0.slot = tell_slot;
    end else if (can[1]) begin
      p0.op   = OpDone;
      p0.slot = done_slot;
    end else if (can[5]) begin
    end else if (can[2]) begin
      p0.op   = OpClear;
      p0.slot = clear_slot_i;
    end else if (can[4]) begin
      p0.op   = OpFeed;
      p0.slot = set_slot;
    end else if (can[3]) begin
      p0.op   = OpTell;
      p0.slot = tell_slot;
    end
  end
  assign go0           = any && !hold;
  // A flush takes one after the other.
  assign done_r        = (go0 && p0.op == OpDone && !purge) || (we && p3_q.op == OpDone && p3_q.purge && l.n_all <= 8'd1);
  assign tok_r         = go0 && p0.op == OpTok;
  assign clear_ready_o = we && p3_q.op == OpClear;
  assign rx_ready_o    = go0 && p0.op == OpRx;
  // A member is taken out before what looks at it looks.
  assign set_r         = go0 && p0.op == OpFeed;
  assign alloc         = rx_ready_o;

  assign hold   = v_q[3] && ins_d && !ins_r;
  assign we     = v_q[3] && !hold;
  assign next_a = p1_q.op == OpDone ? l1.head : l1.cur;
  assign slot_q = p3_q.slot;
  logic [RdW-1:0] next_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q     <= '0;
      fresh_q <= '0;
      feeds_q <= '0;
      told_q  <= 1'b0;
    end else begin
      if (!hold) v_q <= {v_q[2:1], go0};
      if (go0) told_q <= p0.op == OpTell;
      if (alloc && !fresh_q[RdW]) fresh_q <= fresh_q + (RdW + 1)'(1);
      feeds_q <= feeds_q + 3'(set_r) - 3'(we && p3_q.op == OpFeed && !feed_go) - 3'(fd_v && fd_r);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!hold) begin
      p1_q      <= p0;
      p2_q      <= p1_q;
      p2_q.qpn  <= qpn1;
      p3_q      <= p2_q;
      l2_q      <= l1;
      l         <= l2_q;
      next_q    <= next;
      ent_len_q <= ent_len;
      ent_atom_q <= ent_atom;
    end
  end
  assign qpn = p3_q.qpn;

  assign tok_new = p3_q.cur != l.num;
  always_comb begin
    n           = l;
    ins_d       = 1'b0;
    fr_in_v     = 1'b0;
    feed_go     = 1'b0;
    new_sent    = 1'b0;
    new_acked   = 1'b0;
    pins        = '0;
    news        = 1'b0;
    tell        = 1'b0;
    n_sent      = '0;
    n_acked     = '0;
    t_sent      = '0;
    t_acked     = '0;
    if (v_q[3]) begin
      unique case (p3_q.op)
        OpDone: if (!p3_q.purge || l.n_all != '0) begin
          fr_in_v = 1'b1;
          n.head  = next_q;
          n.n_all = l.n_all - 8'd1;
          // One that is flushed before it was described, or whose ACK is here before the token of its batch.
          if (l.n_new == l.n_all) begin
            n.n_new = l.n_new - 8'd1;
            n.cur   = next_q;
            if (p3_q.whole) n.num = l.num + 16'd1;
            new_sent = 1'b1;
          end
          new_acked = 1'b1;
          if (l.n_all == 8'd1 && !l.busy) pins = 4'd1;
        end
        OpTok: begin
          n.busy  = 1'b0;
          n.again = 1'b0;
          if (l.n_all == '0) pins = 4'd1;
          if (tok_new) begin
            n.cur   = next_q;
            n.n_new = l.n_new - 8'd1;
            n.num   = p3_q.cur;
            new_sent = 1'b1;
          end
          ins_d = (n.n_new != '0 && !p3_q.blk) || l.again;
        end
        OpClear: n = '0;
        OpRx: begin
          if (l.n_all == '0) n.head = p3_q.fresh;
          if (l.n_new == '0) n.cur = p3_q.fresh;
          n.tail  = p3_q.fresh;
          n.n_all = l.n_all + 8'd1;
          n.n_new = l.n_new + 8'd1;
          ins_d   = 1'b1;
          if (l.n_all != '0 || l.busy) pins = 4'd1;
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
      if (p3_q.op == OpTell) begin
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
      if (p3_q.op == OpClear) begin
        n    = '0;
        tell = 1'b0;
        pins = '0;
      end
    end
  end
  assign had      = l.sent != '0 || l.acked != '0;
  assign drop_n_o = we ? pins : '0;
  assign ins_v       = v_q[3] && ins_d;

  // ---------------------------------------------------------------- to rdmap
  logic [4:0]  irq_n;
  logic        irq_in_r, tell_idle, tell_enter, tell_merge;
  logic [SlW:0] tell_n;
  weft_dp_pkg::who_t told;
  assign irq_room = irq_n < 5'd16;
  assign told     = {qpn, 12'(slot_q)};
  weft_ram_1r1w #(.W(24), .DEPTH(N_SLOT)) u_qpn (
    .clk_i, .we_i(clear_ready_o), .waddr_i(slot_q), .wdata_i(clear_qpn_i), .re_i(go0), .raddr_i(p0.slot), .rdata_o(qpn1)
  );
  weft_fifo #(.W(44), .DEPTH(16)) u_irq (
    .clk_i, .rst_ni, .in_valid_i(we && tell), .in_ready_o(irq_in_r), .in_data_i({told, t_sent, t_acked}),
    .out_valid_o(irq_valid_o), .out_ready_i(irq_ready_i), .out_data_o({irq_o, irq_sent_o, irq_acked_o}), .count_o(irq_n)
  );
  weft_ready_fifo #(.N(N_SLOT)) u_tell (
    .clk_i, .rst_ni, .ready_o(tell_ready), .ins_valid_i(we && (n.sent != '0 || n.acked != '0)), .ins_id_i(slot_q),
    .out_valid_o(tell_v), .out_ready_i(go0 && p0.op == OpTell), .out_id_o(tell_slot), .count_o(tell_n), .idle_o(tell_idle),
    .stat_enter_o(tell_enter), .stat_merge_o(tell_merge)
  );
  assign drop_o      = drop_n_o != '0;
  assign drop_slot_o = slot_q;

  weft_ram_1r1w #(.W(ListW), .DEPTH(N_SLOT)) u_list (
    .clk_i, .we_i(sweep_q || we), .waddr_i(sweep_q ? at_q : slot_q), .wdata_i(sweep_q ? '0 : n),
    .re_i(go0), .raddr_i(p0.slot), .rdata_o(l1)
  );
  // The entry behind the last one is linked while it is the last one.
  weft_ram_1r1w #(.W(RdW), .DEPTH(N_RD)) u_next (
    .clk_i, .we_i(we && p3_q.op == OpRx && l.n_all != '0), .waddr_i(l.tail), .wdata_i(p3_q.fresh),
    .re_i(!hold), .raddr_i(next_a), .rdata_o(next)
  );
  logic [223:0] ent_in;
  logic [31:0]  len_in;
  assign len_in = rx_i.atomic ? 32'(weft_sq_pkg::AtomBytes) : rx_i.len;
  assign ent_in = {rx_i.sink_stag, rx_i.atomic ? rx_i.result : rx_i.sink_to, len_in, rx_i.src_stag, rx_i.src_to};
  weft_ram_1r1w #(.W(224), .DEPTH(N_RD)) u_ent (
    .clk_i, .we_i(alloc), .waddr_i(blk), .wdata_i(ent_in), .re_i(rd_re_i), .raddr_i(rd_addr_i), .rdata_o(rd_o)
  );
  weft_ram_1r1w #(.W(33), .DEPTH(N_RD)) u_len (
    .clk_i, .we_i(alloc), .waddr_i(blk), .wdata_i({rx_i.atomic, len_in}), .re_i(!hold), .raddr_i(l1.cur), .rdata_o({ent_atom, ent_len})
  );

  // ---------------------------------------------------------------- a batch
  logic [SlW-1:0] f_slot_q, fd_slot;
  logic [RdW-1:0] f_ref_q, fd_ref;
  logic [15:0]    f_num_q, fd_num;
  logic [31:0]    f_len_q, fd_len;
  logic           f_atom_q, fd_atom;
  logic [3:0]     f_cnt_q;
  logic           gap_q, f_last, take, feeding_q, fd_v, fd_r, fd_in_r;
  weft_fifo #(.W(SlW + RdW + 49), .DEPTH(4)) u_fed (
    .clk_i, .rst_ni, .in_valid_i(feed_go && we), .in_ready_o(fd_in_r), .in_data_i({slot_q, l.cur, l.num, ent_atom_q, ent_len_q}),
    .out_valid_o(fd_v), .out_ready_i(fd_r), .out_data_o({fd_slot, fd_ref, fd_num, fd_atom, fd_len}), .count_o()
  );
  assign f_last = f_cnt_q == 4'd15 || 22'(f_cnt_q) == f_len_q[31:10];
  assign take   = in_valid_o && in_ready_i;
  assign fd_r   = !feeding_q || (take && f_last);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      feeding_q <= 1'b0;
      gap_q     <= 1'b0;
    end else begin
      if (fd_r) feeding_q <= fd_v;
      gap_q <= take;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fd_r) begin
      f_slot_q <= fd_slot;
      f_ref_q  <= fd_ref;
      f_num_q  <= fd_num;
      f_len_q  <= fd_len;
      f_atom_q <= fd_atom;
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
    in_o.d.op   = f_atom_q ? 4'(weft_pkg::RdAtomResp) : 4'd0;
  end
  assign idle_o = ready_o && v_q == '0 && !any && set_idle && !feeding_q && !fd_v && !rx_valid_i && !irq_valid_o && tell_idle;

`ifndef SYNTHESIS
  initial if (N_RD < 16 || N_RD > 8192 || (N_RD & (N_RD - 1)) != 0) $fatal(1, "weft_sq_resp: N_RD");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(feed_go && we && !fd_in_r)) else $error("%m: a batch is lost");
      assert (!(done_i && !full[0]) && !(tok_i && !full[1]) && !(fr_in_v && !fr_in_r)) else $error("%m: something is lost");
      if (we && p3_q.op == OpDone) assert (p3_q.purge || l.n_all != '0) else $error("%m: a read too many is done");
      if (we && p3_q.op == OpClear) assert (l.n_all == '0) else $error("%m: reads are left");
      if (we && p3_q.op == OpRx) assert (l.n_all != '1) else $error("%m: too many reads of a connection");
    end
  end
`endif
  logic unused;
  assign unused = ^{rx_i, full, dn, tn, en, en_slot, fr_in_r, irq_in_r, tell_n, tell_enter, tell_merge, fd_in_r, p1_q, p2_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
