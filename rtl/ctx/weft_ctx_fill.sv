// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Brings connections home: a read of 512 bytes "after all writes accepted so far" for each miss, up
/// to N_MISS in flight, frames before doorbells before the rest, but every eighth is one of those that wait
/// behind others. The last slot is firmware's, unless there is one for each connection: what peers and processes keep in the others
/// is ended by firmware's commands; one that firmware asks for while it waits for a slot changes to that class. When a home has come
/// its lines go to the rooms, to each room when the one before it has its own; up to N_BUF homes are on this way, each at another room. Then the directory is told, then
/// everybody, in the order of the reads. A home that cannot be read reaches no room, and takes its connection with it.
module weft_ctx_fill #(
  parameter int unsigned DATA_W = 128,
  parameter int unsigned N_QP = 1024,
  parameter int unsigned N_SLOT = 256,
  parameter int unsigned N_MISS = 64,
  parameter int unsigned N_ROOM = 4,
  parameter logic [23:0] ROOM_OF = 24'o32110000,  ///< room of each line, line 0 in bits 2:0; rising, and each room has one
  parameter int unsigned N_BUF = DATA_W >= 256 ? 4 : 2,  ///< homes that came and have not arrived, power of two
  localparam int unsigned QpW = $clog2(N_QP),
  localparam int unsigned SlW = $clog2(N_SLOT),
  localparam int unsigned MiW = $clog2(N_MISS),
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    fill_i,        ///< pulse: a new miss
  input  logic                    fill_wait_i,
  input  logic [MiW-1:0]          fill_miss_i,
  input  logic [QpW-1:0]          fill_qpn_i,
  input  logic [1:0]              fill_class_i,
  input  logic                    promo_i,       ///< pulse: firmware asks for fill_miss_i, too; another one follows 8 cycles later at the earliest
  input  logic                    go_i,          ///< pulse: a miss that waited may begin
  input  logic [MiW-1:0]          go_miss_i,

  output logic [MiW:0]            want_o,        ///< slots that misses wait for, the last one included
  output logic                    short_o,       ///< somebody waits, and there is no slot for him
  input  logic                    slot_last_i,   ///< there is one free slot or none
  input  logic                    slot_valid_i,
  output logic                    slot_ready_o,
  input  logic [SlW-1:0]          slot_i,
  output logic                    slot_free_o,   ///< pulse: not needed after all
  output logic [SlW-1:0]          slot_free_idx_o,

  output logic                    home_re_o,     ///< address of a home, a cycle later
  output logic [QpW-1:0]          home_qpn_o,
  input  logic                    home_ok_i,
  input  logic [63:0]             home_addr_i,

  output logic                    rd_req_valid_o,
  input  logic                    rd_req_ready_i,
  output weft_pkg::dma_rd_req_t   rd_req_o,
  input  logic                    rd_valid_i,
  output logic                    rd_ready_o,
  input  logic [DATA_W-1:0]       rd_data_i,
  input  logic                    rd_last_i,
  input  logic                    rd_err_i,

  output logic [N_ROOM-1:0]       line_valid_o,
  input  logic [N_ROOM-1:0]       line_ready_i,
  output logic [N_ROOM*553-1:0]   line_o,        ///< weft_dp_pkg::line_t each

  output logic                    op_valid_o,
  input  logic                    op_ready_i,
  output logic [3:0]              op_o,
  output logic [QpW-1:0]          op_qpn_o,
  output logic [SlW-1:0]          op_slot_o,
  output logic [MiW-1:0]          op_miss_o,

  input  logic [MiW-1:0]          came_miss_i,
  output logic                    for_fw_o,      ///< came_miss_i is firmware's, too
  output logic                    idle_o
);

  localparam int unsigned WhoW = QpW + MiW + SlW;
  localparam int unsigned TrkW = WhoW + 1;
  localparam int unsigned LineW = 553;
  localparam int unsigned BufW = $clog2(N_BUF);
  localparam int unsigned Beats = 512 / DATA_W;   // of a line
  localparam int unsigned BeatW = Beats > 1 ? $clog2(Beats) : 1;

  // ---------------------------------------------------------------- what waits
  localparam bit Keep = N_SLOT < N_QP;
  logic [3:0]             cq_v, cq_take;
  logic [3:0][MiW-1:0]    cq_m;
  logic [N_MISS-1:0][1:0] class_q;
  logic                   push;
  logic [1:0]             push_class;
  logic [MiW-1:0]         push_m, pick_m, i_m_q;
  logic [QpW-1:0]         i_qpn;
  logic                   pick;

  assign push       = go_i || (fill_i && !fill_wait_i);
  assign push_m     = go_i ? go_miss_i : fill_miss_i;
  assign push_class = go_i ? class_q[go_miss_i] : fill_class_i;
  // A miss that changes its class stays in the queue where it was, and is passed over when it comes out. In a queue it is once.
  logic                   pro_v_q, pro;
  logic [MiW-1:0]         pro_m_q, in_m;
  logic [N_MISS-1:0]      wait_q;             // it waits for a slot
  logic [3:0][N_MISS-1:0] in_q;               // it lies in the queue of that class
  logic [3:0]             in_v, out_v, stale, take;
  assign pro  = pro_v_q && !push && !fill_i;
  assign in_m = push ? push_m : pro_m_q;
  always_ff @(posedge clk_i) begin
    if (fill_i) class_q[fill_miss_i] <= fill_class_i;
    if (pro) class_q[pro_m_q] <= weft_dp_pkg::NeedFw;
    if (promo_i && !pro_v_q) pro_m_q <= fill_miss_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pro_v_q <= 1'b0;
      wait_q  <= '0;
      in_q    <= '0;
    end else begin
      pro_v_q <= promo_i || (pro_v_q && !pro);
      if (pick) wait_q[pick_m] <= 1'b0;
      if (push) wait_q[push_m] <= 1'b1;
      for (int unsigned c = 0; c < 4; c++) begin
        if (take[c]) in_q[c][cq_m[c]] <= 1'b0;
        if (in_v[c]) in_q[c][in_m] <= 1'b1;
      end
    end
  end
  for (genvar c = 0; c < 4; c++) begin : gen_class
    // One that lies there already is not put in again; if it comes out in this very cycle, it is.
    assign in_v[c]  = (push ? push_class == 2'(c) : pro && c == 3 && wait_q[pro_m_q])
                      && (!in_q[c][in_m] || (take[c] && cq_m[c] == in_m));
    assign stale[c] = out_v[c] && !(wait_q[cq_m[c]] && class_q[cq_m[c]] == 2'(c));
    assign cq_v[c]  = out_v[c] && !stale[c];
    assign take[c]  = cq_take[c] || stale[c];
    weft_fifo #(.W(MiW), .DEPTH(N_MISS)) u_wait (
      .clk_i, .rst_ni, .in_valid_i(in_v[c]), .in_ready_o(),
      .in_data_i(in_m), .out_valid_o(out_v[c]), .out_ready_i(take[c]), .out_data_o(cq_m[c]), .count_o()
    );
  end
  always_comb begin
    cq_take = '0;
    pick_m  = cq_m[0];
    if (fw_only) begin
      cq_take[3] = pick;
      pick_m     = cq_m[3];
    end else if (cq_v[0] && !(turn_q[2:0] == '1 && cq_v[3:1] != '0)) begin
      cq_take[0] = pick;
    end else if (cq_v[1] && !(turn_q == '1 && cq_v[3:2] != '0)) begin
      cq_take[1] = pick;
      pick_m     = cq_m[1];
    end else if (cq_v[2] && !(late_q && cq_v[3])) begin
      cq_take[2] = pick;
      pick_m     = cq_m[2];
    end else begin
      cq_take[3] = pick;
      pick_m     = cq_m[3];
    end
  end
  // The eighth is for doorbells, the sixteenth for timers and firmware, who take turns.
  logic [3:0]   turn_q;
  logic         late_q, fw_only;
  logic [MiW:0] n_wait_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q   <= '0;
      late_q   <= 1'b0;
      n_wait_q <= '0;
    end else begin
      if (pick) turn_q <= turn_q + 4'd1;
      if (cq_take[3:2] != '0) late_q <= cq_take[2];
      n_wait_q <= n_wait_q + (MiW + 1)'(push) - (MiW + 1)'(pick);
    end
  end
  weft_ram_1r1w #(.W(QpW), .DEPTH(N_MISS)) u_miss (
    .clk_i, .we_i(fill_i), .waddr_i(fill_miss_i), .wdata_i(fill_qpn_i),
    .re_i(pick), .raddr_i(pick_m), .rdata_o(i_qpn)
  );

  // ---------------------------------------------------------------- issue
  typedef enum logic [1:0] { IsIdle, IsQpn, IsHome, IsRead } is_e;
  is_e            is_q;
  logic [SlW-1:0] i_slot_q;
  logic           i_ok_q, trk_iv, trk_ir, trk_v, trk_take, t_ok;
  logic [63:0]    i_addr_q;
  logic [QpW-1:0] t_qpn;
  logic [MiW-1:0] t_miss;
  logic [SlW-1:0] t_slot;

  assign fw_only        = Keep && slot_last_i;
  assign pick           = is_q == IsIdle && (fw_only ? cq_v[3] : cq_v != '0) && slot_valid_i;
  assign slot_ready_o   = pick;
  assign short_o        = cq_v != '0 && (!slot_valid_i || (fw_only && !cq_v[3]));
  assign want_o         = n_wait_q + (MiW + 1)'(Keep && n_wait_q != '0);
  assign home_re_o      = is_q == IsQpn;
  assign home_qpn_o     = i_qpn;
  // The read and its record go together.
  assign rd_req_valid_o = is_q == IsRead && i_ok_q && trk_ir;
  assign trk_iv         = is_q == IsRead && (!i_ok_q || rd_req_ready_i);
  always_comb begin
    rd_req_o          = '0;
    rd_req_o.after_wr = 1'b1;
    rd_req_o.len      = 16'd512;
    rd_req_o.addr     = i_addr_q;
  end
  logic home_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_q   <= IsIdle;
      home_q <= 1'b0;
    end else begin
      home_q <= home_re_o;
      unique case (is_q)
        IsIdle:  if (pick) is_q <= IsQpn;
        IsQpn:   is_q <= IsHome;
        IsHome:  if (home_q) is_q <= IsRead;
        default: if (trk_iv && trk_ir) is_q <= IsIdle;
      endcase
    end
  end
  logic [QpW-1:0] i_qpn_q;
  always_ff @(posedge clk_i) begin
    if (pick) begin
      i_m_q    <= pick_m;
      i_slot_q <= slot_i;
    end
    if (is_q == IsQpn) i_qpn_q <= i_qpn;
    if (home_q) begin
      i_ok_q   <= home_ok_i;
      i_addr_q <= home_addr_i;
    end
  end
  weft_fifo #(.W(TrkW), .DEPTH(N_MISS)) u_track (
    .clk_i, .rst_ni, .in_valid_i(trk_iv), .in_ready_o(trk_ir), .in_data_i({i_ok_q, i_qpn_q, i_m_q, i_slot_q}),
    .out_valid_o(trk_v), .out_ready_i(trk_take), .out_data_o({t_ok, t_qpn, t_miss, t_slot}), .count_o()
  );

  // ---------------------------------------------------------------- homes that came
  // Of each home in turn: it came, each room has its lines, the directory knows. Numbers modulo 2 * N_BUF; the lower bits are its buffer.
  logic [511:0]                 mem [8*N_BUF];
  logic [N_BUF-1:0]             bad_q;
  logic [N_BUF-1:0][WhoW-1:0]   who_q;
  logic [BufW:0]                came_q, told_q;
  logic [N_ROOM-1:0][BufW:0]    gave_q;
  logic [BufW-1:0]              in_b, out_b;
  logic [2:0]                   line_q;
  logic [BeatW-1:0]             beat_q;
  logic [511:0]                 data_q, data_d;
  logic                         room, beat, line_end, lost;

  assign in_b       = came_q[BufW-1:0];
  assign room       = came_q != {~told_q[BufW], told_q[BufW-1:0]};
  assign rd_ready_o = trk_v && t_ok && room;
  assign beat       = rd_valid_i && rd_ready_o;
  assign line_end   = beat_q == BeatW'(Beats - 1);
  assign trk_take   = trk_v && room && (!t_ok || (beat && rd_last_i));
  always_comb begin
    data_d = data_q;
    for (int unsigned b = 0; b < Beats; b++) begin
      if (beat_q == BeatW'(b)) data_d[b*DATA_W+:DATA_W] = rd_data_i;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      came_q <= '0;
      line_q <= '0;
      beat_q <= '0;
    end else begin
      if (trk_take) came_q <= came_q + (BufW + 1)'(1);
      if (beat) begin
        beat_q <= rd_last_i || line_end ? '0 : beat_q + BeatW'(1);
        line_q <= rd_last_i ? '0 : line_q + 3'(line_end);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (beat) data_q <= data_d;
    if (beat && line_end) mem[{in_b, line_q}] <= data_d;
    if (trk_take) begin
      bad_q[in_b] <= !t_ok || rd_err_i;
      who_q[in_b] <= {t_qpn, t_miss, t_slot};
    end
  end

  // ---------------------------------------------------------------- lines
  // A room gets its lines when the one before it has those of the same home, so what is loaded first may count on nothing that comes later;
  // while it takes them the one before it is at the next home. Of a home that is lost nobody hears.
  // First line of a room, and the last one.
  function automatic logic [2:0] edge_line(input logic [2:0] r, input logic last);
    edge_line = '0;
    for (int i = 0; i < 8; i++) begin
      if (ROOM_OF[3*(last ? i : 7 - i)+:3] == r) edge_line = 3'(last ? i : 7 - i);
    end
  endfunction
  for (genvar r = 0; r < N_ROOM; r++) begin : gen_room
    localparam logic [2:0] First = edge_line(3'(r), 1'b0);
    localparam logic [2:0] Last = edge_line(3'(r), 1'b1);
    logic [2:0]         at_q;
    logic [BufW-1:0]    b;
    logic [BufW:0]      front;
    logic               has, done;
    weft_dp_pkg::line_t ln;
    if (r == 0) begin : gen_front
      assign front = came_q;
    end else begin : gen_front
      assign front = gave_q[r-1];
    end
    assign b               = gave_q[r][BufW-1:0];
    assign has             = gave_q[r] != front;
    assign line_valid_o[r] = has && !bad_q[b];
    assign done            = has && (bad_q[b] || (line_ready_i[r] && at_q == Last));
    always_comb begin
      ln          = '0;
      ln.who.qpn  = 24'(who_q[b][MiW+SlW+:QpW]);
      ln.who.slot = 12'(who_q[b][0+:SlW]);
      ln.line     = at_q;
      ln.data     = mem[{b, at_q}];
    end
    assign line_o[LineW*r+:LineW] = ln;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        gave_q[r] <= '0;
        at_q      <= First;
      end else begin
        if (done) gave_q[r] <= gave_q[r] + (BufW + 1)'(1);
        if (done) at_q <= First;
        else if (line_valid_o[r] && line_ready_i[r]) at_q <= at_q + 3'd1;
      end
    end
  end

  // ---------------------------------------------------------------- arrival
  // What an operation says is broadcast by the top, when the directory has done it.
  assign out_b           = told_q[BufW-1:0];
  assign lost            = bad_q[out_b];
  assign op_valid_o      = told_q != gave_q[N_ROOM-1];
  assign op_o            = lost ? weft_ctx_pkg::OpLost : weft_ctx_pkg::OpArrive;
  assign {op_qpn_o, op_miss_o, op_slot_o} = who_q[out_b];
  assign slot_free_o     = op_valid_o && op_ready_i && lost;
  assign slot_free_idx_o = op_slot_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) told_q <= '0;
    else if (op_valid_o && op_ready_i) told_q <= told_q + (BufW + 1)'(1);
  end
  assign for_fw_o        = class_q[came_miss_i] == weft_dp_pkg::NeedFw;
  assign idle_o          = out_v == '0 && !push && !pro_v_q && is_q == IsIdle && !trk_v && came_q == told_q;

`ifndef SYNTHESIS
  initial begin
    if (N_BUF < 2 || N_BUF > 8 || (N_BUF & (N_BUF - 1)) != 0) $fatal(1, "weft_ctx_fill: N_BUF");
    for (int i = 1; i < 8; i++) if (ROOM_OF[3*i+:3] < ROOM_OF[3*(i-1)+:3]) $fatal(1, "weft_ctx_fill: ROOM_OF");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (beat && rd_last_i && !rd_err_i) assert (line_q == 3'd7 && line_end) else $error("%m: a home that is short");
      if (beat && !rd_last_i) assert (!(line_q == 3'd7 && line_end)) else $error("%m: a home that is long");
    end
  end
`endif
  logic unused;
  assign unused = ^{CntW[0]};

endmodule
/* verilator lint_on PINCONNECTEMPTY */
