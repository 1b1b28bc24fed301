// SPDX-License-Identifier: BSD-2-Clause

/// Says what is sent next: a PAUSE frame that is due, else a stored frame unless the link partner
/// asked
/// for a pause (IEEE 802.3 annex 31B). Between frames only.
///
/// Sending PAUSE: while `pause_req_i` the peer is asked for `quanta`, again every `refresh`
/// quanta, and told
/// to go on (quanta 0) when it falls. Receiving: `pause_valid_i` loads the timer, which runs in
/// this clock
/// from there, quanta of 512 bit times, exactly; quanta 0 ends a pause. PAUSE frames leave during
/// a pause.
/// The FCS of a PAUSE frame is made by a byte a cycle before it is sent.
module weft_mac_tx_sched #(
  /// log2 of the cycles of 512 bit times: 3 at 64 bits, 6 at 8 bits
  parameter int unsigned QUANTUM_LOG2 = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // loop is the codec's
  input  weft_mac_pkg::tx_cfg_t cfg_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                  fault_i,       ///< the link is down: frames are taken, and are lost
  input  logic                  pause_req_i,
  input  logic                  pause_valid_i,
  input  logic [15:0]           pause_quanta_i,
  output logic                  paused_o,

  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic [63:0]           in_data_i,
  input  logic [3:0]            in_cnt_i,
  input  logic                  in_last_i,
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [63:0]           out_data_o,
  output logic [3:0]            out_cnt_o,
  output logic                  out_last_o,

  output logic                  rec_valid_o,
  output weft_mac_pkg::tx_rec_t rec_o
);

  localparam int unsigned TimerW = 16 + QUANTUM_LOG2;

  // ---------------------------------------------------------------- pause of our own frames
  logic [TimerW-1:0] timer_q;
  assign paused_o = timer_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) timer_q <= '0;
    else if (!cfg_i.pause_rx) timer_q <= '0;
    else if (pause_valid_i) timer_q <= {pause_quanta_i, {QUANTUM_LOG2{1'b0}}};
    else if (paused_o) timer_q <= timer_q - 1'b1;
  end

  // ---------------------------------------------------------------- pause of the peer
  // asked_q: the peer stands still for all we know; since_q: cycles since it was asked.
  logic              asked_q, build_q, due_q, refresh, start;
  logic [TimerW-1:0] since_q;
  logic [15:0]       quanta_q;
  logic [5:0]        byte_q;
  logic [31:0]       crc_q;
  logic [7:0]        byte_now;
  logic [143:0]      head;     // the first 18 bytes, the others are zero
  logic              sent;

  assign head = {quanta_q[7:0], quanta_q[15:8], 8'h01, 8'h00, 8'h08, 8'h88, cfg_i.addr,
    48'h0100_00c2_8001};
  assign refresh = since_q >= {cfg_i.refresh, {QUANTUM_LOG2{1'b0}}};
  assign start   = cfg_i.pause_tx && !build_q && !due_q && (pause_req_i ? !asked_q || refresh
    : asked_q);

  function automatic logic [31:0] crc8(input logic [31:0] c, input logic [7:0] b);
    crc8 = c ^ {24'd0, b};
    for (int i = 0; i < 8; i++) crc8 = {1'b0, crc8[31:1]} ^ (crc8[0] ? 32'hedb8_8320 : 32'd0);
  endfunction

  assign byte_now = byte_q < 6'd18 ? head[8*byte_q+:8] : 8'h00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      build_q <= 1'b0;
      due_q   <= 1'b0;
      since_q <= '0;
    end else begin
      if (since_q != '1) since_q <= since_q + 1'b1;
      if (start) begin
        build_q  <= 1'b1;
        byte_q   <= '0;
        crc_q    <= '1;
        quanta_q <= pause_req_i ? cfg_i.quanta : 16'd0;
      end else if (build_q) begin
        byte_q <= byte_q + 1'b1;
        crc_q  <= crc8(crc_q, byte_now);
        if (byte_q == 6'd59) begin
          build_q <= 1'b0;
          due_q   <= 1'b1;
        end
      end
      if (sent) begin
        due_q   <= 1'b0;
        asked_q <= quanta_q != '0;
        since_q <= '0;
      end
      if (!cfg_i.pause_tx) asked_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- whose turn
  logic [2:0]  word_q;
  logic        open_q, own_q, own, stop;  // own: the PAUSE frame
  logic        lock_q;                    // offered, or begun: the choice stands
  logic [63:0] own_data;

  assign own         = lock_q ? own_q : due_q;
  assign stop        = !lock_q && !due_q && paused_o && !fault_i;
  assign out_valid_o = own || (in_valid_i && !stop);
  always_comb begin
    unique case (word_q)
      3'd0:    own_data = head[63:0];
      3'd1:    own_data = head[127:64];
      3'd2:    own_data = {48'd0, head[143:128]};
      3'd7:    own_data = {~crc_q, 32'd0};
      default: own_data = '0;
    endcase
  end
  assign out_data_o = own ? own_data : in_data_i;
  assign out_cnt_o  = own ? 4'd8 : in_cnt_i;
  assign out_last_o = own ? word_q == 3'd7 : in_last_i;
  assign in_ready_o = out_ready_i && !own && !stop;
  assign sent       = own && out_ready_i && word_q == 3'd7;

  logic take;
  assign take = out_valid_o && out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      lock_q <= 1'b0;
      own_q  <= 1'b0;
      word_q <= '0;
    end else begin
      lock_q <= out_valid_o ? !(out_ready_i && out_last_o) : lock_q;
      own_q  <= own;
      if (take) begin
        open_q <= !out_last_o;
        if (own) word_q <= word_q + 1'b1;
      end
    end
  end

  // ---------------------------------------------------------------- records
  logic [15:0] len_q;
  logic        mcast_q, bcast_q, link_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rec_valid_o <= 1'b0;
    else rec_valid_o <= take && out_last_o;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      len_q  <= (open_q ? len_q : 16'd0) + 16'(out_cnt_o);
      link_q <= (open_q && link_q) || fault_i;
      if (!open_q) begin
        mcast_q <= out_data_o[0];
        bcast_q <= out_data_o[47:0] == '1;
      end
    end
    rec_o.lost  <= 1'b0;
    rec_o.pause <= own;
    rec_o.len   <= (open_q ? len_q : 16'd0) + 16'(out_cnt_o);
    rec_o.link  <= (open_q && link_q) || fault_i;
    rec_o.mcast <= open_q ? mcast_q : out_data_o[0];
    rec_o.bcast <= open_q ? bcast_q : out_data_o[47:0] == '1;
  end

endmodule
