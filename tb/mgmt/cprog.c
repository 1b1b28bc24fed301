// SPDX-License-Identifier: BSD-2-Clause
/* Compiled for the processor: the usual suspects of compiled code. Results go to the dump area, then write() as on Linux. */
#include <stdint.h>
#include <string.h>

#define DUMP ((volatile uint32_t *)0xc000)
static unsigned pos;
static void out(uint32_t v) { DUMP[pos++ & 4095] = v; }

static uint32_t x = 12345;
static uint32_t rnd(void) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x; }

static int cmp(const void *a, const void *b)
{
	return *(const int32_t *)a < *(const int32_t *)b ? -1 : *(const int32_t *)a > *(const int32_t *)b;
}
static void sort(int32_t *v, int n, int (*c)(const void *, const void *))
{
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && c(v + j, v + j - 1) < 0; j--) {
			int32_t t = v[j];
			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}
struct rec { uint8_t a; uint16_t b; int8_t c; int16_t d; uint64_t e; };
static uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void)
{
	static int32_t v[100];
	static char s[256], t[256];
	struct rec r[4];
	uint64_t acc = 1;
	int64_t sacc = -7;

	for (int i = 0; i < 100; i++) v[i] = (int32_t)rnd();
	sort(v, 100, cmp);
	for (int i = 0; i < 100; i++) out((uint32_t)v[i]);
	for (int i = 0; i < 200; i++) {
		uint32_t a = rnd(), b = rnd() >> (rnd() & 31);

		acc = acc * a + b;
		sacc = sacc * (int32_t)a - (int32_t)b;
		out(b ? a / b : 0); out(b ? a % b : 1);
		out(b ? (uint32_t)((int32_t)a / (int32_t)(b | 1)) : 2);
		out((uint32_t)(acc >> 32)); out((uint32_t)(acc / (b | 1))); out((uint32_t)(sacc % (int32_t)(a | 1)));
	}
	for (int i = 0; i < 255; i++) s[i] = (char)(rnd() % 26 + 'a');
	strcpy(t, s); memmove(t + 3, t, 200); memset(t + 17, 'z', 21);
	for (int i = 0; i < 256; i += 4) { uint32_t w; memcpy(&w, t + i, 4); out(w); }
	out((uint32_t)strlen(s)); out((uint32_t)(memcmp(s, t, 255) < 0));
	for (int i = 0; i < 4; i++) { r[i].a = (uint8_t)rnd(); r[i].b = (uint16_t)rnd(); r[i].c = (int8_t)rnd(); r[i].d = (int16_t)rnd(); r[i].e = acc; }
	for (int i = 0; i < 4; i++) { out(r[i].a); out(r[i].b); out((uint32_t)r[i].c); out((uint32_t)r[i].d); out((uint32_t)(r[i].e >> 7)); }
	out(fib(12));
	return 0;
}

__attribute__((naked, section(".text.start"))) void _start(void)
{
	/* The stack is part of the dump, and the registers that main saves there may hold anything at reset. */
	__asm__ volatile(".irp r, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11\n li \\r, 0\n .endr\n"
			 " li sp, 0xfff0\n call main\n li a0, 1\n li a1, 0xc000\n li a2, 0x4000\n li a7, 64\n ecall\n"
			 " li a0, 0\n li a7, 93\n ecall\n");
}
