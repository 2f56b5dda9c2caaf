/* The same events with all calls in the file, and with short ones counted: whoever reads either has the same functions, the same paths, the
 * same threads, to the tick. Random events with all that a stream may have in it, cut into runs of any length, with sums written at any
 * time. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/model.h"
#include "reader/reader.h"
#include "record/drain.h"
#include "target/port/os/linux/session.h"
#include "zoo.h"

#define RING_BYTES (64u * DWELL_BLOCK_BYTES)
#define FUNCTIONS 5u
#define DEEP 6u
#define STACKS 3u
#define FAR UINT64_C(0x7f1200000000)
#define STREAM 5u

/* What may be in it. */
enum { JUMPS = 1, SWAPS = 2, GAPS = 4, VALUES = 8, WINDOWS = 16, MARKS = 32, STRAYS = 64, SWITCHES = 128, ENDS = 256 };

static uint64_t seed, ticks;
static struct dwell_ring *ring;
static char path[256];

struct one_stack {
	uint64_t places[DEEP];
	uint32_t depth;
};
static struct one_stack stacks[STACKS];
static uint32_t current;

static uint32_t random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static bool one_of(uint32_t count)
{
	return random_number() % count == 0;
}

static void put_raw(uint64_t slot)
{
	uint64_t *data = (uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES);

	data[ring->pos % RING_BYTES / DWELL_SLOT_BYTES] = slot;
	ring->pos += DWELL_SLOT_BYTES;
}

static void put_tag(uint32_t tag, uint32_t payload)
{
	if (ring->pos % DWELL_BLOCK_BYTES == 0)
		put_raw(dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(ticks >> 32)));
	put_raw(dwell_slot_make(tag, payload));
}

static void pass_time(void)
{
	uint64_t before = ticks >> 32;

	ticks += one_of(3000) ? UINT64_C(0x80000000) : one_of(40) ? random_number() % 3000 : random_number() % 30;
	if (ticks >> 32 != before)
		put_tag(DWELL_TAG_TIME, (uint32_t)(ticks >> 32));
}

static void put_event(uint64_t place, bool exit, uint32_t with)
{
	pass_time();
	if (place >> 32)
		put_tag(DWELL_TAG_WINDOW, (uint32_t)(place >> 32));
	put_tag((uint32_t)place | exit, (uint32_t)ticks);
	if (with & VALUES && one_of(3))
		put_tag(exit ? DWELL_TAG_RET : DWELL_TAG_ARG, random_number());
}

static uint64_t some_place(uint32_t with)
{
	uint32_t function = random_number() % FUNCTIONS;

	return 0x401000 + function * 0x40 + (with & WINDOWS && function % 2 ? FAR : 0);
}

static void enter(uint32_t with)
{
	struct one_stack *stack = &stacks[current];
	uint64_t place = some_place(with);

	if (stack->depth == DEEP)
		return;
	stack->places[stack->depth++] = place;
	put_event(place, false, with);
}

static void leave(uint32_t with)
{
	struct one_stack *stack = &stacks[current];

	if (stack->depth)
		put_event(stack->places[--stack->depth], true, with);
}

/* To where the function of a LANDED goes on, or where the next exit says. */
static void jump(void)
{
	struct one_stack *stack = &stacks[current];
	uint32_t to = stack->depth ? random_number() % stack->depth : 0;
	bool says = one_of(2);

	if (!stack->depth)
		return;
	for (uint32_t i = to + 1; i < stack->depth && says; i++)
		says = stack->places[i] != stack->places[to]; /* the innermost call of it goes on */
	pass_time();
	put_tag(one_of(2) ? DWELL_TAG_UNWIND_JUMP : DWELL_TAG_UNWIND_CATCH, (uint32_t)ticks);
	if (says && one_of(10)) {
		put_tag(DWELL_TAG_LANDED, 0);
		stack->depth = 0;
	} else if (says && stack->places[to] <= UINT32_MAX) {
		put_tag(DWELL_TAG_LANDED, (uint32_t)stack->places[to]);
		stack->depth = to + 1;
	} else {
		stack->depth = to + 1;
		leave(0);
	}
}

static void swap(uint32_t with)
{
	current = random_number() % STACKS;
	if (current && with & ENDS && one_of(10)) {
		put_tag(DWELL_TAG_STACK, current | DWELL_STACK_BEGINS);
		stacks[current].depth = 0;
	} else {
		put_tag(DWELL_TAG_STACK, current);
	}
}

static void lose(void)
{
	struct one_stack *stack = &stacks[current];
	uint32_t pops = stack->depth ? random_number() % (stack->depth + 1) : 0, pushes = stack->depth - pops < DEEP && one_of(2);

	if (one_of(3)) { /* off and on again, while calls may have ended */
		pass_time();
		put_tag(DWELL_TAG_OFF, (uint32_t)ticks);
		pass_time();
		put_tag(DWELL_TAG_ON, (uint32_t)ticks);
		return;
	}
	put_tag(DWELL_TAG_LOST, one_of(5) ? 0 : 1 + random_number() % 9);
	put_tag(DWELL_TAG_LOST_POPS, pops);
	put_tag(DWELL_TAG_LOST_PUSHES, pushes);
	stack->depth -= pops;
	if (pushes)
		stack->places[stack->depth++] = some_place(0);
}

static void stray(void)
{
	struct one_stack *stack = &stacks[current];

	if (one_of(4))
		put_tag(DWELL_TAG_HOLE, 0);
	else if (one_of(3))
		put_tag(999, 1);
	else if (one_of(2) && stack->depth)
		put_event(0x409000, true, 0);
	else if (one_of(2))
		put_event(some_place(0), true, 0);
	else {
		put_tag(DWELL_TAG_ENTRY, 0x401010);
		put_event(0x408000, false, 0);
	}
}

static void make_some(uint32_t with)
{
	if (with & JUMPS && one_of(60))
		jump();
	else if (with & SWAPS && one_of(50))
		swap(with);
	else if (with & GAPS && one_of(200))
		lose();
	else if (with & STRAYS && one_of(150))
		stray();
	else if (with & MARKS && one_of(150)) {
		pass_time();
		if ((ring->pos + DWELL_SLOT_BYTES) % DWELL_BLOCK_BYTES == 0) /* the recorder pushes both in one block */
			put_tag(DWELL_TAG_TIME, (uint32_t)(ticks >> 32));
		put_tag(DWELL_TAG_MARK, (uint32_t)ticks);
		put_tag(DWELL_TAG_MARK_TEXT, 1);
	} else if (one_of(2))
		enter(with);
	else
		leave(with);
}

/* That all calls are counted. */
#define COUNTED UINT64_MAX

/* One file. seed says which events, and limit 0 that all are listed. */
static uint64_t write_file(uint64_t with_seed, uint32_t with, uint32_t events, uint64_t limit, bool from_start, uint32_t *sums)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct message_thread thread = {.stream = STREAM, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	struct message_switch off;
	uint64_t told_ticks, off_ticks = 0, written;
	struct drain drain;

	memset(stacks, 0, sizeof stacks);
	current = 0;
	seed = with_seed;
	told_ticks = 0;
	ticks = UINT64_C(0x5ffff0000);
	ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	ring->commits_last = 1;
	ring->room = RING_BYTES;
	CHECK(writer && workers && drain_begin(&drain, STREAM, ring, RING_BYTES));
	if (limit == COUNTED)
		drain.count = make_count();
	else if (limit)
		drain.longer = make_longer(limit, from_start);
	trace_writer_thread(writer, &thread);
	while (ring->pos / DWELL_SLOT_BYTES < events) {
		uint64_t from = ticks;
		bool ends_now;

		for (uint32_t i = random_number() % 3000; i--;)
			make_some(with);
		ends_now = one_of(2);
		if (with & SWITCHES) {
			struct message_switches message = {.stream = STREAM,
				.from_ticks = told_ticks,
				.until_ticks = ticks,
				.switches = &off,
				.count = 1,
				.off_before_ticks = off_ticks};

			off.out_ticks = from + random_number() % (ticks - from + 1);
			off.in_ticks = off.out_ticks + random_number() % (ticks - off.out_ticks + 1) / 8;
			off.preempted = one_of(2);
			CHECK(trace_writer_switches(writer, &message));
			if (drain.longer)
				CHECK(longer_tell_switches(drain.longer, &off, 1));
			told_ticks = ticks;
			off_ticks += off.in_ticks - off.out_ticks;
		}
		/* Behind a gap readers take in what the next chunk says of open calls, wherever that is: it must be the same in both. */
		if (with & (GAPS | STRAYS) && ring->pos / DWELL_SLOT_BYTES < events)
			continue;
		drain_take(&drain, drain_available(&drain, false), true, workers, writer);
		drain_wait(&drain);
		if (ends_now && (drain.longer || drain.count))
			drain_write_sums(&drain, 0, NULL, writer);
		*sums += ends_now && drain.longer;
	}
	drain_finish(&drain, NULL, writer);
	written = drain.events;
	CHECK(trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 0);
	drain_end(&drain);
	free(ring);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
	return written;
}

static struct model *read_file(struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .thread_trees = true};
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct model *model = make_model(&options, diag);
	struct message message;

	CHECK(reader && model);
	do {
		reader_next(reader, &message);
		if (message.kind != MESSAGE_END)
			model_feed(model, &message);
	} while (message.kind != MESSAGE_END);
	model_finish(model);
	free_reader(reader);
	CHECK_EQ(diag_status(diag), 0);
	if (diag_status(diag))
		diag_print(diag, stdout);
	return model;
}

static uint32_t find_name(const struct model *model, const char *name)
{
	struct functions *functions = model_get_functions(model);

	for (uint32_t id = 0; id < functions_count(functions); id++)
		if (!strcmp(functions_get_name(functions, id), name))
			return id;
	return FUNCTION_NONE;
}

static void compare_off(const struct profile_off *a, const struct profile_off *b)
{
	CHECK_EQ(a->ticks, b->ticks);
	CHECK_EQ(a->preempted_ticks, b->preempted_ticks);
	CHECK_EQ(a->unknown_ticks, b->unknown_ticks);
}

static void compare_function(const struct profile_function *a, const struct profile_function *b, bool same_paths)
{
	struct histogram_bucket one, other;
	uint32_t at = 0, at_other = 0;

	CHECK_EQ(a->calls, b->calls);
	CHECK_EQ(a->open_calls, b->open_calls);
	CHECK_EQ(a->untimed_calls, b->untimed_calls);
	if (same_paths)
		CHECK_EQ(a->total, b->total);
	CHECK_EQ(a->self, b->self);
	CHECK_EQ(a->complete, b->complete);
	CHECK_EQ(a->min, b->min);
	CHECK_EQ(a->max, b->max);
	CHECK_EQ(a->sum, b->sum);
	CHECK_EQ(a->durations.count, b->durations.count);
	while (histogram_next(&a->durations, &at, &one)) {
		CHECK(histogram_next(&b->durations, &at_other, &other));
		CHECK_EQ(one.low, other.low);
		CHECK_EQ(one.count, other.count);
	}
	compare_off(&a->self_off, &b->self_off);
	compare_off(&a->total_off, &b->total_off);
}

/* The same paths with the same figures, whatever the order; how many. */
static uint32_t compare_tree(const struct model *a, const struct tree *tree, const struct model *b, const struct tree *other)
{
	uint32_t *same = calloc(tree->count, sizeof *same), nodes = 0;

	same[tree->root] = other->root;
	for (uint32_t at = tree_next(tree, tree->root, tree->root); at; at = tree_next(tree, at, tree->root)) {
		const struct tree_node *node = &tree->nodes[at], *found;
		const char *name = functions_get_name(model_get_functions(a), node->function);
		uint32_t id = find_name(b, name), child = other->nodes[same[node->parent]].first_child;

		while (child && other->nodes[child].function != id)
			child = other->nodes[child].next_sibling;
		CHECK(child != TREE_NONE);
		if (!child)
			break;
		same[at] = child;
		found = &other->nodes[child];
		CHECK_EQ(node->calls, found->calls);
		CHECK_EQ(node->total, found->total);
		CHECK_EQ(node->self, found->self);
		CHECK_EQ(node->self_off, found->self_off);
		nodes++;
	}
	free(same);
	return nodes;
}

static void compare_thread(const struct profile_thread *a, const struct profile_thread *b)
{
	CHECK(a->balanced && b->balanced && a->off_balanced && b->off_balanced);
	CHECK_EQ(a->calls, b->calls);
	CHECK_EQ(a->first_ticks, b->first_ticks);
	CHECK_EQ(a->last_ticks, b->last_ticks);
	CHECK_EQ(a->self_ticks, b->self_ticks);
	CHECK_EQ(a->lost_ticks, b->lost_ticks);
	CHECK_EQ(a->outside_ticks, b->outside_ticks);
	CHECK_EQ(a->lost_events, b->lost_events);
	CHECK_EQ(a->unmatched_exits, b->unmatched_exits);
	CHECK_EQ(a->unwound_calls, b->unwound_calls);
	CHECK_EQ(a->no_entry_calls, b->no_entry_calls);
	CHECK_EQ(a->backward_events, b->backward_events);
	CHECK_EQ(a->lost_unwinds, b->lost_unwinds);
	compare_off(&a->off, &b->off);
	compare_off(&a->off_self, &b->off_self);
}

static uint64_t sum_of(const struct tree *tree)
{
	uint64_t sum = 0;

	for (uint32_t at = TREE_ROOT; at < tree->count; at++)
		sum += tree->nodes[at].self;
	return sum;
}

/* Where a call turns out to be around others that began before the data, it is not for those that were counted. */
static void compare(const struct model *a, const struct model *b, bool same_paths)
{
	const struct profile *one = model_get_profile(a), *other = model_get_profile(b);
	uint32_t nodes;

	CHECK_EQ(functions_count(model_get_functions(a)), functions_count(model_get_functions(b)));
	CHECK_EQ(one->total, other->total);
	for (uint32_t id = 0; id < one->function_count; id++) {
		uint32_t same = find_name(b, functions_get_name(model_get_functions(a), id));

		CHECK(same < other->function_count);

		if (same < other->function_count)
			compare_function(&one->functions[id], &other->functions[same], same_paths);
	}
	CHECK_EQ(one->thread_count, other->thread_count);
	compare_thread(&one->threads[0], &other->threads[0]);
	CHECK_EQ(sum_of(&one->tree), one->total);
	CHECK_EQ(sum_of(&other->tree), other->total);
	if (!same_paths)
		return;
	nodes = compare_tree(a, &one->tree, b, &other->tree);
	CHECK_EQ(compare_tree(b, &other->tree, a, &one->tree), nodes);
	CHECK_EQ(compare_tree(a, thread_trees_find(&one->thread_trees, STREAM), b, thread_trees_find(&other->thread_trees, STREAM)), nodes);
}

static void try(uint32_t with, uint64_t which, uint64_t limit, bool from_start)
{
	struct diag *diag = make_diag(), *other_diag = make_diag();
	uint32_t events = 2000 + (uint32_t)(which * 7919 % 20000), sums = 0;
	uint64_t all = write_file(which, with, events, 0, false, &sums), listed;
	struct model *a = read_file(diag), *b;
	int bad = tap_bad;

	listed = write_file(which, with, events, limit, from_start, &sums);
	b = read_file(other_diag);
	CHECK(limit == COUNTED || listed <= all);
	/* Calls that were entered in a gap are told by what they turned out to be, not as unknown ones. */
	compare(a, b, !(with & STRAYS) && !(with & GAPS && (with & (JUMPS | SWAPS) || limit == COUNTED)));
	if (!bad && tap_bad)
		printf("# with %u, which %llu, limit %llu\n", with, (unsigned long long)which, (unsigned long long)limit);
	free_model(a);
	free_model(b);
	free_diag(diag);
	free_diag(other_diag);
}

static void try_many(uint32_t with, bool from_start)
{
	static const uint64_t limits[] = {1, 20, 150, 2500};

	for (uint64_t which = 1; which <= 12 && !tap_bad; which++)
		try(with, which, limits[which % 4], from_start);
}

TEST(plain_calls)
{
	try_many(0, true);
	try_many(VALUES | WINDOWS, true);
	try_many(MARKS, true);
}

TEST(jumps_and_stacks)
{
	try_many(JUMPS, true);
	try_many(SWAPS | ENDS, true);
	try_many(JUMPS | SWAPS | ENDS | VALUES | WINDOWS | MARKS, true);
}

TEST(gaps_and_strays)
{
	try_many(GAPS, true);
	try_many(STRAYS, false);
	try_many(GAPS | JUMPS | SWAPS | ENDS | STRAYS | VALUES | WINDOWS | MARKS, false);
}

/* No call is listed, and all of them are there; but for a hole, which has no place in a sum. */
TEST(all_are_counted)
{
	static const uint32_t kinds[] = {0, VALUES | WINDOWS, MARKS, JUMPS, SWAPS, GAPS, JUMPS | SWAPS | VALUES | WINDOWS | MARKS};

	for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (uint64_t which = 1; which <= 12 && !tap_bad; which++)
			try(kinds[i], which, COUNTED, true);
}

TEST(off_the_cpu)
{
	try_many(SWITCHES, true);
	try_many(SWITCHES | JUMPS | MARKS, true);
}

/* It must be worth it: of calls that are nearly all short, nearly none is left. */
TEST(is_small)
{
	uint32_t sums = 0;
	uint64_t all = write_file(3, 0, 100000, 0, true, &sums), listed = write_file(3, 0, 100000, 100000, true, &sums);

	CHECK(listed * 20 < all);
	CHECK(sums > 0);
}

int main(void)
{
	zoo_scratch(path, "longer.dwell");
	RUN(plain_calls);
	RUN(jumps_and_stacks);
	RUN(gaps_and_strays);
	RUN(all_are_counted);
	RUN(off_the_cpu);
	RUN(is_small);
	unlink(path);
	return tap_done();
}
