// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The end of mpa's receiving side: joins what the cutter said of an FPDU with the verdict and the
/// place in the
/// FPDU store, in order, and keeps the dead bit of each slot. A record a cycle.
///
/// Behind a fault nothing of its slot comes out any more: FPDUs are freed, pins dropped. A fault,
/// and the end of the
/// stream, is an rx_fpdu_t without a place in the store. Every rx_fpdu_t carries a pin: one that
/// ends its piece
/// takes the piece's, for another one a pin is taken on (`drop_n_o` = -1).
// lint: -GN_SLOT=256
module weft_mpa_join #(
  parameter int unsigned N_SLOT = 16,  ///< power of two, 2 to 4096
  parameter int unsigned HND_W = 6     ///< bits of a handle of the FPDU store
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        j_valid_i,
  output logic                        j_ready_o,
  input  weft_mpa_in_pkg::join_t      j_i,
  input  weft_mpa_in_pkg::rec_t       save_rec_i,
  output logic                        save_done_o,
  output logic                        load_done_o,
  output logic                        healed_o,      ///< pulse: a refusal's record
  input  logic [11:0]                 dead_slot_i,
  output logic                        dead_o,

  input  logic                        put_valid_i,   ///< always taken, as are the next two
  input  logic [HND_W-1:0]            put_handle_i,
  input  logic                        head_valid_i,
  input  logic [383:0]                head_i,
  input  logic                        ver_valid_i,
  input  logic                        ver_crc_i,
  input  logic                        ver_mk_i,
  output logic                        free_valid_o,  ///< an FPDU that goes nowhere
  input  logic                        free_ready_i,
  output logic [HND_W-1:0]            free_handle_o,

  output logic                        rx_valid_o,
  input  logic                        rx_ready_i,
  output weft_dp_pkg::rx_fpdu_t       rx_o,
  output logic [15:0]                 rx_len_o,      ///< bytes in the stream
  output logic                        stored_valid_o,
  input  logic                        stored_ready_i,
  output weft_dp_pkg::commit_t        stored_o,
  output logic                        stored_placed_o,  ///< it was placed before: there is no FPDU of it to come
  output logic                        drop_valid_o,
  output logic [11:0]                 drop_slot_o,
  output logic [3:0]                  drop_n_o,
  output logic                        line_valid_o,
  input  logic                        line_ready_i,
  output weft_dp_pkg::line_t          line_o,
  output logic                        ev_valid_o,
  input  logic                        ev_ready_i,
  output weft_dp_pkg::ctx_ev_t        ev_o,

  output logic                        idle_o,
  output logic                        stat_fpdu_o,   ///< pulse: a good one
  output logic                        stat_fault_o,  ///< pulse: a fault was told
  /// pulse: an FPDU of a dead connection was let go
  output logic                        stat_gone_o
);

  localparam int unsigned SlW = $clog2(N_SLOT);
  localparam int unsigned InFlight = 16;  // FPDUs between the cutter and here
  localparam int unsigned JoinW = 3 + 5 + 22 + 36 + 64 + 16 + 4 + 1;

  // ---------------------------------------------------------------- what is waited for
  // The other three have one entry at most for each record in the first.
  weft_mpa_in_pkg::join_t j;
  logic             j_valid, done, put_valid, head_valid, ver_valid, ver_crc, ver_mk, take;
  logic [HND_W-1:0] handle;
  logic [367:0]     head;
  logic [3:0]       room;
  weft_fifo #(.W(JoinW), .DEPTH(InFlight)) u_join (
    .clk_i, .rst_ni, .in_valid_i(j_valid_i), .in_ready_o(j_ready_o), .in_data_i(j_i),
    .out_valid_o(j_valid), .out_ready_i(done), .out_data_o(j), .count_o()
  );
  weft_fifo #(.W(HND_W), .DEPTH(InFlight)) u_put (
    .clk_i, .rst_ni, .in_valid_i(put_valid_i), .in_ready_o(room[0]), .in_data_i(put_handle_i),
    .out_valid_o(put_valid), .out_ready_i(take), .out_data_o(handle), .count_o()
  );
  weft_fifo #(.W(368), .DEPTH(InFlight)) u_head (
    .clk_i, .rst_ni, .in_valid_i(head_valid_i), .in_ready_o(room[1]), .in_data_i(head_i[383:16]),
    .out_valid_o(head_valid), .out_ready_i(take), .out_data_o(head), .count_o()
  );
  weft_fifo #(.W(2), .DEPTH(InFlight)) u_ver (
    .clk_i, .rst_ni, .in_valid_i(ver_valid_i), .in_ready_o(room[2]),
    .in_data_i({ver_crc_i, ver_mk_i}),
    .out_valid_o(ver_valid), .out_ready_i(take), .out_data_o({ver_crc, ver_mk}), .count_o()
  );
  assign room[3] = 1'b1;

  // ---------------------------------------------------------------- dead
  // LUT RAM: bit 0 a fault was told, bit 1 firmware says so.
  logic [1:0]     dead_mem [N_SLOT];
  logic           dead, dead_we;
  logic [1:0]     dead_was, dead_wd;
  logic [SlW-1:0] slot;
  assign slot   = j.slot[SlW-1:0];
  assign dead_was = dead_mem[slot];
  // A ring that is lost is told though a fault behind it was told before.
  assign dead     = dead_was[1] || (dead_was[0] && !(j.kind == weft_mpa_in_pkg::JoinFault &&
      j.dead));
  assign dead_o   = dead_mem[dead_slot_i[SlW-1:0]] != '0;
  always_ff @(posedge clk_i) if (dead_we) dead_mem[slot] <= dead_wd;

  // ---------------------------------------------------------------- one record
  logic is_fpdu, is_set, is_drain, is_stored, stored_go, all_there, bad, tell, out_ready, ev_go,
    let_go;
  logic [3:0] n;
  assign is_fpdu   = j.kind == weft_mpa_in_pkg::JoinFpdu;
  assign is_set    = j.kind == weft_mpa_in_pkg::JoinCtx && j.code == weft_dp_pkg::OpSetState;
  assign is_drain  = j.kind == weft_mpa_in_pkg::JoinCtx && j.code == weft_dp_pkg::OpDrain;
  assign all_there = j_valid && (!is_fpdu || (put_valid && head_valid && ver_valid));
  assign bad       = is_fpdu && !(ver_crc && ver_mk);
  // What is ahead of turn and not good is let go in silence: it is judged in its turn.
  assign tell      = !dead && ((is_fpdu && !(bad && j.ahead)) || j.kind == weft_mpa_in_pkg::JoinFault ||
      j.kind == weft_mpa_in_pkg::JoinFin);
  assign let_go    = is_fpdu && (dead || bad);
  assign done      = all_there && (!tell || out_ready) && (!let_go || free_ready_i) &&
      (!is_drain || ev_go) &&
                     (j.kind != weft_mpa_in_pkg::JoinSave || line_ready_i) &&
                     (!is_stored || dead || stored_go);
  assign take      = done && is_fpdu;
  // When everything before it has been taken.
  assign is_stored      = j.kind == weft_mpa_in_pkg::JoinStored;
  assign stored_valid_o = j_valid && is_stored && !dead && !rx_valid_o;
  assign stored_go      = stored_valid_o && stored_ready_i;
  always_comb begin
    stored_o      = '0;
    stored_o.who  = {j.qpn, j.slot};
    stored_o.from = j.off;
    stored_o.to   = j.off + 64'(j.raw);
    stored_o.ahead = j.ahead;
    stored_placed_o = j.placed;
  end

  assign free_valid_o  = all_there && let_go && (!tell || out_ready);
  assign free_handle_o = handle;

  assign dead_we = done && ((tell && (bad || j.kind == weft_mpa_in_pkg::JoinFault)) || is_set ||
                            j.kind == weft_mpa_in_pkg::JoinLoad ||
                                (j.kind == weft_mpa_in_pkg::JoinEnd && j.dead));
  assign dead_wd = is_set ? {2{j.ulpdu[0]}} : j.kind == weft_mpa_in_pkg::JoinLoad ? {2{j.dead}} :
                   j.kind == weft_mpa_in_pkg::JoinEnd ? {dead_was[1], 1'b0} : 2'b01;

  // ---------------------------------------------------------------- out
  weft_dp_pkg::rx_fpdu_t rx;
  always_comb begin
    rx        = '0;
    rx.who    = {j.qpn, j.slot};
    rx.off    = j.off;
    rx.ulpdu  = j.ulpdu;
    rx.pinned = 1'b1;
    rx.kept   = j.kept;
    rx.ahead  = j.ahead;
    rx.head   = head;
    unique case (j.kind)
      weft_mpa_in_pkg::JoinFault: rx.fault = j.code;
      weft_mpa_in_pkg::JoinFin:   rx.fault = weft_dp_pkg::MpaFin;
      default: rx.fault = !ver_crc ? weft_dp_pkg::MpaCrc : !ver_mk
          ? weft_dp_pkg::MpaMarker : weft_dp_pkg::MpaOk;
    endcase
    if (is_fpdu && !bad) rx.handle = 12'(handle);
  end
  weft_fifo #(.W(16 + 36 + 64 + 12 + 16 + 3 + 4 + 368), .DEPTH(2)) u_out (
    .clk_i, .rst_ni, .in_valid_i(tell && done), .in_ready_o(out_ready), .in_data_i({j.raw[15:0], rx}),
    .out_valid_o(rx_valid_o), .out_ready_i(rx_ready_i), .out_data_o({rx_len_o, rx_o}), .count_o()
  );

  // A pin more, or one less; told no later than the FPDU is seen.
  logic has_pin;
  assign has_pin = j.ends && j.kind != weft_mpa_in_pkg::JoinLoad &&
      j.kind != weft_mpa_in_pkg::JoinSave;
  assign n = 4'(has_pin) - 4'(tell || (is_stored && !dead)) - 4'(j.more);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) drop_valid_o <= 1'b0;
    else drop_valid_o <= done && n != '0;
  end
  always_ff @(posedge clk_i) begin
    if (done) begin
      drop_slot_o <= j.slot;
      drop_n_o    <= n;
    end
  end

  weft_abi_pkg::home_mpa_t home;
  always_comb begin
    home          = '0;
    home.next     = save_rec_i.next;
    home.rcv_edge = save_rec_i.edge_off;
    home.first    = save_rec_i.first;
    home.crc      = save_rec_i.crc;
    home.markers  = save_rec_i.markers;
    home.gen      = save_rec_i.gen;
    home.fresh    = save_rec_i.fresh;
    home.refused  = save_rec_i.refused;
    home.ring      = save_rec_i.ring;
    home.fin       = save_rec_i.fin;
    home.ring_id   = 16'(save_rec_i.rid);
    home.ring_need = save_rec_i.need;
    home.ring_from = save_rec_i.from;
    home.ring_past = save_rec_i.gone;
    home.ring_end  = save_rec_i.tail;
    home.dead     = dead;
    line_o        = '0;
    line_o.who    = {j.qpn, j.slot};
    line_o.tag    = j.code[1:0];
    line_o.line   = 3'd6;
    line_o.data   = home;
  end
  assign line_valid_o = j_valid && j.kind == weft_mpa_in_pkg::JoinSave;
  assign save_done_o  = done && j.kind == weft_mpa_in_pkg::JoinSave;

  assign healed_o     = done && j.dead && j.kind != weft_mpa_in_pkg::JoinLoad;
  assign load_done_o  = done && j.kind == weft_mpa_in_pkg::JoinLoad;

  assign ev_valid_o = j_valid && is_drain;
  assign ev_go      = ev_ready_i;
  always_comb begin
    ev_o       = '0;
    ev_o.qpn   = j.qpn;
    ev_o.kind  = weft_abi_pkg::FW_EV_DRAINED;
    ev_o.data0 = 32'(j.ulpdu);
  end

  assign idle_o       = !j_valid && !j_valid_i && !rx_valid_o;
  assign stat_fpdu_o  = take && !let_go;
  assign stat_fault_o = done && tell && (bad || j.kind == weft_mpa_in_pkg::JoinFault);
  assign stat_gone_o  = take && dead;

  logic unused;
  assign unused = ^{room, save_rec_i, dead_slot_i, head_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(put_valid_i && !room[0]) && !(head_valid_i && !room[1]) && !(ver_valid_i &&
          !room[2]))
      else $error("%m: more FPDUs in flight than records");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
