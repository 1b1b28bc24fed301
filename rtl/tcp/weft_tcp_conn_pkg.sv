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
    ItSave  = 3'd5,
    ItRack  = 3'd6   ///< weft_tcp_rack answers
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
    logic         cut_ask;   ///< the ask that is out is for what was cut off: nothing new before it, no FIN
    logic         cut_part;  ///< the last one ended in the middle of what was made
    logic [31:0]  cut_to;    ///< there: it may not have left yet
    logic [15:0]  cut_left;  ///< so much of the segment whose rest was cut off has left, as far as that is known
    logic         opened;    ///< the peer was told of a window that was closed before, and nothing came since
    logic         ds;        ///< a duplicate is to be reported (RFC 2883)
    logic         ds_due;    ///< by an ACK that is due
    logic [31:0]  ds_seq;    ///< its sequence number
    logic [15:0]  ds_len;
    logic         pin;       ///< a pin is held for loss detection: an answer of weft_tcp_rack or an ask's end comes
    logic         act;       ///< weft_tcp_rack wants to hear of ACKs
    logic         more;      ///< something was lost that left behind the recovery point
    logic         first;     ///< a recovery began and nothing was asked for yet
    logic         none;      ///< the peer agreed on SACK and keeps nothing ahead of turn
    logic [1:0]   seq;       ///< answers of weft_tcp_rack with another one are too old to ask by
    logic [31:0]  lost;      ///< bytes that are lost and were not asked for
    logic [31:0]  sacked;    ///< bytes above UNA that are SACKed, no more than that
    logic [31:0]  limit;     ///< told to qp
    logic [31:0]  edge_off;  ///< told to departure
    logic [2:0]   n_sack;    ///< ranges ahead of COMMITTED, 0 to 4
    logic [255:0] sack;      ///< {right, left} offsets each, newest in bits 63:0
  } here_t;
  localparam int unsigned HereW = 498;

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
    logic [SegW-1:0]   body;  ///< segment; command: op in 19:16, arg in 15:0; save: tag in 1:0; rack_out_t
  } item_t;
  localparam int unsigned ItemW = 3 + 24 + SegW;

  // ---------------------------------------------------------------- words
  typedef struct packed {
    logic        v;
    logic        first;
    logic        fin;    ///< all of the stream was placed
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
    logic        partly;   ///< ... of a segment of which something left: the newest data, if nothing came behind it
    logic        more;     ///< more was made than what was asked for
    logic        cwr;      ///< CWR was carried
    logic        fin;
    logic        said;     ///< acked and right are valid
    logic [31:0] start;    ///< of the newest data, new or again
    logic [31:0] stop;     ///< behind it
    logic [31:0] at;       ///< when it left, ticks, if it was new
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
  localparam int unsigned WCommitW = 99;
  localparam int unsigned WAheadW = 65;
  localparam int unsigned WRoomW = 33;
  localparam int unsigned WUnacceptW = 34;
  localparam int unsigned WDepartedW = 171;

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
    logic        sack;      ///< it has SACK blocks, and they were agreed on
    logic        again;     ///< its first `old` bytes were acknowledged before, and SACK was agreed on
    logic [15:0] old;
  } seg_dec_t;

  /// Of the words, three cycles after they were read; nothing in visits of segments and loads.
  typedef struct packed {
    logic        commit;
    logic        now;
    logic        first;
    logic        fin;       ///< all that lies before the FIN was placed
    logic [31:0] add;       ///< bytes that are committed
    logic [31:0] span;      ///< bytes that are accepted and not committed
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
  localparam int unsigned EvHoldOver = 6;

  /// What the item is, one hot or nothing.
  typedef struct packed {
    logic load;
    logic save;
    logic timer;
    logic touch;
    logic seg;
    logic rack;       ///< an answer of weft_tcp_rack
    logic rack_ok;    ///< of this connection
    logic cmd;        ///< any, an unknown one too
    logic set_state;
    logic deaf;       ///< OpSetState with bit 6
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

  // ---------------------------------------------------------------- conn pipe and weft_tcp_rack
  /// What a visit leaves behind of a connection for weft_tcp_rack.
  typedef struct packed {
    logic [23:0] qpn;
    logic [1:0]  seq;      ///< raised with each ask: older answers name bytes that were asked for since
    logic        rto_rec;  ///< all before `recover` counts as lost
    logic [31:0] una;
    logic [31:0] smax;
    logic [31:0] seq0;
    logic [31:0] recover;
    logic [31:0] srtt;     ///< ticks times 8
    logic [31:0] min_rtt;  ///< ticks
  } rack_conn_t;
  localparam int unsigned RackConnW = 219;

  /// Why it is to look.
  typedef struct packed {
    logic         v;
    logic         load;    ///< another connection: nothing is known
    logic         rto;     ///< everything that is out is lost, nothing is SACKed
    logic         leave;   ///< a recovery ended
    logic         asked;   ///< [from, to) was asked for: it counts as sent again now, and anew when it leaves
    logic [31:0]  from;
    logic [31:0]  to;
    logic [2:0]   n_sack;
    logic [255:0] sack;    ///< weft_dp_pkg::sack_t each, first block in bits 63:0
  } rack_work_t;
  localparam int unsigned RackWorkW = 328;

  /// Segments that left.
  typedef struct packed {
    logic        v;
    logic        fresh;
    logic        again;
    logic [31:0] stop;      ///< behind the newest data
    logic [31:0] fresh_at;  ///< ticks
    logic [15:0] span;      ///< the first of it left that many ticks before; all ones: not known
    logic [31:0] from;      ///< what was sent again
    logic [31:0] to;
    logic [31:0] at;
  } rack_left_t;
  localparam int unsigned RackLeftW = 179;

  function automatic logic [15:0] span_add(input logic [15:0] s, input logic [31:0] d);
    logic [16:0] sum;
    sum      = {1'b0, s} + {1'b0, d[15:0]};
    span_add = sum[16] || d[31:16] != '0 ? '1 : sum[15:0];
  endfunction

  /// Its answer.
  typedef struct packed {
    logic [23:0] qpn;
    logic [1:0]  seq;
    logic [31:0] una;      ///< as it knew it
    logic        hole;     ///< [from, to) is the first that is lost and was not asked for since
    logic        act;      ///< it knows of SACKed, lost or repeated bytes: ACKs concern it
    logic [31:0] from;
    logic [31:0] to;
    logic [31:0] lost;     ///< bytes that are lost and were not asked for since
    logic [31:0] sacked;   ///< bytes that are SACKed
    logic        reo;      ///< look again at reo_at
    logic [31:0] reo_at;   ///< ticks
  } rack_out_t;
  localparam int unsigned RackOutW = 221;

  /// A range of weft_tcp_rack: SACKed, or sent again at `at`.
  typedef struct packed {
    logic        r;
    logic [31:0] at;
    logic [31:0] to;
    logic [31:0] from;
  } rack_ent_t;
  localparam int unsigned RackEntW = 97;

endpackage
