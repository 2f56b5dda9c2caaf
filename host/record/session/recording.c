#include "record/session/recording_inner.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/drain/workers.h"
#include "record/program/explain.h"
#include "record/program/hooks.h"
#include "record/session/clock_point.h"
#include "record/session/figures.h"
#include "record/sink/file_size.h"
#include "record/sink/losses.h"
#include "record/sink/overhead.h"
#include "record/sink/trace_file.h"
#include "record/stage/count.h"
#include "record/stage/depth.h"
#include "record/stage/filter_stage.h"
#include "record/stage/longer.h"
#include "record/stage/slow_trees.h"
#include "record/stage/throttle.h"
#include "util/clock.h"

/* Of a stream: address space, so there may be much of it. */
#define STREAM_SLOTS 8192u
#define STREAM_RING_BYTES (UINT64_C(32) << 20)
/* How often to look: soon again while a ring fills, rarely while nothing happens. */
#define SWEEP_BUSY_NS 500000
#define SWEEP_IDLE_NS 4000000
/* How long a process may take to join beyond the time that it is to be recorded: its processors may be busy. */
#define JOIN_NS UINT64_C(1000000000)
#define SWEEP_JOIN_NS 1000000 /* the time that was asked for begins with the first call */
#define SWEEP_TRIGGER_NS 1000000 /* what a slow call did is overwritten meanwhile, or its thread waits */
#define SWEEP_HELD_NS 50000      /* as one did just now: its ring is small for how fast it is */
#define SWEEP_FILE_NS 20000000 /* nothing but snapshots waits for record then */
#define LEFT_NS UINT64_C(200000000)
#define SOON_NS UINT64_C(4000000)
#define CLOCK_FIRST_NS 10000000u

static void tell_cpu_time(struct recording *recording)
{
	char text[200];
	struct message_info fact = {"cpu-time", recording->switches.on ? "known" : text};

	snprintf(text, sizeof text, "not known: %s", recording->switches.why);
	trace_writer_info(recording->writer, &fact, 1);
}

static void tell_clock_step(struct recording *recording)
{
	char text[CLOCK_STEP_TEXT];
	struct message_info fact;

	if (clock_point_tell_step(&fact, text))
		trace_writer_info(recording->writer, &fact, 1);
}

/* The header was written as for this machine; the first thread that recorded says what it really is. Clock points wait for that: those of
 * this machine's clock would be nonsense in the trace of an emulated one. Two come before the first events, so that a recording that is
 * cut short knows its rate, too. */
void recording_learn_machine(struct recording *recording)
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
		trace_writer_clock(recording->writer, &recording->told.first);
		recording->next_clock_ns = 0; /* the second, in this sweep */
		tell_clock_step(recording);
	} else {
		switches_refuse(&recording->switches, "the program's clock is not this machine's");
	}
	tell_cpu_time(recording);
}

void recording_read_switches(struct recording *recording)
{
	struct message_clock point;

	if (!recording->switches.on)
		return;
	point = clock_point_read();
	switches_read(&recording->switches, &point);
}

static bool sweep(struct recording *recording, bool final)
{
	uint64_t now = clock_now_ns();
	bool busy = false;

	recording->session->shared->sweeps++;
	if (recording->session->mode != DWELL_MODE_STREAM) {
		if (recording->trigger)
			trigger_see(recording->trigger);
		followed_begin_look(&recording->followed, recording->session);
		journal_copy(&recording->journal, NULL, now, final, &recording->listener);
		keeper_look(&recording->keeper, &recording->followed, now);
		kept_switches_see(&recording->kept);
		recording_read_switches(recording);
		if (recording->trigger)
			busy = trigger_look(recording->trigger, final);
		orders_follow(&recording->orders, recording->session);
		return busy;
	}
	/* In this order: a module is in the journal before its first event is in a ring, and a switch is told before what the thread does
	 * next. */
	streams_see(&recording->streams, now, final);
	recording_read_switches(recording);
	recording_learn_machine(recording);
	followed_begin_look(&recording->followed, recording->session);
	journal_copy(&recording->journal, recording->writer, now, final, &recording->listener);
	recording_tell_clock_sometimes(recording, now);
	orders_follow(&recording->orders, recording->session);
	stages_look(&recording->stages, recording->writer, now);
	return streams_write(&recording->streams, now, final);
}

void recording_tell_facts(struct recording *recording, const struct recording_options *options)
{
	struct facts facts;
	facts_make(&facts, options);
	trace_writer_info(recording->writer, facts.list, facts.count);
}

/* That were not left out. */
static uint64_t recorded_events(const struct recording *recording)
{
	const struct streams *streams = &recording->streams;

	return streams->events + streams->figures.counted_events + streams->figures.seen_events;
}

static void tell_losses(struct recording *recording, const char *output)
{
	const struct losses losses = {
		.session = recording->session,
		.privileged = &recording->privileged,
		.recorded = recorded_events(recording),
		.in_rings = recording->streams.lost_events,
		.dropped = recording->streams.dropped_events,
		.broken = recording->streams.broken + recording->capture.broken,
		.entries = recording->journal.damaged,
		.switches = recording->switches.lost,
	};

	losses_tell(&losses, recording->writer, output, recording->diag);
}

bool recording_finish_file(struct recording *recording, const char *output)
{
	struct message_process *process = &recording->main_process;

	recording_tell_tails(recording, recording->streams.workers);
	if (!recording->live) /* who reads it meanwhile has the files */
		called_write(&recording->called, recording->streams.workers, recording->writer);
	trace_writer_end_begins(recording->writer);
	if (recording->main_path && !recording->attach) {
		process->path = recording->main_path;
		process->ended = true;
		process->status = recording->launch->status;
		trace_writer_process(recording->writer, process);
	}
	recording_tell_clock(recording);
	if (!recording->live) {
		tell_losses(recording, output);
		hooks_tell(recording->session, &recording->called, recording->writer, output, recording->diag);
		overhead_tell(recording->session, recording->streams.figures.left_out + recording->capture.figures.left_out,
			recording->writer);
	}
	if (trace_writer_finish(recording->writer))
		return true;
	/* Here, since the file itself may have had no room for the number. */
	if (trace_writer_unwritten_bytes(recording->writer))
		diag_add(recording->diag, DIAG_WARN, output, DIAG_NO_OFFSET, "%" PRIu64 " bytes of it, and the calls in them, could not be written to disk and are lost",
			trace_writer_unwritten_bytes(recording->writer));
	return false;
}

static bool is_regular_or_none(const char *path)
{
	struct stat info;

	return stat(path, &info) < 0 || S_ISREG(info.st_mode);
}

static bool begin_session(struct recording *recording, const char *output, const struct recording_options *options)
{
	struct session_options wanted = {.mode = options->mode, .slot_count = STREAM_SLOTS, .ring_bytes = STREAM_RING_BYTES};

	if (options->mode != DWELL_MODE_STREAM) {
		wanted.path = output;
		wanted.ring_bytes = options->ring_bytes;
		wanted.slot_count = file_size_slots(options->ring_bytes, options->memory_bytes);
		wanted.journal_bytes = file_size_journal(wanted.slot_count * (wanted.ring_bytes + DWELL_RING_HEADER_BYTES));
		if (!is_regular_or_none(output)) {
			diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET,
				"is not a regular file, and a ring or linear recording lives in its file: name another one, or use --stream");
			return false;
		}
	}
	recording->session = make_session(&wanted, recording->diag);
	return recording->session;
}

/* Longer than record is ever held up on a machine that works; less in a process that was not started to be recorded, and has clients. */
#define WAIT_MAX_NS UINT64_C(30000000000)
#define WAIT_MAX_ATTACHED_NS UINT64_C(1000000000)

/* What is looked at while it is recorded must not hold the program up while nobody looks. */
static void set_waits(struct dwell_session *shared, const struct recording_options *options)
{
	shared->wait_max_ns = options->wait_max_ns ? options->wait_max_ns : options->attach ? WAIT_MAX_ATTACHED_NS : WAIT_MAX_NS;
	shared->waits = (options->mode == DWELL_MODE_STREAM || watcher_is_wanted(&options->trigger)) && !options->loses &&
			(!options->live || options->counts);
}

static uint64_t memory_bytes(const struct recording_options *options)
{
	return options->memory_bytes ? options->memory_bytes : budget_default_bytes();
}

static bool begin(struct recording *recording, const char *output, const struct recording_options *options)
{
	struct facts facts;

	recording->told = (struct stage_recording){.first = clock_point_read(), .output = output, .diag = recording->diag};
	recording->live = options->live;
	recording->output = output;
	if (!begin_session(recording, output, options))
		return false;
	recording->session->args = recording->session->shared->args = options->args;
	set_waits(recording->session->shared, options);
	if (options->plans && !plans_begin(&recording->plans, recording->session, &options->filter, recording->diag))
		return false;
	recording->told.session = recording->session;
	if (!stages_begin(&recording->stages, &recording->told)) {
		diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "no memory to record with");
		return false;
	}
	recording->session->shared->order = recording->orders.seen = !options->off;
	recording->journal.session = recording->session;
	recording_listen(recording);
	recording->clock_step_ns = CLOCK_FIRST_NS;
	recording->header = (struct message_header){
		.clock_bits = 64,
		.clock_global = true,
		.pointer_bytes = sizeof(void *),
		.machine = clock_point_machine(),
		.start_unix_ns = recording->told.first.unix_ns,
	};
	if (options->mode != DWELL_MODE_STREAM) {
		facts_make(&facts, options);
		facts.list[facts.count++] = (struct message_info){"cpu-time", "not known: dwell, which followed it, did not end the recording"};
		switches_begin(&recording->switches, NULL, &recording->told.first);
		if (!kept_switches_begin(&recording->kept, recording->session, &recording->switches))
			switches_refuse(&recording->switches, "out of memory");
		keeper_begin(&recording->keeper, recording->session, facts.list, facts.count, &recording->told.first);
		return true;
	}
	trace_file_let_go(output);
	recording->writer = make_trace_writer(output, &recording->header, recording->diag);
	if (!recording->writer)
		return false;
	recording_tell_facts(recording, options);
	switches_begin(&recording->switches, recording->writer, &recording->told.first);
	if (options->counts)
		switches_refuse(&recording->switches, "--count adds calls up by the clock alone");
	if (streams_begin(
		    &recording->streams, recording->session, recording->writer, &recording->switches, memory_bytes(options))) {
		recording->streams.stages = &recording->stages;
		recording->streams.holds = recording->session->shared->waits;
		recording->streams.workers = make_workers(!options->no_pack);
		if (recording->streams.workers)
			return true;
	}
	diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "no memory to record with");
	return false;
}

static void end(struct recording *recording)
{
	free_workers(recording->streams.workers);
	streams_end(&recording->streams);
	kept_switches_end(&recording->kept);
	switches_end(&recording->switches);
	followed_clear(&recording->followed);
	called_clear(&recording->called);
	privileged_clear(&recording->privileged);
	plans_settle(&recording->plans, recording->diag);
	plans_end(&recording->plans);
	free_trace_writer(recording->writer);
	stages_free(&recording->stages);
	free_session(recording->session);
	free(recording->main_path);
	orders_end(&recording->orders);
}

static void follow(void *context, pid_t pid)
{
	struct switches *switches = &((struct recording *)context)->switches;

	if (!*switches->why)
		switches_follow(switches, pid);
}

static bool start(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	if (!recording->attach)
		return launch_begin(launch, path, options->argv, options->agent, recording->session->name, follow, recording,
			recording->diag);
	if (!*recording->switches.why)
		switches_follow_running(&recording->switches, options->attach);
	/* Counted again from when it has joined. */
	launch_attach(launch, options->attach, options->for_ns ? options->for_ns + JOIN_NS : 0);
	return attach_begin(recording->attach, recording->session->name, recording_hear, recording, recording->diag);
}

/* A process that was attached to may refuse, or become another program. */
static bool goes_on(struct recording *recording, const struct recording_options *options, struct launch *launch)
{
	enum attach_state state;

	if (!recording->attach)
		return true;
	state = attach_look(recording->attach, recording->diag);
	if (state == ATTACH_JOINED && !recording->joined && options->for_ns)
		launch->until_ns = clock_now_ns() + options->for_ns;
	recording->joined = state == ATTACH_JOINED;
	recording->gone = state == ATTACH_OVER;
	return state == ATTACH_JOINED || state == ATTACH_WAITING;
}

/* Whether nobody is left who records. */
static bool is_over(struct recording *recording, const struct recording_options *options, const struct launch *launch)
{
	uint64_t now = clock_now_ns(), left;
	bool soon;

	if (!launch->ended || launch->attached)
		return launch->ended;
	if (!recording->alone_ns)
		recording->alone_ns = now;
	if (now < recording->next_left_ns)
		return false;
	left = followed_left(&recording->followed, recording->session, now, &soon);
	/* A look takes a while where there are many. */
	recording->next_left_ns = now + (left ? LEFT_NS : SOON_NS) + 10 * (clock_now_ns() - now);
	if (!left)
		return !soon || now - recording->alone_ns >= FOLLOWED_PATIENCE_NS;
	recording->alone_ns = now;
	if (!recording->told_left)
		options->on_left(left);
	recording->told_left = true;
	return false;
}

/* How long to sleep between two looks. */
static long pause_ns(const struct recording *recording, const struct launch *launch, bool busy)
{
	if (recording->held)
		return SWEEP_HELD_NS;
	if (busy)
		return SWEEP_BUSY_NS;
	if (recording->attach && !recording->joined)
		return SWEEP_JOIN_NS;
	if (recording->trigger)
		return SWEEP_TRIGGER_NS;
	if (recording->session->mode == DWELL_MODE_STREAM || (launch->ended && !recording->told_left))
		return SWEEP_IDLE_NS;
	return SWEEP_FILE_NS;
}

/* The session is closed, and was read. */
static void end_attach(struct recording *recording)
{
	if (!recording->attach)
		return;
	attach_restore(recording->attach, recording->diag); /* it may have been changed, and not recorded */
	attach_release(recording->attach);
}

/* Runs the program. False: it did not start. */
static bool run(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	bool busy = false;

	if (options->on_begin)
		options->on_begin(recording->diag);
	explain_confined(path, recording->diag);
	if (!start(recording, path, options, launch)) {
		session_close(recording->session);
		end_attach(recording);
		return false;
	}
	recording->streams.whole_pid = options->attach || options->off ? 0 : (uint32_t)launch->pid;
	/* Threads wait for record: where it is allowed (to root, mostly), ask to be run before a program that keeps all processors busy. */
	if (options->mode == DWELL_MODE_STREAM || recording->trigger)
		setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - 10);
	if (options->mode == DWELL_MODE_STREAM) {
		trace_writer_behind(recording->writer);
		workers_start(recording->streams.workers);
	}
	do {
		launch_wait(launch, pause_ns(recording, launch, busy));
		busy = sweep(recording, false);
		recording_take_snapshot(recording, options);
		recording->held = recording->trigger && trigger_let_go(recording->trigger);
		launch->stopped |= options->stop && *options->stop;
	} while (!launch->stopped && goes_on(recording, options, launch) && !is_over(recording, options, launch));
	if (launch_was_forbidden(launch))
		explain_forbidden(path, recording->diag);
	session_close(recording->session); /* what is left of the program's children is not recorded any more */
	plans_settle(&recording->plans, recording->diag);
	if (recording->attach)
		attach_restore(recording->attach, recording->diag);
	sweep(recording, true);
	end_attach(recording);
	return true;
}

static uint64_t events_in_file(const struct recording *recording)
{
	const struct streams *streams = &recording->streams;

	return streams->events + streams->figures.counted_events + recording->ended.events + recording->capture.events;
}

static void finish_stages(struct recording *recording)
{
	recording->ended = (struct stage_end){.workers = recording->streams.workers,
		.writer = recording->writer,
		.next_stream = recording->streams.next_stream,
		.recorded = recorded_events(recording)};
	stages_finish(&recording->stages, &recording->ended);
}

/* What came of it. False: no event was recorded. */
static bool finish(struct recording *recording, const char *output, const struct recording_options *options)
{
	bool made;

	if (options->mode == DWELL_MODE_STREAM) {
		finish_stages(recording);
		if (events_in_file(recording))
			recording_finish_file(recording, output);
		return events_in_file(recording) > 0;
	}
	made = recording_convert(recording, output, options);
	finish_stages(recording);
	if (made)
		return recording->capture.events > 0;
	diag_add(recording->diag, DIAG_WARN, output, DIAG_NO_OFFSET,
		"could not be made a trace file, and stays the session file that it was while it was recorded; the same can be read from it");
	return true;
}

/* What killed the program that was started here; 0: nothing did. */
static int get_signal(const struct recording *recording, const struct launch *launch)
{
	return launch->ended && !recording->attach && WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
}

/* The file that says what is recorded from here on. False: nothing came of it. */
static bool record_to_file(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	struct trace_file file = {0};
	uint64_t began = clock_now_ns();
	bool started = false, ready;

	/* A limit on file size or a reader that went away must be an error to report, not the end of this process. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (trace_file_begin(&file, options->output, options->attach ? path : options->program, recording->diag)) {
		ready = begin(recording, file.path, options);
		if (ready)
			started = run(recording, path, options, launch);
		if (started && finish(recording, file.path, options)) {
			trace_file_keep(&file);
			trace_file_tell(&file, events_in_file(recording),
				clock_now_ns() - began, options->recorded);
			if (recording->trigger && options->recorded)
				trigger_tell_first(recording->trigger, options->recorded);
		} else {
			/* Nothing to keep: leave things as they were. */
			if (started && recording->ended.nothing && figures_read(recording->session).hooked_modules)
				diag_add(recording->diag, DIAG_ERROR, recording->attach ? recording->attach->name : options->program,
					DIAG_NO_OFFSET, "nothing was recorded: %s", recording->ended.nothing);
			else if (started && !diag_has_error(recording->diag))
				explain_nothing(recording->session, path, recording->attach, launch->ended || recording->gone,
					get_signal(recording, launch), recording->diag);
			trace_file_undo(&file, options->mode == DWELL_MODE_STREAM
						       ? recording->writer && trace_writer_is_regular(recording->writer)
						       : ready);
		}
	}
	end(recording);
	trace_file_end(&file);
	return started;
}

/* False: there is none, which is said. */
static bool add(struct recording *recording, struct stage *stage)
{
	if (stage)
		stages_add(&recording->stages, stage);
	else if (!diag_has_error(recording->diag))
		diag_add(recording->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
	return stage;
}

/* What slots go through, in this order: what is not wanted is no level of depth, and nobody's sum. */
static bool add_stages(struct recording *recording, const char *path, const struct recording_options *options)
{
	const struct filter_program program = {path, options->plans, options->argv, options->attach};
	struct diag *diag = recording->diag;
	struct filter *filter = NULL;
	bool good = true;

	if (filter_is_wanted(&options->filter))
		good = (filter = make_filter(&options->filter, &program, diag)) && add(recording, filter_get_stage(filter));
	if (good && options->throttle > 0)
		good = add(recording, make_throttle(options->throttle, diag));
	if (good && options->depth_limit)
		good = add(recording, make_depth(options->depth_limit));
	if (good && options->longer_ns)
		good = add(recording, make_longer(options->longer_ns));
	if (good && options->counts)
		good = add(recording, make_count_stage());
	if (good && watcher_is_wanted(&options->slow))
		good = add(recording, make_slow_trees(&options->slow, &program, memory_bytes(options), filter, diag));
	if (good && watcher_is_wanted(&options->trigger))
		good = (recording->trigger = make_trigger(&options->trigger, &program, filter, diag)) &&
		       add(recording, trigger_get_stage(recording->trigger));
	return good;
}

/* Before there is a file: where nothing would be left to record, none is touched. */
static bool prepare(struct recording *recording, const char *path, const struct recording_options *options)
{
	if (add_stages(recording, path, options))
		return true;
	stages_free(&recording->stages);
	return false;
}

bool recording_run(const struct recording_options *options, struct launch *launch, struct diag *diag)
{
	struct recording recording = {.diag = diag, .launch = launch};
	char *path = make_program_path(options->program, diag);
	bool started = false;

	if (path && prepare(&recording, path, options))
		started = record_to_file(&recording, path, options, launch);

	free(path);
	return started;
}

bool recording_attach(const struct recording_options *options, struct diag *diag)
{
	struct launch launch = {.watch = -1};
	struct attach attach;
	struct recording recording = {.diag = diag, .launch = &launch, .attach = &attach};
	bool found = options->plans ? attach_find_or_bring(&attach, options->attach, options->agent, diag)
				    : attach_find(&attach, options->attach, options->agent, diag);

	if (found && attach.orders && (filter_is_wanted(&options->filter) || options->depth_limit ||
				      watcher_is_wanted(&options->trigger) || watcher_is_wanted(&options->slow)))
		diag_add(diag, DIAG_ERROR, attach.name, DIAG_NO_OFFSET,
			"was started with dwell record --off, which writes the file: what to leave out is said there");
	else if (found && attach.orders)
		attach_give_orders(&attach, &launch, options->for_ns, diag);
	else if (found && prepare(&recording, attach.program, options))
		found = record_to_file(&recording, attach.program, options, &launch);
	launch_end(&launch);
	attach_end(&attach);
	return found;
}
