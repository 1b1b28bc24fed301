// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Departure: the sending side of room tcp, at its edge (docs/datapath.md, "Send"). Framed FPDUs become segments,
/// segments and what is due without bytes become frames.
///
///   framed --> plan --> trim --> slice --> segbuf ---------> segout --> frm
///                         | records                             ^
///                         v                                     | headers
///   ackdue --> ackset --> bind --> departed, snd_max, drop --> seghdr
///
/// Nothing here waits for anything but the wire (`frm_ready_i`), and what is due without bytes does not wait for
/// framed bytes: a segment that is open, or a packet that stops in the middle, holds up neither.
///
/// **framed** A packet for each description, `in_i` stable for it. A void one is a single beat without bytes. `from` and `to`
/// of an ask (`again`) are those of the ask, not cut to the FPDU: the ask is done with the FPDU in which `to` lies. `in_more_i`
/// with the last beat promises that an FPDU which joins this one comes next, whenever: the segment is kept open for it; without it the segment
/// closes unless the next FPDU has begun to come in by the time at which this one's last beat is cut. `in_err_i` with the last beat is a
/// void FPDU that was found out late; what of it was cut off in front, in segments of mss bytes, has left by then. Order is
/// never changed, so the earliest departure time is honoured only in so far as nothing overtakes (not yet: pacing).
///
/// **view** is written at any time, a slot a cycle. What is due (`ackdue_i`) is told in the cycle of the view write that
/// it needs, or later. A load is line 0 (the template), a view, and `open_*` once, in any order before the first pin of the arrival:
/// `snd_max` begins there, and no send generation is closed.
///
/// **new bytes** leave in order. When some were let go (`cut`), those that were made behind them are let go too, without a word, until they come as an ask.
///
/// **pins** Each description and each `ackdue` brings one. It goes DROP_LAG cycles behind the `departed` of the
/// segment that its last byte left in; at once, when the FPDU was appended to a segment, or the slot was due already.
///
/// **departed** comes for each segment that was bound, in order, and for each FPDU of which nothing (more) leaves
/// (len 0, neither `ack_only` nor `fin`). `cut`: bytes from `off + len` on were built, and wanted, and did not leave: they are to be asked
/// for again. `ask_done` comes once an ask, whether all of it has left or some was cut. A FIN counts as the byte
/// at its offset, also in `snd_max`. A probe and a RST are `ack_only`. What is taken from the ACK set and not sent
/// (it rides on a segment that waits, rode on one that left, or the view is closed) is told too: `ack_only` and `unsent`; so each `ackdue` that was
/// not merged has its `departed`. So is an FPDU of which nothing leaves: `unsent`. A FIN below SND.MAX is `again`.
/// A void FPDU whose `bytes` are 0 does not end its ask.
///
/// TSval is `view.ts_off` + now / 2^TS_SHIFT ns (20: 1.05 ms). CWR goes with every new segment with bytes while the view says so; ECT with
/// those of connections that agreed on ECN, never with what is sent again (RFC 3168 6.1.5) nor without bytes.
/// SACK blocks go with every segment; one with bytes has room for as many as the view had when it was cut.
///
/// Not yet: pacing; FIN in a segment with bytes; a part of a read response from a scratch page (what must be cut leaves as it
/// is read, so who changes the MSS of a connection with outstanding responses must not let them be cut differently: `resp`
/// is not looked at); more than one MAC (`frm_link_o` says which); frames of L2 and firmware: weft_eth_tx merges them.
module weft_tcp_departure #(
  parameter int unsigned DATA_W = 128,     ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 256,     ///< slots, a power of two, 2 to 4,096
  parameter int unsigned N_L2 = 64,        ///< L2 entries, a power of two, 2 to 65,536
  parameter int unsigned MSS_MAX = 8960,   ///< no segment is longer, whatever a view says
  parameter int unsigned BUF_BYTES = 32768, ///< segment buffer, a power of two; two segments of MSS_MAX and 128 at least
  parameter int unsigned TS_SHIFT = 20,
  parameter int unsigned DROP_LAG = 4,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned LaneW = CntW - 1,
  localparam int unsigned L2W = $clog2(N_L2),
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [63:0]               now_ns_i,
  output logic                      ready_o,       ///< N_SLOT cycles behind the reset; nothing may come before

  input  logic                      in_valid_i,
  output logic                      in_ready_o,
  input  weft_dp_pkg::framed_t      in_i,
  input  logic [DATA_W-1:0]         in_data_i,
  input  logic [CntW-1:0]           in_cnt_i,
  input  logic                      in_last_i,
  input  logic                      in_err_i,
  input  logic                      in_more_i,

  input  logic                      ackdue_valid_i,  ///< always taken; those of a slot 4 cycles apart at least
  input  weft_dp_pkg::ackdue_t      ackdue_i,
  input  logic                      view_valid_i,    ///< always taken
  input  logic [11:0]               view_slot_i,
  input  weft_dp_pkg::dep_view_t    view_i,
  input  logic                      open_valid_i,    ///< always taken; two of them 4 cycles apart at least
  input  logic [11:0]               open_slot_i,
  input  logic [63:0]               open_snd_max_i,

  /// Lines of a fill; line 0 is taken, others are let by. Room tcp gives it back in a save (weft_tcp_conn).
  input  logic                      load_valid_i,
  output logic                      load_ready_o,
  input  weft_dp_pkg::line_t        load_i,
  input  logic                      cmd_valid_i,     ///< OpSetL2; others are let by
  output logic                      cmd_ready_o,
  input  weft_dp_pkg::ctx_cmd_t     cmd_i,
  input  logic                      l2e_we_i,
  input  logic [L2W-1:0]            l2e_index_i,
  input  weft_abi_pkg::l2e_t        l2e_i,

  output logic                      frm_valid_o,
  input  logic                      frm_ready_i,
  output logic [DATA_W-1:0]         frm_data_o,
  output logic [CntW-1:0]           frm_cnt_o,
  output logic                      frm_last_o,
  output weft_dp_pkg::link_t        frm_link_o,      ///< stable for the frame

  output logic                      departed_valid_o,  ///< always taken
  output weft_dp_pkg::departed_t    departed_o,
  output logic                      snd_max_valid_o,   ///< a cycle or more ahead of its frame
  output logic [11:0]               snd_max_slot_o,
  output logic [63:0]               snd_max_o,
  output logic [1:0]                drop_valid_o,      ///< two droppers: of departures, of the set
  output logic [23:0]               drop_slot_o,
  output logic [7:0]                drop_n_o,

  output logic                      idle_o,
  output logic                      stat_seg_o,     ///< a segment with bytes was bound
  output logic                      stat_ack_o,     ///< one without
  output logic                      stat_rode_o,    ///< an ACK that was due rode on a segment with bytes
  output logic                      stat_joined_o,  ///< an FPDU was appended to a segment
  output logic                      stat_cut_o,     ///< bytes that were built do not leave
  output logic                      stat_fpdu_void_o,
  output logic                      stat_void_o     ///< a frame was dropped for its L2 entry
);

  localparam int unsigned SEGS = 32;
  localparam int unsigned JOBS = 8;
  localparam int unsigned RecW = 1 + 12 + 64 + 16 + 5 + 7 + 2 + 4 + 3 + 2;

  // ---------------------------------------------------------------- loads and commands
  weft_abi_pkg::home_key_t key;
  weft_tcp_seg_pkg::tmpl_t tmpl;
  logic                    load, set_l2;

  assign key          = load_i.data;
  assign load         = load_valid_i && load_i.line == 3'd0;
  assign set_l2       = cmd_valid_i && cmd_i.op == weft_dp_pkg::OpSetL2;
  assign load_ready_o = 1'b1;
  assign cmd_ready_o  = !load_valid_i;

  always_comb begin
    tmpl       = '0;
    tmpl.qpn   = load_i.who.qpn;
    tmpl.fn    = key.fn;
    tmpl.port  = key.port[1:0];
    tmpl.v6    = key.ipv6;
    tmpl.ecn   = key.ecn;
    tmpl.tos   = key.tos;
    tmpl.ttl   = key.ttl;
    tmpl.flow  = key.flow[19:0];
    tmpl.sport = key.local_port;
    tmpl.dport = key.peer_port;
    tmpl.saddr = key.local_addr;
    tmpl.daddr = key.peer_addr;
  end

  logic        l2_we;
  logic [11:0] l2_slot;
  logic [15:0] l2_new;
  assign l2_we   = load || (set_l2 && !load_valid_i);
  assign l2_slot = load ? load_i.who.slot : cmd_i.who.slot;
  assign l2_new  = load ? key.l2 : cmd_i.arg;

  // ---------------------------------------------------------------- FPDUs to segments
  weft_tcp_seg_pkg::plan_t plan, bt_plan;
  weft_tcp_seg_pkg::bite_t bite;
  weft_tcp_seg_pkg::rec_t  rec_in, rec;
  logic                    plan_v, plan_r, joined, by_v, by_r, by_last, by_err, by_more, plan_idle, slice_idle;
  logic                    bt_v, bt_r;
  logic [DATA_W-1:0]       by_data, bt_data, ch_data, body_data;
  logic [CntW-1:0]         by_cnt, bt_cnt, ch_cnt, body_cnt;
  logic [LaneW-1:0]        bt_off, ch_off, ch_pre;
  logic                    ch_v, ch_r, ch_first, ch_odd, ch_sure, ch_final, ch_err;
  logic                    ri_v, ri_r, rec_v, rec_r, jd_v, jd_r, sum_v, sum_r, body_v, body_r, body_last, buf_empty;
  logic [11:0]             jd_slot;
  logic [15:0]             sum;

  weft_tcp_plan #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .N_L2(N_L2), .MSS_MAX(MSS_MAX)) u_plan (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_i, .in_data_i, .in_cnt_i, .in_last_i, .in_err_i, .in_more_i,
    .view_valid_i, .view_slot_i, .view_i, .open_valid_i, .open_slot_i, .open_snd_max_i(open_snd_max_i[31:0]),
    .v6_we_i(load), .v6_slot_i(load_i.who.slot), .v6_i(key.ipv6), .l2_we_i(l2_we), .l2_slot_i(l2_slot), .l2_i(l2_new),
    .l2e_we_i, .l2e_index_i, .l2e_vlan_i(l2e_i.vlan),
    .plan_valid_o(plan_v), .plan_ready_i(plan_r), .plan_o(plan), .joined_o(joined),
    .byte_valid_o(by_v), .byte_ready_i(by_r), .byte_data_o(by_data), .byte_cnt_o(by_cnt), .byte_last_o(by_last),
    .byte_err_o(by_err), .byte_more_o(by_more), .idle_o(plan_idle), .stat_void_o(stat_fpdu_void_o)
  );

  weft_tcp_trim #(.DATA_W(DATA_W)) u_trim (
    .clk_i, .rst_ni, .plan_valid_i(plan_v), .plan_ready_o(plan_r), .plan_i(plan),
    .byte_valid_i(by_v), .byte_ready_o(by_r), .byte_data_i(by_data), .byte_cnt_i(by_cnt), .byte_last_i(by_last),
    .byte_err_i(by_err), .byte_more_i(by_more),
    .out_valid_o(bt_v), .out_ready_i(bt_r), .out_data_o(bt_data), .out_off_o(bt_off), .out_cnt_o(bt_cnt), .out_o(bite),
    .plan_o(bt_plan)
  );

  weft_tcp_slice #(.DATA_W(DATA_W)) u_slice (
    .clk_i, .rst_ni, .in_valid_i(bt_v), .in_ready_o(bt_r), .in_data_i(bt_data), .in_off_i(bt_off), .in_cnt_i(bt_cnt), .in_i(bite),
    .plan_i(bt_plan), .joined_i(joined),
    .ch_valid_o(ch_v), .ch_ready_i(ch_r), .ch_data_o(ch_data), .ch_off_o(ch_off), .ch_cnt_o(ch_cnt), .ch_first_o(ch_first),
    .ch_pre_o(ch_pre), .ch_odd_o(ch_odd), .ch_sure_o(ch_sure), .ch_final_o(ch_final), .ch_err_o(ch_err),
    .rec_valid_o(ri_v), .rec_ready_i(ri_r), .rec_o(rec_in), .drop_valid_o(jd_v), .drop_ready_i(jd_r), .drop_slot_o(jd_slot),
    .idle_o(slice_idle), .stat_joined_o, .stat_let_go_o(stat_cut_o)
  );

  weft_tcp_segbuf #(.DATA_W(DATA_W), .BEATS(8 * BUF_BYTES / DATA_W), .SEGS(SEGS)) u_buf (
    .clk_i, .rst_ni, .in_valid_i(ch_v), .in_ready_o(ch_r), .in_data_i(ch_data), .in_off_i(ch_off), .in_cnt_i(ch_cnt),
    .in_first_i(ch_first), .in_pre_i(ch_pre), .in_odd_i(ch_odd), .in_sure_i(ch_sure), .in_final_i(ch_final), .in_err_i(ch_err),
    .sum_valid_o(sum_v), .sum_ready_i(sum_r), .sum_o(sum),
    .out_valid_o(body_v), .out_ready_i(body_r), .out_data_o(body_data), .out_cnt_o(body_cnt), .out_last_o(body_last),
    .empty_o(buf_empty)
  );

  weft_fifo #(.W(RecW), .DEPTH(SEGS)) u_recs (
    .clk_i, .rst_ni, .in_valid_i(ri_v), .in_ready_o(ri_r), .in_data_i(rec_in),
    .out_valid_o(rec_v), .out_ready_i(rec_r), .out_data_o(rec), .count_o()
  );

  // ---------------------------------------------------------------- what is due without bytes
  logic              set_ready, bind_ready, set_v, set_r, due_re, due_ack, due_pure, due_ctl, due_all, due_rode, mg_v, set_idle;
  logic [SlW-1:0]    set_slot, due_slot;
  logic [11:0]       mg_slot;
  weft_dp_pkg::due_e due_kind;
  logic [63:0]       due_off;

  weft_tcp_ackset #(.N_SLOT(N_SLOT)) u_set (
    .clk_i, .rst_ni, .ready_o(set_ready), .due_valid_i(ackdue_valid_i), .due_i(ackdue_i),
    .merge_valid_o(mg_v), .merge_slot_o(mg_slot), .out_valid_o(set_v), .out_ready_i(set_r), .out_slot_o(set_slot),
    .rd_re_i(due_re), .rd_slot_i(due_slot), .rd_ack_o(due_ack), .rd_pure_o(due_pure), .rd_ctl_o(due_ctl), .rd_kind_o(due_kind),
    .rd_off_o(due_off), .ans_all_i(due_all), .ans_ack_i(due_rode), .idle_o(set_idle)
  );

  // ---------------------------------------------------------------- frames
  weft_tcp_seg_pkg::seg_t  seg;
  weft_tcp_seg_pkg::tmpl_t seg_tmpl;
  logic                    seg_v, hdr_v, hdr_r, hdr_body, hdr_drop, bd_v, bind_idle, hdr_idle, out_idle;
  logic [15:0]             seg_l2;
  logic [8*weft_tcp_seg_pkg::HdrMax-1:0] hdr_data;
  logic [6:0]              hdr_len;
  logic [9:0]              hdr_link;
  logic [11:0]             bd_slot;

  weft_tcp_bind #(.DATA_W(DATA_W), .N_SLOT(N_SLOT), .JOBS(JOBS), .TS_SHIFT(TS_SHIFT), .DROP_LAG(DROP_LAG)) u_bind (
    .clk_i, .rst_ni, .now_ns_i, .ready_o(bind_ready), .rec_valid_i(rec_v), .rec_ready_o(rec_r), .rec_i(rec),
    .put_valid_i(ri_v && ri_r && !rec_in.none), .put_slot_i(rec_in.slot),
    .set_valid_i(set_v), .set_ready_o(set_r), .set_slot_i(set_slot),
    .due_re_o(due_re), .due_slot_o(due_slot), .due_ack_i(due_ack), .due_pure_i(due_pure), .due_ctl_i(due_ctl),
    .due_kind_i(due_kind), .due_off_i(due_off), .due_all_o(due_all), .due_rode_o(due_rode),
    .view_valid_i, .view_slot_i, .view_i, .tmpl_we_i(load), .tmpl_slot_i(load_i.who.slot), .tmpl_i(tmpl),
    .l2_we_i(l2_we), .l2_slot_i(l2_slot), .l2_i(l2_new), .open_valid_i, .open_slot_i, .open_snd_max_i,
    .l2_o(seg_l2), .seg_valid_o(seg_v), .seg_o(seg), .tmpl_o(seg_tmpl), .job_done_i(hdr_v && hdr_r),
    .beat_done_i(body_v && body_r), .snd_max_valid_o, .snd_max_slot_o, .snd_max_o, .departed_valid_o, .departed_o,
    .drop_valid_o(bd_v), .drop_slot_o(bd_slot), .idle_o(bind_idle), .stat_seg_o, .stat_ack_o, .stat_rode_o
  );

  weft_tcp_seghdr #(.N_L2(N_L2), .QUEUE(JOBS)) u_hdr (
    .clk_i, .rst_ni, .l2e_we_i, .l2e_index_i, .l2e_i, .l2_i(seg_l2), .seg_valid_i(seg_v), .seg_i(seg), .tmpl_i(seg_tmpl),
    .sum_valid_i(sum_v), .sum_ready_o(sum_r), .sum_i(sum), .hdr_valid_o(hdr_v), .hdr_ready_i(hdr_r), .hdr_data_o(hdr_data),
    .hdr_len_o(hdr_len), .hdr_body_o(hdr_body), .hdr_drop_o(hdr_drop), .hdr_link_o(hdr_link), .idle_o(hdr_idle), .stat_void_o
  );

  weft_tcp_segout #(.DATA_W(DATA_W)) u_out (
    .clk_i, .rst_ni, .hdr_valid_i(hdr_v), .hdr_ready_o(hdr_r), .hdr_data_i(hdr_data), .hdr_len_i(hdr_len), .hdr_body_i(hdr_body),
    .hdr_drop_i(hdr_drop), .hdr_link_i(hdr_link), .body_valid_i(body_v), .body_ready_o(body_r), .body_data_i(body_data),
    .body_cnt_i(body_cnt), .body_last_i(body_last), .frm_valid_o, .frm_ready_i, .frm_data_o, .frm_cnt_o, .frm_last_o,
    .frm_link_o, .idle_o(out_idle)
  );

  // ---------------------------------------------------------------- pins
  // Departures come every other cycle at most, so those of appended FPDUs get their turn.
  logic        jq_v;
  logic [11:0] jq_slot;
  weft_fifo #(.W(12), .DEPTH(4)) u_joined (
    .clk_i, .rst_ni, .in_valid_i(jd_v), .in_ready_o(jd_r), .in_data_i(jd_slot),
    .out_valid_o(jq_v), .out_ready_i(!bd_v), .out_data_o(jq_slot), .count_o()
  );
  assign drop_valid_o = {mg_v, bd_v || jq_v};
  assign drop_slot_o  = {mg_slot, bd_v ? bd_slot : jq_slot};
  assign drop_n_o     = {4'd1, 4'd1};

  assign ready_o = set_ready && bind_ready;
  assign idle_o  = plan_idle && slice_idle && buf_empty && set_idle && bind_idle && hdr_idle && out_idle && !jq_v && !ackdue_valid_i;

  logic unused;
  assign unused = ^{load_i, key, cmd_i};

`ifndef SYNTHESIS
  initial begin
    if ($bits(rec) != RecW) $fatal(1, "weft_tcp_departure: RecW");
    if (2 * (MSS_MAX + 128 + DATA_W / 8) > BUF_BYTES) $fatal(1, "weft_tcp_departure: BUF_BYTES");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
