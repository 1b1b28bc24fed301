// SPDX-License-Identifier: BSD-2-Clause

// Outputs that are not needed are left open.
/* verilator lint_off PINCONNECTEMPTY */

/// One ring of 16-byte descriptors in host memory: fetches ahead in batches of up to BATCH, several
/// batches under way, and offers descriptors in order. Indices run freely modulo 65536; descriptor i
/// lies at base + (i mod 2^log2) * 16.
///
/// Disabling throws away what was fetched, and keeps the indices; what was asked for still comes. Loading
/// enables, and starts at index 0; the ring must be empty then.
module weft_l2_ring #(
  parameter int unsigned DEPTH = 32,  ///< descriptors held or under way, a power of two, 2 * BATCH or more
  parameter int unsigned BATCH = 8    ///< descriptors of one read, a power of two, at most 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         load_i,      ///< the ring was enabled
  input  logic         en_i,
  input  logic [63:0]  base_i,
  input  logic [3:0]   log2_i,      ///< 1 to 15
  input  logic         db_valid_i,  ///< producer index
  input  logic [15:0]  db_index_i,

  output logic         req_valid_o,
  input  logic         req_ready_i,
  output logic [63:0]  req_addr_o,
  output logic [3:0]   req_num_o,   ///< descriptors, 1 to BATCH
  input  logic         rsp_valid_i,  ///< a descriptor; it always has room
  input  logic [127:0] rsp_desc_i,
  input  logic         rsp_err_i,    ///< the read failed

  output logic         desc_valid_o,
  input  logic         desc_ready_i,
  output logic [127:0] desc_o,
  output logic         desc_err_o,
  output logic [15:0]  desc_index_o,
  output logic         more_o,      ///< a descriptor is here or will come without another doorbell
  output logic         empty_o,     ///< nothing here, nothing under way
  output logic         idle_o       ///< nothing under way, nothing to ask for now
);

  localparam int unsigned CountW = $clog2(DEPTH) + 1;

  typedef enum logic [1:0] {StLook, StCut, StAsk} state_e;

  state_e            state_q;
  logic [15:0]       pi_q, fetch_q, out_q, avail_q, to_end_q, size, slot;
  // held_q: asked for and not given away; way_q: asked for and not answered
  logic [CountW-1:0] held_q, way_q, room_q;
  logic              want;
  logic [3:0]        num_q, num;
  logic              pop, asked;

  assign size  = 16'd1 << log2_i;
  assign slot  = fetch_q & (size - 16'd1);
  assign pop   = desc_valid_o && (desc_ready_i || !en_i);
  assign asked = req_valid_o && req_ready_i;

  always_comb begin
    num = 4'(BATCH);
    if (avail_q < 16'(num)) num = avail_q[3:0];
    if (to_end_q < 16'(num)) num = to_end_q[3:0];
    if (16'(room_q) < 16'(num)) num = 4'(room_q);
  end

  assign req_valid_o = state_q == StAsk;
  assign req_num_o   = num_q;
  assign req_addr_o  = base_i + {44'd0, slot, 4'd0};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StLook;
      pi_q     <= '0;
      fetch_q  <= '0;
      out_q    <= '0;
      held_q   <= '0;
      way_q    <= '0;
      num_q    <= '0;
      avail_q  <= '0;
      to_end_q <= '0;
      room_q   <= '0;
    end else begin
      way_q  <= way_q + (asked ? CountW'(num_q) : '0) - CountW'(rsp_valid_i);
      held_q <= held_q + (asked ? CountW'(num_q) : '0) - CountW'(pop);
      if (pop) out_q <= out_q + 1'b1;
      if (db_valid_i && en_i) pi_q <= db_index_i;
      unique case (state_q)
        StLook: begin
          avail_q  <= pi_q - fetch_q;
          to_end_q <= size - slot;
          room_q   <= CountW'(DEPTH) - held_q;
          if (want) state_q <= StCut;
        end
        StCut: begin
          num_q   <= num;
          state_q <= (en_i && num != '0) ? StAsk : StLook;
        end
        default: begin
          if (req_ready_i) begin
            fetch_q <= fetch_q + 16'(num_q);
            state_q <= StLook;
          end
        end
      endcase
      if (load_i) begin
        state_q <= StLook;
        pi_q    <= '0;
        fetch_q <= '0;
        out_q   <= '0;
      end
    end
  end

  logic fifo_ready;
  weft_fifo #(.W(129), .DEPTH(DEPTH)) u_fifo (
    .clk_i, .rst_ni, .in_valid_i(rsp_valid_i), .in_ready_o(fifo_ready),
    .in_data_i({rsp_err_i, rsp_desc_i}),
    .out_valid_o(desc_valid_o), .out_ready_i(desc_ready_i || !en_i),
    .out_data_o({desc_err_o, desc_o}), .count_o()
  );

  assign desc_index_o = out_q;
  assign more_o       = en_i && !load_i && (held_q != '0 || pi_q != fetch_q);
  assign want         = en_i && pi_q != fetch_q && held_q <= CountW'(DEPTH - BATCH);
  assign empty_o      = held_q == '0 && state_q == StLook;
  assign idle_o       = way_q == '0 && state_q == StLook && !want;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!rsp_valid_i || fifo_ready);
  end
`else
  logic unused;
  assign unused = fifo_ready;
`endif

endmodule
/* verilator lint_on PINCONNECTEMPTY */
