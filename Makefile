# SPDX-License-Identifier: BSD-2-Clause
#
#   make run                a tour: two guests, ping, rping, perftest, through the RTL
#   make test               everything that CI runs; ends with 'N passed, N failed'
#   make least              the numbers of cases that passed, as in tb/least
#   make redraw             a new seed for tests of rooms, into tb/seed
#   make mutants            planted faults, each of which a test has to see
#   make soak T=3600        tests with seeds of their own for T seconds; GUESTS=1: in guests as well
#   make conformance        every conformance case against the card: docs/conformance.md
#   make bench              speed and size, in one table
#   make fpga ROOM=cq       place and time one room alone
#   make fpga CONFIG=artix7 map, place and time the whole core (or CONFIG=ecp5): docs/fpga.md
#   make synth CONFIG=us100 map the whole core, room by room (or CONFIG=artix7)
#   make formal             proofs, and the bugs that they catch
#   make size               size of each room before synthesis, and its growth: a minute
#   make deb                Debian packages of driver, firmware and provider: docs/packages.md
#   make lint               Verilator and Yosys over every module
#   make lint-boards        tops of boards, their constraints and scripts, without the vendor's tools
#   make gen                the files that abi/ generates
#
# Everything else is made as it is needed, under build/. Tools come from the tool root (tools/setup).

MAKEFLAGS += --no-print-directory
IN := tools/in-root
SUB = $(IN) $(MAKE) -s -C
CONFIG ?= sim
# A pipe fails when any part of it does.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
# A part that is not in the tree is left out; the lab names what it misses.
PART = @[ ! -e $(1)/Makefile ] || $(SUB) $(1) $(2)

help:
	@sed -n 's/^#   \(make .*\)/\1/p' Makefile

setup:
	@tools/setup
lab-program: setup
	@$(SUB) sim/lab all
wire: setup
	$(call PART,sim,wire)
nic: setup
	$(call PART,sim,nic CONFIG=$(CONFIG))
firmware: setup
	$(call PART,firmware)
driver: setup
	$(call PART,driver)
provider: setup
	$(call PART,libprovider)
siw: setup
	@$(SUB) sim/guest siw
lab-rtl: lab-program wire nic firmware driver provider siw
	@$(SUB) sim/guest
lab-virtio: lab-program wire siw
	@$(SUB) sim/guest
# The same with the kernel of tools/setup debug-kernel beside the stock one.
lab-debug: setup
	@[ -e build/guest-debug/vmlinuz ] || { echo "there is no debug kernel: tools/setup debug-kernel makes it" >&2; exit 1; }
	@$(SUB) sim/guest debug
lab-rtl-debug: lab-rtl lab-debug
lab-virtio-debug: lab-virtio lab-debug
deb: firmware driver provider
	@$(IN) packaging/make-deb
# Guests without the project's layer; what they need comes from the packages.
lab-rtl-packages: lab-rtl deb
	@$(SUB) sim/guest packages
gen: setup
	$(call PART,abi)

run: setup
	@tools/tour $(UP)
test: setup
	@tools/run-tests $(SUITES)
least:
	@tools/run-tests --least $(SUITES)
mutants: setup
	@tools/mutants $(NAMES)
soak: setup
	@tools/soak
conformance: setup
	@$(IN) $(MAKE) -s -C tb/conformance all $(if $(ONLY),ONLY=$(ONLY)) $(if $(PCAP),PCAP=$(abspath $(PCAP)))
bench: setup
	@tools/bench $(UP)
lint: setup
	@tools/lint
lint-boards: setup
	@tools/board
formal: setup
	@$(SUB) formal test
redraw:
	@echo $$((SRANDOM % 2000000000 + 1000)) > tb/seed; cat tb/seed
size: setup
	@tools/size $(ROOM)
fpga:
	@$(if $(ROOM),tools/fpga "$(ROOM)",tools/fpga-card "$(CONFIG)")
synth: setup
	@tools/synth $(CONFIG)

.PHONY: help setup lab-program wire nic firmware driver provider siw lab-rtl lab-virtio lab-debug \
  lab-rtl-debug lab-virtio-debug deb lab-rtl-packages gen run test conformance least redraw mutants soak bench lint lint-boards formal size fpga synth
