// SPDX-License-Identifier: BSD-2-Clause

/// Makes one packet of the in-line stream: `len_i` bytes that begin `skip_i` bytes into a run of
/// 16-byte words, read one every other cycle. The words are in-line data of a WQE slot, a value
/// slot, or the two words of a Read Request header.
module weft_qp_inline #(
  parameter int unsigned DATA_W = 64,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               start_i,     ///< pulse, when !busy_o
  input  logic [7:0]         skip_i,      ///< bytes
  input  logic [8:0]         len_i,       ///< bytes, 1 to 256
  output logic               busy_o,      ///< words are still needed

  output logic               re_o,        ///< word wanted; it is on word_i in the next cycle
  output logic [4:0]         idx_o,       ///< number of the word in the run
  input  logic [127:0]       word_i,

  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [DATA_W-1:0]  out_data_o,
  output logic [CntW-1:0]    out_cnt_o,
  output logic               out_last_o
);

  localparam int unsigned Sub = DATA_W < 128 ? 1 : DATA_W / 128;

  // ---------------------------------------------------------------- aligned chunks of 16 bytes
  typedef enum logic [2:0] {StIdle, StFirst, StHave, StRead, StShift} state_e;
  state_e       state_q;
  logic [4:0]   idx_q;
  logic [3:0]   rot_q;
  logic [8:0]   left_q;
  logic [127:0] prev_q;
  logic [255:0] both;
  logic         c_valid, c_ready, c_last;
  logic [127:0] c_data;
  logic [4:0]   c_cnt;

  assign busy_o  = state_q != StIdle;
  assign re_o    = state_q == StFirst || state_q == StRead;
  assign idx_o   = idx_q;
  assign c_valid = state_q == StShift;
  assign c_last  = left_q <= 9'd16;
  assign c_cnt   = c_last ? left_q[4:0] : 5'd16;
  // word_i is held by the memory until the next read.
  assign both    = {word_i, prev_q} >> {rot_q, 3'b000};
  assign c_data  = both[127:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (start_i) state_q <= StFirst;
        StFirst: state_q <= StHave;
        StHave:  state_q <= StRead;
        StRead:  state_q <= StShift;
        StShift: if (c_ready) state_q <= c_last ? StIdle : StHave;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        idx_q  <= {1'b0, skip_i[7:4]};
        rot_q  <= skip_i[3:0];
        left_q <= len_i;
      end
      StFirst: idx_q <= idx_q + 5'd1;
      StHave:  prev_q <= word_i;
      StRead:  idx_q <= idx_q + 5'd1;
      StShift: if (c_ready) left_q <= left_q - 9'd16;
      default: ;
    endcase
  end

  // ---------------------------------------------------------------- chunks to beats
  logic              out_valid_q, out_last_q;
  logic [DATA_W-1:0] out_data_q;
  logic [CntW-1:0]   out_cnt_q;

  if (DATA_W == 64) begin : gen_half
    logic hi_q, more;  // hi_q: the upper half is next
    assign more    = !hi_q && c_cnt > 5'd8;
    assign c_ready = (!out_valid_q || out_ready_i) && !more;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        out_valid_q <= 1'b0;
        hi_q        <= 1'b0;
      end else if (!out_valid_q || out_ready_i) begin
        out_valid_q <= c_valid;
        if (c_valid) hi_q <= more;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!out_valid_q || out_ready_i) begin
        out_data_q <= hi_q ? c_data[127:64] : c_data[63:0];
        out_cnt_q  <= hi_q ? CntW'(c_cnt - 5'd8) : more ? CntW'(8) : CntW'(c_cnt);
        out_last_q <= c_last && !more;
      end
    end
  end else begin : gen_fill
    localparam int unsigned SubW = Sub > 1 ? $clog2(Sub) : 1;
    logic [SubW-1:0] sub_q;
    logic            full;
    assign full    = c_last || 32'(sub_q) == Sub - 1;
    assign c_ready = !out_valid_q || out_ready_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        out_valid_q <= 1'b0;
        sub_q       <= '0;
      end else if (c_ready) begin
        out_valid_q <= c_valid && full;
        if (c_valid) sub_q <= full ? '0 : sub_q + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (c_ready && c_valid) begin
        out_data_q[128*sub_q+:128] <= c_data;
        out_cnt_q  <= CntW'(32'(sub_q) * 32'd16 + 32'(c_cnt));
        out_last_q <= c_last;
      end
    end
  end

  logic unused;
  assign unused = ^both[255:128];

  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_data_q;
  assign out_cnt_o   = out_cnt_q;
  assign out_last_o  = out_last_q;

endmodule
