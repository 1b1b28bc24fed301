// SPDX-License-Identifier: BSD-2-Clause

/// Pipelined byte rotator: byte i of the input leaves in lane (i + rot) mod DATA_W/8. One word a
/// cycle; three binary steps a stage, so one stage at 64 bits and two up to 512.
module weft_byte_rot #(
  parameter int unsigned DATA_W = 64,  ///< 64, 128, 256 or 512
  parameter int unsigned SIDE_W = 1,   ///< bits that travel along
  localparam int unsigned LaneW = $clog2(DATA_W / 8)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic [DATA_W-1:0] in_data_i,
  input  logic [LaneW-1:0]  in_rot_i,
  input  logic [SIDE_W-1:0] in_side_i,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [DATA_W-1:0] out_data_o,
  output logic [SIDE_W-1:0] out_side_o
);

  localparam int unsigned Stages = (LaneW + 2) / 3;

  logic [Stages-1:0]           held;   // stage s holds a word
  logic [Stages-1:0]           ready;  // stage s takes one: it or one behind it is free
  logic [Stages:0][DATA_W-1:0] data;
  logic [Stages:0][LaneW-1:0]  rot;
  logic [Stages:0][SIDE_W-1:0] side;

  assign data[0]       = in_data_i;
  assign rot[0]        = in_rot_i;
  assign side[0]       = in_side_i;
  assign in_ready_o    = ready[0];
  assign out_valid_o   = held[Stages-1];
  assign out_data_o    = data[Stages];
  assign out_side_o    = side[Stages];

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int unsigned Lo = 3 * s;
    localparam int unsigned Hi = (3 * s + 3 < LaneW) ? 3 * s + 3 : LaneW;

    logic [DATA_W-1:0] turned;
    logic              valid_q;
    logic [DATA_W-1:0] data_q;
    logic [LaneW-1:0]  rot_q;
    logic [SIDE_W-1:0] side_q;
    logic              prev_valid;

    if (s == 0) begin : gen_first
      assign prev_valid = in_valid_i;
    end else begin : gen_next
      assign prev_valid = held[s-1];
    end

    // Under its valid, so that a simulator passes it by while nothing is there.
    always_comb begin
      turned = 'x;
      if (prev_valid) begin
        turned = data[s];
        for (int unsigned k = Lo; k < Hi; k++) begin
          if (rot[s][k]) turned = (turned << (8 << k)) | (turned >> (DATA_W - (8 << k)));
        end
      end
    end

    assign ready[s]   = out_ready_i || held[Stages-1:s] != '1;
    assign held[s]    = valid_q;
    assign data[s+1]  = data_q;
    assign rot[s+1]   = rot_q;
    assign side[s+1]  = side_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (ready[s]) valid_q <= prev_valid;
    end

    always_ff @(posedge clk_i) begin
      if (ready[s] && prev_valid) begin
        data_q <= turned;
        rot_q  <= rot[s];
        side_q <= side[s];
      end
    end
  end

  logic unused;
  assign unused = ^rot[Stages];

endmodule
