# SPDX-License-Identifier: BSD-2-Clause
#
# For makefiles of programs with the peer in them. TOP is set before.
#   PEER_OBJ                          what they depend on
#   $(call PEER_PROGRAM,source,out)   compiles and links with harness, model, peer and judge
PEER_DIR := $(TOP)/build/peer/obj$(if $(SAN),-san)
PEER_SRC := $(addprefix sim/peer/,peer rdma card) $(addprefix sim/judge/,judge stream capture)
PEER_OBJ := $(PEER_SRC:%=$(PEER_DIR)/%.o)
peer_comma := ,
PEER_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror $(if $(SAN),-fsanitize=address$(peer_comma)undefined) -I$(TOP)/abi/gen -I$(TOP)/sim/lockstep
PEER_DATA_W ?= 512
$(PEER_DIR)/%.o: $(TOP)/%.c
	@mkdir -p $(@D)
	@$(CC) $(PEER_CFLAGS) -MMD -MP -c -o $@ $<
-include $(PEER_OBJ:.o=.d)
PEER_PROGRAM = $(MAKE) -s -C $(TOP)/sim program SRC=$(1) OUT=$(2) DATA_W=$(PEER_DATA_W) $(if $(SAN),SAN=1) LDFLAGS="$(PEER_OBJ)" \
  > $(2).log 2>&1 || { grep -iE 'error|undefined' $(2).log | head; echo "not ok $(notdir $(2)) build: see $(2).log"; exit 1; }
