/* What a hostile program may write where it counts its own calls: what no calls could have made is not believed, whichever field says it;
 * and whatever is believed can be written, and read. */
#include "relay_base.h"

#include <sys/mman.h>

#include "check.h"
#include "reader/reader.h"
#include "writer/trace/dwell.h"
#include "zoo.h"

#define STREAM 5u

static struct relay_base base;
static struct dwell_relay_state *state;
static struct dwell_frame *frames;
static struct dwell_paths paths;

static void begin_base(void)
{
	CHECK(base_begin(&base));
	state = dwell_relay_state(base.shared, BASE_BUFFER);
	frames = dwell_relay_frames(base.shared, BASE_BUFFER);
	paths = base_paths(&base);
}

/* It says something else when record looks again. */
static void end_changed(int64_t by)
{
	uint64_t position, events = 0;
	bool releases;

	CHECK(relay_see(&base.relay, base.end, false, &position));
	state->position += (uint64_t)by;
	CHECK(!relay_begin(&base.relay, base.count, &events, &releases) && base.relay.broken && !events);
	base_end(&base);
}

/* Nothing of it is counted, and it is not asked again. */
static void end_refused(const char *what)
{
	uint64_t position, events = 0;
	bool releases, refused;
	int bad = tap_bad;

	refused = !relay_see(&base.relay, base.end, false, &position) || !relay_begin(&base.relay, base.count, &events, &releases);
	CHECK(refused && base.relay.broken);
	CHECK(!events && !base.count->events && base.count->sums.paths.node_count == 1);
	CHECK(!relay_see(&base.relay, base.end, false, &position) && !base.relay.is_due);
	if (!bad && tap_bad)
		printf("# %s\n", what);
	base_end(&base);
}

/* With this done to what the thread said. */
#define REFUSED(change)                                                                                                            \
	do {                                                                                                                       \
		begin_base();                                                                                                      \
		change;                                                                                                            \
		end_refused(#change);                                                                                              \
	} while (0)

TEST(as_it_is)
{
	begin_base();
	CHECK_EQ(state->stack_count, 2);
	CHECK_EQ(state->stacks[0].pair.depth, 3);
	CHECK_EQ(state->stacks[1].pair.depth, 1);
	CHECK(paths.node_count > 3 && paths.function_count >= 3 && paths.octave_count > 1);
	CHECK(base_take_over(&base));
	CHECK_EQ(base.count->events, 11 + 5);
	base_end(&base);
}

TEST(positions)
{
	REFUSED(state->position += 4);
	REFUSED(state->position += DWELL_SLOT_BYTES);
	REFUSED(state->position = UINT64_MAX - 7);
	REFUSED(state->position = 0);
	begin_base();
	end_changed(DWELL_SLOT_BYTES);
	begin_base();
	end_changed(-(int64_t)DWELL_SLOT_BYTES);
	REFUSED(state->floor_ticks = state->stacks[0].pair.last_ticks + 1);
}

TEST(numbers_of_calls)
{
	REFUSED(state->events = 1000);
	REFUSED(state->no_entry_calls = UINT64_MAX);
	REFUSED(state->gap_calls = UINT64_MAX);
	REFUSED(state->paths.other_calls = UINT64_MAX);
	REFUSED(paths.nodes[1].calls = 1000);
	REFUSED(paths.nodes[1].calls = UINT64_MAX; paths.nodes[2].calls = 2);
	REFUSED(paths.functions[0].folded_calls = 1000);
}

TEST(stacks)
{
	REFUSED(state->stack_count = 0);
	REFUSED(state->stack_count = DWELL_RELAY_STACKS + 1);
	REFUSED(state->stack_count = UINT32_MAX);
	REFUSED(state->stacks[0].number = 7);
	REFUSED(state->stacks[1].number = 0);
	REFUSED(state->stacks[1].number = DWELL_STACK_BEGINS | 1);
	REFUSED(state->stacks[1].first = DWELL_RELAY_THREAD_FRAMES);
	REFUSED(state->stacks[1].first = UINT32_MAX);
	REFUSED(state->stacks[1].pair.depth = UINT32_MAX);
	REFUSED(state->stacks[0].first = state->stacks[1].first = 0;
		state->stacks[0].pair.depth = state->stacks[1].pair.depth = DWELL_RELAY_THREAD_FRAMES);
	REFUSED(state->stack = 2);
	REFUSED(state->next_stack = DWELL_STACK_BEGINS);
}

TEST(pairings)
{
	REFUSED(state->stacks[0].pair.beyond = 1);
	REFUSED(state->stacks[0].pair.due = 1);
	REFUSED(state->stacks[0].pair.due_last = 1);
	REFUSED(state->stacks[0].pair.lost_pushes = 1);
	REFUSED(state->stacks[1].pair.state = 1u << 8);
	REFUSED(state->stacks[0].pair.state = 1u << 0);
	REFUSED(state->stacks[0].pair.state = 1u << 2);
	REFUSED(state->stacks[0].pair.state = 1u << 3);
	REFUSED(state->stacks[0].pair.state = 1u << 5);
	REFUSED(state->stacks[1].pair.land_flags = UINT32_MAX);
	REFUSED(state->stacks[0].pair.deepest = 0);
	REFUSED(state->stacks[0].pair.search_left++);
	REFUSED(state->stacks[0].pair.first_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.section_first_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.section_first_ticks = 0);
	REFUSED(state->stacks[0].pair.section_ticks = UINT64_MAX);
	REFUSED(state->stacks[1].pair.section_ticks = 1);
	REFUSED(state->stacks[0].pair.lost_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.wait_lost_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.wait_off_ticks = UINT64_MAX);
	REFUSED(state->stacks[1].pair.wait_off_ticks = UINT64_MAX / 2; state->stacks[1].pair.wait_lost_ticks = UINT64_MAX / 2 + 5);
	REFUSED(state->stacks[0].pair.wait_end_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.land_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.land_ticks = state->stacks[0].pair.first_ticks);
}

TEST(open_calls)
{
	struct dwell_frame *own, *other;

	REFUSED(own = frames + state->stacks[0].first; own[0].enter_ticks = own[1].enter_ticks + 1);
	REFUSED(own = frames + state->stacks[0].first; own[2].enter_ticks = UINT64_MAX);
	REFUSED(own = frames + state->stacks[0].first; own[0].child_ticks = 1000);
	REFUSED(other = frames + state->stacks[1].first; other[0].child_ticks = UINT64_MAX);
	REFUSED(state->stacks[0].pair.last_ticks = 0);
	REFUSED(state->stacks[1].pair.last_ticks = 0);
}

TEST(sums)
{
	uint32_t function;

	REFUSED(state->paths.node_count = 0);
	REFUSED(state->paths.node_count = DWELL_RELAY_NODES + 1);
	REFUSED(state->paths.node_count = UINT32_MAX);
	REFUSED(state->paths.function_count = DWELL_RELAY_FUNCTIONS + 1);
	REFUSED(state->paths.function_count = 0);
	REFUSED(state->paths.octave_count = DWELL_RELAY_OCTAVES + 1);
	REFUSED(state->paths.octave_count = 0);
	REFUSED(paths.nodes[2].parent = 2);
	REFUSED(paths.nodes[1].parent = UINT32_MAX);
	REFUSED(paths.nodes[1].function = state->paths.function_count);
	REFUSED(paths.nodes[1].self_ticks = paths.nodes[1].total_ticks + 1);
	REFUSED(paths.nodes[1].total_ticks = UINT64_MAX);
	REFUSED(paths.nodes[1].total_ticks = 10 * state->stacks[0].pair.last_ticks);
	REFUSED(paths.functions[0].octaves[DWELL_DURATION_OCTAVES - 1] = state->paths.octave_count + 1);
	REFUSED(for (function = 0; function < paths.function_count; function++) paths.functions[function].min_ticks = UINT64_MAX);
	REFUSED(paths.octaves[0][DWELL_DURATION_STEPS - 1] = UINT64_MAX);
}

/* What is not believed may still be any bytes. */
TEST(bools)
{
	begin_base();
	memset(&state->stacks[0].pair.section_missed, 0xee, 1);
	memset(&state->stacks[1].pair.section_inherited, 0x80, 1);
	memset(&state->paths.full, 0x42, 1);
	memset(&paths.functions[0].incomplete, 0xff, 1);
	CHECK(base_take_over(&base));
	base_end(&base);
}

/* What was told once may not be taken back. */
static void begin_second(void)
{
	const uint64_t slots[] = {dwell_slot_enter(0x401000, 7000), dwell_slot_exit(0x401000, 7010)};

	begin_base();
	CHECK(base_take_over(&base));
	CHECK(base_turn(&base, slots, 2));
	CHECK_EQ(dwell_relay_buffer(dwell_relay_load(base.shared)), BASE_BUFFER);
}

#define REFUSED_AGAIN(change)                                                                                                      \
	do {                                                                                                                       \
		uint64_t told, position, events = 0;                                                                               \
		bool releases;                                                                                                     \
		begin_second();                                                                                                    \
		told = base.count->events;                                                                                         \
		change;                                                                                                            \
		CHECK(relay_see(&base.relay, base.end, false, &position));                                                         \
		if (!CHECK(!relay_begin(&base.relay, base.count, &events, &releases) && base.relay.broken))                        \
			printf("# %s\n", #change);                                                                                 \
		CHECK_EQ(base.count->events, told);                                                                                \
		base_end(&base);                                                                                                   \
	} while (0)

TEST(second_turn)
{
	begin_second();
	CHECK(base_take_over(&base));
	base_end(&base);
	REFUSED_AGAIN(state->stacks[0].pair.lost_events = 0);
	REFUSED_AGAIN(state->stacks[0].pair.lost_ticks = 0);
	REFUSED_AGAIN(state->stacks[1].pair.unmatched_exits = 0);
	REFUSED_AGAIN(state->stacks[0].pair.unwound_calls = 0);
	REFUSED_AGAIN(state->stacks[0].pair.deepest = state->stacks[0].pair.depth);
	REFUSED_AGAIN(state->stacks[0].pair.first_ticks--);
	REFUSED_AGAIN(state->stacks[0].pair.search_left = UINT32_MAX);
	REFUSED_AGAIN(state->stack_count = 1);
	REFUSED_AGAIN(state->stacks[1].number = 2);
	REFUSED_AGAIN(state->events = 100);
}

/* Words that no thread writes. */
TEST(words)
{
	uint64_t position;

	for (uint32_t owner = 0; owner < 8; owner++)
		for (uint32_t buffer = 0; buffer < DWELL_RELAY_BUFFERS; buffer++)
			for (uint32_t taken = 0; taken < 2; taken++) {
				begin_base();
				base.shared->word = dwell_relay_word((enum dwell_relay_owner)owner, buffer, taken, 77);
				base.shared->claims[0] = base.shared->claims[1] = UINT64_MAX;
				base_take_over(&base);
				relay_see(&base.relay, base.end, true, &position);
				CHECK(base.relay.position <= base.end);
				/* Nobody else releases; and record was not in that buffer. */
				if (owner >= DWELL_RELAY_RELEASES || buffer == 1)
					CHECK(base.relay.broken);
				base_end(&base);
			}
}

/* ---- whatever is believed ---- */

static char path[64];

static void write_and_read(void)
{
	struct diag *diag = make_diag(), *reader_diag = make_diag();
	struct message_header header = zoo_header();
	struct message_thread thread = {.stream = STREAM, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct reader *reader;
	struct message message;

	trace_writer_thread(writer, &thread);
	base_write(&base, STREAM, writer);
	CHECK(trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 0);
	free_trace_writer(writer);
	reader = make_reader(make_source(path, reader_diag), reader_diag);
	do
		reader_next(reader, &message);
	while (message.kind != MESSAGE_END);
	CHECK_EQ(diag_status(reader_diag), 0);
	free_reader(reader);
	free_diag(diag);
	free_diag(reader_diag);
}

static uint64_t drawn = 1;

static uint32_t random_number(void)
{
	drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(drawn >> 32);
}

static void spoil(void)
{
	unsigned char *parts[] = {(unsigned char *)state, (unsigned char *)frames, (unsigned char *)paths.nodes,
		(unsigned char *)paths.functions, (unsigned char *)paths.octaves};
	const size_t sizes[] = {offsetof(struct dwell_relay_state, stacks) + 2 * sizeof *state->stacks, 200 * sizeof *frames,
		paths.node_count * sizeof *paths.nodes, paths.function_count * sizeof *paths.functions,
		paths.octave_count * sizeof *paths.octaves};
	static const uint64_t values[] = {0, 1, 2, 0x7f, 0xffff, UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_MAX};
	uint32_t part = random_number() % 5, bytes = 1u << random_number() % 4;
	size_t at = random_number() % sizes[part] / bytes * bytes;
	uint64_t value = values[random_number() % (sizeof values / sizeof *values)];

	memcpy(parts[part] + at, &value, bytes);
}

TEST(spoilt)
{
	uint32_t believed = 0, refused = 0;

	snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("relay", 0));
	for (uint32_t i = 0; i < 1500 && !tap_bad; i++) {
		begin_base();
		for (uint32_t k = random_number() % 3; k + 1; k--)
			spoil();
		if (base_take_over(&base))
			believed++;
		else
			refused++;
		write_and_read();
		base_end(&base);
	}
	CHECK(believed > 100 && refused > 100);
}

int main(void)
{
	RUN(as_it_is);
	RUN(positions);
	RUN(numbers_of_calls);
	RUN(stacks);
	RUN(pairings);
	RUN(open_calls);
	RUN(sums);
	RUN(bools);
	RUN(second_turn);
	RUN(words);
	RUN(spoilt);
	return tap_done();
}
