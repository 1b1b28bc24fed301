// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Header records: what parser, options, port map and store say of a frame, in one, with where it may go. A frame a
/// cycle; one with options in an order of their own takes some cycles (weft_eth_opts). Frames that tcp gives back
/// (falsehit) get a record again here, and a look-up for what stands behind the candidate that it was not.
module weft_eth_join #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned FRAME_MAX = 9022,
  parameter int unsigned ID_W = 8,
  parameter int unsigned HND_W = 7,
  parameter int unsigned BLOCK_LOG2 = 9,   ///< bytes of a block
  parameter int unsigned OPT_STEPS = 8,
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic [47:0]           mac_i,
  input  logic                  promisc_i,
  input  logic                  allmulti_i,
  output logic                  port_valid_o,   ///< look-up in the port map; the answer comes two cycles later
  output logic [15:0]           port_o,
  input  logic                  port_ours_i,

  input  logic                  in_valid_i,     ///< beats of frames that have a fate
  input  logic [DATA_W-1:0]     in_data_i,
  input  logic [CntW-1:0]       in_cnt_i,
  input  logic                  in_last_i,
  input  logic                  in_err_i,
  output logic                  key_valid_o,    ///< pulse a frame, in order: to the hash
  output weft_eth_pkg::key_t    key_o,

  input  logic                  fate_valid_i,
  output logic                  fate_ready_o,
  input  logic [ID_W-1:0]       fate_id_i,
  input  logic                  fate_body_i,
  input  logic [HND_W-1:0]      fate_handle_i,

  input  logic                  falsehit_valid_i,
  output logic                  falsehit_ready_o,
  input  weft_dp_pkg::rx_seg_t  falsehit_i,
  input  logic                  id_valid_i,     ///< a free record for it
  input  logic                  id_none_i,      ///< there is none (neither of the two: in this cycle another takes it)
  output logic                  id_ready_o,
  input  logic [ID_W-1:0]       id_i,
  output logic                  again_valid_o,  ///< look it up again
  input  logic                  again_ready_i,
  input  logic                  again_full_i,   ///< there is no place (neither of the two: another goes first)
  output weft_eth_pkg::tok_t    again_tok_o,
  output weft_eth_pkg::key_t    again_key_o,
  output logic [3:0]            again_cand_o,
  output logic                  free_valid_o,   ///< no record: its bytes go
  input  logic                  free_ready_i,
  output logic [HND_W-1:0]      free_handle_o,

  output logic                  rec_we_o,
  output logic [ID_W-1:0]       rec_id_o,
  output weft_eth_pkg::rec_t    rec_o,
  output logic                  tok_valid_o,    ///< always taken
  output weft_eth_pkg::tok_t    tok_o,

  output logic                  idle_o,
  output logic                  stat_slow_o,
  output logic                  stat_skip_o,
  output logic                  stat_false_lost_o  ///< pulse: a falsehit found no record
);

  // ---------------------------------------------------------------- parser, tap
  logic               p_v, p_last, p_bad, p_idle, m_v, m_bad, m_room;
  weft_pkg::rx_meta_t p_meta, m;
  weft_eth_parse #(.DATA_W(DATA_W), .FRAME_MAX(FRAME_MAX)) u_parse (
    .clk_i, .rst_ni, .in_valid_i, .in_data_i, .in_cnt_i, .in_last_i, .in_err_i,
    .out_valid_o(p_v), .out_data_o(), .out_cnt_o(), .out_last_o(p_last), .out_bad_o(p_bad), .out_meta_o(p_meta),
    .idle_o(p_idle)
  );
  logic         tap, o_v, o_room, r_v, r_ours, r_room;
  logic [1:0]   t_ecn, o_ecn, asked_q;
  logic [5:0]   t_len, o_len;
  logic [319:0] t_opt, o_opt;
  weft_eth_tap #(.DATA_W(DATA_W)) u_tap (
    .clk_i, .rst_ni, .in_valid_i, .in_data_i, .in_cnt_i, .in_last_i,
    .tap_valid_o(tap), .key_o, .ecn_o(t_ecn), .opt_len_o(t_len), .opt_o(t_opt)
  );
  assign key_valid_o  = tap;
  assign port_valid_o = tap;
  assign port_o       = key_o.lport;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= '0;
    else asked_q <= {asked_q[0], tap};
  end

  logic       take, done;
  logic [5:0] m_count;
  weft_fifo #(.W(491), .DEPTH(32)) u_meta (
    .clk_i, .rst_ni, .in_valid_i(p_v && p_last), .in_ready_o(m_room), .in_data_i({p_bad, p_meta}),
    .out_valid_o(m_v), .out_ready_i(take), .out_data_o({m_bad, m}), .count_o(m_count)
  );
  weft_fifo #(.W(328), .DEPTH(32)) u_opt (
    .clk_i, .rst_ni, .in_valid_i(tap), .in_ready_o(o_room), .in_data_i({t_ecn, t_len, t_opt}),
    .out_valid_o(o_v), .out_ready_i(take), .out_data_o({o_ecn, o_len, o_opt}), .count_o()
  );
  weft_fifo #(.W(1), .DEPTH(32)) u_ours (
    .clk_i, .rst_ni, .in_valid_i(asked_q[1]), .in_ready_o(r_room), .in_data_i(port_ours_i),
    .out_valid_o(r_v), .out_ready_i(take), .out_data_o(r_ours), .count_o()
  );

  // ---------------------------------------------------------------- the record of a frame
  logic         is_us, pass, ts, have;
  logic [31:0]  ts_val, ts_ecr;
  logic [2:0]   n_sack;
  logic [255:0] sack;
  weft_eth_pkg::rec_t wire_rec, false_rec;
  weft_eth_pkg::tok_t wire_tok, false_tok;
  assign have = m_v && o_v && r_v && fate_valid_i;
  weft_eth_opts #(.STEPS(OPT_STEPS)) u_opts (
    .clk_i, .rst_ni, .valid_i(have), .len_i(m.tcp ? o_len : 6'd0), .opt_i(o_opt), .hurry_i(m_count >= 6'd8), .done_o(done), .take_i(take),
    .ts_o(ts), .ts_val_o(ts_val), .ts_ecr_o(ts_ecr), .n_sack_o(n_sack), .sack_o(sack), .stat_slow_o, .stat_skip_o
  );

  function automatic logic [7:0] blocks_of(input logic [15:0] n);
    blocks_of = 8'((17'(n) + 17'((1 << BLOCK_LOG2) - 1)) >> BLOCK_LOG2);
  endfunction
  assign is_us = m.dmac == mac_i;
  assign pass  = is_us || m.bcast || promisc_i || (m.mcast && allmulti_i);
  always_comb begin
    wire_rec        = 'x;
    wire_tok        = 'x;
    if (have) begin
      wire_rec.meta   = m;
      wire_rec.ecn    = o_ecn;
      wire_rec.ts     = ts;
      wire_rec.ts_val = ts_val;
      wire_rec.ts_ecr = ts_ecr;
      wire_rec.n_sack = n_sack;
      wire_rec.sack   = sack;
      wire_rec.handle = 12'(fate_handle_i);
      wire_rec.body   = fate_body_i;
      wire_rec.ours   = r_ours;
      wire_rec.blocks = blocks_of(m.frame_len);
      wire_tok.id      = 12'(fate_id_i);
      wire_tok.handle  = 12'(fate_handle_i);
      wire_tok.body    = fate_body_i;
      wire_tok.ours    = r_ours;
      wire_tok.csum_ok = m.ip_ok && m.l4_ok;
      wire_tok.blocks  = blocks_of(m.frame_len);
      wire_tok.to      = m_bad || !pass ? weft_eth_pkg::ToDrop : is_us && m.tcp ? weft_eth_pkg::ToLook
                         : fate_body_i ? weft_eth_pkg::ToL2 : weft_eth_pkg::ToDrop;
      wire_tok.why     = m_bad ? weft_eth_pkg::WhyBad : !pass ? weft_eth_pkg::WhyAddr : weft_eth_pkg::WhyFull;
    end
  end

  // ---------------------------------------------------------------- what tcp gives back
  // Taken before a frame, and let go when it finds no record or no place: tcp may wait for it with the next
  // segment, so it must not wait for segments.
  /* verilator lint_off UNUSEDSIGNAL */  // whose it was not
  weft_dp_pkg::rx_seg_t f;
  /* verilator lint_on UNUSEDSIGNAL */
  weft_pkg::rx_meta_t   fm;
  logic f_v, f_take, f_put, f_lose, f_none;
  weft_fifo #(.W(815), .DEPTH(4)) u_false (
    .clk_i, .rst_ni, .in_valid_i(falsehit_valid_i), .in_ready_o(falsehit_ready_o), .in_data_i(falsehit_i),
    .out_valid_o(f_v), .out_ready_i(f_take), .out_data_o(f), .count_o()
  );
  assign f_none        = f_v && (id_none_i || again_full_i);
  assign again_valid_o = f_v && id_valid_i;
  assign f_put         = again_valid_o && again_ready_i;
  assign id_ready_o    = f_put;
  assign free_valid_o  = f_none && f.body;
  assign free_handle_o = f.handle[HND_W-1:0];
  assign f_lose        = f_none && (!f.body || free_ready_i);
  assign f_take        = f_put || f_lose;
  always_comb begin
    false_rec    = 'x;
    fm           = 'x;
    false_tok    = 'x;
    again_key_o  = 'x;
    again_cand_o = 'x;
    if (f_v) begin
      fm                 = '0;
      fm.ipv6            = f.ipv6;
      fm.ip_ok           = 1'b1;
      fm.l4_ok           = 1'b1;
      fm.tcp             = 1'b1;
      fm.vlan            = f.vlan;
      fm.vlan_tci        = {f.pri, f.vid};
      fm.dmac            = mac_i;
      fm.saddr           = f.saddr;
      fm.daddr           = f.daddr;
      fm.sport           = f.sport;
      fm.dport           = f.dport;
      fm.seq             = f.seq;
      fm.ack             = f.ack;
      fm.flags           = f.flags;
      fm.wnd             = f.wnd;
      fm.hdr_len         = f.start;
      fm.payload_len     = f.len;
      fm.frame_len       = f.frame_len;
      fm.ip              = 1'b1;
      false_rec.meta             = fm;
      false_rec.ecn              = f.ecn;
      false_rec.ts               = f.ts;
      false_rec.ts_val           = f.ts_val;
      false_rec.ts_ecr           = f.ts_ecr;
      false_rec.n_sack           = f.n_sack;
      false_rec.sack             = f.sack;
      false_rec.handle           = f.handle;
      false_rec.body             = f.body;
      false_rec.ours             = f.ours;
      false_rec.blocks           = blocks_of(f.frame_len);
      false_tok.id      = 12'(id_i);
      false_tok.handle  = f.handle;
      false_tok.body    = f.body;
      false_tok.ours    = f.ours;
      false_tok.csum_ok = 1'b1;
      false_tok.blocks  = blocks_of(f.frame_len);
      false_tok.to      = weft_eth_pkg::ToLook;
      false_tok.why     = weft_eth_pkg::WhyFull;
      again_key_o  = {f.ipv6, f.daddr, f.saddr, f.dport, f.sport};
      again_cand_o = f.cand;
    end
  end
  assign again_tok_o = false_tok;

  assign take         = done && !f_put;
  assign fate_ready_o = take;
  assign tok_valid_o  = take;
  assign tok_o        = wire_tok;
  assign rec_we_o     = take || f_put;
  assign rec_id_o     = f_put ? id_i : fate_id_i;
  assign rec_o        = f_put ? false_rec : wire_rec;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stat_false_lost_o <= 1'b0;
    else stat_false_lost_o <= f_lose;
  end
  assign idle_o = p_idle && !p_v && !tap && asked_q == '0 && !m_v && !o_v && !f_v && !falsehit_valid_i;

`ifndef SYNTHESIS
  initial begin
    if (weft_eth_pkg::RecW != $bits(rec_o)) $fatal(1, "weft_eth_pkg: RecW");
    if (weft_eth_pkg::TokW != $bits(tok_o)) $fatal(1, "weft_eth_pkg: TokW");
    if (weft_eth_pkg::KeyW != $bits(key_o)) $fatal(1, "weft_eth_pkg: KeyW");
    if (815 != $bits(falsehit_i)) $fatal(1, "weft_eth_join: width of rx_seg_t");
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert ((m_room || !(p_v && p_last)) && (o_room || !tap) && (r_room || !asked_q[1])) else $error("%m: no room");
  end
`else
  logic unused;
  assign unused = ^{m_room, o_room, r_room};
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
