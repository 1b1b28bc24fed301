// SPDX-License-Identifier: BSD-2-Clause

/// Working copy of the ranges of one connection in weft_tcp_rack: up to 32, sorted, apart; SACKed ones and such as were sent
/// again. A pass takes one range more in, an entry a cycle:
///
/// - SACKed and SACKed: what touches becomes one;
/// - SACKed over sent again: SACKed wins, and the other is delivered: `hit_o` with its time;
/// - sent again over sent again: the newer one wins, what it leaves of the other stays; those that touch become one, when they
///   left within 8 ticks or the list is three quarters full, with the later time;
/// - what ends at or before `una_i` is let go; of more than 32 the highest is forgotten (it will be sent again).
///
/// Two memories change roles with each pass.
module weft_tcp_rack_list (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           clear_i,   ///< pulse: empty
  input  logic                           put_i,     ///< an entry of the copy at put_at_i; `n_i` at the end
  input  logic [4:0]                     put_at_i,
  input  weft_tcp_conn_pkg::rack_ent_t   put_d_i,
  input  logic                           n_valid_i,
  input  logic [5:0]                     n_i,

  input  logic [31:0]                    una_i,     ///< stable during a pass
  input  logic                           go_i,      ///< pulse: a pass begins
  input  weft_tcp_conn_pkg::rack_ent_t   x_i,
  output logic                           done_o,    ///< pulse in the last cycle of the pass
  output logic                           hit_o,     ///< pulse
  output logic [31:0]                    hit_at_o,
  output logic                           stat_forgot_o,

  output logic [5:0]                     n_o,       ///< outside of a pass
  input  logic [4:0]                     at_i,
  output weft_tcp_conn_pkg::rack_ent_t   d_o        ///< in this cycle
);

  weft_tcp_conn_pkg::rack_ent_t a [32];
  weft_tcp_conn_pkg::rack_ent_t b [32];

  logic                         run_q, turn_q, xv_q, hf_q;
  logic [5:0]                   n_q, ri_q, w_q;
  logic [31:0]                  hfrom_q;
  weft_tcp_conn_pkg::rack_ent_t x_q, h, e;
  logic [4:0]                   ra;

  assign ra  = run_q ? ri_q[4:0] : at_i;
  assign h   = turn_q ? b[ra] : a[ra];
  assign d_o = h;
  assign n_o = n_q;

  // ---------------------------------------------------------------- one step
  logic        end_s, both, hb, ha, ev, adv, xv_d, hf_d, join_r, near, keep, full;
  logic [31:0] hfrom, dhx, dxh, dff, dtt, x_from_d, x_to_d, hfrom_d, past, cut;
  weft_tcp_conn_pkg::rack_ent_t emit;
  assign hfrom  = hf_q ? hfrom_q : h.from;
  assign end_s  = ri_q == n_q;
  assign both   = !h.r && !x_q.r;
  assign dhx    = h.to - x_q.from;
  assign dxh    = x_q.to - hfrom;
  assign dff    = hfrom - x_q.from;
  assign dtt    = h.to - x_q.to;
  assign hb     = dhx[31] || (dhx == '0 && !both);
  assign ha     = dxh[31] || (dxh == '0 && !both);
  assign near   = x_q.at[31:3] == h.at[31:3] || n_q[5:3] >= 3'd3;
  assign join_r = x_q.r && h.r && dhx == '0 && near;
  always_comb begin
    e        = h;
    e.from   = hfrom;
    ev       = 1'b0;
    adv      = 1'b0;
    xv_d     = xv_q;
    hf_d     = hf_q;
    hfrom_d  = hfrom_q;
    x_from_d = x_q.from;
    x_to_d   = x_q.to;
    hit_o    = 1'b0;
    if (end_s) begin
      e    = x_q;
      ev   = xv_q;
      xv_d = 1'b0;
    end else if (xv_q && join_r) begin
      x_from_d = hfrom;
      adv      = 1'b1;
    end else if (!xv_q || hb) begin
      ev  = 1'b1;
      adv = 1'b1;
    end else if (ha) begin
      e    = x_q;
      ev   = 1'b1;
      xv_d = 1'b0;
    end else if (both) begin
      if (dff[31]) x_from_d = hfrom;
      if (!dtt[31]) x_to_d = h.to;
      adv = 1'b1;
    end else if (!h.r) begin  // x was sent again, h is SACKed
      if (!dff[31] && dff != '0) begin
        e        = x_q;
        e.to     = hfrom;
        ev       = 1'b1;
        x_from_d = hfrom;
      end else begin
        ev       = 1'b1;
        adv      = 1'b1;
        x_from_d = h.to;
        xv_d     = dtt[31];
      end
    end else begin            // x wins over h, which was sent again
      hit_o = !x_q.r && run_q;
      if (dff[31]) begin
        e.to    = x_q.from;
        ev      = 1'b1;
        hf_d    = 1'b1;
        hfrom_d = x_q.from;
      end else if (!dtt[31] && dtt != '0) begin
        e       = x_q;
        ev      = 1'b1;
        xv_d    = 1'b0;
        hf_d    = 1'b1;
        hfrom_d = x_q.to;
      end else begin
        adv = 1'b1;
      end
    end
    if (adv) hf_d = 1'b0;
  end
  assign past = e.to - una_i;
  assign cut  = e.from - una_i;
  assign keep = ev && !past[31] && past != '0;
  assign full = w_q[5];
  always_comb begin
    emit = e;
    if (cut[31]) emit.from = una_i;
  end
  assign done_o        = run_q && end_s && !xv_q;
  assign hit_at_o      = h.at;
  assign stat_forgot_o = run_q && keep && full;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q  <= 1'b0;
      turn_q <= 1'b0;
      n_q    <= '0;
    end else begin
      if (go_i) run_q <= 1'b1;
      else if (done_o) run_q <= 1'b0;
      if (done_o) turn_q <= !turn_q;
      if (clear_i) n_q <= '0;
      else if (n_valid_i) n_q <= n_i;
      else if (done_o) n_q <= w_q;
    end
  end
  logic       we_a, we_b;
  logic [4:0] wa;
  weft_tcp_conn_pkg::rack_ent_t wd;
  assign we_a = (put_i && !turn_q) || (run_q && keep && !full && turn_q);
  assign we_b = (put_i && turn_q) || (run_q && keep && !full && !turn_q);
  assign wa   = put_i ? put_at_i : w_q[4:0];
  assign wd   = put_i ? put_d_i : emit;
  always_ff @(posedge clk_i) if (we_a) a[wa] <= wd;
  always_ff @(posedge clk_i) if (we_b) b[wa] <= wd;
  always_ff @(posedge clk_i) begin
    if (go_i) begin
      x_q  <= x_i;
      xv_q <= 1'b1;
      ri_q <= '0;
      w_q  <= '0;
      hf_q <= 1'b0;
    end else if (run_q) begin
      xv_q     <= xv_d;
      hf_q     <= hf_d;
      hfrom_q  <= hfrom_d;
      x_q.from <= x_from_d;
      x_q.to   <= x_to_d;
      if (adv) ri_q <= ri_q + 6'd1;
      if (keep && !full) w_q <= w_q + 6'd1;
    end
  end

  logic unused;
  assign unused = ^{cut[30:0], dhx[30:0], past[30:0]};

`ifndef SYNTHESIS
  // What comes out is sorted and apart.
  logic        seen_q;
  logic [31:0] last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= 1'b0;
      last_q <= '0;
    end else if (go_i) begin
      seen_q <= 1'b0;
    end else if (run_q && keep) begin
      seen_q <= 1'b1;
      last_q <= emit.to;
      assert (!seen_q || 32'(emit.from - last_q) < 32'h8000_0000) else $error("%m: ranges overlap");
      assert (32'(emit.to - emit.from) < 32'h8000_0000 && emit.to != emit.from) else $error("%m: an empty range");
    end
  end
`endif

endmodule
