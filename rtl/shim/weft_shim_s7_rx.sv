// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// The receive stream of the 7-series integrated block for PCI Express (PG054 "Receive Interface") to the core's
/// requests and completions. At 128 bits a TLP may start in the upper half of the beat in which another one ends
/// (is_sof, is_eof); at 64 bits tlast ends it.
///
/// A request becomes one beat with the length that it really has and at most two dwords of data, as the core takes no
/// more. Addresses are cut to the size of their BAR. `np_ok_o` keeps the number of non-posted requests in the core below
/// NP_MAX plus the few that come behind its fall; posted requests and completions come all the same.
///
/// bar_hit is taken where it can only mean this TLP: in the beat of its start, or, when another one ends there, in the next.
/// A TLP of at most 4 dwords between two others, all three back to back, has no such beat: the next one counts.
module weft_shim_s7_rx #(
  parameter int unsigned DATA_W = 64,     ///< 64 or 128
  parameter int unsigned BAR0_LOG2 = 16,  ///< sizes of the BARs, 8 to 31
  parameter int unsigned BAR2_LOG2 = 24,
  parameter int unsigned BAR4_LOG2 = 16,
  parameter int unsigned NP_MAX = 24,
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned LaneW = $clog2(Bytes),
  localparam int unsigned CntW = LaneW + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flr_done_i,      ///< pulse: the core has forgotten the requests it had
  input  logic              rx_tvalid_i,
  output logic              rx_tready_o,
  input  logic [DATA_W-1:0] rx_tdata_i,
  input  logic [Bytes-1:0]  rx_tkeep_i,      ///< 64 bits
  input  logic              rx_tlast_i,      ///< 64 bits
  input  logic [21:0]       rx_tuser_i,      ///< 9:2 bar_hit, 14:10 is_sof, 21:17 is_eof
  output logic              np_ok_o,

  output logic              rx_req_valid_o,  ///< weft_core's
  input  logic              rx_req_ready_i,
  output logic [127:0]      rx_req_hdr_o,
  output logic [2:0]        rx_req_bar_o,
  output logic [DATA_W-1:0] rx_req_data_o,
  output logic              rx_req_last_o,
  output logic              rx_cpl_valid_o,
  input  logic              rx_cpl_ready_i,
  output logic [127:0]      rx_cpl_hdr_o,
  output logic [DATA_W-1:0] rx_cpl_data_o,
  output logic              rx_cpl_last_o,
  input  logic              cpl_done_i,      ///< pulse: the last completion of a request was taken
  output logic              idle_o
);

  // ---------------------------------------------------------------- TLPs from lane 0 on
  logic             open_q, sof, eof, high, two, ends, fire, pk_ready, bar_ready, done;
  logic [LaneW-1:0] from, last_b;
  if (DATA_W == 128) begin : gen_128
    assign sof    = rx_tuser_i[14];
    assign high   = rx_tuser_i[13];
    assign eof    = rx_tuser_i[21];
    assign last_b = LaneW'(rx_tuser_i[20:17]);
    logic unused;
    assign unused = ^{rx_tkeep_i, rx_tlast_i};
  end else begin : gen_64
    logic first_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) first_q <= 1'b1;
      else if (rx_tvalid_i && rx_tready_o) first_q <= rx_tlast_i;
    end
    assign sof    = first_q;
    assign high   = 1'b0;
    assign eof    = rx_tlast_i;
    assign last_b = rx_tkeep_i[4] ? LaneW'(7) : LaneW'(3);
    logic unused;
    assign unused = ^{rx_tkeep_i, rx_tuser_i};
  end
  // The end of one, then the start of another.
  assign two  = open_q && eof && sof;
  assign ends = eof && (open_q || !high);
  assign from = !open_q && high ? LaneW'(8) : '0;
  assign done = !two;
  assign fire = rx_tvalid_i && pk_ready && bar_ready;
  assign rx_tready_o = pk_ready && bar_ready && done;

  // Whose bar_hit it is
  logic       late_q, bar_push, shared_q;
  logic [2:0] bar, bar_out;
  logic       bar_valid;
  assign bar_push = fire && (late_q || (!open_q && !shared_q));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= 1'b0;
      late_q   <= 1'b0;
      shared_q <= 1'b0;
    end else if (fire) begin
      open_q   <= two ? 1'b0 : !ends;
      shared_q <= two;                    // the second part of this beat starts a TLP
      late_q   <= !open_q && shared_q;
    end
  end
  always_comb begin
    bar = 3'd7;
    for (int i = 6; i >= 0; i--) if (rx_tuser_i[2+i]) bar = 3'(i);
  end
  weft_fifo #(.W(3), .DEPTH(16)) u_bar (
    .clk_i, .rst_ni, .in_valid_i(bar_push), .in_ready_o(bar_ready), .in_data_i(bar), .out_valid_o(bar_valid),
    .out_ready_i(t_fire && t_last), .out_data_o(bar_out), .count_o()
  );

  logic              t_valid, t_ready, t_last, t_err, t_fire;
  logic [DATA_W-1:0] t_data;
  logic [CntW-1:0]   t_cnt, p_cnt;
  assign p_cnt = ends ? {1'b0, last_b} + CntW'(1) - {1'b0, from} : CntW'(Bytes) - {1'b0, from};
  weft_stream_pack #(.DATA_W(DATA_W)) u_align (
    .clk_i, .rst_ni, .in_valid_i(rx_tvalid_i && bar_ready), .in_ready_o(pk_ready), .in_data_i(rx_tdata_i),
    .in_off_i(from), .in_cnt_i(p_cnt), .in_sure_i(!ends), .in_final_i(ends), .in_err_i(1'b0), .in_pre_i(1'b0),
    .in_pre_cnt_i('0), .in_pre_data_i('0), .out_valid_o(t_valid), .out_ready_i(t_ready), .out_data_o(t_data),
    .out_cnt_o(t_cnt), .out_last_o(t_last), .out_err_o(t_err)
  );

  // ---------------------------------------------------------------- the first dwords of a TLP
  localparam int unsigned Keep = 192 / DATA_W + 1;  // beats that hold header and two dwords
  logic [Keep*DATA_W-1:0] keep_q, keep;
  logic [2:0]             beat_q;     // up to 4
  logic                   is_cpl, is_cpl_q, r_ready, c_ready, ch_ready;
  assign is_cpl = beat_q == '0 ? t_data[28:25] == 4'b0101 : is_cpl_q;
  always_comb begin
    keep = keep_q;
    for (int unsigned i = 0; i < Keep; i++) if (beat_q == 3'(i)) keep[i*DATA_W+:DATA_W] = t_data;
  end
  assign t_ready = is_cpl ? c_ready && ch_ready : r_ready && (bar_valid || !t_last);
  assign t_fire  = t_valid && t_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (t_fire) beat_q <= t_last ? 3'd0 : beat_q == 3'd4 ? 3'd4 : beat_q + 3'd1;
  end
  always_ff @(posedge clk_i) begin
    if (t_fire) begin
      keep_q   <= keep;
      is_cpl_q <= is_cpl;
    end
  end

  function automatic logic [31:0] swap(input logic [31:0] d);
    swap = {d[7:0], d[15:8], d[23:16], d[31:24]};
  endfunction

  // ---------------------------------------------------------------- requests
  logic         four, mem;
  logic [31:0]  mask, low;
  logic [127:0] req;
  assign r_ready = !rx_req_valid_o || rx_req_ready_i;
  assign four    = keep[29];
  assign mem     = keep[28:25] == 4'b0000;            // and locked reads
  always_comb begin
    unique case (bar_out)
      3'd0:    mask = (32'd1 << BAR0_LOG2) - 32'd1;
      3'd2:    mask = (32'd1 << BAR2_LOG2) - 32'd1;
      3'd4:    mask = (32'd1 << BAR4_LOG2) - 32'd1;
      default: mask = 32'hfff;
    endcase
    low = (four ? keep[127:96] : keep[95:64]) & mask;
    req = {32'd0, keep[95:0]};
    if (mem && four) req = {low, 32'd0, keep[63:0]};
    else if (mem) req[95:64] = low;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rx_req_valid_o <= 1'b0;
    else if (r_ready) rx_req_valid_o <= t_fire && t_last && !is_cpl;
  end
  always_ff @(posedge clk_i) begin
    if (r_ready) begin
      rx_req_hdr_o  <= req;
      rx_req_bar_o  <= bar_out;
      rx_req_data_o <= DATA_W'(four ? {swap(keep[191:160]), swap(keep[159:128])} : {swap(keep[159:128]), swap(keep[127:96])});
    end
  end
  assign rx_req_last_o = 1'b1;

  logic       posted, np;
  logic [6:0] held_q;
  assign posted  = keep[28:27] == 2'b10 || (keep[30] && keep[28:24] == 5'd0);
  assign np      = t_fire && t_last && !is_cpl && !posted;
  assign np_ok_o = held_q < 7'(NP_MAX);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else if (flr_done_i) held_q <= 7'(np);
    else held_q <= held_q + 7'(np) - 7'(cpl_done_i && held_q != '0);
  end

  // ---------------------------------------------------------------- completions: header aside, payload from lane 0 on
  localparam int unsigned HdrBeat = 96 / DATA_W;      // the beat in which the header ends: 0 or 1
  localparam int unsigned Off = 12 % Bytes;
  logic            c_in, c_now, c_early, c_err, ch_valid;
  logic [CntW-1:0] c_cnt, c_out_cnt;
  logic [95:0]     c_hdr;
  logic [DATA_W-1:0] c_data;
  assign c_early = HdrBeat != 0 && beat_q == 3'd0;
  assign c_in  = t_valid && is_cpl && !c_early && ch_ready;
  assign c_now = beat_q == 3'(HdrBeat);
  assign c_cnt = c_now ? t_cnt - CntW'(Off) : t_cnt;
  logic pk2_ready;
  assign c_ready = c_early || pk2_ready;
  weft_fifo #(.W(96), .DEPTH(16)) u_chdr (
    .clk_i, .rst_ni, .in_valid_i(t_fire && is_cpl && c_now), .in_ready_o(ch_ready), .in_data_i(keep[95:0]),
    .out_valid_o(ch_valid), .out_ready_i(rx_cpl_valid_o && rx_cpl_ready_i && rx_cpl_last_o), .out_data_o(c_hdr),
    .count_o()
  );
  weft_stream_pack #(.DATA_W(DATA_W)) u_payload (
    .clk_i, .rst_ni, .in_valid_i(c_in), .in_ready_o(pk2_ready), .in_data_i(t_data),
    .in_off_i(c_now && c_cnt != '0 ? LaneW'(Off) : '0), .in_cnt_i(c_cnt), .in_sure_i(!t_last), .in_final_i(t_last),
    .in_err_i(1'b0), .in_pre_i(1'b0), .in_pre_cnt_i('0), .in_pre_data_i('0), .out_valid_o(rx_cpl_valid_o),
    .out_ready_i(rx_cpl_ready_i), .out_data_o(c_data), .out_cnt_o(c_out_cnt), .out_last_o(rx_cpl_last_o),
    .out_err_o(c_err)
  );
  assign rx_cpl_hdr_o = {32'd0, c_hdr};
  always_comb for (int unsigned i = 0; i < Bytes / 4; i++) rx_cpl_data_o[32*i+:32] = swap(c_data[32*i+:32]);

  assign idle_o = !rx_tvalid_i && !open_q && !t_valid && !rx_req_valid_o && !ch_valid && !bar_valid;

  logic unused;
  assign unused = ^{t_err, c_err, c_out_cnt, rx_tuser_i, ch_valid};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
