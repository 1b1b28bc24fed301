// SPDX-License-Identifier: BSD-2-Clause

/// Decides for each built segment whether it leaves. A segment with an error is dropped and
/// reported once; from then on every segment of that QP is dropped, for its sequence space has a
/// hole, until the QP's contexts are loaded anew (`clr_*`). Two cycles a segment.
module weft_tcp_verdict #(
  parameter int unsigned N_QP = 16,  ///< queue pairs, a power of two
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               in_valid_i,
  output logic               in_ready_o,
  input  weft_tcp_pkg::seg_info_t in_seg_i,
  input  logic [4:0]         in_code_i,   ///< 0 good; bit 4 host bus error; else xl_err_e

  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic               out_drop_o,
  output weft_tcp_pkg::seg_info_t out_seg_o,

  output logic               txerr_valid_o,
  input  logic               txerr_ready_i,
  output weft_pkg::tx_err_t  txerr_o,

  input  logic               clr_i,       ///< QP is loaded anew
  input  logic [QpW-1:0]     clr_qpn_i,

  output logic               idle_o,
  output logic               stat_drop_o,
  output logic               stat_err_o
);

  typedef enum logic [1:0] {StSweep, StRead, StDecide, StGive} state_e;

  state_e            state_q;
  logic [QpW-1:0]    sweep_q, waddr;
  logic              dead, we, set, drop_q, sweep, bad;
  weft_tcp_pkg::seg_info_t seg_q;
  logic [4:0]        code_q;
  weft_pkg::tx_err_t err;
  logic              err_ready, decide;

  assign sweep  = state_q == StSweep;
  assign bad    = code_q != '0;
  // The write port goes to a load first; a decision that needs it waits.
  assign set    = state_q == StDecide && bad && !dead && !clr_i && err_ready;
  assign decide = state_q == StDecide && (!bad || dead || set);
  assign we     = sweep || clr_i || set;
  assign waddr  = sweep ? sweep_q : clr_i ? clr_qpn_i : seg_q.qpn[QpW-1:0];

  weft_ram_1r1w #(.W(1), .DEPTH(N_QP)) u_dead (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(set),
    .re_i(in_valid_i && in_ready_o), .raddr_i(in_seg_i.qpn[QpW-1:0]), .rdata_o(dead)
  );

  assign in_ready_o  = state_q == StRead || (state_q == StGive && out_ready_i);
  assign out_valid_o = state_q == StGive;
  assign out_drop_o  = drop_q;
  assign out_seg_o   = seg_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == QpW'(N_QP - 1)) state_q <= StRead;
        end
        StRead:   if (in_valid_i) state_q <= StDecide;
        StDecide: if (decide) state_q <= StGive;
        default:  if (out_ready_i) state_q <= in_valid_i ? StDecide : StRead;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) begin
      seg_q  <= in_seg_i;
      code_q <= in_code_i;
    end
    if (decide) drop_q <= bad || dead;
  end

  always_comb begin
    err.qpn     = seg_q.qpn;
    err.seq     = seg_q.seq;
    err.wqe     = seg_q.wqe;
    err.is_resp = seg_q.is_resp;
    err.bus     = code_q[4];
    err.err     = code_q[4] ? weft_pkg::XlOk : weft_pkg::xl_err_e'(code_q[3:0]);
  end

  weft_skid #(.W(70)) u_err (
    .clk_i, .rst_ni, .in_valid_i(set), .in_ready_o(err_ready), .in_data_i(err),
    .out_valid_o(txerr_valid_o), .out_ready_i(txerr_ready_i), .out_data_o(txerr_o)
  );

  assign stat_drop_o = decide && (bad || dead);
  assign stat_err_o  = set;
  assign idle_o      = state_q == StRead && !txerr_valid_o;

endmodule
