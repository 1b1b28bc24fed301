// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receive frames of the network device: one buffer per frame. The pair is chosen by the low bits of the
/// Toeplitz hash in a table; frames without a hash go to pair 0. A tag is taken out of the frame when the
/// descriptor asks for it. A frame is dropped, and its descriptor kept, when no descriptor is posted or
/// when it does not fit into the next one. A descriptor that could not be read is completed with
/// ERROR and length 0. A completion is given after the frame's last beat was accepted by the DMA
/// writer, so it comes behind its data.
module weft_l2_rx #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned N_L2Q = 1,    ///< pairs of rings, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned N_ENTRY = 32'(weft_abi_pkg::L2_SCALING_N),
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    scale_on_i,     ///< receive scaling: key, types and table mean something
  input  logic [weft_l2_pkg::ScaleW-1:0] scale_i, ///< weft_l2_pkg::scale_t
  input  logic [N_ENTRY*PairW-1:0] scale_table_i,

  input  logic                    meta_valid_i,   ///< one for each frame, in order
  output logic                    meta_ready_o,
  input  weft_pkg::rx_meta_t      meta_i,
  input  logic                    rx_valid_i,
  output logic                    rx_ready_o,
  input  logic [DATA_W-1:0]       rx_data_i,
  input  logic [CntW-1:0]         rx_cnt_i,
  input  logic                    rx_last_i,

  input  logic [N_L2Q-1:0]        en_i,
  input  logic [N_L2Q-1:0]        desc_valid_i,
  output logic [N_L2Q-1:0]        desc_ready_o,
  input  logic [N_L2Q-1:0][127:0] desc_i,
  input  logic [N_L2Q-1:0]        desc_err_i,
  input  logic [N_L2Q-1:0][15:0]  desc_index_i,
  input  logic [N_L2Q-1:0]        more_i,         ///< a descriptor is here or on its way

  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    start_o,        ///< pulse: a descriptor of this pair is in use
  output logic [PairW-1:0]        start_pair_o,
  output logic                    cpl_valid_o,
  input  logic                    cpl_ready_i,
  output logic [PairW-1:0]        cpl_pair_o,
  output weft_abi_pkg::l2_cqe_t   cpl_o,          ///< PHASE is set later

  output logic                    idle_o,
  output logic                    stat_frame_o,
  output logic                    stat_drop_empty_o,  ///< no descriptor
  output logic                    stat_drop_long_o,   ///< buffer too short
  output logic                    stat_desc_err_o     ///< a descriptor could not be read
);

  // ------------------------------------------------ metadata, with the hash
  logic [31:0]      h_hash, t_hash;
  logic [3:0]       h_type, t_type;
  logic             t_ready, t_valid, h_valid, h_ready, h_ok, h_vlan, m_room;
  logic [15:0]      h_len, h_tci;
  logic [PairW-1:0] t_pair, pair;
  logic [33:0]      side_q;

  assign meta_ready_o = t_ready && m_room;
  weft_l2_toeplitz u_toeplitz (
    .clk_i, .rst_ni, .on_i(scale_on_i), .scale_i, .valid_i(meta_valid_i && m_room), .ready_o(t_ready), .meta_i,
    .valid_o(t_valid), .hash_o(t_hash), .type_o(t_type)
  );
  // A tag is one when all of it is there.
  always_ff @(posedge clk_i) begin
    if (meta_valid_i && meta_ready_o)
      side_q <= {meta_i.ip_ok && meta_i.l4_ok, meta_i.vlan && meta_i.frame_len >= 16'd18, meta_i.vlan_tci, meta_i.frame_len};
  end

  if (N_L2Q > 1) begin : gen_pair
    localparam int unsigned EntryW = $clog2(N_ENTRY);
    assign t_pair = t_type == '0 ? '0 : scale_table_i[t_hash[EntryW-1:0]*PairW+:PairW];
  end else begin : gen_one
    logic unused_table;
    assign unused_table = ^scale_table_i;
    assign t_pair = '0;
  end

  // Room for the frame that is hashed was seen when it was taken.
  weft_fifo #(.W(PairW + 70), .DEPTH(8)) u_meta (
    .clk_i, .rst_ni, .in_valid_i(t_valid), .in_ready_o(m_room),
    .in_data_i({t_pair, t_type, t_hash, side_q}),
    .out_valid_o(h_valid), .out_ready_i(h_ready),
    .out_data_o({pair, h_type, h_hash, h_ok, h_vlan, h_tci, h_len}), .count_o()
  );

  // ------------------------------------------------ one frame at a time, two cycles between
  typedef enum logic [1:0] {StPick, StBody, StDrop} state_e;
  state_e state_q;

  weft_abi_pkg::l2_rxd_t  d;
  logic                   have, none, bad, fits, sel, use_it, skip, drop, strip, strip_q;
  logic                   info_room, w_last, s_ready;
  weft_pkg::dma_wr_hdr_t  hdr_q;

  assign d      = desc_i[pair];
  assign have   = desc_valid_i[pair] && en_i[pair];
  assign none   = !en_i[pair] || (!more_i[pair] && !desc_valid_i[pair]);
  assign bad    = have && desc_err_i[pair];
  assign fits   = h_len <= d.length;
  assign strip  = h_vlan && d.strip;
  assign sel    = state_q == StPick && h_valid && info_room;
  assign use_it = sel && have && !bad && fits;
  assign skip   = sel && bad;
  assign drop   = sel && !bad && (have ? !fits : none);
  assign h_ready = use_it || drop;

  always_comb begin
    desc_ready_o = '0;
    desc_ready_o[pair] = use_it || skip;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StPick;
    else begin
      unique case (state_q)
        StPick: if (use_it) state_q <= StBody;
                else if (drop) state_q <= StDrop;
        StBody: if (wr_valid_o && wr_ready_i && wr_last_o) state_q <= StPick;
        default: if (rx_valid_i && rx_last_i) state_q <= StPick;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (use_it) begin
      hdr_q.addr <= d.addr;
      hdr_q.len  <= strip ? h_len - 16'd4 : h_len;
      strip_q    <= strip;
    end
  end

  weft_l2_strip #(.DATA_W(DATA_W)) u_strip (
    .clk_i, .rst_ni, .strip_i(strip_q), .in_valid_i(state_q == StBody && rx_valid_i && !over_q), .in_ready_o(s_ready), .in_data_i(rx_data_i),
    .in_cnt_i(rx_cnt_i), .in_last_i(rx_last_i), .out_valid_o(wr_valid_o), .out_ready_i(wr_ready_i),
    .out_data_o(wr_data_o), .out_cnt_o(wr_cnt_o), .out_last_o(wr_last_o)
  );
  // The frame's last beat was taken, a beat of it may still have to leave: the next one is not this frame's.
  logic over_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) over_q <= 1'b0;
    else if (w_last) over_q <= 1'b0;
    else if (state_q == StBody && rx_valid_i && rx_ready_o && rx_last_i) over_q <= 1'b1;
  end
  assign wr_hdr_o   = hdr_q;
  assign rx_ready_o = state_q == StDrop || (state_q == StBody && s_ready && !over_q);
  assign w_last     = wr_valid_o && wr_ready_i && wr_last_o;

  // ------------------------------------------------ completions
  weft_abi_pkg::l2_cqe_t cqe;
  logic [PairW-1:0]      pair_q;
  weft_abi_pkg::l2_cqe_t cqe_q;

  always_comb begin
    cqe       = '0;
    cqe.index = desc_index_i[pair];
    if (bad) begin
      cqe.error = 1'b1;
    end else begin
      cqe.length    = strip ? h_len - 16'd4 : h_len;
      cqe.csum_ok   = h_ok;
      cqe.vlan      = h_vlan;
      cqe.stripped  = strip;
      cqe.vlan_tci  = h_vlan ? h_tci : '0;
      cqe.hash      = h_hash;
      cqe.hash_type = h_type;
    end
  end

  always_ff @(posedge clk_i) begin
    if (use_it) begin
      cqe_q  <= cqe;
      pair_q <= pair;
    end
  end

  // Room for the frame at hand was seen before it was begun, and nothing else came in since.
  logic cpl_push;
  assign cpl_push = w_last || skip;
  weft_fifo #(.W(PairW + 128), .DEPTH(16)) u_cpl (
    .clk_i, .rst_ni, .in_valid_i(cpl_push), .in_ready_o(info_room),
    .in_data_i(skip ? {pair, cqe} : {pair_q, cqe_q}),
    .out_valid_o(cpl_valid_o), .out_ready_i(cpl_ready_i), .out_data_o({cpl_pair_o, cpl_o}),
    .count_o()
  );

  assign start_o           = use_it || skip;
  assign start_pair_o      = pair;
  assign idle_o            = state_q == StPick && t_ready && !h_valid && !cpl_valid_o &&
                             !meta_valid_i && !rx_valid_i;
  assign stat_frame_o      = w_last;
  assign stat_drop_empty_o = drop && !have;
  assign stat_drop_long_o  = drop && have;
  assign stat_desc_err_o   = skip;

  logic unused;
  assign unused = ^{meta_i, d};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
