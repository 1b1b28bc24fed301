// SPDX-License-Identifier: BSD-2-Clause

/// A QP that gets an owner (room DB) begins with both producer indices at 0, whatever the QPN's last owner has rung and whatever the
/// memory held, and no pushed WQE of the last one is left (`sq_new_o`). Done as doorbells of index 0, between those that come over PCIe: of two cycles one is free
/// (weft_pcie_rx_req).
module weft_dp_owner #(
  parameter int unsigned N_QP = 256  ///< power of two, up to 65,536
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                own_valid_i,   ///< pulse: room DB takes this access
  input  weft_pkg::cfg_req_t  own_i,
  input  logic                sq_valid_i,    ///< of weft_doorbell
  input  logic [15:0]         sq_qpn_i,
  input  logic [15:0]         sq_index_i,
  input  logic                rq_valid_i,
  input  logic [15:0]         rq_qpn_i,
  input  logic [15:0]         rq_index_i,
  output logic                sq_valid_o,
  output logic [23:0]         sq_qpn_o,
  output logic [15:0]         sq_index_o,
  output logic                sq_new_o,      ///< with sq_valid_o: an owner's first
  output logic                rq_valid_o,
  output logic [23:0]         rq_qpn_o,
  output logic [15:0]         rq_index_o,
  output logic                idle_o
);

  logic        sq_q, rq_q, take;
  logic [15:0] qpn_q;
  assign take = own_valid_i && own_i.we && own_i.wdata[31] && own_i.addr[21:18] == '0 && 32'(own_i.addr[17:2]) < N_QP;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sq_q <= 1'b0;
      rq_q <= 1'b0;
    end else begin
      sq_q <= take || (sq_q && sq_valid_i);
      rq_q <= take || (rq_q && rq_valid_i);
    end
  end
  always_ff @(posedge clk_i) if (take) qpn_q <= own_i.addr[17:2];
  assign sq_valid_o = sq_valid_i || sq_q;
  assign sq_qpn_o   = {8'b0, sq_valid_i ? sq_qpn_i : qpn_q};
  assign sq_new_o   = !sq_valid_i;
  assign sq_index_o = sq_valid_i ? sq_index_i : '0;
  assign rq_valid_o = rq_valid_i || rq_q;
  assign rq_qpn_o   = {8'b0, rq_valid_i ? rq_qpn_i : qpn_q};
  assign rq_index_o = rq_valid_i ? rq_index_i : '0;
  assign idle_o     = !sq_q && !rq_q;

  logic unused;
  assign unused = ^own_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(take && (sq_q || rq_q))) else $error("%m: an owner before the last one's indices were set");
  end
`endif

endmodule
