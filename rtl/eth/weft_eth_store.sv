// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// Way of the MAC's frames into the frame store, beside the parser. The wire is never held up:
///
///   no header record free, or 32 frames between here and their records: the frame is let go (`stat_lost_o`);
///   no block free, or the store does not take a beat in time: the frame goes to the parser, but has no body.
///
/// `fate` tells of each frame that went to the parser, in order, which record and which handle it has.
module weft_eth_store #(
  parameter int unsigned DATA_W = 64,       ///< 64, 128, 256 or 512
  parameter int unsigned BLOCKS = 128,      ///< see weft_pkt_store
  parameter int unsigned BEATS = 64,
  parameter int unsigned FRAME_MAX = 9022,  ///< bytes, no FCS
  parameter int unsigned ID_W = 8,
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned HndW = $clog2(BLOCKS)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  eth_rx_valid_i,
  input  logic [DATA_W-1:0]     eth_rx_data_i,
  input  logic [CntW-1:0]       eth_rx_cnt_i,
  input  logic                  eth_rx_last_i,
  input  logic                  eth_rx_err_i,    ///< with last: FCS

  input  logic                  id_valid_i,      ///< a free header record
  output logic                  id_ready_o,      ///< it is taken, by a frame's first beat
  input  logic [ID_W-1:0]       id_i,

  output logic                  pass_o,          ///< the beat on eth_rx goes to the parser

  output logic                  fate_valid_o,
  input  logic                  fate_ready_i,    ///< the frame has its record
  output logic [ID_W-1:0]       fate_id_o,
  output logic                  fate_body_o,
  output logic [HndW-1:0]       fate_handle_o,

  input  logic [1:0]            rd_valid_i,      ///< see weft_pkt_store
  output logic [1:0]            rd_ready_o,
  input  logic [1:0][HndW-1:0]  rd_handle_i,
  input  logic [1:0][15:0]      rd_off_i,
  input  logic [1:0][15:0]      rd_len_i,
  output logic [1:0]            out_valid_o,
  input  logic [1:0]            out_ready_i,
  output logic [1:0][DATA_W-1:0] out_data_o,
  output logic [1:0][CntW-1:0]  out_cnt_o,
  output logic [1:0]            out_last_o,
  input  logic                  free_valid_i,
  output logic                  free_ready_o,
  input  logic [HndW-1:0]       free_handle_i,

  output logic [HndW:0]         used_o,          ///< blocks
  output logic                  idle_o,
  output logic                  stat_lost_o,     ///< pulse: a frame was let go here
  output logic                  stat_full_o      ///< pulse: a frame has no body
);

  localparam int unsigned Inside = 32;

  // ---------------------------------------------------------------- admission
  logic       first_q, admit_q, stored_q, cut_q, term_q, admit, take, push, room, stored, enter, leave, cutting;
  logic [5:0] inside_q;
  logic [ID_W-1:0] cur_q, cur;
  assign admit      = first_q ? id_valid_i && inside_q < 6'(Inside) : admit_q;
  assign take       = eth_rx_valid_i && admit;
  assign enter      = take && first_q;
  assign leave      = fate_valid_o && fate_ready_i;
  assign id_ready_o = enter;
  assign pass_o     = take;
  assign cur        = first_q ? id_i : cur_q;

  // A frame that lost a beat is ended for the store by a beat of its own (term), as soon as there is room.
  assign push    = take && room && !term_q && (first_q || (stored_q && !cut_q));
  assign stored  = first_q ? push : stored_q;
  assign cutting = take && !first_q && stored_q && !cut_q && !push;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q     <= 1'b1;
      admit_q     <= 1'b0;
      term_q      <= 1'b0;
      inside_q    <= '0;
      stat_lost_o <= 1'b0;
    end else begin
      if (eth_rx_valid_i) begin
        first_q <= eth_rx_last_i;
        admit_q <= admit;
      end
      term_q      <= cutting || (term_q && !room);
      inside_q    <= inside_q + 6'(enter) - 6'(leave);
      stat_lost_o <= eth_rx_valid_i && eth_rx_last_i && !admit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      cur_q    <= cur;
      stored_q <= stored;
      cut_q    <= !first_q && (cut_q || cutting);
    end
  end

  // ---------------------------------------------------------------- beats
  logic              s_v, s_r, s_last, s_err;
  logic [DATA_W-1:0] s_data;
  logic [CntW-1:0]   s_cnt;
  weft_fifo #(.W(DATA_W + CntW + 2), .DEPTH(32)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(push || term_q), .in_ready_o(room),
    .in_data_i(term_q ? {2'b11, CntW'(1), DATA_W'(0)} : {eth_rx_err_i, eth_rx_last_i, eth_rx_cnt_i, eth_rx_data_i}),
    .out_valid_o(s_v), .out_ready_i(s_r), .out_data_o({s_err, s_last, s_cnt, s_data}), .count_o()
  );

  logic            put_v, put_ok, store_idle, p_v, p_ok;
  logic [HndW-1:0] put_handle, p_handle;
  weft_pkt_store #(.DATA_W(DATA_W), .BLOCKS(BLOCKS), .BEATS(BEATS), .MAX_BYTES(FRAME_MAX), .N_RD(2)) u_store (
    .clk_i, .rst_ni, .in_valid_i(s_v), .in_ready_o(s_r), .in_data_i(s_data), .in_cnt_i(s_cnt), .in_last_i(s_last),
    .in_err_i(s_err), .put_valid_o(put_v), .put_ready_i(1'b1), .put_ok_o(put_ok), .put_handle_o(put_handle),
    .put_len_o(), .rd_valid_i, .rd_ready_o, .rd_handle_i, .rd_off_i, .rd_len_i,
    .out_valid_o, .out_ready_i, .out_data_o, .out_cnt_o, .out_last_o, .free_valid_i, .free_ready_o, .free_handle_i,
    .used_o, .idle_o(store_idle), .stat_put_o(), .stat_full_o()
  );

  // ---------------------------------------------------------------- fates
  logic e_v, e_stored, put_room, e_room;
  weft_fifo #(.W(HndW + 1), .DEPTH(32)) u_puts (
    .clk_i, .rst_ni, .in_valid_i(put_v), .in_ready_o(put_room), .in_data_i({put_ok, put_handle}),
    .out_valid_o(p_v), .out_ready_i(leave && e_stored), .out_data_o({p_ok, p_handle}), .count_o()
  );
  weft_fifo #(.W(ID_W + 1), .DEPTH(32)) u_ends (
    .clk_i, .rst_ni, .in_valid_i(take && eth_rx_last_i), .in_ready_o(e_room), .in_data_i({stored, cur}),
    .out_valid_o(e_v), .out_ready_i(leave), .out_data_o({e_stored, fate_id_o}), .count_o()
  );
  assign fate_valid_o  = e_v && (!e_stored || p_v);
  assign fate_body_o   = e_stored && p_ok;
  assign fate_handle_o = p_handle;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stat_full_o <= 1'b0;
    else stat_full_o <= leave && !fate_body_o;
  end
  assign idle_o = first_q && !eth_rx_valid_i && inside_q == '0 && !s_v && !term_q && store_idle && !put_v;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!put_v || put_room) else $error("%m: a result has no room");
      assert (!(take && eth_rx_last_i) || e_room) else $error("%m: a fate has no room");
    end
  end
`else
  logic unused;
  assign unused = put_room ^ e_room;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
