// SPDX-License-Identifier: BSD-2-Clause
/*
 * Room ctx: 256 connections (65,536 with +big), few slots, a host that answers after 1 to 500 cycles.
 *
 * The model plays everybody else. Four clients ask for connections, hold pins for a while and work on the connection meanwhile:
 * each visit looks at all eight lines that the rooms have for the slot (connection, line, version) and raises the version.
 * So a connection in two slots, a line lost, an old home read, a slot given to two, or a slot taken away under a pin
 * is seen at once. Frames of one connection must come to work in the order in which they asked. Some homes cannot be
 * read; firmware creates, holds, releases, saves and destroys connections meanwhile, several at a time. Some pins end only when a
 * frame has come to work (as what waits for an acknowledgement): firmware saves those connections, too, and is told `busy`.
 *
 * +siege=1: sending has all slots that it can get pinned, and keeps them. Firmware's connections must come home all the same, one
 * after the other, those for which frames wait, too; each must stay until firmware had its turn; and its saves of those that cannot come must be
 * answered. Who is handed over waits: the last slot is not his. Then the siege ends, and all others must come, too.
 *
 * +siege=1 +held=1: the same, and some of the besiegers move now and then: their peers acknowledge, or send. Who does not is named, at the earliest when he
 * stood still and others waited for LIMIT windows, and firmware ends him; who moves never is, nor anybody while nobody waits. So
 * the others come home while the siege lasts.
 *
 * +crowd=1: all slots are kept, and all misses but one wait for a slot. When those are let go, each of them must come.
 *
 * +rate=N: nobody waits for anybody, and every visit misses: a fill and a write-back in N cycles at most.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { NEED = 0, HAVE = 4, DROP = 8, LOAD = 12, SAVE = 16, BACK = 20, ARRIVE = 24, RESUMED, CMD, ANS, CHUNK, RDREQ, RD, WR, STATE, MOVE, ACK, HELD };
#define WINDOW 256 /* as in tb_ctx.sv */
#define LIMIT 16
enum { NONE, COMING, HOME, BUSY };
enum { CREATE, DESTROY, SAVED, HOLD, RELEASE, PINNED };
#define MAXQ 65536
#ifndef SLOTS
#define SLOTS 16
#define MISSES 8
#endif
#define CHUNK_BASE 0x7e0000000000ull
#define LINE_BYTES 70 /* line_t: 553 bits */

static unsigned nq, visits, target, fw_visits, siege_pins, promotions;
static bool siege; /* it lasts */
#define CROWD (MISSES - 1) /* connections that come to wait */
static bool crowd, crowded; /* crowded: nobody lets go yet */
static bool held, calm; /* calm: only those who keep a slot are left */
static unsigned named, came_in, moves;
static uint64_t waited_at, calm_at;
#define RELIEF 200
#define FIRST_FRAMES 101 /* for these and those behind only frames wait, and firmware */
#define FIRST_FW 201 /* only firmware asks for these and those behind */
#define FIRST_OVER 241 /* nobody asks for these and those behind: they are handed over */
#define TURN 400 /* cycles until a command has its turn again, at most */
static struct conn {
	bool exists, broken, held, killed;
	bool filling; /* it was released and has not arrived */
	bool promoted; /* firmware asked for it while it was away */
	bool fresh; /* it came and was not used yet */
	bool cmd; /* a command of it is under way: clients keep away */
	unsigned version, pins, asked_frames, next_frame;
	uint64_t moved_at;
	uint32_t una;
	bool in_home; /* the home is newest */
	int slot;
	uint64_t written;
	unsigned users; /* clients that have it in mind: firmware keeps away */
	struct job *lock; /* it keeps its pin until a frame has come to work */
} conn[MAXQ];
static uint8_t (*home)[512];
static struct { int q; unsigned version[8]; unsigned have; } slot[SLOTS];

/* a client's request on its way through */
struct job {
	struct job *next;
	unsigned q, seq; /* seq: frames */
	unsigned slot, until, n, frame;
	unsigned needs; /* frames of its connection that come to work before it ends */
};
struct list { struct job *head, **tail; };
static struct client {
	struct list todo, flight, held, parked[MISSES], retry;
	unsigned jobs;
} cl[4];
static unsigned frames_of[MISSES], resumes; /* connection whose parked frames go on; 0: none */
static int resuming = -1;
static bool resumed_out;
static struct read_req { struct read_req *next; uint64_t addr; uint64_t at; } *reads, **reads_tail = &reads;
static unsigned hits, misses, busies, evicts, waits, losts, cmds, answers, refused, holds, forwards, pinups, locks, kept, held_saves;
static bool is_idle, is_ready, besieged;
static unsigned rate, n_cmd, n_save, stale; /* stale: misses of lost connections whose frames are not let go yet */
static unsigned held_list[4], n_held;
static struct { bool active; unsigned maker; } miss[MISSES];
static uint64_t idle_since, stale_at, began;

static void put(struct list *l, struct job *j)
{
	j->next = NULL;
	if (!l->head)
		l->tail = &l->head;
	*l->tail = j;
	l->tail = &j->next;
}

static struct job *take(struct list *l)
{
	struct job *j = l->head;

	if (j && !(l->head = j->next))
		l->tail = &l->head;
	return j;
}

static void line_make(uint8_t *b, unsigned q, unsigned line, unsigned version)
{
	memset(b, 0, 64);
	memcpy(b, &q, 4);
	memcpy(b + 4, &line, 4);
	memcpy(b + 8, &version, 4);
	for (int i = 12; i < 64; i++)
		b[i] = q * 7 + line * 31 + version * 13 + i;
}

static bool line_good(const uint8_t *b, unsigned *q, unsigned line, unsigned *version)
{
	uint8_t want[64];

	memcpy(q, b, 4);
	memcpy(version, b + 8, 4);
	line_make(want, *q, line, *version);
	return !memcmp(b, want, 64);
}

static void home_make(unsigned q)
{
	for (unsigned i = 0; i < 8; i++)
		line_make(home[q] + 64 * i, q, i, conn[q].version);
	conn[q].in_home = true;
	conn[q].slot = -1;
}

static void ask(unsigned c, struct job *j, bool resume)
{
	struct tb_pack b;

	tb_pack_begin(&b, 25);
	tb_put(&b, 1, resume);
	tb_put(&b, 24, j->q);
	tb_item_push(NEED + c, b.bits, 4);
	put(&cl[c].flight, j);
}

static void drop(unsigned c, unsigned s, int n)
{
	struct tb_pack b;

	tb_pack_begin(&b, 16);
	tb_put(&b, 12, s);
	tb_put(&b, 4, n & 15);
	tb_item_push(DROP + c, b.bits, 2);
}

/* A pin is held: look at the slot, and change it. */
static void work(struct job *j)
{
	struct conn *p = &conn[j->q];

	tb_check(slot[j->slot].q == (int)j->q && slot[j->slot].have == 0xff, "connection %u is said to be in slot %u, which holds %d (lines %x)", j->q,
		 j->slot, slot[j->slot].q, slot[j->slot].have);
	for (unsigned i = 0; i < 8; i++)
		tb_check(slot[j->slot].version[i] == p->version, "connection %u line %u: version %u, should be %u", j->q, i,
			 slot[j->slot].version[i], p->version);
	p->version++;
	for (unsigned i = 0; i < 8; i++)
		slot[j->slot].version[i] = p->version;
	p->in_home = p->fresh = false;
	visits++;
}

static void end_job(unsigned c, struct job *j)
{
	cl[c].jobs--;
	conn[j->q].users--;
	free(j);
}

static void on_have(int port, const uint8_t *bits, void *arg)
{
	unsigned c = port - HAVE;
	struct tb_pack b;
	struct job *j = take(&cl[c].flight);

	tb_unpack_begin(&b, bits, 44);
	unsigned st = tb_get(&b, 2), q = tb_get(&b, 24), s = tb_get(&b, 12), m = tb_get(&b, 6);

	tb_check(j && q == j->q, "an answer for %u, asked was %d", q, j ? (int)j->q : -1);
	if (!j)
		return;
	switch (st) {
	case NONE:
		/* one that is lost is gone a moment before it is said */
		tb_check(!conn[q].exists || conn[q].broken || conn[q].killed, "connection %u is said not to exist", q);
		end_job(c, j);
		break;
	case BUSY:
		busies++;
		if (c == 0) /* the frame is let go */
			end_job(c, j);
		else
			put(&cl[c].retry, j);
		break;
	case COMING:
		tb_check(conn[q].exists || conn[q].cmd, "connection %u does not exist", q);
		if (!miss[m].active) {
			unsigned n[4] = { 0 };

			miss[m].active = true;
			miss[m].maker = conn[q].held || conn[q].filling ? 3 : c;
			for (unsigned i = 0; i < MISSES; i++)
				n[miss[i].maker] += miss[i].active;
			tb_check(n[0] <= MISSES * 3 / 4 && n[0] + n[1] <= MISSES - (MISSES + 15) / 16, "%u misses of frames, %u of sending", n[0], n[1]);
		}
		put(&cl[c].parked[m], j);
		promotions += siege && c == 3 && q < FIRST_FW && !conn[q].promoted;
		conn[q].promoted |= c == 3;
		if (c == 0)
			frames_of[m] = q;
		break;
	default:
		tb_check(conn[q].exists || conn[q].cmd, "connection %u does not exist", q);
		tb_check(slot[s].q == (int)q, "slot %u holds %d, not %u", s, slot[s].q, q);
		j->slot = s;
		j->n = 1;
		conn[q].pins++;
		if (c == 0) {
			tb_check(j->seq >= conn[q].next_frame, "connection %u: frame %u comes behind frame %u", q, j->seq, conn[q].next_frame - 1);
			conn[q].next_frame = j->seq + 1;
		}
		j->until = rate ? 4 : tb_chance(70) ? tb_below(20) : tb_below(600);
		j->until += (siege && c == 1) || crowded ? UINT32_MAX / 2 : tb_cycle();
		siege_pins += (siege && c == 1) || crowded;
		came_in += siege && c != 1 && c != 3 && siege_pins >= SLOTS - 1;
		fw_visits += c == 3 && siege_pins >= SLOTS - 1;
		if (c == 1 && !rate && !siege && !crowd && !conn[q].lock && tb_chance(5)) {
			conn[q].lock = j;
			j->needs = conn[q].asked_frames + 1;
			locks++;
		}
		work(j);
		put(&cl[c].held, j);
	}
}

static void on_arrive(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 44);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12), m = tb_get(&b, 6);
	bool frames = tb_get(&b, 1), ok = tb_get(&b, 1);

	tb_check(!siege || held || siege_pins < SLOTS - 1 || conn[q].promoted || !ok, "besieged, connection %u comes, which firmware did not ask for", q);
	conn[q].filling = false;
	conn[q].fresh = siege && !held && conn[q].promoted;
	conn[q].promoted = false;
	if (ok) {
		tb_check(slot[s].q == (int)q && slot[s].have == 0xff, "connection %u arrives in slot %u, which holds %d", q, s, slot[s].q);
	} else {
		tb_check(conn[q].broken || conn[q].killed, "connection %u was lost", q);
		conn[q].exists = conn[q].held = false;
		losts++;
		stale += frames;
	}
	if (!frames)
		miss[m].active = false;
	tb_check(frames == (cl[0].parked[m].head != NULL), "miss %u: frames %d, parked %d", m, frames, cl[0].parked[m].head != NULL);
	for (unsigned c = 1; c < 4; c++)
		for (struct job *j; (j = take(&cl[c].parked[m]));) {
			tb_check(j->q == q, "connection %u arrives, %u was waiting", q, j->q);
			j->until = tb_cycle() + (siege && c == 3 ? tb_below(TURN) : 0);
			put(&cl[c].retry, j);
		}
}

static void on_load(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	static const unsigned room_of[8] = { 0, 0, 0, 0, 1, 1, 2, 3 };
	uint8_t data[64];
	unsigned q, version;

	tb_unpack_begin(&b, bits, 553);
	unsigned qpn = tb_get(&b, 24), s = tb_get(&b, 12);
	tb_get(&b, 2);
	unsigned line = tb_get(&b, 3);
	for (int i = 63; i >= 0; i--)
		data[i] = tb_get(&b, 8);
	tb_check(room_of[line] == (unsigned)port - LOAD, "line %u goes to room %d", line, port - LOAD);
	if (slot[s].q != (int)qpn) {
		tb_check(slot[s].q < 0, "slot %u is given to %u, it holds %d", s, qpn, slot[s].q);
		slot[s].q = qpn;
		slot[s].have = 0;
	}
	tb_check(!(slot[s].have >> line & 1), "line %u twice", line);
	for (unsigned i = 0; i < line; i++)
		tb_check(slot[s].have >> i & 1, "line %u comes before line %u", line, i);
	slot[s].have |= 1 << line;
	bool good = line_good(data, &q, line, &version);
	tb_check(!conn[qpn].broken, "connection %u, whose home could not be read, reaches a room", qpn);
	tb_check(good && q == qpn && version == conn[qpn].version, "connection %u line %u: is %u version %u, should be version %u", qpn, line, q,
		 version, conn[qpn].version);
	slot[s].version[line] = version;
	conn[qpn].slot = s;
	conn[qpn].moved_at = tb_cycle();
}

static void on_save(int port, const uint8_t *bits, void *arg)
{
	static const unsigned room_of[8] = { 0, 0, 0, 0, 1, 1, 2, 3 };
	static unsigned asked[SLOTS];
	struct tb_pack b;
	unsigned room = port - SAVE;

	tb_unpack_begin(&b, bits, 38);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12), tag = tb_get(&b, 2);

	tb_check(!conn[q].fresh, "connection %u is sent away before firmware had its turn", q);
	tb_check(slot[s].q == (int)q && conn[q].pins == 0, "connection %u (pins %u) is sent away from slot %u, which holds %d", q, conn[q].pins, s,
		 slot[s].q);
	for (unsigned i = 0; i < 8; i++) {
		uint8_t data[64];
		unsigned line = 7 - i; /* in any order */

		if (room_of[line] != room)
			continue;
		line_make(data, q, line, slot[s].version[line]);
		tb_pack_begin(&b, 553);
		tb_put(&b, 24, q);
		tb_put(&b, 12, s);
		tb_put(&b, 2, tag);
		tb_put(&b, 3, line);
		for (int k = 63; k >= 0; k--)
			tb_put(&b, 8, data[k]);
		tb_item_push(BACK + room, b.bits, LINE_BYTES);
	}
	asked[s] |= 1 << room;
	if (asked[s] == 0xf) {
		asked[s] = 0;
		slot[s].q = -1;
		conn[q].slot = -1;
		conn[q].in_home = false; /* until it is written */
	}
}

static void on_rdreq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct read_req *r = calloc(1, sizeof(*r));

	tb_unpack_begin(&b, bits, 81);
	bool after = tb_get(&b, 1);
	unsigned len = tb_get(&b, 16);
	r->addr = tb_get(&b, 64);
	tb_check(after && len == 512 && !(r->addr & 2047), "read of %u bytes at %llx, after %d", len, (unsigned long long)r->addr, after);
	r->at = tb_cycle() + (rate ? 100 : tb_range(1, 500));
	*reads_tail = r;
	reads_tail = &r->next;
}

static unsigned q_of(uint64_t addr)
{
	uint64_t off = addr - CHUNK_BASE, ch = off >> 21;

	tb_check(off < (uint64_t)nq * 4096 + (4 << 20), "address %llx", (unsigned long long)addr);
	/* chunks lie in reverse, so that a mixed up index is seen */
	return ((nq - 1) / 1024 - ch) * 1024 + (off >> 11 & 1023);
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, side, 80);
	unsigned hl = tb_get(&b, 16);
	uint64_t addr = tb_get(&b, 64);
	unsigned q = q_of(addr);

	tb_check(len == 512 && hl == 512 && !(addr & 2047), "write of %zu bytes at %llx", len, (unsigned long long)addr);
	memcpy(home[q], data, 512);
	for (unsigned i = 0; i < 8; i++) {
		unsigned lq, version;

		tb_check(line_good(data + 64 * i, &lq, i, &version) && lq == q && version == conn[q].version,
			 "home of %u, line %u: is %u version %u, should be %u", q, i, lq, version, conn[q].version);
	}
	conn[q].in_home = true;
	conn[q].written = tb_cycle();
}

static void on_ans(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 28);
	unsigned kind = tb_get(&b, 3), q = tb_get(&b, 24);
	bool ok = tb_get(&b, 1), stale_now = stale || tb_cycle() - stale_at < 100;
	struct conn *p = &conn[q];

	answers++;
	refused += !ok;
	n_cmd--;
	n_save -= kind == SAVED || kind == PINNED;
	tb_check(p->cmd, "an answer for %u, which nobody asked for", q);
	p->cmd = false;
	p->users--;
	switch (kind) {
	case CREATE:
		/* the QPN of a connection whose frames are not let go yet is not given out */
		tb_check(ok == !p->exists || (!ok && stale_now), "create %u: %d", q, ok);
		p->exists |= ok;
		break;
	case HOLD: /* or there is no miss for it */
		tb_check(!ok || !p->exists, "hold %u: %d", q, ok);
		if (ok) {
			p->exists = p->held = true;
			holds++;
			held_list[n_held++] = q;
		}
		break;
	case RELEASE:
		tb_check(ok == p->held, "release %u: %d", q, ok);
		p->held = false;
		p->filling = true;
		break;
	case DESTROY:
		/* a connection whose home is just written counts as away a moment later */
		tb_check(ok == (p->killed || (p->exists && p->in_home && p->slot < 0)) || (!ok && (p->filling || tb_cycle() - p->written < 100)),
			 "destroy %u: %d (exists %d, killed %d, held %d, home %d, slot %d, written at %llu)", q, ok, p->exists, p->killed, p->held, p->in_home,
			 p->slot, (unsigned long long)p->written);
		if (ok && !p->killed)
			p->exists = false;
		break;
	case SAVED:
		tb_check(ok == p->exists && !p->held, "save %u: %d, held %d", q, ok, p->held);
		if (ok && !p->users) /* nobody had it fetched again */
			tb_check(p->in_home && p->slot < 0, "connection %u is said to be saved", q);
		break;
	case PINNED:
		tb_check(!ok && p->exists, "%u is in use: %d, exists %d", q, ok, p->exists);
		kept += !p->held;
		held_saves += p->held;
		break;
	default:
		tb_fail("an answer to command %u", kind);
	}
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	is_idle = bits[0] & 1;
	is_ready = bits[0] >> 1 & 1;
	hits += bits[0] >> 2 & 1;
	misses += bits[0] >> 3 & 1;
	evicts += bits[0] >> 5 & 1;
	waits += bits[0] >> 6 & 1;
}

static void command(unsigned kind, unsigned q)
{
	struct tb_pack b;

	tb_pack_begin(&b, 27);
	tb_put(&b, 3, kind);
	tb_put(&b, 24, q);
	tb_item_push(CMD, b.bits, 4);
	conn[q].cmd = true;
	conn[q].users++;
	n_cmd++;
	n_save += kind == SAVED;
	cmds++;
}

/* It keeps a slot: firmware ends it, so its pins go. */
static void on_held(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 24);
	unsigned q = tb_get(&b, 24);

	named++;
	tb_check((conn[q].pins || !siege) && tb_cycle() - conn[q].moved_at + 20 >= (LIMIT - 1) * WINDOW, "connection %u (pins %u) keeps its slot, it moved %llu cycles ago", q, conn[q].pins,
		 (unsigned long long)(tb_cycle() - conn[q].moved_at));
	tb_check(tb_cycle() - waited_at < 3 * WINDOW, "connection %u is named, and nobody waits", q);
	for (struct job *j = cl[1].held.head; held && j; j = j->next)
		if (j->q == q)
			j->until = tb_cycle() + tb_below(300);
}

/* Of the besiegers a third moves, often enough; another third is told the same again and again. */
static void move(void)
{
	for (struct job *j = cl[1].held.head; j; j = j->next) {
		struct conn *p = &conn[j->q];
		struct tb_pack b;

		if (j->q % 3 == 0 && (tb_cycle() - p->moved_at > LIMIT * WINDOW / 2 || tb_chance(1))) {
			bool ack = tb_chance(50);

			if (tb_pending(ACK) || tb_pending(MOVE))
				continue;
			p->moved_at = tb_cycle();
			p->una += ack ? 1 + tb_below(1000) : 0;
			tb_pack_begin(&b, ack ? 44 : 12);
			tb_put(&b, 12, j->slot);
			if (ack)
				tb_put(&b, 32, p->una);
			tb_item_push(ack ? ACK : MOVE, b.bits, ack ? 6 : 2);
			moves++;
		} else if (j->q % 3 == 1 && p->una && tb_chance(1) && !tb_pending(ACK)) {
			tb_pack_begin(&b, 44);
			tb_put(&b, 12, j->slot);
			tb_put(&b, 32, p->una);
			tb_item_push(ACK, b.bits, 6);
		}
	}
}

void tb_setup(void)
{
	nq = tb_opt("big", 0) ? MAXQ : 256;
	crowd = crowded = tb_opt("crowd", 0);
	target = crowd ? SLOTS + CROWD : tb_opt("visits", 20000);
	rate = tb_opt("rate", 0);
	besieged = siege = tb_opt("siege", 0);
	held = tb_opt("held", 0);
	home = calloc(nq, 512);
	for (unsigned s = 0; s < SLOTS; s++)
		slot[s].q = -1;
	for (unsigned c = 0; c < 4; c++) {
		tb_on_item(HAVE + c, on_have, NULL);
		tb_on_item(LOAD + c, on_load, NULL);
		tb_on_item(SAVE + c, on_save, NULL);
	}
	tb_on_item(ARRIVE, on_arrive, NULL);
	tb_on_item(ANS, on_ans, NULL);
	tb_on_item(RDREQ, on_rdreq, NULL);
	tb_on_packet(WR, on_wr, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_on_item(HELD, on_held, NULL);
	for (unsigned i = 0; i < (nq + 1023) / 1024; i++) {
		struct tb_pack b;

		tb_pack_begin(&b, 108);
		tb_put(&b, 43, i);
		tb_put(&b, 1, 1);
		tb_put(&b, 64, CHUNK_BASE + ((uint64_t)((nq - 1) / 1024 - i) << 21));
		tb_item_push(CHUNK, b.bits, 14);
	}
}

static unsigned draw(unsigned c)
{
	static unsigned sends;
	const struct job *waiting = cl[0].parked[tb_below(MISSES)].head;

	if (siege)
		return c == 3 ? (waiting && tb_chance(50) ? waiting->q : tb_range(FIRST_FW, FIRST_OVER - 1))
			: c == 0 ? tb_range(FIRST_FRAMES, FIRST_FW - 1) : c == 1 ? sends++ % (FIRST_FRAMES - 1) + 1 : tb_range(1, FIRST_FRAMES - 1);
	if (rate)
		return tb_range(1, 300);
	/* often the same few, so that hits, misses and conflicts all occur */
	return tb_chance(60) ? tb_range(1, 12) : tb_chance(70) ? tb_range(1, 40) : tb_below(nq);
}

static unsigned n_missed(void)
{
	unsigned n = 0;

	for (unsigned m = 0; m < MISSES; m++)
		n += miss[m].active;
	return n;
}

/*
 * Sending takes the slots that it can get, firmware the last one; then frames and sending ask for many, and when all of these wait, timers for
 * the rest: of the last misses none is for frames and sending, who would be told `busy`, and frames are let go then.
 */
static unsigned crowd_next(unsigned c)
{
	static unsigned made[4];
	const unsigned first[4] = { 0, SLOTS - 1, 0, 1 };
	const unsigned n[4] = { CROWD / 4, CROWD / 4, CROWD - 2 * (CROWD / 4), 0 };
	bool all = siege_pins >= SLOTS && (c != 2 || n_missed() >= 2 * (CROWD / 4));
	unsigned now = all ? first[c] + n[c] : c == 1 || siege_pins == SLOTS - 1 ? first[c] : 0;

	return made[c] < now ? c * 64 + ++made[c] : 0;
}

static void client(unsigned c)
{
	struct client *k = &cl[c];
	struct job **pp, *j;

	if (!began || (rate && c == 0) || (siege && c != 1 && siege_pins < SLOTS - 1)) /* it begins before all else */
		return;
	while (!crowd && !calm && (siege || visits < target) && k->jobs < (rate ? 12u : siege ? (c == 1 ? SLOTS + 4u : c ? 2u : 8u) : c ? 6u : 20u) && (rate || tb_chance(30))) {
		j = calloc(1, sizeof(*j));
		j->q = draw(c);
		if (conn[j->q].cmd) {
			free(j);
			break;
		}
		conn[j->q].users++;
		k->jobs++;
		if (c == 0)
			j->seq = conn[j->q].asked_frames++;
		put(&k->todo, j);
	}
	for (unsigned q; crowd && (q = crowd_next(c));) {
		j = calloc(1, sizeof(*j));
		j->q = q;
		conn[q].users++;
		k->jobs++;
		if (c == 0)
			j->seq = conn[q].asked_frames++;
		put(&k->todo, j);
	}
	/* What is locked gets its frame in the end. */
	for (j = cl[1].held.head; c == 0 && j && k->jobs < 20; j = j->next)
		if (j->needs && tb_chance(1)) {
			struct job *f = calloc(1, sizeof(*f));

			f->q = j->q;
			f->seq = conn[j->q].asked_frames++;
			conn[j->q].users++;
			k->jobs++;
			put(&k->todo, f);
		}
	/* give back what was held long enough; the second visit under one pin */
	for (pp = &k->held.head; (j = *pp);) {
		if (tb_cycle() < j->until || conn[j->q].next_frame < j->needs) {
			pp = &j->next;
			continue;
		}
		if (tb_chance(30))
			work(j);
		if (j->n == 1 && tb_chance(10)) { /* one thing becomes two */
			drop(c, j->slot, -1);
			j->n = 2;
			j->until = tb_cycle() + tb_below(100);
			pinups++;
			pp = &j->next;
			continue;
		}
		if (!(*pp = j->next))
			k->held.tail = pp;
		conn[j->q].pins--;
		if (conn[j->q].lock == j)
			conn[j->q].lock = NULL;
		drop(c, j->slot, j->n);
		end_job(c, j);
	}
	if (c == 0) {
		/* one look-up at a time, parked frames first, `resumed` while none is under way */
		if (k->flight.head || resumed_out)
			return;
		if (resuming >= 0) {
			if ((j = take(&k->parked[resuming]))) {
				ask(0, j, true);
				forwards++;
			} else {
				struct tb_pack b;

				tb_pack_begin(&b, 30);
				tb_put(&b, 24, frames_of[resuming]);
				tb_put(&b, 6, resuming);
				tb_item_push(RESUMED, b.bits, 4);
				resumed_out = true;
			}
		} else if ((j = take(&k->todo))) {
			ask(0, j, false);
		}
		return;
	}
	if (siege && c == 3 && k->retry.head && tb_cycle() < k->retry.head->until)
		return;
	if ((j = take(&k->retry)))
		ask(c, j, false);
	else if ((j = take(&k->todo)))
		ask(c, j, false);
}

/* Misses that have arrived with frames wait here for their turn. */
static unsigned turn[64], turn_head, turn_tail;
static void on_arrive_frames(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	on_arrive(port, bits, arg);
	tb_unpack_begin(&b, bits, 44);
	tb_get(&b, 36);
	unsigned m = tb_get(&b, 6);
	if (tb_get(&b, 1))
		turn[turn_tail++ % 64] = m;
}

/* What is held is released, or destroyed. */
static void let_go(void)
{
	unsigned i = tb_below(n_held), q = held_list[i];

	if (conn[q].cmd)
		return;
	held_list[i] = held_list[--n_held];
	conn[q].killed = tb_chance(30);
	home_make(q);
	command(conn[q].killed ? DESTROY : RELEASE, q);
}

static void firmware(void)
{
	static unsigned first = 1;

	if (n_cmd >= 5 || !is_ready || tb_pending(CHUNK) || tb_pending(CMD))
		return;
	const unsigned all = besieged ? FIRST_OVER : nq;

	if (first < all && first <= 300) { /* every connection of the small set, and some of the large */
		home_make(first);
		command(CREATE, first++);
		if (first > 300 || first == all)
			began = tb_cycle();
		return;
	}
	if (n_held && (tb_chance(1) || visits >= target)) {
		let_go();
		return;
	}
	if (n_held && n_save < 4 && tb_chance(4)) { /* a question about one that is held: the answer does not wait for its release */
		unsigned q = held_list[tb_below(n_held)];

		if (!conn[q].cmd)
			command(SAVED, q);
		return;
	}
	if (rate || crowd || tb_chance(95) || (!siege && visits >= target))
		return;
	if (siege) { /* sending waits for it */
		struct job *j = cl[1].parked[tb_below(MISSES)].head;
		unsigned over = tb_range(FIRST_OVER, nq - 1);

		if (n_held < 2 && !conn[over].exists && !conn[over].cmd) {
			conn[over].version = tb_rand();
			home_make(over);
			command(HOLD, over);
			return;
		}
		if (j && !conn[j->q].cmd && n_save < 4)
			command(SAVED, j->q);
		return;
	}
	if (tb_chance(30) && n_save < 4) { /* it is in use */
		struct job *j = cl[1].held.head;

		while (j && (!j->needs || conn[j->q].cmd))
			j = j->next;
		if (j) {
			command(SAVED, j->q);
			return;
		}
	}
	unsigned q = draw(0);
	struct conn *p = &conn[q];

	if (!q || p->cmd || (p->exists && p->users) || p->held)
		return;
	if (!p->exists) {
		p->broken = tb_chance(10);
		p->killed = false;
		p->version = tb_rand();
		home_make(q);
		command(n_held < 3 && tb_chance(40) ? HOLD : CREATE, q);
	} else if (n_save < 4) {
		command(tb_chance(50) ? SAVED : DESTROY, q);
	}
}

bool tb_step(void)
{
	static bool init;

	if (!init) {
		tb_on_item(ARRIVE, on_arrive_frames, NULL);
		init = true;
	}
	if (tb_cycle() % 1000 == 0)
		for (int i = 0; i <= WR; i++) {
			bool drops = i >= DROP && i < LOAD;

			tb_src_rate(i, rate || drops || tb_chance(50) ? 100 : tb_range(10, 90));
			tb_snk_rate(i, rate || tb_chance(50) ? 100 : tb_range(10, 90));
		}
	while (reads && tb_cycle() >= reads->at) {
		struct read_req *r = reads;
		unsigned q = q_of(r->addr);

		/* what was written before the read was asked for is in memory: the model writes at once */
		tb_packet_push(RD, home[q], 512, NULL, 0, conn[q].broken);
		if (!(reads = r->next))
			reads_tail = &reads;
		free(r);
	}
	if (resumed_out && !tb_pending(RESUMED)) {
		resumed_out = false;
		miss[resuming].active = false;
		if (!conn[frames_of[resuming]].exists && stale) {
			stale--;
			stale_at = tb_cycle();
		}
		frames_of[resuming] = 0;
		resuming = -1;
		resumes++;
	}
	if (resuming < 0 && turn_head != turn_tail)
		resuming = turn[turn_head++ % 64];
	for (unsigned c = 0; c < 4; c++)
		client(c);
	firmware();
	for (unsigned c = 0; c < 4; c++) {
		bool waits = cl[c].todo.head || cl[c].retry.head;

		for (unsigned m = 0; m < MISSES && !waits; m++)
			waits = cl[c].parked[m].head != NULL;
		if (waits)
			waited_at = tb_cycle();
	}
	for (unsigned q = FIRST_OVER; besieged && q < nq; q++)
		if (conn[q].filling) /* released, and on its way */
			waited_at = tb_cycle();
	if (siege && held) {
		move();
		if (!calm && named >= 12 && came_in >= 100 && moves > 100) { /* enough of them leave */
			calm = true;
			calm_at = tb_cycle();
			for (struct job *j = cl[1].held.head; j; j = j->next)
				if (j->q % 3 == 0)
					j->until = tb_cycle();
		}
	}
	if (siege && (held ? calm && tb_cycle() - calm_at > 4 * LIMIT * WINDOW : fw_visits >= RELIEF && kept > 3 && promotions > 20)) {
		siege = calm = false;
		for (struct job *j = cl[1].held.head; j; j = j->next)
			j->until = tb_cycle();
	}
	if (siege && tb_cycle() > (held ? 2000000 : 300000)) {
		tb_note("%u named, %u visits of those that were kept away", named, came_in);
		tb_fail("besieged, %u slots are kept, firmware had %u visits, %u for those that frames wait for, and %u saves in vain", siege_pins, fw_visits, promotions, kept);
		return true;
	}
	if (crowded) {
		static uint64_t since;

		if (n_missed() != CROWD)
			since = tb_cycle();
		if (tb_cycle() - since > 4 * SLOTS + 200) { /* the hand rests, too */
			crowded = false;
			since = tb_cycle();
			for (unsigned c = 1; c < 4; c += 2)
				for (struct job *j = cl[c].held.head; j; j = j->next)
					j->until = tb_cycle();
		}
	}
	if (crowd && tb_cycle() > 300000) {
		tb_fail("%u visits of %u: jobs %u %u %u %u%s", visits, target, cl[0].jobs, cl[1].jobs, cl[2].jobs, cl[3].jobs, crowded ? ", and they do not all wait" : "");
		return true;
	}
	static uint64_t over;
	bool busy = visits < target || n_cmd || n_held;
	if (visits >= target && !over)
		over = tb_cycle();
	if (over && rate && over != 1) {
		double each = (double)(over - began) / evicts;

		tb_check(each <= rate, "a write-back every %.1f cycles, should be %u", each, rate);
		tb_note("a fill and a write-back every %.1f cycles: %u write-backs, %u misses", each, evicts, misses);
		over = 1;
	}
	for (unsigned c = 0; c < 4; c++)
		busy |= cl[c].jobs != 0;
	if (busy || !is_idle)
		idle_since = tb_cycle();
	if (tb_cycle() > 4000000) {
		tb_fail("no end: %u visits, jobs %u %u %u %u, idle %d", visits, cl[0].jobs, cl[1].jobs, cl[2].jobs, cl[3].jobs, is_idle);
		return true;
	}
	return tb_cycle() - idle_since > 2000;
}

void tb_finish(void)
{
	if (held)
		tb_note("%u named, %u times another one moved; %u visits of others meanwhile", named, moves, came_in);
	for (unsigned q = 0; q < nq; q++)
		tb_check(!conn[q].pins && !conn[q].users, "connection %u: %u pins, %u users", q, conn[q].pins, conn[q].users);
	tb_check(rate || besieged || crowd || (hits > 100 && misses > 100 && evicts > 100 && resumes > 10 && busies > 0 && losts > 0 && pinups > 10 && holds > 3 && (visits < 20000 || (kept > 3 && held_saves > 3))),
		 "hits %u misses %u evicts %u waited %u resumes %u busy %u lost %u held %u", hits, misses, evicts, waits, resumes, busies, losts, holds);
	tb_note("%u visits: %u hits, %u misses, %u write-backs, %u looks in vain, %u times frames had waited (%u), %u busy, %u lost, %u commands (%u refused), %u held; %u pins that a frame ends, %u saves of them in vain, %u of held ones",
		visits, hits, misses, evicts, waits, resumes, forwards, busies, losts, answers, refused, holds, locks, kept, held_saves);
}
