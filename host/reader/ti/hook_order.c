#include "reader/ti/hook_order.h"

#include <stdlib.h>

#define FALLS_MAX 8u /* of one that begins at one of so many places at the most */
/* A counter of 32 bits comes round in so many ticks. */
#define ROUND_TICKS (UINT64_C(1) << 32)
#define GAP_TICKS (ROUND_TICKS / 2) /* what is less far away is not asked about */
/* Pauses that are a longer part of a round do not tell a false high word from a pause. */
#define PAUSE_PART 64u
/* So many at the beginning or the end may have false times that do not fall: two are a task switch. */
#define FAR_MAX 2u
/* Of more than one in so many nobody believes it. */
#define FALSE_PART 4u
#define NONE UINT32_MAX

/* The list from a position on, round and round. */
struct turn {
	const struct hook_record *list;
	size_t count, from;
	bool skips_first; /* the oldest one is half overwritten */
	bool wraps; /* its counter has 32 bits */
	bool is_guess; /* where it begins */
};

static const struct hook_record *at(const struct turn *turn, size_t number)
{
	return &turn->list[(turn->from + number) % turn->count];
}

static bool counts(const struct turn *turn, size_t number)
{
	return !(turn->skips_first && !number) && !hook_record_is_unused(at(turn, number));
}

struct falls {
	size_t list[FALLS_MAX]; /* positions */
	size_t count; /* FALLS_MAX + 1: more */
};

static void add_fall(struct falls *falls, size_t position)
{
	if (falls->count < FALLS_MAX)
		falls->list[falls->count] = position;
	falls->count += falls->count <= FALLS_MAX;
}

/* Positions at which times fall. lasting: and stay down, as behind no single time that is false. */
static struct falls find_falls(const struct turn *turn, bool lasting)
{
	uint64_t before = 0, before_that = 0, above = 0;
	struct falls falls = {.count = 0};
	size_t used = 0, pending = SIZE_MAX;

	for (size_t i = 0; i < turn->count && falls.count <= FALLS_MAX; i++) {
		uint64_t ticks;

		if (!counts(turn, i))
			continue;
		ticks = hook_record_ticks(at(turn, i));
		if (pending != SIZE_MAX && ticks < above)
			add_fall(&falls, pending);
		pending = SIZE_MAX;
		if (used && ticks < before && !lasting) {
			add_fall(&falls, (turn->from + i) % turn->count);
		} else if (used > 1 && ticks < before && ticks < before_that) {
			pending = (turn->from + i) % turn->count;
			above = before;
		}
		before_that = before;
		before = ticks;
		used++;
	}
	return falls;
}

/* ---- the longest run of times that do not fall ---- */

/* ends[n]: of all runs of n + 1 records the last record of the one that ends earliest. before: what is in front of a record in its run. */
struct runs {
	uint32_t *ends, *before;
	size_t longest;
	uint64_t earliest, latest; /* others are in none */
};

static bool make_runs(struct runs *runs, size_t count)
{
	*runs = (struct runs){.latest = UINT64_MAX};
	runs->ends = malloc(count * sizeof *runs->ends);
	runs->before = malloc(count * sizeof *runs->before);
	return runs->ends && runs->before;
}

static void free_runs(struct runs *runs)
{
	free(runs->ends);
	free(runs->before);
}

static void add_to_runs(struct runs *runs, const struct turn *turn, size_t number)
{
	uint64_t ticks = hook_record_ticks(at(turn, number));
	size_t low = 0, high = runs->longest;

	if (ticks < runs->earliest || ticks > runs->latest)
		return;
	/* Mostly behind all. */
	if (high && hook_record_ticks(at(turn, runs->ends[high - 1])) <= ticks)
		low = high;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (hook_record_ticks(at(turn, runs->ends[middle])) <= ticks)
			low = middle + 1;
		else
			high = middle;
	}
	runs->ends[low] = (uint32_t)number;
	runs->before[number] = low ? runs->ends[low - 1] : NONE;
	runs->longest += low == runs->longest;
}

/* Of all that may be in front of the run's second one, the one that is nearest to it: none is there that would make the run longer. */
static uint32_t choose_first(const struct runs *runs, const struct turn *turn)
{
	uint64_t second = hook_record_ticks(at(turn, runs->ends[1])), nearest = 0;
	uint32_t first = runs->ends[0];

	for (uint32_t i = 0; i < runs->ends[1]; i++) {
		uint64_t ticks = counts(turn, i) ? hook_record_ticks(at(turn, i)) : 0;

		if (ticks <= second && ticks > nearest && ticks >= runs->earliest) {
			nearest = ticks;
			first = i;
		}
	}
	return first;
}

/* The longest run's numbers into ends, in order. */
static void find_longest(struct runs *runs, const struct turn *turn)
{
	uint32_t number;

	runs->longest = 0;
	for (size_t i = 0; i < turn->count; i++)
		if (counts(turn, i))
			add_to_runs(runs, turn, i);
	number = runs->longest ? runs->ends[runs->longest - 1] : NONE;
	for (size_t i = runs->longest; i--; number = runs->before[number])
		runs->ends[i] = number;
	if (runs->longest > 1)
		runs->ends[0] = choose_first(runs, turn);
}

/* Times of the run, from one of its numbers to another. */
struct stretch {
	uint64_t span, pause; /* from the first to the last; the longest between neighbours */
};

static struct stretch measure(const struct runs *runs, const struct turn *turn, size_t from, size_t to)
{
	uint64_t before = hook_record_ticks(at(turn, runs->ends[from]));
	struct stretch stretch = {0};

	for (size_t i = from; i < to; i++) {
		uint64_t ticks = hook_record_ticks(at(turn, runs->ends[i + 1]));

		stretch.pause = ticks - before > stretch.pause ? ticks - before : stretch.pause;
		stretch.span += ticks - before;
		before = ticks;
	}
	return stretch;
}

/* A round or more away, and without the rounds no further than any of the others is from the next: a high word is false. Where others
 * pause for long, too, it may as well have been a pause. Of a beginning that is a guess it may be the newest instead of the oldest. */
static bool is_far(const struct turn *turn, uint64_t gap, struct stretch rest)
{
	if (gap >= ROUND_TICKS && gap % ROUND_TICKS <= rest.pause && rest.pause <= ROUND_TICKS / PAUSE_PART)
		return true;
	return turn->is_guess && gap > rest.span && -gap % ROUND_TICKS <= 2 * rest.span && rest.span <= ROUND_TICKS / PAUSE_PART;
}

/* One or two of its last records, or its first, are far from the others: these are not to be in any. */
static bool has_far(struct runs *runs, const struct turn *turn)
{
	size_t count = runs->longest, most = count < FALSE_PART * FAR_MAX ? count / FALSE_PART : FAR_MAX;

	for (size_t i = 1; i <= most; i++) {
		uint64_t late = hook_record_ticks(at(turn, runs->ends[count - i]));
		uint64_t before_late = hook_record_ticks(at(turn, runs->ends[count - i - 1]));
		uint64_t early = hook_record_ticks(at(turn, runs->ends[i - 1])), behind_early = hook_record_ticks(at(turn, runs->ends[i]));

		if (late - before_late >= GAP_TICKS && is_far(turn, late - before_late, measure(runs, turn, 0, count - i - 1))) {
			runs->latest = late - 1;
			return true;
		}
		if (behind_early - early >= GAP_TICKS && is_far(turn, behind_early - early, measure(runs, turn, i, count - 1))) {
			runs->earliest = early + 1;
			return true;
		}
	}
	return false;
}

/* Times do not fall: whether there is a gap near either end. */
static bool has_gap(const struct turn *turn)
{
	uint64_t first[FAR_MAX + 1], last[FAR_MAX + 1];
	size_t early = 0, late = 0;

	for (size_t i = 0; i < turn->count && early <= FAR_MAX; i++)
		if (counts(turn, i))
			first[early++] = hook_record_ticks(at(turn, i));
	for (size_t i = turn->count; i-- && late <= FAR_MAX;)
		if (counts(turn, i))
			last[late++] = hook_record_ticks(at(turn, i));
	return early && (first[early - 1] - first[0] >= GAP_TICKS || last[0] - last[late - 1] >= GAP_TICKS);
}

struct verdict {
	size_t count; /* of false ones; SIZE_MAX: no memory */
	size_t used; /* of all */
	bool any_far; /* some of them only by a gap */
	uint64_t first; /* time of others */
	struct stretch rest;
};

/* What is in no run, by position. False: no memory. */
static bool list_false(struct hook_order *order, const struct turn *turn, const struct runs *runs, size_t count)
{
	size_t next = 0;

	order->false_list = malloc((count ? count : 1) * sizeof *order->false_list);
	for (size_t i = 0; order->false_list && order->false_count < count; i++) {
		if (next < runs->longest && runs->ends[next] == i)
			next++;
		else if (counts(turn, i))
			order->false_list[order->false_count++] = (turn->from + i) % turn->count;
	}
	return order->false_list;
}

/* order: gets a list of them, unless they are too many; null: they are only counted. */
static struct verdict find_false(const struct turn *turn, struct hook_order *order)
{
	struct verdict verdict = {.count = SIZE_MAX};
	struct runs runs;

	if (make_runs(&runs, turn->count)) {
		for (size_t i = 0; i < turn->count; i++)
			verdict.used += counts(turn, i);
		find_longest(&runs, turn);
		verdict.any_far = turn->wraps && has_far(&runs, turn);
		if (verdict.any_far)
			find_longest(&runs, turn);
		verdict.count = verdict.used - runs.longest;
		if (runs.longest) {
			verdict.first = hook_record_ticks(at(turn, runs.ends[0]));
			verdict.rest = measure(&runs, turn, 0, runs.longest - 1);
		}
		if (order && verdict.count <= verdict.used / FALSE_PART && !list_false(order, turn, &runs, verdict.count))
			verdict.count = SIZE_MAX;
	}
	free_runs(&runs);
	return verdict;
}

/* ---- the oldest ---- */

/* Where as many are false, a file begins at its beginning; of two other places at that with no gap. */
static bool is_better(const struct hook_order *order, struct verdict verdict, struct verdict best)
{
	return verdict.count != best.count ? verdict.count < best.count : order->is_circle && best.any_far && !verdict.any_far;
}

/* The record that would be left out as half overwritten has a false time: then that is why it is so early. */
static bool is_oldest_false(const struct turn *turn, struct verdict verdict)
{
	uint64_t oldest = hook_record_ticks(at(turn, 0));

	return turn->wraps && oldest < verdict.first && is_far(turn, verdict.first - oldest, verdict.rest);
}

/* By times: where the fewest are false then. False: no memory. */
static bool find_oldest(struct hook_order *order, const struct turn *whole)
{
	struct falls falls = find_falls(whole, false);
	struct turn first = *whole;
	struct verdict best;

	if (falls.count > FALLS_MAX)
		falls = find_falls(whole, true);
	if (!falls.count || falls.count > FALLS_MAX)
		return true;
	first.is_guess = true;
	best = find_false(&first, NULL);
	/* Of falls behind one another the first: what is between them is half overwritten. */
	for (size_t i = 0; best.count && best.count != SIZE_MAX && i < falls.count; i++) {
		struct turn turn = first;
		struct verdict verdict;

		turn.from = falls.list[i];
		turn.skips_first = true;
		verdict = find_false(&turn, NULL);
		if (verdict.count != SIZE_MAX)
			verdict.count += is_oldest_false(&turn, verdict);
		if (verdict.count != SIZE_MAX && !is_better(order, verdict, best))
			continue;
		best = verdict;
		order->oldest = falls.list[i];
		order->is_circle = true;
	}
	if (best.count > best.used / FALSE_PART) {
		order->oldest = 0;
		order->is_circle = false;
	}
	return best.count != SIZE_MAX;
}

bool hook_order_find(struct hook_order *order, const struct hook_record *list, size_t count, uint64_t written, bool wraps)
{
	struct turn turn = {.list = list, .count = count, .wraps = wraps};

	*order = (struct hook_order){0};
	if (!count)
		return true;
	if (written != UINT64_MAX && written > count) {
		order->oldest = (size_t)(written % count);
		order->is_circle = true;
	} else if (written == UINT64_MAX && !find_oldest(order, &turn)) {
		return false;
	}
	turn.from = order->oldest;
	turn.skips_first = order->is_circle;
	if (!find_falls(&turn, false).count && !(wraps && has_gap(&turn)))
		return true;
	return find_false(&turn, order).count != SIZE_MAX;
}
