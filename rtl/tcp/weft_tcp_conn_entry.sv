// SPDX-License-Identifier: BSD-2-Clause

/// Whose item goes to the pipe next: a load, a save, a command, a timer, an answer of weft_tcp_rack, then touches and segments in turn. A segment
/// whose connection has PER_CTX segments waiting is let go: its frame and its pin come out at `over`.
///
/// The waiting segments of a slot are what came in (one counter) less what was at the head (another): each
/// has one writer. Both are cleared behind the reset. Of touches one of a slot waits at most (`touch_wait_o`): what is told of a
/// connection whose visits follow each other without a gap adds up meanwhile, so a touch does for several segments.
// lint: -GN_SLOT=256
module weft_tcp_conn_entry #(
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned PER_CTX = 4,   ///< 1 to 7
  localparam int unsigned SlW = $clog2(N_SLOT)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  output logic                       ready_o,       ///< registered: counters are cleared

  input  logic                       load_valid_i,
  output logic                       load_ready_o,
  input  weft_dp_pkg::who_t          load_who_i,
  input  logic                       save_valid_i,
  output logic                       save_ready_o,
  input  weft_dp_pkg::save_t         save_i,
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  weft_dp_pkg::ctx_cmd_t      cmd_i,
  input  logic                       drain_ok_i,    ///< an OpDrain may enter: its answer has a place
  input  logic                       tmr_valid_i,
  output logic                       tmr_ready_o,
  input  weft_dp_pkg::who_t          tmr_who_i,
  input  logic                       rack_valid_i,
  output logic                       rack_ready_o,
  input  logic [SlW-1:0]             rack_slot_i,
  input  weft_tcp_conn_pkg::rack_out_t rack_i,
  input  logic                       touch_valid_i,
  output logic                       touch_ready_o,
  input  logic [SlW-1:0]             touch_slot_i,
  output logic                       touch_wait_o,    ///< one of this slot waits for its visit already: not now
  input  logic                       patient_i,       ///< a segment too many of a connection waits, instead of being let go
  input  logic                       seg_valid_i,
  output logic                       seg_ready_o,
  input  weft_dp_pkg::rx_seg_t       seg_i,

  output logic                       in_valid_o,
  input  logic                       in_ready_i,
  output logic [SlW-1:0]             in_slot_o,
  output weft_tcp_conn_pkg::item_t   in_item_o,
  input  logic                       head_seg_i,    ///< a segment is at the head of the pipe
  input  logic                       head_touch_i,  ///< a touch is
  input  logic [SlW-1:0]             head_slot_i,

  output logic                       over_valid_o,  ///< registered
  input  logic                       over_ready_i,
  output logic                       over_body_o,   ///< there is a frame to free
  output logic [11:0]                over_handle_o,
  output logic [SlW-1:0]             over_slot_o,

  output logic                       stat_over_o    ///< pulse: a segment was let go
);

  // ---------------------------------------------------------------- counters
  logic [2:0]     came [N_SLOT];
  logic [2:0]     went [N_SLOT];
  logic           clr_q, took, over_q;
  logic [SlW-1:0] at_q, seg_slot;
  logic [2:0]     n_came, n_wait;
  assign seg_slot = seg_i.who.slot[SlW-1:0];
  assign n_came   = came[seg_slot];
  assign n_wait   = n_came - went[seg_slot];
  always_ff @(posedge clk_i) begin
    if (clr_q) came[at_q] <= '0;
    else if (took) came[seg_slot] <= n_came + 3'd1;
  end
  always_ff @(posedge clk_i) begin
    if (clr_q) went[at_q] <= '0;
    else if (head_seg_i) went[head_slot_i] <= went[head_slot_i] + 3'd1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clr_q <= 1'b1;
      at_q  <= '0;
    end else if (clr_q) begin
      at_q  <= at_q + SlW'(1);
      clr_q <= at_q != '1;
    end
  end
  assign ready_o = !clr_q;

  // One bit each for touches.
  logic came_touch [N_SLOT];
  logic went_touch [N_SLOT];
  logic took_touch;
  assign touch_wait_o = came_touch[touch_slot_i] != went_touch[touch_slot_i];
  always_ff @(posedge clk_i) begin
    if (clr_q) came_touch[at_q] <= 1'b0;
    else if (took_touch) came_touch[touch_slot_i] <= !came_touch[touch_slot_i];
  end
  always_ff @(posedge clk_i) begin
    if (clr_q) went_touch[at_q] <= 1'b0;
    else if (head_touch_i) went_touch[head_slot_i] <= !went_touch[head_slot_i];
  end

  // ---------------------------------------------------------------- who is next
  logic full, seg_ok, turn_q, touch, seg, over, touch_ok;
  assign touch_ok = touch_valid_i && !touch_wait_o;
  assign full   = n_wait >= 3'(PER_CTX);
  assign seg_ok = seg_valid_i && !over_q && !clr_q;
  assign over   = seg_ok && full && !patient_i;
  assign load_ready_o  = in_ready_i && !clr_q;
  assign save_ready_o  = in_ready_i && !clr_q && !load_valid_i;
  assign cmd_ready_o   = save_ready_o && !save_valid_i && (cmd_i.op != weft_dp_pkg::OpDrain || drain_ok_i);
  assign tmr_ready_o   = save_ready_o && !save_valid_i && !(cmd_valid_i && cmd_ready_o);
  logic tail;  // touches and segments have their turn
  assign rack_ready_o  = tmr_ready_o && !tmr_valid_i;
  assign tail          = rack_ready_o && !rack_valid_i;
  assign touch         = touch_ok && !(seg_ok && !full && turn_q);
  assign touch_ready_o = tail && !touch_wait_o && !(seg_ok && !full && turn_q);
  assign took_touch        = tail && touch;
  assign seg           = seg_ok && !full && !touch;
  assign took          = seg && tail;
  assign seg_ready_o   = !clr_q && !over_q && (full ? !patient_i : (tail && !touch));
  assign stat_over_o   = over;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= 1'b0;
      over_q <= 1'b0;
    end else begin
      if (tail && (touch || seg)) turn_q <= touch;
      over_q <= over || (over_q && !over_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (over) begin
      over_body_o   <= seg_i.body;
      over_handle_o <= seg_i.handle;
      over_slot_o   <= seg_slot;
    end
  end
  assign over_valid_o = over_q;

  logic cmd;
  assign cmd        = cmd_valid_i && (cmd_i.op != weft_dp_pkg::OpDrain || drain_ok_i);
  assign in_valid_o = !clr_q && (load_valid_i || save_valid_i || cmd || tmr_valid_i || rack_valid_i || touch_ok || (seg_ok && !full));
  always_comb begin
    in_item_o      = '0;
    in_item_o.kind = weft_tcp_conn_pkg::ItSeg;
    in_item_o.qpn  = seg_i.who.qpn;
    in_item_o.body = weft_tcp_conn_pkg::SegW'(seg_i);
    in_slot_o      = seg_slot;
    if (load_valid_i) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItLoad;
      in_item_o.qpn  = load_who_i.qpn;
      in_slot_o      = load_who_i.slot[SlW-1:0];
    end else if (save_valid_i) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItSave;
      in_item_o.qpn  = save_i.who.qpn;
      in_item_o.body = weft_tcp_conn_pkg::SegW'(save_i.tag);
      in_slot_o      = save_i.who.slot[SlW-1:0];
    end else if (cmd) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItCmd;
      in_item_o.qpn  = cmd_i.who.qpn;
      in_item_o.body = weft_tcp_conn_pkg::SegW'({cmd_i.op, cmd_i.arg});
      in_slot_o      = cmd_i.who.slot[SlW-1:0];
    end else if (tmr_valid_i) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItTimer;
      in_item_o.qpn  = tmr_who_i.qpn;
      in_slot_o      = tmr_who_i.slot[SlW-1:0];
    end else if (rack_valid_i) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItRack;
      in_item_o.qpn  = rack_i.qpn;
      in_item_o.body = weft_tcp_conn_pkg::SegW'(rack_i);
      in_slot_o      = rack_slot_i;
    end else if (touch) begin
      in_item_o.kind = weft_tcp_conn_pkg::ItTouch;
      in_slot_o      = touch_slot_i;
    end
  end

  logic unused;
  assign unused = ^{load_who_i, save_i, cmd_i, tmr_who_i, seg_i};

`ifndef SYNTHESIS
  initial if (PER_CTX < 1 || PER_CTX > 7) $fatal(1, "weft_tcp_conn_entry: PER_CTX");
`endif

endmodule
