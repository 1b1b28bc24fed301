// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Writes connections to their homes, four at once: asks each room for the lines of a slot, one slot after the other without waiting for other rooms,
/// collects them, writes 512 bytes, and tells the directory when the last of them was accepted in posted order. At full width a write-back
/// takes the write stream for 8 cycles and is followed by the next one without a gap.
// lint: -GDATA_W=512
module weft_ctx_home #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned QP_W = 10,      ///< bits of a QPN
  parameter int unsigned SL_W = 8,       ///< bits of a slot
  parameter int unsigned N_ROOM = 4,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    in_valid_i,     ///< nothing of this connection is under way, and nothing will be
  output logic                    in_ready_o,
  input  logic [QP_W-1:0]         in_qpn_i,
  input  logic [SL_W-1:0]         in_slot_i,
  input  logic                    in_save_i,      ///< firmware asked for it

  output logic [N_ROOM-1:0]       out_valid_o,    ///< rooms are asked
  input  logic [N_ROOM-1:0]       out_ready_i,
  output logic [N_ROOM*38-1:0]    out_o,          ///< weft_dp_pkg::save_t each
  input  logic [N_ROOM-1:0]       line_valid_i,
  output logic [N_ROOM-1:0]       line_ready_o,
  input  logic [N_ROOM*553-1:0]   line_i,         ///< weft_dp_pkg::line_t each

  output logic                    home_re_o,
  output logic [QP_W-1:0]         home_qpn_o,
  input  logic                    home_ok_i,      ///< a cycle later
  input  logic [63:0]             home_addr_i,
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output weft_pkg::dma_wr_hdr_t   wr_hdr_o,
  output logic [DATA_W-1:0]       wr_data_o,
  output logic [CntW-1:0]         wr_cnt_o,
  output logic                    wr_last_o,

  output logic                    gone_valid_o,   ///< it is in its home: OpGone
  input  logic                    gone_ready_i,
  output logic [QP_W-1:0]         gone_qpn_o,
  output logic [SL_W-1:0]         gone_slot_o,
  output logic                    gone_save_o,
  output logic                    idle_o
);

  localparam int unsigned LineW = 553;
  localparam int unsigned Beats = 512 / DATA_W;
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned WhoW  = QP_W + SL_W + 1;

  // ---------------------------------------------------------------- ask the rooms
  logic [3:0]            used_q;                  // a write-back has this buffer
  logic [3:0][7:0]       got_q;                   // lines that are there
  logic [3:0][WhoW-1:0]  who_q;
  logic [N_ROOM-1:0]     ask_any;
  logic [1:0]            free_idx, w_buf_q;
  logic                  take, w_done;

  assign in_ready_o = used_q != '1;
  assign take       = in_valid_i && in_ready_o;
  always_comb begin
    free_idx = '0;
    for (int i = 3; i >= 0; i--) if (!used_q[i]) free_idx = 2'(i);
  end
  // What a room is asked for stays until it takes it. A buffer is asked for once before it is free again, so there is a place for each.
  for (genvar r = 0; r < N_ROOM; r++) begin : gen_ask
    logic [1:0]         tag;
    logic               room;
    weft_dp_pkg::save_t save;
    weft_fifo #(.W(2), .DEPTH(4)) u_ask (
      .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(room), .in_data_i(free_idx),
      .out_valid_o(ask_any[r]), .out_ready_i(out_ready_i[r]), .out_data_o(tag), .count_o()
    );
    always_comb begin
      save          = '0;
      save.who.qpn  = 24'(who_q[tag][SL_W+1+:QP_W]);
      save.who.slot = 12'(who_q[tag][1+:SL_W]);
      save.tag      = tag;
    end
    assign out_o[38*r+:38] = save;
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (rst_ni) assert (!(take && !room)) else $error("%m: more questions than buffers");
`endif
    logic unused_room;
    assign unused_room = room;
  end
  assign out_valid_o = ask_any;

  logic [N_ROOM-1:0]         gnt;
  logic [$clog2(N_ROOM)-1:0] gnt_idx;
  logic                      gnt_any;
  weft_dp_pkg::line_t        ln;
  weft_arb_rr #(.N(N_ROOM)) u_arb (
    .clk_i, .rst_ni, .req_i(line_valid_i), .advance_i(1'b1), .valid_o(gnt_any), .gnt_o(gnt), .idx_o(gnt_idx)
  );
  assign line_ready_o = gnt;
  assign ln           = line_i[LineW*gnt_idx+:LineW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      got_q  <= '0;
    end else begin
      if (gnt_any) got_q[ln.tag][ln.line] <= 1'b1;
      if (take) begin
        used_q[free_idx] <= 1'b1;
        got_q[free_idx]  <= '0;
      end
      if (w_done) begin
        used_q[w_buf_q] <= 1'b0;
        got_q[w_buf_q]  <= '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      who_q[free_idx] <= {in_qpn_i, in_slot_i, in_save_i};
    end
  end

  // ---------------------------------------------------------------- write
  // next: a buffer that is full, with the address of its home; w: the one that is being written.
  logic [511:0]     w_line;
  logic             w_re, n_any, n_ok_q, n_wait_q, n_valid_q, w_v_q, w_last, w_free, start, skip;
  logic [1:0]       n_buf, n_buf_q;
  logic [63:0]      n_addr_q, w_addr_q;
  logic [2:0]       w_ln_q, r_ln;
  logic [BeatW-1:0] w_beat_q;
  logic [3:0]       full;

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      full[i] = used_q[i] && got_q[i] == '1 && !(w_v_q && w_buf_q == 2'(i));
    end
    n_buf = '0;
    for (int i = 3; i >= 0; i--) if (full[i]) n_buf = 2'(i);
  end
  assign n_any      = full != '0;
  assign home_re_o  = n_any && !n_wait_q && !n_valid_q;
  assign home_qpn_o = who_q[n_buf][SL_W+1+:QP_W];
  // The stream ends with its directory operation's place in the queue.
  assign w_last     = w_ln_q == 3'd7 && w_beat_q == BeatW'(Beats - 1);
  assign w_done     = w_v_q && (skip_q || (wr_ready_i && w_last)) && g_ready;
  assign w_free     = !w_v_q || w_done;
  assign start      = n_valid_q && w_free;
  assign skip       = start && !n_ok_q;
  logic skip_q, g_ready;

  assign r_ln = start ? 3'd0 : w_ln_q + 3'd1;
  assign w_re = start || (wr_valid_o && wr_ready_i && w_beat_q == BeatW'(Beats - 1));
  weft_ram_1r1w #(.W(512), .DEPTH(32)) u_buf (
    .clk_i, .we_i(gnt_any), .waddr_i({ln.tag, ln.line}), .wdata_i(ln.data),
    .re_i(w_re), .raddr_i({start ? n_buf_q : w_buf_q, r_ln}), .rdata_o(w_line)
  );
  assign wr_valid_o = w_v_q && !skip_q && !(w_last && !g_ready);
  assign wr_last_o  = w_last;
  assign wr_cnt_o   = CntW'(DATA_W / 8);
  assign wr_data_o  = w_line[DATA_W*w_beat_q+:DATA_W];
  always_comb begin
    wr_hdr_o      = '0;
    wr_hdr_o.len  = 16'd512;
    wr_hdr_o.addr = w_addr_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_wait_q  <= 1'b0;
      n_valid_q <= 1'b0;
      w_v_q     <= 1'b0;
      skip_q    <= 1'b0;
    end else begin
      n_wait_q <= home_re_o;
      if (n_wait_q) n_valid_q <= 1'b1;
      else if (start) n_valid_q <= 1'b0;
      if (start) w_v_q <= 1'b1;
      else if (w_done) w_v_q <= 1'b0;
      // A chunk that was taken back under a connection: its content has nowhere to go.
      if (w_free) skip_q <= skip;
    end
  end
  always_ff @(posedge clk_i) begin
    if (home_re_o) n_buf_q <= n_buf;
    if (n_wait_q) begin
      n_ok_q   <= home_ok_i;
      n_addr_q <= home_addr_i;
    end
    if (start) begin
      w_buf_q  <= n_buf_q;
      w_addr_q <= n_addr_q;
      w_ln_q   <= '0;
      w_beat_q <= '0;
    end else if (wr_valid_o && wr_ready_i) begin
      w_beat_q <= w_beat_q == BeatW'(Beats - 1) ? '0 : w_beat_q + BeatW'(1);
      if (w_beat_q == BeatW'(Beats - 1)) w_ln_q <= w_ln_q + 3'd1;
    end
  end

  // ---------------------------------------------------------------- the directory is told
  weft_fifo #(.W(WhoW), .DEPTH(4)) u_gone (
    .clk_i, .rst_ni, .in_valid_i(w_done), .in_ready_o(g_ready), .in_data_i(who_q[w_buf_q]),
    .out_valid_o(gone_valid_o), .out_ready_i(gone_ready_i), .out_data_o({gone_qpn_o, gone_slot_o, gone_save_o}), .count_o()
  );
  assign idle_o = used_q == '0 && !gone_valid_o && !in_valid_i;

  logic unused;
  assign unused = ^ln.who;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
