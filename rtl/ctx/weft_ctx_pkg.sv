// SPDX-License-Identifier: BSD-2-Clause

/// Inside room ctx.
package weft_ctx_pkg;

  /// State of a QPN in the directory.
  localparam logic [2:0] StNone     = 3'd0;  ///< no such connection
  localparam logic [2:0] StAway     = 3'd1;  ///< in its home
  localparam logic [2:0] StComing   = 3'd2;  ///< a miss is under way
  localparam logic [2:0] StHome     = 3'd3;  ///< in a slot
  localparam logic [2:0] StResuming = 3'd4;  ///< in a slot; parked frames come first
  localparam logic [2:0] StGoing    = 3'd5;  ///< being written to its home
  localparam logic [2:0] StHeld     = 3'd6;  ///< firmware writes its home; a miss is kept for it

  /// Operations of ctx's other parts on the directory.
  localparam logic [3:0] OpCreate  = 4'd0;  ///< none: away
  localparam logic [3:0] OpDestroy = 4'd1;  ///< away or held: none
  localparam logic [3:0] OpHold    = 4'd2;  ///< none: held
  localparam logic [3:0] OpRelease = 4'd3;  ///< held: coming; its fill may begin
  localparam logic [3:0] OpArrive  = 4'd4;  ///< coming: home or resuming
  localparam logic [3:0] OpLost    = 4'd5;  ///< coming: none; its home could not be read
  localparam logic [3:0] OpResumed = 4'd6;  ///< resuming: home
  localparam logic [3:0] OpTry     = 4'd7;  ///< home: going
  localparam logic [3:0] OpGone    = 4'd8;  ///< going: away; coming meanwhile: its fill may begin
  localparam logic [3:0] OpBack    = 4'd9;  ///< going: home; coming meanwhile: it has arrived, in the slot that it never left

  /// Commands of firmware.
  localparam logic [2:0] CmdCreate  = 3'd0;  ///< its home is written
  localparam logic [2:0] CmdDestroy = 3'd1;  ///< it is away or held, and nobody asks for it any more
  localparam logic [2:0] CmdSave    = 3'd2;  ///< to its home, or be there already
  localparam logic [2:0] CmdHold    = 3'd3;  ///< its frames wait until ...
  localparam logic [2:0] CmdRelease = 3'd4;  ///< ... its home is written
  localparam logic [2:0] CmdBusy    = 3'd5;  ///< an answer only: what was to be saved is in use, and where it was

endpackage
