// SPDX-License-Identifier: BSD-2-Clause

/// Types, counters and registers of the MACs; docs/mac.md says what each counter counts.
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

  // Counters of one event each, 64 bits at 8 * index.
  localparam int unsigned RxPkts = 0;
  localparam int unsigned RxOk = 1;
  localparam int unsigned RxUcast = 2;
  localparam int unsigned RxMcast = 3;
  localparam int unsigned RxBcast = 4;
  localparam int unsigned RxCrcErr = 5;
  localparam int unsigned RxCodeErr = 6;
  localparam int unsigned RxUndersize = 7;
  localparam int unsigned RxFragment = 8;
  localparam int unsigned RxOversize = 9;
  localparam int unsigned RxJabber = 10;
  localparam int unsigned RxHist = 11;  ///< 7: 64, to 127, 255, 511, 1023, 1518, above
  localparam int unsigned RxCtrl = 18;
  localparam int unsigned RxPause = 19;
  localparam int unsigned RxUnknownOp = 20;
  localparam int unsigned RxCut = 21;
  localparam int unsigned RxPreamble = 22;
  localparam int unsigned TxPkts = 23;
  localparam int unsigned TxUcast = 24;
  localparam int unsigned TxMcast = 25;
  localparam int unsigned TxBcast = 26;
  localparam int unsigned TxHist = 27;  ///< 7, as RxHist
  localparam int unsigned TxPause = 34;
  localparam int unsigned TxLinkDrop = 35;
  localparam int unsigned TxStoreDrop = 36;
  localparam int unsigned TxReset = 37;
  localparam int unsigned LocalFault = 38;
  localparam int unsigned RemoteFault = 39;
  localparam int unsigned RecLost = 40;
  localparam int unsigned N = 41;

  // Octets, 64 bits each at RegOctets + 8 * index.
  localparam int unsigned OctRx = 0;
  localparam int unsigned OctRxOk = 1;
  localparam int unsigned OctTx = 2;

  localparam logic [11:0] RegOctets = 12'h400;
  /// 0 receive, 1 transmit, 2 obey PAUSE, 3 send PAUSE, 4 loopback
  localparam logic [11:0] RegCtrl = 12'h800;
  localparam logic [11:0] RegMaxLen = 12'h804;   ///< largest frame with FCS
  /// 15:0 quanta to ask for, 31:16 quanta between refreshes
  localparam logic [11:0] RegPause = 12'h808;
  localparam logic [11:0] RegAddrLo = 12'h80c;   ///< station address, bytes 0 to 3 (byte 0 in 7:0)
  localparam logic [11:0] RegAddrHi = 12'h810;
  /// 0 link, 1 local fault, 2 remote fault, 3 paused
  localparam logic [11:0] RegStatus = 12'h814;

  // Ethernet's length classes, 802.3 length with FCS: 0 for less than 64.
  function automatic logic [6:0] hist(input logic [23:0] len);
    hist = len < 24'd64 ? 7'd0 : len == 24'd64 ? 7'd1 : len < 24'd128 ? 7'd2 : len < 24'd256 ? 7'd4
           : len < 24'd512 ? 7'd8 : len < 24'd1024 ? 7'd16 : len < 24'd1519 ? 7'd32 : 7'd64;
  endfunction

endpackage
