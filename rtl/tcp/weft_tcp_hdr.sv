// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Ethernet, IPv4 or IPv6, and TCP header of one frame (RFC 791, 8200, 9293), with both checksums,
/// from the connection's template and the L2 entry. One frame a cycle, a pipeline that never waits:
/// the caller admits a frame only when its header has room in the queue behind.
///
/// `req_*` in cycle t; `arg_*` belong to that frame and come in cycle t+1, where `arg_kill_i` takes
/// it back. A connection or L2 entry that is not valid gives a header with `hdr_void_o`.
module weft_tcp_hdr #(
  parameter int unsigned N_QP = 16,  ///< queue pairs, a power of two
  parameter int unsigned N_L2 = 16,  ///< L2 entries, a power of two
  parameter bit          IPV6 = 1,   ///< IPv6 connections
  parameter int unsigned QUEUE = 4,  ///< headers that wait, a power of two
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned L2W = $clog2(N_L2)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    conn_we_i,
  input  logic [QpW-1:0]          conn_qpn_i,
  input  weft_abi_pkg::ctx_conn_t conn_i,
  input  logic                    l2e_we_i,
  input  logic [L2W-1:0]          l2e_index_i,
  input  weft_abi_pkg::l2e_t      l2e_i,
  input  logic                    wnd_we_i,
  input  logic [QpW-1:0]          wnd_qpn_i,
  input  logic [15:0]             wnd_i,        ///< window field: bytes >> scale

  input  logic                    req_valid_i,
  input  logic [QpW-1:0]          req_qpn_i,
  input  logic                    arg_kill_i,
  input  logic                    arg_ack_i,    ///< pure ACK: no payload
  input  logic                    arg_psh_i,
  input  logic [31:0]             arg_seq_i,
  input  logic [31:0]             arg_ack_seq_i,
  input  logic [15:0]             arg_bytes_i,  ///< TCP payload

  /// Sums of the payloads of data frames, in order; each may come later than its frame.
  input  logic                    sum_valid_i,
  output logic                    sum_ready_o,
  input  logic [15:0]             sum_i,

  output logic                    hdr_valid_o,
  input  logic                    hdr_ready_i,
  output logic                    hdr_ack_o,
  output logic                    hdr_void_o,
  output logic [6:0]              hdr_len_o,    ///< 54, 58, 74 or 78
  output logic [78*8-1:0]         hdr_data_o,   ///< first byte in bits 7:0

  output logic                    idle_o
);

  localparam int unsigned AddrW = IPV6 ? 128 : 32;
  localparam int unsigned Words = AddrW / 16;
  localparam int unsigned ConnW = 2 * AddrW + 32 + 16 + 2;

  // ------------------------------------------------ t: the tables
  logic             conn_we, link_we;
  logic [ConnW-1:0] conn_rd;
  logic [L2W-1:0]   link_rd;
  logic [15:0]      wnd_rd;
  logic [127:0]     l2e_rd;
  logic             v1_q, v2_q, v3_q, v4_q, v5_q, v6_q;

  assign conn_we = conn_we_i && conn_i.cmd == weft_abi_pkg::CTX_CMD_WRITE;
  assign link_we = conn_we_i && (conn_i.cmd == weft_abi_pkg::CTX_CMD_WRITE ||
                                 conn_i.cmd == weft_abi_pkg::CTX_CMD_SET_L2);

  weft_ram_1r1w #(.W(ConnW), .DEPTH(N_QP)) u_conn (
    .clk_i, .we_i(conn_we), .waddr_i(conn_qpn_i),
    .wdata_i({conn_i.ipv6 && IPV6, conn_i.valid && (IPV6 || !conn_i.ipv6), conn_i.ttl, conn_i.tos,
              conn_i.peer_port, conn_i.local_port, conn_i.peer_addr[AddrW-1:0],
              conn_i.local_addr[AddrW-1:0]}),
    .re_i(req_valid_i), .raddr_i(req_qpn_i), .rdata_o(conn_rd)
  );
  weft_ram_1r1w #(.W(L2W), .DEPTH(N_QP)) u_link (
    .clk_i, .we_i(link_we), .waddr_i(conn_qpn_i), .wdata_i(conn_i.l2[L2W-1:0]),
    .re_i(req_valid_i), .raddr_i(req_qpn_i), .rdata_o(link_rd)
  );
  weft_ram_1r1w #(.W(16), .DEPTH(N_QP)) u_wnd (
    .clk_i, .we_i(wnd_we_i), .waddr_i(wnd_qpn_i), .wdata_i(wnd_i),
    .re_i(req_valid_i), .raddr_i(req_qpn_i), .rdata_o(wnd_rd)
  );

  // ------------------------------------------------ t+1: arguments
  logic             is6_q, cvalid_q, ack_q, psh_q;
  logic [7:0]       ttl_q, tos_q;
  logic [15:0]      dport_q, sport_q, wnd_q, bytes_q;
  logic [AddrW-1:0] daddr_q, saddr_q;
  logic [31:0]      seq_q, ackno_q;
  logic [L2W-1:0]   link_q;
  logic [15:0]      id_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {v1_q, v2_q, v3_q, v4_q, v5_q, v6_q} <= '0;
      id_q <= '0;
    end else begin
      v1_q <= req_valid_i;
      v2_q <= v1_q && !arg_kill_i;
      v3_q <= v2_q;
      v4_q <= v3_q;
      v5_q <= v4_q;
      v6_q <= v5_q;
      if (v2_q) id_q <= id_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    {is6_q, cvalid_q, ttl_q, tos_q, dport_q, sport_q, daddr_q, saddr_q} <= conn_rd;
    wnd_q   <= wnd_rd;
    link_q  <= link_rd;
    ack_q   <= arg_ack_i;
    psh_q   <= arg_psh_i;
    bytes_q <= arg_ack_i ? '0 : arg_bytes_i;
    seq_q   <= arg_seq_i;
    ackno_q <= arg_ack_seq_i;
  end

  // ------------------------------------------------ t+2: L2 entry, first sums
  function automatic logic [15:0] swap16(input logic [15:0] v);
    swap16 = {v[7:0], v[15:8]};
  endfunction
  function automatic logic [31:0] swap32(input logic [31:0] v);
    swap32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction
  function automatic logic [15:0] fold(input logic [21:0] v);
    logic [16:0] s;
    s = 17'(v[15:0]) + 17'(v[21:16]);
    fold = s[15:0] + 16'(s[16]);
  endfunction

  weft_ram_1r1w #(.W(128), .DEPTH(N_L2)) u_l2e (
    .clk_i, .we_i(l2e_we_i), .waddr_i(l2e_index_i), .wdata_i(l2e_i),
    .re_i(v2_q), .raddr_i(link_q), .rdata_o(l2e_rd)
  );

  // What travels along unchanged from t+2 on.
  localparam int unsigned RideW = 4 + 16 + 64 + 16 + 16 + 32 + 16 + 2 * AddrW;
  logic [RideW-1:0] ride3_q, ride4_q, ride5_q, ride6_q;
  logic [3:0][17:0] s3_addr_q;
  logic [19:0]      s3_port_q, s3_len_q, s3_ip_q;
  logic [3:0][17:0] d_addr;
  logic [15:0]      flags;
  logic [15:0]      tcp_len, tot_len;

  assign flags   = {4'd5, 8'd0, psh_q, 3'd0} | 16'h0010;  // data offset 5, PSH, ACK
  assign tcp_len = bytes_q + 16'd20;
  assign tot_len = bytes_q + 16'd40;

  for (genvar g = 0; g < 4; g++) begin : gen_addr
    localparam int unsigned Half = Words / 2 > 1 ? Words / 2 : 1;
    always_comb begin
      d_addr[g] = '0;
      for (int unsigned i = 0; i < Half; i++) begin
        d_addr[g] = d_addr[g] + 18'(g < 2 ? swap16(saddr_q[16*((g%2)*Half+i)+:16])
                                          : swap16(daddr_q[16*((g%2)*Half+i)+:16]));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    s3_addr_q <= d_addr;
    s3_port_q <= 20'(sport_q) + 20'(dport_q) + 20'(seq_q[31:16]) + 20'(seq_q[15:0]) +
                 20'(ackno_q[31:16]) + 20'(ackno_q[15:0]);
    s3_len_q  <= 20'(flags) + 20'(wnd_q) + 20'(tcp_len) + 20'd6;
    s3_ip_q   <= 20'({8'h45, tos_q}) + 20'(tot_len) + 20'(id_q) + 20'h4000 + 20'({ttl_q, 8'd6});
    ride3_q   <= {ack_q, cvalid_q, is6_q, psh_q, id_q, seq_q, ackno_q, wnd_q, ttl_q, tos_q, sport_q,
                  dport_q, bytes_q, daddr_q, saddr_q};
  end

  // ------------------------------------------------ t+3 to t+5: sums
  logic [19:0]  s4_addr_q;
  logic [21:0]  s4_tcp_q;
  logic [19:0]  s4_ip_q;
  logic [21:0]  s5_tcp_q, s5_ip_q;
  logic [15:0]  c6_tcp_q, c6_ip_q;
  logic [127:0] l2e4_q, l2e5_q, l2e6_q;

  always_ff @(posedge clk_i) begin
    s4_addr_q <= 20'(s3_addr_q[0]) + 20'(s3_addr_q[1]) + 20'(s3_addr_q[2]) + 20'(s3_addr_q[3]);
    s4_tcp_q  <= 22'(s3_port_q) + 22'(s3_len_q);
    s4_ip_q   <= s3_ip_q;
    ride4_q   <= ride3_q;
    l2e4_q    <= l2e_rd;
    s5_tcp_q  <= s4_tcp_q + 22'(s4_addr_q);
    s5_ip_q   <= 22'(s4_ip_q) + 22'(s4_addr_q);
    c6_tcp_q  <= fold(s5_tcp_q);
    c6_ip_q   <= ~fold(s5_ip_q);
    ride6_q   <= ride5_q;
    l2e6_q    <= l2e5_q;
    ride5_q   <= ride4_q;
    l2e5_q    <= l2e4_q;
  end

  // ------------------------------------------------ the header waits for the payload's sum
  localparam int unsigned WaitW = RideW + 128 + 32;
  logic         q_valid, q_room, q_go, o_valid_q, o_ack_q, o_void_q;
  logic [15:0]  q_tcp, q_ip, tcp_sum;
  logic [127:0] q_l2e;
  logic [RideW-1:0] q_ride;

  weft_fifo #(.W(WaitW), .DEPTH(QUEUE)) u_wait (
    .clk_i, .rst_ni, .in_valid_i(v6_q), .in_ready_o(q_room),
    .in_data_i({c6_tcp_q, c6_ip_q, l2e6_q, ride6_q}),
    .out_valid_o(q_valid), .out_ready_i(q_go), .out_data_o({q_tcp, q_ip, q_l2e, q_ride}),
    .count_o()
  );

  logic                h_ack, h_cvalid, h_v6, h_psh;
  logic [15:0]         h_id, h_wnd, h_sport, h_dport, h_bytes;
  logic [31:0]         h_seq, h_ackno;
  logic [7:0]          h_ttl, h_tos;
  logic [AddrW-1:0]    h_daddr, h_saddr;
  logic [127:0]        h_daddr6, h_saddr6;
  weft_abi_pkg::l2e_t  h_l2;
  logic [14*8-1:0]     eth;
  logic [18*8-1:0]     eth_vlan;
  logic [20*8-1:0]     ip4, tcp;
  logic [40*8-1:0]     ip6;
  logic [60*8-1:0]     l3;
  logic [15:0]         etype;
  logic                take;

  assign {h_ack, h_cvalid, h_v6, h_psh, h_id, h_seq, h_ackno, h_wnd, h_ttl, h_tos, h_sport, h_dport,
          h_bytes, h_daddr, h_saddr} = q_ride;
  assign h_l2     = q_l2e;
  assign h_daddr6 = 128'(h_daddr);
  assign h_saddr6 = 128'(h_saddr);
  assign etype    = h_v6 ? 16'hdd86 : 16'h0008;
  assign tcp_sum  = ~fold(22'(q_tcp) + (h_ack ? 22'd0 : 22'(sum_i)));
  assign eth      = {etype, h_l2.smac, h_l2.dmac};
  assign eth_vlan = {etype, swap16(h_l2.vlan_tci), 16'h0081, h_l2.smac, h_l2.dmac};
  assign ip4 = {h_daddr[31:0], h_saddr[31:0], swap16(q_ip), 8'd6, h_ttl, 16'h0040,
                swap16(h_id), swap16(h_bytes + 16'd40), h_tos, 8'h45};
  assign ip6 = {h_daddr6, h_saddr6, h_ttl, 8'd6, swap16(h_bytes + 16'd20), 16'd0,
                h_tos[3:0], 4'd0, 4'd6, h_tos[7:4]};
  assign tcp = {16'd0, swap16(tcp_sum), swap16(h_wnd), {3'd0, 1'b1, h_psh, 3'd0}, 8'h50,
                swap32(h_ackno), swap32(h_seq), swap16(h_dport), swap16(h_sport)};
  assign l3  = h_v6 ? {tcp, ip6} : {160'd0, tcp, ip4};

  assign take        = !o_valid_q || hdr_ready_i;
  assign q_go        = take && (h_ack || sum_valid_i);
  assign sum_ready_o = take && q_valid && !h_ack;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) o_valid_q <= 1'b0;
    else if (take) o_valid_q <= q_valid && q_go;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      o_ack_q    <= h_ack;
      o_void_q   <= !(h_cvalid && h_l2.valid);
      hdr_len_o  <= (h_v6 ? 7'd74 : 7'd54) + (h_l2.vlan ? 7'd4 : 7'd0);
      hdr_data_o <= h_l2.vlan ? {l3, eth_vlan} : {32'd0, l3, eth};
    end
  end

  assign hdr_valid_o = o_valid_q;
  assign hdr_ack_o   = o_ack_q;
  assign hdr_void_o  = o_void_q;
  assign idle_o      = !(v1_q || v2_q || v3_q || v4_q || v5_q || v6_q || q_valid || o_valid_q);

  logic unused;
  assign unused = ^{conn_i, h_l2.mtu};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!v6_q || q_room);
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
