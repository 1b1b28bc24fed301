// SPDX-License-Identifier: BSD-2-Clause

/// Numbers of the bridge's protocol: docs/bridge.md.
package weft_bridge_pkg;

  localparam logic [7:0] Version = 8'd1;
  localparam logic [7:0] Flag = 8'h7e;      ///< begins and ends a frame, and is nowhere else
  localparam logic [7:0] Escape = 8'h7d;    ///< the next byte was xored with 20

  localparam logic [7:0] KindHello = 8'h01;    ///< host: a new life
  localparam logic [7:0] KindGo = 8'h02;       ///< host: WELCOME has come
  localparam logic [7:0] KindDown = 8'h03;     ///< card: no session
  localparam logic [7:0] KindWelcome = 8'h04;  ///< card: everything of before is forgotten
  localparam logic [7:0] KindAck = 8'h10;
  localparam logic [7:0] KindPosted = 8'h20;   ///< 20 to 23 have sequence numbers; bits 1:0 are the class
  localparam logic [7:0] KindConfig = 8'h23;

  localparam logic [1:0] ClassPosted = 2'd0;
  localparam logic [1:0] ClassNonPosted = 2'd1;
  localparam logic [1:0] ClassCpl = 2'd2;
  localparam logic [1:0] ClassConfig = 2'd3;   ///< takes a credit of posted ones

  localparam int unsigned MaxDwords = 64;      ///< of a TLP's payload
  localparam int unsigned MinBody = 17;        ///< of a frame of a class: a byte and the header
  localparam int unsigned MaxBody = MinBody + 4 * MaxDwords;

endpackage
