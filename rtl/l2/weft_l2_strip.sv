// SPDX-License-Identifier: BSD-2-Clause

/// Takes bytes 12 to 15, a VLAN tag, out of frames with `strip_i`; others pass. A beat a cycle; a frame whose
/// last beat keeps more than it can give to the one in front takes one more. A frame that is stripped has 16
/// bytes or more.
module weft_l2_strip #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              strip_i,    ///< of the frame at the input, with every beat of it
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [CntW-1:0]   in_cnt_i,
  input  logic              in_last_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned TagAt = 12 % Bytes;  // lane of the tag
  localparam bit Second = Bytes < 16;          // the tag is in the second beat

  // What is kept of the beat in front: all but four bytes, lane-0 aligned; the next beat's first four fill it.
  logic [DATA_W-33:0] keep_q, keep;
  logic [CntW-1:0]    cnt_q;
  logic               first_q, keep_v_q, end_q, at_tag, shift, fire, short;

  assign at_tag = strip_i && (Second ? !first_q && !keep_v_q : first_q);
  assign shift  = strip_i && keep_v_q;
  assign short  = in_cnt_i <= CntW'(4);

  always_comb begin
    keep = in_data_i[DATA_W-1:32];
    // In the beat of the tag what is in front of it stays, what is behind it comes down.
    if (at_tag) begin
      for (int unsigned i = 0; i < Bytes - 4; i++) keep[8*i+:8] = i < TagAt ? in_data_i[8*i+:8] : in_data_i[8*i+32+:8];
    end
    out_data_o = in_data_i;
    out_cnt_o  = in_cnt_i;
    out_last_o = in_last_i;
    if (end_q) begin
      out_data_o = DATA_W'(keep_q);
      out_cnt_o  = cnt_q;
      out_last_o = 1'b1;
    end else if (at_tag) begin
      out_data_o = DATA_W'(keep);
      out_cnt_o  = in_cnt_i - CntW'(4);
    end else if (shift) begin
      out_data_o = {in_data_i[31:0], keep_q};
      out_cnt_o  = (in_last_i && short) ? CntW'(Bytes - 4) + in_cnt_i : CntW'(Bytes);
      out_last_o = in_last_i && short;
    end
  end

  assign out_valid_o = end_q || (in_valid_i && (!at_tag || in_last_i));
  assign in_ready_o  = !end_q && ((at_tag && !in_last_i) || out_ready_i);
  assign fire        = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= 1'b1;
      keep_v_q <= 1'b0;
      end_q    <= 1'b0;
    end else begin
      if (end_q && out_ready_i) end_q <= 1'b0;
      if (fire) begin
        first_q  <= in_last_i;
        keep_v_q <= !in_last_i && (at_tag || shift);
        end_q    <= in_last_i && shift && !short;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      keep_q <= keep;
      cnt_q  <= in_cnt_i - CntW'(4);
    end
  end

endmodule
