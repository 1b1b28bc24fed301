// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Operations on STags, of the send queue. A registration (StagReg) or bind (StagBind) is asked for as it comes; a bind that took a window from
/// somewhere is over when no access that began before is under way. Invalidates: an STag is closed (StagInv) when the FPDUs that were described before are framed, so that whatever they read is
/// translated; build is told how that went. When the work request is acknowledged cmpl asks for the end (StagInvEnd), and is told by a mark of the
/// slot when no access that began before is under way any more. Both go out by one port, an operation at a time.
///
/// What was described and when it is framed is counted alone: both are in the order of the orders. Waiting holds nobody but the connection
/// whose operation it is, and those with an operation behind it.
// lint: -GN_SLOT=256
module weft_sq_inv #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned ENDS = 16,      ///< ends under way, a power of two, 4 to 32; cmpl counts them
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    inv_valid_i,   ///< of emit; a pin comes with it
  output logic                    inv_ready_o,
  input  weft_sq_pkg::inv_t       inv_i,
  input  logic                    framed_i,      ///< pulse: one more description is framed
  output logic                    res_valid_o,   ///< to build, with the pin
  input  logic                    res_ready_i,
  output logic [SlW-1:0]          res_slot_o,
  output logic [15:0]             res_wqe_o,
  output logic [3:0]              res_status_o,  ///< weft_abi wc_status; 0: it is closed

  input  logic                    end_valid_i,   ///< of cmpl; always taken, ENDS at a time
  input  weft_sq_pkg::inv_end_t   end_i,
  output logic                    done_o,        ///< pulse: this one is over
  output logic [SlW-1:0]          done_slot_o,
  output logic                    done_mark_o,
  input  logic                    done_ready_i,  ///< with done_o: may be told now

  output logic                    op_valid_o,    ///< port of weft_tpt, held until op_ready_i
  input  logic                    op_ready_i,
  output weft_dp_pkg::stag_op_t   op_o,
  input  weft_pkg::xl_err_e       op_err_i,
  input  logic [15:0]             op_seq_i,
  input  logic [15:0]             op_done_i,

  output logic                    idle_o
);

  logic                  a_v, a_go, a_r, e_v, e_r, e_in_r, d_v, d_r, d_in_r;
  weft_sq_pkg::inv_t     a;
  weft_sq_pkg::inv_end_t e;
  logic [3:0]            a_n;
  logic [$clog2(ENDS):0] e_n, d_n;
  logic [15:0]           framed_q, ahead, late, d_seq;
  weft_fifo #(.W($bits(a)), .DEPTH(8)) u_begin (
    .clk_i, .rst_ni, .in_valid_i(inv_valid_i), .in_ready_o(inv_ready_o), .in_data_i(inv_i),
    .out_valid_o(a_v), .out_ready_i(a_r), .out_data_o(a), .count_o(a_n)
  );
  weft_fifo #(.W($bits(e)), .DEPTH(ENDS)) u_end (
    .clk_i, .rst_ni, .in_valid_i(end_valid_i), .in_ready_o(e_in_r), .in_data_i(end_i),
    .out_valid_o(e_v), .out_ready_i(e_r), .out_data_o(e), .count_o(e_n)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) framed_q <= '0;
    else framed_q <= framed_q + 16'(framed_i);
  end
  assign ahead = framed_q - a.behind;
  assign a_go  = a_v && (a.reg_mr || a.bind_mw || !ahead[15]) && !res_v_q;

  // ---------------------------------------------------------------- the port
  logic        op_q, ending_q, res_v_q;
  logic [15:0] seq_q, res_late;  // closing that the answer waits for
  assign op_valid_o = op_q;
  assign a_r        = op_q && op_ready_i && !ending_q;
  assign e_r        = op_q && op_ready_i && ending_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q    <= 1'b0;
      res_v_q <= 1'b0;
    end else begin
      op_q <= op_q ? !op_ready_i : e_v || a_go;
      if (a_r) res_v_q <= 1'b1;
      else if (res_valid_o && res_ready_i) res_v_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) if (!op_q) ending_q <= e_v;
  always_comb begin
    op_o          = '0;
    op_o.op       = ending_q ? weft_dp_pkg::StagInvEnd : a.reg_mr ? weft_dp_pkg::StagReg : a.bind_mw ? weft_dp_pkg::StagBind
                    : weft_dp_pkg::StagInv;
    op_o.entry    = entry;
    op_o.who.slot = ending_q ? e.slot : a.slot;
    op_o.who.qpn  = ending_q ? e.qpn : a.qpn;
    op_o.stag     = ending_q ? e.stag : a.stag;
    op_o.pd       = a.pd;
    op_o.wqe      = a.wqe;
  end

  weft_abi_pkg::sqe_reg_t list;
  weft_abi_pkg::tpt_t     entry;
  assign list = a.list;
  always_comb begin
    entry           = '0;
    entry.access    = list.access;
    entry.page_log2 = list.page_log2;
    entry.base      = a.base;
    entry.length    = list.bytes;
    entry.fbo       = list.fbo;
    entry.pbl       = list.pbl;
    entry.pbl_count = list.pbl_count;
  end

  logic [3:0] status;
  always_comb begin
    unique case (op_err_i)
      weft_pkg::XlOk:  status = 4'd0;
      weft_pkg::XlInv: status = 4'(weft_abi_pkg::WC_STATUS_MW_BIND_ERR);
      default:         status = 4'(weft_abi_pkg::WC_STATUS_LOC_PROT_ERR);
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (a_r) begin
      res_slot_o   <= a.slot[SlW-1:0];
      res_wqe_o    <= a.wqe;
      res_status_o <= status;
      seq_q        <= op_seq_i;
    end
  end
  assign res_late    = op_done_i - seq_q;
  assign res_valid_o = res_v_q && !res_late[15];

  // ---------------------------------------------------------------- ends, until their closing is done
  weft_fifo #(.W(SlW + 17), .DEPTH(ENDS)) u_drain (
    .clk_i, .rst_ni, .in_valid_i(e_r), .in_ready_o(d_in_r), .in_data_i({e.slot[SlW-1:0], e.mark, op_seq_i}),
    .out_valid_o(d_v), .out_ready_i(d_r), .out_data_o({done_slot_o, done_mark_o, d_seq}), .count_o(d_n)
  );
  assign late   = op_done_i - d_seq;
  assign done_o = d_v && !late[15];
  assign d_r    = done_o && done_ready_i;

  assign idle_o = !a_v && !e_v && !d_v && !res_v_q;

`ifndef SYNTHESIS
  initial if (ENDS < 4 || ENDS > 32 || (ENDS & (ENDS - 1)) != 0) $fatal(1, "weft_sq_inv: ENDS");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(end_valid_i && !e_in_r) && !(e_r && !d_in_r)) else $error("%m: an end is lost");
      assert (!(e_r && op_err_i != weft_pkg::XlOk)) else $error("%m: an end is refused");
    end
  end
`endif
  logic unused;
  assign unused = ^{list, a, e, a_n, e_n, d_n, e_in_r, d_in_r, ahead, late, res_late};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
