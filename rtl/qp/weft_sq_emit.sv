// SPDX-License-Identifier: BSD-2-Clause

/// Turns orders into descriptions, pieces, and packets of the in-line and value streams; retransmissions come first, but not into
/// the middle of FPDUs that share a segment. An order takes two cycles, one more for each further SGE and each line of
/// the WQE that is looked at. In-line bytes that do not fit one FPDU go on in the next one at a multiple of 64, in the upper half of a line. Tokens go back when all of their batch has been read from the WQEs.
/// A Read Request or Atomic Request is told to rdmap before its description is given. The order of an operation on an STag becomes no description: it goes on with the number
/// of those in front of it.
// lint: -GDATA_W=128 -GN_LANE=16 -GN_RD=256
module weft_sq_emit #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_LANE = 16,
  parameter int unsigned N_RD = 256,    ///< entries for inbound reads
  localparam int unsigned LnW = $clog2(N_LANE),
  localparam int unsigned RdW = $clog2(N_RD),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    ord_valid_i,
  output logic                    ord_ready_o,
  input  weft_sq_pkg::order_t     ord_i,
  input  logic                    rep_valid_i,   ///< of the replay
  output logic                    rep_ready_o,
  input  weft_sq_pkg::order_t     rep_i,

  output logic                    line_re_o,     ///< WQE buffers; line_rep_o: that of the replay
  output logic                    line_rep_o,
  output logic [LnW+3:0]          line_addr_o,
  input  logic [511:0]            line_i,        ///< a cycle later, and until the next one
  output logic                    val_re_o,
  output logic [7:0]              val_slot_o,
  input  logic [511:0]            val_i,
  output logic                    rd_re_o,
  output logic [RdW-1:0]          rd_addr_o,
  input  logic [223:0]            rd_i,          ///< sink_stag, sink_to, len, src_stag, src_to of rx_read_t; of an atomic sink_to is its result

  output logic                    tok_o,         ///< pulse: a batch is through
  output logic                    tok_resp_o,
  output logic [6:0]              tok_lane_o,
  output logic [15:0]             tok_cur_o,
  output logic                    tok_blk_o,
  output logic [11:0]             tok_slot_o,

  output logic                    inv_valid_o,
  input  logic                    inv_ready_i,
  output weft_sq_pkg::inv_t       inv_o,
  output logic                    read_valid_o,
  input  logic                    read_ready_i,
  output weft_dp_pkg::tx_read_t   read_o,
  output logic                    fpdu_valid_o,
  input  logic                    fpdu_ready_i,
  output weft_dp_pkg::tx_fpdu_t   fpdu_o,
  output logic                    fpdu_more_o,   ///< with it: the next one joins it
  output logic                    src_valid_o,
  input  logic                    src_ready_i,
  output weft_dp_pkg::tx_src_t    src_o,
  output logic                    inl_valid_o,
  input  logic                    inl_ready_i,
  output logic                    val_valid_o,
  input  logic                    val_ready_i,
  output logic [DATA_W-1:0]       inl_data_o,    ///< of both streams
  output logic [CntW-1:0]         inl_cnt_o,
  output logic                    inl_last_o,
  output logic                    rep_busy_o,    ///< the replay's WQEs are being read
  output logic                    rep_out_o,     ///< a description of the replay was not taken yet
  output logic                    rest_o,        ///< no order is being worked on
  output logic                    idle_o
);

  typedef enum logic [2:0] {StIdle, StRead, StGo, StSge, StSkip, StInl} state_e;
  state_e              state_q;
  weft_sq_pkg::order_t o_q;
  logic                use_rep, take, wqe, apart_q;
  logic [12:0]         ref_d;
  weft_sq_pkg::order_t o_d;

  assign use_rep     = rep_valid_i && !(ord_valid_i && ord_i.ord && ord_i.joins);
  assign o_d         = use_rep ? rep_i : ord_i;
  assign ord_ready_o = state_q == StIdle && !use_rep;
  assign rep_ready_o = state_q == StIdle && use_rep;
  assign take        = state_q == StIdle && (ord_valid_i || rep_valid_i);
  assign ref_d       = o_d.ref_no;
  assign wqe         = o_q.sel == weft_sq_pkg::SelSge || o_q.sel == weft_sq_pkg::SelInl || o_q.sel == weft_sq_pkg::SelRead
                       || o_q.sel == weft_sq_pkg::SelNone;

  // ---------------------------------------------------------------- memories
  logic       next_line;
  logic [3:0] col_q;           // column of the SGE in the WQE: 2 is the first
  logic [1:0] line_d;
  assign line_re_o   = take || next_line;
  assign line_rep_o  = state_q == StIdle ? use_rep : o_q.again;
  assign line_addr_o = state_q == StIdle ? ref_d[LnW+3:0] : {o_q.ref_no[LnW+3:4], 4'(o_q.ref_no[3:0] + 4'(line_d))};
  assign val_re_o    = take;
  assign val_slot_o  = ref_d[7:0];
  assign rd_re_o     = take;
  assign rd_addr_o   = ref_d[RdW-1:0];

  weft_abi_pkg::sqe_t h;
  weft_abi_pkg::sge_t sge, sge0;
  logic [31:0]        r_sink_stag, r_src_stag, r_len;
  logic [63:0]        r_sink_to, r_src_to;
  assign h    = line_i[255:0];
  assign sge0 = line_i[383:256];
  assign sge  = line_i[128*col_q[1:0]+:128];
  assign {r_sink_stag, r_sink_to, r_len, r_src_stag, r_src_to} = rd_i;

  // ---------------------------------------------------------------- the walk
  logic [31:0] skip_q, rem;
  logic [15:0] left_q, piece;
  logic [7:0]  n_q;            // in-line bytes to go
  logic [255:0] hi_q;
  logic        room, d_room, s_room, c_room, skip_it, ends, whole, d_push, s_push, c_push, fin, none, is_sge, is_atom, later;
  logic [511:0] c_data;
  logic [6:0]  c_cnt;
  logic        c_last, c_val;
  weft_dp_pkg::tx_fpdu_t d_in;
  weft_dp_pkg::tx_src_t  s_in;

  assign room    = d_room && s_room && c_room;
  assign is_sge  = o_q.sel == weft_sq_pkg::SelSge;
  assign later   = o_q.mo != '0;
  assign rem     = sge.length - skip_q;
  assign skip_it = skip_q >= sge.length && col_q != 4'd15;
  assign whole   = 32'(left_q) >= rem;
  assign piece   = whole && col_q != 4'd15 ? rem[15:0] : left_q;
  assign ends    = piece == left_q;
  assign none    = o_q.sel == weft_sq_pkg::SelNone;
  assign is_atom = o_q.op == 4'(weft_pkg::RdAtomResp);

  always_comb begin
    d_push    = 1'b0;
    s_push    = 1'b0;
    c_push    = 1'b0;
    fin       = 1'b0;
    next_line = 1'b0;
    line_d    = 2'd0;
    unique case (state_q)
      StGo: begin
        if (o_q.sel == weft_sq_pkg::SelInv) begin
          fin = inv_ready_i;
        end else if (room) begin
          d_push = 1'b1;
          unique case (o_q.sel)
            weft_sq_pkg::SelSge: begin
              s_push = !skip_it;
              fin    = !skip_it && ends;
            end
            weft_sq_pkg::SelInl: begin
              s_push    = 1'b1;
              c_push    = o_q.len <= 16'd32 && !later;
              fin       = c_push;
              next_line = !c_push;
              line_d    = later ? o_q.mo[7:6] : 2'd1;
            end
            weft_sq_pkg::SelRead, weft_sq_pkg::SelVal, weft_sq_pkg::SelAtom: begin
              s_push = 1'b1;
              c_push = 1'b1;
              fin    = 1'b1;
            end
            default: begin
              s_push = 1'b1;
              fin    = 1'b1;
            end
          endcase
        end
      end
      StSge: begin
        if (s_room) begin
          s_push = !skip_it;
          fin    = !skip_it && ends;
        end
      end
      StSkip: begin
        if (c_room) begin
          c_push    = o_q.len <= 16'd32;
          fin       = c_push;
          next_line = !c_push;
          line_d    = o_q.mo[7:6] + 2'd1;
        end
      end
      StInl: begin
        if (c_room) begin
          c_push    = 1'b1;
          fin       = n_q <= 8'd64;
          next_line = !fin && n_q > 8'd96;
          line_d    = col_q[1:0];
        end
      end
      default: ;
    endcase
    // The last column of a line was used: the next one is read.
    if ((state_q == StGo || state_q == StSge) && is_sge && !fin && (s_push || (skip_it && s_room && (state_q == StSge || room)))
        && col_q[1:0] == 2'd3) begin
      next_line = 1'b1;
      line_d    = col_q[3:2] + 2'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle: if (take && o_d.ord) state_q <= (o_d.sel == weft_sq_pkg::SelRead && !o_d.again) ? StRead : StGo;
        StRead: if (read_ready_i) state_q <= StGo;
        StGo: begin
          if (fin) state_q <= StIdle;
          else if (room && o_q.sel != weft_sq_pkg::SelInv) begin
            if (o_q.sel == weft_sq_pkg::SelInl) state_q <= later ? StSkip : StInl;
            else state_q <= StSge;
          end
        end
        StSge:   if (fin) state_q <= StIdle;
        StSkip:  if (fin) state_q <= StIdle; else if (c_room) state_q <= StInl;
        StInl:   if (fin) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      o_q    <= o_d;
      // An FPDU that came between parts them; an operation on an STag is none.
      o_q.joins <= o_d.joins && !apart_q;
      if (take && o_d.ord && o_d.sel != weft_sq_pkg::SelInv) apart_q <= use_rep;
      col_q  <= 4'd2;
      skip_q <= o_d.mo;
      left_q <= o_d.len;
      n_q    <= o_d.len[7:0];
    end else if (state_q == StGo || state_q == StSge) begin
      if (o_q.sel == weft_sq_pkg::SelInl) begin
        hi_q <= line_i[511:256];
        if (next_line) col_q <= 4'd2;
      end else if (is_sge && (state_q == StSge ? s_room : room)) begin
        if (skip_it) begin
          skip_q <= skip_q - sge.length;
          col_q  <= col_q + 4'd1;
        end else begin
          skip_q <= whole ? 32'd0 : skip_q + 32'(piece);
          left_q <= left_q - piece;
          col_q  <= col_q + 4'(whole);
        end
      end
    end else if (state_q == StSkip) begin
      hi_q  <= line_i[511:256];
      if (next_line) col_q <= 4'd2 + 4'(o_q.mo[7:6]);
    end else if (state_q == StInl && c_push) begin
      n_q   <= n_q - 8'd64;
      hi_q  <= line_i[511:256];
      col_q <= col_q + 4'd1;
    end
  end

  // ---------------------------------------------------------------- description
  always_comb begin
    d_in = '0;
    if (d_push) begin
      d_in.who.qpn   = o_q.qpn;
      d_in.who.slot  = o_q.slot;
      d_in.link      = o_q.link;
      d_in.off       = o_q.off;
      d_in.len       = o_q.len;
      d_in.from      = o_q.again ? o_q.from : o_q.off;
      d_in.to        = o_q.again ? o_q.to : o_q.off + 64'(o_q.bytes);
      d_in.op        = o_q.op;
      d_in.last      = o_q.last;
      d_in.is_tagged = o_q.is_tagged;
      if (o_q.op == 4'(weft_pkg::RdReadResp)) begin
        d_in.stag    = r_sink_stag;
        d_in.to_addr = r_sink_to + 64'(o_q.mo);
        d_in.resp    = 1'b1;
      end else if (is_atom) begin
        d_in.resp    = 1'b1;
      end else if (o_q.is_tagged) begin
        d_in.stag    = h.rstag;
        d_in.to_addr = h.raddr + 64'(o_q.mo);
      end else if (o_q.op == 4'(weft_pkg::RdSendInv) || o_q.op == 4'(weft_pkg::RdSendSeInv)) begin
        d_in.stag = h.rstag;
      end
      d_in.qn      = o_q.qn;
      d_in.msn     = is_atom ? r_src_stag : o_q.msn;
      d_in.mo      = o_q.is_tagged ? 32'd0 : o_q.mo;
      d_in.raw     = o_q.raw;
      d_in.joins   = o_q.joins;
      d_in.psh     = o_q.last;
      d_in.again   = o_q.again;
      d_in.ask_id  = o_q.ask_id;
      d_in.fresh   = 1'b0;  // an inbound read came here when the writes in front of it had left
      d_in.gen     = o_q.gen;
      d_in.crc     = o_q.crc;
      d_in.markers = o_q.markers;
      d_in.first   = 64'(o_q.first);
      d_in.wqe     = o_q.wqe;
      d_in.edt     = o_q.edt;
    end
  end
  always_comb begin
    s_in = '0;
    if (s_push) begin
      s_in.last = fin || !is_sge;
      unique case (o_q.sel)
        weft_sq_pkg::SelSge: begin
          s_in.kind   = weft_dp_pkg::SrcMem;
          s_in.stag   = sge.lkey;
          s_in.to     = sge.addr + 64'(skip_q);
          s_in.len    = piece;
          s_in.access = 8'd1 << weft_abi_pkg::ACCESS_LOCAL_READ;
          s_in.pd     = o_q.pd;
          s_in.priv   = o_q.priv;
        end
        weft_sq_pkg::SelResp: begin
          s_in.kind   = weft_dp_pkg::SrcMem;
          s_in.stag   = r_src_stag;
          s_in.to     = r_src_to + 64'(o_q.mo);
          s_in.len    = o_q.len;
          s_in.access = 8'd1 << weft_abi_pkg::ACCESS_REMOTE_READ;
          s_in.pd     = o_q.pd;
        end
        weft_sq_pkg::SelInl, weft_sq_pkg::SelRead, weft_sq_pkg::SelAtom: begin
          s_in.kind = weft_dp_pkg::SrcInline;
          s_in.len  = o_q.len;
        end
        weft_sq_pkg::SelVal: begin
          s_in.kind = weft_dp_pkg::SrcValue;
          s_in.len  = o_q.len;
        end
        default: s_in.kind = weft_dp_pkg::SrcNone;
      endcase
    end
  end
  // ---------------------------------------------------------------- operations on STags
  logic [15:0] given_q;  // descriptions so far
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) given_q <= '0;
    else given_q <= given_q + 16'(d_push);
  end
  assign inv_valid_o = state_q == StGo && o_q.sel == weft_sq_pkg::SelInv;
  assign inv_o       = {o_q.slot, o_q.qpn, o_q.pd, o_q.mo, o_q.wqe, given_q, o_q.op == 4'(weft_abi_pkg::SQ_OPCODE_FAST_REG), o_q.op == 4'(weft_abi_pkg::SQ_OPCODE_BIND_MW),
                       h.raddr, line_i[511:256]};
  // ---------------------------------------------------------------- Read Request (RFC 5040 4.4), big endian
  logic [223:0] rq;
  for (genvar i = 0; i < 4; i++) begin : gen_rq4
    assign rq[8*i+:8]      = sge0.lkey[8*(3-i)+:8];
    assign rq[8*(12+i)+:8] = h.length[8*(3-i)+:8];
    assign rq[8*(16+i)+:8] = h.rstag[8*(3-i)+:8];
  end
  for (genvar i = 0; i < 8; i++) begin : gen_rq8
    assign rq[8*(4+i)+:8]  = sge0.addr[8*(7-i)+:8];
    assign rq[8*(20+i)+:8] = h.raddr[8*(7-i)+:8];
  end
  // ---------------------------------------------------------------- Atomic Request (RFC 7306 5.2.1), big endian
  // Its identifier is the MSN of the request: it is in the log record, so it is the same when it is sent again. Operands: data, mask, compare, its mask. Verbs
  // have no masks: fields of an addition are one, all of a compare and of a swap counts.
  weft_abi_pkg::sqe_atomic_t at;
  logic                      is_areq, is_swap;
  logic [415:0]              aq;
  assign at      = line_i[511:384];
  assign is_areq = o_q.op == 4'(weft_pkg::RdAtomReq);
  assign is_swap = h.opcode == weft_abi_pkg::SQ_OPCODE_CMP_SWAP;
  assign aq[31:0]    = {4'd0, is_swap ? weft_sq_pkg::AtomCmpSwap : weft_sq_pkg::AtomFetchAdd, 24'd0};
  for (genvar i = 0; i < 4; i++) begin : gen_aq4
    assign aq[8*(4+i)+:8] = o_q.msn[8*(3-i)+:8];
    assign aq[8*(8+i)+:8] = h.rstag[8*(3-i)+:8];
  end
  for (genvar i = 0; i < 8; i++) begin : gen_aq8
    assign aq[8*(12+i)+:8] = h.raddr[8*(7-i)+:8];
    assign aq[8*(20+i)+:8] = at.data[8*(7-i)+:8];
    assign aq[8*(28+i)+:8] = {8{is_swap}};
    assign aq[8*(36+i)+:8] = is_swap ? at.compare[8*(7-i)+:8] : 8'd0;
    assign aq[8*(44+i)+:8] = {8{is_swap}};
  end
  assign read_valid_o     = state_q == StRead;
  always_comb begin
    read_o          = '0;
    read_o.who.qpn  = o_q.qpn;
    read_o.who.slot = o_q.slot;
    read_o.sink_stag = sge0.lkey;
    read_o.sink_to   = sge0.addr;
    read_o.len       = is_areq ? o_q.msn : h.length;
    read_o.atomic    = is_areq;
    read_o.wqe       = o_q.wqe;
  end

  // ---------------------------------------------------------------- Immediate Data (RFC 7306 6.3), big endian
  logic        is_imm;
  logic [31:0] imm;
  assign is_imm = o_q.op == 4'(weft_pkg::RdImm) || o_q.op == 4'(weft_pkg::RdImmSe);
  for (genvar i = 0; i < 4; i++) begin : gen_imm
    assign imm[8*i+:8] = h.imm[8*(3-i)+:8];
  end

  // ---------------------------------------------------------------- Atomic Response (RFC 7306 5.2.2), big endian
  logic [95:0] atom;
  for (genvar i = 0; i < 4; i++) begin : gen_atom4
    assign atom[8*i+:8] = r_sink_stag[8*(3-i)+:8];
  end
  for (genvar i = 0; i < 8; i++) begin : gen_atom8
    assign atom[8*(4+i)+:8] = r_sink_to[8*(7-i)+:8];
  end

  // ---------------------------------------------------------------- packets, in chunks of 64 bytes
  always_comb begin
    c_data = '0;
    c_cnt  = n_q > 8'd64 ? 7'd64 : n_q[6:0];
    c_last = fin;
    c_val  = o_q.sel == weft_sq_pkg::SelVal;
    if (c_push) begin
      unique case (o_q.sel)
        weft_sq_pkg::SelRead: c_data = is_areq ? 512'(aq) : 512'(rq);
        weft_sq_pkg::SelAtom: c_data = 512'(atom);
        weft_sq_pkg::SelVal:  c_data = val_i;
        default: c_data = is_imm ? 512'({imm, 32'd0}) : state_q != StInl ? 512'(line_i[511:256]) : {line_i[255:0], hi_q};
      endcase
    end
  end

  logic         cf_v, cf_r, cf_last, cf_val, out_v, out_r;
  logic [511:0] cf_data;
  logic [6:0]   cf_cnt;
  logic [2:0]   cf_n;
  logic [3:0]   df_n;
  logic [4:0]   sf_n;
  weft_fifo #(.W(521), .DEPTH(4)) u_chunks (
    .clk_i, .rst_ni, .in_valid_i(c_push), .in_ready_o(c_room), .in_data_i({c_val, c_last, c_cnt, c_data}),
    .out_valid_o(cf_v), .out_ready_i(cf_r), .out_data_o({cf_val, cf_last, cf_cnt, cf_data}), .count_o(cf_n)
  );
  if (DATA_W == 512) begin : gen_whole
    assign inl_data_o = cf_data;
    assign inl_cnt_o  = CntW'(cf_cnt);
    assign inl_last_o = cf_last;
    assign cf_r       = out_r;
  end else begin : gen_cut
    localparam int unsigned N = 512 / DATA_W;
    logic [$clog2(N)-1:0] at_q;
    logic [6:0]           rest;
    logic                 end_c;
    assign rest       = cf_cnt - 7'(32'(at_q) * (DATA_W / 8));
    assign end_c      = rest <= 7'(DATA_W / 8);
    assign inl_data_o = cf_data[DATA_W*at_q+:DATA_W];
    assign inl_cnt_o  = end_c ? CntW'(rest) : CntW'(DATA_W / 8);
    assign inl_last_o = cf_last && end_c;
    assign cf_r       = out_r && end_c;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) at_q <= '0;
      else if (out_v && out_r) at_q <= end_c ? '0 : at_q + 1'b1;
    end
  end
  assign out_v       = cf_v;
  assign out_r       = cf_val ? val_ready_i : inl_ready_i;
  assign inl_valid_o = cf_v && !cf_val;
  assign val_valid_o = cf_v && cf_val;

  // The replay does not go between, so what stands next in the queue is next.
  logic more;
  assign more = !o_q.again && ord_valid_i && ord_i.ord && ord_i.joins;
  weft_fifo #(.W($bits(fpdu_o) + 1), .DEPTH(8)) u_fpdu (
    .clk_i, .rst_ni, .in_valid_i(d_push), .in_ready_o(d_room), .in_data_i({more, d_in}),
    .out_valid_o(fpdu_valid_o), .out_ready_i(fpdu_ready_i), .out_data_o({fpdu_more_o, fpdu_o}), .count_o(df_n)
  );
  weft_fifo #(.W($bits(src_o)), .DEPTH(16)) u_src (
    .clk_i, .rst_ni, .in_valid_i(s_push), .in_ready_o(s_room), .in_data_i(s_in),
    .out_valid_o(src_valid_o), .out_ready_i(src_ready_i), .out_data_o(src_o), .count_o(sf_n)
  );

  // ---------------------------------------------------------------- tokens
  logic tok_now;
  assign tok_now    = take && o_d.tok && !o_d.ord;
  assign tok_o      = tok_now || (fin && o_q.tok);
  assign tok_resp_o = state_q == StIdle ? o_d.tresp : o_q.tresp;
  assign tok_lane_o = state_q == StIdle ? o_d.lane : o_q.lane;
  assign tok_cur_o  = state_q == StIdle ? o_d.tcur : o_q.tcur;
  assign tok_blk_o  = state_q == StIdle ? o_d.tblk : o_q.tblk;
  assign tok_slot_o = state_q == StIdle ? o_d.slot : o_q.slot;
  assign rep_busy_o = state_q != StIdle && o_q.again;
  assign rest_o     = state_q == StIdle;
  logic [3:0] again_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) again_q <= '0;
    else again_q <= again_q + 4'(d_push && d_in.again) - 4'(fpdu_valid_o && fpdu_ready_i && fpdu_o.again);
  end
  assign rep_out_o = again_q != '0;
  assign idle_o     = state_q == StIdle && !ord_valid_i && !rep_valid_i && !fpdu_valid_o && !src_valid_o && !cf_v;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && take && o_d.ord && o_d.sel == weft_sq_pkg::SelInl) assert (o_d.mo + 32'(o_d.len) <= weft_abi_pkg::MAX_INLINE);
  end
`endif
  logic unused;
  assign unused = ^{h, at, sge0, sge, o_q, ref_d, r_len, wqe, none, out_v, df_n, sf_n, cf_n, col_q};

endmodule
