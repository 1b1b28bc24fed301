// SPDX-License-Identifier: BSD-2-Clause

/// Link fault signalling, receive side (IEEE 802.3 46.3.4, figure 46-9): four fault sequences of a
/// kind, each
/// within 128 columns of the one before, set the fault; 128 columns without any clear it. Two
/// columns a cycle.
module weft_xgmii_fault (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] xgmii_rxd_i,
  input  logic [7:0]  xgmii_rxc_i,
  output logic        local_fault_o,
  output logic        remote_fault_o
);

  logic [1:0] seq, kind;  // per column; kind: 1 remote
  for (genvar i = 0; i < 2; i++) begin : gen_col
    assign seq[i]  = xgmii_rxc_i[4*i+:4] == 4'h1 && xgmii_rxd_i[32*i+:24] == 24'h00_009c
                     && (xgmii_rxd_i[32*i+24+:8] == 8'h01 || xgmii_rxd_i[32*i+24+:8] == 8'h02);
    assign kind[i] = xgmii_rxd_i[32*i+25];
  end

  logic [1:0] seq_q, kind_q;
  logic       type_q, type_d, on_q, on_d, kind_on_q, kind_on_d;
  logic [2:0] cnt_q, cnt_d;  // sequences of type_q in a row, up to 4
  logic [7:0] col_q, col_d;  // columns since the last one, up to 128

  always_comb begin
    type_d    = type_q;
    cnt_d     = cnt_q;
    col_d     = col_q;
    on_d      = on_q;
    kind_on_d = kind_on_q;
    for (int unsigned i = 0; i < 2; i++) begin
      if (seq_q[i]) begin
        if (kind_q[i] != type_d || cnt_d == 3'd0) cnt_d = 3'd1;
        else if (!cnt_d[2]) cnt_d = cnt_d + 3'd1;
        type_d = kind_q[i];
        col_d  = '0;
        if (cnt_d[2]) begin
          on_d      = 1'b1;
          kind_on_d = kind_q[i];
        end
      end else if (col_d[7]) begin
        cnt_d = '0;
        on_d  = 1'b0;
      end else begin
        col_d = col_d + 8'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seq_q     <= '0;
      kind_q    <= '0;
      type_q    <= 1'b0;
      cnt_q     <= '0;
      col_q     <= '0;
      on_q      <= 1'b0;
      kind_on_q <= 1'b0;
    end else begin
      seq_q     <= seq;
      kind_q    <= kind;
      type_q    <= type_d;
      cnt_q     <= cnt_d;
      col_q     <= col_d;
      on_q      <= on_d;
      kind_on_q <= kind_on_d;
    end
  end

  assign local_fault_o  = on_q && !kind_on_q;
  assign remote_fault_o = on_q && kind_on_q;

endmodule
