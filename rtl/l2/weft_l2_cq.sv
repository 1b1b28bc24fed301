// SPDX-License-Identifier: BSD-2-Clause

/// Completion rings and interrupts of all pairs. Ring 2 * pair is transmit, 2 * pair + 1 receive; a
/// completion ring has as many entries as its descriptor ring and cannot overflow.
///
/// An armed ring interrupts once, behind the first completion that software has not seen: arming
/// with a consumer index that is not the number of completions written fires at once. Completions of
/// a ring that is disabled are thrown away.
module weft_l2_cq #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned N_L2Q = 1,    ///< pairs of rings
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned PairW = N_L2Q > 1 ? $clog2(N_L2Q) : 1,
  localparam int unsigned Rings = 2 * N_L2Q
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic [Rings-1:0]        load_i,
  input  logic [Rings-1:0]        en_i,
  input  logic [Rings-1:0][63:0]  base_i,
  input  logic [Rings-1:0][3:0]   log2_i,
  input  logic [Rings-1:0][15:0]  vector_i,     ///< 0xffff: none
  input  logic [Rings-1:0]        arm_i,        ///< pulse
  input  logic [1:0][15:0]        arm_index_i,  ///< 0 for transmit rings, 1 for receive rings

  input  logic                    tx_valid_i,
  output logic                    tx_ready_o,
  input  logic [PairW-1:0]        tx_pair_i,
  input  logic [15:0]             tx_index_i,
  input  logic                    tx_err_i,
  input  logic                    rx_valid_i,
  output logic                    rx_ready_o,
  input  logic [PairW-1:0]        rx_pair_i,
  input  weft_abi_pkg::l2_cqe_t   rx_cqe_i,

  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    irq_valid_o,
  input  logic                    irq_ready_i,
  output logic [10:0]             irq_vector_o,

  output logic [Rings-1:0]        done_o,       ///< pulse: a completion is written or thrown away
  output logic                    idle_o
);

  localparam int unsigned RingW = $clog2(Rings);

  typedef enum logic [1:0] {StPick, StMake, StWrite, StDone} state_e;

  state_e                 state_q;
  logic                   turn_q, take_rx;     // receive goes first when turn_q
  logic [RingW-1:0]       ring_q;
  weft_abi_pkg::l2_cqe_t  cqe_q, tx_cqe;
  logic [Rings-1:0][15:0] pi_q;
  logic [Rings-1:0]       armed_q, fire_q, written;
  logic [63:0]            addr_q;
  logic [127:0]           word_q;
  logic                   half_q;
  logic [15:0]            pi, mask;

  assign take_rx    = rx_valid_i && (turn_q || !tx_valid_i);
  assign rx_ready_o = state_q == StPick && take_rx;
  assign tx_ready_o = state_q == StPick && !take_rx;

  always_comb begin
    tx_cqe       = '0;
    tx_cqe.index = tx_index_i;
    tx_cqe.error = tx_err_i;
  end

  assign pi   = pi_q[ring_q];
  assign mask = (16'd1 << log2_i[ring_q]) - 16'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StPick;
      turn_q  <= 1'b0;
      half_q  <= 1'b0;
      ring_q  <= '0;
    end else begin
      unique case (state_q)
        StPick: begin
          if (rx_valid_i || tx_valid_i) begin
            ring_q  <= take_rx ? rx_ring : tx_ring;
            turn_q  <= !take_rx;
            state_q <= StMake;
          end
        end
        StMake: state_q <= en_i[ring_q] ? StWrite : StDone;
        StWrite: begin
          if (wr_ready_i) begin
            half_q <= !wr_last_o;
            if (wr_last_o) state_q <= StDone;
          end
        end
        default: state_q <= StPick;
      endcase
    end
  end

  logic [RingW-1:0] rx_ring, tx_ring;
  if (N_L2Q > 1) begin : gen_pairs
    assign rx_ring = {rx_pair_i, 1'b1};
    assign tx_ring = {tx_pair_i, 1'b0};
  end else begin : gen_pair
    assign rx_ring = 1'b1;
    assign tx_ring = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StPick) cqe_q <= take_rx ? rx_cqe_i : tx_cqe;
    if (state_q == StMake) begin
      addr_q      <= base_i[ring_q] + {44'd0, pi & mask, 4'd0};
      word_q      <= cqe_q;
      word_q[127] <= !pi[log2_i[ring_q]];
    end
  end

  // ------------------------------------------------ 16 bytes
  assign wr_valid_o    = state_q == StWrite;
  assign wr_hdr_o.addr = addr_q;
  assign wr_hdr_o.len  = 16'd16;
  if (DATA_W == 64) begin : gen_narrow
    assign wr_data_o = half_q ? word_q[127:64] : word_q[63:0];
    assign wr_cnt_o  = CntW'(8);
    assign wr_last_o = half_q;
  end else begin : gen_wide
    assign wr_data_o = DATA_W'(word_q);
    assign wr_cnt_o  = CntW'(16);
    assign wr_last_o = 1'b1;
  end

  // ------------------------------------------------ indices, arming
  always_comb begin
    written = '0;
    done_o  = '0;
    if (state_q == StDone) begin
      written[ring_q] = en_i[ring_q];
      done_o[ring_q]  = 1'b1;
    end
  end

  logic [Rings-1:0] irq_req, irq_gnt, irq_take;
  logic [RingW-1:0] irq_idx;
  logic             irq_any, irq_room;

  for (genvar r = 0; r < Rings; r++) begin : gen_ring
    logic        moved, unseen;
    logic [15:0] next;
    assign next   = pi_q[r] + 16'(written[r]);
    assign moved  = written[r];
    assign unseen = arm_i[r] && arm_index_i[r%2] != next;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        pi_q[r]    <= '0;
        armed_q[r] <= 1'b0;
        fire_q[r]  <= 1'b0;
      end else if (load_i[r]) begin
        pi_q[r]    <= '0;
        armed_q[r] <= 1'b0;
        fire_q[r]  <= 1'b0;
      end else begin
        pi_q[r] <= next;
        if (arm_i[r]) armed_q[r] <= en_i[r] && !unseen;
        else if (moved) armed_q[r] <= 1'b0;
        if (unseen ? en_i[r] : (moved && armed_q[r] && !arm_i[r])) fire_q[r] <= 1'b1;
        else if (irq_take[r]) fire_q[r] <= 1'b0;
      end
    end
    assign irq_req[r] = fire_q[r];
  end

  weft_arb_rr #(.N(Rings)) u_irq (
    .clk_i, .rst_ni, .req_i(irq_req), .advance_i(irq_room), .valid_o(irq_any), .gnt_o(irq_gnt),
    .idx_o(irq_idx)
  );
  assign irq_take = irq_room ? irq_gnt : '0;
  weft_skid #(.W(11)) u_vector (
    .clk_i, .rst_ni, .in_valid_i(irq_any && vector_i[irq_idx] != 16'hffff), .in_ready_o(irq_room),
    .in_data_i(vector_i[irq_idx][10:0]),
    .out_valid_o(irq_valid_o), .out_ready_i(irq_ready_i), .out_data_o(irq_vector_o)
  );

  assign idle_o = state_q == StPick && !tx_valid_i && !rx_valid_i && fire_q == '0 && !irq_valid_o;

  logic unused;
  assign unused = ^{half_q, vector_i, tx_pair_i, rx_pair_i};

endmodule
