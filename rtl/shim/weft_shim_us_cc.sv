// SPDX-License-Identifier: BSD-2-Clause

/// The core's completions to the completer completion interface of PCIE4 (PG213 "Completer Completion Interface
/// Operation"): one TLP a packet, always one beat. One that is not successful carries the request that it refuses,
/// for the header log (PG213 "Completions with Error Status (UR and CA)"): descriptor and byte enables as
/// weft_shim_us_cq saw them, kept by tag.
///
/// A completion waits until no write taken from the core before it can be passed: `past_i` has reached `taken_i`
/// of the cycle in which it was taken.
module weft_shim_us_cc (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         tx_cpl_valid_i,  ///< weft_core's
  output logic         tx_cpl_ready_o,
  input  logic [127:0] tx_cpl_hdr_i,
  input  logic [63:0]  tx_cpl_data_i,
  input  logic         np_valid_i,      ///< a non-posted request went to the core
  input  logic [135:0] np_i,            ///< {last_be, first_be, descriptor}
  input  logic [7:0]   taken_i,         ///< weft_shim_us_rq's
  input  logic [7:0]   past_i,

  output logic         cc_tvalid_o,
  input  logic         cc_tready_i,
  output logic [511:0] cc_tdata_o,
  output logic [15:0]  cc_tkeep_o,
  output logic         cc_tlast_o,
  output logic [80:0]  cc_tuser_o,
  output logic         idle_o
);

  logic         v_q, pass_q, go, bad;
  logic [95:0]  hdr_q, desc;
  logic [63:0]  data_q;
  logic [7:0]   snap_q;
  logic [135:0] np;
  logic [3:0]   end_dw;

  // ---------------------------------------------------------------- requests by tag
  weft_ram_1r1w #(.W(136), .DEPTH(256)) u_np (
    .clk_i, .we_i(np_valid_i), .waddr_i(np_i[103:96]), .wdata_i(np_i), .re_i(tx_cpl_valid_i && tx_cpl_ready_o),
    .raddr_i(tx_cpl_hdr_i[79:72]), .rdata_o(np)
  );

  // ---------------------------------------------------------------- one that waits for the writes before it
  assign tx_cpl_ready_o = !v_q;
  assign go             = v_q && pass_q && (!cc_tvalid_o || cc_tready_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q         <= 1'b0;
      pass_q      <= 1'b0;
      cc_tvalid_o <= 1'b0;
    end else begin
      if (!v_q) v_q <= tx_cpl_valid_i;
      else if (go) v_q <= 1'b0;
      // At most 64 writes are behind it while it waits, and each step is seen: no wrap.
      pass_q <= v_q && !go && (pass_q || (past_i - snap_q) < 8'd128);
      if (go) cc_tvalid_o <= 1'b1;
      else if (cc_tready_i) cc_tvalid_o <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!v_q) begin
      hdr_q  <= tx_cpl_hdr_i[95:0];
      data_q <= tx_cpl_data_i;
      snap_q <= taken_i;
    end
  end

  // ---------------------------------------------------------------- descriptor
  assign bad = hdr_q[47:45] != 3'd0;
  always_comb begin
    desc        = '0;
    desc[6:0]   = hdr_q[70:64];
    desc[9:8]   = hdr_q[11:10];
    desc[28:16] = {hdr_q[43:32] == '0, hdr_q[43:32]};
    desc[29]    = hdr_q[24];                           // CplLk, CplDLk
    desc[42:32] = hdr_q[30] ? {1'b0, hdr_q[9:0]} : 11'd0;
    desc[45:43] = hdr_q[47:45];
    desc[46]    = hdr_q[14];
    desc[63:48] = hdr_q[95:80];
    desc[71:64] = hdr_q[79:72];
    desc[79:72] = hdr_q[55:48];                        // function; the bus is the block's
    desc[91:89] = hdr_q[22:20];
    desc[94:92] = {hdr_q[18], hdr_q[13:12]};
  end
  assign end_dw = bad ? 4'd7 : hdr_q[30] ? 4'd2 + hdr_q[3:0] : 4'd2;

  always_ff @(posedge clk_i) begin
    if (go) begin
      cc_tdata_o <= bad ? {256'd0, np[127:0], 24'd0, np[135:128], desc} : {352'd0, data_q, desc};
      cc_tkeep_o <= 16'hffff >> (4'd15 - end_dw);
      cc_tuser_o <= '0;
      cc_tuser_o[weft_shim_us_pkg::CcSop]        <= 1'b1;
      cc_tuser_o[weft_shim_us_pkg::CcEop]        <= 1'b1;
      cc_tuser_o[weft_shim_us_pkg::CcEop0Ptr+:4] <= end_dw;
    end
  end
  assign cc_tlast_o = 1'b1;
  assign idle_o     = !v_q && !cc_tvalid_o;

  logic unused;
  assign unused = ^{tx_cpl_hdr_i[127:96], hdr_q};

endmodule
