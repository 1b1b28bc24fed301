// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Takes the descriptors of one frame after the other, judges each chain when it is whole, and only then lets
/// its buffers be read. One descriptor a cycle; one pair at a time, in turn.
///
/// A chain is good when every descriptor of it could be read and has 1 to 16384 bytes, the last of BUFS_MAX or
/// less has LAST, and the frame fits: FRAME_MAX bytes (with its tag; one with a tag has 16 or more, and CSUM_START is no less than 14), or with
/// TSO 65536, more than HDR_LEN, which is 54 to 118, and an MSS of 64 or more with which no segment is longer
/// than FRAME_MAX; with SET 192. A bad chain gives one piece with BAD and no bytes. One that is not ended by
/// its descriptors ends with the one that could not be read, or with the last of BUFS_MAX; the next
/// descriptor then begins a frame. A pair that is disabled in the middle of a frame ends it, bad, and nothing
/// more is read for those that wait.
module weft_l2_chain #(
  parameter int unsigned N_L2Q = 1,         ///< pairs of rings
  parameter int unsigned FRAME_MAX = 9022,  ///< longest frame on the wire
  parameter int unsigned BUFS_MAX = 32,     ///< most descriptors of a frame, 32 or less
  parameter logic [4:0] BAD = 5'd1,
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1,
  localparam int unsigned InfoW = PairW + 16 + weft_l2_pkg::FrameW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [N_L2Q-1:0]        en_i,
  input  logic [N_L2Q-1:0]        desc_valid_i,
  output logic [N_L2Q-1:0]        desc_ready_o,
  input  logic [N_L2Q-1:0][127:0] desc_i,
  input  logic [N_L2Q-1:0]        desc_err_i,
  input  logic [N_L2Q-1:0][15:0]  desc_index_i,

  output logic                    begin_o,       ///< pulse: a frame of this pair begins
  output logic [PairW-1:0]        begin_pair_o,

  output logic                    cmd_valid_o,   ///< see weft_dma_gather
  input  logic                    cmd_ready_i,
  output logic [1:0]              cmd_kind_o,
  output logic                    cmd_last_o,
  output logic                    cmd_whole_o,
  output logic [63:0]             cmd_addr_o,
  output logic [15:0]             cmd_len_o,
  output logic [4:0]              cmd_code_o,

  output logic                    info_valid_o,  ///< one for each frame, no later than its first piece
  input  logic                    info_ready_i,
  output logic [InfoW-1:0]        info_o,        ///< {pair, index, weft_l2_pkg::frame_t}
  output logic                    idle_o
);

  localparam int unsigned BufW = $clog2(BUFS_MAX) + 1;

  // ------------------------------------------------ the frame that is being collected
  logic                  active_q, any, take, gone, wrong, bad, bad_q, ends;
  logic [PairW-1:0]      pair_q, pair_rr, pair;
  logic [N_L2Q-1:0]      gnt;
  logic [BufW-1:0]       bufs_q;
  logic [16:0]           total_q, total;
  weft_abi_pkg::l2_txd_t d;
  weft_abi_pkg::l2_tso_t t;
  weft_l2_pkg::frame_t   first_q, first, f;
  logic                  d_valid, d_err, piece_room, judge_room, info_room;

  weft_arb_rr #(.N(N_L2Q)) u_arb (
    .clk_i, .rst_ni, .req_i(desc_valid_i & en_i), .advance_i(take && !active_q),
    .valid_o(any), .gnt_o(gnt), .idx_o(pair_rr)
  );

  assign pair    = active_q ? pair_q : pair_rr;
  assign gone    = active_q && !en_i[pair_q];
  assign d       = desc_i[pair];
  assign t       = desc_i[pair];
  assign d_err   = desc_err_i[pair];
  assign d_valid = active_q ? (gone || desc_valid_i[pair_q]) : any;
  assign take    = d_valid && piece_room && judge_room && info_room;
  assign total   = total_q + {1'b0, d.length};
  assign wrong   = gone || d_err || d.length == '0 || d.length > 16'd16384 || total > 17'd65536;
  assign ends    = gone || d_err || d.last || bufs_q == BufW'(BUFS_MAX - 1);

  always_comb begin
    first.set   = d.set && !d.tso;
    first.tso   = d.tso;
    first.vlan  = d.vlan;
    first.tci   = d.vlan_tci;
    first.csum  = d.csum && !d.tso;
    first.start = d.csum_start;
    first.off   = d.csum_offset;
    first.hdr   = t.hdr_len[6:0];
    first.mss   = t.mss[13:0];
    first.total = '0;
    first.bad   = !d.tso && d.vlan && d.csum && d.csum_start < 8'd14;
    if (d.tso) first.bad = t.hdr_len < 8'd54 || t.hdr_len > 8'd118 || t.mss < 16'(weft_abi_pkg::TSO_MSS_MIN) ||
                            17'(t.mss) + 17'(t.hdr_len) > 17'(FRAME_MAX) - (d.vlan ? 17'd4 : 17'd0);
  end

  // What is judged with the whole: the length against what the first descriptor said.
  logic [16:0] least, most;
  always_comb begin
    f     = active_q ? first_q : first;
    least = 17'd1;
    most  = 17'(FRAME_MAX);
    if (f.tso) begin
      least = 17'(f.hdr) + 17'd1;
      most  = 17'd65536;
    end else if (f.set) begin
      least = 17'(weft_abi_pkg::L2_SCALING_BYTES);
      most  = 17'(weft_abi_pkg::L2_SCALING_BYTES);
    end else if (f.vlan) begin
      least = 17'd16;
      most  = 17'(FRAME_MAX - 4);
    end
    bad     = f.bad || bad_q || wrong || !d.last || total < least || total > most;
    f.bad   = bad;
    f.total = total;
  end

  always_comb begin
    desc_ready_o = '0;
    desc_ready_o[pair] = take && !gone;
  end
  assign begin_o      = take && !active_q;
  assign begin_pair_o = pair;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      bad_q    <= 1'b0;
      bufs_q   <= '0;
      total_q  <= '0;
      pair_q   <= '0;
    end else if (take) begin
      active_q <= !ends;
      pair_q   <= pair;
      bad_q    <= !ends && (bad_q || wrong);
      bufs_q   <= ends ? '0 : bufs_q + 1'b1;
      total_q  <= ends || wrong ? '0 : total;
    end
  end
  always_ff @(posedge clk_i) if (take && !active_q) first_q <= first;

  // ------------------------------------------------ what was collected, and the judgement
  // A frame has BUFS_MAX pieces at most, and what is judged leaves without those behind it: twice that never
  // fills for good.
  logic        p_valid, p_pop, p_last, j_valid, j_wrong, j_bad, j_whole;
  logic [PairW-1:0] j_pair;
  logic [63:0] p_addr;
  logic [15:0] p_len;
  weft_fifo #(.W(81), .DEPTH(64)) u_pieces (
    .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(piece_room), .in_data_i({ends, d.addr, d.length}),
    .out_valid_o(p_valid), .out_ready_i(p_pop), .out_data_o({p_last, p_addr, p_len}), .count_o()
  );
  weft_fifo #(.W(PairW + 2), .DEPTH(32)) u_judged (
    .clk_i, .rst_ni, .in_valid_i(take && ends), .in_ready_o(judge_room), .in_data_i({pair, bad, f.tso}),
    .out_valid_o(j_valid), .out_ready_i(p_pop && p_last), .out_data_o({j_pair, j_wrong, j_whole}), .count_o()
  );
  weft_fifo #(.W(InfoW), .DEPTH(32)) u_info (
    .clk_i, .rst_ni, .in_valid_i(take && ends), .in_ready_o(info_room), .in_data_i({pair, desc_index_i[pair], f}),
    .out_valid_o(info_valid_o), .out_ready_i(info_ready_i), .out_data_o(info_o), .count_o()
  );

  // Of a bad chain its last piece alone goes on, without bytes; of a good one too, from the moment that its pair is
  // disabled: what has not been asked for is not read.
  assign j_bad       = j_wrong || !en_i[j_pair];
  assign cmd_valid_o = j_valid && p_valid && (!j_bad || p_last);
  assign p_pop       = j_valid && p_valid && (cmd_ready_i || (j_bad && !p_last));
  assign cmd_kind_o  = j_bad ? 2'd0 : 2'd1;
  assign cmd_last_o  = p_last;
  assign cmd_whole_o = j_whole;
  assign cmd_addr_o  = p_addr;
  assign cmd_len_o   = p_len;
  assign cmd_code_o  = j_bad ? BAD : 5'd0;
  assign idle_o      = !active_q && (desc_valid_i & en_i) == '0 && !p_valid && !j_valid && !info_valid_o;

  logic unused;
  assign unused = ^{gnt, d, t};

`ifndef SYNTHESIS
  initial begin
    if (BUFS_MAX < 1 || BUFS_MAX > 32) $fatal(1, "weft_l2_chain: BUFS_MAX");
    if (FRAME_MAX > 16383) $fatal(1, "weft_l2_chain: FRAME_MAX");
    if ($bits(f) != weft_l2_pkg::FrameW) $fatal(1, "weft_l2_pkg: FrameW");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
