// SPDX-License-Identifier: BSD-2-Clause

/// The state of the line (docs/bridge.md): session, sequence numbers, credits, timers; and which frame goes next.
///
///   StDown   no session since the reset; DOWN every HEARTBEAT cycles. Only HELLO counts
///   StReset  after a HELLO: RESET cycles in which the core is in reset and everything of the session before is forgotten
///   StHalf   WELCOME, until GO comes
///   StUp     TLPs
///
/// A HELLO with the number of the session that is half open asks for WELCOME again; any other one is a new life of the host.
module weft_bridge_link #(
  parameter int unsigned AW = 12,
  parameter int unsigned WINDOW = 32,
  parameter int unsigned N_P = 16,           ///< posted TLPs that the card holds, 1 to 127
  parameter int unsigned N_NP = 8,
  parameter int unsigned N_CPL = 12,
  parameter int unsigned RESET = 64,         ///< cycles
  parameter int unsigned HEARTBEAT = 65536,  ///< cycles without a frame of the state, at most
  parameter int unsigned RETRY = 1_250_000   ///< cycles without an acknowledgement until all is sent again
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  output logic          clr_o,
  output logic          up_o,
  output logic          core_ok_o,       ///< registered: the core may run
  output logic [15:0]   session_o,

  // ---------------- weft_bridge_rx, weft_bridge_req, weft_bridge_cpl
  output logic [7:0]    expect_o,
  output logic [2:0]    rx_credit_o,
  input  logic          hello_i,
  input  logic          go_i,
  input  logic [15:0]   hello_session_i,
  input  logic          ack_i,
  input  logic [7:0]    ack_seq_i,
  input  logic          ack_nak_i,
  input  logic [23:0]   ack_limits_i,
  input  logic          accept_i,
  input  logic          accept_bad_i,
  input  logic [1:0]    accept_class_i,
  input  logic          behind_i,
  input  logic          gap_i,
  input  logic          req_pop_i,
  input  logic [1:0]    req_pop_class_i,
  input  logic          cpl_pop_i,
  input  logic [3:0]    flr_count_i,

  // ---------------- weft_bridge_tx
  output logic [2:0]    tx_credit_o,
  output logic [7:0]    una_o,
  input  logic [7:0]    nxt_i,
  input  logic [2:0]    sent_i,
  output logic [7:0]    get_o,
  input  logic [1:0]    get_class_i,
  input  logic [8:0]    get_len_i,
  input  logic [AW-1:0] get_addr_i,

  // ---------------- weft_bridge_frame
  input  logic          idle_i,
  output logic          start_o,
  output logic [7:0]    kind_o,
  output logic [7:0]    seq_o,
  output logic [15:0]   frame_session_o,
  output logic [8:0]    len_o,
  output logic          ring_o,
  output logic [39:0]   body_o,
  output logic [AW-1:0] addr_o,

  output logic          stat_retry_o     ///< pulse: all that is not acknowledged is sent again
);

  typedef enum logic [1:0] {StDown, StReset, StHalf, StUp} state_e;
  state_e      state_q;
  logic [7:0]  count_q;
  logic [31:0] beat_q, retry_q;
  logic        fresh, beat, take, take_data, welcome_q, ack_q, nak_q, quiet_q;
  logic [7:0]  snd_q;          // the next to be sent
  logic [23:0] given_q, taken_q, limit_q, used_q;  // by class: granted to the host, taken of it; granted by the host, used of it

  assign up_o      = state_q == StUp;
  assign clr_o     = state_q == StDown || state_q == StReset;
  assign fresh     = hello_i && !((state_q == StHalf || state_q == StReset) && hello_session_i == session_o);

  // ---------------------------------------------------------------- session
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StDown;
      session_o <= '0;
      count_q   <= '0;
      core_ok_o <= 1'b0;
    end else begin
      core_ok_o <= (state_q == StHalf || state_q == StUp) && !fresh;
      count_q   <= state_q == StReset ? count_q + 8'd1 : 8'd0;
      if (fresh) begin
        state_q   <= StReset;
        session_o <= hello_session_i;
        count_q   <= '0;
      end else if (state_q == StReset && count_q == 8'(RESET - 1)) state_q <= StHalf;
      else if (state_q == StHalf && go_i) state_q <= StUp;
    end
  end

  // ---------------------------------------------------------------- credits
  logic [2:0] pop;
  assign pop[0] = (req_pop_i && req_pop_class_i == weft_bridge_pkg::ClassPosted)
                  || (accept_bad_i && accept_class_i == weft_bridge_pkg::ClassPosted);
  assign pop[1] = (req_pop_i && req_pop_class_i == weft_bridge_pkg::ClassNonPosted)
                  || (accept_bad_i && accept_class_i == weft_bridge_pkg::ClassNonPosted);
  assign pop[2] = cpl_pop_i || (accept_bad_i && accept_class_i == weft_bridge_pkg::ClassCpl);
  for (genvar c = 0; c < 3; c++) begin : gen_class
    localparam logic [7:0] Depth = c == 0 ? 8'(N_P) : c == 1 ? 8'(N_NP) : 8'(N_CPL);
    logic [7:0] grant;
    logic       both;
    assign both  = accept_bad_i && accept_class_i == 2'(c) && (c == 2 ? cpl_pop_i : req_pop_i && req_pop_class_i == 2'(c));
    assign grant = ack_limits_i[8*c+:8] - limit_q[8*c+:8];
    logic unused;
    assign unused = ^grant;
    assign rx_credit_o[c] = taken_q[8*c+:8] != given_q[8*c+:8];
    assign tx_credit_o[c] = used_q[8*c+:8] != limit_q[8*c+:8];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        given_q[8*c+:8] <= Depth;
        taken_q[8*c+:8] <= '0;
        limit_q[8*c+:8] <= '0;
        used_q[8*c+:8]  <= '0;
      end else if (clr_o) begin
        given_q[8*c+:8] <= Depth;
        taken_q[8*c+:8] <= '0;
        limit_q[8*c+:8] <= '0;
        used_q[8*c+:8]  <= '0;
      end else begin
        given_q[8*c+:8] <= given_q[8*c+:8] + 8'(pop[c]) + 8'(both);
        if (accept_i && accept_class_i == 2'(c)) taken_q[8*c+:8] <= taken_q[8*c+:8] + 8'd1;
        if (ack_i && !grant[7]) limit_q[8*c+:8] <= ack_limits_i[8*c+:8];
        used_q[8*c+:8] <= used_q[8*c+:8] + 8'(sent_i[c]);
      end
    end
  end

  // ---------------------------------------------------------------- sequence
  logic [7:0] progress, open, sent;
  logic       ack_ok, again;
  assign progress = ack_seq_i - una_o;
  assign open     = nxt_i - una_o;
  assign sent     = snd_q - una_o;
  assign ack_ok   = ack_i && progress <= open;
  assign again    = (ack_ok && ack_nak_i && ack_seq_i != nxt_i) || retry_q == 32'(RETRY);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expect_o     <= '0;
      una_o        <= '0;
      snd_q        <= '0;
      retry_q      <= '0;
      stat_retry_o <= 1'b0;
    end else if (clr_o) begin
      expect_o     <= '0;
      una_o        <= '0;
      snd_q        <= '0;
      retry_q      <= '0;
      stat_retry_o <= 1'b0;
    end else begin
      if (accept_i) expect_o <= expect_o + 8'd1;
      if (ack_ok) una_o <= ack_seq_i;
      stat_retry_o <= again;
      if (again) snd_q <= ack_ok ? ack_seq_i : una_o;
      else if (ack_ok && progress > sent) snd_q <= ack_seq_i;
      else if (take_data) snd_q <= snd_q + 8'd1;
      // While something is still to be sent the other side has no reason to be heard.
      retry_q <= again || una_o == nxt_i || snd_q != nxt_i || (ack_ok && progress != '0) ? 32'd0 : retry_q + 32'd1;
    end
  end

  // ---------------------------------------------------------------- what goes next
  logic send_down, send_welcome, send_ack, send_data;
  assign beat         = beat_q == 32'(HEARTBEAT);
  assign send_down    = state_q == StDown && beat;
  assign send_welcome = state_q == StHalf && (welcome_q || beat);
  assign send_ack     = up_o && (ack_q || nak_q || beat);
  assign send_data    = up_o && snd_q != nxt_i && !again;
  assign start_o      = !fresh && (send_down || send_welcome || send_ack || send_data);
  assign take         = start_o && idle_i;
  assign take_data    = take && ring_o;
  assign ring_o       = !send_ack && send_data;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      welcome_q <= 1'b0;
      ack_q     <= 1'b0;
      nak_q     <= 1'b0;
      quiet_q   <= 1'b0;
    end else begin
      if (state_q == StReset || (take && !ring_o)) beat_q <= '0;
      else if (!beat) beat_q <= beat_q + 32'd1;
      if (clr_o || (state_q == StHalf && hello_i)) welcome_q <= 1'b1;
      else if (take) welcome_q <= 1'b0;
      if ((state_q == StHalf || up_o) && go_i) ack_q <= 1'b1;
      else if (up_o && (accept_i || behind_i || req_pop_i || cpl_pop_i)) ack_q <= 1'b1;
      else if (clr_o || (take && send_ack)) ack_q <= 1'b0;
      // One question a gap, and another one with every heartbeat.
      if (clr_o || accept_i || beat) quiet_q <= 1'b0;
      else if (gap_i) quiet_q <= 1'b1;
      if (clr_o) nak_q <= 1'b0;
      else if (gap_i && !quiet_q) nak_q <= 1'b1;
      else if (accept_i || (take && send_ack)) nak_q <= 1'b0;
    end
  end

  assign get_o           = snd_q;
  assign addr_o          = get_addr_i;
  assign frame_session_o = state_q == StDown ? 16'd0 : session_o;
  always_comb begin
    kind_o = {weft_bridge_pkg::KindPosted[7:2], get_class_i};
    seq_o  = snd_q;
    len_o  = get_len_i;
    body_o = '0;
    if (send_down) begin
      kind_o = weft_bridge_pkg::KindDown;
      seq_o  = '0;
      len_o  = 9'd1;
      body_o = {32'd0, weft_bridge_pkg::Version};
    end else if (send_welcome) begin
      kind_o = weft_bridge_pkg::KindWelcome;
      seq_o  = '0;
      len_o  = 9'd5;
      body_o = {8'(weft_bridge_pkg::MaxDwords), given_q, weft_bridge_pkg::Version};
    end else if (send_ack) begin
      kind_o = weft_bridge_pkg::KindAck;
      seq_o  = expect_o;
      len_o  = 9'd4;
      body_o = {8'd0, flr_count_i, 3'd0, nak_q, given_q};
    end
  end

`ifndef SYNTHESIS
  initial begin
    if (RESET < 8 || RESET > 255) $fatal(1, "weft_bridge_link: RESET");
    if (N_P < 1 || N_P > 127 || N_NP < 1 || N_NP > 127 || N_CPL < 1 || N_CPL > 127) $fatal(1, "weft_bridge_link: credits");
    if (WINDOW > 64) $fatal(1, "weft_bridge_link: WINDOW");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clr_o) begin
      assert (sent <= open) else $error("%m: something was sent that is not there");
      assert (!(accept_i && !rx_credit_o[accept_class_i])) else $error("%m: taken without a credit");
    end
  end
`endif

endmodule
