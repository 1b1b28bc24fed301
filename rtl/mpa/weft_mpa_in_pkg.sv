// SPDX-License-Identifier: BSD-2-Clause

/// Types inside the receiving side of room mpa.
package weft_mpa_in_pkg;

  localparam int unsigned Ranges = 4;  ///< ranges ahead of turn of a connection

  typedef enum logic [3:0] {
    CmdPiece  = 4'd0,
    CmdLoad   = 4'd1,  ///< the line waits at the port
    CmdSave   = 4'd2,
    CmdCtx    = 4'd3,  ///< a ctx_cmd_t: op in handle, arg in len
    CmdRefuse = 4'd4,
    CmdResume = 4'd5,
    CmdRing   = 4'd6,  ///< bytes come back from the ring; gen: they could not be read
    CmdPoll   = 4'd7,  ///< may the ring be given back; no pin comes with it
    CmdPlaced = 4'd8   ///< an FPDU ahead of turn was placed
  } cmd_e;

  /// What the cutter does, in order.
  typedef struct packed {
    cmd_e               kind;
    logic [23:0]        qpn;
    logic [11:0]        slot;
    logic               gen;
    logic               ahead;
    logic               aligned; ///< the peer promises ALIGNED
    logic               fin;
    logic [63:0]        off;
    logic [15:0]        len;
    logic [11:0]        handle;  ///< CmdSave: tag
  } cmd_t;
  localparam int unsigned CmdW = 4 + 36 + 4 + 64 + 16 + 12;

  /// The cutter's record of a slot.
  typedef struct packed {
    logic        live;
    logic        crc;
    logic        markers;
    logic        gen;
    logic        fresh;
    logic        refused;
    logic        shy;       ///< an FPDU was refused that is not in a ring: when it comes again it goes through one
    logic        ring;
    logic [1:0]  reads;     ///< reads of the ring that are on their way
    logic        chain;     ///< the next one begins at rd_to; else at `next`: what the others bring is let go
    logic [15:0] size;      ///< bytes of the largest FPDU that came out of the ring
    logic [63:0] rd_to;
    logic        fin;
    logic [11:0] rid;
    logic [15:0] need;
    logic [63:0] gone;      ///< behind the last byte of an earlier ring
    logic [63:0] from;
    logic [63:0] tail;      ///< where the next piece in order begins when `ring`
    logic [15:0] first;
    logic [63:0] next;
    logic [63:0] edge_off;
    logic        calm;      ///< the ring was taken for bytes ahead of turn: the window opens no further before it is empty
    logic [Ranges-1:0]    ah_v;     ///< ranges ahead of turn (weft_mpa_ranges)
    logic [Ranges-1:0]    ah_p;     ///< of these: was placed, and is not in the ring
    logic [Ranges*32-1:0] ah_from;
    logic [Ranges*32-1:0] ah_to;
  } rec_t;
  localparam int unsigned RecW = 12 + 12 + 16 + 16 + 320 + 1 + 16 + 64 + Ranges * 66;

  /// A raw beat of an FPDU: 32-bit words of the stream, markers among them.
  typedef struct packed {
    logic        chk;    ///< the CRC is checked
    logic        first;
    logic        last;
    logic [4:0]  words;  ///< 1 to DATA_W/32
    logic        mk;     ///< one of them is a marker
    logic [3:0]  lane;   ///< which
    logic [13:0] ptr;    ///< FPDUPTR that it must hold, in words
  } beat_t;

  typedef enum logic [2:0] {
    JoinFpdu  = 3'd0,  ///< its bytes are on the way to the FPDU store
    JoinFault = 3'd1,  ///< no bytes
    JoinFin   = 3'd2,
    JoinEnd   = 3'd3,  ///< a pin is dropped
    JoinLoad  = 3'd4,
    JoinSave  = 3'd5,
    JoinCtx   = 3'd6,
    JoinStored = 3'd7  ///< `raw` bytes from `off` on are in the ring; in order, or `ahead`
  } join_e;

  /// What comes out of the room, in order.
  typedef struct packed {
    join_e              kind;
    logic               ends;   ///< the piece ends with it: its pin goes along
    logic               more;   ///< a pin is taken for a read of the ring
    logic               ahead;
    logic               kept;   ///< JoinFpdu: out of the ring
    logic               placed; ///< JoinStored: nothing of it is in the ring, all was placed before
    logic [21:0]        raw;    ///< bytes in the stream: a range that comes to be in order at once has up to a ring's
    logic [23:0]        qpn;
    logic [11:0]        slot;
    logic [63:0]        off;
    logic [15:0]        ulpdu;  ///< JoinCtx: argument
    logic [3:0]         code;   ///< JoinFault: mpa_fault_e; JoinCtx: op; JoinSave: tag
    logic               dead;   ///< JoinLoad: as it is; JoinEnd: a fault that was told is forgotten
  } join_t;

  /// A write to a ring, whose bytes follow, or a read.
  typedef struct packed {
    logic        rd;
    logic [23:0] qpn;
    logic [11:0] slot;
    logic [11:0] rid;
    logic [63:0] off;
    logic [15:0] len;
  } job_t;

endpackage
