// SPDX-License-Identifier: BSD-2-Clause

/// Raw beats of FPDUs on their way to the check: which words are valid, where the marker stands and
/// what
/// it has to point to. A register stage.
// lint: -GDATA_W=128
module weft_mpa_beat #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  localparam int unsigned W = DATA_W / 32
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  output logic                    ready_o,
  input  logic                    valid_i,    ///< only when ready_o
  input  logic                    first_i,    ///< of an FPDU; the next five belong to it
  input  logic [DATA_W-1:0]       data_i,
  input  logic [14:0]             total_i,    ///< words of it
  input  logic [6:0]              phase_i,    ///< words since the last marker's begin
  input  logic                    lead_i,     ///< it begins with a marker
  input  logic                    markers_i,
  input  logic                    crc_i,

  output logic                    s_valid_o,
  input  logic                    s_ready_i,
  output logic [DATA_W-1:0]       s_data_o,
  output weft_mpa_in_pkg::beat_t  s_o
);

  logic        valid_q, lead_q, lead, mk_q, markers, crc_q, crc, mk;
  logic [14:0] idx_q, idx, left_q, left;  // words of the FPDU before this beat, and from it on
  logic [6:0]  phase_q, phase, to_mk;

  assign ready_o = !valid_q || s_ready_i;
  assign idx     = first_i ? '0 : idx_q;
  assign left    = first_i ? total_i : left_q;
  assign phase   = first_i ? phase_i : phase_q;
  assign lead    = first_i ? lead_i : lead_q;
  assign markers = first_i ? markers_i : mk_q;
  assign crc     = first_i ? crc_i : crc_q;
  assign to_mk   = 7'd0 - phase;
  assign mk      = markers && 32'(to_mk) < W && 15'(to_mk) < left;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      s_data_o  <= data_i;
      s_o.chk   <= crc;
      s_o.first <= first_i;
      s_o.last  <= left <= 15'(W);
      s_o.words <= left <= 15'(W) ? left[4:0] : 5'(W);
      s_o.mk    <= mk;
      s_o.lane  <= to_mk[3:0];
      // From ULPDU_Length on, which stands behind the marker that leads; that one points to it with
      // 0.
      s_o.ptr   <= 14'(idx) + 14'(to_mk) - ((idx == '0 && to_mk == '0) ? 14'd0 : 14'(lead));
      idx_q     <= idx + 15'(W);
      left_q    <= left - 15'(W);
      phase_q   <= phase + 7'(W);
      lead_q    <= lead;
      mk_q      <= markers;
      crc_q     <= crc;
    end
  end
  assign s_valid_o = valid_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (!(valid_i && !ready_o));
`endif

endmodule
