// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The pluggable module in the port's cage: its memory for ethtool -m, and what it says of the line. Byte numbers and values are
 * those of SFF-8472 (SFP), SFF-8636 (QSFP) and SFF-8024 (their common tables).
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/ethtool.h>

#include "weft_netdev.h"

#define WEFT_MODULE_TIMEOUT (10 * HZ) /* the card ends every read in a second or two; it may be a simulated one */
#define WEFT_MODULE_TRIES 3 /* a module that is busy does not answer (SFF-8472 section 5, acknowledge polling) */
#define WEFT_MODULE_RETRY_MS 20
#define WEFT_MODULE_AGAIN HZ /* what is not known is asked again then */
#define WEFT_MODULE_HANGS (60 * HZ) /* ... of a bus that hangs, which holds up who asks for seconds */
#define WEFT_MODULE_ID 0x50 /* I2C addresses: all of a QSFP, identification of an SFP */
#define WEFT_MODULE_DDM 0x51 /* diagnostics of an SFP */
#define WEFT_MODULE_UPPER 128 /* from this byte on there are pages */

/* SFF-8024 table 4-1: identifiers */
#define WEFT_ID_SFP 0x03
#define WEFT_ID_QSFP 0x0c
#define WEFT_ID_QSFP_PLUS 0x0d
#define WEFT_ID_QSFP28 0x11
/* SFF-8472: 92 kind of diagnostics, there, and at 0x51 without another address mode */
#define WEFT_SFP_DDM 92
#define WEFT_SFP_DDM_THERE BIT(6)
#define WEFT_SFP_DDM_ADDR_MODE BIT(2)
/* SFF-8636: 2 status, one page only; 1 revision, from 3 on it is SFF-8636 */
#define WEFT_QSFP_REVISION 1
#define WEFT_QSFP_REVISION_8636 3
#define WEFT_QSFP_STATUS 2
#define WEFT_QSFP_FLAT BIT(2)

static int weft_cage_read(struct weft_netdev *nd, u32 *cage)
{
	u64 v;
	int rc = weft_has_mac(nd) ? weft_port_read(nd->core, WEFT_PORT_CAGE, &v, 1) : -ENOENT;

	/* a card that does not know the register has no cage */
	*cage = rc ? 0 : lower_32_bits(v);
	if (rc == -EIO)
		return rc;
	return FIELD_GET(WEFT_PORT_CAGE_KIND_MASK, *cage) == WEFT_CAGE_KIND_NONE ? -ENODEV : 0;
}

/* As Documentation/i2c/fault-codes.rst has them. */
static int weft_module_errno(u32 result)
{
	switch (result) {
	case WEFT_MODULE_RESULT_OK:
		return 0;
	case WEFT_MODULE_RESULT_ABSENT:
	case WEFT_MODULE_RESULT_GONE:
		return -ENODEV;
	case WEFT_MODULE_RESULT_NO_ANSWER:
	case WEFT_MODULE_RESULT_REFUSED: /* one that was just plugged in may */
		return -ENXIO;
	case WEFT_MODULE_RESULT_LOST:
		return -EAGAIN;
	case WEFT_MODULE_RESULT_SLOW:
		return -ETIMEDOUT;
	default:
		return -EIO;
	}
}

/* Until the read that is under way is over, or -ETIMEDOUT. */
static int weft_module_wait(struct weft_netdev *nd, u32 *status)
{
	unsigned long end = jiffies + WEFT_MODULE_TIMEOUT;
	bool late;
	u64 v;
	int rc;

	BUILD_BUG_ON(WEFT_PORT_MODULE_STATUS - WEFT_PORT_MODULE != 4);
	for (;;) {
		late = time_after(jiffies, end);
		rc = weft_port_read(nd->core, WEFT_PORT_MODULE, &v, 1);
		if (rc)
			return rc;
		*status = upper_32_bits(v);
		if (!FIELD_GET(WEFT_MODULE_STATUS_BUSY_MASK, *status))
			return 0;
		if (late)
			return -ETIMEDOUT;
		usleep_range(1000, 2000);
	}
}

/* One access of the bus: at most WEFT_MODULE_DATA_BYTES, @page below 0: none is selected. */
static int weft_module_access(struct weft_netdev *nd, u8 addr, int page, u8 off, u8 len, u8 *data)
{
	u64 words[WEFT_MODULE_DATA_BYTES / sizeof(u64)];
	int n = DIV_ROUND_UP(len, sizeof(u64)), i, rc;
	struct weft_admin_msg msg = {};
	u32 ask, status;

	ask = FIELD_PREP(WEFT_PORT_MODULE_OFFSET_MASK, off) |
	      FIELD_PREP(WEFT_PORT_MODULE_LEN_MASK, len) |
	      FIELD_PREP(WEFT_PORT_MODULE_ADDRESS_MASK, addr);
	if (page >= 0)
		ask |= WEFT_PORT_MODULE_SELECT_MASK |
		       FIELD_PREP(WEFT_PORT_MODULE_PAGE_MASK, page);
	/* a driver that went in the midst of a read may have left it */
	rc = weft_module_wait(nd, &status);
	if (rc)
		return rc;
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_PORT_WRITE);
	WEFT_PUT(msg.cmd, ADMIN_PORT_OFFSET, WEFT_PORT_MODULE);
	WEFT_PUT(msg.cmd, ADMIN_PORT_VALUE, ask);
	rc = weft_admin_exec(nd->core, &msg);
	if (rc == -ENOENT) /* refused */
		rc = -EIO;
	if (!rc)
		rc = weft_module_wait(nd, &status);
	if (!rc)
		rc = weft_module_errno(FIELD_GET(WEFT_MODULE_STATUS_RESULT_MASK, status));
	if (!rc && FIELD_GET(WEFT_MODULE_STATUS_LEN_MASK, status) != len)
		rc = -EIO;
	if (!rc)
		rc = weft_port_read(nd->core, WEFT_PORT_MODULE_DATA, words, n);
	for (i = 0; !rc && i < n; i++)
		words[i] = (__force u64)cpu_to_le64(words[i]);
	if (!rc)
		memcpy(data, words, len);
	return rc;
}

/* Any number of bytes that does not cross into a page. One reader at a time: the card has one set of data. */
static int weft_module_read(struct weft_netdev *nd, u8 addr, int page, u32 off, u32 len, u8 *data)
{
	u32 done = 0, n;
	int rc = 0, tries = 0;

	mutex_lock(&nd->module_lock);
	while (!rc && done < len) {
		n = min_t(u32, len - done, WEFT_MODULE_DATA_BYTES);
		rc = weft_module_access(nd, addr, page, off + done, n, data + done);
		if (!rc) {
			done += n;
		} else if ((rc == -ENXIO || rc == -EAGAIN) && ++tries < WEFT_MODULE_TRIES) {
			msleep(WEFT_MODULE_RETRY_MS);
			rc = 0;
		}
	}
	mutex_unlock(&nd->module_lock);
	return rc;
}

static bool weft_is_sfp(u32 cage)
{
	return FIELD_GET(WEFT_PORT_CAGE_KIND_MASK, cage) == WEFT_CAGE_KIND_SFP;
}

/**
 * struct weft_module_kind - how a module's memory is laid out
 * @id: identifier, and the two bytes behind it
 * @sfp: as that of an SFP: in a cage for those, or in an adapter in one for QSFPs. No page of its identification is ever selected, for
 *       what a QSFP takes for a selection is a byte of the vendor's in an SFP
 * @paged: the upper half has pages
 */
struct weft_module_kind {
	u8 id[3];
	bool sfp, paged;
};

static int weft_module_kind(struct weft_netdev *nd, u32 cage, struct weft_module_kind *kind)
{
	u8 *id = kind->id;
	int rc;

	memset(kind, 0, sizeof(*kind));
	rc = weft_module_read(nd, WEFT_MODULE_ID, -1, 0, sizeof(kind->id), id);
	kind->sfp = weft_is_sfp(cage) || (id[0] != WEFT_ID_QSFP && id[0] != WEFT_ID_QSFP_PLUS &&
					  id[0] != WEFT_ID_QSFP28);
	kind->paged = !kind->sfp && !(id[WEFT_QSFP_STATUS] & WEFT_QSFP_FLAT);
	return rc;
}

/* ---- ethtool -m ---- */

int weft_get_module_eeprom_by_page(struct net_device *netdev,
				   const struct ethtool_module_eeprom *page,
				   struct netlink_ext_ack *extack)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_module_kind kind = {};
	int rc, select = -1;
	u32 cage;

	rc = weft_cage_read(nd, &cage);
	if (rc == -ENODEV)
		NL_SET_ERR_MSG_MOD(extack, "the port has no cage for a module");
	if (rc)
		return rc;
	/* others on this bus are the board's */
	if (page->bank || (page->i2c_address != WEFT_MODULE_ID &&
			   !(page->i2c_address == WEFT_MODULE_DDM && weft_is_sfp(cage)))) {
		NL_SET_ERR_MSG_MOD(extack, "such a module has no such bank or address");
		return -EINVAL;
	}
	if (page->offset >= WEFT_MODULE_UPPER) {
		if (!weft_is_sfp(cage)) {
			rc = weft_module_kind(nd, cage, &kind);
			if (rc)
				goto out;
		}
		if (kind.paged || page->i2c_address == WEFT_MODULE_DDM)
			select = page->page;
		if (select < 0 && page->page) {
			NL_SET_ERR_MSG_MOD(extack, "the module has one page");
			return -EINVAL;
		}
	}
	rc = weft_module_read(nd, page->i2c_address, select, page->offset, page->length,
			      page->data);
out:
	if (rc == -ENODEV)
		NL_SET_ERR_MSG_MOD(extack, "there is no module in the cage");
	return rc ? rc : page->length;
}

/* What an ethtool without pages is told. */
int weft_get_module_info(struct net_device *netdev, struct ethtool_modinfo *info)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_module_kind kind;
	u32 cage;
	u8 ddm;
	int rc;

	rc = weft_cage_read(nd, &cage);
	if (!rc)
		rc = weft_module_kind(nd, cage, &kind);
	if (rc)
		return rc;
	if (kind.sfp && kind.id[0] != WEFT_ID_SFP)
		return -EOPNOTSUPP;
	switch (kind.id[0]) {
	case WEFT_ID_SFP:
		rc = weft_module_read(nd, WEFT_MODULE_ID, -1, WEFT_SFP_DDM, 1, &ddm);
		if (rc)
			return rc;
		if (ddm & WEFT_SFP_DDM_THERE && !(ddm & WEFT_SFP_DDM_ADDR_MODE)) {
			info->type = ETH_MODULE_SFF_8472;
			info->eeprom_len = ETH_MODULE_SFF_8472_LEN;
		} else {
			info->type = ETH_MODULE_SFF_8079;
			info->eeprom_len = ETH_MODULE_SFF_8079_LEN;
		}
		return 0;
	case WEFT_ID_QSFP:
	case WEFT_ID_QSFP_PLUS:
	case WEFT_ID_QSFP28:
		if (kind.id[0] == WEFT_ID_QSFP28 ||
		    kind.id[WEFT_QSFP_REVISION] >= WEFT_QSFP_REVISION_8636) {
			info->type = ETH_MODULE_SFF_8636;
			info->eeprom_len = kind.paged ? ETH_MODULE_SFF_8636_MAX_LEN :
							ETH_MODULE_SFF_8636_LEN;
		} else {
			info->type = ETH_MODULE_SFF_8436;
			info->eeprom_len = kind.paged ? ETH_MODULE_SFF_8436_MAX_LEN :
							ETH_MODULE_SFF_8436_LEN;
		}
		return 0;
	}
	return -EOPNOTSUPP;
}

/* One piece of the flat file that such an ethtool reads: where it stands, and how far it goes. 0: there is no such byte. */
static u32 weft_module_piece(bool sfp, u32 at, u8 *addr, int *page, u32 *off)
{
	*addr = WEFT_MODULE_ID;
	*page = -1;
	*off = at;
	if (sfp) {
		/* 0x50, then 0x51 */
		if (at >= ETH_MODULE_SFF_8079_LEN) {
			*addr = WEFT_MODULE_DDM;
			*off = at - ETH_MODULE_SFF_8079_LEN;
		}
		return at < ETH_MODULE_SFF_8472_LEN ? ETH_MODULE_SFF_8079_LEN - *off : 0;
	}
	/* the lower half, then the upper halves of page 0 and on */
	if (at < WEFT_MODULE_UPPER)
		return WEFT_MODULE_UPPER - at;
	*page = at / WEFT_MODULE_UPPER - 1;
	*off = WEFT_MODULE_UPPER + at % WEFT_MODULE_UPPER;
	return 2 * WEFT_MODULE_UPPER - *off;
}

int weft_get_module_eeprom(struct net_device *netdev, struct ethtool_eeprom *ee, u8 *data)
{
	struct weft_netdev *nd = netdev_priv(netdev);
	struct weft_module_kind kind;
	u32 cage, done = 0, n, off;
	int rc, page;
	u8 addr;

	rc = weft_cage_read(nd, &cage);
	if (!rc)
		rc = weft_module_kind(nd, cage, &kind);
	while (!rc && done < ee->len) {
		n = weft_module_piece(kind.sfp, ee->offset + done, &addr, &page, &off);
		n = min(n, ee->len - done);
		if (!n) /* the module is another one by now */
			return -EINVAL;
		/* a module with one page knows no selection */
		if (!kind.paged)
			page = -1;
		rc = weft_module_read(nd, addr, page, off, n, data + done);
		done += n;
	}
	return rc;
}

/* ---- link modes ---- */

/**
 * struct weft_mode_bit - a bit of the identification, and the link mode that it stands for
 * @byte: of the identification
 * @bit: mask in it
 * @speed: of the mode, in Mb/s
 * @mode: enum ethtool_link_mode_bit_indices
 */
struct weft_mode_bit {
	u8 byte, bit;
	u32 speed;
	int mode;
};

#define WEFT_MODE(_byte, _bit, _speed, _mode) \
	{ _byte, BIT(_bit), _speed, ETHTOOL_LINK_MODE_##_mode##_Full_BIT }

/* SFF-8472 table 5-3; byte 8 is the technology of a cable: passive, active */
static const struct weft_mode_bit weft_sfp_modes[] = {
	WEFT_MODE(3, 7, SPEED_10000, 10000baseER),
	WEFT_MODE(3, 6, SPEED_10000, 10000baseLRM),
	WEFT_MODE(3, 5, SPEED_10000, 10000baseLR),
	WEFT_MODE(3, 4, SPEED_10000, 10000baseSR),
	WEFT_MODE(8, 2, SPEED_10000, 10000baseCR),
	WEFT_MODE(8, 3, SPEED_10000, 10000baseCR),
	WEFT_MODE(6, 0, SPEED_1000, 1000baseX),
	WEFT_MODE(6, 1, SPEED_1000, 1000baseX),
	WEFT_MODE(6, 2, SPEED_1000, 1000baseX),
	WEFT_MODE(6, 3, SPEED_1000, 1000baseT),
};

/* SFF-8636 table 6-17, byte 131 as byte 3 of what stands from 128 on */
static const struct weft_mode_bit weft_qsfp_modes[] = {
	WEFT_MODE(3, 3, SPEED_40000, 40000baseCR4),
	WEFT_MODE(3, 2, SPEED_40000, 40000baseSR4),
	WEFT_MODE(3, 1, SPEED_40000, 40000baseLR4),
};

/**
 * struct weft_mode_code - a link mode that SFF-8024 table 4-4 has a number for
 * @code: extended specification compliance code
 * @qsfp: of four lanes
 * @speed: in Mb/s
 * @mode: enum ethtool_link_mode_bit_indices
 */
struct weft_mode_code {
	u8 code;
	bool qsfp;
	u32 speed;
	int mode;
};

#define WEFT_CODE(_code, _qsfp, _speed, _mode) \
	{ _code, _qsfp, _speed, ETHTOOL_LINK_MODE_##_mode##_Full_BIT }

static const struct weft_mode_code weft_mode_codes[] = {
	WEFT_CODE(0x02, true, SPEED_100000, 100000baseSR4),
	WEFT_CODE(0x03, true, SPEED_100000, 100000baseLR4_ER4),
	WEFT_CODE(0x04, true, SPEED_100000, 100000baseLR4_ER4),
	WEFT_CODE(0x0b, true, SPEED_100000, 100000baseCR4),
	WEFT_CODE(0x02, false, SPEED_25000, 25000baseSR),
	WEFT_CODE(0x0b, false, SPEED_25000, 25000baseCR),
	WEFT_CODE(0x0c, false, SPEED_25000, 25000baseCR),
	WEFT_CODE(0x0d, false, SPEED_25000, 25000baseCR),
	WEFT_CODE(0x16, false, SPEED_10000, 10000baseT),
	WEFT_CODE(0x1c, false, SPEED_10000, 10000baseT),
};

/* Where the code stands: byte 36 of an SFP, 192 of a QSFP, that is 64 of what is read of it. */
#define WEFT_SFP_CODE 36
#define WEFT_QSFP_CODE 64
#define WEFT_MODULE_CONNECTOR 2 /* SFF-8472, and byte 130 of a QSFP */
#define WEFT_SFP_CABLE 8

/* SFF-8024 table 4-3, connectors */
static u8 weft_module_port(const u8 *id, bool sfp)
{
	bool cable = sfp && id[WEFT_SFP_CABLE] & (BIT(2) | BIT(3));

	switch (id[WEFT_MODULE_CONNECTOR]) {
	case 0x01: /* SC */
	case 0x07: /* LC */
	case 0x0b: /* optical pigtail */
	case 0x0c: /* MPO */
	case 0x0d:
	case 0x27:
	case 0x28:
		return PORT_FIBRE;
	case 0x21: /* copper pigtail */
		return PORT_DA;
	case 0x22: /* RJ45 */
		return PORT_TP;
	case 0x23: /* none that separates: a cable, of copper when it says so */
		return cable || !sfp ? PORT_DA : PORT_FIBRE;
	}
	return cable ? PORT_DA : PORT_OTHER;
}

/*
 * What the module in the cage is, read once for each that comes. One that gives no answer, or of which it is not known whether it is
 * still the same, is asked once in a second at most, and once in a minute when its bus hangs, the clock held (-ETIMEDOUT) or a line low for
 * ever (-EIO, as is what else is broken): each question waits for the bus's limits, this is under rtnl, and anybody may ask.
 */
static int weft_module_id(struct weft_netdev *nd, u32 cage, const u8 **id)
{
	bool hangs = nd->module_rc == -ETIMEDOUT || nd->module_rc == -EIO;
	unsigned long again = hangs ? WEFT_MODULE_HANGS : WEFT_MODULE_AGAIN;
	struct weft_module_kind kind;
	int rc;

	BUILD_BUG_ON(sizeof(nd->module_id) <= WEFT_QSFP_CODE);
	*id = nd->module_id;
	if (!FIELD_GET(WEFT_PORT_CAGE_PRESENT_MASK, cage))
		return -ENODEV;
	if (nd->module_known && nd->module_seen == FIELD_GET(WEFT_PORT_CAGE_CHANGES_MASK, cage) &&
	    ((!nd->module_rc && !(cage & WEFT_PORT_CAGE_BLIND_MASK)) ||
	     time_before(jiffies, nd->module_at + again)))
		return nd->module_rc;
	rc = weft_module_kind(nd, cage, &kind);
	if (!rc)
		rc = weft_module_read(nd, WEFT_MODULE_ID, kind.paged ? 0 : -1,
				      kind.sfp ? 0 : WEFT_MODULE_UPPER, sizeof(nd->module_id),
				      nd->module_id);
	nd->module_sfp = kind.sfp;
	nd->module_rc = rc;
	nd->module_seen = FIELD_GET(WEFT_PORT_CAGE_CHANGES_MASK, cage);
	nd->module_at = jiffies;
	nd->module_known = true;
	return rc;
}

static void weft_module_mode(struct ethtool_link_ksettings *ks, int mode)
{
	__set_bit(mode, ks->link_modes.supported);
	__set_bit(mode, ks->link_modes.advertising);
}

/*
 * Under rtnl. The MAC has one rate: of what the module can do, that. Without a cage or a module the port is what it was, and
 * nothing is claimed.
 */
void weft_module_ksettings(struct weft_netdev *nd, u32 rate, struct ethtool_link_ksettings *ks)
{
	const struct weft_mode_bit *modes;
	bool sfp;
	const u8 *id;
	u32 cage;
	int i, n;
	u8 code;

	if (weft_cage_read(nd, &cage))
		return;
	if (weft_module_id(nd, cage, &id)) {
		ks->base.port = PORT_NONE;
		return;
	}
	sfp = nd->module_sfp;
	ks->base.port = weft_module_port(id, sfp);
	modes = sfp ? weft_sfp_modes : weft_qsfp_modes;
	n = sfp ? ARRAY_SIZE(weft_sfp_modes) : ARRAY_SIZE(weft_qsfp_modes);
	for (i = 0; i < n; i++)
		if (id[modes[i].byte] & modes[i].bit && modes[i].speed == rate)
			weft_module_mode(ks, modes[i].mode);
	code = id[sfp ? WEFT_SFP_CODE : WEFT_QSFP_CODE];
	for (i = 0; i < ARRAY_SIZE(weft_mode_codes); i++)
		if (weft_mode_codes[i].code == code && weft_mode_codes[i].qsfp != sfp &&
		    weft_mode_codes[i].speed == rate)
			weft_module_mode(ks, weft_mode_codes[i].mode);
	weft_module_mode(ks, ks->base.port == PORT_TP ? ETHTOOL_LINK_MODE_TP_BIT :
						       ETHTOOL_LINK_MODE_FIBRE_BIT);
	weft_module_mode(ks, ETHTOOL_LINK_MODE_Pause_BIT);
}
