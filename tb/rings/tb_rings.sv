// SPDX-License-Identifier: BSD-2-Clause
/// Two rings of eight pages, of 16 KiB at most; the size of pages stands beside each that is taken.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  logic        v, r, rv, pv, pr, idle, ready;
  logic [63:0] page;
  logic [31:0] wnd;
  logic [1:0]  shift;
  weft_pkg::cfg_req_t req;
  weft_pkg::cfg_rsp_t rsp;
  tb_cfg u_cfg (.clk_i, .rst_ni, .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req), .cfg_rsp_valid_i(rv), .cfg_rsp_i(rsp));
  tb_src_item #(.ID(0), .W(1)) u_ready (.clk_i, .rst_ni, .valid_o(ready), .ready_i(1'b0), .data_o());
  weft_dp_rings #(.N_RING(2), .RING_PAGES(8), .RING_SHIFT(2)) u_dut (
    .clk_i, .rst_ni, .cfg_req_valid_i(v), .cfg_req_ready_o(r), .cfg_req_i(req), .cfg_rsp_valid_o(rv), .cfg_rsp_o(rsp),
    .dp_ready_i(ready), .rings_free_i(13'h1234), .page_valid_o(pv), .page_ready_i(pr), .page_addr_o(page), .wnd_o(wnd), .shift_o(shift), .idle_o(idle));
  tb_snk_item #(.ID(1), .W(66)) u_page (.clk_i, .rst_ni, .valid_i(pv), .ready_o(pr), .data_i({shift, page}));
  always @(posedge clk_i) if (rst_ni && (v || rv || pv)) assert (!idle) else $error("idle while busy");
  // The data path is told the window that is read.
  logic is_wnd_q;
  always_ff @(posedge clk_i) if (v && r) is_wnd_q <= !req.we && req.addr[7:0] == 8'(weft_abi_pkg::RING_WND);
  always @(posedge clk_i) if (rst_ni && rv && is_wnd_q) assert (rsp.rdata == wnd) else $error("another window is read");
endmodule
