// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// A station that talks to itself: frames whose destination is the station's own address turn round inside the card, for no wire
/// brings them back (IEEE 802.1Q 8.6.1: a bridge does not send a frame out of the port that it came from).
///
/// Such a frame is stored whole, then enters the receive side between two frames of the MAC, in turn with them; meanwhile the MAC
/// waits (`rx_ready_o`), at most one frame. Nothing is lost: with no room the sender waits, and the receive side takes a beat in
/// every cycle whatever happens, so the room comes back.
///
/// The way from and to the MAC is combinational: frames that do not turn round are not delayed.
module weft_eth_hairpin #(
  parameter int unsigned DATA_W = 64,         ///< 64, 128, 256 or 512
  parameter int unsigned BYTES = 16384,       ///< of the store: a power of two, not less than a frame
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic [47:0]       mac_i,            ///< station address, byte 0 in bits 7:0; 0 or a group's: nothing turns round

  input  logic              tx_valid_i,       ///< frames that leave
  output logic              tx_ready_o,
  input  logic [DATA_W-1:0] tx_data_i,
  input  logic [CntW-1:0]   tx_cnt_i,
  input  logic              tx_last_i,

  output logic              eth_tx_valid_o,   ///< to the MAC
  input  logic              eth_tx_ready_i,
  output logic [DATA_W-1:0] eth_tx_data_o,
  output logic [CntW-1:0]   eth_tx_cnt_o,
  output logic              eth_tx_last_o,

  input  logic              eth_rx_valid_i,   ///< from the MAC
  output logic              eth_rx_ready_o,
  input  logic [DATA_W-1:0] eth_rx_data_i,
  input  logic [CntW-1:0]   eth_rx_cnt_i,
  input  logic              eth_rx_last_i,
  input  logic              eth_rx_err_i,     ///< with last: FCS

  output logic              rx_valid_o,       ///< both, a frame at a time; no ready
  output logic [DATA_W-1:0] rx_data_o,
  output logic [CntW-1:0]   rx_cnt_o,
  output logic              rx_last_o,
  output logic              rx_err_o,

  output logic              idle_o,           ///< nothing inside
  output logic              stat_own_o        ///< pulse: a frame turned round
);

  // ---------------------------------------------------------------- which way a frame leaves

  // The answer of a frame's first beat holds to its end, also when the address changes while the beat waits.
  logic known_q, own_q, own, match;
  logic st_v, st_r, st_room, v, last;
  logic [DATA_W-1:0] data;
  logic [CntW-1:0]   cnt;

  assign match = tx_data_i[47:0] == mac_i && mac_i != '0 && !mac_i[0];
  assign own   = known_q ? own_q : match;
  assign st_v  = tx_valid_i && own;
  assign eth_tx_valid_o = tx_valid_i && !own;
  assign eth_tx_data_o  = tx_data_i;
  assign eth_tx_cnt_o   = tx_cnt_i;
  assign eth_tx_last_o  = tx_last_i;
  assign tx_ready_o     = own ? st_r : eth_tx_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q    <= 1'b0;
      own_q      <= 1'b0;
      stat_own_o <= 1'b0;
    end else begin
      stat_own_o <= st_v && st_r && tx_last_i;
      if (tx_valid_i) begin
        known_q <= !(tx_ready_o && tx_last_i);
        own_q   <= own;
      end
    end
  end

  logic take;
  weft_pkt_fifo #(.DATA_W(DATA_W), .DEPTH(BYTES * 8 / DATA_W), .MAX_PKTS(32)) u_store (
    .clk_i, .rst_ni,
    .in_valid_i(st_v), .in_ready_o(st_r), .in_data_i(tx_data_i), .in_cnt_i(tx_cnt_i), .in_last_i(tx_last_i), .in_drop_i(1'b0),
    .in_meta_i(1'b0), .out_valid_o(v), .out_ready_i(take), .out_data_o(data), .out_cnt_o(cnt), .out_last_o(last), .out_meta_o(),
    .free_o(), .empty_o(st_room), .stat_drop_o(), .stat_overflow_o()
  );

  // ---------------------------------------------------------------- whose frame comes in

  logic mid_q, own_mid_q;  // in the midst of a frame: of the MAC, of our own
  logic turn_q;            // the last one was the MAC's

  assign take           = own_mid_q || (!mid_q && v && (turn_q || !eth_rx_valid_i));
  assign eth_rx_ready_o = !take;
  assign rx_valid_o     = take ? v : eth_rx_valid_i;
  assign rx_data_o      = take ? data : eth_rx_data_i;
  assign rx_cnt_o       = take ? cnt : eth_rx_cnt_i;
  assign rx_last_o      = take ? last : eth_rx_last_i;
  assign rx_err_o       = !take && eth_rx_err_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid_q     <= 1'b0;
      own_mid_q <= 1'b0;
      turn_q    <= 1'b0;
    end else if (take) begin
      if (v) {own_mid_q, turn_q} <= {!last, 1'b0};
    end else if (eth_rx_valid_i) begin
      {mid_q, turn_q} <= {!eth_rx_last_i, 1'b1};
    end
  end

  assign idle_o = st_room && !v && !own_mid_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (!(mid_q && own_mid_q)) else $error("%m: two frames at once");
`endif

endmodule
