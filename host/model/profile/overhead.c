/* overhead: see overhead.h. */
#include "model/profile/overhead.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#define TICKS_MAX 1e6

static const char hooks[] = "overhead-hooks", sites[] = "overhead-sites";

bool overhead_is_of_way(const char *key)
{
	return !strcmp(key, hooks) || !strcmp(key, sites);
}

static bool is_sane(const struct overhead_part *part)
{
	return part->low >= 0 && part->low <= part->ticks && part->ticks <= part->high && part->high <= TICKS_MAX;
}

static struct overhead_part between(const struct overhead_part *a, const struct overhead_part *b)
{
	return (struct overhead_part){
		.ticks = (a->ticks + b->ticks) / 2,
		.low = a->low < b->low ? a->low : b->low,
		.high = a->high > b->high ? a->high : b->high,
	};
}

static void add_left_out(struct overhead *overhead, const char *text)
{
	uint64_t calls;

	/* No sign: -1 would be very many. */
	if (*text >= '0' && *text <= '9' && sscanf(text, "%18" SCNu64 " calls", &calls) == 1)
		overhead->left_out = calls < UINT64_MAX - overhead->left_out ? overhead->left_out + calls : UINT64_MAX;
}

void overhead_add(struct overhead *overhead, const char *key, const char *text)
{
	static const char not_known[] = "not known: ";
	struct overhead_way way, *ways = overhead->ways;

	if (!strcmp(key, "overhead") && !strncmp(text, not_known, sizeof not_known - 1))
		utf8_copy(overhead->problem, sizeof overhead->problem, text + sizeof not_known - 1);
	if (!strcmp(key, "overhead-left-out"))
		add_left_out(overhead, text);
	if (!overhead_is_of_way(key))
		return;
	if (sscanf(text, "inner %lf (%lf to %lf), outer %lf (%lf to %lf), ticks, measured %u times", &way.inner.ticks, &way.inner.low,
		    &way.inner.high, &way.outer.ticks, &way.outer.low, &way.outer.high, &way.measurements) != 7 ||
		!way.measurements || !is_sane(&way.inner) || !is_sane(&way.outer))
		return;
	ways[!strcmp(key, sites)] = way;
	overhead->is_known = true;
	overhead->measurements = ways[0].measurements + ways[1].measurements;
	overhead->inner = ways[0].measurements ? ways[0].inner : ways[1].inner;
	overhead->outer = ways[0].measurements ? ways[0].outer : ways[1].outer;
	if (ways[0].measurements && ways[1].measurements) {
		overhead->inner = between(&ways[0].inner, &ways[1].inner);
		overhead->outer = between(&ways[0].outer, &ways[1].outer);
	}
}
