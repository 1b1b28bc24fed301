// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// txack of a load waits until the connection has arrived: the connection pipe says it with line 3, and the send queue has
/// its own line only behind that. All others go straight through. What waited holds a pin, from the arrival
/// until the send queue has had time to take its own.
module weft_dp_txack #(
  parameter int unsigned DEPTH = 8,  ///< loads whose arrival is not told yet, or that wait to be told of: N_BUF of weft_ctx_fill and some; a power of two
  parameter int unsigned LAG = 6
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  txack_valid_i,   ///< pulse
  input  weft_dp_pkg::txack_t   txack_i,
  input  logic                  open_i,          ///< this one is of a load
  input  logic                  arrive_valid_i,
  input  weft_dp_pkg::arrive_t  arrive_i,
  output logic                  txack_valid_o,   ///< pulse
  output weft_dp_pkg::txack_t   txack_o,
  output logic [1:0]            drop_valid_o,    ///< of two ports: takes, drops
  output logic [23:0]           drop_slot_o,
  output logic [7:0]            drop_n_o,
  output logic                  idle_o
);

  localparam int unsigned AckW = 36 + 64 + 64 + 16 + 48 + 1;
  logic                        room, v, take, here, out_room, out_v, l_idle;
  logic [$clog2(DEPTH):0]      count, out_n;
  logic [23:0]                 t_slot;
  logic [1:0]                  t_v;
  logic [7:0]                  t_n;
  weft_dp_pkg::txack_t         old, out;
  weft_fifo #(.W(AckW), .DEPTH(DEPTH)) u_wait (
    .clk_i, .rst_ni, .in_valid_i(txack_valid_i && open_i), .in_ready_o(room), .in_data_i(txack_i),
    .out_valid_o(v), .out_ready_i(here), .out_data_o(old), .count_o(count)
  );
  assign here = v && arrive_valid_i && arrive_i.who == old.who;
  // Those that have arrived. Each load of the pipe leaves the port to one of them, so they are never more than loads were.
  weft_fifo #(.W(AckW), .DEPTH(DEPTH)) u_out (
    .clk_i, .rst_ni, .in_valid_i(here), .in_ready_o(out_room), .in_data_i(old),
    .out_valid_o(out_v), .out_ready_i(take), .out_data_o(out), .count_o(out_n)
  );
  assign take = out_v && !(txack_valid_i && !open_i);
  assign txack_valid_o = (txack_valid_i && !open_i) || out_v;
  assign txack_o       = (txack_valid_i && !open_i) ? txack_i : out;

  weft_dp_late #(.LAG(LAG)) u_late (
    .clk_i, .rst_ni, .drop_valid_i(take), .drop_slot_i(out.who.slot), .drop_n_i(4'd1),
    .take_valid_o(t_v[0]), .take_slot_o(t_slot[11:0]), .take_n_o(t_n[3:0]),
    .drop_valid_o(t_v[1]), .drop_slot_o(t_slot[23:12]), .drop_n_o(t_n[7:4]), .idle_o(l_idle)
  );
  assign drop_valid_o = {t_v[1], here};
  assign drop_slot_o  = {t_slot[23:12], old.who.slot};
  assign drop_n_o     = {t_n[7:4], 4'hf};
  assign idle_o       = count == '0 && out_n == '0 && l_idle && !txack_valid_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(txack_valid_i && open_i && !room)) else $error("%m: more loads than places");
      assert (!(here && !out_room)) else $error("%m: more arrivals than places");
    end
  end
`endif
  logic unused;
  assign unused = ^{room, out_room, arrive_i, t_v[0], t_slot[11:0], t_n[3:0]};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
