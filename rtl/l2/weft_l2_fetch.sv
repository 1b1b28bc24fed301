// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Descriptor reads of all rings on one DMA read client: round robin, many under way. A batch is
/// handed out only when it is complete, so that a failed read marks every descriptor of the batch.
module weft_l2_fetch #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned RINGS = 2,    ///< rings
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [RINGS-1:0]        req_valid_i,
  output logic [RINGS-1:0]        req_ready_o,
  input  logic [RINGS-1:0][63:0]  req_addr_i,
  input  logic [RINGS-1:0][3:0]   req_num_i,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_rsp_valid_i,
  output logic                    rd_rsp_ready_o,
  input  logic [DATA_W-1:0]       rd_rsp_data_i,
  input  logic [CntW-1:0]         rd_rsp_cnt_i,
  input  logic                    rd_rsp_last_i,
  input  logic                    rd_rsp_err_i,

  output logic [RINGS-1:0]        rsp_valid_o,
  output logic [127:0]            rsp_desc_o,
  output logic                    rsp_err_o,

  output logic                    idle_o
);

  localparam int unsigned IdxW = RINGS > 1 ? $clog2(RINGS) : 1;
  localparam int unsigned Slots = 1024 / DATA_W;  // beats of a batch of eight
  localparam int unsigned SlotW = $clog2(Slots);

  // ------------------------------------------------ requests
  logic             any, go, order_room, req_room;
  logic [RINGS-1:0] gnt;
  logic [IdxW-1:0]  idx;

  weft_arb_rr #(.N(RINGS)) u_arb (
    .clk_i, .rst_ni, .req_i(req_valid_i), .advance_i(go), .valid_o(any), .gnt_o(gnt), .idx_o(idx)
  );
  assign go          = any && order_room && req_room;
  assign req_ready_o = (order_room && req_room) ? gnt : '0;

  weft_skid #(.W(81)) u_req (
    .clk_i, .rst_ni, .in_valid_i(any && order_room), .in_ready_o(req_room),
    .in_data_i({1'b0, 8'd0, req_num_i[idx], 4'd0, req_addr_i[idx]}),
    .out_valid_o(rd_req_valid_o), .out_ready_i(rd_req_ready_i), .out_data_o(rd_req_o)
  );

  logic            o_valid, o_pop;
  logic [IdxW-1:0] o_idx;
  logic [3:0]      o_num;
  weft_fifo #(.W(IdxW + 4), .DEPTH(16)) u_order (
    .clk_i, .rst_ni, .in_valid_i(any && req_room), .in_ready_o(order_room),
    .in_data_i({idx, req_num_i[idx]}),
    .out_valid_o(o_valid), .out_ready_i(o_pop), .out_data_o({o_idx, o_num}), .count_o()
  );

  // ------------------------------------------------ one batch comes in, then goes out
  logic [1023:0]    batch_q;
  logic [SlotW-1:0] slot_q;
  logic             full_q, err_q;
  logic [2:0]       out_q;

  assign rd_rsp_ready_o = !full_q;
  assign o_pop          = full_q && 4'(out_q) + 4'd1 == o_num;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      slot_q <= '0;
      out_q  <= '0;
    end else if (!full_q) begin
      if (rd_rsp_valid_i) begin
        slot_q <= rd_rsp_last_i ? '0 : slot_q + 1'b1;
        full_q <= rd_rsp_last_i;
      end
    end else begin
      out_q <= o_pop ? '0 : out_q + 1'b1;
      if (o_pop) full_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!full_q && rd_rsp_valid_i) begin
      batch_q[slot_q*DATA_W+:DATA_W] <= rd_rsp_data_i;
      err_q                          <= rd_rsp_err_i;
    end
  end

  always_comb begin
    rsp_valid_o = '0;
    if (full_q) rsp_valid_o[o_idx] = 1'b1;
  end
  assign rsp_desc_o = batch_q[128*out_q+:128];
  assign rsp_err_o  = err_q;
  assign idle_o     = !o_valid && !rd_req_valid_o;

  logic unused;
  assign unused = ^rd_rsp_cnt_i;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
