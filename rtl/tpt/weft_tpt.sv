// SPDX-License-Identifier: BSD-2-Clause

/// Translation and protection: checks STag accesses of both directions and turns them into pieces of
/// bus memory. Entries are on chip (room TPT, slot = STag index mod N_STAG), page lists in host memory
/// behind a cache for each direction.
///
/// Port 0 is transmit, port 1 receive. Answers come in request order: one piece for each page, or one
/// for a contiguous region or physical memory; an error piece has length 0 and is the last. Faults that
/// the entry shows come as the only piece. A page list that ends too early or cannot be read is XlBus at
/// the page in question, so pieces may precede it.
///
/// A commit takes effect at once for accesses accepted after it; pieces of earlier ones may still be on
/// their way. Cached pages of the slot are never used again. With EPOCHS a commit of a state other than VALID
/// closes the epoch: its number (they count from 1) is answered by `drain_*` when all accesses that were accepted before it have left,
/// which their requesters say (weft_tpt_epoch). Without EPOCHS the caller drains the rooms that asked.
///
/// Operations on STags (`op_*`, stag_op_t) take effect like a commit, atomic against it and against look-ups: what was accepted up to
/// the cycle of `op_ready_o` sees the entry as it was. One that succeeds and ends all use (StagRemInv, StagInvEnd, StagBind of a window that was
/// VALID) closes the epoch under a number of its own, `op_seq_o`; nothing reads or writes the memory any more when `op_done_o` has come to it.
/// They need EPOCHS. Rules in weft_tpt_op and weft_tpt_bind. A commit of a region that windows are bound to has no effect and closes nothing.
///
/// Ports that hold several structs are plain vectors, as Yosys ignores dimensions behind a type name.
module weft_tpt #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_STAG = 256,       ///< entries, a power of two, 4 to 65536
  parameter int unsigned LINES = 128,        ///< cached lines of eight pages for each direction
  parameter int unsigned TEST_LATENCY = 0,   ///< simulation: the entry store takes 1 to this many cycles
  parameter bit EPOCHS = 1'b0,               ///< accesses are counted until they have left
  parameter int unsigned N_LEAVE = 3,        ///< leaves in a cycle, 1 to 8
  parameter int unsigned UNDER_WAY = 256,    ///< EPOCHS: accesses of a port without their last piece, a power of two
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned SlotW = $clog2(N_STAG)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [1:0]                  xl_req_valid_i,
  output logic [1:0]                  xl_req_ready_o,
  input  logic [1:0][161:0]           xl_req_i,         ///< weft_pkg::xlate_req_t each
  output logic [1:0]                  xl_rsp_valid_o,
  input  logic [1:0]                  xl_rsp_ready_i,
  output logic [1:0][84:0]            xl_rsp_o,         ///< weft_pkg::xlate_rsp_t each
  output logic [1:0][1:0]             xl_rsp_epoch_o,   ///< with each piece

  /// Pulses, exactly one for each access, errors included, not before its last piece was taken.
  input  logic [N_LEAVE-1:0]          leave_i = '0,
  input  logic [2*N_LEAVE-1:0]        leave_epoch_i = '0,  ///< bits 1:0 of the first
  output logic                        drain_valid_o,
  input  logic                        drain_ready_i = 1'b1,
  output logic [15:0]                 drain_seq_o,      ///< all closings up to this one are done

  input  logic                        op_valid_i = 1'b0,  ///< held with op_i until op_ready_o
  output logic                        op_ready_o,       ///< pulse: over; the answer stands beside it
  input  weft_dp_pkg::stag_op_t       op_i = '0,
  output weft_pkg::xl_err_e           op_err_o,
  output logic [15:0]                 op_seq_o,         ///< its closing, counted from 1; of one that closes none op_done_o
  output logic [15:0]                 op_done_o,        ///< closings of operations up to it are done (16 bits, they wrap)

  // DMA read clients: page lists of transmit and receive
  output logic [1:0]                  rd_req_valid_o,
  input  logic [1:0]                  rd_req_ready_i,
  output logic [1:0][80:0]            rd_req_o,         ///< weft_pkg::dma_rd_req_t each
  input  logic [1:0]                  rd_rsp_valid_i,
  output logic [1:0]                  rd_rsp_ready_o,
  input  logic [1:0][DATA_W-1:0]      rd_rsp_data_i,
  input  logic [1:0][CntW-1:0]        rd_rsp_cnt_i,
  input  logic [1:0]                  rd_rsp_last_i,
  input  logic [1:0]                  rd_rsp_err_i,

  input  logic                        cfg_req_valid_i,
  output logic                        cfg_req_ready_o,
  input  weft_pkg::cfg_req_t          cfg_req_i,
  output logic                        cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t          cfg_rsp_o,

  output logic                        idle_o,
  output logic [1:0]                  stat_hit_o,   ///< page found in the cache
  output logic [1:0]                  stat_miss_o,  ///< line of the page list fetched
  output logic [1:0]                  stat_err_o    ///< access refused
);

  localparam int unsigned EntW = 397;
  localparam int unsigned ReqW = 162;  // xlate_req_t

  // ------------------------------------------------ entries
  logic              rd_valid, rd_ready, rsp_valid, rsp_tag, flush_req, flush_done, store_idle;
  logic [SlotW-1:0]  rd_slot;
  logic [EntW-1:0]   rsp_ent;
  logic              commit_valid, commit_ready, commit_refused, fetch_valid, fetch_ready, fetch_rsp_valid;
  logic [15:0]       commit_index, fetch_index;
  logic [511:0]      commit_data, fetch_data;
  logic [1:0]        ask, gnt;
  logic [0:0]        gnt_idx;
  logic              any;
  logic [1:0][SlotW-1:0] slot;
  logic [1:0]        busy, port_idle;

  weft_ctx_window #(.N(N_STAG)) u_window (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .commit_valid_o(commit_valid), .commit_ready_i(commit_ready), .commit_index_o(commit_index),
    .commit_data_o(commit_data),
    .fetch_valid_o(fetch_valid), .fetch_ready_i(fetch_ready), .fetch_index_o(fetch_index),
    .fetch_rsp_valid_i(fetch_rsp_valid), .fetch_rsp_data_i(fetch_data)
  );

  weft_tpt_store #(.N_STAG(N_STAG), .TEST_LATENCY(TEST_LATENCY)) u_store (
    .clk_i, .rst_ni,
    .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_slot_i(rd_slot), .rd_tag_i(gnt_idx),
    .rsp_valid_o(rsp_valid), .rsp_tag_o(rsp_tag), .rsp_ent_o(rsp_ent),
    .commit_valid_i(commit_valid), .commit_ready_o(commit_ready),
    .commit_slot_i(commit_index[SlotW-1:0]), .commit_data_i(commit_data), .commit_refused_o(commit_refused),
    .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready), .fetch_slot_i(fetch_index[SlotW-1:0]),
    .fetch_rsp_valid_o(fetch_rsp_valid), .fetch_rsp_data_o(fetch_data),
    .op_valid_i, .op_ready_o, .op_i, .op_err_o, .op_closes_o(op_close),
    .flush_req_o(flush_req), .flush_done_i(flush_done), .idle_o(store_idle)
  );

  weft_arb_rr #(.N(2)) u_arb (
    .clk_i, .rst_ni, .req_i(ask), .advance_i(rd_ready), .valid_o(any), .gnt_o(gnt), .idx_o(gnt_idx)
  );
  assign rd_valid   = any && !flush_req;
  assign rd_slot    = slot[gnt_idx];
  // Nothing is between the entries and the tags any more.
  assign flush_done = flush_req && busy == '0;

  // ------------------------------------------------ epochs
  logic [1:0] enter, ep_room, epoch;
  logic       close, op_close, epoch_room, epoch_idle;
  logic [15:0] op_asked;
  weft_abi_pkg::tpt_t ce;
  assign ce    = commit_data;
  assign close = commit_valid && commit_ready && !commit_refused && ce.state != weft_abi_pkg::TPT_STATE_VALID;
  assign op_seq_o = op_close ? op_asked + 16'd1 : op_done_o;
  if (EPOCHS) begin : gen_epoch
    logic [15:0] asked;
    weft_tpt_epoch #(.N_IN(2), .N_LEAVE(N_LEAVE)) u_epoch (
      .clk_i, .rst_ni, .epoch_o(epoch), .room_o(epoch_room), .enter_i(enter), .leave_i, .leave_epoch_i,
      .close_i(close), .asked_o(asked), .done_valid_o(drain_valid_o), .done_ready_i(drain_ready_i),
      .done_seq_o(drain_seq_o), .op_close_i(op_close), .op_asked_o(op_asked), .op_done_o, .idle_o(epoch_idle)
    );
    // Answers come in the order of requests.
    for (genvar p = 0; p < 2; p++) begin : gen_order
      logic valid, last;
      assign last = xl_rsp_valid_o[p] && xl_rsp_ready_i[p] && xl_rsp_o[p][4];
      weft_fifo #(.W(2), .DEPTH(UNDER_WAY)) u_order (
        .clk_i, .rst_ni, .in_valid_i(enter[p]), .in_ready_o(ep_room[p]), .in_data_i(epoch),
        .out_valid_o(valid), .out_ready_i(last), .out_data_o(xl_rsp_epoch_o[p]),
        // verilator lint_off PINCONNECTEMPTY
        .count_o()
        // verilator lint_on PINCONNECTEMPTY
      );
`ifdef SYNTHESIS
      logic unused_valid;
      assign unused_valid = valid;
`else
      always_ff @(posedge clk_i) if (rst_ni) assert (valid || !xl_rsp_valid_o[p]) else $error("%m: an answer without an epoch");
`endif
    end
    logic unused_asked;
    assign unused_asked = ^asked;
  end else begin : gen_no_epoch
    assign epoch          = '0;
    assign epoch_room     = 1'b1;
    assign epoch_idle     = 1'b1;
    assign ep_room        = '1;
    assign xl_rsp_epoch_o = '0;
    assign drain_valid_o  = 1'b0;
    assign drain_seq_o    = '0;
    assign op_asked       = '0;
    assign op_done_o      = '0;
    logic unused_epoch;
    assign unused_epoch = ^{leave_i, leave_epoch_i, drain_ready_i, enter, close, op_close, epoch};
  end

  // ------------------------------------------------ two directions
  for (genvar p = 0; p < 2; p++) begin : gen_port
    weft_pkg::xlate_req_t  req, head;
    weft_pkg::xlate_rsp_t  rsp;
    weft_pkg::dma_rd_req_t dma;
    logic [4:0] busy_q;       // accesses between the request and the tags
    logic       take, room, ent_valid, ent_ready, looked_up, pages_idle;
    logic       req_room, head_valid, ck_ready;
    logic [EntW-1:0] ent;

    assign req               = xl_req_i[p];
    assign slot[p]           = req.stag[8+:SlotW];
    assign room              = busy_q < 5'd16 && req_room && epoch_room && ep_room[p];
    assign ask[p]            = xl_req_valid_i[p] && room;
    assign take              = gnt[p] && rd_ready && !flush_req;
    assign xl_req_ready_o[p] = take;
    assign enter[p]          = take;
    assign busy[p]           = busy_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) busy_q <= '0;
      else if (take != looked_up) busy_q <= take ? busy_q + 5'd1 : busy_q - 5'd1;
    end

    // The request waits for its entry; at most 16 are out, so both queues always have room.
    weft_fifo #(.W(ReqW), .DEPTH(16)) u_req (
      .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(req_room), .in_data_i(req),
      .out_valid_o(head_valid), .out_ready_i(ent_valid && ck_ready), .out_data_o(head),
      // verilator lint_off PINCONNECTEMPTY
      .count_o()
      // verilator lint_on PINCONNECTEMPTY
    );
    logic unused_room;
    weft_fifo #(.W(EntW), .DEPTH(16)) u_ent (
      .clk_i, .rst_ni, .in_valid_i(rsp_valid && rsp_tag == 1'(p)), .in_ready_o(unused_room),
      .in_data_i(rsp_ent), .out_valid_o(ent_valid), .out_ready_i(ent_ready), .out_data_o(ent),
      // verilator lint_off PINCONNECTEMPTY
      .count_o()
      // verilator lint_on PINCONNECTEMPTY
    );
    assign ent_ready = head_valid && ck_ready;

    logic              c_valid, c_ready, c_flat;
    weft_pkg::xl_err_e c_err;
    logic [63:0]       c_addr, c_pbl;
    logic [15:0]       c_len;
    logic [52:0]       c_page;
    logic [29:0]       c_off;
    logic [4:0]        c_log2;
    logic [31:0]       c_count;
    logic [SlotW-1:0]  c_slot;
    logic [7:0]        c_gen;

    weft_tpt_check #(.SLOT_W(SlotW)) u_check (
      .clk_i, .rst_ni, .in_valid_i(ent_valid && head_valid), .in_ready_o(ck_ready), .in_req_i(head),
      .in_ent_i(ent), .out_valid_o(c_valid), .out_ready_i(c_ready), .out_err_o(c_err),
      .out_flat_o(c_flat), .out_addr_o(c_addr), .out_len_o(c_len), .out_page_o(c_page),
      .out_off_o(c_off), .out_log2_o(c_log2), .out_pbl_o(c_pbl), .out_count_o(c_count),
      .out_slot_o(c_slot), .out_gen_o(c_gen)
    );

    // Register slice: what stalls the tags does not reach the checks in the same cycle.
    localparam int unsigned DescW = 4 + 1 + 64 + 16 + 53 + 30 + 5 + 64 + 32 + SlotW + 8;
    logic              d_valid, d_ready, d_flat;
    logic [3:0]        d_err_bits;
    weft_pkg::xl_err_e d_err;
    logic [63:0]       d_addr, d_pbl;
    logic [15:0]       d_len;
    logic [52:0]       d_page;
    logic [29:0]       d_off;
    logic [4:0]        d_log2;
    logic [31:0]       d_count;
    logic [SlotW-1:0]  d_slot;
    logic [7:0]        d_gen;

    weft_skid #(.W(DescW)) u_slice (
      .clk_i, .rst_ni, .in_valid_i(c_valid), .in_ready_o(c_ready),
      .in_data_i({c_err, c_flat, c_addr, c_len, c_page, c_off, c_log2, c_pbl, c_count, c_slot, c_gen}),
      .out_valid_o(d_valid), .out_ready_i(d_ready),
      .out_data_o({d_err_bits, d_flat, d_addr, d_len, d_page, d_off, d_log2, d_pbl, d_count, d_slot,
                   d_gen})
    );
    assign d_err = weft_pkg::xl_err_e'(d_err_bits);

    weft_tpt_pages #(.DATA_W(DATA_W), .SLOT_W(SlotW), .LINES(LINES)) u_pages (
      .clk_i, .rst_ni, .in_valid_i(d_valid), .in_ready_o(d_ready), .in_err_i(d_err),
      .in_flat_i(d_flat), .in_addr_i(d_addr), .in_len_i(d_len), .in_page_i(d_page), .in_off_i(d_off),
      .in_log2_i(d_log2), .in_pbl_i(d_pbl), .in_count_i(d_count), .in_slot_i(d_slot), .in_gen_i(d_gen),
      .looked_up_o(looked_up), .flush_i(flush_done),
      .rd_req_valid_o(rd_req_valid_o[p]), .rd_req_ready_i(rd_req_ready_i[p]), .rd_req_o(dma),
      .rd_rsp_valid_i(rd_rsp_valid_i[p]), .rd_rsp_ready_o(rd_rsp_ready_o[p]),
      .rd_rsp_data_i(rd_rsp_data_i[p]), .rd_rsp_cnt_i(rd_rsp_cnt_i[p]),
      .rd_rsp_last_i(rd_rsp_last_i[p]), .rd_rsp_err_i(rd_rsp_err_i[p]),
      .xl_rsp_valid_o(xl_rsp_valid_o[p]), .xl_rsp_ready_i(xl_rsp_ready_i[p]), .xl_rsp_o(rsp),
      .idle_o(pages_idle), .stat_hit_o(stat_hit_o[p]), .stat_miss_o(stat_miss_o[p])
    );

    assign rd_req_o[p]   = dma;
    assign xl_rsp_o[p]   = rsp;
    assign port_idle[p]  = busy_q == '0 && pages_idle && !xl_req_valid_i[p];
    assign stat_err_o[p] = xl_rsp_valid_o[p] && xl_rsp_ready_i[p] && rsp.err != weft_pkg::XlOk;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) assert (unused_room || !(rsp_valid && rsp_tag == 1'(p)));
    end
`endif
  end

  assign idle_o = port_idle == 2'b11 && store_idle && epoch_idle;

  logic unused;
  assign unused = ^{commit_index, fetch_index, ce};

`ifndef SYNTHESIS
  initial begin
    if ($bits(weft_pkg::xlate_req_t) != ReqW || $bits(weft_pkg::xlate_rsp_t) != 85 ||
        $bits(weft_pkg::dma_rd_req_t) != 81) $fatal(1, "weft_tpt: widths of structs");
  end
`endif

endmodule
