// SPDX-License-Identifier: BSD-2-Clause

/// Lines of homes on their way in and out. Lines 0 to 3 of a load are gathered; from line 0 on the words of the slot are
/// cleared, and with line 3 the load is offered to the pipe, and line 3 is taken when its visit has ended: who hears of the
/// arrival finds the record and the view. Lines that never come to a line 3 are overwritten by the next line 0.
/// One save is in the pipe at a time; its lines go out when the wheel has heard of its deadline, and the next one is in the pipe
/// meanwhile. A touch that was under way when ctx decided may have made an ACK due: the save is offered again until departure has answered it.
module weft_tcp_conn_home (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                load_valid_i,
  output logic                load_ready_o,
  input  weft_dp_pkg::line_t  load_i,
  output logic                clr_o,         ///< held until done
  output logic [11:0]         clr_slot_o,
  input  logic                clr_done_i,
  output logic                item_valid_o,
  input  logic                item_ready_i,
  output weft_dp_pkg::who_t   item_who_o,
  output logic [2047:0]       lines_o,       ///< of the load, while its item is on its way
  input  logic                load_end_i,    ///< its visit has ended

  input  logic                save_valid_i,
  output logic                save_ready_o,
  input  weft_dp_pkg::save_t  save_i,
  output logic                sv_valid_o,    ///< to the pipe
  output weft_dp_pkg::save_t  sv_o,
  input  logic                sv_ready_i,
  input  logic                save_again_i,  ///< pulse: an ACK, an ask or weft_tcp_rack's answer is out: once more
  input  logic                save_end_i,    ///< pulse: the record and its key
  input  weft_dp_pkg::who_t   save_who_i,
  input  logic [1:0]          save_tag_i,
  input  logic [2047:0]       save_lines_i,  ///< they stay until a later save's visit ends
  input  logic                tmr_heard_i,   ///< pulse: the wheel has heard of the deadline of the oldest save that it had not
  output logic                line_valid_o,
  input  logic                line_ready_i,
  output weft_dp_pkg::line_t  line_o,
  output logic                idle_o
);

  // ---------------------------------------------------------------- in
  logic          wait_q, clr_q, last, first, take;
  logic [1535:0] in_q;
  assign first        = load_i.line == 3'd0;
  assign last         = load_i.line == 3'd3;
  assign load_ready_o = last ? wait_q && load_end_i : !(first && clr_q);
  assign take         = load_valid_i && load_ready_o;
  assign clr_o        = clr_q;
  assign item_valid_o = load_valid_i && last && !clr_q && !wait_q;
  assign item_who_o   = load_i.who;
  assign lines_o      = {load_i.data, in_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= 1'b0;
      clr_q  <= 1'b0;
    end else begin
      wait_q <= (item_valid_o && item_ready_i) || (wait_q && !load_end_i);
      clr_q  <= (take && first) || (clr_q && !clr_done_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      for (int unsigned i = 0; i < 3; i++) if (load_i.line == 3'(i)) in_q[512*i+:512] <= load_i.data;
    end
    if (take && first) clr_slot_o <= load_i.who.slot;
  end

  // ---------------------------------------------------------------- out
  // busy: a save is in the pipe; here: what it left lies at save_lines_i; full: lines go out, when the wheel has heard.
  logic              busy_q, here_q, full_q, again_q, room, move, out_end;
  weft_dp_pkg::save_t save_q;
  logic [1:0]        at_q, heard_q, tag_q, here_tag_q;  // heard: those of here and full
  weft_dp_pkg::who_t who_q, here_who_q;
  logic [2047:0]     out_q;
  // What lies at save_lines_i is gone before the next one's can come.
  assign room         = !busy_q && (!here_q || !full_q);
  assign sv_valid_o   = (save_valid_i && room) || again_q;
  assign sv_o         = again_q ? save_q : save_i;
  assign save_ready_o = sv_ready_i && room && !again_q;
  assign line_valid_o = full_q && heard_q != '0;
  assign out_end      = line_valid_o && line_ready_i && at_q == 2'd3;
  assign move         = here_q && (!full_q || out_end);
  always_comb begin
    line_o.who  = who_q;
    line_o.tag  = tag_q;
    line_o.line = {1'b0, at_q};
    line_o.data = out_q[511:0];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      here_q <= 1'b0;
      full_q <= 1'b0;
      again_q <= 1'b0;
      heard_q <= '0;
      at_q   <= '0;
    end else begin
      again_q <= save_again_i || (again_q && !sv_ready_i);
      busy_q  <= (sv_valid_o && sv_ready_i) || (busy_q && !save_end_i);
      here_q  <= save_end_i || (here_q && !move);
      full_q  <= move || (full_q && !out_end);
      heard_q <= heard_q + 2'(tmr_heard_i) - 2'(out_end);
      if (line_valid_o && line_ready_i) at_q <= at_q + 2'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (save_valid_i && save_ready_o) save_q <= save_i;
    if (save_end_i) begin
      here_who_q <= save_who_i;
      here_tag_q <= save_tag_i;
    end
    if (move) begin
      who_q <= here_who_q;
      tag_q <= here_tag_q;
      out_q <= save_lines_i;
    end else if (line_valid_o && line_ready_i) begin
      out_q <= {512'd0, out_q[2047:512]};
    end
  end
  assign idle_o = !wait_q && !clr_q && !load_valid_i && !busy_q && !here_q && !full_q && !save_valid_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(save_end_i && (!busy_q || here_q))) else $error("%m: a save's lines are overwritten");
      assert (!(tmr_heard_i && 3'(heard_q) >= 3'(here_q) + 3'(full_q))) else $error("%m: the wheel has heard of a save that is in the pipe");
      assert (!(load_end_i && !wait_q)) else $error("%m: a load that is not waited for");
    end
  end
`endif
  logic unused;
  assign unused = ^{load_i.tag};

endmodule
