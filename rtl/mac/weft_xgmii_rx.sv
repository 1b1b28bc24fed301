// SPDX-License-Identifier: BSD-2-Clause

/// XGMII of 64 bits to frames as words of 8 bytes, FCS included, preamble not: start in lane 0 or
/// 4, any gap.
/// Every frame has a last word, with 0 to 8 bytes; `err` with it says that the PHY signalled an
/// error
/// inside, or that the frame ended without a terminate. One word a cycle, no back-pressure.
module weft_xgmii_rx (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] xgmii_rxd_i,
  input  logic [7:0]  xgmii_rxc_i,
  output logic        out_valid_o,
  output logic        out_first_o,
  output logic [63:0] out_data_o,
  output logic [3:0]  out_cnt_o,
  output logic        out_last_o,
  output logic        out_err_o,       ///< with last
  /// pulse: a start without a start frame delimiter in its place
  output logic        bad_preamble_o
);

  typedef enum logic [1:0] {StIdle, StPre4, StData} state_e;

  logic [63:0] d_q, a;
  logic [7:0]  c_q, ac, stop;
  logic [31:0] hi_q;
  logic [3:0]  hic_q;
  logic        start0, start4, found, term, wrong, cut, sfd0, sfd4;
  logic [3:0]  pos;
  state_e      state_q;
  logic        shift_q, first_q, err_q;

  assign a  = shift_q ? {d_q[31:0], hi_q} : d_q;
  assign ac = shift_q ? {c_q[3:0], hic_q} : c_q;

  assign start0 = c_q[0] && d_q[7:0] == 8'hfb;
  assign start4 = c_q[4] && d_q[39:32] == 8'hfb;
  assign sfd0   = c_q[7:1] == '0 && d_q[63:56] == 8'hd5;
  assign sfd4   = ac[7:1] == '0 && a[63:56] == 8'hd5;

  always_comb begin
    found = 1'b0;
    pos   = 4'd8;
    term  = 1'b0;
    wrong = 1'b0;
    for (int unsigned i = 0; i < 8; i++) begin
      stop[i] = ac[i] && a[8*i+:8] != 8'hfe;
      if (!found && ac[i] && !stop[i]) wrong = 1'b1;
      if (!found && stop[i]) begin
        found = 1'b1;
        pos   = 4'(i);
        term  = a[8*i+:8] == 8'hfd;
      end
    end
  end
  // A start in the upper half, where a shifted frame has not been looked at yet.
  assign cut = shift_q && start4 && !found;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= StIdle;
      shift_q        <= 1'b0;
      out_valid_o    <= 1'b0;
      bad_preamble_o <= 1'b0;
    end else begin
      out_valid_o    <= state_q == StData;
      bad_preamble_o <= (start0 && !sfd0) || (state_q == StPre4 && !sfd4);
      if (state_q == StData && (found || cut)) state_q <= StIdle;
      if (state_q == StPre4) state_q <= sfd4 ? StData : StIdle;
      if (start0) begin
        state_q <= sfd0 ? StData : StIdle;
        shift_q <= 1'b0;
      end
      if (start4) begin
        state_q <= StPre4;
        shift_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    d_q     <= xgmii_rxd_i;
    c_q     <= xgmii_rxc_i;
    hi_q    <= d_q[63:32];
    hic_q   <= c_q[7:4];
    first_q <= state_q != StData || found || cut;
    err_q   <= state_q == StData && !found && !cut && (err_q || wrong);
    out_first_o <= first_q;
    out_data_o  <= a;
    out_cnt_o   <= pos;
    out_last_o  <= found || cut;
    out_err_o   <= err_q || wrong || !term;
  end

endmodule
