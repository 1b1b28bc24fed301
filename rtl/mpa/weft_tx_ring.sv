// SPDX-License-Identifier: BSD-2-Clause

/// Payload ring of mpa's sending side: rows of DATA_W bits. Answers of reads are written at any
/// byte, a beat a cycle without ever waiting; FPDUs are read as rows from lane 0, a row a cycle.
///
/// Rows lie in two banks, even and odd, so that a beat that straddles two rows is one write. Only
/// rows that were committed are read.
module weft_tx_ring #(
  parameter int unsigned DATA_W = 128,       ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 32768,  ///< a power of two, four rows or more
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1,
  localparam int unsigned RowW = $clog2(BUF_BYTES / Bytes)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              wr_valid_i,
  input  logic [RowW-1:0]   wr_row_i,
  input  logic [LaneW-1:0]  wr_lane_i,      ///< of the first byte
  input  logic [CntW-1:0]   wr_cnt_i,       ///< bytes; those past the row go to the next one
  input  logic [DATA_W-1:0] wr_data_i,      ///< turned: the first byte is in wr_lane_i

  input  logic              commit_valid_i,
  input  logic [11:0]       commit_rows_i,  ///< so many more rows may be read

  output logic              row_valid_o,
  input  logic              row_ready_i,
  output logic [DATA_W-1:0] row_data_o,
  output logic              freed_o         ///< pulse: a row was read and may be reserved again
);

  localparam int unsigned AddrW = RowW - 1;

  // ------------------------------------------------ write
  logic [CntW:0]                upto;
  logic [Bytes-1:0]             here, next;
  logic [1:0][Bytes-1:0]        we;
  logic [1:0][AddrW-1:0]        waddr;
  logic [1:0][DATA_W-1:0]       rdata;

  assign upto = (CntW + 1)'(wr_lane_i) + (CntW + 1)'(wr_cnt_i);

  always_comb begin
    here = '0;
    next = '0;
    if (wr_valid_i) begin
      for (int unsigned i = 0; i < Bytes; i++) begin
        here[i] = LaneW'(i) >= wr_lane_i && (CntW + 1)'(i) < upto;
        next[i] = (CntW + 1)'(i + Bytes) < upto;
      end
    end
  end

  assign we[0]    = wr_row_i[0] ? next : here;
  assign we[1]    = wr_row_i[0] ? here : next;
  assign waddr[0] = wr_row_i[RowW-1:1] + AddrW'(wr_row_i[0]);
  assign waddr[1] = wr_row_i[RowW-1:1];

  // ------------------------------------------------ read
  logic [RowW-1:0] rptr_q;
  logic [RowW:0]   there_q;  // committed rows not read
  logic            re, room, busy, odd_q;

  assign re      = room && there_q != '0;
  assign freed_o = re;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rptr_q  <= '0;
      there_q <= '0;
      odd_q   <= 1'b0;
    end else begin
      if (re) rptr_q <= rptr_q + 1'b1;
      if (re) odd_q <= rptr_q[0];
      there_q <= there_q + (commit_valid_i ? (RowW + 1)'(commit_rows_i) : '0) - (RowW + 1)'(re);
    end
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    weft_ram_be #(.W(DATA_W), .DEPTH(1 << AddrW)) u_ram (
      .clk_i, .we_i(we[b]), .waddr_i(waddr[b]), .wdata_i(wr_data_i),
      .re_i(re && rptr_q[0] == 1'(b)), .raddr_i(rptr_q[RowW-1:1]), .rdata_o(rdata[b])
    );
  end

  weft_fifo_stage #(.W(DATA_W)) u_stage (
    .clk_i, .rst_ni, .room_o(room), .busy_o(busy), .re_i(re), .rdata_i(odd_q ? rdata[1] : rdata[0]),
    .byp_valid_i(1'b0), .byp_data_i('0),
    .out_valid_o(row_valid_o), .out_ready_i(row_ready_i), .out_data_o(row_data_o)
  );

  logic unused;
  assign unused = ^{busy, commit_rows_i};

endmodule
