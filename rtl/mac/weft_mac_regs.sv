// SPDX-License-Identifier: BSD-2-Clause

/// Registers and counters of a MAC on the configuration bus, in the core's clock; offsets are in
/// weft_mac_pkg. Counters come from the records of frames, so that none is missed between clocks.
/// A 64-bit counter is two words, low first; reading the low word latches the high one.
module weft_mac_regs #(
  parameter logic [15:0] MAX_LEN = 16'd9026,     ///< largest frame with FCS after reset
  parameter logic [47:0] ADDR = 48'h0,           ///< station address after reset, byte 0 in 7:0
  parameter logic [15:0] RATE = 16'd100          ///< of the line, in 100 Mb/s
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cfg_req_valid_i,
  output logic                  cfg_req_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // the room bits are decoded outside
  input  weft_pkg::cfg_req_t    cfg_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                  cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t    cfg_rsp_o,

  input  logic                  rx_rec_valid_i,
  input  weft_mac_pkg::rx_rec_t rx_rec_i,
  input  logic                  tx_rec_valid_i,
  input  weft_mac_pkg::tx_rec_t tx_rec_i,
  input  logic                  tx_store_drop_i,  ///< pulses
  input  logic                  tx_reset_i,
  input  logic                  link_i,           ///< levels
  input  logic                  local_fault_i,
  input  logic                  remote_fault_i,
  input  logic                  paused_i,

  output weft_mac_pkg::rx_cfg_t rx_cfg_o,
  output weft_mac_pkg::tx_cfg_t tx_cfg_o,
  output logic [weft_abi_pkg::MAC_STAT_COUNT-1:0] stat_o,      ///< a pulse an event, by counter
  output logic                  idle_o
);

  // ---------------------------------------------------------------- events (RFC 2819, RFC 3635,
  // RFC 2863)
  logic [weft_abi_pkg::MAC_STAT_COUNT-1:0] ev;
  logic good, bad, frame, shortf, longf, sent, lfault_q, rfault_q;
  assign frame  = rx_rec_valid_i && !rx_rec_i.preamble;
  assign bad    = rx_rec_i.fcs || rx_rec_i.code;
  assign shortf = rx_rec_i.len < 24'd64;
  assign longf  = rx_rec_i.over;
  assign good   = frame && !bad && !shortf && !longf;
  assign sent   = tx_rec_valid_i && !tx_rec_i.link;
  always_comb begin
    ev = '0;
    ev[weft_abi_pkg::MAC_STAT_rx_pkts]      = frame && !rx_rec_i.cut;
    ev[weft_abi_pkg::MAC_STAT_rx_ok]        = good && !rx_rec_i.cut;
    ev[weft_abi_pkg::MAC_STAT_rx_ucast]     = good && !rx_rec_i.cut && !rx_rec_i.mcast;
    ev[weft_abi_pkg::MAC_STAT_rx_mcast]     = good && !rx_rec_i.cut && rx_rec_i.mcast && !rx_rec_i.bcast;
    ev[weft_abi_pkg::MAC_STAT_rx_bcast]     = good && !rx_rec_i.cut && rx_rec_i.bcast;
    ev[weft_abi_pkg::MAC_STAT_rx_crc_err]    = frame && !rx_rec_i.cut && bad && !shortf && !longf;
    ev[weft_abi_pkg::MAC_STAT_rx_code_err]   = frame && !rx_rec_i.cut && rx_rec_i.code;
    ev[weft_abi_pkg::MAC_STAT_rx_undersize] = frame && !rx_rec_i.cut && shortf && !bad;
    ev[weft_abi_pkg::MAC_STAT_rx_fragment]  = frame && !rx_rec_i.cut && shortf && bad;
    ev[weft_abi_pkg::MAC_STAT_rx_oversize]  = frame && !rx_rec_i.cut && longf && !bad;
    ev[weft_abi_pkg::MAC_STAT_rx_jabber]    = frame && !rx_rec_i.cut && longf && bad;
    ev[weft_abi_pkg::MAC_STAT_rx_64+:7]   = frame && !rx_rec_i.cut ? weft_mac_pkg::hist(rx_rec_i.len)
      : 7'd0;
    ev[weft_abi_pkg::MAC_STAT_rx_ctrl]      = good && !rx_rec_i.cut && rx_rec_i.ctrl;
    ev[weft_abi_pkg::MAC_STAT_rx_pause]     = good && !rx_rec_i.cut && rx_rec_i.pause;
    ev[weft_abi_pkg::MAC_STAT_rx_unknown_op] = good && !rx_rec_i.cut && rx_rec_i.ctrl && !rx_rec_i.pause;
    ev[weft_abi_pkg::MAC_STAT_rx_cut]       = frame && rx_rec_i.cut;
    ev[weft_abi_pkg::MAC_STAT_rx_preamble]  = rx_rec_valid_i && rx_rec_i.preamble;
    ev[weft_abi_pkg::MAC_STAT_tx_pkts]      = sent;
    ev[weft_abi_pkg::MAC_STAT_tx_ucast]     = sent && !tx_rec_i.mcast;
    ev[weft_abi_pkg::MAC_STAT_tx_mcast]     = sent && tx_rec_i.mcast && !tx_rec_i.bcast;
    ev[weft_abi_pkg::MAC_STAT_tx_bcast]     = sent && tx_rec_i.bcast;
    ev[weft_abi_pkg::MAC_STAT_tx_64+:7]   = sent ? weft_mac_pkg::hist({8'd0, tx_rec_i.len}) : 7'd0;
    ev[weft_abi_pkg::MAC_STAT_tx_pause]     = sent && tx_rec_i.pause;
    ev[weft_abi_pkg::MAC_STAT_tx_link_drop]  = tx_rec_valid_i && tx_rec_i.link;
    ev[weft_abi_pkg::MAC_STAT_tx_store_drop] = tx_store_drop_i;
    ev[weft_abi_pkg::MAC_STAT_tx_reset]     = tx_reset_i;
    ev[weft_abi_pkg::MAC_STAT_local_fault]  = local_fault_i && !lfault_q;
    ev[weft_abi_pkg::MAC_STAT_remote_fault] = remote_fault_i && !rfault_q;
    ev[weft_abi_pkg::MAC_STAT_rec_lost]     = (rx_rec_valid_i && rx_rec_i.lost) || (tx_rec_valid_i
      && tx_rec_i.lost);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_o   <= '0;
      lfault_q <= 1'b0;
      rfault_q <= 1'b0;
    end else begin
      stat_o   <= ev;
      lfault_q <= local_fault_i;
      rfault_q <= remote_fault_i;
    end
  end

  // ---------------------------------------------------------------- octets
  logic [2:0][63:0] oct_q;
  logic [2:0][23:0] add_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oct_q <= '0;
      add_q <= '0;
    end else begin
      add_q[weft_mac_pkg::OctRx]   <= frame && !rx_rec_i.cut ? rx_rec_i.len : 24'd0;
      add_q[weft_mac_pkg::OctRxOk] <= good && !rx_rec_i.cut ? rx_rec_i.len : 24'd0;
      add_q[weft_mac_pkg::OctTx]   <= sent ? {8'd0, tx_rec_i.len} : 24'd0;
      for (int unsigned i = 0; i < 3; i++) if (add_q[i] != '0) oct_q[i] <= oct_q[i] + 64'(add_q[i]);
    end
  end

  // ---------------------------------------------------------------- the bus: counters below 0x400
  // are weft_stats'
  logic               to_stats, s_ready, s_valid, s_idle, taken_q, rsp_q, err_q;
  weft_pkg::cfg_rsp_t s_rsp;
  logic [31:0]        rdata_q, high_q;
  logic [11:0]        off;

  assign off      = cfg_req_i.addr[11:0];
  assign to_stats = cfg_req_i.addr[21:10] == '0;
  weft_stats #(.N(weft_abi_pkg::MAC_STAT_COUNT), .CNT_BITS(6)) u_stats (
    .clk_i, .rst_ni, .pulse_i(stat_o), .cfg_req_valid_i(cfg_req_valid_i && to_stats),
    .cfg_req_ready_o(s_ready), .cfg_req_i, .cfg_rsp_valid_o(s_valid), .cfg_rsp_o(s_rsp),
    .idle_o(s_idle)
  );

  logic take;
  assign take            = cfg_req_valid_i && !to_stats && !taken_q;
  assign cfg_req_ready_o = s_ready || taken_q;
  assign cfg_rsp_valid_o = s_valid || rsp_q;
  assign cfg_rsp_o       = s_valid ? s_rsp : {err_q, rdata_q};

  logic [4:0]  ctrl_q;
  logic [15:0] max_q, quanta_q, refresh_q;
  logic [47:0] addr_q;
  logic        known, octet;
  assign octet = off[11:5] == weft_abi_pkg::PORT_OCTETS[11:5] && off[4:3] != 2'd3;
  assign known = cfg_req_i.addr[21:12] == '0 && (octet ? !cfg_req_i.we
    : off == 12'(weft_abi_pkg::PORT_CTRL)
                 || off == 12'(weft_abi_pkg::PORT_MAX_LEN) || off == 12'(weft_abi_pkg::PORT_PAUSE)
                   || off == 12'(weft_abi_pkg::PORT_ADDR_LO)
                 || off == 12'(weft_abi_pkg::PORT_ADDR_HI) || (off == 12'(weft_abi_pkg::PORT_STATUS)
                   && !cfg_req_i.we));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q   <= 1'b0;
      rsp_q     <= 1'b0;
      ctrl_q    <= 5'b00111;
      max_q     <= MAX_LEN;
      quanta_q  <= 16'hffff;
      refresh_q <= 16'h7fff;
      addr_q    <= ADDR;
    end else begin
      taken_q <= take;
      rsp_q   <= taken_q;
      if (take && cfg_req_i.we && known) begin
        unique case (off)
          12'(weft_abi_pkg::PORT_CTRL):   ctrl_q <= cfg_req_i.wdata[4:0];
          12'(weft_abi_pkg::PORT_MAX_LEN): max_q <= cfg_req_i.wdata[15:0];
          12'(weft_abi_pkg::PORT_PAUSE):  {refresh_q, quanta_q} <= cfg_req_i.wdata;
          12'(weft_abi_pkg::PORT_ADDR_LO): addr_q[31:0] <= cfg_req_i.wdata;
          12'(weft_abi_pkg::PORT_ADDR_HI): addr_q[47:32] <= cfg_req_i.wdata[15:0];
          default: ;
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      err_q   <= !known;
      rdata_q <= '0;
      if (octet) begin
        rdata_q <= off[2] ? high_q : oct_q[off[4:3]][31:0];
        if (!off[2]) high_q <= oct_q[off[4:3]][63:32];
      end else begin
        unique case (off)
          12'(weft_abi_pkg::PORT_CTRL):   rdata_q <= {27'd0, ctrl_q};
          12'(weft_abi_pkg::PORT_MAX_LEN): rdata_q <= {16'd0, max_q};
          12'(weft_abi_pkg::PORT_PAUSE):  rdata_q <= {refresh_q, quanta_q};
          12'(weft_abi_pkg::PORT_ADDR_LO): rdata_q <= addr_q[31:0];
          12'(weft_abi_pkg::PORT_ADDR_HI): rdata_q <= {16'd0, addr_q[47:32]};
          12'(weft_abi_pkg::PORT_STATUS): rdata_q <= {RATE, 12'd0, paused_i, remote_fault_i, local_fault_i,
            link_i};
          default: ;
        endcase
      end
    end
  end

  assign rx_cfg_o = {ctrl_q[0], ctrl_q[4], max_q, addr_q};
  assign tx_cfg_o = {ctrl_q[1], ctrl_q[4], ctrl_q[2], ctrl_q[3], quanta_q, refresh_q, addr_q};
  assign idle_o   = s_idle && stat_o == '0 && ev == '0 && add_q == '0 && !cfg_req_valid_i && !rsp_q;

endmodule
