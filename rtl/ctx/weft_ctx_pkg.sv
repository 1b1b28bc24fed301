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

  /// Operations of ctx's other parts on the directory.
  localparam logic [2:0] OpCreate  = 3'd0;  ///< none: away
  localparam logic [2:0] OpDestroy = 3'd1;  ///< away: none
  localparam logic [2:0] OpArrive  = 3'd2;  ///< coming: home or resuming
  localparam logic [2:0] OpLost    = 3'd3;  ///< coming: none; its home could not be read
  localparam logic [2:0] OpResumed = 3'd4;  ///< resuming: home
  localparam logic [2:0] OpTry     = 3'd5;  ///< home: going
  localparam logic [2:0] OpUndo    = 3'd6;  ///< going, or coming meanwhile: home or resuming
  localparam logic [2:0] OpGone    = 3'd7;  ///< going: away; coming meanwhile: its fill may begin

endpackage
