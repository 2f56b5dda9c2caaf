/* overhead: reads the measured costs of recording, and derives bounds for the cost of a call. */
#include "model/profile/overhead.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/saturate.h"
#include "util/utf8.h"

#define TICKS_MAX 1e6
#define WAYS 2

static const char *const ways[WAYS] = {"overhead-hooks", "overhead-sites"};
static const char *const loops[OVERHEAD_LOOPS] = {[OVERHEAD_EMPTY] = "", [OVERHEAD_WORK] = "-beside-work", [OVERHEAD_EVICTED] = "-evicted"};

/* False: key belongs to no way. */
static bool find_way(const char *key, unsigned *way, unsigned *loop)
{
	for (*way = 0; *way < WAYS; ++*way)
		for (*loop = 0; *loop < OVERHEAD_LOOPS; ++*loop) {
			size_t bytes = strlen(ways[*way]);

			if (!strncmp(key, ways[*way], bytes) && !strcmp(key + bytes, loops[*loop]))
				return true;
		}
	return false;
}

bool overhead_is_of_way(const char *key)
{
	unsigned way, loop;

	return find_way(key, &way, &loop);
}

/* Stores the mean, and its error: half the range of the measurements, divided by the root of their number. */
static bool measure(struct overhead_measured *measured, double mean, double low, double high, unsigned count)
{
	bool sane = low >= 0 && low <= high && high <= TICKS_MAX && mean >= 0 && mean <= TICKS_MAX;

	*measured = (struct overhead_measured){mean, sane ? (high - low) / 2 / sqrt(count) : 0};
	return sane;
}

/* Extends the part's bounds by one way's loops, as far as they were measured. */
static void add_to_part(struct overhead_part *part, const struct overhead_measured *measured, const unsigned *measurements)
{
	const struct overhead_measured *empty = &measured[OVERHEAD_EMPTY];
	bool is_old = !measurements[OVERHEAD_WORK] && !measurements[OVERHEAD_EVICTED];

	for (unsigned loop = 0; loop < OVERHEAD_LOOPS; loop++) {
		double low = measured[loop].ticks - measured[loop].error, high = measured[loop].ticks + measured[loop].error;

		if (!measurements[loop])
			continue;
		if (is_old) {
			low = empty->ticks * OVERHEAD_OLD_LEAST;
			high = empty->ticks * OVERHEAD_OLD_MOST;
		}
		if (part->high == 0 || low < part->low)
			part->low = low > 0 ? low : 0;
		if (high > part->high)
			part->high = high;
	}
	part->ticks = (part->low + part->high) / 2;
}

static void add_left_out(struct overhead *overhead, const char *text)
{
	uint64_t calls;

	/* A minus sign would become a huge number. */
	if (*text >= '0' && *text <= '9' && sscanf(text, "%18" SCNu64 " calls", &calls) == 1)
		saturate_add(&overhead->left_out, calls);
}

void overhead_add(struct overhead *overhead, const char *key, const char *text)
{
	static const char not_known[] = "not known: ";
	double inner, inner_low, inner_high, outer, outer_low, outer_high;
	struct overhead_way *of;
	unsigned way, loop, count;

	if (!strcmp(key, "overhead") && !strncmp(text, not_known, sizeof not_known - 1))
		utf8_copy(overhead->problem, sizeof overhead->problem, text + sizeof not_known - 1);
	if (!strcmp(key, "overhead-left-out"))
		add_left_out(overhead, text);
	if (!find_way(key, &way, &loop) ||
		sscanf(text, "inner %lf (%lf to %lf), outer %lf (%lf to %lf), ticks, measured %u times", &inner, &inner_low, &inner_high, &outer,
			&outer_low, &outer_high, &count) != 7 ||
		!count)
		return;
	of = &overhead->ways[way];
	if (!measure(&of->inner[loop], inner, inner_low, inner_high, count) ||
		!measure(&of->outer[loop], outer, outer_low, outer_high, count))
		count = 0;
	of->measurements[loop] = count;
	overhead->inner = overhead->outer = (struct overhead_part){0};
	overhead->measurements = 0;
	for (way = 0; way < WAYS; way++) {
		add_to_part(&overhead->inner, overhead->ways[way].inner, overhead->ways[way].measurements);
		add_to_part(&overhead->outer, overhead->ways[way].outer, overhead->ways[way].measurements);
		overhead->measurements += overhead->ways[way].measurements[OVERHEAD_EMPTY];
	}
	overhead->is_known = overhead->measurements;
}
