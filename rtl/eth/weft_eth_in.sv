// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Room eth, receive: frames of the MAC into the frame store, header records, look-up, ctx, and on to tcp,
/// firmware or network device. See docs/datapath.md.
///
/// | frame | where it goes |
/// | --- | --- |
/// | bad FCS, shorter than 14 bytes, longer than FRAME_MAX, or not for this station | nowhere, counted |
/// | TCP for this station, a candidate in the look-up table, its connection home | tcp, whatever its flags |
/// | the same, connection coming or held | waits, then tcp |
/// | the same, PARK_EACH of its own, a quarter of all blocks or three eighths of all header records wait already, or no fill can begin | waits in front of all others, for a bounded time (weft_eth_ask), then nowhere, counted |
/// | TCP for this station, no connection, port in the bit map | firmware, QPN 0 |
/// | one of these with a bad checksum | nowhere, counted |
/// | anything else | network device |
///
/// A frame that found no block goes to tcp without a body (so its ACK part counts) and nowhere else. Firmware's and the
/// network device's frames hold a quarter and half of the store at most; what is over that is let go and counted.
///
/// Contracts of the crossings: a segment carries the pin that `have` took; tcp drops it, also when it gives the segment
/// back as `falsehit` (unchanged but for `who`), which may come at any time and is always taken within a bounded
/// number of cycles (it is let go, and counted, when there is no header record for it). Segments of one
/// connection keep the order of the wire; only when another candidate of the same signature comes into the
/// table, leaves it, is displaced in it, or is destroyed meanwhile, some may pass others (and one that is on
/// its second try may miss an entry that is displaced in these cycles: it is steered as without one). `have` comes exactly two cycles
/// behind the accepted `need`. A frame's blocks belong to tcp (later mpa) from `seg` on, when `body` is set.
module weft_eth_in #(
  parameter int unsigned DATA_W = 128,         ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 256,           ///< connections, power of two, 32 to 262,144
  parameter int unsigned N_MISS = 64,          ///< of ctx
  parameter int unsigned PARK_EACH = 16,       ///< frames that may wait for a connection
  parameter int unsigned STORE_BYTES = 65536,  ///< frame store, power of two
  parameter int unsigned FRAME_MAX = 9022,     ///< bytes, no FCS
  parameter int unsigned SIG_W = 22,           ///< bits of a signature in the look-up table
  parameter int unsigned N_CAM = 4,            ///< overflow entries of the table
  parameter int unsigned OPT_STEPS = 8,        ///< see weft_eth_opts
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned BlockB = DATA_W == 64 ? 256 : 512,
  localparam int unsigned Blocks = STORE_BYTES / BlockB,
  localparam int unsigned HndW = $clog2(Blocks)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,           ///< tables are cleared

  input  logic [1:0]            cfg_req_valid_i,   ///< room STEER, look-up commands (LOOK_*)
  output logic [1:0]            cfg_req_ready_o,
  input  weft_pkg::cfg_req_t    cfg_req_i,
  output logic [1:0]            cfg_rsp_valid_o,
  output logic [65:0]           cfg_rsp_o,         ///< weft_pkg::cfg_rsp_t each

  input  logic                  eth_rx_valid_i,    ///< no ready: always taken
  input  logic [DATA_W-1:0]     eth_rx_data_i,
  input  logic [CntW-1:0]       eth_rx_cnt_i,
  input  logic                  eth_rx_last_i,
  input  logic                  eth_rx_err_i,      ///< with last: FCS
  output logic                  eth_rx_pause_o,    ///< half of the blocks or header records are taken
  output logic [47:0]           station_o,       ///< station address, byte 0 in bits 7:0
  output logic                  crowded_o,         ///< three quarters are: whoever sends does not obey PAUSE

  output logic                  need_valid_o,
  input  logic                  need_ready_i,
  output weft_dp_pkg::need_t    need_o,
  input  logic                  have_valid_i,
  input  weft_dp_pkg::have_t    have_i,
  input  logic                  arrive_valid_i,
  input  weft_dp_pkg::arrive_t  arrive_i,
  output logic                  resumed_valid_o,
  input  logic                  resumed_ready_i,
  output logic [23:0]           resumed_qpn_o,
  output logic [5:0]            resumed_miss_o,

  output logic                  seg_valid_o,
  input  logic                  seg_ready_i,
  output weft_dp_pkg::rx_seg_t  seg_o,
  input  logic                  falsehit_valid_i,
  output logic                  falsehit_ready_o,
  input  weft_dp_pkg::rx_seg_t  falsehit_i,

  input  logic                  rd_valid_i,        ///< frame store, for mpa
  output logic                  rd_ready_o,
  input  logic [HndW-1:0]       rd_handle_i,
  input  logic [15:0]           rd_off_i,
  input  logic [15:0]           rd_len_i,
  output logic                  rd_data_valid_o,
  input  logic                  rd_data_ready_i,
  output logic [DATA_W-1:0]     rd_data_o,
  output logic [CntW-1:0]       rd_cnt_o,
  output logic                  rd_last_o,
  input  logic [1:0]            free_valid_i,      ///< of mpa, of tcp
  output logic [1:0]            free_ready_o,
  input  logic [2*HndW-1:0]     free_handle_i,

  output logic                  fw_valid_o,
  input  logic                  fw_ready_i,
  output logic [DATA_W-1:0]     fw_data_o,
  output logic [CntW-1:0]       fw_cnt_o,
  output logic                  fw_last_o,
  output logic [23:0]           fw_qpn_o,
  output logic [3:0]            fw_reason_o,       ///< weft_abi steer_reason
  output logic                  l2_meta_valid_o,   ///< in front of its frame
  input  logic                  l2_meta_ready_i,
  output weft_pkg::rx_meta_t    l2_meta_o,
  output logic                  l2_valid_o,
  input  logic                  l2_ready_i,
  output logic [DATA_W-1:0]     l2_data_o,
  output logic [CntW-1:0]       l2_cnt_o,
  output logic                  l2_last_o,

  output logic                  idle_o,            ///< nothing under way; segments' frames may lie in the store
  output logic                  stat_frame_o,      ///< pulse: a frame has its header record
  output logic                  stat_rdma_o,       ///< to a connection
  output logic                  stat_fw_o,
  output logic                  stat_l2_o,
  output logic                  stat_nobody_o,     ///< a frame has no body
  output logic                  stat_drop_lost_o,  ///< no header record
  output logic                  stat_drop_bad_o,
  output logic                  stat_drop_addr_o,
  output logic                  stat_drop_csum_o,
  output logic                  stat_drop_full_o,
  output logic                  stat_drop_park_o,
  output logic                  stat_drop_false_o, ///< a falsehit found no header record
  output logic                  stat_park_o,
  output logic                  stat_busy_o,
  output logic                  stat_slow_o,       ///< options in an order of their own
  output logic                  stat_skip_o,       ///< they were not looked at: frames pile up
  output logic                  stat_move_o        ///< a table entry was displaced
);

  // Header records cost block RAM in width, not in depth: twice the blocks, for frames without a body.
  localparam int unsigned N_Rec = 2 * Blocks;
  localparam int unsigned IdW = $clog2(N_Rec);

  // ---------------------------------------------------------------- configuration
  logic        port_v, ours, promisc, allmulti, regs_idle, look_idle;
  logic [15:0] port;
  logic [47:0] mac;
  logic [63:0] hash_key;
  weft_pkg::cfg_rsp_t rsp_0, rsp_1;
  assign cfg_rsp_o = {rsp_1, rsp_0};
  weft_steer_regs u_regs (
    .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[0]), .cfg_req_ready_o(cfg_req_ready_o[0]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[0]), .cfg_rsp_o(rsp_0), .port_valid_i(port_v), .port_i(port),
    .port_ours_o(ours), .mac_o(mac), .promisc_o(promisc), .allmulti_o(allmulti), .hash_key_o(hash_key),
    .idle_o(regs_idle)
  );

  // ---------------------------------------------------------------- free header records
  // Numbers that were never used come from a counter.
  logic           fr_v, fr_room, id_v, s_id_take, j_id_take, home_v, fresh;
  logic [IdW-1:0] fr_id, id, home_id, back_id;
  logic [IdW:0]   fresh_q, recs_q;
  logic [1:0]     gone_v, gone_r;
  logic [1:0][IdW-1:0] gone_id;
  logic           back_v, id_take;
  assign fresh   = !fresh_q[IdW];
  assign id_v    = ready_o && (fresh || fr_v);  // before that frames are let go
  assign id      = fresh ? fresh_q[IdW-1:0] : fr_id;
  assign id_take = s_id_take || j_id_take;
  assign gone_r  = {!home_v && !gone_v[0], !home_v};
  assign back_v  = home_v || gone_v != '0;
  assign back_id = home_v ? home_id : gone_v[0] ? gone_id[0] : gone_id[1];
  weft_fifo #(.W(IdW), .DEPTH(N_Rec)) u_ids (
    .clk_i, .rst_ni, .in_valid_i(back_v), .in_ready_o(fr_room), .in_data_i(back_id),
    .out_valid_o(fr_v), .out_ready_i(id_take && !fresh), .out_data_o(fr_id), .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      recs_q  <= '0;
    end else begin
      if (id_take && fresh) fresh_q <= fresh_q + (IdW + 1)'(1);
      recs_q <= recs_q + (IdW + 1)'(id_take) - (IdW + 1)'(back_v);
    end
  end

  // ---------------------------------------------------------------- store
  logic                   pass, fate_v, fate_r, fate_body, st_free_v, st_free_r, store_idle;
  logic [IdW-1:0]         fate_id;
  logic [HndW-1:0]        fate_handle, st_free_handle, d_handle;
  logic [1:0]             o_v, o_r, o_last, s_rd_r;
  logic [1:0][DATA_W-1:0] o_data;
  logic [1:0][CntW-1:0]   o_cnt;
  logic [15:0]            d_len;
  logic                   d_rd_v, d_in_r;
  logic [HndW:0]          used;
  weft_eth_store #(
    .DATA_W(DATA_W), .BLOCKS(Blocks), .BEATS(BlockB / Bytes), .FRAME_MAX(FRAME_MAX), .ID_W(IdW)
  ) u_store (
    .clk_i, .rst_ni, .eth_rx_valid_i, .eth_rx_data_i, .eth_rx_cnt_i, .eth_rx_last_i, .eth_rx_err_i,
    .id_valid_i(id_v), .id_ready_o(s_id_take), .id_i(id), .pass_o(pass),
    .fate_valid_o(fate_v), .fate_ready_i(fate_r), .fate_id_o(fate_id), .fate_body_o(fate_body),
    .fate_handle_o(fate_handle),
    .rd_valid_i({d_rd_v, rd_valid_i}), .rd_ready_o(s_rd_r), .rd_handle_i({d_handle, rd_handle_i}),
    .rd_off_i({16'd0, rd_off_i}), .rd_len_i({d_len, rd_len_i}),
    .out_valid_o(o_v), .out_ready_i(o_r), .out_data_o(o_data), .out_cnt_o(o_cnt), .out_last_o(o_last),
    .free_valid_i(st_free_v), .free_ready_o(st_free_r), .free_handle_i(st_free_handle), .used_o(used),
    .idle_o(store_idle), .stat_lost_o(stat_drop_lost_o), .stat_full_o(stat_nobody_o)
  );
  assign rd_ready_o      = s_rd_r[0];
  assign rd_data_valid_o = o_v[0];
  assign rd_data_o       = o_data[0];
  assign rd_cnt_o        = o_cnt[0];
  assign rd_last_o       = o_last[0];
  assign o_r             = {d_in_r, rd_data_ready_i};

  logic [4:0]           fq_v, fq_gnt, fq_r;
  logic [4:0][HndW-1:0] fq_h;
  logic [2:0]           fq_idx;
  weft_arb_rr #(.N(5)) u_free (
    .clk_i, .rst_ni, .req_i(fq_v), .advance_i(st_free_r), .valid_o(st_free_v), .gnt_o(fq_gnt), .idx_o(fq_idx)
  );
  assign fq_r           = fq_gnt & {5{st_free_r}};
  assign st_free_handle = fq_h[fq_idx];
  assign fq_v[1:0]      = free_valid_i;
  assign fq_h[1:0]      = free_handle_i;
  assign free_ready_o   = fq_r[1:0];

  // ---------------------------------------------------------------- header records
  logic               key_v, rec_we, tok_v, join_idle, jg_v, jg_r;
  weft_eth_pkg::key_t key, jg_key;
  weft_eth_pkg::tok_t tok, jg_tok;
  logic [3:0]         jg_cand;
  logic [IdW-1:0]     rec_wid, a_rid, d_rid, rec_rid;
  weft_eth_pkg::rec_t rec_w, rec;
  logic               a_re, d_re;
  weft_eth_join #(
    .DATA_W(DATA_W), .FRAME_MAX(FRAME_MAX), .ID_W(IdW), .HND_W(HndW), .BLOCK_LOG2($clog2(BlockB)), .OPT_STEPS(OPT_STEPS)
  ) u_join (
    .clk_i, .rst_ni, .mac_i(mac), .promisc_i(promisc), .allmulti_i(allmulti), .port_valid_o(port_v), .port_o(port),
    .port_ours_i(ours), .in_valid_i(pass), .in_data_i(eth_rx_data_i), .in_cnt_i(eth_rx_cnt_i),
    .in_last_i(eth_rx_last_i), .in_err_i(eth_rx_err_i), .key_valid_o(key_v), .key_o(key),
    .fate_valid_i(fate_v), .fate_ready_o(fate_r), .fate_id_i(fate_id), .fate_body_i(fate_body),
    .fate_handle_i(fate_handle), .falsehit_valid_i, .falsehit_ready_o, .falsehit_i,
    .id_valid_i(id_v && !s_id_take), .id_none_i(!id_v), .id_ready_o(j_id_take), .id_i(id),
    .again_valid_o(jg_v), .again_ready_i(jg_r), .again_full_i(!look_r), .again_tok_o(jg_tok), .again_key_o(jg_key), .again_cand_o(jg_cand),
    .free_valid_o(fq_v[2]), .free_ready_i(fq_r[2]), .free_handle_o(fq_h[2]),
    .rec_we_o(rec_we), .rec_id_o(rec_wid), .rec_o(rec_w), .tok_valid_o(tok_v), .tok_o(tok),
    .idle_o(join_idle), .stat_slow_o, .stat_skip_o, .stat_false_lost_o(stat_drop_false_o)
  );
  assign rec_rid = a_re ? a_rid : d_rid;
  weft_ram_1r1w #(.W(weft_eth_pkg::RecW), .DEPTH(N_Rec)) u_recs (
    .clk_i, .we_i(rec_we), .waddr_i(rec_wid), .wdata_i(rec_w), .re_i(a_re || d_re), .raddr_i(rec_rid), .rdata_o(rec)
  );

  // ---------------------------------------------------------------- look-up
  logic               res_v, res_hit, inj_v, inj_gone, ag_v, look_r, table_ready;
  logic [3:0]         res_cand, ag_cand;
  logic [23:0]        res_qpn;
  weft_eth_pkg::tok_t inj_tok, ag_tok;
  weft_eth_pkg::key_t ag_key;
  weft_eth_look #(.N_QP(N_QP), .SIG_W(SIG_W), .N_CAM(N_CAM)) u_look (
    .clk_i, .rst_ni, .ready_o(table_ready), .hash_key_i(hash_key),
    .cfg_req_valid_i(cfg_req_valid_i[1]), .cfg_req_ready_o(cfg_req_ready_o[1]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[1]), .cfg_rsp_o(rsp_1),
    .key_valid_i(key_v), .key_i(key), .res_valid_o(res_v), .res_hit_o(res_hit), .res_cand_o(res_cand),
    .res_qpn_o(res_qpn), .again_valid_i(ag_v || jg_v), .again_ready_o(look_r), .again_tok_i(ag_v ? ag_tok : jg_tok),
    .again_key_i(ag_v ? ag_key : jg_key), .again_cand_i(ag_v ? ag_cand : jg_cand),
    .inj_valid_o(inj_v), .inj_tok_o(inj_tok), .inj_gone_i(inj_gone), .idle_o(look_idle), .stat_move_o
  );
  // An answer of ctx goes first.
  assign jg_r = look_r && !ag_v;

  // ---------------------------------------------------------------- ctx, parking
  logic               res_rv, res_rr, hold, quiet, park_v, put_v, fw_done, l2_done, ask_idle, park_idle, park_ready;
  logic [23:0]        rs_qpn;
  logic [IdW-1:0]     rs_id, park_id;
  logic [3:0]         rs_cand, park_cand;
  logic [5:0]         park_miss;
  logic [IdW:0]       parked;
  logic [N_MISS-1:0]  park_full;
  weft_eth_pkg::tok_t put;
  logic [7:0]         done_blocks;
  weft_eth_ask #(
    .N_REC(N_Rec), .N_MISS(N_MISS), .PARK_MAX(N_Rec * 3 / 8), .BLOCK_MAX(Blocks / 4), .FW_BLOCKS(Blocks / 4), .L2_BLOCKS(Blocks / 2)
  ) u_ask (
    .clk_i, .rst_ni, .tok_valid_i(tok_v), .tok_i(tok), .res_valid_i(res_v), .res_hit_i(res_hit),
    .res_cand_i(res_cand), .res_qpn_i(res_qpn),
    .inj_valid_i(inj_v), .inj_gone_o(inj_gone), .inj_tok_i(inj_tok), .inj_hit_i(res_hit), .inj_cand_i(res_cand),
    .inj_qpn_i(res_qpn), .resume_valid_i(res_rv), .resume_ready_o(res_rr), .resume_qpn_i(rs_qpn),
    .resume_id_i(rs_id), .resume_cand_i(rs_cand), .hold_i(hold), .quiet_o(quiet),
    .need_valid_o, .need_ready_i, .need_o, .have_valid_i, .have_i, .rec_re_o(a_re), .rec_id_o(a_rid), .rec_i(rec),
    .seg_valid_o, .seg_ready_i, .seg_o, .gone_valid_o(home_v), .gone_id_o(home_id),
    .park_valid_o(park_v), .park_miss_o(park_miss), .park_id_o(park_id), .park_cand_o(park_cand),
    .parked_i(parked), .park_full_i(park_full), .park_over_i(resumed_valid_o && resumed_ready_i),
    .again_valid_o(ag_v), .again_ready_i(look_r), .again_tok_o(ag_tok), .again_key_o(ag_key), .again_cand_o(ag_cand),
    .put_valid_o(put_v), .put_o(put), .fw_done_i(fw_done), .l2_done_i(l2_done), .done_blocks_i(done_blocks),
    .idle_o(ask_idle), .stat_home_o(stat_rdma_o), .stat_park_o, .stat_busy_o, .stat_none_o()
  );
  weft_eth_park #(.N_REC(N_Rec), .N_MISS(N_MISS), .EACH(PARK_EACH)) u_park (
    .clk_i, .rst_ni, .ready_o(park_ready), .park_valid_i(park_v), .park_miss_i(park_miss), .park_id_i(park_id),
    .park_cand_i(park_cand), .parked_o(parked), .full_o(park_full), .arrive_valid_i, .arrive_i,
    .resume_valid_o(res_rv), .resume_ready_i(res_rr), .resume_qpn_o(rs_qpn), .resume_id_o(rs_id),
    .resume_cand_o(rs_cand), .hold_o(hold), .quiet_i(quiet), .resumed_valid_o, .resumed_ready_i, .resumed_qpn_o,
    .resumed_miss_o, .idle_o(park_idle)
  );

  // ---------------------------------------------------------------- firmware, network device, nowhere
  logic deliver_idle;
  weft_eth_deliver #(.DATA_W(DATA_W), .N_REC(N_Rec), .HND_W(HndW)) u_deliver (
    .clk_i, .rst_ni, .put_valid_i(put_v), .put_i(put), .rec_free_i(!a_re), .rec_re_o(d_re), .rec_id_o(d_rid),
    .rec_i(rec), .rd_valid_o(d_rd_v), .rd_ready_i(s_rd_r[1]), .rd_handle_o(d_handle), .rd_len_o(d_len),
    .in_valid_i(o_v[1]), .in_ready_o(d_in_r), .in_data_i(o_data[1]), .in_cnt_i(o_cnt[1]), .in_last_i(o_last[1]),
    .fw_valid_o, .fw_ready_i, .fw_data_o, .fw_cnt_o, .fw_last_o, .fw_qpn_o, .fw_reason_o,
    .l2_meta_valid_o, .l2_meta_ready_i, .l2_meta_o, .l2_valid_o, .l2_ready_i, .l2_data_o, .l2_cnt_o, .l2_last_o,
    .fw_done_o(fw_done), .l2_done_o(l2_done), .done_blocks_o(done_blocks),
    .free_valid_o(fq_v[4:3]), .free_ready_i(fq_r[4:3]), .free_handle_o(fq_h[4:3]),
    .gone_valid_o(gone_v), .gone_ready_i(gone_r), .gone_id_o(gone_id), .idle_o(deliver_idle), .stat_fw_o, .stat_l2_o,
    .stat_drop_bad_o, .stat_drop_addr_o, .stat_drop_csum_o, .stat_drop_full_o, .stat_drop_park_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      eth_rx_pause_o <= 1'b0;
      crowded_o      <= 1'b0;
      stat_frame_o   <= 1'b0;
    end else begin
      crowded_o      <= used >= (HndW + 1)'(Blocks * 3 / 4) || recs_q >= (IdW + 1)'(N_Rec * 3 / 4);
      eth_rx_pause_o <= used >= (HndW + 1)'(Blocks / 2) || recs_q >= (IdW + 1)'(N_Rec / 2);
      stat_frame_o   <= tok_v;
    end
  end
  assign ready_o = table_ready && park_ready && regs_ready_q;
  // The port map clears 2,048 words behind the reset; its module says so only by idle.
  logic regs_ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) regs_ready_q <= 1'b0;
    else if (regs_idle) regs_ready_q <= 1'b1;
  end
  assign idle_o = ready_o && regs_idle && store_idle && join_idle && look_idle && ask_idle && park_idle && deliver_idle
                  && recs_q == '0;

`ifndef SYNTHESIS
  initial begin
    if (DATA_W != 64 && DATA_W != 128 && DATA_W != 256 && DATA_W != 512) $fatal(1, "weft_eth_in: DATA_W");
    if ((STORE_BYTES & (STORE_BYTES - 1)) != 0 || Blocks < 64 || Blocks > 1024) $fatal(1, "weft_eth_in: STORE_BYTES");
  end
  always_ff @(posedge clk_i) if (rst_ni) assert (!back_v || fr_room) else $error("%m: a record came back twice");
`else
  logic unused;
  assign unused = fr_room;
`endif

  assign station_o = mac;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
