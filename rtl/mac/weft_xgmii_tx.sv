// SPDX-License-Identifier: BSD-2-Clause

/// Frames to XGMII (IEEE 802.3 clause 46) of 64 bits: preamble, terminate, gaps. A frame starts in
/// lane 0
/// or 4. The gap behind a frame, terminate included, is 12 bytes on average while frames follow
/// each
/// other, 9 to 15 each: the deficit idle count (46.3.1.4) of what was left out stays within 0 to 3.
///
/// Link fault signalling (46.3.4): while the receiver sees local fault, remote fault is sent,
/// while it sees
/// remote fault, idle; frames that are offered are taken at the rate of the line and lost.
module weft_xgmii_tx (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        local_fault_i,
  input  logic        remote_fault_i,  ///< or: nothing is to be sent
  input  logic        in_valid_i,      ///< must stay high within a frame
  output logic        in_ready_o,
  input  logic [63:0] in_data_i,
  input  logic [3:0]  in_cnt_i,        ///< 1 to 8
  input  logic        in_last_i,
  output logic [63:0] xgmii_txd_o,
  output logic [7:0]  xgmii_txc_o
);

  localparam logic [63:0] Idle = 64'h0707_0707_0707_0707;
  localparam logic [63:0] Preamble = 64'hd555_5555_5555_55fb;
  localparam logic [63:0] RemoteFault = 64'h0200_009c_0200_009c;

  typedef enum logic [2:0] {
    StIdle, StData, StTail, StGap12, StGap16, StGap20, StStart4
  } state_e;

  state_e      state_q;
  logic        shift_q, blank_q, fault;
  logic [31:0] carry_q;
  logic [2:0]  rem_q;          // StTail: bytes that are left in carry_q
  logic [1:0]  deficit_q;
  logic [1:0]  change_q;       // of the deficit, if the next frame starts at the earliest place
  logic        longer_q;

  // ---------------------------------------------------------------- this word
  logic [63:0] word, ends;     // ends: the bytes in front of the terminate
  logic [7:0]  ctrl;
  logic        term;
  logic [2:0]  at;             // lane of the terminate

  assign in_ready_o = state_q == StData;
  always_comb begin
    term = 1'b0;
    at   = 3'd0;
    ends = in_data_i;
    unique case (state_q)
      StData: begin
        if (shift_q) begin
          ends = {in_data_i[31:0], carry_q};
          term = in_last_i && in_cnt_i < 4'd4;
          at   = {1'b1, in_cnt_i[1:0]};
        end else begin
          term = in_last_i && !in_cnt_i[3];
          at   = in_cnt_i[2:0];
        end
      end
      StTail: begin
        ends = {32'd0, carry_q};
        term = 1'b1;
        at   = rem_q;
      end
      default: ;
    endcase
    word = Idle;
    ctrl = 8'hff;
    if (state_q == StData || state_q == StTail) begin
      for (int unsigned i = 0; i < 8; i++) begin
        if (!term || 3'(i) < at) begin
          word[8*i+:8] = ends[8*i+:8];
          ctrl[i]      = 1'b0;
        end else if (3'(i) == at) begin
          word[8*i+:8] = 8'hfd;
        end
      end
    end else if (state_q == StIdle && in_valid_i) begin
      word = Preamble;
      ctrl = 8'h01;
    end else if ((state_q == StGap12 || state_q == StStart4) && in_valid_i) begin
      word = {Preamble[31:0], Idle[31:0]};
      ctrl = 8'h1f;
    end
  end

  // ---------------------------------------------------------------- the next one
  logic shorten;  // the deficit stays below 4 if the gap is shortened
  assign shorten = {1'b0, deficit_q} + {1'b0, at[1:0]} < 3'd4;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      shift_q   <= 1'b0;
      deficit_q <= '0;
      change_q  <= '0;
      longer_q  <= 1'b0;
      rem_q     <= '0;
    end else begin
      unique case (state_q)
        StIdle, StGap12, StStart4: begin
          state_q <= in_valid_i ? StData : StIdle;
          shift_q <= state_q != StIdle;
          // A frame that comes later found its gap long enough as it is.
          if (in_valid_i) deficit_q <= longer_q ? deficit_q - change_q : deficit_q + change_q;
          change_q <= '0;
        end
        StData: begin
          if (in_last_i && !term) begin
            state_q <= StTail;
            rem_q   <= shift_q ? in_cnt_i[2:0] - 3'd4 : 3'd0;
          end
        end
        StGap16: state_q <= StIdle;
        StGap20: state_q <= StStart4;
        default: ;
      endcase
      // Bytes from the start of this word to the next one's start: 12, 16 or 20.
      if (term) begin
        state_q  <= shorten ? (at[2] ? StGap16 : StGap12) : (at[2] ? StGap20 : StGap16);
        longer_q <= !shorten;
        change_q <= shorten ? at[1:0] : 2'd0 - at[1:0];
      end
    end
  end
  always_ff @(posedge clk_i) carry_q <= state_q == StData ? in_data_i[63:32] : Preamble[63:32];

  // ---------------------------------------------------------------- faults
  assign fault = local_fault_i || remote_fault_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      blank_q     <= 1'b1;
      xgmii_txd_o <= Idle;
      xgmii_txc_o <= 8'hff;
    end else begin
      // A frame that was begun during a fault is not shown when the fault ends.
      blank_q     <= fault || (blank_q && state_q != StIdle);
      xgmii_txd_o <= local_fault_i ? RemoteFault : fault || (blank_q && state_q != StIdle)
        ? Idle : word;
      xgmii_txc_o <= local_fault_i ? 8'h11 : fault || (blank_q && state_q != StIdle) ? 8'hff : ctrl;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni
      && state_q == StData) assert (in_valid_i) else $error("weft_xgmii_tx: a gap inside a frame");
  end
`endif

endmodule
