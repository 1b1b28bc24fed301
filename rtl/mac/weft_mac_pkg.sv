// SPDX-License-Identifier: BSD-2-Clause

/// Types of the MACs. Counters and registers are abi's (enum mac_stat, PORT_*); docs/mac.md says what each counter counts.
package weft_mac_pkg;

  /// What the receiver knows of a frame when it has ended. Lengths from the destination address to
  /// the end of the FCS; of more than 2^24 - 1 bytes as many are told.
  typedef struct packed {
    logic        lost;      ///< records before this one were lost
    logic        preamble;  ///< no frame: a start without a start frame delimiter, or false carrier
    logic        cut;       ///< it found no room towards the core
    logic        fcs;       ///< the FCS is wrong
    logic        code;      ///< an error was signalled by the PHY, or it ended without a terminate
    logic        over;      ///< longer than the largest frame
    logic        bcast;
    logic        mcast;     ///< group address, broadcast included
    logic        ctrl;      ///< MAC control (802.3 clause 31): not passed up
    logic        pause;     ///< a good PAUSE frame
    logic [23:0] len;
  } rx_rec_t;

  typedef struct packed {
    logic        lost;
    logic        link;      ///< not sent: link fault, or transmission is off
    logic        bcast;
    logic        mcast;
    logic        pause;
    logic [15:0] len;
  } tx_rec_t;

  // Settings of a direction, as they cross to its clock.
  typedef struct packed {
    logic        rx_en;
    logic        loop;
    logic [15:0] max_len;
    logic [47:0] addr;
  } rx_cfg_t;

  typedef struct packed {
    logic        tx_en;
    logic        loop;
    logic        pause_rx;
    logic        pause_tx;
    logic [15:0] quanta;
    logic [15:0] refresh;
    logic [47:0] addr;
  } tx_cfg_t;

  // Octets, 64 bits each at PORT_OCTETS + 8 * index.
  localparam int unsigned OctRx = 0;
  localparam int unsigned OctRxOk = 1;
  localparam int unsigned OctTx = 2;

  // Ethernet's length classes, 802.3 length with FCS: 0 for less than 64.
  function automatic logic [6:0] hist(input logic [23:0] len);
    hist = len < 24'd64 ? 7'd0 : len == 24'd64 ? 7'd1 : len < 24'd128 ? 7'd2 : len < 24'd256 ? 7'd4
           : len < 24'd512 ? 7'd8 : len < 24'd1024 ? 7'd16 : len < 24'd1519 ? 7'd32 : 7'd64;
  endfunction

endpackage
