// SPDX-License-Identifier: BSD-2-Clause
/// The processor alone on a memory in C: port A and B of 64 KiB at 0, a bus that answers late.
module tb #(
  parameter int DATA_W = 64
) (
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function int cpu_read(input int word);
  import "DPI-C" function void cpu_write(input int word, input int be, input int data);
  import "DPI-C" function int cpu_bus(input int addr, input int we, input int be, input int wdata, output int rdata);
  import "DPI-C" function void cpu_state(input int halted, input int wfi, input int trap, output int wake);

  logic started_q, start_q, if_en, ram_en, bus_req, bus_we, bus_done, bus_err, wake, wfi, trap, halted, running;
  logic [13:0] if_addr, ram_addr;
  logic [31:0] if_data, ram_wdata, ram_rdata, bus_addr, bus_wdata, bus_rdata;
  logic [3:0]  ram_we, bus_be;

  weft_rv32 u_dut (
    .clk_i, .rst_ni, .start_i(start_q), .entry_i(32'h1000), .stop_i(1'b0), .wake_i(wake), .wfi_o(wfi),
    .running_o(running), .trap_o(trap), .halted_o(halted), .if_en_o(if_en), .if_addr_o(if_addr),
    .if_data_i(if_data), .ram_en_o(ram_en), .ram_we_o(ram_we), .ram_addr_o(ram_addr),
    .ram_wdata_o(ram_wdata), .ram_rdata_i(ram_rdata), .bus_req_o(bus_req), .bus_we_o(bus_we),
    .bus_addr_o(bus_addr), .bus_wdata_o(bus_wdata), .bus_be_o(bus_be), .bus_done_i(bus_done),
    .bus_rdata_i(bus_rdata), .bus_err_i(bus_err)
  );

  int rd, rc, wk;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      start_q <= 1'b0;
      bus_done <= 1'b0;
      bus_err <= 1'b0;
      wake <= 1'b0;
    end else begin
      started_q <= 1'b1;
      start_q <= !started_q;
      if (if_en) if_data <= cpu_read(32'(if_addr));
      if (ram_en) begin
        if (ram_we != 0) cpu_write(32'(ram_addr), 32'(ram_we), ram_wdata);
        else ram_rdata <= cpu_read(32'(ram_addr));
      end
      bus_done <= 1'b0;
      if (bus_req && !bus_done) begin
        rc = cpu_bus(bus_addr, 32'(bus_we), 32'(bus_be), bus_wdata, rd);
        bus_done <= rc != 0;
        bus_err <= rc == 2;
        bus_rdata <= rd;
      end
      cpu_state(32'(halted), 32'(wfi), 32'(trap), wk);
      wake <= wk != 0;
    end
  end
  logic unused;
  assign unused = running;
endmodule
