// SPDX-License-Identifier: BSD-2-Clause

/// The core's writes, reads and completions as the one transmit stream of the 7-series integrated block for PCI
/// Express (PG054 "Transmit Interface"): header dwords, payload with its bytes in the order of the link, that is the
/// first in 31:24 of its dword. TLPs leave in the order in which they were taken, so no completion passes a write.
///
/// tvalid may fall inside a packet (PG054 "Source Throttling on the Transmit Datapath"; str is 0). A read is taken
/// only while the link partner has header credits for it (`fc_nph_i`, transmit credits available) beyond those of the
/// last 16 cycles, and may be withdrawn until then; writes and completions pass it meanwhile.
module weft_shim_s7_tx #(
  parameter int unsigned DATA_W = 64,  ///< 64 or 128
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              tx_rd_valid_i,  ///< weft_core's; may fall without ready
  output logic              tx_rd_ready_o,
  input  logic [127:0]      tx_rd_hdr_i,
  input  logic              tx_wr_valid_i,
  output logic              tx_wr_ready_o,
  input  logic [127:0]      tx_wr_hdr_i,
  input  logic [DATA_W-1:0] tx_wr_data_i,
  input  logic              tx_wr_last_i,
  input  logic              tx_cpl_valid_i,
  output logic              tx_cpl_ready_o,
  input  logic [127:0]      tx_cpl_hdr_i,
  input  logic [63:0]       tx_cpl_data_i,

  output logic              tx_tvalid_o,
  input  logic              tx_tready_i,
  output logic [DATA_W-1:0] tx_tdata_o,
  output logic [Bytes-1:0]  tx_tkeep_o,
  output logic              tx_tlast_o,
  input  logic [7:0]        fc_nph_i,
  output logic              idle_o
);

  // ---------------------------------------------------------------- reads: held here from when they are taken
  logic         rd_v_q, rd_take, fire, pick_wr, pick_rd, pick_cpl;
  logic [127:0] rd_hdr_q;
  logic [15:0]  recent_q;
  logic [4:0]   used;

  always_comb begin
    used = '0;
    for (int unsigned i = 0; i < 16; i++) used = used + 5'(recent_q[i]);
  end
  assign tx_rd_ready_o = !rd_v_q && fc_nph_i > {3'd0, used};
  assign rd_take       = tx_rd_valid_i && tx_rd_ready_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_v_q   <= 1'b0;
      recent_q <= '0;
    end else begin
      recent_q <= {recent_q[14:0], rd_take};
      if (rd_take) rd_v_q <= 1'b1;
      else if (fire && pick_rd) rd_v_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) if (rd_take) rd_hdr_q <= tx_rd_hdr_i;

  // ---------------------------------------------------------------- whose turn: between packets
  // The choice stands from when it is offered: a header may take more than a beat.
  logic       open_q, lock_q, in_valid, in_ready, in_last, hdr_ready, err;
  logic [1:0] turn_q, sel, sel_q;  // who went last; who goes: 0 write, 1 read, 2 completion
  always_comb begin
    sel = 2'd0;
    if (lock_q) sel = sel_q;
    else if (!open_q) begin
      // The one that went last waits for the others.
      unique case (turn_q)
        2'd0:    sel = rd_v_q ? 2'd1 : tx_cpl_valid_i ? 2'd2 : 2'd0;
        2'd1:    sel = tx_cpl_valid_i ? 2'd2 : tx_wr_valid_i ? 2'd0 : 2'd1;
        default: sel = tx_wr_valid_i ? 2'd0 : rd_v_q ? 2'd1 : 2'd2;
      endcase
    end
  end
  assign pick_wr        = sel == 2'd0;
  assign pick_rd        = sel == 2'd1;
  assign pick_cpl       = sel == 2'd2;
  assign in_valid       = pick_wr ? tx_wr_valid_i : pick_cpl ? tx_cpl_valid_i : rd_v_q;
  assign in_last        = pick_wr ? tx_wr_last_i : 1'b1;
  assign tx_wr_ready_o  = in_ready && pick_wr;
  assign tx_cpl_ready_o = in_ready && pick_cpl;
  assign fire           = in_valid && in_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      lock_q <= 1'b0;
      turn_q <= 2'd0;
      sel_q  <= 2'd0;
    end else begin
      lock_q <= in_valid && !fire && !open_q;
      sel_q  <= sel;
      if (fire) begin
        open_q <= !in_last;
        turn_q <= sel;
      end
    end
  end

  // ---------------------------------------------------------------- header in front of the payload
  function automatic logic [DATA_W-1:0] swap(input logic [DATA_W-1:0] d);
    for (int unsigned i = 0; i < Bytes; i++) swap[8*i+:8] = d[8*(i^3)+:8];
  endfunction

  logic [127:0]    hdr;
  logic [10:0]     left_q, left;
  logic [CntW-1:0] cnt, out_cnt;
  assign hdr  = pick_wr ? tx_wr_hdr_i : pick_rd ? rd_hdr_q : tx_cpl_hdr_i;
  assign left = open_q ? left_q : !hdr[30] ? 11'd0 : {hdr[9:0] == '0, hdr[9:0]};
  assign cnt  = left > 11'(Bytes / 4) ? CntW'(Bytes) : {left[CntW-3:0], 2'b00};
  always_ff @(posedge clk_i) if (fire) left_q <= left - 11'(Bytes / 4);

  weft_stream_prepend #(.DATA_W(DATA_W), .HDR_BYTES_MAX(16)) u_front (
    .clk_i, .rst_ni, .hdr_valid_i(in_valid), .hdr_ready_o(hdr_ready), .hdr_data_i(hdr),
    .hdr_len_i(hdr[29] ? 5'd16 : 5'd12), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_data_i(swap(pick_wr ? tx_wr_data_i : DATA_W'(tx_cpl_data_i))), .in_cnt_i(cnt), .in_last_i(in_last),
    .in_err_i(1'b0), .out_valid_o(tx_tvalid_o), .out_ready_i(tx_tready_i), .out_data_o(tx_tdata_o),
    .out_cnt_o(out_cnt), .out_last_o(tx_tlast_o), .out_err_o(err)
  );
  always_comb for (int unsigned i = 0; i < Bytes; i++) tx_tkeep_o[i] = CntW'(i) < out_cnt;

  // What was taken leaves some cycles later.
  logic [3:0] quiet_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quiet_q <= '0;
    else if (fire || open_q || rd_v_q || tx_tvalid_o) quiet_q <= '1;
    else if (quiet_q != '0) quiet_q <= quiet_q - 4'd1;
  end
  assign idle_o = quiet_q == '0 && !in_valid && !rd_v_q;

  logic unused;
  assign unused = ^{hdr_ready, err, tx_cpl_hdr_i};

endmodule
