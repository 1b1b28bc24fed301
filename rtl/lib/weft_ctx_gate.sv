// SPDX-License-Identifier: BSD-2-Clause

/// Lets messages in when their context is home (weft_ctx_store). One whose context is away steps
/// aside, up to DEPTH of them, and those of others pass; messages of one context stay in order. While
/// messages of one that has come home are given out, later ones of it wait, so none is in `parked_o`
/// without end. When every context is always home this is wires.
module weft_ctx_gate #(
  parameter int unsigned W = 8,      ///< bits of a message
  parameter int unsigned N = 16,     ///< contexts, a power of two
  parameter int unsigned DEPTH = 4,  ///< messages that wait, 2 or more
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N-1:0]    home_i,

  input  logic            in_valid_i,
  output logic            in_ready_o,
  input  logic [IdW-1:0]  in_id_i,
  input  logic [W-1:0]    in_data_i,

  output logic            out_valid_o,  ///< the context is in use from here on
  input  logic            out_ready_i,
  output logic [IdW-1:0]  out_id_o,
  output logic [W-1:0]    out_data_o,

  output logic [N-1:0]    want_o,
  output logic [N-1:0]    parked_o,     ///< contexts of which a message waits inside
  output logic            idle_o
);

  // Waiting messages, the oldest first; no gaps.
  logic [DEPTH-1:0]          valid_q, valid_d, can, shift;
  logic [DEPTH-1:0][IdW-1:0] id_q, id_d;
  logic [DEPTH-1:0][W-1:0]   data_q, data_d;
  // What was offered and not taken stays offered.
  logic                      lock_q, lock_in_q;
  logic [DEPTH-1:0]          sel, sel_q;
  logic                      old_go, in_away, in_same, pass, park, pop;

  always_comb begin
    in_same = 1'b0;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      can[i] = valid_q[i] && home_i[id_q[i]];
      if (valid_q[i] && id_q[i] == in_id_i) in_same = 1'b1;
    end
    // The oldest that can go; older ones of its context could, too.
    sel = '0;
    for (int unsigned i = 0; i < DEPTH; i++) if (can[i] && sel == '0) sel[i] = 1'b1;
    if (lock_q) sel = sel_q;
  end

  assign old_go  = sel != '0;
  assign in_away = !home_i[in_id_i];
  assign pass    = in_valid_i && (lock_q ? lock_in_q : !old_go && !in_away && !in_same);
  assign park    = in_valid_i && !pass && in_away && !valid_q[DEPTH-1];
  assign pop     = old_go && out_ready_i;

  assign out_valid_o = old_go || pass;
  assign in_ready_o  = pass ? out_ready_i : park;

  always_comb begin
    out_id_o  = in_id_i;
    out_data_o = in_data_i;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      if (sel[i]) begin
        out_id_o  = id_q[i];
        out_data_o = data_q[i];
      end
    end
  end

  // ---------------------------------------------------------------- close up, then append
  always_comb begin
    for (int unsigned i = 0; i < DEPTH; i++) begin
      shift[i] = 1'b0;
      for (int unsigned k = 0; k <= i; k++) if (pop && sel[k]) shift[i] = 1'b1;
    end
    valid_d = valid_q;
    id_d   = id_q;
    data_d  = data_q;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      if (shift[i]) begin
        valid_d[i] = 1'b0;
        if (i + 1 < DEPTH) begin
          valid_d[i] = valid_q[i+1];
          id_d[i]   = id_q[i+1];
          data_d[i]  = data_q[i+1];
        end
      end
    end
    for (int unsigned i = 0; i < DEPTH; i++) begin
      if (park && !valid_d[i] && (i == 0 || valid_d[i-1])) begin
        id_d[i]  = in_id_i;
        data_d[i] = in_data_i;
      end
    end
    if (park) valid_d = {valid_d[DEPTH-2:0], 1'b1};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      lock_q    <= 1'b0;
      lock_in_q <= 1'b0;
      sel_q     <= '0;
    end else begin
      valid_q   <= valid_d;
      lock_q    <= out_valid_o && !out_ready_i;
      lock_in_q <= pass;
      sel_q     <= sel;
    end
  end
  always_ff @(posedge clk_i) begin
    id_q  <= id_d;
    data_q <= data_d;
  end

  always_comb begin
    parked_o = '0;
    for (int unsigned i = 0; i < DEPTH; i++) if (valid_q[i]) parked_o[id_q[i]] = 1'b1;
    want_o = parked_o;
    if (in_valid_i) want_o[in_id_i] = 1'b1;
  end
  assign idle_o = !in_valid_i && valid_q == '0;

`ifndef SYNTHESIS
  initial if (DEPTH < 2) $fatal(1, "weft_ctx_gate: DEPTH");
  // What is offered stays, unchanged.
  logic [IdW-1:0] was_id_q;
  always_ff @(posedge clk_i) begin
    was_id_q <= in_id_i;
    if (rst_ni && lock_q && lock_in_q) assert (in_valid_i && in_id_i == was_id_q) else $error("%m: a message changed");
  end
`endif

endmodule
