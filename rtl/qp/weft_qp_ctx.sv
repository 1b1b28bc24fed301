// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Context window of room QP_TX: static fields, state, HOLD, value slots; hands loads and commands
/// to the modules that own the rest, and collects live values for a read back.
/// A load is done in state RESET, part by part; the new state is set last and wakes everybody.
/// Entries from 0x8000 on are the value slots, 64 bytes each. A WRITE with STATE RESET also forgets
/// doorbells: the posted index becomes SQ_INDEX.
module weft_qp_ctx #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned N_VAL = 16,    ///< value slots, power of two, 2 to 256
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned ValW = $clog2(N_VAL)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   init_o,        ///< sweep after reset
  output logic [QpW-1:0]         init_qpn_o,

  input  logic [N_QP-1:0]        open_i,        ///< a command may begin: the QP is home, no message of it waits
  output logic [N_QP-1:0]        want_o,        ///< weft_ctx_store
  output logic                   busy_o,        ///< at work on cmd_qpn_o

  input  logic                   cfg_req_valid_i,
  output logic                   cfg_req_ready_o,
  input  weft_pkg::cfg_req_t     cfg_req_i,
  output logic                   cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t     cfg_rsp_o,

  // Views: static fields and state. Ports of readers: 0 fetch, 1 build, 2 ack, 3 cmpl.
  input  logic [3:0]             view_re_i,
  input  logic [3:0][QpW-1:0]    view_qpn_i,
  output weft_qp_pkg::cfg_fetch_t view_fetch_o,
  output weft_qp_pkg::cfg_build_t view_build_o,
  output weft_qp_pkg::cfg_ack_t  view_ack_o,
  output weft_qp_pkg::cfg_cmpl_t view_cmpl_o,
  output logic [3:0][1:0]        view_state_o,

  output logic                   cmd_valid_o,   ///< to the owner numbered: 0 irq, 1 cmpl, 2 ack, 3 build
  output logic [1:0]             cmd_to_o,
  input  logic [3:0]             cmd_ready_i,
  output logic [QpW-1:0]         cmd_qpn_o,
  output logic [7:0]             cmd_o,         ///< weft_abi ctx_cmd, 8'hff: read back
  output weft_abi_pkg::ctx_tx_t  cmd_ctx_o,
  input  logic [3:0]             peek_valid_i,  ///< read back is there; 3: any command is done
  input  weft_qp_pkg::bctx_t     peek_build_i,
  input  logic [31:0]            peek_una_i,
  input  logic [31:0]            peek_wnd_i,
  input  logic [31:0]            peek_cwnd_i,
  input  logic [31:0]            peek_srtt_i,
  input  logic [15:0]            peek_cmpl_i,

  output logic                   post_valid_o,  ///< set the posted index
  input  logic                   post_ready_i,
  output logic                   hold_we_o,     ///< set HOLD of cmd_qpn_o to hold_o
  output logic                   hold_o,
  output logic                   wake_o,        ///< everybody, with cmd_qpn_o
  output logic [1:0]             wake_state_o,

  input  logic                   val_re_i,
  input  logic [ValW+1:0]        val_addr_i,
  output logic [127:0]           val_o,
  output logic                   idle_o
);

  typedef enum logic [3:0] {
    StInit, StIdle, StReset, StPart, StWait, StPost, StState, StCmd, StValue, StDone, StPeek, StPeekRsp, StAnswer
  } state_e;

  state_e         state_q;
  logic [QpW-1:0] sweep_q;
  logic [1:0]     part_q, word_q;

  // ---------------------------------------------------------------- window
  logic         c_valid, c_ready, f_valid, f_ready, f_rsp;
  logic [15:0]  c_index, f_index;
  logic [511:0] c_data;
  logic         is_val;
  weft_abi_pkg::ctx_tx_t c, live_q, stat;

  weft_ctx_window #(.N(65536)) u_window (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .commit_valid_o(c_valid), .commit_ready_i(c_ready), .commit_index_o(c_index), .commit_data_o(c_data),
    .fetch_valid_o(f_valid), .fetch_ready_i(f_ready), .fetch_index_o(f_index),
    .fetch_rsp_valid_i(f_rsp), .fetch_rsp_data_i(live_q)
  );
  assign c       = c_data;
  assign is_val  = c_index[15];
  assign c_ready = state_q == StDone;
  assign f_ready = state_q == StIdle && !c_valid && open_i[next_qpn];
  assign f_rsp   = state_q == StAnswer;
  assign idle_o  = state_q == StIdle && !c_valid && !f_valid && !cfg_req_valid_i;

  assign init_o     = state_q == StInit;
  assign init_qpn_o = sweep_q;

  logic [QpW-1:0] qpn_q, next_qpn;
  logic           needs, c_go;
  assign next_qpn    = c_valid ? c_index[QpW-1:0] : f_index[QpW-1:0];
  assign needs       = c_valid ? !is_val && known : f_valid;
  assign c_go        = !needs || open_i[next_qpn];
  assign busy_o      = state_q != StInit && state_q != StIdle && (!c_valid || needs);
  always_comb begin
    want_o = '0;
    if (state_q == StIdle && needs) want_o[next_qpn] = 1'b1;
  end
  assign cmd_qpn_o   = qpn_q;
  assign cmd_ctx_o   = c;
  assign cmd_o       = (state_q == StPeek || state_q == StPeekRsp) ? 8'hff : c.cmd;
  assign cmd_valid_o = state_q == StPart || state_q == StCmd || state_q == StPeek;
  assign cmd_to_o    = state_q == StCmd ? 2'd3 : part_q;
  assign post_valid_o = state_q == StPost;
  assign hold_we_o   = state_q == StState && c.cmd == weft_abi_pkg::CTX_CMD_WRITE;
  assign hold_o      = c.hold;
  logic rb_re;
  assign rb_re       = state_q == StPeek;
  assign wake_o      = state_q == StDone && !is_val;
  assign wake_state_o = c.state;

  logic known;
  assign known = 32'(c_index) < 32'(N_QP) && c.cmd <= weft_abi_pkg::CTX_CMD_SEND_VALUE
                 && c.cmd != weft_abi_pkg::CTX_CMD_SET_L2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StInit;
      sweep_q <= '0;
      part_q  <= '0;
      word_q  <= '0;
    end else begin
      unique case (state_q)
        StInit: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == '1) state_q <= StIdle;
        end
        StIdle: begin
          part_q <= '0;
          word_q <= '0;
          if (c_valid && !c_go) begin
            state_q <= StIdle;
          end else if (c_valid) begin
            if (is_val) state_q <= StValue;
            else if (!known) state_q <= StDone;
            else if (c.cmd == weft_abi_pkg::CTX_CMD_WRITE) state_q <= StReset;
            else if (c.cmd == weft_abi_pkg::CTX_CMD_SET_STATE) state_q <= StState;
            else state_q <= StCmd;
          end else if (f_valid && f_ready) begin
            part_q  <= 2'd1;
            state_q <= StPeek;
          end
        end
        StReset: state_q <= StPart;
        StPart: begin
          if (cmd_ready_i[part_q]) begin
            part_q <= part_q + 2'd1;
            if (part_q == 2'd3) state_q <= StWait;
          end
        end
        // Nobody may wake before build has stored its part.
        StWait: begin
          if (peek_valid_i[3]) begin
            if (c.cmd != weft_abi_pkg::CTX_CMD_WRITE) state_q <= StDone;
            else state_q <= c.state == weft_abi_pkg::QP_STATE_RESET ? StPost : StState;
          end
        end
        StPost:  if (post_ready_i) state_q <= StState;
        StState: state_q <= StDone;
        StCmd:   if (cmd_ready_i[3]) state_q <= StWait;
        StValue: begin
          word_q <= word_q + 2'd1;
          if (word_q == 2'd3) state_q <= StDone;
        end
        StPeek:  if (cmd_ready_i[part_q]) state_q <= StPeekRsp;
        StPeekRsp: begin
          if (peek_valid_i[part_q]) begin
            part_q  <= part_q + 2'd1;
            state_q <= part_q == 2'd3 ? StAnswer : StPeek;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) qpn_q <= next_qpn;
    if (state_q == StPeekRsp) begin
      unique case (part_q)
        2'd1: begin
          live_q         <= stat;
          live_q.sq_cmpl <= peek_cmpl_i;
        end
        2'd2: begin
          live_q.snd_una <= peek_una_i;
          live_q.snd_wnd <= peek_wnd_i;
          live_q.cwnd    <= peek_cwnd_i;
          live_q.srtt_us <= peek_srtt_i;
        end
        default: begin
          live_q.snd_nxt  <= peek_build_i.snd_nxt;
          live_q.send_msn <= peek_build_i.send_msn;
          live_q.read_msn <= peek_build_i.read_msn;
          live_q.sq_index <= peek_build_i.cur;
        end
      endcase
    end
  end

  // ---------------------------------------------------------------- static fields and state
  weft_qp_pkg::cfg_fetch_t in_fetch, rb_fetch;
  weft_qp_pkg::cfg_build_t in_build, rb_build;
  weft_qp_pkg::cfg_ack_t   in_ack, rb_ack;
  weft_qp_pkg::cfg_cmpl_t  in_cmpl, rb_cmpl;
  logic       cfg_we, state_we;
  logic [1:0] rb_state, state_d;
  logic [4:0][1:0] states;

  assign in_fetch.base   = c.sq_base;
  assign in_fetch.log2   = c.sq_log2;
  assign in_fetch.stride = c.sq_stride == 2'd3 ? 2'd2 : c.sq_stride;
  assign in_build.stride = in_fetch.stride;
  assign in_build.crc    = c.crc;
  assign in_build.priv   = c.priv;
  assign in_build.pd     = c.pd;
  assign in_build.ord    = c.ord;
  assign in_build.mulpdu = c.mulpdu;
  assign in_ack.mss      = c.mss;
  assign in_ack.wscale   = c.snd_wscale > 8'd14 ? 4'd14 : c.snd_wscale[3:0];
  assign in_cmpl.cqn     = c.cqn;
  assign in_cmpl.log2    = c.sq_log2;

  assign cfg_we   = state_q == StReset;
  assign state_we = state_q == StReset || state_q == StState || init_o;
  assign state_d  = (state_q == StState) ? c.state : weft_abi_pkg::QP_STATE_RESET;

  weft_qp_mem #(.W($bits(in_fetch)), .DEPTH(N_QP), .N_RD(2)) u_fetch (
    .clk_i, .we_i(cfg_we), .waddr_i(qpn_q), .wdata_i(in_fetch),
    .re_i({rb_re, view_re_i[0]}), .raddr_i({qpn_q, view_qpn_i[0]}), .rdata_o({rb_fetch, view_fetch_o})
  );
  weft_qp_mem #(.W($bits(in_build)), .DEPTH(N_QP), .N_RD(2)) u_build (
    .clk_i, .we_i(cfg_we), .waddr_i(qpn_q), .wdata_i(in_build),
    .re_i({rb_re, view_re_i[1]}), .raddr_i({qpn_q, view_qpn_i[1]}), .rdata_o({rb_build, view_build_o})
  );
  weft_qp_mem #(.W($bits(in_ack)), .DEPTH(N_QP), .N_RD(2)) u_ack (
    .clk_i, .we_i(cfg_we), .waddr_i(qpn_q), .wdata_i(in_ack),
    .re_i({rb_re, view_re_i[2]}), .raddr_i({qpn_q, view_qpn_i[2]}), .rdata_o({rb_ack, view_ack_o})
  );
  weft_qp_mem #(.W($bits(in_cmpl)), .DEPTH(N_QP), .N_RD(2)) u_cmpl (
    .clk_i, .we_i(cfg_we), .waddr_i(qpn_q), .wdata_i(in_cmpl),
    .re_i({rb_re, view_re_i[3]}), .raddr_i({qpn_q, view_qpn_i[3]}), .rdata_o({rb_cmpl, view_cmpl_o})
  );
  weft_qp_mem #(.W(2), .DEPTH(N_QP), .N_RD(5)) u_state (
    .clk_i, .we_i(state_we), .waddr_i(init_o ? sweep_q : qpn_q), .wdata_i(state_d),
    .re_i({rb_re, view_re_i}), .raddr_i({qpn_q, view_qpn_i}), .rdata_o(states)
  );
  assign view_state_o = states[3:0];
  assign rb_state     = states[4];

  always_comb begin
    stat            = '0;
    stat.sq_base    = rb_fetch.base;
    stat.sq_log2    = rb_fetch.log2;
    stat.sq_stride  = rb_fetch.stride;
    stat.state      = rb_state;
    stat.crc        = rb_build.crc;
    stat.priv       = rb_build.priv;
    stat.pd         = rb_build.pd;
    stat.ord        = rb_build.ord;
    stat.mulpdu     = rb_build.mulpdu;
    stat.mss        = rb_ack.mss;
    stat.snd_wscale = 8'(rb_ack.wscale);
    stat.cqn        = rb_cmpl.cqn;
  end

  // ---------------------------------------------------------------- value slots
  weft_ram_1r1w #(.W(128), .DEPTH(4 * N_VAL)) u_val (
    .clk_i, .we_i(state_q == StValue), .waddr_i({c_index[ValW-1:0], word_q}), .wdata_i(c_data[128*word_q+:128]),
    .re_i(val_re_i), .raddr_i(val_addr_i), .rdata_o(val_o)
  );

  logic unused;
  assign unused = ^{c, rb_build, rb_cmpl, c_index, f_index, peek_build_i, peek_valid_i[0]};

endmodule
