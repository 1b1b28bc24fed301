// SPDX-License-Identifier: BSD-2-Clause

/// Way out of weft_cq, two queues: completions, and what belongs to event queues (events, interrupts, drain
/// tokens). The latter leave in their order, each when what came before it was accepted by the posted stream, and
/// behind every completion that was put in before it; completions pass them.
module weft_cq_out #(
  parameter int unsigned DATA_W = 64,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cqe_valid_i,
  output logic                  cqe_room_o,    ///< registered: there is room for six more than are on their way
  input  logic [63:0]           cqe_addr_i,    ///< bus address of the entry
  input  logic [255:0]          cqe_data_i,

  input  logic                  eq_valid_i,
  output logic                  eq_ready_o,
  input  logic [1:0]            eq_kind_i,     ///< 0 event, 1 interrupt, 2 drain token
  input  logic [63:0]           eq_addr_i,
  input  logic [511:0]          eq_data_i,     ///< event; vector or token in the low bits

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

  // ---------------------------------------------------------------- completions
  logic         c_valid, c_take, unused_room;
  logic [63:0]  c_addr;
  logic [255:0] c_data;
  logic [5:0]   c_count;
  logic [31:0]  in_q, out_q;   // those that came and went, modulo 2^32
  weft_fifo #(.W(320), .DEPTH(32)) u_cqe (
    .clk_i, .rst_ni, .in_valid_i(cqe_valid_i), .in_ready_o(unused_room), .in_data_i({cqe_addr_i, cqe_data_i}),
    .out_valid_o(c_valid), .out_ready_i(c_take), .out_data_o({c_addr, c_data}), .count_o(c_count)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cqe_room_o <= 1'b1;
      in_q       <= '0;
      out_q      <= '0;
    end else begin
      cqe_room_o <= c_count < 6'd20;
      in_q       <= in_q + 32'(cqe_valid_i);
      out_q      <= out_q + 32'(c_take);
    end
  end

  // ---------------------------------------------------------------- events
  logic         e_valid, e_take, e_ripe_q, e_ripe;
  logic [1:0]   e_kind;
  logic [63:0]  e_addr;
  logic [511:0] e_data;
  logic [31:0]  e_mark, ahead;
  logic [3:0]   e_count;
  weft_fifo #(.W(610), .DEPTH(8)) u_event (
    .clk_i, .rst_ni, .in_valid_i(eq_valid_i), .in_ready_o(eq_ready_o), .in_data_i({in_q, eq_kind_i, eq_addr_i, eq_data_i}),
    .out_valid_o(e_valid), .out_ready_i(e_take), .out_data_o({e_mark, e_kind, e_addr, e_data}), .count_o(e_count)
  );
  // Behind an interrupt that is not taken events wait while completions go on: less than 2^31 of them.
  assign ahead  = e_mark - out_q;
  assign e_ripe = e_valid && (e_ripe_q || ahead == '0 || ahead[31]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) e_ripe_q <= 1'b0;
    else e_ripe_q <= e_ripe && !e_take;
  end

  // ---------------------------------------------------------------- the stream
  // An event that may leave goes first; a packet is not broken off.
  logic         on_q, is_e_q, is_e;
  logic [511:0] data, rest_q, shown;
  logic [3:0]   beat_q;
  assign is_e          = on_q ? is_e_q : e_ripe && e_kind == 2'd0;
  assign wr_valid_o    = is_e ? e_valid : c_valid;
  assign irq_valid_o   = e_ripe && e_kind == 2'd1;
  assign token_valid_o = e_ripe && e_kind == 2'd2;
  assign c_take        = wr_valid_o && wr_ready_i && wr_last_o && !is_e;
  assign e_take        = (wr_valid_o && wr_ready_i && wr_last_o && is_e) || (irq_valid_o && irq_ready_i)
                         || (token_valid_o && token_ready_i);
  assign data          = is_e ? e_data : {256'd0, c_data};
  assign shown         = (beat_q == '0) ? data : rest_q;
  assign wr_hdr_o.addr = is_e ? e_addr : c_addr;
  assign wr_hdr_o.len  = is_e ? 16'd64 : 16'd32;
  assign wr_data_o     = shown[DATA_W-1:0];
  assign wr_last_o     = beat_q == (is_e ? 4'(LongBeats - 1) : 4'(ShortBeats - 1));
  assign wr_cnt_o      = (!is_e && Bytes > 32) ? CntW'(32) : CntW'(Bytes);
  assign irq_vector_o  = e_data[10:0];
  assign token_o       = e_data[16:0];
  assign idle_o        = c_count == '0 && e_count == '0;

  // What is offered stays: a completion that is offered and not taken keeps the stream.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      on_q   <= 1'b0;
    end else if (wr_valid_o) begin
      on_q <= !(wr_ready_i && wr_last_o);
      if (wr_ready_i) beat_q <= wr_last_o ? '0 : beat_q + 4'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    is_e_q <= is_e;
    if (wr_valid_o && wr_ready_i) rest_q <= shown >> DATA_W;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (unused_room || !cqe_valid_i) else $error("%m: no room for a completion");
  end
`endif

endmodule
