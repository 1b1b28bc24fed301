// SPDX-License-Identifier: BSD-2-Clause

/// Header fields and checksums of frames that stream past, one beat a cycle without back-pressure.
/// The frame leaves delayed by as many cycles as the sums take; `out_meta_o` and `out_bad_o` belong
/// to the beat with `out_last_o`.
///
/// Sums are taken over little-endian 16-bit words: the ones' complement sum does not care about
/// byte order as long as everything is added in the same one (RFC 1071 2.B).
module weft_eth_parse #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned FRAME_MAX = 9022,
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               in_valid_i,
  input  logic [DATA_W-1:0]  in_data_i,
  input  logic [CntW-1:0]    in_cnt_i,
  input  logic               in_last_i,
  input  logic               in_err_i,

  output logic               out_valid_o,
  output logic [DATA_W-1:0]  out_data_o,
  output logic [CntW-1:0]    out_cnt_o,
  output logic               out_last_o,
  output logic               out_bad_o,
  output weft_pkg::rx_meta_t out_meta_o,
  output logic               idle_o
);

  localparam int unsigned HdrBytes = 80;  // 14 + 4 + 40 + 20, rounded up
  localparam int unsigned HdrBeats = (HdrBytes + Bytes - 1) / Bytes;
  localparam int unsigned Delay = 6;
  localparam int unsigned Words = Bytes / 2;
  localparam int unsigned Groups = Words >= 4 ? Words / 4 : 1;
  localparam int unsigned PerGroup = Words / Groups;

  // ---------------------------------------------------------------- s1: the beat, and the header
  logic                            v1_q, last1_q, err1_q, first_q;
  logic [DATA_W-1:0]               data1_q;
  logic [CntW-1:0]                 cnt1_q;
  logic [15:0]                     pos_q, pos1_q;  // bytes before this beat
  logic [HdrBeats*DATA_W-1:0]      hdr1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v1_q    <= 1'b0;
      first_q <= 1'b1;
    end else begin
      v1_q <= in_valid_i;
      if (in_valid_i) first_q <= in_last_i;
    end
  end
  logic [15:0] pos;
  assign pos = first_q ? 16'd0 : pos_q;
  always_ff @(posedge clk_i) begin
    data1_q <= in_data_i;
    cnt1_q  <= in_cnt_i;
    last1_q <= in_last_i;
    err1_q  <= in_err_i;
    pos1_q  <= pos;
    if (in_valid_i) begin
      pos_q <= (pos[15]) ? pos : pos + 16'(in_cnt_i);  // stands still far beyond FRAME_MAX
      for (int unsigned i = 0; i < HdrBeats; i++) begin
        if (pos == 16'(i * Bytes)) hdr1_q[i*DATA_W +: DATA_W] <= in_data_i;
      end
    end
  end

  // ---------------------------------------------------------------- s2: where IP and L4 begin
  // hdr1_q holds what came up to and including beat s1. Fields of a beat that has not come yet are
  // those of an earlier frame, and matter only to bytes that have not come either.
  logic        vlan1, v4_1, v6_1, plain4_1;
  logic [15:0] type0_1, type1_1, iplen1, l3_1;
  assign type0_1  = {hdr1_q[12*8 +: 8], hdr1_q[13*8 +: 8]};
  assign type1_1  = {hdr1_q[16*8 +: 8], hdr1_q[17*8 +: 8]};
  assign vlan1    = type0_1 == 16'h8100;
  assign l3_1     = vlan1 ? 16'd18 : 16'd14;
  assign v4_1     = (vlan1 ? type1_1 : type0_1) == 16'h0800;
  assign v6_1     = (vlan1 ? type1_1 : type0_1) == 16'h86dd;
  assign plain4_1 = (vlan1 ? hdr1_q[18*8 +: 8] : hdr1_q[14*8 +: 8]) == 8'h45;
  always_comb begin
    if (v6_1) iplen1 = vlan1 ? {hdr1_q[22*8 +: 8], hdr1_q[23*8 +: 8]} : {hdr1_q[18*8 +: 8], hdr1_q[19*8 +: 8]};
    else      iplen1 = vlan1 ? {hdr1_q[20*8 +: 8], hdr1_q[21*8 +: 8]} : {hdr1_q[16*8 +: 8], hdr1_q[17*8 +: 8]};
  end

  logic                       v2_q, last2_q, err2_q;
  logic [DATA_W-1:0]          data2_q;
  logic [CntW-1:0]            cnt2_q;
  logic [15:0]                pos2_q, l4_2_q;
  logic [16:0]                end2_q;  // end of the IP packet in the frame
  logic [HdrBeats*DATA_W-1:0] hdr2_q;  // snapshot of the frame's header, taken with its last beat
  logic                       vlan2_q, v4_2_q, v6_2_q, plain2_q;
  logic [15:0]                iplen2_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v2_q <= 1'b0;
    else v2_q <= v1_q;
  end
  always_ff @(posedge clk_i) begin
    data2_q  <= data1_q;
    cnt2_q   <= cnt1_q;
    last2_q  <= last1_q;
    err2_q   <= err1_q;
    pos2_q   <= pos1_q;
    l4_2_q   <= l3_1 + (v6_1 ? 16'd40 : 16'd20);
    end2_q   <= v6_1 ? 17'(l3_1) + 17'd40 + 17'(iplen1) : 17'(l3_1) + 17'(iplen1);
    vlan2_q  <= vlan1;
    v4_2_q   <= v4_1;
    v6_2_q   <= v6_1;
    plain2_q <= plain4_1;
    iplen2_q <= iplen1;
    if (v1_q && last1_q) hdr2_q <= hdr1_q;
  end

  // ---------------------------------------------------------------- s3: bytes of the L4 segment
  logic              v3_q, last3_q;
  logic [DATA_W-1:0] sel3_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v3_q <= 1'b0;
    else v3_q <= v2_q;
  end
  always_ff @(posedge clk_i) begin
    last3_q <= last2_q;
    if (v2_q) begin
      for (int unsigned i = 0; i < Bytes; i++) begin
        sel3_q[i*8 +: 8] <= (17'(pos2_q) + 17'(i) >= 17'(l4_2_q) && 17'(pos2_q) + 17'(i) < end2_q
                             && CntW'(i) < cnt2_q) ? data2_q[i*8 +: 8] : 8'h00;
      end
    end
  end

  // ---------------------------------------------------------------- s4: partial sums; s5: the sum
  logic                    v4_q, last4_q, first5_q;
  logic [Groups-1:0][18:0] part4_q;
  logic [31:0]             acc5_q, beat4;
  logic                    end5_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v4_q     <= 1'b0;
      end5_q   <= 1'b0;
      first5_q <= 1'b1;
    end else begin
      v4_q   <= v3_q;
      end5_q <= v4_q && last4_q;
      if (v4_q) first5_q <= last4_q;
    end
  end
  logic [Groups-1:0][18:0] part3;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      part3[g] = '0;
      for (int unsigned w = 0; w < PerGroup; w++)
        part3[g] = part3[g] + 19'(sel3_q[(g*PerGroup + w)*16 +: 16]);
    end
    beat4 = '0;
    for (int unsigned g = 0; g < Groups; g++) beat4 = beat4 + 32'(part4_q[g]);
  end
  always_ff @(posedge clk_i) begin
    last4_q <= last3_q;
    part4_q <= part3;
    if (v4_q) acc5_q <= (first5_q ? 32'd0 : acc5_q) + beat4;
  end

  // ---------------------------------------------------------------- fields, from the snapshot
  // valid from s3 of the last beat on; the next frame's last beat is at least one cycle behind, so
  // every later stage keeps its own copy.
  weft_pkg::rx_meta_t m3_q, m4_q, m5_q;
  logic [31:0]        pseudo4_q, pseudo5_q, ip4_q;
  logic               ipv_ok3_q, bad3_q, bad4_q, bad5_q, l4len_ok3_q, l4len_ok4_q, l4len_ok5_q;
  logic               udp0_3_q, udp0_4_q, udp0_5_q, is4_3_q, is4_4_q, is4_5_q, shape4_q, shape5_q;
  logic [15:0]        l4len3_q;
  logic [31:0]        pseudo3, ip3;
  logic [HdrBeats*DATA_W-1:0] h;
  logic [HdrBytes*8-1:0]      ip;   // from the IP header on
  /* verilator lint_off UNUSEDSIGNAL */  // the fields that nobody needs
  logic [HdrBytes*8-1:0]      l4;   // from the TCP or UDP header on
  /* verilator lint_on UNUSEDSIGNAL */
  logic [16:0]                frame_len2;
  assign h          = hdr2_q;
  assign frame_len2 = 17'(pos2_q) + 17'(cnt2_q);

  // s2 -> s3: these use hdr1_q snapshot taken in the same edge as s2's registers
  logic [7:0] proto;
  assign ip    = (HdrBytes*8)'(vlan2_q ? h >> (18 * 8) : h >> (14 * 8));
  assign l4    = v6_2_q ? ip >> (40 * 8) : ip >> (20 * 8);
  assign proto = v6_2_q ? ip[6*8 +: 8] : ip[9*8 +: 8];

  logic [15:0] l4len2;
  logic        is_l4, frag2;
  assign l4len2 = v6_2_q ? iplen2_q : iplen2_q - 16'd20;
  assign frag2  = v4_2_q && ({ip[6*8 +: 8], ip[7*8 +: 8]} & 16'h3fff) != 16'h0;
  assign is_l4  = (v6_2_q && ip[7:4] == 4'd6) || (v4_2_q && plain2_q);

  always_ff @(posedge clk_i) begin
    if (v2_q && last2_q) begin
      m3_q.ipv6        <= v6_2_q;
      m3_q.ip_ok       <= 1'b0;
      m3_q.l4_ok       <= 1'b0;
      m3_q.tcp         <= is_l4 && !frag2 && proto == 8'd6;
      m3_q.udp         <= is_l4 && !frag2 && proto == 8'd17;
      m3_q.vlan        <= vlan2_q;
      m3_q.vlan_tci    <= {h[14*8 +: 8], h[15*8 +: 8]};
      m3_q.mcast       <= h[0] && h[47:0] != '1;
      m3_q.bcast       <= h[47:0] == '1;
      m3_q.dmac        <= h[47:0];
      m3_q.saddr       <= v6_2_q ? ip[8*8 +: 128] : 128'(ip[12*8 +: 32]);
      m3_q.daddr       <= v6_2_q ? ip[24*8 +: 128] : 128'(ip[16*8 +: 32]);
      m3_q.sport       <= {l4[7:0], l4[15:8]};
      m3_q.dport       <= {l4[23:16], l4[31:24]};
      m3_q.seq         <= {l4[39:32], l4[47:40], l4[55:48], l4[63:56]};
      m3_q.ack         <= {l4[71:64], l4[79:72], l4[87:80], l4[95:88]};
      m3_q.flags       <= {l4[96], l4[111:104]};
      m3_q.wnd         <= {l4[119:112], l4[127:120]};
      m3_q.hdr_len     <= 8'(l4_2_q) + (proto == 8'd6 ? {2'b0, l4[103:100], 2'b0} : 8'd8);
      m3_q.payload_len <= l4len2 - (proto == 8'd6 ? {10'b0, l4[103:100], 2'b0} : 16'd8);
      m3_q.frame_len   <= frame_len2[15:0];
      m3_q.ip          <= end2_q <= frame_len2 && ((v6_2_q && ip[7:4] == 4'd6) || (v4_2_q && ip[7:4] == 4'd4
                          && ip[3:0] >= 4'd5 && iplen2_q >= {10'b0, ip[3:0], 2'b0}));
      // the IP packet lies in the frame, and the L4 header in the IP packet
      ipv_ok3_q   <= is_l4 && !frag2 && end2_q <= frame_len2 && (v6_2_q || iplen2_q >= 16'd20);
      l4len_ok3_q <= l4len2 >= (proto == 8'd6 ? {10'b0, l4[103:100], 2'b0} : 16'd8)
                     && (proto != 8'd6 || l4[103:100] >= 4'd5);
      udp0_3_q    <= proto == 8'd17 && l4[63:48] == 16'h0;  // UDP without checksum
      is4_3_q     <= v4_2_q;
      l4len3_q    <= l4len2;
      bad3_q      <= err2_q || frame_len2 > 17'(FRAME_MAX) || frame_len2 < 17'd14;
    end
  end

  // s3 -> s4: the sums of pseudo header and IP header
  logic [HdrBytes*8-1:0] ip3_q;
  always_ff @(posedge clk_i) if (v2_q && last2_q) ip3_q <= ip;
  always_comb begin
    pseudo3 = {16'b0, l4len3_q[7:0], l4len3_q[15:8]} + (m3_q.tcp ? 32'h0600 : 32'h1100);
    ip3     = '0;
    for (int unsigned i = 0; i < 8; i++)
      pseudo3 = pseudo3 + 32'(m3_q.saddr[i*16 +: 16]) + 32'(m3_q.daddr[i*16 +: 16]);
    for (int unsigned i = 0; i < 10; i++) ip3 = ip3 + 32'(ip3_q[i*16 +: 16]);
  end
  // The ones' complement sum of the two halves is 0xffff (or -0): they are each other's complement, or
  // both are 0xffff. Compared, not added: an adder chain would be the longest path here.
  function automatic logic good_sum(input logic [31:0] s);
    good_sum = s[15:0] == ~s[31:16] || s == 32'hffff_ffff;
  endfunction
  logic [31:0] total5;
  assign total5 = acc5_q + pseudo5_q;
  always_ff @(posedge clk_i) begin
    m4_q        <= m3_q;
    pseudo4_q   <= pseudo3;
    ip4_q       <= ip3;
    shape4_q    <= ipv_ok3_q;
    l4len_ok4_q <= l4len_ok3_q;
    udp0_4_q    <= udp0_3_q;
    is4_4_q     <= is4_3_q;
    bad4_q      <= bad3_q;
    m5_q        <= m4_q;
    m5_q.ip_ok  <= shape4_q && (!is4_4_q || good_sum(ip4_q));
    pseudo5_q   <= pseudo4_q;
    shape5_q    <= shape4_q;
    l4len_ok5_q <= l4len_ok4_q;
    udp0_5_q    <= udp0_4_q;
    is4_5_q     <= is4_4_q;
    bad5_q      <= bad4_q;
  end

  // ---------------------------------------------------------------- out, at s6
  always_ff @(posedge clk_i) begin
    out_meta_o <= m5_q;
    // a header that does not fit its packet: no TCP or UDP for anybody
    out_meta_o.tcp   <= m5_q.tcp && l4len_ok5_q && shape5_q;
    out_meta_o.udp   <= m5_q.udp && l4len_ok5_q && shape5_q;
    out_meta_o.l4_ok <= m5_q.ip_ok && (m5_q.tcp || m5_q.udp) && l4len_ok5_q
                        && (good_sum(total5) || (m5_q.udp && udp0_5_q && is4_5_q));
    out_bad_o  <= bad5_q;
  end

  // the beats, delayed to match
  logic [Delay-1:0]                v_q, last_q;
  logic [Delay-1:0][DATA_W-1:0]    data_q;
  logic [Delay-1:0][CntW-1:0]      cnt_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= '0;
    else v_q <= {v_q[Delay-2:0], in_valid_i};
  end
  always_ff @(posedge clk_i) begin
    last_q <= {last_q[Delay-2:0], in_last_i};
    data_q <= {data_q[Delay-2:0], in_data_i};
    cnt_q  <= {cnt_q[Delay-2:0], in_cnt_i};
  end
  assign out_valid_o = v_q[Delay-1];
  assign out_last_o  = last_q[Delay-1];
  assign out_data_o  = data_q[Delay-1];
  assign out_cnt_o   = cnt_q[Delay-1];
  assign idle_o      = v_q == '0 && !in_valid_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && out_valid_o && out_last_o)
    assert (end6_q) else $error("weft_eth_parse: the sum is not in step with the frame");
  logic end6_q;
  always_ff @(posedge clk_i) end6_q <= end5_q;
`else
  logic unused_end;
  assign unused_end = end5_q;
`endif

endmodule
