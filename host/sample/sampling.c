/* sampling: runs a program under the sampler, and writes the samples to the trace file. */
#include "sample/sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "record/program/explain.h"
#include "record/program/perf_refusal.h"
#include "record/sink/trace_file.h"
#include "sample/code/jit_names.h"
#include "sample/code/kernel_names.h"
#include "sample/engine.h"
#include "sample/intake.h"
#include "sample/lateness.h"
#include "sample/perf/perf_open.h"
#include "sample/attached_cpu.h"
#include "sample/running.h"
#include "util/clock.h"
#include "util/each_thread.h"
#include "util/priority.h"
#include "util/units.h"

/* Samples stay in this process for FLUSH_NS, plus the time between two looks: a tenth of a second in all. If dwell is killed, these
 * samples are lost. With many threads samples stay longer: a chunk for each thread at that rate would have more overhead than
 * samples. */
#define FLUSH_NS UINT64_C(75000000)
#define FLUSH_NS_MAX UINT64_C(1000000000)
#define FLUSH_THREADS 16u /* so many threads with samples add another FLUSH_NS */
#define LIVE_NS UINT64_C(100000000) /* instead, if another program reads the file meanwhile: all samples are written so often */
/* dwell takes records of this age and older: younger ones may still be on their way into another CPU's buffer. */
#define SETTLE_NS UINT64_C(2000000)
#define LOOK_NS UINT64_C(20000000)      /* longest pause between two looks at the records */
#define FIRST_LOOK_NS UINT64_C(5000000) /* the first pause */
#define DRAIN_NS UINT64_C(5000000) /* after taking records for this time, other due work comes first */
#define LEFT_NS UINT64_C(50000000) /* pause between two counts of the processes that remain after the program's end */
/* In periods of sampling. With a probability of 1 in 20,000, timers leave a CPU time of this length without a sample by chance. */
#define UNSAMPLED_MIN 10.0

struct sampling {
	const struct sampling_options *options;
	struct launch *launch;
	struct diag *diag;
	struct trace_file file;
	struct trace_writer *writer;
	struct engine engine;
	enum engine_choice choice; /* the user's choice, without the timers if the program cannot load their library */
	bool is_sampled; /* the engine has started: dwell can sample the program */
	struct intake intake;
	struct lateness lateness;
	struct message_sampling message; /* as the trace has it */
	uint64_t end_ns;       /* when to end, CLOCK_MONOTONIC; 0: no limit */
	uint64_t next_count_ns; /* when to count the remaining processes next; 0: not yet after the program's end */
	uint64_t began_ns, ended_ns, stopped_ns; /* CLOCK_MONOTONIC: sampling began, the program ended, sampling stopped */
	bool remaining_reported, all_ended;  /* on_processes_left was called, or would have been; no sampled process is left */
	struct running_cpu cpu_before, cpu; /* CPU time as the system counts it: before sampling began; while sampling */
	struct attached_cpu attached_cpu;
	const char *path; /* of the program */
};

/* Writes a clock point for a past or present time. */
static void write_clock(struct sampling *sampling, uint64_t ns)
{
	uint64_t past_ns = clock_now_ns() - ns;
	const struct message_clock clock = {.ticks = ns, .monotonic_ns = ns, .unix_ns = clock_ns(CLOCK_REALTIME) - past_ns};

	trace_writer_clock(sampling->writer, &clock);
}

/* Writes the facts for people: version, command line, system, mode. */
static void write_facts(struct sampling *sampling)
{
	char kernel[200] = "";
	struct utsname system;

	if (uname(&system) == 0)
		snprintf(kernel, sizeof kernel, "%.60s %.60s %.60s", system.sysname, system.release, system.machine);
	trace_writer_info(sampling->writer,
		(const struct message_info[]){{"recorded-by", "dwell " DWELL_VERSION},
			{"command", sampling->options->command_line ? sampling->options->command_line : ""}, {"system", kernel},
			{"mode", "samples"}},
		4);
}

/* Writes how dwell samples: once at the start, and again at the end with the CPU time. */
static void write_sampling(struct sampling *sampling)
{
	sampling->message = (struct message_sampling){
		.engine = sampling->engine.kind,
		.unit = sampling->engine.kind == DWELL_ENGINE_CYCLES ? DWELL_UNIT_CYCLES : DWELL_UNIT_NS,
		.jittered = true,
		.has_stacks = !sampling->options->leaf,
		.has_kernel = sampling->engine.has_kernel,
		.period = (uint64_t)(1e9 / sampling->options->hz),
		.millihertz = (uint64_t)(sampling->options->hz * 1000 + 0.5),
		.cpu = sampling->message.cpu,
	};
	trace_writer_sampling(sampling->writer, &sampling->message);
}

/* Creates the trace file, and writes header and facts. False and a diag: dwell cannot create the file. */
static bool begin_file(struct sampling *sampling, const char *program)
{
	const struct message_header header = {
		.clock_hz = 1000000000,
		.clock_bits = 64,
		.clock_global = true,
		.start_unix_ns = clock_ns(CLOCK_REALTIME),
		.pointer_bytes = 8,
		.machine = cpu_native()->elf_machine,
	};

	sampling->began_ns = clock_now_ns();
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (!trace_file_begin(&sampling->file, sampling->options->output, program, sampling->diag))
		return false;
	sampling->writer = make_trace_writer(sampling->file.path, &header, sampling->diag);
	if (!sampling->writer) {
		trace_file_roll_back(&sampling->file, false);
		return false;
	}
	sampling->intake.images.writer = sampling->writer;
	sampling->intake.images.diag = sampling->diag;
	sampling->intake.leaf = sampling->options->leaf;
	write_facts(sampling);
	return true;
}

/* Takes the records from before until_ns, for about for_ns at most. False: the time was up, and there may be more records. */
static bool drain(struct sampling *sampling, uint64_t until_ns, uint64_t for_ns)
{
	uint64_t began_ns = clock_now_ns();
	struct perf_record record;

	while (engine_next(&sampling->engine, until_ns, &record)) {
		intake_take(&sampling->intake, &record);
		if (clock_now_ns() - began_ns > for_ns)
			return false;
	}
	return true;
}

/* Returns whether sampling ends now: no process is left, the time is up, or a signal or the caller ends it. */
static bool is_over(const struct sampling *sampling)
{
	const struct launch *launch = sampling->launch;

	return (launch->ended && (launch->attached || sampling->all_ended)) || launch->stopped ||
		(sampling->end_ns && clock_now_ns() >= sampling->end_ns) ||
		(sampling->options->stop && *sampling->options->stop);
}

/* After the program's end: counts the sampled processes that remain, and reports them once. drained: all records up to now were
 * taken; before that a child may be unknown. */
static void count_remaining(struct sampling *sampling, bool drained, uint64_t now)
{
	uint64_t left;

	if (!drained || !sampling->launch->ended || sampling->launch->attached || now < sampling->next_count_ns)
		return;
	if (!sampling->next_count_ns) { /* the kernel may not have reported the program's last child yet */
		sampling->next_count_ns = now + 2 * SETTLE_NS;
		return;
	}
	sampling->next_count_ns = now + LEFT_NS;
	left = images_list_alive(&sampling->intake.images, NULL, 0);
	sampling->all_ended = !left && !engine_awaits_reports(&sampling->engine, now);
	if (left && !sampling->remaining_reported && sampling->options->on_processes_left)
		sampling->options->on_processes_left(left);
	sampling->remaining_reported |= left > 0;
}

/* For an attached process: reads its CPU time from the system, while the process exists. */
static void read_cpu_time(struct sampling *sampling)
{
	struct running_cpu cpu = attached_cpu_get(&sampling->attached_cpu, &sampling->intake.images);

	if (cpu.ns || cpu.kernel_ns)
		sampling->cpu = cpu;
}

/* Writes samples older than the limit of FLUSH_NS. For a live reader: writes all samples, the losses, and the time up to which the
 * file is complete. */
static void flush(struct sampling *sampling, uint64_t now)
{
	uint64_t kept_ns = FLUSH_NS * (1 + sampled_threads_count_unwritten(&sampling->intake.threads) / FLUSH_THREADS);

	kept_ns = kept_ns < FLUSH_NS_MAX ? kept_ns : FLUSH_NS_MAX;
	sampled_threads_flush(&sampling->intake.threads, sampling->writer, sampling->options->live ? UINT64_MAX : now - kept_ns);
	if (!sampling->options->live)
		return;
	intake_write_losses(&sampling->intake, engine_get_damaged(&sampling->engine), now);
	write_clock(sampling, now);
}

/* The main loop: takes records, turns samplers and writes samples until is_over(); then stops the engine. */
static void run_sampler(struct sampling *sampling)
{
	uint64_t flushed_ns = clock_now_ns(), pause_ns = FIRST_LOOK_NS;
	bool drained = true;

	priority_raise(20);
	if (sampling->options->for_ns)
		sampling->end_ns = flushed_ns + sampling->options->for_ns;

	while (!is_over(sampling)) {
		uint64_t now = clock_now_ns(), wait;

		/* Waits LOOK_NS at most: at a low rate a turn takes seconds, and the other work must not wait so long. */
		wait = sampling->launch->ended ? 2 * SETTLE_NS : LOOK_NS;
		wait = !drained ? 0 : pause_ns < wait ? pause_ns : wait;
		launch_wait(sampling->launch, (long)wait);
		wait += now;
		now = clock_now_ns();
		lateness_note(&sampling->lateness, wait, now);
		if (sampling->launch->ended && !sampling->ended_ns)
			sampling->ended_ns = now;
		pause_ns = engine_turn_samplers(&sampling->engine, intake_wants_large(&sampling->intake),
			lateness_expect(&sampling->lateness, now), now);
		drained = drain(sampling, now - SETTLE_NS, DRAIN_NS);
		count_remaining(sampling, drained, now);
		if (now - flushed_ns > (sampling->options->live ? LIVE_NS : FLUSH_NS / 4)) {
			flush(sampling, now);
			read_cpu_time(sampling);
			flushed_ns = now;
		}
	}
	engine_stop(&sampling->engine);
	sampling->stopped_ns = clock_now_ns();
	read_cpu_time(sampling);
}

/* Warns of what the timers' library could not sample or report. */
static void report_timers(struct sampling *sampling)
{
	const struct timer_set *set = sampling->engine.timers;
	uint64_t timerless = timer_set_get_timerless(set), unreported = timer_set_get_unreported(set);

	if (!timer_set_get_processes(set))
		diag_add(sampling->diag, DIAG_WARN, sampling->path, DIAG_NO_OFFSET,
			"the library that samples from within was loaded into no process: a static program, or one of another machine, started by this one?");
	if (timerless)
		diag_add(sampling->diag, DIAG_WARN, sampling->path, DIAG_NO_OFFSET,
			"threads that the system gave no timer, and that have no samples: %" PRIu64 "; ulimit -i says how many timers there may be", timerless);
	if (unreported)
		diag_add(sampling->diag, DIAG_WARN, sampling->path, DIAG_NO_OFFSET,
			"processes, threads and libraries that there was no room to tell of: %" PRIu64, unreported);
}

/* Warns that there is no sample, although the program used more CPU time than chance leaves without one. distance: the CPU time
 * between two samples, for people. */
static void report_unsampled(const struct sampling *sampling, const char *distance)
{
	char used[UNITS_TEXT_BYTES];

	units_format_ns_short(used, sampling->cpu.ns);
	diag_add(sampling->diag, DIAG_WARN, sampling->path, DIAG_NO_OFFSET,
		"no sample was taken, of %s of CPU time, such as that of threads and processes that live for less than %s each, of which %s has samples; "
		"or of programs that change their user (set-uid), at which the system lets nobody look%s",
		used, distance, sampling->engine.timers ? "a higher rate (dwell record -F)" : "dwell record --engine=timer, or a higher rate (-F),",
		sampling->engine.timers ? "; or that are linked statically, which take no library, or have a /proc of their own" : "");
}

/* Adds the diags about missing samples and callers, at the end. A live reader reports them itself. */
static void report_problems(struct sampling *sampling)
{
	struct diag *diag = sampling->diag;
	const char *path = sampling->path;
	uint64_t shrunk = sampling->engine.shrunk;
	char distance[UNITS_TEXT_BYTES], length[UNITS_TEXT_BYTES];

	if (sampling->options->live)
		return;
	if (sampling->engine.timers)
		report_timers(sampling);
	if (sampling->engine.timers && launch_was_killed_by_seccomp(sampling->launch))
		explain_seccomp_kill(sampling->path, diag);
	units_format_ns_short(distance, (uint64_t)(1e9 / sampling->options->hz));
	units_format_ns_short(length, sampling->options->for_ns);
	if (!sampling->intake.threads.samples && explain_changes_user(sampling->path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"no sample was taken: the program runs as another user (set-uid), and the system lets nobody look at a program that changes its user; "
			"record a copy of it");
	else if (!sampling->intake.threads.samples && sampling->options->for_ns &&
		(double)sampling->options->for_ns < 1e9 / sampling->options->hz)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET,
			"no sample was taken: the recording was too short: %s, and there is a sample every %s of CPU time", length, distance);
	else if (!sampling->intake.threads.samples && (double)sampling->cpu.ns > UNSAMPLED_MIN * 1e9 / sampling->options->hz)
		report_unsampled(sampling, distance);
	else if (!sampling->intake.threads.samples && sampling->options->attach)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "no sample was taken: the process used no CPU time meanwhile, or less than %s",
			distance);
	else if (!sampling->intake.threads.samples)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET,
			"no sample was taken: the program used less than %s of CPU time%s", distance,
			sampling->options->hz < SAMPLING_HZ_MAX ? "; a higher rate (dwell record -F) sees more of it" : "");
	if (sampling->intake.lost)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "samples lost, there was no room for them: %" PRIu64 " beside %" PRIu64 " taken",
			sampling->intake.lost, sampling->intake.threads.samples);
	if (sampling->intake.bare)
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET,
			"samples without callers: %" PRIu64 " of %" PRIu64 "; so many threads want to run that there is no room for copies of their stacks",
			sampling->intake.bare, sampling->intake.threads.samples);
	if ((sampling->intake.lost || sampling->intake.bare) && shrunk)
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET,
			"this user may lock %" PRIu64 " KiB for the samples of each CPU; kernel.perf_event_mlock_kb or ulimit -l makes it more",
			shrunk >> 10);
	if (engine_get_damaged(&sampling->engine))
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET,
			"%s told what made no sense, %" PRIu64 " times, and it was left out: samples may be missing, and names",
			sampling->engine.perf ? "the kernel" : "the library that samples from within", engine_get_damaged(&sampling->engine));
	if (sampling->intake.throttled)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET,
			"the kernel held samples back, %" PRIu64 " time%s: they took too much time; a lower rate (-F) helps",
			sampling->intake.throttled, sampling->intake.throttled == 1 ? "" : "s");
}

/* Writes the names of the sampled functions: of files, of generated code, of the kernel. */
static void write_names(struct sampling *sampling)
{
	char why[200], text[240];

	if (sampling->options->live) /* a live reader has the files */
		return;
	names_write(&sampling->intake.images.names, sampling->writer);
	jit_names_write(&sampling->intake.images);
	if (!sampling->intake.kernel.count)
		return;
	if (kernel_names_write(&sampling->intake.kernel, KERNEL_NAMES_FROM, KERNEL_NAMES_NOTES, sampling->writer, why))
		snprintf(text, sizeof text, "known");
	else
		snprintf(text, sizeof text, "not known: %s", why);
	trace_writer_info(sampling->writer, &(const struct message_info){"kernel-names", text}, 1);
}

/* After sampling: writes the remaining samples, the losses, the CPU time, the names and the end of the file. */
static void finish(struct sampling *sampling)
{
	uint64_t counted = engine_get_lost(&sampling->engine);

	drain(sampling, UINT64_MAX, UINT64_MAX);
	sampled_threads_flush(&sampling->intake.threads, sampling->writer, UINT64_MAX);
	if (counted > sampling->intake.lost)
		sampling->intake.lost = counted;
	sampling->intake.lost += sampling->intake.threads.starved + sampling->intake.images.starved;
	if (!sampling->options->attach && sampling->intake.images.count) {
		struct image *first = sampling->intake.images.images[0];

		images_declare(&sampling->intake.images, first, NULL, sampling->options->argv, 0, sampling->launch->ended,
			sampling->launch->status);
		/* The count does not include processes left behind, for which another process waits. */
		if (sampling->launch->ended && !sampling->remaining_reported)
			sampling->cpu = running_cpu_since(
				sampling->cpu_before, running_get_children_cpu(sampling->engine.has_kernel));
	}
	if (sampling->engine.kind != DWELL_ENGINE_CYCLES)
		sampling->message.cpu = sampling->cpu.ns;
	write_sampling(sampling);
	intake_write_losses(&sampling->intake, engine_get_damaged(&sampling->engine), clock_now_ns());
	write_clock(sampling, sampling->ended_ns && !sampling->remaining_reported ? sampling->ended_ns : sampling->stopped_ns);
	intake_write_interrupted(&sampling->intake, sampling->message.unit);
	intake_write_kernel_time(&sampling->intake, sampling->cpu.kernel_ns);
	write_names(sampling);
	trace_writer_finish(sampling->writer);
	report_problems(sampling);
	trace_file_get_result(&sampling->file, sampling->intake.threads.samples, sampling->stopped_ns - sampling->began_ns,
		sampling->options->recorded);
}

static void clear(struct sampling *sampling)
{
	intake_clear(&sampling->intake);
	lateness_clear(&sampling->lateness);
	engine_clear(&sampling->engine);
	free_trace_writer(sampling->writer);
	trace_file_end(&sampling->file);
}

static struct perf_set_options get_set_options(const struct sampling *sampling)
{
	return (struct perf_set_options){.hz = sampling->options->hz, .leaf = sampling->options->leaf};
}

/* Called by launch_begin when the program's process waits before exec: starts the engine. */
static void on_ready(void *context, pid_t pid)
{
	struct sampling *sampling = context;
	struct perf_set_options options = get_set_options(sampling);

	sampling->is_sampled = engine_start(&sampling->engine, &options, sampling->choice, pid, &sampling->launch->bare);
	write_clock(sampling, clock_now_ns());
	if (sampling->is_sampled)
		sampling->cpu_before = running_get_children_cpu(sampling->engine.has_kernel);
}

/* Returns why timers cannot sample the program, since it must load a library. Null: timers can. */
static const char *find_unfit(const struct sampling_options *options, const char *path)
{
	const char *unfit;

	if (!options->agent)
		return "their library is not there";
	if (explain_is_static(path))
		return "it is linked statically";
	unfit = explain_why_no_agent(path);
	return unfit ? unfit : explain_changes_user(path) ? "it runs as another user (set-uid)" : NULL;
}

/* Adds the diag for a program that dwell cannot sample. unfit: why timers cannot; null: they can, or were not asked for. */
static void report_refusal(const struct sampling *sampling, const char *unfit)
{
	const char *why = sampling->engine.why;

	if (sampling->options->engine == ENGINE_TIMER)
		why = unfit ? unfit : why;
	diag_add(sampling->diag, DIAG_ERROR, sampling->path, DIAG_NO_OFFSET, "cannot be sampled: %s%s%s", why,
		unfit && why != unfit ? "; nor by timers from within: " : "", unfit && why != unfit ? unfit : "");
}

/* Starts the program, even if dwell cannot sample the program. False: the program was not started. */
static bool start(struct sampling *sampling, const char *path)
{
	const struct sampling_options *options = sampling->options;
	const char *unfit = options->engine == ENGINE_PERF ? NULL : find_unfit(options, path), *name;
	struct perf_set_options set_options = get_set_options(sampling);

	sampling->choice = unfit ? ENGINE_PERF : options->engine;
	engine_prepare(&sampling->engine, &set_options, sampling->choice, &name);
	if (unfit && options->engine == ENGINE_TIMER) {
		report_refusal(sampling, unfit);
		return false;
	}
	if (!launch_begin(
		    sampling->launch, path, options->argv, name ? options->agent : NULL, name, on_ready, sampling, sampling->diag))
		return false;
	if (!sampling->is_sampled)
		report_refusal(sampling, unfit);
	else if (sampling->engine.timers && options->engine == ENGINE_ANY)
		diag_add(sampling->diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "sampled by timers from within the program, as perf events are refused: %s",
			sampling->engine.why);
	return true;
}

/* Starts and samples the program at path. If dwell cannot sample the program, only waits for its end, unless a live reader waits
 * itself. False: the program was not started. */
static bool run(struct sampling *sampling, const char *path)
{
	const struct sampling_options *options = sampling->options;
	struct image *image;

	sampling->path = path;
	if (!begin_file(sampling, path))
		return false;
	if (!start(sampling, path)) {
		trace_file_roll_back(&sampling->file, true);
		return false;
	}
	if (!sampling->is_sampled) {
		while (!sampling->launch->ended && !options->live)
			launch_wait(sampling->launch, 100000000);
		trace_file_roll_back(&sampling->file, true);
		return true;
	}
	write_sampling(sampling);
	image = images_find(&sampling->intake.images, (uint32_t)sampling->launch->pid, clock_now_ns());
	if (image)
		images_declare(&sampling->intake.images, image, path, options->argv, clock_now_ns(), false, 0);
	run_sampler(sampling);
	finish(sampling);
	trace_file_commit(&sampling->file);
	return true;
}

bool sampling_run(const struct sampling_options *options, struct launch *launch, struct diag *diag)
{
	struct sampling *sampling = calloc(1, sizeof *sampling);
	char *path = make_program_path(options->program, diag);
	bool started = false;

	if (path && sampling) {
		sampling->options = options;
		sampling->launch = launch;
		sampling->diag = diag;
		started = run(sampling, path);
		clear(sampling);
	}
	free(sampling);
	free(path);
	return started;
}

/* For each_thread: declares a thread of the attached process in the trace. */
static void declare_thread(void *context, pid_t tid)
{
	struct sampling *sampling = context;

	sampled_threads_find(
		&sampling->intake.threads, &sampling->intake.images, (uint32_t)sampling->options->attach, (uint32_t)tid,
		clock_now_ns());
}

/* Threads of the attached process that have no events of their own. */
struct missed {
	struct sampling *sampling;
	pid_t tids[1024]; /* further threads are left out */
	size_t count;
};

/* For each_thread: lists a thread to which make_perf_set gave no events. */
static void collect_missed(void *context, pid_t tid)
{
	struct missed *missed = context;

	if (tid != missed->sampling->options->attach && !perf_set_has_thread(missed->sampling->engine.perf, tid) &&
		missed->count < sizeof missed->tids / sizeof *missed->tids)
		missed->tids[missed->count++] = tid;
}

/* Adds the threads that began while make_perf_set listed the threads of the attached process. A thread that a sampled thread
 * started has inherited its events, and the kernel has reported it by now. Only the other threads are added. */
static void add_missed(struct sampling *sampling)
{
	struct missed missed = {.sampling = sampling};
	uint64_t now;

	each_thread(sampling->options->attach, collect_missed, &missed);
	now = clock_now_ns();
	nanosleep(&(struct timespec){0, SETTLE_NS}, NULL);
	drain(sampling, now, UINT64_MAX);
	for (size_t i = 0; i < missed.count; i++)
		if (!sampled_threads_has(&sampling->intake.threads, (uint32_t)missed.tids[i]))
			perf_set_add_thread(sampling->engine.perf, missed.tids[i]);
}

/* Samples the attached process, whose events are on already, from its present mappings and threads to the end. */
static void attach(struct sampling *sampling, struct launch *launch)
{
	pid_t pid = sampling->options->attach;
	char **argv = make_running_argv(pid);
	struct image *image;

	write_sampling(sampling);
	image = images_find(&sampling->intake.images, (uint32_t)pid, clock_now_ns());
	if (image)
		images_declare(&sampling->intake.images, image, sampling->path, argv, 0, false, 0);
	images_map_running(&sampling->intake.images, (uint32_t)pid);
	launch_attach(launch, pid, 0);
	add_missed(sampling);
	each_thread(pid, declare_thread, sampling);
	run_sampler(sampling);
	finish(sampling);
	launch_end(launch);
	free(argv);
}

bool sampling_attach(const struct sampling_options *options, struct diag *diag)
{
	struct sampling *sampling = calloc(1, sizeof *sampling);
	char *path = make_running_path(options->attach), name[32];
	struct launch launch = {0};
	bool done = false;

	snprintf(name, sizeof name, "process %ld", (long)options->attach);
	if (!sampling || !path) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be sampled: %s", path ? "out of memory" : "it has ended, or belongs to another user");
		free(sampling);
		free(path);
		return false;
	}
	sampling->options = options;
	sampling->launch = &launch;
	sampling->diag = diag;
	sampling->path = path;
	if (begin_file(sampling, path)) {
		struct perf_set_options set_options = get_set_options(sampling);

		if (engine_attach(&sampling->engine, &set_options, options->engine, options->attach)) {
			write_clock(sampling, clock_now_ns());
			attached_cpu_begin(&sampling->attached_cpu, options->attach, sampling->engine.has_kernel);
			attach(sampling, &launch);
			trace_file_commit(&sampling->file);
			done = true;
		} else {
			diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be sampled: %s", sampling->engine.why);
			trace_file_roll_back(&sampling->file, true);
		}
	}
	clear(sampling);
	free(sampling);
	free(path);
	return done;
}
