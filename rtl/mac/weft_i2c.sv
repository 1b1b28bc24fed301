// SPDX-License-Identifier: BSD-2-Clause

/// Master on an I2C bus (NXP UM10204): START, a byte each way with its acknowledge, STOP, one command at a time. Others may be
/// masters on the bus as well: it waits for a free bus, follows their clock (3.1.7), sees when it loses the arbitration (3.1.8)
/// and lets go. A slave may stretch the clock (3.1.9). SDA that is low on a bus where nothing moves gets nine clocks and a
/// STOP (3.1.16).
///
/// Pins are open drain: `*_oe_o` pulls a line down, nothing ever drives it up. Inputs are synchronised, and what is shorter than
/// FILTER cycles is not seen.
///
/// A bit takes five units and what the lines need to rise: SCL is low for three, high for two; a START is set up by three and
/// held for two, a STOP is set up by two, three follow. With a unit of 2 us these are the least times of standard mode (100 kHz),
/// with one of 0.5 us those of fast mode (400 kHz).
module weft_i2c #(
  parameter int unsigned UNIT = 500,      ///< cycles of a unit, above FILTER + 4, to 65535; 500: 100 kHz at 250 MHz
  parameter int unsigned FILTER = 13,     ///< cycles, 1 to 255; 50 ns are asked for in fast mode
  parameter int unsigned LIMIT = 17500    ///< units, 40 to 65535, that the clock may be held or the bus stand still; 35 ms, as SMBus has it
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cmd_valid_i,
  output logic       cmd_ready_o,  ///< nothing is under way
  input  logic [1:0] cmd_i,        ///< 0 START or repeated START, 1 write, 2 read, 3 STOP; all but START only on a bus that START got
  input  logic [7:0] data_i,       ///< write: the byte
  input  logic       last_i,       ///< read: not acknowledged
  output logic       rsp_valid_o,  ///< pulse
  output logic [2:0] rsp_o,        ///< 0 done, 1 not acknowledged, 2 arbitration lost, 3 clock held too long, 4 bus stuck; from 2 on the bus is not ours
  output logic [7:0] data_o,       ///< with valid, of a read
  input  logic       scl_i,        ///< asynchronous
  input  logic       sda_i,
  output logic       scl_oe_o,
  output logic       sda_oe_o,
  output logic       idle_o        ///< no command, and the lines are known to be at rest
);

  typedef enum logic [1:0] {CmdStart, CmdWrite, CmdRead, CmdStop} cmd_e;
  typedef enum logic [2:0] {RspDone, RspNack, RspLost, RspSlow, RspStuck} rsp_e;
  // What is being made of a clock pulse.
  typedef enum logic [2:0] {OpStart, OpBits, OpStop, OpFree, OpFreeStop} op_e;
  typedef enum logic [2:0] {
    StIdle,  // the bus is not ours
    StWait,  // for a free bus
    StLow,   // SCL is ours, low
    StRise,  // let go, not high yet
    StHigh,
    StHold,  // SDA is low, SCL still high: START
    StEnd,   // both let go: STOP
    StOwn    // between commands, SCL low
  } state_e;

  // ---------------------------------------------------------------- the lines, filtered
  logic [1:0]      raw;
  logic [1:0]      line_q, was_q;     // {SDA, SCL}
  logic [1:0][7:0] same_q;
  logic            scl, sda;
  weft_sync #(.W(2), .RST(2'b11)) u_in (.clk_i, .rst_ni, .d_i({sda_i, scl_i}), .q_o(raw));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q <= 2'b11;
      was_q  <= 2'b11;
      same_q <= '0;
    end else begin
      was_q <= line_q;
      for (int unsigned i = 0; i < 2; i++) begin
        if (raw[i] == line_q[i]) same_q[i] <= '0;
        else if (same_q[i] == 8'(FILTER - 1)) begin
          line_q[i] <= raw[i];
          same_q[i] <= '0;
        end else same_q[i] <= same_q[i] + 8'd1;
      end
    end
  end
  assign scl = line_q[0];
  assign sda = line_q[1];

  // ---------------------------------------------------------------- who has the bus
  // Free behind a STOP and three units; without one, as after a reset, when both lines have been high for longer than any
  // master leaves them so.
  localparam logic [5:0] Quiet = 6'd32;
  logic [15:0] tick_q;
  logic        tick, busy_q, free;
  logic [5:0]  quiet_q;               // units
  logic [15:0] still_q;               // units without a change, to LIMIT
  assign tick = tick_q == 16'(UNIT - 1);
  assign free = quiet_q == Quiet || (!busy_q && quiet_q >= 6'd4);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tick_q  <= '0;
      busy_q  <= 1'b1;
      quiet_q <= '0;
      still_q <= '0;
    end else begin
      if (quiet_q != Quiet || !cmd_ready_o) tick_q <= tick ? 16'd0 : tick_q + 16'd1;
      if (scl && was_q[0] && sda != was_q[1]) busy_q <= !sda;
      if (!scl || !sda) quiet_q <= '0;
      else if (tick && quiet_q != Quiet) quiet_q <= quiet_q + 6'd1;
      if (line_q != was_q) still_q <= '0;
      else if (tick && still_q != 16'(LIMIT)) still_q <= still_q + 16'd1;
    end
  end

  // ---------------------------------------------------------------- a command
  state_e      state_q;
  op_e         op_q;
  logic        write_q, tried_q, ended, late;
  logic [15:0] div_q;
  logic [15:0] unit_q;                // units since the state began
  logic [18:0] wait_q;                // units of StWait, whatever moves
  logic [3:0]  bit_q;                 // of nine, or of the clocks of OpFree
  logic [8:0]  out_q, in_q;
  logic        sda_first_q;           // SDA as SCL rose; StEnd: it has been high, so that was a STOP
  rsp_e        rsp;
  // At the end of so many units of a state.
  logic        u1, u2, u3;
  assign u1 = unit_q == 16'd0 && div_q == 16'(UNIT - 1);
  assign u2 = unit_q == 16'd1 && div_q == 16'(UNIT - 1);
  assign u3 = unit_q == 16'd2 && div_q == 16'(UNIT - 1);
  assign late = unit_q == 16'(LIMIT);

  // Ours to say in this bit, and high: who pulls it low wins. Not the acknowledge of what was written, nor bits that are read.
  logic own_bit, high_end;
  assign own_bit  = op_q == OpBits && out_q[8] && (write_q ? bit_q != 4'd8 : bit_q == 4'd8);
  // High for long enough, or another master's clock is faster.
  assign high_end = state_q == StHigh && ((op_q == OpStart ? u3 : u2) || !scl);

  always_comb begin
    rsp   = RspDone;
    ended = 1'b0;
    unique case (state_q)
      StWait: begin
        // Still, and not free: SCL low is nobody's to mend, for SDA low nine clocks are tried once.
        ended = still_q == 16'(LIMIT) && !free && (!scl || tried_q);
        rsp   = RspStuck;
        if (wait_q == 19'(8 * LIMIT)) begin
          ended = 1'b1;
          rsp   = RspLost;
        end
      end
      StRise: begin
        ended = late;
        rsp   = op_q == OpFree || op_q == OpFreeStop ? RspStuck : RspSlow;
      end
      StHigh: begin
        if (op_q == OpBits && scl && sda != sda_first_q) begin
          ended = 1'b1;               // somebody else's START or STOP
          rsp   = RspLost;
        end else if (high_end) begin
          unique case (op_q)
            OpStart: begin
              ended = !sda || !scl;   // another master goes on with a bit
              rsp   = RspLost;
            end
            OpBits: begin
              if (own_bit && !sda_first_q) begin
                ended = 1'b1;
                rsp   = RspLost;
              end else begin
                ended = bit_q == 4'd8;
                rsp   = write_q && sda_first_q ? RspNack : RspDone;
              end
            end
            OpStop: begin
              ended = !scl;           // another master, which does not stop
              rsp   = RspLost;
            end
            default: ;
          endcase
        end
      end
      StHold: ended = u2 || !scl;
      StEnd: begin
        // Behind the STOP another master may begin before our three units are over.
        ended = op_q == OpStop && ((unit_q >= 16'd3 && sda_first_q) || unit_q == 16'd8 || (!scl && !sda_first_q));
        rsp   = sda_first_q ? RspDone : scl ? RspStuck : RspLost;  // SDA is low: a slave's, or a master's that goes on
      end
      default: ;
    endcase
  end

  assign cmd_ready_o = state_q == StIdle || state_q == StOwn;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      op_q        <= OpStart;
      write_q     <= 1'b0;
      tried_q     <= 1'b0;
      div_q       <= '0;
      unit_q      <= '0;
      wait_q      <= '0;
      bit_q       <= '0;
      out_q       <= '0;
      in_q        <= '0;
      sda_first_q <= 1'b0;
      scl_oe_o    <= 1'b0;
      sda_oe_o    <= 1'b0;
      rsp_valid_o <= 1'b0;
      rsp_o       <= '0;
    end else begin
      rsp_valid_o <= ended;
      if (ended) rsp_o <= rsp;
      if (!cmd_ready_o) begin
        div_q <= div_q == 16'(UNIT - 1) ? 16'd0 : div_q + 16'd1;
        if (div_q == 16'(UNIT - 1) && !late) unit_q <= unit_q + 16'd1;
      end
      unique case (state_q)
        StIdle, StOwn: begin
          div_q  <= '0;
          unit_q <= '0;
          wait_q <= '0;
          bit_q  <= '0;
          if (cmd_valid_i) begin
            tried_q <= 1'b0;
            write_q <= cmd_i == CmdWrite;
            out_q   <= cmd_i == CmdWrite ? {data_i, 1'b1} : {8'hff, last_i};
            op_q    <= cmd_i == CmdStart ? OpStart : cmd_i == CmdStop ? OpStop : OpBits;
            state_q <= state_q == StIdle ? StWait : StLow;
          end
        end
        StWait: begin
          if (div_q == 16'(UNIT - 1)) wait_q <= wait_q + 19'd1;
          if (ended) state_q <= StIdle;
          else if (free) begin
            sda_oe_o <= 1'b1;
            state_q  <= StHold;
            div_q    <= '0;
            unit_q   <= '0;
          end else if (still_q == 16'(LIMIT)) begin
            tried_q  <= 1'b1;
            op_q     <= OpFree;
            scl_oe_o <= 1'b1;
            state_q  <= StLow;
            div_q    <= '0;
            unit_q   <= '0;
          end
        end
        StLow: begin
          if (u1) sda_oe_o <= op_q == OpBits ? !out_q[8] : op_q == OpStop || op_q == OpFreeStop;
          if (u3) begin
            scl_oe_o <= 1'b0;
            state_q  <= StRise;
            div_q    <= '0;
            unit_q   <= '0;
          end
        end
        StRise: begin
          sda_first_q <= sda;
          if (scl) begin
            state_q <= StHigh;
            div_q   <= '0;
            unit_q  <= '0;
          end
        end
        StHigh: begin
          if (high_end) begin
            div_q  <= '0;
            unit_q <= '0;
            unique case (op_q)
              OpStart: begin
                sda_oe_o <= 1'b1;
                state_q  <= StHold;
              end
              OpBits: begin
                scl_oe_o <= 1'b1;
                in_q     <= {in_q[7:0], sda_first_q};
                out_q    <= {out_q[7:0], 1'b1};
                bit_q    <= bit_q + 4'd1;
                state_q  <= bit_q == 4'd8 ? StOwn : StLow;
              end
              OpFree: begin
                scl_oe_o <= 1'b1;
                bit_q    <= bit_q + 4'd1;
                state_q  <= StLow;
                // All nine, also when SDA is high before: it may be a one of a byte that a slave has not sent to its end.
                if (bit_q == 4'd8) op_q <= OpFreeStop;
              end
              default: begin
                sda_oe_o    <= 1'b0;
                sda_first_q <= 1'b0;
                state_q     <= StEnd;
              end
            endcase
          end
        end
        StHold: if (ended) begin
          scl_oe_o <= 1'b1;
          state_q  <= StOwn;
        end
        StEnd: begin
          if (sda && scl) sda_first_q <= 1'b1;
          if (ended) state_q <= StIdle;
          else if (op_q == OpFreeStop && u3) begin
            op_q    <= OpStart;
            state_q <= StWait;
          end
        end
        default: state_q <= StIdle;
      endcase
      // What was not done leaves the bus.
      if (ended && (rsp == RspLost || rsp == RspSlow || rsp == RspStuck)) begin
        state_q  <= StIdle;
        scl_oe_o <= 1'b0;
        sda_oe_o <= 1'b0;
      end
    end
  end

  assign data_o = in_q[8:1];
  assign idle_o = state_q == StIdle && !cmd_valid_i && !rsp_valid_o && quiet_q == Quiet && line_q == raw && line_q == was_q;

`ifndef SYNTHESIS
  initial begin
    if (FILTER < 1 || FILTER > 255) $fatal(1, "weft_i2c: FILTER");
    if (UNIT <= FILTER + 4 || UNIT > 65535) $fatal(1, "weft_i2c: UNIT");
    if (LIMIT < 40 || LIMIT > 65535) $fatal(1, "weft_i2c: LIMIT");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Only START begins on a bus that is not ours.
      assert (!(cmd_valid_i && state_q == StIdle) || cmd_i == CmdStart);
      // A bus that is not ours is not touched.
      assert (state_q != StIdle || (!scl_oe_o && !sda_oe_o));
      assert (!(rsp_valid_o && rsp_o >= RspLost) || (!scl_oe_o && !sda_oe_o));
    end
  end
`endif

endmodule
