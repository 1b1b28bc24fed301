# SPDX-License-Identifier: BSD-2-Clause
#
# sed -E over the C++ that Verilator 5.032 writes: what it does in every cycle for nothing. Where a pattern finds nothing, nothing changes but the speed.
#
# Assertions are always on; a call for each of 400 of them asks whether they are.
s/vlSymsp->_vm_contextp__->assertOnGet\([0-9]+, [0-9]+\)/1/
# Wide locals of functions are cleared at the beginning of what they were inlined into, whether it will call them or not: 12 KB a cycle. Only those that
# write each bit of theirs before they read it are named here.
/^ *VL_ZERO_W\([0-9]+, __Vfunc_([A-Za-z0-9_]+__DOT__(mult|fold32|round|absorb|sum8)|crc32c_word)__[0-9]+__[A-Za-z0-9]+\);$/d
