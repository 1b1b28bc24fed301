// SPDX-License-Identifier: BSD-2-Clause

/// Types inside the TCP transmit room.
package weft_tcp_pkg;

  /// What framing and departure need to know of a segment: 84 bits.
  typedef struct packed {
    logic [15:0] qpn;
    logic [31:0] seq;
    logic [15:0] wqe;
    logic [15:0] len;       ///< payload bytes of the DDP segment
    logic        is_tagged;  ///< header of 16 bytes, else 20 (ULPDU_Length included)
    logic        crc;
    logic        psh;
    logic        is_resp;
  } seg_info_t;

endpackage
