// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Check pipe of rdmap: all that concerns a connection's receive half passes here as an item, in
/// order of its slot. Stages: 0 the context is read; 1 context chosen (memory, or the loop of a run), header
/// taken apart; 2 next context, what waits; 3 compares; 4 which rule; 5 verdict; 6 written, handed on.
///
/// Each item that holds a credit gives exactly one walk_t and ret_t (`out_*`, no ready), unless it waits in its
/// context's list; KLoad, KTxRead and KLate hold none and give none. A save waits there until the reads of receive WQEs that are under way have come:
/// they hold no pin, as what a doorbell starts has none, and whoever saves may give the queue's memory to another. A fault takes effect on the items of its
/// visit that follow it in stage 5, and ends the visit.
///
/// Of a shared receive queue a slot has one WQE at most: it is taken when a Send waits for it, stays RQ_INDEX (SRQ_HAVE) until the message ends
/// or is flushed, and is read again like any other when its buffer went. All else sees a queue of one entry. A queue that has none
/// makes the Send a refused FPDU, until OpResume.
///
/// An Atomic Request waits until all Reads in front of it are served (RFC 7306 5.2 to 5.4: requests are processed in their order), which is when their
/// responses are acknowledged: what is sent again is read from memory again. Its answer is a value, so it waits for no atomic. At first it waits in its
/// context's list: the acknowledgement may have come with it, and takes another way. When that lasts too long (KLate), or nobody can watch it, it is
/// refused as at the bound; what comes out of the ring is refused at once. Who asks with care waits here for that acknowledgement alone
/// (weft_sq_build); to wait for more would stop two sides that wait for each other's rings.
module weft_rdmap_check #(
  parameter int unsigned N_SLOT = 256,    ///< slots, a power of two, 4 to 4096
  parameter int unsigned N_READ = 256,    ///< outstanding reads of this side, as in weft_rdmap_reads
  parameter int unsigned IRD_MORE = 16,   ///< inbound reads that may be unacknowledged beyond IRD
  parameter int unsigned WAIT = 8,        ///< as in weft_ctx_pipe
  parameter int unsigned RUN_MAX = 32,
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned IdW = $clog2(N_READ),
  localparam int unsigned BufW = weft_rdmap_pkg::BufW,
  localparam int unsigned BurstW = weft_rdmap_pkg::BurstW
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  output logic                    ready_o,       ///< the sweep is over

  input  logic                    in_valid_i,
  output logic                    in_ready_o,
  input  logic [SlW-1:0]          in_slot_i,
  input  weft_rdmap_pkg::item_t   in_item_i,

  output logic                    db_re_o,       ///< doorbell index of a QP, a cycle later
  output logic [23:0]             db_qpn_o,
  input  logic [15:0]             db_i,
  output logic                    dig_re_o,      ///< digest of a WQE, a cycle later
  output logic [BufW+3:0]         dig_addr_o,
  input  weft_rdmap_pkg::digest_t dig_i,

  output logic                    rd_look_o,     ///< weft_rdmap_reads
  output logic [IdW-1:0]          rd_idx_o,
  input  weft_rdmap_pkg::read_t   rd_i,
  input  logic [IdW-1:0]          rd_next_i,
  input  logic [IdW-1:0]          rd_fresh_i,
  output logic                    rd_put_o,
  output logic                    rd_link_o,
  output logic [IdW-1:0]          rd_tail_o,
  output weft_rdmap_pkg::read_t   rd_put_data_o,
  output logic                    rd_free_o,
  output logic [IdW-1:0]          rd_free_idx_o,
  output logic                    rd_drop_o,
  output logic [IdW-1:0]          rd_drop_head_o,
  output logic [7:0]              rd_drop_n_o,

  output logic                    pk_put_o,      ///< weft_rdmap_park
  output logic                    pk_pop_o,
  output logic [SlW-1:0]          pk_slot_o,
  output logic                    pk_we_o,
  output weft_rdmap_pkg::item_t   pk_item_o,
  output logic                    pk_give_o,
  output logic                    trig_o,
  output logic [SlW-1:0]          trig_slot_o,
  output logic [BurstW-1:0]       trig_n_o,      ///< so many items of its list, 1 to Burst

  input  logic                    hold_room_i,   ///< an atomic may wait in its context's list: its time is watched
  output logic                    hold_o,        ///< pulse: one does; KLate comes when it has waited long enough
  output logic [SlW-1:0]          hold_slot_o,
  output logic [23:0]             hold_qpn_o,
  output logic [3:0]              hold_no_o,

  input  logic                    low_i,         ///< few buffers are free: none ahead of need
  input  logic                    rich_i,        ///< half of them are free: a third and a fourth of a slot would be in place
  output logic                    work_o,        ///< this slot wants a KLook
  output logic [SlW-1:0]          work_slot_o,
  output logic                    look_o,        ///< a KLook ended ...
  output logic                    fetch_o,       ///< ... with a read
  output weft_rdmap_pkg::fetch_t  fetch_d_o,
  output logic                    srq_wait_o,    ///< this QP waits for its shared receive queue
  output logic [23:0]             srq_wait_qpn_o,
  output logic [15:0]             srq_wait_srqn_o,
  output logic                    map_we_o,      ///< this QP is in this slot, or in none
  output logic [23:0]             map_qpn_o,
  output logic                    map_home_o,
  output logic [SlW-1:0]          map_slot_o,

  output logic                    out_valid_o,
  output weft_rdmap_pkg::walk_t   walk_o,
  output weft_rdmap_pkg::ret_t    ret_o,
  output logic                    line_valid_o,  ///< answer of a save; room for it was kept
  output weft_dp_pkg::line_t      line_o,

  output logic                    idle_o,
  output logic                    stat_fpdu_o,
  output logic                    stat_park_o,
  output logic                    stat_ahead_o,  ///< pulse: an FPDU ahead of turn was let go by the rules
  output logic                    stat_cont_o
);
  localparam int unsigned Stages = 7;

  /// A context: line 7, and what is known only while it is home.
  typedef struct packed {
    weft_abi_pkg::home_rdmap_t h;
    logic            valid;
    logic [23:0]     qpn;
    logic            fresh;    ///< nothing went to placement yet
    logic [15:0]     here;     ///< receive WQEs before it are on chip
    logic [15:0]     asked;    ///< those before it were asked for
    logic [2:0]      ft_n;     ///< reads of receive WQEs under way
    logic [3:0]      ft_into;  ///< into these buffers
    logic            ft_part;  ///< the last one is of less than 16
    logic [3:0]      bv;       ///< buffers: WQEs of group g in g modulo 4
    logic [4*BufW-1:0] bufs;
    logic [7:0]      n_park;   ///< items in the list of those that wait
    logic            stuck;    ///< the first of them waits for a read
    logic [BurstW-1:0] unpk;   ///< so many of the first are on their way
    logic            staid;    ///< one of these stayed where it was: those behind it stay too
    logic            flush;    ///< receives are flushed
    logic            empty;    ///< the shared queue had none for the Send that waits
    logic            leave;    ///< a save waits for reads of receive WQEs: no further ones
    logic [15:0]     rd_wait;  ///< an atomic waits for so many acknowledgements of inbound ones: the last of them is that of a Read
    logic            atom;     ///< refused for that
    logic            held;     ///< the first of the list waits for that
    logic            late;     ///< ... and did so long enough
    logic [3:0]      hold_no;  ///< counts those that waited: a KLate is for one of them
    logic            hole;     ///< what was refused has to come again: what mpa stored behind it before it heard of that is let go there
  } rec_t;
  localparam int unsigned RecW = weft_abi_pkg::HOME_RDMAP_BYTES * 8 + 1 + 24 + 1 + 16 + 16 + 3 + 4 + 1 + 4 + 4 * BufW + 8 + 3 + BurstW + 3 + 16 + 3 + 4;


  logic [15:0] most;  // WQEs of 64 bytes that may be ahead of the group in front
  assign most = rich_i ? 16'd48 : 16'd16;

  // ---------------------------------------------------------------- sweep
  logic           clear_q;
  logic [SlW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      at_q    <= '0;
    end else if (clear_q) begin
      clear_q <= at_q != '1;
      at_q    <= at_q + 1'b1;
    end
  end
  assign ready_o = !clear_q;

  // ---------------------------------------------------------------- stage 0
  logic                  v0, cont0, last2, go, rel_v, busy, rdy;
  logic [SlW-1:0]        slot0, rel_slot;
  weft_rdmap_pkg::item_t item0;
  logic [3:0]            stop_q;  // a fault: visits end
  logic                  visit, waits, stall;
  assign go = !clear_q && stop_q == '0;
  weft_ctx_pipe #(.SLOT_W(SlW), .ITEM_W(weft_rdmap_pkg::ItemW), .STAGES(Stages), .WAIT(WAIT), .RUN_MAX(RUN_MAX)) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && !clear_q), .in_ready_o(rdy), .in_slot_i, .in_item_i, .go_i(go),
    .st_valid_o(v0), .st_slot_o(slot0), .st_item_o(item0), .st_cont_o(cont0), .st2_last_o(last2),
    .rel_valid_o(rel_v), .rel_slot_o(rel_slot), .busy_slot_i('0), .busy_o(busy), .idle_o,
    .stat_item_o(), .stat_visit_o(visit), .stat_wait_o(waits), .stat_stall_o(stall)
  );
  assign in_ready_o = rdy && !clear_q;
  assign db_re_o    = v0;
  assign db_qpn_o   = item0.qpn;

  rec_t rec_ram, rec1, rec2_q, rec2n, rec3_q, rec4_q, rec5_q, rec5n, rec6_q;
  logic                 we6;
  logic [SlW-1:0]       slot6_q;
  weft_ram_1r1w #(.W(RecW), .DEPTH(N_SLOT)) u_rec (
    .clk_i, .we_i(clear_q || we6), .waddr_i(clear_q ? at_q : slot6_q), .wdata_i(clear_q ? '0 : rec6_q),
    .re_i(v0), .raddr_i(slot0), .rdata_o(rec_ram)
  );

  logic [6:1]                 v_q, cont_q;
  logic [6:3]                 last_q;
  logic [5:1][SlW-1:0]        slot_q;
  weft_rdmap_pkg::item_t      item1_q, item2_q, item3_q, item4_q, item5_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= {v_q[5:1], v0};
  end
  always_ff @(posedge clk_i) begin
    cont_q <= {cont_q[5:1], cont0};
    last_q <= {last_q[5:3], last2};
    slot_q <= {slot_q[4:1], slot0};
    slot6_q <= slot_q[5];
    if (v0) item1_q <= item0;
    if (v_q[1]) item2_q <= item1_q;
    if (v_q[2]) item3_q <= item2_q;
    if (v_q[3]) item4_q <= item3_q;
    if (v_q[4]) item5_q <= item4_q;
  end

  // ---------------------------------------------------------------- stage 1
  typedef struct packed {
    logic        write;
    logic        req;
    logic        atom;
    logic        known;
    logic        resp;
    logic        aresp;
    logic        send;
    logic        imm;
    logic        inv;
    logic        term;
    logic        last;
    logic        is_tag;
    logic [15:0] len;
    logic [31:0] stag;
    logic [63:0] to;
    logic [31:0] msn;
    logic [31:0] mo;
    logic        fin;
    logic        bad;
    logic [15:0] code;
    logic [1:0]  hdrs;
  } hdr_t;
  hdr_t                  hd1, hd2_q, hd3_q, hd4_q, hd5_q;
  weft_rdmap_pkg::fpdu_t fp1, fp2, fp5;
  assign fp1  = item1_q.d[weft_rdmap_pkg::FpduW-1:0];
  assign rec1 = cont_q[1] ? rec3_q : rec_ram;
  weft_rdmap_hdr u_hdr (
    .fpdu_i(fp1), .write_o(hd1.write), .req_o(hd1.req), .atom_o(hd1.atom), .known_o(hd1.known), .resp_o(hd1.resp), .aresp_o(hd1.aresp), .send_o(hd1.send), .imm_o(hd1.imm), .inv_o(hd1.inv), .term_o(hd1.term),
    .last_o(hd1.last), .tagged_o(hd1.is_tag), .len_o(hd1.len), .stag_o(hd1.stag), .to_o(hd1.to), .msn_o(hd1.msn),
    .mo_o(hd1.mo), .fin_o(hd1.fin), .bad_o(hd1.bad), .code_o(hd1.code), .hdrs_o(hd1.hdrs)
  );
  // WQEs of a buffer, and of a read: 16, 8 or 4; the bits above their number say in which buffer.
  function automatic logic [3:0] per_mask(input logic [1:0] stride);
    per_mask = 4'hf >> stride;
  endfunction
  function automatic logic [1:0] buf_of(input logic [5:2] idx, input logic [1:0] stride);
    buf_of = stride == 2'd0 ? idx[5:4] : stride == 2'd1 ? idx[4:3] : idx[3:2];
  endfunction
  logic [1:0] par1;
  assign par1       = buf_of(rec1.h.rq_index[5:2], rec1.h.rq_stride);
  assign dig_re_o   = v_q[1];
  assign dig_addr_o = {rec1.bufs[BufW*par1+:BufW], rec1.h.rq_index[3:0] & per_mask(rec1.h.rq_stride)};
  assign rd_look_o  = v_q[1];
  assign rd_idx_o   = rec1.h.read_head[IdW-1:0];

  logic [15:0] db2_q;
  logic [1:0]  par2_q;
  always_ff @(posedge clk_i) begin
    if (v_q[1]) begin
      rec2_q <= rec1;
      hd2_q  <= hd1;
      db2_q  <= db_i;
      par2_q <= par1;
    end
    if (v_q[2]) hd3_q <= hd2_q;
    if (v_q[3]) hd4_q <= hd3_q;
    if (v_q[4]) hd5_q <= hd4_q;
  end

  // ---------------------------------------------------------------- stage 2: what waits, next context
  typedef struct packed {
    logic        parked;
    logic        act;      // looked at: neither put into the list nor left there
    logic        proc;     // an FPDU whose rules count
    logic        gone;     // let go
    logic        refuse;
    logic        resume;
    logic        ahead;
    logic        front;    // ... and a Write, which is placed
    logic        flush;    // a receive is flushed
    logic        fetch;
    logic        pop;      // fetch: from the shared queue
    logic        first;
    logic        fresh;
    logic [15:0] rq;       // before
    logic        have;     // before: WQE `rq` is this slot's, of a shared queue
    logic        dry;      // refused for want of a WQE of the shared queue
    logic        fin;      // the stream ends, and nothing of it has to come again
    logic [15:0] db;
    logic        msn_send; // as expected
    logic        msn_read;
    logic        msn_arsp;
    logic        mo_eq;
    logic        mo_none;
    logic        ird_full;
    logic        orq_none;
    logic        no_buf;
    logic [32:0] snd_end;
    logic [32:0] rr_end;
    logic [63:0] rr_to;
    logic [7:0]  status;   // before
    logic [31:0] mo;
    logic [3:0]  free;
    logic [4*BufW-1:0] frees;
    logic [15:0] from;     // of the read that is asked for
    logic [1:0]  fbuf;
    logic [BufW+5:0] wqe;
    logic        valid;
    weft_rdmap_pkg::read_t   rd;
    weft_rdmap_pkg::digest_t dig;
  } dec_t;
  dec_t dec2, dec3_q, dec4_q, dec5_q;

  weft_rdmap_pkg::kind_e kind2;
  logic                  mine, gone2, waits2, own_wait, park2, stay2, skip2, group_end, ft_any, full_f;
  logic [1:0]            buf_f, buf_h, buf_c;
  logic                  over2, save2, has_f, take_rd, atom_wait, hold2, hold3_q, was_shut, shut;
  logic [31:0]           from_by;
  logic [15:0]           unacked_d, rd_wait_d, acked_d, bound, ahead_f, ahead_h, posted_f, rq_next, mask2, in_grp2;
  logic [4:0]            in_read_f;
  weft_rdmap_pkg::came_t came2;
  weft_rdmap_pkg::dead_t dead2;
  weft_abi_pkg::home_rdmap_t home2;
  assign fp2     = item2_q.d[weft_rdmap_pkg::FpduW-1:0];
  assign came2   = item2_q.d[weft_rdmap_pkg::CameW-1:0];
  assign dead2   = item2_q.d[weft_rdmap_pkg::DeadW-1:0];
  assign home2   = item2_q.d;
  assign kind2   = item2_q.kind;
  assign mine    = rec2_q.valid && item2_q.qpn == rec2_q.qpn;
  // Producer index: of a shared queue, that of the one WQE that was taken from it.
  logic [15:0] prod2;
  logic        pop2;     // one is to be taken
  assign prod2   = rec2_q.h.srq ? rec2_q.h.rq_index + 16'(rec2_q.h.srq_have) : db2_q;
  assign pop2    = rec2_q.h.srq && !rec2_q.h.srq_have && !rec2_q.empty && rec2_q.stuck && !rec2_q.held && !ft_any;
  assign gone2   = !mine || rec2_q.h.dead || rec2_q.h.state == weft_abi_pkg::QP_STATE_ERR;
  assign bound   = 16'(rec2_q.h.ird) + 16'(IRD_MORE);
  assign rq_next = rec2_q.h.rq_index + 16'd1;
  assign in_grp2 = 16'(per_mask(rec2_q.h.rq_stride));
  assign mask2   = ~in_grp2;
  assign group_end = (rq_next & ~mask2) == '0;
  assign ft_any  = rec2_q.ft_n != '0;
  // The next read: into which buffer; is it one of all 16 (8, 4); groups ahead of the WQE in front, and of what has come.
  assign buf_f     = buf_of(rec2_q.asked[5:2], rec2_q.h.rq_stride);
  assign buf_h     = buf_of(rec2_q.here[5:2], rec2_q.h.rq_stride);
  assign buf_c     = buf_of(4'((came2.here[5:0] - 6'd1) >> 2), rec2_q.h.rq_stride);
  assign has_f     = rec2_q.bv[buf_f];
  assign posted_f  = prod2 - rec2_q.asked;
  assign in_read_f = 5'(per_mask(rec2_q.h.rq_stride)) + 5'd1 - 5'(rec2_q.asked[3:0] & per_mask(rec2_q.h.rq_stride));
  assign full_f    = posted_f >= 16'(in_read_f) && rec2_q.h.rq_log2 >= 4'd4;
  assign ahead_f   = (rec2_q.asked & mask2) - (rec2_q.h.rq_index & mask2);
  assign ahead_h   = (rec2_q.asked & mask2) - (rec2_q.here & mask2);
  assign acked_d   = 16'(item2_q.d[3:0]);
  assign unacked_d = rec2_q.h.irq_unacked - acked_d;
  assign rd_wait_d = rec2_q.rd_wait > acked_d ? rec2_q.rd_wait - acked_d : 16'd0;
  // Why an FPDU was refused that is no Send.
  assign was_shut  = rec2_q.h.irq_unacked >= bound || (rec2_q.atom && rec2_q.rd_wait != '0);
  assign shut      = unacked_d >= bound || (rec2_q.atom && rd_wait_d != '0);
  // An atomic behind a Read that is not acknowledged.
  assign atom_wait = hd2_q.atom && !hd2_q.bad && rec2_q.rd_wait != '0;
  // Waits for WQEs that are posted and not on chip; a drain and a save wait for the reads that are under way: they hold no pin.
  assign own_wait = kind2 == weft_rdmap_pkg::KFpdu
    ? !hd2_q.bad && !fp2.ahead && !gone2 && !(rec2_q.h.refused && fp2.off[31:0] != rec2_q.h.refused_off) &&
      ((hd2_q.send && rec2_q.here == rec2_q.h.rq_index && (prod2 != rec2_q.h.rq_index || (rec2_q.h.srq && !rec2_q.empty))) ||
       (atom_wait && !fp2.kept && !rec2_q.late && (rec2_q.held || hold_room_i)))
    : (kind2 == weft_rdmap_pkg::KDrain || save2) && rec2_q.valid && ft_any;
  assign waits2   = kind2 == weft_rdmap_pkg::KFpdu || kind2 == weft_rdmap_pkg::KStored || kind2 == weft_rdmap_pkg::KDrain || save2;
  assign park2    = waits2 && !item2_q.unpark && rec2_q.valid && (rec2_q.n_park != '0 || own_wait);
  assign stay2    = item2_q.unpark && (own_wait || rec2_q.staid);
  // It is the first of the list, and begins to wait.
  assign hold2    = own_wait && kind2 == weft_rdmap_pkg::KFpdu && hd2_q.atom && !rec2_q.held && ((park2 && rec2_q.n_park == '0) || (stay2 && !rec2_q.staid));
  // The end of a stream in good order breaks no rule; behind what was refused it comes again.
  assign skip2    = fp2.ahead || hd2_q.fin || (rec2_q.h.refused && fp2.off[31:0] != rec2_q.h.refused_off);
  assign take_rd  = mine && rec2_q.h.state != weft_abi_pkg::QP_STATE_ERR;
  assign save2    = kind2 == weft_rdmap_pkg::KSave;

  // Behind what was refused and has to come again. What was placed is said again when that has come, also when it lies in the ring.
  assign from_by  = item2_q.d[97:66] - rec2_q.h.refused_off;
  assign over2    = kind2 == weft_rdmap_pkg::KStored && (rec2_q.hole || (rec2_q.h.refused && item2_q.d[130])) && !from_by[31] && (from_by != '0 || item2_q.d[130]);

  always_comb begin
    rec2n         = rec2_q;
    dec2          = '0;
    dec2.parked   = park2;
    dec2.act      = !park2 && !stay2;
    dec2.valid    = rec2_q.valid;
    dec2.rq       = rec2_q.h.rq_index;
    dec2.db       = prod2;
    dec2.have     = rec2_q.h.srq_have;
    dec2.status   = rec2_q.h.status;
    dec2.first    = rec2_q.h.first;
    dec2.mo       = rec2_q.h.mo;
    dec2.msn_send = hd2_q.msn == rec2_q.h.send_msn;
    dec2.msn_read = hd2_q.msn == rec2_q.h.read_msn;
    dec2.msn_arsp = hd2_q.msn == rec2_q.h.arsp_msn + 32'd1;
    dec2.mo_eq    = hd2_q.mo == rec2_q.h.mo;
    dec2.mo_none  = hd2_q.mo == '0;
    dec2.ird_full = rec2_q.h.irq_unsent >= rec2_q.h.ird;
    dec2.orq_none = rec2_q.h.reads == '0;
    dec2.no_buf   = prod2 == rec2_q.h.rq_index;
    dec2.snd_end  = 33'(rec2_q.h.mo) + 33'(hd2_q.len);
    dec2.rr_end   = 33'(rec2_q.h.rr_off) + 33'(hd2_q.len);
    dec2.rr_to    = rd_i.to + 64'(rec2_q.h.rr_off);
    dec2.rd       = rd_i;
    dec2.dig      = dig_i;
    dec2.wqe      = {rec2_q.bufs[BufW*par2_q+:BufW],
                     6'(rec2_q.h.rq_index[3:0] & per_mask(rec2_q.h.rq_stride)) << (3'd2 + 3'(rec2_q.h.rq_stride))};
    dec2.from     = rec2_q.asked;
    dec2.fbuf     = buf_f;
    dec2.gone     = gone2 || skip2;
    dec2.ahead    = fp2.ahead && kind2 == weft_rdmap_pkg::KFpdu;
    dec2.front    = dec2.ahead && !gone2 && !rec2_q.h.refused && hd2_q.write && !hd2_q.bad && hd2_q.len != '0;
    dec2.fin      = kind2 == weft_rdmap_pkg::KFpdu && hd2_q.fin && !fp2.ahead && !gone2 && !rec2_q.h.refused;
    if (kind2 != weft_rdmap_pkg::KFpdu) dec2.gone = gone2 || over2;
    if (item2_q.unpark) begin
      rec2n.unpk  = rec2_q.unpk - 1'b1;
      rec2n.staid = stay2 && rec2_q.unpk != BurstW'(1);
    end
    if (park2) begin
      rec2n.n_park = rec2_q.n_park + 8'd1;
      if (rec2_q.n_park == '0) rec2n.stuck = 1'b1;
      rec2n.leave = save2;
      if (hold2) begin
        rec2n.held    = 1'b1;
        rec2n.hold_no = rec2_q.hold_no + 4'd1;
      end
    end else if (stay2) begin
      if (own_wait && !rec2_q.staid) rec2n.stuck = 1'b1;
      if (hold2) begin
        rec2n.held    = 1'b1;
        rec2n.hold_no = rec2_q.hold_no + 4'd1;
      end
    end else begin
      if (item2_q.unpark) begin
        rec2n.n_park = rec2_q.n_park - 8'd1;
        rec2n.held   = 1'b0;
        rec2n.late   = 1'b0;
      end
      if (mine && (kind2 == weft_rdmap_pkg::KFpdu || kind2 == weft_rdmap_pkg::KStored || kind2 == weft_rdmap_pkg::KFree)) begin
        dec2.fresh  = rec2_q.fresh;
        rec2n.fresh = 1'b0;
      end
      unique case (kind2)
        weft_rdmap_pkg::KFpdu: begin
          if (!gone2 && !skip2) begin
            rec2n.h.refused  = 1'b0;
            rec2n.h.srq_wait = 1'b0;
            rec2n.atom       = 1'b0;
            rec2n.hole       = 1'b0;
            if (!hd2_q.bad && hd2_q.send && rec2_q.h.srq && !rec2_q.h.srq_have) begin
              dec2.refuse         = 1'b1;
              dec2.dry            = 1'b1;
              rec2n.empty         = 1'b0;
              rec2n.h.refused     = 1'b1;
              rec2n.h.srq_wait    = 1'b1;
              rec2n.h.refused_off = fp2.off[31:0];
              rec2n.hole          = !fp2.kept;
            end else if ((!hd2_q.bad && hd2_q.req && rec2_q.h.irq_unacked >= bound) || atom_wait) begin
              dec2.refuse         = 1'b1;
              rec2n.atom          = hd2_q.atom;
              rec2n.h.refused     = 1'b1;
              rec2n.h.refused_off = fp2.off[31:0];
              rec2n.hole          = !fp2.kept;
            end else begin
              dec2.proc     = 1'b1;
              rec2n.h.first = 1'b0;
              if (hd2_q.send) begin
                rec2n.h.mo = dec2.snd_end[31:0];
                if (hd2_q.last) begin
                  rec2n.h.mo       = '0;
                  rec2n.h.send_msn = rec2_q.h.send_msn + 32'd1;
                  rec2n.h.rq_index = rq_next;
                  rec2n.h.srq_have = 1'b0;
                  // An FPDU with a bad header did not wait for its WQE: a read into this buffer may be under way.
                  if ((group_end || rec2_q.h.srq) && !rec2_q.ft_into[par2_q]) begin
                    rec2n.bv[par2_q]  = 1'b0;
                    dec2.free[par2_q] = rec2_q.bv[par2_q];
                    dec2.frees        = rec2_q.bufs;
                  end
                end
              end
              if (hd2_q.req) begin
                rec2n.h.read_msn    = rec2_q.h.read_msn + 32'd1;
                rec2n.h.irq_unsent  = rec2_q.h.irq_unsent + 8'd1;
                rec2n.h.irq_unacked = rec2_q.h.irq_unacked + 16'd1;
                if (!hd2_q.atom) rec2n.rd_wait = rec2_q.h.irq_unacked + 16'd1;
                if (hd2_q.atom) {rec2n.h.atom_hi, rec2n.h.atom_lo} = {rec2_q.h.atom_hi, rec2_q.h.atom_lo} + 32'd1;
              end
              if (hd2_q.resp) begin
                rec2n.h.rr_off = hd2_q.last ? '0 : dec2.rr_end[31:0];
                if (hd2_q.aresp) rec2n.h.arsp_msn = rec2_q.h.arsp_msn + 32'd1;
                if (hd2_q.last && rec2_q.h.reads != '0) begin
                  rec2n.h.reads     = rec2_q.h.reads - 8'd1;
                  rec2n.h.read_head = 16'(rd_next_i);
                end
              end
              if (hd2_q.term && !hd2_q.bad) rec2n.h.dead = 1'b1;
            end
          end
        end
        weft_rdmap_pkg::KStored: if (mine && !over2) rec2n.hole = 1'b0;
        weft_rdmap_pkg::KState: begin
          if (mine) begin
            rec2n.h.state = item2_q.d[1:0];
            rec2n.flush   = 1'b0;
            if (item2_q.d[1:0] == weft_abi_pkg::QP_STATE_ERR) rec2n.h.reads = '0;
          end
        end
        weft_rdmap_pkg::KLoad: begin
          rec2n         = '0;
          rec2n.h       = home2;
          rec2n.h.rsvd0 = '0;
          rec2n.h.rsvd1 = '0;
          rec2n.valid   = 1'b1;
          rec2n.qpn     = item2_q.qpn;
          rec2n.fresh   = 1'b1;
          // Any of them may be a Read.
          rec2n.rd_wait = home2.irq_unacked;
          rec2n.atom    = home2.refused;
          rec2n.here    = home2.rq_index;
          rec2n.asked   = home2.rq_index;
          rec2n.flush   = home2.state == weft_abi_pkg::QP_STATE_ERR;
        end
        weft_rdmap_pkg::KSave: begin
          rec2n.valid = 1'b0;
          dec2.free   = rec2_q.bv;
          // Of one that has ended nothing is under way any more, and it may never come back: what it had of a shared queue is flushed now.
          dec2.flush  = rec2_q.valid && rec2_q.h.srq && rec2_q.h.srq_have && rec2_q.h.state == weft_abi_pkg::QP_STATE_ERR;
          if (dec2.flush) begin
            rec2n.h.srq_have = 1'b0;
            rec2n.h.status   = '0;
            rec2n.h.mo       = '0;
          end
          dec2.frees  = rec2_q.bufs;
        end
        weft_rdmap_pkg::KTxRead: begin
          if (take_rd) begin
            rec2n.h.reads     = rec2_q.h.reads + 8'd1;
            rec2n.h.read_tail = 16'(rd_fresh_i);
            if (rec2_q.h.reads == '0) rec2n.h.read_head = 16'(rd_fresh_i);
          end
        end
        weft_rdmap_pkg::KFree: begin
          if (mine) begin
            rec2n.h.irq_unsent  = rec2_q.h.irq_unsent - 8'(item2_q.d[7:4]);
            rec2n.h.irq_unacked = unacked_d;
            rec2n.rd_wait       = rd_wait_d;
            if (rec2_q.held && rd_wait_d == '0) rec2n.stuck = 1'b0;
            // OpResume frees none.
            dec2.resume = rec2_q.h.refused && !gone2 &&
                          (rec2_q.h.srq_wait ? item2_q.d[7:0] == '0 : was_shut && !shut);
            if (dec2.resume) rec2n.h.srq_wait = 1'b0;
          end
        end
        weft_rdmap_pkg::KCame: begin
          if (rec2_q.h.srq) begin
            rec2n.ft_n    = '0;
            rec2n.ft_part = 1'b0;
            rec2n.stuck   = 1'b0;
            rec2n.empty   = came2.none;
            if (came2.none) begin
              dec2.free[0]         = 1'b1;
              dec2.frees[BufW-1:0] = came2.bufn;
            end else begin
              rec2n.h.srq_have = 1'b1;
              rec2n.h.rq_index = came2.here - 16'd1;
              rec2n.here       = came2.here;
              rec2n.asked      = came2.here;
              rec2n.bv[buf_c]  = 1'b1;
              rec2n.bufs[BufW*buf_c+:BufW] = came2.bufn;
            end
          end else begin
            rec2n.ft_n  = rec2_q.ft_n - 3'd1;
            rec2n.stuck = 1'b0;
            rec2n.here  = came2.here;
            rec2n.ft_into[buf_h] = 1'b0;  // they come in order, one of a buffer at a time
            if (rec2_q.ft_part) begin
              rec2n.ft_part = 1'b0;
              rec2n.asked   = came2.here;
            end
          end
        end
        weft_rdmap_pkg::KLook: begin
          // Of this slot, whoever is in it by now.
          dec2.fetch = mine && !gone2 && !rec2_q.ft_part && (full_f ? rec2_q.ft_n != 3'd4 : !ft_any && posted_f != '0)
                       && ahead_f <= most >> rec2_q.h.rq_stride && ahead_h <= 16'd48 >> rec2_q.h.rq_stride;
          // Of a shared queue only while a Send waits.
          if (rec2_q.h.srq) dec2.fetch = mine && !gone2 && !ft_any && rec2_q.stuck && !rec2_q.held && (pop2 || (rec2_q.h.srq_have && rec2_q.here == rec2_q.h.rq_index));
          if (rec2_q.leave) dec2.fetch = 1'b0;
          dec2.flush = mine && rec2_q.flush && rec2_q.h.rq_index != prod2;
          if (dec2.fetch && rec2_q.h.srq) begin
            // Its buffer is the read's until that is here.
            rec2n.ft_n    = 3'd1;
            rec2n.ft_part = 1'b1;
          end else if (dec2.fetch) begin
            rec2n.ft_n    = rec2_q.ft_n + 3'd1;
            rec2n.ft_into[buf_f] = 1'b1;
            rec2n.ft_part = !full_f;
            if (full_f) rec2n.asked = rec2_q.asked + 16'(in_read_f);
            if (!has_f) begin
              rec2n.bv[buf_f] = 1'b1;
              rec2n.bufs[BufW*buf_f+:BufW] = item2_q.d[BufW-1:0];
            end
          end
          dec2.pop     = pop2;
          dec2.free[0] = !dec2.fetch || (has_f && !rec2_q.h.srq);
          dec2.frees[BufW-1:0] = item2_q.d[BufW-1:0];
          if (dec2.flush) begin
            rec2n.h.rq_index = rq_next;
            rec2n.h.srq_have = 1'b0;
            rec2n.h.status   = '0;
            rec2n.h.mo       = '0;
          end
        end
        weft_rdmap_pkg::KReclaim: begin
          // Also inside a message, which may never go on: its WQE is read again.
          // Who waits for a WQE that is not on chip has nothing in its buffers that it needs: it would keep them until it gets one, for
          // which it needs one that is free, as all others do.
          if (rec2_q.valid && !ft_any && (rec2_q.n_park == '0 || rec2_q.here == rec2_q.h.rq_index)) begin
            rec2n.bv    = '0;
            rec2n.here  = rec2_q.h.rq_index;
            rec2n.asked = rec2_q.h.rq_index;
            dec2.free   = rec2_q.bv;
            dec2.frees  = rec2_q.bufs;
          end
        end
        weft_rdmap_pkg::KDead: begin
          if (mine) begin
            rec2n.h.dead = 1'b1;
            // Of a shared queue what was taken later is retired by itself.
            if (!rec2_q.h.srq) rec2n.h.rq_index = dead2.rq;
            if (!rec2_q.h.srq || (rec2_q.h.srq_have && rec2_q.h.rq_index == dead2.rq)) rec2n.h.status = dead2.status;
          end
        end
        weft_rdmap_pkg::KLate: begin
          if (mine && rec2_q.held && item2_q.d[3:0] == rec2_q.hold_no) begin
            rec2n.late  = 1'b1;
            rec2n.stuck = 1'b0;
          end
        end
        weft_rdmap_pkg::KFlush: if (mine && rec2_q.h.state == weft_abi_pkg::QP_STATE_ERR) rec2n.flush = 1'b1;
        default: ;  // KDrain, KOther
      endcase
    end
  end

  logic go_rd;
  assign go_rd          = v_q[2] && !park2 && !stay2 && mine;
  assign rd_put_o       = v_q[2] && kind2 == weft_rdmap_pkg::KTxRead;
  assign rd_link_o      = take_rd && rec2_q.h.reads != '0;
  assign rd_tail_o      = rec2_q.h.read_tail[IdW-1:0];
  assign rd_put_data_o  = item2_q.d[weft_rdmap_pkg::ReadW-1:0];
  assign rd_free_o      = go_rd && dec2.proc && hd2_q.resp && hd2_q.last && rec2_q.h.reads != '0;
  assign rd_free_idx_o  = rec2_q.h.read_head[IdW-1:0];
  // A block of a Read whose QP is not here goes straight back.
  assign rd_drop_o      = (go_rd && kind2 == weft_rdmap_pkg::KState && item2_q.d[1:0] == weft_abi_pkg::QP_STATE_ERR) ||
                          (rd_put_o && !take_rd);
  assign rd_drop_head_o = rd_put_o ? rd_fresh_i : rec2_q.h.read_head[IdW-1:0];
  assign rd_drop_n_o    = rd_put_o ? 8'd1 : rec2_q.h.reads;
  assign pk_put_o       = v_q[2] && park2;
  assign pk_pop_o       = v_q[2] && item2_q.unpark && !stay2;
  assign pk_slot_o      = slot_q[2];

  // ---------------------------------------------------------------- stages 3 and 4: compares, which rule
  typedef struct packed {
    logic rr_stag;
    logic rr_to;
    logic rr_len;
    logic rr_kind;   // the oldest is of the other kind
    logic ar_long;   // Atomic Response of another length
    logic ar_short;
    logic ar_id;     // ... to another request
    logic too_long;
    logic rd_short;  // Read Request or Atomic Request of another length
    logic rd_long;
    logic rd_wrap;
    logic imm_long;  // Immediate Data of another length
    logic imm_short;
    logic acc_w;
    logic acc_r;
    logic acc_a;
  } cmp_t;
  cmp_t        cmp3, cmp4_q;
  logic        bad4, bad5_q, front5_q;
  logic [15:0] code4, code5_q;
  logic [1:0]  hdrs4, hdrs5_q;
  logic [7:0]  st4, st5_q;
  weft_rdmap_pkg::fpdu_t fp3, fp4;
  localparam logic [15:0] ReadUlpdu = 16'(weft_rdmap_pkg::UntHdrBytes + weft_rdmap_pkg::ReadHdrBytes);
  localparam logic [15:0] AtomUlpdu = 16'(weft_rdmap_pkg::UntHdrBytes + weft_rdmap_pkg::AtomHdrBytes);
  logic [15:0] rd_ulpdu3;
  logic [31:0] rd_size3;
  logic [63:0] rd_to3;
  logic [64:0] rd_end3;
  assign fp3      = item3_q.d[weft_rdmap_pkg::FpduW-1:0];
  assign fp4      = item4_q.d[weft_rdmap_pkg::FpduW-1:0];
  assign rd_ulpdu3 = hd3_q.atom ? AtomUlpdu : ReadUlpdu;
  assign rd_size3 = weft_rdmap_pkg::be32(fp3.head[271:240]);
  assign rd_to3   = weft_rdmap_pkg::be64(fp3.head[367:304]);
  assign rd_end3  = 65'(rd_to3) + 65'(rd_size3);
  always_comb begin
    cmp3 = '0;
    if (v_q[3] && (dec3_q.proc || dec3_q.front)) begin
      // RFC 5041 5.2: of a segment without payload nothing but the length counts.
      cmp3.rr_stag  = hd3_q.len != '0 && hd3_q.stag != dec3_q.rd.stag;
      cmp3.rr_to    = hd3_q.len != '0 && hd3_q.to != dec3_q.rr_to;
      cmp3.rr_len   = hd3_q.last ? dec3_q.rr_end != 33'(dec3_q.rd.len)
                                 : dec3_q.rr_end >= 33'(dec3_q.rd.len) && hd3_q.len != '0;
      cmp3.rr_kind  = hd3_q.aresp != dec3_q.rd.atomic;
      cmp3.ar_long  = hd3_q.len > 16'(weft_rdmap_pkg::AtomRspBytes);
      cmp3.ar_short = hd3_q.len < 16'(weft_rdmap_pkg::AtomRspBytes) || !hd3_q.last;
      cmp3.ar_id    = weft_rdmap_pkg::be32(fp3.head[175:144]) != dec3_q.rd.len;
      cmp3.too_long = dec3_q.snd_end > 33'(dec3_q.dig.len);
      cmp3.rd_long  = fp3.ulpdu > rd_ulpdu3;
      cmp3.rd_short = !hd3_q.last || fp3.ulpdu < rd_ulpdu3;
      cmp3.imm_long  = hd3_q.len > 16'(weft_rdmap_pkg::ImmBytes);
      cmp3.imm_short = hd3_q.len < 16'(weft_rdmap_pkg::ImmBytes) || !hd3_q.last;
      cmp3.rd_wrap  = rd_end3 > {1'b1, 64'd0};
      cmp3.acc_w    = rec3_q.h.access[3'(weft_abi_pkg::ACCESS_REMOTE_WRITE)];
      cmp3.acc_r    = rec3_q.h.access[3'(weft_abi_pkg::ACCESS_REMOTE_READ)];
      cmp3.acc_a    = rec3_q.h.access[3'(weft_abi_pkg::ACCESS_REMOTE_ATOMIC)];
    end
  end

  always_comb begin
    bad4  = 1'b0;
    code4 = '0;
    hdrs4 = weft_rdmap_pkg::HdrDdp;
    st4   = '0;
    if (hd4_q.bad) begin
      bad4  = 1'b1;
      code4 = hd4_q.code;
      hdrs4 = hd4_q.hdrs;
    end else if (hd4_q.write) begin
      bad4  = hd4_q.len != '0 && !cmp4_q.acc_w;
      code4 = weft_rdmap_pkg::TermRdAccess;
    end else if (hd4_q.aresp) begin
      // Its identifier is the request's (RFC 7306 5.2.2); what is wrong with another one has no code of its own.
      bad4 = 1'b1;
      if (!dec4_q.msn_arsp) code4 = weft_rdmap_pkg::TermMsn;
      else if (!dec4_q.mo_none) code4 = weft_rdmap_pkg::TermMo;
      else if (dec4_q.orq_none || cmp4_q.rr_kind) code4 = weft_rdmap_pkg::TermOpcode;
      else if (cmp4_q.ar_long) code4 = weft_rdmap_pkg::TermTooLong;
      else begin
        code4 = weft_rdmap_pkg::TermStream;
        bad4  = cmp4_q.ar_short || cmp4_q.ar_id;
      end
    end else if (hd4_q.resp && !dec4_q.orq_none && cmp4_q.rr_kind) begin
      bad4  = 1'b1;
      code4 = weft_rdmap_pkg::TermOpcode;
    end else if (hd4_q.resp) begin
      bad4  = dec4_q.orq_none || cmp4_q.rr_stag || cmp4_q.rr_to || cmp4_q.rr_len;
      code4 = dec4_q.orq_none ? weft_rdmap_pkg::TermOpcode
            : cmp4_q.rr_stag  ? weft_rdmap_pkg::TermTagStag : weft_rdmap_pkg::TermTagBounds;
    end else if (hd4_q.req) begin
      bad4 = 1'b1;
      if (!dec4_q.msn_read) code4 = weft_rdmap_pkg::TermMsn;
      else if (!dec4_q.mo_none) code4 = weft_rdmap_pkg::TermMo;
      else if (cmp4_q.rd_long) code4 = weft_rdmap_pkg::TermTooLong;
      else if (cmp4_q.rd_short) code4 = weft_rdmap_pkg::TermStream;
      else if (dec4_q.ird_full) code4 = weft_rdmap_pkg::TermNoBuffer;
      else if (hd4_q.atom) begin
        // RFC 7306 8.1: of an Atomic Request a Terminate shows the DDP header alone.
        code4 = !hd4_q.known ? weft_rdmap_pkg::TermOpcode : weft_rdmap_pkg::TermRdAccess;
        bad4  = !hd4_q.known || !cmp4_q.acc_a;
      end else begin
        // RFC 5040 5.2.1: of a Read of no bytes nothing is checked.
        hdrs4 = weft_rdmap_pkg::HdrRead;
        code4 = !cmp4_q.acc_r ? weft_rdmap_pkg::TermRdAccess : weft_rdmap_pkg::TermRdWrap;
        bad4  = fp4.head[271:240] != '0 && (!cmp4_q.acc_r || cmp4_q.rd_wrap);
      end
    end else if (hd4_q.term) begin
      bad4  = !dec4_q.mo_none || !hd4_q.last || hd4_q.msn != 32'd1;
      code4 = hd4_q.msn != 32'd1 ? weft_rdmap_pkg::TermMsn
            : !dec4_q.mo_none    ? weft_rdmap_pkg::TermMo : weft_rdmap_pkg::TermStream;
    end else begin
      bad4 = 1'b1;
      if (!dec4_q.msn_send) code4 = weft_rdmap_pkg::TermMsn;
      // Immediate Data has one segment: it is no part of a Send that has begun.
      else if (!dec4_q.mo_eq || (hd4_q.imm && !dec4_q.mo_none)) code4 = weft_rdmap_pkg::TermMo;
      else if (dec4_q.no_buf) code4 = weft_rdmap_pkg::TermNoBuffer;
      else if (dec4_q.dig.status != weft_abi_pkg::WC_STATUS_SUCCESS) begin
        code4 = weft_rdmap_pkg::TermLocal;
        hdrs4 = weft_rdmap_pkg::HdrNone;
        st4   = dec4_q.dig.status;
      end else if (hd4_q.imm) begin
        // The receive's memory is not touched, so its length does not matter.
        code4 = cmp4_q.imm_long ? weft_rdmap_pkg::TermTooLong : weft_rdmap_pkg::TermStream;
        bad4  = cmp4_q.imm_long || cmp4_q.imm_short;
      end else begin
        code4 = weft_rdmap_pkg::TermTooLong;
        bad4  = cmp4_q.too_long;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (v_q[2]) begin
      rec3_q <= rec2n;
      dec3_q <= dec2;
    end
    if (v_q[3]) begin
      rec4_q <= rec3_q;
      dec4_q <= dec3_q;
      cmp4_q <= cmp3;
    end
    if (v_q[4]) begin
      rec5_q  <= rec4_q;
      dec5_q  <= dec4_q;
      bad5_q  <= bad4 && dec4_q.proc;
      front5_q <= dec4_q.front && cmp4_q.acc_w;
      code5_q <= code4;
      hdrs5_q <= hdrs4;
      st5_q   <= st4;
    end
  end

  // ---------------------------------------------------------------- stage 5: verdict
  typedef struct packed {
    logic        dead;    // a rule was broken in this visit
    logic        have;
    logic [15:0] rq;
    logic [7:0]  status;
  } kill_t;
  kill_t                 kill5, kill6_q, kill7_q;
  weft_rdmap_pkg::kind_e kind5;
  logic [BurstW-1:0]     trig5_n, trig6_n_q;
  logic [15:0]           prod5;
  logic                  was_dead, fault5, fetch5, want5, trig5, live5, term5, crossed5;
  assign kind5    = item5_q.kind;
  assign fp5      = item5_q.d[weft_rdmap_pkg::FpduW-1:0];
  assign was_dead = cont_q[5] && kill7_q.dead && kind5 != weft_rdmap_pkg::KLoad;
  assign fault5   = dec5_q.proc && bad5_q && !was_dead;
  assign term5    = dec5_q.proc && hd5_q.term;
  assign trig5_n  = rec5_q.n_park < 8'(weft_rdmap_pkg::Burst) ? rec5_q.n_park[BurstW-1:0] : BurstW'(weft_rdmap_pkg::Burst);
  always_comb begin
    kill5        = kill7_q;
    kill5.dead   = was_dead || fault5;
    if (!was_dead) begin
      kill5.rq     = dec5_q.rq;
      kill5.have   = dec5_q.have;
      kill5.status = st5_q;
    end
    // It says where an ordinary queue stopped. Of a shared one the record is that of the visit, which a fault before it in the same visit
    // has not reached: what that one killed with stays.
    if (kind5 == weft_rdmap_pkg::KDead && !(was_dead && rec5_q.h.srq)) begin
      kill5.rq     = rec5_q.h.rq_index;
      kill5.have   = rec5_q.h.srq_have;
      kill5.status = rec5_q.h.status;
    end
    rec5n = rec5_q;
    if (kill5.dead) begin
      rec5n.h.dead     = 1'b1;
      rec5n.h.rq_index = kill5.rq;
      rec5n.h.srq_have = kill5.have;
      rec5n.h.status   = kill5.status;
    end
    live5 = rec5n.valid && !rec5n.h.dead && rec5n.h.state != weft_abi_pkg::QP_STATE_ERR;
    // Another read at a time is one of all 16, and none of those waits for it.
    fetch5 = live5 && !rec5n.ft_part && rec5n.ft_n != 3'd4 && posted5 != '0 && (rec5n.ft_n == '0 || (posted5 > 16'(per_mask(rec5n.h.rq_stride)) && rec5n.h.rq_log2 >= 4'd4))
             && ((rec5n.n_park != '0 && rec5n.ft_n == '0) || (!low_i && kind5 != weft_rdmap_pkg::KReclaim));
    // Of a shared queue nothing is read ahead of need.
    if (rec5n.h.srq) fetch5 = live5 && rec5n.ft_n == '0 && rec5n.stuck && !rec5n.held && rec5n.here == rec5n.h.rq_index && !rec5n.empty;
    if (rec5n.leave) fetch5 = 1'b0;
    prod5 = rec5n.h.srq ? rec5n.h.rq_index + 16'(rec5n.h.srq_have) : dec5_q.db;
    want5  = v_q[5] && last_q[5] &&
             (fetch5 || (rec5n.valid && rec5n.flush && rec5n.h.rq_index != prod5));
    // A doorbell behind the load's look at the index, before the map has the QP, made no KLook.
    crossed5 = v_q[5] && kind5 == weft_rdmap_pkg::KLoad && rec5n.flush;
    trig5  = v_q[5] && last_q[5] && rec5n.valid && rec5n.n_park != '0 && rec5n.unpk == '0 && (!rec5n.stuck || !live5);
    if (trig5) begin
      rec5n.unpk  = trig5_n;
      rec5n.stuck = 1'b0;
    end
  end

  // A read of WQEs would not fit: all buffers are ahead of the WQE in front.
  logic [15:0] dist5, posted5, mask5, in_grp5;
  assign in_grp5 = 16'(per_mask(rec5_q.h.rq_stride));
  assign mask5   = ~in_grp5;
  assign dist5   = (rec5_q.asked & mask5) - (rec5_q.h.rq_index & mask5);
  assign posted5 = dec5_q.db - rec5_q.asked;

  weft_rdmap_pkg::walk_t walk5, walk6_q;
  weft_rdmap_pkg::ret_t  ret5, ret6_q;
  logic                  out5, out6_q;
  always_comb begin
    walk5        = '0;
    ret5         = '0;
    walk5.who.qpn  = item5_q.qpn;
    walk5.who.slot = 12'(slot_q[5]);
    ret5.who       = walk5.who;
    ret5.kind      = weft_rdmap_pkg::RGone;
    ret5.cqn       = rec5_q.h.cqn;
    ret5.port      = rec5_q.h.port;
    ret5.fn        = rec5_q.h.fn;
    ret5.index     = dec5_q.rq;
    ret5.srq       = rec5_q.h.srq;
    walk5.free     = dec5_q.free;
    walk5.frees    = dec5_q.frees;
    walk5.fresh    = dec5_q.fresh;
    walk5.pd       = rec5_q.h.pd;
    walk5.inv_pd   = rec5_q.h.pd;
    walk5.wqe      = dec5_q.wqe;
    if (v_q[5] && dec5_q.act) begin
      unique case (kind5)
        weft_rdmap_pkg::KFpdu: begin
          walk5.has    = fp5.fault == 4'(weft_dp_pkg::MpaOk);  // one with a fault has no place in the store
          walk5.handle = fp5.handle;
          walk5.start  = hd5_q.is_tag ? 8'd16 : 8'd20;  // behind ULPDU_Length
          walk5.len    = hd5_q.len;
          walk5.stag   = hd5_q.stag;
          walk5.to     = hd5_q.to;
          walk5.size   = dec5_q.mo;
          ret5.pinned  = fp5.pinned;
          ret5.from    = fp5.off;
          ret5.to      = fp5.off + 64'(fp5.len);
          ret5.op      = fp5.head[11:8];
          ret5.done    = hd5_q.last;
          ret5.now     = hd5_q.last && !hd5_q.req;
          ret5.first   = dec5_q.first;
          ret5.ulpdu   = fp5.ulpdu;
          ret5.bytes   = hd5_q.imm ? 32'd0 : hd5_q.atom ? {rec5_q.h.atom_hi, rec5_q.h.atom_lo} : hd5_q.aresp ? 32'(weft_rdmap_pkg::AtomBytes) : hd5_q.resp ? dec5_q.rr_end[31:0] : dec5_q.snd_end[31:0];
          ret5.head    = fp5.head;
          ret5.code    = code5_q;
          ret5.hdrs    = hdrs5_q;
          if (dec5_q.fin && !was_dead) begin
            ret5.kind  = weft_rdmap_pkg::RFin;
            ret5.to    = fp5.off;
            ret5.now   = 1'b0;
            ret5.first = 1'b0;
          end else if (front5_q && !was_dead) begin
            ret5.kind   = weft_rdmap_pkg::RAhead;
            walk5.kind  = weft_rdmap_pkg::WkTag;
            walk5.front = 1'b1;
            walk5.access[3'(weft_abi_pkg::ACCESS_REMOTE_WRITE)] = 1'b1;
          end else if (was_dead || dec5_q.gone) begin
            ret5.kind = weft_rdmap_pkg::RGone;
          end else if (dec5_q.refuse) begin
            ret5.kind = weft_rdmap_pkg::RRefuse;
          end else if (fault5) begin
            ret5.kind = weft_rdmap_pkg::RFault;
          end else begin
            ret5.kind = weft_rdmap_pkg::RFpdu;
            walk5.inv = hd5_q.send && hd5_q.inv && hd5_q.last;
            if (hd5_q.atom) begin
              walk5.kind = weft_rdmap_pkg::WkAtom;
              walk5.stag = weft_rdmap_pkg::be32(fp5.head[239:208]);
              walk5.to   = weft_rdmap_pkg::be64(fp5.head[303:240]);
              walk5.access[3'(weft_abi_pkg::ACCESS_REMOTE_ATOMIC)] = 1'b1;
            end else if (hd5_q.req && fp5.head[271:240] != '0) begin
              walk5.kind = weft_rdmap_pkg::WkProbe;
              walk5.stag = weft_rdmap_pkg::be32(fp5.head[303:272]);
              walk5.to   = weft_rdmap_pkg::be64(fp5.head[367:304]);
              walk5.size = weft_rdmap_pkg::be32(fp5.head[271:240]);
              walk5.access[3'(weft_abi_pkg::ACCESS_REMOTE_READ)] = 1'b1;
            end else if (hd5_q.aresp) begin
              // The STag is that of the WQE, not of the peer, so it may be the privileged one.
              walk5.kind  = weft_rdmap_pkg::WkTag;
              walk5.stag  = dec5_q.rd.stag;
              walk5.to    = dec5_q.rd.to;
              walk5.start = 8'(weft_rdmap_pkg::AtomRspStart);
              walk5.len   = 16'(weft_rdmap_pkg::AtomBytes);
              walk5.swap  = 1'b1;
              walk5.priv  = rec5_q.h.priv;
              walk5.access[3'(weft_abi_pkg::ACCESS_LOCAL_WRITE)] = 1'b1;
            end else if (hd5_q.len != '0 && (hd5_q.write || hd5_q.resp)) begin
              walk5.kind = weft_rdmap_pkg::WkTag;
              if (hd5_q.write) walk5.access[3'(weft_abi_pkg::ACCESS_REMOTE_WRITE)] = 1'b1;
              else walk5.access[3'(weft_abi_pkg::ACCESS_LOCAL_WRITE)] = 1'b1;
            end else if (hd5_q.len != '0 && hd5_q.send && !hd5_q.imm) begin
              walk5.kind = weft_rdmap_pkg::WkSend;
              walk5.access[3'(weft_abi_pkg::ACCESS_LOCAL_WRITE)] = 1'b1;
              walk5.priv = rec5_q.h.priv;
              if (rec5_q.h.srq) walk5.pd = rec5_q.h.srq_pd;
            end
          end
        end
        weft_rdmap_pkg::KStored: begin
          ret5.pinned = 1'b1;
          ret5.kind   = (was_dead || dec5_q.gone) ? weft_rdmap_pkg::RGone : weft_rdmap_pkg::RStored;
          {ret5.done, ret5.from, ret5.to, ret5.now, ret5.first} = item5_q.d[130:0];
        end
        weft_rdmap_pkg::KState: begin
          ret5.pinned = 1'b1;
          if (item5_q.d[1:0] == weft_abi_pkg::QP_STATE_ERR) ret5.kind = weft_rdmap_pkg::RBarrier;
        end
        weft_rdmap_pkg::KDrain: begin
          ret5.pinned = 1'b1;
          ret5.kind   = weft_rdmap_pkg::RDrain;
          ret5.index  = item5_q.d[15:0];
        end
        weft_rdmap_pkg::KOther: ret5.pinned = 1'b1;
        weft_rdmap_pkg::KFree: begin
          ret5.pinned = 1'b1;
          if (dec5_q.resume && !was_dead) ret5.kind = weft_rdmap_pkg::RResume;
        end
        weft_rdmap_pkg::KLook: begin
          ret5.status = dec5_q.status;
          if (dec5_q.flush) ret5.kind = weft_rdmap_pkg::RFlush;
        end
        weft_rdmap_pkg::KSave: begin
          ret5.status = dec5_q.status;
          if (dec5_q.flush && !was_dead) ret5.kind = weft_rdmap_pkg::RFlush;
        end
        weft_rdmap_pkg::KDead: ret5.pinned = 1'b1;
        default: ;
      endcase
    end
    out5 = v_q[5] && dec5_q.act && kind5 != weft_rdmap_pkg::KLoad && kind5 != weft_rdmap_pkg::KTxRead && kind5 != weft_rdmap_pkg::KLate;
  end

  // ---------------------------------------------------------------- stage 6
  logic                  map6_q, home6_q, save6_q, work6_q, trig6_q, look6_q, fetch6_q;
  logic [23:0]           qpn6_q;
  logic [15:0]           dry_srqn6_q;
  logic                  dry6_q;
  logic [1:0]            tag6_q;
  logic [SlW-1:0]        slot6;
  weft_rdmap_pkg::fetch_t fd6_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out6_q   <= 1'b0;
      map6_q   <= 1'b0;
      save6_q  <= 1'b0;
      work6_q  <= 1'b0;
      trig6_q  <= 1'b0;
      look6_q  <= 1'b0;
      fetch6_q <= 1'b0;
      dry6_q   <= 1'b0;
      hold3_q  <= 1'b0;
      stop_q   <= '0;
    end else begin
      out6_q   <= out5;
      map6_q   <= v_q[5] && dec5_q.act && (kind5 == weft_rdmap_pkg::KLoad || kind5 == weft_rdmap_pkg::KSave);
      save6_q  <= v_q[5] && dec5_q.act && kind5 == weft_rdmap_pkg::KSave;
      work6_q  <= crossed5 || (want5 && !(fetch5 && !rec5n.flush && !rec5n.h.srq && dist5 > most >> rec5_q.h.rq_stride));
      trig6_q  <= trig5;
      hold3_q  <= v_q[2] && hold2;
      look6_q  <= v_q[5] && kind5 == weft_rdmap_pkg::KLook;
      dry6_q   <= v_q[5] && dec5_q.act && dec5_q.dry && !was_dead;
      fetch6_q <= v_q[5] && kind5 == weft_rdmap_pkg::KLook && dec5_q.fetch;
      if (v_q[5] && fault5) stop_q <= 4'd10;
      else if (stop_q != '0) stop_q <= stop_q - 4'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    kill7_q <= kill6_q;
    if (v_q[5]) begin
      kill6_q <= kill5;
      rec6_q  <= rec5n;
      walk6_q <= walk5;
      ret6_q  <= ret5;
      home6_q <= kind5 == weft_rdmap_pkg::KLoad;
      qpn6_q  <= item5_q.qpn;
      tag6_q  <= item5_q.d[1:0];
      trig6_n_q <= trig5_n;
      fd6_q.slot   <= 12'(slot_q[5]);
      fd6_q.qpn    <= rec5_q.qpn;
      fd6_q.base   <= rec5_q.h.rq_base;
      fd6_q.log2   <= rec5_q.h.rq_log2;
      fd6_q.stride <= rec5_q.h.rq_stride;
      fd6_q.here   <= dec5_q.from;
      fd6_q.limit  <= dec5_q.db;
      fd6_q.bufn   <= rec5_q.h.srq ? item5_q.d[BufW-1:0] : rec5_q.bufs[BufW*dec5_q.fbuf+:BufW];
      fd6_q.pop    <= dec5_q.pop;
      fd6_q.srqn   <= rec5_q.h.srqn;
      dry_srqn6_q  <= rec5_q.h.srqn;
    end
  end
  assign slot6       = slot6_q;
  assign we6         = v_q[6];
  assign out_valid_o = out6_q;
  assign walk_o      = walk6_q;
  assign ret_o       = ret6_q;
  assign srq_wait_o      = dry6_q;
  assign srq_wait_qpn_o  = qpn6_q;
  assign srq_wait_srqn_o = dry_srqn6_q;
  assign map_we_o    = map6_q;
  assign map_qpn_o   = qpn6_q;
  assign map_home_o  = home6_q;
  assign map_slot_o  = slot6;
  assign work_o      = work6_q;
  assign work_slot_o = slot6;
  assign trig_o      = trig6_q;
  assign trig_slot_o = slot6;
  assign trig_n_o    = trig6_n_q;
  assign look_o      = look6_q;
  assign fetch_o     = fetch6_q;
  assign fetch_d_o   = fd6_q;
  assign hold_o      = hold3_q;
  assign hold_slot_o = slot_q[3];
  assign hold_qpn_o  = item3_q.qpn;
  assign hold_no_o   = rec3_q.hold_no;
  assign pk_we_o     = v_q[5] && dec5_q.parked;
  always_comb begin
    pk_item_o        = item5_q;
    pk_item_o.unpark = 1'b1;
  end
  // A place in the list was promised to each new item that may wait.
  assign pk_give_o   = v_q[3] && !item3_q.unpark && !dec3_q.parked &&
                       (item3_q.kind == weft_rdmap_pkg::KFpdu || item3_q.kind == weft_rdmap_pkg::KStored ||
                        item3_q.kind == weft_rdmap_pkg::KDrain || item3_q.kind == weft_rdmap_pkg::KSave);
  assign line_valid_o = save6_q;
  always_comb begin
    line_o          = '0;
    line_o.who.qpn  = qpn6_q;
    line_o.who.slot = 12'(slot6);
    line_o.tag      = tag6_q;
    line_o.line     = 3'd7;
    line_o.data     = rec6_q.h;
  end
  assign stat_fpdu_o  = v_q[5] && dec5_q.proc;
  assign stat_park_o  = v_q[5] && dec5_q.parked;
  assign stat_ahead_o = v_q[5] && dec5_q.act && dec5_q.ahead && !(front5_q && !was_dead);
  assign stat_cont_o  = v_q[5] && cont_q[5];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && v_q[2]) begin
      assert (!(save2 && !item2_q.unpark && rec2_q.n_park != '0)) else $error("%m: a save while items of it wait");
      assert (!(kind2 == weft_rdmap_pkg::KCame && !(rec2_q.valid && ft_any))) else $error("%m: a read of receive WQEs outlived the stay of its connection");
      assert (!(kind2 == weft_rdmap_pkg::KLoad && rec2_q.valid)) else $error("%m: a load into a slot that is taken");
    end
  end
`endif
  logic unused;
  assign unused = ^{dead2, came2, home2, fp1, fp2, fp3, fp4, fp5, item1_q, item2_q, item3_q, item4_q, item5_q, rel_v, rel_slot, busy, visit, waits, stall, save2, term5, cont_q[6], last_q[6], dec5_q, hd5_q, dec3_q, dec4_q};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
