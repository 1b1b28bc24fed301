// SPDX-License-Identifier: BSD-2-Clause

/// What the header of an FPDU says, and which rules it breaks by itself: MPA (RFC 5044 8), DDP (RFC 5041
/// 7.1), RDMAP (RFC 5040 7.2, RFC 7306 4). Combinational, one compare deep.
module weft_rdmap_hdr (
  input  weft_rdmap_pkg::fpdu_t fpdu_i,

  output logic        write_o,
  output logic        req_o,       ///< Read Request or Atomic Request
  output logic        atom_o,      ///< of these: Atomic Request
  output logic        known_o,     ///< of an Atomic Request: there is such an operation
  output logic        resp_o,      ///< Read Response or Atomic Response
  output logic        aresp_o,     ///< of these: Atomic Response
  output logic        send_o,      ///< takes a receive: Sends and Immediate Data
  output logic        imm_o,       ///< of these: Immediate Data
  output logic        inv_o,       ///< of a Send: with Invalidate, of stag_o
  output logic        term_o,
  output logic        last_o,      ///< DDP L bit
  output logic        tagged_o,
  output logic [15:0] len_o,       ///< payload bytes
  output logic [31:0] stag_o,
  output logic [63:0] to_o,
  output logic [31:0] msn_o,
  output logic [31:0] mo_o,
  output logic        fin_o,       ///< no FPDU: the stream ends in good order; with bad_o
  output logic        bad_o,       ///< a rule of the three layers is broken, in this order:
  output logic [15:0] code_o,
  output logic [1:0]  hdrs_o
);
  logic [367:0] h;
  logic [31:0]  qn;
  logic [3:0]   opc;
  logic         short_hdr, op_bad, qn_bad;

  assign h        = fpdu_i.head;
  assign tagged_o = h[7];
  assign last_o   = h[6];
  assign opc      = h[11:8];
  assign stag_o   = weft_rdmap_pkg::be32(h[47:16]);
  assign to_o     = weft_rdmap_pkg::be64(h[111:48]);
  assign qn       = weft_rdmap_pkg::be32(h[79:48]);
  assign msn_o    = weft_rdmap_pkg::be32(h[111:80]);
  assign mo_o     = weft_rdmap_pkg::be32(h[143:112]);

  assign short_hdr = fpdu_i.ulpdu < (tagged_o ? 16'd14 : 16'd18);
  assign len_o     = fpdu_i.ulpdu - (tagged_o ? 16'd14 : 16'd18);

  assign write_o = opc == 4'd0;
  assign atom_o  = opc == 4'(weft_pkg::RdAtomReq);
  assign req_o   = opc == 4'd1 || atom_o;
  assign known_o = h[171:168] == weft_rdmap_pkg::AtomFetchAdd || h[171:168] == weft_rdmap_pkg::AtomCmpSwap;
  assign aresp_o = opc == 4'(weft_pkg::RdAtomResp);
  assign resp_o  = opc == 4'd2 || aresp_o;
  assign imm_o   = opc == 4'(weft_pkg::RdImm) || opc == 4'(weft_pkg::RdImmSe);
  assign send_o  = (opc >= 4'd3 && opc <= 4'd6) || imm_o;
  assign inv_o   = opc == 4'd4 || opc == 4'd6;
  assign term_o  = opc == 4'd7;
  assign op_bad  = !(write_o || req_o || resp_o || send_o || term_o) || tagged_o != (write_o || (resp_o && !aresp_o));
  assign qn_bad  = qn != (req_o ? 32'd1 : term_o ? 32'd2 : aresp_o ? 32'd3 : 32'd0);

  assign fin_o = fpdu_i.fault == 4'(weft_dp_pkg::MpaFin) && fpdu_i.ulpdu == '0;

  always_comb begin
    bad_o  = 1'b1;
    code_o = '0;
    hdrs_o = weft_rdmap_pkg::HdrDdp;
    if (fpdu_i.fault != 4'(weft_dp_pkg::MpaOk)) begin
      unique case (fpdu_i.fault)
        4'(weft_dp_pkg::MpaCrc):  code_o = weft_rdmap_pkg::TermMpaCrc;
        4'(weft_dp_pkg::MpaFin):  code_o = weft_rdmap_pkg::TermMpaLost;
        4'(weft_dp_pkg::MpaRing): code_o = weft_rdmap_pkg::TermLocal;
        default:                  code_o = weft_rdmap_pkg::TermMpaMarker;
      endcase
      hdrs_o = weft_rdmap_pkg::HdrNone;
    end else if (short_hdr) begin
      code_o = weft_rdmap_pkg::TermShort;
      hdrs_o = weft_rdmap_pkg::HdrNone;
    end else if (h[1:0] != 2'd1) begin
      code_o = tagged_o ? weft_rdmap_pkg::TermTagVersion : weft_rdmap_pkg::TermUntVersion;
    end else if (!tagged_o && qn > 32'd3) begin
      code_o = weft_rdmap_pkg::TermQn;
    end else if (h[15:14] != 2'd1) begin
      code_o = weft_rdmap_pkg::TermRdVersion;
    end else if (op_bad) begin
      code_o = weft_rdmap_pkg::TermOpcode;
    end else if (!tagged_o && qn_bad) begin
      code_o = weft_rdmap_pkg::TermQn;
    end else begin
      bad_o = 1'b0;
    end
  end

  logic unused;
  assign unused = ^{h, fpdu_i};

endmodule
