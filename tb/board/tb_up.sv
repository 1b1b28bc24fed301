// SPDX-License-Identifier: BSD-2-Clause
/// What brings a board up: resets in order, the PHY's set-up over MDIO, the station address, time. Clocks: 0 system,
/// 1 core, 2 transmit, 3 receive. PHY, device number and the MAC's registers are C (up.c).
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void up_tick(input int resets, input int phy_rst, input int link, input longint unsigned now,
    output int sys_ok, output int core_ok);
  import "DPI-C" function int up_mdio(input int rst, input int mdc, input int mdio, input int oe);
  import "DPI-C" function int up_dna(input int clk, input int read, input int shift);
  import "DPI-C" function void up_write(input int addr, input int data);
  import "DPI-C" function int up_ready();
  import "DPI-C" function void up_port(input int valid, input int ready, input int answered, input int rdata, input int addr,
    input int we, output int what, output int value, output bit forget);
  import "DPI-C" function void up_addr(input int valid, input longint unsigned addr);

  logic [3:0] clk, clk_rst_n;  // the bench's own resets of its clocks are not used
  for (genvar i = 0; i < 4; i++) begin : gen_clk
    tb_clock #(.ID(i)) u_clk (.clk_i, .clk_o(clk[i]), .rst_no(clk_rst_n[i]));
  end
  logic unused;
  assign unused = ^clk_rst_n ^ ^DATA_W ^ rst_ni;

  logic sys_ok, core_ok, phy_ok, link, phy_rst_n, mdc, mdio, oe, mdio_in, dna_clk, dna_read, dna_shift, dna, addr_valid;
  logic sys_rst_n, core_rst_n, tx_rst_n, rx_rst_n;
  logic [47:0] addr;
  logic [63:0] now;
  int s, c;
  initial begin
    sys_ok  = 1'b1;
    core_ok = 1'b1;
  end
  always @(posedge clk_i) begin
    up_tick(int'({rx_rst_n, tx_rst_n, core_rst_n, sys_rst_n}), int'(phy_rst_n), int'({link, phy_ok}), now, s, c);
    sys_ok  <= s != 0;
    core_ok <= c != 0;
  end
  weft_board_rst u_rst (
    .sys_clk_i(clk[0]), .sys_ok_i(sys_ok), .core_clk_i(clk[1]), .core_ok_i(core_ok), .phy_ok_i(phy_ok), .tx_clk_i(clk[2]),
    .rx_clk_i(clk[3]), .sys_rst_no(sys_rst_n), .core_rst_no(core_rst_n), .tx_rst_no(tx_rst_n), .rx_rst_no(rx_rst_n)
  );
  weft_board_phy_marvell #(.RESET(60), .WAIT(300), .POLL(150), .HALF(8)) u_phy (
    .clk_i(clk[0]), .rst_ni(sys_rst_n), .phy_rst_no(phy_rst_n), .ok_o(phy_ok), .link_o(link), .mdc_o(mdc), .mdio_o(mdio),
    .mdio_oe_o(oe), .mdio_i(mdio_in)
  );
  always @(negedge clk[0]) mdio_in <= up_mdio(int'(phy_rst_n), int'(mdc), int'(mdio), int'(oe)) != 0;
  weft_board_addr #(.BITS(57)) u_addr (
    .clk_i(clk[0]), .rst_ni(sys_rst_n), .dna_clk_o(dna_clk), .dna_read_o(dna_read), .dna_shift_o(dna_shift), .dna_i(dna),
    .valid_o(addr_valid), .addr_o(addr)
  );
  always @(negedge clk[0]) begin
    dna <= up_dna(int'(dna_clk), int'(dna_read), int'(dna_shift)) != 0;
    up_addr(int'(addr_valid), {16'h0, addr});
  end
  weft_board_time #(.PERIOD_NS(8)) u_time (.clk_i(clk[1]), .rst_ni(core_rst_n), .now_ns_o(now));

  // A MAC's registers, answered after a while.
  logic               v, r, rsp, busy;
  weft_pkg::cfg_req_t req;
  logic [47:0]        addr_core;
  weft_sync_cfg #(.W(48)) u_addr_sync (
    .src_clk_i(clk[0]), .src_rst_ni(sys_rst_n), .src_i(addr_valid ? addr : 48'h0), .dst_clk_i(clk[1]),
    .dst_rst_ni(core_rst_n), .dst_o(addr_core)
  );
  // The core's accesses, one at a time. Its own reset may come in the midst of one: it asks again, and the old answer is nobody's.
  logic               pv, pr, prv, asked, forget;
  weft_pkg::cfg_req_t preq;
  weft_pkg::cfg_rsp_t prsp, mac_rsp;
  int                 what, value;
  weft_mac_set u_set (
    .clk_i(clk[1]), .rst_ni(core_rst_n), .addr_i(addr_core), .port_req_valid_i(pv), .port_req_ready_o(pr),
    .port_req_i(preq), .port_rsp_valid_o(prv), .port_rsp_o(prsp), .cfg_req_valid_o(v), .cfg_req_ready_i(r), .cfg_req_o(req),
    .cfg_rsp_valid_i(rsp), .cfg_rsp_i(mac_rsp), .idle_o()
  );
  always @(posedge clk[1] or negedge core_rst_n) begin
    if (!core_rst_n) begin
      pv    <= 1'b0;
      asked <= 1'b0;
    end else begin
      up_port(int'(pv), int'(pr), int'(prv && asked), int'(prsp.rdata), int'(preq.addr), int'(preq.we), what, value, forget);
      if (pv && pr) begin
        pv    <= 1'b0;
        asked <= 1'b1;
      end else if (asked && prv) asked <= 1'b0;
      else if (forget) begin
        pv    <= 1'b0;
        asked <= 1'b0;
      end else if (!pv && !asked && what >= 0) begin
        pv         <= 1'b1;
        preq.we    <= what[28];
        preq.addr  <= what[27:0];
        preq.wdata <= value;
      end
    end
  end
  always @(posedge clk[1] or negedge core_rst_n) begin
    if (!core_rst_n) begin
      r    <= 1'b0;
      rsp  <= 1'b0;
      busy <= 1'b0;
    end else begin
      if (v && r) begin
        if (req.we) up_write(int'(req.addr), int'(req.wdata));
        mac_rsp <= {1'b0, 4'h5, req.addr};
      end
      busy <= (busy || (v && r)) && !rsp;
      rsp  <= busy && !rsp && up_ready() != 0;
      r    <= !busy && !(v && r) && up_ready() != 0;
    end
  end
endmodule
