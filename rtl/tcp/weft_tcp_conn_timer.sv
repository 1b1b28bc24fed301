// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Both ways between the conn pipe and the timer wheel. Each visit leaves the earliest deadline of its slot in a word,
/// always taken; the set of slots with news goes to the wheel as it takes them. What is said with a save goes
/// before the lines of that save: `save_heard_o`, one for each save, in their order. So what the wheel heard last of a connection is always the newest.
///
/// A timer that fires asks ctx for its connection: home, it becomes an item (with the pin of the answer); busy
/// or coming, it is set again RETRY ticks later (one that was to go may stay where it is, and nothing is loaded); none, it is forgotten.
// lint: -GN_SLOT=256
module weft_tcp_conn_timer #(
  parameter int unsigned N_SLOT = 256,
  parameter logic [47:0] RETRY = 48'd20,
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  output logic                     ready_o,
  input  logic [47:0]              now_i,          ///< ticks

  input  logic                     set_valid_i,    ///< always taken
  input  logic                     set_save_i,     ///< the connection leaves: straight to the wheel; four of these may wait
  input  logic [SlW-1:0]           set_slot_i,
  input  logic [23:0]              set_qpn_i,
  input  logic [47:0]              set_at_i,       ///< ticks, 0: none
  output logic                     save_heard_o,   ///< pulse: the wheel has taken the oldest set of a save

  output logic                     tmr_valid_o,
  input  logic                     tmr_ready_i,
  output weft_dp_pkg::tmr_t        tmr_o,
  input  logic                     fire_valid_i,
  output logic                     fire_ready_o,
  input  logic [23:0]              fire_qpn_i,

  output logic                     need_valid_o,
  input  logic                     need_ready_i,
  output weft_dp_pkg::need_t       need_o,
  input  logic                     have_valid_i,
  input  weft_dp_pkg::have_t       have_i,

  output logic                     item_valid_o,   ///< a timer item; a pin goes with it
  input  logic                     item_ready_i,
  output weft_dp_pkg::who_t        item_who_o,
  output logic                     idle_o
);

  // ---------------------------------------------------------------- words, read as their slots come out of the set
  logic           set_v, set_r, set_idle, take_q, rd_q, hold_q, save_v, save_room, again_q, shown_q, first;
  logic [SlW-1:0] set_s, take_s_q;
  logic           w_on;
  logic [23:0]    w_qpn, save_qpn, again_qpn_q;
  logic [47:0]    w_at, save_at, again_at_q;
  weft_dp_pkg::tmr_t hold, hold_d_q;
  weft_ram_1r1w #(.W(73), .DEPTH(N_SLOT)) u_word (
    .clk_i, .we_i(set_valid_i), .waddr_i(set_slot_i), .wdata_i({!set_save_i, set_qpn_i, set_at_i}),
    .re_i(take_q), .raddr_i(take_s_q), .rdata_o({w_on, w_qpn, w_at})
  );
  weft_ready_fifo #(.N(N_SLOT)) u_set (
    .clk_i, .rst_ni, .ready_o, .ins_valid_i(set_valid_i && !set_save_i), .ins_id_i(set_slot_i), .out_valid_o(set_v),
    .out_ready_i(set_r), .out_id_o(set_s), .count_o(), .idle_o(set_idle), .stat_enter_o(), .stat_merge_o()
  );

  // The word is read a cycle behind the take, so that a set in the cycle of the take is seen. One that was read goes before
  // a save's, and that before the next.
  assign set_r = !take_q && !rd_q && !hold_q && !save_v && !again_q && !(set_valid_i && set_save_i);
  assign hold.qpn = w_qpn;
  assign hold.on  = w_at != '0;
  assign hold.at  = {6'd0, w_at, 10'd0};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q <= 1'b0;
      rd_q   <= 1'b0;
      hold_q <= 1'b0;
      shown_q <= 1'b0;
    end else begin
      take_q <= set_v && set_r;
      rd_q   <= take_q;
      hold_q <= (rd_q && w_on) || (hold_q && !tmr_ready_i);
      shown_q <= again_q && !hold_q && !rd_q && !take_q && !first && !tmr_ready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    take_s_q <= set_s;
    if (rd_q) hold_d_q <= hold;
  end
  weft_fifo #(.W(72), .DEPTH(4)) u_save (
    .clk_i, .rst_ni, .in_valid_i(set_valid_i && set_save_i), .in_ready_o(save_room), .in_data_i({set_qpn_i, set_at_i}),
    .out_valid_o(save_v), .out_ready_i(save_heard_o), .out_data_o({save_qpn, save_at}), .count_o()
  );
  // What is shown stays until it is taken.
  assign first        = save_v && !shown_q;
  assign save_heard_o = first && !hold_q && !rd_q && !take_q && tmr_ready_i;
  assign tmr_valid_o  = hold_q || (!rd_q && !take_q && (save_v || again_q));
  always_comb begin
    tmr_o = hold_d_q;
    if (!hold_q) begin
      tmr_o.qpn = first ? save_qpn : again_qpn_q;
      tmr_o.on  = first ? save_at != '0 : 1'b1;
      tmr_o.at  = {6'd0, first ? save_at : again_at_q, 10'd0};
    end
  end

  // ---------------------------------------------------------------- what fires
  typedef enum logic [1:0] {StIdle, StNeed, StHave, StItem} state_e;
  state_e            state_q;
  logic [23:0]       qpn_q;
  weft_dp_pkg::who_t who_q;
  assign fire_ready_o  = state_q == StIdle && !again_q;
  assign need_valid_o  = state_q == StNeed;
  assign need_o.resume = 1'b0;
  assign need_o.qpn    = qpn_q;
  assign item_valid_o  = state_q == StItem;
  assign item_who_o    = who_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      again_q <= 1'b0;
    end else begin
      if (again_q && !hold_q && !rd_q && !take_q && !first && tmr_ready_i) again_q <= 1'b0;
      unique case (state_q)
        StIdle: if (fire_valid_i && fire_ready_o) state_q <= StNeed;
        StNeed: if (need_ready_i) state_q <= StHave;
        StHave: if (have_valid_i) begin
          state_q <= have_i.state == weft_dp_pkg::HaveHome ? StItem : StIdle;
          again_q <= have_i.state == weft_dp_pkg::HaveBusy || have_i.state == weft_dp_pkg::HaveComing;
        end
        default: if (item_ready_i) state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire_valid_i && fire_ready_o) qpn_q <= fire_qpn_i;
    if (have_valid_i) begin
      who_q.qpn   <= qpn_q;
      who_q.slot  <= have_i.slot;
      again_qpn_q <= qpn_q;
      again_at_q  <= now_i + RETRY;
    end
  end
  assign idle_o = set_idle && !take_q && !rd_q && !hold_q && !save_v && !again_q && state_q == StIdle && !fire_valid_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (!(set_valid_i && set_save_i && !save_room)) else $error("%m: a save's deadline is lost");
`endif
  logic unused;
  assign unused = ^{have_i, save_room};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
