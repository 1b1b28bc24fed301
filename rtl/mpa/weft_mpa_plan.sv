// SPDX-License-Identifier: BSD-2-Clause

/// Where everything of an FPDU will lie: its header (RFC 5041, RFC 5040), how many words it has,
/// where its first marker is. One a cycle, given in the next one; the rest of the way is arithmetic
/// that was begun in front of the register.
module weft_mpa_plan #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    in_valid_i,
  input  weft_dp_pkg::tx_fpdu_t   in_fpdu_i,
  input  logic                    in_drop_i,   ///< as in plan_t
  input  logic                    in_bad_i,
  input  logic                    in_mem_i,
  input  logic [1:0]              in_pkt_i,
  input  logic [15:0]             in_bytes_i,  ///< that lie in rows

  output logic                    out_valid_o,
  output weft_mpa_out_pkg::plan_t plan_o,
  output weft_dp_pkg::framed_t    meta_o,
  output logic [15:0]             wqe_o
);

  // ------------------------------------------------ words, first marker
  logic                  v1_q, drop1_q, bad1_q, mem1_q, mark1_q;
  logic [1:0]            pkt1_q;
  logic [2:0]            hw, hw1_q;
  logic [15:0]           bytes1_q;   // that lie in rows
  logic [12:0]           dw1_q;
  logic [13:0]           beyond1_q;  // words from the first marker position to the CRC, signed
  logic [6:0]            x0;
  logic [14:0]           lwords;
  weft_dp_pkg::tx_fpdu_t f1_q;

  assign hw     = in_fpdu_i.raw ? 3'd0 : in_fpdu_i.is_tagged ? 3'd4 : 3'd5;
  assign lwords = 15'((17'(in_fpdu_i.len) + 17'd3) >> 2);
  assign x0     = in_fpdu_i.first[8:2] - in_fpdu_i.off[8:2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v1_q <= 1'b0;
    else v1_q <= in_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      f1_q      <= in_fpdu_i;
      drop1_q   <= in_drop_i;
      bad1_q    <= in_bad_i;
      mem1_q    <= in_mem_i;
      pkt1_q    <= in_pkt_i;
      hw1_q     <= hw;
      bytes1_q  <= in_bytes_i;
      mark1_q   <= in_fpdu_i.markers && !in_fpdu_i.raw;
      dw1_q     <= lwords[12:0] + 13'(hw);
      beyond1_q <= 14'(lwords) + (14'(hw) - 14'(x0));
    end
  end

  // ------------------------------------------------ how many markers (RFC 5044 4.3)
  // A marker stands in front of word 127 k from the first position on, so with y words from there
  // to the CRC there are 1 + y / 127 of them; y = 128 a + b has y / 127 = a + (a + b) / 127. One
  // that would stand behind the CRC belongs to the next FPDU.
  logic [8:0]   fold;
  logic         any;
  logic [12:0]  words;
  logic [15:0]  ulpdu;
  logic         inv;
  logic [159:0] head;

  function automatic logic [31:0] swap32(input logic [31:0] v);
    swap32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction

  assign any   = mark1_q && !beyond1_q[13];
  assign fold  = 9'(beyond1_q[12:7]) + 9'(beyond1_q[6:0]);
  assign words = dw1_q + 13'(!f1_q.raw) +
                 (any ? 13'(beyond1_q[12:7]) + 13'd1 + 13'(fold >= 9'd127) : 13'd0);

  // RFC 5044 4.1: ULPDU_Length. RFC 5041 4: T, L, DV 1; STag and TO, or the word for RDMAP, QN,
  // MSN, MO. RFC 5040 4.1: RV 1, opcode; the word is the STag that a Send with Invalidate
  // invalidates, else 0.
  assign ulpdu = f1_q.len + (f1_q.is_tagged ? 16'd14 : 16'd18);
  assign inv   = f1_q.op == weft_pkg::RdSendInv || f1_q.op == weft_pkg::RdSendSeInv;
  assign head[31:0]   = {2'd1, 2'd0, f1_q.op, f1_q.is_tagged, f1_q.last, 4'd0, 2'd1,
                         ulpdu[7:0], ulpdu[15:8]};
  assign head[159:32] = f1_q.is_tagged ?
      {32'd0, swap32(f1_q.to_addr[31:0]), swap32(f1_q.to_addr[63:32]), swap32(f1_q.stag)} :
      {swap32(f1_q.mo), swap32(f1_q.msn), {6'd0, f1_q.qn}, 24'd0, inv ? swap32(f1_q.stag) : 32'd0};

  always_comb begin
    plan_o.drop    = drop1_q;
    plan_o.bad     = bad1_q;
    plan_o.mem     = mem1_q;
    plan_o.pkt     = pkt1_q;
    plan_o.raw     = f1_q.raw;
    plan_o.crc     = f1_q.crc && !f1_q.raw;
    plan_o.markers = mark1_q;
    plan_o.hw      = hw1_q;
    plan_o.phase   = f1_q.off[8:2] - f1_q.first[8:2];
    plan_o.len     = f1_q.len;
    plan_o.rows    = 12'((17'(bytes1_q) + 17'(Bytes - 1)) >> LaneW);
    plan_o.dwords  = dw1_q;
    plan_o.words   = words;
    plan_o.head    = head;
  end

  always_comb begin
    meta_o.who       = f1_q.who;
    meta_o.link      = f1_q.link;
    meta_o.off       = f1_q.off;
    meta_o.bytes     = f1_q.raw ? f1_q.len : {1'b0, words, 2'd0};
    meta_o.from      = f1_q.from;
    meta_o.to        = f1_q.to;
    meta_o.joins     = f1_q.joins;
    meta_o.psh       = f1_q.psh;
    meta_o.again     = f1_q.again;
    meta_o.ask_id    = f1_q.ask_id;
    meta_o.resp      = f1_q.resp;
    meta_o.void_fpdu = 1'b0;
    meta_o.gen       = f1_q.gen;
    meta_o.edt       = f1_q.edt;
  end

  assign out_valid_o = v1_q;
  assign wqe_o       = f1_q.wqe;

  logic unused;
  assign unused = ^{f1_q, lwords};

endmodule
