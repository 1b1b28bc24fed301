// SPDX-License-Identifier: BSD-2-Clause
//
// A tool of the tests, for guests; static.
//
//   weft-lab aer DOMAIN:BUS:DEV.FN nonfatal|fatal   injects an uncorrectable error (module aer_inject)
//   weft-lab csum-send IF START OFFSET              broadcasts a frame whose checksum the device has to
//                                                   insert: sum from START on, stored at START + OFFSET
//   weft-lab csum-recv IF START OFFSET SECONDS      waits for that frame; 0 when it is as it must be
//   weft-lab rxhash IF KEY PORT SECONDS             waits for an IPv4 packet to PORT; 0 when the hash that came with it is the
//                                                   Toeplitz hash of addresses and ports under KEY (hex, as ethtool has it)
//   weft-lab stats IF N                             asks for the statistics of a device N times, as ethtool -S does, and says how
//                                                   many were answered
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define ETHERTYPE 0x88b5 // IEEE 802 local experimental 1
#define FRAME 600

static void die(const char *what)
{
	fprintf(stderr, "weft-lab: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int aer(const char *where, const char *how)
{
	// as in the kernel's drivers/pci/pcie/aer_inject.c
	struct {
		uint8_t bus, dev, fn;
		uint32_t uncor, cor, header[4], domain;
	} e = { 0 };
	unsigned domain, bus, dev, fn;
	int fd;

	if (sscanf(where, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4) {
		errno = EINVAL;
		die(where);
	}
	e.domain = domain;
	e.bus = (uint8_t)bus;
	e.dev = (uint8_t)dev;
	e.fn = (uint8_t)fn;
	// completion time-out, or malformed TLP (PCIe 6.2.7, 7.8.4.2)
	e.uncor = strcmp(how, "fatal") ? 1u << 14 : 1u << 18;
	fd = open("/dev/aer_inject", O_WRONLY);
	if (fd < 0 || write(fd, &e, sizeof e) != sizeof e) die("/dev/aer_inject");
	return 0;
}

static int packet_socket(const char *name, struct sockaddr_ll *at)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETHERTYPE));

	memset(at, 0, sizeof *at);
	at->sll_family = AF_PACKET;
	at->sll_protocol = htons(ETHERTYPE);
	at->sll_ifindex = (int)if_nametoindex(name);
	if (fd < 0 || !at->sll_ifindex || bind(fd, (struct sockaddr *)at, sizeof *at) < 0) die(name);
	return fd;
}

static void pattern(uint8_t *f, unsigned start, unsigned offset)
{
	for (unsigned i = 0; i < FRAME; i++) f[i] = (uint8_t)(i * 7 + i / 256 + 3);
	memset(f, 0xff, 6);
	memcpy(f + 6, "\x02weft\x01", 6);
	f[12] = ETHERTYPE >> 8;
	f[13] = ETHERTYPE & 0xff;
	f[start + offset] = f[start + offset + 1] = 0;
}

static int csum_send(const char *name, unsigned start, unsigned offset)
{
	struct virtio_net_hdr h = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = (uint16_t)start, .csum_offset = (uint16_t)offset };
	struct sockaddr_ll at;
	uint8_t f[FRAME];
	struct iovec v[2] = { { &h, sizeof h }, { f, sizeof f } };
	int fd = packet_socket(name, &at), on = 1;

	if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) < 0) die("PACKET_VNET_HDR");
	pattern(f, start, offset);
	if (writev(fd, v, 2) != (ssize_t)(sizeof h + sizeof f)) die("send");
	return 0;
}

static int csum_recv(const char *name, unsigned start, unsigned offset, int seconds)
{
	struct sockaddr_ll at;
	uint8_t f[FRAME], want[FRAME];
	struct pollfd p = { packet_socket(name, &at), POLLIN, 0 };
	uint32_t sum = 0;
	ssize_t n;

	pattern(want, start, offset);
	for (unsigned i = start; i < FRAME; i++) sum += (i - start) & 1 ? want[i] : (uint32_t)want[i] << 8;
	while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
	want[start + offset] = (uint8_t)(~sum >> 8);
	want[start + offset + 1] = (uint8_t)~sum;
	if (poll(&p, 1, seconds * 1000) != 1) {
		fprintf(stderr, "weft-lab: no frame\n");
		return 1;
	}
	n = recv(p.fd, f, sizeof f, 0);
	if (n != FRAME) die("length");
	for (unsigned i = 0; i < FRAME; i++) {
		if (f[i] == want[i]) continue;
		fprintf(stderr, "weft-lab: byte %u is %02x, not %02x\n", i, f[i], want[i]);
		return 1;
	}
	return 0;
}

// Microsoft, "RSS Hashing Functions"
static uint32_t toeplitz(const uint8_t *key, const uint8_t *in, unsigned n)
{
	uint32_t result = 0;

	for (unsigned bit = 0; bit < 8 * n; bit++)
		for (unsigned k = 0; k < 32 && (in[bit / 8] >> (7 - bit % 8) & 1); k++)
			result ^= (uint32_t)(key[(bit + k) / 8] >> (7 - (bit + k) % 8) & 1) << (31 - k);
	return result;
}

static int rxhash(const char *name, const char *hex, unsigned port, int seconds)
{
	struct tpacket_req3 req = { .tp_block_size = 1 << 16, .tp_block_nr = 8, .tp_frame_size = 2048, .tp_frame_nr = 8 << 5,
				    .tp_retire_blk_tov = 20, .tp_feature_req_word = TP_FT_REQ_FILL_RXHASH };
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_ifindex = (int)if_nametoindex(name) };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_IP)), version = TPACKET_V3;
	uint8_t key[40], *ring;

	for (unsigned i = 0; i < sizeof key; i++, hex += *hex ? *hex == ':' : 0) {
		unsigned v, n = 0;

		if (sscanf(hex, "%2x%n", &v, (int *)&n) != 1 || n != 2) {
			errno = EINVAL;
			die("key");
		}
		key[i] = (uint8_t)v;
		hex += 2;
	}
	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version) < 0 ||
	    setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof req) < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0)
		die(name);
	ring = mmap(NULL, req.tp_block_size * req.tp_block_nr, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) die("mmap");
	for (unsigned b = 0;; b = (b + 1) % req.tp_block_nr) {
		struct tpacket_block_desc *d = (void *)(ring + b * req.tp_block_size);
		struct pollfd p = { fd, POLLIN, 0 };

		while (!(__atomic_load_n(&d->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER))
			if (poll(&p, 1, seconds * 1000) != 1) {
				fprintf(stderr, "weft-lab: no packet\n");
				return 1;
			}
		struct tpacket3_hdr *h = (void *)((uint8_t *)d + d->hdr.bh1.offset_to_first_pkt);
		for (unsigned i = 0; i < d->hdr.bh1.num_pkts; i++, h = (void *)((uint8_t *)h + h->tp_next_offset)) {
			const uint8_t *ip = (uint8_t *)h + h->tp_net;
			uint8_t in[12];
			uint32_t want;

			if (ip[0] != 0x45 || (ip[9] != 6 && ip[9] != 17) || (unsigned)(ip[22] << 8 | ip[23]) != port) continue;
			memcpy(in, ip + 12, 12);
			want = toeplitz(key, in, sizeof in);
			if (h->hv1.tp_rxhash == want) return 0;
			fprintf(stderr, "weft-lab: hash %08x, not %08x\n", h->hv1.tp_rxhash, want);
			return 1;
		}
		__atomic_store_n(&d->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	}
}

static int stats(const char *name, int n)
{
	static struct { struct ethtool_stats head; uint64_t values[4096]; } s;
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq r = { .ifr_data = (void *)&info };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), answered = 0;

	strncpy(r.ifr_name, name, IFNAMSIZ - 1);
	for (int i = 0; i < n; i++) {
		r.ifr_data = (void *)&info;
		if (ioctl(fd, SIOCETHTOOL, &r) < 0 || info.n_stats > 4096) continue;
		s.head.cmd = ETHTOOL_GSTATS;
		s.head.n_stats = info.n_stats;
		r.ifr_data = (void *)&s;
		answered += ioctl(fd, SIOCETHTOOL, &r) == 0;
	}
	printf("%d of %d answered\n", answered, n);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "rxhash")) return rxhash(argv[2], argv[3], (unsigned)atoi(argv[4]), atoi(argv[5]));
	if (argc == 4 && !strcmp(argv[1], "stats")) return stats(argv[2], atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "aer")) return aer(argv[2], argv[3]);
	if (argc >= 5 && (unsigned long)atoi(argv[3]) + (unsigned long)atoi(argv[4]) + 2 > FRAME) return 2;
	if (argc == 5 && !strcmp(argv[1], "csum-send"))
		return csum_send(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
	if (argc == 6 && !strcmp(argv[1], "csum-recv"))
		return csum_recv(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]), atoi(argv[5]));
	fprintf(stderr, "weft-lab: see the head of its source\n");
	return 2;
}
