/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In front of each file of the driver: 6.12's names on other kernels (Makefile, beside this). Tables of operations whose
 * members have other parameters there are in the headers *_ops.h.
 */
#ifndef WEFT_COMPAT_H
#define WEFT_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "Linux 6.1 is the first that the driver knows"
#endif

#include <linux/mmzone.h>
#include <linux/net.h>
#include <linux/pci.h>
#include <linux/timer.h>
#include <net/ip6_fib.h>

/* before 6.4 the number of orders, up to 6.7 the largest */
#ifndef MAX_PAGE_ORDER
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define MAX_PAGE_ORDER (MAX_ORDER - 1)
#else
#define MAX_PAGE_ORDER MAX_ORDER
#endif
#endif

/* renamed by 6.16 */
#ifndef from_timer
#define from_timer timer_container_of
#endif

/* The regions of a device that pcim_enable_device() has enabled are given back with it. */
#ifndef WEFT_HAS_ALL_REGIONS
#define pcim_request_all_regions pci_request_regions
#endif

#ifdef WEFT_HAS_SOCKADDR_UNSIZED
#define kernel_bind(sock, addr, len) \
	kernel_bind(sock, (struct sockaddr_unsized *)(addr), len)
#endif

/*
 * Whose pool it is, while its NAPI runs; no other thread changes it. One of before 6.6 takes back what is freed by its NAPI through
 * its ring, as from anywhere else.
 */
#ifdef WEFT_HAS_POOL_NAPI
#define weft_pool_napi(pool, of) WRITE_ONCE((pool)->p.napi, of)
#else
#define weft_pool_napi(pool, of) ((void)(pool))
#endif

/* Counters of before 6.3 are of the whole MAC; it has one then, without preemption. */
#ifdef WEFT_HAS_STATS_SRC
#define weft_stats_src(stats) ((stats)->src)
#else
enum ethtool_mac_stats_src {
	ETHTOOL_MAC_STATS_SRC_AGGREGATE,
	ETHTOOL_MAC_STATS_SRC_EMAC,
};

#define weft_stats_src(stats) ((void)(stats), ETHTOOL_MAC_STATS_SRC_AGGREGATE)
#endif

#ifndef WEFT_HAS_RXFH_PARAM
/* what of 6.8's is used here */
struct ethtool_rxfh_param {
	u8 hfunc;
	u32 *indir;
	u8 *key;
};
#endif

/* where IPv6 is no module any more, its functions are there */
#ifndef WEFT_HAS_IPV6_STUB
#include <net/addrconf.h>
#include <net/ipv6.h>

static const struct {
	struct net_device *(*ipv6_dev_find)(struct net *net, const struct in6_addr *addr,
					    struct net_device *dev);
	struct dst_entry *(*ipv6_dst_lookup_flow)(struct net *net, const struct sock *sk,
						  struct flowi6 *fl6,
						  const struct in6_addr *final_dst);
} weft_ipv6 __maybe_unused = {
	.ipv6_dev_find = ipv6_dev_find,
	.ipv6_dst_lookup_flow = ip6_dst_lookup_flow,
};

#define ipv6_stub (&weft_ipv6)
#endif

/* the bits of a DSCP at their places, as flowi4_tos was given them */
#ifndef flowi4_tos
#define flowi4_tos flowi4_dscp
#endif

/* not before 6.10 */
#ifndef dst_rt6_info
#define dst_rt6_info(dst) container_of_const(dst, struct rt6_info, dst)
#endif

#ifdef WEFT_HAS_UMEM_GET_VA
#define ib_umem_get ib_umem_get_va
#endif

#endif
