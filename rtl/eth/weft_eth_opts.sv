// SPDX-License-Identifier: BSD-2-Clause

/// Timestamp (RFC 7323) and SACK blocks (RFC 2018) of TCP options. Options as hosts send them in data and ACKs (none;
/// NOP NOP timestamp; NOP NOP SACK; both) are answered in the cycle in which they come. Any other order is walked
/// through, one option or up to four NOPs a cycle, for at most STEPS cycles; what comes behind is not looked at, so
/// that a peer that sends odd options holds up others for a few cycles only; and while frames pile up (`hurry_i`) none
/// are walked through: such a frame counts as one without options. Of options of one kind the first
/// counts; an option that is longer than the rest, or shorter than two bytes, ends the list.
module weft_eth_opts #(
  parameter int unsigned STEPS = 8  ///< 1 to 15
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         valid_i,   ///< options stand there; stable until taken
  input  logic [5:0]   len_i,     ///< bytes, 0 to 40
  input  logic [319:0] opt_i,     ///< first byte in bits 7:0
  input  logic         hurry_i,   ///< no time for an order of their own
  output logic         done_o,    ///< the outputs are theirs
  input  logic         take_i,    ///< they go; only while done_o
  output logic         ts_o,
  output logic [31:0]  ts_val_o,
  output logic [31:0]  ts_ecr_o,
  output logic [2:0]   n_sack_o,
  output logic [255:0] sack_o,    ///< weft_dp_pkg::sack_t each, first block in bits 63:0
  output logic         stat_slow_o, ///< pulse: options in an order of their own were walked through
  output logic         stat_skip_o  ///< pulse: they were not looked at
);

  function automatic logic [31:0] be32(input logic [31:0] b);
    be32 = {b[7:0], b[15:8], b[23:16], b[31:24]};
  endfunction

  typedef enum logic [1:0] {StIdle, StWalk, StDone} state_e;
  state_e state_q;

  // ---------------------------------------------------------------- as hosts send them
  logic       fast_ts, sack_at4, sack_at16, fast, walk;
  logic [2:0] blocks4, blocks16;
  assign fast_ts   = opt_i[31:0] == 32'h0a08_0101 && len_i >= 6'd12;
  assign blocks4   = opt_i[29:27];      // length 2 + 8 n
  assign blocks16  = opt_i[96+29:96+27];
  assign sack_at4  = opt_i[23:0] == 24'h05_0101 && opt_i[26:24] == 3'd2 && opt_i[31:30] == '0 && blocks4 != '0
                     && 7'(len_i) == 7'd4 + {1'b0, blocks4, 3'b0};
  assign sack_at16 = fast_ts && opt_i[96+:24] == 24'h05_0101 && opt_i[96+24+:3] == 3'd2 && opt_i[96+30+:2] == '0
                     && blocks16 != '0 && 7'(len_i) == 7'd16 + {1'b0, blocks16, 3'b0};
  assign walk      = state_q == StIdle && valid_i && !fast && !hurry_i;
  assign fast      = len_i == '0 || (fast_ts && len_i == 6'd12) || sack_at4 || sack_at16;

  // ---------------------------------------------------------------- any other order
  logic [319:0] o_q;
  logic [5:0]   left_q, step;
  logic [3:0]   n_q;
  logic         ts_q, ends, is_ts, is_sack;
  logic [31:0]  val_q, ecr_q;
  logic [2:0]   sacks_q;
  logic [255:0] sack_q;
  logic [7:0]   kind, olen;
  assign kind = o_q[7:0];
  assign olen = o_q[15:8];
  always_comb begin
    ends    = 1'b0;
    is_ts   = 1'b0;
    is_sack = 1'b0;
    step    = 6'd1;
    if (kind == 8'd1) begin
      if (o_q[31:8] == 24'h01_0101) step = 6'd4;
      else if (o_q[23:8] == 16'h0101) step = 6'd3;
      else if (o_q[15:8] == 8'h01) step = 6'd2;
    end else begin
      step    = olen[5:0];
      ends    = kind == 8'd0 || left_q < 6'd2 || olen < 8'd2 || olen > 8'(left_q);
      is_ts   = !ends && kind == 8'd8 && olen == 8'd10;
      is_sack = !ends && kind == 8'd5 && olen[2:0] == 3'd2 && olen >= 8'd10 && olen <= 8'd34;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      stat_slow_o <= 1'b0;
      stat_skip_o <= 1'b0;
    end else begin
      stat_slow_o <= walk;
      stat_skip_o <= state_q == StIdle && take_i && !fast;
      unique case (state_q)
        StIdle:  if (walk) state_q <= StWalk;
        StWalk:  if (ends || left_q <= step || n_q == 4'd1) state_q <= StDone;
        default: if (take_i) state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      if (walk) begin
        o_q     <= opt_i;
        left_q  <= len_i;
        n_q     <= 4'(STEPS);
        ts_q    <= 1'b0;
        sacks_q <= '0;
      end
    end else if (state_q == StWalk) begin
      o_q    <= o_q >> {step, 3'b0};
      left_q <= left_q - step;
      n_q    <= n_q - 4'd1;
      if (is_ts && !ts_q) begin
        ts_q  <= 1'b1;
        val_q <= be32(o_q[16+:32]);
        ecr_q <= be32(o_q[48+:32]);
      end
      if (is_sack && sacks_q == '0) begin
        sacks_q <= olen[5:3];
        for (int unsigned i = 0; i < 4; i++) sack_q[64*i+:64] <= {be32(o_q[16+64*i+:32]), be32(o_q[48+64*i+:32])};
      end
    end
  end

  // ---------------------------------------------------------------- answer
  logic [255:0] raw;
  assign raw    = fast_ts ? 256'(opt_i[319:128]) : opt_i[32+:256];
  assign done_o = valid_i && (state_q == StDone || (state_q == StIdle && (fast || hurry_i)));
  always_comb begin
    ts_o     = 1'b0;
    ts_val_o = '0;
    ts_ecr_o = '0;
    n_sack_o = '0;
    sack_o   = 'x;
    if (state_q == StDone) begin
      ts_o     = ts_q;
      ts_val_o = val_q;
      ts_ecr_o = ecr_q;
      n_sack_o = sacks_q;
      sack_o   = sack_q;
    end else if (valid_i && fast) begin
      ts_o     = fast_ts;
      ts_val_o = be32(opt_i[32+:32]);
      ts_ecr_o = be32(opt_i[64+:32]);
      n_sack_o = sack_at16 ? blocks16 : sack_at4 ? blocks4 : 3'd0;
      for (int unsigned i = 0; i < 4; i++) sack_o[64*i+:64] = {be32(raw[64*i+:32]), be32(raw[64*i+32+:32])};
    end
  end

`ifndef SYNTHESIS
  initial if (STEPS < 1 || STEPS > 15) $fatal(1, "weft_eth_opts: STEPS");
  always_ff @(posedge clk_i) if (rst_ni && take_i) assert (done_o);
`endif

endmodule
