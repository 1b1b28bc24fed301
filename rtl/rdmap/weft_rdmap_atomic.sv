// SPDX-License-Identifier: BSD-2-Clause

/// Executes an atomic operation (RFC 7306 5.1): takes the header of its request, reads 8 bytes, and writes what the arithmetic makes of them. One at
/// a time on the whole card, and who takes its writes sees each accepted before the next read is asked for. So it is atomic against those of all streams:
/// the read leaves behind all writes accepted so far, and PCIe lets no read pass a posted write, so it finds what the one before wrote.
/// Against the host's own processors, and against Writes of peers, it is not atomic.
module weft_rdmap_atomic #(
  parameter int unsigned DATA_W = 128,  ///< 64, 128, 256 or 512
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  /// Header of the request, big endian as on the wire, 52 bytes from the operation code on; with each beat the bus address, a multiple of 8.
  /// Offered when all that came before in its stream was written.
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  logic [DATA_W-1:0]     req_data_i,
  input  logic                  req_last_i,
  input  logic [63:0]           req_addr_i,

  output logic                  rd_valid_o,
  input  logic                  rd_ready_i,
  output weft_pkg::dma_rd_req_t rd_o,
  input  logic                  rd_valid_i,   ///< always taken: 8 bytes, one beat
  output logic                  rd_ready_o,
  input  logic [DATA_W-1:0]     rd_data_i,
  input  logic                  rd_err_i,

  output logic                  wr_valid_o,
  input  logic                  wr_ready_i,
  output weft_pkg::dma_wr_hdr_t wr_hdr_o,
  output logic [DATA_W-1:0]     wr_data_o,
  output logic [CntW-1:0]       wr_cnt_o,

  output logic                  done_o,       ///< pulse: executed, and what it writes is accepted
  output logic                  err_o,        ///< with done_o: it could not be read, and nothing was written
  output logic [63:0]           old_o,        ///< with done_o: the value before
  output logic                  idle_o
);
  localparam int unsigned Bytes = weft_rdmap_pkg::AtomBytes;
  localparam int unsigned HdrW = 8 * weft_rdmap_pkg::AtomHdrBytes;
  localparam int unsigned Beats = (HdrW + DATA_W - 1) / DATA_W;
  localparam int unsigned BeatW = $clog2(Beats + 1);
  localparam int unsigned BufW = Beats * DATA_W;

  typedef enum logic [2:0] {StHdr, StRead, StWait, StWrite, StDone} state_e;
  state_e           state_q;
  logic [BeatW-1:0] beat_q;
  logic [BufW-1:0]  buf_q;
  logic [63:0]      addr_q, old_q, fresh;
  logic             err_q, known, write;

  // Fields (RFC 7306 5.2.1): reserved and code 4, identifier 4, STag 4, TO 8, data 8, mask 8, compare 8, compare mask 8.
  weft_rdmap_alu u_alu (
    .op_i(buf_q[27:24]), .old_i(old_q), .data_i(weft_rdmap_pkg::be64(buf_q[160+:64])), .mask_i(weft_rdmap_pkg::be64(buf_q[224+:64])),
    .compare_i(weft_rdmap_pkg::be64(buf_q[288+:64])), .cmp_mask_i(weft_rdmap_pkg::be64(buf_q[352+:64])),
    .known_o(known), .write_o(write), .new_o(fresh)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StHdr;
      beat_q  <= '0;
    end else begin
      unique case (state_q)
        StHdr: if (req_valid_i) begin
          beat_q <= req_last_i ? '0 : beat_q + 1'b1;
          if (req_last_i) state_q <= StRead;
        end
        StRead:  if (rd_ready_i) state_q <= StWait;
        StWait:  if (rd_valid_i) state_q <= rd_err_i ? StDone : StWrite;
        StWrite: if (!write || wr_ready_i) state_q <= StDone;
        default: state_q <= StHdr;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StHdr && req_valid_i) begin
      buf_q[beat_q*DATA_W+:DATA_W] <= req_data_i;
      addr_q <= req_addr_i;
    end
    if (state_q == StWait && rd_valid_i) begin
      old_q <= rd_data_i[63:0];
      err_q <= rd_err_i;
    end
  end

  assign req_ready_o = state_q == StHdr;
  assign rd_valid_o  = state_q == StRead;
  always_comb begin
    rd_o          = '0;
    rd_o.after_wr = 1'b1;
    rd_o.len      = 16'(Bytes);
    rd_o.addr     = addr_q;
  end
  assign rd_ready_o    = 1'b1;
  assign wr_valid_o    = state_q == StWrite && write;
  assign wr_hdr_o      = {16'(Bytes), addr_q};
  assign wr_data_o     = DATA_W'(fresh);
  assign wr_cnt_o      = CntW'(Bytes);
  assign done_o        = state_q == StDone;
  assign err_o         = err_q;
  assign old_o         = old_q;
  assign idle_o        = state_q == StHdr && beat_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(req_valid_i && req_ready_o && req_last_i && 32'(beat_q) != Beats - 1)) else $error("%m: a header of another length");
      assert (!(req_valid_i && req_ready_o && req_addr_i[2:0] != '0)) else $error("%m: not aligned");
      assert (!(rd_valid_i && state_q != StWait)) else $error("%m: an answer that was not asked for");
      assert (!(state_q == StWrite && !known)) else $error("%m: an operation that is none");
    end
  end
`endif
  logic unused;
  assign unused = ^{known, buf_q, rd_data_i};

endmodule
