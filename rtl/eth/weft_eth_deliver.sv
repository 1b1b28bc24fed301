// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Frames that are no connection's: to firmware, to the network device, or nowhere, each in order. Bytes come
/// from the store's reader port 1, one frame at a time, in turn when both wait. Whoever takes a
/// frame's first beat takes the rest within a bounded number of cycles. Records and blocks are given back here.
module weft_eth_deliver #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_REC = 256,  ///< header records, power of two
  parameter int unsigned HND_W = 7,
  localparam int unsigned IdW = $clog2(N_REC),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  put_valid_i,    ///< pulse
  input  weft_eth_pkg::tok_t    put_i,
  input  logic                  rec_free_i,     ///< nobody else reads a record in this cycle
  output logic                  rec_re_o,
  output logic [IdW-1:0]        rec_id_o,
  input  weft_eth_pkg::rec_t    rec_i,          ///< a cycle later

  output logic                  rd_valid_o,     ///< see weft_pkt_store
  input  logic                  rd_ready_i,
  output logic [HND_W-1:0]      rd_handle_o,
  output logic [15:0]           rd_len_o,
  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic [DATA_W-1:0]     in_data_i,
  input  logic [CntW-1:0]       in_cnt_i,
  input  logic                  in_last_i,

  output logic                  fw_valid_o,
  input  logic                  fw_ready_i,
  output logic [DATA_W-1:0]     fw_data_o,
  output logic [CntW-1:0]       fw_cnt_o,
  output logic                  fw_last_o,
  output logic [23:0]           fw_qpn_o,
  output logic [3:0]            fw_reason_o,
  output logic                  l2_meta_valid_o,
  input  logic                  l2_meta_ready_i,
  output weft_pkg::rx_meta_t    l2_meta_o,      ///< in front of its frame
  output logic                  l2_valid_o,
  input  logic                  l2_ready_i,
  output logic [DATA_W-1:0]     l2_data_o,
  output logic [CntW-1:0]       l2_cnt_o,
  output logic                  l2_last_o,

  output logic                  fw_done_o,      ///< pulse: a frame has left
  output logic                  l2_done_o,
  output logic [7:0]            done_blocks_o,
  output logic [1:0]            free_valid_o,   ///< blocks: of a frame that was dropped, delivered
  input  logic [1:0]            free_ready_i,
  output logic [1:0][HND_W-1:0] free_handle_o,
  output logic [1:0]            gone_valid_o,   ///< records, likewise
  input  logic [1:0]            gone_ready_i,
  output logic [1:0][IdW-1:0]   gone_id_o,

  output logic                  idle_o,
  output logic                  stat_fw_o,
  output logic                  stat_l2_o,
  output logic                  stat_drop_bad_o,
  output logic                  stat_drop_addr_o,
  output logic                  stat_drop_csum_o,
  output logic                  stat_drop_full_o,
  output logic                  stat_drop_park_o
);

  // ---------------------------------------------------------------- nowhere
  logic             d_v, d_take, d_body, d_room, fw_v, l2_v, fw_room, l2_room;
  logic [HND_W-1:0] d_handle;
  logic             d_freed_q, d_gone_q;
  weft_fifo #(.W(IdW + HND_W + 1), .DEPTH(N_REC)) u_drop (
    .clk_i, .rst_ni, .in_valid_i(put_valid_i && put_i.to == weft_eth_pkg::ToDrop), .in_ready_o(d_room),
    .in_data_i({put_i.id[IdW-1:0], put_i.handle[HND_W-1:0], put_i.body}),
    .out_valid_o(d_v), .out_ready_i(d_take), .out_data_o({gone_id_o[0], d_handle, d_body}), .count_o()
  );
  assign free_valid_o[0]  = d_v && d_body && !d_freed_q;
  assign free_handle_o[0] = d_handle;
  assign gone_valid_o[0]  = d_v && !d_gone_q;
  assign d_take = d_v && (!d_body || d_freed_q || free_ready_i[0]) && (d_gone_q || gone_ready_i[0]);

  // ---------------------------------------------------------------- who waits
  logic [IdW-1:0] fw_id, l2_id;
  logic           pick, pick_l2, turn_q, is_l2_q;
  weft_fifo #(.W(IdW), .DEPTH(N_REC)) u_fw (
    .clk_i, .rst_ni, .in_valid_i(put_valid_i && put_i.to == weft_eth_pkg::ToFw), .in_ready_o(fw_room),
    .in_data_i(put_i.id[IdW-1:0]), .out_valid_o(fw_v), .out_ready_i(pick && !pick_l2), .out_data_o(fw_id), .count_o()
  );
  weft_fifo #(.W(IdW), .DEPTH(N_REC)) u_l2 (
    .clk_i, .rst_ni, .in_valid_i(put_valid_i && put_i.to == weft_eth_pkg::ToL2), .in_ready_o(l2_room),
    .in_data_i(put_i.id[IdW-1:0]), .out_valid_o(l2_v), .out_ready_i(pick && pick_l2), .out_data_o(l2_id), .count_o()
  );

  // ---------------------------------------------------------------- a frame
  typedef enum logic [1:0] {StIdle, StRec, StData, StFree} state_e;
  state_e             state_q;
  logic               asked_q, told_q, end_q, freed_q, gone_q;
  logic [IdW-1:0]     id_q;
  weft_pkg::rx_meta_t meta_q;
  logic [HND_W-1:0]   handle_q;
  logic [7:0]         blocks_q;
  logic               leave;
  // The network device begins a frame when it takes its meta, so its turn waits for nobody's beats.
  assign pick_l2  = l2_v && (!fw_v || turn_q);
  assign pick     = state_q == StIdle && (fw_v || l2_v) && rec_free_i;
  assign rec_re_o = pick;
  assign rec_id_o = pick_l2 ? l2_id : fw_id;

  assign rd_valid_o      = state_q == StData && !asked_q;
  assign rd_handle_o     = handle_q;
  assign rd_len_o        = meta_q.frame_len;
  assign l2_meta_valid_o = state_q == StData && is_l2_q && !told_q;
  assign l2_meta_o       = meta_q;
  assign fw_valid_o      = state_q == StData && !is_l2_q && in_valid_i && !end_q;
  assign l2_valid_o      = state_q == StData && is_l2_q && told_q && in_valid_i && !end_q;
  assign in_ready_o      = is_l2_q ? l2_valid_o && l2_ready_i : fw_valid_o && fw_ready_i;
  assign {fw_data_o, fw_cnt_o, fw_last_o} = {in_data_i, in_cnt_i, in_last_i};
  assign {l2_data_o, l2_cnt_o, l2_last_o} = {in_data_i, in_cnt_i, in_last_i};
  assign fw_qpn_o    = '0;
  assign fw_reason_o = weft_abi_pkg::STEER_REASON_PORT;

  assign free_valid_o[1]  = state_q == StFree && !freed_q;
  assign free_handle_o[1] = handle_q;
  assign gone_valid_o[1]  = state_q == StFree && !gone_q;
  assign gone_id_o[1]     = id_q;
  assign leave = state_q == StFree && (freed_q || free_ready_i[1]) && (gone_q || gone_ready_i[1]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      turn_q    <= 1'b0;
      d_freed_q <= 1'b0;
      d_gone_q  <= 1'b0;
      asked_q   <= 1'b0;
      told_q    <= 1'b0;
      end_q     <= 1'b0;
      freed_q   <= 1'b0;
      gone_q    <= 1'b0;
    end else begin
      d_freed_q <= !d_take && (d_freed_q || (free_valid_o[0] && free_ready_i[0]));
      d_gone_q  <= !d_take && (d_gone_q || (gone_valid_o[0] && gone_ready_i[0]));
      freed_q   <= !leave && (freed_q || (free_valid_o[1] && free_ready_i[1]));
      gone_q    <= !leave && (gone_q || (gone_valid_o[1] && gone_ready_i[1]));
      unique case (state_q)
        StIdle: if (pick) begin
          state_q <= StRec;
          turn_q  <= !pick_l2;
        end
        StRec: begin
          state_q <= StData;
          asked_q <= 1'b0;
          told_q  <= 1'b0;
          end_q   <= 1'b0;
        end
        StData: begin
          if (rd_ready_i) asked_q <= 1'b1;
          if (l2_meta_ready_i && is_l2_q) told_q <= 1'b1;
          if (in_valid_i && in_ready_o && in_last_i) begin
            end_q   <= 1'b1;
            state_q <= StFree;
          end
        end
        default: if (leave) state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (pick) begin
      id_q    <= rec_id_o;
      is_l2_q <= pick_l2;
    end
    if (state_q == StRec) begin
      meta_q   <= rec_i.meta;
      handle_q <= rec_i.handle[HND_W-1:0];
      blocks_q <= rec_i.blocks;
    end
  end
  assign fw_done_o     = leave && !is_l2_q;
  assign l2_done_o     = leave && is_l2_q;
  assign done_blocks_o = blocks_q;
  assign idle_o        = !d_v && !fw_v && !l2_v && state_q == StIdle && !put_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_fw_o        <= 1'b0;
      stat_l2_o        <= 1'b0;
      stat_drop_bad_o  <= 1'b0;
      stat_drop_addr_o <= 1'b0;
      stat_drop_csum_o <= 1'b0;
      stat_drop_full_o <= 1'b0;
      stat_drop_park_o <= 1'b0;
    end else begin
      stat_fw_o        <= put_valid_i && put_i.to == weft_eth_pkg::ToFw;
      stat_l2_o        <= put_valid_i && put_i.to == weft_eth_pkg::ToL2;
      stat_drop_bad_o  <= put_valid_i && put_i.to == weft_eth_pkg::ToDrop && put_i.why == weft_eth_pkg::WhyBad;
      stat_drop_addr_o <= put_valid_i && put_i.to == weft_eth_pkg::ToDrop && put_i.why == weft_eth_pkg::WhyAddr;
      stat_drop_csum_o <= put_valid_i && put_i.to == weft_eth_pkg::ToDrop && put_i.why == weft_eth_pkg::WhyCsum;
      stat_drop_full_o <= put_valid_i && put_i.to == weft_eth_pkg::ToDrop && put_i.why == weft_eth_pkg::WhyFull;
      stat_drop_park_o <= put_valid_i && put_i.to == weft_eth_pkg::ToDrop && put_i.why == weft_eth_pkg::WhyPark;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && put_valid_i) begin
    assert (d_room && fw_room && l2_room) else $error("%m: more frames than records");
  end
`endif
  logic unused;
  assign unused = ^{put_i, rec_i, d_room, fw_room, l2_room};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
