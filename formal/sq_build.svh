// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_sq_build, of one slot that is loaded once in RTS; nothing of it completes meanwhile. Items of its batches, touches, commands, errors and
// answers to operations on STags come as they like, those only while there is something that they answer.
//
//   status  a WQE that failed keeps its status, what the peer refused keeps another: neither takes the other's. An operation on an STag that is refused fails, and
//           nothing behind one that is not answered does
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyconst *) logic [SlW-1:0] f_s;

  // ---------------------------------------------------------------- load, then commands
  logic [1:0]             f_step;  // 0: nothing; 1: being loaded; 2: home
  logic                   f_cmd;   // a command is under way
  weft_abi_pkg::home_sq_t f_h;
  weft_sq_pkg::bview_t    f_v;     // as it was last told
  logic                   f_state, f_ctl;
  logic [31:0]            f_arg;
  assign f_h     = load_i;
  assign f_ctl   = ctl_valid_i && ctl_ready_o;
  assign f_state = ctl_i.d.len[19:16] == weft_dp_pkg::OpSetState;
  always @* begin
    assume (ctl_slot_i == f_s && feed_slot_i == f_s && inv_slot_i == f_s && touch_slot_i == f_s && err_i.who.slot == 12'(f_s));
    assume (word_slot_i == f_s && cv_slot_i == f_s);
    assume (f_h.state == weft_abi_pkg::QP_STATE_RTS && !f_h.hold && !f_h.stopped && !f_h.err && !f_h.err_any && f_h.mss >= 16'd600 && f_h.mss <= 16'd1460);
    assume (f_h.off == f_h.una && f_h.off == f_off0 && f_off0[63:40] == '0 && f_h.limit - f_h.off <= 64'd4000 && f_h.sq_index == f_cur0);
    if (f_step == 2'd0) assume (!feed_valid_i && !inv_valid_i && !err_valid_i && !touch_valid_i && (!ctl_valid_i || ctl_i.kind == weft_sq_pkg::ItLoad));
    else assume (ctl_i.kind == weft_sq_pkg::ItCmd || !ctl_valid_i);
    if (f_step == 2'd1) assume (!feed_valid_i && !ctl_valid_i && !inv_valid_i && !err_valid_i && !touch_valid_i);
    if (f_step == 2'd2 && ctl_valid_i)
      assume (!f_cmd && f_state && !ctl_i.d.len[2] && ctl_i.d.len[1:0] != weft_abi_pkg::QP_STATE_RESET && f_v.state != weft_abi_pkg::QP_STATE_ERR);
    assume (!free_valid_i && ord_ready_i && wake_ready_i && nudge_ready_i && again_ready_i && set_ready_i && ev_ready_i && drained_ready_i);
    assume (!feed_valid_i || (go_o && (feed_i.kind == weft_sq_pkg::ItWqe || feed_i.kind == weft_sq_pkg::ItResp)));
  end
  (* anyconst *) logic [63:0] f_off0;
  (* anyconst *) logic [15:0] f_cur0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_step <= '0; f_cmd <= 1'b0;
    end else begin
      if (f_step == 2'd0 && f_ctl) f_step <= 2'd1;
      else if (f_step == 2'd1 && ctl_done_o) f_step <= 2'd2;
      f_cmd <= f_step == 2'd2 && (f_ctl || (f_cmd && !ctl_done_o));
    end
  end
  always @(posedge clk_i) if (f_ctl) f_arg <= ctl_i.d.len;

  // ---------------------------------------------------------------- what tcp and cmpl say
  logic        f_said;
  logic [63:0] f_limit, f_off, f_una;
  always @* begin
    assume (cv_we_i == !f_said && (!cv_we_i || cv_i == '0) && (f_said || word_we_i));
    if (f_said) begin
      if (word_we_i) assume (word_i.una >= f_una && word_i.una <= f_off && word_i.limit >= f_limit && word_i.limit - f_off0 <= 64'd4000 && word_i.mss == f_h.mss);
    end else assume (word_i.una == f_off0 && word_i.limit == f_h.limit && word_i.mss == f_h.mss && !word_i.dead);
    assume (f_h.limit == f_limit0);
  end
  (* anyconst *) logic [63:0] f_limit0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_said <= 1'b0;
    else f_said <= 1'b1;
  end
  always @(posedge clk_i) begin
    if (word_we_i) {f_una, f_limit} <= {word_i.una, word_i.limit};
  end

  // ---------------------------------------------------------------- errors and answers, one at a time
  logic        f_look, f_app, f_take;
  logic        f_inv_out, f_inv_sent, f_err_was;
  logic [15:0] f_inv_idx;
  logic [3:0]  f_inv_status;
  logic        f_inv_done;
  assign f_look = view_we_o && view_slot_o == f_s;
  assign f_app  = f_look && rec_we_o;
  assign f_take = f_look && fin_we_o;
  always @* begin
    assume (!inv_valid_i || (f_inv_out && !f_inv_sent && inv_wqe_i == f_inv_idx));
    assume (!err_valid_i || (f_step == 2'd2 && !f_err_was && err_i.off >= f_una && err_i.off < f_off && err_i.wqe - f_cur0 < f_v.cur - f_cur0));
  end
  assign f_inv_done = f_look && f_v.inv && !view_o.inv;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_inv_out <= 1'b0; f_inv_sent <= 1'b0; f_err_was <= 1'b0; f_v <= '0;
    end else begin
      if (f_look) f_v <= view_o;
      f_inv_out <= (f_look && view_o.inv) || (f_inv_out && !f_inv_done);
      f_inv_sent <= (inv_valid_i && inv_ready_o) || (f_inv_sent && !f_inv_done);
      if (err_valid_i && err_ready_o) f_err_was <= 1'b1;
    end
  end
  always @(posedge clk_i) begin
    if (f_look && view_o.inv && !f_v.inv) f_inv_idx <= view_o.cur - 16'd1;
    if (inv_valid_i && inv_ready_o) f_inv_status <= inv_status_i;
  end

  // ---------------------------------------------------------------- the stream
  logic f_home;
  assign f_home = f_look && f_step == 2'd2;
  always @(posedge clk_i) begin
    if (!f_said) f_off <= f_off0;
    else if (f_take) f_off <= fin_o.stop;
    else if (f_look && view_o.gen != f_v.gen && f_step == 2'd2) f_off <= view_o.cut;
  end
`ifdef G_status
  always @* if (rst_ni && f_home) begin
    if (f_v.err) assert (view_o.err && view_o.err_idx == f_v.err_idx && view_o.err_status == f_v.err_status);
    if (f_v.err_any) assert (view_o.err_any && view_o.any_kind == f_v.any_kind && view_o.any_status == f_v.any_status);
    if (view_o.err && !f_v.err) begin
      assert (view_o.stopped && view_o.err_status != '0);
      // An operation on an STag that is not answered stands in front of whatever it could be, but for what was built before.
      if (f_v.inv && !f_inv_done) assert (view_o.err_idx != f_v.cur);
    end
    if (f_inv_done) begin
      assert (f_inv_sent);
      if (f_inv_status != '0) assert (view_o.err && (f_v.err || (view_o.err_idx == f_inv_idx && view_o.err_status == f_inv_status)));
    end
    if (ctl_done_o && f_arg[1:0] == weft_abi_pkg::QP_STATE_ERR && f_arg[7:4] != '0 && !f_v.err && !f_v.err_any)
      assert (view_o.err_any && view_o.any_kind == f_arg[9:8] && view_o.any_status == f_arg[7:4]);
  end
`endif
