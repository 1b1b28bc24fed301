// SPDX-License-Identifier: BSD-2-Clause

/// A cage for a pluggable module (SFP: SFF-8472, QSFP: SFF-8636) on the configuration bus of room PORT, between weft_mac_set and the
/// MAC: PORT_CAGE to PORT_MODULE_DATA are answered here, everything else goes on to the MAC. abi/weft.abi, "The port".
///
/// Pins of the module are synchronised, and have to be alike for DEBOUNCE units before that counts. A write of PORT_MODULE
/// reads bytes of the module's memory: [the board's I2C switch is set,] [the page is selected,] the offset is written and behind a
/// repeated START the bytes are read; all of it before anything else happens on this side. A read ends within some 30 times
/// the limit of weft_i2c, whatever happens on the bus. A module that leaves ends it likewise: its pin, even for a moment and not debounced, spoils
/// what is being read.
module weft_cage #(
  parameter logic [3:0]  KIND = weft_abi_pkg::CAGE_KIND_SFP,  ///< enum cage_kind; NONE: reads fail, pins do nothing
  parameter bit          HAS_PRESENT = 1'b1,    ///< `absent_i` is a pin; else a module counts as being there
  parameter logic [6:0]  SWITCH = 7'd0,         ///< I2C address of a switch (PCA954x kind: one byte of channels) before the cage; 0: none
  parameter logic [7:0]  CHANNELS = 8'd0,       ///< what is written to it
  parameter int unsigned UNIT = 500,            ///< weft_i2c
  parameter int unsigned FILTER = 13,
  parameter int unsigned LIMIT = 17500,
  parameter int unsigned DEBOUNCE = 5000        ///< units, 1 to 65535; 10 ms
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               cfg_req_valid_i,  ///< from weft_mac_set, one access at a time
  output logic               cfg_req_ready_o,
  input  weft_pkg::cfg_req_t cfg_req_i,
  output logic               cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t cfg_rsp_o,
  output logic               mac_req_valid_o,  ///< to the MAC; the request is cfg_req_i
  input  logic               mac_req_ready_i,
  input  logic               mac_rsp_valid_i,
  input  weft_pkg::cfg_rsp_t mac_rsp_i,

  input  logic               absent_i,         ///< SFP MOD_ABS, QSFP ModPrsL; pins, asynchronous
  input  logic               tx_fault_i,       ///< SFP
  input  logic               los_i,            ///< SFP
  input  logic               int_ni,           ///< QSFP IntL
  output logic               tx_disable_o,     ///< SFP
  output logic               low_power_o,      ///< QSFP LPMode
  output logic               reset_no,         ///< QSFP ResetL; ModSelL is low: there is one module on this bus
  input  logic               scl_i,
  input  logic               sda_i,
  output logic               scl_oe_o,
  output logic               sda_oe_o,
  output logic               idle_o
);

  // ---------------------------------------------------------------- pins
  localparam logic [3:0] PinsReset = 4'b1001;  // {absent, fault, los, no interrupt}: nothing there
  logic [3:0]  pins, pins_q, last_q;
  logic [15:0] tick_q, same_q, changes_q;
  logic        moving, present;
  weft_sync #(.W(4), .RST(PinsReset)) u_in (
    .clk_i, .rst_ni, .d_i({absent_i && HAS_PRESENT, tx_fault_i, los_i, int_ni}), .q_o(pins)
  );
  assign moving  = pins != pins_q;
  assign present = !pins_q[3] && KIND != weft_abi_pkg::CAGE_KIND_NONE;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pins_q    <= PinsReset;
      last_q    <= PinsReset;
      tick_q    <= '0;
      same_q    <= '0;
      changes_q <= '0;
    end else begin
      last_q <= pins;
      if (!moving || pins != last_q) begin
        tick_q <= '0;
        same_q <= '0;
      end else begin
        tick_q <= tick_q == 16'(UNIT - 1) ? 16'd0 : tick_q + 16'd1;
        if (tick_q == 16'(UNIT - 1)) begin
          same_q <= same_q + 16'd1;
          if (same_q == 16'(DEBOUNCE - 1)) begin
            pins_q <= pins;
            same_q <= '0;
            if (pins[3] != pins_q[3]) changes_q <= changes_q + 16'd1;
          end
        end
      end
    end
  end

  // ---------------------------------------------------------------- registers
  logic                         mine, take, taken_q, rsp_q, err_q, known, startable, start, busy, data_q;
  logic [11:0]                  off;
  logic [31:0]                  rdata_q, word;
  logic [2:0]                   ctrl_q;
  weft_abi_pkg::port_module_t   ask, ask_q;
  weft_abi_pkg::port_cage_t     cage;
  weft_abi_pkg::module_status_t status;

  assign off             = cfg_req_i.addr[11:0];
  assign mine            = cfg_req_i.addr[21:8] == {10'd0, weft_abi_pkg::PORT_CAGE[11:8]};
  assign take            = cfg_req_valid_i && mine && !taken_q;
  assign mac_req_valid_o = cfg_req_valid_i && !mine;
  assign cfg_req_ready_o = mine ? taken_q : mac_req_ready_i;
  assign cfg_rsp_valid_o = rsp_q || mac_rsp_valid_i;
  assign cfg_rsp_o       = !rsp_q ? mac_rsp_i : {err_q, data_q ? word : rdata_q};

  assign ask       = cfg_req_i.wdata;
  assign startable = KIND != weft_abi_pkg::CAGE_KIND_NONE && !busy && ask.len != 8'd0 && ask.len <= 8'(weft_abi_pkg::MODULE_DATA_BYTES)
                     && 9'(ask.offset) + 9'(ask.len) <= 9'd256;
  assign start     = take && cfg_req_i.we && off == 12'(weft_abi_pkg::PORT_MODULE) && startable;
  assign known     = off == 12'(weft_abi_pkg::PORT_CAGE_CTRL) || (off == 12'(weft_abi_pkg::PORT_MODULE) && (!cfg_req_i.we || startable))
                     || (!cfg_req_i.we && (off == 12'(weft_abi_pkg::PORT_CAGE) || off == 12'(weft_abi_pkg::PORT_MODULE_STATUS) || off[7]));
  assign cage      = {changes_q, 7'd0, !HAS_PRESENT, !pins_q[0], pins_q[1], pins_q[2], present, KIND};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= 1'b0;
      rsp_q   <= 1'b0;
      ctrl_q  <= '0;
      ask_q   <= '0;
    end else begin
      taken_q <= take;
      rsp_q   <= taken_q;
      if (take && cfg_req_i.we && off == 12'(weft_abi_pkg::PORT_CAGE_CTRL)) ctrl_q <= cfg_req_i.wdata[2:0];
      if (start) ask_q <= ask;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      err_q  <= !known;
      data_q <= off[7];
      unique case (off)
        12'(weft_abi_pkg::PORT_CAGE):          rdata_q <= cage;
        12'(weft_abi_pkg::PORT_CAGE_CTRL):     rdata_q <= {29'd0, ctrl_q};
        12'(weft_abi_pkg::PORT_MODULE):        rdata_q <= ask_q;
        12'(weft_abi_pkg::PORT_MODULE_STATUS): rdata_q <= status;
        default:                               rdata_q <= '0;
      endcase
    end
  end
  assign tx_disable_o = ctrl_q[weft_abi_pkg::CAGE_CTRL_TX_DISABLE];
  assign low_power_o  = ctrl_q[weft_abi_pkg::CAGE_CTRL_LOW_POWER];
  assign reset_no     = !ctrl_q[weft_abi_pkg::CAGE_CTRL_RESET];

  // ---------------------------------------------------------------- a read
  // Commands of the bus, in order. A step of the switch or of the page is left out where there is none.
  typedef enum logic [3:0] {
    StIdle, StSwStart, StSwAddr, StSwByte, StSwStop, StPgStart, StPgAddr, StPgAt, StPgByte, StPgStop, StStart, StAddr, StAt, StAgain,
    StRdAddr, StRead
  } state_e;
  localparam logic [1:0] CmdStart = 2'd0, CmdWrite = 2'd1, CmdRead = 2'd2, CmdStop = 2'd3;
  state_e      state_q, next;
  logic        sent_q, stop_q, nack_q, cmd_ready, cmd_valid, rsp_valid, gone_q, i2c_idle, late, last;
  logic [1:0]  cmd;
  logic [2:0]  rsp;
  logic [3:0]  result_q, why;
  logic [7:0]  byte_out, byte_in, len_q;
  logic [15:0] count_q, unit_q;
  logic [19:0] time_q;                 // units of this read
  logic [31:0] word_q, fill;

  always_comb begin
    cmd      = CmdWrite;
    byte_out = {ask_q.address, 1'b0};
    next     = StIdle;
    unique case (state_q)
      StSwStart: begin cmd = CmdStart; next = StSwAddr; end
      StSwAddr:  begin byte_out = {SWITCH, 1'b0}; next = StSwByte; end
      StSwByte:  begin byte_out = CHANNELS; next = StSwStop; end
      StSwStop:  begin cmd = CmdStop; next = ask_q.select ? StPgStart : StStart; end
      StPgStart: begin cmd = CmdStart; next = StPgAddr; end
      StPgAddr:  next = StPgAt;
      StPgAt:    begin byte_out = 8'd127; next = StPgByte; end
      StPgByte:  begin byte_out = ask_q.page; next = StPgStop; end
      StPgStop:  begin cmd = CmdStop; next = StStart; end
      StStart:   begin cmd = CmdStart; next = StAddr; end
      StAddr:    next = StAt;
      StAt:      begin byte_out = ask_q.offset; next = StAgain; end
      StAgain:   begin cmd = CmdStart; next = StRdAddr; end
      StRdAddr:  begin byte_out = {ask_q.address, 1'b1}; next = StRead; end
      StRead:    cmd = CmdRead;
      default:   ;
    endcase
    if (stop_q) cmd = CmdStop;
  end
  // Of a byte that is no address a missing acknowledge is a refusal.
  assign why  = rsp == 3'd1 ? (state_q == StSwByte || state_q == StPgAt || state_q == StPgByte || state_q == StAt
                               ? weft_abi_pkg::MODULE_RESULT_REFUSED : weft_abi_pkg::MODULE_RESULT_NO_ANSWER)
                : rsp == 3'd2 ? weft_abi_pkg::MODULE_RESULT_LOST : rsp == 3'd3 ? weft_abi_pkg::MODULE_RESULT_SLOW
                : weft_abi_pkg::MODULE_RESULT_STUCK;
  assign late = time_q == 20'(16 * LIMIT);
  assign last = len_q + 8'd1 == ask_q.len;

  assign busy      = state_q != StIdle;
  assign cmd_valid = busy && !sent_q;
  assign fill      = (len_q[1:0] == 2'd0 ? 32'd0 : word_q) | (32'(byte_in) << {len_q[1:0], 3'd0});
  assign status    = {count_q, len_q, result_q, 3'd0, busy};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      sent_q   <= 1'b0;
      stop_q   <= 1'b0;
      gone_q   <= 1'b0;
      nack_q   <= 1'b0;
      result_q <= weft_abi_pkg::MODULE_RESULT_OK;
      len_q    <= '0;
      word_q   <= '0;
      count_q  <= '0;
      unit_q   <= '0;
      time_q   <= '0;
    end else begin
      if (busy && pins[3]) gone_q <= 1'b1;
      if (start) begin
        len_q  <= '0;
        gone_q <= 1'b0;
        unit_q <= '0;
        time_q <= '0;
        if (present && !pins[3]) begin
          state_q  <= SWITCH != '0 ? StSwStart : ask.select ? StPgStart : StStart;
          result_q <= weft_abi_pkg::MODULE_RESULT_OK;
        end else begin
          result_q <= weft_abi_pkg::MODULE_RESULT_ABSENT;
          count_q  <= count_q + 16'd1;
        end
      end
      if (busy) begin
        unit_q <= unit_q == 16'(UNIT - 1) ? 16'd0 : unit_q + 16'd1;
        if (unit_q == 16'(UNIT - 1) && !late) time_q <= time_q + 20'd1;
        if (cmd_valid && cmd_ready) begin
          sent_q <= 1'b1;
          nack_q <= last || gone_q || late;
        end
        if (rsp_valid) begin
          sent_q <= 1'b0;
          if (stop_q || rsp >= 3'd2) begin
            // It is over; what the STOP came to changes nothing of it.
            state_q <= StIdle;
            stop_q  <= 1'b0;
            count_q <= count_q + 16'd1;
            if (!stop_q) result_q <= gone_q ? weft_abi_pkg::MODULE_RESULT_GONE : why;
          end else if (state_q == StRead) begin
            // A byte that was acknowledged is followed by one that is not: a module that drives SDA lets no STOP pass.
            word_q <= fill;
            stop_q <= nack_q;
            if (!gone_q) len_q <= len_q + 8'd1;
            if (nack_q) result_q <= gone_q ? weft_abi_pkg::MODULE_RESULT_GONE : last ? weft_abi_pkg::MODULE_RESULT_OK
                                    : weft_abi_pkg::MODULE_RESULT_SLOW;
          end else if (rsp == 3'd1 || gone_q || late) begin
            result_q <= gone_q ? weft_abi_pkg::MODULE_RESULT_GONE : rsp == 3'd1 ? why : weft_abi_pkg::MODULE_RESULT_SLOW;
            stop_q   <= cmd != CmdStop;
            // A STOP that was the step is one already.
            if (cmd == CmdStop) begin
              state_q <= StIdle;
              count_q <= count_q + 16'd1;
            end
          end else state_q <= next;
        end
      end
    end
  end

  weft_i2c #(.UNIT(UNIT), .FILTER(FILTER), .LIMIT(LIMIT)) u_i2c (
    .clk_i, .rst_ni, .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd), .data_i(byte_out), .last_i(last || gone_q || late),
    .rsp_valid_o(rsp_valid), .rsp_o(rsp), .data_o(byte_in), .scl_i, .sda_i, .scl_oe_o, .sda_oe_o, .idle_o(i2c_idle)
  );
  weft_ram_1r1w #(.W(32), .DEPTH(32)) u_data (
    .clk_i, .we_i(busy && rsp_valid && state_q == StRead && !stop_q && rsp == 3'd0 && !gone_q), .waddr_i(len_q[6:2]), .wdata_i(fill),
    .re_i(take), .raddr_i(off[6:2]), .rdata_o(word)
  );
  assign idle_o = !busy && i2c_idle && !moving && pins == last_q && !cfg_req_valid_i && !rsp_q;

`ifndef SYNTHESIS
  initial if (DEBOUNCE < 1 || DEBOUNCE > 65535) $fatal(1, "weft_cage: DEBOUNCE");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(rsp_valid && !(busy && sent_q)));
      assert (!(rsp_q && mac_rsp_valid_i));
      assert (state_q != StRead || stop_q || len_q < ask_q.len);
    end
  end
`endif

endmodule
