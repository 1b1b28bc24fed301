// SPDX-License-Identifier: BSD-2-Clause

/// Describes again what tcp asks for: [from, to) of a stream. It walks the log of the connection from its oldest record, reads
/// the WQEs of what overlaps once more (they are still owned: nothing of the connection is completed meanwhile, `hold_*`), and
/// makes the same FPDUs as the first time: their payload size is in the record, all else follows from the offset. In a
/// long message it begins by division, not by counting. One ask at a time. It begins when what was built before it was described, and
/// goes no further, so nothing comes again before it came first. `end` when all its descriptions were taken; its pin is dropped END_LAG cycles later.
/// A WQE that is not what it was stops the connection (error 15).
// lint: -GDATA_W=128 -GN_SLOT=256 -GN_LOG=2048
module weft_sq_replay #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LOG = 2048,
  parameter int unsigned END_LAG = 6,   ///< cycles from `end` to the drop of the ask's pin, 2 to 16
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LgW = $clog2(N_LOG),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   ask_valid_i,
  output logic                   ask_ready_o,
  input  weft_dp_pkg::ask_t      ask_i,

  output logic                   hold_valid_o,
  output logic [SlW-1:0]         hold_slot_o,
  output logic                   look_re_o,     ///< of the slot held: cmpl's head, build's view and constants, the ring, a cycle later
  input  logic [12:0]            head_i,
  input  logic [15:0]            head_done_i,
  input  weft_sq_pkg::bview_t    view_i,
  input  weft_sq_pkg::bcfg_t     cfg_i,
  input  logic [63:0]            off_i,         ///< with them: what was built ends here
  input  logic                   told_i,        ///< all orders of build that were there in the cycle of look_re_o are described
  input  weft_sq_pkg::fcfg_t     ring_i,

  input  logic                   rec_we_i,
  input  logic [LgW-1:0]         rec_addr_i,
  input  weft_sq_pkg::rec_t      rec_i,
  input  logic                   fin_we_i,
  input  logic [LgW-1:0]         fin_addr_i,
  input  weft_sq_pkg::fin_t      fin_i,

  output logic                   rd_req_valid_o,
  input  logic                   rd_req_ready_i,
  output weft_pkg::dma_rd_req_t  rd_req_o,
  input  logic                   rd_valid_i,
  output logic                   rd_ready_o,
  input  logic [DATA_W-1:0]      rd_data_i,
  input  logic [CntW-1:0]        rd_cnt_i,
  input  logic                   rd_last_i,
  input  logic                   rd_err_i,
  input  logic                   line_re_i,     ///< emit reads a WQE
  input  logic [3:0]             line_addr_i,
  output logic [511:0]           line_o,

  output logic                   ord_valid_o,
  input  logic                   ord_ready_i,
  output weft_sq_pkg::order_t    ord_o,
  input  logic                   emit_busy_i,   ///< an order of this is being worked on
  input  logic                   out_busy_i,    ///< a description of this was not taken yet
  output logic                   end_valid_o,   ///< the ask is over: it has no more descriptions
  input  logic                   end_ready_i,
  output weft_dp_pkg::ask_t      end_o,
  output logic                   end_more_o,    ///< what was built goes on behind it
  output logic                   err_valid_o,
  input  logic                   err_ready_i,
  output weft_dp_pkg::txerr_t    err_o,
  output logic                   again_valid_o, ///< cmpl may go on
  input  logic                   again_ready_i,
  output logic                   drop_o,
  output logic [3:0]             drop_n_o,
  output logic                   idle_o
);

  typedef enum logic [4:0] {
    StIdle, StQuiet, StLook, StTake, StTold, StRec, StRec2, StJudge, StRead, StWait, StDig, StDig2, StPos, StDiv1, StMul, StDiv2, StSize, StSize2, StFpdu, StNext,
    StErr, StFlush, StAgain, StEnd
  } state_e;
  state_e              state_q;
  weft_dp_pkg::ask_t   a_q;
  logic [2:0]          quiet_q;
  logic [12:0]         blk_q;
  logic [15:0]         n_q;
  weft_sq_pkg::bview_t v_q;
  weft_sq_pkg::bcfg_t  c_q;
  weft_sq_pkg::fcfg_t  r_q;
  weft_sq_pkg::rec_t   rec, rec_q;
  weft_sq_pkg::fin_t   fin, fin_q;
  logic                bare;  // without bytes in the stream
  logic                is_sq, atom, tag, untold, skip, past, have_w;
  logic [15:0]         w_first_q, w_off;   // WQEs in the buffer
  logic [4:0]          w_n_q, cap;
  logic [15:0]         mask, wrap;
  weft_sq_pkg::digest_t dig, dig_q;
  logic                bad_q, agree;

  // Not while the end waits to be told: who was woken (StAgain) may look at once, and nobody wakes him again.
  assign hold_valid_o = state_q != StIdle && state_q != StEnd;
  assign hold_slot_o  = a_q.who.slot[SlW-1:0];
  assign look_re_o    = state_q == StLook;
  assign ask_ready_o  = state_q == StIdle && lag_q == '0;

  weft_ram_1r1w #(.W($bits(rec)), .DEPTH(N_LOG)) u_rec (
    .clk_i, .we_i(rec_we_i), .waddr_i(rec_addr_i), .wdata_i(rec_i), .re_i(state_q == StRec), .raddr_i(blk_q[LgW-1:0]), .rdata_o(rec)
  );
  weft_ram_1r1w #(.W($bits(fin)), .DEPTH(N_LOG)) u_fin (
    .clk_i, .we_i(fin_we_i), .waddr_i(fin_addr_i), .wdata_i(fin_i), .re_i(state_q == StRec), .raddr_i(blk_q[LgW-1:0]), .rdata_o(fin)
  );

  // ---------------------------------------------------------------- records
  assign is_sq  = rec_q.kind == weft_sq_pkg::KindSq;
  assign atom   = rec_q.kind == weft_sq_pkg::KindResp && rec_q.op == 4'(weft_pkg::RdAtomResp);
  assign tag    = (rec_q.kind == weft_sq_pkg::KindResp && !atom) || (is_sq && rec_q.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE));
  // What ends behind the point at which the connection stopped was never sent, but for values.
  assign untold = v_q.stopped && rec_q.kind != weft_sq_pkg::KindVal && fin_q.stop > v_q.cut;
  assign bare   = rec_q.op == 4'(weft_abi_pkg::SQ_OPCODE_NOP) || rec_q.op == 4'(weft_abi_pkg::SQ_OPCODE_LOCAL_INV)
                  || rec_q.op == 4'(weft_abi_pkg::SQ_OPCODE_FAST_REG) || rec_q.op == 4'(weft_abi_pkg::SQ_OPCODE_BIND_MW);
  assign skip   = fin_q.stop <= a_q.from || untold || (is_sq && bare);
  assign past   = rec_q.start >= a_q.to && rec_q.kind != weft_sq_pkg::KindVal && !v_q.stopped;
  assign w_off  = rec_q.index - w_first_q;
  assign have_w = w_off < 16'(w_n_q);
  assign agree  = !bad_q && dig_q.status == '0 && dig_q.op == rec_q.op && dig_q.len == rec_q.len;

  // ---------------------------------------------------------------- WQEs again
  assign cap  = 5'd16 >> r_q.stride;
  assign mask = (16'd1 << r_q.log2) - 16'd1;
  assign wrap = 16'd1 + mask - (rec_q.index & mask);
  logic [4:0] ask_n;
  assign ask_n = wrap < 16'(cap) ? wrap[4:0] : cap;
  assign rd_req_valid_o    = state_q == StRead;
  assign rd_req_o.after_wr = 1'b0;
  assign rd_req_o.len      = {5'd0, ask_n, 6'd0} << r_q.stride;
  assign rd_req_o.addr     = r_q.base + (64'({rec_q.index & mask, 6'd0}) << r_q.stride);

  logic         trk_r, filled, dig_we, bad_we, bad, in_idle, st_bad;
  logic [3:0]   line_we;
  logic [4:0]   line_wa, dig_wa;
  logic [511:0] line_wd;
  logic [1:0]   stride;
  logic         fl_lane, bad_buf;
  weft_sq_pkg::digest_t dig_wd;
  weft_sq_intake #(.DATA_W(DATA_W), .N_LANE(2)) u_intake (
    .clk_i, .rst_ni, .trk_valid_i(state_q == StWait), .trk_ready_o(trk_r), .trk_lane_i(1'b0), .trk_buf_i(1'b0), .trk_index_i(w_first_q),
    .trk_n_i(w_n_q), .trk_stride_i(r_q.stride), .rd_valid_i, .rd_ready_o, .rd_data_i, .rd_cnt_i, .rd_last_i, .rd_err_i,
    .line_we_o(line_we), .line_addr_o(line_wa), .line_o(line_wd), .dig_we_o(dig_we), .dig_addr_o(dig_wa), .dig_o(dig_wd),
    .filled_valid_o(filled), .filled_ready_i(state_q == StWait), .filled_lane_o(fl_lane), .bad_we_o(bad_we), .bad_buf_o(bad_buf), .bad_o(bad),
    .stride_o(stride), .idle_o(in_idle), .stat_bad_o(st_bad)
  );
  for (genvar c = 0; c < 4; c++) begin : gen_line
    weft_ram_1r1w #(.W(128), .DEPTH(16)) u_line (
      .clk_i, .we_i(line_we[c]), .waddr_i(line_wa[3:0]), .wdata_i(line_wd[128*c+:128]),
      .re_i(line_re_i), .raddr_i(line_addr_i), .rdata_o(line_o[128*c+:128])
    );
  end
  weft_sq_pkg::digest_t dig_mem [16];
  always_ff @(posedge clk_i) if (dig_we) dig_mem[dig_wa[3:0]] <= dig_wd;
  assign dig = dig_mem[w_off[3:0]];

  // ---------------------------------------------------------------- where the first FPDU of interest begins
  // Offsets from the first FPDU, with markers (rel) and without (raw): a marker stands in front of raw byte 508 k.
  logic [47:0] rel_from, rel_start, raw_from, raw_start, num_q, quo_q, raw_pos_q;
  logic [16:0] rem_q, rem_d;
  logic [15:0] den_q, full_q;
  logic [5:0]  step_q;
  logic        far, mk;
  assign mk        = c_q.markers;
  assign rel_from  = 48'(a_q.from) - 48'(c_q.first);
  assign rel_start = 48'(rec_q.start) - 48'(c_q.first);
  // A byte of a marker counts as the one behind it.
  assign raw_from  = !mk ? rel_from : rel_from[8:0] == '0 ? rel_from - {7'd0, rel_from[47:9], 2'd0}
                     : rel_from[8:2] == '0 ? {rel_from[47:9], 9'd0} - {7'd0, rel_from[47:9], 2'd0}
                     : rel_from - {7'd0, rel_from[47:9] + 39'd1, 2'd0};
  assign raw_start = !mk ? rel_start : rel_start[8:0] == '0 ? rel_start - {7'd0, rel_start[47:9], 2'd0}
                     : rel_start - {7'd0, rel_start[47:9] + 39'd1, 2'd0};
  assign far       = a_q.from > rec_q.start + 64'd8192 && !rec_q.pay[15] && rec_q.kind != weft_sq_pkg::KindVal;
  assign rem_d     = {rem_q[15:0], num_q[47]};
  localparam int unsigned MulW = weft_sq_pkg::FpdusW + 16;
  logic [MulW-1:0] mul_pay_q, mul_full_q;

  // ---------------------------------------------------------------- FPDUs
  logic [63:0] off_q, end_d, end_q;
  logic [31:0] mo_q, mlen, rest_q;
  logic [15:0] len_q, wire_q;
  logic        last_q, raw, want, more_q;
  assign mlen  = is_sq && weft_sq_pkg::is_asked(rec_q.op) ? 32'(weft_sq_pkg::asked_len(rec_q.op)) : rec_q.len;
  assign raw   = rec_q.kind == weft_sq_pkg::KindVal && rec_q.index[15];
  assign end_d = off_q + 64'(wire_q);
  assign want  = end_q > a_q.from && off_q < a_q.to;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (ask_valid_i && ask_ready_o) state_q <= StQuiet;
        StQuiet: if (quiet_q == '1) state_q <= StLook;
        StLook:  state_q <= StTake;
        StTake:  state_q <= StTold;
        StTold:  if (told_i) state_q <= StRec;
        StRec:   state_q <= n_q == '0 ? StFlush : StRec2;
        StRec2:  state_q <= StJudge;
        StJudge: begin
          if (past) state_q <= StFlush;
          else if (skip) state_q <= StNext;
          else if (!is_sq) state_q <= StPos;
          else state_q <= have_w ? StDig : emit_busy_i ? StJudge : StRead;
        end
        StRead:  if (rd_req_ready_i) state_q <= StWait;
        StWait:  if (filled) state_q <= StDig;
        // The last digest is written two cycles behind its beat.
        StDig:   state_q <= StDig2;
        StDig2:  state_q <= StPos;
        StPos: begin
          if (is_sq && !agree) state_q <= StErr;
          else state_q <= far ? StDiv1 : StSize;
        end
        StDiv1:  if (step_q == 6'd48) state_q <= StMul;
        StMul:   state_q <= mk ? StDiv2 : StSize;
        StDiv2:  if (step_q == 6'd48) state_q <= StSize;
        StSize:  state_q <= StSize2;
        StSize2: state_q <= StFpdu;
        StFpdu: begin
          if (off_q >= a_q.to || off_q >= fin_q.stop) state_q <= StNext;
          else if (!want || ord_ready_i) state_q <= last_q ? StNext : StSize;
        end
        StNext:  state_q <= StRec;
        StErr:   if (err_ready_i) state_q <= StFlush;
        StFlush: if (!emit_busy_i && !out_busy_i) state_q <= StAgain;
        StAgain: if (again_ready_i) state_q <= StEnd;
        default: if (end_ready_i) state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (ask_ready_o) begin
        a_q     <= ask_i;
        quiet_q <= '0;
        w_n_q   <= '0;
        w_first_q <= '0;
      end
      StQuiet: quiet_q <= quiet_q + 3'd1;
      StTake: begin
        blk_q <= head_i;
        n_q   <= view_i.log_new - head_done_i;
        v_q   <= view_i;
        c_q   <= cfg_i;
        r_q   <= ring_i;
        off_q <= off_i;
      end
      StTold: begin
        more_q <= off_q > a_q.to && !v_q.stopped;
        if (off_q < a_q.to) a_q.to <= off_q;
      end
      StRec2: begin
        rec_q <= rec;
        fin_q <= fin;
      end
      StRead: begin
        w_first_q <= rec_q.index;
        w_n_q     <= ask_n;
      end
      StDig2: dig_q <= dig;
      StPos: begin
        off_q  <= rec_q.start;
        mo_q   <= '0;
        full_q <= weft_sq_pkg::wire_of(tag, rec_q.pay, 1'b0, 7'd0);
        num_q  <= raw_from - raw_start;
        den_q  <= weft_sq_pkg::wire_of(tag, rec_q.pay, 1'b0, 7'd0);
        rem_q  <= '0;
        quo_q  <= '0;
        step_q <= '0;
      end
      StDiv1, StDiv2: begin
        step_q <= step_q + 6'd1;
        num_q  <= num_q << 1;
        if (rem_d >= {1'b0, den_q}) begin
          rem_q <= rem_d - {1'b0, den_q};
          quo_q <= {quo_q[46:0], 1'b1};
        end else begin
          rem_q <= rem_d;
          quo_q <= {quo_q[46:0], 1'b0};
        end
        if (step_q == 6'd48) begin
          step_q     <= '0;
          rem_q      <= '0;
          quo_q      <= '0;
          mul_pay_q  <= MulW'(quo_q[weft_sq_pkg::FpdusW-1:0]) * MulW'(rec_q.pay);
          mul_full_q <= MulW'(quo_q[weft_sq_pkg::FpdusW-1:0]) * MulW'(full_q);
          if (state_q == StDiv2) off_q <= 64'(c_q.first) + 64'(raw_pos_q) + {14'd0, quo_q, 2'd0};
        end
      end
      // FPDU number quo: its first raw byte, and the markers in front of that.
      StMul: begin
        mo_q      <= 32'(mul_pay_q);
        off_q     <= rec_q.start + 64'(mul_full_q);
        raw_pos_q <= raw_start + 48'(mul_full_q);
        num_q     <= raw_start + 48'(mul_full_q) + 48'd507;
        den_q     <= 16'd508;
      end
      StSize: begin
        rest_q <= mlen - mo_q;
        last_q <= (mlen - mo_q) <= 32'(rec_q.pay) || rec_q.kind == weft_sq_pkg::KindVal || mlen == 32'd28;
        len_q  <= ((mlen - mo_q) <= 32'(rec_q.pay) || rec_q.kind == weft_sq_pkg::KindVal) ? 16'(mlen - mo_q) : rec_q.pay;
      end
      StSize2: wire_q <= raw ? len_q : weft_sq_pkg::wire_of(tag, len_q, mk, 7'((9'(off_q) - c_q.first[8:0]) >> 2));
      StFpdu: begin
        if (!want || ord_ready_i) begin
          off_q <= end_d;
          mo_q  <= mo_q + 32'(len_q);
        end
      end
      StNext: begin
        blk_q <= rec_q.next;
        n_q   <= n_q - 16'd1;
      end
      default: ;
    endcase
    if (bad_we) bad_q <= bad;
  end
  assign end_q       = end_d;
  assign ord_valid_o = state_q == StFpdu && want && off_q < fin_q.stop;

  always_comb begin
    ord_o           = '0;
    ord_o.ord       = 1'b1;
    ord_o.again     = 1'b1;
    ord_o.ask_id    = a_q.id;
    ord_o.slot      = a_q.who.slot;
    ord_o.qpn       = c_q.qpn;
    ord_o.link      = {c_q.port, c_q.fn};
    ord_o.off       = off_q;
    ord_o.bytes     = wire_q;
    ord_o.from      = off_q > a_q.from ? off_q : a_q.from;
    ord_o.to        = end_d < a_q.to ? end_d : a_q.to;
    ord_o.len       = len_q;
    ord_o.last      = last_q;
    ord_o.is_tagged = tag;
    ord_o.mo        = mo_q;
    ord_o.msn       = rec_q.msn;
    ord_o.gen       = v_q.gen;
    ord_o.crc       = c_q.crc;
    ord_o.markers   = c_q.markers;
    ord_o.first     = c_q.first;
    ord_o.wqe       = rec_q.kind == weft_sq_pkg::KindVal ? 16'(rec_q.index[7:0]) : rec_q.index;
    ord_o.pd        = c_q.pd;
    ord_o.priv      = c_q.priv;
    ord_o.raw       = raw;
    unique case (rec_q.kind)
      weft_sq_pkg::KindResp: begin
        ord_o.sel    = atom ? weft_sq_pkg::SelAtom : len_q == '0 ? weft_sq_pkg::SelNone : weft_sq_pkg::SelResp;
        ord_o.op     = atom ? 4'(weft_pkg::RdAtomResp) : 4'(weft_pkg::RdReadResp);
        ord_o.qn     = atom ? 2'd3 : 2'd0;
        ord_o.ref_no = rec_q.ref_no;
      end
      weft_sq_pkg::KindVal: begin
        ord_o.sel    = weft_sq_pkg::SelVal;
        ord_o.op     = 4'(weft_pkg::RdTerminate);
        ord_o.qn     = 2'd2;
        ord_o.ref_no = 13'(rec_q.index[7:0]);
      end
      default: begin
        ord_o.num_sge = dig_q.num_sge;
        ord_o.ref_no  = 13'(4'(w_off[3:0] << r_q.stride));
        ord_o.sel     = weft_sq_pkg::is_asked(rec_q.op) ? weft_sq_pkg::SelRead : len_q == '0 ? weft_sq_pkg::SelNone
                        : dig_q.inl ? weft_sq_pkg::SelInl : weft_sq_pkg::SelSge;
        unique case (rec_q.op)
          4'(weft_abi_pkg::SQ_OPCODE_SEND):     ord_o.op = dig_q.solicited ? 4'(weft_pkg::RdSendSe) : 4'(weft_pkg::RdSend);
          4'(weft_abi_pkg::SQ_OPCODE_SEND_INV): ord_o.op = dig_q.solicited ? 4'(weft_pkg::RdSendSeInv) : 4'(weft_pkg::RdSendInv);
          4'(weft_abi_pkg::SQ_OPCODE_IMM):      ord_o.op = dig_q.solicited ? 4'(weft_pkg::RdImmSe) : 4'(weft_pkg::RdImm);
          4'(weft_abi_pkg::SQ_OPCODE_READ): begin
            ord_o.op = 4'(weft_pkg::RdReadReq);
            ord_o.qn = 2'd1;
          end
          4'(weft_abi_pkg::SQ_OPCODE_FETCH_ADD), 4'(weft_abi_pkg::SQ_OPCODE_CMP_SWAP): begin
            ord_o.op = 4'(weft_pkg::RdAtomReq);
            ord_o.qn = 2'd1;
          end
          default: ord_o.op = 4'(weft_pkg::RdWrite);
        endcase
      end
    endcase
  end

  assign err_valid_o = state_q == StErr;
  always_comb begin
    err_o     = '0;
    err_o.who = a_q.who;
    // What is acknowledged of it is not asked for: an error there would say nothing.
    err_o.off = rec_q.start > a_q.from ? rec_q.start : a_q.from;
    err_o.wqe = rec_q.index;
    err_o.err = bad_q ? 4'(weft_pkg::XlBus) : 4'd15;
  end
  assign again_valid_o = state_q == StAgain;
  assign end_valid_o = state_q == StEnd;
  assign end_o       = a_q;
  assign end_more_o  = more_q;
  // The ask's pin goes behind the end; each FPDU takes one.
  logic [END_LAG-1:0] lag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lag_q <= '0;
    else lag_q <= {lag_q[END_LAG-2:0], end_valid_o && end_ready_i};
  end
  assign drop_n_o = 4'(lag_q[END_LAG-1]) - 4'(ord_valid_o && ord_ready_i);
  assign drop_o   = drop_n_o != '0;
  assign idle_o   = state_q == StIdle && !ask_valid_i && lag_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && state_q == StDiv1 && step_q == 6'd48) begin
      assert (quo_q[47:weft_sq_pkg::FpdusW] == '0) else $error("weft_sq_replay: more FPDUs than a message has");
    end
  end
`endif

  logic unused;
  assign unused = ^{a_q, view_i, v_q, c_q, r_q, rec_q, fin_q, dig_q, trk_r, fl_lane, bad_buf, stride, in_idle, st_bad, line_wa, dig_wa, rest_q, blk_q, w_off, rem_q, mul_pay_q};

endmodule
