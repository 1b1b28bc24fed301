// SPDX-License-Identifier: BSD-2-Clause

/// Outstanding reads of this side, on chip: a pool of entries in linked lists whose ends the contexts
/// keep themselves, so a list stays where it is while its connection is away. An append and a look a
/// cycle; a look at an entry that was appended a cycle ago finds it.
module weft_rdmap_reads #(
  parameter int unsigned N = 256,  ///< entries, a power of two, 4 to 4096
  localparam int unsigned IdW = $clog2(N)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  output logic                  room_o,     ///< registered: a block is free beside those that are taken by then
  input  logic                  take_i,     ///< one is promised
  output logic [IdW-1:0]        fresh_o,    ///< the block that the next append uses
  input  logic                  put_i,      ///< append behind `tail`
  input  logic [IdW-1:0]        tail_i,
  input  logic                  link_i,     ///< there is a tail
  input  weft_rdmap_pkg::read_t put_data_i,

  input  logic                  look_i,
  input  logic [IdW-1:0]        look_idx_i,
  output weft_rdmap_pkg::read_t look_o,     ///< a cycle later, with the block behind it
  output logic [IdW-1:0]        look_next_o,
  input  logic                  free_i,     ///< a block goes back
  input  logic [IdW-1:0]        free_idx_i,

  input  logic                  drop_i,     ///< a whole list goes back, in the background
  input  logic [IdW-1:0]        drop_head_i,
  input  logic [7:0]            drop_n_i
);
  logic [IdW:0]   avail_q, fresh_q;
  logic           left, fv, wv, wr, dv, dr;
  logic [IdW-1:0] fb, wb, dh;
  logic [7:0]     dn;

  assign left    = !fresh_q[IdW];
  assign fresh_o = left ? fresh_q[IdW-1:0] : fb;
  assign room_o  = avail_q != '0;

  weft_ram_1r1w #(.W(weft_rdmap_pkg::ReadW), .DEPTH(N)) u_entry (
    .clk_i, .we_i(put_i), .waddr_i(fresh_o), .wdata_i(put_data_i),
    .re_i(look_i), .raddr_i(look_idx_i), .rdata_o(look_o)
  );
  weft_ram_1r1w #(.W(IdW), .DEPTH(N)) u_next (
    .clk_i, .we_i(put_i && link_i), .waddr_i(tail_i), .wdata_i(fresh_o),
    .re_i(look_i), .raddr_i(look_idx_i), .rdata_o(look_next_o)
  );

  // ---------------------------------------------------------------- lists that go back
  logic [IdW-1:0] walk_next;
  logic [1:0]     st_q;      // 0: idle, 1: the next block is being read, 2: give this one back
  logic [IdW-1:0] at_q;
  logic [7:0]     n_q;
  logic [IdW:0]   dcount;
  weft_fifo #(.W(IdW + 8), .DEPTH(N)) u_drop (
    .clk_i, .rst_ni, .in_valid_i(drop_i && drop_n_i != '0), .in_ready_o(dr), .in_data_i({drop_head_i, drop_n_i}),
    .out_valid_o(dv), .out_ready_i(st_q == 2'd0), .out_data_o({dh, dn}), .count_o(dcount)
  );
  weft_ram_1r1w #(.W(IdW), .DEPTH(N)) u_walk (
    .clk_i, .we_i(put_i && link_i), .waddr_i(tail_i), .wdata_i(fresh_o),
    .re_i(st_q == 2'd1), .raddr_i(at_q), .rdata_o(walk_next)
  );
  assign wv = st_q == 2'd2;
  assign wr = !free_i;
  assign wb = at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      st_q    <= '0;
      avail_q <= (IdW + 1)'(N);
      fresh_q <= '0;
    end else begin
      unique case (st_q)
        2'd0:    if (dv) st_q <= 2'd1;
        2'd1:    st_q <= 2'd2;
        default: if (wr) st_q <= n_q == 8'd1 ? 2'd0 : 2'd1;
      endcase
      avail_q <= avail_q + (IdW + 1)'(free_i || wv) - (IdW + 1)'(take_i);
      fresh_q <= fresh_q + (IdW + 1)'(put_i && left);
    end
  end
  always_ff @(posedge clk_i) begin
    if (st_q == 2'd0) begin
      at_q <= dh;
      n_q  <= dn;
    end else if (wv && wr) begin
      at_q <= walk_next;
      n_q  <= n_q - 8'd1;
    end
  end

  logic         free_ready;
  logic [IdW:0] fcount;
  weft_fifo #(.W(IdW), .DEPTH(N)) u_free (
    .clk_i, .rst_ni, .in_valid_i(free_i || wv), .in_ready_o(free_ready), .in_data_i(free_i ? free_idx_i : wb),
    .out_valid_o(fv), .out_ready_i(put_i && !left), .out_data_o(fb), .count_o(fcount)
  );

`ifndef SYNTHESIS
  initial if (N < 4 || N > 4096 || (N & (N - 1)) != 0) $fatal(1, "weft_rdmap_reads: N");
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(put_i && !left && !fv)) else $error("%m: no block");
      assert (!((free_i || wv) && !free_ready)) else $error("%m: more blocks than there are");
      assert (!(take_i && !room_o)) else $error("%m: more promised than there is");
    end
  end
`endif
  logic unused;
  assign unused = ^{dr, free_ready, fv, fcount, dcount};

endmodule
