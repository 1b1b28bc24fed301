// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_sq_cmpl, of one slot that is loaded (the other one never is) and one of its WQEs, f_w, that may be any. What stands beside it does as
// weft_sq_build does: it appends records of all kinds to the list, in free blocks; it stops at a WQE that is bad or whose FPDU could not be made, or says that
// an operation on an STag was refused; it is set to ERR, with or without what the peer refused. Bytes are acknowledged in their order, Reads answered in theirs.
// No LOCAL_INV, no Terminate that freezes what is acknowledged (weft_sq_ended), no message of several FPDUs.
//
//   order   completions come in the order of their WQEs, each once, none for a WQE that completed well and is not signalled; nothing good behind one that failed
//   ack     one that is good, or passed over, was begun, all of it was sent and is acknowledged, and a Read is answered
//           one that was begun, is a Read and is not good: nothing is written for Reads any more
//   status  one that is not good has its own status, if it failed; what the peer refused is told once, of the first one that is flushed, and if it is of its
//           kind; else it is flushed. Nothing is flushed before ERR
//   free    a record that is given back was in use, once
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  localparam logic [3:0] FErr = 4'd3, FAny = 4'd6, FRd = 4'd8;
  (* anyconst *) logic [SlW-1:0] f_s;
  (* anyconst *) logic [15:0]    f_w;
  (* anyconst *) logic [LgW-1:0] f_b0;

  // ---------------------------------------------------------------- load
  logic [1:0]             f_step;   // 0: nothing; 1: written beside; 2: the load is taken; 3: it is done
  weft_abi_pkg::home_sq_t f_h;
  weft_sq_pkg::bview_t    f_v;
  assign f_h = load_i;
  always @* begin
    assume (ctl_valid_i == (f_step == 2'd1) && !ctl_save_i && ctl_slot_i == f_s);
    assume (f_h.sq_log2 == 4'd4 && !f_h.flushing && f_h.sq_done == f_from && load_qpn_i == 24'd1);
    if (f_step != 2'd3) assume (!set_valid_i);
    assume (cqe_ready_i && !term_valid_i && !inv_done_i && nudge_ready_i && again_ready_i == '1 && resp_room_i);
    assume (!hold_valid_i || f_step == 2'd3);
  end
  (* anyconst *) logic [15:0] f_from;
  always @* assume (f_w - f_from < 16'd8);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_step <= '0;
    else if (f_step == 2'd0 && ready_o) f_step <= 2'd1;
    else if (f_step == 2'd1 && ctl_ready_o) f_step <= 2'd2;
    else if (f_step == 2'd2 && ctl_done_o) f_step <= 2'd3;
  end
  logic f_begin;
  assign f_begin = f_step == 2'd0 && ready_o;
  always @* assume (rd_clear_i == f_begin && rd_clear_slot_i == f_s);

  // ---------------------------------------------------------------- what build does
  (* anyseq *) logic [2:0] f_do;  // 1 append, 2 ERR, 3 a bad WQE, 4 an FPDU of f_w that could not be made, 5 the operation on an STag is answered
  (* anyseq *) logic       f_with;
  (* anyseq *) logic [LgW-1:0] f_nb;
  logic [N_LOG-1:0]  f_use;
  logic              f_app, f_set, f_sq, f_zero, f_rd, f_is_w, f_stag;
  logic [63:0]       f_end;      // behind the last message
  logic              f_begun, f_sig, f_read;
  logic [63:0]       f_start, f_stop, f_una;
  logic [1:0]        f_kind;
  logic [7:0]        f_rd_n, f_rd_told, f_rd_no;
  assign f_app  = f_step == 2'd3 && f_do == 3'd1;
  assign f_sq   = rec_i.kind == weft_sq_pkg::KindSq;
  assign f_stag = f_sq && rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_FAST_REG);
  assign f_zero = f_sq && (rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_NOP) || f_stag);
  assign f_rd   = f_sq && rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_READ);
  assign f_is_w = f_app && f_sq && f_v.cur == f_w;
  always @* begin
    assume (rec_we_i == f_app && fin_we_i == f_app);
    if (f_app) begin
      assume (!f_v.stopped && f_v.state == weft_abi_pkg::QP_STATE_RTS && !f_use[f_nb] && !(f_sq && f_v.inv));
      assume (rec_addr_i == f_v.log_nxt[LgW-1:0] && fin_addr_i == rec_addr_i && rec_i.next == 13'(f_nb) && rec_i.kind != 2'd3);
      if (f_sq) assume (rec_i.index == f_v.cur && (rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_SEND) || rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE)
                                                    || f_rd || f_zero));
      assume (fin_i.done && (f_zero ? fin_i.stop == f_end : fin_i.stop - f_end - 64'd1 < 64'd4));
    end
    if (f_do == 3'd2) assume (f_v.state == weft_abi_pkg::QP_STATE_RTS);
    if (f_do == 3'd3) assume (!f_v.stopped && !f_v.inv && f_v.state == weft_abi_pkg::QP_STATE_RTS);
    if (f_do == 3'd4) assume (!f_v.stopped && f_begun && !f_over && f_stop != f_start && f_una < f_stop);
    if (f_do == 3'd5) assume (f_v.inv);
    f_set = f_step == 2'd3 && f_do != 3'd0 && f_do <= 3'd5;
    assume (view_we_i == (f_begin || f_set) && view_slot_i == f_s);
    if (f_begin) assume (view_i == {f_from, 16'd0, 13'(f_b0), weft_abi_pkg::QP_STATE_RTS, {($bits(view_i) - 47){1'b0}}});
    if (f_set) assume (view_i == f_vn);
  end
  (* anyseq *) logic [63:0] f_cut;
  (* anyseq *) logic [1:0]  f_peer;
  weft_sq_pkg::bview_t f_vn;
  always @* begin
    f_vn = f_v;
    assume (!(f_step == 2'd3 && f_do == 3'd4) || (f_cut >= f_start && f_cut < f_stop && f_cut >= f_una));
    unique case (f_do)
      3'd1: begin
        f_vn.log_new = f_v.log_new + 16'd1;
        f_vn.log_nxt = 13'(f_nb);
        f_vn.cur     = f_v.cur + 16'(f_sq);
        f_vn.inv     = f_v.inv || f_stag;
      end
      3'd2: begin
        f_vn.state = weft_abi_pkg::QP_STATE_ERR;
        if (f_with && !f_v.err) begin
          f_vn.err_any    = 1'b1;
          f_vn.any_kind   = f_peer;
          f_vn.any_status = FAny;
        end
      end
      3'd3: begin
        f_vn.stopped    = 1'b1;
        f_vn.cut        = f_end;
        f_vn.err        = 1'b1;
        f_vn.err_idx    = f_v.cur;
        f_vn.err_status = FErr;
      end
      3'd4: begin
        f_vn.stopped    = 1'b1;
        f_vn.cut        = f_cut;
        f_vn.err        = 1'b1;
        f_vn.err_idx    = f_w;
        f_vn.err_status = FErr;
      end
      3'd5: begin
        f_vn.inv = 1'b0;
        if (f_with && !f_v.err) begin
          f_vn.err        = 1'b1;
          f_vn.err_idx    = f_v.cur - 16'd1;
          f_vn.err_status = FErr;
          f_vn.stopped    = 1'b1;
          if (!f_v.stopped) f_vn.cut = f_end;
        end
      end
      default: ;
    endcase
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_use <= '0; f_begun <= 1'b0; f_rd_n <= '0; f_v <= '0;
    end else begin
      if (f_begin) f_use[f_b0] <= 1'b1;
      if (f_app) f_use[f_nb] <= 1'b1;
      if (free_valid_o) f_use[free_o] <= 1'b0;
      if (view_we_i) f_v <= view_i;
      if (f_is_w) f_begun <= 1'b1;
      if (f_app) f_rd_n <= f_rd_n + 8'(f_rd);
    end
  end
  always @(posedge clk_i) begin
    if (f_begin) f_end <= word_i.una;
    else if (f_app) f_end <= fin_i.stop;
    if (f_is_w) begin
      {f_start, f_stop, f_sig, f_read} <= {f_end, fin_i.stop, rec_i.signaled, f_rd};
      f_rd_no <= f_rd_n;
      f_kind  <= rec_i.op == 4'(weft_abi_pkg::SQ_OPCODE_WRITE) ? weft_sq_pkg::PeerWrite : f_rd ? weft_sq_pkg::PeerRead : f_zero ? weft_sq_pkg::PeerAny : weft_sq_pkg::PeerSend;
    end
  end

  // ---------------------------------------------------------------- what tcp and rdmap say
  always @* begin
    assume (word_slot_i == f_s && (word_we_i || !f_begin));
    if (word_we_i && !f_begin) assume (f_step != 2'd0 && word_i.una >= f_una && word_i.una <= f_end);
    if (f_begin) assume (word_i.una < 64'd1 << 32);
    assume (!rd_valid_i || (f_step == 2'd3 && rd_i.who.slot == 12'(f_s) && (rd_i.quiet ? f_v.state == weft_abi_pkg::QP_STATE_ERR : !f_quiet && (f_rd_told != f_rd_n || !rd_ready_o)) && (rd_i.status == '0 || rd_i.status == 8'(FRd))));
    assume (prod_i - f_v.cur < 16'd3);
  end
  logic f_rd_bad, f_quiet;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_rd_told <= '0; f_rd_bad <= 1'b0; f_quiet <= 1'b0;
    end else if (rd_valid_i && rd_i.quiet) begin
      f_quiet <= 1'b1;  // it is heard before it is taken
    end else if (rd_valid_i && rd_ready_o) begin
      f_rd_told <= f_rd_told + 8'd1;
      if (rd_i.status != '0) f_rd_bad <= 1'b1;
    end
  end
  always @* if (rd_valid_i && f_rd_bad) assume (rd_i.status == '0);
  always @(posedge clk_i) if (word_we_i) f_una <= word_i.una;

  // ---------------------------------------------------------------- completions
  logic        f_cqe, f_bad, f_told, f_over, f_me, f_passed, f_ok;
  logic [15:0] f_next;
  logic [8:0]  f_err_age, f_any_age, f_stop_age, f_dead_age;  // cycles for which it was known
  assign f_cqe    = cqe_valid_o && cqe_ready_i;
  assign f_me     = f_cqe && cqe_o.index == f_w;
  assign f_passed = f_cqe && !f_over && f_w - f_next < 16'd16 && f_w - f_next < cqe_o.index - f_next;
  // It may be good.
  assign f_ok     = f_begun && f_stop <= f_una && (!f_read || f_rd_told > f_rd_no) && !(f_stop_age[8] && f_stop > f_v.cut)
                    && !(f_err_age[8] && f_v.err_idx == f_w);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_bad <= 1'b0; f_told <= 1'b0; f_over <= 1'b0; f_err_age <= '0; f_any_age <= '0; f_stop_age <= '0; f_dead_age <= '0;
    end else begin
      f_err_age  <= {f_err_age[7:0], f_v.err};
      f_any_age  <= {f_any_age[7:0], f_v.err_any};
      f_stop_age <= {f_stop_age[7:0], f_v.stopped};
      f_dead_age <= {f_dead_age[7:0], f_v.state == weft_abi_pkg::QP_STATE_ERR};
      if (f_cqe && cqe_o.status != '0 && cqe_o.status != 8'(FRd)) f_bad <= 1'b1;
      if (f_cqe && (cqe_o.status == 8'(FErr) || cqe_o.status == 8'(FAny))) f_told <= 1'b1;
      if (f_me || f_passed) f_over <= 1'b1;
    end
  end
  always @(posedge clk_i) begin
    if (f_begin) f_next <= f_from;
    else if (f_cqe) f_next <= cqe_o.index + 16'd1;
  end
`ifdef G_order
  always @* if (rst_ni && f_cqe) begin
    assert (f_step == 2'd3 && cqe_o.qpn == 24'd1);
    assert (cqe_o.index - f_next < 16'd16);
    if (f_me) assert (!f_over);
    if (cqe_o.status == '0) assert (!f_bad);
    if (f_me && cqe_o.status == '0) assert (f_sig);
    if (f_passed) assert (!f_sig && !f_bad);
  end
`endif
`ifdef G_ack
  always @* if (rst_ni) begin
    if (f_me && cqe_o.status == '0) assert (f_ok);
    if (f_me && cqe_o.status == 8'(FRd)) assert (f_ok && f_read && f_rd_bad);
    if (f_passed) assert (f_ok);
    if (f_me && cqe_o.status != '0 && cqe_o.status != 8'(FRd) && f_begun && f_read) assert (f_quiet);
  end
`endif
`ifdef G_status
  always @* if (rst_ni && f_me) begin
    assert (cqe_o.status == '0 || cqe_o.status == 8'(FRd) || cqe_o.status == 8'(FErr) || cqe_o.status == 8'(FAny)
            || cqe_o.status == weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR);
    if (cqe_o.status == 8'(FErr)) assert (f_v.err && f_v.err_idx == f_w && !f_told);
    if (cqe_o.status == 8'(FAny)) assert (f_v.err_any && !f_bad && (f_v.any_kind == weft_sq_pkg::PeerAny || (f_begun && f_kind == f_v.any_kind)));
    if (cqe_o.status == weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR) begin
      assert (f_v.state == weft_abi_pkg::QP_STATE_ERR);
      if (f_err_age[8] && f_v.err_idx == f_w) assert (f_told);
      if (f_any_age[8] && !f_bad) assert (!(f_v.any_kind == weft_sq_pkg::PeerAny || (f_begun && f_kind == f_v.any_kind)));
    end
  end
`endif
`ifdef G_free
  always @* if (rst_ni && free_valid_o) assert (f_use[free_o] && 13'(free_o) != f_v.log_nxt);
`endif
