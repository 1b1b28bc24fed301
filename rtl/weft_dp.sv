// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The data path as one module (docs/datapath.md): ctx, eth, tcp, mpa, rdmap and qp, a line for each crossing, with
/// small modules where two rooms say the same thing in different words (rtl/dp). Around it: weft_tpt, weft_cq,
/// network device, firmware, PCIe.
///
/// Parameters that hang together: no pool of all connections runs dry while
/// N_READ >= N_SLOT * MAX_ORD and N_RD >= N_SLOT * (MAX_IRD + IRD_MORE); less than that lets connections wait for each
/// other, and firmware lets no home have more. N_LANE at most N_SLOT / 2, N_LOG more than 5 * N_SLOT + 16.
///
/// Operations on STags, of rdmap and of the send queue, go to weft_tpt by one port in turns (`stag_op_*`).
///
/// Epochs of accesses go through: an answer of weft_tpt names its own, `leave_*` gives each access back, `drain_*` becomes an event.
///
/// Not yet: more than one MAC.
// lint: -GN_QP=256 -GN_SLOT=256
module weft_dp #(
  parameter int unsigned DATA_W = 128,        ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 256,          ///< connections, power of two, 32 to 65,536
  parameter int unsigned N_SLOT = 256,        ///< slots, power of two, 16 to 4,096, at most N_QP
  parameter int unsigned N_MISS = 64,         ///< fills under way, power of two, 4 to 64
  parameter int unsigned FREE_LOW = 8,        ///< slots kept free ahead of need, N_SLOT / 2 at most
  parameter int unsigned N_LANE = 16,         ///< QPs that send at a time
  parameter int unsigned N_LOG = 2048,        ///< log records
  parameter int unsigned N_RD = 2048,         ///< inbound reads
  parameter int unsigned N_READ = 1024,       ///< outstanding reads
  parameter int unsigned IRD_MORE = 4,        ///< inbound reads beyond IRD that may be unacknowledged
  parameter int unsigned MAX_IRD = 4,         ///< largest IRD of a home
  parameter int unsigned MAX_ORD = 4,         ///< largest ORD of a home
  parameter int unsigned N_VAL = 16,          ///< value slots
  parameter int unsigned N_PUSH = 8,          ///< places for pushed WQEs
  parameter int unsigned N_L2 = 64,           ///< L2 entries
  parameter int unsigned PLACES = 64,         ///< items under way in rdmap
  parameter int unsigned N_SRQ = 64,          ///< shared receive queues
  parameter int unsigned N_RQB = 32,          ///< buffers of receive WQEs
  parameter int unsigned N_FPDU = 128,        ///< FPDUs that are being made, power of two
  parameter int unsigned FRAME_BYTES = 65536, ///< frame store
  parameter int unsigned FPDU_BYTES = 65536,  ///< FPDU store
  parameter int unsigned SEG_BYTES = 32768,   ///< segment buffer
  parameter int unsigned N_RING = 16,         ///< receive rings
  parameter int unsigned RING_PAGES = 16,     ///< pages of one
  parameter int unsigned SIEGE_SHIFT = 27,    ///< one that keeps a slot without moving while others wait is ended after 64 times 2^this ns
  parameter int unsigned STALL_SHIFT = 33,    ///< an FPDU may stay incomplete in a ring for 3 to 4 times 2^this ns
  parameter int unsigned TICK_SHIFT = 14,     ///< log2 of the timer wheel's tick in ns
  parameter int unsigned ACK_DELAY_NS = 500_000,
  parameter bit TEST_CWND = 1'b0,             ///< simulation: no congestion control (weft_tcp_conn_cc)
  localparam int unsigned PuW = $clog2(N_PUSH),
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned NRd = 6,            // DMA readers: homes, payload, receive WQEs, send WQEs, rings, atomics
  localparam int unsigned NWr = 3             // DMA writers: placement, homes, rings
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [63:0]                 now_ns_i,
  output logic                        ready_o,        ///< tables are cleared; nothing may come before
  input  logic [1:0]                  cfg_shift_i,    ///< pages of receive rings are of 4 KiB << cfg_shift_i
  input  logic [31:0]                 cfg_wnd_i,      ///< receive window: bytes, at most a ring's

  /// Rooms of the configuration bus: STEER, look-up (LOOK_*), CTX, L2T, value slots (word w of slot s at s * 64 + w * 4), RX.
  input  logic [5:0]                  cfg_req_valid_i,
  output logic [5:0]                  cfg_req_ready_o,
  input  weft_pkg::cfg_req_t          cfg_req_i,
  output logic [5:0]                  cfg_rsp_valid_o,
  output logic [5:0][32:0]            cfg_rsp_o,      ///< weft_pkg::cfg_rsp_t each

  input  logic                        sq_db_valid_i,  ///< pulses
  input  logic [23:0]                 sq_db_qpn_i,
  input  logic [15:0]                 sq_db_index_i,
  input  logic                        sq_db_push_i,   ///< see weft_sq
  input  logic [PuW-1:0]              sq_db_buf_i,
  input  logic                        sq_db_new_i,
  input  logic                        push_we_i,
  input  logic [PuW-1:0]              push_buf_i,
  input  logic [447:0]                push_wqe_i,
  input  logic                        rq_db_valid_i,
  input  logic [23:0]                 rq_db_qpn_i,
  input  logic [15:0]                 rq_db_index_i,
  input  logic                        srq_db_valid_i,
  input  logic [15:0]                 srq_db_srqn_i,
  input  logic [15:0]                 srq_db_index_i,
  input  logic                        page_valid_i,   ///< pages for receive rings
  output logic                        page_ready_o,
  input  logic [63:0]                 page_addr_i,    ///< 4 KiB aligned

  output logic [1:0]                  xl_req_valid_o, ///< weft_tpt: 0 transmit, 1 receive
  input  logic [1:0]                  xl_req_ready_i,
  output logic [1:0][161:0]           xl_req_o,       ///< weft_pkg::xlate_req_t each
  input  logic [1:0]                  xl_rsp_valid_i,
  output logic [1:0]                  xl_rsp_ready_o,
  input  logic [1:0][84:0]            xl_rsp_i,       ///< weft_pkg::xlate_rsp_t each
  input  logic [1:0][1:0]             xl_rsp_epoch_i, ///< with each answer
  output logic [2:0]                  leave_o,        ///< pulses, one for each access, errors included: it is over
  output logic [5:0]                  leave_epoch_o,  ///< bits 1:0 of the first
  input  logic                        drain_valid_i,  ///< closings up to this number are done: event DRAINED
  output logic                        drain_ready_o,
  input  logic [15:0]                 drain_seq_i,
  output logic                        stag_op_valid_o, ///< operations on STags
  input  logic                        stag_op_ready_i,
  output weft_dp_pkg::stag_op_t       stag_op_o,
  input  weft_pkg::xl_err_e           stag_op_err_i,  ///< with stag_op_ready_i
  input  logic [15:0]                 stag_op_seq_i,
  input  logic [15:0]                 stag_op_done_i,

  output logic [NRd-1:0]              rd_req_valid_o, ///< 0 homes, 1 payload, 2 receive WQEs, 3 send WQEs, 4 rings, 5 atomics
  input  logic [NRd-1:0]              rd_req_ready_i,
  output logic [NRd-1:0][80:0]        rd_req_o,       ///< weft_pkg::dma_rd_req_t each
  input  logic [NRd-1:0]              rd_valid_i,
  output logic [NRd-1:0]              rd_ready_o,
  input  logic [NRd-1:0][DATA_W-1:0]  rd_data_i,
  input  logic [NRd-1:0][CntW-1:0]    rd_cnt_i,
  input  logic [NRd-1:0]              rd_last_i,
  input  logic [NRd-1:0]              rd_err_i,
  output logic [NWr-1:0]              wr_valid_o,     ///< 0 placement, 1 homes, 2 rings: one posted order with weft_cq
  input  logic [NWr-1:0]              wr_ready_i,
  output logic [NWr-1:0][79:0]        wr_hdr_o,       ///< weft_pkg::dma_wr_hdr_t each
  output logic [NWr-1:0][DATA_W-1:0]  wr_data_o,
  output logic [NWr-1:0][CntW-1:0]    wr_cnt_o,
  output logic [NWr-1:0]              wr_last_o,
  input  logic [7:0]                  wr_acc_i,       ///< writes of that order, all clients': accepted, and left; modulo 256
  input  logic [7:0]                  wr_left_i,

  output logic [1:0]                  cqe_valid_o,    ///< weft_cq: 0 send, 1 receive
  input  logic [1:0]                  cqe_ready_i,
  output logic [1:0][160:0]           cqe_o,          ///< weft_pkg::cqe_req_t each
  output logic                        ev_valid_o,     ///< events for firmware
  input  logic                        ev_ready_i,
  output weft_pkg::fw_ev_t            ev_o,

  input  logic                        eth_rx_valid_i,
  output logic                        eth_rx_ready_o, ///< low for a frame of our own at most
  input  logic [DATA_W-1:0]           eth_rx_data_i,
  input  logic [CntW-1:0]             eth_rx_cnt_i,
  input  logic                        eth_rx_last_i,
  input  logic                        eth_rx_err_i,   ///< with last: FCS
  output logic                        eth_rx_pause_o,
  output logic                        eth_tx_valid_o,
  input  logic                        eth_tx_ready_i,
  output logic [DATA_W-1:0]           eth_tx_data_o,
  output logic [CntW-1:0]             eth_tx_cnt_o,
  output logic                        eth_tx_last_o,

  input  logic [1:0]                  oth_valid_i,    ///< frames to send: 0 firmware, 1 network device
  output logic [1:0]                  oth_ready_o,
  input  logic [1:0][DATA_W-1:0]      oth_data_i,
  input  logic [1:0][CntW-1:0]        oth_cnt_i,
  input  logic [1:0]                  oth_last_i,
  output logic                        fw_valid_o,     ///< frames for firmware
  input  logic                        fw_ready_i,
  output logic [DATA_W-1:0]           fw_data_o,
  output logic [CntW-1:0]             fw_cnt_o,
  output logic                        fw_last_o,
  output logic [23:0]                 fw_qpn_o,
  output logic [3:0]                  fw_reason_o,    ///< weft_abi steer_reason
  output logic                        l2_meta_valid_o,
  input  logic                        l2_meta_ready_i,
  output weft_pkg::rx_meta_t          l2_meta_o,
  output logic                        l2_valid_o,     ///< frames for the network device
  input  logic                        l2_ready_i,
  output logic [DATA_W-1:0]           l2_data_o,
  output logic [CntW-1:0]             l2_cnt_o,
  output logic                        l2_last_o,

  output logic                        idle_o,
  output logic                        deadline_valid_o,
  output logic [63:0]                 deadline_ns_o,  ///< no timer fires before
  output logic [12:0]                 rings_free_o,
  output logic                        stat_rx_frame_o,  ///< pulses
  output logic                        stat_rx_rdma_o,
  output logic                        stat_rx_drop_o,   ///< a frame was let go, for whatever reason
  output logic [6:0]                  stat_rx_drops_o,  ///< no header record, bad, address, checksum, full, parked too many, false hit
  output logic                        stat_seg_o,       ///< a segment was looked at
  output logic                        stat_seg_lost_o,  ///< its payload was not taken
  output logic                        stat_seg_over_o,  ///< let go: too many of its connection waited
  output logic                        stat_seg_bad_o,   ///< not acceptable
  output logic                        stat_rto_o,
  output logic                        stat_tx_seg_o,
  output logic                        stat_tx_ack_o,
  output logic                        stat_tx_again_o,  ///< bytes left that had left before
  output logic                        stat_tx_cut_o,
  output logic                        stat_tx_own_o,  ///< a frame to this station turned round
  output logic                        stat_tx_fpdu_o,
  output logic                        stat_tx_void_o,
  output logic                        stat_rx_fpdu_o,
  output logic                        stat_rx_fault_o,
  output logic                        stat_rx_ring_o,   ///< a receive ring was taken
  output logic                        stat_rx_ahead_o,  ///< a Write was placed ahead of turn
  output logic                        stat_fetch_o,     ///< send WQEs were asked for, or taken from where they were pushed to
  output logic                        stat_push_o,      ///< the latter
  output logic                        stat_bad_wqe_o,
  output logic                        stat_hit_o,       ///< a connection that was asked for is home
  output logic                        stat_miss_o,
  output logic                        stat_evict_o,
  output logic                        stat_held_o,     ///< a connection that keeps its slot without moving was named
  output logic                        stat_srq_bad_o   ///< a producer index of a shared receive queue was refused
);

  localparam int unsigned QpW = $clog2(N_QP);
  localparam int unsigned ChW = N_QP > 2048 ? $clog2(N_QP) - 10 : 1;
  localparam int unsigned L2W = $clog2(N_L2);
  localparam int unsigned FrmB = DATA_W == 64 ? 256 : 512;
  localparam int unsigned FrmH = $clog2(FRAME_BYTES / FrmB);
  localparam int unsigned NDrop = 23;

  // ---------------------------------------------------------------- ctx
  logic                    ctx_ready, arrive_v, resumed_v, resumed_r, home_v, home_r, ans_v, ans_ok, chunk_we, chunk_v, ctx_idle, cfw_idle, gated, held_v, held_r;
  logic [ChW-1:0]          chunk_idx;
  logic [63:0]             chunk_addr;
  logic [2:0]              home_op, ans_op;
  logic [23:0]             home_qpn, ans_qpn, resumed_qpn, held_qpn;
  logic [5:0]              resumed_miss;
  logic [3:0]              need_v, need_r, have_v, load_v, load_r, save_v, save_r, line_v, line_r, cmd_v, cmd_r;
  logic [3:0][24:0]        need;
  logic [3:0][552:0]       line, load;
  weft_dp_pkg::need_t      need_eth, need_sq, need_conn, need_fw;
  weft_dp_pkg::have_t      have;
  weft_dp_pkg::arrive_t    arrive;
  weft_dp_pkg::line_t      load_conn, load_sq, load_mpa, load_rdmap, line_conn, line_sq, line_mpa, line_rdmap;
  weft_dp_pkg::save_t      save_conn, save_sq, save_mpa, save_rdmap;
  logic [3:0][37:0]        save;
  weft_dp_pkg::ctx_cmd_t   cmd;
  logic [NDrop-1:0]        drop_v;
  logic [NDrop-1:0][11:0]  drop_slot;
  logic [NDrop-1:0][3:0]   drop_n;
  weft_pkg::dma_rd_req_t   rq_ctx, rq_pay, rq_rq, rq_sq, rq_ring, rq_at;
  weft_pkg::dma_wr_hdr_t   wh_place, wh_ctx, wh_ring;
  weft_pkg::cfg_rsp_t      cr_ctx, cr_l2, cr_val, cr_rx;
  logic [65:0]             cr_eth;
  logic [4:0]              ev_v, ev_r;
  weft_dp_pkg::ctx_ev_t    ev_conn, ev_sq, ev_mpa, ev_rdmap, ev_fw, ev_tpt;

  assign need = {need_fw, need_conn, need_sq, need_eth};
  assign line = {line_rdmap, line_mpa, line_sq, line_conn};
  assign {save_rdmap, save_mpa, save_sq, save_conn} = save;
  assign {load_rdmap, load_mpa, load_sq, load_conn} = load;
  assign rd_req_o  = {rq_at, rq_ring, rq_sq, rq_rq, rq_pay, rq_ctx};
  assign wr_hdr_o  = {wh_ring, wh_ctx, wh_place};
  assign cfg_rsp_o = {cr_rx, cr_val, cr_l2, cr_ctx, cr_eth};
  weft_ctx #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_MISS(N_MISS), .N_NEED(4), .N_DROP(NDrop), .N_ROOM(4), .FREE_LOW(FREE_LOW), .SIEGE_SHIFT(SIEGE_SHIFT)
  ) u_ctx (
    .clk_i, .rst_ni, .ready_o(ctx_ready), .chunk_we_i(chunk_we), .chunk_idx_i(chunk_idx), .chunk_valid_i(chunk_v), .chunk_addr_i(chunk_addr),
    .cmd_valid_i(home_v), .cmd_ready_o(home_r), .cmd_i(home_op), .cmd_qpn_i(home_qpn), .ans_valid_o(ans_v), .ans_o(ans_op),
    .ans_qpn_o(ans_qpn), .ans_ok_o(ans_ok), .need_valid_i(need_v), .need_ready_o(need_r), .need_i(need), .have_valid_o(have_v),
    .have_o(have), .arrive_valid_o(arrive_v), .arrive_o(arrive), .resumed_valid_i(resumed_v), .resumed_ready_o(resumed_r),
    .resumed_qpn_i(resumed_qpn), .resumed_miss_i(resumed_miss), .drop_valid_i(drop_v), .drop_slot_i(drop_slot), .drop_n_i(drop_n),
    .load_valid_o(load_v), .load_ready_i(load_r), .load_o(load), .save_valid_o(save_v), .save_ready_i(save_r), .save_o(save),
    .line_valid_i(line_v), .line_ready_o(line_r), .line_i(line),
    .rd_req_valid_o(rd_req_valid_o[0]), .rd_req_ready_i(rd_req_ready_i[0]), .rd_req_o(rq_ctx), .rd_valid_i(rd_valid_i[0]),
    .rd_ready_o(rd_ready_o[0]), .rd_data_i(rd_data_i[0]), .rd_last_i(rd_last_i[0]), .rd_err_i(rd_err_i[0]),
    .wr_valid_o(wr_valid_o[1]), .wr_ready_i(wr_ready_i[1]), .wr_hdr_o(wh_ctx), .wr_data_o(wr_data_o[1]), .wr_cnt_o(wr_cnt_o[1]),
    .wr_last_o(wr_last_o[1]), .idle_o(ctx_idle), .stat_hit_o, .stat_miss_o, .stat_busy_o(), .stat_evict_o, .stat_wait_o(),
    .now_ns_i, .gate_i(gated), .ack_valid_i(sqtx_v), .ack_slot_i(sqtx.who.slot), .ack_una_i(sqtx.una[31:0]), .move_valid_i(com_v && !com.ahead),
    .move_slot_i(com.who.slot), .held_valid_o(held_v), .held_ready_i(held_r), .held_qpn_o(held_qpn), .stat_held_o
  );
  weft_ctx_fw #(.N_QP(N_QP)) u_ctx_fw (
    .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[2]), .cfg_req_ready_o(cfg_req_ready_o[2]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[2]), .cfg_rsp_o(cr_ctx), .chunk_we_o(chunk_we), .chunk_idx_o(chunk_idx), .chunk_valid_o(chunk_v),
    .chunk_addr_o(chunk_addr), .home_valid_o(home_v), .home_ready_i(home_r), .home_o(home_op), .home_qpn_o(home_qpn), .ans_valid_i(ans_v),
    .ans_i(ans_op), .ans_qpn_i(ans_qpn), .ans_ok_i(ans_ok), .need_valid_o(need_v[3]), .need_ready_i(need_r[3]), .need_o(need_fw),
    .have_valid_i(have_v[3]), .have_i(have), .arrive_valid_i(arrive_v), .arrive_i(arrive), .held_valid_i(held_v), .held_ready_o(held_r), .held_qpn_i(held_qpn),
    .drop_valid_o(drop_v[0]), .drop_slot_o(drop_slot[0]), .drop_n_o(drop_n[0]),
    .cmd_valid_o(cmd_v), .cmd_ready_i(cmd_r), .cmd_o(cmd), .ev_valid_o(ev_v[4]), .ev_ready_i(ev_r[4]), .ev_o(ev_fw), .idle_o(cfw_idle)
  );

  // ---------------------------------------------------------------- eth
  logic                    eth_ready, seg_v, seg_r, hld_v, hld_r, hld_drain, hld_idle, fh_v, fh_r, fs_rd_v, fs_rd_r, fs_v, fs_r, fs_last, eth_idle, crowded;
  logic [6:0]              st_drop;
  logic [1:0]              ff_v, ff_r;
  logic [11:0]             fs_handle, ff_mpa, ff_conn;
  logic [15:0]             fs_off, fs_len;
  logic [DATA_W-1:0]       fs_data;
  logic [CntW-1:0]         fs_cnt;
  weft_dp_pkg::rx_seg_t    seg, hld, fh;
  logic                    in_v, in_last, in_err;
  logic [DATA_W-1:0]       in_data;
  logic [CntW-1:0]         in_cnt;
  logic [47:0]             station;
  weft_eth_in #(.DATA_W(DATA_W), .N_QP(N_QP), .N_MISS(N_MISS), .STORE_BYTES(FRAME_BYTES)) u_eth (
    .clk_i, .rst_ni, .ready_o(eth_ready), .cfg_req_valid_i(cfg_req_valid_i[1:0]), .cfg_req_ready_o(cfg_req_ready_o[1:0]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[1:0]), .cfg_rsp_o(cr_eth), .eth_rx_valid_i(in_v), .eth_rx_data_i(in_data), .eth_rx_cnt_i(in_cnt),
    .eth_rx_last_i(in_last), .eth_rx_err_i(in_err), .eth_rx_pause_o, .station_o(station), .crowded_o(crowded), .need_valid_o(need_v[0]), .need_ready_i(need_r[0]), .need_o(need_eth), .have_valid_i(have_v[0]),
    .have_i(have), .arrive_valid_i(arrive_v), .arrive_i(arrive), .resumed_valid_o(resumed_v), .resumed_ready_i(resumed_r),
    .resumed_qpn_o(resumed_qpn), .resumed_miss_o(resumed_miss), .seg_valid_o(hld_v), .seg_ready_i(hld_r), .seg_o(hld),
    .falsehit_valid_i(fh_v), .falsehit_ready_o(fh_r), .falsehit_i(fh),
    .rd_valid_i(fs_rd_v), .rd_ready_o(fs_rd_r), .rd_handle_i(fs_handle[FrmH-1:0]), .rd_off_i(fs_off), .rd_len_i(fs_len),
    .rd_data_valid_o(fs_v), .rd_data_ready_i(fs_r), .rd_data_o(fs_data), .rd_cnt_o(fs_cnt), .rd_last_o(fs_last),
    .free_valid_i(ff_v), .free_ready_o(ff_r), .free_handle_i({ff_conn[FrmH-1:0], ff_mpa[FrmH-1:0]}),
    .fw_valid_o, .fw_ready_i, .fw_data_o, .fw_cnt_o, .fw_last_o, .fw_qpn_o, .fw_reason_o,
    .l2_meta_valid_o, .l2_meta_ready_i, .l2_meta_o, .l2_valid_o, .l2_ready_i, .l2_data_o, .l2_cnt_o, .l2_last_o,
    .idle_o(eth_idle), .stat_frame_o(stat_rx_frame_o), .stat_rdma_o(stat_rx_rdma_o), .stat_fw_o(), .stat_l2_o(), .stat_nobody_o(),
    .stat_drop_lost_o(st_drop[0]), .stat_drop_bad_o(st_drop[1]), .stat_drop_addr_o(st_drop[2]), .stat_drop_csum_o(st_drop[3]),
    .stat_drop_full_o(st_drop[4]), .stat_drop_park_o(st_drop[5]), .stat_drop_false_o(st_drop[6]), .stat_park_o(), .stat_busy_o(),
    .stat_slow_o(), .stat_skip_o(), .stat_move_o()
  );
  assign stat_rx_drop_o  = |st_drop;
  assign stat_rx_drops_o = st_drop;

  // ---------------------------------------------------------------- tcp
  logic                     conn_ready, dep_ready, pc_v, pc_r, com_v, room_v, una_v, cdep_v, ddep_v, smax_v, due_v, open_v, view_v, tx_v, sqtx_v, ask_v, aend_v, aend_r, aend_more;
  logic                     tset_v, tset_r, fire_v, fire_r, conn_idle, dep_idle, tmr_idle, txk_idle, late_idle;
  logic                     frm_v, frm_r, frm_last, frm_more, tf_v, tf_r, tf_last, l2e_we, cdrop_v, conn_load_r, dep_load_r, ctl_r;
  logic [1:0]               ctl_v, ctl_go;
  logic [3:0]               cdrop_n;
  logic [11:0]              cdrop_slot, smax_slot, open_slot;
  logic [63:0]              smax, open_smax;
  logic [L2W-1:0]           l2e_idx;
  logic [QpW-1:0]           fire_id;
  logic [DATA_W-1:0]        frm_data, tf_data;
  logic [CntW-1:0]          frm_cnt, tf_cnt;
  weft_dp_pkg::piece_t      pc;
  weft_dp_pkg::commit_t     com;
  weft_dp_pkg::rcv_room_t   room;
  weft_dp_pkg::unaccept_t   una;
  weft_dp_pkg::departed_t   ddep, cdep;
  weft_dp_pkg::ackdue_t     due;
  weft_dp_pkg::who_t        view_who;
  weft_dp_pkg::dep_view_t   view;
  weft_dp_pkg::txack_t      tx, sqtx;
  weft_dp_pkg::ask_t        ask;
  weft_dp_pkg::who_t        aend;
  weft_dp_pkg::tmr_t        tset;
  weft_dp_pkg::framed_t     framed;
  weft_abi_pkg::l2e_t       l2e;
  // Blocks of the frame store that segments may keep which have overtaken others: a quarter for a connection, three eighths in all; and none while the store asks for
  // PAUSE, so what waits here never keeps the wire waiting for longer than it takes to let it go.
  weft_tcp_hold #(.BLOCK_LOG2($clog2(FrmB)), .SHARE(FRAME_BYTES / FrmB / 4), .MOST(FRAME_BYTES / FrmB * 3 / 8)) u_hold (
    .clk_i, .rst_ni, .now_ns_i, .crowded_i(eth_rx_pause_o), .open_valid_i(open_v), .open_slot_i(open_slot),
    .in_valid_i(hld_v), .in_ready_o(hld_r), .in_i(hld), .out_valid_o(seg_v), .out_ready_i(seg_r), .out_o(seg),
    .drain_o(hld_drain), .idle_o(hld_idle), .stat_held_o(), .stat_next_o(), .stat_over_o()
  );
  weft_tcp_conn #(.N_SLOT(N_SLOT), .PIECES(FRAME_BYTES / FrmB), .ACK_DELAY_NS(ACK_DELAY_NS), .TEST_CWND(TEST_CWND)) u_conn (
    .clk_i, .rst_ni, .ready_o(conn_ready), .now_ns_i, .seg_valid_i(seg_v), .seg_ready_o(seg_r), .patient_i(!crowded || hld_drain), .seg_i(seg),
    .falsehit_valid_o(fh_v), .falsehit_ready_i(fh_r), .falsehit_o(fh), .free_valid_o(ff_v[1]), .free_ready_i(ff_r[1]),
    .free_handle_o(ff_conn), .piece_valid_o(pc_v), .piece_ready_i(pc_r), .piece_o(pc), .commit_valid_i(com_v), .commit_i(com),
    .rcv_room_valid_i(room_v), .rcv_room_i(room), .unaccept_valid_i(una_v), .unaccept_i(una), .departed_valid_i(cdep_v),
    .departed_i(cdep), .snd_max_valid_i(smax_v), .snd_max_slot_i(smax_slot), .snd_max_i(smax), .ackdue_valid_o(due_v), .ackdue_o(due),
    .open_valid_o(open_v), .open_slot_o(open_slot), .open_snd_max_o(open_smax), .view_valid_o(view_v), .view_who_o(view_who),
    .view_o(view), .txack_valid_o(tx_v), .txack_o(tx), .ask_valid_o(ask_v), .ask_o(ask), .tmr_valid_o(tset_v), .tmr_ready_i(tset_r),
    .tmr_o(tset), .fire_valid_i(fire_v), .fire_ready_o(fire_r), .fire_qpn_i(24'(fire_id)), .need_valid_o(need_v[2]),
    .need_ready_i(need_r[2]), .need_o(need_conn), .have_valid_i(have_v[2]), .have_i(have), .drop_valid_o(cdrop_v),
    .drop_slot_o(cdrop_slot), .drop_n_o(cdrop_n), .load_valid_i(load_v[0]), .load_ready_o(conn_load_r), .load_i(load_conn),
    .save_valid_i(save_v[0]), .save_ready_o(save_r[0]), .save_i(save_conn), .line_valid_o(line_v[0]), .line_ready_i(line_r[0]),
    .line_o(line_conn), .cmd_valid_i(ctl_v[0]), .cmd_ready_o(ctl_go[0]), .cmd_i(cmd), .ev_valid_o(ev_v[0]), .ev_ready_i(ev_r[0]),
    .ev_o(ev_conn), .idle_o(conn_idle), .stat_seg_o, .stat_over_o(stat_seg_over_o), .stat_lost_o(stat_seg_lost_o), .stat_bad_o(stat_seg_bad_o),
    .stat_chal_o(), .stat_rto_o, .stat_loss_o(), .stat_dsack_o(), .stat_false_o(), .stat_touch_o()
  );
  // Who is told something in the cycle of a drop has taken a pin of its own when it counts.
  weft_dp_late u_conn_late (
    .clk_i, .rst_ni, .drop_valid_i(cdrop_v), .drop_slot_i(cdrop_slot), .drop_n_i(cdrop_n),
    .take_valid_o(drop_v[1]), .take_slot_o(drop_slot[1]), .take_n_o(drop_n[1]),
    .drop_valid_o(drop_v[2]), .drop_slot_o(drop_slot[2]), .drop_n_o(drop_n[2]), .idle_o(late_idle)
  );
  // Line 0 goes to departure too (which takes it at once); commands go to both; their pin ends in conn.
  assign load_r[0] = conn_load_r;
  weft_dp_fork u_cmd_fork (.clk_i, .rst_ni, .in_valid_i(cmd_v[0]), .in_ready_o(ctl_r), .out_valid_o(ctl_v), .out_ready_i(ctl_go));
  assign cmd_r[0]     = ctl_r;
  // An inbound read's pin is dropped by both ends, so it gets another when it changes hands.
  assign drop_v[3]    = rxr_v && rxr_r;
  assign drop_slot[3] = rxr.who.slot;
  assign drop_n[3]    = 4'hf;
  weft_dp_ask_end u_ask_end (
    .end_valid_i(aend_v), .end_ready_o(aend_r), .end_i(aend), .end_more_i(aend_more),
    .departed_valid_i(ddep_v), .departed_i(ddep), .departed_valid_o(cdep_v),
    .departed_o(cdep)
  );
  weft_dp_txack u_txack (
    .clk_i, .rst_ni, .txack_valid_i(tx_v), .txack_i(tx), .open_i(open_v), .arrive_valid_i(arrive_v), .arrive_i(arrive),
    .txack_valid_o(sqtx_v), .txack_o(sqtx), .drop_valid_o(drop_v[5:4]), .drop_slot_o(drop_slot[5:4]), .drop_n_o(drop_n[5:4]),
    .idle_o(txk_idle)
  );
  weft_timer #(.N(N_QP), .TICK_SHIFT(TICK_SHIFT), .SLOTS(256)) u_timer (
    .clk_i, .rst_ni, .now_ns_i, .set_valid_i(tset_v), .set_ready_o(tset_r), .set_cancel_i(!tset.on), .set_id_i(tset.qpn[QpW-1:0]),
    .set_deadline_ns_i(tset.at), .fire_valid_o(fire_v), .fire_ready_i(fire_r), .fire_id_o(fire_id), .deadline_valid_o, .deadline_ns_o,
    .idle_o(tmr_idle)
  );
  weft_tcp_departure #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .N_L2(N_L2), .BUF_BYTES(SEG_BYTES)) u_departure (
    .clk_i, .rst_ni, .now_ns_i, .ready_o(dep_ready), .in_valid_i(frm_v), .in_ready_o(frm_r), .in_i(framed), .in_data_i(frm_data),
    .in_cnt_i(frm_cnt), .in_last_i(frm_last), .in_err_i(1'b0), .in_more_i(frm_more), .ackdue_valid_i(due_v), .ackdue_i(due),
    .view_valid_i(view_v), .view_slot_i(view_who.slot), .view_i(view), .open_valid_i(open_v), .open_slot_i(open_slot),
    .open_snd_max_i(open_smax), .load_valid_i(load_v[0] && conn_load_r), .load_ready_o(dep_load_r), .load_i(load_conn),
    .cmd_valid_i(ctl_v[1]), .cmd_ready_o(ctl_go[1]), .cmd_i(cmd), .l2e_we_i(l2e_we), .l2e_index_i(l2e_idx), .l2e_i(l2e),
    .frm_valid_o(tf_v), .frm_ready_i(tf_r), .frm_data_o(tf_data), .frm_cnt_o(tf_cnt), .frm_last_o(tf_last), .frm_link_o(),
    .departed_valid_o(ddep_v), .departed_o(ddep), .snd_max_valid_o(smax_v), .snd_max_slot_o(smax_slot), .snd_max_o(smax),
    .drop_valid_o(drop_v[7:6]), .drop_slot_o(drop_slot[7:6]), .drop_n_o(drop_n[7:6]), .idle_o(dep_idle), .stat_seg_o(stat_tx_seg_o),
    .stat_ack_o(stat_tx_ack_o), .stat_rode_o(), .stat_joined_o(), .stat_cut_o(stat_tx_cut_o), .stat_fpdu_void_o(), .stat_void_o()
  );
  weft_dp_l2e #(.N_L2(N_L2)) u_l2e (
    .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[3]), .cfg_req_ready_o(cfg_req_ready_o[3]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[3]), .cfg_rsp_o(cr_l2), .l2e_we_o(l2e_we), .l2e_index_o(l2e_idx), .l2e_o(l2e)
  );
  logic              etx_idle, etx_v, etx_r, etx_last, hair_idle;
  logic [DATA_W-1:0] etx_data;
  logic [CntW-1:0]   etx_cnt;
  weft_eth_tx #(.DATA_W(DATA_W), .N(3)) u_eth_tx (
    .clk_i, .rst_ni, .in_valid_i({oth_valid_i, tf_v}), .in_ready_o({oth_ready_o, tf_r}), .in_data_i({oth_data_i, tf_data}),
    .in_cnt_i({oth_cnt_i, tf_cnt}), .in_last_i({oth_last_i, tf_last}), .eth_tx_valid_o(etx_v), .eth_tx_ready_i(etx_r),
    .eth_tx_data_o(etx_data), .eth_tx_cnt_o(etx_cnt), .eth_tx_last_o(etx_last), .idle_o(etx_idle), .stat_frame_o()
  );
  weft_eth_hairpin #(.DATA_W(DATA_W)) u_hairpin (
    .clk_i, .rst_ni, .mac_i(station), .tx_valid_i(etx_v), .tx_ready_o(etx_r), .tx_data_i(etx_data), .tx_cnt_i(etx_cnt), .tx_last_i(etx_last),
    .eth_tx_valid_o, .eth_tx_ready_i, .eth_tx_data_o, .eth_tx_cnt_o, .eth_tx_last_o,
    .eth_rx_valid_i, .eth_rx_ready_o, .eth_rx_data_i, .eth_rx_cnt_i, .eth_rx_last_i, .eth_rx_err_i,
    .rx_valid_o(in_v), .rx_data_o(in_data), .rx_cnt_o(in_cnt), .rx_last_o(in_last), .rx_err_o(in_err), .idle_o(hair_idle),
    .stat_own_o(stat_tx_own_o)
  );

  // ---------------------------------------------------------------- mpa, receive
  logic                     rx_v, rx_r, stored_v, stored_r, ps_rd_v, ps_rd_r, ps_v, ps_r, ps_last, ps_free_v, ps_free_r, ref_v, ref_r, rsm_v, rsm_r, mpi_idle;
  logic [11:0]              ps_handle, ps_free;
  logic [15:0]              ps_off, ps_len, rx_len;
  logic [DATA_W-1:0]        ps_data;
  logic [CntW-1:0]          ps_cnt;
  weft_dp_pkg::rx_fpdu_t    rx;
  weft_dp_pkg::commit_t     stored, thr, placed;
  logic                     thr_v, stored_pl, pl_v, pl_r;
  weft_dp_pkg::refuse_t     refuse;
  weft_dp_pkg::who_t        rsm;
  weft_mpa_in #(
    .DATA_W(DATA_W), .N_SLOT(N_SLOT), .BLOCKS(FPDU_BYTES / FrmB), .BEATS(FrmB / Bytes), .N_RING(N_RING), .PAGES(RING_PAGES),
    .STALL_SHIFT(STALL_SHIFT)
  ) u_mpa_in (
    .clk_i, .rst_ni, .cfg_wnd_i, .cfg_shift_i, .now_ns_i, .piece_valid_i(pc_v), .piece_ready_o(pc_r), .piece_i(pc), .fs_rd_valid_o(fs_rd_v),
    .fs_rd_ready_i(fs_rd_r), .fs_rd_handle_o(fs_handle), .fs_rd_off_o(fs_off), .fs_rd_len_o(fs_len), .fs_valid_i(fs_v),
    .fs_ready_o(fs_r), .fs_data_i(fs_data), .fs_cnt_i(fs_cnt), .fs_last_i(fs_last), .fs_free_valid_o(ff_v[0]),
    .fs_free_ready_i(ff_r[0]), .fs_free_handle_o(ff_mpa), .rx_valid_o(rx_v), .rx_ready_i(rx_r), .rx_o(rx), .rx_len_o(rx_len),
    .stored_valid_o(stored_v), .stored_ready_i(stored_r), .stored_o(stored), .stored_placed_o(stored_pl), .placed_valid_i(pl_v), .placed_ready_o(pl_r), .placed_i(placed), .rd_valid_i(ps_rd_v), .rd_ready_o(ps_rd_r),
    .rd_handle_i(ps_handle), .rd_off_i(ps_off), .rd_len_i(ps_len), .out_valid_o(ps_v), .out_ready_i(ps_r), .out_data_o(ps_data),
    .out_cnt_o(ps_cnt), .out_last_o(ps_last), .free_valid_i(ps_free_v), .free_ready_o(ps_free_r), .free_handle_i(ps_free),
    .refuse_valid_i(ref_v), .refuse_ready_o(ref_r), .refuse_i(refuse), .resume_valid_i(rsm_v), .resume_ready_o(rsm_r), .resume_i(rsm),
    .through_valid_i(thr_v), .through_i(thr), .room_valid_o(room_v), .room_o(room), .unacc_valid_o(una_v), .unacc_o(una), .page_valid_i, .page_ready_o, .page_addr_i,
    .rd_req_valid_o(rd_req_valid_o[4]), .rd_req_ready_i(rd_req_ready_i[4]), .rd_req_o(rq_ring), .dma_valid_i(rd_valid_i[4]),
    .dma_ready_o(rd_ready_o[4]), .dma_data_i(rd_data_i[4]), .dma_cnt_i(rd_cnt_i[4]), .dma_last_i(rd_last_i[4]),
    .dma_err_i(rd_err_i[4]), .wr_valid_o(wr_valid_o[2]), .wr_ready_i(wr_ready_i[2]), .wr_hdr_o(wh_ring), .wr_data_o(wr_data_o[2]),
    .wr_cnt_o(wr_cnt_o[2]), .wr_last_o(wr_last_o[2]), .load_valid_i(load_v[2]), .load_ready_o(load_r[2]), .load_i(load_mpa),
    .save_valid_i(save_v[2]), .save_ready_o(save_r[2]), .save_i(save_mpa), .line_valid_o(line_v[2]), .line_ready_i(line_r[2]),
    .line_o(line_mpa), .cmd_valid_i(cmd_v[2]), .cmd_ready_o(cmd_r[2]), .cmd_i(cmd), .ev_valid_o(ev_v[2]), .ev_ready_i(ev_r[2]),
    .ev_o(ev_mpa), .drop_valid_o(drop_v[8]), .drop_slot_o(drop_slot[8]), .drop_n_o(drop_n[8]), .idle_o(mpi_idle), .stat_piece_o(),
    .stat_fpdu_o(), .stat_fault_o(), .stat_gone_o(), .stat_stale_o(), .stat_ahead_o(), .stat_tail_o(), .stat_full_o(), .stat_drop_o(),
    .stat_ring_o(stat_rx_ring_o), .stat_spill_o(), .rings_free_o
  );

  // ---------------------------------------------------------------- rdmap
  logic                     rdmap_ready, txr_v, txr_r, irf_v, irf_r, rxr_v, rxr_r, rdn_v, rdn_r, rdmap_idle;
  logic [3:0]               irf_sent, irf_acked;
  weft_dp_pkg::tx_read_t    txr;
  weft_dp_pkg::rx_read_t    rxr;
  weft_dp_pkg::read_done_t  rdn;
  weft_dp_pkg::who_t        irf;
  weft_dp_pkg::tpt_req_t    xq_tx, xq_rx;
  logic [1:0]               op_v, op_r;  // rdmap, the send queue
  weft_dp_pkg::stag_op_t    op_rx, op_sq;
  weft_dp_pkg::tpt_rsp_t    xs_tx, xs_rx;
  weft_dp_pkg::cqe_t        cqe_sq, cqe_rx;
  logic                     term_v;
  logic [11:0]              term_slot;
  logic                     srqe_v, srqe_r;
  weft_dp_pkg::ctx_ev_t     ev_srq;
  weft_rdmap_in #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .PLACES(PLACES), .XL_MAX(PLACES), .N_SRQ(N_SRQ), .N_RQB(N_RQB), .N_READ(N_READ), .IRD_MORE(IRD_MORE)
  ) u_rdmap (
    .clk_i, .rst_ni, .ready_o(rdmap_ready), .rx_fpdu_valid_i(rx_v), .rx_fpdu_ready_o(rx_r), .rx_fpdu_i(rx), .rx_fpdu_len_i(rx_len),
    .stored_valid_i(stored_v), .stored_ready_o(stored_r), .stored_i(stored), .stored_placed_i(stored_pl), .placed_valid_o(pl_v), .placed_ready_i(pl_r), .placed_o(placed), .rq_db_valid_i, .rq_db_qpn_i, .rq_db_index_i,
    .srq_db_valid_i, .srq_db_srqn_i, .srq_db_index_i, .cfg_req_valid_i(cfg_req_valid_i[5]), .cfg_req_ready_o(cfg_req_ready_o[5]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[5]), .cfg_rsp_o(cr_rx), .srq_ev_valid_o(srqe_v), .srq_ev_ready_i(srqe_r), .srq_ev_o(ev_srq), .stat_srq_bad_o,
    .tx_read_valid_i(txr_v), .tx_read_ready_o(txr_r), .tx_read_i(txr), .irq_free_valid_i(irf_v), .irq_free_ready_o(irf_r),
    .irq_free_i(irf), .irq_free_sent_i(irf_sent), .irq_free_acked_i(irf_acked), .load_valid_i(load_v[3]), .load_ready_o(load_r[3]),
    .load_i(load_rdmap), .save_valid_i(save_v[3]), .save_ready_o(save_r[3]), .save_i(save_rdmap), .line_valid_o(line_v[3]), .line_ready_i(line_r[3]),
    .line_o(line_rdmap), .cmd_valid_i(cmd_v[3]), .cmd_ready_o(cmd_r[3]), .cmd_i(cmd), .ev_valid_o(ev_v[3]), .ev_ready_i(ev_r[3]),
    .ev_o(ev_rdmap), .drop_valid_o(drop_v[10:9]), .drop_slot_o(drop_slot[10:9]), .drop_n_o(drop_n[10:9]),
    .xl_valid_o(xl_req_valid_o[1]), .xl_ready_i(xl_req_ready_i[1]), .xl_o(xq_rx), .xl_valid_i(xl_rsp_valid_i[1]),
    .xl_ready_o(xl_rsp_ready_o[1]), .xl_i(xs_rx), .xl_done_o(leave_o[1:0]), .xl_done_epoch_o(leave_epoch_o[3:0]), .op_valid_o(op_v[0]),
    .op_ready_i(op_r[0]), .op_o(op_rx), .op_err_i(stag_op_err_i), .op_seq_i(stag_op_seq_i), .op_done_i(stag_op_done_i), .rd_valid_o(ps_rd_v), .rd_ready_i(ps_rd_r),
    .rd_handle_o(ps_handle), .rd_off_o(ps_off), .rd_len_o(ps_len), .pay_valid_i(ps_v), .pay_ready_o(ps_r), .pay_data_i(ps_data),
    .pay_cnt_i(ps_cnt), .pay_last_i(ps_last), .free_valid_o(ps_free_v), .free_ready_i(ps_free_r), .free_handle_o(ps_free),
    .rq_rd_valid_o(rd_req_valid_o[2]), .rq_rd_ready_i(rd_req_ready_i[2]), .rq_rd_o(rq_rq), .rq_valid_i(rd_valid_i[2]),
    .rq_ready_o(rd_ready_o[2]), .rq_data_i(rd_data_i[2]), .rq_cnt_i(rd_cnt_i[2]), .rq_last_i(rd_last_i[2]), .rq_err_i(rd_err_i[2]),
    .at_rd_valid_o(rd_req_valid_o[5]), .at_rd_ready_i(rd_req_ready_i[5]), .at_rd_o(rq_at), .at_valid_i(rd_valid_i[5]),
    .at_ready_o(rd_ready_o[5]), .at_data_i(rd_data_i[5]), .at_err_i(rd_err_i[5]),
    .wr_valid_o(wr_valid_o[0]), .wr_ready_i(wr_ready_i[0]), .wr_hdr_o(wh_place), .wr_data_o(wr_data_o[0]), .wr_cnt_o(wr_cnt_o[0]),
    .wr_last_o(wr_last_o[0]), .commit_valid_o(com_v), .commit_ready_i(1'b1), .commit_o(com),
    .through_valid_o(thr_v), .through_o(thr), .cqe_valid_o(cqe_valid_o[1]),
    .cqe_ready_i(cqe_ready_i[1]), .cqe_o(cqe_rx), .wr_acc_i, .wr_left_i, .rx_read_valid_o(rxr_v), .rx_read_ready_i(rxr_r), .rx_read_o(rxr),
    .read_done_valid_o(rdn_v), .read_done_ready_i(rdn_r), .read_done_o(rdn), .term_valid_o(term_v), .term_slot_o(term_slot), .refuse_valid_o(ref_v), .refuse_ready_i(ref_r),
    .refuse_o(refuse), .resume_valid_o(rsm_v), .resume_ready_i(rsm_r), .resume_o(rsm), .idle_o(rdmap_idle), .stat_fpdu_o(stat_rx_fpdu_o),
    .stat_park_o(), .stat_ahead_o(), .stat_fault_o(stat_rx_fault_o), .stat_recv_o(), .stat_flush_o(), .stat_fetch_o(), .stat_reclaim_o(),
    .stat_xl_o(), .stat_fail_o(), .stat_beat_o(), .stat_merge_o(), .stat_cont_o(), .stat_placed_o(stat_rx_ahead_o)
  );
  // ---------------------------------------------------------------- qp
  logic                     sq_ready, val_we, txe_v, txe_r, tfp_v, tfp_r, tfp_more, tsr_v, tsr_r, inl_v, inl_r, val_v, val_r, inl_last, sq_idle;
  logic [7:0]               val_slot;
  logic [3:0]               val_word;
  logic [31:0]              val_data;
  logic [DATA_W-1:0]        inl_data;
  logic [CntW-1:0]          inl_cnt;
  weft_dp_pkg::txerr_t      txe;
  weft_dp_pkg::tx_fpdu_t    tfp;
  weft_dp_pkg::tx_src_t     tsr;
  weft_sq #(
    .DATA_W(DATA_W), .N_QP(N_QP), .N_SLOT(N_SLOT), .N_LANE(N_LANE), .N_LOG(N_LOG), .N_RD(N_RD), .N_VAL(N_VAL), .N_PUSH(N_PUSH)
  ) u_sq (
    .clk_i, .rst_ni, .ready_o(sq_ready), .db_valid_i(sq_db_valid_i), .db_qpn_i(sq_db_qpn_i), .db_index_i(sq_db_index_i),
    .db_push_i(sq_db_push_i), .db_buf_i(sq_db_buf_i), .db_new_i(sq_db_new_i), .push_we_i, .push_buf_i, .push_wqe_i,
    .need_valid_o(need_v[1]), .need_ready_i(need_r[1]), .need_o(need_sq), .have_valid_i(have_v[1]), .have_i(have),
    .arrive_valid_i(arrive_v), .arrive_i(arrive), .drop_valid_o(drop_v[22:11]), .drop_slot_o(drop_slot[22:11]), .drop_n_o(drop_n[22:11]),
    .load_valid_i(load_v[1]), .load_ready_o(load_r[1]), .load_i(load_sq), .save_valid_i(save_v[1]), .save_ready_o(save_r[1]), .save_i(save_sq),
    .line_valid_o(line_v[1]), .line_ready_i(line_r[1]), .line_o(line_sq), .cmd_valid_i(cmd_v[1]), .cmd_ready_o(cmd_r[1]), .cmd_i(cmd),
    .ev_valid_o(ev_v[1]), .ev_ready_i(ev_r[1]), .ev_o(ev_sq), .val_we_i(val_we), .val_slot_i(val_slot), .val_word_i(val_word),
    .val_data_i(val_data), .txack_valid_i(sqtx_v), .txack_i(sqtx), .ask_valid_i(ask_v), .ask_ready_o(), .ask_i(ask), .ask_end_valid_o(aend_v),
    .ask_end_ready_i(aend_r), .ask_end_o(aend), .ask_end_id_o(), .ask_end_more_o(aend_more),
    .gated_o(gated), .txerr_valid_i(txe_v), .txerr_ready_o(txe_r), .txerr_i(txe), .rx_read_valid_i(rxr_v), .rx_read_ready_o(rxr_r), .rx_read_i(rxr),
    .rd_free_o(), .irq_free_valid_o(irf_v), .irq_free_ready_i(irf_r), .irq_free_o(irf), .irq_free_sent_o(irf_sent), .irq_free_acked_o(irf_acked),
    .read_done_valid_i(rdn_v), .read_done_ready_o(rdn_r), .read_done_i(rdn), .term_valid_i(term_v), .term_slot_i(term_slot), .tx_fpdu_valid_o(tfp_v),
    .tx_fpdu_ready_i(tfp_r), .tx_fpdu_o(tfp), .tx_fpdu_more_o(tfp_more), .tx_src_valid_o(tsr_v), .tx_src_ready_i(tsr_r), .tx_src_o(tsr), .inl_valid_o(inl_v),
    .inl_ready_i(inl_r), .val_valid_o(val_v), .val_ready_i(val_r), .inl_data_o(inl_data), .inl_cnt_o(inl_cnt), .inl_last_o(inl_last),
    .tx_read_valid_o(txr_v), .tx_read_ready_i(txr_r), .tx_read_o(txr), .framed_i(frm_v && frm_r && frm_last), .framed_slot_i(framed.who.slot),
    .framed_again_i(framed.again), .op_valid_o(op_v[1]),
    .op_ready_i(op_r[1]), .op_o(op_sq), .op_err_i(stag_op_err_i), .op_seq_i(stag_op_seq_i), .op_done_i(stag_op_done_i), .cqe_valid_o(cqe_valid_o[0]), .cqe_ready_i(cqe_ready_i[0]),
    .cqe_o(cqe_sq), .rd_req_valid_o(rd_req_valid_o[3]), .rd_req_ready_i(rd_req_ready_i[3]), .rd_req_o(rq_sq), .rd_valid_i(rd_valid_i[3]),
    .rd_ready_o(rd_ready_o[3]), .rd_data_i(rd_data_i[3]), .rd_cnt_i(rd_cnt_i[3]), .rd_last_i(rd_last_i[3]), .rd_err_i(rd_err_i[3]),
    .idle_o(sq_idle), .stat_fetch_o, .stat_bad_wqe_o, .stat_fpdu_o(), .stat_block_o(), .stat_join_o(), .stat_flush_o(), .stat_push_o
  );
  weft_dp_values #(.N_VAL(N_VAL)) u_values (
    .clk_i, .rst_ni, .cfg_req_valid_i(cfg_req_valid_i[4]), .cfg_req_ready_o(cfg_req_ready_o[4]), .cfg_req_i,
    .cfg_rsp_valid_o(cfg_rsp_valid_o[4]), .cfg_rsp_o(cr_val), .val_we_o(val_we), .val_slot_o(val_slot), .val_word_o(val_word),
    .val_data_o(val_data)
  );

  // ---------------------------------------------------------------- mpa, send
  logic mpo_idle, mfp_v, mfp_r;
  weft_dp_more u_more (
    .clk_i, .rst_ni, .in_valid_i(tfp_v), .in_ready_o(tfp_r), .in_more_i(tfp_more), .out_valid_o(mfp_v), .out_ready_i(mfp_r),
    .end_i(frm_v && frm_r && frm_last), .more_o(frm_more)
  );
  weft_mpa_out #(.DATA_W(DATA_W), .FPDUS(N_FPDU), .ACCESSES(N_FPDU), .READS(N_FPDU)) u_mpa_out (
    .clk_i, .rst_ni, .fpdu_valid_i(mfp_v), .fpdu_ready_o(mfp_r), .fpdu_i(tfp), .src_valid_i(tsr_v), .src_ready_o(tsr_r), .src_i(tsr),
    .inl_valid_i(inl_v), .inl_ready_o(inl_r), .inl_data_i(inl_data), .inl_cnt_i(inl_cnt), .inl_last_i(inl_last), .val_valid_i(val_v),
    .val_ready_o(val_r), .val_data_i(inl_data), .val_cnt_i(inl_cnt), .val_last_i(inl_last), .txerr_valid_o(txe_v), .txerr_ready_i(txe_r),
    .txerr_o(txe), .tpt_req_valid_o(xl_req_valid_o[0]), .tpt_req_ready_i(xl_req_ready_i[0]), .tpt_req_o(xq_tx),
    .tpt_rsp_valid_i(xl_rsp_valid_i[0]), .tpt_rsp_ready_o(xl_rsp_ready_o[0]), .tpt_rsp_i(xs_tx), .leave_valid_o(leave_o[2]), .leave_epoch_o(leave_epoch_o[5:4]),
    .rd_req_valid_o(rd_req_valid_o[1]), .rd_req_ready_i(rd_req_ready_i[1]), .rd_req_o(rq_pay), .rd_rsp_valid_i(rd_valid_i[1]),
    .rd_rsp_ready_o(rd_ready_o[1]), .rd_rsp_data_i(rd_data_i[1]), .rd_rsp_cnt_i(rd_cnt_i[1]), .rd_rsp_last_i(rd_last_i[1]),
    .rd_rsp_err_i(rd_err_i[1]), .frm_valid_o(frm_v), .frm_ready_i(frm_r), .frm_data_o(frm_data), .frm_cnt_o(frm_cnt),
    .frm_last_o(frm_last), .framed_o(framed), .idle_o(mpo_idle), .stat_fpdu_o(stat_tx_fpdu_o), .stat_void_o(stat_tx_void_o),
    .stat_read_o(), .stat_room_o(), .stat_record_o()
  );

  // ---------------------------------------------------------------- tpt, cq, events
  weft_dp_ops u_ops (
    .clk_i, .rst_ni, .in_valid_i(op_v), .in_ready_o(op_r), .a_i(op_rx), .b_i(op_sq), .op_valid_o(stag_op_valid_o), .op_ready_i(stag_op_ready_i),
    .op_o(stag_op_o)
  );
  weft_pkg::xlate_req_t xr_tx, xr_rx;
  weft_pkg::xlate_rsp_t xa_tx, xa_rx;
  weft_pkg::cqe_req_t   cq_sq, cq_rx;
  logic                 ev_idle;
  assign xl_req_o = {xr_rx, xr_tx};
  assign {xa_rx, xa_tx} = xl_rsp_i;
  weft_dp_tpt u_tpt_tx (.req_i(xq_tx), .req_o(xr_tx), .rsp_i(xa_tx), .epoch_i(xl_rsp_epoch_i[0]), .rsp_o(xs_tx));
  weft_dp_tpt u_tpt_rx (.req_i(xq_rx), .req_o(xr_rx), .rsp_i(xa_rx), .epoch_i(xl_rsp_epoch_i[1]), .rsp_o(xs_rx));
  assign cqe_o = {cq_rx, cq_sq};
  weft_dp_cqe u_cqe_sq (.cqe_i(cqe_sq), .cqe_o(cq_sq));
  weft_dp_cqe u_cqe_rx (.cqe_i(cqe_rx), .cqe_o(cq_rx));
  weft_dp_drained u_drained (.seq_i(drain_seq_i), .ev_o(ev_tpt));
  weft_dp_events #(.N(7)) u_events (
    .clk_i, .rst_ni, .in_valid_i({srqe_v, drain_valid_i, ev_v}), .in_ready_o({srqe_r, drain_ready_o, ev_r}),
    .in_i({ev_srq, ev_tpt, ev_fw, ev_rdmap, ev_mpa, ev_sq, ev_conn}), .ev_valid_o, .ev_ready_i,
    .ev_o, .idle_o(ev_idle)
  );

  assign stat_tx_again_o = ddep_v && ddep.again && !ddep.unsent && ddep.len != '0;
  assign ready_o = ctx_ready && eth_ready && conn_ready && dep_ready && rdmap_ready && sq_ready;
  assign idle_o  = ready_o && ctx_idle && cfw_idle && eth_idle && hld_idle && conn_idle && dep_idle && tmr_idle && txk_idle && late_idle
                   && etx_idle && hair_idle && mpi_idle && rdmap_idle && sq_idle && mpo_idle && ev_idle && cfg_req_valid_i == '0;

`ifndef SYNTHESIS
  initial begin
    if (N_READ < N_SLOT * MAX_ORD) $fatal(1, "weft_dp: N_READ");
    if (N_RD < N_SLOT * (MAX_IRD + IRD_MORE)) $fatal(1, "weft_dp: N_RD");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && ready_o) begin
      assert (!(load_v[0] && conn_load_r && !dep_load_r)) else $error("%m: departure did not take a line");
    end
  end
`endif
  logic unused;
  assign unused = ^{rd_cnt_i[0], rd_cnt_i[5], rd_last_i[5], fs_handle, ff_conn, ff_mpa, tset, dep_load_r, view_who};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
