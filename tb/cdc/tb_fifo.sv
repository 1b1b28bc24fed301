// SPDX-License-Identifier: BSD-2-Clause
/// weft_async_fifo, weft_async_stream, weft_sync_bus, _pulse, _cfg between clocks 0 (in) and 1 (out).
/// Ports: 0 words in, 1 words out with their torn bit above,  4 bus in, 5 bus out,
/// 6 pulses out, 7 the copy of the settings, 8 swallowed frames, 9 resets as the sides see them.
module tb #(
  parameter int DATA_W = 64,
  parameter int DEPTH = 16
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function int tb_pulse_in();
  import "DPI-C" function int tb_cfg_in();
  localparam int CntW = $clog2(DATA_W / 8) + 1;
  logic wc, wr, rc, rr;
  tb_clock #(.ID(0)) u_wc (.clk_i, .clk_o(wc), .rst_no(wr));
  tb_clock #(.ID(1)) u_rc (.clk_i, .clk_o(rc), .rst_no(rr));

  logic iv, ir, ov, ordy, torn;
  logic [31:0] id, od;
  tb_src_item #(.ID(0), .W(32)) u_i (.clk_i(wc), .rst_ni(wr), .valid_o(iv), .ready_i(ir), .data_o(id));
  weft_async_fifo #(.W(32), .DEPTH(DEPTH)) u_fifo (.wr_clk_i(wc), .wr_rst_ni(wr), .wr_valid_i(iv), .wr_ready_o(ir),
    .wr_data_i(id), .wr_flush_o(), .rd_clk_i(rc), .rd_rst_ni(rr), .rd_valid_o(ov), .rd_ready_i(ordy), .rd_data_o(od),
    .rd_torn_o(torn), .rd_lost_o(), .rd_flush_o(), .wr_count_o(), .rd_count_o());
  tb_snk_item #(.ID(1), .W(33)) u_o (.clk_i(rc), .rst_ni(rr), .valid_i(ov), .ready_o(ordy), .data_i({torn, od}));

  logic sv, sr, sl, se, qv, qr, ql, qe, drop;
  logic [DATA_W-1:0] sd, qd;
  logic [CntW-1:0] sc, qc;
  logic ss;
  // A source that is reset forgets the frame that it was in.
  import "DPI-C" function int tb_frame_next(input int beat_bytes, output bit [511:0] data, output int cnt, output int last);
  import "DPI-C" function void tb_frame_reset();
  bit [511:0] fd;
  int fc, fl, got;
  assign se = 1'b0;
  assign ss = 1'b0;
  always @(posedge wc or negedge wr) begin
    if (!wr) begin
      sv <= 1'b0;
      tb_frame_reset();
    end else if (!sv || sr) begin
      got = tb_frame_next(DATA_W / 8, fd, fc, fl);
      sv <= got != 0;
      sd <= fd[DATA_W-1:0];
      sc <= CntW'(fc);
      sl <= fl != 0;
    end
  end
  weft_async_stream #(.DATA_W(DATA_W), .DEPTH(DEPTH)) u_stream (.wr_clk_i(wc), .wr_rst_ni(wr), .wr_valid_i(sv),
    .wr_ready_o(sr), .wr_data_i(sd), .wr_cnt_i(sc), .wr_last_i(sl), .wr_err_i(se), .stat_drop_o(drop), .rd_clk_i(rc),
    .rd_rst_ni(rr), .rd_valid_o(qv), .rd_ready_i(qr), .rd_data_o(qd), .rd_cnt_o(qc), .rd_last_o(ql), .rd_err_o(qe));
  // A sink that is reset forgets what it has of a frame. It checks that what is offered stands still.
  import "DPI-C" function void tb_sink_beat(input bit [511:0] data, input int cnt, input int last, input int err);
  import "DPI-C" function void tb_sink_reset();
  import "DPI-C" function int tb_sink_ready();
  import "DPI-C" function void tb_sv_fail(input string what);
  logic wait_q;
  logic [DATA_W+CntW+1:0] held_q;
  always @(posedge rc or negedge rr) begin
    if (!rr) begin
      qr     <= 1'b0;
      wait_q <= 1'b0;
      tb_sink_reset();
    end else begin
      if (qv && qr) tb_sink_beat(512'(qd), int'(qc), int'(ql), int'(qe));
      if (wait_q && (!qv || held_q != {qe, ql, qc, qd})) tb_sv_fail("a beat changed while it waited");
      wait_q <= qv && !qr;
      held_q <= {qe, ql, qc, qd};
      qr     <= tb_sink_ready() != 0;
    end
  end
  tb_snk_pulse #(.ID(8), .W(1)) u_d (.clk_i(wc), .rst_ni(wr), .valid_i(drop), .data_i(1'b0));

  logic bv, br, cv;
  logic [63:0] bd, cd;
  tb_src_item #(.ID(4), .W(64)) u_b (.clk_i(wc), .rst_ni(wr), .valid_o(bv), .ready_i(br), .data_o(bd));
  weft_sync_bus #(.W(64)) u_bus (.src_clk_i(wc), .src_rst_ni(wr), .src_valid_i(bv), .src_ready_o(br), .src_data_i(bd),
    .src_flush_o(), .dst_clk_i(rc), .dst_rst_ni(rr), .dst_valid_o(cv), .dst_data_o(cd));
  tb_snk_pulse #(.ID(5), .W(64)) u_c (.clk_i(rc), .rst_ni(rr), .valid_i(cv), .data_i(cd));

  logic pulse, pulse_out;
  logic [31:0] cfg, copy;
  always @(posedge wc or negedge wr)
    if (!wr) begin
      pulse <= 1'b0;
      cfg   <= 32'h1234_5678;
    end else begin
      pulse <= tb_pulse_in() != 0;
      cfg   <= tb_cfg_in();
    end
  weft_sync_pulse u_pulse (.src_clk_i(wc), .src_rst_ni(wr), .src_pulse_i(pulse), .dst_clk_i(rc), .dst_rst_ni(rr),
    .dst_pulse_o(pulse_out));
  tb_snk_pulse #(.ID(6), .W(1)) u_p (.clk_i(rc), .rst_ni(rr), .valid_i(pulse_out), .data_i(1'b0));
  weft_sync_cfg #(.W(32), .RST(32'h1234_5678)) u_cfg (.src_clk_i(wc), .src_rst_ni(wr), .src_i(cfg), .dst_clk_i(rc),
    .dst_rst_ni(rr), .dst_o(copy));
  tb_snk_pulse #(.ID(7), .W(32)) u_k (.clk_i(rc), .rst_ni(rr), .valid_i(1'b1), .data_i(copy));
  tb_snk_pulse #(.ID(9), .W(2)) u_r (.clk_i, .rst_ni(1'b1), .valid_i(1'b1), .data_i({rr, wr}));
  logic unused;
  assign unused = ^{ss, rst_ni};
endmodule
