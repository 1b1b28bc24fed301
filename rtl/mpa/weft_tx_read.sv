// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Payload reads of mpa's sending side: translated pieces become reads, each with its place in the
/// ring; answers are written there; an FPDU's status is told when all of it lies in the ring.
///
/// A piece is cut at RD_MAX-aligned addresses. A read waits for nothing that a peer can hold: for
/// the PCIe room to take it, and for one of READS records, which come back with its answers.
/// `rd_rsp_ready_o` is always high. An answer that is marked bad, or has another length than was
/// asked for, makes its FPDU void with XlBus; so does a translation that gives other than the bytes
/// that were asked for, whose surplus is not read.
///
/// `leave_*`: an access whose translation was asked for has left its epoch: all its reads were
/// answered, or it failed. One pulse for each translation, with the epoch of its last piece.
module weft_tx_read #(
  parameter int unsigned DATA_W = 128,       ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< payload ring
  parameter int unsigned RD_MAX = 4096,      ///< largest read, a power of two, 64 to 16384
  parameter int unsigned ACCESSES = 128,     ///< accesses in flight, a power of two
  parameter int unsigned READS = 128,        ///< reads in flight, a power of two
  parameter int unsigned FPDUS = 128,        ///< statuses that wait: FPDUs in the room
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned RowW = $clog2(BUF_BYTES / Bytes)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      acc_valid_i,
  output logic                      acc_room_o,   ///< registered
  input  weft_mpa_out_pkg::access_t acc_i,
  input  logic                      tpt_rsp_valid_i,
  output logic                      tpt_rsp_ready_o,
  input  weft_dp_pkg::tpt_rsp_t     tpt_rsp_i,

  output logic                      rd_req_valid_o,
  input  logic                      rd_req_ready_i,
  output weft_pkg::dma_rd_req_t     rd_req_o,
  input  logic                      rd_rsp_valid_i,
  output logic                      rd_rsp_ready_o,
  input  logic [DATA_W-1:0]         rd_rsp_data_i,
  input  logic [CntW-1:0]           rd_rsp_cnt_i,
  input  logic                      rd_rsp_last_i,
  input  logic                      rd_rsp_err_i,

  output logic                      wr_valid_o,
  output logic [RowW-1:0]           wr_row_o,
  output logic [LaneW-1:0]          wr_lane_o,
  output logic [CntW-1:0]           wr_cnt_o,
  output logic [DATA_W-1:0]         wr_data_o,
  output logic                      commit_valid_o,  ///< with a status: rows of its FPDU
  output logic [11:0]               commit_rows_o,

  /// Of each FPDU with rows, in order. 0: all of it is in the ring; else weft_pkg::xl_err_e.
  output logic                      status_valid_o,
  input  logic                      status_ready_i,
  output logic [3:0]                status_o,

  output logic                      leave_valid_o,
  output logic [1:0]                leave_epoch_o,
  output logic                      idle_o,
  output logic                      stat_read_o,   ///< a read is given out
  output logic                      stat_wait_o    ///< a read waits for a record
);

  localparam int unsigned PosW = RowW + LaneW;
  localparam int unsigned RdW = $clog2(RD_MAX);
  localparam int unsigned AccW = $clog2(ACCESSES) + 1;
  localparam int unsigned RecW = $clog2(READS) + 1;
  localparam logic [3:0] Bus = weft_pkg::XlBus;

  // ------------------------------------------------ accesses, in order
  logic                      x_valid, x_pop, c_pop;
  weft_mpa_out_pkg::access_t x;
  logic [AccW-1:0]           accs_q;

  weft_fifo #(.W(31), .DEPTH(ACCESSES)) u_acc (
    .clk_i, .rst_ni, .in_valid_i(acc_valid_i), .in_ready_o(), .in_data_i(acc_i),
    .out_valid_o(x_valid), .out_ready_i(x_pop), .out_data_o(x), .count_o()
  );
  assign acc_room_o = accs_q < AccW'(ACCESSES);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) accs_q <= '0;
    else accs_q <= accs_q + AccW'(acc_valid_i) - AccW'(c_pop);
  end

  // ------------------------------------------------ stage A: a piece, cut
  logic                      a_valid_q, a_read_q, a_end_q, a_fst_q, a_new_q, a_fire, a_done, a_load;
  logic                      fst_q, new_q;  // an FPDU, an access begins
  weft_mpa_out_pkg::access_t a_acc_q;
  logic [3:0]                a_err_q;
  logic [1:0]                a_epoch_q;
  logic [63:0]               a_addr_q;
  logic [15:0]               a_lenm1_q, a_chunkm1;
  logic [16:0]               a_end;
  logic                      piece_end;

  assign a_end           = 17'(a_addr_q[RdW-1:0]) + 17'(a_lenm1_q);
  assign a_done          = !a_read_q || a_end[16:RdW] == '0;
  assign a_chunkm1       = a_done ? a_lenm1_q : {{(16 - RdW){1'b0}}, ~a_addr_q[RdW-1:0]};
  assign a_load          = !a_valid_q || (a_fire && a_done);
  assign piece_end       = !x.req || tpt_rsp_i.last;
  assign tpt_rsp_ready_o = a_load && x_valid && x.req;
  assign x_pop           = a_load && (!x.req || tpt_rsp_valid_i) && piece_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      fst_q     <= 1'b1;
      new_q     <= 1'b1;
    end else if (a_load) begin
      a_valid_q <= x_valid && (!x.req || tpt_rsp_valid_i);
      if (x_valid && (!x.req || tpt_rsp_valid_i)) begin
        fst_q <= piece_end && x.last;
        new_q <= piece_end;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_load) begin
      a_acc_q   <= x;
      a_fst_q   <= fst_q;
      a_new_q   <= new_q;
      a_end_q   <= piece_end;
      a_read_q  <= x.req && tpt_rsp_i.err == '0 && tpt_rsp_i.len != '0;
      a_err_q   <= x.req ? tpt_rsp_i.err : 4'd0;
      a_epoch_q <= tpt_rsp_i.epoch;
      a_addr_q  <= tpt_rsp_i.addr;
      a_lenm1_q <= tpt_rsp_i.len - 16'd1;
    end else if (a_fire) begin
      a_fst_q   <= 1'b0;
      a_new_q   <= 1'b0;
      a_addr_q  <= {a_addr_q[63:RdW] + 1'b1, {RdW{1'b0}}};
      a_lenm1_q <= 16'({a_end[16:RdW] - 1'b1, a_end[RdW-1:0]});
    end
  end

  // ------------------------------------------------ stage B: a read and its place
  logic                      b_valid_q, b_read_q, b_end_q, b_fst_q, b_new_q, b_fire, b_load;
  logic                      read, over;
  weft_mpa_out_pkg::access_t b_acc_q;
  logic [3:0]                b_err_q, b_err, err_q;
  logic [1:0]                b_epoch_q;
  logic [63:0]               b_addr_q;
  logic [15:0]               b_len_q, left, left_q, left_d;
  logic [PosW-1:0]           pos, pos_q;
  logic [RowW-1:0]           base_q;
  logic [14:0]               reads_q, reads;   // of this access so far
  logic [RecW-1:0]           recs_q;
  logic                      req_ready, r_pop;

  assign a_fire = a_valid_q && b_load;
  assign b_load = !b_valid_q || b_fire;
  assign pos    = b_fst_q ? {base_q, LaneW'(0)} : pos_q;
  assign left   = b_new_q ? b_acc_q.len : left_q;
  assign over   = b_read_q && b_len_q > left;
  assign read   = b_read_q && !over;
  assign left_d = read ? left - b_len_q : left;
  assign reads  = reads_q + 15'(read);
  // The first error of the access; bytes that are missing at its end.
  assign b_err  = err_q != '0 ? err_q : over ? Bus : b_err_q != '0 ? b_err_q :
                  (b_end_q && b_acc_q.req && left_d != '0) ? Bus : 4'd0;
  assign b_fire = b_valid_q && (!b_read_q || (req_ready && recs_q != RecW'(READS)));
  assign stat_wait_o = b_valid_q && b_read_q && recs_q == RecW'(READS);
  assign stat_read_o = b_fire && read;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      recs_q    <= '0;
      reads_q   <= '0;
      err_q     <= '0;
      base_q    <= '0;
    end else begin
      if (b_load) b_valid_q <= a_valid_q;
      recs_q <= recs_q + RecW'(b_fire && read) - RecW'(r_pop);
      if (b_fire) begin
        reads_q <= b_end_q ? '0 : reads;
        err_q   <= b_end_q ? '0 : b_err;
        if (b_end_q && b_acc_q.last) base_q <= base_q + RowW'(b_acc_q.rows);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (b_load) begin
      b_acc_q   <= a_acc_q;
      b_fst_q   <= a_fst_q;
      b_new_q   <= a_new_q;
      b_end_q   <= a_end_q && a_done;
      b_read_q  <= a_read_q;
      b_err_q   <= a_err_q;
      b_epoch_q <= a_epoch_q;
      b_addr_q  <= a_addr_q;
      b_len_q   <= a_chunkm1 + 16'd1;
    end
    if (b_fire) begin
      pos_q  <= read ? pos + PosW'(b_len_q) : pos;
      left_q <= left_d;
    end
  end

  weft_skid #(.W(81)) u_req (
    .clk_i, .rst_ni, .in_valid_i(b_fire && read), .in_ready_o(req_ready),
    .in_data_i({b_acc_q.fresh, b_len_q, b_addr_q}),
    .out_valid_o(rd_req_valid_o), .out_ready_i(rd_req_ready_i), .out_data_o(rd_req_o)
  );

  // ------------------------------------------------ the place of each read
  logic            o_valid, o_pop;
  logic [PosW-1:0] o_pos;
  logic [15:0]     o_len;

  weft_fifo #(.W(PosW + 16), .DEPTH(READS)) u_place (
    .clk_i, .rst_ni, .in_valid_i(b_fire && read), .in_ready_o(), .in_data_i({pos, b_len_q}),
    .out_valid_o(o_valid), .out_ready_i(o_pop), .out_data_o({o_pos, o_len}), .count_o()
  );
  // ------------------------------------------------ answers, to their places
  logic              i_valid_q, i_last_q, i_err_q, begin_q, bad_q, i_over, i_bad;
  logic [DATA_W-1:0] i_data_q;
  logic [CntW-1:0]   i_cnt_q, i_take;
  logic [PosW-1:0]   i_pos, ipos_q;
  logic [15:0]       i_left, ileft_q;
  logic              w_valid, w_last, w_bad, rot_ready;

  assign rd_rsp_ready_o = 1'b1;
  assign i_pos  = begin_q ? o_pos : ipos_q;
  assign i_left = begin_q ? o_len : ileft_q;
  assign i_over = 16'(i_cnt_q) > i_left;
  assign i_take = i_over ? i_left[CntW-1:0] : i_cnt_q;
  assign i_bad  = (!begin_q && bad_q) || i_over ||
                  (i_last_q && (i_err_q || 16'(i_cnt_q) != i_left));
  assign o_pop  = i_valid_q && i_last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      i_valid_q <= 1'b0;
      begin_q   <= 1'b1;
    end else begin
      i_valid_q <= rd_rsp_valid_i;
      if (i_valid_q) begin_q <= i_last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_rsp_valid_i) begin
      i_data_q <= rd_rsp_data_i;
      i_cnt_q  <= rd_rsp_cnt_i;
      i_last_q <= rd_rsp_last_i;
      i_err_q  <= rd_rsp_err_i;
    end
    if (i_valid_q) begin
      ipos_q  <= i_pos + PosW'(i_take);
      ileft_q <= i_left - 16'(i_take);
      bad_q   <= i_bad;
    end
  end

  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(PosW + CntW + 2)) u_rot (
    .clk_i, .rst_ni, .in_valid_i(i_valid_q), .in_ready_o(rot_ready), .in_data_i(i_data_q),
    .in_rot_i(i_pos[LaneW-1:0]), .in_side_i({i_pos, i_take, i_last_q, i_bad}),
    .out_valid_o(w_valid), .out_ready_i(1'b1), .out_data_o(wr_data_o),
    .out_side_o({wr_row_o, wr_lane_o, wr_cnt_o, w_last, w_bad})
  );
  assign wr_valid_o = w_valid;

  // ------------------------------------------------ ends of accesses and FPDUs
  weft_tx_done #(.ACCESSES(ACCESSES), .READS(READS), .FPDUS(FPDUS)) u_done (
    .clk_i, .rst_ni, .end_valid_i(b_fire && b_end_q), .end_req_i(b_acc_q.req),
    .end_last_i(b_acc_q.last), .end_rows_i(b_acc_q.rows), .end_epoch_i(b_epoch_q),
    .end_err_i(b_err), .end_reads_i(reads), .read_valid_i(w_valid && w_last), .read_bad_i(w_bad),
    .read_free_o(r_pop), .end_free_o(c_pop), .commit_valid_o, .commit_rows_o,
    .status_valid_o, .status_ready_i, .status_o, .leave_valid_o, .leave_epoch_o
  );

  assign idle_o = accs_q == '0 && !status_valid_o && !rd_req_valid_o;

  logic unused;
  assign unused = rot_ready;

`ifndef SYNTHESIS
  initial begin
    if (RD_MAX < 64 || RD_MAX > 16384 || (RD_MAX & (RD_MAX - 1)) != 0) begin
      $fatal(1, "weft_tx_read: RD_MAX");
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && acc_valid_i) assert (acc_room_o);
    if (rst_ni && i_valid_q) assert (o_valid);
  end
`else
  logic unused_o;
  assign unused_o = o_valid;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
