// SPDX-License-Identifier: BSD-2-Clause

/// Side band (tuser) and descriptors of the UltraScale+ integrated block for PCI Express (PCIE4, PCIE4C) at 512 bits:
/// AMD PG213, "512-bit Requester Interface", "512-bit Completer Interface", the tables "Sideband Signal
/// Descriptions" and "Descriptor Fields" of RQ, RC, CQ, CC. A number is the lowest bit of a field.
package weft_shim_us_pkg;

  localparam int unsigned RqUserW = 137;
  localparam int unsigned RcUserW = 161;
  localparam int unsigned CqUserW = 183;
  localparam int unsigned CcUserW = 81;

  // s_axis_rq_tuser
  localparam int unsigned RqFirstBe = 0;      // 4 bits of the first TLP in the beat, 4 of the second
  localparam int unsigned RqLastBe = 8;
  localparam int unsigned RqSop = 20;         // 2
  localparam int unsigned RqEop = 26;         // 2
  localparam int unsigned RqEop0Ptr = 28;     // 4: the last dword
  localparam int unsigned RqSeq0 = 61;        // 6

  // m_axis_rc_tuser
  localparam int unsigned RcSop = 64;         // 4
  localparam int unsigned RcSopPtr = 68;      // 4 of 2 bits: the quarter in which it starts
  localparam int unsigned RcEop = 76;         // 4
  localparam int unsigned RcEopPtr = 80;      // 4 of 4 bits: the last dword
  localparam int unsigned RcDiscontinue = 96;

  // m_axis_cq_tuser
  localparam int unsigned CqFirstBe = 0;      // 4 of the first TLP, 4 of the second
  localparam int unsigned CqLastBe = 8;
  localparam int unsigned CqSop = 80;         // 2
  localparam int unsigned CqSop0Ptr = 82;     // 2: the quarter in which it starts
  localparam int unsigned CqSop1Ptr = 84;
  localparam int unsigned CqDiscontinue = 96;

  // s_axis_cc_tuser
  localparam int unsigned CcSop = 0;          // 2
  localparam int unsigned CcEop = 6;          // 2
  localparam int unsigned CcEop0Ptr = 8;      // 4

  // Request types of RQ and CQ descriptors
  localparam logic [3:0] ReqMemRead = 4'd0;
  localparam logic [3:0] ReqMemWrite = 4'd1;
  localparam logic [3:0] ReqIoRead = 4'd2;
  localparam logic [3:0] ReqIoWrite = 4'd3;
  localparam logic [3:0] ReqFetchAdd = 4'd4;
  localparam logic [3:0] ReqSwap = 4'd5;
  localparam logic [3:0] ReqCas = 4'd6;
  localparam logic [3:0] ReqLockedRead = 4'd7;

  // Error codes of RC descriptors
  localparam logic [3:0] ErrNone = 4'd0;
  localparam logic [3:0] ErrPoisoned = 4'd1;
  localparam logic [3:0] ErrStatus = 4'd2;     // UR, CA, CRS
  localparam logic [3:0] ErrNobody = 4'd4;     // requester, TC or attributes are not those of the request
  localparam logic [3:0] ErrTag = 4'd6;        // no request has this tag

endpackage
