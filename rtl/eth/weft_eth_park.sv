// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Frames whose connections are on their way: a list of header records a miss (weft_linked_pool). When a miss
/// arrives, its frames ask again (`resume`), in order, one arrival after the other. When the list is empty, everybody else is
/// held for the few cycles until no look-up is under way; if the list is empty then, `resumed` is said. Frames of one
/// arrival follow each other at PACE, so that the connection pipe of tcp takes them (it lets go what is more than its PER_CTX).
///
/// A list takes EACH frames (one more may slip in): a connection that firmware holds may keep its frames long, and must
/// not take the places of all. How long is firmware's business: RELEASE and DESTROY let them go.
module weft_eth_park #(
  parameter int unsigned N_REC = 256,  ///< header records, power of two, 32 to 4096
  parameter int unsigned N_MISS = 64,  ///< of ctx, power of two, 4 to 64
  parameter int unsigned EACH = 16,    ///< frames of a list
  parameter int unsigned PACE = 18,    ///< cycles from one frame of a connection to the next: two visits of the pipe
  localparam int unsigned IdW = $clog2(N_REC),
  localparam int unsigned MiW = $clog2(N_MISS)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,         ///< lists are cleared

  input  logic                  park_valid_i,    ///< pulse
  input  logic [5:0]            park_miss_i,
  input  logic [IdW-1:0]        park_id_i,
  input  logic [3:0]            park_cand_i,
  output logic [IdW:0]          parked_o,        ///< frames in all lists
  output logic [N_MISS-1:0]     full_o,          ///< lists that take no more

  input  logic                  arrive_valid_i,  ///< pulse
  input  weft_dp_pkg::arrive_t  arrive_i,
  output logic                  resume_valid_o,
  input  logic                  resume_ready_i,
  output logic [23:0]           resume_qpn_o,
  output logic [IdW-1:0]        resume_id_o,
  output logic [3:0]            resume_cand_o,
  output logic                  hold_o,
  input  logic                  quiet_i,
  output logic                  resumed_valid_o,
  input  logic                  resumed_ready_i,
  output logic [23:0]           resumed_qpn_o,
  output logic [5:0]            resumed_miss_o,
  output logic                  idle_o
);

  // ---------------------------------------------------------------- arrivals
  logic           a_v, a_take, a_room;
  logic [MiW-1:0] a_miss;
  logic [23:0]    a_qpn;
  weft_fifo #(.W(24 + MiW), .DEPTH(N_MISS)) u_arrived (
    .clk_i, .rst_ni, .in_valid_i(arrive_valid_i && arrive_i.frames), .in_ready_o(a_room),
    .in_data_i({arrive_i.who.qpn, arrive_i.miss[MiW-1:0]}),
    .out_valid_o(a_v), .out_ready_i(a_take), .out_data_o({a_qpn, a_miss}), .count_o()
  );

  // ---------------------------------------------------------------- lists
  // The pool says which block an operation concerned three cycles later; blocks hold records.
  logic           pop, pool_idle, rsp_v, rsp_pop, got, got_q, empty;
  logic [IdW-1:0] rsp_block;
  logic [IdW:0]   rsp_count, parked_q;
  logic [2:0]     is_pop_q;
  logic [2:0][IdW+3:0] what_q;
  logic [2:0][MiW-1:0] list_q;
  weft_linked_pool #(.LISTS(N_MISS), .BLOCKS(N_REC)) u_lists (
    .clk_i, .rst_ni, .ready_o, .op_valid_i(park_valid_i || pop), .op_i(park_valid_i ? 2'd1 : 2'd2),
    .op_list_i(park_valid_i ? park_miss_i[MiW-1:0] : a_miss),
    .rsp_valid_o(rsp_v), .rsp_block_o(rsp_block), .rsp_count_o(rsp_count), .rsp_first_o(), .rsp_last_o(), .rsp_prev_o(),
    .res_take_i((IdW + 1)'(park_valid_i)), .res_give_i(1'b0), .avail_o(), .idle_o(pool_idle)
  );
  always_ff @(posedge clk_i) begin
    is_pop_q  <= {is_pop_q[1:0], pop};
    what_q[0] <= {park_id_i, park_cand_i};
    what_q[1] <= what_q[0];
    what_q[2] <= what_q[1];
    list_q    <= {list_q[1:0], park_valid_i ? park_miss_i[MiW-1:0] : a_miss};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_o <= '0;
    else if (rsp_v) full_o[list_q[2]] <= is_pop_q[2] ? rsp_count > (IdW + 1)'(EACH) : rsp_count >= (IdW + 1)'(EACH - 1);
  end
  assign rsp_pop = rsp_v && is_pop_q[2];
  assign got     = rsp_pop && rsp_count != '0;
  assign empty   = rsp_pop && rsp_count == '0;

  logic [IdW+3:0] what;
  weft_ram_1r1w #(.W(IdW + 4), .DEPTH(N_REC)) u_blocks (
    .clk_i, .we_i(rsp_v && !is_pop_q[2]), .waddr_i(rsp_block), .wdata_i(what_q[2]),
    .re_i(got), .raddr_i(rsp_block), .rdata_o(what)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      got_q    <= 1'b0;
      parked_q <= '0;
    end else begin
      got_q    <= got;
      parked_q <= parked_q + (IdW + 1)'(park_valid_i) - (IdW + 1)'(got);
    end
  end
  assign parked_o = parked_q;

  // ---------------------------------------------------------------- one arrival after the other
  typedef enum logic [1:0] {StRun, StClose, StProbe, StSay} state_e;
  state_e     state_q;
  logic [3:0] under_q;        // pops whose record is not in u_next yet
  logic [3:0] next_count;
  logic       dry_q, next_room, next_v;
  logic [$clog2(PACE)-1:0] pace_q;
  weft_fifo #(.W(IdW + 4), .DEPTH(8)) u_next (
    .clk_i, .rst_ni, .in_valid_i(got_q), .in_ready_o(next_room), .in_data_i(what),
    .out_valid_o(next_v), .out_ready_i(resume_valid_o && resume_ready_i), .out_data_o({resume_id_o, resume_cand_o}),
    .count_o(next_count)
  );
  assign resume_valid_o = next_v && pace_q == '0;
  assign resume_qpn_o   = a_qpn;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pace_q <= '0;
    else if (resume_valid_o && resume_ready_i) pace_q <= ($clog2(PACE))'(PACE - 1);
    else if (a_take) pace_q <= '0;
    else if (pace_q != '0) pace_q <= pace_q - 1'b1;
  end
  assign pop = !park_valid_i && ((state_q == StRun && a_v && !dry_q && under_q + next_count < 4'd8)
                                 || (state_q == StClose && quiet_i));
  assign hold_o          = state_q != StRun;
  assign resumed_valid_o = state_q == StSay;
  assign resumed_qpn_o   = a_qpn;
  assign resumed_miss_o  = 6'(a_miss);
  assign a_take          = resumed_valid_o && resumed_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StRun;
      dry_q   <= 1'b0;
      under_q <= '0;
    end else begin
      under_q <= under_q + 4'(pop) - 4'(empty) - 4'(got_q);
      if (empty) dry_q <= 1'b1;
      unique case (state_q)
        StRun: if (dry_q && under_q == '0 && !next_v) state_q <= StClose;
        StClose: if (pop) state_q <= StProbe;
        StProbe: begin
          if (empty) state_q <= StSay;
          if (got) begin
            state_q <= StRun;
            dry_q   <= 1'b0;
          end
        end
        default: if (resumed_ready_i) begin
          state_q <= StRun;
          dry_q   <= 1'b0;
        end
      endcase
    end
  end

  assign idle_o = ready_o && !a_v && pool_idle && !arrive_valid_i && parked_q == '0 && state_q == StRun;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!(arrive_valid_i && arrive_i.frames) || a_room) else $error("%m: more arrivals than misses");
    assert (!got_q || next_room);
  end
`endif
  logic unused;
  assign unused = ^{arrive_i, park_miss_i};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
