// SPDX-License-Identifier: BSD-2-Clause
//
// The one C++ file of the test benches: Verilator's model class forces it. Drives clk_i and rst_ni of
// module `tb` (prefix Vtb) and gives the C side (tb.c) its hooks once a cycle.

#include <cstdlib>
#include <memory>

#include "Vtb.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

extern "C" {
int tb_main_setup(int argc, char **argv);
int tb_main_step(void);
int tb_main_finish(void);
const char *tb_main_trace(void);
int tb_main_seed(void);
}

double sc_time_stamp() { return 0; }

int main(int argc, char **argv) {
  auto ctx = std::make_unique<VerilatedContext>();
  ctx->commandArgs(argc, argv);
  if (int rc = tb_main_setup(argc, argv)) return rc;
  // Memories and registers without reset start with anything: what relies on zeros must fail.
  ctx->randReset(2);
  ctx->randSeed(tb_main_seed());
  auto top = std::make_unique<Vtb>(ctx.get(), "tb");
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> fst;
  if (tb_main_trace()) {
    ctx->traceEverOn(true);
    fst = std::make_unique<VerilatedFstC>();
    top->trace(fst.get(), 99);
    fst->open(tb_main_trace());
  }
#endif
  auto edge = [&](int clk) {
    top->clk_i = clk;
    top->eval();
#if VM_TRACE
    if (fst) fst->dump(ctx->time());
#endif
    ctx->timeInc(1);
  };
  top->rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    edge(0);
    edge(1);
  }
  edge(0);
  top->rst_ni = 1;
  while (!ctx->gotFinish() && !tb_main_step()) {
    edge(1);
    edge(0);
  }
#if VM_TRACE
  if (fst) fst->close();
#endif
  top->final();
  return tb_main_finish();
}
