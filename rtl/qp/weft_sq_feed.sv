// SPDX-License-Identifier: BSD-2-Clause

/// Offers the WQEs of a lane's first buffer to the build pipe: a batch of up to 16 items, one every second cycle,
/// so that they make one run. A WQE that needs several FPDUs is offered several times; what build does not need it lets go
/// (the index says so). The last item of a batch carries the token with which the lane gets its turn back.
// lint: -GN_SLOT=256 -GN_LANE=16
module weft_sq_feed #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_LANE = 16,
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned LnW = $clog2(N_LANE)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 e_valid_i,
  output logic                 e_ready_o,
  input  logic [LnW-1:0]       e_lane_i,
  input  logic [SlW-1:0]       e_slot_i,
  input  logic [LnW-1:0]       e_buf_i,
  input  logic [4:0]           e_n_i,
  input  logic [4:0]           e_pos_i,
  input  logic [15:0]          e_index_i,
  input  logic                 go_i,        ///< build has room for what comes of an item

  output logic                 dig_re_o,
  output logic [LnW+3:0]       dig_addr_o,
  input  weft_sq_pkg::digest_t dig_i,
  input  logic [1:0]           dig_stride_i,
  input  logic                 bad_i,       ///< the read of buffer bad_buf_o failed
  output logic [LnW-1:0]       bad_buf_o,

  output logic                 in_valid_o,
  input  logic                 in_ready_i,
  output logic [SlW-1:0]       in_slot_o,
  output weft_sq_pkg::item_t   in_o,
  output logic                 lock_o,      ///< a batch is being offered: no other batch now
  output logic                 idle_o
);

  typedef enum logic [1:0] {StIdle, StOffer, StNext} state_e;
  state_e         state_q;
  logic [LnW-1:0] lane_q, buf_q;
  logic [SlW-1:0] slot_q;
  logic [4:0]     n_q, pos_q;
  logic [15:0]    index_q;
  logic [3:0]     cnt_q;     // items of the batch so far
  logic [3:0]     rep_q;     // times that this WQE was offered
  logic           take, more_rep, last;
  logic [21:0]    reps;

  assign e_ready_o  = state_q == StIdle;
  assign dig_re_o   = (state_q == StIdle && e_valid_i) || state_q == StNext;
  assign dig_addr_o = state_q == StIdle ? {e_buf_i, e_pos_i[3:0]} : {buf_q, pos_q[3:0]};
  assign bad_buf_o  = buf_q;

  // Further FPDUs: one for each 1,024 bytes is never too few for a batch, as FPDUs are larger or the limit ends it.
  assign reps     = (dig_i.inl || dig_i.op == 4'(weft_abi_pkg::SQ_OPCODE_READ)) ? '0 : dig_i.len[31:10];
  assign more_rep = 22'(rep_q) < reps;
  assign last     = cnt_q == 4'd15 || (!more_rep && pos_q + 5'd1 == n_q);
  assign take     = in_valid_o && in_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (e_valid_i) state_q <= StOffer;
        StOffer: if (take) state_q <= last ? StIdle : StNext;
        default: state_q <= StOffer;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      lane_q  <= e_lane_i;
      buf_q   <= e_buf_i;
      slot_q  <= e_slot_i;
      n_q     <= e_n_i;
      pos_q   <= e_pos_i;
      index_q <= e_index_i;
      cnt_q   <= '0;
      rep_q   <= '0;
    end else if (take) begin
      cnt_q <= cnt_q + 4'd1;
      if (more_rep) begin
        rep_q <= rep_q + 4'd1;
      end else begin
        rep_q   <= '0;
        pos_q   <= pos_q + 5'd1;
        index_q <= index_q + 16'd1;
      end
    end
  end

  assign in_valid_o = state_q == StOffer && go_i;
  assign in_slot_o  = slot_q;
  assign lock_o     = state_q != StIdle;
  always_comb begin
    in_o        = '0;
    in_o.kind   = weft_sq_pkg::ItWqe;
    in_o.sob    = cnt_q == '0;
    in_o.eob    = last;
    in_o.lane   = 7'(lane_q);
    in_o.ref_no = 13'({buf_q, 4'(pos_q[3:0] << dig_stride_i)});
    in_o.index  = index_q;
    in_o.d      = dig_i;
    if (bad_i) in_o.d.status = 4'(weft_abi_pkg::WC_STATUS_FATAL_ERR);
  end
  assign idle_o = state_q == StIdle && !e_valid_i;


endmodule
