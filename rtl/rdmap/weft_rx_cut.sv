// SPDX-License-Identifier: BSD-2-Clause

/// Cuts packets into lane-0-aligned pieces whose lengths are known only when their first bytes have
/// been seen: between two commands `peek_*` shows the next bytes of the packet.
///
/// The pieces of a packet are commanded in order and never exceed the packet. `cmd_end_i` throws
/// away what is left of it behind the piece; a piece of length 0 with `cmd_end_i` throws away the
/// whole (rest of a) packet. A dropped piece makes no output. One beat a cycle.
module weft_rx_cut #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic              in_last_i,

  output logic              peek_valid_o,
  output logic [31:0]       peek_data_o,  ///< next 4 bytes; bytes behind the packet are undefined

  input  logic              cmd_valid_i,
  output logic              cmd_ready_o,
  input  logic [15:0]       cmd_len_i,
  input  logic              cmd_drop_i,
  input  logic              cmd_end_i,

  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [CntW-1:0]   out_cnt_o,
  output logic              out_last_o,
  output logic              idle_o
);

  // Window of two beats: the held one and the one at the input.
  logic              a_valid_q, a_last_q;
  logic [DATA_W-1:0] a_q;
  logic [LaneW-1:0]  off_q;
  logic              act_q, drop_q, end_q, flush_q;
  logic [15:0]       rem_q;

  logic [2*DATA_W-1:0] win;
  logic [DATA_W-1:0]   shifted;
  logic [CntW-1:0]     n;
  logic [CntW:0]       pos;
  logic                spans, adv, fin, step, load, done;

  assign win     = {in_data_i, a_q} >> {off_q, 3'b000};
  assign shifted = win[DATA_W-1:0];
  assign fin     = rem_q <= 16'(Bytes);
  assign n       = fin ? rem_q[CntW-1:0] : CntW'(Bytes);
  assign pos     = (CntW + 1)'(off_q) + (CntW + 1)'(n);  // less than twice Bytes
  assign spans   = pos[LaneW] && pos[LaneW-1:0] != '0;
  assign adv     = pos[LaneW];
  assign step    = act_q && a_valid_q && (!spans || in_valid_i || a_last_q) &&
                   (drop_q || !out_valid_o || out_ready_i);
  // The packet is used up after this step, or what is left of it goes.
  assign load    = step && adv && !a_last_q && in_valid_i;
  assign done    = step && fin && end_q;

  assign in_ready_o   = flush_q || !a_valid_q || (step && adv && !a_last_q);
  assign cmd_ready_o  = !act_q || (step && fin);
  assign peek_valid_o = !act_q && a_valid_q && !flush_q &&
                        (pos_peek_ok || in_valid_i || a_last_q);
  assign peek_data_o  = shifted[31:0];
  assign idle_o       = !act_q && !a_valid_q && !flush_q && !out_valid_o;

  logic pos_peek_ok;
  assign pos_peek_ok = (CntW + 1)'(off_q) + (CntW + 1)'(4) <= (CntW + 1)'(Bytes);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      off_q     <= '0;
      act_q     <= 1'b0;
      flush_q   <= 1'b0;
      rem_q     <= '0;
    end else begin
      if (flush_q) begin
        if (in_valid_i && in_last_i) flush_q <= 1'b0;
      end else if (!a_valid_q) begin
        a_valid_q <= in_valid_i;
      end
      if (step) begin
        rem_q <= rem_q - 16'(n);
        off_q <= pos[LaneW-1:0];
        if (adv) a_valid_q <= load;
        if (adv && a_last_q) off_q <= '0;
        if (fin) act_q <= 1'b0;
        if (done) begin
          a_valid_q <= 1'b0;
          off_q     <= '0;
          flush_q   <= !a_last_q && !(load && in_last_i);
        end
      end
      if (cmd_valid_i && cmd_ready_o) begin
        act_q <= 1'b1;
        rem_q <= cmd_len_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load || (!a_valid_q && in_valid_i)) begin
      a_q      <= in_data_i;
      a_last_q <= in_last_i;
    end
    if (cmd_valid_i && cmd_ready_o) begin
      drop_q <= cmd_drop_i;
      end_q  <= cmd_end_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else if (!out_valid_o || out_ready_i) out_valid_o <= step && !drop_q;
  end

  always_ff @(posedge clk_i) begin
    if (!out_valid_o || out_ready_i) begin
      out_data_o <= shifted;
      out_cnt_o  <= n;
      out_last_o <= fin;
    end
  end

  logic unused;
  assign unused = ^win[2*DATA_W-1:DATA_W];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && step && !drop_q) begin
      assert (!(spans && a_last_q)) else $error("weft_rx_cut: piece longer than the packet");
      assert (n != 0) else $error("weft_rx_cut: empty piece");
    end
  end
`endif

endmodule
