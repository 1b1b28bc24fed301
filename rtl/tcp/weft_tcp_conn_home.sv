// SPDX-License-Identifier: BSD-2-Clause

/// Lines of homes on their way in and out. Lines 0 to 3 of a load are gathered; with line 3 the words of the slot are
/// cleared and the load is offered to the pipe, and line 3 is taken when its visit has ended: who hears of the
/// arrival finds the record and the view. Lines that never come to a line 3 are overwritten by the next line 0.
/// One save is under way at a time; its lines go out when the wheel has heard of its deadline. A touch that was under way
/// when ctx decided may have made an ACK due: the save is offered again until departure has answered it.
module weft_tcp_conn_home (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                load_valid_i,
  output logic                load_ready_o,
  input  weft_dp_pkg::line_t  load_i,
  output logic                clr_o,         ///< held until done
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
  input  logic [2047:0]       save_lines_i,
  input  logic                tmr_done_i,
  output logic                line_valid_o,
  input  logic                line_ready_i,
  output weft_dp_pkg::line_t  line_o,
  output logic                idle_o
);

  // ---------------------------------------------------------------- in
  typedef enum logic [1:0] {StGather, StClear, StItem, StWait} state_e;
  state_e        state_q;
  logic          last;
  logic [1535:0] in_q;
  assign last         = load_i.line == 3'd3;
  assign load_ready_o = state_q == StGather ? !last : state_q == StWait && load_end_i;
  assign clr_o        = state_q == StClear;
  assign item_valid_o = state_q == StItem;
  assign item_who_o   = load_i.who;
  assign lines_o      = {load_i.data, in_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StGather;
    else begin
      unique case (state_q)
        StGather: if (load_valid_i && last) state_q <= StClear;
        StClear:  if (clr_done_i) state_q <= StItem;
        StItem:   if (item_ready_i) state_q <= StWait;
        default:  if (load_end_i) state_q <= StGather;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (load_valid_i && state_q == StGather) begin
      for (int unsigned i = 0; i < 3; i++) if (load_i.line == 3'(i)) in_q[512*i+:512] <= load_i.data;
    end
  end

  // ---------------------------------------------------------------- out
  logic              busy_q, full_q, again_q;
  weft_dp_pkg::save_t save_q;
  logic [1:0]        at_q, tag_q;
  weft_dp_pkg::who_t who_q;
  logic [2047:0]     out_q;
  assign sv_valid_o   = (save_valid_i && !busy_q) || again_q;
  assign sv_o         = again_q ? save_q : save_i;
  assign save_ready_o = sv_ready_i && !busy_q && !again_q;
  assign line_valid_o = full_q && tmr_done_i;
  always_comb begin
    line_o.who  = who_q;
    line_o.tag  = tag_q;
    line_o.line = {1'b0, at_q};
    line_o.data = out_q[511:0];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      full_q <= 1'b0;
      again_q <= 1'b0;
      at_q   <= '0;
    end else begin
      again_q <= save_again_i || (again_q && !sv_ready_i);
      if (sv_valid_o && sv_ready_i) busy_q <= 1'b1;
      if (save_end_i) full_q <= 1'b1;
      if (line_valid_o && line_ready_i) begin
        at_q <= at_q + 2'd1;
        if (at_q == 2'd3) begin
          busy_q <= 1'b0;
          full_q <= 1'b0;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (save_valid_i && save_ready_o) save_q <= save_i;
    if (save_end_i) begin
      who_q <= save_who_i;
      tag_q <= save_tag_i;
      out_q <= save_lines_i;
    end else if (line_valid_o && line_ready_i) begin
      out_q <= {512'd0, out_q[2047:512]};
    end
  end
  logic unused;
  assign unused = ^{load_i.tag};
  assign idle_o = state_q == StGather && !load_valid_i && !busy_q && !save_valid_i;

endmodule
