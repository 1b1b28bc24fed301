// SPDX-License-Identifier: BSD-2-Clause

/// Way out of weft_cq: entries, interrupts and drain tokens leave in the order in which they were put
/// in; each waits until the one before it was accepted by the posted stream.
module weft_cq_out #(
  parameter int unsigned DATA_W = 64,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic [1:0]            in_kind_i,   ///< 0: 32 bytes, 1: 64 bytes, 2: interrupt, 3: drain token
  input  logic [63:0]           in_addr_i,   ///< bus address of the entry
  input  logic [511:0]          in_data_i,   ///< entry; vector or token in the low bits

  output logic                  wr_valid_o,
  input  logic                  wr_ready_i,
  output weft_pkg::dma_wr_hdr_t wr_hdr_o,
  output logic [DATA_W-1:0]     wr_data_o,
  output logic [CntW-1:0]       wr_cnt_o,
  output logic                  wr_last_o,

  output logic                  irq_valid_o,
  input  logic                  irq_ready_i,
  output logic [10:0]           irq_vector_o,

  output logic                  token_valid_o,
  input  logic                  token_ready_i,
  output logic [16:0]           token_o,

  output logic                  idle_o
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned ShortBeats = Bytes >= 32 ? 1 : 32 / Bytes;
  localparam int unsigned LongBeats = 64 / Bytes;

  logic         valid, done;
  logic [1:0]   kind;
  logic [63:0]  addr;
  logic [511:0] data, rest_q, shown;
  logic [3:0]   beat_q;
  logic [3:0]   count;

  weft_fifo #(.W(578), .DEPTH(8)) u_queue (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i({in_kind_i, in_addr_i, in_data_i}),
    .out_valid_o(valid), .out_ready_i(done), .out_data_o({kind, addr, data}), .count_o(count)
  );

  assign wr_valid_o    = valid && !kind[1];
  assign irq_valid_o   = valid && kind == 2'd2;
  assign token_valid_o = valid && kind == 2'd3;
  assign done          = kind == 2'd2 ? irq_ready_i : kind == 2'd3 ? token_ready_i
                                      : (wr_ready_i && wr_last_o);

  assign shown        = (beat_q == '0) ? data : rest_q;
  assign wr_hdr_o.addr = addr;
  assign wr_hdr_o.len  = kind[0] ? 16'd64 : 16'd32;
  assign wr_data_o    = shown[DATA_W-1:0];
  assign wr_last_o    = beat_q == (kind[0] ? 4'(LongBeats - 1) : 4'(ShortBeats - 1));
  assign wr_cnt_o     = (!kind[0] && Bytes > 32) ? CntW'(32) : CntW'(Bytes);
  assign irq_vector_o = data[10:0];
  assign token_o      = data[16:0];
  assign idle_o       = count == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (wr_valid_o && wr_ready_i) beat_q <= wr_last_o ? '0 : beat_q + 4'd1;
  end
  always_ff @(posedge clk_i) begin
    if (wr_valid_o && wr_ready_i) rest_q <= shown >> DATA_W;
  end

endmodule
