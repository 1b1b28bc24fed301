// SPDX-License-Identifier: BSD-2-Clause

/// Header checks of one FPDU that need no more than its header and the QP's counters: MPA (RFC 5044
/// 8), DDP (RFC 5041 7.1), RDMAP (RFC 5040 7.2), in that order of layers; the first fault counts.
/// Combinational. What needs the receive queue or an outstanding Read is checked by the caller.
module weft_rx_check (
  input  logic [367:0]  hdr_i,      ///< ULPDU bytes 0 to 45
  input  logic [15:0]   ulpdu_i,    ///< ULPDU_Length
  input  logic          crc_bad_i,  ///< the CRC counts and is wrong
  input  logic [7:0]    access_i,   ///< rights of the QP
  input  logic [31:0]   send_msn_i, ///< expected
  input  logic [31:0]   read_msn_i,
  input  logic [31:0]   mo_i,       ///< bytes of the current Send so far
  input  logic          ird_full_i, ///< no inbound read resource left
  input  logic          orq_none_i, ///< no Read of this side is outstanding

  output weft_pkg::rdmap_op_e op_o,
  output logic          last_o,     ///< DDP L bit
  output logic [15:0]   len_o,      ///< payload bytes
  output logic [31:0]   stag_o,     ///< tagged: STag; Send with Invalidate: STag
  output logic [63:0]   to_o,       ///< tagged: TO
  output logic          fault_o,
  output logic [15:0]   code_o,
  output logic [1:0]    hdrs_o
);

  logic        is_tag, short_hdr, op_bad, qn_bad;
  logic [3:0]  opc;
  logic [31:0] qn, msn, mo, rd_size;
  logic [63:0] rd_to;
  logic [64:0] rd_end;

  assign is_tag  = hdr_i[7];
  assign last_o  = hdr_i[6];
  assign opc     = hdr_i[11:8];
  assign stag_o  = weft_rx_pkg::be32(hdr_i[47:16]);
  assign to_o    = weft_rx_pkg::be64(hdr_i[111:48]);
  assign qn      = weft_rx_pkg::be32(hdr_i[79:48]);
  assign msn     = weft_rx_pkg::be32(hdr_i[111:80]);
  assign mo      = weft_rx_pkg::be32(hdr_i[143:112]);
  assign rd_size = weft_rx_pkg::be32(hdr_i[271:240]);
  assign rd_to   = weft_rx_pkg::be64(hdr_i[367:304]);
  assign rd_end  = 65'(rd_to) + 65'(rd_size);

  assign short_hdr = ulpdu_i < (is_tag ? 16'd14 : 16'd18);
  assign len_o     = ulpdu_i - (is_tag ? 16'd14 : 16'd18);
  assign op_o      = weft_pkg::rdmap_op_e'({1'b0, opc[2:0]});
  assign op_bad    = opc[3] || is_tag != (opc == 4'd0 || opc == 4'd2);
  always_comb begin
    unique case (opc[2:0])
      3'd1:    qn_bad = qn != 32'd1;
      3'd7:    qn_bad = qn != 32'd2;
      default: qn_bad = qn != 32'd0;
    endcase
  end

  always_comb begin
    fault_o = 1'b1;
    code_o  = '0;
    hdrs_o  = weft_rx_pkg::HdrDdp;
    if (crc_bad_i) begin
      code_o = weft_rx_pkg::TermMpaCrc;
      hdrs_o = weft_rx_pkg::HdrNone;
    end else if (short_hdr) begin
      code_o = weft_rx_pkg::TermDdpShort;
      hdrs_o = weft_rx_pkg::HdrNone;
    end else if (hdr_i[1:0] != 2'd1) begin
      code_o = is_tag ? weft_rx_pkg::TermTagVersion : weft_rx_pkg::TermUntVersion;
    end else if (!is_tag && qn > 32'd2) begin
      code_o = weft_rx_pkg::TermQn;
    end else if (hdr_i[15:14] != 2'd1) begin
      code_o = weft_rx_pkg::TermRdVersion;
    end else if (op_bad) begin
      code_o = weft_rx_pkg::TermOpcode;
    end else if (!is_tag && qn_bad) begin
      code_o = weft_rx_pkg::TermQn;
    end else begin
      unique case (op_o)
        weft_pkg::RdWrite: begin
          // RFC 5041 5.2: nothing of a zero-length tagged segment is checked.
          fault_o = len_o != '0 && !access_i[3'(weft_abi_pkg::ACCESS_REMOTE_WRITE)];
          code_o  = weft_rx_pkg::TermRdAccess;
        end
        weft_pkg::RdReadResp: begin
          fault_o = orq_none_i;
          code_o  = weft_rx_pkg::TermOpcode;
        end
        weft_pkg::RdReadReq: begin
          if (msn != read_msn_i) code_o = weft_rx_pkg::TermMsn;
          else if (mo != '0) code_o = weft_rx_pkg::TermMo;
          else if (ulpdu_i > 16'd46) code_o = weft_rx_pkg::TermTooLong;
          else if (!last_o || ulpdu_i < 16'd46) code_o = weft_rx_pkg::TermStream;
          else if (ird_full_i) code_o = weft_rx_pkg::TermNoBuffer;
          else begin
            hdrs_o = weft_rx_pkg::HdrRead;
            if (rd_size == '0) begin
              fault_o = 1'b0;
            end else if (!access_i[3'(weft_abi_pkg::ACCESS_REMOTE_READ)]) begin
              code_o = weft_rx_pkg::TermRdAccess;
            end else begin
              fault_o = rd_end > {1'b1, 64'd0};
              code_o  = weft_rx_pkg::TermRdWrap;
            end
          end
        end
        weft_pkg::RdTerminate: begin
          if (msn != 32'd1) code_o = weft_rx_pkg::TermMsn;
          else if (mo != '0) code_o = weft_rx_pkg::TermMo;
          else begin
            fault_o = !last_o;
            code_o  = weft_rx_pkg::TermStream;
          end
        end
        default: begin  // Sends
          if (msn != send_msn_i) code_o = weft_rx_pkg::TermMsn;
          else begin
            fault_o = mo != mo_i;
            code_o  = weft_rx_pkg::TermMo;
          end
        end
      endcase
    end
  end

  logic unused;
  assign unused = ^hdr_i;

endmodule
