// SPDX-License-Identifier: BSD-2-Clause

/// Context window of the receive engine (room RX, ctx_rx by QPN). A commit is answered when it
/// enters the pipeline as an item; it takes effect in each stage behind everything that came
/// before, and the next commit waits until it has passed. Commands: WRITE, SET_STATE, DRAIN; others
/// are ignored.
///
/// A fetch of the QP whose command is on its way waits for it. Read-back: RCV_NXT, SEND_MSN, READ_MSN
/// and RQ_INDEX are current (RCV_NXT does not count FIN, RQ_INDEX is the next WQE to complete).
module weft_rx_ctx #(
  parameter int unsigned N_QP = 16,  ///< queue pairs, a power of two, 2 or more
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [N_QP-1:0]        open_i,      ///< work on a QP may begin (weft_ctx_store)
  output logic [N_QP-1:0]        want_o,
  output logic [1:0]             busy_o,      ///< at work on a QP: a command, a fetch
  output logic [1:0][QpW-1:0]    busy_qpn_o,

  input  logic                   cfg_req_valid_i,
  output logic                   cfg_req_ready_o,
  input  weft_pkg::cfg_req_t     cfg_req_i,
  output logic                   cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t     cfg_rsp_o,

  output logic                   tok_valid_o,
  input  logic                   tok_ready_i,
  output weft_rx_pkg::kind_e     tok_kind_o,
  output logic [15:0]            tok_qpn_o,
  output weft_abi_pkg::ctx_rx_t  tok_ctx_o,   ///< stable until tok_done_i
  input  logic                   tok_done_i,

  output logic                   rxctx_valid_o,  ///< a WRITE has taken effect
  input  logic                   rxctx_ready_i,
  output logic [15:0]            rxctx_qpn_o,
  output weft_abi_pkg::ctx_rx_t  rxctx_o,

  input  logic                   msn_we_i,
  input  logic [QpW-1:0]         msn_qpn_i,
  input  logic [31:0]            msn_send_i,
  input  logic [31:0]            msn_read_i,
  output logic                   look_re_o,
  output logic [QpW-1:0]         look_qpn_o,
  input  logic [31:0]            look_nxt_i,
  input  logic [15:0]            look_rq_i,

  output logic                   idle_o
);

  // Fields that only change by commits.
  typedef struct packed {
    logic [63:0] rq_base;
    logic [3:0]  rq_log2;
    logic [1:0]  rq_stride;
    logic [1:0]  state;
    logic        crc;
    logic        priv;
    logic [15:0] cqn;
    logic [23:0] pd;
    logic [7:0]  ird;
    logic [31:0] rcv_wnd;
    logic [7:0]  rcv_wscale;
    logic [7:0]  access;
    logic [31:0] snd_nxt;
  } keep_t;
  localparam int unsigned KeepW = 64 + 4 + 2 + 2 + 1 + 1 + 16 + 24 + 8 + 32 + 8 + 8 + 32;

  typedef enum logic [2:0] {StSweep, StIdle, StOld, StToken, StPass, StTell} state_e;
  // The fetch path works while a command passes through the pipeline.
  typedef enum logic [1:0] {FsIdle, FsRead, FsAnswer} fetch_e;

  state_e         state_q;
  fetch_e         fetch_q;
  logic [QpW-1:0] sweep_q;
  logic           commit_valid, commit_ready, fetch_valid, fetch_ready, fetch_rsp_valid;
  logic [15:0]    commit_index, fetch_index;
  logic [511:0]   commit_data, fetch_data;
  weft_abi_pkg::ctx_rx_t in, ctx_q, out;
  logic [15:0]    qpn_q;
  logic [QpW-1:0] fetch_qpn_q;
  weft_rx_pkg::kind_e kind_q;
  keep_t          keep, keep_wd;
  logic           keep_we, keep_re;
  logic [QpW-1:0] keep_ra, keep_wa;

  weft_ctx_window #(.N(N_QP)) u_window (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .commit_valid_o(commit_valid), .commit_ready_i(commit_ready), .commit_index_o(commit_index),
    .commit_data_o(commit_data), .fetch_valid_o(fetch_valid), .fetch_ready_i(fetch_ready),
    .fetch_index_o(fetch_index), .fetch_rsp_valid_i(fetch_rsp_valid), .fetch_rsp_data_i(fetch_data)
  );

  assign in           = commit_data;
  assign commit_ready = state_q == StIdle && open_i[commit_index[QpW-1:0]];
  assign busy_o       = {fetch_q != FsIdle, state_q != StSweep && state_q != StIdle};
  assign busy_qpn_o   = {fetch_qpn_q, qpn_q[QpW-1:0]};
  always_comb begin
    want_o = '0;
    if (commit_valid && state_q == StIdle) want_o[commit_index[QpW-1:0]] = 1'b1;
    if (fetch_valid && fetch_q == FsIdle) want_o[fetch_index[QpW-1:0]] = 1'b1;
  end
  assign tok_valid_o  = state_q == StToken;
  assign tok_kind_o   = kind_q;
  assign tok_qpn_o    = qpn_q;
  assign tok_ctx_o    = ctx_q;
  assign rxctx_valid_o = state_q == StTell;
  assign rxctx_qpn_o   = qpn_q;
  assign rxctx_o       = ctx_q;

  // One read port: the old entry for SET_STATE (StOld), or a fetch.
  // A fetch behind a commit of the same QP sees what it did.
  logic same_qp;
  assign same_qp     = (state_q == StToken || state_q == StPass) && fetch_index == qpn_q;
  assign fetch_ready = fetch_q == FsIdle && open_i[fetch_index[QpW-1:0]] && state_q != StSweep && state_q != StOld && !same_qp &&
                       !(commit_valid && commit_ready);
  assign look_re_o   = fetch_valid && fetch_ready;
  assign look_qpn_o  = fetch_index[QpW-1:0];
  assign keep_re     = look_re_o || (commit_valid && commit_ready);
  assign keep_ra     = (commit_valid && commit_ready) ? commit_index[QpW-1:0]
                                                      : fetch_index[QpW-1:0];
  assign keep_we     = state_q == StSweep || (state_q == StOld && kind_q != weft_rx_pkg::IkDrain);
  assign keep_wa     = state_q == StSweep ? sweep_q : qpn_q[QpW-1:0];
  always_comb begin
    keep_wd = '0;
    if (state_q == StOld) begin
      keep_wd = keep;
      if (kind_q == weft_rx_pkg::IkLoad) begin
        keep_wd = {ctx_q.rq_base, ctx_q.rq_log2, ctx_q.rq_stride, ctx_q.state, ctx_q.crc, ctx_q.priv,
                   ctx_q.cqn, ctx_q.pd, ctx_q.ird, ctx_q.rcv_wnd, ctx_q.rcv_wscale, ctx_q.access,
                   ctx_q.snd_nxt};
      end
      keep_wd.state = ctx_q.state;
    end
  end
  weft_ram_1r1w #(.W(KeepW), .DEPTH(N_QP)) u_keep (.clk_i, .we_i(keep_we), .waddr_i(keep_wa),
    .wdata_i(keep_wd), .re_i(keep_re), .raddr_i(keep_ra), .rdata_o(keep));

  logic [31:0] msn_send, msn_read;
  weft_ram_1r1w #(.W(64), .DEPTH(N_QP)) u_msn (.clk_i, .we_i(msn_we_i), .waddr_i(msn_qpn_i),
    .wdata_i({msn_send_i, msn_read_i}), .re_i(look_re_o), .raddr_i(look_qpn_o),
    .rdata_o({msn_send, msn_read}));

  assign fetch_rsp_valid = fetch_q == FsAnswer;
  always_comb begin
    out            = '0;
    out.rq_base    = keep.rq_base;
    out.rq_log2    = keep.rq_log2;
    out.rq_stride  = keep.rq_stride;
    out.state      = keep.state;
    out.crc        = keep.crc;
    out.priv       = keep.priv;
    out.cqn        = keep.cqn;
    out.pd         = keep.pd;
    out.ird        = keep.ird;
    out.rcv_nxt    = look_nxt_i;
    out.rcv_wnd    = keep.rcv_wnd;
    out.rcv_wscale = keep.rcv_wscale;
    out.access     = keep.access;
    out.send_msn   = msn_send;
    out.read_msn   = msn_read;
    out.rq_index   = look_rq_i;
    out.snd_nxt    = keep.snd_nxt;
  end
  assign fetch_data = out_q;
  weft_abi_pkg::ctx_rx_t out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      fetch_q <= FsIdle;
      sweep_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle:  if (commit_valid && commit_ready && in.cmd <= weft_abi_pkg::CTX_CMD_DRAIN) state_q <= StOld;
        StOld:   state_q <= StToken;
        StToken: if (tok_ready_i) state_q <= StPass;
        StPass:  if (tok_done_i) state_q <= kind_q == weft_rx_pkg::IkLoad ? StTell : StIdle;
        default: if (rxctx_ready_i) state_q <= StIdle;
      endcase
      unique case (fetch_q)
        FsIdle:  if (look_re_o) fetch_q <= FsRead;
        FsRead:  fetch_q <= FsAnswer;
        default: fetch_q <= FsIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      ctx_q  <= in;
      qpn_q  <= commit_index;
      kind_q <= in.cmd == weft_abi_pkg::CTX_CMD_WRITE ? weft_rx_pkg::IkLoad
              : in.cmd == weft_abi_pkg::CTX_CMD_SET_STATE ? weft_rx_pkg::IkState
                                                          : weft_rx_pkg::IkDrain;
    end
    if (fetch_q == FsIdle) fetch_qpn_q <= fetch_index[QpW-1:0];
    if (fetch_q == FsRead) out_q <= out;
  end

  assign idle_o = state_q == StIdle && fetch_q == FsIdle && !commit_valid && !fetch_valid;

  logic unused;
  assign unused = ^{commit_index, fetch_index};

endmodule
