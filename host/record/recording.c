#include "record/recording.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "record/attach.h"
#include "record/clock_point.h"
#include "record/explain.h"
#include "record/journal.h"
#include "record/orders.h"
#include "record/trace_file.h"
#include "record/session.h"
#include "record/streams.h"
#include "record/switches.h"
#include "writer/dwell.h"

#define SLOT_COUNT 4096u
#define RING_BYTES (32u << 20)

/* How often to look: soon again while a ring fills, rarely while nothing happens. */
#define SWEEP_BUSY_NS 500000
#define SWEEP_IDLE_NS 4000000
#define CLOCK_FIRST_NS 10000000u
#define CLOCK_NS 1000000000u

struct recording {
	struct session *session;
	struct journal journal;
	struct orders orders;
	struct trace_writer *writer;
	struct streams streams;
	struct switches switches;
	struct message_header header;
	struct diag *diag;
	const struct launch *launch;
	struct attach *attach; /* null: the program is our child */
	bool joined;           /* it is in the session */
	struct message_process main_process; /* as it told itself last: told again when it has ended */
	char *main_path;
	uint64_t next_clock_ns, clock_step_ns;
	struct message_clock first_point; /* from before the program started */
	bool knows_machine;               /* the program's, once a thread of it recorded */
	bool own_clock;                   /* record reads the clock that the agents use. Valid with knows_machine */
};

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void tell_clock(struct recording *recording)
{
	struct message_clock point;

	if (!recording->knows_machine || !recording->own_clock)
		return;
	point = clock_point_read();
	trace_writer_clock(recording->writer, &point);
}

/* Fewer and fewer, to one a second. */
static void tell_clock_sometimes(struct recording *recording, uint64_t now)
{
	if (now < recording->next_clock_ns)
		return;
	tell_clock(recording);
	recording->next_clock_ns = now + recording->clock_step_ns;
	if (recording->clock_step_ns < CLOCK_NS)
		recording->clock_step_ns *= 10;
}

static void keep_process(void *context, const struct message_process *process)
{
	struct recording *recording = context;

	orders_add_process(&recording->orders, process->pid);
	if (process->pid != (uint32_t)recording->launch->pid)
		return;
	free(recording->main_path);
	recording->main_path = strdup(process->path);
	recording->main_process = *process;
	recording->main_process.argc = 0;
	recording->main_process.argv = NULL;
}

static void tell_cpu_time(struct recording *recording)
{
	char text[200];
	struct message_info fact = {"cpu-time", recording->switches.on ? "known" : text};

	snprintf(text, sizeof text, "not known: %s", recording->switches.why);
	trace_writer_info(recording->writer, &fact, 1);
}

/* The header was written as for this machine; the first thread that recorded says what it really is. Clock points wait for that: those of
 * this machine's clock would be nonsense in the trace of an emulated one. Two come before the first events, so that a recording that is
 * cut short knows its rate, too. */
static void learn_machine(struct recording *recording)
{
	const struct dwell_session *shared = recording->session->shared;
	struct message_header *header = &recording->header;

	if (recording->knows_machine || !__atomic_load_n(&shared->machine_ready, __ATOMIC_ACQUIRE))
		return;
	recording->knows_machine = true;
	header->machine = shared->machine;
	header->pointer_bytes = shared->pointer_bytes;
	header->clock_bits = shared->clock_bits;
	header->clock_hz = shared->clock_hz;
	header->clock_global = (shared->clock_flags & DWELL_CLOCK_GLOBAL) != 0;
	header->clock_late = (shared->clock_flags & DWELL_CLOCK_LATE) != 0;
	recording->own_clock = shared->machine == clock_point_machine();
	trace_writer_set_header(recording->writer, header);
	if (recording->own_clock)
		trace_writer_clock(recording->writer, &recording->first_point);
	else
		switches_refuse(&recording->switches, "the program's clock is not this machine's");
	tell_cpu_time(recording);
}

static void read_switches(struct recording *recording)
{
	struct message_clock point;

	if (!recording->switches.on)
		return;
	point = clock_point_read();
	switches_read(&recording->switches, &point);
}

static bool sweep(struct recording *recording, bool final)
{
	uint64_t now = now_ns();

	/* In this order: a module is in the journal before its first event is in a ring, and a switch is told before what the thread does
	 * next. */
	streams_see(&recording->streams, final);
	read_switches(recording);
	learn_machine(recording);
	journal_copy(&recording->journal, recording->writer, now, final, keep_process, recording);
	tell_clock_sometimes(recording, now);
	orders_follow(&recording->orders, recording->session);
	return streams_write(&recording->streams, now, final);
}

static void tell_facts(struct recording *recording, const struct recording_options *options)
{
	struct utsname system;
	char kernel[sizeof system.sysname + sizeof system.release + sizeof system.machine + 3];
	struct message_info facts[] = {
		{"recorded-by", "dwell " DWELL_VERSION},
		{"command", options->command_line},
		{"system", kernel},
		{"mode", "stream"},
		{"hooks", "-finstrument-functions"},
	};

	if (uname(&system) < 0)
		kernel[0] = 0;
	else
		snprintf(kernel, sizeof kernel, "%s %s %s", system.sysname, system.release, system.machine);
	trace_writer_info(recording->writer, facts, sizeof facts / sizeof *facts);
}

static void tell_losses(struct recording *recording, const char *output)
{
	const struct dwell_session *shared = recording->session->shared;
	struct diag *diag = recording->diag;
	uint64_t in_rings = recording->streams.lost_events;
	const struct message_loss losses[] = {
		{.reason = DWELL_LOSS_THREADS, .count = shared->lost_threads},
		{.reason = DWELL_LOSS_EVENTS, .count = shared->lost_events},
		{.reason = DWELL_LOSS_SETUP, .count = shared->lost_setup},
		{.reason = DWELL_LOSS_MODULES, .count = shared->lost_modules + recording->journal.damaged},
		{.reason = DWELL_LOSS_SWITCHES, .count = recording->switches.lost},
	};

	for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
		if (losses[i].count)
			trace_writer_loss(recording->writer, &losses[i]);
	if (in_rings)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " events were lost: the program was faster than they could be written", in_rings,
			in_rings + recording->streams.events);
	if (shared->lost_threads)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " threads were not recorded: more than %u recorded at the same time", (uint64_t)shared->lost_threads,
			recording->session->slot_count);
	if (shared->lost_setup)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " events were lost in signal handlers that came while a thread began to be recorded",
			(uint64_t)shared->lost_setup);
	if (recording->streams.broken)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "the rings of %" PRIu64 " threads were damaged, probably by the program itself",
			recording->streams.broken);
	if (losses[3].count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " modules or processes are not in the trace: names will be missing", losses[3].count);
}

static void finish_file(struct recording *recording, const char *output)
{
	struct message_process *process = &recording->main_process;

	if (recording->main_path && !recording->attach) {
		process->path = recording->main_path;
		process->ended = true;
		process->status = recording->launch->status;
		trace_writer_process(recording->writer, process);
	}
	tell_clock(recording);
	tell_losses(recording, output);
	trace_writer_finish(recording->writer);
}

static bool begin(struct recording *recording, const char *output, const struct recording_options *options)
{
	recording->session = make_session(SLOT_COUNT, RING_BYTES, DWELL_MODE_STREAM, recording->diag);
	if (!recording->session)
		return false;
	recording->journal.session = recording->session;
	recording->first_point = clock_point_read();
	recording->clock_step_ns = CLOCK_FIRST_NS;
	recording->header = (struct message_header){
		.clock_bits = 64,
		.clock_global = true,
		.pointer_bytes = sizeof(void *),
		.machine = clock_point_machine(),
		.start_unix_ns = recording->first_point.unix_ns,
	};
	recording->writer = make_trace_writer(output, &recording->header, recording->diag);
	if (!recording->writer)
		return false;
	tell_facts(recording, options);
	recording->session->shared->order = recording->orders.seen = !options->off;
	switches_begin(&recording->switches, recording->writer, &recording->first_point);
	if (streams_begin(&recording->streams, recording->session, recording->writer, &recording->switches)) {
		recording->streams.packer = options->no_pack ? NULL : make_packer();
		if (recording->streams.packer || options->no_pack)
			return true;
	}
	diag_add(recording->diag, DIAG_ERROR, output, DIAG_NO_OFFSET, "no memory to record with");
	return false;
}

static void end(struct recording *recording)
{
	free_packer(recording->streams.packer);
	streams_end(&recording->streams);
	switches_end(&recording->switches);
	free_trace_writer(recording->writer);
	free_session(recording->session);
	free(recording->main_path);
	orders_end(&recording->orders);
}

static void follow(void *context, pid_t pid)
{
	switches_follow(&((struct recording *)context)->switches, pid);
}

static bool start(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	if (!recording->attach)
		return launch_begin(launch, path, options->argv, options->agent, recording->session->name, follow, recording,
			recording->diag);
	switches_refuse(&recording->switches, "its threads ran before");
	launch_attach(launch, options->attach, options->for_ns);
	return attach_begin(recording->attach, recording->session->name, recording->diag);
}

/* A process that was attached to may refuse, or become another program. */
static bool goes_on(struct recording *recording, const struct recording_options *options, struct launch *launch)
{
	enum attach_state state;

	if (!recording->attach)
		return true;
	state = attach_look(recording->attach, recording->diag);
	if (state == ATTACH_JOINED && !recording->joined && options->for_ns)
		launch->until_ns = now_ns() + options->for_ns;
	recording->joined = state == ATTACH_JOINED;
	return state == ATTACH_JOINED || state == ATTACH_WAITING;
}

/* Runs the program. False: it did not start. */
static bool run(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	bool busy = false;

	if (!start(recording, path, options, launch))
		return false;
	/* Late is lost: where it is allowed (to root, mostly), ask to be run before a program that keeps all processors busy. */
	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) - 10);
	while (!launch->ended && !launch->stopped && goes_on(recording, options, launch)) {
		launch_wait(launch, busy ? SWEEP_BUSY_NS : SWEEP_IDLE_NS);
		busy = sweep(recording, false);
	}
	session_close(recording->session); /* what is left of the program's children is not recorded any more */
	sweep(recording, true);
	return true;
}

/* The file that says what is recorded from here on. False: nothing came of it. */
static bool record_to_file(struct recording *recording, const char *path, const struct recording_options *options, struct launch *launch)
{
	struct trace_file file = {0};
	bool started = false;

	/* A limit on file size or a reader that went away must be an error to report, not the end of this process. */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (trace_file_begin(&file, options->output, options->attach ? path : options->program, recording->diag)) {
		if (begin(recording, file.path, options))
			started = run(recording, path, options, launch);
		if (started && recording->streams.events) {
			finish_file(recording, file.path);
			trace_file_keep(&file);
		} else {
			/* Nothing to keep: leave things as they were. */
			if (started && !diag_has_error(recording->diag))
				explain_nothing(recording->session, path, recording->attach, recording->diag);
			trace_file_undo(&file, recording->writer && trace_writer_is_regular(recording->writer));
		}
	}
	end(recording);
	trace_file_end(&file);
	return started;
}

bool recording_run(const struct recording_options *options, struct launch *launch, struct diag *diag)
{
	struct recording recording = {.diag = diag, .launch = launch};
	char *path = make_program_path(options->program, diag);
	bool started = path && record_to_file(&recording, path, options, launch);

	free(path);
	return started;
}

/* The process is in the session of a dwell record already, whose file gets it all. */
static void give_orders(struct attach *attach, const struct recording_options *options, struct launch *launch, struct diag *diag)
{
	launch_attach(launch, options->attach, options->for_ns);
	attach_begin(attach, NULL, diag);
	while (!launch->ended && !launch->stopped && attach_look(attach, diag) == ATTACH_JOINED)
		launch_wait(launch, SWEEP_IDLE_NS);
	attach_stop(attach);
	diag_add(diag, DIAG_NOTE, attach->name, DIAG_NO_OFFSET, "its calls are in the file of the dwell record that it was started with");
}

bool recording_attach(const struct recording_options *options, struct diag *diag)
{
	struct launch launch = {.watch = -1};
	struct attach attach;
	struct recording recording = {.diag = diag, .launch = &launch, .attach = &attach};
	bool found = attach_find(&attach, options->attach, options->agent, diag);

	if (found && attach.orders)
		give_orders(&attach, options, &launch, diag);
	else if (found)
		found = record_to_file(&recording, attach.program, options, &launch);
	launch_end(&launch);
	attach_end(&attach);
	return found;
}
