// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Ends of accesses and FPDUs of mpa's sending side: counts the results of reads, in the order in
/// which they were given out, against the accesses, and tells the status of each FPDU and the epoch
/// of each access when all of it was answered. Takes both inputs always: who gives reads out keeps
/// within READS and ACCESSES.
module weft_tx_done #(
  parameter int unsigned ACCESSES = 128,  ///< a power of two
  parameter int unsigned READS = 128,     ///< a power of two
  parameter int unsigned FPDUS = 128      ///< statuses that wait, a power of two
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  /// All reads of an access were given out.
  input  logic        end_valid_i,
  input  logic        end_req_i,     ///< it was translated
  input  logic        end_last_i,    ///< it ends its FPDU
  input  logic [11:0] end_rows_i,    ///< with last: rows of the FPDU
  input  logic [1:0]  end_epoch_i,
  input  logic [3:0]  end_err_i,     ///< its own error, behind those of its reads
  input  logic [14:0] end_reads_i,   ///< how many
  output logic        end_free_o,    ///< pulse: it is done with

  /// An answer is in the ring.
  input  logic        read_valid_i,
  input  logic        read_bad_i,
  output logic        read_free_o,   ///< pulse: its record is free

  output logic        commit_valid_o,  ///< with a status: rows of its FPDU
  output logic [11:0] commit_rows_o,
  output logic        status_valid_o,
  input  logic        status_ready_i,
  output logic [3:0]  status_o,        ///< first error of the FPDU, 0: none
  output logic        leave_valid_o,
  output logic [1:0]  leave_epoch_o
);

  localparam logic [3:0] Bus = weft_pkg::XlBus;
  localparam int unsigned AccW = $clog2(ACCESSES) + 1;

  logic            c_valid, c_pop, c_req, c_last, r_valid, r_pop, r_bad, whole;
  logic [14:0]     c_reads, seen_q;
  logic [AccW-1:0] ends;
  logic [3:0]      c_err, ferr_q, ferr;  // first error of the FPDU
  logic [1:0]      c_epoch;
  logic [11:0]     c_rows;

  weft_fifo #(.W(35), .DEPTH(ACCESSES)) u_end (
    .clk_i, .rst_ni, .in_valid_i(end_valid_i), .in_ready_o(),
    .in_data_i({end_req_i, end_last_i, end_rows_i, end_epoch_i, end_err_i, end_reads_i}),
    .out_valid_o(c_valid), .out_ready_i(c_pop),
    .out_data_o({c_req, c_last, c_rows, c_epoch, c_err, c_reads}), .count_o(ends)
  );
  weft_fifo #(.W(1), .DEPTH(READS)) u_result (
    .clk_i, .rst_ni, .in_valid_i(read_valid_i), .in_ready_o(), .in_data_i(read_bad_i),
    .out_valid_o(r_valid), .out_ready_i(r_pop), .out_data_o(r_bad), .count_o()
  );

  // A result is counted as soon as it is there: while no end waits, it belongs to the access whose
  // reads are still being given out, and there may be more of those than records.
  assign whole = c_reads == seen_q;
  assign r_pop = r_valid && (ends == '0 || (c_valid && !whole));
  assign c_pop = c_valid && (whole || (r_valid && c_reads == seen_q + 15'd1));
  assign ferr  = ferr_q != '0 ? ferr_q : (r_pop && r_bad) ? Bus : c_pop ? c_err : 4'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seen_q <= '0;
      ferr_q <= '0;
    end else begin
      seen_q <= c_pop ? '0 : seen_q + 15'(r_pop);
      ferr_q <= (c_pop && c_last) ? '0 : ferr;
    end
  end

  assign end_free_o     = c_pop;
  assign read_free_o    = r_pop;
  assign leave_valid_o  = c_pop && c_req;
  assign leave_epoch_o  = c_epoch;
  assign commit_valid_o = c_pop && c_last;
  assign commit_rows_o  = c_rows;

  weft_fifo #(.W(4), .DEPTH(FPDUS)) u_status (
    .clk_i, .rst_ni, .in_valid_i(commit_valid_o), .in_ready_o(), .in_data_i(ferr),
    .out_valid_o(status_valid_o), .out_ready_i(status_ready_i), .out_data_o(status_o), .count_o()
  );

endmodule
/* verilator lint_on PINCONNECTEMPTY */
