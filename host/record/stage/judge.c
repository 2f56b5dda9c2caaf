/* judge: measures calls in a sample of slots, and compares their times with the cost of recording. */
#include "record/stage/judge.h"

#include <string.h>

#include "core/slot.h"

#define FRAMES 256u

/* The state while the judge examines one batch of a thread's slots. frames: the open calls that began in this batch. At
 * anything unclear (a jump, a gap, another stack) the judge discards all frames; later batches have more calls to measure. */
struct walk {
	struct judge *judge;
	const struct judge_cost *cost;
	struct frame {
		struct judge_function *function; /* null: the table has no room for the function */
		uint32_t place, stamp;
		uint32_t nested_calls; /* recorded calls inside this call */
	} frames[FRAMES];
	uint32_t depth;
	uint32_t high, last; /* high: upper half of the clock, 0: unknown; last: the stamp before */
	bool has_last, skips; /* has_last: last is known; skips: the judge ignores the next event */
	double weight;        /* all slots of the batch ÷ examined slots */
};

static uint32_t hash(uint32_t place)
{
	return (place >> 1) * 2654435761u >> 16 & (JUDGE_FUNCTIONS - 1);
}

const struct judge_function *judge_find(const struct judge *judge, uint32_t place)
{
	for (uint32_t i = hash(place); judge->functions[i].place; i = (i + 1) & (JUDGE_FUNCTIONS - 1))
		if (judge->functions[i].place == place)
			return judge->functions[i].calls > 0 ? &judge->functions[i] : NULL;
	return NULL;
}

/* Finds a function, or adds it to the table. Null: the table is full. */
static struct judge_function *find(struct judge *judge, uint32_t place)
{
	for (uint32_t i = hash(place);; i = (i + 1) & (JUDGE_FUNCTIONS - 1)) {
		struct judge_function *function = &judge->functions[i];

		if (function->place == place)
			return function;
		if (function->place)
			continue;
		if (judge->count == JUDGE_FUNCTIONS * 3 / 4)
			return NULL;
		judge->count++;
		function->place = place;
		return function;
	}
}

/* Discards all open calls: their exits do not count. */
static void discard_frames(struct walk *walk)
{
	while (walk->depth)
		if (walk->frames[--walk->depth].function)
			walk->frames[walk->depth].function->open--;
}

static void enter(struct walk *walk, uint32_t place, uint32_t stamp)
{
	struct judge_function *function;

	if (walk->depth == FRAMES)
		discard_frames(walk);
	function = find(walk->judge, place);
	if (function)
		function->open++;
	walk->frames[walk->depth++] = (struct frame){function, place, stamp, 0};
}

static void leave(struct walk *walk, uint32_t place, uint32_t stamp)
{
	const struct judge_cost *cost = walk->cost;
	const struct frame *frame;
	double ticks;

	if (!walk->depth)
		return; /* an exit of a call entered before these slots */
	frame = &walk->frames[--walk->depth];
	if (frame->function)
		frame->function->open--;
	if (frame->place != place) {
		discard_frames(walk);
		return;
	}
	if (walk->depth)
		walk->frames[walk->depth - 1].nested_calls += 1 + frame->nested_calls;
	if (!frame->function)
		return;
	ticks = (double)(uint32_t)(stamp - frame->stamp) - cost->inner_ticks -
		frame->nested_calls * (cost->inner_ticks + cost->outer_ticks);
	frame->function->calls += walk->weight;
	if (!frame->function->open && ticks > 0)
		frame->function->ticks += ticks * walk->weight;
}

static void take_tag(struct walk *walk, uint32_t tag, uint32_t payload)
{
	switch (tag) {
	case DWELL_TAG_TIME:
		if (payload == walk->high)
			return;
		walk->high = payload;
		break;
	case DWELL_TAG_WINDOW: /* the next event's place has more than 32 bits (WINDOW), or its call gets no exit (ENTRY) */
	case DWELL_TAG_ENTRY:
		walk->skips = true;
		return;
	case DWELL_TAG_UNWIND_JUMP:
	case DWELL_TAG_UNWIND_CATCH:
	case DWELL_TAG_LOST:
	case DWELL_TAG_OFF:
	case DWELL_TAG_ON:
	case DWELL_TAG_STACK:
		break;
	default:
		return;
	}
	discard_frames(walk);
	walk->has_last = false;
}

void judge_feed(struct judge *judge, const uint64_t *slots, uint32_t count, const struct judge_cost *cost)
{
	uint32_t looked = count < JUDGE_SLOTS ? count : JUDGE_SLOTS;
	struct walk walk;

	walk.judge = judge;
	walk.cost = cost;
	walk.depth = walk.high = walk.last = 0;
	walk.has_last = walk.skips = false;
	walk.weight = looked ? (double)count / looked : 0;
	for (uint32_t i = 0; i < looked; i++) {
		uint32_t low = (uint32_t)slots[i], stamp = (uint32_t)(slots[i] >> 32);

		if (low < DWELL_TAG_LIMIT) {
			take_tag(&walk, low, stamp);
			continue;
		}
		/* After a late stamp the next stamp may be earlier; then no time has passed. */
		if (walk.has_last && stamp - walk.last <= INT32_MAX)
			judge->elapsed_ticks += (double)(stamp - walk.last) * walk.weight;
		walk.last = stamp;
		walk.has_last = true;
		if (walk.skips)
			walk.skips = false;
		else if (low & 1)
			leave(&walk, low & ~1u, stamp);
		else
			enter(&walk, low, stamp);
	}
	discard_frames(&walk);
}

bool judge_is_costly(const struct judge *judge, const struct judge_function *function, const struct judge_cost *cost, double share)
{
	double spent = function->calls * (cost->inner_ticks + cost->outer_ticks);

	return function->place && spent > judge->elapsed_ticks * share && judge_is_short(function, cost);
}

bool judge_is_short(const struct judge_function *function, const struct judge_cost *cost)
{
	return function->ticks < function->calls * (cost->inner_ticks + cost->outer_ticks) * JUDGE_SHORT_TIMES;
}

double judge_get_share(const struct judge *judge, const struct judge_function *function, const struct judge_cost *cost)
{
	double each = cost->inner_ticks + cost->outer_ticks, rest = judge->elapsed_ticks, least = rest / 16;
	double took = function->ticks + function->calls * cost->inner_ticks / 2;

	for (uint32_t i = 0; i < JUDGE_FUNCTIONS; i++)
		rest -= judge->functions[i].calls * each;
	rest = rest > least ? rest : least;
	return took < rest ? took / rest : 1;
}

void judge_clear(struct judge *judge)
{
	memset(judge, 0, sizeof *judge);
}
