/* One random stream twice: with all calls in the file, and with short ones, or all, counted. Whoever reads either must have the
 * same. */
#ifndef DWELL_TEST_BOTH_WAYS_H
#define DWELL_TEST_BOTH_WAYS_H

#include <sys/mman.h>

#include "random_stream.h"
#include "reader/reader.h"
#include "record/drain/drain.h"
#include "record/stage/count.h"
#include "record/stage/longer.h"
#include "same_profile.h"
#include "stages.h"
#include "zoo.h"

#define STREAM 5u

/* That all calls are counted. */
#define COUNTED UINT64_MAX

struct plan {
	uint64_t seed;
	uint32_t with, rare; /* see random_stream.h */
	uint32_t deep;       /* likewise; 0: SHALLOW */
	uint32_t steps;      /* slots, more or less */
	uint32_t run;        /* a chunk has no more of them, … */
	bool one_run;        /* … or there is but one chunk */
	bool switches;       /* the thread was off the CPU now and then */
	bool from_start;
	uint64_t limit_ticks;
	enum sameness sameness;
};

static char path[256];
static uint64_t left_out_events; /* of the last file: drained, and not listed */

/* The files are in memory: thousands of them. */
static inline void begin_files(void)
{
	int file = memfd_create("both_ways", 0);

	CHECK(file >= 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
}

static inline void tell_switch(
	struct drain *drain, struct trace_writer *writer, uint64_t from_ticks, uint64_t *told_ticks, uint64_t *off_ticks)
{
	struct message_switch off = {.out_ticks = from_ticks + random_number() % (stream_ticks - from_ticks + 1)};
	struct message_switches message = {.stream = STREAM,
		.from_ticks = *told_ticks,
		.until_ticks = stream_ticks,
		.switches = &off,
		.count = 1,
		.off_before_ticks = *off_ticks};

	off.in_ticks = off.out_ticks + random_number() % (stream_ticks - off.out_ticks + 1) / 8;
	off.preempted = one_of(2);
	CHECK(trace_writer_switches(writer, &message));
	stages_add_switches(drain->stages, &off, 1);
	*told_ticks = stream_ticks;
	*off_ticks += off.in_ticks - off.out_ticks;
}

/* Cut into runs of any length, with sums written at any time. limit_ticks: 0: all calls are listed. Returns how many events were
 * drained; adds how often sums may have been. */
static inline uint64_t write_file(const struct plan *plan, uint64_t limit_ticks, uint32_t *sums)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct message_thread thread = {.stream = STREAM, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	const struct stage_source source = {.stream = STREAM, .from_start = plan->from_start};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	struct stage_figures figures = {0};
	uint64_t told_ticks = 0, off_ticks = 0, events;
	struct drain drain;

	begin_stream(plan->seed, plan->with, plan->rare, plan->deep);
	if (limit_ticks)
		add_stage(limit_ticks == COUNTED ? make_count_stage() : make_longer_stage(limit_ticks));
	CHECK(writer && workers && drain_begin(&drain, STREAM, ring, RING_BYTES, begin_stages(&source)));
	trace_writer_thread(writer, &thread);
	trace_writer_text(writer, &(struct message_text){.index = 1, .text = "said"});
	for (uint32_t made = 0; made < plan->steps;) {
		uint64_t from_ticks = stream_ticks;
		bool ends_now;

		for (uint32_t i = random_number() % plan->run; i-- && made < plan->steps; made++)
			make_some();
		ends_now = one_of(2);
		if (plan->switches)
			tell_switch(&drain, writer, from_ticks, &told_ticks, &off_ticks);
		if (plan->one_run && made < plan->steps)
			continue;
		drain_take(&drain, drain_available(&drain, false), true, workers, writer);
		drain_wait(&drain);
		if (ends_now && limit_ticks)
			drain_run_stages(&drain, 0, workers, writer);
		*sums += ends_now && limit_ticks;
	}
	drain_finish(&drain, NULL, workers, writer);
	events = drain.events;
	stages_add_figures(drain.stages, &figures);
	left_out_events = figures.counted_events;
	CHECK(trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 0);
	drain_end(&drain);
	stages_free(&stages);
	free(ring);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
	return events;
}

static inline struct model *read_file(struct diag *diag, uint64_t *late_stamps)
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
	*late_stamps = reader_get_health(reader)->late_stamps;
	free_reader(reader);
	CHECK_EQ(diag_status(diag), 0);
	if (diag_status(diag))
		diag_print(diag, stdout);
	return model;
}

/* Stamps that were not in order, wherever that was seen. */
static inline bool has_late(const struct model *model, uint64_t late_stamps)
{
	return late_stamps || model_get_profile(model)->threads[0].backward_events;
}

static inline void try_plan(const struct plan *plan)
{
	struct diag *diag = make_diag(), *other_diag = make_diag();
	uint64_t all, listed, late_stamps, other_late_stamps;
	struct model *a, *b;
	uint32_t sums = 0;
	int bad = tap_bad;

	all = write_file(plan, 0, &sums);
	a = read_file(diag, &late_stamps);
	listed = write_file(plan, plan->limit_ticks, &sums);
	b = read_file(other_diag, &other_late_stamps);
	CHECK(plan->limit_ticks == COUNTED || listed + left_out_events == all); /* counted, marks are events */
	compare(a, b, plan->sameness);
	CHECK(has_late(a, late_stamps) == has_late(b, other_late_stamps));
	if (!bad && tap_bad)
		printf("# seed %llu, with 0x%x, limit %llu, %u steps, rare %u\n", (unsigned long long)plan->seed, plan->with,
			(unsigned long long)plan->limit_ticks, plan->steps, plan->rare);
	free_model(a);
	free_model(b);
	free_diag(diag);
	free_diag(other_diag);
}

/* Short ones, of some of these kinds each. */
static inline void try_streams(const struct plan *of, uint32_t count)
{
	static const uint64_t limits[] = {1, 20, 150, 2500};

	for (uint32_t which = 1; which <= count && !tap_bad; which += SANITIZED ? 11 : 1) {
		struct plan plan = *of;

		drawn = which * 77777u;
		plan.seed = which;
		plan.with = of->with & (random_number() | random_number());
		plan.rare = 1 + random_number() % 12;
		plan.steps = 5 + random_number() % 300;
		plan.run = 60;
		plan.one_run = one_of(3);
		if (of->limit_ticks != COUNTED)
			plan.limit_ticks = limits[which % 4];
		try_plan(&plan);
	}
}

/* Long ones, of all these kinds. */
static inline void try_long_streams(const struct plan *of, uint32_t count)
{
	static const uint64_t limits[] = {1, 20, 150, 2500};

	for (uint32_t which = 1; which <= count && !tap_bad; which += SANITIZED ? 11 : 1) {
		struct plan plan = *of;

		plan.seed = which;
		plan.rare = 10;
		plan.steps = 2000 + which * 7919 % 18000;
		plan.run = 3000;
		if (of->limit_ticks != COUNTED)
			plan.limit_ticks = limits[which % 4];
		try_plan(&plan);
	}
}

#endif
