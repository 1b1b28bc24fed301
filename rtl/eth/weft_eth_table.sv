// SPDX-License-Identifier: BSD-2-Clause

/// Look-up table: QPNs by hash. Two halves of N_QP * 5 / 32 buckets of four ways, so N_QP entries fill it to
/// 80 %; a key has a bucket in each, both are read at once, beside N_CAM overflow entries. An entry is a signature and a
/// QPN: a match is a candidate, whose key others compare.
///
/// Of the hash, bits 23:0 give the bucket of half 0 and bits 24 and up the signature. The bucket of half 1 is
/// (sum(signature) - bucket of half 0) modulo the buckets, and the other way round: so an entry can be
/// displaced to its other half by what stands in it.
///
/// A look-up enters every cycle and leaves three cycles later. One command at a time (LOOK_* of weft_abi) reads
/// in cycles in which no look-up does. INSERT takes the emptier bucket; when both are full it moves one of the eight entries
/// to its other half (which is written before the old place is, so a look-up finds it always), else the overflow memory.
module weft_eth_table #(
  parameter int unsigned N_QP = 64,    ///< power of two, 32 to 262,144
  parameter int unsigned SIG_W = 22,   ///< bits of a signature, 2 to 24
  parameter int unsigned N_CAM = 4,    ///< 1 to 8
  parameter int unsigned SIDE_W = 8,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic              ready_o,      ///< the sweep after reset is over

  input  logic              valid_i,
  input  logic [63:0]       hash_i,
  input  logic              behind_i,     ///< candidates behind `cand_i` only
  input  logic [3:0]        cand_i,
  input  logic [SIDE_W-1:0] side_i,
  output logic              valid_o,      ///< three cycles later
  output logic              hit_o,
  output logic [3:0]        cand_o,       ///< the first candidate
  output logic [23:0]       qpn_o,
  output logic [SIDE_W-1:0] side_o,

  input  logic              cmd_valid_i,  ///< pulse; never two under way
  input  logic              cmd_remove_i,
  input  logic [63:0]       cmd_hash_i,
  input  logic [23:0]       cmd_qpn_i,
  output logic              done_o,       ///< pulse
  output logic [2:0]        status_o,     ///< with done_o: weft_abi look_status
  output logic              stat_move_o   ///< pulse: an entry was displaced
);

  localparam int unsigned Half = N_QP * 5 / 32;
  localparam int unsigned IdxW = $clog2(Half);
  localparam int unsigned WayW = 1 + SIG_W + QpW;
  localparam int unsigned RowW = 4 * WayW;
  localparam int unsigned Cands = 8 + N_CAM;

  // Scales 24 bits to 0 .. Half - 1, evenly up to one in 2^10: Half is five times a power of two.
  function automatic logic [IdxW-1:0] scale(input logic [23:0] h);
    scale = IdxW'((27'(h) * 27'd5) >> (29 - QpW));
  endfunction
  function automatic logic [IdxW-1:0] sum_of(input logic [SIG_W-1:0] s);
    sum_of = scale(24'(s) << (24 - SIG_W));
  endfunction
  // The bucket of the other half; its own inverse.
  function automatic logic [IdxW-1:0] other(input logic [IdxW-1:0] sum, input logic [IdxW-1:0] at);
    other = sum >= at ? sum - at : IdxW'((IdxW + 1)'(sum) + (IdxW + 1)'(Half) - (IdxW + 1)'(at));
  endfunction

  // ---------------------------------------------------------------- stage 1: where
  logic              v1_q, v2_q, v3_q, behind1_q, behind2_q;
  logic [IdxW-1:0]   a1_q, b1_q, a2_q, c_a, c_b;
  logic [SIG_W-1:0]  sig1_q, sig2_q;
  logic [3:0]        cand1_q, cand2_q;
  logic [SIDE_W-1:0] side1_q, side2_q, side3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q <= 1'b0;
      v2_q <= 1'b0;
      v3_q <= 1'b0;
    end else begin
      v1_q <= valid_i;
      v2_q <= v1_q;
      v3_q <= v2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      a1_q      <= scale(hash_i[23:0]);
      b1_q      <= other(sum_of(hash_i[24+:SIG_W]), scale(hash_i[23:0]));
      sig1_q    <= hash_i[24+:SIG_W];
      behind1_q <= behind_i;
      cand1_q   <= cand_i;
      side1_q   <= side_i;
    end
    if (v1_q) begin
      a2_q      <= a1_q;
      sig2_q    <= sig1_q;
      behind2_q <= behind1_q;
      cand2_q   <= cand1_q;
      side2_q   <= side1_q;
    end
  end

  // ---------------------------------------------------------------- stage 2: the rows
  logic             sweep_q;
  logic [IdxW-1:0]  sweep_idx_q;
  logic [1:0]       re, we, c_re;
  logic [IdxW-1:0]  waddr, raddr0, raddr1;
  logic [RowW-1:0]  wdata;
  logic [3:0][WayW-1:0] row0, row1;
  assign ready_o = !sweep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q     <= 1'b1;
      sweep_idx_q <= '0;
    end else if (sweep_q) begin
      sweep_idx_q <= sweep_idx_q + IdxW'(1);
      sweep_q     <= sweep_idx_q != IdxW'(Half - 1);
    end
  end
  assign re     = {2{v1_q}} | c_re;
  assign raddr0 = v1_q ? a1_q : c_a;
  assign raddr1 = v1_q ? b1_q : c_b;
  weft_ram_1r1w #(.W(RowW), .DEPTH(Half)) u_half0 (
    .clk_i, .we_i(sweep_q || we[0]), .waddr_i(sweep_q ? sweep_idx_q : waddr), .wdata_i(sweep_q ? '0 : wdata),
    .re_i(re[0]), .raddr_i(raddr0), .rdata_o(row0)
  );
  weft_ram_1r1w #(.W(RowW), .DEPTH(Half)) u_half1 (
    .clk_i, .we_i(sweep_q || we[1]), .waddr_i(sweep_q ? sweep_idx_q : waddr), .wdata_i(sweep_q ? '0 : wdata),
    .re_i(re[1]), .raddr_i(raddr1), .rdata_o(row1)
  );

  logic [N_CAM-1:0]            cam_v_q;
  logic [N_CAM-1:0][SIG_W-1:0] cam_sig_q;
  logic [N_CAM-1:0][IdxW-1:0]  cam_at_q;   // bucket of half 0
  logic [N_CAM-1:0][QpW-1:0]   cam_qpn_q;

  // ---------------------------------------------------------------- stage 3: candidates
  logic [Cands-1:0]          match, match3_q;
  logic [Cands-1:0][QpW-1:0] qpn3_q, qpn2;
  always_comb begin
    match = '0;
    qpn2  = 'x;
    if (v2_q) begin
      for (int unsigned i = 0; i < 4; i++) begin
        match[i]    = row0[i][WayW-1:QpW] == {1'b1, sig2_q};
        match[4+i]  = row1[i][WayW-1:QpW] == {1'b1, sig2_q};
        qpn2[i]     = row0[i][QpW-1:0];
        qpn2[4+i]   = row1[i][QpW-1:0];
      end
      for (int unsigned i = 0; i < N_CAM; i++) begin
        match[8+i] = cam_v_q[i] && cam_sig_q[i] == sig2_q && cam_at_q[i] == a2_q;
        qpn2[8+i]  = cam_qpn_q[i];
      end
      for (int unsigned i = 0; i < Cands; i++) if (behind2_q && 4'(i) <= cand2_q) match[i] = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (v2_q) begin
      match3_q <= match;
      qpn3_q   <= qpn2;
      side3_q  <= side2_q;
    end
  end
  always_comb begin
    cand_o = '0;
    for (int unsigned i = 0; i < Cands; i++) if (match3_q[Cands-1-i]) cand_o = 4'(Cands - 1 - i);
    qpn_o = '0;
    for (int unsigned i = 0; i < Cands; i++) if (cand_o == 4'(i)) qpn_o = 24'(qpn3_q[i]);
  end
  assign valid_o = v3_q;
  assign hit_o   = match3_q != '0;
  assign side_o  = side3_q;

  // ---------------------------------------------------------------- commands
  typedef enum logic [2:0] {StIdle, StRead, StRow, StLook, StAlt, StAltRow, StMove, StEnd} state_e;
  state_e               state_q;
  logic                 remove_q, alt_half;
  logic [IdxW-1:0]      a_q, b_q, alt_q;
  logic [SIG_W-1:0]     sig_q;
  logic [QpW-1:0]       cq_q;
  logic [7:0][WayW-1:0] ways_q;
  logic [2:0]           victim_q;
  logic [3:0][WayW-1:0] alt_row_q, put_row;
  logic [7:0]           mine, used;
  logic [N_CAM-1:0]     cam_mine, cam_free, cam_first;
  logic [2:0]           n0, n1;
  logic                 place, half, room0, room1, alt_room;
  logic [WayW-1:0]      entry, moved;
  logic [3:0]           alt_used;
  logic [2:0]           status_d;

  assign entry = {1'b1, sig_q, cq_q};
  always_comb begin
    n0 = '0;
    n1 = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      used[i] = ways_q[i][WayW-1];
      mine[i] = ways_q[i] == entry;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      n0 = n0 + 3'(used[i]);
      n1 = n1 + 3'(used[4+i]);
      alt_used[i] = alt_row_q[i][WayW-1];
    end
    for (int unsigned i = 0; i < N_CAM; i++) begin
      cam_mine[i] = cam_v_q[i] && cam_sig_q[i] == sig_q && cam_at_q[i] == a_q && cam_qpn_q[i] == cq_q;
      cam_free[i] = !cam_v_q[i];
    end
    cam_first = cam_free & (~cam_free + N_CAM'(1));
  end
  assign room0    = n0 != 3'd4;
  assign room1    = n1 != 3'd4;
  assign half     = n1 < n0;
  assign alt_room = alt_used != 4'hf;
  assign moved    = ways_q[victim_q];
  assign alt_half = !victim_q[2];   // a victim of half 0 goes to half 1

  // Reads: in cycles without a look-up.
  assign c_re = v1_q ? 2'b00 : state_q == StRead ? 2'b11 : state_q == StAlt ? {alt_half, !alt_half} : 2'b00;
  assign c_a  = state_q == StRead ? a_q : alt_q;
  assign c_b  = state_q == StRead ? b_q : alt_q;

  // Writes: a row with one way changed.
  logic [2:0] put_way;
  logic       to_half;
  always_comb begin
    we      = 2'b00;
    put_row = 'x;
    waddr   = a_q;
    place   = 1'b0;
    to_half = 1'b0;
    put_way = '0;
    unique case (state_q)
      StLook: begin
        to_half = remove_q ? mine[3:0] == '0 : half;
        for (int unsigned i = 0; i < 4; i++) begin
          if (remove_q ? mine[{to_half, 2'(3 - i)}] : !used[{to_half, 2'(3 - i)}]) put_way = 3'(3 - i);
        end
        for (int unsigned i = 0; i < 4; i++) put_row[i] = ways_q[{to_half, 2'(i)}];
        for (int unsigned i = 0; i < 4; i++) if (put_way == 3'(i)) put_row[i] = remove_q ? '0 : entry;
        place = remove_q ? mine != '0 : mine == '0 && cam_mine == '0 && (room0 || room1);
        waddr = to_half ? b_q : a_q;
      end
      StAltRow: begin
        to_half = alt_half;
        for (int unsigned i = 0; i < 4; i++) if (!alt_used[3-i]) put_way = 3'(3 - i);
        put_row = alt_row_q;
        for (int unsigned i = 0; i < 4; i++) if (put_way == 3'(i)) put_row[i] = moved;
        place = alt_room && !got_q;
        waddr = alt_q;
      end
      StMove: begin
        to_half = victim_q[2];
        for (int unsigned i = 0; i < 4; i++) put_row[i] = victim_q[1:0] == 2'(i) ? entry : ways_q[{to_half, 2'(i)}];
        place = 1'b1;
        waddr = to_half ? b_q : a_q;
      end
      default: ;
    endcase
    if (place) we = to_half ? 2'b10 : 2'b01;
  end
  assign wdata = put_row;

  always_comb begin
    status_d = weft_abi_pkg::LOOK_STATUS_OK;
    if (remove_q) begin
      if (mine == '0 && cam_mine == '0) status_d = weft_abi_pkg::LOOK_STATUS_NOT_FOUND;
    end else if (mine != '0 || cam_mine != '0) status_d = weft_abi_pkg::LOOK_STATUS_EXISTS;
  end

  logic got_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      cam_v_q <= '0;
      got_q   <= 1'b0;
    end else begin
      got_q <= c_re != '0;
      unique case (state_q)
        StIdle:   if (cmd_valid_i) state_q <= StRead;
        StRead:   if (!v1_q) state_q <= StRow;
        StRow:    state_q <= StLook;
        StLook: begin
          if (remove_q) cam_v_q <= cam_v_q & ~cam_mine;
          state_q <= remove_q || place || mine != '0 || cam_mine != '0 ? StEnd : StAlt;
        end
        StAlt:    if (!v1_q) state_q <= StAltRow;
        // The row stands there in the first cycle, is kept, and looked at in the second.
        StAltRow: if (!got_q) begin
          if (alt_room) state_q <= StMove;
          else if (victim_q != 3'd7) state_q <= StAlt;
          else begin
            state_q <= StEnd;
            cam_v_q <= cam_v_q | cam_first;
          end
        end
        StMove:   state_q <= StEnd;
        default:  state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (cmd_valid_i) begin
        remove_q <= cmd_remove_i;
        a_q      <= scale(cmd_hash_i[23:0]);
        b_q      <= other(sum_of(cmd_hash_i[24+:SIG_W]), scale(cmd_hash_i[23:0]));
        sig_q    <= cmd_hash_i[24+:SIG_W];
        cq_q     <= cmd_qpn_i[QpW-1:0];
      end
      StRow: ways_q <= {row1, row0};
      StLook: begin
        status_o <= status_d;
        victim_q <= '0;
        alt_q    <= other(sum_of(ways_q[0][QpW+:SIG_W]), a_q);
      end
      StAltRow: begin
        if (got_q) alt_row_q <= alt_half ? row1 : row0;
        else if (!alt_room) begin
          victim_q <= victim_q + 3'd1;
          alt_q    <= other(sum_of(ways_q[victim_q+3'd1][QpW+:SIG_W]), victim_q >= 3'd3 ? b_q : a_q);
          if (victim_q == 3'd7 && cam_free == '0) status_o <= weft_abi_pkg::LOOK_STATUS_FULL;
          if (victim_q == 3'd7) begin
            for (int unsigned i = 0; i < N_CAM; i++) begin
              if (cam_first[i]) begin
                cam_sig_q[i] <= sig_q;
                cam_at_q[i]  <= a_q;
                cam_qpn_q[i] <= cq_q;
              end
            end
          end
        end
      end
      default: ;
    endcase
  end
  assign done_o      = state_q == StEnd;
  assign stat_move_o = state_q == StMove;

`ifndef SYNTHESIS
  initial begin
    if (N_QP < 32 || N_QP > 262144 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_eth_table: N_QP");
    if (SIG_W < 2 || SIG_W > 24) $fatal(1, "weft_eth_table: SIG_W");
    if (N_CAM < 1 || N_CAM > 8) $fatal(1, "weft_eth_table: N_CAM");
  end
  always_ff @(posedge clk_i) if (rst_ni && cmd_valid_i) assert (state_q == StIdle && !sweep_q);
`endif
  // The hash has more bits than are used here.
  logic unused;
  assign unused = ^{hash_i, cmd_hash_i, cmd_qpn_i};

endmodule
