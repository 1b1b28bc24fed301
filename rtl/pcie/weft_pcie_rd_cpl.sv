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

  // ------------------------------------------------------------ C1: look up and check
  logic [18:0]      desc_mem [N_TAG];  // {offset, length} of the read
  logic [9:0]       left_mem [N_TAG];  // bytes not answered yet, once a completion came
  logic [N_TAG-1:0] fresh_q, bad_q;    // no completion yet; a poisoned one
  logic [TagW-1:0]  tag;
  logic [8:0]       off;
  logic [9:0]       len, left, pos, got;
  logic [10:0]      dwords, need;
  logic             is_cpl, has_data, ok_status, known, fits, cut_ok, good, refuse, final_c;

  assign is_cpl    = !c0_hdr_q[31] && c0_hdr_q[29:24] == 6'b001010 && (c0_hdr_q[79:72] >> TagW) == '0;
  assign has_data  = c0_hdr_q[30];
  assign ok_status = c0_hdr_q[47:45] == 3'd0;
  assign tag       = c0_hdr_q[72+:TagW];
  assign {off, len} = desc_mem[tag];
  assign left      = fresh_q[tag] ? len : left_mem[tag];
  assign pos       = {1'b0, off} + len - left;  // of the first byte, in the slot
  assign dwords    = {c0_hdr_q[9:0] == '0, c0_hdr_q[9:0]};
  assign need      = 11'(({1'b0, left} + 11'(pos[1:0]) + 11'd3) >> 2);
  assign got       = {dwords[7:0], 2'b00} - 10'(pos[1:0]);  // bytes, unless it is the last
  assign final_c   = dwords == need;
  // Not the last: it ends where the next can begin, at a multiple of 64
  assign cut_ok    = dwords < need && (4'(pos[5:2]) + dwords[3:0]) == 4'd0;
  assign known     = is_cpl && c0_hdr_q[95:80] == cfg_bdf_i && (out_i[tag] || quar_i[tag]) && left != '0
                     && !c0_hdr_q[23] && !c0_hdr_q[19];
  assign fits      = c0_hdr_q[43:32] == {2'b00, left} && c0_hdr_q[70:64] == pos[6:0] && (final_c || cut_ok);
  assign good      = known && has_data && ok_status && fits;
  assign refuse    = known && !has_data && !ok_status;

  logic step;
  assign step = c0_valid_q && c0_first_q && (good || refuse);

  always_ff @(posedge clk_i) begin
    if (alloc_i) desc_mem[alloc_tag_i] <= {alloc_off_i, alloc_len_i};
    if (step) left_mem[tag] <= (refuse || final_c) ? '0 : left - got;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      bad_q   <= '0;
    end else begin
      for (int unsigned t = 0; t < N_TAG; t++) begin
        if (step && tag == TagW'(t)) begin
          fresh_q[t] <= 1'b0;
          bad_q[t]   <= bad_q[t] || refuse || c0_hdr_q[14];
        end
        if (alloc_i && alloc_tag_i == TagW'(t)) begin
          fresh_q[t] <= 1'b1;
          bad_q[t]   <= 1'b0;
        end
      end
    end
  end

  // ------------------------------------------------------------ C2: position of each beat
  localparam int unsigned LaneW = $clog2(Lanes);

  logic              c2_valid_q, c2_good_q, c2_fin_q, c2_err_q, c2_last_q;
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
      c2_valid_q     <= c0_valid_q;
      stat_cpl_err_o <= step && (refuse || c0_hdr_q[14]);
      stat_cpl_bad_o <= c0_valid_q && c0_first_q && (!(good || refuse) || !out_i[tag]);
    end
  end

  always_ff @(posedge clk_i) begin
    c2_data_q <= c0_data_q;
    c2_last_q <= c0_last_q;
    if (c0_valid_q && c0_first_q) begin
      c2_tag_q  <= tag;
      c2_good_q <= good && out_i[tag];
      c2_fin_q  <= refuse || (good && final_c);
      c2_err_q  <= refuse || c0_hdr_q[14] || bad_q[tag];
      c2_pos_q  <= pos[8:2];
      c2_left_q <= has_data ? dwords[7:0] : '0;
    end else if (c0_valid_q) begin
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
    assign lane_addr[j] = {c2_tag_q, (LaneW'(j) < rot) ? row + 1'b1 : row};
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

  assign idle_o = in_first_q && !c0_valid_q && !c2_valid_q && !t_valid;

  logic unused;
  assign unused = ^{turn_ready, rx_cpl_hdr_i[127:96], c0_hdr_q, pos[9], dwords[10:8], need[10:8]};

endmodule
