// SPDX-License-Identifier: BSD-2-Clause

/// Inside weft_tcp_conn. A tick is 1,024 ns. Offsets of 32 bits are the low half of stream offsets; windows
/// are at most 2^30, so that signed differences of them are exact.
package weft_tcp_conn_pkg;

  typedef enum logic [2:0] {
    ItSeg   = 3'd0,  ///< a received segment
    ItTouch = 3'd1,  ///< words have news
    ItTimer = 3'd2,
    ItCmd   = 3'd3,
    ItLoad  = 3'd4,
    ItSave  = 3'd5
  } item_e;

  /// What happens to a segment.
  typedef enum logic [2:0] {
    VdNone  = 3'd0,  ///< no segment
    VdFalse = 3'd1,  ///< the key of another connection
    VdDrop  = 3'd2,  ///< nothing of it is used
    VdAck   = 3'd3,  ///< not acceptable: answered with an ACK
    VdChal  = 3'd4,  ///< RFC 5961: answered with a challenge ACK, if one is left
    VdReset = 3'd5,
    VdTake  = 3'd6   ///< ACK part is taken, and the payload that lies in the window
  } verdict_e;

  /// On-chip state that has no place in the home.
  typedef struct packed {
    logic         live;      ///< loaded, and not saved since
    logic         ack_out;   ///< an ACK waits in departure's set; it holds a pin
    logic         ask_out;   ///< an ask is with qp; it holds a pin
    logic [31:0]  limit;     ///< told to qp
    logic [2:0]   n_sack;    ///< ranges ahead of COMMITTED, 0 to 4
    logic [255:0] sack;      ///< {right, left} offsets each, newest in bits 63:0
  } here_t;
  localparam int unsigned HereW = 294;

  typedef struct packed {
    logic [23:0]              qpn;
    here_t                    h;
    logic [511:0]             t;  ///< weft_abi_pkg::home_tim_t
    logic [511:0]             r;  ///< weft_abi_pkg::home_rcv_t
    logic [511:0]             s;  ///< weft_abi_pkg::home_snd_t
  } rec_t;
  localparam int unsigned RecW = 24 + HereW + 3 * 512;

  /// A segment without `who`.
  localparam int unsigned SegW = 779;
  typedef struct packed {
    item_e             kind;
    logic [23:0]       qpn;
    logic [SegW-1:0]   body;  ///< segment; command: op in 19:16, arg in 15:0; save: tag in 1:0
  } item_t;
  localparam int unsigned ItemW = 3 + 24 + SegW;

  // ---------------------------------------------------------------- words
  typedef struct packed {
    logic        v;
    logic        first;
    logic [31:0] from;   ///< at or before what the reader has seen
    logic [31:0] to;
    logic [31:0] now;    ///< end of the last one that is to be acknowledged at once
  } w_commit_t;
  // Of the others `v` says that no visit has seen it: what two visits are told is apart.
  typedef struct packed {
    logic        v;
    logic [31:0] from;
    logic [31:0] to;
  } w_ahead_t;
  typedef struct packed {
    logic        v;
    logic [31:0] right;
  } w_room_t;
  typedef struct packed {
    logic        v;
    logic        gen;
    logic [31:0] off;
  } w_unaccept_t;
  typedef struct packed {
    logic        v;
    logic        fresh;    ///< new data left
    logic        again;    ///< something was sent again
    logic        ack;      ///< an ACK left the ACK set
    logic        ask;      ///< an ask is done
    logic        cut;      ///< the window cut something off
    logic        cwr;      ///< CWR was carried
    logic        fin;
    logic        said;     ///< acked and right are valid
    logic [31:0] start;    ///< of the newest data
    logic [31:0] stop;     ///< behind it
    logic [31:0] at;       ///< when it left, ticks
    logic [31:0] acked;
    logic [31:0] right;
  } w_departed_t;
  typedef struct packed {
    w_commit_t   commit;
    w_ahead_t    ahead;
    w_room_t     room;
    w_unaccept_t unaccept;
    w_departed_t departed;
  } words_t;
  localparam int unsigned WCommitW = 98;
  localparam int unsigned WAheadW = 65;
  localparam int unsigned WRoomW = 33;
  localparam int unsigned WUnacceptW = 34;
  localparam int unsigned WDepartedW = 169;

  // ---------------------------------------------------------------- what is decided
  /// Of a segment, three cycles after the record was read.
  typedef struct packed {
    verdict_e    vd;
    logic        ack_new;   ///< the ACK field moves UNA
    logic        wnd_upd;
    logic        ts_upd;
    logic [31:0] acked;     ///< bytes by which UNA moves
    logic [31:0] wnd;       ///< window, scaled
    logic        len;       ///< it had payload or a FIN
    logic        dup_ack;   ///< an ACK at once: ahead, a repeat, beyond the window, or payload that is lost
    logic        lost;      ///< payload that nobody has a place for
    logic        piece;     ///< there is a piece
    logic        ahead;
    logic        fin;       ///< piece ends with the FIN, in order
    logic [31:0] pos;       ///< of the piece from RCV_NXT
    logic [15:0] plen;
    logic [15:0] start;
    logic        alive;     ///< an acceptable segment: the peer is there
    logic        dup;       ///< no text, and the ACK field is UNA
    logic        hole;      ///< a SACK block lies above the ACK field
    logic [31:0] hole_len;  ///< from the new UNA to the lowest of them
  } seg_dec_t;

  /// Of the words, three cycles after they were read; nothing in visits of segments and loads.
  typedef struct packed {
    logic        commit;
    logic        now;
    logic        first;
    logic [31:0] add;       ///< bytes that are committed
    logic        jump;      ///< RCV_NXT is what is committed: what was ahead of turn is next now, or it went back too far
    logic        room;
    logic [31:0] right;
    logic        unaccept;
    logic        gen;       ///< of what was dropped
    logic        back;      ///< RCV_NXT moves
    logic [31:0] off;
    logic        ahead;
    logic [31:0] from;
    logic [31:0] to;
  } rcv_dec_t;

  /// Bits of EVENTS.
  localparam int unsigned EvFin = 0;
  localparam int unsigned EvReset = 1;
  localparam int unsigned EvTimeout = 2;
  localparam int unsigned EvAcked = 3;
  localparam int unsigned EvHold = 4;

  /// What the item is, one hot or nothing.
  typedef struct packed {
    logic load;
    logic save;
    logic timer;
    logic touch;
    logic seg;
    logic cmd;        ///< any, an unknown one too
    logic set_state;
    logic drain;
    logic close;
    logic ack;
    logic set_l2;
  } act_t;

  /// What a visit asks of departure.
  typedef struct packed {
    logic        due;
    logic        keep;      ///< with the sequence number before UNA
    logic        plain;     ///< not on a segment with bytes
    logic        fin;
  } ackdue_t;

  // ---------------------------------------------------------------- congestion control
  /// Any algorithm behind one interface: state in, state out.
  typedef struct packed {
    logic [31:0] cwnd;
    logic [31:0] ssthresh;
    logic [31:0] acc;
  } cc_state_t;
  typedef struct packed {
    logic        init;     ///< a connection was loaded: what is zero gets its first value
    logic        ack;      ///< new bytes are acknowledged, outside recovery
    logic [31:0] acked;    ///< how many
    logic [31:0] flight;   ///< bytes in flight before it
    logic        loss;     ///< loss was found (not by time-out), or ECE came
    logic        rto;      ///< first time-out of a segment
    logic        again;    ///< time-out of one that had been sent again
    logic        leave;    ///< recovery ends
    logic [15:0] mss;
    logic [31:0] srtt;     ///< ticks times 8
  } cc_in_t;

endpackage
