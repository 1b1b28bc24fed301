// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Commits, a word per slot: what is retired while the word of its slot waits is merged into it (`from` of
/// the first, the latest `to`, and whatever says `now`, `first` or `fin`). A word holds one pin of its slot at most; it is
/// dropped when the word is taken, the others at once. A commit a cycle while the taker is ready.
module weft_rdmap_commit #(
  parameter int unsigned N_SLOT = 256,  ///< a power of two, 4 to 4096
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 ready_o,

  input  logic                 in_valid_i,
  output logic                 in_ready_o,
  input  weft_dp_pkg::commit_t in_i,
  input  logic                 in_pin_i,

  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output weft_dp_pkg::commit_t out_o,

  output logic                 drop_o,       ///< pulse: a pin of this slot is dropped
  output logic [11:0]          drop_slot_o,
  output logic                 idle_o,
  output logic                 stat_merge_o
);
  typedef struct packed {
    logic        pend;
    logic        pin;
    logic [23:0] qpn;
    logic [63:0] from;
    logic [63:0] to;
    logic        now;
    logic        first;
    logic        fin;
  } word_t;
  localparam int unsigned WordW = 2 + 24 + 128 + 3;

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

  // ---------------------------------------------------------------- a: which slot
  logic                 take_a, upd_a, turn_q, f_v, f_room, take_b_q, upd_b_q, pin_b_q, same_q, put_b, direct_b;
  logic [SlW-1:0]       f_slot, slot_a, slot_b_q;
  logic [SlW:0]         f_count;
  weft_dp_pkg::commit_t in_b_q, out_q;
  word_t                ram, w, n, fwd_q;
  logic                 out_v_q, out_pin_q, out_go;

  assign out_go     = out_v_q && out_ready_i;
  assign take_a     = f_v && !take_b_q && (!out_v_q || out_go) && !(in_valid_i && turn_q) && !clear_q;
  assign in_ready_o = !take_a && !clear_q;
  assign upd_a      = in_valid_i && in_ready_o;
  assign slot_a     = take_a ? f_slot : in_i.who.slot[SlW-1:0];
  weft_ram_1r1w #(.W(WordW), .DEPTH(N_SLOT)) u_word (
    .clk_i, .we_i(clear_q || take_b_q || upd_b_q), .waddr_i(clear_q ? at_q : slot_b_q), .wdata_i(clear_q ? '0 : n),
    .re_i(take_a || upd_a), .raddr_i(slot_a), .rdata_o(ram)
  );

  // ---------------------------------------------------------------- b: its word
  assign w = same_q ? fwd_q : ram;
  always_comb begin
    n = w;
    if (take_b_q) begin
      n.pend = 1'b0;
    end else if (w.pend) begin
      // An FPDU out of the ring commits a part of what was stored.
      if (in_b_q.to > w.to) n.to = in_b_q.to;
      n.now   = w.now || in_b_q.now;
      n.first = w.first || in_b_q.first;
      n.fin   = w.fin || in_b_q.fin;
      n.pin   = w.pin || pin_b_q;
    end else begin
      n = {!direct_b, pin_b_q, in_b_q.who.qpn, in_b_q.from, in_b_q.to, in_b_q.now, in_b_q.first, in_b_q.fin};
    end
  end
  // Nothing waits: straight to the output.
  assign direct_b = upd_b_q && !w.pend && !f_v && (!out_v_q || out_go);
  assign put_b    = upd_b_q && !w.pend && !direct_b;
  weft_fifo #(.W(SlW), .DEPTH(N_SLOT)) u_set (
    .clk_i, .rst_ni, .in_valid_i(put_b), .in_ready_o(f_room), .in_data_i(slot_b_q),
    .out_valid_o(f_v), .out_ready_i(take_a), .out_data_o(f_slot), .count_o(f_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_b_q <= 1'b0;
      upd_b_q  <= 1'b0;
      turn_q   <= 1'b0;
      out_v_q  <= 1'b0;
    end else begin
      take_b_q <= take_a;
      upd_b_q  <= upd_a;
      turn_q   <= take_a;
      out_v_q  <= take_b_q || direct_b || (out_v_q && !out_go);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_a || upd_a) begin
      slot_b_q <= slot_a;
      in_b_q   <= in_i;
      pin_b_q  <= in_pin_i;
      same_q   <= (take_b_q || upd_b_q) && slot_b_q == slot_a;
      fwd_q    <= n;
    end
    if (take_b_q || direct_b) begin
      out_q          <= '0;
      out_q.who.qpn  <= n.qpn;
      out_q.who.slot <= 12'(slot_b_q);
      out_q.from     <= n.from;
      out_q.to       <= n.to;
      out_q.now      <= n.now;
      out_q.first    <= n.first;
      out_q.fin      <= n.fin;
      out_pin_q      <= n.pin;
    end
  end
  assign out_valid_o = out_v_q;
  assign out_o       = out_q;

  // ---------------------------------------------------------------- pins: one of a merge, one of a word that was taken
  logic        m_v, t_v, m_r;
  logic [11:0] m_slot;
  logic [2:0]  m_count;
  logic        m_room;
  weft_fifo #(.W(12), .DEPTH(4)) u_merge (
    .clk_i, .rst_ni, .in_valid_i(upd_b_q && w.pend && w.pin && pin_b_q), .in_ready_o(m_room), .in_data_i(12'(slot_b_q)),
    .out_valid_o(m_v), .out_ready_i(m_r), .out_data_o(m_slot), .count_o(m_count)
  );
  // A word is taken every second cycle at most, so the others never wait for long.
  assign t_v         = out_go && out_pin_q;
  assign m_r         = !t_v;
  assign drop_o      = t_v || m_v;
  assign drop_slot_o = t_v ? out_q.who.slot : m_slot;
  assign idle_o       = !in_valid_i && !take_b_q && !upd_b_q && !f_v && !out_v_q && !m_v && f_count == '0;
  assign stat_merge_o = upd_b_q && w.pend;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(put_b && !f_room)) else $error("%m: a slot twice");
      assert (!(upd_b_q && w.pend && w.pin && pin_b_q && !m_room)) else $error("%m: pins");
      assert (!(upd_b_q && w.pend && w.qpn != in_b_q.who.qpn)) else $error("%m: a slot changed hands over a commit");
    end
  end
`endif
  logic unused;
  assign unused = ^{f_room, m_count, m_room, in_b_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
