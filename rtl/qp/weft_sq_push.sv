// SPDX-License-Identifier: BSD-2-Clause

/// Pushed WQEs: N_PUSH places that weft_pcie_rx_req writes in turn, and what each is good for. A place counts from the doorbell that brought
/// it (its owner's; until then nobody knows whose it is) for the WQE in front of that doorbell's index, until one of these:
///   - it is taken (`take_i`): who was asked about is its QP, and that WQE is the next one to ask for;
///   - WQEs of its QP are asked for, these or others (`drop_i`): so no place outlives its WQE, and none is there when the index comes round;
///   - the QP gets another owner (`db_new_i`), or another index (`set_i`);
///   - another push is written there. So nobody can keep a place: who pushes and is not served loses to who comes later.
/// What is in a place is as hostile as what is in a ring. One that is taken goes to intake as a read of one WQE does, behind `told_i`; what is behind
/// PUSH_WQE_BYTES is zero.
// lint: -GDATA_W=128 -GN_QP=1024 -GN_LANE=16
module weft_sq_push #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_LANE = 16,
  parameter int unsigned N_PUSH = 8,    ///< power of two, 4 or more: one is written a second time no sooner than its doorbell is here
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned LnW = $clog2(N_LANE),
  localparam int unsigned PuW = $clog2(N_PUSH)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              we_i,          ///< a WQE is put into place buf_i
  input  logic [PuW-1:0]    buf_i,
  input  logic [447:0]      wqe_i,
  input  logic              db_valid_i,    ///< pulse: a doorbell
  input  logic [QpW-1:0]    db_qpn_i,
  input  logic [15:0]       db_index_i,
  input  logic              db_push_i,     ///< its WQE is in place db_buf_i
  input  logic [PuW-1:0]    db_buf_i,
  input  logic              db_new_i,      ///< it is that of a new owner
  input  logic              set_i,         ///< pulse: the producer index of this QP begins elsewhere
  input  logic [QpW-1:0]    set_qpn_i,

  input  logic              look_i,        ///< is WQE look_index_i of look_qpn_i here: hit_o from the next cycle on, for as long as it may be taken
  input  logic [QpW-1:0]    look_qpn_i,
  input  logic [15:0]       look_index_i,
  output logic              hit_o,
  input  logic              drop_i,        ///< WQEs of the one that was asked about are asked for
  input  logic              take_i,        ///< with drop_i and hit_o: it is this one
  input  logic [LnW-1:0]    take_lane_i,
  input  logic [LnW-1:0]    take_buf_i,
  input  logic              told_i,        ///< the lane knows of it

  output logic              valid_o,       ///< to intake: a WQE of one line
  input  logic              ready_i,
  output logic [DATA_W-1:0] data_o,
  output logic              last_o,
  output logic [LnW-1:0]    lane_o,
  output logic [LnW-1:0]    buf_o,
  output logic [15:0]       index_o,
  output logic              idle_o,
  output logic              stat_taken_o
);

  localparam int unsigned Beats = 512 / DATA_W;
  localparam int unsigned BtW   = Beats == 1 ? 1 : $clog2(Beats);

  // ---------------------------------------------------------------- places
  logic [N_PUSH-1:0]     valid_q, here;
  logic [QpW-1:0]        qpn_q [N_PUSH];
  logic [15:0]           idx_q [N_PUSH];
  logic [QpW-1:0]        asked_q;
  logic [15:0]           asked_index_q;
  logic [PuW-1:0]        at;
  logic [447:0]          wqe;
  logic                  hit_q, look, busy_q, go_q;
  always_comb begin
    at = '0;
    for (int unsigned p = 0; p < N_PUSH; p++) begin
      here[p] = valid_q[p] && qpn_q[p] == look_qpn_i && idx_q[p] == look_index_i && !(we_i && buf_i == PuW'(p));
      if (here[p]) at = at | PuW'(p);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else begin
      for (int unsigned p = 0; p < N_PUSH; p++) begin
        if (db_valid_i && db_push_i && db_buf_i == PuW'(p)) valid_q[p] <= 1'b1;
        else if ((we_i && buf_i == PuW'(p)) || (drop_i && qpn_q[p] == asked_q) || (db_valid_i && db_new_i && qpn_q[p] == db_qpn_i)
                 || (set_i && qpn_q[p] == set_qpn_i)) valid_q[p] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (db_valid_i && db_push_i) begin
      qpn_q[db_buf_i] <= db_qpn_i;
      idx_q[db_buf_i] <= db_index_i - 16'd1;
    end
  end
  // The one that was found is read at once, so it may be written again. Of two of the same queue and index, which only who does wrong makes, some other one is read, or none.
  assign look = look_i && !busy_q && $onehot(here);
  weft_ram_1r1w #(.W(448), .DEPTH(N_PUSH)) u_wqe (
    .clk_i, .we_i, .waddr_i(buf_i), .wdata_i(wqe_i), .re_i(look), .raddr_i(at), .rdata_o(wqe)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hit_q <= 1'b0;
    else if (look_i) hit_q <= look;
  end
  always_ff @(posedge clk_i) begin
    if (look_i) begin
      asked_q       <= look_qpn_i;
      asked_index_q <= look_index_i;
    end
  end
  assign hit_o        = hit_q;
  assign stat_taken_o = take_i;

  // ---------------------------------------------------------------- to intake
  logic [BtW-1:0] beat_q;
  logic [511:0]   line;
  assign line    = {64'd0, wqe};
  assign valid_o = busy_q && (go_q || told_i);
  assign data_o  = line[32'(beat_q)*DATA_W+:DATA_W];
  assign last_o  = 32'(beat_q) == Beats - 1;
  assign index_o = index_q;
  logic [15:0] index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      go_q   <= 1'b0;
      beat_q <= '0;
    end else begin
      if (take_i) busy_q <= 1'b1;
      else if (valid_o && ready_i && last_o) busy_q <= 1'b0;
      if (valid_o && ready_i && last_o) go_q <= 1'b0;
      else if (told_i && busy_q) go_q <= 1'b1;
      if (valid_o && ready_i) beat_q <= last_o ? '0 : beat_q + BtW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      lane_o  <= take_lane_i;
      buf_o   <= take_buf_i;
      index_q <= asked_index_q;
    end
  end
  assign idle_o = !busy_q;

`ifndef SYNTHESIS
  initial if (N_PUSH < 4 || (N_PUSH & (N_PUSH - 1)) != 0) $fatal(1, "weft_sq_push: N_PUSH");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(take_i && (!hit_q || busy_q || !drop_i))) else $error("%m: a WQE that is not here is taken");
    end
  end
`endif

endmodule
