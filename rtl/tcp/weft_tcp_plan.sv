// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// First part of the slicer: takes framed FPDUs and says of each what of it leaves (plan_t), three cycles
/// behind its first beat; the bytes wait meanwhile. The slot's view is read in the cycle of the first beat.
///
/// Of [off, off + bytes) leaves what is in [from, to), in front of the view's limit (an ask is not held
/// to the limit: that is how probes leave), and in front of where its send generation was closed; nothing,
/// when the view is not open, is of another generation, or the FPDU is void.
///
/// New bytes leave in order: an FPDU that begins behind the end of all new bytes that left (SND.MAX, when the slot is loaded) is let go, until what
/// was let go in front of it was asked for; it is not said to be cut, as that was said of what lies in front of it, and who asks for that asks for all
/// that was made. That end is read a cycle behind the first beat and written a cycle later.
///
/// No segment begins at a multiple of four from the start of its FPDU but at that start (an FPDU has a multiple of four bytes), so none begins at a multiple of
/// four from the first FPDU unless an FPDU begins there: docs/datapath.md, "Who the peer is". What is new and ends inside an FPDU ends elsewhere, a byte earlier, as if
/// the limit stood there; what is asked for again begins a byte earlier, or ends a byte later if that left before.
///
/// A generation is closed at the offset of the first FPDU that could not be made: `void_fpdu`, or `in_err_i`
/// with the last beat. Its record is read with the first beat and written behind the last one of such an
/// FPDU, while the next one waits a cycle; so who comes behind it knows. One that was asked for again closes nothing: when it is acknowledged by now nobody
/// stops for it (weft_sq_build), so what is new must go on. It need not have left before: behind what the limit cut off of it new bytes are let go anyhow, as above.
// lint: -GDATA_W=128 -GN_SLOT=256
module weft_tcp_plan #(
  parameter int unsigned DATA_W = 128,    ///< 64, 128, 256 or 512
  parameter int unsigned N_SLOT = 256,    ///< slots, a power of two, 2 to 4,096
  parameter int unsigned N_L2 = 64,       ///< L2 entries, a power of two, 2 to 65,536
  parameter int unsigned MSS_MAX = 8960,  ///< no segment is longer, whatever a view says
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1,
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned L2W = $clog2(N_L2)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      in_valid_i,
  output logic                      in_ready_o,   ///< registered, but for what is the first beat
  input  weft_dp_pkg::framed_t      in_i,         ///< stable for the packet
  input  logic [DATA_W-1:0]         in_data_i,
  input  logic [CntW-1:0]           in_cnt_i,
  input  logic                      in_last_i,
  input  logic                      in_err_i,     ///< with last: its bytes are not good
  input  logic                      in_more_i,    ///< with last: an FPDU that joins this one will come

  input  logic                      view_valid_i,
  input  logic [11:0]               view_slot_i,
  input  weft_dp_pkg::dep_view_t    view_i,
  input  logic                      open_valid_i, ///< the slot was loaded: no generation is closed
  input  logic [11:0]               open_slot_i,
  input  logic [31:0]               open_snd_max_i, ///< new bytes of it left up to here
  input  logic                      v6_we_i,
  input  logic [11:0]               v6_slot_i,
  input  logic                      v6_i,
  input  logic                      l2_we_i,
  input  logic [11:0]               l2_slot_i,
  input  logic [15:0]               l2_i,
  input  logic                      l2e_we_i,
  input  logic [L2W-1:0]            l2e_index_i,
  input  logic                      l2e_vlan_i,

  output logic                      plan_valid_o,
  input  logic                      plan_ready_i,
  output weft_tcp_seg_pkg::plan_t   plan_o,
  output logic                      joined_o,     ///< an FPDU behind the plan that was taken last is there and joins it
  output logic                      byte_valid_o,
  input  logic                      byte_ready_i,
  output logic [DATA_W-1:0]         byte_data_o,
  output logic [CntW-1:0]           byte_cnt_o,
  output logic                      byte_last_o,
  output logic                      byte_err_o,
  output logic                      byte_more_o,

  output logic                      idle_o,
  output logic                      stat_void_o   ///< pulse: an FPDU that could not be made
);

  localparam int unsigned PLANS = 8;
  localparam int unsigned ViewW = 1 + 64 + 16 + 2 + 1 + 2;
  localparam int unsigned PlanW = 12 + 64 + 32 + 3 + 32 + 5 + 7 + 2 + 4 + 2 + 2;

  // ---------------------------------------------------------------- what comes in
  logic                 first_q, hold_q, load_q, room, acc, begins;
  logic [3:0]           out_q;      // plans that were begun and not taken
  logic                 byte_room;
  logic [PLANS-1:0]     joins_q;
  logic [2:0]           put_q, get_q;

  assign room       = !hold_q && !load_q && !out_q[3];
  assign in_ready_o = byte_room && (!first_q || room);
  assign acc        = in_valid_i && in_ready_o;
  assign begins     = acc && first_q;
  assign joined_o   = out_q != '0 && joins_q[get_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      hold_q  <= 1'b0;
      out_q   <= '0;
      put_q   <= '0;
      get_q   <= '0;
    end else begin
      if (acc) first_q <= in_last_i;
      hold_q <= acc && in_last_i && (in_err_i || in_i.void_fpdu);
      out_q  <= out_q + 4'(begins) - 4'(plan_valid_o && plan_ready_i);
      if (begins) put_q <= put_q + 3'd1;
      if (plan_valid_o && plan_ready_i) get_q <= get_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) if (begins) joins_q[put_q] <= in_i.joins && !in_i.void_fpdu;

  weft_fifo #(.W(DATA_W + CntW + 3), .DEPTH(16)) u_bytes (
    .clk_i, .rst_ni, .in_valid_i(acc), .in_ready_o(byte_room),
    .in_data_i({in_more_i, in_err_i || in_i.void_fpdu, in_last_i, in_cnt_i, in_data_i}),
    .out_valid_o(byte_valid_o), .out_ready_i(byte_ready_i),
    .out_data_o({byte_more_o, byte_err_o, byte_last_o, byte_cnt_o, byte_data_o}), .count_o()
  );

  // ---------------------------------------------------------------- tables, read with the first beat
  logic                  view_open, view_ts, v6, vlan;
  logic [63:0]           view_limit;
  logic [15:0]           view_mss;
  logic [1:0]            view_gen, view_n_sack;
  logic [L2W-1:0]        l2;
  logic                  cl_valid, cl_we, pend_q, shut;
  logic [1:0]            cl_gen;
  logic [63:0]           cl_off;
  logic [SlW-1:0]        pend_slot_q;
  weft_dp_pkg::framed_t  f1_q;
  logic                  v1_q, v2_q;

  weft_ram_1r1w #(.W(ViewW), .DEPTH(N_SLOT)) u_view (
    .clk_i, .we_i(view_valid_i), .waddr_i(view_slot_i[SlW-1:0]),
    .wdata_i({view_i.open, view_i.limit, view_i.mss, view_i.gen, view_i.ts, view_i.n_sack}),
    .re_i(begins), .raddr_i(in_i.who.slot[SlW-1:0]),
    .rdata_o({view_open, view_limit, view_mss, view_gen, view_ts, view_n_sack})
  );
  weft_ram_1r1w #(.W(1), .DEPTH(N_SLOT)) u_v6 (
    .clk_i, .we_i(v6_we_i), .waddr_i(v6_slot_i[SlW-1:0]), .wdata_i(v6_i),
    .re_i(begins), .raddr_i(in_i.who.slot[SlW-1:0]), .rdata_o(v6)
  );
  weft_ram_1r1w #(.W(L2W), .DEPTH(N_SLOT)) u_l2 (
    .clk_i, .we_i(l2_we_i), .waddr_i(l2_slot_i[SlW-1:0]), .wdata_i(l2_i[L2W-1:0]),
    .re_i(begins), .raddr_i(in_i.who.slot[SlW-1:0]), .rdata_o(l2)
  );
  weft_ram_1r1w #(.W(1), .DEPTH(N_L2)) u_vlan (
    .clk_i, .we_i(l2e_we_i), .waddr_i(l2e_index_i), .wdata_i(l2e_vlan_i),
    .re_i(v1_q), .raddr_i(l2), .rdata_o(vlan)
  );

  // The first of a generation counts. A load waits for the cycle of such an FPDU, which is never followed
  // by another one.
  assign shut  = hold_q && !f1_q.again && !(cl_valid && cl_gen == f1_q.gen && cl_off <= f1_q.off);
  assign cl_we = shut || pend_q;
  weft_ram_1r1w #(.W(67), .DEPTH(N_SLOT)) u_closed (
    .clk_i, .we_i(cl_we), .waddr_i(shut ? f1_q.who.slot[SlW-1:0] : pend_slot_q),
    .wdata_i({shut, f1_q.gen, f1_q.off}),
    .re_i(begins), .raddr_i(in_i.who.slot[SlW-1:0]), .rdata_o({cl_valid, cl_gen, cl_off})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pend_q <= 1'b0;
      v1_q   <= 1'b0;
      v2_q   <= 1'b0;
    end else begin
      pend_q <= open_valid_i || (pend_q && shut);
      v1_q   <= begins;
      v2_q   <= v1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (open_valid_i) pend_slot_q <= open_slot_i[SlW-1:0];
    if (begins) f1_q <= in_i;
  end

  // ---------------------------------------------------------------- distances from the first byte
  function automatic logic [16:0] clip(input logic [63:0] v);
    clip = v[63] ? 17'd0 : v[62:17] != '0 ? 17'h1ffff : v[16:0];
  endfunction

  logic                      ok2_q, shut2_v_q, ts2_q, v6_2_q;
  logic [16:0]               from2_q, to2_q;
  logic [63:0]               lim2_q, shut2_q;   // clipped in the next cycle: they come from tables
  logic [63:0]               start2_q;
  logic [15:0]               mss2_q;
  logic [1:0]                sack2_q;
  weft_dp_pkg::framed_t      f2_q;

  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      f2_q     <= f1_q;
      ok2_q    <= view_open && view_gen == f1_q.gen && !f1_q.void_fpdu;
      from2_q  <= clip(f1_q.from - f1_q.off);
      to2_q    <= clip(f1_q.to - f1_q.off);
      lim2_q   <= view_limit - f1_q.off;
      shut2_q  <= cl_off - f1_q.off;
      shut2_v_q <= cl_valid && cl_gen == f1_q.gen;
      start2_q <= $signed(f1_q.from - f1_q.off) > 0 ? f1_q.from : f1_q.off;
      mss2_q   <= view_mss > 16'(MSS_MAX) ? 16'(MSS_MAX) : view_mss == '0 ? 16'd1 : view_mss;
      // A segment so short has no room for SACK blocks.
      sack2_q  <= view_mss < 16'd128 ? 2'd0 : view_n_sack;
      ts2_q    <= view_ts;
      v6_2_q   <= v6;
    end
  end

  // ---------------------------------------------------------------- where new bytes that left end
  // A load waits for a cycle without a plan, which comes soon, as nothing begins meanwhile. What the plan before this one wrote was not read.
  logic           v3_q;
  logic [SlW-1:0] load_slot_q, slot3_q;
  logic [31:0]    load_max_q, left_rd, left, left_n, left3_q;
  weft_ram_1r1w #(.W(32), .DEPTH(N_SLOT)) u_left (
    .clk_i, .we_i(v2_q || load_q), .waddr_i(v2_q ? f2_q.who.slot[SlW-1:0] : load_slot_q), .wdata_i(v2_q ? left_n : load_max_q),
    .re_i(v1_q), .raddr_i(f1_q.who.slot[SlW-1:0]), .rdata_o(left_rd)
  );
  assign left = v3_q && slot3_q == f2_q.who.slot[SlW-1:0] ? left3_q : left_rd;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_q <= 1'b0;
      v3_q   <= 1'b0;
    end else begin
      load_q <= open_valid_i || (load_q && v2_q);
      v3_q   <= v2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (open_valid_i) begin
      load_slot_q <= open_slot_i[SlW-1:0];
      load_max_q  <= open_snd_max_i;
    end
    slot3_q <= f2_q.who.slot[SlW-1:0];
    left3_q <= left_n;
  end

  // ---------------------------------------------------------------- the plan
  weft_tcp_seg_pkg::plan_t  plan;
  weft_tcp_seg_pkg::shape_t shape, pv_shape_q;
  logic                    to_end, some, less, same, pv_valid_q, pv_again_q, wide, whole4, add, sub;
  logic [11:0]             pv_slot_q;
  logic [3:0]              pv_ask_q;
  logic [1:0]              pv_gen_q;
  logic [63:0]             pv_end_q;
  logic                    ok, behind;
  logic [31:0]             ends, gone;
  logic [16:0]             bytes, lim, shut2, want, most, high, stop;
  logic [15:0]             skip;
  logic [31:0]             past;
  logic [5:0]              opt;     // bytes of SACK option

  assign shape = {v6_2_q, vlan, ts2_q, sack2_q};
  assign opt  = sack2_q == '0 ? 6'd0 : {1'b0, sack2_q, 3'd4};
  assign bytes = {1'b0, f2_q.bytes};
  assign lim   = f2_q.again ? 17'h1ffff : clip(lim2_q);
  assign shut2 = shut2_v_q ? clip(shut2_q) : 17'h1ffff;
  assign want  = to2_q < bytes ? to2_q : bytes;
  assign most  = lim < shut2 ? lim : shut2;
  assign high  = want < most ? want : most;
  assign gone   = f2_q.off[31:0] - left;
  assign behind = !f2_q.again && !gone[31] && gone != '0;
  assign ok     = ok2_q && !behind;
  // Where it begins and ends: not at a multiple of four inside the FPDU. New bytes that would not leave at all for that leave.
  assign wide   = f2_q.again && from2_q != '0 && from2_q[1:0] == 2'd0 && from2_q < bytes;
  assign skip   = from2_q[15:0] - 16'(wide);
  assign past   = f2_q.off[31:0] + 32'(high) - left;
  assign whole4 = high[1:0] == 2'd0 && high < bytes;
  assign add    = whole4 && f2_q.again && past[31];
  assign sub    = whole4 && (!f2_q.again || (!past[31] && past != '0)) && high != from2_q + 17'd1;
  assign stop   = high + 17'(add) - 17'(sub);
  // What is new may go back: a generation that was closed is followed by one that begins where it was.
  assign ends   = f2_q.off[31:0] + 32'(stop);
  assign left_n = some && (!f2_q.again || (!past[31] && past != '0)) ? ends : left;
  // Side by side, not one behind the other.
  assign some  = ok && to2_q > from2_q && bytes > from2_q && lim > from2_q && shut2 > from2_q;
  assign less  = !ok || (lim < to2_q && lim < bytes) || (shut2 < to2_q && shut2 < bytes);

  always_comb begin
    plan              = '0;
    plan.slot         = f2_q.who.slot;
    plan.off          = start2_q - 64'(wide);
    plan.skip         = from2_q[16] ? 16'hffff : skip;
    plan.stop         = stop[15:0];
    plan.some         = some;
    plan.to_end       = to_end;
    plan.app          = f2_q.joins && same && to_end && from2_q == '0 && f2_q.bytes != '0;
    plan.mss          = mss2_q - {10'd0, opt};
    plan.room         = weft_tcp_seg_pkg::room(plan.skip, plan.stop, plan.mss);
    plan.shape        = shape;
    plan.hdr_len      = 7'd54 + (v6_2_q ? 7'd20 : 7'd0) + (vlan ? 7'd4 : 7'd0) + (ts2_q ? 7'd12 : 7'd0) + {1'b0, opt};
    plan.psh          = f2_q.psh;
    plan.again        = f2_q.again;
    plan.ask_id       = f2_q.ask_id;
    plan.ask_done     = f2_q.again && to2_q <= {1'b0, f2_q.bytes};
    plan.cut          = (less && !behind && to2_q > from2_q && bytes > from2_q) || (some && sub);
    plan.gen          = f2_q.gen;
  end

  // Does it go on where the one before ended, for the same purpose?
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pv_valid_q <= 1'b0;
    else if (v2_q) pv_valid_q <= to_end;
  end
  always_ff @(posedge clk_i) begin
    if (v2_q) begin
      pv_slot_q  <= f2_q.who.slot;
      pv_shape_q <= shape;
      pv_again_q <= f2_q.again;
      pv_ask_q   <= f2_q.ask_id;
      pv_gen_q   <= f2_q.gen;
      pv_end_q   <= f2_q.off + 64'(f2_q.bytes);
    end
  end
  assign to_end = ok && to2_q >= bytes && lim >= bytes && shut2 >= bytes;
  assign same   = pv_valid_q && pv_slot_q == f2_q.who.slot && pv_shape_q == shape && pv_again_q == f2_q.again &&
                  pv_ask_q == f2_q.ask_id && pv_gen_q == f2_q.gen && pv_end_q == f2_q.off;

  logic plan_room;
  weft_fifo #(.W(PlanW), .DEPTH(PLANS)) u_plan (
    .clk_i, .rst_ni, .in_valid_i(v2_q), .in_ready_o(plan_room), .in_data_i(plan),
    .out_valid_o(plan_valid_o), .out_ready_i(plan_ready_i), .out_data_o(plan_o), .count_o()
  );

  assign idle_o      = out_q == '0 && !in_valid_i && !byte_valid_o && !hold_q;
  assign stat_void_o = hold_q;

  // The earliest departure time and the link are not read: nothing is paced, and there is one port.
  logic unused;
  assign unused = ^{view_i, view_slot_i, open_slot_i, v6_slot_i, l2_slot_i, l2_i, in_i.edt, in_i.link, in_i.resp, f1_q,
                    f2_q, plan_room, high};

`ifndef SYNTHESIS
  initial begin
    if ($bits(plan) != PlanW) $fatal(1, "weft_tcp_plan: PlanW");
    if (MSS_MAX < 128 || MSS_MAX > 65000) $fatal(1, "weft_tcp_plan: MSS_MAX");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(v2_q && !plan_room)) else $error("%m: a plan has no room");
      assert (!(open_valid_i && (pend_q || load_q))) else $error("%m: loads one behind the other");
    end
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
