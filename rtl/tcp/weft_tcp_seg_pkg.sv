// SPDX-License-Identifier: BSD-2-Clause

/// Types inside departure, the sending side of room tcp (weft_tcp_departure).
package weft_tcp_seg_pkg;

  localparam int unsigned HdrMax = 118;  ///< Ethernet with VLAN 18, IPv6 40, TCP 20, options 40

  /// What the length of a header hangs on; fixed when a segment is cut.
  typedef struct packed {
    logic       v6;
    logic       vlan;
    logic       ts;
    logic [1:0] n_sack;  ///< blocks that there is room for
  } shape_t;

  /// What of an FPDU leaves, and how.
  typedef struct packed {
    logic [11:0] slot;
    logic [63:0] off;       ///< stream offset of the first byte that leaves
    logic [15:0] skip;      ///< bytes of the FPDU before it
    logic [15:0] stop;      ///< bytes of the FPDU up to the last one that leaves
    logic        some;      ///< any leave
    logic        app;       ///< all of it goes on with the segment of the FPDU before, if that is open and has room
    logic        to_end;    ///< its last byte is among them
    logic [15:0] mss;       ///< bytes of a segment, 1 or more
    logic [15:0] room;      ///< bytes of the first one, when it begins with this FPDU
    shape_t      shape;
    logic [6:0]  hdr_len;
    logic        psh;
    logic        again;
    logic [3:0]  ask_id;
    logic        ask_done;  ///< the ask ends in this FPDU
    logic        cut;       ///< bytes that were asked for do not leave
    logic [1:0]  gen;
  } plan_t;

  /// Bytes of a segment that begins `at` bytes into an FPDU of which those up to `stop` leave: the next one, if there is one, begins at no multiple of four.
  function automatic logic [15:0] room(input logic [15:0] at, input logic [15:0] stop, input logic [15:0] mss);
    logic [16:0] to;
    to   = {1'b0, at} + {1'b0, mss};
    room = mss - 16'(to[1:0] == 2'd0 && to < {1'b0, stop} && mss[15:1] != '0);
  endfunction

  /// A beat of an FPDU, as far as it leaves, and the end of its packet.
  typedef struct packed {
    logic first;   ///< the first one of its packet
    logic last;    ///< the last byte that leaves is in it
    logic done;    ///< the packet ends
    logic err;     ///< with done: its bytes are not good
    logic more;    ///< with done: an FPDU that joins will come
  } bite_t;

  /// A segment in the segment buffer, or (`none`) word of an FPDU of which nothing is left to send.
  typedef struct packed {
    logic        none;
    logic [11:0] slot;
    logic [63:0] off;
    logic [15:0] len;
    shape_t      shape;
    logic [6:0]  hdr_len;
    logic        psh;
    logic        again;
    logic [3:0]  ask_id;
    logic        ask_done;
    logic        cut;
    logic        pin;       ///< it holds a pin of the slot
    logic [1:0]  gen;
  } rec_t;

  /// What a connection's headers are made of: line 0 of its home.
  typedef struct packed {
    logic [23:0]  qpn;
    logic [7:0]   fn;
    logic [1:0]   port;
    logic         v6;
    logic         ecn;
    logic [7:0]   tos;
    logic [7:0]   ttl;
    logic [19:0]  flow;
    logic [15:0]  sport;
    logic [15:0]  dport;
    logic [127:0] saddr;  ///< byte 0 in bits 7:0
    logic [127:0] daddr;
  } tmpl_t;

  /// What a header carries beside its template; len, seq and so on in host order.
  typedef struct packed {
    shape_t       shape;
    logic [6:0]   hdr_len;
    logic         body;    ///< bytes follow
    logic         drop;    ///< it does not leave; its bytes are swallowed
    logic [15:0]  len;
    logic         ect;
    logic [7:0]   flags;   ///< CWR ECE URG ACK PSH RST SYN FIN
    logic [31:0]  seq;
    logic [31:0]  ack;
    logic [31:0]  room;    ///< right edge less ACK
    logic [3:0]   wscale;
    logic [31:0]  tsval;
    logic [31:0]  tsecr;
    logic [1:0]   n_sack;  ///< at most shape.n_sack
    logic [191:0] sack;
  } seg_t;

endpackage
