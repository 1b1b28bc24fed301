// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Issues the WQE fetches: for each QP that was woken, one DMA read of as many contiguous posted
/// WQEs as fit in its slots, while none of that QP is under way. Entry i lies in slot i mod slots;
/// only [cur, cur + slots) is ever fetched, so a slot that build reads is never overwritten.
/// When build jumps (other epoch) it starts over at cur.
module weft_qp_fetch #(
  parameter int unsigned N_QP = 16,
  parameter int unsigned N_FETCH = 62,  ///< fetches in flight, 1 to 63
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    init_i,      ///< sweep after reset: clears the record of init_qpn_i
  input  logic [QpW-1:0]          init_qpn_i,

  input  logic                    qp_valid_i,  ///< from the ready set
  input  logic [QpW-1:0]          qp_i,
  output logic                    qp_ready_o,

  /// Views of the QP at view_qpn_o, one cycle later.
  output logic                    view_re_o,
  output logic [QpW-1:0]          view_qpn_o,
  input  weft_qp_pkg::cfg_fetch_t cfg_i,
  input  logic [1:0]              state_i,     ///< weft_abi qp_state
  input  logic [15:0]             posted_i,    ///< producer index of the doorbell
  input  weft_qp_pkg::b2fetch_t   build_i,
  input  weft_qp_pkg::avail_t     avail_i,

  input  logic                    other_re_i,  ///< build: fetches issued for a QP
  input  logic [QpW-1:0]          other_qpn_i,
  output logic [7:0]              other_cnt_o,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,

  output logic                    trk_valid_o, ///< fetches under way, oldest first
  input  logic                    trk_ready_i,
  output weft_qp_pkg::trk_t       trk_o,

  output logic                    busy_o,      ///< at work on view_qpn_o
  output logic                    idle_o,
  output logic                    stat_fetch_o ///< a fetch was issued
);

  typedef struct packed {
    logic [7:0]  epoch;
    logic [15:0] hi;     // first WQE that was not asked for
    logic [7:0]  cnt;    // fetches issued
  } fctx_t;

  typedef enum logic [2:0] {StIdle, StRead, StLatch, StRoom, StCut, StIssue} state_e;

  state_e      state_q;
  logic [QpW-1:0] qp_q;
  fctx_t       ctx, f_q;
  weft_qp_pkg::cfg_fetch_t cfg_q;
  weft_qp_pkg::b2fetch_t   b_q;
  logic [15:0] posted_q;
  logic        go_q;
  logic [15:0] n_q, wrap;
  logic [15:0] mask;     // bits of the ring index
  logic [2:0]  slots;
  logic        we;
  logic [31:0] hi_off;

  assign qp_ready_o = state_q == StIdle && !init_i;
  assign view_re_o  = state_q == StRead;
  assign view_qpn_o = qp_q;

  weft_ram_1r1w #(.W($bits(ctx)), .DEPTH(N_QP)) u_ctx (
    .clk_i, .we_i(we || init_i), .waddr_i(init_i ? init_qpn_i : qp_q),
    .wdata_i(init_i ? '0 : f_q), .re_i(view_re_o), .raddr_i(qp_q), .rdata_o(ctx)
  );

  fctx_t other;
  assign other_cnt_o = other.cnt;
  weft_ram_1r1w #(.W($bits(ctx)), .DEPTH(N_QP)) u_other (
    .clk_i, .we_i(we || init_i), .waddr_i(init_i ? init_qpn_i : qp_q),
    .wdata_i(init_i ? '0 : f_q), .re_i(other_re_i), .raddr_i(other_qpn_i), .rdata_o(other)
  );

  assign mask  = (16'd1 << cfg_q.log2) - 16'd1;
  assign slots = 3'd4 >> cfg_q.stride;

  // ---------------------------------------------------------------- in flight
  logic       trk_in_valid, trk_in_ready, room;
  logic [6:0] trk_count;
  weft_qp_pkg::trk_t trk_in;

  weft_fifo #(.W($bits(trk_in)), .DEPTH(64)) u_trk (
    .clk_i, .rst_ni,
    .in_valid_i(trk_in_valid), .in_ready_o(trk_in_ready), .in_data_i(trk_in),
    .out_valid_o(trk_valid_o), .out_ready_i(trk_ready_i), .out_data_o(trk_o), .count_o(trk_count)
  );
  assign room = trk_in_ready && trk_count < 7'(N_FETCH);

  assign rd_req_valid_o    = state_q == StIssue && n_q != 0 && room;
  assign rd_req_o.after_wr = 1'b0;
  assign rd_req_o.len      = {7'd0, n_q[2:0], 6'd0} << cfg_q.stride;
  assign rd_req_o.addr     = cfg_q.base + 64'(hi_off);
  // Offset of WQE hi in the ring: (hi mod 2^log2) * stride..
  assign hi_off = (32'(f_q.hi & mask) << 6) << cfg_q.stride;

  assign trk_in_valid        = rd_req_valid_o && rd_req_ready_i;
  assign trk_in.qpn          = 16'(qp_q);
  assign trk_in.index        = f_q.hi;
  assign trk_in.n            = n_q[2:0];
  assign trk_in.stride       = cfg_q.stride;
  assign trk_in.avail.epoch  = f_q.epoch;
  assign trk_in.avail.lo     = b_q.cur;
  assign trk_in.avail.hi     = f_q.hi + n_q;
  assign trk_in.avail.cnt    = f_q.cnt + 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      we      <= 1'b0;
    end else begin
      we <= 1'b0;
      unique case (state_q)
        StIdle:  if (qp_valid_i && !init_i) state_q <= StRead;
        StRead:  state_q <= StLatch;
        StLatch: state_q <= StRoom;
        StRoom:  state_q <= go_q ? StCut : StIdle;
        StCut:   state_q <= StIssue;
        StIssue: begin
          if (n_q == '0) begin
            state_q <= StIdle;
          end else if (rd_req_valid_o && rd_req_ready_i) begin
            state_q <= StIdle;
            we      <= 1'b1;
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  logic [15:0] have, want;
  assign have = posted_q - f_q.hi;                    // posted, not asked for
  assign want = b_q.cur + 16'(slots) - f_q.hi;      // room in the slots
  assign wrap = (16'd1 << cfg_q.log2) - (f_q.hi & mask);

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (qp_ready_o) qp_q <= qp_i;
      StLatch: begin
        f_q      <= ctx;
        cfg_q    <= cfg_i;
        b_q      <= build_i;
        posted_q <= posted_i;
        // HALT still replays. While a fetch is under way its end wakes the QP again.
        go_q     <= (state_i == weft_abi_pkg::QP_STATE_RTS || state_i == weft_abi_pkg::QP_STATE_HALT)
                    && !build_i.stopped && ctx.cnt == avail_i.cnt;
      end
      StRoom: begin
        if (f_q.epoch != b_q.epoch) begin
          f_q.epoch <= b_q.epoch;
          f_q.hi    <= b_q.cur;
        end
      end
      StCut: begin
        n_q <= have;
        if (want < have) n_q <= want;
        if (wrap < have && wrap < want) n_q <= wrap;
      end
      StIssue: begin
        if (rd_req_valid_o && rd_req_ready_i) begin
          f_q.hi  <= f_q.hi + n_q;
          f_q.cnt <= f_q.cnt + 8'd1;
        end
      end
      default: ;
    endcase
  end

  logic unused;
  assign unused = ^{avail_i, b_q, other};

  assign stat_fetch_o = rd_req_valid_o && rd_req_ready_i;
  assign busy_o       = state_q != StIdle || we;
  assign idle_o       = !busy_o && trk_count == '0;

endmodule
