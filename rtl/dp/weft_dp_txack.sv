// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// txack of a load waits until the connection has arrived: the connection pipe says it with line 3, and the send queue has
/// its own line only behind that. All others go straight through. What waited holds a pin, from the arrival
/// until the send queue has had time to take its own.
module weft_dp_txack #(
  parameter int unsigned DEPTH = 4,  ///< loads whose arrival is not told yet, a power of two
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
  logic                        room, v, take, here, here_q, l_idle;
  logic [$clog2(DEPTH):0]      count;
  logic [23:0]                 t_slot;
  logic [1:0]                  t_v;
  logic [7:0]                  t_n;
  weft_dp_pkg::txack_t         old;
  weft_fifo #(.W(AckW), .DEPTH(DEPTH)) u_wait (
    .clk_i, .rst_ni, .in_valid_i(txack_valid_i && open_i), .in_ready_o(room), .in_data_i(txack_i),
    .out_valid_o(v), .out_ready_i(take), .out_data_o(old), .count_o(count)
  );
  assign here = v && arrive_valid_i && arrive_i.who == old.who;
  assign take = here_q && !(txack_valid_i && !open_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) here_q <= 1'b0;
    else here_q <= here || (here_q && !take);
  end
  assign txack_valid_o = (txack_valid_i && !open_i) || here_q;
  assign txack_o       = (txack_valid_i && !open_i) ? txack_i : old;

  weft_dp_late #(.LAG(LAG)) u_late (
    .clk_i, .rst_ni, .drop_valid_i(take), .drop_slot_i(old.who.slot), .drop_n_i(4'd1),
    .take_valid_o(t_v[0]), .take_slot_o(t_slot[11:0]), .take_n_o(t_n[3:0]),
    .drop_valid_o(t_v[1]), .drop_slot_o(t_slot[23:12]), .drop_n_o(t_n[7:4]), .idle_o(l_idle)
  );
  assign drop_valid_o = {t_v[1], here};
  assign drop_slot_o  = {t_slot[23:12], old.who.slot};
  assign drop_n_o     = {t_n[7:4], 4'hf};
  assign idle_o       = count == '0 && l_idle && !txack_valid_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(txack_valid_i && open_i && !room)) else $error("%m: more loads than places");
      assert (!(here && here_q && !take)) else $error("%m: two arrivals");
    end
  end
`endif
  logic unused;
  assign unused = ^{room, arrive_i, t_v[0], t_slot[11:0], t_n[3:0]};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
