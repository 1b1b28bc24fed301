// SPDX-License-Identifier: BSD-2-Clause

/// Posted stream: packets of the write clients and MSI-X messages become memory write TLPs.
///
/// A packet is taken whole before the next one is begun, and packets leave in the order in which
/// their first beats were taken. A client that has begun a packet must bring the rest without
/// waiting for anybody else. Packets are cut at addresses that are multiples of MPS, so at 4 KiB
/// too. Between packets and TLPs no cycle is lost: one beat a cycle leaves as long as beats come.
///
/// While `run_i` is low packets (or what is left of them at the next TLP) are taken, thrown away and
/// counted, messages are given back to weft_pcie_msix; a TLP that has begun leaves whole.
module weft_pcie_wr #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_WR   = 5,   ///< clients
  localparam int unsigned CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           run_i,      ///< bus master enabled, no reset under way
  input  logic [15:0]                    cfg_bdf_i,
  input  logic [2:0]                     cfg_mps_i,

  input  logic [N_WR-1:0]                wr_valid_i,
  output logic [N_WR-1:0]                wr_ready_o,
  input  logic [N_WR-1:0][79:0]          wr_hdr_i,       ///< weft_pkg::dma_wr_hdr_t each
  input  logic [N_WR-1:0][DATA_W-1:0]    wr_data_i,
  input  logic [N_WR-1:0][CNT_W-1:0]     wr_cnt_i,
  input  logic [N_WR-1:0]                wr_last_i,

  input  logic                           msg_valid_i,
  output logic                           msg_ready_o,
  input  logic [63:0]                    msg_addr_i,
  input  logic [31:0]                    msg_data_i,
  input  logic [10:0]                    msg_vector_i,
  output logic                           lost_valid_o,   ///< message thrown away
  output logic [10:0]                    lost_vector_o,

  output logic [7:0]                     wr_acc_o,       ///< packets begun, modulo 256
  output logic [7:0]                     wr_left_o,      ///< packets that have left or were dropped

  output logic                           tx_wr_valid_o,
  input  logic                           tx_wr_ready_i,
  output logic [127:0]                   tx_wr_hdr_o,
  output logic [DATA_W-1:0]              tx_wr_data_o,
  output logic                           tx_wr_last_o,

  output logic                           open_o,         ///< a TLP that will leave is being made
  output logic                           idle_o,
  output logic                           stat_wr_tlp_o,
  output logic                           stat_wr_dropped_o  ///< packet dropped
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned HdrW  = 64 + 16 + 1 + 11;

  // ------------------------------------------------------------ one packet at a time
  logic [N_WR:0]     req, gnt, sel, lock_q;
  logic              locked_q, room, take, a_last, dready, hready;
  logic [DATA_W-1:0] a_data;
  logic [HdrW-1:0]   a_hdr;
  logic [$clog2(N_WR+1)-1:0] gnt_idx;
  logic              gnt_valid;
  weft_pkg::dma_wr_hdr_t a_wh;

  assign req  = {msg_valid_i, wr_valid_i};
  assign sel  = locked_q ? lock_q : gnt;
  assign room = dready && hready;
  assign take = room && (sel & req) != '0;
  assign wr_ready_o  = sel[N_WR-1:0] & {N_WR{room}};
  assign msg_ready_o = sel[N_WR] && room;

  weft_arb_rr #(.N(N_WR + 1)) u_arb (
    .clk_i, .rst_ni, .req_i(req), .advance_i(take && !locked_q), .valid_o(gnt_valid), .gnt_o(gnt), .idx_o(gnt_idx)
  );

  always_comb begin
    a_data = sel[N_WR] ? DATA_W'(msg_data_i) : '0;
    a_wh   = '0;
    a_last = sel[N_WR];
    for (int unsigned i = 0; i < N_WR; i++) begin
      if (sel[i]) begin
        a_data = a_data | wr_data_i[i];
        a_wh   = a_wh | wr_hdr_i[i];
        a_last = a_last | wr_last_i[i];
      end
    end
    a_hdr = sel[N_WR] ? {msg_addr_i, 16'd4, 1'b1, msg_vector_i} : {a_wh.addr, a_wh.len, 1'b0, 11'd0};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      locked_q <= 1'b0;
      wr_acc_o <= '0;
    end else if (take) begin
      locked_q <= !a_last;
      if (!locked_q) wr_acc_o <= wr_acc_o + 8'd1;
    end
  end

  always_ff @(posedge clk_i) if (!locked_q) lock_q <= gnt;

  // ------------------------------------------------------------ queues of beats and headers
  logic              d_valid, d_pop, h_valid, h_ready;
  logic [DATA_W-1:0] d_data;
  logic [HdrW-1:0]   h_hdr;
  logic [4:0]        d_count, h_count;

  weft_fifo #(.W(DATA_W), .DEPTH(16)) u_data (
    .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(dready), .in_data_i(a_data),
    .out_valid_o(d_valid), .out_ready_i(d_pop), .out_data_o(d_data), .count_o(d_count)
  );
  weft_fifo #(.W(HdrW), .DEPTH(16)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(take && !locked_q), .in_ready_o(hready), .in_data_i(a_hdr),
    .out_valid_o(h_valid), .out_ready_i(h_ready), .out_data_o(h_hdr), .count_o(h_count)
  );

  // ------------------------------------------------------------ first TLP of a packet, computed ahead
  logic        p_valid, p_ready;
  logic [63:2] p_addr;
  logic [1:0]  p_off;
  logic [16:0] p_len;
  logic [12:0] p_first, p_blk;
  logic        p_msi;
  logic [10:0] p_vec;

  weft_pcie_wr_hdr u_wh (
    .clk_i, .rst_ni, .cfg_mps_i, .in_valid_i(h_valid), .in_ready_o(h_ready), .in_hdr_i(h_hdr),
    .out_valid_o(p_valid), .out_ready_i(p_ready), .out_addr_o(p_addr), .out_off_o(p_off), .out_len_o(p_len),
    .out_first_o(p_first), .out_blk_o(p_blk), .out_msi_o(p_msi), .out_vec_o(p_vec)
  );

  // ------------------------------------------------------------ beats of TLPs
  // Packet bytes are counted with `off` bytes in front, from the first dword on. `have_q` bytes at
  // the end of prev_q are not sent yet; at the start of a packet these are the `off` bytes of noise.
  logic              c_valid_q, c_first_q, c_msi_q, c_drop_q;
  logic [63:2]       c_addr_q;
  logic [1:0]        c_off_q;
  logic [10:0]       c_vec_q;
  logic [16:0]       c_rest_q;            // bytes of the packet behind this TLP
  logic [12:0]       c_size_q, c_left_q, c_blk_q;  // bytes of this TLP, and of it not sent
  logic [CNT_W-1:0]  have_q;
  logic [DATA_W-1:0] prev_q;
  // Known a beat ahead, because everything here waits for them: the TLP's last beat; nothing of the
  // packet is behind this TLP.
  logic              beat_last_q, tlp_last_q;
  logic              need, go, mix_ready, load, over_blk;
  logic [CNT_W-1:0]  n;
  logic [DATA_W-1:0] mix;

  assign n         = beat_last_q ? c_left_q[CNT_W-1:0] : CNT_W'(Bytes);
  assign need      = n > have_q;
  assign go        = c_valid_q && mix_ready && (d_valid || !need);
  assign d_pop     = go && need;
  assign load      = p_valid && (!c_valid_q || (go && beat_last_q && tlp_last_q));
  assign p_ready   = load;
  assign over_blk  = c_rest_q > 17'(c_blk_q);

  always_comb begin
    for (int unsigned i = 0; i < Bytes; i++)
      mix[8*i+:8] = (have_q >= CNT_W'(Bytes - i)) ? prev_q[8*i+:8] : d_data[8*i+:8];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c_valid_q <= 1'b0;
    else if (load) c_valid_q <= 1'b1;
    else if (go && beat_last_q && tlp_last_q) c_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (d_pop) prev_q <= d_data;
    if (load) begin
      c_first_q <= 1'b1;
      c_msi_q   <= p_msi;
      c_drop_q  <= !run_i;
      c_addr_q  <= p_addr;
      c_off_q   <= p_off;
      c_vec_q   <= p_vec;
      c_size_q  <= p_first;
      c_blk_q   <= p_blk;
      c_left_q  <= p_first;
      c_rest_q  <= p_len - 17'(p_first);
      have_q    <= CNT_W'(p_off);
      beat_last_q <= p_first <= 13'(Bytes);
      tlp_last_q  <= p_len == 17'(p_first);
    end else if (go) begin
      have_q   <= need ? have_q + CNT_W'(Bytes) - n : have_q - n;
      c_left_q <= c_left_q - 13'(n);
      beat_last_q <= c_left_q <= 13'(2 * Bytes);
      if (beat_last_q) begin
        c_first_q <= 1'b0;
        c_drop_q  <= c_drop_q || !run_i;
        c_addr_q  <= c_addr_q + 62'(c_size_q[12:2]);
        c_size_q  <= over_blk ? c_blk_q : c_rest_q[12:0];
        c_left_q  <= over_blk ? c_blk_q : c_rest_q[12:0];
        c_rest_q  <= over_blk ? c_rest_q - 17'(c_blk_q) : '0;
        beat_last_q <= c_rest_q <= 17'(Bytes);  // a block is longer than a beat
        tlp_last_q  <= !over_blk;
      end
    end
  end

  // ------------------------------------------------------------ header
  logic [10:0]  dwords;
  logic [3:0]   be_lo, be_hi;
  logic [127:0] hdr;
  logic         wide;

  assign dwords = c_size_q[12:2] + 11'(c_size_q[1:0] != 2'd0);
  assign be_lo  = c_first_q ? 4'hf << c_off_q : 4'hf;
  assign be_hi  = (c_size_q[1:0] == 2'd0) ? 4'hf : 4'hf >> (3'd4 - 3'(c_size_q[1:0]));
  assign wide   = c_addr_q[63:32] != '0;
  assign hdr    = {
    wide ? {c_addr_q[31:2], 2'b00} : 32'd0,
    wide ? c_addr_q[63:32] : {c_addr_q[31:2], 2'b00},
    cfg_bdf_i, 8'd0, (dwords == 11'd1) ? 4'd0 : be_hi, (dwords == 11'd1) ? be_lo & be_hi : be_lo,
    2'b01, wide, 5'd0, 14'd0, dwords[9:0]
  };

  // ------------------------------------------------------------ mix, rotate, out
  localparam int unsigned SideW = 128 + 1 + 1 + 1 + 1 + 11;

  logic              m_valid_q, rot_ready, r_valid, r_ready;
  logic [DATA_W-1:0] m_data_q, r_data;
  logic [CNT_W-2:0]  m_rot_q;
  logic [SideW-1:0]  m_side_q, r_side, o_side;
  logic              o_valid, o_ready, o_drop, o_msi, o_end, o_last;
  logic [127:0]      o_hdr;
  logic [10:0]       o_vec;

  assign mix_ready = !m_valid_q || rot_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) m_valid_q <= 1'b0;
    else if (mix_ready) m_valid_q <= go;
  end

  always_ff @(posedge clk_i) begin
    if (mix_ready) begin
      m_data_q <= mix;
      m_rot_q  <= have_q[CNT_W-2:0];
      m_side_q <= {hdr, beat_last_q, beat_last_q && tlp_last_q, c_drop_q, c_msi_q, c_vec_q};
    end
  end

  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(SideW)) u_rot (
    .clk_i, .rst_ni, .in_valid_i(m_valid_q), .in_ready_o(rot_ready), .in_data_i(m_data_q), .in_rot_i(m_rot_q),
    .in_side_i(m_side_q), .out_valid_o(r_valid), .out_ready_i(r_ready), .out_data_o(r_data), .out_side_o(r_side)
  );
  weft_skid #(.W(SideW + DATA_W)) u_out (
    .clk_i, .rst_ni, .in_valid_i(r_valid), .in_ready_o(r_ready), .in_data_i({r_side, r_data}),
    .out_valid_o(o_valid), .out_ready_i(o_ready), .out_data_o({o_side, tx_wr_data_o})
  );

  assign {o_hdr, o_last, o_end, o_drop, o_msi, o_vec} = o_side;
  assign tx_wr_valid_o = o_valid && !o_drop;
  assign tx_wr_hdr_o   = o_hdr;
  assign tx_wr_last_o  = o_last;
  assign o_ready       = o_drop || tx_wr_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_left_o         <= '0;
      lost_valid_o      <= 1'b0;
      stat_wr_tlp_o     <= 1'b0;
      stat_wr_dropped_o <= 1'b0;
    end else begin
      if (o_valid && o_ready && o_end) wr_left_o <= wr_left_o + 8'd1;
      lost_valid_o      <= o_valid && o_drop && o_msi;
      stat_wr_tlp_o     <= o_valid && o_ready && o_last && !o_drop;
      stat_wr_dropped_o <= o_valid && o_drop && o_end && !o_msi;
    end
  end

  always_ff @(posedge clk_i) lost_vector_o <= o_vec;

  assign open_o = c_valid_q && !c_drop_q;
  assign idle_o = wr_acc_o == wr_left_o && !lost_valid_o;

`ifndef SYNTHESIS
  // A packet's length is what its header says
  logic [16:0] seen_q;
  logic [16:0] seen;
  weft_pkg::dma_wr_hdr_t chk_q;
  logic [CNT_W-1:0] a_cnt;
  always_comb begin
    a_cnt = '0;
    for (int unsigned i = 0; i < N_WR; i++) if (sel[i]) a_cnt = a_cnt | wr_cnt_i[i];
    seen = (locked_q ? seen_q : '0) + 17'(a_cnt);
  end
  always_ff @(posedge clk_i) begin
    if (take && !sel[N_WR]) begin
      seen_q <= seen;
      chk_q  <= a_wh;
    end
    if (rst_ni && take && !sel[N_WR]) begin
      assert (!a_last || seen == 17'(a_wh.len)) else $error("weft_pcie_wr: packet of %0d bytes, header says %0d", seen, a_wh.len);
      assert (!locked_q || chk_q == a_wh) else $error("weft_pcie_wr: header changed in the middle of a packet");
      assert (a_wh.len != 0 && a_wh.len <= 16'd16384) else $error("weft_pcie_wr: length %0d", a_wh.len);
    end
  end
`endif

  logic unused;
  assign unused = ^{gnt_idx, gnt_valid, d_count, h_count};

endmodule
