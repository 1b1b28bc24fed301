// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Commands of one kind for many objects, several under way at a time: while an answer is on its way to who waits for it the
 * card does the next.
 *
 * Each has a place in the admin queue until its answer is taken. Who keeps places and waits for one more could wait for
 * others who do the same, so those of such commands are counted apart, and only who has none waits for one: with
 * those of weft_keep.c some places always remain for commands that go one by one.
 */
#include "weft_rdma.h"

struct weft_turn {
	struct weft_admin_msg msg;
	void *of;
	int tag;			/* or -errno: the card is dead */
};

static bool weft_many_place(const struct weft_many *m, u32 under_way)
{
	if (under_way)
		return under_way < m->most && !down_trylock(m->places);
	down(m->places);
	return true;
}

static bool weft_many_begin(struct weft_dev *dev, const struct weft_many *m, struct weft_turn *t)
{
	t->msg = (struct weft_admin_msg){};
	t->of = m->next(m->ctx, &t->msg);
	if (t->of)
		t->tag = weft_admin_begin(dev->core, &t->msg);
	else
		up(m->places);
	return t->of;
}

/* Answers are taken in the order of the commands. */
void weft_many(struct weft_dev *dev, const struct weft_many *m)
{
	struct weft_turn *turns = kcalloc(m->most, sizeof(*turns), GFP_KERNEL | __GFP_NOFAIL);
	u32 begun = 0, ended = 0;
	bool more = true;

	while (more || begun != ended) {
		struct weft_turn *t;
		int rc;

		if (more && weft_many_place(m, begun - ended)) {
			more = weft_many_begin(dev, m, &turns[begun % m->most]);
			begun += more;
			continue;
		}
		t = &turns[ended++ % m->most];
		rc = t->tag < 0 ? t->tag : weft_admin_end(dev->core, &t->msg, t->tag);
		up(m->places);
		m->done(m->ctx, t->of, &t->msg, rc);
	}
	kfree(turns);
}
