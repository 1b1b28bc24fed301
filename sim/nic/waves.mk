# SPDX-License-Identifier: BSD-2-Clause
#
# Read behind Verilator's makefile of a model. What writes waves is a quarter of the code and rarely runs: it is compiled without optimization, with the
# header that was compiled so.
WAVES := $(filter Vweft_sim_top__Trace__%,$(VK_OBJS_FAST))
$(WAVES): private override OPT_FAST := $(OPT_SLOW)
$(WAVES): private override VK_PCH_I_FAST = $(VK_PCH_I_SLOW)
$(WAVES): $(VK_PCH_H).slow.gch
