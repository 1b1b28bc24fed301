// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Headers of segments (RFC 791, 8200, 9293, 7323, 2018), with both checksums: one a cycle, no waiting inside. The
/// header without its checksums is kept a cycle after `seg_valid_i`; they are there four behind it, or one behind the sum of the bytes.
///
/// IPv4 says DF and counts its identification (RFC 6864: any value will do). Room for SACK blocks that there are
/// not is filled with NOP. The checksums are kept apart so that a header's 118 bytes are stored once.
// lint: -GN_L2=64
module weft_tcp_seghdr #(
  parameter int unsigned N_L2 = 64,   ///< L2 entries, a power of two, 2 to 65,536
  parameter int unsigned QUEUE = 8,   ///< headers that wait, a power of two; who fills it counts
  localparam int unsigned L2W = $clog2(N_L2),
  localparam int unsigned HdrW = 8 * weft_tcp_seg_pkg::HdrMax
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    l2e_we_i,
  input  logic [L2W-1:0]          l2e_index_i,
  input  weft_abi_pkg::l2e_t      l2e_i,
  input  logic [15:0]             l2_i,          ///< a cycle before seg_valid_i
  input  logic                    seg_valid_i,
  input  weft_tcp_seg_pkg::seg_t  seg_i,
  input  weft_tcp_seg_pkg::tmpl_t tmpl_i,
  input  logic                    sum_valid_i,   ///< of the bytes of each segment that has some
  output logic                    sum_ready_o,
  input  logic [15:0]             sum_i,

  output logic                    hdr_valid_o,
  input  logic                    hdr_ready_i,
  output logic [HdrW-1:0]         hdr_data_o,    ///< first byte in bits 7:0
  output logic [6:0]              hdr_len_o,     ///< never a multiple of 4
  output logic                    hdr_body_o,    ///< a segment's bytes follow
  output logic                    hdr_drop_o,    ///< nothing leaves
  output logic [9:0]              hdr_link_o,    ///< weft_dp_pkg::link_t
  output logic                    idle_o,
  output logic                    stat_void_o    ///< pulse: dropped for its L2 entry
);

  function automatic logic [15:0] swap16(input logic [15:0] v);
    swap16 = {v[7:0], v[15:8]};
  endfunction
  function automatic logic [31:0] swap32(input logic [31:0] v);
    swap32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction
  // Eight words of network order, as numbers.
  function automatic logic [18:0] sum8(input logic [127:0] v);
    sum8 = '0;
    for (int unsigned i = 0; i < 8; i++) sum8 = sum8 + 19'(swap16(v[16*i+:16]));
  endfunction
  function automatic logic [15:0] fold(input logic [22:0] v);
    logic [16:0] s;
    s    = 17'(v[15:0]) + 17'(v[22:16]);
    fold = s[15:0] + 16'(s[16]);
  endfunction

  // ---------------------------------------------------------------- the L2 entry
  logic [113:0] l2e_rd;
  logic         l2_valid, l2_vlan, over_q;
  logic [15:0]  l2_tci;
  logic [47:0]  l2_smac, l2_dmac;

  weft_ram_1r1w #(.W(114), .DEPTH(N_L2)) u_l2e (
    .clk_i, .we_i(l2e_we_i), .waddr_i(l2e_index_i),
    .wdata_i({l2e_i.valid, l2e_i.vlan, l2e_i.vlan_tci, l2e_i.smac, l2e_i.dmac}),
    .re_i(1'b1), .raddr_i(l2_i[L2W-1:0]), .rdata_o(l2e_rd)
  );
  always_ff @(posedge clk_i) over_q <= 32'(l2_i) >= N_L2;
  assign {l2_valid, l2_vlan, l2_tci, l2_smac, l2_dmac} = l2e_rd;

  // ---------------------------------------------------------------- what the header says
  logic         lost, vlan;
  logic [15:0]  wnd, id_q, tcp_len, tot_len;
  logic [6:0]   hdr_len;
  logic [5:0]   opt_len;
  logic [31:0]  sack_head;
  logic [95:0]  ts_opt;
  logic [191:0] blocks;
  logic [223:0] sack_opt;
  logic [319:0] opts;
  logic [159:0] tcp, ip4;
  logic [319:0] ip6;
  logic [143:0] eth;
  logic [15:0]  doff_flags, etype;
  logic [7:0]   tos;

  // A segment stands in its buffer behind a header of fixed length.
  assign lost    = !seg_i.drop && (!l2_valid || over_q || (seg_i.body && l2_vlan != seg_i.shape.vlan));
  assign vlan    = seg_i.body ? seg_i.shape.vlan : l2_vlan;
  assign hdr_len = seg_i.hdr_len + (!seg_i.body && l2_vlan ? 7'd4 : 7'd0);
  assign opt_len = (seg_i.shape.ts ? 6'd12 : 6'd0) + (seg_i.shape.n_sack == '0 ? 6'd0 : {1'b0, seg_i.shape.n_sack, 3'd4});
  assign tcp_len = 16'd20 + {10'd0, opt_len} + seg_i.len;
  assign tot_len = 16'd20 + tcp_len;
  assign tos     = {tmpl_i.tos[7:2], seg_i.ect, 1'b0};

  weft_tcp_window u_window (.room_i(seg_i.room), .wscale_i(seg_i.wscale), .wnd_o(wnd));

  // Words of the options, first byte in the low bits.
  assign ts_opt    = {swap32(seg_i.tsecr), swap32(seg_i.tsval), 32'h0a080101};
  assign sack_head = seg_i.n_sack == '0 ? 32'h01010101 : {3'd0, seg_i.n_sack, 3'd2, 8'h05, 16'h0101};
  always_comb begin
    blocks = {24{8'h01}};
    for (int unsigned i = 0; i < 3; i++) begin
      if (2'(i) < seg_i.n_sack) blocks[64*i+:64] = {swap32(seg_i.sack[64*i+:32]), swap32(seg_i.sack[64*i+32+:32])};
      else if (2'(i) >= seg_i.shape.n_sack) blocks[64*i+:64] = '0;
    end
  end
  assign sack_opt   = seg_i.shape.n_sack == '0 ? '0 : {blocks, sack_head};
  assign opts       = seg_i.shape.ts ? {sack_opt, ts_opt} : {96'd0, sack_opt};
  assign doff_flags = {4'd5 + opt_len[5:2], 4'd0, seg_i.flags};
  assign tcp        = {32'd0, swap16(wnd), swap16(doff_flags), swap32(seg_i.ack), swap32(seg_i.seq), swap16(tmpl_i.dport),
                       swap16(tmpl_i.sport)};
  assign ip4        = {tmpl_i.daddr[31:0], tmpl_i.saddr[31:0], 16'd0, 8'd6, tmpl_i.ttl, 16'h0040, swap16(id_q),
                       swap16(tot_len), tos, 8'h45};
  assign ip6        = {tmpl_i.daddr, tmpl_i.saddr, tmpl_i.ttl, 8'd6, swap16(tcp_len), tmpl_i.flow[7:0], tmpl_i.flow[15:8],
                       tos[3:0], tmpl_i.flow[19:16], 4'd6, tos[7:4]};
  assign etype      = seg_i.shape.v6 ? 16'hdd86 : 16'h0008;
  assign eth        = {etype, vlan ? {swap16(l2_tci), 16'h0081, l2_smac, l2_dmac} : {l2_smac, l2_dmac, 32'd0}};

  // ---------------------------------------------------------------- queues: the parts, and later the sums
  // Kept as parts: Ethernet 18 (without a tag its first 4 bytes are not there), IP 40, TCP 20, options 40.
  localparam int unsigned PartW = 144 + 320 + 160 + 320 + 7 + 2 + 2 + 10;
  logic         part_room, part_valid, chk_room, p_v6, p_vlan;
  logic [143:0] p_eth;
  logic [319:0] p_ip, p_opts;
  logic [159:0] p_tcp;
  logic [15:0]  c_tcp, c_ip;
  logic         v3_q, v4_q, b3_q, b4_q, chk_valid, chk_body, chk_go, c_valid_q;

  weft_fifo #(.W(PartW), .DEPTH(QUEUE)) u_parts (
    .clk_i, .rst_ni, .in_valid_i(seg_valid_i), .in_ready_o(part_room),
    .in_data_i({tmpl_i.fn, tmpl_i.port, lost || seg_i.drop, seg_i.body, seg_i.shape.v6, vlan, hdr_len, opts, tcp,
                seg_i.shape.v6 ? ip6 : {160'd0, ip4}, eth}),
    .out_valid_o(part_valid), .out_ready_i(hdr_ready_i && c_valid_q),
    .out_data_o({hdr_link_o[7:0], hdr_link_o[9:8], hdr_drop_o, hdr_body_o, p_v6, p_vlan, hdr_len_o, p_opts, p_tcp, p_ip, p_eth}),
    .count_o()
  );

  // ---------------------------------------------------------------- sums
  logic [18:0] addr3_q, src3_q, ip3_q, ports3_q, rest3_q, ts3_q, sack3a_q, sack3b_q;
  logic [22:0] tcp4_q, ip4_q;
  logic [15:0] chk_tcp, chk_ip;
  logic [16:0] both;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {v3_q, v4_q} <= '0;
      id_q <= '0;
    end else begin
      {v3_q, v4_q} <= {seg_valid_i, v3_q};
      if (seg_valid_i) id_q <= id_q + 16'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    {b3_q, b4_q} <= {seg_i.body, b3_q};
    if (seg_valid_i) begin
      src3_q   <= sum8(tmpl_i.saddr);
      addr3_q  <= sum8(tmpl_i.daddr);
      ip3_q    <= 19'({8'h45, tos}) + 19'(tot_len) + 19'(id_q) + 19'h4000 + 19'({tmpl_i.ttl, 8'd6});
      ports3_q <= 19'(tmpl_i.sport) + 19'(tmpl_i.dport) + 19'(seg_i.seq[31:16]) + 19'(seg_i.seq[15:0]) +
                  19'(seg_i.ack[31:16]) + 19'(seg_i.ack[15:0]);
      rest3_q  <= 19'(doff_flags) + 19'(tcp_len) + 19'd6 + 19'(wnd);
      ts3_q    <= !seg_i.shape.ts ? 19'd0 : 19'h00101 + 19'h0080a + 19'(seg_i.tsval[31:16]) + 19'(seg_i.tsval[15:0]) +
                                          19'(seg_i.tsecr[31:16]) + 19'(seg_i.tsecr[15:0]);
      sack3a_q <= sum8(sack_opt[127:0]);
      sack3b_q <= sum8({32'd0, sack_opt[223:128]});
    end
    if (v3_q) begin
      tcp4_q <= ((23'(src3_q) + 23'(addr3_q)) + (23'(ports3_q) + 23'(rest3_q))) +
                ((23'(ts3_q) + 23'(sack3a_q)) + 23'(sack3b_q));
      ip4_q  <= 23'(src3_q) + 23'(addr3_q) + 23'(ip3_q);
    end
  end
  // They wait for the sum of the bytes, which follows its segment by a few cycles, and more when its buffer is full.
  weft_fifo #(.W(33), .DEPTH(QUEUE)) u_checks (
    .clk_i, .rst_ni, .in_valid_i(v4_q), .in_ready_o(chk_room), .in_data_i({b4_q, fold(ip4_q), fold(tcp4_q)}),
    .out_valid_o(chk_valid), .out_ready_i(chk_go), .out_data_o({chk_body, chk_ip, chk_tcp}), .count_o()
  );
  assign both        = 17'(chk_tcp) + (chk_body ? 17'(sum_i) : 17'd0);
  assign chk_go      = (!c_valid_q || hdr_ready_i) && (!chk_body || sum_valid_i);
  assign sum_ready_o = chk_valid && chk_body && (!c_valid_q || hdr_ready_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c_valid_q <= 1'b0;
    else if (!c_valid_q || hdr_ready_i) c_valid_q <= chk_valid && chk_go;
  end
  always_ff @(posedge clk_i) begin
    if (!c_valid_q || hdr_ready_i) begin
      c_ip  <= ~chk_ip;
      c_tcp <= ~(both[15:0] + {15'd0, both[16]});
    end
  end

  // ---------------------------------------------------------------- put together
  logic [159:0] f_tcp;
  logic [319:0] f_ip;
  logic [639:0] l4;
  logic [799:0] l3;

  assign f_tcp       = {p_tcp[159:144], swap16(c_tcp), p_tcp[127:0]};
  assign f_ip        = p_v6 ? p_ip : {p_ip[319:96], swap16(c_ip), p_ip[79:0]};
  assign l4          = {160'd0, p_opts, f_tcp};
  assign l3          = p_v6 ? {l4[479:0], f_ip} : {160'd0, l4[479:0], f_ip[159:0]};
  assign hdr_data_o  = p_vlan ? {l3, p_eth} : {32'd0, l3, p_eth[143:32]};
  assign hdr_valid_o = c_valid_q;

  assign idle_o      = !seg_valid_i && !v3_q && !v4_q && !chk_valid && !c_valid_q;
  assign stat_void_o = seg_valid_i && lost;

  logic unused;
  assign unused = ^{l2e_i, l2_i, part_room, chk_room, part_valid, l4, tmpl_i, p_tcp};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(seg_valid_i && !part_room) && !(v4_q && !chk_room)) else $error("%m: a header has no room");
      assert (!(c_valid_q && !part_valid)) else $error("%m: sums without their header");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
