/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* In front of the tables of ethtool: what their members are on other kernels than 6.12. */

#ifndef WEFT_HAS_RXFH_PARAM
static int weft_compat_get_rxfh(struct net_device *netdev, u32 *indir, u8 *key, u8 *hfunc)
{
	struct ethtool_rxfh_param rxfh = { .indir = indir, .key = key };
	int rc = weft_get_rxfh(netdev, &rxfh);

	if (hfunc)
		*hfunc = rxfh.hfunc;
	return rc;
}
#define weft_get_rxfh weft_compat_get_rxfh

/* nothing is written through it */
static int weft_compat_set_rxfh(struct net_device *netdev, const u32 *indir, const u8 *key,
				const u8 hfunc)
{
	struct ethtool_rxfh_param rxfh = {
		.hfunc = hfunc,
		.indir = (u32 *)indir,
		.key = (u8 *)key,
	};

	return weft_set_rxfh(netdev, &rxfh, NULL);
}
#define weft_set_rxfh weft_compat_set_rxfh
#endif

/* They have taken the place of two commands of get_rxnfc, which then come no more. */
#ifdef WEFT_HAS_RXFH_FIELDS
static int weft_compat_get_rxfh_fields(struct net_device *netdev,
				       struct ethtool_rxfh_fields *fields)
{
	struct ethtool_rxnfc info = { .cmd = ETHTOOL_GRXFH, .flow_type = fields->flow_type };
	int rc = weft_get_rxnfc(netdev, &info, NULL);

	fields->data = info.data;
	return rc;
}
#define WEFT_COMPAT_RXFH_FIELDS , .get_rxfh_fields = weft_compat_get_rxfh_fields
#else
#define WEFT_COMPAT_RXFH_FIELDS
#endif

#ifdef WEFT_HAS_RX_RING_COUNT
static u32 weft_compat_get_rx_ring_count(struct net_device *netdev)
{
	struct ethtool_rxnfc info = { .cmd = ETHTOOL_GRXRINGS };

	return weft_get_rxnfc(netdev, &info, NULL) ? 0 : info.data;
}
#define WEFT_COMPAT_RX_RING_COUNT , .get_rx_ring_count = weft_compat_get_rx_ring_count
#else
#define WEFT_COMPAT_RX_RING_COUNT
#endif

/* so the member brings them along */
#define weft_get_rxnfc weft_get_rxnfc WEFT_COMPAT_RXFH_FIELDS WEFT_COMPAT_RX_RING_COUNT
