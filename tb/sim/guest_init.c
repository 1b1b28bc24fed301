/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Init of a guest without a driver: finds the card (here the test double), reads and writes its
 * registers, lets it read and write guest memory, prints what it saw, shows lspci, powers off.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "weft_abi.h"

static char device[300];

static bool find_device(void)
{
	DIR *d = opendir("/sys/bus/pci/devices");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[320], text[16] = "";
		int fd;

		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/vendor", e->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		if (read(fd, text, sizeof(text) - 1) > 0 && strtoul(text, NULL, 16) == WEFT_PCI_VENDOR_ID)
			snprintf(device, sizeof(device), "/sys/bus/pci/devices/%s", e->d_name);
		close(fd);
	}
	return device[0];
}

static uint64_t physical(void *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	if (pread(fd, &entry, 8, (off_t)((uintptr_t)p / 4096 * 8)) != 8)
		entry = 0;
	close(fd);
	return (entry & ((1ull << 55) - 1)) * 4096;
}

static void enable(void)
{
	char path[320];
	uint16_t command = 6;
	int fd;

	snprintf(path, sizeof(path), "%s/config", device);
	fd = open(path, O_RDWR);
	if (fd < 0 || pwrite(fd, &command, 2, 4) != 2)
		printf("FAIL config\n");
	close(fd);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void test(void)
{
	volatile uint32_t *regs, *page;
	char path[320];
	uint64_t address, start;
	int fd;

	if (!find_device()) {
		printf("FAIL no device\n");
		return;
	}
	enable();
	snprintf(path, sizeof(path), "%s/resource0", device);
	fd = open(path, O_RDWR);
	regs = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || regs == MAP_FAILED) {
		printf("FAIL BAR0\n");
		return;
	}
	printf("ID %08x VERSION %08x VECTORS %u\n", regs[0], regs[1], regs[WEFT_REG_CAP_VECTORS / 4]);
	if (regs[WEFT_REG_CAP_QP / 4]) { /* the card itself: it has no scratch page */
		start = now();
		for (int i = 0; i < 1000; i++)
			if (regs[0] != WEFT_MAGIC)
				return;
		printf("1000 reads: %u us each\n", (unsigned int)((now() - start) / 1000000u));
		printf("GUEST PASSED\n");
		return;
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
	page[0] = 0x12345678;
	page[5] = 0xcafe0001;
	address = physical((void *)page);
	regs[0xf08 / 4] = (uint32_t)address;
	regs[0xf0c / 4] = (uint32_t)(address >> 32);
	regs[0xf10 / 4] = 0x5eed5eed;
	(void)regs[0];
	printf("DMA write: %08x\n", page[0]);
	regs[0xf08 / 4] = (uint32_t)address + 20;
	regs[0xf14 / 4] = 1;
	(void)regs[0];
	printf("DMA read: %08x\n", regs[0xf18 / 4]);
	start = now();
	for (int i = 0; i < 1000; i++)
		(void)regs[0];
	printf("1000 reads: %u us each\n", (unsigned int)((now() - start) / 1000000u));
	start = now();
	for (int i = 0; i < 10000; i++)
		regs[0xf00 / 4] = (uint32_t)i;
	printf("10000 writes: %u ns each; then %u\n", (unsigned int)((now() - start) / 10000u),
	       regs[0xf00 / 4]);
	if (page[0] == 0x5eed5eed && regs[0xf18 / 4] == 0xcafe0001 && regs[0xf00 / 4] == 9999)
		printf("GUEST PASSED\n");
}

int main(void)
{
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	test();
	if (fork() == 0) {
		execl("/usr/bin/lspci", "lspci", "-vv", "-nn", "-d", "1e57:", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
