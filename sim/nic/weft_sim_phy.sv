// SPDX-License-Identifier: BSD-2-Clause

/// Link partner of weft_mac_10g in a simulation: XGMII of 64 bits on one side (IEEE 802.3 clause 46),
/// frames without FCS on the other, where the wire is. It is no part of the card.
///
/// A frame of the MAC is held against the rules of the clause (start, preamble, terminate, FCS, at least
/// 64 bytes, a gap of 9 or more); one that breaks them during a good link is an error that ends the
/// simulation. Frames of the wire are padded to 60 bytes, get their FCS (a wrong one with `err`) and start
/// in lane 0 or 4. While the link is down the receiver sees local fault. PAUSE both ways (annex 31B): the MAC's
/// stops what goes to it, and the wire is told so; a wire that takes nothing makes this side ask for one.
module weft_sim_phy #(
  parameter int unsigned DATA_W = 512,
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              en_i,          ///< in this cycle the clock of XGMII has an edge too
  input  logic              link_i,
  input  logic [63:0]       xgmii_txd_i,   ///< from the MAC
  input  logic [7:0]        xgmii_txc_i,
  output logic [63:0]       xgmii_rxd_o,   ///< to the MAC
  output logic [7:0]        xgmii_rxc_o,

  input  logic              rx_valid_i,    ///< frames of the wire, for the MAC
  output logic              rx_ready_o,
  input  logic [DATA_W-1:0] rx_data_i,
  input  logic [CntW-1:0]   rx_cnt_i,
  input  logic              rx_last_i,
  input  logic              rx_err_i,
  output logic              tx_valid_o,    ///< frames of the MAC, for the wire
  input  logic              tx_ready_i,
  output logic [DATA_W-1:0] tx_data_o,
  output logic [CntW-1:0]   tx_cnt_o,
  output logic              tx_last_o,
  output logic              pause_o,       ///< the MAC asked for a pause
  output logic              idle_o         ///< nothing is held here
);

  localparam int unsigned Bytes = 65536, LenN = 1024, Beat = DATA_W / 8;
  localparam logic [15:0] Most = 16'd20000;    // of a frame of the wire: a MAC takes none of that length

  // What happens in a cycle is told in order, as a program.
  /* verilator lint_off BLKSEQ */
  logic [31:0] table_q [256];
  initial begin
    for (int i = 0; i < 256; i++) begin
      logic [31:0] c;
      c = i;
      for (int j = 0; j < 8; j++) c = c[0] ? (c >> 1) ^ 32'hedb8_8320 : c >> 1;
      table_q[i] = c;
    end
  end
  function automatic logic [31:0] crc(input logic [31:0] c, input logic [7:0] b);
    crc = table_q[c[7:0] ^ b] ^ (c >> 8);
  endfunction

  // Rings of bytes with a ring of lengths each; positions run freely.
  logic [7:0]  t_mem [Bytes], r_mem [Bytes];
  logic [16:0] t_len [LenN], r_len [LenN];     // bit 16: with a wrong FCS
  int unsigned t_wr, t_rd, t_n, t_take, r_wr, r_rd, r_n, r_take;
  logic [15:0] t_end;                          // bytes of the frame that is coming in

  // ---------------------------------------------------------------- from the MAC
  logic        in_frame, bad;
  int unsigned pre, gap, down;
  logic [31:0] fcs;
  logic [63:0] head [3];
  int unsigned pause_left;                     // clocks of XGMII
  logic        pause_hit;

  // One byte of XGMII. `down`: the link has been down within the last words, frames may be cut.
  task automatic lane(input int unsigned i, input logic ctrl, input logic [7:0] b);
    if (!in_frame) begin
      if (ctrl && b == 8'hfb) begin
        if (i % 4 != 0 || (gap < 9 && down == 0)) $error("phy: a start in lane %0d, %0d bytes behind the last frame", i, gap);
        in_frame = 1'b1;
        bad      = 1'b0;
        pre      = 0;
        fcs      = '1;
        t_end    = '0;
      end else if (!ctrl || (b != 8'h07 && b != 8'h9c)) begin
        if (down == 0) $error("phy: %h (control %b) between frames", b, ctrl);
      end else gap = gap < 1000 ? gap + 1 : gap;
    end else if (ctrl) begin
      in_frame = 1'b0;
      gap      = 1;
      // The register behind a frame and its FCS, whatever the frame.
      if (b != 8'hfd || fcs != 32'hdebb_20e3 || t_end < 64 || bad) begin
        if (down == 0) $error("phy: a bad frame of %0d bytes (end %h, register %h)", t_end, b, fcs);
      end else if (t_n == LenN || t_wr + 32'(t_end) - t_rd > Bytes) begin
        $error("phy: no room for a frame, in spite of the pause");
      end else if (head[1][47:32] == 16'h0888) begin
        if (head[1][63:48] == 16'h0100) pause_left = 8 * {16'd0, head[2][7:0], head[2][15:8]};
      end else begin
        t_len[(t_take + t_n) % LenN] = {1'b0, t_end - 16'd4};
        t_n  = t_n + 1;
        t_wr = t_wr + 32'(t_end) - 4;
      end
    end else if (pre < 7) begin
      if (b != (pre == 6 ? 8'hd5 : 8'h55)) bad = 1'b1;
      pre = pre + 1;
    end else begin
      fcs = crc(fcs, b);
      if (t_end < 24) head[t_end / 8][8*(t_end%8)+:8] = b;
      t_mem[(t_wr + 32'(t_end)) % Bytes] = b;
      if (t_end != '1) t_end = t_end + 1'b1;
    end
  endtask

  // ---------------------------------------------------------------- to the MAC
  typedef enum logic [2:0] {StIdle, StPre, StData, StPad, StFcs, StTerm} state_e;
  state_e      st;
  int unsigned at, idles, asked;
  logic        own, wrong, want;               // own: a PAUSE frame; want: the wire holds us up
  logic [15:0] quanta;
  logic [16:0] len;
  logic [31:0] out_fcs;
  logic        seed;

  function automatic logic [7:0] pause_byte(input int unsigned i, input logic [15:0] q);
    unique case (i)
      0: pause_byte = 8'h01;
      1: pause_byte = 8'h80;
      2: pause_byte = 8'hc2;
      5: pause_byte = 8'h01;
      6: pause_byte = 8'h02;                   // any source
      12: pause_byte = 8'h88;
      13: pause_byte = 8'h08;
      15: pause_byte = 8'h01;
      16: pause_byte = q[15:8];
      17: pause_byte = q[7:0];
      default: pause_byte = 8'h00;
    endcase
  endfunction

  task automatic symbol(input int unsigned i, output logic ctrl, output logic [7:0] b);
    ctrl = 1'b1;
    b    = 8'h07;
    unique case (st)
      StIdle: begin
        // Terminate counts for the gap; some start in lane 4.
        if (i % 4 == 0 && idles >= 12 && (i == 0 || seed)) begin
          if (want ? asked == 0 : asked != 0) begin
            own    = 1'b1;
            quanta = want ? 16'hffff : 16'd0;
            asked  = want ? 65535 * 4 : 0;     // again after half of the time
            len    = 17'd18;
            wrong  = 1'b0;
            st     = StPre;
          end else if (r_n != 0 && pause_left == 0) begin
            own   = 1'b0;
            len   = {1'b0, r_len[r_take % LenN][15:0]};
            wrong = r_len[r_take % LenN][16];
            st    = StPre;
          end
        end
        if (st == StPre) begin
          b       = 8'hfb;
          at      = 1;
          out_fcs = '1;
          seed    = !seed;
        end else idles = idles < 1000 ? idles + 1 : idles;
      end
      StPre: begin
        ctrl = 1'b0;
        b    = at == 7 ? 8'hd5 : 8'h55;
        at   = at + 1;
        if (at == 8) begin
          at = 0;
          st = StData;
        end
      end
      StData: begin
        ctrl    = 1'b0;
        b       = own ? pause_byte(at, quanta) : r_mem[(r_rd + at) % Bytes];
        out_fcs = crc(out_fcs, b);
        at      = at + 1;
        if (at == 32'(len)) st = at < 60 ? StPad : StFcs;
      end
      StPad: begin
        ctrl    = 1'b0;
        b       = 8'h00;
        out_fcs = crc(out_fcs, b);
        at      = at + 1;
        if (at == 60) st = StFcs;
      end
      StFcs: begin
        ctrl    = 1'b0;
        b       = ~out_fcs[7:0] ^ {7'd0, wrong};
        out_fcs = out_fcs >> 8;
        wrong   = 1'b0;
        len     = len + 17'h8000;              // bits 16:15 count the four bytes
        if (len[16:15] == 2'd0) st = StTerm;
      end
      default: begin
        b     = 8'hfd;
        idles = 1;
        st    = StIdle;
        if (!own) begin
          r_rd   = r_rd + 32'(r_len[r_take % LenN][15:0]);
          r_take = r_take + 1;
          r_n    = r_n - 1;
        end
      end
    endcase
  endtask

  logic [63:0] word;
  logic [7:0]  ctrls, one;
  logic        c1;
  logic [15:0] r_now;                          // bytes of the frame that the wire gives
  logic [15:0] t_pos;                          // bytes of the frame that the wire takes
  int unsigned cnt;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {in_frame, bad, own, wrong, want, seed} = '0;
      {t_wr, t_rd, t_n, t_take, r_wr, r_rd, r_n, r_take} = '0;
      {pre, pause_left, at, asked} = '0;
      gap   = 1000;
      idles = 1000;
      down  = 1000;
      st    = StIdle;
      r_now = '0;
      t_pos = '0;
      xgmii_rxd_o <= 64'h0707_0707_0707_0707;
      xgmii_rxc_o <= 8'hff;
      tx_valid_o  <= 1'b0;
    end else begin
      if (en_i) begin
        if (!link_i) down = 1000;
        else if (down != 0) down = down - 1;
        if (pause_left != 0) pause_left = pause_left - 1;
        if (asked > 1) asked = asked - 1;
        if (asked == 1 && want) asked = 0;
        want = want ? t_wr - t_rd > Bytes / 8 : t_wr - t_rd > Bytes / 2;
        if (in_frame || xgmii_txc_i != 8'hff || xgmii_txd_i != 64'h0707_0707_0707_0707) begin
          for (int unsigned i = 0; i < 8; i++) lane(i, xgmii_txc_i[i], xgmii_txd_i[8*i+:8]);
        end else gap = gap < 1000 ? gap + 8 : gap;
        word  = 64'h0100_009c_0100_009c;       // local fault
        ctrls = 8'h11;
        if (!link_i) begin
          st     = StIdle;
          asked  = 0;
          r_take = r_take + r_n;               // what waits is lost
          r_n    = 0;
          r_rd   = r_wr;
        end else if (st != StIdle || r_n != 0 || want || asked != 0 || idles < 12) begin
          for (int unsigned i = 0; i < 8; i++) begin
            symbol(i, c1, one);
            word[8*i+:8] = one;
            ctrls[i]     = c1;
          end
        end else begin
          word  = 64'h0707_0707_0707_0707;
          ctrls = 8'hff;
        end
        xgmii_rxd_o <= word;
        xgmii_rxc_o <= ctrls;
      end
      // From the wire.
      if (rx_valid_i && rx_ready_o) begin
        if (r_now < Most) begin
          for (int unsigned i = 0; i < Beat; i++)
            if (i < 32'(rx_cnt_i)) r_mem[(r_wr + 32'(r_now) + i) % Bytes] = rx_data_i[8*i+:8];
          r_now = r_now + 16'(rx_cnt_i);
        end
        if (rx_last_i) begin
          if (r_now != '0) begin
            r_len[(r_take + r_n) % LenN] = {rx_err_i, r_now};
            r_n  = r_n + 1;
            r_wr = r_wr + 32'(r_now);
          end
          r_now = '0;
        end
      end
      // To the wire.
      if (!tx_valid_o || tx_ready_i) begin
        tx_valid_o <= t_n != 0;
        if (t_n != 0) begin
          cnt = 32'(t_len[t_take % LenN]) - 32'(t_pos);
          tx_last_o <= cnt <= Beat;
          if (cnt > Beat) cnt = Beat;
          tx_cnt_o <= CntW'(cnt);
          for (int unsigned i = 0; i < Beat; i++)
            tx_data_o[8*i+:8] <= i < cnt ? t_mem[(t_rd + i) % Bytes] : 8'h00;
          t_rd  = t_rd + cnt;
          t_pos = t_pos + 16'(cnt);
          if (32'(t_pos) == 32'(t_len[t_take % LenN])) begin
            t_pos  = '0;
            t_n    = t_n - 1;
            t_take = t_take + 1;
          end
        end
      end
    end
    rx_ready_o <= rst_ni && r_n < LenN - 2 && r_wr - r_rd < Bytes / 2;
    pause_o    <= rst_ni && pause_left != 0;
    idle_o     <= !in_frame && t_n == 0 && r_n == 0 && st == StIdle && idles >= 12 && r_now == '0 && pause_left == 0
                  && asked == 0 && !want && !tx_valid_o;
  end
  /* verilator lint_on BLKSEQ */

endmodule
