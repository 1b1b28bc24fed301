// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Look-up of the data path: hash, table, and firmware's commands on it (LOOK_* of weft_abi). A frame's
/// key enters whenever it comes, eleven cycles later its candidate is known; keys of a second try (`again`) and of
/// commands enter when no frame does.
///
/// The bus is never held: a command is written, runs (30 cycles or so, more while every cycle brings a
/// frame), and STATUS says how it ended.
module weft_eth_look #(
  parameter int unsigned N_QP = 64,
  parameter int unsigned SIG_W = 22,
  parameter int unsigned N_CAM = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,
  input  logic [63:0]           hash_key_i,

  input  logic                  cfg_req_valid_i,
  output logic                  cfg_req_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // the room bits are decoded outside
  input  weft_pkg::cfg_req_t    cfg_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                  cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t    cfg_rsp_o,

  input  logic                  key_valid_i,    ///< pulse a frame
  input  weft_eth_pkg::key_t    key_i,
  output logic                  res_valid_o,    ///< pulse, in order
  output logic                  res_hit_o,
  output logic [3:0]            res_cand_o,
  output logic [23:0]           res_qpn_o,

  input  logic                  again_valid_i,  ///< look up behind again_cand_i
  output logic                  again_ready_o,
  input  weft_eth_pkg::tok_t    again_tok_i,
  input  weft_eth_pkg::key_t    again_key_i,
  input  logic [3:0]            again_cand_i,
  output logic                  inj_valid_o,    ///< pulse; at most 16 are on their way and not gone
  output weft_eth_pkg::tok_t    inj_tok_o,
  input  logic                  inj_gone_i,

  output logic                  idle_o,
  output logic                  stat_move_o
);

  localparam logic [1:0] Frame = 2'd0, Again = 2'd1, Cmd = 2'd2;
  localparam int unsigned SideW = 2 + weft_eth_pkg::TokW + 4;

  // ---------------------------------------------------------------- second tries
  logic               g_v, g_take;
  weft_eth_pkg::tok_t g_tok;
  weft_eth_pkg::key_t g_key, c_key, key;
  logic [3:0]         g_cand;
  logic [4:0]         out_q;
  weft_fifo #(.W(weft_eth_pkg::TokW + weft_eth_pkg::KeyW + 4), .DEPTH(16)) u_again (
    .clk_i, .rst_ni, .in_valid_i(again_valid_i), .in_ready_o(again_ready_o),
    .in_data_i({again_tok_i, again_key_i, again_cand_i}),
    .out_valid_o(g_v), .out_ready_i(g_take), .out_data_o({g_tok, g_key, g_cand}), .count_o()
  );
  assign g_take = g_v && !key_valid_i && !out_q[4];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_q <= '0;
    else out_q <= out_q + 5'(g_take) - 5'(inj_gone_i);
  end

  // ---------------------------------------------------------------- hash, table
  logic              c_ask, h_v, t_v, t_done;
  logic [1:0]        kind, h_kind, t_kind;
  logic [63:0]       hash;
  weft_eth_pkg::tok_t h_tok;
  logic [3:0]        h_cand, t_cand;
  logic [2:0]        t_status;
  assign kind = key_valid_i ? Frame : g_take ? Again : Cmd;
  assign key  = key_valid_i ? key_i : g_take ? g_key : c_key;
  weft_eth_hash #(.SIDE_W(SideW)) u_hash (
    .clk_i, .rst_ni, .hash_key_i, .valid_i(key_valid_i || g_take || c_ask), .key_i(key),
    .side_i({kind, g_tok, g_cand}), .valid_o(h_v), .hash_o(hash), .side_o({h_kind, h_tok, h_cand})
  );
  logic [23:0] c_qpn;
  logic        c_remove;
  weft_eth_table #(.N_QP(N_QP), .SIG_W(SIG_W), .N_CAM(N_CAM), .SIDE_W(2 + weft_eth_pkg::TokW)) u_table (
    .clk_i, .rst_ni, .ready_o, .valid_i(h_v && h_kind != Cmd), .hash_i(hash), .behind_i(h_kind == Again),
    .cand_i(h_cand), .side_i({h_kind, h_tok}), .valid_o(t_v), .hit_o(res_hit_o), .cand_o(t_cand), .qpn_o(res_qpn_o),
    .side_o({t_kind, inj_tok_o}),
    .cmd_valid_i(h_v && h_kind == Cmd), .cmd_remove_i(c_remove), .cmd_hash_i(hash), .cmd_qpn_i(c_qpn),
    .done_o(t_done), .status_o(t_status), .stat_move_o
  );
  assign res_cand_o  = t_cand;
  assign res_valid_o = t_v && t_kind == Frame;
  assign inj_valid_o = t_v && t_kind == Again;

  // ---------------------------------------------------------------- commands
  logic [9:0][31:0] reg_q;
  logic [2:0]       status_q;
  logic             busy_q, asked_q, taken_q, rd_q, take, start, bad;
  logic [21:0]      at;
  assign at       = cfg_req_i.addr[21:0];
  assign take     = cfg_req_valid_i && !taken_q && !rd_q;
  assign start    = take && cfg_req_i.we && at == 22'(weft_abi_pkg::LOOK_CMD) && !bad;
  assign c_key    = {reg_q[9][31], reg_q[3:0], reg_q[7:4], reg_q[8]};
  assign c_qpn    = reg_q[9][23:0];
  assign c_ask    = busy_q && !asked_q && ready_o && !key_valid_i && !g_take;
  // The key stands still while a command works with it.
  assign bad      = at > 22'(weft_abi_pkg::LOOK_STATUS) || (cfg_req_i.we && busy_q)
                    || (cfg_req_i.we && at == 22'(weft_abi_pkg::LOOK_STATUS))
                    || (cfg_req_i.we && at == 22'(weft_abi_pkg::LOOK_CMD)
                        && cfg_req_i.wdata != 32'(weft_abi_pkg::LOOK_CMD_INSERT)
                        && cfg_req_i.wdata != 32'(weft_abi_pkg::LOOK_CMD_REMOVE));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q          <= 1'b0;
      asked_q         <= 1'b0;
      taken_q         <= 1'b0;
      rd_q            <= 1'b0;
      cfg_rsp_valid_o <= 1'b0;
      status_q        <= '0;
    end else begin
      taken_q         <= take;
      rd_q            <= take;
      cfg_rsp_valid_o <= rd_q;
      if (start) busy_q <= 1'b1;
      else if (t_done) busy_q <= 1'b0;
      asked_q <= !t_done && (asked_q || c_ask);
      if (t_done) status_q <= t_status;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take && cfg_req_i.we && !bad) begin
      for (int unsigned i = 0; i < 10; i++) if (at == 22'(4 * i)) reg_q[i] <= cfg_req_i.wdata;
    end
    if (start) c_remove <= cfg_req_i.wdata[1:0] == weft_abi_pkg::LOOK_CMD_REMOVE;
    if (take) begin
      cfg_rsp_o.err   <= bad;
      cfg_rsp_o.rdata <= '0;
      for (int unsigned i = 0; i < 10; i++) if (at == 22'(4 * i)) cfg_rsp_o.rdata <= reg_q[i];
      if (at == 22'(weft_abi_pkg::LOOK_STATUS)) cfg_rsp_o.rdata <= {busy_q, 28'b0, status_q};
    end
  end
  assign cfg_req_ready_o = taken_q;

  logic [3:0] frames_q;   // keys in hash and table
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) frames_q <= '0;
    else frames_q <= frames_q + 4'(key_valid_i) - 4'(res_valid_o);
  end
  assign idle_o = ready_o && frames_q == '0 && !key_valid_i && !g_v && out_q == '0 && !busy_q && !cfg_req_valid_i
                  && !taken_q && !rd_q && !cfg_rsp_valid_o;

endmodule
/* verilator lint_on PINCONNECTEMPTY */
