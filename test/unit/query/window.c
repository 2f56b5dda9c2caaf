/* A recording divided into intervals: what all of them have together is what the whole has. Each time of a function is the sum of
 * its times in the intervals: with several threads, coroutines, pauses and time off the CPU. */
#include "query/window.h"

#include <string.h>

#include "check.h"

#define FUNCTIONS 6u
#define STREAMS 3u
#define EVENTS 600u
#define PARTS 5u
#define SWITCHES 40u

static uint64_t state;
static bool coroutines;

static uint32_t pick(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 20) % below;
}

/* A recording: for each stream its events and its times off the CPU. */
struct recording {
	struct event events[STREAMS][EVENTS];
	struct message_switch switches[STREAMS][SWITCHES];
};

static uint64_t place(uint32_t function)
{
	return 0x1000 * ((uint64_t)function + 1);
}

/* The open calls of the stacks, as the generator has them. */
struct open {
	uint32_t functions[3][EVENTS], depth[3], stack;
	bool stopped;
};

/* The next event of a stream, which fits to the calls that are open. */
static struct event make_event(struct open *open, uint64_t ticks)
{
	uint32_t *depth = &open->depth[open->stack], what = pick(40);

	if (open->stopped || what == 0) {
		open->stopped = !open->stopped;
		return (struct event){ticks, 0, open->stopped ? EVENT_STOP : EVENT_RESUME};
	}
	if (what == 1 && coroutines) {
		open->stack = pick(3);
		return (struct event){ticks, open->stack, EVENT_STACK};
	}
	if (*depth && what < 18) {
		--*depth;
		return (struct event){ticks, place(open->functions[open->stack][*depth]), EVENT_EXIT};
	}
	open->functions[open->stack][*depth] = pick(FUNCTIONS);
	return (struct event){ticks, place(open->functions[open->stack][(*depth)++]), EVENT_ENTER};
}

static void make_recording(struct recording *recording)
{
	for (uint32_t stream = 0; stream < STREAMS; stream++) {
		struct open open = {.depth = {0}};
		uint64_t ticks = 1000 + pick(500), off = ticks;

		for (uint32_t i = 0; i < EVENTS; i++)
			recording->events[stream][i] = make_event(&open, ticks += pick(20));
		for (uint32_t i = 0; i < SWITCHES; i++) {
			uint64_t out = off + pick(150);

			off = out + 1 + pick(60);
			recording->switches[stream][i] = (struct message_switch){out, off, pick(2)};
		}
	}
}

/* Feeds all of the recording, a few events of a stream at a time. */
static void feed(const struct recording *recording, void (*take)(void *to, const struct message *message), void *to)
{
	uint32_t done[STREAMS] = {0};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_hz = 1000000000}};

	take(to, &header);
	for (uint32_t stream = 0; stream < STREAMS; stream++) {
		struct message message = {.kind = MESSAGE_THREAD, .thread = {.stream = stream, .tid = stream, .name = ""}};
		struct message off = {.kind = MESSAGE_SWITCHES, .switches = {.stream = stream, .until_ticks = UINT64_MAX}};

		off.switches.switches = recording->switches[stream];
		off.switches.count = SWITCHES;
		take(to, &message);
		take(to, &off);
	}
	for (uint32_t left = STREAMS * EVENTS; left;) {
		uint32_t stream = pick(STREAMS), count = 1 + pick(30);
		struct message message = {.kind = MESSAGE_EVENTS, .events = {.stream = stream, .place_kind = DWELL_PLACE_ADDRESS}};

		message.events.events = &recording->events[stream][done[stream]];
		count = count < EVENTS - done[stream] ? count : EVENTS - done[stream];
		message.events.count = count;
		done[stream] += count;
		left -= count;
		if (count)
			take(to, &message);
	}
}

static void take_all(void *model, const struct message *message)
{
	model_feed(model, message);
}

static void take_part(void *window, const struct message *message)
{
	window_feed(window, message);
}

static const struct model_options options = {.want_profile = true, .raw = true};
/* All events are later than this origin of the clock, whose ticks are ns. */
static const struct clock_map clock_of_ns = {.ns_per_tick = 1, .basis = CLOCK_NOMINAL, .is_of_events = true, .has_origin = true};

static struct model *make_part(const struct recording *recording, int64_t from_ns, int64_t to_ns, struct diag *diag)
{
	struct model *model = make_model(&options, diag);
	struct window *window = make_window(&(struct window_span){from_ns, to_ns, true}, &clock_of_ns, model, diag);

	feed(recording, take_part, window);
	free_window(window);
	model_finish(model);
	return model;
}

/* The sums of a function over models. */
struct sums {
	uint64_t total, self, calls, off, self_off, preempted;
};

static void add_function(struct sums *sums, struct model *model, uint32_t function)
{
	uint32_t id = functions_find(model_get_functions(model), 0, (struct place){DWELL_PLACE_ADDRESS, place(function)}, 0);
	const struct profile *profile = model_get_profile(model);
	const struct profile_function *row;

	if (id >= profile->function_count)
		return;
	row = &profile->functions[id];
	sums->total += row->total;
	sums->self += row->self;
	sums->calls += row->calls;
	sums->off += row->total_off.ticks;
	sums->self_off += row->self_off.ticks;
	sums->preempted += row->self_off.preempted_ticks;
}

static void check_threads(struct model *model, uint64_t from, uint64_t to, uint64_t *begun_before)
{
	const struct profile *profile = model_get_profile(model);

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		CHECK(thread->balanced && thread->off_cpu_balanced);
		CHECK(!thread->last_ticks || (thread->first_ticks >= from && thread->last_ticks <= to));
		CHECK_EQ(thread->lost_ticks, 0);
		*begun_before += thread->no_entry_calls;
	}
}

static void check_partition(void)
{
	static struct recording recording;
	struct diag *diag = make_diag();
	struct model *whole = make_model(&options, diag);
	struct sums all = {0}, parts[FUNCTIONS] = {{0}};
	uint64_t borders[PARTS + 1] = {0}, begun_before = 0, calls = 0;

	make_recording(&recording);
	feed(&recording, take_all, whole);
	model_finish(whole);
	for (uint32_t i = 1; i <= PARTS; i++)
		borders[i] = (i == 1 ? 1000 : borders[i - 1]) + 1 + pick(2 * EVENTS * 10 / PARTS);
	borders[PARTS] = INT64_MAX;
	for (uint32_t i = 0; i < PARTS; i++) {
		struct model *part = make_part(&recording, (int64_t)borders[i], (int64_t)borders[i + 1], diag);

		check_threads(part, borders[i], borders[i + 1], &begun_before);
		for (uint32_t function = 0; function < FUNCTIONS; function++)
			add_function(&parts[function], part, function);
		free_model(part);
	}
	for (uint32_t function = 0; function < FUNCTIONS; function++) {
		struct sums one = {0};

		add_function(&one, whole, function);
		CHECK_EQ(parts[function].self, one.self);
		all.calls += one.calls;
		calls += parts[function].calls;
		if (coroutines)
			continue; /* a call of a coroutine that waits at the end of an interval counts to where it waits */
		CHECK_EQ(parts[function].total, one.total);
		CHECK_EQ(parts[function].self_off, one.self_off);
		CHECK_EQ(parts[function].off, one.off);
		CHECK_EQ(parts[function].preempted, one.preempted);
	}
	/* A call that crosses a border is in both parts. */
	CHECK_EQ(calls - begun_before, all.calls);
	CHECK(begun_before);
	CHECK(!diag_has_error(diag));
	free_model(whole);
	free_diag(diag);
}

TEST(parts_add_up_to_the_whole)
{
	for (uint32_t seed = 1; seed <= 200 && !tap_bad; seed++) {
		state = seed * UINT64_C(0x9e3779b97f4a7c15);
		coroutines = seed % 2;
		check_partition();
	}
}

/* A loss across a border is in both parts, up to the border and from there. What the recorder counts is of the whole. */
TEST(a_loss_across_a_border)
{
	static const struct event events[] = {{100, 0x1000, EVENT_ENTER}, {0, 7, EVENT_LOST}, {300, 0x1000, EVENT_EXIT}};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.name = "", .lost_events = 7}};
	struct message message = {.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS}};
	struct diag *diag = make_diag();

	message.events.events = events;
	message.events.count = 3;
	for (int part = 0; part < 2; part++) {
		struct window_span span = {200 * part, 200 * part + 200, true};
		struct model *model = make_model(&options, diag);
		struct window *window = make_window(&span, &clock_of_ns, model, diag);
		const struct profile_thread *row;

		window_feed(window, &header);
		window_feed(window, &thread);
		window_feed(window, &message);
		free_window(window);
		model_finish(model);
		row = &model_get_profile(model)->threads[0];
		CHECK(row->balanced);
		CHECK_EQ(row->lost_ticks, 100);
		CHECK_EQ(row->self_ticks, 0);
		CHECK_EQ(row->recorder_lost_events, 0);
		free_model(model);
	}
	free_diag(diag);
}

/* Chunks are missing from before the interval until behind it: nothing in it is known, and all of its time is lost. */
TEST(a_gap_over_all_of_it)
{
	static const struct event before[] = {{100, 0x1000, EVENT_ENTER}};
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true}};
	struct message message = {.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS}};
	struct message checkpoint = {.kind = MESSAGE_CHECKPOINT, .checkpoint = {.ticks = 500, .after_loss = true}};
	struct window_span span = {200, 400, true};
	struct diag *diag = make_diag();
	struct model *model = make_model(&options, diag);
	struct window *window = make_window(&span, &clock_of_ns, model, diag);

	message.events.events = before;
	message.events.count = 1;
	window_feed(window, &header);
	window_feed(window, &message);
	window_feed(window, &checkpoint);
	free_window(window);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_ticks, 200);
	CHECK_EQ(model_get_profile(model)->threads[0].self_ticks, 0);
	CHECK(model_get_profile(model)->threads[0].balanced);
	free_model(model);
	free_diag(diag);
}

static bool reads(const char *text, int64_t from_ns, int64_t to_ns)
{
	struct window_span span;

	return !window_read_span(&span, text) && span.is_given && span.from_ns == from_ns && span.to_ns == to_ns;
}

TEST(spans)
{
	static const char *const wrong[] = {"", "..", "2s", "2s..1s", "2s..2s", "2..3", "1s..2s..3s", "x..2s", "1s-2s"};
	struct window_span span;

	CHECK(reads("2s..3s", 2000000000, 3000000000));
	CHECK(reads("1.5ms..", 1500000, INT64_MAX));
	CHECK(reads("..20us", INT64_MIN, 20000));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK(window_read_span(&span, wrong[i]));
}

int main(void)
{
	RUN(parts_add_up_to_the_whole);
	RUN(a_loss_across_a_border);
	RUN(a_gap_over_all_of_it);
	RUN(spans);
	return tap_done();
}
