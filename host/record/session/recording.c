/* recording: runs one recording. Makes the session and the file, starts the program or attaches to
 * a process, sweeps until all recorded processes have ended, and completes the file. */
#include "record/session/recording_inner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/drain/workers.h"
#include "record/program/explain.h"
#include "record/session/clock_point.h"
#include "record/session/figures.h"
#include "record/sink/file_size.h"
#include "record/sink/trace_file.h"
#include "util/clock.h"
#include "util/priority.h"

/* In stream mode: rings use address space only, so many large rings are possible. */
#define STREAM_SLOTS 8192u
#define STREAM_RING_BYTES (UINT64_C(32) << 20)
/* Pauses between sweeps: short while a ring fills, long while nothing happens. */
#define SWEEP_BUSY_NS 500000
#define SWEEP_IDLE_NS 4000000
/* How long a process may take to join, added to the requested time: its processors may be busy. */
#define JOIN_NS UINT64_C(1000000000)
#define SWEEP_JOIN_NS 1000000 /* the requested time begins when the process joins */
#define SWEEP_TRIGGER_NS 1000000 /* rings overwrite a slow call meanwhile, or its thread waits */
#define SWEEP_HELD_NS 50000      /* a thread has just waited: the ring is small for its speed */
#define SWEEP_FILE_NS 20000000 /* ring, linear: only snapshots wait for record */
/* When the program has ended: interval at which is_over counts the processes that still record. */
#define LEFT_NS UINT64_C(200000000)
#define SOON_NS UINT64_C(4000000) /* the same while no process is left, but a new one may come soon */
#define CLOCK_FIRST_NS 10000000u /* the first interval between clock points */

/* Reads the journal and the switches once. Stream: also reads all rings, and writes to the file. Ring: only the trigger reads
 * rings. final: no process records any more. Returns whether the next sweep should come soon. */
static bool sweep(struct recording *recording, bool final)
{
	uint64_t now = clock_now_ns();
	bool busy = false;

	recording->session->shared->sweeps++;
	if (recording->session->mode != DWELL_MODE_STREAM) {
		if (recording->trigger)
			trigger_read_positions(recording->trigger);
		followed_read_forks(&recording->followed, recording->session);
		journal_copy(&recording->journal, NULL, now, final, &recording->listener);
		keeper_sweep(&recording->keeper, &recording->followed, now);
		kept_switches_read_threads(&recording->kept);
		recording_read_switches(recording);
		if (recording->trigger)
			busy = trigger_judge_calls(recording->trigger, final);
		orders_follow(&recording->orders, recording->session);
		return busy;
	}
	/* The order matters: a module is in the journal before its first event is in
	 * a ring, and the file must have a switch before the thread's next event. */
	streams_read_positions(&recording->streams, now, final);
	if (final)
		switches_count_faults(&recording->switches);
	recording_read_switches(recording);
	recording_update_header(recording);
	followed_read_forks(&recording->followed, recording->session);
	journal_copy(&recording->journal, recording->writer, now, final, &recording->listener);
	recording_write_clock_if_due(recording, now);
	orders_follow(&recording->orders, recording->session);
	stages_sweep(&recording->stages, recording->writer, now);
	return streams_write(&recording->streams, now, final);
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
				"is not a regular file, and a ring or linear recording takes the place of its file at the end: name another one, or use --stream");
			return false;
		}
	}
	recording->session = make_session(&wanted, recording->diag);
	return recording->session;
}

/* The longest wait of a thread for room in its ring: longer than any delay of record on a machine that works.
 * Less for an attached process, which was not started to be recorded, and has clients. */
#define WAIT_MAX_NS UINT64_C(30000000000)
#define WAIT_MAX_ATTACHED_NS UINT64_C(1000000000)

/* Decides whether threads wait for record, and how long at most. A live recording must not stop the
 * program while the viewer reads nothing, unless record only counts calls. */
static void set_waits(struct dwell_session *shared, const struct recording_options *options)
{
	shared->wait_max_ns = options->wait_max_ns ? options->wait_max_ns : options->attach ? WAIT_MAX_ATTACHED_NS : WAIT_MAX_NS;
	shared->waits = (options->mode == DWELL_MODE_STREAM || watcher_has_rules(&options->trigger)) && !options->loses_when_full &&
			(!options->live || options->counts);
}

/* Makes the session, in stream mode the trace file, and the parts of the recording. False, and a diag: a part could not be made. */
static bool begin_recording(struct recording *recording, const char *output, const struct recording_options *options)
{
	struct facts facts;

	recording->stage_facts = (struct stage_recording){.first = clock_point_read(), .output = output, .diag = recording->diag};
	recording->files.since_unix_ns = recording->stage_facts.first.unix_ns;
	recording->live = options->live;
	recording->output = output;
	if (!begin_session(recording, output, options))
		return false;
	recording->session->args = recording->session->shared->args = options->args;
	set_waits(recording->session->shared, options);
	if (options->plans && !plans_begin(&recording->plans, recording->session, &options->filter, recording->diag))
		return false;
	recording->stage_facts.session = recording->session;
	if (!stages_begin(&recording->stages, &recording->stage_facts)) {
		diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "no memory to record with");
		return false;
	}
	/* An attach with plans turns recording on later (attach_begin). */
	recording->session->shared->order = recording->orders.last_order = !options->off && !(options->plans && options->attach);
	recording->journal.session = recording->session;
	recording_set_listener(recording);
	recording->clock_step_ns = CLOCK_FIRST_NS;
	recording->header = (struct message_header){
		.clock_bits = 64,
		.clock_global = true,
		.pointer_bytes = sizeof(void *),
		.machine = clock_point_machine(),
		.start_unix_ns = recording->stage_facts.first.unix_ns,
	};
	if (options->mode != DWELL_MODE_STREAM) {
		facts_make(&facts, options);
		facts.list[facts.count++] = (struct message_info){"cpu-time", "not known: dwell, which followed it, did not end the recording"};
		switches_begin(&recording->switches, NULL, &recording->stage_facts.first);
		if (!kept_switches_begin(&recording->kept, recording->session, &recording->switches))
			switches_turn_off(&recording->switches, "out of memory");
		keeper_begin(&recording->keeper, recording->session, facts.list, facts.count, &recording->stage_facts.first);
		return true;
	}
	recording->writer = make_trace_writer(output, &recording->header, recording->diag);
	if (!recording->writer)
		return false;
	recording_write_facts(recording, options);
	switches_begin(&recording->switches, recording->writer, &recording->stage_facts.first);
	recording->switches.cpu_places = &recording->cpu_places;
	recording->switches.events.faults.wanted = options->page_faults;
	if (options->counts)
		switches_turn_off(&recording->switches, "--count adds calls up by the clock alone");
	if (streams_begin(&recording->streams, recording->session, recording->writer, &recording->switches,
		    recording_memory_bytes(options))) {
		recording->streams.stages = &recording->stages;
		recording->streams.program_waits = recording->session->shared->waits;
		recording->streams.workers = make_workers(!options->no_pack);
		if (recording->streams.workers)
			return true;
	}
	diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "no memory to record with");
	return false;
}

/* Frees all parts, including those of a recording that could not begin. */
static void free_recording(struct recording *recording)
{
	free_workers(recording->streams.workers);
	streams_end(&recording->streams);
	kept_switches_end(&recording->kept);
	switches_end(&recording->switches);
	followed_clear(&recording->followed);
	called_clear(&recording->called);
	privileged_clear(&recording->privileged);
	privileged_clear(&recording->unreached);
	privileged_clear(&recording->unloaded);
	plans_end_thread(&recording->plans, recording->diag);
	plans_end(&recording->plans);
	kept_files_clear(&recording->files);
	free_trace_writer(recording->writer);
	stages_free(&recording->stages);
	free_session(recording->session);
	free(recording->main_path);
	orders_end(&recording->orders);
}

/* The ready function of launch.h: follows the switches of the program from its start on. */
static void follow_switches(void *context, pid_t pid)
{
	struct switches *switches = &((struct recording *)context)->switches;

	if (!*switches->why)
		switches_follow(switches, pid);
}

/* Starts the program, or attaches to the process. False, and a diag: the start or the attach failed; the code of an attached
 * process may be changed then. */
static bool start_program(
	struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	bool good;

	if (!recording->attach)
		return launch_begin(launch, path, options->argv, options->agent, recording->session->name, follow_switches,
			recording, recording->diag);
	if (!*recording->switches.why)
		switches_follow_running(&recording->switches, options->attach);
	launch_attach(launch, options->attach, 0);
	recording_make_plans(recording);
	priority_raise(10); /* attach_begin stops the threads of the process for a while */
	good = attach_begin(recording->attach, recording->session, recording_read_journal, recording, recording->diag);
	/* should_go_on sets the end anew when the process has joined. */
	launch->until_ns = options->for_ns ? clock_now_ns() + options->for_ns + JOIN_NS : 0;
	return good;
}

/* Whether to go on recording. False only for an attached process that has ended, refuses to join, or runs another program.
 * When the process has joined, sets the end of the requested time. */
static bool should_go_on(struct recording *recording, const struct recording_options *options, struct launch *launch)
{
	enum attach_state state;

	if (!recording->attach)
		return true;
	state = attach_get_state(recording->attach, recording->diag);
	if (state == ATTACH_JOINED && !recording->joined && options->for_ns)
		launch->until_ns = clock_now_ns() + options->for_ns;
	recording->joined = state == ATTACH_JOINED;
	recording->gone = state == ATTACH_ENDED;
	return state == ATTACH_JOINED || state == ATTACH_WAITING;
}

/* Whether all processes that record have ended. For an attached process: whether it has ended. */
static bool is_over(struct recording *recording, const struct recording_options *options, const struct launch *launch)
{
	uint64_t now = clock_now_ns(), left;
	bool soon;

	if (!launch->ended || launch->attached)
		return launch->ended;
	if (!recording->none_left_since_ns)
		recording->none_left_since_ns = now;
	if (now < recording->next_left_ns)
		return false;
	left = followed_count_recording(&recording->followed, recording->session, now, &soon);
	/* With many processes followed_count_recording takes long: leave ten times as long until the next call. */
	recording->next_left_ns = now + (left ? LEFT_NS : SOON_NS) + 10 * (clock_now_ns() - now);
	if (!left)
		return !soon || now - recording->none_left_since_ns >= FOLLOWED_PATIENCE_NS;
	recording->none_left_since_ns = now;
	if (!recording->left_is_reported)
		options->on_processes_left(left);
	recording->left_is_reported = true;
	return false;
}

/* How long to sleep between two sweeps. */
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
	if (recording->session->mode == DWELL_MODE_STREAM || (launch->ended && !recording->left_is_reported))
		return SWEEP_IDLE_NS;
	return SWEEP_FILE_NS;
}

/* Restores an attached process and its children, after the session was closed and read. */
static void end_attach(struct recording *recording)
{
	if (!recording->attach)
		return;
	attach_restore(recording->attach, recording->diag); /* after a failed start, the code may be changed */
	attach_release(recording->attach);
	/* Children forked from now on have the restored code. Children forked after the session
	 * was closed have not announced themselves, so /proc lists them. */
	orders_add_children(&recording->orders, recording->attach->control.pid);
	for (uint32_t i = 0; i < recording->orders.count; i++)
		attach_restore_child(recording->attach, (pid_t)recording->orders.pids[i], recording->diag);
}

/* Runs the program, or attaches to it, and sweeps until the recording ends. False and a diag: the program did not start, or dwell
 * cannot attach. */
static bool run_program(
	struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	bool busy = false;

	if (options->on_begin)
		options->on_begin(recording->diag);
	explain_seccomp(path, recording->diag);
	if (!start_program(recording, path, options, launch)) {
		session_close(recording->session);
		end_attach(recording);
		return false;
	}
	recording->streams.from_start_pid = options->attach || options->off ? 0 : (uint32_t)launch->pid;
	if (options->mode == DWELL_MODE_STREAM || recording->trigger)
		priority_raise(10); /* threads wait for record */
	if (options->mode == DWELL_MODE_STREAM) {
		trace_writer_start_thread(recording->writer);
		workers_start(recording->streams.workers);
	}
	do {
		launch_wait(launch, pause_ns(recording, launch, busy));
		busy = sweep(recording, false);
		recording_take_snapshot(recording, options);
		recording->held = recording->trigger && trigger_release(recording->trigger);
		launch->stopped |= options->stop && *options->stop;
	} while (!launch->stopped && should_go_on(recording, options, launch) && !is_over(recording, options, launch));
	if (launch_was_killed_by_seccomp(launch))
		explain_seccomp_kill(path, recording->diag);
	attach_turn_off(recording->attach, recording->session);
	session_close(recording->session); /* remaining children of the program are not recorded any more */
	plans_end_thread(&recording->plans, recording->diag);
	if (recording->attach)
		attach_restore(recording->attach, recording->diag);
	sweep(recording, true);
	end_attach(recording);
	return true;
}

/* The number of events that the file lists or that stages have added up in it. */
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
		.recorded = recording_count_events(recording)};
	stages_finish(&recording->stages, &recording->ended);
}

/* Writes the rest of the file. False: the file has no event; or, for ring and linear: neither a trace file nor a session file could
 * be written. A stream that could not be written to its end is a file, too. */
static bool finish_output(struct recording *recording, const char *output, const struct recording_options *options)
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
	if (session_save(recording->session->fd, recording->session->bytes, output)) {
		diag_add(recording->diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"could not be made a trace file, and is a session file instead: the memory that was recorded to; the same can be read from it");
		return true;
	}
	diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "could not be written (%s): what the rings held is lost", strerror(errno));
	return false;
}

/* The signal that ended the program; 0: none, or record did not start the program. */
static int get_signal(const struct recording *recording, const struct launch *launch)
{
	return launch->ended && !recording->attach && WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
}

/* Records into a trace file, from its creation to its end. False: the program was not started. */
static bool record_to_file(
	struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	struct trace_file file = {0};
	uint64_t began = clock_now_ns();
	bool started = false;

	/* A limit on file size or a reader that went away must be an error to report, not the end of this process. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (trace_file_begin(&file, options->output, options->attach ? path : options->program, recording->diag)) {
		if (begin_recording(recording, file.path, options))
			started = run_program(recording, path, options, launch);
		if (started && finish_output(recording, file.path, options)) {
			trace_file_commit(&file);
			trace_file_get_result(&file, events_in_file(recording),
				clock_now_ns() - began, options->recorded);
			if (recording->trigger && options->recorded)
				trigger_get_first(recording->trigger, options->recorded);
		} else {
			/* There is nothing to keep: restore the earlier file, if any. */
			if (started && recording->ended.empty_reason && figures_read(recording->session).hooked_modules)
				diag_add(recording->diag, DIAG_ERROR,
					recording->attach ? recording->attach->name : options->program, DIAG_NO_OFFSET,
					"nothing was recorded: %s", recording->ended.empty_reason);
			else if (started && recording->unreached.count)
				diag_add(recording->diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s " PRIVILEGED_UNREACHED,
					recording->unreached.paths[0]);
			else if (started && recording->unloaded.count)
				diag_add(recording->diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s " PRIVILEGED_UNLOADED,
					recording->unloaded.paths[0]);
			else if (started && !diag_has_error(recording->diag))
				explain_no_events(recording->session, path, recording->attach, launch->ended || recording->gone,
					get_signal(recording, launch), recording->diag);
			trace_file_roll_back(&file, options->mode == DWELL_MODE_STREAM && recording->writer &&
						       trace_writer_is_regular(recording->writer));
		}
	}
	free_recording(recording);
	trace_file_end(&file);
	return started;
}

bool recording_run(const struct recording_options *options, struct launch *launch, struct diag *diag)
{
	struct recording recording = {.diag = diag, .launch = launch};
	char *path = make_program_path(options->program, diag);
	bool started = false;

	if (path && recording_prepare(&recording, path, options))
		started = record_to_file(&recording, path, options, launch);
	free(path);
	return started;
}

bool recording_attach(const struct recording_options *options, struct diag *diag)
{
	struct launch launch = {.exit_fd = -1};
	struct attach attach;
	struct recording recording = {.diag = diag, .launch = &launch, .attach = &attach};
	bool found = options->plans ? attach_find_or_inject(&attach, options->attach, options->agent, diag)
				    : attach_find(&attach, options->attach, options->agent, diag);

	if (found && attach.orders && options->refused)
		diag_add(diag, DIAG_ERROR, attach.name, DIAG_NO_OFFSET,
			"%s has no effect on it: the dwell record --off that started it %s; give %s to that record", options->refused,
			options->refused_as, options->refused);
	else if (found && attach.orders && options->live)
		diag_add(diag, DIAG_ERROR, attach.name, DIAG_NO_OFFSET,
			"the dwell record --off that started it has its calls, in a file; dwell attach turns that on, and dwell top --sample shows "
			"shares of CPU time");
	else if (found && attach.orders)
		attach_turn_on_session(&attach, &launch, options->for_ns, diag);
	else if (found && recording_prepare(&recording, attach.program, options))
		found = record_to_file(&recording, attach.program, options, &launch);
	launch_end(&launch);
	attach_end(&attach);
	return found;
}
