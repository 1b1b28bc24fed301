// SPDX-License-Identifier: BSD-2-Clause

/// Image loader: reads the header, checks it, reads the code to RAM address 0, checks its CRC32c,
/// starts the processor. Every refusal ends in `refused_o` with a weft_abi fw_error; a new start is
/// taken then. It drives the same copy engine (weft_mgmt_in) that firmware uses later.
module weft_mgmt_loader #(
  parameter int unsigned RAM_AW = 14,
  parameter int unsigned CHUNK = 2048  ///< bytes of one read, 64 to 16384
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,      ///< pulse, ignored unless idle or refused
  input  logic [63:0]       addr_i,
  input  logic [31:0]       len_i,
  output logic              busy_o,
  output logic              refused_o,
  output logic              loaded_o,
  output logic [7:0]        error_o,
  output logic [31:0]       version_o,
  output logic              run_o,        ///< pulse: start the processor
  output logic [31:0]       entry_o,

  output logic              job_valid_o,
  input  logic              job_ready_i,
  output logic [63:0]       job_host_o,
  output logic [RAM_AW-1:0] job_word_o,
  output logic [14:0]       job_len_o,
  output logic              job_sink_o,
  input  logic              done_i,
  input  logic              done_err_i,
  input  logic              snoop_valid_i,
  input  logic [3:0]        snoop_word_i,   ///< word of the header
  input  logic [31:0]       snoop_data_i
);

  localparam logic [31:0] HEADER = 32'd64;
  localparam logic [31:0] LIMIT = 32'd4 << RAM_AW;
  localparam logic [7:0] ErrLength = 8'd1, ErrMagic = 8'd2, ErrAbi = 8'd3, ErrCrc = 8'd4, ErrDma = 8'd5;

  initial begin
    if (CHUNK < 64 || CHUNK > 16384 || CHUNK % 64 != 0) $error("CHUNK");
  end

  typedef enum logic [2:0] { StIdle, StHeader, StCheck, StCode, StCrc, StLoaded, StRefused } state_e;
  state_e      state_q;
  logic [63:0] addr_q;
  logic [31:0] magic_q, abi_q, code_bytes_q, code_crc_q;
  logic [31:0] asked_q, body_q, crc_q;
  logic [5:0]  open_q;      // reads under way
  logic        asked_header_q, dma_err_q;

  // What was not asked for, and in the next cycle the length of the next read.
  logic [31:0] left_q;
  logic [14:0] len_q;
  logic        len_ok_q;
  assign job_valid_o = (state_q == StHeader && !asked_header_q)
                       || (state_q == StCode && len_ok_q && len_q != '0 && !dma_err_q);
  assign job_sink_o = state_q == StHeader;
  assign job_host_o = addr_q;
  assign job_word_o = asked_q[RAM_AW+1:2];
  assign job_len_o = job_sink_o ? HEADER[14:0] : len_q;

  logic pushed;
  assign pushed = job_valid_o && job_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      addr_q <= '0;
      magic_q <= '0;
      abi_q <= '0;
      version_o <= '0;
      code_bytes_q <= '0;
      code_crc_q <= '0;
      entry_o <= '0;
      asked_q <= '0;
      body_q <= '0;
      left_q <= '0;
      len_q <= '0;
      len_ok_q <= 1'b0;
      crc_q <= '0;
      open_q <= '0;
      asked_header_q <= 1'b0;
      dma_err_q <= 1'b0;
      error_o <= '0;
      run_o <= 1'b0;
    end else begin
      run_o <= 1'b0;
      open_q <= open_q + 6'(pushed) - 6'(done_i);
      if (done_i && done_err_i) dma_err_q <= 1'b1;
      if (pushed) addr_q <= addr_q + 64'(job_len_o);
      if (snoop_valid_i && state_q == StHeader) begin
        unique case (snoop_word_i)
          4'd0: magic_q <= snoop_data_i;
          4'd1: abi_q <= snoop_data_i;
          4'd2: version_o <= snoop_data_i;
          4'd3: code_bytes_q <= snoop_data_i;
          4'd4: code_crc_q <= snoop_data_i;
          4'd5: entry_o <= snoop_data_i;
          default: ;
        endcase
      end
      if (snoop_valid_i && state_q == StCode) crc_q <= weft_mgmt_pkg::crc32c_word(crc_q, snoop_data_i);

      unique case (state_q)
        StIdle, StRefused: if (start_i) begin
          addr_q <= addr_i;
          body_q <= len_i - HEADER;
          asked_q <= '0;
          asked_header_q <= 1'b0;
          dma_err_q <= 1'b0;
          crc_q <= '1;
          error_o <= '0;
          state_q <= StHeader;
          if (len_i <= HEADER || len_i > LIMIT + HEADER || len_i[1:0] != 0) begin
            error_o <= ErrLength;
            state_q <= StRefused;
          end
        end
        StHeader: begin
          if (pushed) asked_header_q <= 1'b1;
          left_q <= body_q;
          len_ok_q <= 1'b0;
          if (done_i) state_q <= StCheck;
        end
        StCheck: begin
          state_q <= StRefused;
          if (dma_err_q) error_o <= ErrDma;
          else if (magic_q != weft_abi_pkg::MAGIC) error_o <= ErrMagic;
          else if (abi_q[15:0] != 16'(weft_abi_pkg::ABI_MAJOR)) error_o <= ErrAbi;
          else if (abi_q[31:16] != 16'd64) error_o <= ErrMagic;
          else if (code_bytes_q != body_q) error_o <= ErrLength;
          else if (entry_o[1:0] != 0 || entry_o >= body_q) error_o <= ErrMagic;
          else state_q <= StCode;
        end
        StCode: begin
          len_q <= left_q > CHUNK ? 15'(CHUNK) : left_q[14:0];
          len_ok_q <= !pushed;
          if (pushed) begin
            asked_q <= asked_q + 32'(len_q);
            left_q <= left_q - 32'(len_q);
          end
          if ((left_q == 0 || dma_err_q) && open_q == 0) state_q <= StCrc;
        end
        StCrc: begin
          if (dma_err_q || ~crc_q != code_crc_q) begin
            error_o <= dma_err_q ? ErrDma : ErrCrc;
            state_q <= StRefused;
          end else begin
            run_o <= 1'b1;
            state_q <= StLoaded;
          end
        end
        default: ;
      endcase
    end
  end

  assign busy_o = state_q != StIdle && state_q != StRefused && state_q != StLoaded;
  assign refused_o = state_q == StRefused;
  assign loaded_o = state_q == StLoaded;

endmodule
