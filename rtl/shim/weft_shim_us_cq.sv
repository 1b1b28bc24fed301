// SPDX-License-Identifier: BSD-2-Clause

/// The completer request interface of PCIE4 (PG213 "Completer Request Interface Operation") to the core's requests,
/// with straddling or without (each TLP that starts in a beat is known by is_sop).
///
/// The core takes at most two dwords of data and looks at the first beat only, so a TLP becomes one beat, with the
/// length that it really has; the rest of a longer one is thrown away here. A request whose beat says `discontinue`
/// is dropped. The BAR's offset is the address below its aperture. Up to NP_MAX non-posted requests are asked for at a time
/// (pcie_cq_np_req): posted ones pass those that wait in the block.
module weft_shim_us_cq #(
  parameter int unsigned NP_MAX = 32  ///< 2 to 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         flr_done_i,      ///< pulse: the core has forgotten the requests it had

  input  logic         cq_tvalid_i,
  output logic         cq_tready_o,
  input  logic [511:0] cq_tdata_i,
  input  logic [182:0] cq_tuser_i,
  output logic [1:0]   cq_np_req_o,

  output logic         rx_req_valid_o,  ///< weft_core's
  input  logic         rx_req_ready_i,
  output logic [127:0] rx_req_hdr_o,
  output logic [2:0]   rx_req_bar_o,
  output logic [511:0] rx_req_data_o,
  output logic         rx_req_last_o,
  output logic         np_valid_o,      ///< pulse: a non-posted one
  output logic [135:0] np_o,            ///< {last_be, first_be, descriptor}
  input  logic         cpl_done_i,      ///< pulse: the last completion of one was taken
  output logic         idle_o
);

  // ---------------------------------------------------------------- the TLPs that start in a beat, one after the other
  logic         second_q, two, any, drop, take;
  logic [1:0]   ptr;
  logic [127:0] desc;
  logic [63:0]  data;
  logic [3:0]   fbe, lbe;

  assign any  = cq_tuser_i[weft_shim_us_pkg::CqSop];
  assign two  = cq_tuser_i[weft_shim_us_pkg::CqSop+1];
  assign drop = cq_tuser_i[weft_shim_us_pkg::CqDiscontinue];
  assign ptr  = second_q ? cq_tuser_i[weft_shim_us_pkg::CqSop1Ptr+:2] : cq_tuser_i[weft_shim_us_pkg::CqSop0Ptr+:2];
  // It starts in dword 0 or 8.
  assign {data, desc} = ptr[1] ? cq_tdata_i[256+:192] : cq_tdata_i[0+:192];
  assign fbe  = second_q ? cq_tuser_i[weft_shim_us_pkg::CqFirstBe+4+:4] : cq_tuser_i[weft_shim_us_pkg::CqFirstBe+:4];
  assign lbe  = second_q ? cq_tuser_i[weft_shim_us_pkg::CqLastBe+4+:4] : cq_tuser_i[weft_shim_us_pkg::CqLastBe+:4];

  assign take        = cq_tvalid_i && (!rx_req_valid_o || rx_req_ready_i);
  assign cq_tready_o = (!rx_req_valid_o || rx_req_ready_i) && (!any || !two || second_q);

  // ---------------------------------------------------------------- header
  logic [7:0]   fmt_type;
  logic         np, msg;
  logic [31:0]  low;
  logic [127:0] hdr;
  always_comb begin
    np  = 1'b1;
    msg = 1'b0;
    unique case (desc[78:75])
      weft_shim_us_pkg::ReqMemRead:    fmt_type = 8'h00;
      weft_shim_us_pkg::ReqMemWrite: begin
        fmt_type = 8'h40;
        np       = 1'b0;
      end
      weft_shim_us_pkg::ReqIoRead:     fmt_type = 8'h02;
      weft_shim_us_pkg::ReqIoWrite:    fmt_type = 8'h42;
      weft_shim_us_pkg::ReqFetchAdd:   fmt_type = 8'h4c;
      weft_shim_us_pkg::ReqSwap:       fmt_type = 8'h4d;
      weft_shim_us_pkg::ReqCas:        fmt_type = 8'h4e;
      weft_shim_us_pkg::ReqLockedRead: fmt_type = 8'h01;
      default: begin                                 // messages: the core wants none
        fmt_type = desc[74:64] != '0 ? 8'h74 : 8'h34;
        np       = 1'b0;
        msg      = 1'b1;
      end
    endcase
    low = desc[120:115] >= 6'd32 ? desc[31:0] : desc[31:0] & ~(32'hffff_ffff << desc[119:115]);
    hdr = '0;
    hdr[31:24]  = fmt_type;
    hdr[22:20]  = desc[123:121];
    hdr[18]     = desc[126];
    hdr[13:12]  = desc[125:124];
    hdr[11:10]  = msg ? 2'b00 : desc[1:0];
    hdr[9:0]    = desc[73:64];
    hdr[63:48]  = desc[95:80];
    hdr[47:40]  = desc[103:96];
    hdr[39:32]  = msg ? 8'h00 : {lbe, fbe};
    if (!msg) hdr[95:66] = low[31:2];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q       <= 1'b0;
      rx_req_valid_o <= 1'b0;
    end else begin
      if (!rx_req_valid_o || rx_req_ready_i) rx_req_valid_o <= cq_tvalid_i && any && !drop;
      if (take && any) second_q <= two && !second_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rx_req_valid_o || rx_req_ready_i) begin
      rx_req_hdr_o  <= hdr;
      rx_req_bar_o  <= desc[114:112];
      rx_req_data_o <= {448'd0, data};
    end
  end
  assign rx_req_last_o = 1'b1;
  assign np_valid_o    = take && any && np && !drop;
  assign np_o          = {lbe, fbe, desc};

  // ---------------------------------------------------------------- credits for non-posted requests
  // open_q: asked for and not answered. The block keeps a count that goes up by what is asked for in a cycle.
  logic [5:0] open_q;
  logic       gone, more;
  assign gone        = take && any && np && drop;
  assign more        = open_q < 6'(NP_MAX);
  assign cq_np_req_o = more ? 2'b01 : 2'b00;
  // Those that the core forgot at a reset are not answered; the others are still in the block.
  logic [5:0] held_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      held_q <= '0;
    end else begin
      if (flr_done_i) begin
        open_q <= open_q - held_q + 6'(more) - 6'(gone);
        held_q <= 6'(np_valid_o);
      end else begin
        open_q <= open_q + 6'(more) - 6'(cpl_done_i && held_q != '0) - 6'(gone);
        held_q <= held_q + 6'(np_valid_o) - 6'(cpl_done_i && held_q != '0);
      end
    end
  end
  assign idle_o = !rx_req_valid_o && !cq_tvalid_i;

  logic unused;
  assign unused = ^{cq_tdata_i, cq_tuser_i, low[1:0], desc, ptr[0]};

endmodule
