// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Firmware's way to connections (room CTX of the configuration bus): chunks, commands on homes, and commands for the
/// rooms. Commands wait in a queue of DEPTH, so no access holds the bus, and are tried in turn; those of one QPN keep their order,
/// and one that has to wait stops no other's: a connection may stay away for as long as others let it.
///
/// A command for rooms asks ctx for its connection, again and again until it is home, and goes to every room that
/// it names with a pin for each; the room drops that pin when it has done the command. One that finds no connection is
/// answered by an event. One that was there while TRIES attempts of any command were in vain comes back: an event says so, with rooms and ARG,
/// and all commands for rooms of that QPN that wait behind it come back, too. So what keeps a connection away keeps no place of others.
/// Commands on homes are answered by an event each, in any order; there is room for it
/// before the command is given. SAVES of them are saves at most, as many as ctx has places for. A fill that fails is told by an
/// event, too, as of a command 0 that found nobody; of more than N_LOST that wait the rest is not told: the next command for such a
/// connection finds nobody.
module weft_ctx_fw #(
  parameter int unsigned N_QP = 1024,   ///< as of weft_ctx
  parameter int unsigned DEPTH = 16,    ///< commands that wait, power of two, 2 to 128
  parameter int unsigned SAVES = 4,     ///< saves that ctx takes at a time, at most 7
  parameter int unsigned TRIES = 1023,  ///< attempts in vain that a command sees, 2^n - 1, above DEPTH
  localparam int unsigned ChW = N_QP > 2048 ? $clog2(N_QP) - 10 : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    cfg_req_valid_i,
  output logic                    cfg_req_ready_o,
  input  weft_pkg::cfg_req_t      cfg_req_i,
  output logic                    cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t      cfg_rsp_o,

  // ctx
  output logic                    chunk_we_o,
  output logic [ChW-1:0]          chunk_idx_o,
  output logic                    chunk_valid_o,
  output logic [63:0]             chunk_addr_o,
  output logic                    home_valid_o,    ///< command on a home
  input  logic                    home_ready_i,
  output logic [2:0]              home_o,          ///< weft_ctx_pkg, "Commands"
  output logic [23:0]             home_qpn_o,
  input  logic                    ans_valid_i,
  input  logic [2:0]              ans_i,
  input  logic [23:0]             ans_qpn_i,
  input  logic                    ans_ok_i,
  output logic                    need_valid_o,    ///< class fw
  input  logic                    need_ready_i,
  output weft_dp_pkg::need_t      need_o,
  input  logic                    have_valid_i,
  input  weft_dp_pkg::have_t      have_i,
  input  logic                    arrive_valid_i,  ///< of all; only fills that failed count here
  input  weft_dp_pkg::arrive_t    arrive_i,
  output logic                    drop_valid_o,    ///< takes pins on: n is 1 less the number of rooms
  output logic [11:0]             drop_slot_o,
  output logic [3:0]              drop_n_o,

  input  logic                    held_valid_i,    ///< it keeps its slot while others wait: told by an event
  output logic                    held_ready_o,
  input  logic [23:0]             held_qpn_i,

  output logic [3:0]              cmd_valid_o,     ///< rooms: tcp, qp, mpa, rdmap from bit 0
  input  logic [3:0]              cmd_ready_i,
  output weft_dp_pkg::ctx_cmd_t   cmd_o,

  output logic                    ev_valid_o,
  input  logic                    ev_ready_i,
  output weft_dp_pkg::ctx_ev_t    ev_o,
  output logic                    idle_o
);

  localparam int unsigned CntW = $clog2(DEPTH + 1);
  localparam int unsigned AgeW = $clog2(TRIES + 1) + 1;
  localparam int unsigned QW = AgeW + 1 + 4 + 4 + 16;

  // ---------------------------------------------------------------- registers
  logic [23:0]                qpn_q;
  logic [15:0]                arg_q;
  logic [31:0]                lo_q, hi_q;
  logic                       rsp_q, we, push, room, known;
  logic [CntW-1:0]            count;
  weft_abi_pkg::ctx_command_t in;
  weft_pkg::cfg_rsp_t         rsp_d, r_q;
  logic [21:0]                at;

  assign cfg_req_ready_o = !rsp_q;
  assign we              = cfg_req_valid_i && cfg_req_ready_o && cfg_req_i.we;
  assign at              = cfg_req_i.addr[21:0];
  assign in              = cfg_req_i.wdata;
  assign push            = we && at == 22'(weft_abi_pkg::CTX_CMD) && room && known;
  // One that nobody would answer is refused here.
  assign known = in.home ? in.op <= 4'(weft_abi_pkg::HOME_OP_RELEASE)
                         : in.op >= 4'(weft_abi_pkg::CTX_OP_SET_STATE) && in.op <= 4'(weft_abi_pkg::CTX_OP_RESUME) && in.rooms != '0;
  always_comb begin
    rsp_d = '0;
    unique case (at)
      22'(weft_abi_pkg::CTX_QPN):      rsp_d.rdata = 32'(qpn_q);
      22'(weft_abi_pkg::CTX_ARG):      rsp_d.rdata = 32'(arg_q);
      22'(weft_abi_pkg::CTX_CMD):      rsp_d.err = !cfg_req_i.we || !room || !known;
      22'(weft_abi_pkg::CTX_STATUS):   rsp_d.rdata = 32'(CntW'(DEPTH) - count);
      22'(weft_abi_pkg::CTX_CHUNK_LO): rsp_d.rdata = lo_q;
      22'(weft_abi_pkg::CTX_CHUNK_HI): rsp_d.rdata = hi_q;
      22'(weft_abi_pkg::CTX_CHUNK_SET): rsp_d.err = !cfg_req_i.we || 32'(cfg_req_i.wdata[15:0]) >= (N_QP + 1023) / 1024
                                                    || (cfg_req_i.wdata[31] && lo_q[20:0] != '0);
      default:                         rsp_d.err = 1'b1;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= cfg_req_valid_i && cfg_req_ready_o;
  end
  always_ff @(posedge clk_i) begin
    if (cfg_req_valid_i && cfg_req_ready_o) r_q <= rsp_d;
    if (we && at == 22'(weft_abi_pkg::CTX_QPN)) qpn_q <= cfg_req_i.wdata[23:0];
    if (we && at == 22'(weft_abi_pkg::CTX_ARG)) arg_q <= cfg_req_i.wdata[15:0];
    if (we && at == 22'(weft_abi_pkg::CTX_CHUNK_LO)) lo_q <= cfg_req_i.wdata;
    if (we && at == 22'(weft_abi_pkg::CTX_CHUNK_HI)) hi_q <= cfg_req_i.wdata;
  end
  assign cfg_rsp_valid_o = rsp_q;
  assign cfg_rsp_o       = r_q;
  assign chunk_we_o      = we && at == 22'(weft_abi_pkg::CTX_CHUNK_SET) && !rsp_d.err;
  assign chunk_idx_o     = cfg_req_i.wdata[ChW-1:0];
  assign chunk_valid_o   = cfg_req_i.wdata[31];
  assign chunk_addr_o    = {hi_q, lo_q};

  // ---------------------------------------------------------------- the command whose turn it is
  typedef enum logic [2:0] { FwIdle, FwHome, FwNeed, FwHave, FwGive, FwNone } fw_e;
  fw_e         fw_q;
  logic        q_valid, q_take, q_home, q_save, full, later, stay, home_room, old, more, lasts, back_q, gone_v_q, none_go, e_room;
  logic [AgeW-1:0] vain_q, q_since;
  logic [23:0] gone_q;
  logic [23:0] q_qpn;
  logic [3:0]  q_op, q_rooms, left_q;
  logic [15:0] q_arg;
  logic [11:0] slot_q;
  logic [2:0]  n_rooms, saves_q;
  weft_turns #(.KEY_W(24), .W(QW), .DEPTH(DEPTH), .PACE(8)) u_queue (
    .clk_i, .rst_ni, .in_valid_i(push), .in_key_i(qpn_q), .in_data_i({vain_q, in.home, in.op, in.rooms, arg_q}), .full_o(full),
    .count_o(count), .look_key_i(gone_q), .hit_o(more), .out_valid_o(q_valid), .out_key_o(q_qpn),
    .out_data_o({q_since, q_home, q_op, q_rooms, q_arg}), .end_i(q_take || stay), .stay_i(stay)
  );
  assign room    = !full;
  assign n_rooms = 3'(q_rooms[0]) + 3'(q_rooms[1]) + 3'(q_rooms[2]) + 3'(q_rooms[3]);
  assign q_take  = (fw_q == FwHome && home_ready_i) || (fw_q == FwGive && (left_q & ~cmd_ready_i) == '0)
                   || none_go;
  assign q_save  = q_home && q_op[2:0] == weft_ctx_pkg::CmdSave;
  assign later   = have_i.state == weft_dp_pkg::HaveComing || have_i.state == weft_dp_pkg::HaveBusy;
  // Its time is over, or what went before it came back: no order of a connection's commands is lost.
  assign old     = AgeW'(vain_q - q_since) >= AgeW'(TRIES) && !gone_v_q;
  assign lasts   = gone_v_q && q_qpn == gone_q;
  assign stay    = (fw_q == FwIdle && q_valid && q_save && saves_q == 3'(SAVES)) || (fw_q == FwHave && have_valid_i && later && !old);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fw_q     <= FwIdle;
      left_q   <= '0;
      vain_q   <= '0;
      back_q   <= 1'b0;
      gone_v_q <= 1'b0;
    end else begin
      if (fw_q == FwHave && stay && !gone_v_q) vain_q <= vain_q + AgeW'(1);
      if (fw_q == FwNone && back_q && q_take) gone_v_q <= 1'b1;
      else if (!more) gone_v_q <= 1'b0;
      unique case (fw_q)
        FwIdle: begin
          if (q_valid && !stay && (!q_home || home_room)) fw_q <= q_home ? FwHome : lasts ? FwNone : FwNeed;
          back_q <= lasts;
        end
        FwHome:   if (home_ready_i) fw_q <= FwIdle;
        FwNeed:   if (need_ready_i) fw_q <= FwHave;
        FwHave: begin
          if (have_valid_i) begin
            left_q <= q_rooms;
            back_q <= later;
            unique case (have_i.state)
              weft_dp_pkg::HaveHome: fw_q <= FwGive;
              weft_dp_pkg::HaveNone: fw_q <= FwNone;
              default:               fw_q <= old ? FwNone : FwIdle;  // later, or never
            endcase
          end
        end
        FwGive: begin
          left_q <= left_q & ~cmd_ready_i;
          if (q_take) fw_q <= FwIdle;
        end
        default:  if (q_take) fw_q <= FwIdle;  // FwNone
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (have_valid_i && fw_q == FwHave) slot_q <= have_i.slot;
    if (!gone_v_q) gone_q <= q_qpn;
  end

  assign home_valid_o = fw_q == FwHome;
  assign home_o       = q_op[2:0];
  assign home_qpn_o   = q_qpn;
  assign need_valid_o = fw_q == FwNeed;
  always_comb begin
    need_o         = '0;
    need_o.qpn     = q_qpn;
    cmd_o          = '0;
    cmd_o.who.qpn  = q_qpn;
    cmd_o.who.slot = slot_q;
    cmd_o.op       = weft_dp_pkg::ctx_op_e'(q_op);
    cmd_o.arg      = q_arg;
  end
  assign cmd_valid_o  = fw_q == FwGive ? left_q : '0;
  // The pin of the answer is the first room's; those of the others are taken on while it is held.
  assign drop_valid_o = have_valid_i && fw_q == FwHave && have_i.state == weft_dp_pkg::HaveHome && n_rooms != 3'd1;
  assign drop_slot_o  = have_i.slot;
  assign drop_n_o     = 4'd1 - 4'(n_rooms);

  // ---------------------------------------------------------------- fills that failed
  localparam int unsigned N_LOST = 64;
  logic        lost_v, lost_go, lost_in_r;
  logic [23:0] lost_qpn;
  logic [$clog2(N_LOST):0] lost_n;
  weft_fifo #(.W(24), .DEPTH(N_LOST)) u_lost (
    .clk_i, .rst_ni, .in_valid_i(arrive_valid_i && !arrive_i.ok && lost_in_r), .in_ready_o(lost_in_r), .in_data_i(arrive_i.who.qpn),
    .out_valid_o(lost_v), .out_ready_i(lost_go), .out_data_o(lost_qpn), .count_o(lost_n)
  );

  // ---------------------------------------------------------------- answers
  logic [3:0]  owed_q;           // home commands that were given, and have no place used yet
  logic [4:0]  e_count;
  logic        e_in;
  logic        idle_in, held_go;
  logic [53:0] e_d, e;           // rooms, ARG, SLOT_HELD, qpn, code
  assign e_in = ans_valid_i || none_go || lost_go || held_go;
  assign e_d  = ans_valid_i ? {21'b0, ans_qpn_i, ans_ok_i, 5'd0, ans_i} : lost_go ? {21'b0, lost_qpn, 2'b01, 7'd0}
                : held_go ? {21'd1, held_qpn_i, 9'd0} : back_q ? {q_rooms, q_arg, 1'b0, q_qpn, 3'b011, 2'd0, q_op} : {21'b0, q_qpn, 2'b01, 3'd0, q_op};
  // Two places are kept: one for a command that finds nobody or comes back, and one for the count that is a cycle behind. Several of
  // these in a row wait, too: the places of answers that are owed are not theirs.
  assign home_room = 5'(owed_q) + e_count < 5'd14;
  assign none_go   = fw_q == FwNone && !ans_valid_i && 5'(owed_q) + e_count < 5'd15;
  // A fill that failed takes a place that no command's answer counts on.
  assign idle_in      = !ans_valid_i && fw_q != FwNone && 5'(owed_q) + e_count < 5'd12;
  assign lost_go      = lost_v && idle_in;
  assign held_go      = held_valid_i && !lost_v && idle_in;
  assign held_ready_o = held_go;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owed_q  <= '0;
      saves_q <= '0;
    end else begin
      owed_q  <= owed_q + 4'(fw_q == FwHome && home_ready_i) - 4'(ans_valid_i);
      saves_q <= saves_q + 3'(fw_q == FwHome && home_ready_i && q_save)
                 - 3'(ans_valid_i && (ans_i == weft_ctx_pkg::CmdSave || ans_i == weft_ctx_pkg::CmdBusy));
    end
  end
  weft_fifo #(.W(54), .DEPTH(16)) u_ans (
    .clk_i, .rst_ni, .in_valid_i(e_in), .in_ready_o(e_room), .in_data_i(e_d), .out_valid_o(ev_valid_o),
    .out_ready_i(ev_ready_i), .out_data_o(e), .count_o(e_count)
  );
  always_comb begin
    ev_o      = '0;
    ev_o.qpn  = e[32:9];
    ev_o.kind = e[33] ? 8'(weft_abi_pkg::FW_EV_SLOT_HELD) : 8'(weft_abi_pkg::FW_EV_HOME_DONE);
    ev_o.code = 16'(e[8:0]);
    ev_o.data0 = 32'(e[53:34]);
  end
  assign idle_o = count == '0 && fw_q == FwIdle && !ev_valid_o && !lost_v && owed_q == '0 && !cfg_req_valid_i && !held_valid_i && !rsp_q;

  logic unused;
  assign unused = ^{cfg_req_i.addr, have_i, arrive_i, in, lost_n};

`ifndef SYNTHESIS
  initial begin
    if (SAVES < 1 || SAVES > 7) $fatal(1, "weft_ctx_fw: SAVES");
    if (DEPTH < 2 || DEPTH > 128) $fatal(1, "weft_ctx_fw: DEPTH");
    if (TRIES <= DEPTH || TRIES != (1 << $clog2(TRIES)) - 1) $fatal(1, "weft_ctx_fw: TRIES");
    if (weft_abi_pkg::CTX_OP_SET_STATE != weft_dp_pkg::OpSetState || weft_abi_pkg::CTX_OP_CLOSE != weft_dp_pkg::OpClose || weft_abi_pkg::CTX_OP_RESUME != weft_dp_pkg::OpResume
        || weft_abi_pkg::HOME_OP_RELEASE != weft_ctx_pkg::CmdRelease || weft_abi_pkg::HOME_OP_SAVE != weft_ctx_pkg::CmdSave)
      $fatal(1, "weft_ctx_fw: numbers of commands");
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (e_room || !e_in) else $error("%m: no room for an answer");
  end
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
