// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Receive side of the Ethernet port: stores each frame, parses its headers and checks its sums on
/// the way, and offers it, with what it knows, once it is complete. A frame with a bad FCS, shorter
/// than a header or longer than FRAME_MAX is discarded, as is one that finds no room for the largest
/// frame; the wire is never held up, but told when the store is half full.
///
/// `meta` and the frame's bytes leave in the same order on streams of their own, so that a frame can
/// be looked up while the one before is still moved.
///
/// IPv4 headers with options and IPv6 extension headers are left to the host: no L4 fields, no L4
/// checksum verdict (`tcp`, `udp`, `l4_ok` low).
module weft_eth_rx #(
  parameter int unsigned DATA_W = 64,         ///< 64, 128, 256 or 512
  parameter int unsigned BUF_BYTES = 65536,   ///< frame store: at least three FRAME_MAX
  parameter int unsigned FRAME_MAX = 9022,    ///< bytes, no FCS
  parameter int unsigned MAX_FRAMES = 256,    ///< frames stored, a power of two
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               eth_rx_valid_i,
  output logic               eth_rx_ready_o,  ///< always high
  input  logic [DATA_W-1:0]  eth_rx_data_i,
  input  logic [CntW-1:0]    eth_rx_cnt_i,
  input  logic               eth_rx_last_i,
  input  logic               eth_rx_err_i,    ///< with last: FCS
  output logic               eth_rx_pause_o,  ///< half full: the MAC may ask the link partner to pause (802.3 annex 31B)

  output logic               meta_valid_o,
  input  logic               meta_ready_i,
  output weft_pkg::rx_meta_t meta_o,
  output logic               frm_valid_o,
  input  logic               frm_ready_i,
  output logic [DATA_W-1:0]  frm_data_o,
  output logic [CntW-1:0]    frm_cnt_o,
  output logic               frm_last_o,

  output logic               idle_o,
  output logic               stat_frame_o,      ///< stored
  output logic               stat_drop_full_o,
  output logic               stat_drop_bad_o
);

  localparam int unsigned Depth = BUF_BYTES / Bytes;
  localparam int unsigned AddrW = $clog2(Depth);
  localparam int unsigned FrameBeats = (FRAME_MAX + Bytes - 1) / Bytes;
  localparam int unsigned MetaW = 489;

`ifndef SYNTHESIS
  initial begin
    if (Depth < 3 * FrameBeats) $fatal(1, "weft_eth_rx: BUF_BYTES below three frames");
    if (MetaW != $bits(meta_o)) $fatal(1, "weft_eth_rx: MetaW is not the width of rx_meta_t");
  end
`endif

  // ---------------------------------------------------------------- parse; the frame comes delayed
  logic               v, last, bad;
  logic [DATA_W-1:0]  data;
  logic [CntW-1:0]    cnt;
  weft_pkg::rx_meta_t meta;
  logic               parse_idle;

  assign eth_rx_ready_o = 1'b1;
  weft_eth_parse #(.DATA_W(DATA_W), .FRAME_MAX(FRAME_MAX)) u_parse (
    .clk_i, .rst_ni,
    .in_valid_i(eth_rx_valid_i), .in_data_i(eth_rx_data_i), .in_cnt_i(eth_rx_cnt_i),
    .in_last_i(eth_rx_last_i), .in_err_i(eth_rx_err_i),
    .out_valid_o(v), .out_data_o(data), .out_cnt_o(cnt), .out_last_o(last), .out_bad_o(bad),
    .out_meta_o(meta), .idle_o(parse_idle)
  );

  // ---------------------------------------------------------------- admission, storage
  logic           first_q, admit_q, admit, room_q, meta_ready, empty, in_ready;
  logic [AddrW:0] free;
  logic [$clog2(MAX_FRAMES):0] frames;
  // room_q is a cycle old, in which one beat more may have come: it counts that one too.
  assign admit = first_q ? room_q && meta_ready : admit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      admit_q <= 1'b0;
      room_q  <= 1'b0;
    end else begin
      room_q <= free >= (AddrW + 1)'(FrameBeats + 2);
      if (v) begin
        first_q <= last;
        admit_q <= admit;
      end
    end
  end

  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(Depth), .MAX_PKTS(MAX_FRAMES * 2)) u_store (
    .clk_i, .rst_ni,
    .in_valid_i(v && admit), .in_ready_o(in_ready), .in_data_i(data), .in_cnt_i(cnt),
    .in_last_i(last), .in_drop_i(bad), .in_meta_i(1'b0),
    .out_valid_o(frm_valid_o), .out_ready_i(frm_ready_i), .out_data_o(frm_data_o),
    .out_cnt_o(frm_cnt_o), .out_last_o(frm_last_o), .out_meta_o(),
    .free_o(free), .empty_o(empty), .stat_drop_o(), .stat_overflow_o()
  );

  // At most one frame is between admission and its last beat, so meta_ready at the first beat
  // leaves room for it.
  weft_fifo #(.W(MetaW), .DEPTH(MAX_FRAMES)) u_meta (
    .clk_i, .rst_ni,
    .in_valid_i(v && admit && last && !bad), .in_ready_o(meta_ready), .in_data_i(meta),
    .out_valid_o(meta_valid_o), .out_ready_i(meta_ready_i), .out_data_o(meta_o), .count_o(frames)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      eth_rx_pause_o   <= 1'b0;
      stat_frame_o     <= 1'b0;
      stat_drop_full_o <= 1'b0;
      stat_drop_bad_o  <= 1'b0;
    end else begin
      eth_rx_pause_o   <= free < (AddrW + 1)'(Depth / 2) || frames >= ($clog2(MAX_FRAMES) + 1)'(MAX_FRAMES / 2);
      stat_frame_o     <= v && last && admit && !bad;
      stat_drop_full_o <= v && last && !admit;
      stat_drop_bad_o  <= v && last && admit && bad;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && v && admit) begin
    assert (in_ready) else $error("weft_eth_rx: an admitted frame found no room");
    if (last && !bad) assert (meta_ready) else $error("weft_eth_rx: no room for meta");
  end
`endif

  assign idle_o = parse_idle && !v && empty && !meta_valid_o && !eth_rx_valid_i;

endmodule
