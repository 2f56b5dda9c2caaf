/* Random traces with everything that makes one chunk depend on another, read by one thread and by several: both ways must have the
 * same results, byte by byte.
 * Takes long, hundreds of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/tree.h"
#include "check.h"
#include "core/fold.h"
#include "core/slot.h"
#include "model/model.h"
#include "query/parallel/parallel.h"
#include "unit/cmd/rows.h"
#include "unit/cmd/tell.h"
#include "util/bytes.h"
#include "writer/export/folded.h"
#include "writer/trace/dwell.h"

enum { STREAMS = 4, FUNCTIONS = 40, DEEP = 200, CHUNK_SLOTS = 300, MODULES = 6 };

#define START (UINT64_C(5) << 32)

/* Where modules are mapped, one after the other. */
#define PLACE(function) (0x400000u + (function) * 0x1000u)

enum flaw {
	FLAW_UNWINDS = 1, /* longjmps, missing exits, missing entries */
	FLAW_LOSS = 2,
	FLAW_OFF = 4,
	FLAW_CHECKPOINTS = 8, /* that are lies */
	FLAW_MODULES = 16,    /* mapped while it runs */
	FLAW_BEGUN = 32,      /* threads that were running before, deep down */
	FLAW_LATE = 64,       /* stamps */
	FLAW_GAPS = 128,      /* chunks that could not be written */
	FLAW_SWITCHES = 256,  /* threads that are off the CPU, or of which that is not known, told early and late */
	FLAW_FAULTS = 2048,   /* page faults, told early and late */
	FLAW_HELD = 1024,     /* by the recorder, all the time */
	FLAW_VALUES = 512,    /* no flaw: arguments, and what is returned; and some that are of nobody */
};

struct stream {
	struct dwell_pair pair; /* as a drainer has it */
	struct dwell_frame frames[DEEP];
	struct dwell_fold fold;
	uint32_t stack[DEEP], depth; /* what the program does */
	uint64_t now;
	uint32_t high;
	bool ended;
	uint64_t off_ticks, known_ticks; /* where the next interval may begin; until when all is told */
	uint64_t fault_ticks, faults; /* the last page fault; their number */
};

struct world {
	uint64_t random;
	unsigned flaws;
	uint64_t now;
	struct packer *packer; /* of traces that are packed, else null */
	struct stream streams[STREAMS];
	uint64_t slots[CHUNK_SLOTS + 64];
	uint32_t count, events;
	uint64_t first, last;
};

static uint32_t pick(struct world *world, uint32_t count)
{
	world->random = world->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(world->random >> 33) % count;
}

static bool has(const struct world *world, enum flaw flaw)
{
	return world->flaws & flaw;
}

static void put(struct world *world, uint32_t low, uint32_t high)
{
	world->slots[world->count++] = dwell_slot_make(low, high);
}

static void pass(struct world *world, struct stream *stream)
{
	stream->now += pick(world, 50);
	if (!pick(world, 400))
		stream->now += (uint64_t)pick(world, 1u << 30) * 8;
	if (stream->high == stream->now >> 32)
		return;
	stream->high = (uint32_t)(stream->now >> 32);
	put(world, DWELL_TAG_TIME, stream->high);
}

static void put_event(struct world *world, struct stream *stream, uint32_t function, bool is_exit)
{
	uint32_t stamp = (uint32_t)stream->now, place = PLACE(function);

	if (has(world, FLAW_LATE) && !pick(world, 200))
		stamp += pick(world, 300);
	put(world, is_exit ? place | 1u : place, stamp);
	world->events++;
	for (uint32_t i = has(world, FLAW_VALUES) ? pick(world, 5) : 0; i; i--)
		put(world, (is_exit ? DWELL_TAG_RET : DWELL_TAG_ARG) + !pick(world, 3), pick(world, 1000));
}

static void enter(struct world *world, struct stream *stream)
{
	uint32_t function = pick(world, 4) ? pick(world, FUNCTIONS) : pick(world, 5);

	if (stream->depth && !pick(world, 5))
		function = stream->stack[stream->depth - 1];
	if (stream->depth == DEEP - 40)
		return;
	put_event(world, stream, function, false);
	stream->stack[stream->depth++] = function;
}

/* Of a function whose exits are not recorded, often one that is open, or of which others are timed. */
static void enter_alone(struct world *world, struct stream *stream)
{
	put(world, DWELL_TAG_ENTRY, pick(world, 3) ? PLACE(pick(world, FUNCTIONS)) + 8 : 0);
	put_event(world, stream, pick(world, FUNCTIONS), false);
}

static void leave(struct world *world, struct stream *stream)
{
	if (stream->depth)
		put_event(world, stream, stream->stack[--stream->depth], true);
	else if (has(world, FLAW_UNWINDS))
		put_event(world, stream, pick(world, FUNCTIONS), true);
}

/* Rightly or not. */
static void land(struct world *world, struct stream *stream)
{
	if (!pick(world, 3))
		put(world, DWELL_TAG_LANDED, pick(world, 3) << 1 | DWELL_LANDED_ABOVE);
	if (!pick(world, 4))
		put(world, DWELL_TAG_LANDED, PLACE(pick(world, FUNCTIONS)));
	put(world, DWELL_TAG_LANDED, stream->depth ? PLACE(stream->stack[stream->depth - 1]) : 0);
}

static void unwind(struct world *world, struct stream *stream)
{
	put(world, pick(world, 2) ? DWELL_TAG_UNWIND_JUMP : DWELL_TAG_UNWIND_CATCH, (uint32_t)stream->now);
	stream->depth -= stream->depth ? pick(world, stream->depth) : 0;
	if (!pick(world, 3)) {
		land(world, stream);
		return;
	}
	if (stream->depth && pick(world, 2))
		put(world, DWELL_TAG_CALLER, PLACE(stream->stack[stream->depth - 1]) + 8);
	else if (pick(world, 4))
		leave(world, stream);
}

static void lose(struct world *world, struct stream *stream)
{
	uint32_t pops = stream->depth ? pick(world, stream->depth) : 0, pushes = pick(world, 4);

	if (!pick(world, 4)) {
		put(world, DWELL_TAG_HOLE, 0);
		return;
	}
	put(world, DWELL_TAG_LOST, pick(world, 50));
	put(world, DWELL_TAG_LOST_POPS, pops);
	put(world, DWELL_TAG_LOST_PUSHES, pushes);
	stream->depth -= pops;
	for (; pushes; pushes--)
		stream->stack[stream->depth++] = pick(world, FUNCTIONS);
}

/* And now and then it does not end, or is none. */
static void hold(struct world *world, struct stream *stream)
{
	if (pick(world, 8))
		put(world, DWELL_TAG_HELD, (uint32_t)stream->now);
	pass(world, stream);
	stream->now += pick(world, 3) * 100;
	if (pick(world, 8))
		put(world, DWELL_TAG_HELD_END, (uint32_t)stream->now);
}

static void hold_well(struct world *world, struct stream *stream)
{
	put(world, DWELL_TAG_HELD, (uint32_t)stream->now);
	pass(world, stream);
	put(world, DWELL_TAG_HELD_END, (uint32_t)stream->now);
}

static void step(struct world *world, struct stream *stream)
{
	uint32_t what = pick(world, 1000);

	pass(world, stream);
	if (what < 4 && has(world, FLAW_UNWINDS))
		unwind(world, stream);
	else if (what < 6 && has(world, FLAW_UNWINDS))
		stream->depth -= stream->depth ? pick(world, stream->depth) : 0; /* and nobody says so */
	else if (what < 8 && has(world, FLAW_LOSS))
		lose(world, stream);
	else if (what < 11 && has(world, FLAW_OFF))
		put(world, pick(world, 2) ? DWELL_TAG_OFF : DWELL_TAG_ON, (uint32_t)stream->now);
	else if (what < 14 && has(world, FLAW_OFF))
		hold(world, stream);
	else if (what < 40 && has(world, FLAW_HELD))
		hold_well(world, stream);
	else if (what == 14)
		put(world, 3000, 0); /* a tag of the future */
	else if (what < 50)
		enter_alone(world, stream);
	else if (pick(world, 20) < (stream->depth < 12 ? 12u : 9u))
		enter(world, stream);
	else
		leave(world, stream);
}

static uint32_t tell_frames(struct world *world, const struct stream *stream, struct message_frame *frames)
{
	for (uint32_t i = 0; i < stream->pair.depth; i++) {
		const struct dwell_frame *frame = &stream->frames[i];
		bool known = frame->id != DWELL_ID_UNKNOWN;

		frames[i] = (struct message_frame){.place = known ? frame->id : 0,
			.enter_ticks = frame->enter_ticks,
			.child_ticks = frame->child_ticks,
			.no_entry = frame->flags & DWELL_CALL_NO_ENTRY,
			.no_place = !known};
		if (has(world, FLAW_CHECKPOINTS) && !pick(world, 30))
			frames[i].enter_ticks -= pick(world, 3);
		if (has(world, FLAW_CHECKPOINTS) && !pick(world, 30))
			frames[i].place = PLACE(pick(world, FUNCTIONS + 20));
		if (has(world, FLAW_CHECKPOINTS) && !pick(world, 30))
			frames[i].child_ticks += pick(world, 30);
	}
	return stream->pair.depth;
}

/* Up to somewhere near last, or far behind it, as for many chunks. */
static void tell_switches(struct world *world, struct trace_writer *writer, uint32_t number, uint64_t last)
{
	struct stream *stream = &world->streams[number];
	uint64_t until = last + (pick(world, 3) ? pick(world, 100) : pick(world, 20000));
	struct message_switch switches[100];
	struct message_switches message = {.stream = number, .from_ticks = stream->known_ticks, .switches = switches};

	if (!pick(world, 5)) /* nothing is known for a while */
		stream->off_ticks = message.from_ticks = (stream->known_ticks ? stream->known_ticks : START) + pick(world, 3000);
	if (stream->off_ticks < START || (until > stream->off_ticks && until - stream->off_ticks > 100000))
		stream->off_ticks = until > 10000 ? until - 10000 : 0;
	while (message.count < 100 && stream->off_ticks < until) {
		uint64_t out = stream->off_ticks + pick(world, 400), in = out + pick(world, pick(world, 4) ? 50 : 3000);

		switches[message.count++] = (struct message_switch){out, in, pick(world, 2)};
		stream->off_ticks = in;
	}
	message.until_ticks = until > message.from_ticks ? until : message.from_ticks;
	stream->known_ticks = message.until_ticks;
	trace_writer_switches(writer, &message);
}

/* Up to somewhere behind last, as at an event or between. */
static void tell_faults(struct world *world, struct trace_writer *writer, uint32_t number, uint64_t last)
{
	struct stream *stream = &world->streams[number];
	uint64_t until = last + (pick(world, 3) ? pick(world, 100) : pick(world, 20000));
	struct message_fault faults[200];
	struct message_faults message = {.stream = number,
		.from_ticks = stream->fault_ticks,
		.until_ticks = until > stream->fault_ticks ? until : stream->fault_ticks,
		.before = stream->faults,
		.faults = faults};

	if (until > stream->fault_ticks && until - stream->fault_ticks > 100000)
		stream->fault_ticks = until - 10000;
	while (message.count < 200 && stream->fault_ticks < until) {
		stream->fault_ticks += 1 + pick(world, 200);
		faults[message.count++] = (struct message_fault){stream->fault_ticks, pick(world, 2)};
	}
	if (message.until_ticks < stream->fault_ticks)
		message.until_ticks = stream->fault_ticks;
	stream->faults += message.count;
	trace_writer_faults(writer, &message);
}

static void write_chunk(struct world *world, struct trace_writer *writer, uint32_t number)
{
	struct stream *stream = &world->streams[number];
	struct message_frame frames[DEEP];
	uint32_t frame_count = tell_frames(world, stream, frames), slots = pick(world, 20) ? pick(world, CHUNK_SLOTS) + 2 : 2;
	uint8_t bytes[sizeof world->slots];
	struct bytes piece;

	world->count = world->events = 0;
	put(world, DWELL_TAG_TIME, stream->high = (uint32_t)(stream->now >> 32));
	while (world->count < slots)
		step(world, stream);
	for (uint32_t i = 0; i < world->count; i++)
		put_u64(bytes + i * DWELL_SLOT_BYTES, world->slots[i]);
	piece = (struct bytes){bytes, world->count * DWELL_SLOT_BYTES};
	dwell_fold_begin(&stream->fold);
	dwell_fold_slots(&stream->fold, world->slots, world->count);
	struct trace_slots run = {.stream = number,
		.packer = world->packer,
		.frames = frames,
		.frame_count = frame_count,
		.pieces = &piece,
		.piece_count = 1,
		.first_ticks = stream->fold.summary.first_ticks,
		.last_ticks = stream->pair.last_ticks,
		.events = world->events};
	for (uint32_t i = has(world, FLAW_SWITCHES) ? pick(world, 4) : 0; i; i--)
		tell_switches(world, writer, number, stream->pair.last_ticks);
	for (uint32_t i = has(world, FLAW_FAULTS) ? pick(world, 4) : 0; i; i--)
		tell_faults(world, writer, number, stream->pair.last_ticks);
	trace_writer_slots(writer, &run);
}

static void declare_module(struct world *world, struct trace_writer *writer, uint32_t number)
{
	char path[64];
	struct message_module module = {.low = PLACE(number * 5),
		.high = PLACE(number * 5 + 9),
		.bias = PLACE(number * 5),
		.load_ticks = number ? world->streams[0].now - pick(world, 1000) : 0,
		.hooked = true,
		.unmapped = number && !pick(world, 4),
		.path = path};

	snprintf(path, sizeof path, "/nowhere/module-%u", pick(world, 8));
	trace_writer_module(writer, &module);
}

static void declare_thread(struct trace_writer *writer, uint32_t number, bool ended)
{
	struct message_thread thread = {.stream = number, .tid = 100 + number, .ended = ended, .name = "thread"};

	trace_writer_thread(writer, &thread);
}

static void begin_streams(struct world *world)
{
	for (uint32_t i = 0; i < STREAMS; i++) {
		struct stream *stream = &world->streams[i];
		struct dwell_frame open[20];
		uint32_t count = has(world, FLAW_BEGUN) ? pick(world, 20) : 0;

		stream->now = START + pick(world, 1000);
		dwell_pair_init(&stream->pair, stream->frames, DEEP);
		dwell_fold_init(&stream->fold, &stream->pair);
		for (uint32_t k = 0; k < count; k++) {
			stream->stack[stream->depth++] = pick(world, FUNCTIONS);
			open[k] = (struct dwell_frame){
				.id = PLACE(stream->stack[k]), .enter_ticks = stream->now - 100 + k, .flags = DWELL_CALL_NO_ENTRY};
		}
		/* Of half of them nobody knew. */
		if (pick(world, 2))
			dwell_pair_adopt(&stream->pair, open, count, stream->now);
	}
}

static void write_trace(struct world *world, const char *path, uint32_t chunks, struct diag *diag)
{
	struct message_header header = {.clock_hz = 1000000000, .clock_bits = 64, .pointer_bytes = 8, .machine = 62};
	struct message_clock clock = {START, 1000, 0};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);

	begin_streams(world);
	trace_writer_clock(writer, &clock);
	declare_module(world, writer, 0);
	for (uint32_t i = 0; i < STREAMS; i++)
		declare_thread(writer, i, false);
	for (uint32_t i = 0; i < chunks; i++) {
		uint32_t number = pick(world, 3) ? 0 : pick(world, STREAMS);

		if (has(world, FLAW_MODULES) && !pick(world, 10))
			declare_module(world, writer, pick(world, MODULES));
		if (!world->streams[number].ended)
			write_chunk(world, writer, number);
		if (number && !pick(world, chunks / 4 + 1) && !world->streams[number].ended) {
			if (has(world, FLAW_FAULTS))
				tell_faults(world, writer, number, world->streams[number].pair.last_ticks);
			world->streams[number].ended = true;
			declare_thread(writer, number, true);
		}
	}
	clock.ticks = world->streams[0].now;
	clock.monotonic_ns = 1000 + clock.ticks - START;
	trace_writer_clock(writer, &clock);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
}

static char *read_trace(const char *path, const struct model_options *options, uint32_t workers, uint32_t segment_chunks)
{
	struct diag *diag = make_diag();
	char *text = tell_source(make_source(path, diag), options, workers, segment_chunks, diag);

	free_diag(diag);
	return text;
}

static unsigned tried, in_parallel;

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))

/* With several of the ways, of which each has its turn as seeds go on. Gives what one thread said, to be freed. */
static char *compare(const char *path, const struct model_options *options, size_t several, unsigned flaws, uint64_t seed)
{
	static const uint32_t ways[][2] = {{2, 1}, {3, 4}, {8, 2}, {2, 17}, {3, 0}};
	char *expected = read_trace(path, options, 0, 0);

	for (size_t turn = 0; turn < several; turn++) {
		size_t i = (seed * several + turn) % ARRAY_LENGTH(ways);
		char *got = read_trace(path, options, ways[i][0], ways[i][1]);

		tried++;
		if (!got)
			continue;
		in_parallel++;
		if (!CHECK(!strcmp(got, expected))) {
			printf("# flaws %u, seed %ju, %u workers, segments of %u chunks%s\n", flaws, seed, ways[i][0], ways[i][1], options->pairs ? ", pairs" : options->no_tree ? ", no tree" : "");
			tell_difference(expected, got);
		}
		free(got);
	}
	return expected;
}

static unsigned asked, picked;
static size_t picked_calls;

/* The same calls in the same order; but for those about which nothing could be said. Each way has its turn. */
static void compare_rows(const char *path, const struct call_filter *filter, const char *function, unsigned flaws, uint64_t seed)
{
	static const uint32_t ways[][2] = {{2, 1}, {3, 4}, {2, 17}};
	static size_t turns;
	const uint32_t *way = ways[turns % ARRAY_LENGTH(ways)];
	size_t count, calls;
	char *expected = rows_read(path, filter, function, 0, 0, 0, &count), *got;

	asked++;
	got = rows_read(path, filter, function, way[0], way[1], SELECTION_CALLS_MAX, &calls);
	if (got) {
		picked++;
		picked_calls += calls;
		CHECK_EQ(calls, count);
		if (!CHECK(!strcmp(got, expected))) {
			printf("# flaws %u, seed %ju, %u workers, segments of %u chunks, longer %ju, depth %ju, function %s\n", flaws, seed,
				way[0], way[1], filter->longer_ns, filter->depth_limit, function ? function : "any");
			tell_difference(expected, got);
		}
		free(got);
	}
	if (count > 1 && turns % 5 == 0) /* too many */
		CHECK(!rows_read(path, filter, function, 2, 4, count - 1, &calls));
	turns++;
	free(expected);
}

static void compare_all_rows(const char *path, unsigned flaws, uint64_t seed)
{
	struct call_filter all = call_filter_all(), longer = all, shallow = all, part = all;

	longer.longer_ns = 1 + (seed % 3) * 1000;
	shallow.depth_limit = 1 + seed % 4;
	part.from_ns = (int64_t)(seed % 5 * 1000);
	part.to_ns = part.from_ns + 5000;
	compare_rows(path, &longer, NULL, flaws, seed);
	compare_rows(path, &shallow, NULL, flaws, seed);
	compare_rows(path, &part, NULL, flaws, seed);
	compare_rows(path, &all, seed % 2 ? "*7*" : "*12*", flaws, seed);
}

/* Rows are the same whether they follow from the paths or are counted call by call. */
static void compare_ways_to_count(const char *by_paths, const char *by_calls, unsigned flaws, uint64_t seed)
{
	size_t size = (size_t)(strstr(by_calls, " functions, total ") - by_calls);

	if (!CHECK(strlen(by_paths) > size && !memcmp(by_paths, by_calls, size))) {
		printf("# flaws %u, seed %ju: call by call, and by paths\n", flaws, seed);
		tell_difference(by_calls, by_paths);
	}
}

/* All of one trace. */
static void compare_all(const char *path, unsigned flaws, uint64_t seed)
{
	const struct model_options all = {.want_profile = true}, rows = {.want_profile = true, .no_tree = true};
	const struct model_options pairs = {.want_profile = true, .pairs = true};
	const struct model_options some = {.want_profile = true, .no_tree = true, .thread = "101"};
	char *by_paths = compare(path, &all, 3, flaws, seed), *by_calls = compare(path, &rows, 2, flaws, seed);

	compare_ways_to_count(by_paths, by_calls, flaws, seed);
	free(by_paths);
	free(by_calls);
	free(compare(path, &pairs, 2, flaws, seed));
	if (seed % 4 == 0)
		free(compare(path, &some, 3, flaws, seed));
	if (!tap_bad && seed % 2)
		compare_all_rows(path, flaws, seed);
}

static void try(unsigned flaws, uint32_t rounds, uint32_t chunks)
{
	static struct world world;
	char path[] = "/tmp/dwell-parallel-XXXXXX";
	struct packer *packer = make_packer();
	int fd = mkstemp(path);

	if (SANITIZED)
		rounds = 4; /* each kind of packing and asking once */
	CHECK(fd >= 0);
	close(fd);
	tried = in_parallel = asked = picked = 0;
	picked_calls = 0;
	for (uint64_t seed = 1; seed <= rounds && !tap_bad; seed++) {
		struct diag *diag = make_diag();

		memset(&world, 0, sizeof world);
		world.random = seed * UINT64_C(0x9e3779b97f4a7c15) + flaws;
		world.flaws = flaws;
		world.packer = seed % 4 ? packer : NULL;
		write_trace(&world, path, chunks, diag);
		CHECK_EQ(diag_status(diag), 0);
		free_diag(diag);
		compare_all(path, flaws, seed);
	}
	unlink(path);
	free_packer(packer);
	if (!has(&world, FLAW_GAPS))
		CHECK_EQ(in_parallel, tried); /* else it says nothing about what it is for */
	if (!has(&world, FLAW_GAPS) && !has(&world, FLAW_MODULES)) /* of which one and the same place is different functions */
		CHECK(picked > asked / 3 && picked_calls > 100);
}

TEST(plain) { try(0, 8, 60); }
/* What began before a part, and ended in it, was held up before it, nearly always: that is none of its time, and no reason to read
 * it again. */
TEST(held)
{
	tell_fed_again = 0;
	try(FLAW_HELD, 8, 60);
	CHECK_EQ(tell_fed_again, 0);
}
TEST(unwinds) { try(FLAW_UNWINDS, 8, 60); }
TEST(loss) { try(FLAW_LOSS, 8, 60); }
TEST(off) { try(FLAW_OFF, 8, 60); }
TEST(checkpoints_that_lie) { try(FLAW_CHECKPOINTS, 8, 60); }
TEST(checkpoints_that_lie_after_loss) { try(FLAW_CHECKPOINTS | FLAW_LOSS, 8, 60); }
TEST(modules_that_come_and_go) { try(FLAW_MODULES | FLAW_UNWINDS, 8, 60); }
TEST(begun_before) { try(FLAW_BEGUN | FLAW_UNWINDS, 8, 60); }
TEST(late_stamps) { try(FLAW_LATE, 8, 60); }
TEST(values) { try(FLAW_VALUES, 8, 60); }
TEST(values_and_flaws) { try(FLAW_VALUES | FLAW_UNWINDS | FLAW_LOSS | FLAW_LATE | FLAW_CHECKPOINTS, 12, 60); }
TEST(switches) { try(FLAW_SWITCHES, 12, 60); }
TEST(switches_and_loss) { try(FLAW_SWITCHES | FLAW_LOSS, 12, 60); }
TEST(switches_and_unwinds) { try(FLAW_SWITCHES | FLAW_UNWINDS | FLAW_BEGUN, 12, 60); }
TEST(faults) { try(FLAW_FAULTS, 12, 60); }
TEST(faults_and_switches) { try(FLAW_FAULTS | FLAW_SWITCHES | FLAW_LOSS | FLAW_UNWINDS | FLAW_BEGUN, 12, 60); }
TEST(switches_and_all_together) {
	try(FLAW_SWITCHES | FLAW_UNWINDS | FLAW_LOSS | FLAW_OFF | FLAW_CHECKPOINTS | FLAW_MODULES | FLAW_BEGUN | FLAW_LATE, 16, 80);
}
TEST(all_together) { try(FLAW_UNWINDS | FLAW_LOSS | FLAW_OFF | FLAW_CHECKPOINTS | FLAW_MODULES | FLAW_BEGUN | FLAW_LATE, 16, 80); }

int main(void)
{
	RUN(plain);
	RUN(held);
	RUN(unwinds);
	RUN(loss);
	RUN(off);
	RUN(checkpoints_that_lie);
	RUN(checkpoints_that_lie_after_loss);
	RUN(modules_that_come_and_go);
	RUN(begun_before);
	RUN(late_stamps);
	RUN(values);
	RUN(values_and_flaws);
	RUN(switches);
	RUN(switches_and_loss);
	RUN(switches_and_unwinds);
	RUN(faults);
	RUN(faults_and_switches);
	RUN(switches_and_all_together);
	RUN(all_together);
	return tap_done();
}
