// SPDX-License-Identifier: BSD-2-Clause

/// Deadline of FPDUs that lie incomplete in a receive ring. A peer that stops inside an FPDU would keep its ring, in a slot or away
/// from it, and there are fewer rings than connections. So each ring says when it begins to wait for the rest of an FPDU and when
/// it does no more; one that waits LIMIT units of 2^SHIFT ns (one less at the least) is told, once. What was acknowledged cannot be
/// taken back, so its connection is to end: firmware's work, by QPN, wherever the connection is.
///
/// A ring that waits for this side (its FPDU was refused: no entry of a shared receive queue, say) may do so for as long as there are
/// rings for others: who finds none makes it scarce, in this unit and the next one; then such rings are told after KEPT units.
module weft_mpa_watch #(
  parameter int unsigned N_RING = 16,  ///< power of two, 2 to 4096
  parameter int unsigned SHIFT = 33,   ///< log2 of a unit in ns, up to 60
  parameter int unsigned LIMIT = 4,    ///< units, 2 to 12
  parameter int unsigned KEPT = 2,     ///< units, 1 to 12
  localparam int unsigned RidW = $clog2(N_RING)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [63:0]      now_ns_i,
  input  logic             set_i,        ///< pulse, not in the first N_RING cycles
  input  logic [RidW-1:0]  set_rid_i,
  input  logic             set_wait_i,   ///< it waits from now on, else no more
  input  logic             set_kept_i,   ///< for this side
  input  logic             scarce_i,     ///< pulse: somebody found no ring
  input  logic [23:0]      set_qpn_i,
  output logic             late_valid_o,
  input  logic             late_ready_i,
  output logic [23:0]      late_qpn_o
);

  typedef struct packed {
    logic        waits;
    logic        kept;
    logic [3:0]  since;
    logic [23:0] qpn;
  } ent_t;
  typedef enum logic [1:0] {WaClear, WaRead, WaLook, WaTell} wa_e;
  wa_e             wa_q;
  logic [RidW-1:0] at_q;
  logic [23:0]     qpn_q;
  logic [3:0]      unit, age;
  logic            off, crossed_q, late, next, scarce_q, scarce;
  logic [3:0]      scarce_at_q, scarce_age;
  ent_t            ent, set;

  assign unit = now_ns_i[SHIFT+:4];
  assign set  = {set_wait_i, set_kept_i, unit, set_qpn_i};
  assign off  = wa_q == WaClear || (wa_q == WaLook && late);
  weft_ram_1r1w #(.W(30), .DEPTH(N_RING)) u_rings (
    .clk_i, .we_i(set_i || off), .waddr_i(set_i ? set_rid_i : at_q), .wdata_i(set_i ? set : '0),
    .re_i(wa_q == WaRead), .raddr_i(at_q), .rdata_o(ent)
  );
  // One that says something just now is looked at in the next round.
  assign age  = unit - ent.since;
  assign late = ent.waits && (ent.kept ? scarce && age >= 4'(KEPT) : age >= 4'(LIMIT)) && !set_i && !crossed_q;
  // Forgotten before the unit comes round.
  assign scarce_age = unit - scarce_at_q;
  assign scarce     = scarce_q && scarce_age < 4'd2;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) scarce_q <= 1'b0;
    // One that is told may be enough: who finds none behind that asks again.
    else scarce_q <= scarce_i || (scarce && !(wa_q == WaLook && late && ent.kept));
  end
  always_ff @(posedge clk_i) if (scarce_i) scarce_at_q <= unit;
  assign next = wa_q == WaClear || (wa_q == WaLook && !late) || (wa_q == WaTell && late_ready_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wa_q      <= WaClear;
      at_q      <= '0;
      crossed_q <= 1'b0;
    end else begin
      crossed_q <= set_i;
      if (next) at_q <= at_q + RidW'(1);
      unique case (wa_q)
        WaClear: if (at_q == '1) wa_q <= WaRead;
        WaRead:  wa_q <= WaLook;
        WaLook:  wa_q <= late ? WaTell : WaRead;
        default: if (late_ready_i) wa_q <= WaRead;
      endcase
    end
  end
  always_ff @(posedge clk_i) if (wa_q == WaLook) qpn_q <= ent.qpn;
  assign late_valid_o = wa_q == WaTell;
  assign late_qpn_o   = qpn_q;

  logic unused;
  assign unused = ^now_ns_i;

`ifndef SYNTHESIS
  initial if (SHIFT > 60 || LIMIT < 2 || LIMIT > 12 || KEPT < 1 || KEPT > 12) $fatal(1, "weft_mpa_watch: SHIFT, LIMIT, KEPT");
  always_ff @(posedge clk_i) if (rst_ni) assert (!(set_i && wa_q == WaClear)) else $error("%m: a ring before the sweep");
`endif

endmodule
