/* recording_file: writes what the file contains beside the events: the machine, facts about the recording, and the end. */
#include <inttypes.h>
#include <stdio.h>

#include "record/program/hooks.h"
#include "record/session/clock_point.h"
#include "record/session/recording_inner.h"
#include "record/sink/losses.h"
#include "record/sink/overhead.h"

#define FAULTS_WITHOUT_KERNEL "kernel.perf_event_paranoid is 2 or more, and the user is not root"

static void tell_cpu_time(struct recording *recording)
{
	char text[200];
	struct message_info fact = {"cpu-time", recording->switches.on ? "known" : text};

	snprintf(text, sizeof text, "not known: %s", recording->switches.why);
	trace_writer_info(recording->writer, &fact, 1);
}

/* Why page faults are not recorded; null: they are. */
static const char *why_no_faults(const struct switches *switches)
{
	const struct fault_events *faults = &switches->events.faults;

	return faults->on ? NULL : *faults->why ? faults->why : switches->why;
}

static void tell_page_faults(struct recording *recording)
{
	const struct fault_events *faults = &recording->switches.events.faults;
	const char *why = why_no_faults(&recording->switches);
	struct message_info fact = {"page-faults", "known"};
	char text[200];

	if (!faults->wanted)
		return;
	if (faults->on && faults->misses_kernel)
		fact.value = "known, but not those in system calls: " FAULTS_WITHOUT_KERNEL;
	if (why) {
		snprintf(text, sizeof text, "not known: %s", why);
		fact.value = text;
		diag_add(recording->diag, DIAG_WARN, recording->output, DIAG_NO_OFFSET, "page faults are not recorded: %s", why);
	}
	trace_writer_info(recording->writer, &fact, 1);
}

static void tell_clock_step(struct recording *recording)
{
	char text[CLOCK_STEP_TEXT];
	struct message_info fact;

	if (clock_point_make_step_fact(&fact, text))
		trace_writer_info(recording->writer, &fact, 1);
}

/* Writes the header anew when the program's machine is known: at first the header describes record's machine; the first
 * recording thread describes the real one. Clock points must wait: points of record's clock would be wrong in the trace of
 * an emulated machine. In a stream two points precede the first events, so even a truncated file contains the clock's rate. */
void recording_update_header(struct recording *recording)
{
	struct message_header *header = &recording->header;
	struct session_machine machine;

	if (recording->knows_machine || !session_read_machine(recording->session, &machine))
		return;
	recording->knows_machine = true;
	header->machine = machine.machine;
	header->pointer_bytes = machine.pointer_bytes;
	header->clock_bits = machine.clock_bits;
	header->clock_hz = machine.clock_hz;
	header->clock_global = (machine.clock_flags & DWELL_CLOCK_GLOBAL) != 0;
	header->clock_late = (machine.clock_flags & DWELL_CLOCK_LATE) != 0;
	recording->own_clock = machine.machine == clock_point_machine();
	trace_writer_set_header(recording->writer, header);
	if (recording->own_clock) {
		trace_writer_clock(recording->writer, &recording->stage_facts.first);
		recording->next_clock_ns = 0; /* stream: the second point follows in this sweep */
		tell_clock_step(recording);
	} else {
		switches_turn_off(&recording->switches, "the program's clock is not this machine's");
	}
	tell_cpu_time(recording);
	tell_page_faults(recording);
}

void recording_read_switches(struct recording *recording)
{
	struct message_clock point;

	if (!recording->switches.on)
		return;
	point = clock_point_read();
	recording->cpu_places.is_paused = !(recording->session->shared->order & 1) || (recording->attach && !recording->joined);
	switches_read(&recording->switches, &point);
}

void recording_write_facts(struct recording *recording, const struct recording_options *options)
{
	struct facts facts;
	facts_make(&facts, options);
	trace_writer_info(recording->writer, facts.list, facts.count);
}

uint64_t recording_count_events(const struct recording *recording)
{
	const struct streams *streams = &recording->streams;

	return streams->events + streams->figures.counted_events + streams->figures.seen_events;
}

static void tell_faults_elsewhere(struct recording *recording)
{
	char text[24];
	const struct message_info fact = {"page-faults-elsewhere", text};

	if (!recording->switches.events.faults.on)
		return;
	snprintf(text, sizeof text, "%" PRIu64, switches_get_faults_elsewhere(&recording->switches));
	trace_writer_info(recording->writer, &fact, 1);
}

static void tell_losses(struct recording *recording, const char *output)
{
	const struct losses losses = {
		.session = recording->session,
		.privileged = &recording->privileged,
		.unreached = &recording->unreached,
		.unloaded = &recording->unloaded,
		.confined = recording->confined,
		.recorded = recording_count_events(recording),
		.in_rings = recording->streams.lost_events,
		.dropped = recording->streams.dropped_events,
		.broken = recording->streams.broken + recording->capture.broken,
		.entries = recording->journal.damaged,
		.switches = recording->switches.lost,
		.faults = switches_get_lost_faults(&recording->switches),
	};

	losses_report(&losses, recording->writer, output, recording->diag);
}

bool recording_finish_file(struct recording *recording, const char *output)
{
	struct message_process *process = &recording->main_process;
	struct message_cpu_places cpu_places = cpu_places_get(&recording->cpu_places, SWITCH_SAMPLE_NS);

	recording_write_plan_facts(recording, recording->streams.workers);
	if (!recording->live) /* a live reader has the files itself */
		called_write_names(&recording->called, recording->streams.workers, &cpu_places, recording->writer);
	trace_writer_end_begins(recording->writer);
	if (recording->main_path && !recording->attach) {
		process->path = recording->main_path;
		process->ended = true;
		process->status = recording->launch->status;
		trace_writer_process(recording->writer, process);
	}
	recording_write_clock(recording);
	if (cpu_places.count)
		trace_writer_cpu_places(recording->writer, &cpu_places);
	recording_write_stops(recording);
	tell_faults_elsewhere(recording);
	if (!recording->live) {
		tell_losses(recording, output);
		hooks_report(recording->session, &recording->called, recording->writer, output, recording->diag);
		overhead_write(recording->session, recording->streams.figures.left_out + recording->capture.figures.left_out,
			recording->writer);
	}
	if (trace_writer_finish(recording->writer))
		return true;
	/* A diag, since the file itself may have had no room for the number. */
	if (trace_writer_unwritten_bytes(recording->writer))
		diag_add(recording->diag, DIAG_WARN, output, DIAG_NO_OFFSET, "%" PRIu64 " bytes of it, and the calls in them, could not be written to disk and are lost",
			trace_writer_unwritten_bytes(recording->writer));
	return false;
}
