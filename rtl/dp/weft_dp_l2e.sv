// SPDX-License-Identifier: BSD-2-Clause

/// L2 entries on the configuration bus (a context window, weft_abi l2e in its first 16 bytes): a commit goes to departure's
/// table, a fetch is answered from a copy.
module weft_dp_l2e #(
  parameter int unsigned N_L2 = 64,  ///< a power of two, 2 to 65,536
  localparam int unsigned L2W = $clog2(N_L2)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                cfg_req_valid_i,
  output logic                cfg_req_ready_o,
  input  weft_pkg::cfg_req_t  cfg_req_i,
  output logic                cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t  cfg_rsp_o,
  output logic                l2e_we_o,
  output logic [L2W-1:0]      l2e_index_o,
  output weft_abi_pkg::l2e_t  l2e_o
);

  logic         commit, fetch, rsp_q;
  logic [15:0]  c_idx, f_idx;
  logic [511:0] c_data;
  logic [127:0] copy;
  weft_ctx_window #(.N(N_L2)) u_window (
    .clk_i, .rst_ni, .cfg_req_valid_i, .cfg_req_ready_o, .cfg_req_i, .cfg_rsp_valid_o, .cfg_rsp_o,
    .commit_valid_o(commit), .commit_ready_i(1'b1), .commit_index_o(c_idx), .commit_data_o(c_data),
    .fetch_valid_o(fetch), .fetch_ready_i(1'b1), .fetch_index_o(f_idx), .fetch_rsp_valid_i(rsp_q),
    .fetch_rsp_data_i(512'(copy))
  );
  weft_ram_1r1w #(.W(128), .DEPTH(N_L2)) u_copy (
    .clk_i, .we_i(commit), .waddr_i(c_idx[L2W-1:0]), .wdata_i(c_data[127:0]),
    .re_i(fetch), .raddr_i(f_idx[L2W-1:0]), .rdata_o(copy)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= fetch;
  end
  assign l2e_we_o    = commit;
  assign l2e_index_o = c_idx[L2W-1:0];
  assign l2e_o       = c_data[127:0];
  logic unused;
  assign unused = ^{c_idx, f_idx, c_data};

endmodule
