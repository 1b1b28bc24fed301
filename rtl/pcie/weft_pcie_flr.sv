// SPDX-License-Identifier: BSD-2-Clause

/// Function-level reset: lets the register access in work end, stops new TLPs, waits until the streams outward have been quiet for a
/// while (so a TLP is never cut), resets the core and this engine, quarantines what was outstanding.
/// Handshake: `flr_req_i` stays high until `flr_done_o`, which stays high until `flr_req_i` falls.
/// A reset by register is the same: the core ors it into `flr_req_i`. `hold_o` keeps register accesses
/// that came behind it until it is done: a read must never be forgotten.
module weft_pcie_flr (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic flr_req_i,
  output logic flr_done_o,
  input  logic reg_idle_i,      ///< no register access in work
  input  logic busy_i,          ///< a TLP is offered outward or being made
  output logic hold_o,          ///< begin no register access
  output logic stop_o,          ///< make no new TLP
  output logic core_rst_req_o,  ///< reset of every room but this one, and of this one's queues
  output logic clr_o,           ///< forget clients, quarantine tags
  output logic idle_o
);

  typedef enum logic [2:0] {StRun, StHold, StQuiet, StReset, StDone} state_e;

  state_e     state_q;
  logic [4:0] count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StRun;
      count_q        <= '0;
      core_rst_req_o <= 1'b0;
    end else begin
      core_rst_req_o <= state_q == StReset;
      count_q        <= (state_q == StRun || state_q == StHold || (state_q == StQuiet && busy_i)) ? '0 : count_q + 5'd1;
      unique case (state_q)
        StRun:   if (flr_req_i) state_q <= StHold;
        StHold:  if (reg_idle_i) state_q <= StQuiet;
        StQuiet: if (!busy_i && count_q == '1) state_q <= StReset;
        StReset: if (count_q == '1) state_q <= StDone;
        StDone:  if (!flr_req_i) state_q <= StRun;
        default: state_q <= StRun;
      endcase
    end
  end

  assign hold_o     = state_q != StRun;
  assign stop_o     = state_q != StRun && state_q != StHold;
  assign clr_o      = core_rst_req_o;
  assign flr_done_o = state_q == StDone;
  assign idle_o     = state_q == StRun && !flr_req_i;

endmodule
