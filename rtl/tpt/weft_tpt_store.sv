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
/// A window's entry is all that an access by it needs. What ties it to its region stands beside the entries, and is read and written in
/// turns alone: of a window that is bound (VALID or CLOSED) the region's index, of a region how many are bound to it. A turn that ends a window, be it an operation or
/// a commit, takes it from its region's number; one that binds it looks at the region too, and adds it there. A commit of an entry that windows are
/// bound to is taken without effect (`commit_refused_o`). Who reads an entry learns by REFUSED what became of the last commit: WINDOWS may have changed since.
/// There are fewer entries than 16 bits count.
///
/// After reset all entries are swept to FREE; nothing is taken before.
module weft_tpt_store #(
  parameter int unsigned N_STAG = 256,       ///< entries, a power of two, 4 or more
  parameter int unsigned TEST_LATENCY = 0,   ///< simulation: answer after 1 to this many random cycles
  localparam int unsigned SlotW = $clog2(N_STAG),
  localparam int unsigned EntW = 397
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
  output logic             commit_refused_o, ///< with commit_ready_o: windows are bound to it, it stays as it is

  input  logic             fetch_valid_i,
  output logic             fetch_ready_o,
  input  logic [SlotW-1:0] fetch_slot_i,
  output logic             fetch_rsp_valid_o,
  output logic [511:0]     fetch_rsp_data_o,

  input  logic             op_valid_i,     ///< held with op_i until op_ready_o
  output logic             op_ready_o,     ///< pulse: done, as op_err_o says; the entry is written in this cycle
  input  weft_dp_pkg::stag_op_t op_i,
  output weft_pkg::xl_err_e     op_err_o,
  output logic             op_closes_o,    ///< with op_ready_o: accesses that were allowed before are so no more

  output logic             flush_req_o,    ///< let nothing new in, empty the caches, then answer
  input  logic             flush_done_i,
  output logic             idle_o
);

  typedef enum logic [3:0] {
    StSweep, StIdle, StRead, StWait, StJudge, StRegion, StRegionWait, StSpan, StEnd, StBound, StRaise, StParent, StLower, StWrite, StFetched
  } state_e;

  state_e            state_q;
  logic [SlotW-1:0]  sweep_q, cfg_slot, region_slot, parent_slot;
  logic              commit_q;      // else a fetch
  logic              op_q, turn_q, op_go; // an operation; the bus is next
  logic              flush_q;       // the caches are emptied before the entry is written
  logic [7:0]        gen_q;
  logic              re, we, v1_q, tag1_q, cfg1_q;
  logic [EntW-1:0]   rdata, wdata;
  logic [SlotW-1:0]  raddr, waddr;

  // Entry as it is stored: {generation, the fields of tpt_t that exist}.
  weft_abi_pkg::tpt_t c, w, op_new, bind_new;
  assign c = commit_data_i;

  logic [EntW-9:0] packed_entry;
  assign packed_entry = {w.stag, w.state, w.kind, w.access, w.page_log2, w.direct, w.pd, w.qpn, w.base,
                         w.length, w.fbo_hi, w.fbo, w.pbl, w.pbl_count};

  weft_abi_pkg::tpt_t f;
  logic [7:0]         f_gen;
  logic [EntW-1:0]    fetched_q;
  logic               f_is_mr, f_bound;
  logic [23:0]        tie;          // of the entry in fetched_q, until the region's is read
  always_comb begin
    f = '0;
    {f_gen, f.stag, f.state, f.kind, f.access, f.page_log2, f.direct, f.pd, f.qpn, f.base, f.length,
     f.fbo_hi, f.fbo, f.pbl, f.pbl_count} = fetched_q;
    f_is_mr = f.kind == weft_abi_pkg::TPT_TYPE_MR;
    f_bound = (f.kind == weft_abi_pkg::TPT_TYPE_MW || f.kind == weft_abi_pkg::TPT_TYPE_MW_1)
              && (f.state == weft_abi_pkg::TPT_STATE_VALID || f.state == weft_abi_pkg::TPT_STATE_CLOSED) && tie != '0;
    if (f_is_mr) f.windows = tie[15:0];
    else if (f_bound) f.parent = tie;
    f.refused = last_refused_q;
  end

  // ---------------------------------------------------------------- verdicts
  weft_pkg::xl_err_e  op_err, bind_err, op_err_q;
  weft_abi_pkg::tpt_t asked;
  logic               is_bind, unbind, refused, refused_q, last_refused_q, lower, closes, closes_q, mw_1_q, below_q, was_bound_q, bound_to;
  logic [23:0]        parent_q;
  logic [63:0]        off_q;
  logic [64:0]        end_q;
  assign asked    = op_i.entry;
  assign is_bind  = op_q && op_i.op == weft_dp_pkg::StagBind;
  assign unbind   = asked.length == '0;
  assign refused  = commit_q && f.windows != '0;
  assign bound_to = was_bound_q && parent_q == asked.pbl_count[31:8];  // the same region as before
  weft_tpt_op u_op (.op_i, .ent_i(f), .err_o(op_err), .ent_o(op_new));
  weft_tpt_bind u_bind (
    .op_i, .region_i(f), .off_i(off_q), .below_i(below_q), .end_i(end_q), .mw_1_i(mw_1_q),
    .err_o(bind_err), .ent_o(bind_new)
  );
  assign closes = op_q && op_err == weft_pkg::XlOk
                  && (op_i.op == weft_dp_pkg::StagRemInv || op_i.op == weft_dp_pkg::StagInvEnd || (is_bind && f.state == weft_abi_pkg::TPT_STATE_VALID));
  // A window that was bound, and is not when this turn is over.
  assign lower = op_q ? op_err == weft_pkg::XlOk && f_bound && op_new.state == weft_abi_pkg::TPT_STATE_INVALID : commit_q && f_bound && !refused;

  always_comb begin
    if (!op_q) w = c;
    else if (is_bind && !unbind) w = bind_new;
    else w = op_new;
  end
  assign op_go             = op_valid_i && !(turn_q && (commit_valid_i || fetch_valid_i));
  assign op_ready_o        = state_q == StWrite && !flush_q && op_q;
  assign op_err_o          = op_err_q;
  assign op_closes_o       = op_ready_o && closes_q;

  assign cfg_slot          = op_q ? op_i.stag[8+:SlotW] : commit_q ? commit_slot_i : fetch_slot_i;
  assign region_slot       = asked.pbl_count[8+:SlotW];
  assign parent_slot       = parent_q[SlotW-1:0];
  assign rd_ready_o        = state_q != StSweep && state_q != StRead && state_q != StRegion && !(state_q == StWrite && flush_q);
  assign commit_ready_o    = state_q == StWrite && !flush_q && !op_q;
  assign commit_refused_o  = refused_q;
  assign fetch_ready_o     = state_q == StRead && !commit_q && !op_q;
  assign fetch_rsp_valid_o = state_q == StFetched;
  assign fetch_rsp_data_o  = f;
  assign flush_req_o       = state_q == StWrite && flush_q;
  assign idle_o            = state_q == StIdle && !commit_valid_i && !fetch_valid_i && !op_valid_i;

  assign re    = (rd_valid_i && rd_ready_o) || state_q == StRead || state_q == StRegion;
  assign raddr = (state_q == StRead) ? cfg_slot : (state_q == StRegion) ? region_slot : rd_slot_i;
  assign we    = state_q == StSweep || (state_q == StWrite && !flush_q && !(op_q ? op_err_q != weft_pkg::XlOk : refused_q));
  assign waddr = (state_q == StSweep) ? sweep_q : cfg_slot;
  assign wdata = (state_q == StSweep) ? '0 : {gen_q, packed_entry};

  weft_ram_1r1w #(.W(EntW), .DEPTH(N_STAG)) u_ram (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(re), .raddr_i(raddr), .rdata_o(rdata)
  );

  // ---------------------------------------------------------------- what ties windows to regions
  logic             tie_we;
  logic [SlotW-1:0] tie_waddr, tie_raddr;
  logic [23:0]      tie_w;
  always_comb begin
    tie_we    = we && !(state_q == StWrite && op_q && !is_bind);
    tie_waddr = waddr;
    tie_w     = (state_q == StWrite && is_bind && !unbind) ? asked.pbl_count[31:8] : '0;
    if (state_q == StLower) begin
      tie_we    = 1'b1;
      tie_waddr = parent_slot;
      tie_w     = tie - 24'd1;
    end
    if (state_q == StRaise) begin
      tie_we    = 1'b1;
      tie_waddr = region_slot;
      tie_w     = {8'd0, f.windows} + 24'd1;
    end
    tie_raddr = (state_q == StRegion) ? region_slot : (state_q == StParent) ? parent_slot : cfg_slot;
  end
  weft_ram_1r1w #(.W(24), .DEPTH(N_STAG)) u_ties (
    .clk_i, .we_i(tie_we), .waddr_i(tie_waddr), .wdata_i(tie_w), .re_i(state_q == StRead || state_q == StRegion || state_q == StParent),
    .raddr_i(tie_raddr), .rdata_o(tie)
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
      flush_q  <= 1'b0;
    end else begin
      v1_q   <= rd_valid_i && rd_ready_o;
      cfg1_q <= state_q == StRead || state_q == StRegion;
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + 1'b1;
          if (sweep_q == SlotW'(N_STAG - 1)) state_q <= StIdle;
        end
        StIdle: begin
          commit_q <= commit_valid_i && !op_go;
          op_q     <= op_go;
          if (commit_valid_i || fetch_valid_i || op_valid_i) begin
            state_q <= StRead;
            turn_q  <= op_go;
          end
        end
        StRead: state_q <= StWait;
        StWait: state_q <= op_q || commit_q ? StJudge : StFetched;
        StJudge: begin
          flush_q <= (op_q ? op_err == weft_pkg::XlOk : !refused) && f_gen == 8'hff;
          if (is_bind && !unbind && op_err == weft_pkg::XlOk) state_q <= StRegion;
          else state_q <= lower ? StParent : StWrite;
        end
        StRegion: state_q <= StRegionWait;
        StRegionWait: state_q <= StSpan;
        StSpan: state_q <= StEnd;
        StEnd: state_q <= StBound;
        StBound: begin
          if (bind_err != weft_pkg::XlOk) flush_q <= 1'b0;
          state_q <= bind_err != weft_pkg::XlOk || bound_to ? StWrite : StRaise;
        end
        StRaise: state_q <= was_bound_q ? StParent : StWrite;
        StParent: state_q <= StLower;
        StLower: state_q <= StWrite;
        StWrite: begin
          if (flush_q) flush_q <= !flush_done_i;
          else state_q <= StIdle;
        end
        default: state_q <= StIdle;  // StFetched
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    tag1_q <= rd_tag_i;
    if (cfg1_q) fetched_q <= rdata;
    if (state_q == StWait) gen_q <= rdata[EntW-1-:8] + 8'd1;
    if (state_q == StJudge) begin
      op_err_q    <= op_err;
      refused_q   <= refused;
      if (commit_q) last_refused_q <= refused;
      closes_q    <= closes;
      was_bound_q <= f_bound;
      parent_q    <= tie;
      mw_1_q      <= f.kind == weft_abi_pkg::TPT_TYPE_MW_1;
    end
    if (state_q == StSpan) begin
      off_q   <= asked.pbl - f.base;
      below_q <= asked.pbl < f.base;
    end
    if (state_q == StEnd) end_q <= {1'b0, off_q} + {1'b0, asked.length};
    if (state_q == StBound) begin
      op_err_q <= bind_err;
      if (bind_err != weft_pkg::XlOk) closes_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = ^{c, w, asked, bind_new};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && state_q == StLower) assert (tie != '0) else $error("%m: a window's region %x counts none", parent_q);
  end
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
