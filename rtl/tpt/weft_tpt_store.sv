// SPDX-License-Identifier: BSD-2-Clause

/// Store of TPT entries: on-chip memory now, with a boundary that allows a cache over host memory.
/// A read is answered after any number of cycles, in the order of the requests; the reader has room
/// for every answer that it asked for (no ready).
///
/// Every commit gives the entry a new generation. Cached page lists carry the generation they were
/// read under, so lines of an earlier entry in the slot are never used again. When a generation
/// number comes round, the caches are emptied first (`flush_*`).
///
/// An operation (`op_*`) reads its entry, judges it (weft_tpt_op) and writes it, with no commit in between; when it is over, `op_ready_o`
/// says so, with its answer. Operations and the configuration bus take turns.
///
/// After reset all entries are swept to FREE; nothing is taken before.
module weft_tpt_store #(
  parameter int unsigned N_STAG = 256,       ///< entries, a power of two, 4 or more
  parameter int unsigned TEST_LATENCY = 0,   ///< simulation: answer after 1 to this many random cycles
  localparam int unsigned SlotW = $clog2(N_STAG),
  localparam int unsigned EntW = 365
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             rd_valid_i,
  output logic             rd_ready_o,
  input  logic [SlotW-1:0] rd_slot_i,
  input  logic             rd_tag_i,      ///< returned
  output logic             rsp_valid_o,
  output logic             rsp_tag_o,
  output logic [EntW-1:0]  rsp_ent_o,     ///< see Entry below

  input  logic             commit_valid_i,
  output logic             commit_ready_o,
  input  logic [SlotW-1:0] commit_slot_i,
  input  logic [511:0]     commit_data_i,  ///< weft_abi_pkg::tpt_t

  input  logic             fetch_valid_i,
  output logic             fetch_ready_o,
  input  logic [SlotW-1:0] fetch_slot_i,
  output logic             fetch_rsp_valid_o,
  output logic [511:0]     fetch_rsp_data_o,

  input  logic             op_valid_i,     ///< held with op_i until op_ready_o
  output logic             op_ready_o,     ///< pulse: done, as op_err_o says; the entry is written in this cycle
  input  weft_dp_pkg::stag_op_t op_i,
  output weft_pkg::xl_err_e     op_err_o,

  output logic             flush_req_o,    ///< let nothing new in, empty the caches, then answer
  input  logic             flush_done_i,
  output logic             idle_o
);

  typedef enum logic [2:0] {
    StSweep, StIdle, StRead, StWait, StJudge, StFlush, StWrite, StFetched
  } state_e;

  state_e            state_q;
  logic [SlotW-1:0]  sweep_q, cfg_slot;
  logic              commit_q;      // else a fetch
  logic              op_q, turn_q, op_go; // an operation; the bus is next
  logic [7:0]        gen_q;
  logic              re, we, v1_q, tag1_q, cfg1_q;
  logic [EntW-1:0]   rdata, wdata;
  logic [SlotW-1:0]  raddr, waddr;

  // Entry as it is stored: {generation, the fields of tpt_t that exist}.
  weft_abi_pkg::tpt_t c, w, op_new;
  assign c = commit_data_i;

  logic [EntW-9:0] packed_entry;
  assign packed_entry = {w.stag, w.state, w.kind, w.access, w.page_log2, w.direct, w.pd, w.qpn, w.base,
                         w.length, w.fbo, w.pbl, w.pbl_count};

  weft_abi_pkg::tpt_t f;
  logic [7:0]         f_gen;
  logic [EntW-1:0]    fetched_q;
  always_comb begin
    f = '0;
    {f_gen, f.stag, f.state, f.kind, f.access, f.page_log2, f.direct, f.pd, f.qpn, f.base, f.length,
     f.fbo, f.pbl, f.pbl_count} = fetched_q;
  end

  weft_pkg::xl_err_e  op_err, op_err_q;
  weft_tpt_op u_op (.op_i, .ent_i(f), .err_o(op_err), .ent_o(op_new));
  assign w                 = op_q ? op_new : c;
  assign op_go             = op_valid_i && !(turn_q && (commit_valid_i || fetch_valid_i));
  assign op_ready_o        = state_q == StWrite && op_q;
  assign op_err_o          = op_err_q;

  assign cfg_slot          = op_q ? op_i.stag[8+:SlotW] : commit_q ? commit_slot_i : fetch_slot_i;
  assign rd_ready_o        = state_q != StSweep && state_q != StRead && state_q != StFlush;
  assign commit_ready_o    = state_q == StWrite && !op_q;
  assign fetch_ready_o     = state_q == StRead && !commit_q && !op_q;
  assign fetch_rsp_valid_o = state_q == StFetched;
  assign fetch_rsp_data_o  = f;
  assign flush_req_o       = state_q == StFlush;
  assign idle_o            = state_q == StIdle && !commit_valid_i && !fetch_valid_i && !op_valid_i;

  assign re    = (rd_valid_i && rd_ready_o) || state_q == StRead;
  assign raddr = (state_q == StRead) ? cfg_slot : rd_slot_i;
  assign we    = state_q == StSweep || (state_q == StWrite && !(op_q && op_err_q != weft_pkg::XlOk));
  assign waddr = (state_q == StSweep) ? sweep_q : cfg_slot;
  assign wdata = (state_q == StSweep) ? '0 : {gen_q, packed_entry};

  weft_ram_1r1w #(.W(EntW), .DEPTH(N_STAG)) u_ram (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(re), .raddr_i(raddr), .rdata_o(rdata)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StSweep;
      sweep_q  <= '0;
      commit_q <= 1'b0;
      op_q     <= 1'b0;
      turn_q   <= 1'b0;
      v1_q     <= 1'b0;
      cfg1_q   <= 1'b0;
    end else begin
      v1_q   <= rd_valid_i && rd_ready_o;
      cfg1_q <= state_q == StRead;
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == SlotW'(N_STAG - 1)) state_q <= StIdle;
        end
        StIdle: begin
          commit_q <= commit_valid_i;
          op_q     <= op_go;
          if (commit_valid_i || fetch_valid_i || op_valid_i) begin
            state_q <= StRead;
            turn_q  <= op_go;
          end
        end
        StRead: state_q <= StWait;
        StWait: begin
          if (op_q) state_q <= StJudge;
          else if (!commit_q) state_q <= StFetched;
          else state_q <= (rdata[EntW-1-:8] == 8'hff) ? StFlush : StWrite;
        end
        StJudge: state_q <= (op_err == weft_pkg::XlOk && f_gen == 8'hff) ? StFlush : StWrite;
        StFlush: if (flush_done_i) state_q <= StWrite;
        default: state_q <= StIdle;  // StWrite, StFetched
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    tag1_q <= rd_tag_i;
    if (cfg1_q) begin
      gen_q     <= rdata[EntW-1-:8] + 8'd1;
      fetched_q <= rdata;
    end
    if (state_q == StJudge) op_err_q <= op_err;
  end

  logic unused;
  assign unused = ^{c, w};

`ifndef SYNTHESIS
  if (TEST_LATENCY != 0) begin : gen_slow
    // Answers leave in order, each not before its own random time.
    logic [EntW+64:0] queue [1024];
    logic [9:0]  wp_q, rp_q;
    logic [63:0] cycle_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wp_q        <= '0;
        rp_q        <= '0;
        cycle_q     <= '0;
        rsp_valid_o <= 1'b0;
      end else begin
        cycle_q     <= cycle_q + 64'd1;
        rsp_valid_o <= 1'b0;
        if (v1_q) begin
          queue[wp_q] <= {cycle_q + 64'($urandom_range(TEST_LATENCY - 1, 0)), tag1_q, rdata};
          wp_q        <= wp_q + 10'd1;
        end
        if (wp_q != rp_q && queue[rp_q][EntW+1+:64] <= cycle_q) begin
          rsp_valid_o <= 1'b1;
          {rsp_tag_o, rsp_ent_o} <= queue[rp_q][EntW:0];
          rp_q        <= rp_q + 10'd1;
        end
      end
    end
  end else begin : gen_fast
    assign rsp_valid_o = v1_q;
    assign rsp_tag_o   = tag1_q;
    assign rsp_ent_o   = rdata;
  end
  initial begin
    if (N_STAG < 4 || (N_STAG & (N_STAG - 1)) != 0) $fatal(1, "weft_tpt_store: N_STAG");
  end
`else
  logic unused_latency;
  assign unused_latency = TEST_LATENCY != 0;
  assign rsp_valid_o = v1_q;
  assign rsp_tag_o   = tag1_q;
  assign rsp_ent_o   = rdata;
`endif

endmodule
