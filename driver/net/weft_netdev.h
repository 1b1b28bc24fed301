/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_NETDEV_H
#define WEFT_NETDEV_H

#include <linux/ethtool.h>
#include <linux/skbuff.h>
#include <linux/timer.h>

#include "weft.h"

#define WEFT_L2_RING_LOG2 8
#define WEFT_L2_RING_LOG2_MIN 6 /* more than WEFT_TX_STOP */
#define WEFT_L2_RING_LOG2_MAX 12
#define WEFT_TX_BUF_LOG2 14 /* the most of one descriptor */
#define WEFT_TX_STOP (MAX_SKB_FRAGS + 2 + (WEFT_TSO_MAX >> WEFT_TX_BUF_LOG2))
#define WEFT_TX_MAX_DESC 32 /* of a frame; the card refuses more */
#define WEFT_RX_HEADROOM (NET_SKB_PAD + NET_IP_ALIGN)

/**
 * struct weft_ring - a descriptor ring and its completion ring, both of 2^log2 entries
 * @desc: descriptors
 * @cq: completions
 * @log2: log2 of entries
 * @pi: next descriptor to fill
 * @ci: next descriptor to get back
 * @cq_ci: next completion to look at
 */
struct weft_ring {
	__le64 *desc, *cq;
	dma_addr_t desc_dma, cq_dma;
	size_t desc_bytes, cq_bytes;
	u32 log2;
	u16 pi, ci, cq_ci;
};

/**
 * struct weft_tx_buf - what a transmit descriptor holds
 * @skb: on the frame's last descriptor
 * @dma: a mapping, on the last descriptor that is a part of it
 * @len: its bytes, 0: none
 * @segs: frames on the wire, with @skb
 * @bytes: their bytes
 */
struct weft_tx_buf {
	struct sk_buff *skb;
	dma_addr_t dma;
	u32 len, segs, bytes;
};

/**
 * struct weft_rings - all that an open interface needs, allocated before the card sees any of it
 * @tx: transmit descriptors and completions
 * @rx: receive descriptors and completions
 * @tx_buf: what each transmit descriptor holds
 * @rx_page: the page of each posted receive descriptor
 * @pool: where they come from
 * @scaling: struct l2_scaling, while the card may read it
 * @mtu: IP MTU that the buffers are made for
 * @rx_order: pages of a buffer, log2
 * @rx_buf_len: bytes that the card may write to a buffer
 * @strip: the card takes VLAN tags out
 */
struct weft_rings {
	struct weft_ring tx, rx;
	struct weft_tx_buf *tx_buf;
	struct page **rx_page;
	struct page_pool *pool;
	__le64 *scaling;
	dma_addr_t scaling_dma;
	u32 mtu, rx_order, rx_buf_len;
	bool strip;
};

/**
 * struct weft_netdev - private part of the network device
 * @r: the rings while the interface is up on a card, else NULL; changes under rtnl, with NAPI off
 * @tx_log2: log2 of transmit descriptors, for the next rings
 * @rx_log2: log2 of receive descriptors, for the next rings
 * @strip: the card takes VLAN tags out, of the next rings
 * @hash_types: enum l2_hash, a bit each, that the card hashes received frames by
 * @hash_key: key of that hash
 * @hash_table: receive queue by the low bits of the hash
 * @refill: tries again when memory was short
 * @filter_work: sets the address filter
 * @reset_work: new rings after a transmit time-out
 * @rx_no_memory: buffers that could not be allocated
 * @tx_timeouts: times that the stack saw transmit stand still
 * @module_lock: one read of the module in the cage, with its data
 * @module_id: of a module: its first bytes, of a QSFP those from 128 on; this and what follows under rtnl
 * @module_seen: changes of the cage that it was read at
 * @module_known: it was read
 */
struct weft_netdev {
	struct weft_core *core;
	struct net_device *netdev;
	struct napi_struct napi;
	struct weft_rings *r;
	u32 tx_log2, rx_log2;
	bool strip;
	u8 hash_types, hash_key[WEFT_L2_SCALING_KEY_WIDTH / 8], hash_table[WEFT_L2_SCALING_N];
	struct timer_list refill;
	struct work_struct filter_work, reset_work;
	u64 rx_no_memory, tx_timeouts;
	struct mutex module_lock; /* a read of the module, with its data */
	u8 module_id[96];
	u16 module_seen;
	bool module_known;
};

static inline u32 weft_ring_mask(const struct weft_ring *ring)
{
	return (1 << ring->log2) - 1;
}

/* weft_rings.c */
struct weft_rings *weft_rings_alloc(struct weft_netdev *nd, u32 mtu, u32 tx_log2, u32 rx_log2);
void weft_rings_free(struct weft_netdev *nd, struct weft_rings *r);
int weft_rings_start(struct weft_netdev *nd, struct weft_rings *r);
void weft_rings_stop(struct weft_netdev *nd);
bool weft_rx_fill(struct weft_netdev *nd, struct weft_rings *r, gfp_t gfp);

/* weft_txrx.c */
void weft_l2_doorbell(struct weft_netdev *nd, u32 offset, u16 index, bool arm);
void weft_tx_unmap(struct weft_netdev *nd, struct weft_tx_buf *b);
netdev_tx_t weft_xmit(struct sk_buff *skb, struct net_device *netdev);
netdev_features_t weft_features_check(struct sk_buff *skb, struct net_device *netdev,
				      netdev_features_t features);
void weft_tx_scaling(struct weft_netdev *nd, struct weft_rings *r);
int weft_poll(struct napi_struct *napi, int budget);

/* weft_netdev.c */
int weft_netdev_change(struct weft_netdev *nd, u32 mtu, u32 tx_log2, u32 rx_log2);
int weft_netdev_scaling(struct weft_netdev *nd);

static inline bool weft_can_offload(const struct weft_netdev *nd)
{
	return nd->core->caps.features & BIT(WEFT_FEATURE_L2_OFFLOAD);
}

/* a MAC whose registers the card can ask */
static inline bool weft_has_mac(const struct weft_netdev *nd)
{
	return nd->core->caps.features & BIT(WEFT_FEATURE_PORT);
}

/* weft_mac.c: @n 64-bit values of room PORT from @off on */
int weft_port_read(struct weft_core *core, u32 off, u64 *values, int n);
/* without a MAC there are no strings and no tests, and nothing is counted */
void weft_mac_init(struct weft_netdev *nd);
int weft_mac_speed(struct weft_netdev *nd); /* in Mb/s, or SPEED_UNKNOWN */
int weft_mac_n_strings(struct weft_netdev *nd);
void weft_mac_strings(struct weft_netdev *nd, u8 *data);
void weft_mac_values(struct weft_netdev *nd, u64 *values);
int weft_mac_n_tests(void);
void weft_mac_test_strings(u8 *data);
void weft_mac_eth_stats(struct weft_netdev *nd, struct ethtool_eth_mac_stats *mac);
void weft_get_eth_phy_stats(struct net_device *netdev, struct ethtool_eth_phy_stats *phy);
void weft_get_eth_ctrl_stats(struct net_device *netdev, struct ethtool_eth_ctrl_stats *ctrl);
void weft_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *pause);
void weft_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *rmon,
			 const struct ethtool_rmon_hist_range **ranges);
void weft_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause);
int weft_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause);
void weft_self_test(struct net_device *netdev, struct ethtool_test *test, u64 *results);

/* weft_module.c */
int weft_get_module_eeprom_by_page(struct net_device *netdev,
				   const struct ethtool_module_eeprom *page,
				   struct netlink_ext_ack *extack);
int weft_get_module_info(struct net_device *netdev, struct ethtool_modinfo *info);
int weft_get_module_eeprom(struct net_device *netdev, struct ethtool_eeprom *ee, u8 *data);
void weft_module_ksettings(struct weft_netdev *nd, u32 rate, struct ethtool_link_ksettings *ks);

/* All hash types that there are. */
#define WEFT_HASH_TYPES GENMASK(WEFT_L2_HASH_UDP_IPV6, WEFT_L2_HASH_IPV4)

#endif
