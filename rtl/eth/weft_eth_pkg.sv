// SPDX-License-Identifier: BSD-2-Clause

/// Types inside room eth of the data path.
package weft_eth_pkg;

  /// All that is known of a frame in the store: its header record.
  typedef struct packed {
    logic [489:0]       meta;    ///< weft_pkg::rx_meta_t (Yosys knows no types of other packages here)
    logic [1:0]         ecn;     ///< of the IP header
    logic               ts;
    logic [31:0]        ts_val;
    logic [31:0]        ts_ecr;
    logic [2:0]         n_sack;
    logic [255:0]       sack;    ///< weft_dp_pkg::sack_t each, first block in bits 63:0
    logic [11:0]        handle;
    logic               body;    ///< its bytes are in the store
    logic               ours;    ///< the local port is the card's
    logic [7:0]         blocks;  ///< that it holds, if it has a body
  } rec_t;
  localparam int unsigned RecW = 490 + 2 + 1 + 64 + 3 + 256 + 12 + 2 + 8;

  /// What a look-up is made for.
  typedef struct packed {
    logic         ipv6;
    logic [127:0] laddr;   ///< network order: first byte on the wire in bits 7:0; IPv4 in bits 31:0, rest 0
    logic [127:0] paddr;
    logic [15:0]  lport;
    logic [15:0]  pport;
  } key_t;
  localparam int unsigned KeyW = 289;

  /// Where a frame goes that is no connection's.
  typedef enum logic [1:0] {
    ToDrop = 2'd0,
    ToFw   = 2'd1,
    ToL2   = 2'd2,
    ToLook = 2'd3   ///< TCP for this station: the look-up decides
  } to_e;

  /// Why a frame was dropped.
  typedef enum logic [2:0] {
    WhyBad  = 3'd0,  ///< FCS, length
    WhyAddr = 3'd1,  ///< not for this station
    WhyCsum = 3'd2,  ///< checksum of a frame for the card
    WhyFull = 3'd3,  ///< no block, or over the share of firmware or network device
    WhyPark = 3'd4   ///< too many frames wait for their connections, or for another try
  } why_e;

  /// A frame on its way through the look-up.
  typedef struct packed {
    logic [11:0] id;      ///< of its header record
    logic [11:0] handle;
    logic        body;
    logic        ours;
    logic        csum_ok;
    logic [7:0]  blocks;  ///< that it holds
    to_e         to;
    why_e        why;
  } tok_t;
  localparam int unsigned TokW = 12 + 12 + 3 + 8 + 2 + 3;

endpackage
