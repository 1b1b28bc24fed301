// SPDX-License-Identifier: BSD-2-Clause

/// Placement: takes the translations of each item, cuts its payload at the pieces and writes them to
/// host memory. Items leave in order; one with payload may count as placed when a credit for it came
/// (`placed_o`), which is when its last beat was accepted by the posted stream.
///
/// A translation that fails makes the item a fault and the QP dead: its later items place nothing.
module weft_rx_place #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned N_QP = 16,    ///< queue pairs, a power of two, 2 or more
  localparam int unsigned Bytes = DATA_W / 8,
  localparam int unsigned CntW = $clog2(Bytes) + 1,
  localparam int unsigned QpW = $clog2(N_QP)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  item_valid_i,
  output logic                  item_ready_o,
  input  weft_rx_pkg::item_t    item_i,

  input  logic                  job_valid_i,  ///< one for each translation, in order
  output logic                  job_ready_o,
  input  logic                  job_last_i,   ///< last translation of its item
  input  logic                  xl_valid_i,
  output logic                  xl_ready_o,
  input  weft_pkg::xlate_rsp_t  xl_i,

  input  logic                  pay_valid_i,
  output logic                  pay_ready_o,
  input  logic [DATA_W-1:0]     pay_data_i,
  input  logic [CntW-1:0]       pay_cnt_i,
  input  logic                  pay_last_i,

  output logic                  wr_valid_o,
  input  logic                  wr_ready_i,
  output logic [DATA_W-1:0]     wr_data_o,
  output logic [CntW-1:0]       wr_cnt_o,
  output logic                  wr_last_o,
  output weft_pkg::dma_wr_hdr_t wr_hdr_o,

  output logic                  item_valid_o,
  input  logic                  item_ready_i,
  output weft_rx_pkg::item_t    item_o,
  output logic                  item_credit_o, ///< this item waits for one pulse of placed_o
  output logic                  placed_o,      ///< pulse: the last beat of an item was accepted

  output logic                  idle_o
);

  typedef enum logic [2:0] {StIdle, StStart, StPieces, StRest, StQuiet, StForward} state_e;

  state_e             state_q;
  weft_rx_pkg::item_t item_q;
  logic               dead, bad_q, credit_q;
  logic [QpW-1:0]     qp;
  logic               dead_we, dead_wd, fire_item;

  assign qp        = item_q.qpn[QpW-1:0];
  assign fire_item = state_q == StForward && item_ready_i;
  // Written with every item that ends or begins a life.
  assign dead_we   = fire_item && (item_q.kind == weft_rx_pkg::IkFault ||
                                   item_q.kind == weft_rx_pkg::IkLoad);
  assign dead_wd   = item_q.kind == weft_rx_pkg::IkFault;
  weft_ram_1r1w #(.W(1), .DEPTH(N_QP)) u_dead (.clk_i, .we_i(dead_we), .waddr_i(qp),
    .wdata_i(dead_wd), .re_i(state_q == StIdle), .raddr_i(item_i.qpn[QpW-1:0]), .rdata_o(dead));

  // ------------------------------------------------ pieces
  logic cut_valid, cut_ready, cut_last;
  logic [15:0] cut_len;
  logic piece_end, xl_ok, use_piece, xl_take;

  assign xl_ok     = xl_i.err == weft_pkg::XlOk;
  assign piece_end = xl_i.last && job_last_i;
  assign use_piece = xl_ok && !bad_q && item_q.pay;
  assign xl_take   = state_q == StPieces && xl_valid_i && job_valid_i && (!use_piece || cut_ready);
  assign xl_ready_o  = state_q == StPieces && job_valid_i && (!use_piece || cut_ready);
  assign job_ready_o = xl_take && xl_i.last;

  assign cut_valid = (state_q == StPieces && xl_valid_i && job_valid_i && use_piece) ||
                     state_q == StRest;
  assign cut_len   = state_q == StRest ? 16'd0 : xl_i.len;
  assign cut_last  = state_q == StRest || piece_end;

  // Terminate code of a failed translation.
  logic [15:0] code;
  logic [1:0]  hdrs;
  logic        local_mem;
  logic [7:0]  status;
  always_comb begin
    local_mem = item_q.op != weft_pkg::RdWrite && item_q.op != weft_pkg::RdReadResp &&
                item_q.op != weft_pkg::RdReadReq;
    status = xl_i.err == weft_pkg::XlBus ? weft_abi_pkg::WC_STATUS_FATAL_ERR
                                         : weft_abi_pkg::WC_STATUS_LOC_PROT_ERR;
    hdrs = item_q.op == weft_pkg::RdReadReq ? weft_rx_pkg::HdrRead : weft_rx_pkg::HdrDdp;
    unique case (xl_i.err)
      weft_pkg::XlPd:     code = weft_rx_pkg::TermTagPd;
      // DDP has no code for a missing right: RDMAP's is used, as for Read Requests.
      weft_pkg::XlAccess: code = weft_rx_pkg::TermRdAccess;
      weft_pkg::XlWrap:   code = weft_rx_pkg::TermTagWrap;
      weft_pkg::XlBounds: code = weft_rx_pkg::TermTagBounds;
      default:            code = weft_rx_pkg::TermTagStag;
    endcase
    if (item_q.op == weft_pkg::RdReadReq) begin
      unique case (xl_i.err)
        weft_pkg::XlPd:     code = weft_rx_pkg::TermRdPd;
        weft_pkg::XlAccess: code = weft_rx_pkg::TermRdAccess;
        weft_pkg::XlWrap:   code = weft_rx_pkg::TermRdWrap;
        weft_pkg::XlBounds: code = weft_rx_pkg::TermRdBounds;
        default:            code = weft_rx_pkg::TermRdStag;
      endcase
    end
    if (local_mem || xl_i.err == weft_pkg::XlBus) begin
      code = local_mem ? weft_rx_pkg::TermLocal : weft_rx_pkg::TermPlacement;
      hdrs = weft_rx_pkg::HdrNone;
    end
  end

  // ------------------------------------------------ control
  logic token;
  assign token = item_q.kind == weft_rx_pkg::IkLoad || item_q.kind == weft_rx_pkg::IkState ||
                 item_q.kind == weft_rx_pkg::IkDrain;
  logic quiet;

  assign item_ready_o  = state_q == StIdle;
  assign item_valid_o  = state_q == StForward;
  assign item_o        = item_q;
  assign item_credit_o = credit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (item_valid_i) state_q <= StStart;
        StStart: begin
          if (token) state_q <= StQuiet;
          else if (item_q.jobs) state_q <= StPieces;
          else state_q <= item_q.pay ? StRest : StForward;
        end
        StPieces: begin
          if (xl_take && piece_end)
            state_q <= (item_q.pay && (bad_q || !xl_ok)) ? StRest : StForward;
        end
        StRest:  if (cut_ready) state_q <= StForward;
        StQuiet: if (quiet) state_q <= StForward;
        default: if (item_ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      item_q   <= item_i;
      credit_q <= 1'b0;
    end
    if (state_q == StStart) bad_q <= dead && item_q.kind != weft_rx_pkg::IkLoad;
    if (xl_take) begin
      if (!xl_ok && !bad_q) begin
        item_q.kind   <= weft_rx_pkg::IkFault;
        item_q.code   <= code;
        item_q.hdrs   <= hdrs;
        item_q.irq    <= 1'b0;
        item_q.cqe    <= local_mem;
        item_q.status <= status;
        bad_q         <= 1'b1;
      end
      credit_q <= use_piece && piece_end;
    end
  end

  // ------------------------------------------------ the writes
  typedef struct packed {
    logic [63:0] addr;
    logic [15:0] len;
    logic        drop;
    logic        last;
  } out_t;

  logic split_ready, fifo_ready, out_valid, out_ready, s_valid, s_ready, s_last, s_err;
  logic [4:0] out_count;
  out_t out_in, out;

  assign cut_ready = split_in_ready && fifo_ready;
  logic split_in_ready;
  assign out_in = {xl_i.addr, cut_len, state_q == StRest, cut_last};

  // Cut commands run ahead of the data.
  logic c_valid, c_ready, c_last;
  logic [15:0] c_len;
  logic [4:0]  c_count;
  weft_fifo #(.W(17), .DEPTH(16)) u_cut (
    .clk_i, .rst_ni, .in_valid_i(cut_valid && fifo_ready), .in_ready_o(split_in_ready),
    .in_data_i({cut_len, cut_last}), .out_valid_o(c_valid), .out_ready_i(c_ready),
    .out_data_o({c_len, c_last}), .count_o(c_count)
  );
  weft_fifo #(.W(82), .DEPTH(16)) u_hdr (
    .clk_i, .rst_ni, .in_valid_i(cut_valid && split_in_ready), .in_ready_o(fifo_ready),
    .in_data_i(out_in), .out_valid_o(out_valid), .out_ready_i(out_ready),
    .out_data_o(out), .count_o(out_count)
  );

  weft_stream_split #(.DATA_W(DATA_W)) u_split (
    .clk_i, .rst_ni, .cut_valid_i(c_valid), .cut_ready_o(c_ready), .cut_len_i(c_len),
    .cut_last_i(c_last),
    .in_valid_i(pay_valid_i), .in_ready_o(pay_ready_o), .in_data_i(pay_data_i),
    .in_cnt_i(pay_cnt_i), .in_last_i(pay_last_i), .in_err_i(1'b0),
    .out_valid_o(s_valid), .out_ready_i(s_ready), .out_data_o(wr_data_o), .out_cnt_o(wr_cnt_o),
    .out_last_o(s_last), .out_err_o(s_err)
  );

  assign wr_valid_o  = s_valid && out_valid && !out.drop;
  assign s_ready     = out_valid && (out.drop || wr_ready_i);
  assign wr_last_o   = s_last;
  assign wr_hdr_o    = {out.len, out.addr};
  assign out_ready   = s_valid && s_ready && s_last;
  assign placed_o    = out_ready && out_valid && !out.drop && out.last;
  assign quiet       = out_count == '0;
  assign split_ready = split_in_ready;
  assign idle_o      = state_q == StIdle && quiet;

  logic unused;
  assign unused = split_ready ^ s_err ^ (^c_count);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && s_valid && out_valid && s_last)
      assert (!s_err) else $error("weft_rx_place: pieces do not fit the payload");
  end
`endif

endmodule
