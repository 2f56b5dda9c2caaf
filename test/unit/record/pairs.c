/* Options that leave calls out, in every combination that record allows: what is in the file is what comes of all events by the
 * plain meaning of each option, one after the other. Events are those that were made, or those of a file; a function that was
 * throttled ends somewhere, and its other calls are counted. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "model/model.h"
#include "reader/reader.h"
#include "record/drain/drain.h"
#include "record/stage/count.h"
#include "record/stage/depth.h"
#include "record/stage/filter_stage.h"
#include "record/stage/longer.h"
#include "record/stage/slow_trees.h"
#include "record/stage/throttle.h"
#include "same_profile.h"
#include "stages.h"
#include "zoo.h"

#define LOW UINT64_C(0x7f1200000000)
#define RING_BYTES (64u * DWELL_BLOCK_BYTES)
#define ROUNDS (SANITIZED ? 30u : 60u)
#define DEEP 30u
#define FUNCTIONS 6u
#define DROPPED 2u /* by --not */
#define KEPT 3u    /* by --keep-slowest */
#define SLOWEST 5u
#define LIMIT_DEPTH 4u
#define LIMIT_TICKS 300u
#define EVENTS_MAX 600000u
#define STREAM 5u
#define PROCESS 3u

/* What leaves calls out, in the order of recording_stages.c … */
enum { NOT = 1, THROTTLE = 2, DEPTH = 4, DROPS = 8 };
/* … and what becomes of the others: one of these. */
enum form { LISTED, LONGER, COUNTED, SLOW, FORMS };

#define DEFINE(name, text)                                                                                                         \
	__attribute__((noinline, aligned(16))) void name(void);                                                                    \
	void name(void) { __asm__ volatile(text); }
DEFINE(function_0, "nop")
DEFINE(function_1, "nop; nop")
DEFINE(dropped, "nop; nop; nop")
DEFINE(kept, "nop; nop; nop; nop")
DEFINE(function_4, "nop; nop; nop; nop; nop")
DEFINE(function_5, "nop; nop; nop; nop; nop; nop")

static void (*const all[FUNCTIONS])(void) = {function_0, function_1, dropped, kept, function_4, function_5};
static uint32_t places[FUNCTIONS];
static char self[256], path[256];
static uint64_t seed;

static uint32_t pick(uint32_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

/* ---- the program ---- */

struct program {
	struct dwell_ring *ring;
	uint64_t now;
	uint32_t high, open[DEEP], depth;
};

static void put(struct program *program, uint64_t slot)
{
	*(uint64_t *)((unsigned char *)program->ring + DWELL_RING_HEADER_BYTES + program->ring->pos % RING_BYTES) = slot;
	program->ring->pos += DWELL_SLOT_BYTES;
}

static void put_tag(struct program *program, uint32_t tag, uint32_t payload)
{
	if (program->ring->pos % DWELL_BLOCK_BYTES == 0 || program->high != program->now >> 32) {
		program->high = (uint32_t)(program->now >> 32);
		put(program, dwell_slot_make(DWELL_TAG_TIME, program->high));
	}
	put(program, dwell_slot_make(tag, payload));
}

static void put_event(struct program *program, uint32_t word)
{
	put_tag(program, word, (uint32_t)program->now);
	if (pick(3) == 0)
		put_tag(program, word & 1 ? DWELL_TAG_RET : DWELL_TAG_ARG, pick(1000));
}

/* Functions 4 and 5 call nothing, are short and are called often: these are throttled. */
static void step(struct program *program)
{
	uint32_t top = program->depth ? program->open[program->depth - 1] : 0;
	uint32_t function = pick(3) ? 4 + pick(2) : pick(4);

	program->now += 5 + (top < 4 ? pick(pick(20) ? 400 : 20000) : pick(10));
	if (program->depth && (top >= 4 || program->depth == DEEP || pick(100) < 50)) {
		put_event(program, places[top] | 1);
		program->depth--;
	} else {
		program->open[program->depth++] = function;
		put_event(program, places[function]);
	}
}

/* ---- recordings ---- */

static void add_stages(uint32_t drops, enum form form, const struct watcher_options *slow, struct diag *diag)
{
	static const struct filter_options options = {.patterns = {{"dropped", "--not", true, false}}, .pattern_count = 1};
	const struct message_module module = {.process = PROCESS, .low = LOW, .high = LOW + (1 << 30), .bias = LOW, .path = self};

	if (drops & NOT)
		add_stage(filter_get_stage(make_filter(&options, &(struct filter_program){self, NULL, 0}, diag)));
	if (drops & THROTTLE)
		add_stage(make_throttle(0.01, diag));
	if (drops & DEPTH)
		add_stage(make_depth_stage(LIMIT_DEPTH));
	if (form == LONGER)
		add_stage(make_longer_stage(LIMIT_TICKS));
	if (form == COUNTED)
		add_stage(make_count_stage());
	if (form == SLOW)
		add_stage(make_slow_trees(slow, &(struct filter_program){self, NULL, 0}, 1 << 28, NULL, diag));
	stages_add_module(&stages, &module);
}

/* One program, by its number. */
static void record(uint64_t number, uint32_t drops, enum form form)
{
	const struct watcher_options slow = {.rules = {{"5:kept", "kept", SLOWEST}}, .rule_count = 1};
	const struct message_thread thread = {.stream = STREAM, .process = PROCESS, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	struct dwell_session *shared = calloc(1, sizeof *shared);
	struct program program = {.ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES), .now = UINT64_C(0x5ff000000)};
	const struct stage_source source = {.stream = STREAM, .process = PROCESS, .ring = program.ring, .from_start = true};
	struct drain drain;

	seed = number;
	program.ring->commits_last = true;
	program.ring->room = RING_BYTES;
	shared->overheads[0] = dwell_session_overhead(DWELL_OVERHEAD_HOOKS, 16 * 16, 16 * 16);
	stages_session.shared = shared;
	stages_recording = (struct stage_recording){.session = &stages_session, .output = path, .diag = diag};
	add_stages(drops, form, &slow, diag);
	CHECK(drain_begin(&drain, STREAM, program.ring, RING_BYTES, begin_stages(&source)));
	trace_writer_thread(writer, &thread);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		for (uint32_t i = 1 + pick(2000); i--;)
			step(&program);
		drain_take(&drain, drain_available(&drain, false), true, workers, writer);
		drain_wait(&drain);
		stages_sweep(&stages, writer, round * UINT64_C(5000000));
		drain_run_stages(&drain, round % 7 ? round * UINT64_C(5000000) : 0, workers, writer);
	}
	while (program.depth)
		put_event(&program, places[program.open[--program.depth]] | 1);
	drain_take(&drain, drain_available(&drain, true), true, workers, writer);
	drain_wait(&drain);
	drain_finish(&drain, &thread, workers, writer);
	drain_end(&drain);
	stages_finish(&stages, &(struct stage_end){.workers = workers, .writer = writer, .next_stream = STREAM + 1});
	stages_free(&stages);
	CHECK(trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 0);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
	free(program.ring);
	free(shared);
}

/* ---- what is in the file ---- */

struct events {
	struct event *list;
	uint32_t count;
	uint64_t throttled[FUNCTIONS]; /* calls that were counted instead */
};

static uint32_t function_of(const struct event *event)
{
	uint32_t function = 0;

	while (function < FUNCTIONS && places[function] != (uint32_t)event->value)
		function++;
	CHECK(function < FUNCTIONS);
	return function % FUNCTIONS;
}

static bool is_value(const struct event *event)
{
	return event->kind == EVENT_ARG || event->kind == EVENT_RET;
}

static struct events read_events(void)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct events events = {.list = calloc(EVENTS_MAX, sizeof *events.list)};
	struct message message;

	do {
		reader_next(reader, &message);
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++) {
			const struct event *event = &message.events.events[i];

			if (events.count < EVENTS_MAX &&
				(event->kind == EVENT_ENTER || event->kind == EVENT_EXIT || is_value(event)))
				events.list[events.count++] = *event;
		}
		for (uint32_t i = 0; message.kind == MESSAGE_THROTTLE && i < message.throttle.count; i++)
			events.throttled[function_of(&(struct event){.value = message.throttle.list[i].place})] =
				message.throttle.list[i].calls;
	} while (message.kind != MESSAGE_END);
	CHECK(events.count < EVENTS_MAX);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
	return events;
}

static struct model *read_model(void)
{
	const struct model_options options = {.want_profile = true, .thread_trees = true};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct model *model = make_model(&options, diag);
	struct message message;

	for (;;) {
		reader_next(reader, &message);
		if (message.kind == MESSAGE_END)
			break;
		model_feed(model, &message);
	}
	model_finish(model);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
	return model;
}

/* ---- what the options mean ---- */

/* Values go with their event. */
static void drop_function(struct events *events)
{
	bool drops = false;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < events->count; i++) {
		if (!is_value(&events->list[i]))
			drops = function_of(&events->list[i]) == DROPPED;
		if (!drops)
			events->list[kept++] = events->list[i];
	}
	events->count = kept;
}

static void drop_deep(struct events *events)
{
	uint32_t depth = 0, kept = 0;
	bool drops = false;

	for (uint32_t i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];

		if (event->kind == EVENT_ENTER)
			drops = depth++ >= LIMIT_DEPTH;
		else if (event->kind == EVENT_EXIT)
			drops = --depth >= LIMIT_DEPTH;
		if (!drops)
			events->list[kept++] = *event;
	}
	events->count = kept;
}

struct call_tree {
	uint32_t begin, end;
	uint64_t ticks;
};

static int compare_trees(const void *a, const void *b)
{
	const struct call_tree *left = a, *right = b;

	return left->ticks == right->ticks ? 0 : left->ticks < right->ticks ? 1 : -1;
}

static int compare_begins(const void *a, const void *b)
{
	return ((const struct call_tree *)a)->begin < ((const struct call_tree *)b)->begin ? -1 : 1;
}

/* The slowest of the outermost calls, in order of time. */
static void keep_slowest(struct events *events)
{
	struct call_tree *trees = calloc(EVENTS_MAX, sizeof *trees);
	struct event *list = calloc(EVENTS_MAX, sizeof *list);
	uint32_t count = 0, inside = 0, kept = 0;

	for (uint32_t i = 0; i < events->count; i++) {
		const struct event *event = &events->list[i];

		if (is_value(event) || function_of(event) != KEPT)
			continue;
		if (event->kind == EVENT_ENTER && !inside++)
			trees[count].begin = i;
		else if (event->kind == EVENT_EXIT && !--inside)
			trees[count++].end = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		trees[i].ticks = events->list[trees[i].end].ticks - events->list[trees[i].begin].ticks;
		while (trees[i].end + 1 < events->count && is_value(&events->list[trees[i].end + 1]))
			trees[i].end++;
	}
	qsort(trees, count, sizeof *trees, compare_trees);
	CHECK(count > SLOWEST && trees[SLOWEST - 1].ticks > trees[SLOWEST].ticks);
	qsort(trees, SLOWEST, sizeof *trees, compare_begins);
	for (uint32_t i = 0; i < SLOWEST; i++)
		for (uint32_t k = trees[i].begin; k <= trees[i].end; k++)
			list[kept++] = events->list[k];
	free(events->list);
	free(trees);
	events->list = list;
	events->count = kept;
}

static void check_same(const struct events *want, const struct events *got)
{
	CHECK_EQ(got->count, want->count);
	for (uint32_t i = 0; i < want->count && i < got->count && !tap_bad; i++) {
		CHECK_EQ(got->list[i].kind, want->list[i].kind);
		CHECK_EQ(got->list[i].value, want->list[i].value);
		if (!is_value(&want->list[i]))
			CHECK_EQ(got->list[i].ticks, want->list[i].ticks);
	}
}

/* Of each function the first calls are there, and the others counted; what was throttled are short ones. */
static void check_throttled(const struct events *before, const struct events *after)
{
	uint64_t calls[FUNCTIONS] = {0};
	uint32_t at = 0, cut = 0;
	bool any = false;

	for (uint32_t i = 0; i < before->count; i++)
		if (before->list[i].kind == EVENT_ENTER)
			calls[function_of(&before->list[i])]++;
	for (uint32_t i = 0; i < after->count; i++) {
		const struct event *event = &after->list[i];

		if (is_value(event))
			continue;
		calls[function_of(event)] -= event->kind == EVENT_ENTER;
		while (at < before->count && (before->list[at].kind != event->kind || before->list[at].value != event->value ||
						     before->list[at].ticks != event->ticks)) {
			if (event->kind == EVENT_EXIT && after->throttled[function_of(event)] &&
				before->list[at].ticks > event->ticks)
				break;
			CHECK(is_value(&before->list[at]) || after->throttled[function_of(&before->list[at])]);
			at++;
		}
		/* It ended where its function ended to be recorded. */
		if (at < before->count && before->list[at].ticks > event->ticks)
			cut++;
		else
			at++;
	}
	CHECK(cut < 10);
	for (uint32_t function = 0; function < FUNCTIONS; function++) {
		CHECK_EQ(calls[function], after->throttled[function]);
		CHECK(function >= 4 || !after->throttled[function]);
		any |= after->throttled[function] > 0;
	}
	CHECK(any);
}

/* ---- combinations ---- */

static void try_drops(uint64_t number, uint32_t drops)
{
	uint32_t last = drops & DEPTH ? DEPTH : drops & THROTTLE ? THROTTLE : NOT;
	struct events before, after;

	record(number, drops & ~last, LISTED);
	before = read_events();
	record(number, drops, LISTED);
	after = read_events();
	if (last == NOT)
		drop_function(&before);
	else if (last == DEPTH)
		drop_deep(&before);
	if (last == THROTTLE)
		check_throttled(&before, &after);
	else
		check_same(&before, &after);
	free(before.list);
	free(after.list);
}

static void try_form(uint64_t number, uint32_t drops, enum form form)
{
	struct events want, got;
	struct model *a, *b;

	record(number, drops, LISTED);
	want = read_events();
	a = read_model();
	record(number, drops, form);
	got = read_events();
	b = read_model();
	CHECK(!memcmp(want.throttled, got.throttled, sizeof want.throttled));
	CHECK(got.count < want.count);
	if (form == SLOW) {
		keep_slowest(&want);
		check_same(&want, &got);
	} else {
		compare(a, b, SAME_PATHS);
	}
	free_model(a);
	free_model(b);
	free(want.list);
	free(got.list);
}

TEST(drops_in_any_combination)
{
	for (uint64_t number = 1; number <= (SANITIZED ? 1 : 4); number++)
		for (uint32_t drops = 1; drops < DROPS && !tap_bad; drops++)
			try_drops(number, drops);
}

TEST(forms_of_what_is_left)
{
	for (uint64_t number = 1; number <= (SANITIZED ? 1 : 2); number++)
		for (uint32_t drops = 0; drops < DROPS; drops++)
			for (enum form form = LONGER; form < FORMS && !tap_bad; form++)
				try_form(number, drops, form);
}

int main(void)
{
	extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		places[i] = (uint32_t)(LOW + (uint64_t)(uintptr_t)all[i] - (uint64_t)(uintptr_t)__ehdr_start);
	zoo_scratch(path, "pairs.dwell");
	RUN(drops_in_any_combination);
	RUN(forms_of_what_is_left);
	unlink(path);
	return tap_done();
}
