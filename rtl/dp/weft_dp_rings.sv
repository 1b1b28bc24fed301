// SPDX-License-Identifier: BSD-2-Clause

/// Room RING of the configuration bus (RING_*): pages for receive rings and their size, the window, and whether the data path is ready. It
/// answers while the data path is not, so firmware can wait for that.
module weft_dp_rings #(
  parameter int unsigned N_RING = 16,      ///< receive rings, power of two, 2 to 4,096
  parameter int unsigned RING_PAGES = 16,  ///< pages of one, power of two, 8 to 64
  parameter int unsigned RING_SHIFT = 3,   ///< a page is of 4 KiB << this at most, up to weft_dp_pkg::RingShiftMax
  localparam int unsigned Pages = N_RING * RING_PAGES,
  localparam int unsigned CntW = $clog2(Pages) + 1,
  localparam logic [3:0] Fits = 4'((32'd1 << (RING_SHIFT + 1)) - 1)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                cfg_req_valid_i,
  output logic                cfg_req_ready_o,
  input  weft_pkg::cfg_req_t  cfg_req_i,
  output logic                cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t  cfg_rsp_o,
  input  logic                dp_ready_i,     ///< the data path's tables are cleared
  input  logic [12:0]         rings_free_i,
  output logic                page_valid_o,
  input  logic                page_ready_i,
  output logic [63:0]         page_addr_o,
  output logic [31:0]         wnd_o,
  output logic [1:0]          shift_o,
  output logic                idle_o
);

  logic [31:0]               lo_q, hi_q, wnd_q;
  logic [CntW-1:0]           given_q;
  logic [1:0]                shift_q;
  logic [31:0]               low_bits, most;
  logic                      page_q, rsp_q, we, room, wnd_ok, give, none, shift_ok;
  logic [7:0]                at;
  weft_abi_pkg::ring_status_t status;
  weft_abi_pkg::ring_size_t   size;
  weft_abi_pkg::ring_shift_t  sizes, asked;
  weft_pkg::cfg_rsp_t        d, r_q;

  assign cfg_req_ready_o = !rsp_q;
  assign we     = cfg_req_valid_i && cfg_req_ready_o && cfg_req_i.we;
  assign at     = cfg_req_i.addr[21:8] == '0 ? cfg_req_i.addr[7:0] : '1;
  assign room   = !page_q && given_q != CntW'(Pages);
  assign give   = we && at == 8'(weft_abi_pkg::RING_PAGE_HI) && room;
  assign wnd_ok = cfg_req_i.wdata >= 32'd4096 && cfg_req_i.wdata <= most;
  assign low_bits = (32'd4096 << shift_q) - 32'd1;
  assign most   = 32'(4096 * RING_PAGES) << shift_q;
  // The size of a page is said before the first one is given.
  assign none     = given_q == '0;
  assign asked    = cfg_req_i.wdata;
  assign shift_ok = none && Fits[asked.shift];
  always_comb begin
    status       = '0;
    status.free  = rings_free_i;
    status.room  = room;
    status.ready = dp_ready_i;
    size         = '0;
    size.rings   = 16'(N_RING);
    size.pages   = 16'(RING_PAGES);
    sizes        = '0;
    sizes.shift  = shift_q;
    sizes.most   = 2'(RING_SHIFT);
    d            = '0;
    unique case (at)
      8'(weft_abi_pkg::RING_PAGE_LO): begin
        d.rdata = lo_q;
        d.err   = cfg_req_i.we && (cfg_req_i.wdata & low_bits) != '0;
      end
      8'(weft_abi_pkg::RING_PAGE_HI): begin
        d.rdata = hi_q;
        d.err   = cfg_req_i.we && !room;
      end
      8'(weft_abi_pkg::RING_STATUS): begin
        d.rdata = status;
        d.err   = cfg_req_i.we;
      end
      8'(weft_abi_pkg::RING_SIZE): begin
        d.rdata = size;
        d.err   = cfg_req_i.we;
      end
      8'(weft_abi_pkg::RING_WND): begin
        d.rdata = wnd_q;
        d.err   = cfg_req_i.we && !wnd_ok;
      end
      8'(weft_abi_pkg::RING_SHIFT): begin
        d.rdata = sizes;
        d.err   = cfg_req_i.we && !shift_ok;
      end
      default: d.err = 1'b1;
    endcase
    if (cfg_req_i.we || d.err) d.rdata = '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_q   <= 1'b0;
      page_q  <= 1'b0;
      given_q <= '0;
      wnd_q   <= 32'(4096 * RING_PAGES);
      shift_q <= '0;
    end else begin
      rsp_q   <= cfg_req_valid_i && cfg_req_ready_o;
      page_q  <= give || (page_q && !page_ready_i);
      given_q <= given_q + CntW'(give);
      if (we && at == 8'(weft_abi_pkg::RING_WND) && wnd_ok) wnd_q <= cfg_req_i.wdata;
      if (we && at == 8'(weft_abi_pkg::RING_SHIFT) && shift_ok) begin
        shift_q <= asked.shift;
        wnd_q   <= 32'(4096 * RING_PAGES) << asked.shift;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (cfg_req_valid_i && cfg_req_ready_o) r_q <= d;
    if (we && at == 8'(weft_abi_pkg::RING_PAGE_LO) && (cfg_req_i.wdata & low_bits) == '0) lo_q <= cfg_req_i.wdata;
    if (give) hi_q <= cfg_req_i.wdata;
  end
  // LO may be written anew while a page waits.
  logic [31:0] lo_give_q;
  always_ff @(posedge clk_i) if (give) lo_give_q <= lo_q;

  assign cfg_rsp_valid_o = rsp_q;
  assign cfg_rsp_o       = r_q;
  assign page_valid_o    = page_q;
  assign page_addr_o     = {hi_q, lo_give_q};
  assign wnd_o           = wnd_q;
  assign shift_o         = shift_q;
  assign idle_o          = !page_q && !rsp_q && !cfg_req_valid_i;

  logic unused;
  assign unused = ^{cfg_req_i.addr, asked};

`ifndef SYNTHESIS
  initial if (N_RING < 2 || RING_PAGES < 8 || RING_PAGES > 64 || RING_SHIFT > weft_dp_pkg::RingShiftMax) $fatal(1, "weft_dp_rings: sizes");
`endif

endmodule
