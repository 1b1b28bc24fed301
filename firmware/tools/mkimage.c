// SPDX-License-Identifier: BSD-2-Clause
/* mkimage CODE.bin IMAGE.bin VERSION: puts struct fw_header in front of the code (padded to words). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft_abi.h"

#define CODE_MAX 65536

static void put(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

int main(int argc, char **argv)
{
	static uint8_t image[64 + CODE_MAX + 1];
	uint32_t crc = ~0u;
	size_t n;
	FILE *f;

	if (argc != 4) {
		fprintf(stderr, "usage: mkimage CODE.bin IMAGE.bin VERSION\n");
		return 2;
	}
	f = fopen(argv[1], "rb");
	if (!f) { perror(argv[1]); return 1; }
	n = fread(image + 64, 1, CODE_MAX + 1, f);
	fclose(f);
	if (!n || n > CODE_MAX) { fprintf(stderr, "mkimage: %zu bytes of code, 1 to %d fit\n", n, CODE_MAX); return 1; }
	n = (n + 3) & ~(size_t)3;
	for (size_t i = 0; i < n; i++) {
		crc ^= image[64 + i];
		for (int b = 0; b < 8; b++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	put(image + WEFT_FW_HEADER_MAGIC_OFF, WEFT_MAGIC);
	put(image + WEFT_FW_HEADER_ABI_MAJOR_OFF, WEFT_ABI_MAJOR | 64u << 16);
	put(image + WEFT_FW_HEADER_VERSION_OFF, (uint32_t)strtoul(argv[3], NULL, 0));
	put(image + WEFT_FW_HEADER_CODE_BYTES_OFF, (uint32_t)n);
	put(image + WEFT_FW_HEADER_CODE_CRC_OFF, ~crc);
	put(image + WEFT_FW_HEADER_ENTRY_OFF, 0);
	f = fopen(argv[2], "wb");
	if (!f || fwrite(image, 1, 64 + n, f) != 64 + n || fclose(f)) { perror(argv[2]); return 1; }
	printf("%s: %zu bytes\n", argv[2], 64 + n);
	return 0;
}
