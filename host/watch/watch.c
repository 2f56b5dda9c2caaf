/* watch: a thread reads the recording from a pipe into a model, and another thread writes tables of that model (watch.h). */
#include "watch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/live.h"
#include "io/source.h"
#include "model/model.h"
#include "reader/reader.h"
#include "tui/loop.h"
#include "util/no_signal_thread.h"
#include "util/real.h"
#include "util/units.h"
#include "watch/watch_shares.h"


struct watch {
	int input, output; /* the pipe's ends: the thread reads from input, record writes to output; −1: closed */
	pthread_t thread;  /* reads the pipe … */
	bool started;      /* … if it was started */
	pthread_mutex_t lock; /* for all members below */
	struct diag *diag; /* of the reading thread; nobody prints it */
	struct model *model;
	struct live live;          /* the table's state, if calls are recorded … */
	struct live_shares shares; /* … or if samples are taken */
	uint64_t latest_ticks, events; /* time of the newest event; number of events so far */
	uint64_t lost, shown_lost; /* number of lost events so far; shown_lost: how many of them earlier tables have shown */
	uint64_t begun_ns;         /* CLOCK_MONOTONIC: when the watch was made */
};

struct watch *make_watch(int pipe_bytes, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .no_tree = true, .no_durations = true};
	struct watch *watch = calloc(1, sizeof *watch);
	int ends[2] = {-1, -1};

	if (watch) {
		watch->input = watch->output = -1;
		pthread_mutex_init(&watch->lock, NULL);
		watch->diag = make_diag();
		watch->model = make_model(&options, watch->diag);
		watch->begun_ns = loop_now_ns();
	}
	if (!watch || !watch->model || pipe2(ends, O_CLOEXEC) < 0) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "cannot watch: %s", strerror(errno));
		free_watch(watch);
		return NULL;
	}
	fcntl(ends[1], F_SETPIPE_SZ, pipe_bytes); /* the default is smaller, and full more often */
	watch->input = ends[0];
	watch->output = ends[1];
	return watch;
}

void free_watch(struct watch *watch)
{
	if (!watch)
		return;
	watch_finish(watch);
	if (watch->input >= 0)
		close(watch->input);
	live_clear(&watch->live);
	live_shares_clear(&watch->shares);
	free_model(watch->model);
	free_diag(watch->diag);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

int watch_output(const struct watch *watch)
{
	return watch->output;
}

static void feed_message(struct watch *watch, const struct message *message)
{
	pthread_mutex_lock(&watch->lock);
	model_feed(watch->model, message);
	if (message->kind == MESSAGE_CLOCK)
		live_shares_advance(&watch->shares, message->clock.monotonic_ns);
	if (message->kind == MESSAGE_EVENTS && message->events.count) {
		uint64_t ticks = message->events.events[message->events.count - 1].ticks;

		if (!watch->events)
			watch->live.last_ticks = message->events.events[0].ticks;
		watch->events += message->events.count;
		for (uint32_t i = 0; i < message->events.count; i++)
			if (message->events.events[i].kind == EVENT_LOST)
				watch->lost += message->events.events[i].value;
		if (ticks > watch->latest_ticks)
			watch->latest_ticks = ticks;
	}
	pthread_mutex_unlock(&watch->lock);
}

static void read_stream(struct watch *watch)
{
	char path[32];
	struct source *source;
	struct reader *reader;
	struct message message;

	snprintf(path, sizeof path, "/proc/self/fd/%d", watch->input);
	source = make_source(path, watch->diag);
	if (!source)
		return;
	source_set_live(source);
	reader = make_reader(source, watch->diag);
	if (!reader)
		return;
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
		feed_message(watch, &message);
	free_reader(reader);
}

/* The thread: reads until the writing end of the pipe is closed, or the stream cannot be read. */
static void *run_reader(void *context)
{
	struct watch *watch = context;

	read_stream(watch);
	close(watch->input); /* otherwise a writer would wait for a reader forever */
	watch->input = -1;
	return NULL;
}

bool watch_start(struct watch *watch, void *(*paint)(void *), void *context, pthread_t *painter)
{
	watch->started = no_signal_thread_begin(&watch->thread, run_reader, watch);
	return watch->started && no_signal_thread_begin(painter, paint, context);
}

void watch_finish(struct watch *watch)
{
	if (watch->output >= 0)
		close(watch->output);
	watch->output = -1;
	if (watch->started)
		pthread_join(watch->thread, NULL);
	watch->started = false;
}

/* Writes the line above a table of calls: calls per second, threads, losses, and the time that the table covers. */
static void put_head(const struct watch *watch, const struct live_summary *summary, FILE *out)
{
	char lost[UNITS_TEXT_BYTES], since[UNITS_TEXT_BYTES], interval[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES],
		all[UNITS_TEXT_BYTES];
	double seconds = (double)summary->interval_ns / 1e9;

	units_format_ns(since, loop_now_ns() - watch->begun_ns);
	units_format_ns(interval, summary->interval_ns);
	units_format_count(calls, seconds > 0 ? real_to_u64((double)summary->calls / seconds) : 0);
	units_format_count(all, summary->all_calls);
	units_format_count(lost, watch->lost - watch->shown_lost);
	fprintf(out, "%s calls/s, %s in all; %" PRIu32 " thread%s; %s events lost; %s shown, %s since the start\n", calls, all,
		summary->threads, summary->threads == 1 ? "" : "s", lost, interval, since);
}

/* False: memory ran out. */
static bool write_calls(struct watch *watch, struct watch_form *form, struct table_sink *sink)
{
	struct live_summary summary;

	model_settle(watch->model);
	if (!live_update(&watch->live, watch->model, watch->latest_ticks, &summary))
		return false;
	put_head(watch, &summary, form->head);
	watch->live.lost = watch->lost != watch->shown_lost;
	watch->shown_lost = watch->lost;
	return live_write(&watch->live, watch->model, form->by, form->limit, sink);
}

bool watch_write(struct watch *watch, struct watch_form *form, struct table_sink *sink)
{
	bool done = false;

	pthread_mutex_lock(&watch->lock);
	if (model_get_sampling(watch->model))
		done = watch_shares_write(&watch->shares, watch->model, form, sink);
	else if (watch->events)
		done = write_calls(watch, form, sink);
	pthread_mutex_unlock(&watch->lock);
	return done;
}

uint64_t watch_count_samples(struct watch *watch)
{
	uint64_t samples;

	pthread_mutex_lock(&watch->lock);
	samples = model_get_profile(watch->model)->estimates.samples;
	pthread_mutex_unlock(&watch->lock);
	return samples;
}
