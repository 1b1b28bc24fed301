// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Takes segments and what is due without bytes, one of them every other cycle, and gives each what is true of
/// its connection in that cycle: sequence number, ACK, window, timestamps, SACK blocks. Tells room tcp that it left.
///
/// Order: both kinds turn and turn about; segments as they were cut (so retransmissions as qp's replay put them in
/// front of its new messages), slots of the set as they came. At most JOBS of them are ahead of the wire, and no further one is begun
/// while AHEAD beats of segments are: so no header is much older than that.
///
/// A segment whose view is closed does not leave (`cut`). An ACK of a slot that has a segment waiting is not sent: it
/// rides, unless there are SACK blocks to tell: blocks that come later bring an ACK of their own that is due. A frame whose L2 entry is not valid, or became tagged or untagged since its segment was
/// cut, is counted as sent and does not leave: to TCP it is lost.
// lint: -GN_SLOT=256
module weft_tcp_bind #(
  parameter int unsigned DATA_W = 128,     ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 256,     ///< slots, a power of two, 2 to 4,096
  parameter int unsigned JOBS = 8,         ///< 2 to 8
  parameter int unsigned AHEAD = 16,       ///< beats
  parameter int unsigned TS_SHIFT = 20,    ///< a tick of TSval is 2^TS_SHIFT ns, 0 to 32
  parameter int unsigned DROP_LAG = 4,     ///< cycles from `departed` to the drop of its pin, 1 to 16
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [63:0]               now_ns_i,
  output logic                      ready_o,

  input  logic                      rec_valid_i,
  output logic                      rec_ready_o,
  input  weft_tcp_seg_pkg::rec_t    rec_i,
  input  logic                      put_valid_i,    ///< a segment with bytes went into the queue of records
  input  logic [11:0]               put_slot_i,
  input  logic                      set_valid_i,
  output logic                      set_ready_o,
  input  logic [SlW-1:0]            set_slot_i,
  output logic                      due_re_o,
  output logic [SlW-1:0]            due_slot_o,
  input  logic                      due_ack_i,
  input  logic                      due_pure_i,
  input  logic                      due_ctl_i,
  input  weft_dp_pkg::due_e         due_kind_i,
  input  logic [63:0]               due_off_i,
  output logic                      due_all_o,
  output logic                      due_rode_o,

  input  logic                      view_valid_i,
  input  logic [11:0]               view_slot_i,
  input  weft_dp_pkg::dep_view_t    view_i,
  input  logic                      tmpl_we_i,
  input  logic [11:0]               tmpl_slot_i,
  input  weft_tcp_seg_pkg::tmpl_t   tmpl_i,
  input  logic                      l2_we_i,
  input  logic [11:0]               l2_slot_i,
  input  logic [15:0]               l2_i,
  input  logic                      open_valid_i,   ///< the slot was loaded with this snd_max
  input  logic [11:0]               open_slot_i,
  input  logic [63:0]               open_snd_max_i,

  output logic [15:0]               l2_o,           ///< a cycle before seg_o
  output logic                      seg_valid_o,    ///< registered; no ready: JOBS of them have room
  output weft_tcp_seg_pkg::seg_t    seg_o,
  output weft_tcp_seg_pkg::tmpl_t   tmpl_o,
  input  logic                      job_done_i,     ///< pulse: one has left
  input  logic                      beat_done_i,    ///< pulse: a beat of a segment has left

  output logic                      snd_max_valid_o,
  output logic [11:0]               snd_max_slot_o,
  output logic [63:0]               snd_max_o,
  output logic                      departed_valid_o,  ///< always taken
  output weft_dp_pkg::departed_t    departed_o,
  output logic                      drop_valid_o,      ///< a pin, DROP_LAG cycles behind departed
  output logic [11:0]               drop_slot_o,
  output logic                      idle_o,
  output logic                      stat_seg_o,     ///< pulse: a segment with bytes was bound
  output logic                      stat_ack_o,     ///< pulse: one without
  output logic                      stat_rode_o     ///< pulse: an ACK that was due rides or rode
);

  localparam int unsigned TmplW = 24 + 8 + 2 + 2 + 16 + 20 + 32 + 256;
  localparam int unsigned BindW = 1 + 96 + 4 + 1 + 64 + 2 + 2 + 192;

  // ---------------------------------------------------------------- clearing
  logic           clear_q;
  logic [SlW-1:0] at_q;
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

  // ---------------------------------------------------------------- stage 0: who is next
  logic                      v1_q, due1_q, turn_q, admit, due, go;
  logic [3:0]                jobs_q;
  logic [15:0]               ahead_q, beats;
  logic [SlW-1:0]            slot;
  weft_tcp_seg_pkg::rec_t    rec1_q;
  logic [63:0]               end1_q;
  logic [15:0]               span;
  logic                      free1;     // the job at stage 1 needs no header

  assign go          = !clear_q && !v1_q && (jobs_q == '0 || (jobs_q < 4'(JOBS) && ahead_q < 16'(AHEAD)));
  assign due         = set_valid_i && (!rec_valid_i || turn_q);
  assign admit       = go && (set_valid_i || rec_valid_i);
  assign set_ready_o = go && due;
  assign rec_ready_o = go && !due;
  assign slot        = due ? set_slot_i : rec_i.slot[SlW-1:0];
  assign due_re_o    = admit;
  assign due_slot_o  = slot;
  assign span        = 16'(rec_i.hdr_len[LaneW-1:0]) + rec_i.len + 16'(DATA_W / 8 - 1);
  assign beats       = admit && !due && !rec_i.none ? 16'(span[15:LaneW]) : 16'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q    <= 1'b0;
      turn_q  <= 1'b1;
      jobs_q  <= '0;
      ahead_q <= '0;
    end else begin
      v1_q    <= admit;
      if (admit) turn_q <= !due;
      jobs_q  <= jobs_q + 4'(admit) - 4'(free1) - 4'(job_done_i);
      ahead_q <= ahead_q + beats - 16'(beat_done_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (admit) begin
      rec1_q      <= rec_i;
      rec1_q.slot <= 12'(slot);
      due1_q      <= due;
      end1_q      <= rec_i.off + 64'(rec_i.len);
    end
  end

  // ---------------------------------------------------------------- tables
  logic                      vw_open, vw_ts, vw_ece, vw_cwr;
  logic [31:0]               vw_seq0, vw_rcv_nxt, vw_edge, vw_ts_off, vw_ts_recent;
  logic [3:0]                vw_wscale;
  logic [1:0]                vw_n_sack;
  logic [191:0]              vw_sack;
  logic [63:0]               max, max_d;
  logic                      max_we, pend_q;
  logic [SlW-1:0]            pend_slot_q;
  logic [63:0]               pend_max_q;
  weft_tcp_seg_pkg::tmpl_t   tmpl;

  weft_ram_1r1w #(.W(BindW), .DEPTH(N_SLOT)) u_view (
    .clk_i, .we_i(view_valid_i), .waddr_i(view_slot_i[SlW-1:0]),
    .wdata_i({view_i.open, view_i.seq0, view_i.rcv_nxt, view_i.edge_seq, view_i.wscale, view_i.ts, view_i.ts_off,
              view_i.ts_recent, view_i.ece, view_i.cwr, view_i.n_sack, view_i.sack}),
    .re_i(admit), .raddr_i(slot),
    .rdata_o({vw_open, vw_seq0, vw_rcv_nxt, vw_edge, vw_wscale, vw_ts, vw_ts_off, vw_ts_recent, vw_ece, vw_cwr, vw_n_sack,
              vw_sack})
  );
  weft_ram_1r1w #(.W(TmplW), .DEPTH(N_SLOT)) u_tmpl (
    .clk_i, .we_i(tmpl_we_i), .waddr_i(tmpl_slot_i[SlW-1:0]), .wdata_i(tmpl_i),
    .re_i(admit), .raddr_i(slot), .rdata_o(tmpl)
  );
  weft_ram_1r1w #(.W(16), .DEPTH(N_SLOT)) u_l2 (
    .clk_i, .we_i(l2_we_i), .waddr_i(l2_slot_i[SlW-1:0]), .wdata_i(l2_i),
    .re_i(admit), .raddr_i(slot), .rdata_o(l2_o)
  );
  // A load waits for a cycle in which nothing is bound; two of those in which something is never follow each other.
  weft_ram_1r1w #(.W(64), .DEPTH(N_SLOT)) u_max (
    .clk_i, .we_i(max_we || (pend_q && !v1_q)), .waddr_i(v1_q ? rec1_q.slot[SlW-1:0] : pend_slot_q),
    .wdata_i(v1_q ? max_d : pend_max_q),
    .re_i(admit), .raddr_i(slot), .rdata_o(max)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pend_q <= 1'b0;
    else pend_q <= open_valid_i || (pend_q && v1_q);
  end
  always_ff @(posedge clk_i) begin
    if (open_valid_i) begin
      pend_slot_q <= open_slot_i[SlW-1:0];
      pend_max_q  <= open_snd_max_i;
    end
  end

  // Segments of a slot that wait: put less bound.
  logic           put_q, again_q, bound_we;
  logic [SlW-1:0] put_slot_q;
  logic [5:0]     put_rd, put_d, put_last_q, put_bind, bound;
  assign put_d = (again_q ? put_last_q : put_rd) + 6'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) put_q <= 1'b0;
    else put_q <= put_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (put_valid_i) put_slot_q <= put_slot_i[SlW-1:0];
    again_q    <= put_q && put_valid_i && put_slot_i[SlW-1:0] == put_slot_q;
    put_last_q <= put_d;
  end
  weft_ram_1r1w #(.W(6), .DEPTH(N_SLOT)) u_put_a (
    .clk_i, .we_i(clear_q || put_q), .waddr_i(clear_q ? at_q : put_slot_q), .wdata_i(clear_q ? 6'd0 : put_d),
    .re_i(put_valid_i), .raddr_i(put_slot_i[SlW-1:0]), .rdata_o(put_rd)
  );
  weft_ram_1r1w #(.W(6), .DEPTH(N_SLOT)) u_put_b (
    .clk_i, .we_i(clear_q || put_q), .waddr_i(clear_q ? at_q : put_slot_q), .wdata_i(clear_q ? 6'd0 : put_d),
    .re_i(admit), .raddr_i(slot), .rdata_o(put_bind)
  );
  weft_ram_1r1w #(.W(6), .DEPTH(N_SLOT)) u_bound (
    .clk_i, .we_i(clear_q || bound_we), .waddr_i(clear_q ? at_q : rec1_q.slot[SlW-1:0]), .wdata_i(clear_q ? 6'd0 : bound + 6'd1),
    .re_i(admit), .raddr_i(slot), .rdata_o(bound)
  );

  // ---------------------------------------------------------------- stage 1: what it becomes
  logic        bytes, rides, ctl, fin, rst, bare, sends, covers, tells;
  logic [63:0] off;
  weft_tcp_seg_pkg::seg_t seg;

  assign bytes  = v1_q && !due1_q && !rec1_q.none;
  assign ctl    = due1_q && due_ctl_i;
  assign rides  = !due_pure_i && put_bind != bound && vw_n_sack == '0;
  assign bare   = due1_q && !due_ctl_i && vw_open && (due_pure_i || (due_ack_i && !rides));
  assign rst    = ctl && due_kind_i == weft_dp_pkg::DueRst;
  assign fin    = ctl && due_kind_i == weft_dp_pkg::DueFin && vw_open;
  assign sends  = v1_q && (due1_q ? rst || (ctl && vw_open) || bare : bytes && vw_open);
  assign covers = vw_n_sack <= rec1_q.shape.n_sack;      // all that an ACK would tell
  assign free1  = v1_q && (due1_q ? !sends : rec1_q.none);
  assign off    = !due1_q ? rec1_q.off : ctl ? due_off_i : max;

  assign bound_we   = bytes;
  assign due_all_o  = v1_q && due1_q && (ctl || !vw_open || bare);
  // One that is to ride is answered by that: a segment which waits is bound with a view no older than this one.
  assign due_rode_o = v1_q && (due1_q ? rides && !due_ctl_i : bytes && (covers || !vw_open));

  assign max_d  = fin ? due_off_i + 64'd1 : end1_q;
  assign max_we = v1_q && (due1_q ? fin && due_off_i >= max : bytes && vw_open && end1_q > max);

  always_comb begin
    seg         = '0;
    seg.shape   = rec1_q.shape;
    seg.hdr_len = rec1_q.hdr_len;
    if (due1_q) begin
      seg.shape        = '0;
      seg.shape.v6     = tmpl.v6;
      seg.shape.ts     = vw_ts;
      seg.shape.n_sack = vw_n_sack;
      seg.hdr_len      = 7'd54 + (tmpl.v6 ? 7'd20 : 7'd0) + (vw_ts ? 7'd12 : 7'd0) +
                         (vw_n_sack == '0 ? 7'd0 : {2'd0, vw_n_sack, 3'd4});
    end
    seg.body   = !due1_q;
    seg.drop   = !sends;
    seg.len    = due1_q ? 16'd0 : rec1_q.len;
    seg.ect    = !due1_q && !rec1_q.again && tmpl.ecn;
    seg.flags  = {!due1_q && !rec1_q.again && vw_cwr, vw_ece, 1'b0, 1'b1, !due1_q && rec1_q.psh, rst, 1'b0, fin};
    seg.seq    = vw_seq0 + off[31:0];
    seg.ack    = vw_rcv_nxt;
    seg.room   = vw_edge - vw_rcv_nxt;
    seg.wscale = vw_wscale;
    seg.tsval  = vw_ts_off + 32'(now_ns_i >> TS_SHIFT);
    seg.tsecr  = vw_ts_recent;
    seg.n_sack = vw_n_sack < seg.shape.n_sack ? vw_n_sack : seg.shape.n_sack;
    seg.sack   = vw_sack;
  end

  logic pin2_d;
  assign pin2_d = due1_q || rec1_q.pin;
  assign tells  = v1_q;

  logic                   v2_q, d2_q, v3_q;
  weft_dp_pkg::departed_t dep2_q, dep3_q;
  logic [15:0]            wnd2;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seg_valid_o     <= 1'b0;
      snd_max_valid_o <= 1'b0;
      v2_q            <= 1'b0;
      d2_q            <= 1'b0;
      v3_q            <= 1'b0;
    end else begin
      seg_valid_o     <= v1_q && !free1;
      snd_max_valid_o <= max_we;
      v2_q            <= tells;
      d2_q            <= v1_q && pin2_d;
      v3_q            <= v2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      seg_o           <= seg;
      tmpl_o          <= tmpl;
      snd_max_slot_o  <= rec1_q.slot;
      snd_max_o       <= max_d;
      dep2_q          <= '0;
      dep2_q.who.qpn  <= tmpl.qpn;
      dep2_q.who.slot <= rec1_q.slot;
      dep2_q.off      <= off;
      dep2_q.len      <= sends && bytes ? rec1_q.len : 16'd0;
      dep2_q.again    <= due1_q ? fin && due_off_i < max : rec1_q.again && rec1_q.off < max;
      dep2_q.ask_id   <= due1_q ? 4'd0 : rec1_q.ask_id;
      dep2_q.ask_done <= !due1_q && rec1_q.ask_done;
      dep2_q.ack_only <= due1_q && !fin;
      dep2_q.fin      <= fin;
      dep2_q.cut      <= !due1_q && (rec1_q.cut || (bytes && !vw_open));
      dep2_q.cwr      <= sends && seg.flags[7];
      dep2_q.unsent   <= !sends;
      dep2_q.gen      <= due1_q ? 2'd0 : rec1_q.gen;
      dep2_q.acked    <= vw_rcv_nxt;
      dep2_q.at       <= now_ns_i[47:0];
    end
    dep3_q          <= dep2_q;
    dep3_q.edge_seq <= dep2_q.acked + (32'(wnd2) << seg_o.wscale);
  end
  weft_tcp_window u_window (.room_i(seg_o.room), .wscale_i(seg_o.wscale), .wnd_o(wnd2));
  assign departed_valid_o = v3_q;
  assign departed_o       = dep3_q;

  // ---------------------------------------------------------------- pins
  logic [DROP_LAG:0]       lag_q;
  logic [DROP_LAG:0][11:0] lag_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lag_q <= '0;
    else lag_q <= (DROP_LAG + 1)'({lag_q, d2_q});
  end
  always_ff @(posedge clk_i) lag_slot_q <= (12 * (DROP_LAG + 1))'({lag_slot_q, dep2_q.who.slot});
  assign drop_valid_o = lag_q[DROP_LAG];
  assign drop_slot_o  = lag_slot_q[DROP_LAG];

  assign idle_o      = !clear_q && jobs_q == '0 && !v1_q && !rec_valid_i && !set_valid_i && !v3_q && lag_q == '0 && !v2_q;
  assign stat_seg_o  = sends && bytes;
  assign stat_ack_o  = sends && due1_q;
  assign stat_rode_o = v1_q && due1_q && !ctl && !bare && vw_open;

  logic unused;
  assign unused = ^{view_i, view_slot_i, tmpl_slot_i, l2_slot_i, open_slot_i, put_slot_i, span};

`ifndef SYNTHESIS
  initial begin
    if (JOBS < 2 || JOBS > 8) $fatal(1, "weft_tcp_bind: JOBS");
    if ($bits(tmpl) != TmplW) $fatal(1, "weft_tcp_bind: TmplW");
    if (DROP_LAG < 1 || DROP_LAG > 16) $fatal(1, "weft_tcp_bind: DROP_LAG");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
