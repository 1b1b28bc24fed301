// SPDX-License-Identifier: BSD-2-Clause

/// Records of the slots, and the next command with its record: read while the command before it is
/// being
/// worked on, and never older than what any command before it wrote.
// lint: -GN_SLOT=256
module weft_mpa_next #(
  parameter int unsigned N_SLOT = 16  ///< power of two, 2 to 4096
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   cmd_valid_i,
  output logic                   cmd_ready_o,
  input  weft_mpa_in_pkg::cmd_t  cmd_i,

  output logic                   valid_o,    ///< registered
  /// the present command ends in this cycle, or ended before
  input  logic                   take_i,
  output weft_mpa_in_pkg::cmd_t  cmd_o,
  output weft_mpa_in_pkg::rec_t  rec_o,

  input  logic [11:0]            slot_i,     ///< of the present command, or the last one
  input  weft_mpa_in_pkg::rec_t  rec_i,      ///< its record, kept until the next command is taken
  input  logic                   we_i,       ///< it ends: its record is written
  input  weft_mpa_in_pkg::rec_t  rec_end_i   ///< as it becomes
);

  localparam int unsigned SlW  = $clog2(N_SLOT);

  logic                   valid_q, new_q, byp_q, known_q, same, fire;
  weft_mpa_in_pkg::cmd_t  cmd_q;
  weft_mpa_in_pkg::rec_t  ram, byp_rec_q, hold_q;
  logic [SlW-1:0]         slot;

  assign slot        = slot_i[SlW-1:0];
  assign cmd_ready_o = !valid_q || take_i;
  assign fire        = cmd_valid_i && cmd_ready_o;
  assign same        = known_q && cmd_q.slot[SlW-1:0] == slot;
  assign valid_o     = valid_q;
  assign cmd_o       = cmd_q;
  assign rec_o       = same ? (we_i ? rec_end_i : rec_i) : byp_q ? byp_rec_q : new_q ? ram : hold_q;

  weft_ram_1r1w #(.W(weft_mpa_in_pkg::RecW), .DEPTH(N_SLOT)) u_rec (
    .clk_i, .we_i, .waddr_i(slot), .wdata_i(rec_end_i),
    .re_i(fire), .raddr_i(cmd_i.slot[SlW-1:0]), .rdata_o(ram)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      new_q   <= 1'b0;
      known_q <= 1'b0;
    end else begin
      valid_q <= fire || (valid_q && !take_i);
      new_q   <= fire;
      known_q <= known_q || take_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      cmd_q     <= cmd_i;
      // Written while it is read.
      byp_q     <= we_i && slot == cmd_i.slot[SlW-1:0];
      byp_rec_q <= rec_end_i;
    end
    if (new_q) hold_q <= ram;
  end

  logic unused;
  assign unused = ^slot_i;

endmodule
