// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The MAC behind the card's core, where there is one to ask (FEATURES PORT): its counters by the names that ethtool has for
 * them (IEEE 802.3 clause 30, RFC 2819), PAUSE, and a test that sends frames through its loopback.
 */
#include <linux/ethtool.h>

#include "weft_netdev.h"

#define WEFT_MAC_N WEFT_MAC_STAT_COUNT
#define WEFT_MAC_OCTETS 3 /* received, of these good, sent */
#define WEFT_MAC_HEADER 18 /* of a frame, what clause 30 does not count as octets: addresses, type, FCS */

static const char weft_mac_names[][ETH_GSTRING_LEN] = {
	WEFT_MAC_STAT_NAMES
};

int weft_port_read(struct weft_core *core, u32 off, u64 *values, int n)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_PORT_READ);
	WEFT_PUT(msg.cmd, ADMIN_PORT_OFFSET, off);
	return weft_admin_read(core, &msg, values, n);
}

/* CTRL and the register behind it, read together: nothing else is 8 bytes there */
static int weft_mac_ctrl(struct weft_core *core, u32 *ctrl)
{
	u64 v;
	int rc = weft_port_read(core, WEFT_PORT_CTRL, &v, 1);

	*ctrl = rc ? 0 : lower_32_bits(v);
	return rc;
}

static int weft_mac_set_ctrl(struct weft_core *core, u32 ctrl)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_PORT_WRITE);
	WEFT_PUT(msg.cmd, ADMIN_PORT_OFFSET, WEFT_PORT_CTRL);
	WEFT_PUT(msg.cmd, ADMIN_PORT_VALUE, ctrl);
	return weft_admin_exec(core, &msg);
}

/* STATUS stands behind the upper half of the station address, so it is the upper half of what is read. */
static int weft_mac_status(struct weft_core *core, u32 *status)
{
	u64 v;
	int rc;

	BUILD_BUG_ON(WEFT_PORT_STATUS - WEFT_PORT_ADDR_HI != 4);
	rc = weft_port_read(core, WEFT_PORT_ADDR_HI, &v, 1);
	*status = rc ? 0 : upper_32_bits(v);
	return rc;
}

void weft_mac_init(struct weft_netdev *nd)
{
	/* a driver that went in the midst of a test may have left the loopback on */
	if (weft_has_mac(nd) &&
	    weft_mac_set_ctrl(nd->core, BIT(WEFT_PORT_CTRL_RX) | BIT(WEFT_PORT_CTRL_TX) |
			      BIT(WEFT_PORT_CTRL_PAUSE_RX) | BIT(WEFT_PORT_CTRL_PAUSE_TX)))
		netdev_warn(nd->netdev, "the MAC does not take its settings\n");
}

int weft_mac_speed(struct weft_netdev *nd)
{
	u32 status;

	if (!weft_has_mac(nd) || weft_mac_status(nd->core, &status) || !(status >> 16))
		return SPEED_UNKNOWN;
	return (status >> 16) * 100;
}

/* ---- counters; the operations from here on are for cards with such a MAC ---- */

int weft_mac_n_strings(struct weft_netdev *nd)
{
	return weft_has_mac(nd) ? WEFT_MAC_N : 0;
}

void weft_mac_strings(struct weft_netdev *nd, u8 *data)
{
	int i;

	for (i = 0; i < weft_mac_n_strings(nd); i++)
		snprintf((char *)data + i * ETH_GSTRING_LEN, ETH_GSTRING_LEN, "mac_%.*s",
			 ETH_GSTRING_LEN - 5, weft_mac_names[i]);
}

void weft_mac_values(struct weft_netdev *nd, u64 *values)
{
	int n = weft_mac_n_strings(nd);

	if (n && weft_port_read(nd->core, WEFT_PORT_STAT, values, n))
		memset(values, 0, n * sizeof(*values));
}

/**
 * struct weft_mac_stats - all that the MAC counts
 * @v: enum mac_stat
 * @octets: received, of these in good frames, sent
 */
struct weft_mac_stats {
	u64 v[WEFT_MAC_N], octets[WEFT_MAC_OCTETS];
};

static bool weft_mac_read(struct weft_netdev *nd, enum ethtool_mac_stats_src src,
			  struct weft_mac_stats *s)
{
	if (src != ETHTOOL_MAC_STATS_SRC_AGGREGATE && src != ETHTOOL_MAC_STATS_SRC_EMAC)
		return false;
	return !weft_port_read(nd->core, WEFT_PORT_STAT, s->v, WEFT_MAC_N) &&
	       !weft_port_read(nd->core, WEFT_PORT_OCTETS, s->octets, WEFT_MAC_OCTETS);
}

void weft_mac_eth_stats(struct weft_netdev *nd, struct ethtool_eth_mac_stats *mac)
{
	struct weft_mac_stats s;
	u64 *v = s.v;

	if (!weft_mac_read(nd, weft_stats_src(mac), &s))
		return;
	mac->FramesTransmittedOK = v[WEFT_MAC_STAT_tx_pkts];
	mac->FramesReceivedOK = v[WEFT_MAC_STAT_rx_ok];
	mac->FrameCheckSequenceErrors = v[WEFT_MAC_STAT_rx_crc_err];
	mac->OctetsTransmittedOK = s.octets[2] - WEFT_MAC_HEADER * v[WEFT_MAC_STAT_tx_pkts];
	mac->OctetsReceivedOK = s.octets[1] - WEFT_MAC_HEADER * v[WEFT_MAC_STAT_rx_ok];
	mac->MulticastFramesXmittedOK = v[WEFT_MAC_STAT_tx_mcast];
	mac->BroadcastFramesXmittedOK = v[WEFT_MAC_STAT_tx_bcast];
	mac->MulticastFramesReceivedOK = v[WEFT_MAC_STAT_rx_mcast];
	mac->BroadcastFramesReceivedOK = v[WEFT_MAC_STAT_rx_bcast];
	mac->FrameTooLongErrors = v[WEFT_MAC_STAT_rx_oversize] + v[WEFT_MAC_STAT_rx_jabber];
	mac->FramesLostDueToIntMACRcvError = v[WEFT_MAC_STAT_rx_cut];
	mac->FramesLostDueToIntMACXmitError = v[WEFT_MAC_STAT_tx_link_drop] +
					      v[WEFT_MAC_STAT_tx_store_drop] +
					      v[WEFT_MAC_STAT_tx_reset];
}

void weft_get_eth_phy_stats(struct net_device *netdev, struct ethtool_eth_phy_stats *phy)
{
	struct weft_mac_stats s;

	if (weft_mac_read(netdev_priv(netdev), weft_stats_src(phy), &s))
		phy->SymbolErrorDuringCarrier = s.v[WEFT_MAC_STAT_rx_code_err];
}

void weft_get_eth_ctrl_stats(struct net_device *netdev, struct ethtool_eth_ctrl_stats *ctrl)
{
	struct weft_mac_stats s;

	if (!weft_mac_read(netdev_priv(netdev), weft_stats_src(ctrl), &s))
		return;
	ctrl->MACControlFramesTransmitted = s.v[WEFT_MAC_STAT_tx_pause];
	ctrl->MACControlFramesReceived = s.v[WEFT_MAC_STAT_rx_ctrl];
	ctrl->UnsupportedOpcodesReceived = s.v[WEFT_MAC_STAT_rx_unknown_op];
}

void weft_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *pause)
{
	struct weft_mac_stats s;

	if (!weft_mac_read(netdev_priv(netdev), weft_stats_src(pause), &s))
		return;
	pause->tx_pause_frames = s.v[WEFT_MAC_STAT_tx_pause];
	pause->rx_pause_frames = s.v[WEFT_MAC_STAT_rx_pause];
}

static const struct ethtool_rmon_hist_range weft_mac_ranges[] = {
	{ 64, 64 }, { 65, 127 }, { 128, 255 }, { 256, 511 }, { 512, 1023 }, { 1024, 1518 },
	{ 1519, 65535 }, {}
};

void weft_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *rmon,
			 const struct ethtool_rmon_hist_range **ranges)
{
	struct weft_mac_stats s;
	int i;

	BUILD_BUG_ON(WEFT_MAC_STAT_rx_1519_up - WEFT_MAC_STAT_rx_64 != 6);
	BUILD_BUG_ON(WEFT_MAC_STAT_tx_1519_up - WEFT_MAC_STAT_tx_64 != 6);
	if (!weft_mac_read(netdev_priv(netdev), weft_stats_src(rmon), &s))
		return;
	rmon->undersize_pkts = s.v[WEFT_MAC_STAT_rx_undersize];
	rmon->oversize_pkts = s.v[WEFT_MAC_STAT_rx_oversize];
	rmon->fragments = s.v[WEFT_MAC_STAT_rx_fragment];
	rmon->jabbers = s.v[WEFT_MAC_STAT_rx_jabber];
	for (i = 0; i < ARRAY_SIZE(weft_mac_ranges) - 1; i++) {
		rmon->hist[i] = s.v[WEFT_MAC_STAT_rx_64 + i];
		rmon->hist_tx[i] = s.v[WEFT_MAC_STAT_tx_64 + i];
	}
	*ranges = weft_mac_ranges;
}

/* ---- PAUSE ---- */

void weft_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 ctrl;

	weft_mac_ctrl(nd->core, &ctrl);
	pause->rx_pause = !!(ctrl & BIT(WEFT_PORT_CTRL_PAUSE_RX));
	pause->tx_pause = !!(ctrl & BIT(WEFT_PORT_CTRL_PAUSE_TX));
}

int weft_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 ctrl;
	int rc;

	if (pause->autoneg)
		return -EINVAL;
	rc = weft_mac_ctrl(nd->core, &ctrl);
	if (rc)
		return rc;
	ctrl &= ~(BIT(WEFT_PORT_CTRL_PAUSE_RX) | BIT(WEFT_PORT_CTRL_PAUSE_TX));
	if (pause->rx_pause)
		ctrl |= BIT(WEFT_PORT_CTRL_PAUSE_RX);
	if (pause->tx_pause)
		ctrl |= BIT(WEFT_PORT_CTRL_PAUSE_TX);
	return weft_mac_set_ctrl(nd->core, ctrl);
}

/* ---- ethtool -t ---- */

enum weft_test { WEFT_TEST_REGISTERS, WEFT_TEST_LINK, WEFT_TEST_LOOP, WEFT_TEST_N };

static const char weft_test_names[WEFT_TEST_N][ETH_GSTRING_LEN] = {
	[WEFT_TEST_REGISTERS] = "registers        (on/offline)",
	[WEFT_TEST_LINK] = "link             (on/offline)",
	[WEFT_TEST_LOOP] = "MAC loopback        (offline)",
};

int weft_mac_n_tests(void)
{
	return WEFT_TEST_N;
}

void weft_mac_test_strings(u8 *data)
{
	memcpy(data, weft_test_names, sizeof(weft_test_names));
}

/* A write that is read back, and registers that say what they must; what is written is what stood there. */
static int weft_test_registers(struct weft_netdev *nd)
{
	u32 ctrl, again, status;
	int rc = weft_mac_ctrl(nd->core, &ctrl);

	if (!rc)
		rc = weft_mac_set_ctrl(nd->core, ctrl ^ BIT(WEFT_PORT_CTRL_PAUSE_TX));
	if (rc)
		return rc;
	rc = weft_mac_ctrl(nd->core, &again);
	if (!rc && again != (ctrl ^ BIT(WEFT_PORT_CTRL_PAUSE_TX)))
		rc = -EIO;
	if (weft_mac_set_ctrl(nd->core, ctrl))
		return -EIO;
	if (!rc)
		rc = weft_mac_status(nd->core, &status);
	return rc ? rc : status >> 16 ? 0 : -EIO;
}

#define WEFT_LOOP_FRAMES 4
#define WEFT_LOOP_TIMEOUT (10 * HZ) /* the card may be a simulated one */

/**
 * struct weft_loop - the loopback test under way
 * @type: takes the frames as they come back
 * @done: all of them were right
 * @cookie: what marks this test's frames
 * @seen: which came back
 */
struct weft_loop {
	struct packet_type type;
	struct completion done;
	u32 cookie;
	unsigned long seen;
};

/* Of each frame: cookie, number, then bytes that follow from both; the sizes from the least frame to the MTU. */
static u8 weft_loop_byte(u32 cookie, int i, int at)
{
	return cookie >> (at & 3) * 8 ^ i * 37 ^ at ^ at >> 8;
}

static int weft_loop_size(struct net_device *netdev, int i)
{
	static const int sizes[WEFT_LOOP_FRAMES] = { 46, 499, 1024, INT_MAX };

	return min_t(int, sizes[i], netdev->mtu);
}

static int weft_loop_back(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
			  struct net_device *orig)
{
	struct weft_loop *loop = container_of(pt, struct weft_loop, type);
	u32 head[2];
	int i, at, n;
	u8 byte;

	if (skb_copy_bits(skb, 0, head, sizeof(head)) || head[0] != loop->cookie ||
	    head[1] >= WEFT_LOOP_FRAMES)
		goto out;
	i = head[1];
	n = weft_loop_size(dev, i);
	for (at = sizeof(head); at < n; at++)
		if (skb_copy_bits(skb, at, &byte, 1) ||
		    byte != weft_loop_byte(loop->cookie, i, at))
			goto out;
	set_bit(i, &loop->seen);
	if (READ_ONCE(loop->seen) == GENMASK(WEFT_LOOP_FRAMES - 1, 0))
		complete(&loop->done);
out:
	kfree_skb(skb);
	return NET_RX_SUCCESS;
}

/* To all stations, so that it goes to the MAC and not to the card's own address; type and addresses in front. */
static int weft_loop_send(struct net_device *netdev, u32 cookie, int i)
{
	int n = weft_loop_size(netdev, i), at, rc;
	u32 head[2] = { cookie, i };
	struct sk_buff *skb = alloc_skb(LL_RESERVED_SPACE(netdev) + n, GFP_KERNEL);
	u8 *p;

	if (!skb)
		return -ENOMEM;
	skb_reserve(skb, LL_RESERVED_SPACE(netdev));
	skb->dev = netdev;
	skb->protocol = htons(ETH_P_LOOPBACK);
	skb_reset_network_header(skb);
	p = skb_put(skb, n);
	memcpy(p, head, sizeof(head));
	for (at = sizeof(head); at < n; at++)
		p[at] = weft_loop_byte(cookie, i, at);
	if (dev_hard_header(skb, netdev, ETH_P_LOOPBACK, netdev->broadcast, netdev->dev_addr,
			    n) < 0) {
		kfree_skb(skb);
		return -EINVAL;
	}
	rc = dev_queue_xmit(skb);
	return rc == NET_XMIT_SUCCESS ? 0 : -EIO;
}

static int weft_test_loop(struct net_device *netdev)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_loop loop = {
		.type = { .type = htons(ETH_P_LOOPBACK), .dev = netdev, .func = weft_loop_back },
		.cookie = get_random_u32(),
	};
	u32 ctrl;
	int i, rc;

	if (!netif_running(netdev))
		return -ENETDOWN;
	rc = weft_mac_ctrl(nd->core, &ctrl);
	if (!rc)
		rc = weft_mac_set_ctrl(nd->core, ctrl | BIT(WEFT_PORT_CTRL_LOOP));
	if (rc)
		return rc;
	init_completion(&loop.done);
	dev_add_pack(&loop.type);
	for (i = 0; !rc && i < WEFT_LOOP_FRAMES; i++)
		rc = weft_loop_send(netdev, loop.cookie, i);
	if (!rc && !wait_for_completion_timeout(&loop.done, WEFT_LOOP_TIMEOUT))
		rc = -ETIMEDOUT;
	dev_remove_pack(&loop.type);
	if (weft_mac_set_ctrl(nd->core, ctrl & ~(u32)BIT(WEFT_PORT_CTRL_LOOP)))
		rc = -EIO;
	return rc;
}

void weft_self_test(struct net_device *netdev, struct ethtool_test *test, u64 *results)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	u32 status;
	int rc;

	memset(results, 0, WEFT_TEST_N * sizeof(*results));
	results[WEFT_TEST_REGISTERS] = -weft_test_registers(nd);
	rc = weft_mac_status(nd->core, &status);
	if (!rc && !(status & BIT(WEFT_PORT_STATUS_LINK)))
		rc = -ENOLINK;
	results[WEFT_TEST_LINK] = -rc;
	if (test->flags & ETH_TEST_FL_OFFLINE)
		results[WEFT_TEST_LOOP] = -weft_test_loop(netdev);
	if (results[WEFT_TEST_REGISTERS] || results[WEFT_TEST_LINK] || results[WEFT_TEST_LOOP])
		test->flags |= ETH_TEST_FL_FAILED;
}
