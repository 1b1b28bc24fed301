// SPDX-License-Identifier: BSD-2-Clause

/// The module in the cage of a simulated card: the two-wire side of an SFP+ for 10GBASE-SR, 256 bytes at address 50h
/// (SFF-8472, identification) and 256 at 51h (diagnostics, internally calibrated). It is no part of the card. Bytes can be read,
/// and written at 51h from 127 on as SFF-8472 allows; the one page there is has number 0, whatever is selected.
module weft_sim_module (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic scl_i,      ///< the lines
  input  logic sda_i,
  output logic sda_oe_o,
  input  logic link_i,     ///< light comes in
  input  logic dark_i      ///< TX_DISABLE
);

  // ---------------------------------------------------------------- what is in it
  /* verilator lint_off BLKSEQ */
  logic [7:0] id [256];    // 50h, SFF-8472 table 4-1
  logic [7:0] ddm [256];   // 51h, table 4-2
  task automatic text(input int unsigned at, input int unsigned n, input logic [127:0] s);
    for (int unsigned i = 0; i < n; i++) id[8'(at+i)] = s[7'(8*(n-1-i))+:8];
  endtask
  task automatic word(input int unsigned at, input logic [15:0] v);
    ddm[8'(at)]   = v[15:8];
    ddm[8'(at+1)] = v[7:0];
  endtask
  task automatic word_id(input int unsigned at, input logic [15:0] v);
    id[8'(at)]   = v[15:8];
    id[8'(at+1)] = v[7:0];
  endtask
  logic [7:0] sum;
  initial begin
    for (int i = 0; i < 256; i++) begin
      id[i]  = 8'h00;
      ddm[i] = 8'h00;
    end
    id[0]  = 8'h03;   // SFP (SFF-8024 table 4-1)
    id[1]  = 8'h04;   // defined by this map
    id[2]  = 8'h07;   // LC (SFF-8024 table 4-3)
    id[3]  = 8'h10;   // 10GBASE-SR
    id[11] = 8'h06;   // 64B/66B
    id[12] = 8'd103;  // 10.3 Gb/s
    id[16] = 8'd8;    // 80 m of OM2
    id[17] = 8'd3;    // 30 m of OM1
    id[19] = 8'd30;   // 300 m of OM3
    text(20, 16, "Weft simulation ");
    text(40, 16, "WSIM-10G-SR     ");
    text(56, 4, 128'("1   "));
    word_id(60, 16'd850);
    id[65] = 8'h1a;   // TX_DISABLE, TX_FAULT, LOS
    text(68, 16, "SIM0000001      ");
    text(84, 8, 128'("260101  "));
    id[92] = 8'h68;   // diagnostics, internally calibrated, average power
    id[93] = 8'hb0;   // alarms, TX_DISABLE and LOS by software
    id[94] = 8'h08;   // SFF-8472 12.0
    sum = '0;
    for (int i = 0; i < 63; i++) sum = sum + id[i];
    id[63] = sum;
    sum = '0;
    for (int i = 64; i < 95; i++) sum = sum + id[i];
    id[95] = sum;
    word(0, 16'h4b00);   // 75 to -5 C, alarm and warning
    word(2, 16'hfb00);
    word(4, 16'h4600);
    word(6, 16'h0000);
    word(8, 16'd36300);  // 3.63 to 2.97 V
    word(10, 16'd29700);
    word(12, 16'd34600);
    word(14, 16'd31300);
    word(16, 16'd6000);  // 12 to 2 mA, in 2 uA
    word(18, 16'd1000);
    word(20, 16'd5500);
    word(22, 16'd1500);
    word(24, 16'd10000); // 1 to 0.1 mW, in 0.1 uW
    word(26, 16'd1000);
    word(28, 16'd7943);
    word(30, 16'd1259);
    word(32, 16'd10000);
    word(34, 16'd100);
    word(36, 16'd7943);
    word(38, 16'd200);
    sum = '0;
    for (int i = 0; i < 95; i++) sum = sum + ddm[i];
    ddm[95] = sum;
    word(96, 16'h2380);  // 35.5 C
    word(98, 16'd33000); // 3.3 V
  end
  function automatic logic [7:0] at(input logic hi, input logic [7:0] a);
    logic [15:0] tx, rx;
    tx = dark_i ? 16'd0 : 16'd5012;   // -3 dBm
    rx = link_i ? 16'd3981 : 16'd0;   // -4 dBm
    at = !hi ? id[a] : ddm[a];
    if (hi) unique case (a)
      8'd100: at = dark_i ? 8'd0 : 8'h0b;   // 6 mA
      8'd101: at = dark_i ? 8'd0 : 8'hb8;
      8'd102: at = tx[15:8];
      8'd103: at = tx[7:0];
      8'd104: at = rx[15:8];
      8'd105: at = rx[7:0];
      8'd110: at = {dark_i, 5'd0, !link_i, 1'b0};
      default: ;
    endcase
  endfunction
  /* verilator lint_on BLKSEQ */

  // ---------------------------------------------------------------- a slave by the edges of the lines
  typedef enum logic [2:0] {StRest, StAddr, StOffset, StWrite, StGive, StWhat} state_e;
  state_e     state_q;
  logic       scl_q, sda_q, hi_q;
  logic [3:0] bit_q;        // of nine; the fall behind a START is none
  logic [7:0] in_q, ptr_q, out_q, first;
  assign first = at(hi_q, ptr_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StRest;
      scl_q    <= 1'b1;
      sda_q    <= 1'b1;
      hi_q     <= 1'b0;
      bit_q    <= '0;
      in_q     <= '0;
      ptr_q    <= '0;
      out_q    <= '0;
      sda_oe_o <= 1'b0;
    end else begin
      scl_q <= scl_i;
      sda_q <= sda_i;
      if (scl_i && scl_q && sda_q && !sda_i) begin
        state_q  <= StAddr;
        bit_q    <= 4'd15;
        sda_oe_o <= 1'b0;
      end else if (scl_i && scl_q && !sda_q && sda_i) begin
        state_q  <= StRest;
        sda_oe_o <= 1'b0;
      end else if (scl_i && !scl_q && state_q != StRest) begin
        if (bit_q != 4'd8) in_q <= {in_q[6:0], sda_i};
        else if (state_q == StGive && sda_i) state_q <= StRest;   // not acknowledged: it was the last
      end else if (!scl_i && scl_q && state_q != StRest) begin
        bit_q    <= bit_q == 4'd8 ? 4'd0 : bit_q + 4'd1;
        sda_oe_o <= 1'b0;
        if (state_q == StGive && bit_q != 4'd7) begin
          out_q    <= {out_q[6:0], 1'b0};
          sda_oe_o <= !out_q[7];
        end
        if (bit_q == 4'd7) begin
          unique case (state_q)
            StAddr: begin
              hi_q <= in_q[1];
              if (in_q[7:2] == 6'b101000) begin
                sda_oe_o <= 1'b1;
                state_q  <= in_q[0] ? StWhat : StOffset;
              end else state_q <= StRest;
            end
            StOffset: begin
              ptr_q    <= in_q;
              sda_oe_o <= 1'b1;
              state_q  <= StWrite;
            end
            StWrite: begin
              sda_oe_o <= hi_q && ptr_q >= 8'd127;
              ptr_q <= ptr_q + 8'd1;
            end
            StGive: begin
              // The master's acknowledge comes; the next byte is ready by then.
              out_q <= at(hi_q, ptr_q);
              ptr_q <= ptr_q + 8'd1;
            end
            default: ;
          endcase
        end else if (bit_q == 4'd8 && state_q == StWhat) begin
          // The first byte, behind the acknowledge of the address.
          state_q  <= StGive;
          sda_oe_o <= !first[7];
          out_q    <= {first[6:0], 1'b0};
          ptr_q    <= ptr_q + 8'd1;
        end
      end
    end
  end
endmodule
