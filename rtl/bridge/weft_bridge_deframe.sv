// SPDX-License-Identifier: BSD-2-Clause

/// Bytes of the line to bytes of frames: flags, escapes, CRC (docs/bridge.md, "Frames"). Whatever came before, the first flag starts a
/// frame. A byte every cycle; there is no ready.
module weft_bridge_deframe (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       in_valid_i,
  input  logic [7:0] in_data_i,
  output logic       valid_o,    ///< registered: a byte of the frame, its CRC's too
  output logic [7:0] data_o,
  output logic       end_o,      ///< registered pulse, behind the last byte: a frame that was not empty has ended
  output logic       good_o      ///< with end: its CRC is right, nothing in it was torn
);

  logic        hunt_q, esc_q, bad_q, any_q, flag, esc;
  logic [7:0]  data;
  logic [31:0] crc_q, crc;

  assign flag = in_data_i == weft_bridge_pkg::Flag;
  assign esc  = in_data_i == weft_bridge_pkg::Escape;
  assign data = esc_q ? in_data_i ^ 8'h20 : in_data_i;
  weft_bridge_crc u_crc (.crc_i(crc_q), .data_i(data), .crc_o(crc));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hunt_q  <= 1'b1;
      esc_q   <= 1'b0;
      bad_q   <= 1'b0;
      any_q   <= 1'b0;
      crc_q   <= '1;
      valid_o <= 1'b0;
      end_o   <= 1'b0;
      good_o  <= 1'b0;
    end else begin
      valid_o <= in_valid_i && !flag && !esc && !hunt_q;
      end_o   <= in_valid_i && flag && any_q;
      if (in_valid_i) begin
        if (flag) begin
          hunt_q <= 1'b0;
          esc_q  <= 1'b0;
          bad_q  <= 1'b0;
          any_q  <= 1'b0;
          crc_q  <= '1;
          good_o <= !bad_q && !esc_q && crc_q == 32'hdebb_20e3;
        end else begin
          any_q <= !hunt_q;
          esc_q <= esc;
          if (esc && esc_q) bad_q <= 1'b1;
          if (!esc) crc_q <= crc;
        end
      end
    end
  end
  always_ff @(posedge clk_i) if (in_valid_i) data_o <= data;

endmodule
