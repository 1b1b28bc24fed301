// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_cq_db, of one queue that may be any. The owner of the queue's context reads it (re_i), and three cycles later gives
// its bits back as it read them (it fires, or the queue begins anew) or as they were; one reading at a time.
//
//   arm    an arm that was rung behind the last reading that was given back is seen by every reading, for the next entry and for the next
//          solicited one each, until it is answered; none is seen that was not rung
//   index  a reading shows the index of the last doorbell that is three cycles old or more, or a later one
//   look   a queue that was armed comes to be looked at behind the doorbell
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  (* anyconst *) logic [IdW-1:0] f_q;

  // The owner: bits as it keeps them, one reading at a time.
  (* anyseq *) logic f_answer;
  logic [2:0]  f_rd;            // cycles since the reading
  logic        f_b_next, f_b_sol, f_a_next, f_a_sol, f_mine;
  always @* begin
    assume (re_i == (re_i && ready_o && f_rd == '0));
    assume (b_we_i == (f_rd == 3'd4 && f_answer));
    if (b_we_i) assume (b_id_i == f_id && b_gen_i == 1'b0 && b_next_i == f_a_next && b_sol_i == f_a_sol);
    if (!ready_o) assume (!db_valid_i);
  end
  logic [IdW-1:0] f_id;
  assign f_mine = f_id == f_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_rd <= '0; f_b_next <= 1'b0; f_b_sol <= 1'b0;
    end else begin
      f_rd <= re_i ? 3'd1 : f_rd == '0 || f_rd == 3'd4 ? '0 : f_rd + 3'd1;
      if (b_we_i && f_mine) {f_b_next, f_b_sol} <= {f_a_next, f_a_sol};
    end
  end
  always @(posedge clk_i) begin
    if (re_i) f_id <= rid_i;
    if (f_rd == 3'd1) {f_a_next, f_a_sol} <= {next_o, solicited_o};
  end

  // What was rung: in this cycle, and settled (readable).
  logic        f_ring, f_n_next, f_n_sol, f_want_next, f_want_sol, f_ever_next, f_ever_sol;
  logic        f_late_next, f_late_sol;  // it was rung too late for the reading that is under way
  logic [2:0]  f_r_next, f_r_sol;  // rung one, two, three cycles ago
  logic        f_seen_next, f_seen_sol;
  assign f_ring   = db_valid_i && ready_o && db_id_i == f_q;
  assign f_n_next = f_ring && db_arm_i == weft_abi_pkg::ARM_NEXT;
  assign f_n_sol  = f_ring && db_arm_i == weft_abi_pkg::ARM_SOLICITED;
  assign f_seen_next = f_rd == 3'd1 && f_mine && next_o != f_b_next;
  assign f_seen_sol  = f_rd == 3'd1 && f_mine && solicited_o != f_b_sol;
  // want: it must be seen by a reading that begins now; ever: it may be. A doorbell that comes while the owner answers may be taken as
  // answered, so what must be seen begins behind the answer's cycle.
  logic f_busy;
  assign f_busy = (f_rd != '0 || re_i) && (re_i ? rid_i == f_q : f_mine);
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_want_next <= 1'b0; f_want_sol <= 1'b0; f_ever_next <= 1'b0; f_ever_sol <= 1'b0; f_r_next <= '0; f_r_sol <= '0;
    end else begin
      f_r_next <= {f_r_next[1:0], f_n_next};
      f_r_sol  <= {f_r_sol[1:0], f_n_sol};
      if (b_we_i && f_mine) begin
        f_want_next <= 1'b0;
        f_want_sol  <= 1'b0;
      end else begin
        if (f_r_next[1] && f_quiet[2]) f_want_next <= 1'b1;
        if (f_r_sol[1] && f_quiet[2]) f_want_sol <= 1'b1;
      end
      if (f_n_next) f_ever_next <= 1'b1;
      else if (b_we_i && f_mine) f_ever_next <= f_late_next;
      if (f_n_sol) f_ever_sol <= 1'b1;
      else if (b_we_i && f_mine) f_ever_sol <= f_late_sol;
      f_late_next <= f_n_next || (re_i ? f_r_next != '0 : f_late_next);
      f_late_sol  <= f_n_sol || (re_i ? f_r_sol != '0 : f_late_sol);
    end
  end
  // No reading of this queue was under way for so many cycles.
  logic [2:0] f_quiet;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_quiet <= '0;
    else f_quiet <= f_busy ? '0 : {f_quiet[1:0], 1'b1};
  end
  logic f_must_next, f_must_sol;
  always @(posedge clk_i) begin
    if (re_i) {f_must_next, f_must_sol} <= {f_want_next, f_want_sol};
  end
`ifdef G_arm
  always @* if (f_rd == 3'd1 && f_mine) begin
    if (f_must_next) assert (f_seen_next);
    if (f_must_sol) assert (f_seen_sol);
    if (f_seen_next) assert (f_ever_next);
    if (f_seen_sol) assert (f_ever_sol);
  end
`endif
  logic [23:0] f_index;
  logic        f_rung, f_still;
  logic [2:0]  f_new;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_rung <= 1'b0; f_new <= '0;
    end else begin
      f_new <= {f_new[1:0], f_ring};
      if (f_ring) f_rung <= 1'b1;
    end
  end
  always @(posedge clk_i) begin
    if (f_ring) f_index <= db_index_i;
    f_still <= f_new == '0 && !f_ring;
  end
`ifdef G_index
  always @* if (f_rd == 3'd1 && f_mine && f_rung && f_still && f_new == '0) assert (ci_o == f_index);
`endif
  logic [7:0] f_wait;
  logic       f_due;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_due <= 1'b0; f_wait <= '0;
    end else begin
      if (f_n_next || f_n_sol) f_due <= 1'b1;
      else if (look_valid_o && look_ready_i && look_id_o == f_q) f_due <= 1'b0;
      f_wait <= f_due && look_ready_i && !(look_valid_o && look_id_o == f_q) ? f_wait + 8'd1 : '0;
    end
  end
`ifdef G_look
  always @* assert (f_wait <= 8'(N) + 8'd6);
`endif
`ifdef F_COVER
  always @* cover (f_seen_next && f_seen_sol && f_rung);
  logic f_twice;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) f_twice <= 1'b0;
    else if (b_we_i && f_mine && f_ever_next) f_twice <= 1'b1;
  end
  always @* cover (f_twice && f_seen_next);
`endif
