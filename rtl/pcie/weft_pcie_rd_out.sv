// SPDX-License-Identifier: BSD-2-Clause

/// Reads slots of the reassembly buffer and joins them to the response packets of the clients.
///
/// One row of the buffer a cycle, from the clients in turn that have a complete slot and room in
/// their output queue, so a client that does not take its data stops nobody but itself. The rows'
/// bytes are turned behind what is kept of the client's last beat; a whole beat leaves as soon as
/// there is one. After an error the packet has its full length all the same, `err` with its end
/// says that its bytes mean nothing.
module weft_pcie_rd_out #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned N_RD   = 8,
  parameter int unsigned N_TAG  = 64,
  localparam int unsigned TagW  = $clog2(N_TAG),
  localparam int unsigned CliW  = $clog2(N_RD),
  localparam int unsigned LaneW = $clog2(DATA_W / 8),
  localparam int unsigned RowW  = 9 - LaneW,
  localparam int unsigned CNT_W = LaneW + 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  output logic [N_RD-1:0]             ld_room_o,
  input  logic                        ld_valid_i,   ///< a complete slot
  input  logic [CliW-1:0]             ld_client_i,
  input  logic [TagW-1:0]             ld_tag_i,
  input  logic [8:0]                  ld_off_i,
  input  logic [9:0]                  ld_len_i,
  input  logic                        ld_last_i,
  input  logic                        ld_err_i,
  output logic                        free_o,       ///< the slot was read
  output logic [TagW-1:0]             free_tag_o,
  output logic [CliW-1:0]             free_client_o,

  output logic                        re_o,         ///< read port of the buffer
  output logic [TagW+RowW-1:0]        raddr_o,
  input  logic [DATA_W-1:0]           rdata_i,

  output logic [N_RD-1:0]             rsp_valid_o,
  input  logic [N_RD-1:0]             rsp_ready_i,
  output logic [N_RD-1:0][DATA_W-1:0] rsp_data_o,
  output logic [N_RD-1:0][CNT_W-1:0]  rsp_cnt_o,
  output logic [N_RD-1:0]             rsp_last_o,
  output logic [N_RD-1:0]             rsp_err_o,

  output logic                        idle_o
);

  localparam int unsigned Depth = 16;  // beats of an output queue
  localparam int unsigned DescW = TagW + 9 + 10 + 2;

  // ------------------------------------------------------------ state of each client
  logic [N_RD-1:0]              cur_v_q, nxt_v_q, flush_q, err_q, ferr_q, elig;
  logic [N_RD-1:0][DescW-1:0]   cur_q, nxt_q;   // {tag, position, bytes left, last, err}
  logic [N_RD-1:0][LaneW-1:0]   fill_q;         // bytes kept of the last beat
  logic [N_RD-1:0][4:0]         cred_q;         // free places in the output queue

  // ------------------------------------------------------------ pick
  logic            pick, pick_q;
  logic [N_RD-1:0] gnt, sel_q;
  logic [CliW-1:0] pick_idx, cli_q;

  for (genvar i = 0; i < N_RD; i++) begin : gen_elig
    assign elig[i] = (cur_v_q[i] || flush_q[i]) && cred_q[i] >= 5'd2;
    assign ld_room_o[i] = !nxt_v_q[i] && !(ld_valid_i && ld_client_i == CliW'(i) && cur_v_q[i]);
  end

  weft_arb_rr #(.N(N_RD)) u_arb (
    .clk_i, .rst_ni, .req_i(elig), .advance_i(1'b1), .valid_o(pick), .gnt_o(gnt), .idx_o(pick_idx)
  );

  // ------------------------------------------------------------ S0: one row, or what is kept
  logic [DescW-1:0] desc;
  logic [TagW-1:0]  tag;
  logic [8:0]       pos;
  logic [9:0]       left;
  logic             last, err, op_flush, op_row, slot_end, pkt_end, emit, over;
  logic [LaneW-1:0] fill, fill_d;
  logic [10:0]      reach;   // where the slot's bytes end, from the first lane of this row on
  logic [CNT_W-1:0] ahead;   // of this row's bytes, those behind what is kept, modulo a beat; borrow
  logic [CNT_W:0]   sum;

  assign desc     = cur_q[cli_q];
  assign {tag, pos, left, last, err} = desc;
  assign fill     = fill_q[cli_q];
  assign op_flush = pick_q && flush_q[cli_q];
  assign op_row   = pick_q && !flush_q[cli_q] && cur_v_q[cli_q];
  // A beat is a power of two, so bits of a sum tell what comparisons would. Both sums are made while
  // it is decided which of them counts.
  assign reach    = 11'(left) + 11'(pos[LaneW-1:0]);
  assign slot_end = reach[10:CNT_W] == '0 && !(reach[LaneW] && reach[LaneW-1:0] != '0);
  assign ahead    = {1'b0, fill} - {1'b0, pos[LaneW-1:0]};
  assign sum      = slot_end ? {2'b00, fill} + {1'b0, left[CNT_W-1:0]} : {1'b0, !ahead[LaneW], ahead[LaneW-1:0]};
  assign over     = sum[CNT_W] || (sum[LaneW] && sum[LaneW-1:0] != '0);
  assign pkt_end  = slot_end && last;
  assign emit     = op_flush || (op_row && (sum[CNT_W] || sum[CNT_W-1] || pkt_end));
  assign fill_d   = (op_flush || (pkt_end && !over)) ? '0 : sum[LaneW-1:0];

  assign re_o          = op_row;
  assign raddr_o       = {tag, pos[8:LaneW]};
  assign free_o        = op_row && slot_end;
  assign free_tag_o    = tag;
  assign free_client_o = cli_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pick_q  <= 1'b0;
      cur_v_q <= '0;
      nxt_v_q <= '0;
      flush_q <= '0;
      err_q   <= '0;
      fill_q  <= '0;
      for (int unsigned i = 0; i < N_RD; i++) cred_q[i] <= 5'(Depth);
    end else begin
      pick_q <= pick;
      for (int unsigned i = 0; i < N_RD; i++) begin
        if (op_row && slot_end && sel_q[i]) begin
          cur_v_q[i] <= nxt_v_q[i];
          nxt_v_q[i] <= 1'b0;
          if (ld_valid_i && ld_client_i == CliW'(i)) cur_v_q[i] <= 1'b1;
        end else if (ld_valid_i && ld_client_i == CliW'(i)) begin
          if (cur_v_q[i]) nxt_v_q[i] <= 1'b1;
          else cur_v_q[i] <= 1'b1;
        end
        if ((op_row || op_flush) && sel_q[i]) begin
          fill_q[i]  <= fill_d;
          flush_q[i] <= op_row && pkt_end && over;
          if (op_row) err_q[i] <= !pkt_end && (err_q[i] || err);
        end
        if ((emit && sel_q[i]) != (rsp_valid_o[i] && rsp_ready_i[i]))
          cred_q[i] <= (emit && sel_q[i]) ? cred_q[i] - 5'd1 : cred_q[i] + 5'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    sel_q <= gnt;
    cli_q <= pick_idx;
    for (int unsigned i = 0; i < N_RD; i++) begin
      if (op_row && sel_q[i]) begin
        if (slot_end) cur_q[i] <= nxt_v_q[i] ? nxt_q[i] : {ld_tag_i, ld_off_i, ld_len_i, ld_last_i, ld_err_i};
        else cur_q[i] <= {tag, pos[8:LaneW] + 1'b1, LaneW'(0), 10'({reach[10:LaneW] - 1'b1, reach[LaneW-1:0]}), last, err};
        if (pkt_end) ferr_q[i] <= err_q[i] || err;
      end else if (!cur_v_q[i]) cur_q[i] <= {ld_tag_i, ld_off_i, ld_len_i, ld_last_i, ld_err_i};
      if (!nxt_v_q[i]) nxt_q[i] <= {ld_tag_i, ld_off_i, ld_len_i, ld_last_i, ld_err_i};
    end
  end

  // ------------------------------------------------------------ S1: the row is read
  // {emit, flush, over, last, err, count, fill, client}
  localparam int unsigned SideW = 5 + CNT_W + LaneW + CliW;
  logic             s1_valid_q, rot_ready, r_valid;
  logic [LaneW-1:0] s1_rot_q;
  logic [SideW-1:0] s1_side_q, r_side;
  logic [DATA_W-1:0] r_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s1_valid_q <= 1'b0;
    else s1_valid_q <= op_row || op_flush;
  end

  always_ff @(posedge clk_i) begin
    s1_rot_q  <= fill - pos[LaneW-1:0];
    s1_side_q <= {emit, op_flush, over, op_flush || (pkt_end && !over),
                  op_flush ? ferr_q[cli_q] : err_q[cli_q] || err,
                  op_flush ? {1'b0, fill} : (sum[CNT_W] || sum[CNT_W-1]) ? CNT_W'(DATA_W / 8) : sum[CNT_W-1:0],
                  fill, cli_q};
  end

  weft_byte_rot #(.DATA_W(DATA_W), .SIDE_W(SideW)) u_rot (
    .clk_i, .rst_ni, .in_valid_i(s1_valid_q), .in_ready_o(rot_ready), .in_data_i(rdata_i), .in_rot_i(s1_rot_q),
    .in_side_i(s1_side_q), .out_valid_o(r_valid), .out_ready_i(1'b1), .out_data_o(r_data), .out_side_o(r_side)
  );

  // ------------------------------------------------------------ merge with what is kept
  logic              m_emit, m_flush, m_over, m_last, m_err;
  logic [CNT_W-1:0]  m_cnt;
  logic [LaneW-1:0]  m_fill;
  logic [CliW-1:0]   m_cli;
  logic [DATA_W-1:0] keep_mem [N_RD];
  logic [DATA_W-1:0] keep, merged;

  assign {m_emit, m_flush, m_over, m_last, m_err, m_cnt, m_fill, m_cli} = r_side;
  assign keep = keep_mem[m_cli];

  always_comb begin
    for (int unsigned b = 0; b < DATA_W / 8; b++)
      merged[8*b+:8] = (LaneW'(b) < m_fill) ? keep[8*b+:8] : r_data[8*b+:8];
  end

  always_ff @(posedge clk_i) if (r_valid) keep_mem[m_cli] <= m_over ? r_data : merged;

  logic [N_RD-1:0]         q_push_q, q_ready;
  logic [DATA_W+CNT_W+1:0] q_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) q_push_q <= '0;
    else begin
      for (int unsigned i = 0; i < N_RD; i++) q_push_q[i] <= r_valid && m_emit && m_cli == CliW'(i);
    end
  end

  always_ff @(posedge clk_i) q_data_q <= {m_err && m_last, m_last, m_cnt, merged};

  logic [N_RD-1:0] q_empty;
  for (genvar i = 0; i < N_RD; i++) begin : gen_queue
    logic [4:0] count;
    weft_fifo #(.W(DATA_W + CNT_W + 2), .DEPTH(Depth)) u_fifo (
      .clk_i, .rst_ni, .in_valid_i(q_push_q[i]), .in_ready_o(q_ready[i]), .in_data_i(q_data_q),
      .out_valid_o(rsp_valid_o[i]), .out_ready_i(rsp_ready_i[i]),
      .out_data_o({rsp_err_o[i], rsp_last_o[i], rsp_cnt_o[i], rsp_data_o[i]}), .count_o(count)
    );
    assign q_empty[i] = count == '0;
  end

  assign idle_o = q_empty == '1 && q_push_q == '0 && !r_valid && !s1_valid_q && !pick_q
                  && cur_v_q == '0 && flush_q == '0;

  // A place in the queue was taken with the pick, so nothing waits on the way.
`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!s1_valid_q || rot_ready) else $error("weft_pcie_rd_out: the rotator is held up");
    assert ((q_push_q & ~q_ready) == '0) else $error("weft_pcie_rd_out: no room in an output queue");
  end
`endif

  logic unused;
  assign unused = m_flush;

endmodule
