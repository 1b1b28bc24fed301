// SPDX-License-Identifier: BSD-2-Clause

/// Completions out of their store, as the core's rx_cpl: eight bytes of payload a beat, one beat without payload.
module weft_bridge_cpl (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clr_i,
  input  logic         in_valid_i,   ///< weft_bridge_store's
  output logic         in_ready_o,
  input  logic [7:0]   in_data_i,
  output logic         rx_cpl_valid_o,
  input  logic         rx_cpl_ready_i,
  output logic [127:0] rx_cpl_hdr_o,
  output logic [63:0]  rx_cpl_data_o,
  output logic         rx_cpl_last_o,
  output logic         pop_o         ///< pulse: a record has left
);

  typedef enum logic [1:0] {StHead, StData, StOffer} state_e;
  state_e       state_q;
  logic [4:0]   count_q;
  logic [127:0] hdr_q, hdr;
  logic [63:0]  data_q;
  logic [6:0]   left_q;  // dwords that have not come
  logic         take;

  assign in_ready_o = state_q == StHead || state_q == StData;
  assign take       = in_valid_i && in_ready_o;
  assign hdr        = {in_data_i, hdr_q[127:8]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StHead;
      count_q <= '0;
      left_q  <= '0;
      pop_o   <= 1'b0;
    end else if (clr_i) begin
      state_q <= StHead;
      count_q <= '0;
      left_q  <= '0;
      pop_o   <= 1'b0;
    end else begin
      pop_o <= 1'b0;
      unique case (state_q)
        StHead: if (take) begin
          count_q <= count_q + 5'd1;
          if (count_q == 5'd16) begin
            count_q <= '0;
            left_q  <= hdr[30] ? hdr[6:0] : 7'd0;
            state_q <= hdr[30] ? StData : StOffer;
          end
        end
        StData: if (take) begin
          count_q <= count_q + 5'd1;
          if (count_q[1:0] == '1) left_q <= left_q - 7'd1;
          if (count_q == 5'd7 || (count_q == 5'd3 && left_q == 7'd1)) state_q <= StOffer;
        end
        StOffer: if (rx_cpl_ready_i) begin
          count_q <= '0;
          state_q <= rx_cpl_last_o ? StHead : StData;
          pop_o   <= rx_cpl_last_o;
        end
        default: state_q <= StHead;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    // The first byte of a record is class and BAR.
    if (take && state_q == StHead && count_q != '0) hdr_q <= hdr;
    if (take && state_q == StData) data_q[8*count_q[2:0]+:8] <= in_data_i;
  end
  assign rx_cpl_valid_o = state_q == StOffer;
  assign rx_cpl_last_o  = left_q == '0;
  assign rx_cpl_hdr_o   = {32'd0, hdr_q[95:0]};
  assign rx_cpl_data_o  = data_q;

  logic unused;
  assign unused = ^hdr[127:96];

endmodule
