// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receive frames of the network device: one buffer per frame. The pair is chosen by a hash of
/// addresses and ports. A frame is dropped, and its descriptor kept, when no descriptor is posted or
/// when it does not fit into the next one. A descriptor that could not be read is completed with
/// ERROR and length 0. A completion is given after the frame's last beat was accepted by the DMA
/// writer, so it comes behind its data.
module weft_l2_rx #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned N_L2Q = 1,    ///< pairs of rings, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

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
  logic [31:0]      hash, h_hash;
  logic             h_valid, h_ready, h_ok, h_vlan;
  logic [15:0]      h_len, h_tci;
  logic [PairW-1:0] pair;

  assign hash = meta_i.saddr[31:0] ^ {meta_i.saddr[62:32], meta_i.saddr[63]} ^
                meta_i.saddr[95:64] ^ {meta_i.saddr[124:96], meta_i.saddr[127:125]} ^
                {meta_i.daddr[26:0], meta_i.daddr[31:27]} ^ meta_i.daddr[63:32] ^
                {meta_i.daddr[88:64], meta_i.daddr[95:89]} ^ meta_i.daddr[127:96] ^
                {meta_i.sport, meta_i.dport};

  weft_fifo #(.W(66), .DEPTH(8)) u_meta (
    .clk_i, .rst_ni, .in_valid_i(meta_valid_i), .in_ready_o(meta_ready_o),
    .in_data_i({hash, meta_i.ip_ok && meta_i.l4_ok, meta_i.vlan, meta_i.vlan_tci,
                meta_i.frame_len}),
    .out_valid_o(h_valid), .out_ready_i(h_ready),
    .out_data_o({h_hash, h_ok, h_vlan, h_tci, h_len}), .count_o()
  );

  if (N_L2Q > 1) begin : gen_pair
    assign pair = h_hash[PairW-1:0] ^ h_hash[16+:PairW] ^ h_hash[8+:PairW] ^ h_hash[24+:PairW];
  end else begin : gen_one
    assign pair = '0;
  end

  // ------------------------------------------------ one frame at a time, two cycles between
  typedef enum logic [1:0] {StPick, StBody, StDrop} state_e;
  state_e state_q;

  weft_abi_pkg::l2_rxd_t  d;
  logic                   have, none, bad, fits, sel, use_it, skip, drop;
  logic                   info_room, w_last;
  weft_pkg::dma_wr_hdr_t  hdr_q;

  assign d      = desc_i[pair];
  assign have   = desc_valid_i[pair] && en_i[pair];
  assign none   = !en_i[pair] || (!more_i[pair] && !desc_valid_i[pair]);
  assign bad    = have && desc_err_i[pair];
  assign fits   = h_len <= d.length;
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
      hdr_q.len  <= h_len;
    end
  end

  assign wr_valid_o = state_q == StBody && rx_valid_i;
  assign wr_hdr_o   = hdr_q;
  assign wr_data_o  = rx_data_i;
  assign wr_cnt_o   = rx_cnt_i;
  assign wr_last_o  = rx_last_i;
  assign rx_ready_o = state_q == StDrop || (state_q == StBody && wr_ready_i);
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
      cqe.length   = h_len;
      cqe.csum_ok  = h_ok;
      cqe.vlan     = h_vlan;
      cqe.vlan_tci = h_vlan ? h_tci : '0;
      cqe.hash     = h_hash;
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
  assign idle_o            = state_q == StPick && !h_valid && !cpl_valid_o &&
                             !meta_valid_i && !rx_valid_i;
  assign stat_frame_o      = w_last;
  assign stat_drop_empty_o = drop && !have;
  assign stat_drop_long_o  = drop && have;
  assign stat_desc_err_o   = skip;

  logic unused;
  assign unused = ^{meta_i, d};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
