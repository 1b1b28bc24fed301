// SPDX-License-Identifier: BSD-2-Clause

/// Takes completions, checks them against the read that they answer and turns their payload to its
/// place in the tag's slot. A byte lies in its slot where its address modulo 512 says, so each
/// dword lane of the buffer has its own row address and a beat of any alignment takes one cycle.
/// Always ready.
///
/// Wrong completions (no such tag outstanding, other requester, byte count, lower address or length
/// that do not continue the read) are dropped and counted; the read then runs into its time-out.
/// Poisoned data is written but fails the read; a status other than success ends it at once.
module weft_pcie_rd_cpl #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_TAG  = 64,
  localparam int unsigned TagW  = $clog2(N_TAG),
  localparam int unsigned Lanes = DATA_W / 32,
  localparam int unsigned RowW  = 7 - $clog2(Lanes)  // rows of a slot
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [15:0]       cfg_bdf_i,

  input  logic              rx_cpl_valid_i,
  input  logic [127:0]      rx_cpl_hdr_i,
  input  logic [DATA_W-1:0] rx_cpl_data_i,
  input  logic              rx_cpl_last_i,

  input  logic              alloc_i,       ///< a read takes a tag
  input  logic [TagW-1:0]   alloc_tag_i,
  input  logic [8:0]        alloc_off_i,
  input  logic [9:0]        alloc_len_i,
  input  logic [N_TAG-1:0]  out_i,         ///< outstanding
  input  logic [N_TAG-1:0]  quar_i,        ///< quarantined

  output logic [Lanes-1:0]           we_o, ///< write port of the buffer, one row address a lane
  output logic [Lanes-1:0][TagW+RowW-1:0] waddr_o,
  output logic [DATA_W-1:0]          wdata_o,

  output logic              fin_o,         ///< last completion of this tag; its data is written in 3 cycles
  output logic [TagW-1:0]   fin_tag_o,
  output logic              fin_err_o,
  output logic              fin_late_o,  ///< it came in the tag's quarantine, of which it says the end if that lasts

  output logic              idle_o,
  output logic              stat_cpl_err_o,  ///< UR, CA, CRS or poisoned
  output logic              stat_cpl_bad_o   ///< dropped
);

  // ------------------------------------------------------------ C0: register
  logic              c0_valid_q, c0_first_q, c0_last_q, in_first_q;
  logic [95:0]       c0_hdr_q;
  logic [DATA_W-1:0] c0_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      c0_valid_q <= 1'b0;
      in_first_q <= 1'b1;
    end else begin
      c0_valid_q <= rx_cpl_valid_i;
      if (rx_cpl_valid_i) in_first_q <= rx_cpl_last_i;
    end
  end

  always_ff @(posedge clk_i) begin
    c0_first_q <= in_first_q;
    c0_last_q  <= rx_cpl_last_i;
    c0_hdr_q   <= rx_cpl_hdr_i[95:0];
    c0_data_q  <= rx_cpl_data_i;
  end

  // ------------------------------------------------------------ C0: look up
  // A read is known by the slot positions of its next byte and of its end.
  logic [18:0]      desc_mem [N_TAG];  // {first position, end}
  logic [9:0]       pos_mem [N_TAG];   // position of the next byte, once a completion came
  logic [N_TAG-1:0] fresh_q, bad_q;    // no completion yet; a poisoned one
  logic [TagW-1:0]  c0_tag, c1_tag;
  logic [8:0]       c0_off;
  logic [9:0]       c0_end, pos_d;
  logic             step, same;

  assign c0_tag           = c0_hdr_q[72+:TagW];
  assign {c0_off, c0_end} = desc_mem[c0_tag];

  logic              c1_valid_q, c1_first_q, c1_last_q, c1_out_q, c1_quar_q, c1_bad_q;
  logic [95:0]       c1_hdr_q;
  logic [DATA_W-1:0] c1_data_q;
  logic [9:0]        c1_pos_q, c1_end_q;

  // The completion in front may be of the same read
  assign same = step && c1_tag == c0_tag;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c1_valid_q <= 1'b0;
    else c1_valid_q <= c0_valid_q;
  end

  always_ff @(posedge clk_i) begin
    c1_first_q <= c0_first_q;
    c1_last_q  <= c0_last_q;
    c1_hdr_q   <= c0_hdr_q;
    c1_data_q  <= c0_data_q;
    c1_end_q   <= c0_end;
    c1_pos_q   <= same ? pos_d : fresh_q[c0_tag] ? {1'b0, c0_off} : pos_mem[c0_tag];
    c1_out_q   <= out_i[c0_tag];
    c1_quar_q  <= quar_i[c0_tag];
    c1_bad_q   <= bad_q[c0_tag] || (same && c1_hdr_q[14]);
  end

  // ------------------------------------------------------------ C1: check
  logic [10:0] dwords;
  logic [7:0]  end_dw;
  logic [11:0] next_dw;
  logic        is_cpl, has_data, ok_status, known, fits, cut_ok, good, refuse, final_c;

  assign c1_tag    = c1_hdr_q[72+:TagW];
  assign is_cpl    = !c1_hdr_q[31] && c1_hdr_q[29:24] == 6'b001010 && (c1_hdr_q[79:72] >> TagW) == '0
                     && !c1_hdr_q[23] && !c1_hdr_q[19];
  assign has_data  = c1_hdr_q[30];
  assign ok_status = c1_hdr_q[47:45] == 3'd0;
  assign dwords    = {c1_hdr_q[9:0] == '0, c1_hdr_q[9:0]};
  assign end_dw    = c1_end_q[9:2] + 8'(c1_end_q[1:0] != 2'd0);
  assign next_dw   = {4'd0, c1_pos_q[9:2]} + {1'b0, dwords};
  assign final_c   = next_dw == {4'd0, end_dw};
  // Not the last: it ends where the next can begin, at a multiple of 64
  assign cut_ok    = next_dw < {4'd0, end_dw} && next_dw[3:0] == 4'd0;
  assign known     = is_cpl && c1_hdr_q[95:80] == cfg_bdf_i && (c1_out_q || c1_quar_q) && c1_pos_q != c1_end_q;
  assign fits      = {3'd0, c1_end_q} == {3'd0, c1_pos_q} + {c1_hdr_q[43:32] == '0, c1_hdr_q[43:32]}
                     && c1_hdr_q[70:64] == c1_pos_q[6:0] && (final_c || cut_ok);
  assign good      = known && has_data && ok_status && fits;
  assign refuse    = known && !has_data && !ok_status;
  assign step      = c1_valid_q && c1_first_q && (good || refuse);
  assign pos_d     = (refuse || final_c) ? c1_end_q : {next_dw[7:0], 2'b00};

  always_ff @(posedge clk_i) begin
    if (alloc_i) desc_mem[alloc_tag_i] <= {alloc_off_i, {1'b0, alloc_off_i} + alloc_len_i};
    if (step) pos_mem[c1_tag] <= pos_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      bad_q   <= '0;
    end else begin
      fresh_q <= (fresh_q & ~(step ? N_TAG'(1) << c1_tag : '0)) | (alloc_i ? N_TAG'(1) << alloc_tag_i : '0);
      bad_q   <= (bad_q | (step && c1_hdr_q[14] ? N_TAG'(1) << c1_tag : '0)) & ~(alloc_i ? N_TAG'(1) << alloc_tag_i : '0);
    end
  end

  // ------------------------------------------------------------ C2: position of each beat
  localparam int unsigned LaneW = $clog2(Lanes);

  logic              c2_valid_q, c2_good_q, c2_fin_q, c2_err_q, c2_late_q, c2_last_q;
  logic [TagW-1:0]   c2_tag_q;
  logic [6:0]        c2_pos_q;   // dword in the slot of the beat's first
  logic [7:0]        c2_left_q;  // dwords of the completion from this beat on
  logic [DATA_W-1:0] c2_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      c2_valid_q     <= 1'b0;
      stat_cpl_err_o <= 1'b0;
      stat_cpl_bad_o <= 1'b0;
    end else begin
      c2_valid_q     <= c1_valid_q;
      stat_cpl_err_o <= step && (refuse || c1_hdr_q[14]);
      stat_cpl_bad_o <= c1_valid_q && c1_first_q && (!(good || refuse) || !c1_out_q);
    end
  end

  always_ff @(posedge clk_i) begin
    c2_data_q <= c1_data_q;
    c2_last_q <= c1_last_q;
    if (c1_valid_q && c1_first_q) begin
      c2_tag_q  <= c1_tag;
      c2_good_q <= good && c1_out_q;
      c2_fin_q  <= refuse || (good && final_c);
      c2_err_q  <= refuse || c1_hdr_q[14] || c1_bad_q;
      c2_late_q <= !c1_out_q;
      c2_pos_q  <= c1_pos_q[8:2];
      c2_left_q <= has_data ? dwords[7:0] : '0;
    end else if (c1_valid_q) begin
      c2_pos_q  <= c2_pos_q + 7'(Lanes);
      c2_left_q <= (c2_left_q > 8'(Lanes)) ? c2_left_q - 8'(Lanes) : '0;
    end
  end

  // ------------------------------------------------------------ C3: lanes; then turn the data
  localparam int unsigned SideW = Lanes + Lanes * (TagW + RowW);

  logic [Lanes-1:0]                lane_we;
  logic [Lanes-1:0][TagW+RowW-1:0] lane_addr;
  logic                            turn_ready, t_valid;
  logic [SideW-1:0]                side;
  logic [LaneW-1:0]                rot;
  logic [RowW-1:0]                 row;
  logic [Lanes-1:0]                t_we;

  assign rot = c2_pos_q[LaneW-1:0];
  assign row = c2_pos_q[6:LaneW];

  for (genvar j = 0; j < Lanes; j++) begin : gen_lane
    // Lane j holds dword (j - rot) mod Lanes of the beat, in the next row when that wrapped
    logic [LaneW-1:0] from;
    assign from         = LaneW'(j) - rot;
    assign lane_we[j]   = c2_valid_q && c2_good_q && 8'(from) < c2_left_q;
    // The comparison is constant for the highest lane
    /* verilator lint_off CMPCONST */
    assign lane_addr[j] = {c2_tag_q, (LaneW'(j) < rot) ? row + 1'b1 : row};
    /* verilator lint_on CMPCONST */
  end

  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(SideW)) u_turn (
    .clk_i, .rst_ni, .in_valid_i(c2_valid_q), .in_ready_o(turn_ready), .in_data_i(c2_data_q), .in_rot_i({rot, 2'b00}),
    .in_side_i({lane_we, lane_addr}),
    .out_valid_o(t_valid), .out_ready_i(1'b1), .out_data_o(wdata_o), .out_side_o(side)
  );

  assign {t_we, waddr_o} = side;
  assign we_o = t_valid ? t_we : '0;

  // Ahead of the data: whoever hears of it needs 5 cycles and more to the first read of the buffer
  assign fin_o     = c2_valid_q && c2_last_q && c2_fin_q;
  assign fin_tag_o = c2_tag_q;
  assign fin_err_o = c2_err_q || c2_left_q > 8'(Lanes);
  // Of many beats: the quarantine may end, and the tag be another read's, before the last one.
  assign fin_late_o = c2_late_q;

  assign idle_o = in_first_q && !c0_valid_q && !c1_valid_q && !c2_valid_q && !t_valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!c2_valid_q || turn_ready) else $error("weft_pcie_rd_cpl: the rotator is held up");
  end
`endif

  logic unused;
  assign unused = ^{rx_cpl_hdr_i[127:96], c1_hdr_q};

endmodule
