// SPDX-License-Identifier: BSD-2-Clause

/// Received frames, as words with FCS, on their way to the core: FCS and length checked and taken
/// off,
/// MAC control frames taken out (IEEE 802.3 clause 31; PAUSE, annex 31B, is told to the
/// transmitter), a
/// record of each frame for the statistics. No back-pressure.
///
/// Frames leave while they come in (the core stores each anyway, so a store here would add a
/// frame's time
/// and its memory for nothing): one that turns out bad ends with `err`, and the core drops it. One
/// that is
/// longer than `max_len` is cut there. Of frames of less than 8 bytes nothing leaves.
module weft_mac_rx_frame (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // loop is the codec's
  input  weft_mac_pkg::rx_cfg_t cfg_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  logic                  in_valid_i,
  input  logic                  in_first_i,
  input  logic [63:0]           in_data_i,
  input  logic [3:0]            in_cnt_i,   ///< 8, with last 0 to 8
  input  logic                  in_last_i,
  input  logic                  in_err_i,   ///< with last
  input  logic                  in_bad_preamble_i,

  output logic                  out_valid_o,
  output logic [63:0]           out_data_o,
  output logic [3:0]            out_cnt_o,
  output logic                  out_last_o,
  output logic                  out_err_o,  ///< with last

  output logic                  pause_valid_o,  ///< a good PAUSE frame
  output logic [15:0]           pause_quanta_o, ///< with it
  output logic                  rec_valid_o,
  output weft_mac_pkg::rx_rec_t rec_o
);

  // ---------------------------------------------------------------- what is known before the end
  logic        valid, last;
  logic [23:0] len_q, len;          // bytes with this word
  logic [1:0]  word_q, word;        // 0, 1, 2, 3: first, second, third, later
  logic [47:0] da_q;
  logic        ctrl_q, ctrl, op_q, op, over, cut_q, on_q, on;
  logic [15:0] quanta_q;
  logic        single;

  // A frame that began while the receiver was off stays out.
  assign on     = in_first_i ? cfg_i.rx_en : on_q;
  assign valid  = in_valid_i && on;
  assign last   = valid && in_last_i;
  assign word   = in_first_i ? 2'd0 : word_q;
  assign len    = in_first_i ? 24'(in_cnt_i) : len_q > 24'hff_fff0 ? len_q : len_q + 24'(in_cnt_i);
  assign over   = len > {8'd0, cfg_i.max_len};
  assign single = in_first_i;
  assign ctrl   = word == 2'd1 ? in_data_i[47:32] == 16'h0888 && (!in_last_i || in_cnt_i >= 4'd6)
                               : word != 2'd0 && ctrl_q;
  assign op     = word == 2'd1 ? in_data_i[63:48] == 16'h0100 : op_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) on_q <= 1'b0;
    else if (in_valid_i) on_q <= on;
  end
  always_ff @(posedge clk_i) begin
    if (valid) begin
      word_q <= word == 2'd3 ? 2'd3 : word + 2'd1;
      len_q  <= len;
      ctrl_q <= ctrl;
      op_q   <= op;
      if (word == 2'd0) da_q <= in_data_i[47:0];
      if (word == 2'd2) quanta_q <= {in_data_i[7:0], in_data_i[15:8]};
    end
  end

  // ---------------------------------------------------------------- words without the FCS
  // A word leaves when the next one is there, which says how much of it is FCS.
  logic [63:0] hold_q, e_data_q;
  logic        e_valid_q, e_last_q, e_force_q, tail_q, cut;
  logic [3:0]  e_cnt_q, tail_cnt_q;

  // More than max_len: the word before ends it.
  assign cut = valid && !single && over && !cut_q && !ctrl;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      e_valid_q <= 1'b0;
      tail_q    <= 1'b0;
      cut_q     <= 1'b0;
    end else begin
      e_valid_q <= tail_q || (valid && !single && !ctrl && !cut_q);
      tail_q    <= last && !single && !ctrl && !cut_q && !cut && in_cnt_i > 4'd4;
      if (valid) cut_q <= !in_last_i && !single && (cut_q || cut);
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid) hold_q <= in_data_i;
    tail_cnt_q <= in_cnt_i - 4'd4;
    e_data_q   <= hold_q;
    e_force_q  <= cut && !tail_q;
    if (tail_q) begin
      e_cnt_q  <= tail_cnt_q;
      e_last_q <= 1'b1;
    end else begin
      e_last_q <= cut || (last && in_cnt_i <= 4'd4);
      e_cnt_q  <= !cut && last && in_cnt_i <= 4'd4 ? 4'd4 + in_cnt_i : 4'd8;
    end
  end

  // ---------------------------------------------------------------- the verdict, two cycles
  // behind the end
  logic fcs_done, fcs_ok;
  weft_mac_fcs_check u_fcs (
    .clk_i, .rst_ni, .valid_i(valid), .first_i(in_first_i), .data_i(in_data_i), .cnt_i(in_cnt_i),
    .last_i(in_last_i), .done_o(fcs_done), .ok_o(fcs_ok)
  );

  weft_mac_pkg::rx_rec_t r, r1_q, r2_q;
  logic [15:0] quanta1_q, quanta2_q;
  logic        single1_q, single2_q, pre1_q, pre2_q;

  logic [47:0] da;
  assign da = word == 2'd0 ? in_data_i[47:0] : da_q;
  always_comb begin
    r          = '0;
    r.code     = in_err_i;
    r.over     = over;
    r.mcast    = da[0];
    r.bcast    = da == '1;
    r.ctrl     = ctrl;
    r.pause    = ctrl && op && (da == 48'h0100_00c2_8001 || da == cfg_i.addr);
    r.len      = len;
  end

  logic        bad2, verdict_q;
  logic        o1_valid_q, o1_last_q, o1_force_q;
  logic [63:0] o1_data_q;
  logic [3:0]  o1_cnt_q;
  assign bad2 = !fcs_ok || r2_q.code || r2_q.over || r2_q.len < 24'd64;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rec_valid_o   <= 1'b0;
      pause_valid_o <= 1'b0;
      o1_valid_q    <= 1'b0;
      pre1_q        <= 1'b0;
      pre2_q        <= 1'b0;
    end else begin
      pre1_q        <= in_bad_preamble_i && cfg_i.rx_en;
      // A start that was none and a frame's end may fall together: the end goes first.
      pre2_q        <= pre1_q || (pre2_q && fcs_done);
      rec_valid_o   <= fcs_done || pre2_q;
      pause_valid_o <= fcs_done && r2_q.pause && !bad2;
      o1_valid_q    <= e_valid_q;
    end
  end
  always_ff @(posedge clk_i) begin
    r1_q      <= r;
    r2_q      <= r1_q;
    single1_q <= single;
    single2_q <= single1_q;
    quanta1_q <= word == 2'd2 ? {in_data_i[7:0], in_data_i[15:8]} : quanta_q;
    quanta2_q <= quanta1_q;
    pause_quanta_o <= quanta2_q;
    if (fcs_done && !single2_q) verdict_q <= bad2;
    rec_o       <= r2_q;
    rec_o.fcs   <= !fcs_ok;
    rec_o.pause <= r2_q.pause && !bad2;
    rec_o.preamble <= !fcs_done;
    o1_data_q   <= e_data_q;
    o1_cnt_q    <= e_cnt_q;
    o1_last_q   <= e_last_q;
    o1_force_q  <= e_force_q;
  end

  // One more stage, so that the verdict is there with a last word in any place.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else out_valid_o <= o1_valid_q;
  end
  logic force_q;
  always_ff @(posedge clk_i) begin
    out_data_o <= o1_data_q;
    out_cnt_o  <= o1_cnt_q;
    out_last_o <= o1_last_q;
    force_q    <= o1_force_q;
  end
  assign out_err_o = force_q || verdict_q;

endmodule
