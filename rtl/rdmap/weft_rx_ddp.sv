// SPDX-License-Identifier: BSD-2-Clause

/// Header checks against the QP's receive state, one FPDU at a time (4 cycles for a Write, 7 for a
/// Send of one piece): what fails becomes a fault item, what passes becomes an item with the
/// translations that its payload needs. State moves here, before placement: if a later stage fails,
/// the QP is dead and nobody looks at it again.
module weft_rx_ddp #(
  parameter int unsigned N_QP = 16,         ///< queue pairs, a power of two, 2 or more
  parameter int unsigned AREA_BYTES = 512,  ///< as weft_rx_rq
  parameter int unsigned ORD_MAX = 16,      ///< as weft_rx_reads
  /// A Read Request may overtake the event that its own ACK frees a resource: looks again so often,
  /// every third cycle, before it counts as one too many.
  parameter int unsigned IRD_WAIT = 256,
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned WordW = $clog2(AREA_BYTES / 16),
  localparam int unsigned OrdW = $clog2(ORD_MAX)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   pre_valid_i,
  output logic                   pre_ready_o,
  input  weft_rx_pkg::pre_t      pre_i,
  input  logic                   hdr_valid_i,
  output logic                   hdr_ready_o,
  input  logic [367:0]           hdr_i,
  input  logic                   crc_ok_i,
  input  weft_abi_pkg::ctx_rx_t  tok_ctx_i,    ///< of the context command that is on its way

  /// Receive queue (weft_rx_rq).
  output logic                   load_valid_o,
  input  logic                   load_ready_i,
  output logic                   load_all_o,
  output logic                   load_state_o,
  output logic                   use_valid_o,
  input  logic                   use_ready_i,
  output logic [15:0]            use_next_o,
  output logic                   look_re_o,    ///< looks up index words and read counts of look_qpn_o
  output logic [QpW-1:0]         look_qpn_o,
  input  logic [15:0]            idx_db_i,
  input  logic [15:0]            idx_here_i,
  output logic                   word_re_o,
  output logic [QpW+WordW-1:0]   word_addr_o,
  input  logic [127:0]           word_i,

  /// Reads (weft_rx_reads).
  input  logic [7:0]             cnt_orq_i,
  input  logic [7:0]             cnt_free_i,
  output logic                   ent_re_o,
  output logic [QpW+OrdW-1:0]    ent_addr_o,
  input  weft_pkg::orq_t         ent_i,

  output logic                   item_valid_o,
  input  logic                   item_ready_i,
  output weft_rx_pkg::item_t     item_o,
  output logic                   xl_valid_o,
  input  logic                   xl_ready_i,
  output weft_pkg::xlate_req_t   xl_o,
  output logic                   xl_last_o,    ///< last translation of the item

  output logic                   msn_we_o,     ///< counters for the read-back of the context
  output logic [QpW-1:0]         msn_qpn_o,
  output logic [31:0]            msn_send_o,
  output logic [31:0]            msn_read_o,

  output logic                   idle_o,
  output logic                   skip_o,       ///< pulse: an entry made no item
  output logic                   stat_wait_o   ///< level: waits for a WQE
);

  typedef enum logic [3:0] {
    StIdle, StRead, StCheck, StLook, StQueue, StPoll, StPollRd, StItem, StSge, StSgeRd, StJob,
    StProbe, StWrite, StToken, StTokWr
  } state_e;

  typedef struct packed {
    logic [23:0] pd;
    logic [7:0]  access;
    logic [7:0]  ird;
    logic [1:0]  stride;
    logic        priv;
  } st_t;

  // What moves with each FPDU.
  typedef struct packed {
    logic        dead;
    logic [31:0] send_msn;
    logic [31:0] read_msn;
    logic [31:0] mo;        // bytes of the current Send
    logic [31:0] sge_off;   // bytes used of the current SGE
    logic [3:0]  sge;       // current SGE
    logic [15:0] rq;        // index of the WQE in front
    logic [31:0] rr_off;    // bytes of the current Read Response
    logic [7:0]  orq;       // reads ever answered
    logic [7:0]  irq;       // inbound reads ever taken
  } vol_t;

  state_e            state_q;
  weft_rx_pkg::pre_t pre_q;
  logic [367:0]      hdr_q;
  logic              crc_ok_q;
  st_t               st, st_q;
  vol_t              vol, vol_q, vol_d;
  logic [15:0]       db_q, here_q;
  logic [7:0]        orq_cnt_q, free_q;
  logic [127:0]      head_q;     // word 0 of the WQE
  weft_pkg::orq_t    ent_q;
  logic [15:0]       wait_q;
  logic [QpW-1:0]    qp;
  logic              token;

  assign qp    = pre_q.qpn[QpW-1:0];
  assign token = pre_q.kind == weft_rx_pkg::IkLoad || pre_q.kind == weft_rx_pkg::IkState ||
                 pre_q.kind == weft_rx_pkg::IkDrain;

  // ------------------------------------------------ QP state
  logic st_we, vol_we;
  st_t  st_wd;
  assign st_wd = {tok_ctx_i.pd, tok_ctx_i.access, tok_ctx_i.ird, tok_ctx_i.rq_stride, tok_ctx_i.priv};
  weft_ram_1r1w #(.W(43), .DEPTH(N_QP)) u_st (.clk_i, .we_i(st_we), .waddr_i(qp), .wdata_i(st_wd),
    .re_i(state_q == StIdle), .raddr_i(pre_i.qpn[QpW-1:0]), .rdata_o(st));
  weft_ram_1r1w #(.W(197), .DEPTH(N_QP)) u_vol (.clk_i, .we_i(vol_we), .waddr_i(qp),
    .wdata_i(vol_d), .re_i(state_q == StIdle), .raddr_i(pre_i.qpn[QpW-1:0]), .rdata_o(vol));

  // ------------------------------------------------ header checks
  weft_pkg::rdmap_op_e op;
  logic        last, fault, is_send;
  logic [15:0] len, code;
  logic [31:0] stag;
  logic [63:0] to;
  logic [1:0]  hdrs;
  logic        ird_full, orq_none;

  assign ird_full = (vol_q.irq - free_q) >= st_q.ird;
  assign orq_none = orq_cnt_q == vol_q.orq;
  weft_rx_check u_check (
    .hdr_i(hdr_q), .ulpdu_i(pre_q.ulpdu), .crc_bad_i(pre_q.crc && !crc_ok_q),
    .access_i(st_q.access), .send_msn_i(vol_q.send_msn), .read_msn_i(vol_q.read_msn),
    .mo_i(vol_q.mo), .ird_full_i(ird_full), .orq_none_i(orq_none),
    .op_o(op), .last_o(last), .len_o(len), .stag_o(stag), .to_o(to),
    .fault_o(fault), .code_o(code), .hdrs_o(hdrs)
  );
  assign is_send = op == weft_pkg::RdSend || op == weft_pkg::RdSendInv ||
                   op == weft_pkg::RdSendSe || op == weft_pkg::RdSendSeInv;

  // Read Response against the Read that it answers (RFC 5040 5.2). Zero-length segments: nothing but
  // the length is looked at.
  logic [32:0] rr_end;
  logic        rr_bad;
  logic [15:0] rr_code;
  assign rr_end = 33'(vol_q.rr_off) + 33'(len);
  always_comb begin
    rr_bad  = 1'b1;
    rr_code = weft_rx_pkg::TermTagBounds;
    if (len != '0 && stag != ent_q.sink_stag) rr_code = weft_rx_pkg::TermTagStag;
    else if (len != '0 && to != ent_q.sink_to + 64'(vol_q.rr_off)) rr_bad = 1'b1;
    else rr_bad = last ? rr_end != 33'(ent_q.len) : rr_end >= 33'(ent_q.len) && len != '0;
  end

  // Send against the receive WQE.
  logic [32:0] snd_end;
  logic [7:0]  wqe_status;
  assign snd_end    = 33'(vol_q.mo) + 33'(len);
  assign wqe_status = head_q[127:120];

  // ------------------------------------------------ the item
  weft_rx_pkg::item_t item_q;
  logic [15:0] rem_q;     // payload bytes that no translation was asked for yet
  logic [3:0]  sge_q;
  logic [31:0] off_q;
  logic [127:0] sge_word_q;
  logic        probe2_q;

  assign item_valid_o = state_q == StItem;
  assign item_o       = item_q;

  // ------------------------------------------------ look-ups
  assign look_re_o  = state_q == StIdle || state_q == StPoll;
  assign look_qpn_o = state_q == StIdle ? pre_i.qpn[QpW-1:0] : qp;
  assign word_re_o  = state_q == StCheck || state_q == StPoll || state_q == StSge;
  logic [WordW-1:0] word_base;
  assign word_base   = WordW'(vol_q.rq << (3'd2 + 3'(st_q.stride)));
  assign word_addr_o = {qp, word_base + (state_q == StSge ? WordW'(sge_q) + WordW'(1) : '0)};
  assign ent_re_o    = state_q == StCheck;
  assign ent_addr_o  = {qp, vol_q.orq[OrdW-1:0]};

  // ------------------------------------------------ translations
  logic [31:0] sge_left_q;  // bytes of the SGE from off_q on
  logic [15:0] job_len;
  logic        job_none, job_more;
  logic [31:0] rd_size;
  logic [63:0] rd_to;
  assign rd_size  = weft_rx_pkg::be32(hdr_q[271:240]);
  assign rd_to    = weft_rx_pkg::be64(hdr_q[367:304]);
  assign job_none = sge_left_q == '0;
  assign job_more = sge_left_q < 32'(rem_q);  // the SGE ends before the payload
  assign job_len  = job_more ? sge_left_q[15:0] : rem_q;

  always_comb begin
    xl_o        = '0;
    xl_o.pd     = st_q.pd;
    xl_o.qpn    = pre_q.qpn;
    xl_o.priv   = 1'b0;
    xl_valid_o  = 1'b0;
    xl_last_o   = 1'b1;
    if (state_q == StJob) begin
      xl_valid_o = !is_send || !job_none;
      xl_o.stag  = stag;
      xl_o.to    = to;
      xl_o.len   = len;
      xl_o.access[3'(weft_abi_pkg::ACCESS_REMOTE_WRITE)] = 1'b1;
      if (is_send) begin
        xl_o.access = '0;
        xl_o.access[3'(weft_abi_pkg::ACCESS_LOCAL_WRITE)] = 1'b1;
        xl_o.stag   = sge_word_q[127:96];
        xl_o.to     = sge_word_q[63:0] + 64'(off_q);
        xl_o.len    = job_len;
        xl_o.priv   = st_q.priv;
        xl_last_o   = !job_more;
      end
    end else if (state_q == StProbe) begin
      // First and last byte of the source: a region has no holes.
      xl_valid_o = 1'b1;
      xl_o.stag  = weft_rx_pkg::be32(hdr_q[303:272]);
      xl_o.to    = probe2_q ? rd_to + 64'(rd_size) - 64'd1 : rd_to;
      xl_o.len   = 16'd1;
      xl_o.access[3'(weft_abi_pkg::ACCESS_REMOTE_READ)] = 1'b1;
      xl_last_o  = probe2_q || rd_size == 32'd1;
    end
  end

  // ------------------------------------------------ state behind this FPDU
  always_comb begin
    vol_d = vol_q;
    if (state_q == StTokWr) begin
      vol_d          = '0;
      vol_d.send_msn = tok_ctx_i.send_msn;
      vol_d.read_msn = tok_ctx_i.read_msn;
      vol_d.rq       = tok_ctx_i.rq_index;
      vol_d.orq      = orq_cnt_q;
      vol_d.irq      = free_q;
    end else if (item_q.kind == weft_rx_pkg::IkFault || op == weft_pkg::RdTerminate) begin
      vol_d.dead = 1'b1;
    end else if (op == weft_pkg::RdReadReq) begin
      vol_d.read_msn = vol_q.read_msn + 32'd1;
      vol_d.irq      = vol_q.irq + 8'd1;
    end else if (op == weft_pkg::RdReadResp) begin
      vol_d.rr_off = last ? '0 : rr_end[31:0];
      vol_d.orq    = vol_q.orq + 8'(last);
    end else if (is_send) begin
      vol_d.mo      = snd_end[31:0];
      vol_d.sge     = sge_q;
      vol_d.sge_off = off_q;
      if (last) begin
        vol_d.mo       = '0;
        vol_d.sge      = '0;
        vol_d.sge_off  = '0;
        vol_d.send_msn = vol_q.send_msn + 32'd1;
        vol_d.rq       = vol_q.rq + 16'd1;
      end
    end
  end

  logic uses;  // this FPDU uses up the WQE in front
  assign uses        = item_q.kind == weft_rx_pkg::IkFpdu && is_send && last;
  assign use_valid_o = state_q == StWrite && uses;
  assign use_next_o  = vol_q.rq + 16'd1;
  assign vol_we      = (state_q == StWrite && (!uses || use_ready_i)) ||
                       (state_q == StTokWr && pre_q.kind == weft_rx_pkg::IkLoad);
  assign st_we       = state_q == StTokWr && pre_q.kind == weft_rx_pkg::IkLoad;
  assign msn_we_o    = vol_we;
  assign msn_qpn_o   = qp;
  assign msn_send_o  = vol_d.send_msn;
  assign msn_read_o  = vol_d.read_msn;

  assign load_valid_o = state_q == StToken;
  assign load_all_o   = pre_q.kind == weft_rx_pkg::IkLoad;
  assign load_state_o = pre_q.kind == weft_rx_pkg::IkState;

  // ------------------------------------------------ control
  logic start, skip;
  assign start       = state_q == StIdle && pre_valid_i &&
                       (pre_i.kind != weft_rx_pkg::IkFpdu || hdr_valid_i);
  assign pre_ready_o = start;
  assign hdr_ready_o = start && pre_i.kind == weft_rx_pkg::IkFpdu;
  assign skip        = state_q == StCheck && vol_q.dead && !token &&
                       !(pre_q.kind == weft_rx_pkg::IkFpdu && pre_q.store);
  assign skip_o      = skip;
  assign idle_o      = state_q == StIdle;
  assign stat_wait_o = state_q == StPoll;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (start) state_q <= StRead;
        StRead: state_q <= StCheck;
        StCheck: begin
          if (token) state_q <= StToken;
          else if (skip) state_q <= StIdle;
          else if (vol_q.dead || pre_q.kind != weft_rx_pkg::IkFpdu) state_q <= StItem;
          else if (op == weft_pkg::RdReadReq && ird_full && fault && code == weft_rx_pkg::TermNoBuffer &&
                   wait_q != '0 && st_q.ird != '0) state_q <= StPoll;
          else if (!fault && (is_send || op == weft_pkg::RdReadResp)) state_q <= StLook;
          else state_q <= StItem;
        end
        StLook: state_q <= StQueue;
        StQueue: begin
          if (is_send && db_q != vol_q.rq && here_q == vol_q.rq) state_q <= StPoll;
          else state_q <= StItem;
        end
        StPoll:   state_q <= StPollRd;
        StPollRd: state_q <= is_send ? StLook : StCheck;
        StItem: begin
          if (item_ready_i) begin
            if (token || vol_q.dead || (item_q.kind != weft_rx_pkg::IkFpdu &&
                                        item_q.kind != weft_rx_pkg::IkFault)) state_q <= StIdle;
            else if (!item_q.jobs) state_q <= StWrite;
            else if (op == weft_pkg::RdReadReq) state_q <= StProbe;
            else state_q <= is_send ? StSge : StJob;
          end
        end
        StSge:   state_q <= StSgeRd;
        StSgeRd: state_q <= StJob;
        StJob: begin
          if (is_send && job_none) state_q <= StSge;
          else if (xl_ready_i) begin
            if (!xl_last_o) state_q <= StSge;
            else state_q <= (op == weft_pkg::RdWrite) ? StIdle : StWrite;
          end
        end
        StProbe: if (xl_ready_i && xl_last_o) state_q <= StWrite;
        StWrite: if (vol_we) state_q <= StIdle;
        StToken: if (load_ready_i) state_q <= StTokWr;
        default: state_q <= StItem;  // StTokWr
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      pre_q    <= pre_i;
      hdr_q    <= hdr_i;
      crc_ok_q <= crc_ok_i;
      wait_q   <= 16'(IRD_WAIT);
    end
    if (state_q == StRead) begin
      st_q  <= st;
      vol_q <= vol;
    end
    if (state_q == StRead || state_q == StPollRd) begin
      db_q      <= idx_db_i;
      here_q    <= idx_here_i;
      orq_cnt_q <= cnt_orq_i;
      free_q    <= cnt_free_i;
    end
    if (state_q == StPoll && !is_send) wait_q <= wait_q - 16'd1;
    if (state_q == StLook) begin
      head_q <= word_i;
      ent_q  <= ent_i;
    end

    // The item takes shape.
    if (state_q == StCheck) begin
      item_q           <= '0;
      item_q.kind      <= pre_q.kind;
      item_q.qpn       <= pre_q.qpn;
      item_q.seq       <= pre_q.seq;
      item_q.nxt       <= pre_q.nxt;
      item_q.ulpdu     <= pre_q.ulpdu;
      item_q.seg_end   <= pre_q.seg_end;
      item_q.hdr       <= hdr_q;
      item_q.code      <= pre_q.code;
      item_q.wqe       <= vol_q.rq;
      if (pre_q.kind == weft_rx_pkg::IkFpdu) begin
        item_q.op        <= op;
        item_q.pay       <= pre_q.store;
        item_q.now       <= last && op != weft_pkg::RdReadReq;
        item_q.done      <= last;
        item_q.inv       <= op == weft_pkg::RdSendInv || op == weft_pkg::RdSendSeInv;
        item_q.solicited <= op == weft_pkg::RdSendSe || op == weft_pkg::RdSendSeInv;
        item_q.cqe       <= is_send && last;
        item_q.status    <= weft_abi_pkg::WC_STATUS_SUCCESS;
        item_q.bytes     <= snd_end[31:0];
        item_q.irq       <= op == weft_pkg::RdReadReq;
        item_q.jobs      <= !vol_q.dead && (op == weft_pkg::RdReadReq ? rd_size != '0 : pre_q.store);
        if (fault && !vol_q.dead) begin
          item_q.kind <= weft_rx_pkg::IkFault;
          item_q.code <= code;
          item_q.hdrs <= hdrs;
          item_q.jobs <= 1'b0;
          item_q.cqe  <= 1'b0;
        end
      end
    end
    if (state_q == StQueue) begin
      if (is_send) begin
        if (db_q != vol_q.rq && here_q == vol_q.rq) begin
          // Not here yet: look again.
        end else if (db_q == vol_q.rq) begin
          item_q.kind <= weft_rx_pkg::IkFault;
          item_q.code <= weft_rx_pkg::TermNoBuffer;
          item_q.hdrs <= weft_rx_pkg::HdrDdp;
          item_q.jobs <= 1'b0;
          item_q.cqe  <= 1'b0;
        end else if (wqe_status != weft_abi_pkg::WC_STATUS_SUCCESS) begin
          item_q.kind   <= weft_rx_pkg::IkFault;
          item_q.code   <= weft_rx_pkg::TermLocal;
          item_q.hdrs   <= weft_rx_pkg::HdrNone;
          item_q.jobs   <= 1'b0;
          item_q.cqe    <= 1'b1;
          item_q.status <= wqe_status;
        end else if (snd_end > 33'(head_q[weft_abi_pkg::RQE_LENGTH_LSB +: 32])) begin
          item_q.kind <= weft_rx_pkg::IkFault;
          item_q.code <= weft_rx_pkg::TermTooLong;
          item_q.hdrs <= weft_rx_pkg::HdrDdp;
          item_q.jobs <= 1'b0;
          item_q.cqe  <= 1'b0;
        end
      end else if (rr_bad) begin
        item_q.kind <= weft_rx_pkg::IkFault;
        item_q.code <= rr_code;
        item_q.hdrs <= weft_rx_pkg::HdrDdp;
        item_q.jobs <= 1'b0;
      end
      rem_q <= len;
      sge_q <= vol_q.sge;
      off_q <= vol_q.sge_off;
    end
    if (state_q == StItem) probe2_q <= 1'b0;
    if (state_q == StProbe && xl_ready_i) probe2_q <= 1'b1;
    if (state_q == StSgeRd) begin
      sge_word_q <= word_i;
      sge_left_q <= word_i[95:64] - off_q;
    end
    if (state_q == StJob && is_send) begin
      if (job_none) begin
        sge_q <= sge_q + 4'd1;
        off_q <= '0;
      end else if (xl_ready_i) begin
        rem_q <= job_more ? rem_q - sge_left_q[15:0] : '0;
        off_q <= job_more ? sge_word_q[95:64] : off_q + 32'(rem_q);
      end
    end
  end

  logic unused;
  assign unused = ^{ent_i.qpn, ent_q.qpn, tok_ctx_i, head_q, hdr_q};

endmodule
