// SPDX-License-Identifier: BSD-2-Clause

/// What a frame from the host is, and whether it counts (docs/bridge.md, "Frames", "Sequence"). The bytes of a TLP go into a store as
/// they come, and count when the frame's end says so: session, sequence number, credit and shape are right.
///
/// A record in a store: a byte {class, 3'b0, BAR}, 16 bytes of header, payload; of a request at most 8 bytes of it, as the core
/// takes no more.
module weft_bridge_rx (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        in_valid_i,   ///< weft_bridge_deframe's
  input  logic [7:0]  in_data_i,
  input  logic        in_end_i,
  input  logic        in_good_i,

  input  logic        up_i,         ///< TLPs count
  input  logic [15:0] session_i,
  input  logic [7:0]  expect_i,     ///< the sequence number that comes next
  input  logic [2:0]  credit_i,     ///< by class: one more was granted

  // pulses with the end of a frame, from registers
  output logic        hello_o,
  output logic        go_o,         ///< of this session
  output logic [15:0] session_o,    ///< with hello
  output logic        ack_o,
  output logic [7:0]  ack_seq_o,
  output logic        ack_nak_o,
  output logic [23:0] ack_limits_o, ///< posted in 7:0, non-posted, completions
  output logic        accept_o,     ///< the expected one was taken
  output logic        accept_bad_o, ///< ... and thrown away: no TLP that could be given to a core
  output logic [1:0]  accept_class_o,  ///< of the credit that it took: 0 to 2
  output logic        behind_o,     ///< one that was taken before
  output logic        gap_o,        ///< one is missing, or may be
  output logic        no_credit_o,

  output logic        req_wr_o,
  output logic        cpl_wr_o,
  output logic [7:0]  wdata_o,
  output logic        req_commit_o,
  output logic        cpl_commit_o,
  output logic        drop_o,
  input  logic        req_over_i,
  input  logic        cpl_over_i
);

  localparam int unsigned Head = 6;

  // ---------------------------------------------------------------- header and the first bytes of the body
  logic [9:0]  idx_q, body;
  logic [47:0] head_q;
  logic [39:0] body_q;
  logic [7:0]  kind, seq;
  logic [15:0] session, len;

  assign {len, session, seq, kind} = head_q;
  assign body = idx_q - 10'(Head);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) idx_q <= '0;
    else if (in_end_i) idx_q <= '0;
    else if (in_valid_i && idx_q != '1) idx_q <= idx_q + 10'd1;
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i && idx_q < 10'(Head)) head_q <= {in_data_i, head_q[47:8]};
    if (in_valid_i) for (int unsigned i = 0; i < 5; i++) if (body == 10'(i)) body_q[8*i+:8] <= in_data_i;
  end

  // ---------------------------------------------------------------- into the stores
  logic       mine, numbered, is_cpl, is_config, in_body;
  logic [1:0] cls;

  assign mine      = session == session_i;
  assign numbered  = kind[7:2] == weft_bridge_pkg::KindPosted[7:2];
  assign cls       = kind[1:0];
  assign is_cpl    = cls == weft_bridge_pkg::ClassCpl;
  assign is_config = cls == weft_bridge_pkg::ClassConfig;
  assign in_body   = in_valid_i && up_i && mine && numbered && idx_q >= 10'(Head) && {6'd0, body} < len;
  assign req_wr_o  = in_body && !is_cpl && body < 10'(weft_bridge_pkg::MinBody + 8);
  assign cpl_wr_o  = in_body && is_cpl && body < 10'(weft_bridge_pkg::MaxBody);
  assign wdata_o   = body == '0 ? {cls, 3'b0, in_data_i[2:0]} : in_data_i;

  // ---------------------------------------------------------------- at the end
  logic        whole, shape, turn, credit;
  logic [31:0] dw0;
  logic [10:0] dwords;
  logic [7:0]  ahead;
  logic        end_good;

  assign whole    = {6'd0, idx_q} == len + 16'(Head + 4) && idx_q != '1;
  assign end_good = in_end_i && in_good_i && whole;
  assign dw0      = body_q[39:8];
  assign dwords   = !dw0[30] ? 11'd0 : {dw0[9:0] == '0, dw0[9:0]};
  assign shape    = is_config ? len == 16'(weft_bridge_pkg::MinBody)
      : len == 16'(weft_bridge_pkg::MinBody) + {3'd0, dwords, 2'b00} && dwords <= 11'(weft_bridge_pkg::MaxDwords) && !dw0[31]
        && (dw0[28:25] == 4'b0101) == is_cpl;
  assign ahead    = seq - expect_i;
  assign turn     = end_good && up_i && mine && numbered;
  assign accept_class_o = is_config ? weft_bridge_pkg::ClassPosted : cls;
  assign credit   = credit_i[accept_class_o];

  assign hello_o      = end_good && kind == weft_bridge_pkg::KindHello && len == 16'd1 && body_q[7:0] == weft_bridge_pkg::Version;
  assign go_o         = end_good && kind == weft_bridge_pkg::KindGo && mine;
  assign session_o    = session;
  assign ack_o        = end_good && up_i && mine && kind == weft_bridge_pkg::KindAck && len == 16'd4;
  assign ack_seq_o    = seq;
  assign ack_limits_o = body_q[23:0];
  assign ack_nak_o    = body_q[24];
  assign accept_o     = turn && ahead == '0 && credit;
  assign accept_bad_o = accept_o && !shape;
  assign no_credit_o  = turn && ahead == '0 && !credit;
  assign behind_o     = turn && ahead[7];
  assign gap_o        = up_i && in_end_i && ((turn && ahead != '0 && !ahead[7]) || (!(in_good_i && whole) && idx_q > 10'(Head + 4)));

  assign req_commit_o = accept_o && shape && !is_cpl;
  assign cpl_commit_o = accept_o && shape && is_cpl;
  assign drop_o       = in_end_i && !(accept_o && shape);

  logic unused;
  assign unused = ^{dw0[29], dw0[24:10], req_over_i, cpl_over_i};

`ifndef SYNTHESIS
  // The stores hold what was granted.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(req_commit_o && req_over_i)) else $error("%m: a request that was granted has no room");
      assert (!(cpl_commit_o && cpl_over_i)) else $error("%m: a completion that was granted has no room");
    end
  end
`endif

endmodule
