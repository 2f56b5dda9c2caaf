/* overhead: see overhead.h. */
#include "model/profile/overhead.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

#define TICKS_MAX 1e6

static bool is_sane(const struct overhead_part *part)
{
	return part->low >= 0 && part->low <= part->ticks && part->ticks <= part->high && part->high <= TICKS_MAX;
}

static void join(struct overhead_part *part, const struct overhead_part *more)
{
	part->low = more->low < part->low ? more->low : part->low;
	part->high = more->high > part->high ? more->high : part->high;
	part->ticks = (part->ticks + more->ticks) / 2;
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
	struct overhead_part inner, outer;
	unsigned measurements;

	if (!strcmp(key, "overhead") && !strncmp(text, not_known, sizeof not_known - 1))
		utf8_copy(overhead->problem, sizeof overhead->problem, text + sizeof not_known - 1);
	if (!strcmp(key, "overhead-left-out"))
		add_left_out(overhead, text);
	if (strcmp(key, "overhead-hooks") && strcmp(key, "overhead-sites"))
		return;
	if (sscanf(text, "inner %lf (%lf to %lf), outer %lf (%lf to %lf), ticks, measured %u times", &inner.ticks, &inner.low, &inner.high,
		    &outer.ticks, &outer.low, &outer.high, &measurements) != 7 ||
		!is_sane(&inner) || !is_sane(&outer))
		return;
	if (overhead->is_known) {
		join(&overhead->inner, &inner);
		join(&overhead->outer, &outer);
	} else {
		overhead->inner = inner;
		overhead->outer = outer;
	}
	overhead->measurements += measurements;
	overhead->is_known = true;
}
