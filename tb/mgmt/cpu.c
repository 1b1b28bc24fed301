// SPDX-License-Identifier: BSD-2-Clause
/*
 * The processor against qemu-riscv32: the same ELF file runs on both; the 16 KiB at DUMP are compared when the program
 * writes them to standard output (its first ECALL). Without +elf=FILE the program is random, made here from the seed.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tb.h"

#define BASE 0x1000u
#define DUMP 0xc000u
#define DUMP_BYTES 0x4000u
static uint8_t mem[65536], expect[DUMP_BYTES];
static uint16_t code[22000];
static unsigned n; /* halfwords */
static bool halted;

int cpu_read(int word) { int v; memcpy(&v, mem + 4 * (word & 0x3fff), 4); return v; }
void cpu_write(int word, int be, int data)
{
	for (int i = 0; i < 4; i++)
		if (be >> i & 1) mem[4 * (word & 0x3fff) + i] = (uint8_t)(data >> 8 * i);
}
/* The random programs reach memory also through an alias on the slow bus: 0x40000000 + offset in DUMP. */
int cpu_bus(int addr, int we, int be, int wdata, int *rdata)
{
	uint32_t a = (uint32_t)addr - 0x40000000u;

	*rdata = 0;
	if (!tb_chance(30)) return 0;
	tb_check(a < DUMP_BYTES, "bus access to 0x%x", (unsigned)addr);
	a = (DUMP + (a & (DUMP_BYTES - 1))) / 4;
	if (we) cpu_write((int)a, be, wdata); else *rdata = cpu_read((int)a);
	return 1;
}
void cpu_state(int h, int wfi, int trap, int *wake)
{
	*wake = wfi && tb_chance(10);
	tb_check(!trap, "exception");
	halted = h;
}

/*
 * ---- random programs; x31, x15 and x2 point into the data, x30 counts loops, x29 is the same data through the bus on silicon ----
 * Two in five instructions are compressed. A jump goes over a number of instructions, whatever their length: its offset is put in when they are
 * there.
 */
static void emit16(uint32_t h) { code[n++] = (uint16_t)h; }
static void emit(uint32_t w) { emit16(w); emit16(w >> 16); }
static void patch(unsigned at, uint32_t bits)
{
	code[at] |= (uint16_t)bits;
	code[at + 1] |= (uint16_t)(bits >> 16);
}
static uint32_t reg(void) { uint32_t r = tb_below(29); return r == 2 || r == 15 ? 3 : r; }
static uint32_t rreg(void) { uint32_t r = tb_below(32); return r == 29 ? 0 : r; }
static uint32_t i_type(uint32_t op, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t imm)
{
	return op | rd << 7 | f3 << 12 | rs1 << 15 | (imm & 0xfff) << 20;
}
static void load_const(uint32_t rd, uint32_t v)
{
	emit(0x37 | rd << 7 | ((v + 0x800) & 0xfffff000u));
	emit(i_type(0x13, 0, rd, rd, v));
}

enum jump { J_NONE, J_B, J_J, J_JALR, J_CB, J_CJ };
static struct { enum jump kind; unsigned at, from, over; } jumps[8];
static void land(unsigned i)
{
	uint32_t d = (n - jumps[i].from) * 2;

	switch (jumps[i].kind) {
	case J_B: patch(jumps[i].at, (d >> 11 & 1) << 7 | (d >> 1 & 15) << 8 | (d >> 5 & 63) << 25); break;
	case J_J: patch(jumps[i].at, (d >> 1 & 1023) << 21); break;
	case J_JALR: patch(jumps[i].at, (d + tb_below(2)) << 20); break;
	case J_CB: code[jumps[i].at] |= (uint16_t)((d >> 3 & 3) << 10 | (d >> 6 & 3) << 5 | (d >> 1 & 3) << 3 | (d >> 5 & 1) << 2); break;
	case J_CJ: code[jumps[i].at] |= (uint16_t)((d >> 4 & 1) << 11 | (d >> 7 & 1) << 6 | (d >> 6 & 1) << 7 | (d >> 1 & 7) << 3 | (d >> 5 & 1) << 2); break;
	default: break;
	}
	jumps[i].kind = J_NONE;
}
/* An instruction begins here: who has gone over enough lands; all of them, where nobody may jump behind. */
static void settle(bool all)
{
	for (unsigned i = 0; i < 8; i++)
		if (jumps[i].kind && (all || !jumps[i].over--)) land(i);
}
/* The jump at `at`, relative to `from`, was emitted. */
static void jump(enum jump kind, unsigned at, unsigned from)
{
	for (unsigned i = 0; i < 8; i++)
		if (!jumps[i].kind) {
			jumps[i].kind = kind;
			jumps[i].at = at;
			jumps[i].from = from;
			jumps[i].over = tb_below(4);
			return;
		}
	tb_fail("too many jumps under way");
}

static void compressed(void)
{
	uint32_t rd = reg(), rs2 = rreg(), s = 8 + tb_below(7), imm = (uint32_t)tb_rand(), off = tb_below(64);
	unsigned at = n;

	switch (tb_below(18)) {
	case 0: emit16(((off | 1) & 15) << 7 | (off >> 4 & 3) << 11 | (s - 8) << 2 | (imm & 3) << 5); break; /* C.ADDI4SPN */
	case 1: case 2: off &= 31; /* C.LW */
		emit16(2 << 13 | (off >> 1 & 7) << 10 | 7 << 7 | (off & 1) << 6 | (off >> 4) << 5 | (s - 8) << 2);
		break;
	case 3: off &= 31; /* C.SW */
		emit16(6 << 13 | (off >> 1 & 7) << 10 | 7 << 7 | (off & 1) << 6 | (off >> 4) << 5 | (s - 8) << 2);
		break;
	case 4: case 5: emit16(1 | (imm & 1) << 12 | rd << 7 | off % 32 << 2); break; /* C.ADDI */
	case 6: emit16(1 | 2 << 13 | (imm & 1) << 12 | rd << 7 | off % 32 << 2); break; /* C.LI */
	case 7: emit16(1 | 3 << 13 | (imm & 1) << 12 | rd << 7 | (off % 32 | 1) << 2); break; /* C.LUI */
	case 8: /* C.ADDI16SP, there and back */
		settle(true);
		off = off % 31 + 1;
		for (unsigned i = 0; i < 2; i++, off = -off) {
			emit16(1 | 3 << 13 | (off >> 5 & 1) << 12 | 2 << 7 | (off & 1) << 6 | (off >> 2 & 1) << 5 | (off >> 3 & 3) << 3 | (off >> 1 & 1) << 2);
			if (!i) emit16(2 | 4 << 13 | (rd | !rd) << 7 | 2 << 2);
		}
		break;
	case 9: emit16(1 | 4 << 13 | tb_below(2) << 10 | (s - 8) << 7 | off % 32 << 2); break; /* C.SRLI, C.SRAI */
	case 10: emit16(1 | 4 << 13 | (imm & 1) << 12 | 2 << 10 | (s - 8) << 7 | off % 32 << 2); break; /* C.ANDI */
	case 11: emit16(1 | 4 << 13 | 3 << 10 | (s - 8) << 7 | tb_below(4) << 5 | tb_below(8) << 2); break; /* C.SUB, XOR, OR, AND */
	case 12: emit16(2 | (rd | !rd) << 7 | off % 32 << 2); break; /* C.SLLI */
	case 13: emit16(2 | 2 << 13 | (imm & 1) << 12 | (rd | !rd) << 7 | off % 32 << 2); break; /* C.LWSP */
	case 14: emit16(2 | 6 << 13 | off << 7 | rs2 << 2); break; /* C.SWSP */
	case 15: emit16(2 | 4 << 13 | (imm & 1) << 12 | (rd | !rd) << 7 | (rs2 | !rs2) << 2); break; /* C.MV, C.ADD */
	case 16: /* C.BEQZ, C.BNEZ */
		emit16(1 | 6 << 13 | (imm & 1) << 13 | (s - 8) << 7);
		jump(J_CB, at, at);
		break;
	default: /* C.J, C.JAL; C.JR, C.JALR */
		if (tb_chance(60)) {
			emit16(1 | (imm & 1 ? 5u : 1u) << 13);
			jump(J_CJ, at, at);
			break;
		}
		settle(true);
		emit(0x17 | s << 7);
		emit(i_type(0x13, 0, s, s, 0));
		emit16(2 | 4 << 13 | (imm & 1) << 12 | s << 7);
		jump(J_JALR, at + 2, at);
	}
	if (tb_chance(30)) { /* what came out is seen, before it is lost */
		off = tb_below(1024) * 4;
		emit(0x23 | (off & 31) << 7 | 2 << 12 | 31u << 15 | (imm & 2 ? rd : s) << 20 | (off >> 5) << 25);
	}
}
static void random_instruction(void)
{
	static const uint8_t loads[] = { 0, 1, 2, 4, 5 };
	uint32_t rd = reg(), rs1 = rreg(), rs2 = rreg(), imm = (uint32_t)tb_rand(), f3, off;
	unsigned at;

	settle(false);
	if (tb_chance(40)) {
		compressed();
		return;
	}
	at = n;
	switch (tb_below(12)) {
	case 0: case 1: /* OP */
		f3 = tb_below(8);
		emit(0x33 | rd << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 | ((f3 == 0 || f3 == 5) && tb_chance(50) ? 1u << 30 : 0));
		break;
	case 2: case 3: /* OP-IMM */
		f3 = tb_below(8);
		if (f3 == 1) imm &= 31;
		if (f3 == 5) imm = (imm & 31) | (tb_chance(50) ? 0x400 : 0);
		emit(i_type(0x13, f3, rd, rs1, imm));
		break;
	case 4: case 5: /* M */
		emit(0x33 | rd << 7 | tb_below(8) << 12 | rs1 << 15 | rs2 << 20 | 1u << 25);
		break;
	case 6: emit((tb_chance(50) ? 0x37 : 0x17) | rd << 7 | (imm & 0xfffff000u)); break;
	case 7: case 8: /* load */
		f3 = loads[tb_below(5)];
		off = tb_below(4096) & ~((1u << (f3 & 3)) - 1);
		emit(i_type(0x03, f3, rd, tb_chance(30) ? 29 : 31, off));
		break;
	case 9: /* store */
		f3 = tb_below(3);
		off = tb_below(4096) & ~((1u << f3) - 1);
		emit(0x23 | (off & 31) << 7 | f3 << 12 | (tb_chance(30) ? 29u : 31u) << 15 | rs2 << 20 | (off >> 5) << 25);
		break;
	case 10: { /* forward branch over up to 3 */
		static const uint8_t br[] = { 0, 1, 4, 5, 6, 7 };
		emit(0x63 | (uint32_t)br[tb_below(6)] << 12 | rs1 << 15 | rs2 << 20);
		jump(J_B, at, at);
		break;
	}
	default:
		if (tb_chance(50)) {
			emit(0x6f | rd << 7);
			jump(J_J, at, at);
		} else { /* auipc, jalr over up to 3 */
			uint32_t t = 1 + tb_below(14);

			if (t == 2) t = 28;
			settle(true); /* nobody jumps between the two */
			emit(0x17 | t << 7);
			emit(i_type(0x67, 0, rd, t, 0));
			jump(J_JALR, at + 2, at);
		}
	}
}
static void finish_program(void)
{
	settle(true);
	/* dump x0..x31 at the end of the data, then write(1, DUMP, DUMP_BYTES), exit(0) */
	emit(0x13 | 30 << 7 | 31 << 15); /* x30 = x31 */
	for (uint32_t r = 0; r < 29; r++) {
		uint32_t off = r * 4;
		emit(0x23 | (off & 31) << 7 | 2 << 12 | 30 << 15 | r << 20 | (off >> 5) << 25);
	}
	load_const(10, 1);
	load_const(11, DUMP);
	load_const(12, DUMP_BYTES);
	load_const(17, 64);
	emit(0x73);
	load_const(10, 0);
	load_const(17, 93);
	emit(0x73);
}
static void write_elf(const char *name)
{
	Elf32_Ehdr e = { .e_type = ET_EXEC, .e_machine = EM_RISCV, .e_version = 1, .e_entry = BASE, .e_phoff = sizeof(e),
		.e_ehsize = sizeof(e), .e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 2 };
	Elf32_Phdr p[2] = {
		{ PT_LOAD, 0x1000, BASE, BASE, n * 2, n * 2, PF_R | PF_X, 0x1000 },
		{ PT_LOAD, 0x9000, DUMP, DUMP, DUMP_BYTES, DUMP_BYTES, PF_R | PF_W, 0x1000 } };
	FILE *f = fopen(name, "w");

	memcpy(e.e_ident, "\177ELF\1\1\1", 7);
	fwrite(&e, sizeof(e), 1, f);
	fwrite(p, sizeof(p), 1, f);
	fseek(f, 0x1000, SEEK_SET);
	fwrite(code, 2, n, f);
	fseek(f, 0x9000, SEEK_SET);
	fwrite(mem + DUMP, 1, DUMP_BYTES, f);
	fclose(f);
	chmod(name, 0755);
}
static void load_elf(const char *name)
{
	Elf32_Ehdr e;
	Elf32_Phdr p;
	FILE *f = fopen(name, "r");

	if (!f || fread(&e, sizeof(e), 1, f) != 1) { tb_fail("no ELF file %s", name); return; }
	memset(mem, 0, sizeof(mem));
	for (int i = 0; i < e.e_phnum; i++) {
		fseek(f, (long)(e.e_phoff + (unsigned)i * sizeof(p)), SEEK_SET);
		if (fread(&p, sizeof(p), 1, f) != 1 || p.p_type != PT_LOAD || p.p_vaddr + p.p_memsz > 65536) continue;
		fseek(f, (long)p.p_offset, SEEK_SET);
		if (fread(mem + p.p_vaddr, 1, p.p_filesz, f) != p.p_filesz) tb_fail("short ELF file");
	}
	fclose(f);
}

void tb_setup(void)
{
	const char *elf = tb_optstr("elf", NULL);
	char name[64], cmd[400];
	FILE *f;

	if (!elf) {
		tb_rand_bytes(mem + DUMP, DUMP_BYTES);
		load_const(31, DUMP + 0x800);
		load_const(29, DUMP + 0x800);
		for (uint32_t r = 1; r < 29; r++) load_const(r, r == 2 || r == 15 ? DUMP + 0x800 : tb_chance(30) ? tb_below(4) - 2 : (uint32_t)tb_rand());
		while (n < 6000) {
			if (tb_chance(3)) { /* a loop of straight code */
				unsigned top;

				settle(true);
				emit(i_type(0x13, 0, 30, 0, tb_range(1, 20)));
				top = n;
				for (uint32_t i = tb_range(1, 8); i; i--) random_instruction();
				settle(true);
				emit(i_type(0x13, 0, 30, 30, 0xfff));
				{
					uint32_t d = (top - n) * 2;
					emit(0x63 | 1 << 12 | 30 << 15 | (d >> 11 & 1) << 7 | (d >> 1 & 15) << 8 | (d >> 5 & 63) << 25 | (d >> 12 & 1) << 31);
				}
			} else {
				random_instruction();
			}
		}
		finish_program();
		snprintf(name, sizeof(name), "/tmp/weft-cpu-%d", getpid());
		write_elf(name);
		elf = name;
	}
	load_elf(elf);
	snprintf(cmd, sizeof(cmd), "timeout 10 qemu-riscv32 %s", elf);
	f = popen(cmd, "r");
	tb_check(f && fread(expect, 1, DUMP_BYTES, f) == DUMP_BYTES, "qemu-riscv32 gave no dump");
	if (f) pclose(f);
	if (elf == name && !tb_opt("keep", 0)) unlink(name);
	/* On the unit x29 goes through the bus: patch the second constant. */
	if (!tb_optstr("elf", NULL)) {
		uint32_t v = 0x40000800u, w;
		w = 0x37 | 29 << 7 | ((v + 0x800) & 0xfffff000u);
		memcpy(mem + BASE + 8, &w, 4);
		w = i_type(0x13, 0, 29, 29, v);
		memcpy(mem + BASE + 12, &w, 4);
	}
}

bool tb_step(void)
{
	if (tb_cycle() > 2000000) { tb_fail("does not end"); return true; }
	return halted;
}

void tb_finish(void)
{
	for (unsigned i = 0; i < DUMP_BYTES; i += 4)
		if (memcmp(mem + DUMP + i, expect + i, 4)) {
			tb_fail("at 0x%x: %02x%02x%02x%02x, expected %02x%02x%02x%02x", DUMP + i, mem[DUMP + i + 3], mem[DUMP + i + 2],
				mem[DUMP + i + 1], mem[DUMP + i], expect[i + 3], expect[i + 2], expect[i + 1], expect[i]);
			break;
		}
	tb_note("%llu cycles", (unsigned long long)tb_cycle());
}
