// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_pcie_rx_req: a doorbell, one at the head of a push line too, is a pulse of its page, offset and data, once, in order, in every second cycle at most, whatever else comes and
// waits; it waits for no more than the one in front of it.
  logic f_past_q;
  initial f_past_q = 1'b0;
  always_ff @(posedge clk_i) f_past_q <= 1'b1;
  always_comb assume (rst_ni == f_past_q);

  // A TLP of one quadword, written whole to BAR2, aligned (the header is that of the first beat), and that of the head of a push line, in one beat.
  logic f_db, f_line, f_head;
  assign f_line = rx_req_hdr_i[29] ? rx_req_hdr_i[107] : rx_req_hdr_i[75];
  assign f_head = (rx_req_hdr_i[29] ? rx_req_hdr_i[101:98] : rx_req_hdr_i[69:66]) == '0 && rx_req_last_i;
  assign f_db = rx_req_valid_i && first_q && rx_req_hdr_i[30] && !rx_req_hdr_i[31] && rx_req_hdr_i[28:24] == '0 && rx_req_bar_i == 3'd2 && !rx_req_hdr_i[14]
                && rx_req_hdr_i[11:10] == '0 && rx_req_hdr_i[9:0] == 10'd2 && rx_req_hdr_i[39:32] == 8'hff
                && !(rx_req_hdr_i[29] ? rx_req_hdr_i[98] : rx_req_hdr_i[66]) && (!f_line || f_head);
  // Other pushes count from when they are taken apart, and so do doorbells that came together.
  logic f_did_q, f_late;
  assign f_late = (s1_valid_q && s1_go && do_push && !f_did_q) || part_go;
  always_ff @(posedge clk_i) if (take && first_q) f_did_q <= f_db;
  // What was taken and is not told, of one of them its data.
  logic [1:0]  f_open_q;
  logic        f_wait_q;
  logic [63:0] f_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_open_q <= '0;
      f_wait_q <= 1'b0;
    end else begin
      f_open_q <= f_open_q + 2'(take && f_db) + 2'(f_late) - 2'(db_valid_o);
      f_wait_q <= f_open_q != '0 && !db_valid_o;
    end
    if (take && f_db) f_data_q <= rx_req_data_i[63:0];
    else if (f_late) f_data_q <= part_go ? part : data_q;
  end
  logic f_db_q;
  always_ff @(posedge clk_i) f_db_q <= rst_ni && db_valid_o;

`ifdef G_rate
  always_comb if (rst_ni) assert (!(db_valid_o && f_db_q));
`endif
`ifdef G_kept
  always_comb if (rst_ni) begin
    assert (f_open_q <= 2'd2);
    assert (!(db_valid_o && f_open_q == '0));
    // told in the second cycle behind the one in which it was taken, or in the third
    assert (!(f_wait_q && f_open_q != '0 && !db_valid_o && !f_db_q));
    if (db_valid_o && f_open_q == 2'd1) assert (db_data_o == f_data_q);
  end
`endif
`ifdef F_COVER
  // at that rate
  logic [3:0] f_n_q;
  always_ff @(posedge clk_i) f_n_q <= !rst_ni ? '0 : db_valid_o ? f_n_q + 4'd1 : f_db_q ? f_n_q : '0;
  always @* cover (rst_ni && f_n_q == 4'd4);
`endif
