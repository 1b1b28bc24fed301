// SPDX-License-Identifier: BSD-2-Clause

/// Inside the sending side of mpa.
package weft_mpa_out_pkg;

  localparam logic [1:0] PktNone   = 2'd0;
  localparam logic [1:0] PktInline = 2'd1;
  localparam logic [1:0] PktValue  = 2'd2;

  /// Error of a description that does not agree with its pieces (weft_dp_pkg::txerr_t).
  localparam logic [3:0] ErrPlan = 4'd15;

  /// An FPDU as framing sees it. A word is 4 bytes: everything in an FPDU is a multiple of that,
  /// and so is the distance of every FPDU from the first one.
  typedef struct packed {
    logic         drop;     ///< no FPDU: a packet of `pkt` is thrown away
    logic         bad;      ///< void, whatever its payload
    logic         mem;      ///< `rows` of the ring hold its payload; a status follows
    logic [1:0]   pkt;      ///< the payload is the next packet of this stream
    logic         raw;      ///< payload alone
    logic         crc;
    logic         markers;
    logic [2:0]   hw;       ///< words of the header: 4, 5, or 0 (raw)
    logic [6:0]   phase;    ///< words from the last marker position to its first byte
    logic [15:0]  len;      ///< payload bytes
    logic [11:0]  rows;     ///< beats of payload
    logic [12:0]  dwords;   ///< words of header, payload and pad
    logic [12:0]  words;    ///< words of all, with markers and CRC
    logic [159:0] head;     ///< ULPDU_Length and DDP header, first byte in bits 7:0
  } plan_t;

  /// An access that was asked for, on its way to reads; only of FPDUs with `mem`.
  typedef struct packed {
    logic         req;      ///< there is a translation; else nothing is read
    logic         last;     ///< ends its FPDU
    logic         fresh;    ///< read after all writes accepted so far
    logic [15:0]  len;      ///< bytes
    logic [11:0]  rows;     ///< with last: of the FPDU
  } access_t;

endpackage
