/* recording_rings: turns the session of a ring or linear recording into a trace file at the end, and into snapshots meanwhile. */
#include <stdio.h>
#include <stdlib.h>

#include "record/drain/workers.h"
#include "record/session/recording_inner.h"
#include "record/sink/overhead.h"
#include "util/clock.h"

/* capture calls this before it writes a ring (capture.h, on_ring): passes the ring's times to the trigger. */
static void pass_ring_times(void *context, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks)
{
	struct recording *recording = context;

	if (recording->trigger)
		trigger_note_ring(recording->trigger, slot, begin_ticks, first_ticks);
}

bool recording_convert(struct recording *recording, const char *output, const struct recording_options *options)
{
	bool done = false;

	recording->capture = (struct capture){.session = recording->session,
		.listener = &recording->listener,
		.switches = &recording->kept,
		.stages = &recording->stages,
		.on_ring = pass_ring_times,
		.context = recording};
	recording->writer = make_hidden_trace_writer(output, &recording->header, recording->diag);
	recording->capture.workers = recording->streams.workers = make_workers(!options->no_pack);
	if (recording->writer && recording->capture.workers) {
		recording->capture.writer = recording->writer;
		recording_update_header(recording);
		recording_write_facts(recording, options);
		done = capture_write(&recording->capture);
		if (recording->trigger)
			trigger_write_calls(recording->trigger, recording->writer);
		if (done && recording->capture.events)
			done = recording_finish_file(recording, output) && trace_writer_publish(recording->writer);
	}
	return done;
}

/* capture calls this when it has read the positions of all rings (capture.h, on_positions_read): reads
 * the modules and switches up to now, which include all that belong to the slots found. */
static void read_modules_and_switches(void *context)
{
	struct recording *recording = context;

	journal_copy(&recording->journal, NULL, clock_now_ns(), false, &recording->listener);
	kept_switches_read_threads(&recording->kept);
	recording_read_switches(recording);
}

/* Writes what the rings hold now to a file of its own. due: the cause
 * is calls that took too long. False: the file could not be written. */
static bool write_snapshot(struct recording *recording, const char *path, const struct recording_options *options, bool due)
{
	struct capture capture = {.session = recording->session,
		.live = true,
		.switches = &recording->kept,
		.stages = &recording->stages,
		.on_positions_read = read_modules_and_switches,
		.on_ring = pass_ring_times,
		.context = recording};
	bool appeared = false;

	capture.writer = recording->writer = make_hidden_trace_writer(path, &recording->header, recording->diag);
	capture.workers = make_workers(!options->no_pack);
	if (capture.writer && capture.workers) {
		recording_update_header(recording);
		recording_write_facts(recording, options);
		if (capture_write(&capture)) {
			if (due)
				trigger_write_calls(recording->trigger, recording->writer);
			recording_write_plan_facts(recording, capture.workers);
			called_write_names(&recording->called, capture.workers, &(struct message_cpu_places){0}, recording->writer);
			recording_write_clock(recording);
			overhead_write(recording->session, capture.figures.left_out, recording->writer);
			appeared = trace_writer_finish(capture.writer) && trace_writer_publish(capture.writer);
		}
	}
	free_workers(capture.workers);
	free_trace_writer(recording->writer);
	recording->writer = NULL;
	recording->knows_machine = false; /* the next file needs a header, too */
	return appeared;
}

void recording_take_snapshot(struct recording *recording, const struct recording_options *options)
{
	struct dwell_session *shared = recording->session->shared;
	uint32_t wanted = shared->snapshots;
	bool asked = wanted != recording->snapshots_seen, due = recording->trigger && trigger_is_due(recording->trigger), appeared;
	char *path;

	if (recording->session->mode == DWELL_MODE_STREAM || (!asked && !due) ||
		asprintf(&path, "%s.%u", recording->output, ++recording->snapshots) < 0)
		return;
	appeared = write_snapshot(recording, path, options, due);
	if (due && appeared)
		trigger_note_snapshot(recording->trigger, path, recording->diag);
	else if (due)
		trigger_note_failure(recording->trigger);
	if (asked && appeared)
		diag_add(recording->diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "is a snapshot, as requested");
	free(path);
	if (!asked)
		return;
	recording->snapshots_seen = wanted;
	shared->snapshot_file = appeared ? recording->snapshots : 0;
	__atomic_store_n(&shared->snapshots_taken, wanted, __ATOMIC_RELEASE);
}
