// SPDX-License-Identifier: BSD-2-Clause

/// Doorbells and whose turn it is. A doorbell writes the producer index of its QP and puts it into the send
/// set, in the same cycle, always. Who comes out of the set is asked for (`need`, class send); one that is home
/// goes on as a start with the pin that `have` took; one that is coming is put back when it
/// arrives, one that is told `busy` goes to the end of the set. A start has a lane: CREDITS are counted from the
/// question to `give_i`.
///
/// With GATE (fewer slots than QPs) QPs with WQEs that are begun and not completed hold at most GATE slots, so that what
/// answers them, here and at a peer that does the same, finds slots. Who is in the middle of a message goes on whatever it is: woken
/// QPs stand in a set of their own, which is asked first, and a lane that gets one which is not in the middle of a message sends it
/// here (`later_*`) while the gate is shut (`closed_o`).
// lint: -GN_QP=1024
module weft_sq_sched #(
  parameter int unsigned N_QP = 1024,    ///< connections, a power of two, up to 65,536
  parameter int unsigned CREDITS = 16,   ///< lanes
  parameter int unsigned GATE = 0,       ///< slots, 0: no bound
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 ready_o,       ///< registered: swept. A doorbell before it is lost

  input  logic                 db_valid_i,    ///< pulse: always taken, so not in every cycle (weft_pcie: in every second one; weft_dp_owner: now and then one more)
  input  logic [23:0]          db_qpn_i,
  input  logic [15:0]          db_index_i,
  input  logic                 set_valid_i,   ///< firmware: the producer index begins here
  output logic                 set_ready_o,
  input  logic [23:0]          set_qpn_i,
  input  logic [15:0]          set_index_i,

  input  logic                 arrive_valid_i,
  input  weft_dp_pkg::arrive_t arrive_i,
  input  logic [1:0]           wake_valid_i,  ///< build: there may be work again; lanes: there is more
  output logic [1:0]           wake_ready_o,
  input  logic [47:0]          wake_qpn_i,

  input  logic [12:0]          own_i,         ///< slots with WQEs that are begun and not completed
  output logic                 closed_o,
  output logic                 gated_o,       ///< the gate keeps somebody from beginning
  input  logic                 later_valid_i,
  output logic                 later_ready_o,
  input  logic [23:0]          later_qpn_i,

  output logic                 need_valid_o,
  input  logic                 need_ready_i,
  output weft_dp_pkg::need_t   need_o,
  input  logic                 have_valid_i,
  input  weft_dp_pkg::have_t   have_i,

  output logic                 start_valid_o,
  input  logic                 start_ready_i,
  output weft_dp_pkg::who_t    start_o,
  input  logic [1:0]           give_i,        ///< lanes that are free again
  output logic                 yield_o,       ///< somebody waits for a lane

  input  logic [1:0]           prod_re_i,     ///< producer indices for fetch and cmpl
  input  logic [2*QpW-1:0]     prod_qpn_i,
  output logic [31:0]          prod_o,        ///< a cycle later
  output logic                 idle_o
);

  localparam int unsigned CrW = $clog2(CREDITS + 1);

  // ---------------------------------------------------------------- producer indices
  logic           sweep_q, set_ready;
  logic [QpW-1:0] at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q <= 1'b1;
      at_q    <= '0;
    end else if (sweep_q) begin
      sweep_q <= at_q != '1;
      at_q    <= at_q + QpW'(1);
    end
  end
  assign ready_o     = !sweep_q && set_ready;
  assign set_ready_o = !db_valid_i && ready_o;

  logic           db, p_we;
  logic [QpW-1:0] p_addr;
  logic [15:0]    p_data;
  assign db     = db_valid_i && ready_o;
  assign p_we   = sweep_q || db || set_valid_i;
  assign p_addr = sweep_q ? at_q : db ? db_qpn_i[QpW-1:0] : set_qpn_i[QpW-1:0];
  assign p_data = sweep_q ? 16'd0 : db ? db_index_i : set_index_i;
  for (genvar r = 0; r < 2; r++) begin : gen_prod
    weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_prod (
      .clk_i, .we_i(p_we), .waddr_i(p_addr), .wdata_i(p_data),
      .re_i(prod_re_i[r]), .raddr_i(prod_qpn_i[r*QpW+:QpW]), .rdata_o(prod_o[16*r+:16])
    );
  end

  // ---------------------------------------------------------------- send set
  logic           arr_v, busy_v, busy_in, out_valid, out_ready, set_idle, room, enter;
  logic [23:0]    arr_qpn, busy_qpn;
  logic [3:0]     r_ready;
  logic [QpW-1:0] out_id, enter_id;
  logic [3:0]     infl_q;
  logic [CrW-1:0] cred_q;
  logic [1:0]     full;

  // Arrivals are many cycles apart, so are those that are told `busy`.
  weft_fifo #(.W(24), .DEPTH(8)) u_arrive (
    .clk_i, .rst_ni, .in_valid_i(arrive_valid_i && arrive_i.ok), .in_ready_o(full[0]), .in_data_i(arrive_i.who.qpn),
    .out_valid_o(arr_v), .out_ready_i(r_ready[0]), .out_data_o(arr_qpn), .count_o(arr_n)
  );
  assign busy_in = have_valid_i && have_i.state == weft_dp_pkg::HaveBusy;
  weft_fifo #(.W(24), .DEPTH(16)) u_busy (
    .clk_i, .rst_ni, .in_valid_i(busy_in), .in_ready_o(full[1]), .in_data_i(have_i.qpn),
    .out_valid_o(busy_v), .out_ready_i(r_ready[1]), .out_data_o(busy_qpn), .count_o(busy_n)
  );
  // The set of all; with a gate, those that are woken have one of their own in front.
  logic           new_valid, new_ready, went_valid, went_ready, open;
  logic [QpW-1:0] new_id, went_id;
  if (GATE == 0) begin : gen_one
    weft_sq_set #(.N(N_QP), .K(4)) u_set (
      .clk_i, .rst_ni, .ready_o(set_ready), .ins_valid_i(db), .ins_id_i(db_qpn_i[QpW-1:0]),
      .req_valid_i({wake_valid_i, busy_v, arr_v}), .req_ready_o(r_ready),
      .req_id_i({wake_qpn_i[24+:QpW], wake_qpn_i[0+:QpW], busy_qpn[QpW-1:0], arr_qpn[QpW-1:0]}),
      .enter_o(enter), .enter_id_o(enter_id), .out_valid_o(new_valid), .out_ready_i(new_ready), .out_id_o(new_id),
      .idle_o(set_idle)
    );
    assign went_valid    = 1'b0;
    assign went_id       = '0;
    assign open          = 1'b1;
    assign closed_o      = 1'b0;
    assign later_ready_o = 1'b1;
  end else begin : gen_two
    logic           s_ready, w_ready, s_idle, w_idle, w_enter;
    logic [QpW-1:0] w_enter_id;
    logic [12:0]    in_use;
    assign in_use    = 13'(CREDITS) - 13'(cred_q);
    weft_sq_set #(.N(N_QP), .K(3)) u_set (
      .clk_i, .rst_ni, .ready_o(s_ready), .ins_valid_i(db), .ins_id_i(db_qpn_i[QpW-1:0]),
      .req_valid_i({later_valid_i, busy_v, arr_v}), .req_ready_o({later_ready_o, r_ready[1:0]}),
      .req_id_i({later_qpn_i[QpW-1:0], busy_qpn[QpW-1:0], arr_qpn[QpW-1:0]}),
      .enter_o(enter), .enter_id_o(enter_id), .out_valid_o(new_valid), .out_ready_i(new_ready), .out_id_o(new_id),
      .idle_o(s_idle)
    );
    weft_sq_set #(.N(N_QP), .K(2)) u_went (
      .clk_i, .rst_ni, .ready_o(w_ready), .ins_valid_i(1'b0), .ins_id_i('0),
      .req_valid_i(wake_valid_i), .req_ready_o(r_ready[3:2]), .req_id_i({wake_qpn_i[24+:QpW], wake_qpn_i[0+:QpW]}),
      .enter_o(w_enter), .enter_id_o(w_enter_id), .out_valid_o(went_valid), .out_ready_i(went_ready), .out_id_o(went_id),
      .idle_o(w_idle)
    );
    assign set_ready = s_ready && w_ready;
    assign set_idle  = s_idle && w_idle;
    assign open      = own_i + in_use < 13'(GATE);
    assign closed_o  = own_i + in_use > 13'(GATE);
    logic unused_two;
    assign unused_two = ^{w_enter, w_enter_id, later_qpn_i};
  end
  // Whose turn it is stays while the question waits.
  logic hold_q, hold_went_q, went;
  assign went         = hold_q ? hold_went_q : went_valid;
  assign out_valid    = went || (new_valid && (open || hold_q));
  assign out_id       = went ? went_id : new_id;
  assign went_ready   = out_ready && went;
  assign new_ready    = out_ready && !went && out_valid;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= need_valid_o && !need_ready_i;
  end
  always_ff @(posedge clk_i) hold_went_q <= went;
  assign wake_ready_o = r_ready[3:2];

  // ---------------------------------------------------------------- need, have, start
  logic       have_home, have_else, st_in_ready;
  logic [4:0] st_n, busy_n;
  logic [3:0] arr_n;
  assign have_home    = have_valid_i && have_i.state == weft_dp_pkg::HaveHome;
  assign have_else    = have_valid_i && have_i.state != weft_dp_pkg::HaveHome;
  // What is under way has a place in the queue of starts and in that of the busy ones.
  assign room         = 5'(infl_q) + st_n < 5'd8 && 5'(infl_q) + busy_n < 5'd8 && cred_q != '0;
  assign need_valid_o = out_valid && room && ready_o;
  assign out_ready    = need_ready_i && room && ready_o;
  assign need_o.resume = 1'b0;
  assign need_o.qpn    = 24'(out_id);
  assign yield_o       = (out_valid && cred_q == '0) || (new_valid && !open);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      infl_q <= '0;
      cred_q <= CrW'(CREDITS);
    end else begin
      infl_q <= infl_q + 4'(need_valid_o && need_ready_i) - 4'(have_valid_i);
      cred_q <= cred_q - CrW'(need_valid_o && need_ready_i) + CrW'(have_else) + CrW'(give_i[0]) + CrW'(give_i[1]);
    end
  end
  weft_fifo #(.W(36), .DEPTH(16)) u_start (
    .clk_i, .rst_ni, .in_valid_i(have_home), .in_ready_o(st_in_ready), .in_data_i({have_i.qpn, have_i.slot}),
    .out_valid_o(start_valid_o), .out_ready_i(start_ready_i), .out_data_o(start_o), .count_o(st_n)
  );
  assign gated_o = new_valid && !open && !hold_q;
  assign idle_o = ready_o && set_idle && infl_q == '0 && !start_valid_o && !arr_v && !busy_v && wake_valid_i == '0
                  && !db_valid_i && !arrive_valid_i;

`ifdef FORMAL_sq_sched
  `include "sq_sched.svh"
`endif

`ifndef SYNTHESIS
  initial if (N_QP < 4 || N_QP > 65536 || (N_QP & (N_QP - 1)) != 0) $fatal(1, "weft_sq_sched: N_QP");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(have_home && !st_in_ready)) else $error("%m: a start is lost");
      assert (!(arrive_valid_i && arrive_i.ok && !full[0])) else $error("%m: an arrival is lost");
      assert (!(busy_in && !full[1])) else $error("%m: one who is told busy is lost");
      assert (cred_q <= CrW'(CREDITS));
    end
  end
`endif
  logic unused;
  assign unused = ^{db_qpn_i, set_qpn_i, arrive_i, have_i, enter, enter_id, full, st_in_ready, wake_qpn_i, busy_qpn, arr_qpn, arr_n, own_i, went_ready,
                    later_valid_i, later_qpn_i};

endmodule
