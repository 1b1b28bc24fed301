// SPDX-License-Identifier: BSD-2-Clause

/// Outstanding RDMA Reads of this side (what their responses must look like), a queue for each QP,
/// and the count of inbound reads that were given back. Both counters run freely: the user keeps
/// the other end of each and compares.
module weft_rx_reads #(
  parameter int unsigned N_QP = 16,     ///< queue pairs, a power of two, 2 or more
  parameter int unsigned ORD_MAX = 16,  ///< reads outstanding a QP, a power of two, at most 128
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned OrdW = $clog2(ORD_MAX)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   orq_valid_i,
  output logic                   orq_ready_o,
  input  weft_pkg::orq_t         orq_i,
  input  logic                   irq_free_valid_i,  ///< pulse, always taken
  input  logic [15:0]            irq_free_qpn_i,

  /// Look-ups, answered in the next cycle.
  input  logic                   cnt_re_i,
  input  logic [QpW-1:0]         cnt_qpn_i,
  output logic [7:0]             cnt_orq_o,   ///< reads ever sent, modulo 256
  output logic [7:0]             cnt_free_o,  ///< inbound reads ever given back, modulo 256
  input  logic                   ent_re_i,
  input  logic [QpW+OrdW-1:0]    ent_addr_i,
  output weft_pkg::orq_t         ent_o,       ///< its qpn is not kept
  output logic                   init_o       ///< the sweep after reset is under way
);

  // ------------------------------------------------ outstanding reads: read pointer, write entry
  logic           got_q;
  logic [7:0]     wptr, wptr_keep;
  logic [111:0]   unused_pad;
  logic [127:0]   ent;

  // The counters of each QP are kept twice (two readers); a sweep after reset makes the copies agree.
  logic           init_q;
  logic [QpW-1:0] sweep_q;

  assign orq_ready_o = got_q;
  assign init_o      = init_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      got_q   <= 1'b0;
      init_q  <= 1'b1;
      sweep_q <= '0;
    end else begin
      got_q   <= orq_valid_i && !got_q && !init_q;
      sweep_q <= sweep_q + QpW'(init_q);
      if (sweep_q == '1) init_q <= 1'b0;
    end
  end

  logic [QpW-1:0] orq_qp;
  assign orq_qp = orq_i.qpn[QpW-1:0];

  logic [QpW-1:0] wptr_addr;
  logic [7:0]     wptr_next;
  assign wptr_addr = init_q ? sweep_q : orq_qp;
  assign wptr_next = init_q ? 8'd0 : wptr + 8'd1;
  weft_ram_1r1w #(.W(8), .DEPTH(N_QP)) u_wptr (.clk_i, .we_i(got_q || init_q), .waddr_i(wptr_addr),
    .wdata_i(wptr_next), .re_i(orq_valid_i && !got_q), .raddr_i(orq_qp), .rdata_o(wptr));
  weft_ram_1r1w #(.W(8), .DEPTH(N_QP)) u_wptr_look (.clk_i, .we_i(got_q || init_q),
    .waddr_i(wptr_addr), .wdata_i(wptr_next), .re_i(cnt_re_i), .raddr_i(cnt_qpn_i),
    .rdata_o(wptr_keep));
  weft_ram_1r1w #(.W(128), .DEPTH(N_QP * ORD_MAX)) u_ent (.clk_i, .we_i(got_q),
    .waddr_i({orq_qp, wptr[OrdW-1:0]}),
    .wdata_i({orq_i.sink_stag, orq_i.sink_to, orq_i.len}),
    .re_i(ent_re_i), .raddr_i(ent_addr_i), .rdata_o(ent));

  assign cnt_orq_o = wptr_keep;
  assign ent_o     = {16'd0, ent};

  // ------------------------------------------------ inbound reads given back: one a cycle
  logic           v_q, hit_q;
  logic [QpW-1:0] qp_q, free_qp;
  logic [7:0]     last_q, rdata, next;

  assign free_qp = irq_free_qpn_i[QpW-1:0];
  assign next    = (hit_q ? last_q : rdata) + 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) v_q <= 1'b0;
    else v_q <= irq_free_valid_i;
  end
  always_ff @(posedge clk_i) begin
    qp_q   <= free_qp;
    hit_q  <= v_q && qp_q == free_qp;  // this read misses the write of the one before
    last_q <= next;
  end

  logic [QpW-1:0] free_addr;
  logic [7:0]     free_next;
  assign free_addr = init_q ? sweep_q : qp_q;
  assign free_next = init_q ? 8'd0 : next;
  weft_ram_1r1w #(.W(8), .DEPTH(N_QP)) u_free (.clk_i, .we_i(v_q || init_q), .waddr_i(free_addr),
    .wdata_i(free_next), .re_i(irq_free_valid_i), .raddr_i(free_qp), .rdata_o(rdata));
  weft_ram_1r1w #(.W(8), .DEPTH(N_QP)) u_free_look (.clk_i, .we_i(v_q || init_q),
    .waddr_i(free_addr), .wdata_i(free_next), .re_i(cnt_re_i), .raddr_i(cnt_qpn_i), .rdata_o(cnt_free_o));

  assign unused_pad = '0;
  logic unused;
  assign unused = ^{orq_i.qpn, irq_free_qpn_i, unused_pad};

endmodule
