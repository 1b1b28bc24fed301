// SPDX-License-Identifier: BSD-2-Clause
//
// Ends of valid/ready streams for test benches (Verilator only). ID is the port number of the C side.

/// Offers items (any packed value up to 2048 bits).
module tb_src_item #(
  parameter int ID = 0,
  parameter int W = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         valid_o,
  input  logic         ready_i,
  output logic [W-1:0] data_o
);
  import "DPI-C" function int tb_src_next(
    input int id, input int beat_bytes, output bit [2047:0] side, output bit [511:0] data, output int cnt,
    output int last, output int err);
  bit [2047:0] side;
  bit [511:0]  data;
  int cnt, last, err, got;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (!valid_o || ready_i) begin
      got = tb_src_next(ID, 64, side, data, cnt, last, err);
      valid_o <= got != 0;
      data_o  <= side[W-1:0];
    end
  end
endmodule

/// Takes items.
module tb_snk_item #(
  parameter int ID = 0,
  parameter int W = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         valid_i,
  output logic         ready_o,
  input  logic [W-1:0] data_i
);
  import "DPI-C" function int tb_snk_ready(input int id);
  import "DPI-C" function void tb_snk_item(input int id, input bit [2047:0] bits);
  import "DPI-C" function void tb_sv_fail(input string what);
  logic         waiting;
  logic [W-1:0] held;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_o <= 1'b0;
      waiting <= 1'b0;
    end else begin
      if (waiting && !valid_i) tb_sv_fail($sformatf("port %0d: valid was taken back", ID));
      else if (waiting && held !== data_i) tb_sv_fail($sformatf("port %0d: item changed while it waited", ID));
      waiting <= valid_i && !ready_o;
      held    <= data_i;
      if (valid_i && ready_o) tb_snk_item(ID, 2048'(data_i));
      ready_o <= tb_snk_ready(ID) != 0;
    end
  end
endmodule

/// Takes pulses without ready.
module tb_snk_pulse #(
  parameter int ID = 0,
  parameter int W = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         valid_i,
  input  logic [W-1:0] data_i
);
  import "DPI-C" function void tb_snk_item(input int id, input bit [2047:0] bits);
  always @(posedge clk_i) if (rst_ni && valid_i) tb_snk_item(ID, 2048'(data_i));
endmodule

/// Offers byte streams with a side band that is stable for the packet.
module tb_src_stream #(
  parameter int ID = 0,
  parameter int DATA_W = 64,
  parameter int SIDE_W = 1,
  localparam int CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [DATA_W-1:0] data_o,
  output logic [CNT_W-1:0]  cnt_o,
  output logic              last_o,
  output logic              err_o,
  output logic [SIDE_W-1:0] side_o
);
  import "DPI-C" function int tb_src_next(
    input int id, input int beat_bytes, output bit [2047:0] side, output bit [511:0] data, output int cnt,
    output int last, output int err);
  bit [2047:0] side;
  bit [511:0]  data;
  int cnt, last, err, got;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (!valid_o || ready_i) begin
      got = tb_src_next(ID, DATA_W / 8, side, data, cnt, last, err);
      valid_o <= got != 0;
      data_o  <= data[DATA_W-1:0];
      cnt_o   <= CNT_W'(cnt);
      last_o  <= last != 0;
      err_o   <= err != 0;
      side_o  <= side[SIDE_W-1:0];
    end
  end
endmodule

/// Takes byte streams. The side band is stable for the packet, or (SIDE_LAST) valid with its last beat.
module tb_snk_stream #(
  parameter int ID = 0,
  parameter int DATA_W = 64,
  parameter int SIDE_W = 1,
  parameter bit SIDE_LAST = 0,
  localparam int CNT_W = $clog2(DATA_W / 8) + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [DATA_W-1:0] data_i,
  input  logic [CNT_W-1:0]  cnt_i,
  input  logic              last_i,
  input  logic              err_i,
  input  logic [SIDE_W-1:0] side_i
);
  import "DPI-C" function int tb_snk_ready(input int id);
  import "DPI-C" function void tb_snk_beat(
    input int id, input int beat_bytes, input bit [2047:0] side, input bit [511:0] data, input int cnt,
    input int last, input int err);
  import "DPI-C" function void tb_sv_fail(input string what);
  logic waiting, in_pkt;
  logic [CNT_W+1:0]  held;
  logic [SIDE_W-1:0] held_side;
  logic [DATA_W-1:0] held_data, lanes;
  always_comb
    for (int i = 0; i < DATA_W / 8; i++) lanes[8*i+:8] = i < int'(cnt_i) ? data_i[8*i+:8] : 8'd0;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_o <= 1'b0;
      waiting <= 1'b0;
      in_pkt  <= 1'b0;
    end else begin
      if (waiting && !valid_i) tb_sv_fail($sformatf("port %0d: valid was taken back", ID));
      else if (waiting && (held !== {cnt_i, last_i, last_i & err_i} || held_data !== lanes))
        tb_sv_fail($sformatf("port %0d: beat changed while it waited", ID));
      if (valid_i && (SIDE_LAST ? waiting && last_i : waiting || in_pkt) && held_side !== side_i)
        tb_sv_fail($sformatf("port %0d: side band changed inside a packet", ID));
      waiting <= valid_i && !ready_o;
      if (valid_i && ready_o) in_pkt <= !last_i;
      held    <= {cnt_i, last_i, last_i & err_i};
      if (valid_i) begin
        held_data <= lanes;
        held_side <= side_i;
      end
      if (valid_i && ready_o)
        tb_snk_beat(ID, DATA_W / 8, 2048'(side_i), 512'(data_i), int'(cnt_i), int'(last_i),
                    int'(last_i && err_i));
      ready_o <= tb_snk_ready(ID) != 0;
    end
  end
endmodule

/// Master of the configuration bus, driven by tb_cfg_write, tb_cfg_read, tb_cfg_ctx.
module tb_cfg (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic              cfg_req_valid_o,
  input  logic              cfg_req_ready_i,
  output weft_pkg::cfg_req_t cfg_req_o,
  input  logic              cfg_rsp_valid_i,
  input  weft_pkg::cfg_rsp_t cfg_rsp_i
);
  import "DPI-C" function int tb_cfg_next(output int we, output int addr, output int wdata);
  import "DPI-C" function void tb_cfg_answer(input int rdata, input int err);
  int we, addr, wdata, got;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cfg_req_valid_o <= 1'b0;
    else begin
      if (cfg_rsp_valid_i) tb_cfg_answer(int'(cfg_rsp_i.rdata), int'(cfg_rsp_i.err));
      if (!cfg_req_valid_o || cfg_req_ready_i) begin
        got = tb_cfg_next(we, addr, wdata);
        cfg_req_valid_o <= got != 0;
        cfg_req_o.we    <= we != 0;
        cfg_req_o.addr  <= 28'(addr);
        cfg_req_o.wdata <= 32'(wdata);
      end
    end
  end
endmodule
