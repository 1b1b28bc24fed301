# SPDX-License-Identifier: BSD-2-Clause
#
# Rules of a room's tests. A Makefile in tb/<room>/ sets, for each test NAME in TESTS:
#   NAME.sv      test bench files (module tb), NAME.c  C files, NAME.rtl  rtl folders besides lib (e.g. tcp qp)
#   NAME.widths  values of parameter DATA_W (default WIDTHS), NAME.args  plusargs, NAME.seeds  seeds (default 1 2 3)
#   NAME.fixed   1: the same traffic whatever the seed, so EXTRA_SEED is not run; NAME.params  further -G parameters, NAME.cflags
# and includes this file. `make test` prints "ok NAME/WIDTH ..." or "not ok ..." a line each run; `make NAME` builds it;
# `make NAME.run WIDTH=512 SEED=3 ARGS=+x=1` runs one; TRACE=1 compiles FST in, then +trace=FILE writes it.
# SEEDS in the environment takes the place of every test's seeds; EXTRA_SEED (tools/run-tests draws one) comes behind them, if it is none of them.

TOPDIR := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
TBLIB := $(TOPDIR)/tb/lib
ROOM := $(notdir $(CURDIR))
OUT := $(TOPDIR)/build/tb/$(ROOM)
WIDTHS ?= 64 128 512
SEEDS ?=
EXTRA_SEED ?=
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
VERILATOR ?= verilator
export VJOBS ?= 2
CC_STD := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -g
SAN ?= -fsanitize=undefined -fno-sanitize-recover=undefined
PKGS := $(addprefix $(TOPDIR)/rtl/lib/,weft_abi_pkg.sv weft_pkg.sv weft_dp_pkg.sv)
# Verilator's own library is the same for every test.
export CCACHE_DIR ?= $(TOPDIR)/build/ccache
# A pin that nobody connects is random for a whole run: a forgotten input is no warning.
VFLAGS := --cc --exe --verilate-jobs 1 --prefix Vtb --top-module tb -Wall -Wno-fatal -Wno-DECLFILENAME -Werror-PINMISSING \
  --assert --x-initial unique --default-language 1800-2017 -O3 \
  $(if $(TRACE),--trace-fst --trace-structs)

.PHONY: test build clean $(TESTS) $(addsuffix .run,$(TESTS))
test: $(foreach t,$(TESTS),$(foreach w,$(or $($(t).widths),$(WIDTHS)),$(OUT)/$(t)-$(w)/ran))
build: $(foreach t,$(TESTS),$(foreach w,$(or $($(t).widths),$(WIDTHS)),$(OUT)/$(t)-$(w)/Vtb))

# Tests that differ in plusargs and seeds only have one binary: of the first of them at that width (a copy: the date of a link would be that of what it leads to, and one that is no twin any more would not be built). $(1) test, $(2) width
made_of = $(strip $($(1).sv) | $($(1).c) | $($(1).rtl) | $($(1).params) | $($(1).cflags))
twins = $(foreach t,$(TESTS),$(if $(filter $(2),$(or $($(t).widths),$(WIDTHS))),$(if $(call differ,$(call made_of,$(t)),$(call made_of,$(1))),,$(t))))
differ = $(subst x$(1)x,,x$(2)x)$(subst x$(2)x,,x$(1)x)
define tb_rule
$(if $(filter-out $(1),$(firstword $(call twins,$(1),$(2)))),$(call copy_rule,$(1),$(2),$(firstword $(call twins,$(1),$(2)))),$(call build_rule,$(1),$(2)))
$(call ran_rule,$(1),$(2))
endef
define copy_rule
$(OUT)/$(1)-$(2)/Vtb: $(OUT)/$(3)-$(2)/Vtb
	@mkdir -p $$(dir $$@) && rm -f $$@ && cp $(OUT)/$(3)-$(2)/Vtb $$@
endef
define build_rule
$(OUT)/$(1)-$(2)/Vtb: $($(1).sv) $($(1).c) $(TBLIB)/tb.c $(TBLIB)/tb.h $(TBLIB)/tb_ports.sv $(TBLIB)/verilator_main.cpp \
    $(TBLIB)/compile $(TOPDIR)/sim/common/lean.sed $(PKGS) $(foreach d,lib $($(1).rtl),$(wildcard $(TOPDIR)/rtl/$(d)/*.sv)) Makefile
	@mkdir -p $$(dir $$@) && rm -f $$@
	@for f in $(abspath $($(1).c)) $(TBLIB)/tb.c; do \
	  gcc $(CC_STD) -Werror $(SAN) -O1 $($(1).cflags) -DTB_DATA_W=$(2) -I$(TBLIB) -I$(TOPDIR)/abi/gen -I$$$$(verilator --getenv VERILATOR_ROOT)/include/vltstd \
	    -c $$$$f -o $$(dir $$@)$$$$(basename $$$$f .c).o || exit 1; done
# Verilator 5.032 crashes now and then when it uses threads: it has one, and another try.
	@try=0; until { $(VERILATOR) $(VFLAGS) --Mdir $$(dir $$@)obj -o ../Vtb -GDATA_W=$(2) $($(1).params) -CFLAGS "-std=c++17" \
	  -LDFLAGS "$(SAN)" $(foreach d,lib $($(1).rtl),-y $(TOPDIR)/rtl/$(d)) \
	  $(PKGS) $(TBLIB)/tb_ports.sv $(abspath $($(1).sv)) $(TBLIB)/verilator_main.cpp \
	  $(foreach f,$($(1).c) tb.c,$$(dir $$@)$(basename $(notdir $(f))).o) && sed -i -E -f $(TOPDIR)/sim/common/lean.sed $$(dir $$@)obj/*DepSet*.cpp && \
	  $(TBLIB)/compile $$(dir $$@)obj $(if $(TRACE),trace,plain); } > $$(dir $$@)build.log 2>&1; do \
	  try=$$$$((try + 1)); [ $$$$try -lt 3 ] && grep -q 'internal fault' $$(dir $$@)build.log || { grep -E 'Error|error' $$(dir $$@)build.log | head -20; echo "not ok $(ROOM)/$(1)/$(2) build: see $$(dir $$@)build.log"; exit 1; }; done
endef
define ran_rule
$(OUT)/$(1)-$(2)/ran: $(OUT)/$(1)-$(2)/Vtb
	@rc=0; for s in $(or $(SEEDS),$(or $($(1).seeds),1 2 3) $(if $($(1).fixed),,$(filter-out $($(1).seeds),$(EXTRA_SEED)))); do \
	  $$< +name=$(ROOM)/$(1)/$(2) +seed=$$$$s $($(1).args) > $$(dir $$@)out 2>&1; st=$$$$?; cat $$(dir $$@)out; \
	  case $$$$st:$$$$(grep -acE '^ok ' $$(dir $$@)out):$$$$(grep -ac '^not ok ' $$(dir $$@)out) in 0:1:0) continue ;; esac; \
	  grep -aq '^not ok ' $$(dir $$@)out || echo "not ok $(ROOM)/$(1)/$(2) seed=$$$$s: it ended with status $$$$st"; \
	  rc=1; echo "# repeat: tools/in-root make -C tb/$(ROOM) $(1).run WIDTH=$(2) SEED=$$$$s"; done; [ $$$$rc = 0 ] && touch $$@
endef
$(foreach t,$(TESTS),$(foreach w,$(or $($(t).widths),$(WIDTHS)),$(eval $(call tb_rule,$(t),$(w)))))
WIDTH ?= 512
SEED ?= 1
$(addsuffix .run,$(TESTS)): %.run:
	@$(MAKE) --no-print-directory $(OUT)/$*-$(WIDTH)/Vtb
	$(OUT)/$*-$(WIDTH)/Vtb +name=$(ROOM)/$*/$(WIDTH) +seed=$(SEED) $($*.args) $(ARGS)
$(TESTS): %: $(OUT)/%-$(WIDTH)/Vtb
clean:
	rm -rf $(OUT)
