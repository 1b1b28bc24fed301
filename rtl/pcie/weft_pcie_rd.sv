// SPDX-License-Identifier: BSD-2-Clause

/// Cuts the requests of the read clients into memory read TLPs, round robin between clients, one TLP
/// in two cycles, also of one client alone (a request is taken in the cycle in which the last TLP of the one before is made). TLPs are cut at addresses that are multiples of min(MRRS, 512), so at 4 KiB too,
/// and each takes one tag with its 512-byte slot of the reassembly buffer.
///
/// One tag is kept for each client, the others are for whoever comes first: a client that does not take
/// its data, or whose reads are not answered, slows the others down but never stops them. While `run_i`
/// is low no TLP leaves: each piece gets its tag as always, and is marked as failed at once. A TLP that
/// is still offered then, or whose tag was given up (`gone_i`), is withdrawn: `tx_rd_valid_o` may fall
/// without `tx_rd_ready_i`. Its tag stays outstanding until the time-out of reads.
module weft_pcie_rd #(
  parameter int unsigned N_RD  = 8,   ///< clients
  parameter int unsigned N_TAG = 64,  ///< tags, 64 to 256
  localparam int unsigned TagW = $clog2(N_TAG),
  localparam int unsigned CliW = $clog2(N_RD)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 run_i,
  input  logic [15:0]          cfg_bdf_i,
  input  logic [2:0]           cfg_mrrs_i,
  input  logic                 cfg_ext_tag_i,

  input  logic [N_RD-1:0]      rd_req_valid_i,
  output logic [N_RD-1:0]      rd_req_ready_o,
  input  logic [N_RD-1:0][80:0] rd_req_i,    ///< weft_pkg::dma_rd_req_t each

  input  logic [7:0]           wr_acc_i,     ///< write packets accepted, modulo 256
  input  logic [7:0]           wr_left_i,    ///< write packets that have left

  input  logic                 gone_i,       ///< the tag of the TLP that is offered was given up
  input  logic                 tag_valid_i,  ///< a free tag
  input  logic [TagW-1:0]      tag_i,
  output logic                 alloc_o,      ///< it is taken
  output logic [CliW-1:0]      alloc_client_o,
  output logic [8:0]           alloc_off_o,  ///< offset of the first byte in the slot
  output logic [9:0]           alloc_len_o,  ///< bytes, 1 to 512
  output logic                 alloc_last_o, ///< last piece of the request
  output logic                 alloc_err_o,  ///< failed already

  input  logic                 free_i,       ///< a client gives a tag back
  input  logic [CliW-1:0]      free_client_i,

  output logic                 tx_rd_valid_o,
  input  logic                 tx_rd_ready_i,
  output logic [127:0]         tx_rd_hdr_o,

  output logic                 idle_o,
  output logic                 stat_rd_tlp_o,
  output logic                 stat_rd_no_tag_o  ///< cycle in which a read waited for a tag
);

  // ------------------------------------------------------------ one request of each client
  logic [N_RD-1:0]       have_q, wait_q, quota_q;
  logic [N_RD-1:0][63:0] addr_q;
  logic [N_RD-1:0][15:0] rest_q;
  logic [N_RD-1:0][7:0]  snap_q;
  logic [N_RD-1:0]       extra;       // holds one already: the next is of the common ones
  logic [N_RD-1:0][TagW:0] held_q;
  logic [TagW:0]         common_q;    // common tags that are held
  logic                  gives_common;

  // ------------------------------------------------------------ pick, then cut: two cycles a TLP
  logic            phase_q, go, more;
  logic [N_RD-1:0] cand, gnt, sel_q, ends;  // ends: the request is over with this TLP
  logic            pick;
  logic [CliW-1:0] pick_idx, cli_q;
  logic [63:0]     pick_addr, addr_s_q;  // of the picked client
  logic [15:0]     pick_rest, rest_s_q;
  logic [9:0]      blk_q, room, len;
  logic [TagW:0]   limit_q;

  assign ends           = sel_q & {N_RD{go && !more}};
  assign rd_req_ready_o = ~have_q | ends;
  assign cand           = have_q & ~wait_q & quota_q;

  weft_arb_rr #(.N(N_RD)) u_arb (
    .clk_i, .rst_ni, .req_i(cand), .advance_i(!phase_q), .valid_o(pick), .gnt_o(gnt), .idx_o(pick_idx)
  );

  always_comb begin
    pick_addr = '0;
    pick_rest = '0;
    for (int unsigned i = 0; i < N_RD; i++) begin
      if (gnt[i]) begin
        pick_addr = pick_addr | addr_q[i];
        pick_rest = pick_rest | rest_q[i];
      end
    end
  end

  for (genvar i = 0; i < N_RD; i++) begin : gen_extra
    assign extra[i] = held_q[i] != '0;
  end

  assign room = blk_q - ({1'b0, addr_s_q[8:0]} & (blk_q - 10'd1));
  assign more = rest_s_q > 16'(room);
  assign len  = more ? room : rest_s_q[9:0];
  assign go   = phase_q && tag_valid_i && !tx_rd_valid_o;
  // Who takes a tag in this very cycle keeps one: the other was common, or becomes so by `extra`.
  assign gives_common = free_i && (held_q[free_client_i] > (TagW + 1)'(1) || (go && cli_q == free_client_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= 1'b0;
      have_q  <= '0;
      wait_q  <= '0;
      quota_q <= '0;
      common_q <= '0;
      held_q  <= '0;
      blk_q   <= 10'd128;
      limit_q <= '0;
    end else begin
      blk_q   <= (cfg_mrrs_i == 3'd0) ? 10'd128 : (cfg_mrrs_i == 3'd1) ? 10'd256 : 10'd512;
      limit_q <= (TagW + 1)'(cfg_ext_tag_i ? N_TAG - N_RD : 32 - N_RD);
      phase_q <= phase_q ? !go : pick;
      for (int unsigned i = 0; i < N_RD; i++) begin
        if (rd_req_valid_i[i] && rd_req_ready_o[i]) begin
          have_q[i] <= 1'b1;
          wait_q[i] <= rd_req_i[i][80];
        end else begin
          if (ends[i]) have_q[i] <= 1'b0;
          if (snap_q[i] == wr_left_i) wait_q[i] <= 1'b0;
        end
        if ((go && sel_q[i]) != (free_i && free_client_i == CliW'(i)))
          held_q[i] <= (go && sel_q[i]) ? held_q[i] + 1'b1 : held_q[i] - 1'b1;
        // The tag of one TLP may be under way
        quota_q[i] <= (held_q[i] == '0 && !(go && sel_q[i])) || common_q + 1'b1 < limit_q;
      end
      if ((go && (extra & sel_q) != '0) != gives_common)
        common_q <= gives_common ? common_q - 1'b1 : common_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!phase_q) begin
      sel_q    <= gnt;
      cli_q    <= pick_idx;
      addr_s_q <= pick_addr;
      rest_s_q <= pick_rest;
    end
    for (int unsigned i = 0; i < N_RD; i++) begin
      if (!have_q[i] || ends[i]) begin
        {rest_q[i], addr_q[i]} <= rd_req_i[i][79:0];
        snap_q[i] <= wr_acc_i;
      end else if (go && sel_q[i]) begin
        // If there is more, it begins with the next block.
        addr_q[i] <= (addr_s_q | 64'(blk_q - 10'd1)) + 64'd1;
        rest_q[i] <= rest_s_q - 16'(room);
      end
    end
  end

  assign alloc_o        = go;
  assign alloc_client_o = cli_q;
  assign alloc_off_o    = addr_s_q[8:0];
  assign alloc_len_o    = len;
  assign alloc_last_o   = !more;
  assign alloc_err_o    = !run_i;

  // ------------------------------------------------------------ TLP
  // Dwords and last byte enables of a read that ends here and of one that ends with its block, beside
  // the decision which it is.
  logic [10:0] span;
  logic [8:0]  dwords, dw_end, dw_blk;
  logic [3:0]  be_lo, be_hi;
  logic        wide;

  assign span   = {1'b0, rest_s_q[9:0]} + 11'(addr_s_q[1:0]);
  assign dw_end = span[10:2] + 9'(span[1:0] != 2'd0);
  assign dw_blk = {1'b0, blk_q[9:2]} - ({2'b0, addr_s_q[8:2]} & ({1'b0, blk_q[9:2]} - 9'd1));
  assign dwords = more ? dw_blk : dw_end;
  assign be_lo  = 4'hf << addr_s_q[1:0];
  assign be_hi  = (more || span[1:0] == 2'd0) ? 4'hf : 4'hf >> (3'd4 - 3'(span[1:0]));
  assign wide   = addr_s_q[63:32] != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_rd_valid_o    <= 1'b0;
      stat_rd_no_tag_o <= 1'b0;
    end else begin
      if (go) tx_rd_valid_o <= run_i;
      else if (tx_rd_ready_i || !run_i || gone_i) tx_rd_valid_o <= 1'b0;
      stat_rd_no_tag_o <= phase_q && !tag_valid_i && !tx_rd_valid_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      tx_rd_hdr_o <= {
        wide ? {addr_s_q[31:2], 2'b00} : 32'd0,
        wide ? addr_s_q[63:32] : {addr_s_q[31:2], 2'b00},
        cfg_bdf_i, 8'(tag_i), (dwords == 9'd1) ? 4'd0 : be_hi, (dwords == 9'd1) ? be_lo & be_hi : be_lo,
        2'b00, wide, 5'd0, 14'd0, 1'b0, dwords
      };
    end
  end

  assign stat_rd_tlp_o = tx_rd_valid_o && tx_rd_ready_i;
  assign idle_o        = have_q == '0 && !tx_rd_valid_o;

`ifndef SYNTHESIS
  initial begin
    if (N_RD < 2 || N_RD > 16) $fatal(1, "weft_pcie_rd: N_RD must be 2 to 16");
    if (N_TAG < 64 || N_TAG > 256 || (N_TAG & (N_TAG - 1)) != 0)
      $fatal(1, "weft_pcie_rd: N_TAG must be 64, 128 or 256");
  end
  for (genvar i = 0; i < N_RD; i++) begin : gen_check
    always_ff @(posedge clk_i) begin
      if (rst_ni && rd_req_valid_i[i])
        assert (rd_req_i[i][79:64] != 0 && rd_req_i[i][79:64] <= 16'd16384)
        else $error("weft_pcie_rd: client %0d asks for %0d bytes", i, rd_req_i[i][79:64]);
    end
  end
`endif

`ifdef FORMAL_pcie_rd
  `include "pcie_rd.svh"
`endif

endmodule
