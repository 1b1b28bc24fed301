// SPDX-License-Identifier: BSD-2-Clause

/// Types inside the receive engine. Everything that happens to a QP in receive (FPDUs, requests for
/// an acknowledgement, FIN, context commands) is an item of one in-order pipeline, so that each
/// stage sees it behind all that came before it.
package weft_rx_pkg;

  typedef enum logic [2:0] {
    IkFpdu   = 3'd0,  ///< an FPDU
    IkAckReq = 3'd1,  ///< the peer sent what cannot be used: acknowledge what is there
    IkFin    = 3'd2,  ///< FIN is next in order
    IkFault  = 3'd3,  ///< a rule was broken; nothing of it is placed
    IkLoad   = 3'd4,  ///< context command WRITE
    IkState  = 3'd5,  ///< context command SET_STATE
    IkDrain  = 3'd6   ///< context command DRAIN
  } kind_e;

  /// Terminate codes (RFC 5040 4.8, RFC 5041 7, RFC 5044 8): layer 4, error type 4, error code 8.
  localparam logic [15:0] TermLocal      = 16'h0000;  ///< local catastrophic error
  localparam logic [15:0] TermPlacement  = 16'h1000;  ///< DDP: local catastrophic error
  localparam logic [15:0] TermMpaCrc     = 16'h2002;
  localparam logic [15:0] TermMpaLength  = 16'h2003;
  localparam logic [15:0] TermDdpShort   = 16'h1000;  ///< ULPDU shorter than its DDP header
  localparam logic [15:0] TermTagStag    = 16'h1100;
  localparam logic [15:0] TermTagBounds  = 16'h1101;
  localparam logic [15:0] TermTagPd      = 16'h1102;
  localparam logic [15:0] TermTagWrap    = 16'h1103;
  localparam logic [15:0] TermTagVersion = 16'h1104;
  localparam logic [15:0] TermQn         = 16'h1201;
  localparam logic [15:0] TermNoBuffer   = 16'h1202;
  localparam logic [15:0] TermMsn        = 16'h1203;
  localparam logic [15:0] TermMo         = 16'h1204;
  localparam logic [15:0] TermTooLong    = 16'h1205;
  localparam logic [15:0] TermUntVersion = 16'h1206;
  localparam logic [15:0] TermRdStag     = 16'h0100;
  localparam logic [15:0] TermRdBounds   = 16'h0101;
  localparam logic [15:0] TermRdAccess   = 16'h0102;
  localparam logic [15:0] TermRdPd       = 16'h0103;
  localparam logic [15:0] TermRdWrap     = 16'h0104;
  localparam logic [15:0] TermInvalidate = 16'h0109;  ///< the STag cannot be invalidated
  localparam logic [15:0] TermRdVersion  = 16'h0205;
  localparam logic [15:0] TermOpcode     = 16'h0206;
  localparam logic [15:0] TermStream     = 16'h0207;  ///< catastrophic, localised to the stream

  /// Which headers a Terminate carries.
  localparam logic [1:0] HdrNone = 2'd0;
  localparam logic [1:0] HdrDdp  = 2'd1;  ///< DDP header: 14 or 18 bytes
  localparam logic [1:0] HdrRead = 2'd2;  ///< DDP header and Read Request: 46 bytes

  /// In front of the header checks: an FPDU waits here for its header and its CRC verdict.
  typedef struct packed {
    kind_e       kind;
    logic [15:0] qpn;
    logic [31:0] seq;      ///< sequence number of the first byte, or of FIN
    logic [31:0] nxt;      ///< sequence number behind the FPDU
    logic [15:0] ulpdu;    ///< ULPDU_Length
    logic        crc;      ///< the CRC counts
    logic        seg_end;  ///< last FPDU of its segment
    logic        store;    ///< its payload is in the payload FIFO
    logic [15:0] code;     ///< IkFault: Terminate code
  } pre_t;

  /// Behind the header checks.
  typedef struct packed {
    kind_e              kind;
    logic [15:0]        qpn;
    logic [31:0]        seq;
    logic [31:0]        nxt;
    logic [15:0]        ulpdu;
    logic               seg_end;
    logic               now;       ///< acknowledge at once
    logic [3:0]         op;        ///< weft_pkg::rdmap_op_e
    logic               pay;       ///< payload bytes are in the payload FIFO
    logic               jobs;      ///< translations were asked for
    logic [15:0]        code;      ///< IkFault: Terminate code
    logic [1:0]         hdrs;      ///< IkFault: headers of the Terminate
    logic               done;      ///< Send, Read Response: the message ends here
    logic               irq;       ///< a Read Request to hand over
    logic               cqe;       ///< make a completion
    logic [7:0]         status;    ///< of the completion
    logic               inv;       ///< Send with Invalidate
    logic               solicited;
    logic [15:0]        wqe;       ///< index of the receive WQE
    logic [31:0]        bytes;     ///< message length
    logic [367:0]       hdr;       ///< ULPDU bytes 0 to 45, first byte in bits 7:0
  } item_t;

  localparam int unsigned PRE_W = 3 + 16 + 32 + 32 + 16 + 1 + 1 + 1 + 16;
  localparam int unsigned ITEM_W =
      3 + 16 + 32 + 32 + 16 + 1 + 1 + 4 + 1 + 1 + 16 + 2 + 1 + 1 + 1 + 8 + 1 + 1 + 16 + 32 + 368;

  /// Network order fields of a header: byte 0 in bits 7:0 becomes the most significant.
  function automatic logic [31:0] be32(input logic [31:0] x);
    be32 = {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction
  function automatic logic [63:0] be64(input logic [63:0] x);
    be64 = {be32(x[31:0]), be32(x[63:32])};
  endfunction

endpackage
