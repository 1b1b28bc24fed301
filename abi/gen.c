// SPDX-License-Identifier: BSD-2-Clause
/*
 * Generator of the hardware layouts. Reads weft.abi (grammar at its top) and writes a C header, a SystemVerilog package, the tables
 * of the programming model, and a C and a SystemVerilog list of every offset and width that tb/abi compares.
 *
 * Usage: gen weft.abi HEADER.h PACKAGE.sv TABLES.md [FIELDS.h FIELDS.svh]
 * Exit status 1 with FILE:LINE: on any mistake: overlap, field outside its struct, duplicate name, crossing a 64-bit word.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MEMBERS 96
#define MAX_ITEMS 256
#define NAME_LEN 48
#define DOC_LEN 400

enum kind { SECTION, PROSE, CONST, ENUM, STRUCT, REGS };

struct member {
	char name[NAME_LEN], doc[DOC_LEN], access[8];
	bool is_bits;        /* bits of the register above */
	uint64_t value;      /* enum */
	unsigned lsb, width; /* struct: absolute bit position; bits: position in the register */
	unsigned offset;     /* reg: bytes */
};

struct item {
	enum kind kind;
	char name[NAME_LEN], doc[DOC_LEN];
	uint64_t value; /* const; enum: width; struct, regs: bytes */
	unsigned n;
	struct member *m;
};

static struct item items[MAX_ITEMS];
static unsigned n_items;
static const char *file;
static unsigned line_no;

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s:%u: ", file, line_no);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	exit(1);
}

/* ---- reading ---- */

static char *word(char **p)
{
	char *s = *p;

	while (isspace((unsigned char)*s))
		s++;
	*p = s;
	while (**p && !isspace((unsigned char)**p))
		(*p)++;
	if (**p)
		*(*p)++ = 0;
	return s;
}

static void doc(char *out, char **p)
{
	char *s = *p, *e;

	while (isspace((unsigned char)*s))
		s++;
	if (*s != '"')
		die("a quoted text is missing");
	e = strrchr(s + 1, '"');
	if (!e || (size_t)(e - s) > DOC_LEN - 1)
		die("quoted text without end, or too long");
	memcpy(out, s + 1, (size_t)(e - s - 1));
	out[e - s - 1] = 0;
}

static void name_to(char *out, const char *s)
{
	if (!*s || strlen(s) >= NAME_LEN)
		die("bad name '%s'", s);
	for (const char *c = s; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			die("bad name '%s'", s);
	strcpy(out, s);
}

static uint64_t number(const char *s)
{
	char *e;
	uint64_t v = strtoull(s, &e, 0);

	if (!*s || *e)
		die("'%s' is no number", s);
	return v;
}

static struct item *new_item(enum kind k)
{
	if (n_items == MAX_ITEMS)
		die("too many items");
	items[n_items].kind = k;
	return &items[n_items++];
}

static struct member *new_member(struct item *it)
{
	if (!it->m)
		it->m = calloc(MAX_MEMBERS, sizeof(*it->m));
	if (!it->m || it->n == MAX_MEMBERS)
		die("too many members");
	return &it->m[it->n++];
}

static void check_member(const struct item *it, const struct member *m)
{
	for (unsigned i = 0; i + 1 < it->n; i++) {
		const struct member *o = &it->m[i];

		if (!m->is_bits && !o->is_bits && !strcmp(o->name, m->name))
			die("%s is there twice", m->name);
		if (it->kind == STRUCT && m->lsb < o->lsb + o->width && o->lsb < m->lsb + m->width)
			die("%s overlaps %s", m->name, o->name);
		if (it->kind == REGS && !m->is_bits && !o->is_bits && m->offset == o->offset)
			die("%s overlaps %s", m->name, o->name);
		if (it->kind == ENUM && o->value == m->value)
			die("%s has the value of %s", m->name, o->name);
	}
}

static void read_field(struct item *it, char *p)
{
	struct member *m = new_member(it);
	char *off, *dot;

	name_to(m->name, word(&p));
	off = word(&p);
	dot = strchr(off, '.');
	if (dot)
		*dot++ = 0;
	m->lsb = (unsigned)number(off) * 8 + (dot ? (unsigned)number(dot) : 0);
	m->width = (unsigned)number(word(&p));
	doc(m->doc, &p);
	if (!m->width || m->lsb + m->width > it->value * 8)
		die("%s lies outside %s", m->name, it->name);
	if (m->lsb / 64 != (m->lsb + m->width - 1) / 64 && (m->lsb % 8 || m->width % 8))
		die("%s crosses a 64-bit word", m->name);
	check_member(it, m);
}

static void read_reg(struct item *it, char *p)
{
	struct member *m = new_member(it);

	name_to(m->name, word(&p));
	m->offset = (unsigned)number(word(&p));
	snprintf(m->access, sizeof(m->access), "%s", word(&p));
	if (strcmp(m->access, "ro") && strcmp(m->access, "rw") && strcmp(m->access, "wo") && strcmp(m->access, "w1c"))
		die("access '%s'", m->access);
	doc(m->doc, &p);
	if (m->offset % 4 || m->offset + 4 > it->value)
		die("%s lies outside %s", m->name, it->name);
	check_member(it, m);
}

static void read_bits(struct item *it, char *p)
{
	struct member *m = new_member(it);
	char *hi, *lo;

	m->is_bits = true;
	name_to(m->name, word(&p));
	hi = word(&p);
	lo = strchr(hi, ':');
	if (lo)
		*lo++ = 0;
	m->lsb = (unsigned)number(lo ? lo : hi);
	m->width = (unsigned)number(hi) - m->lsb + 1;
	doc(m->doc, &p);
	if (it->n < 2 || number(hi) < m->lsb || number(hi) > 31)
		die("bits %s", m->name);
}

static void read_value(struct item *it, char *p)
{
	struct member *m = new_member(it);

	name_to(m->name, word(&p));
	m->value = number(word(&p));
	doc(m->doc, &p);
	if (it->value < 64 && m->value >> it->value)
		die("%s does not fit in %u bits", m->name, (unsigned)it->value);
	check_member(it, m);
}

static void read_open(enum kind k, char *p)
{
	struct item *it = new_item(k);

	name_to(it->name, word(&p));
	for (unsigned i = 0; i + 1 < n_items; i++)
		if (items[i].kind == k && !strcmp(items[i].name, it->name))
			die("%s is there twice", it->name);
	it->value = number(word(&p));
	doc(it->doc, &p);
}

static void read_line(char *p, struct item **open)
{
	char *key = word(&p);

	if (!*key || *key == '#')
		return;
	if (*open) {
		if (!strcmp(key, "end"))
			*open = NULL;
		else if (!strcmp(key, "field") && (*open)->kind == STRUCT)
			read_field(*open, p);
		else if (!strcmp(key, "item") && (*open)->kind == ENUM)
			read_value(*open, p);
		else if (!strcmp(key, "reg") && (*open)->kind == REGS)
			read_reg(*open, p);
		else if (!strcmp(key, "bits") && (*open)->kind == REGS)
			read_bits(*open, p);
		else
			die("'%s' inside %s", key, (*open)->name);
		return;
	}
	if (!strcmp(key, "|")) {
		struct item *it = new_item(PROSE);

		snprintf(it->doc, sizeof(it->doc), "%s", p);
		it->doc[strcspn(it->doc, "\n")] = 0;
	} else if (!strcmp(key, "section")) {
		doc(new_item(SECTION)->doc, &p);
	} else if (!strcmp(key, "const")) {
		read_open(CONST, p);
	} else {
		read_open(!strcmp(key, "enum") ? ENUM : !strcmp(key, "struct") ? STRUCT : !strcmp(key, "regs") ? REGS :
			  (die("unknown word '%s'", key), ENUM), p);
		*open = &items[n_items - 1];
	}
}

/* ---- writing ---- */

static const char *upper(const char *s)
{
	static char buf[4][NAME_LEN];
	static int turn;
	char *b = buf[turn++ & 3];

	for (int i = 0; (b[i] = (char)toupper((unsigned char)s[i])); i++)
		;
	return b;
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

/* Fields of 8, 16, 32 or 64 aligned bits and byte arrays are not members: the struct is an array of 64-bit words, and every
 * access goes through the masks, so that a layout never depends on the compiler or the byte order. */
static void header_struct(FILE *f, const struct item *it)
{
	const char *s = upper(it->name);

	fprintf(f, "\n/* %s: %s */\n#define WEFT_%s_BYTES %u\n", it->name, it->doc, s, (unsigned)it->value);
	for (unsigned i = 0; i < it->n; i++) {
		const struct member *m = &it->m[i];

		fprintf(f, "#define WEFT_%s_%s_LSB %u /* bit in the struct: %s */\n", s, m->name, m->lsb, m->doc);
		fprintf(f, "#define WEFT_%s_%s_WIDTH %u\n", s, m->name, m->width);
		fprintf(f, "#define WEFT_%s_%s_OFF %u /* byte */\n", s, m->name, m->lsb / 8);
		if (m->width <= 64 && m->lsb / 64 == (m->lsb + m->width - 1) / 64)
			fprintf(f, "#define WEFT_%s_%s_MASK 0x%016llxull /* in its 64-bit word */\n", s, m->name,
				(unsigned long long)((m->width == 64 ? ~0ull : (1ull << m->width) - 1) << m->lsb % 64));
	}
}

static void write_header(const char *path)
{
	FILE *f = create(path);

	fprintf(f, "/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n"
		"/* Made by abi/gen from abi/weft.abi. Do not edit. */\n#ifndef WEFT_ABI_H\n#define WEFT_ABI_H\n"
		"/* of the items of an enum, each with its value and name: X_EACH(what), and X_NAMES for an array of strings */\n"
		"#define WEFT_NAMED(value, name) [value] = name,\n");
	for (unsigned i = 0; i < n_items; i++) {
		const struct item *it = &items[i];

		if (it->kind == CONST)
			fprintf(f, "#define WEFT_%s 0x%llx /* %s */\n", it->name, (unsigned long long)it->value, it->doc);
		if (it->kind == ENUM) {
			fprintf(f, "\n/* %s: %s */\n", it->name, it->doc);
			for (unsigned j = 0; j < it->n; j++)
				fprintf(f, "#define WEFT_%s_%s %llu /* %s */\n", upper(it->name), it->m[j].name,
					(unsigned long long)it->m[j].value, it->m[j].doc);
			fprintf(f, "#define WEFT_%s_COUNT %u\n#define WEFT_%s_NAMES WEFT_%s_EACH(WEFT_NAMED)\n", upper(it->name), it->n, upper(it->name), upper(it->name));
			fprintf(f, "#define WEFT_%s_EACH(what)", upper(it->name));
			for (unsigned j = 0; j < it->n; j++)
				fprintf(f, " \\\n\twhat(%llu, \"%s\")", (unsigned long long)it->m[j].value, it->m[j].name);
			fprintf(f, "\n");
		}
		if (it->kind == STRUCT)
			header_struct(f, it);
		if (it->kind == REGS) {
			const char *reg = "";

			fprintf(f, "\n/* %s: %s */\n", it->name, it->doc);
			for (unsigned j = 0; j < it->n; j++) {
				const struct member *m = &it->m[j];

				if (!m->is_bits) {
					reg = m->name;
					fprintf(f, "#define WEFT_REG_%s 0x%03x /* %s: %s */\n", reg, m->offset, m->access, m->doc);
				} else {
					fprintf(f, "#define WEFT_REG_%s_%s_LSB %u /* %s */\n", reg, m->name, m->lsb, m->doc);
					fprintf(f, "#define WEFT_REG_%s_%s_MASK 0x%08llxu\n", reg, m->name,
						((1ull << m->width) - 1) << m->lsb);
				}
			}
		}
	}
	fprintf(f, "\n#endif\n");
	fclose(f);
}

static int by_lsb(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return x->lsb < y->lsb ? 1 : -1;
}

static void package_struct(FILE *f, const struct item *it)
{
	struct member sorted[MAX_MEMBERS];
	unsigned top = (unsigned)it->value * 8, rsvd = 0;

	memcpy(sorted, it->m, it->n * sizeof(*sorted));
	qsort(sorted, it->n, sizeof(*sorted), by_lsb);
	fprintf(f, "\n  /// %s\n  typedef struct packed {\n", it->doc);
	for (unsigned i = 0; i <= it->n; i++) {
		unsigned end = i < it->n ? sorted[i].lsb + sorted[i].width : 0;

		if (top > end)
			fprintf(f, "    logic [%u:0] rsvd%u;\n", top - end - 1, rsvd++);
		if (i == it->n)
			break;
		fprintf(f, "    logic [%u:0] ", sorted[i].width - 1);
		for (const char *c = sorted[i].name; *c; c++)
			fputc(tolower((unsigned char)*c), f);
		fprintf(f, ";  ///< %s\n", sorted[i].doc);
		top = sorted[i].lsb;
	}
	fprintf(f, "  } %s_t;\n  localparam int unsigned %s_BYTES = %u;\n", it->name, upper(it->name), (unsigned)it->value);
	for (unsigned i = 0; i < it->n; i++)
		fprintf(f, "  localparam int unsigned %s_%s_LSB = %u;\n  localparam int unsigned %s_%s_WIDTH = %u;\n",
			upper(it->name), it->m[i].name, it->m[i].lsb, upper(it->name), it->m[i].name, it->m[i].width);
}

static void write_package(const char *path)
{
	FILE *f = create(path);

	fprintf(f, "// SPDX-License-Identifier: BSD-2-Clause\n// Made by abi/gen from abi/weft.abi. Do not edit.\n\n"
		"// verilator lint_off UNUSEDPARAM\n// verilator lint_off SYMRSVDWORD\n/// Hardware layouts. A struct's byte 0 is its bits [7:0].\npackage weft_abi_pkg;\n");
	for (unsigned i = 0; i < n_items; i++) {
		const struct item *it = &items[i];

		if (it->kind == CONST)
			fprintf(f, "  localparam logic [31:0] %s = 32'h%llx;  ///< %s\n", it->name, (unsigned long long)it->value,
				it->doc);
		if (it->kind == ENUM) {
			fprintf(f, "\n  // %s: %s\n", it->name, it->doc);
			for (unsigned j = 0; j < it->n; j++)
				fprintf(f, "  localparam logic [%u:0] %s_%s = %u'd%llu;  ///< %s\n", (unsigned)it->value - 1,
					upper(it->name), it->m[j].name, (unsigned)it->value, (unsigned long long)it->m[j].value,
					it->m[j].doc);
			fprintf(f, "  localparam int unsigned %s_COUNT = %u;\n", upper(it->name), it->n);
		}
		if (it->kind == STRUCT)
			package_struct(f, it);
		if (it->kind == REGS)
			for (unsigned j = 0; j < it->n; j++)
				if (!it->m[j].is_bits)
					fprintf(f, "  localparam logic [15:0] REG_%s = 16'h%03x;  ///< %s\n", it->m[j].name,
						it->m[j].offset, it->m[j].doc);
	}
	fprintf(f, "endpackage\n// verilator lint_on SYMRSVDWORD\n// verilator lint_on UNUSEDPARAM\n");
	fclose(f);
}

static void tables_item(FILE *f, const struct item *it)
{
	const char *title[] = { "", "", "", "enum", "struct", "registers" };

	fprintf(f, "\n### %s `%s`: %s\n\n", title[it->kind], it->name, it->doc);
	if (it->kind == STRUCT)
		fprintf(f, "%u bytes.\n\n", (unsigned)it->value);
	fprintf(f, it->kind == ENUM ? "| Value | Name | |\n| --- | --- | --- |\n" :
		it->kind == STRUCT ? "| Byte | Bits | Field | |\n| --- | --- | --- | --- |\n" :
		"| Offset | Bits | Access | Name | |\n| --- | --- | --- | --- | --- |\n");
	for (unsigned j = 0; j < it->n; j++) {
		const struct member *m = &it->m[j];

		if (it->kind == ENUM)
			fprintf(f, "| %llu | %s | %s |\n", (unsigned long long)m->value, m->name, m->doc);
		else if (it->kind == STRUCT)
			fprintf(f, "| %u | %u:%u | %s | %s |\n", m->lsb / 8, m->lsb % 8 + m->width - 1, m->lsb % 8, m->name, m->doc);
		else if (m->is_bits)
			fprintf(f, "| | %u:%u | | %s | %s |\n", m->lsb + m->width - 1, m->lsb, m->name, m->doc);
		else
			fprintf(f, "| 0x%03x | | %s | %s | %s |\n", m->offset, m->access, m->name, m->doc);
	}
}

static void write_tables(const char *path)
{
	FILE *f = create(path);
	enum kind last = SECTION;

	fprintf(f, "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n<!-- Made by abi/gen from abi/weft.abi. Do not edit. -->\n"
		"# Programming model\n\nEvery layout that hardware and software share. All numbers are little endian; what is not "
		"named is reserved:\nwritten as zero, ignored when read.\n");
	for (unsigned i = 0; i < n_items; i++) {
		const struct item *it = &items[i];

		if (it->kind == SECTION)
			fprintf(f, "\n## %s\n", it->doc);
		else if (it->kind == PROSE)
			fprintf(f, "%s%s\n", last == PROSE ? "" : "\n", it->doc);
		else if (it->kind == CONST)
			fprintf(f, "%s| `%s` | 0x%llx | %s |\n", last == CONST ? "" : "\n| Constant | Value | |\n| --- | --- | --- |\n",
				it->name, (unsigned long long)it->value, it->doc);
		else
			tables_item(f, it);
		last = it->kind;
	}
	fclose(f);
}

/* What the agreement test walks: every field through the C macros, and through the packed structs. */
static void write_fields(const char *c_path, const char *sv_path)
{
	FILE *c = create(c_path), *sv = create(sv_path);

	for (unsigned i = 0; i < n_items; i++) {
		const struct item *it = &items[i];

		if (it->kind != STRUCT)
			continue;
		fprintf(c, "SIZE(%s)\n", upper(it->name));
		fprintf(sv, "begin static weft_abi_pkg::%s_t s = 0; size(\"%s\", $bits(s));\n", it->name, upper(it->name));
		for (unsigned j = 0; j < it->n; j++) {
			fprintf(c, "FIELD(%s, %s)\n", upper(it->name), it->m[j].name);
			fprintf(sv, "s = 0; s.");
			for (const char *n = it->m[j].name; *n; n++)
				fputc(tolower((unsigned char)*n), sv);
			fprintf(sv, " = '1; field(\"%s.%s\", 8192'(s));\n", upper(it->name), it->m[j].name);
		}
		fprintf(sv, "end\n");
	}
	fclose(c);
	fclose(sv);
}

int main(int argc, char **argv)
{
	char line[1024];
	struct item *open = NULL;
	FILE *f;

	if (argc != 5 && argc != 7) {
		fprintf(stderr, "usage: gen weft.abi HEADER.h PACKAGE.sv TABLES.md [FIELDS.h FIELDS.svh]\n");
		return 2;
	}
	file = argv[1];
	f = fopen(file, "r");
	if (!f) {
		perror(file);
		return 1;
	}
	while (fgets(line, sizeof(line), f)) {
		line_no++;
		if (!strchr(line, '\n'))
			die("line too long");
		read_line(line, &open);
	}
	if (open)
		die("%s has no end", open->name);
	fclose(f);
	write_header(argv[2]);
	write_package(argv[3]);
	write_tables(argv[4]);
	if (argc == 7)
		write_fields(argv[5], argv[6]);
	return 0;
}
