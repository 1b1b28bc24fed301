// SPDX-License-Identifier: BSD-2-Clause

/// Types inside room l2.
package weft_l2_pkg;

  /// What a transmit frame is, from its descriptors.
  typedef struct packed {
    logic        bad;    ///< the chain breaks a limit: nothing of it is read
    logic        set;    ///< no frame: struct l2_scaling
    logic        tso;
    logic        vlan;   ///< a tag is inserted
    logic [15:0] tci;
    logic        csum;
    logic [7:0]  start;
    logic [7:0]  off;
    logic [6:0]  hdr;    ///< TSO: bytes of the header
    logic [13:0] mss;    ///< TSO: bytes of a segment's payload
    logic [16:0] total;  ///< bytes of all buffers
  } frame_t;
  localparam int unsigned FrameW = 4 + 16 + 1 + 8 + 8 + 7 + 14 + 17;

  /// Receive scaling: struct l2_scaling without its table.
  typedef struct packed {
    logic [6:0]   types;  ///< bit n: hash type n
    logic [319:0] key;    ///< first byte in bits 7:0
  } scale_t;
  localparam int unsigned ScaleW = 7 + 320;

endpackage
