// SPDX-License-Identifier: BSD-2-Clause

/// Room STEER: bit map of the local TCP ports that belong to the card (one word for 32 ports from
/// offset 0), station address, filter flags, key of the lookup hash (STEER_* of weft_abi).
/// The bit map is read for each frame; a look-up's answer comes two cycles after `port_valid_i`.
module weft_steer_regs (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               cfg_req_valid_i,
  output logic               cfg_req_ready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // the room bits are decoded outside
  input  weft_pkg::cfg_req_t cfg_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic               cfg_rsp_valid_o,
  output weft_pkg::cfg_rsp_t cfg_rsp_o,

  input  logic               port_valid_i,
  input  logic [15:0]        port_i,
  output logic               port_ours_o,

  output logic [47:0]        mac_o,
  output logic               promisc_o,
  output logic               allmulti_o,
  output logic [63:0]        hash_key_o,
  output logic               idle_o
);

  logic        init_q, map_re, map_we, taken_q, is_map, rd_q;
  logic [10:0] sweep_q, map_raddr, map_waddr;
  logic [31:0] map_rdata, map_wdata;
  logic [4:0]  bit_q;
  logic        take, looked_q;

  // one port: the frame's look-up goes first, the bus waits
  assign is_map    = cfg_req_i.addr[21:0] < 22'h2000;
  assign take      = cfg_req_valid_i && !taken_q && !init_q && !port_valid_i && !rd_q;
  assign map_re    = port_valid_i || take;
  assign map_raddr = port_valid_i ? port_i[15:5] : cfg_req_i.addr[12:2];
  assign map_we    = init_q || (take && cfg_req_i.we && is_map);
  assign map_waddr = init_q ? sweep_q : cfg_req_i.addr[12:2];
  assign map_wdata = init_q ? '0 : cfg_req_i.wdata;

  weft_ram_1r1w #(.W(32), .DEPTH(2048)) u_map (
    .clk_i, .we_i(map_we), .waddr_i(map_waddr), .wdata_i(map_wdata),
    .re_i(map_re), .raddr_i(map_raddr), .rdata_o(map_rdata)
  );

  always_ff @(posedge clk_i) begin
    looked_q <= port_valid_i;
    if (port_valid_i) bit_q <= port_i[4:0];
    if (looked_q) port_ours_o <= map_rdata[bit_q];
  end

  logic bad_addr;
  always_comb begin
    unique case (cfg_req_i.addr[21:0])
      22'(weft_abi_pkg::STEER_MAC_LO), 22'(weft_abi_pkg::STEER_MAC_HI),
      22'(weft_abi_pkg::STEER_FLAGS), 22'(weft_abi_pkg::STEER_KEY_LO),
      22'(weft_abi_pkg::STEER_KEY_HI): bad_addr = 1'b0;
      default: bad_addr = !is_map;
    endcase
  end

  logic [31:0] reg_q;
  logic        map_q, bad_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q          <= 1'b1;
      sweep_q         <= '0;
      taken_q         <= 1'b0;
      rd_q            <= 1'b0;
      cfg_rsp_valid_o <= 1'b0;
      mac_o           <= '0;
      promisc_o       <= 1'b0;
      allmulti_o      <= 1'b0;
      hash_key_o      <= 64'h9e37_79b9_7f4a_7c15;
    end else begin
      if (init_q) sweep_q <= sweep_q + 1'b1;
      if (sweep_q == '1) init_q <= 1'b0;
      taken_q         <= take;
      rd_q            <= take;
      cfg_rsp_valid_o <= rd_q;
      if (take && cfg_req_i.we) begin
        unique case (cfg_req_i.addr[21:0])
          22'(weft_abi_pkg::STEER_MAC_LO): mac_o[31:0] <= cfg_req_i.wdata;
          22'(weft_abi_pkg::STEER_MAC_HI): mac_o[47:32] <= cfg_req_i.wdata[15:0];
          22'(weft_abi_pkg::STEER_FLAGS):  {allmulti_o, promisc_o} <= cfg_req_i.wdata[1:0];
          22'(weft_abi_pkg::STEER_KEY_LO): hash_key_o[31:0] <= cfg_req_i.wdata;
          22'(weft_abi_pkg::STEER_KEY_HI): hash_key_o[63:32] <= cfg_req_i.wdata;
          default: ;
        endcase
      end
    end
  end

  // the key is secret: it reads as zero
  always_ff @(posedge clk_i) begin
    if (take) begin
      map_q <= is_map;
      bad_q <= bad_addr;
      unique case (cfg_req_i.addr[21:0])
        22'(weft_abi_pkg::STEER_MAC_LO): reg_q <= mac_o[31:0];
        22'(weft_abi_pkg::STEER_MAC_HI): reg_q <= {16'b0, mac_o[47:32]};
        22'(weft_abi_pkg::STEER_FLAGS):  reg_q <= {30'b0, allmulti_o, promisc_o};
        default: reg_q <= '0;
      endcase
    end
    if (rd_q) begin
      cfg_rsp_o.rdata <= map_q ? map_rdata : reg_q;
      cfg_rsp_o.err   <= bad_q;
    end
  end

  assign cfg_req_ready_o = taken_q;
  assign idle_o          = !init_q && !cfg_req_valid_i && !taken_q && !rd_q && !cfg_rsp_valid_o;

endmodule
