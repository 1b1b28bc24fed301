// SPDX-License-Identifier: BSD-2-Clause
`include "weft_qp_pkg.sv"

/// Completes work in post order. A WQE is done when its last byte is acknowledged (a Read: when its
/// response is placed too); it makes a CQE if SIGNALED. An acknowledged read response leaves the
/// inbound read queue, independent of the send queue. The WQE that failed completes with its status
/// when its turn comes; in state ERR every further posted WQE is flushed, and so are later ones.
module weft_qp_cmpl #(
  parameter int unsigned N_QP = 16,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   init_i,
  input  logic [QpW-1:0]         init_qpn_i,

  input  logic                   qp_valid_i,      ///< ready set
  output logic                   qp_ready_o,
  input  logic [QpW-1:0]         qp_i,
  input  logic                   rd_done_valid_i, ///< a Read Response was placed
  output logic                   rd_done_ready_o,
  input  logic [15:0]            rd_done_qpn_i,
  input  logic                   cmd_valid_i,     ///< load a context, or read back
  output logic                   cmd_ready_o,
  input  logic                   cmd_peek_i,
  input  logic [QpW-1:0]         cmd_qpn_i,
  input  logic [15:0]            cmd_index_i,     ///< SQ_INDEX
  output logic                   peek_valid_o,
  output logic [15:0]            peek_index_o,    ///< SQ_CMPL

  output logic                   view_re_o,
  output logic [QpW-1:0]         view_qpn_o,
  input  weft_qp_pkg::cfg_cmpl_t cfg_i,
  input  logic [1:0]             state_i,
  input  logic [15:0]            posted_i,
  input  logic [31:0]            una_i,
  input  weft_qp_pkg::b2cmpl_t   build_i,

  output logic                   log_re_o,
  output logic [15:0]            log_sq_o,
  output logic [7:0]             log_r_o,
  input  weft_qp_pkg::fin_t      fin_i,
  input  logic [31:0]            rend_i,

  output logic                   irq_free_valid_o,
  output logic [15:0]            irq_free_qpn_o,
  output logic                   cqe_valid_o,
  input  logic                   cqe_ready_i,
  output weft_pkg::cqe_req_t     cqe_o,

  output logic                   store_o,         ///< pulse: the view below is written; wake build
  output weft_qp_pkg::c2build_t  store_view_o,
  output logic                   wake_self_o,     ///< with store_o
  output logic                   wake_build_o,    ///< with store_o
  output logic                   busy_o,          ///< at work on view_qpn_o
  output logic                   idle_o,
  output logic                   stat_flush_o     ///< a WQE was flushed
);

  typedef struct packed {
    logic [15:0] sq;        // next WQE to complete
    logic [7:0]  r;         // next inbound read to free
    logic [7:0]  rd_done;   // Read Responses placed
    logic [7:0]  rd_used;   // Reads completed
    logic        flushing;  // from here on only flushes
    logic        err_done;  // the error completion was made
    logic [7:0]  gen;
  } cctx_t;

  typedef enum logic [2:0] {StIdle, StRead, StLatch, StFetch, StData, StLook, StCqe, StStore} state_e;
  typedef enum logic [1:0] {VkRun, VkRead, VkLoad, VkPeek} visit_e;

  state_e                 state_q;
  visit_e                 visit_q;
  logic [QpW-1:0]         qp_q;
  cctx_t                  ctx, c_q;
  weft_qp_pkg::cfg_cmpl_t cfg_q;
  weft_qp_pkg::b2cmpl_t   b_q;
  logic [1:0]             st_q;
  logic [15:0]            posted_q;
  logic [31:0]            una_q;
  weft_qp_pkg::fin_t      fin_q;
  logic [31:0]            rend_q;
  logic [3:0]             turns_q;
  logic                   again_q;
  logic [15:0]            index_q;

  weft_ram_1r1w #(.W($bits(ctx)), .DEPTH(N_QP)) u_ctx (
    .clk_i, .we_i(store_o || init_i), .waddr_i(init_i ? init_qpn_i : qp_q),
    .wdata_i(init_i ? '0 : c_q), .re_i(view_re_o), .raddr_i(qp_q), .rdata_o(ctx)
  );
  assign view_re_o    = state_q == StRead;
  assign view_qpn_o   = qp_q;
  assign store_o      = state_q == StStore;
  assign wake_self_o  = store_o && again_q;
  assign wake_build_o = store_o && b_q.waits && b_q.seen != c_q.gen;
  assign store_view_o.sq_cmpl  = c_q.sq;
  assign store_view_o.irq_head = c_q.r;
  assign store_view_o.rd_done  = c_q.rd_done;
  assign store_view_o.gen      = c_q.gen;

  assign cmd_ready_o     = state_q == StIdle && !init_i;
  assign rd_done_ready_o = cmd_ready_o && !cmd_valid_i;
  assign qp_ready_o      = rd_done_ready_o && !rd_done_valid_i;
  assign busy_o          = state_q != StIdle;
  assign idle_o          = !busy_o && !cmd_valid_i && !rd_done_valid_i;
  assign peek_valid_o    = state_q == StFetch && visit_q == VkPeek;
  assign peek_index_o    = c_q.sq;

  assign log_re_o = state_q == StFetch;
  assign log_sq_o = c_q.sq;
  assign log_r_o  = c_q.r;

  // ---------------------------------------------------------------- what can be done
  logic        r_free, sq_fail, sq_done, sq_flush, is_read, act;
  logic [15:0] open_cnt;
  assign is_read  = fin_q.op == 4'(weft_abi_pkg::SQ_OPCODE_READ);
  assign r_free   = c_q.r != b_q.r_done && weft_qp_pkg::seq_le(rend_q, una_q);
  assign sq_fail  = b_q.err && !c_q.err_done && c_q.sq == b_q.err_idx;
  assign sq_done  = !sq_fail && !c_q.flushing && c_q.sq != b_q.sq_done && weft_qp_pkg::seq_le(fin_q.seq_end, una_q)
                    && !(is_read && c_q.rd_done == c_q.rd_used);
  // A doorbell further ahead than the ring is long is not to be believed.
  assign open_cnt = posted_q - c_q.sq;
  assign sq_flush = !sq_fail && !sq_done && st_q == weft_abi_pkg::QP_STATE_ERR && open_cnt != '0
                    && open_cnt <= (16'd1 << cfg_q.log2);
  assign act      = sq_fail || sq_done || sq_flush;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (!init_i && (cmd_valid_i || rd_done_valid_i || qp_valid_i)) state_q <= StRead;
        StRead:  state_q <= StLatch;
        StLatch: state_q <= StFetch;
        StFetch: begin
          if (visit_q == VkPeek) state_q <= StIdle;
          else if (visit_q == VkLoad) state_q <= StStore;
          else if (st_q == weft_abi_pkg::QP_STATE_RESET) state_q <= StIdle;
          else state_q <= StData;
        end
        StData:  state_q <= StLook;
        StLook: begin
          if ((sq_done && fin_q.signaled) || sq_fail || sq_flush) state_q <= StCqe;
          else if ((sq_done || r_free) && turns_q != '1) state_q <= StFetch;
          else state_q <= StStore;
        end
        StCqe:   if (cqe_ready_i) state_q <= (turns_q != '1) ? StFetch : StStore;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        visit_q <= cmd_valid_i ? (cmd_peek_i ? VkPeek : VkLoad) : rd_done_valid_i ? VkRead : VkRun;
        qp_q    <= cmd_valid_i ? cmd_qpn_i : rd_done_valid_i ? rd_done_qpn_i[QpW-1:0] : qp_i;
        index_q <= cmd_index_i;
        turns_q <= '0;
        again_q <= 1'b0;
      end
      StLatch: begin
        c_q      <= ctx;
        cfg_q    <= cfg_i;
        b_q      <= build_i;
        st_q     <= state_i;
        posted_q <= posted_i;
        una_q    <= una_i;
        if (visit_q == VkRead) begin
          c_q.rd_done <= ctx.rd_done + 8'd1;
          c_q.gen     <= ctx.gen + 8'd1;
        end
        if (visit_q == VkLoad) begin
          c_q     <= '0;
          c_q.sq  <= index_q;
          c_q.gen <= ctx.gen + 8'd1;
        end
      end
      StData: begin
        fin_q  <= fin_i;
        rend_q <= rend_i;
      end
      StLook: begin
        turns_q <= turns_q + 4'd1;
        again_q <= turns_q == '1 && (act || r_free);
        if (act || r_free) c_q.gen <= c_q.gen + 8'd1;
        if (r_free) c_q.r <= c_q.r + 8'd1;
        if (act) c_q.sq <= c_q.sq + 16'd1;
        if (sq_done && is_read) c_q.rd_used <= c_q.rd_used + 8'd1;
        if (sq_fail || sq_flush) begin
          c_q.flushing <= 1'b1;
          c_q.err_done <= c_q.err_done || sq_fail || b_q.err_any;
        end
        cqe_o           <= '0;
        cqe_o.cqn       <= cfg_q.cqn;
        cqe_o.qpn       <= 16'(qp_q);
        cqe_o.index     <= c_q.sq;
        if (sq_done) begin
          unique case ({4'd0, fin_q.op})
            weft_abi_pkg::SQ_OPCODE_WRITE: cqe_o.opcode <= weft_abi_pkg::WC_OPCODE_WRITE;
            weft_abi_pkg::SQ_OPCODE_READ:  cqe_o.opcode <= weft_abi_pkg::WC_OPCODE_READ;
            weft_abi_pkg::SQ_OPCODE_NOP:   cqe_o.opcode <= weft_abi_pkg::WC_OPCODE_LOCAL;
            default:                       cqe_o.opcode <= weft_abi_pkg::WC_OPCODE_SEND;
          endcase
          if (is_read) cqe_o.bytes <= fin_q.len;
        end else begin
          cqe_o.solicited <= 1'b1;
          cqe_o.status    <= sq_fail || (b_q.err_any && !c_q.err_done) ? b_q.err_status
                                                                       : weft_abi_pkg::WC_STATUS_WR_FLUSH_ERR;
        end
      end
      default: ;
    endcase
  end

  assign cqe_valid_o      = state_q == StCqe;
  assign irq_free_valid_o = state_q == StLook && r_free;
  assign irq_free_qpn_o   = 16'(qp_q);
  assign stat_flush_o     = state_q == StLook && sq_flush;

  logic unused;
  assign unused = ^rd_done_qpn_i;

endmodule
