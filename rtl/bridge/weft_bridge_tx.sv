// SPDX-License-Identifier: BSD-2-Clause

/// The core's TLPs into the ring of what has not been acknowledged, in the order in which they are taken, a byte a cycle: bodies of
/// frames (docs/bridge.md, "TLPs"). A TLP is taken when the host has granted it a credit and the ring has room for the longest one. The
/// core's writes, reads and completions take turns. A read is the bridge's from the cycle in which it is taken.
module weft_bridge_tx #(
  parameter int unsigned AW = 12,     ///< 2 ** AW bytes in the ring
  parameter int unsigned WINDOW = 32  ///< frames in the ring, a power of two, 2 to 64
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clr_i,
  input  logic          up_i,
  input  logic [2:0]    credit_i,       ///< by class
  input  logic [7:0]    una_i,          ///< the oldest that is not acknowledged
  output logic [7:0]    nxt_o,          ///< the next to come; those before it are complete
  output logic [2:0]    sent_o,         ///< pulse, by class: one was taken

  input  logic          tx_rd_valid_i,  ///< weft_core's; may fall without ready
  output logic          tx_rd_ready_o,
  input  logic [127:0]  tx_rd_hdr_i,
  input  logic          tx_wr_valid_i,
  output logic          tx_wr_ready_o,
  input  logic [127:0]  tx_wr_hdr_i,
  input  logic [63:0]   tx_wr_data_i,
  input  logic          tx_wr_last_i,
  input  logic          tx_cpl_valid_i,
  output logic          tx_cpl_ready_o,
  input  logic [127:0]  tx_cpl_hdr_i,
  input  logic [63:0]   tx_cpl_data_i,

  input  logic [7:0]    get_i,          ///< which frame: class, length and place of it, in the same cycle
  output logic [1:0]    get_class_o,
  output logic [8:0]    get_len_o,
  output logic [AW-1:0] get_addr_o,
  input  logic          ram_re_i,
  input  logic [AW-1:0] ram_raddr_i,
  output logic [7:0]    ram_rdata_o
);

  localparam int unsigned SeqW = $clog2(WINDOW);
  localparam int unsigned EntryW = AW + 11;

  // ---------------------------------------------------------------- whose turn
  typedef enum logic [1:0] {StIdle, StHead, StData, StBeat} state_e;
  state_e       state_q;
  logic [1:0]   turn_q, cls_q, cls;
  logic [2:0]   want;
  logic         go, room_q;
  logic [127:0] hdr, hdr_q;
  logic [63:0]  data_q;
  logic [4:0]   count_q;
  logic [6:0]   left_q, dwords;   // dwords that have not been written

  assign want = {tx_cpl_valid_i, tx_rd_valid_i, tx_wr_valid_i} & credit_i;
  always_comb begin
    // The one that went last waits for the others.
    unique case (turn_q)
      2'd0:    cls = want[1] ? 2'd1 : want[2] ? 2'd2 : 2'd0;
      2'd1:    cls = want[2] ? 2'd2 : want[0] ? 2'd0 : 2'd1;
      default: cls = want[0] ? 2'd0 : want[1] ? 2'd1 : 2'd2;
    endcase
  end
  assign go     = state_q == StIdle && up_i && room_q && want != '0;
  assign hdr    = cls == 2'd0 ? tx_wr_hdr_i : cls == 2'd1 ? tx_rd_hdr_i : tx_cpl_hdr_i;
  assign dwords = hdr[30] ? hdr[6:0] : 7'd0;
  assign sent_o = go ? 3'd1 << cls : 3'd0;
  assign tx_rd_ready_o  = sent_o[1];
  assign tx_cpl_ready_o = sent_o[2];
  assign tx_wr_ready_o  = sent_o[0] || (state_q == StBeat && tx_wr_valid_i);

  // ---------------------------------------------------------------- bytes
  logic          we, done;
  logic [7:0]    wdata;
  logic [AW-1:0] wptr_q, start_q, free;
  assign we    = state_q == StHead || state_q == StData;
  assign wdata = state_q == StData ? data_q[7:0] : count_q == '0 ? 8'd0 : hdr_q[7:0];
  assign done  = (state_q == StHead && count_q == 5'd16 && left_q == '0)
                 || (state_q == StData && count_q[1:0] == 2'd3 && left_q == 7'd1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      turn_q  <= '0;
      nxt_o   <= '0;
      wptr_q  <= '0;
      count_q <= '0;
      room_q  <= 1'b0;
    end else if (clr_i) begin
      state_q <= StIdle;
      turn_q  <= '0;
      nxt_o   <= '0;
      wptr_q  <= '0;
      count_q <= '0;
      room_q  <= 1'b0;
    end else begin
      room_q <= !go && state_q == StIdle && nxt_o - una_i < 8'(WINDOW - 1)
                && (nxt_o == una_i || wptr_q - free < AW'(2 ** AW - weft_bridge_pkg::MaxBody - 1));
      if (we) wptr_q <= wptr_q + 1'b1;
      unique case (state_q)
        StIdle: if (go) begin
          state_q <= StHead;
          turn_q  <= cls;
          count_q <= '0;
        end
        StHead: begin
          count_q <= count_q + 5'd1;
          if (count_q == 5'd16) begin
            count_q <= '0;
            state_q <= left_q == '0 ? StIdle : StData;
          end
        end
        StData: begin
          count_q <= count_q + 5'd1;
          if (done) state_q <= StIdle;
          else if (count_q == 5'd7) begin
            count_q <= '0;
            state_q <= StBeat;
          end
        end
        StBeat: if (tx_wr_valid_i) state_q <= StData;
        default: state_q <= StIdle;
      endcase
      if (done) nxt_o <= nxt_o + 8'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      cls_q   <= cls;
      hdr_q   <= hdr;
      data_q  <= cls == 2'd0 ? tx_wr_data_i : tx_cpl_data_i;
      left_q  <= dwords;
      start_q <= wptr_q;
    end else begin
      if (state_q == StHead && count_q != '0) hdr_q <= {8'd0, hdr_q[127:8]};
      if (state_q == StData) begin
        data_q <= {8'd0, data_q[63:8]};
        if (count_q[1:0] == '1) left_q <= left_q - 7'd1;
      end
      if (state_q == StBeat) data_q <= tx_wr_data_i;
    end
  end

  // ---------------------------------------------------------------- ring and directory
  logic [EntryW-1:0] dir [WINDOW];
  logic [8:0]        len;
  logic [EntryW-1:0] get;
  assign len  = 9'(weft_bridge_pkg::MinBody) + (hdr_q[30] ? {hdr_q[6:0], 2'b00} : 9'd0);
  assign free = dir[una_i[SeqW-1:0]][AW-1:0];
  assign get  = dir[get_i[SeqW-1:0]];
  assign {get_class_o, get_len_o, get_addr_o} = get;
  always_ff @(posedge clk_i) if (state_q == StHead && count_q == '0) dir[nxt_o[SeqW-1:0]] <= {cls_q, len, start_q};

  weft_ram_1r1w #(.W(8), .DEPTH(2**AW)) u_ram (
    .clk_i, .we_i(we), .waddr_i(wptr_q), .wdata_i(wdata), .re_i(ram_re_i), .raddr_i(ram_raddr_i), .rdata_o(ram_rdata_o)
  );

  logic unused;
  assign unused = ^get_i;

`ifndef SYNTHESIS
  initial begin
    if (WINDOW < 2 || WINDOW > 64 || (WINDOW & (WINDOW - 1)) != 0) $fatal(1, "weft_bridge_tx: WINDOW");
    if (2 ** AW < 2 * weft_bridge_pkg::MaxBody) $fatal(1, "weft_bridge_tx: AW");
  end
  logic [7:0] held;
  assign held = nxt_o - una_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clr_i) begin
      assert (held < 8'(WINDOW)) else $error("%m: more frames than the directory holds");
      assert (!(go && hdr[30] && hdr[9:0] > 10'(weft_bridge_pkg::MaxDwords)) && !(go && hdr[30] && hdr[9:0] == '0))
        else $error("%m: a TLP that is too long for a frame");
      assert (!(go && cls == 2'd0 && tx_wr_last_i != (dwords <= 7'd2))) else $error("%m: length and last differ");
      assert (!(state_q == StBeat && tx_wr_valid_i && tx_wr_last_i != (left_q <= 7'd2))) else $error("%m: length and last differ");
    end
  end
`endif

endmodule
