// SPDX-License-Identifier: BSD-2-Clause
//
// Properties of weft_sq_sched. Doorbells come in every second cycle at most (formal/pcie_rx_req.svh), and one of weft_dp_owner may be in between; arrivals
// four cycles apart or more.
//
//   heard   whoever arrives finds a place, whatever else is asked for; two of them wait at most
  logic f_first = 1'b1;
  always @(posedge clk_i) f_first <= 1'b0;
  always @* assume (rst_ni == !f_first);
  logic [2:0] f_db, f_arr;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_db  <= '0;
      f_arr <= '0;
    end else begin
      f_db  <= {f_db[1:0], db_valid_i};
      f_arr <= {f_arr[1:0], arrive_valid_i};
    end
  end
  always @* begin
    assume (!(db_valid_i && f_db == '1));
    assume (!(arrive_valid_i && f_arr != '0));
    assume (!arrive_valid_i || ready_o);
  end
`ifdef G_heard
  always @* if (rst_ni) begin
    assert (!(arrive_valid_i && arrive_i.ok && !full[0]));
    assert (arr_n <= 4'd2);
  end
`endif
