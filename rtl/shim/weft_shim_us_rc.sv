// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The requester completion interface of PCIE4 (PG213 "Requester Completion Interface Operation", "Straddle Option
/// on RC Interface") to the core's completions, with straddling of up to four TLPs in a beat or without. A part of
/// one TLP a cycle.
///
/// A completion is stored whole: one whose end says `discontinue`, or that belongs to no request, is dropped, and
/// its read runs into the core's time-out. A request that the block has ended itself (time-out, byte count, no data,
/// address) fails at once: the core sees a completion with status UR. Poisoned ones keep that mark.
module weft_shim_us_rc (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         rc_tvalid_i,
  output logic         rc_tready_o,
  input  logic [511:0] rc_tdata_i,
  input  logic [160:0] rc_tuser_i,
  output logic         rx_cpl_valid_o,  ///< weft_core's
  input  logic         rx_cpl_ready_i,
  output logic [127:0] rx_cpl_hdr_o,
  output logic [511:0] rx_cpl_data_o,
  output logic         rx_cpl_last_o,
  output logic         idle_o
);

  // ---------------------------------------------------------------- parts of a beat
  logic        open_q, done, ends, fire, pk_ready, hdr_ready;
  logic [1:0]  sop_q, sop, start;   // starts used up; quarter in which the part starts
  logic [1:0]  eop_q;               // ends used up
  logic [3:0]  sops, eops, last_dw, from;
  logic [3:0]  sops_left, eops_left;
  logic        more_sop, empty;

  assign sops      = rc_tuser_i[weft_shim_us_pkg::RcSop+:4];
  assign eops      = rc_tuser_i[weft_shim_us_pkg::RcEop+:4];
  assign sops_left = sops >> sop_q;
  assign eops_left = eops >> eop_q;
  assign sop       = sop_q;
  assign start     = open_q ? 2'd0 : rc_tuser_i[weft_shim_us_pkg::RcSopPtr+2*sop+:2];
  assign ends      = eops_left[0];
  assign last_dw   = ends ? rc_tuser_i[weft_shim_us_pkg::RcEopPtr+4*eop_q+:4] : 4'd15;
  assign more_sop  = open_q ? sops_left[0] : sops_left[1];
  assign done      = !ends || !more_sop;
  assign empty     = !open_q && !sops_left[0];      // nothing of interest
  assign rc_tready_o = fire && done;
  assign fire      = rc_tvalid_i && pk_ready && hdr_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      sop_q  <= '0;
      eop_q  <= '0;
    end else if (fire) begin
      if (!empty) open_q <= !ends;
      sop_q <= done ? 2'd0 : sop_q + 2'(!open_q);
      eop_q <= done ? 2'd0 : eop_q + 2'(ends);
    end
  end

  // ---------------------------------------------------------------- header
  logic [95:0]  desc, hdr;
  logic [3:0]   code;
  logic         drop, fail, drop_q, fail_q, now_drop, now_fail;
  always_comb begin
    unique case (start)
      2'd0: desc = rc_tdata_i[0+:96];
      2'd1: desc = rc_tdata_i[128+:96];
      2'd2: desc = rc_tdata_i[256+:96];
      default: desc = rc_tdata_i[384+:96];
    endcase
  end
  assign code = desc[15:12];
  assign drop = code == weft_shim_us_pkg::ErrNobody || code == weft_shim_us_pkg::ErrTag;
  assign fail = code != weft_shim_us_pkg::ErrNone && code != weft_shim_us_pkg::ErrPoisoned && code != weft_shim_us_pkg::ErrStatus;
  always_comb begin
    hdr         = '0;
    hdr[31:24]  = desc[42:32] != '0 && !fail ? 8'h4a : 8'h0a;
    hdr[22:20]  = desc[91:89];
    hdr[18]     = desc[94];
    hdr[14]     = desc[46] || code == weft_shim_us_pkg::ErrPoisoned;
    hdr[13:12]  = desc[93:92];
    hdr[9:0]    = fail ? 10'd0 : desc[41:32];
    hdr[63:48]  = desc[87:72];
    hdr[47:45]  = fail ? 3'd1 : desc[45:43];
    hdr[43:32]  = desc[27:16];
    hdr[95:80]  = desc[63:48];
    hdr[79:72]  = desc[71:64];
    hdr[70:64]  = desc[6:0];
  end
  assign now_drop = open_q ? drop_q : drop;
  assign now_fail = open_q ? fail_q : fail;
  always_ff @(posedge clk_i) begin
    if (fire) begin
      drop_q <= now_drop;
      fail_q <= now_fail;
    end
  end

  // ---------------------------------------------------------------- payload, from lane 0 on
  logic         p_valid, p_ready, p_last, p_err, h_valid;
  logic [511:0] p_data;
  logic [6:0]   p_cnt, cnt;
  logic [95:0]  h_hdr;
  logic [4:0]   dwords;
  assign from   = open_q ? 4'd0 : {start, 2'b11};
  assign dwords = {1'b0, last_dw} + 5'd1 - {1'b0, from};
  assign cnt    = now_fail || (!open_q && last_dw < from) ? 7'd0 : {dwords, 2'b00};

  weft_stream_pack #(.DATA_W(512)) u_pack (
    .clk_i, .rst_ni, .in_valid_i(rc_tvalid_i && !empty && hdr_ready), .in_ready_o(pk_ready), .in_data_i(rc_tdata_i),
    .in_off_i(cnt == '0 ? 6'd0 : {from, 2'b00}), .in_cnt_i(cnt), .in_sure_i(!ends && !now_fail), .in_final_i(ends),
    .in_err_i(ends && (now_drop || rc_tuser_i[weft_shim_us_pkg::RcDiscontinue])), .in_pre_i(1'b0),
    .in_pre_cnt_i('0), .in_pre_data_i('0), .out_valid_o(p_valid), .out_ready_i(p_ready), .out_data_o(p_data),
    .out_cnt_o(p_cnt), .out_last_o(p_last), .out_err_o(p_err)
  );
  weft_fifo #(.W(96), .DEPTH(16)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(fire && !empty && !open_q), .in_ready_o(hdr_ready), .in_data_i(hdr),
    .out_valid_o(h_valid), .out_ready_i(p_valid && p_ready && p_last), .out_data_o(h_hdr), .count_o()
  );

  logic [95:0] out_hdr;
  logic        store_empty;
  weft_pkt_fifo #(.DATA_W(512), .DEPTH(64), .META_W(96), .MAX_PKTS(16)) u_store (
    .clk_i, .rst_ni, .in_valid_i(p_valid), .in_ready_o(p_ready), .in_data_i(p_data), .in_cnt_i(p_cnt),
    .in_last_i(p_last), .in_drop_i(p_err), .in_meta_i(h_hdr), .out_valid_o(rx_cpl_valid_o),
    .out_ready_i(rx_cpl_ready_i), .out_data_o(rx_cpl_data_o), .out_cnt_o(), .out_last_o(rx_cpl_last_o),
    .out_meta_o(out_hdr), .free_o(), .empty_o(store_empty), .stat_drop_o(), .stat_overflow_o()
  );
  assign rx_cpl_hdr_o = {32'd0, out_hdr};
  assign idle_o       = store_empty && !p_valid && !open_q && !rc_tvalid_i;

  logic unused;
  assign unused = ^{rc_tuser_i, desc, h_valid, sops_left[3:2], eops_left[3:1]};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!(p_valid && p_ready && p_last) || h_valid) else $error("weft_shim_us_rc: a completion without a header");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
