// SPDX-License-Identifier: BSD-2-Clause

/// Frames to the line: flag, header, body, CRC, flag, with escapes. The body is up to five bytes of `body_i` or comes from the ring of
/// weft_bridge_tx. A byte every two cycles at most.
module weft_bridge_frame #(
  parameter int unsigned AW = 12
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  output logic          idle_o,       ///< what is asked for now begins
  input  logic          start_i,
  input  logic [7:0]    kind_i,
  input  logic [7:0]    seq_i,
  input  logic [15:0]   session_i,
  input  logic [8:0]    len_i,
  input  logic          ring_i,       ///< the body is in the ring, from addr_i on
  input  logic [AW-1:0] addr_i,
  input  logic [39:0]   body_i,
  output logic          ram_re_o,
  output logic [AW-1:0] ram_raddr_o,
  input  logic [7:0]    ram_rdata_i,
  output logic          out_valid_o,
  input  logic          out_ready_i,
  output logic [7:0]    out_data_o
);

  typedef enum logic [2:0] {StIdle, StOpen, StFetch, StSend, StClose} state_e;
  state_e        state_q;
  logic [9:0]    idx_q, last;
  logic [8:0]    len_q;
  logic          ring_q, esc_q, special, in_head, in_body, sent;
  logic [47:0]   head_q;
  logic [39:0]   body_q;
  logic [AW-1:0] addr_q;
  logic [31:0]   crc_q, crc;
  logic [7:0]    raw;

  assign idle_o  = state_q == StIdle;
  assign in_head = idx_q < 10'd6;
  assign in_body = !in_head && idx_q < 10'd6 + {1'b0, len_q};
  assign last    = 10'd9 + {1'b0, len_q};
  assign raw     = in_head ? head_q[7:0] : !in_body ? ~crc_q[7:0] : ring_q ? ram_rdata_i : body_q[7:0];
  assign special = raw == weft_bridge_pkg::Flag || raw == weft_bridge_pkg::Escape;
  assign sent    = state_q == StSend && out_ready_i && (esc_q || !special);
  weft_bridge_crc u_crc (.crc_i(crc_q), .data_i(raw), .crc_o(crc));

  assign ram_re_o    = state_q == StFetch && ring_q && in_body;
  assign ram_raddr_o = addr_q;
  assign out_valid_o = state_q == StOpen || state_q == StSend || state_q == StClose;
  assign out_data_o  = state_q != StSend ? weft_bridge_pkg::Flag
                       : esc_q ? raw ^ 8'h20 : special ? weft_bridge_pkg::Escape : raw;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      esc_q   <= 1'b0;
    end else begin
      unique case (state_q)
        StIdle:  if (start_i) state_q <= StOpen;
        StOpen:  if (out_ready_i) state_q <= StFetch;
        StFetch: state_q <= StSend;
        StSend: begin
          if (out_ready_i) esc_q <= special && !esc_q;
          if (sent) state_q <= idx_q == last ? StClose : StFetch;
        end
        StClose: if (out_ready_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (idle_o && start_i) begin
      head_q <= {7'd0, len_i, session_i, seq_i, kind_i};
      body_q <= body_i;
      len_q  <= len_i;
      ring_q <= ring_i;
      addr_q <= addr_i;
      idx_q  <= '0;
      crc_q  <= '1;
    end else begin
      if (ram_re_o) addr_q <= addr_q + 1'b1;
      if (sent) begin
        idx_q <= idx_q + 10'd1;
        crc_q <= in_head || in_body ? crc : {8'hff, crc_q[31:8]};
        if (in_head) head_q <= {8'd0, head_q[47:8]};
        if (in_body) body_q <= {8'd0, body_q[39:8]};
      end
    end
  end

endmodule
