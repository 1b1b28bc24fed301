// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Cuts transmit frames with TSO into segments and inserts tags; other frames pass whole. A beat a cycle; a
/// frame costs up to three cycles more, a segment none when its payload has four beats. Payload is kept
/// nowhere, of a frame that is cut one header.
///
/// A segment is the header and MSS bytes of payload, the last one what is left (RFC 9293 3.7.1), with fields of
/// its own: IPv4 total length, identification (counts up) and header checksum (by RFC 1624 eqn. 3, so that of
/// the given header must hold), or IPv6 payload length; TCP sequence number; FIN and PSH in the last segment
/// only, CWR in the first only (RFC 3168 6.1.2); the TCP checksum field grows by the segment's length and is
/// summed up behind this module, over all from the TCP header on. Header: Ethernet, a tag or none, IPv4 without options and not a
/// fragment or IPv6, TCP, HDR_LEN bytes together; a frame with another one is BAD in all its segments.
///
/// A frame that ends before its length, or with `in_bad_i`, is BAD in the segment where that is and in all
/// behind it. The last segment has FINAL, whatever happens.
module weft_l2_seg #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  input  logic                     info_valid_i,  ///< one for each frame
  output logic                     info_ready_o,
  input  logic [weft_l2_pkg::FrameW-1:0] info_i,  ///< weft_l2_pkg::frame_t
  input  logic                     in_valid_i,
  output logic                     in_ready_o,
  input  logic [DATA_W-1:0]        in_data_i,
  input  logic [CntW-1:0]          in_cnt_i,
  input  logic                     in_last_i,
  input  logic                     in_bad_i,      ///< with last

  output logic                     out_valid_o,
  input  logic                     out_ready_i,
  output logic [DATA_W-1:0]        out_data_o,
  output logic [CntW-1:0]          out_cnt_o,
  output logic                     out_last_o,
  output logic                     out_bad_o,     ///< with last
  output logic                     out_csum_o,    ///< these five are stable for the segment
  output logic [8:0]               out_start_o,   ///< from here to the end is summed up
  output logic [7:0]               out_off_o,     ///< from there to the checksum field
  output logic                     out_set_o,
  output logic                     out_final_o,
  output logic                     idle_o
);

  localparam int unsigned HdrBytes = 128;
  localparam int unsigned Beats = HdrBytes * 8 / DATA_W;
  localparam int unsigned BeatW = $clog2(Beats);
  localparam int unsigned MacBytes = 12;  // in front of a tag

  // ------------------------------------------------ the plan: where the frame is cut
  weft_l2_pkg::frame_t in_f, p_f_q, f;
  logic                p_q, p_hdr_q, p_first_q, p_last, take, step, cut_ready, f_room, r_room, s_room;
  logic [16:0]         p_rem_q, p_len;

  always_comb begin
    in_f = info_i;
    if (in_f.bad) begin  // one beat without bytes: it ends too early
      in_f.set   = 1'b0;
      in_f.tso   = 1'b0;
      in_f.vlan  = 1'b0;
      in_f.total = 17'd1;
    end
  end
  assign take         = info_valid_i && !p_q && f_room;
  assign info_ready_o = !p_q && f_room;

  assign p_last = !p_hdr_q && (!p_f_q.tso || p_rem_q <= 17'(p_f_q.mss));
  always_comb begin
    p_len = p_rem_q;
    if (p_hdr_q) p_len = p_f_q.tso ? 17'(p_f_q.hdr) : 17'(MacBytes);
    else if (!p_last) p_len = 17'(p_f_q.mss);
  end
  assign step = p_q && r_room && s_room && cut_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) p_q <= 1'b0;
    else if (take) p_q <= 1'b1;
    else if (step && p_last) p_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      p_f_q     <= in_f;
      p_rem_q   <= in_f.total;
      p_hdr_q   <= in_f.tso || in_f.vlan;
      p_first_q <= 1'b1;
    end else if (step) begin
      p_rem_q   <= p_rem_q - p_len;
      p_hdr_q   <= 1'b0;
      p_first_q <= p_hdr_q;
    end
  end

  // What each piece is, for whoever takes its bytes; of each segment, for its header; of each frame.
  logic        r_valid, r_hdr, r_pop, s_valid, s_pop, s_first, s_final, f_valid;
  logic [13:0] s_len;
  weft_fifo #(.W(1), .DEPTH(16)) u_route (
    .clk_i, .rst_ni, .in_valid_i(step), .in_ready_o(r_room), .in_data_i(p_hdr_q),
    .out_valid_o(r_valid), .out_ready_i(r_pop), .out_data_o(r_hdr), .count_o()
  );
  weft_fifo #(.W(16), .DEPTH(16)) u_segs (
    .clk_i, .rst_ni, .in_valid_i(step && !p_hdr_q), .in_ready_o(s_room), .in_data_i({p_first_q, p_last, p_len[13:0]}),
    .out_valid_o(s_valid), .out_ready_i(s_pop), .out_data_o({s_first, s_final, s_len}), .count_o()
  );
  weft_fifo #(.W(weft_l2_pkg::FrameW), .DEPTH(4)) u_frames (
    .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(f_room), .in_data_i(in_f),
    .out_valid_o(f_valid), .out_ready_i(s_pop && s_final), .out_data_o(f), .count_o()
  );

  logic              o_valid, o_ready, o_last, o_err;
  logic [DATA_W-1:0] o_data;
  logic [CntW-1:0]   o_cnt;
  weft_stream_split #(.DATA_W(DATA_W)) u_split (
    .clk_i, .rst_ni,
    .cut_valid_i(p_q && r_room && s_room), .cut_ready_o(cut_ready), .cut_len_i(p_len[15:0]), .cut_last_i(p_last),
    .in_valid_i, .in_ready_o, .in_data_i, .in_cnt_i, .in_last_i, .in_err_i(in_bad_i),
    .out_valid_o(o_valid), .out_ready_i(o_ready), .out_data_o(o_data), .out_cnt_o(o_cnt), .out_last_o(o_last),
    .out_err_o(o_err)
  );

  // ------------------------------------------------ the header
  logic [HdrBytes*8-1:0] hdr_q;
  logic [BeatW:0]        beat_q;
  logic                  full_q, q_ready;
  logic                  h_pop;  // the header's last segment has it
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      beat_q <= '0;
    end else begin
      if (h_pop) full_q <= 1'b0;
      if (o_valid && o_ready && r_hdr) begin
        beat_q <= o_last ? '0 : beat_q + 1'b1;
        full_q <= o_last;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Beats; i++) begin
      if (o_valid && r_valid && r_hdr && !full_q && beat_q == (BeatW + 1)'(i)) hdr_q[i*DATA_W+:DATA_W] <= o_data;
    end
  end
  assign o_ready = r_valid && (r_hdr ? !full_q : q_ready);
  assign r_pop   = o_valid && o_ready && o_last;

  // Its fields: a tag or none, IPv4 or IPv6 make four shapes.
  logic         tag, v6, sound;
  logic [319:0] ip;
  logic [159:0] tcp;
  logic [15:0]  kind;
  logic [6:0]   l4;
  function automatic logic [15:0] be16(input logic [15:0] v);
    be16 = {v[7:0], v[15:8]};
  endfunction
  function automatic logic [31:0] be32(input logic [31:0] v);
    be32 = {v[7:0], v[15:8], v[23:16], v[31:24]};
  endfunction
  assign tag  = be16(hdr_q[12*8+:16]) == 16'h8100;
  assign kind = tag ? be16(hdr_q[16*8+:16]) : be16(hdr_q[12*8+:16]);
  assign ip   = tag ? hdr_q[18*8+:320] : hdr_q[14*8+:320];
  assign v6   = kind == 16'h86dd;
  assign tcp  = v6 ? (tag ? hdr_q[58*8+:160] : hdr_q[54*8+:160]) : (tag ? hdr_q[38*8+:160] : hdr_q[34*8+:160]);
  assign l4   = v6 ? (tag ? 7'd58 : 7'd54) : (tag ? 7'd38 : 7'd34);
  always_comb begin
    sound = tcp[12*8+4+:4] >= 4'd5 && 8'(f.hdr) == 8'(l4) + {2'b0, tcp[12*8+4+:4], 2'b0};
    if (v6) sound = sound && ip[7:4] == 4'd6 && ip[6*8+:8] == 8'd6;
    else sound = sound && kind == 16'h0800 && ip[7:0] == 8'h45 && ip[9*8+:8] == 8'd6 &&
                 (be16(ip[6*8+:16]) & 16'h3fff) == 16'h0;
  end

  // ------------------------------------------------ the next segment's, three cycles
  typedef enum logic [1:0] {StLook, StLen, StSum, StGo} state_e;
  state_e      state_q;
  logic        h_valid, h_ready, h_tso, x_room, sound_q;
  logic [15:0] l4len_q, tot_q, sum_q, tcp_q, id_q, dist_q;
  logic [31:0] seq_q;
  logic [18:0] sum_d;
  logic [16:0] fold, tcp_d;

  assign h_tso = f_valid && f.tso && full_q;
  assign sum_d = 19'(16'(~be16(ip[10*8+:16]))) + 19'(16'(~be16(ip[2*8+:16]))) + 19'(tot_q) +
                 19'(16'(~be16(ip[4*8+:16]))) + 19'(id_q);
  assign fold  = 17'(sum_d[15:0]) + 17'(sum_d[18:16]);
  assign tcp_d = 17'(be16(tcp[16*8+:16])) + 17'(l4len_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StLook;
    else begin
      unique case (state_q)
        StLook:  if (s_valid && h_tso) state_q <= StLen;
        StLen:   state_q <= StSum;
        StSum:   state_q <= StGo;
        default: if (s_pop) state_q <= StLook;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StLook && s_valid && h_tso) begin
      if (s_first) begin
        seq_q  <= be32(tcp[4*8+:32]);
        dist_q <= '0;
      end
      sound_q <= sound;
      l4len_q <= 16'(f.hdr) - 16'(l4) + 16'(s_len);
    end
    if (state_q == StLen) begin
      tot_q <= l4len_q + 16'd20;
      id_q  <= be16(ip[4*8+:16]) + dist_q;
    end
    if (state_q == StSum) begin
      sum_q <= fold[15:0] + 16'(fold[16]);
      tcp_q <= tcp_d[15:0] + 16'(tcp_d[16]);
    end
    if (state_q == StGo && s_pop) begin
      seq_q  <= seq_q + 32'(f.mss);
      dist_q <= dist_q + 16'd1;
    end
  end

  logic [HdrBytes*8-1:0]  patched;
  logic [(HdrBytes+4)*8-1:0] whole;
  logic [7:0]             flags, whole_len;
  assign flags = tcp[13*8+:8] & {s_first, 3'b111, s_final, 2'b11, s_final};
  always_comb begin
    patched = hdr_q;
    if (f.tso) begin
      for (int unsigned i = 0; i < 2; i++) begin
        if (tag == (i == 1)) begin
          if (v6) begin
            patched[(18+4*i)*8+:16] = be16(l4len_q);
            patched[(58+4*i)*8+:32] = be32(seq_q);
            patched[(67+4*i)*8+:8]  = flags;
            patched[(70+4*i)*8+:16] = be16(tcp_q);
          end else begin
            patched[(16+4*i)*8+:16] = be16(tot_q);
            patched[(18+4*i)*8+:16] = be16(id_q);
            patched[(24+4*i)*8+:16] = be16(~sum_q);
            patched[(38+4*i)*8+:32] = be32(seq_q);
            patched[(47+4*i)*8+:8]  = flags;
            patched[(50+4*i)*8+:16] = be16(tcp_q);
          end
        end
      end
    end
    whole = (HdrBytes * 8 + 32)'(patched);
    if (f.vlan) whole = {patched[HdrBytes*8-1:MacBytes*8], f.tci[7:0], f.tci[15:8], 16'h0081, patched[MacBytes*8-1:0]};
  end
  assign whole_len = (f.tso ? 8'(f.hdr) : f.vlan ? 8'(MacBytes) : 8'd0) + (f.vlan ? 8'd4 : 8'd0);

  // What goes with the segment is told with the header's first beat: that may leave long before the payload comes.
  logic told_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) told_q <= 1'b0;
    else told_q <= h_valid && !s_pop;
  end
  assign h_valid = s_valid && f_valid && (told_q || x_room) && (f.tso ? state_q == StGo : (!f.vlan || full_q));
  assign s_pop   = h_valid && h_ready;
  assign h_pop   = s_pop && s_final && (f.tso || f.vlan);

  logic p_out_valid, p_out_ready, p_out_err, x_valid, x_pop, x_bad;
  weft_stream_prepend #(.DATA_W(DATA_W), .HDR_BYTES_MAX(HdrBytes + 4)) u_prepend (
    .clk_i, .rst_ni, .hdr_valid_i(h_valid), .hdr_ready_o(h_ready), .hdr_data_i(whole), .hdr_len_i(whole_len),
    .in_valid_i(o_valid && r_valid && !r_hdr), .in_ready_o(q_ready), .in_data_i(o_data), .in_cnt_i(o_cnt), .in_last_i(o_last),
    .in_err_i(o_err),
    .out_valid_o(p_out_valid), .out_ready_i(p_out_ready), .out_data_o, .out_cnt_o, .out_last_o,
    .out_err_o(p_out_err)
  );

  // ------------------------------------------------ what goes with a segment
  logic [8:0] x_start;
  logic [7:0] x_off;
  assign x_start = (f.tso ? 9'(l4) : 9'(f.start)) + (f.vlan ? 9'd4 : 9'd0);
  assign x_off   = f.tso ? 8'd16 : f.off;
  weft_fifo #(.W(21), .DEPTH(8)) u_side (
    .clk_i, .rst_ni, .in_valid_i(h_valid && !told_q), .in_ready_o(x_room),
    .in_data_i({f.tso && !sound_q, f.csum || f.tso, x_start, x_off, f.set, s_final}),
    .out_valid_o(x_valid), .out_ready_i(x_pop),
    .out_data_o({x_bad, out_csum_o, out_start_o, out_off_o, out_set_o, out_final_o}), .count_o()
  );
  assign out_valid_o = p_out_valid && x_valid;
  assign p_out_ready = out_ready_i && x_valid;
  assign out_bad_o   = p_out_err || x_bad;
  assign x_pop       = out_valid_o && out_ready_i && out_last_o;

  assign idle_o = !p_q && !f_valid && !r_valid && !s_valid && !o_valid && !x_valid && !info_valid_i && !in_valid_i;

  logic unused;
  assign unused = ^{ip, tcp, p_f_q, f};

`ifndef SYNTHESIS
  initial begin
    if (HdrBytes * 8 % DATA_W != 0 || Beats < 2) $fatal(1, "weft_l2_seg: DATA_W");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
