/* Trees of calls: each has what a stack that is kept beside it has in that call, no more and no less, on streams of calls,
 * recursion, jumps, changes of stacks, values and marks, cut into batches anywhere; and what is too large for the memory has its
 * beginning and its end. Where such things are rare, most slots go the short way; what comes of that is the same whatever the
 * batches are. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "core/fold.h"
#include "record/stage/slow_thread.h"

#define LOW UINT64_C(0x7f1200000000)
#define DEEP 40u
#define STACKS 3u
#define EVENTS 6000u
#define FUNCTIONS 4u /* the first two are kept */

__attribute__((noinline, aligned(16))) void kept_one(void);
__attribute__((noinline, aligned(16))) void kept_two(void);
__attribute__((noinline, aligned(16))) void other_one(void);
__attribute__((noinline, aligned(16))) void other_two(void);
void kept_one(void) { __asm__ volatile(""); }
void kept_two(void) { __asm__ volatile("nop"); }
void other_one(void) { __asm__ volatile("nop; nop"); }
void other_two(void) { __asm__ volatile("nop; nop; nop"); }

static char self[256];
static uint64_t seed;
static uint32_t places[FUNCTIONS], numbers[FUNCTIONS];

static uint32_t pick(uint32_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

static uint32_t place_of(void (*function)(void))
{
	extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

	return (uint32_t)(LOW + (uint64_t)(uintptr_t)function - (uint64_t)(uintptr_t)__ehdr_start);
}

/* What should come of each call that is kept. */
struct wanted {
	uint32_t function, calls, said;
	uint64_t enter_ticks, exit_ticks, away_ticks;
	bool open;
};
struct open {
	uint32_t function, calls, said; /* in it, with itself */
	uint64_t enter_ticks;
};
struct program {
	uint64_t slots[EVENTS * 8], now;
	uint32_t odd;  /* one in so many events is something else, or has something with it */
	uint32_t kept; /* one in so many calls is of a function that is kept */
	uint32_t count, high;
	struct open open[STACKS][DEEP];
	uint32_t depth[STACKS], stack;
	struct wanted wanted[EVENTS];
	uint32_t wants;
};
static struct program program;

/* In place of the store: each tree is looked at as it comes. */
struct slow_trees {
	struct filter *finder;
	uint64_t room; /* slots of a tree */
	uint32_t taken, missed, wrong, cut, ends;
	uint64_t sum; /* of all slots in all trees */
	struct trees_call {
		uint32_t calls;
		struct dwell_call outermost;
	} heard;
};

static void hear(void *context, const struct dwell_call *call)
{
	struct trees_call *heard = context;

	heard->calls++;
	if (!call->depth)
		heard->outermost = *call;
}

/* Values and marks. */
static uint32_t count_said(const struct slow_tree *tree)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < tree->count; i++) {
		const uint32_t low = (uint32_t)tree->slots[i];

		count += low == DWELL_TAG_ARG || low == DWELL_TAG_RET || low == DWELL_TAG_MARK;
	}
	return count;
}

bool slow_trees_add(struct slow_trees *trees, struct slow_tree *tree)
{
	const struct dwell_fold_calls listener = {&trees->heard, hear};
	static struct dwell_frame frames[4 * DEEP];
	const uint64_t time = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(tree->enter_ticks >> 32));
	const struct wanted *want = NULL;
	struct dwell_pair pair;
	struct dwell_fold fold;
	bool good;

	dwell_pair_init(&pair, frames, 4 * DEEP);
	dwell_fold_init(&fold, &pair);
	dwell_fold_set_calls(&fold, &listener);
	trees->heard = (struct trees_call){0};
	dwell_fold_slots(&fold, &time, 1);
	dwell_fold_slots(&fold, tree->slots, tree->count);
	good = pair.depth == 0 || tree->is_open;
	dwell_fold_finish(&fold);
	for (uint32_t i = 0; i < program.wants; i++)
		if (program.wanted[i].enter_ticks == tree->enter_ticks && numbers[program.wanted[i].function] == tree->function)
			want = &program.wanted[i];
	good = good && want && want->open == tree->is_open && dwell_pair_check(&pair);
	good = good && trees->heard.outermost.id == places[want->function] &&
	       trees->heard.outermost.enter_ticks == want->enter_ticks;
	good = good && (tree->is_open || tree->exit_ticks == want->exit_ticks) && !fold.summary.holes && !fold.changed_stacks;
	good = good && (tree->is_open || trees->heard.outermost.exit_ticks == want->exit_ticks);
	good = good && (tree->is_cut ? trees->heard.calls <= want->calls : trees->heard.calls == want->calls) &&
	       !pair.unmatched_exits;
	/* What the thread did elsewhere is not its own time. */
	good = good &&
	       (tree->is_cut || tree->is_open || pair.self_ticks == want->exit_ticks - want->enter_ticks - want->away_ticks);
	good = good && (tree->is_cut ? count_said(tree) <= want->said : count_said(tree) == want->said);
	good = good && (tree->is_cut || tree->events == fold.summary.events);
	/* What is not there is a gap. */
	good = good && (tree->is_cut ? pair.lost_ticks > 0 : !pair.lost_ticks && !pair.lost_events);
	for (uint32_t i = 0; i < tree->count; i++)
		trees->sum = (trees->sum ^ tree->slots[i]) * UINT64_C(0x100000001b3);
	trees->wrong += !good;
	trees->taken++;
	trees->cut += tree->is_cut;
	return false;
}

void slow_trees_count_missed(struct slow_trees *trees)
{
	trees->missed++;
}

bool slow_trees_has_room(struct slow_trees *trees, uint64_t slots)
{
	return slots <= trees->room;
}

struct filter *slow_trees_get_finder(struct slow_trees *trees)
{
	return trees->finder;
}

void slow_trees_end_stream(struct slow_trees *trees, const struct message_thread *thread, uint64_t first_ticks, uint64_t last_ticks)
{
	trees->ends += thread->stream == 9 && first_ticks == UINT64_C(0x12fffff000) + 1 && last_ticks == program.now;
}

static void push(uint64_t slot)
{
	if (program.high != program.now >> 32) {
		program.high = (uint32_t)(program.now >> 32);
		program.slots[program.count++] = dwell_slot_make(DWELL_TAG_TIME, program.high);
	}
	program.slots[program.count++] = slot;
}

static bool is_outermost(uint32_t stack, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (program.open[stack][i].function == program.open[stack][index].function)
			return false;
	return program.open[stack][index].function < 2;
}

/* Time off a stack, since the last event on it until the first one behind it. */
static uint64_t left_ticks[STACKS], away_ticks[STACKS], away_at_enter[STACKS][DEEP];

static void leave(bool open)
{
	uint32_t stack = program.stack, index = program.depth[stack] - 1;
	const struct open *call = &program.open[stack][index];

	if (is_outermost(stack, index))
		program.wanted[program.wants++] = (struct wanted){call->function, call->calls, call->said, call->enter_ticks,
			program.now, away_ticks[stack] - away_at_enter[stack][index], open};
	if (index) {
		program.open[stack][index - 1].calls += call->calls;
		program.open[stack][index - 1].said += call->said;
	}
	program.depth[stack]--;
}

static void change_stack(void)
{
	uint32_t to = pick(STACKS);

	if (to == program.stack)
		return;
	push(dwell_slot_make(DWELL_TAG_STACK, to));
	/* Its next event is when it changes. */
	left_ticks[program.stack] = program.now;
	away_ticks[to] += left_ticks[to] ? program.now - left_ticks[to] : 0;
	program.stack = to;
}

/* Something is said in the innermost call, if there is one: true. */
static bool say(uint64_t slot)
{
	uint32_t depth = program.depth[program.stack];

	if (!depth)
		return false;
	push(slot);
	program.open[program.stack][depth - 1].said++;
	return true;
}

static bool is_odd(uint32_t times)
{
	return !pick(program.odd * times);
}

/* The last function is always told of in full. */
static void push_event(uint32_t function, bool is_exit)
{
	if (function == FUNCTIONS - 1)
		push(dwell_slot_make(DWELL_TAG_WINDOW, (uint32_t)(LOW >> 32)));
	push(dwell_slot_make(places[function] | is_exit, (uint32_t)program.now));
}

static void step(void)
{
	uint32_t function = pick(program.kept) ? 2 + !pick(8) : pick(2), stack;
	struct open *open;

	program.now += 1 + (program.count ? pick(50) : 0);
	if (program.count && is_odd(3))
		change_stack();
	if (program.count && is_odd(1))
		push(dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(program.now >> 32))); /* again */
	stack = program.stack;
	open = program.open[stack];
	if (program.count && is_odd(4) && say(dwell_slot_make(DWELL_TAG_MARK, (uint32_t)program.now)))
		return;
	if (program.depth[stack] > 2 && is_odd(6) && (function = open[pick(program.depth[stack] - 1)].function) < FUNCTIONS - 1) {
		push(dwell_slot_make(DWELL_TAG_UNWIND_JUMP, (uint32_t)program.now));
		push(dwell_slot_make(DWELL_TAG_LANDED, places[function]));
		while (open[program.depth[stack] - 1].function != function)
			leave(false);
	} else if (program.depth[stack] && (program.depth[stack] == DEEP || pick(100) < 50)) {
		push_event(open[program.depth[stack] - 1].function, true);
		if (is_odd(2))
			say(dwell_slot_make(DWELL_TAG_RET, 7));
		leave(false);
	} else {
		push_event(function, false);
		away_at_enter[stack][program.depth[stack]] = away_ticks[stack];
		open[program.depth[stack]++] = (struct open){function, 1, 0, program.now};
		if (is_odd(2))
			say(dwell_slot_make(DWELL_TAG_ARG, 8));
	}
}

static uint32_t all_cut;

static void take(struct stage_thread *thread, const uint64_t *slots, uint32_t count)
{
	struct stage_batch batch = {.slots = slots, .count = count};

	slow_thread_take(thread, &batch, NULL);
	CHECK_EQ(batch.count, 0);
}

static struct stage_thread *make_thread(struct slow_trees *trees)
{
	static const struct stage_type type = {.clear_thread = slow_thread_clear};
	struct stage_thread *thread = make_slow_thread(trees, &(struct stage_source){.stream = 9, .process = 3});

	CHECK(thread != NULL);
	thread->type = &type;
	return thread;
}

/* How the slots come: most: so many at a time, at most. Returns the sum of the trees. */
static uint64_t feed(struct filter *finder, uint64_t room, bool cuts, uint32_t most)
{
	const struct message_thread of = {.stream = 9, .name = ""};
	struct slow_trees trees = {.finder = finder, .room = room};
	struct stage_thread *thread = make_thread(&trees);
	struct stage_batch last = {.is_last = true, .thread = &of};

	for (uint32_t done = 0, part; thread && done < program.count; done += part) {
		part = 1 + pick(most);
		part = part < program.count - done ? part : program.count - done;
		take(thread, program.slots + done, part);
	}
	slow_thread_take(thread, &last, NULL);
	CHECK(thread->figures.seen_events <= EVENTS); /* a jump is none, nor is a mark */
	CHECK_EQ(trees.taken, program.wants);
	CHECK_EQ(trees.wrong, 0);
	CHECK_EQ(trees.missed, 0);
	CHECK_EQ(trees.ends, 1);
	CHECK(cuts || !trees.cut);
	all_cut += trees.cut;
	CHECK(trees.taken > 10);
	stages_end_thread(thread);
	return trees.sum;
}

static void run(uint64_t room, bool cuts, uint32_t odd, uint32_t kept)
{
	static const struct filter_options options = {.patterns = {{"kept_*", "--keep-slowest", false}}, .pattern_count = 1};
	static struct filter_cache memory;
	struct message_module module = {.process = 3, .low = LOW, .high = LOW + (1 << 30), .bias = LOW, .path = self};
	struct diag *diag = make_diag();
	struct filter *finder = make_finder(&options, &(struct filter_program){self, NULL, 0}, diag);
	uint64_t sum;

	memset(&program, 0, sizeof program);
	memset(left_ticks, 0, sizeof left_ticks);
	memset(away_ticks, 0, sizeof away_ticks);
	memset(&memory, 0, sizeof memory);
	program.odd = odd;
	program.kept = kept;
	filter_add_module(finder, &module);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		numbers[i] = filter_find_place(finder, &memory, 3, places[i], 1);
	CHECK(numbers[0] && numbers[1] && !numbers[2] && !numbers[3]);
	program.now = UINT64_C(0x12fffff000);
	for (uint32_t i = 0; i < EVENTS; i++)
		step();
	for (uint32_t stack = 0; stack < STACKS; stack++)
		for (program.stack = stack; program.depth[stack];)
			leave(true);
	sum = feed(finder, room, cuts, 300);
	CHECK(feed(finder, room, cuts, 1) == sum);
	CHECK(feed(finder, room, cuts, program.count) == sum);
	free_filter(finder);
	free_diag(diag);
}

TEST(has_all_of_each_call)
{
	for (uint64_t round = 1; round < 30; round += SANITIZED ? 7 : 1) {
		seed = round;
		run(UINT64_MAX, false, 10, 2);
		run(UINT64_MAX, false, 300, 20);
	}
}

/* Of trees that are larger than 256 slots. */
TEST(has_both_ends_of_what_is_large)
{
	for (uint64_t round = 1; round < 30; round += SANITIZED ? 7 : 1) {
		seed = round;
		run(100, true, 10, 2);
		run(100, true, 300, 20);
	}
	CHECK(all_cut > (SANITIZED ? 40 : 300));
}

/* What a file is asked for before it is known is asked again. */
TEST(knows_a_file_that_comes_later)
{
	static const struct filter_options options = {.patterns = {{"kept_*", "--keep-slowest", false}}, .pattern_count = 1};
	struct message_module module = {.process = 3, .low = LOW, .high = LOW + (1 << 30), .bias = LOW, .path = self};
	struct message_module before = {
		.process = 3, .low = LOW - (1 << 20), .high = LOW - 4096, .bias = LOW - (1 << 20), .path = self};
	struct diag *diag = make_diag();
	struct filter *finder = make_finder(&options, &(struct filter_program){self, NULL, 0}, diag);
	struct slow_trees trees = {.finder = finder, .room = UINT64_MAX};
	struct stage_thread *thread = make_thread(&trees);
	uint64_t slots[5] = {dwell_slot_make(DWELL_TAG_TIME, 0x12)};

	memset(&program, 0, sizeof program);
	filter_add_module(finder, &before);
	for (uint32_t i = 0; i < 4; i++)
		slots[1 + i] = dwell_slot_make(places[0] | (i & 1), 1 + i);
	take(thread, slots, 5);
	CHECK_EQ(trees.taken, 0);
	filter_add_module(finder, &module);
	for (uint32_t i = 0; i < 4; i++)
		slots[1 + i] += UINT64_C(10) << 32;
	take(thread, slots, 5);
	take(thread, slots, 1); /* a call is handed on by what comes next */
	CHECK_EQ(trees.taken, 2);
	stages_end_thread(thread);
	free_filter(finder);
	free_diag(diag);
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	places[0] = place_of(kept_one);
	places[1] = place_of(kept_two);
	places[2] = place_of(other_one);
	places[3] = place_of(other_two);
	RUN(has_all_of_each_call);
	RUN(has_both_ends_of_what_is_large);
	RUN(knows_a_file_that_comes_later);
	return tap_done();
}
