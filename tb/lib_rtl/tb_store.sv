// SPDX-License-Identifier: BSD-2-Clause

/// weft_pkt_store with two readers. Port numbers as in store.c.
module tb #(
  parameter int unsigned DATA_W = 64,
  parameter int unsigned BLOCKS = 64,
  parameter int unsigned BEATS = 8,
  parameter int unsigned MAX_BYTES = 9000
) (
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned HndW = $clog2(BLOCKS);
  localparam int unsigned CntW = $clog2(DATA_W / 8) + 1;

  logic              iv, ir, il, ie, pv, pr, pok, fv, fr, idle, put, full;
  logic [DATA_W-1:0] id;
  logic [CntW-1:0]   ic;
  logic [HndW-1:0]   ph, fh;
  logic [15:0]       pl;
  logic [HndW:0]     used;
  logic [1:0]             qv, qr, ov, orr, ol;
  logic [1:0][HndW-1:0]   qh;
  logic [1:0][15:0]       qo, ql;
  logic [1:0][DATA_W-1:0] od;
  logic [1:0][CntW-1:0]   oc;

  tb_src_stream #(.ID(0), .DATA_W(DATA_W)) u_in (.clk_i, .rst_ni, .valid_o(iv), .ready_i(ir), .data_o(id), .cnt_o(ic),
    .last_o(il), .err_o(ie), .side_o());
  tb_snk_item #(.ID(1), .W(48)) u_put (.clk_i, .rst_ni, .valid_i(pv), .ready_o(pr), .data_i({pok, 15'(ph), 16'(pl), 16'd0}));
  for (genvar r = 0; r < 2; r++) begin : gen_rd
    tb_src_item #(.ID(2 + r), .W(HndW + 32)) u_req (.clk_i, .rst_ni, .valid_o(qv[r]), .ready_i(qr[r]),
      .data_o({qh[r], qo[r], ql[r]}));
    tb_snk_stream #(.ID(4 + r), .DATA_W(DATA_W)) u_out (.clk_i, .rst_ni, .valid_i(ov[r]), .ready_o(orr[r]), .data_i(od[r]),
      .cnt_i(oc[r]), .last_i(ol[r]), .err_i(1'b0), .side_i(1'b0));
  end
  tb_src_item #(.ID(6), .W(HndW)) u_free (.clk_i, .rst_ni, .valid_o(fv), .ready_i(fr), .data_o(fh));
  tb_snk_pulse #(.ID(7), .W(2)) u_full (.clk_i, .rst_ni, .valid_i(full || put), .data_i({full, put}));
  tb_snk_pulse #(.ID(8), .W(32)) u_used (.clk_i, .rst_ni, .valid_i(1'b1), .data_i({idle, 31'(used)}));

  weft_pkt_store #(.DATA_W(DATA_W), .BLOCKS(BLOCKS), .BEATS(BEATS), .MAX_BYTES(MAX_BYTES), .N_RD(2)) dut (
    .clk_i, .rst_ni, .in_valid_i(iv), .in_ready_o(ir), .in_data_i(id), .in_cnt_i(ic), .in_last_i(il), .in_err_i(ie),
    .put_valid_o(pv), .put_ready_i(pr), .put_ok_o(pok), .put_handle_o(ph), .put_len_o(pl),
    .rd_valid_i(qv), .rd_ready_o(qr), .rd_handle_i(qh), .rd_off_i(qo), .rd_len_i(ql),
    .out_valid_o(ov), .out_ready_i(orr), .out_data_o(od), .out_cnt_o(oc), .out_last_o(ol),
    .free_valid_i(fv), .free_ready_o(fr), .free_handle_i(fh),
    .used_o(used), .idle_o(idle), .stat_put_o(put), .stat_full_o(full)
  );
endmodule
