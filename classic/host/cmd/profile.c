/* dwell profile: the profiler of 1987 (classic/core/summary.h), for programs of this system. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "classic/host/doors.h"
#include "cli/option.h"
#include "cli/sampled.h"
#include "classic/host/cmd/profile/symbols.h"
#include "classic/core/profile_options.h"
#include "classic/core/summary.h"
#include "model/sums/split.h"
#include "query/health.h"
#include "query/trace.h"
#include "symbol/symbol.h"
#include "util/output.h"

static const char about[] =
	"  f=NNNN    samples per second, 50 to 1500 (250)\n"
	"  p=NN      end the table where NN percent are reached (95)\n"
	"  +v -v     sample at the rate of a display, 60 times per second (ignores f=),\n"
	"            or by the timer (-v, the default)\n"
	"  v=NN      +v for a display with 50, 60 or 71 frames per second\n"
	"  +b -b     draw a bar in each row (+b)\n"
	"  +z -z     list also symbols without a sample (-z)\n"
	"  o=FILE    write the report to FILE (profile.out)\n"
	"  x=SYMBOL  show one symbol in detail\n"
	"  i=NNN     the number of intervals for x=, 1 to 999 (25)\n"
	"\n"
	"This is the profiler that David Rowley wrote for the Atari ST in 1987: its\n"
	"options and its report, made from what dwell record --sample -F f takes. There\n"
	"is nothing to compile; it needs symbols, but no debug information. Samples in\n"
	"sys are those in a library or in the kernel; and, f per second, the time in\n"
	"which the program used no processor, such as waiting. dwell counts each thread,\n"
	"and children that run the same program. A clock tick is 1/200 s.\n"
	"\n"
	"A symbol's percentage is a part of the samples in appl. Behind the report of\n"
	"1987 dwell adds the ranges of the true percentages.\n"
	"\n"
	"Exit status: the program's; if that is 0, 1 when something is unsure and 2 when\n"
	"dwell failed.\n";

struct complaint {
	char text[512];
	size_t used;
};

static void put_complaint(void *context, const char *text, size_t bytes)
{
	struct complaint *complaint = context;

	for (; bytes-- && complaint->used < sizeof complaint->text - 1; text++)
		complaint->text[complaint->used++] = *text;
}

static void put_file(void *context, const char *text, size_t bytes)
{
	output_put_bytes(context, text, bytes);
}

/* Returns the program's index in argv; 0: nothing to run, and a diag has the reason. */
static int read_options(int argc, char **argv, struct dwell_profile_options *options, struct diag *diag)
{
	struct complaint complaint = {.used = 0};
	const struct dwell_put put = {put_complaint, &complaint};

	dwell_profile_options_init(options);
	for (int i = 1; i < argc; i++)
		switch (dwell_profile_options_take(options, argv[i], &put)) {
		case DWELL_PROFILE_OPTION:
			continue;
		case DWELL_PROFILE_PROGRAM:
			if (options->has_intervals && !options->detail)
				diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "profile: i= is of the symbol that x= names, and does nothing without it");
			return i;
		case DWELL_PROFILE_BAD:
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "profile: %s", complaint.text);
			return 0;
		}
	option_refuse_words(&command_profile, "which program?", diag);
	return 0;
}

/* Joins the arguments to one text, with blanks in between. Null: no memory. */
static char *make_arguments(char *const *argv)
{
	size_t bytes = 1;
	char *text, *at;

	for (char *const *word = argv; *word; word++)
		bytes += strlen(*word) + 1;
	text = at = malloc(bytes);
	if (!text)
		return NULL;
	*at = 0;
	for (char *const *word = argv; *word; word++)
		at += sprintf(at, "%s%s", word == argv ? "" : " ", *word);
	return text;
}

#define VBLANK_HZ 60 /* the default rate of a display */
#define TICK_NS (1000000000 / DWELL_SUMMARY_TICK_HZ)

/* An execution of the program, and the report. */
struct run {
	const struct dwell_profile_options *options;
	struct profile_symbols *symbols;
	struct dwell_summary *summary;
	const char *path;    /* of the program, as the kernel resolves it */
	double hz;
	uint32_t *functions; /* function id plus 1, by symbol of the tally; 0: none, or several functions */
	const struct trace *trace; /* of its samples, during the report */
	double appl_weight;
};

/* Returns the index of a symbol; tally->count for text without a symbol, or without a name. */
static size_t find_symbol(const struct dwell_tally *tally, uint64_t offset)
{
	size_t index = dwell_tally_find(tally->starts, tally->count, (uintptr_t)offset);

	return index == DWELL_TALLY_NONE || !tally->names[index] ? tally->count : index;
}

static void count_function(struct run *run, uint32_t id)
{
	const struct model *model = run->trace->model;
	const struct profile *profile = model_get_profile(model);
	struct dwell_tally *tally = &run->symbols->tally;
	struct function_place place;
	uint64_t samples = profile->estimates.functions[id].samples;
	size_t index;

	if (!functions_get_place(model_get_functions(model), id, &place) || strcmp(place.path, run->path) ||
		place.address < run->symbols->low || place.address >= run->symbols->high) {
		tally->system += (uintptr_t)samples;
		return;
	}
	index = find_symbol(tally, place.address - run->symbols->low);
	tally->counts[index] += (uintptr_t)samples;
	run->functions[index] = tally->counts[index] == samples ? id + 1 : 0;
	run->appl_weight += (double)profile->functions[id].self;
}

static const struct split_symbol *find_detail(const struct run *run)
{
	const struct dwell_tally *tally = &run->symbols->tally;
	const struct split *split = model_get_split(run->trace->model);

	for (size_t i = 0; split && tally->split != DWELL_TALLY_NONE && i < split->count; i++)
		if (split->symbols[i].start == run->symbols->low + tally->starts[tally->split])
			return &split->symbols[i];
	return NULL;
}

/* Adds the time in which the program used no processor: elapsed minus used time, as samples. */
static void count_waits(struct run *run)
{
	const struct model *model = run->trace->model;
	const struct profile *profile = model_get_profile(model);
	const struct message_sampling *sampling = model_get_sampling(model);
	const struct clock_map *clock = model_get_clock(model);
	uint64_t elapsed = clock_duration_ns(clock, clock->latest_ticks - clock->origin_ticks);
	double used = (double)profile->estimates.samples * 1e9 / run->hz;

	if (sampling && sampling->cpu)
		used = (double)sampling->cpu;
	else if (sampling && sampling->unit == DWELL_UNIT_NS)
		used = (double)profile->total;
	if ((double)elapsed > used)
		run->symbols->tally.system += (uintptr_t)(((double)elapsed - used) * run->hz / 1e9 + 0.5);
	run->summary->ticks = (uintptr_t)(elapsed / TICK_NS);
}

static void count(struct run *run)
{
	const struct estimates *estimates = &model_get_profile(run->trace->model)->estimates;
	struct dwell_tally *tally = &run->symbols->tally;
	const struct split_symbol *detail = find_detail(run);

	for (uint32_t id = 0; id < estimates->count; id++)
		if (estimates->functions[id].samples)
			count_function(run, id);
	for (uint32_t i = 0; detail && i < tally->split_count && i < detail->estimates.count; i++)
		tally->split_counts[i] = (uintptr_t)detail->estimates.functions[i].samples;
	count_waits(run);
}

static bool get_interval(const void *context, bool is_part, size_t index, uintptr_t *low, uintptr_t *high)
{
	const struct run *run = context;
	const struct profile *profile = model_get_profile(run->trace->model);
	const struct split_symbol *detail = is_part ? find_detail(run) : NULL;
	struct estimate_share share;
	double part = 1;

	if (detail) {
		share = estimates_get_share(&detail->estimates, (uint32_t)index, (double)detail->weights[index]);
	} else if (!is_part && run->functions[index]) {
		uint32_t id = run->functions[index] - 1;

		share = estimates_get_share(&profile->estimates, id, (double)profile->functions[id].self);
		part = run->appl_weight / (double)profile->total; /* the report's shares are of samples in the program */
	} else {
		return false;
	}
	*low = (uintptr_t)floor(share.low / part * 10000);
	*high = (uintptr_t)ceil(fmin(share.high / part, 1) * 10000);
	return true;
}

/* Opens the report before the program runs, so that a wrong path costs
 * no run. The file's old content stays until the report is written. */
static int open_report(const char *path, const char *program, bool *made, struct diag *diag)
{
	struct stat info, own;
	int fd;

	*made = access(path, F_OK) < 0;
	if (stat(path, &info) == 0 && stat(program, &own) == 0 && info.st_dev == own.st_dev && info.st_ino == own.st_ino) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "is the program: a report cannot be written there");
		return -1;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot write the report: %s", strerror(errno));
	return fd;
}

/* Writes the report, and closes fd. */
static void write_report(const struct dwell_summary *summary, int fd, struct diag *diag)
{
	const char *path = summary->options->output;
	struct output *output = malloc(sizeof *output);
	const struct dwell_put put = {put_file, output};
	struct stat info;
	FILE *file;

	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ftruncate(fd, 0) < 0)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot write the report: %s", strerror(errno));
	file = fdopen(fd, "w");
	if (file && output) {
		output_begin(output, file);
		dwell_summary_put(summary, &put);
		dwell_summary_put_errors(summary, &put);
		output_end(output, path, diag);
	} else {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	}
	if (file)
		fclose(file);
	else
		close(fd);
	free(output);
}

/* Puts a loss of data into the report, too. */
static void find_doubt(const struct trace *trace, struct dwell_summary *summary, char text[static HEALTH_TEXT_BYTES])
{
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count && !summary->doubt; i++)
		if (health.findings[i].count && health.findings[i].severity == HEALTH_LOSS)
			summary->doubt = health_format(&health.findings[i], text);
	health_warn(trace);
}

static void report(struct run *run, const char *recording, int fd, struct diag *diag)
{
	char *detail = run->options->detail ? make_symbol_display_name(run->symbols->tally.names[run->symbols->tally.split]) : NULL;
	const struct model_options want = {.want_profile = true,
		.no_tree = true,
		.no_durations = true,
		.split = detail,
		.split_intervals = run->options->intervals};
	struct trace trace = {.diag = diag};
	char doubt[HEALTH_TEXT_BYTES];

	if (trace_open(&trace, recording, diag) && trace_make_model(&trace, &want, false) && trace_read(&trace)) {
		trace.path = run->path;
		run->trace = &trace;
		run->functions = calloc(run->symbols->tally.count + 1, sizeof *run->functions);
		if (run->functions) {
			count(run);
			find_doubt(&trace, run->summary, doubt);
			profile_symbols_show(run->symbols, run->options->has_unseen);
			write_report(run->summary, fd, diag);
		} else {
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		}
		free(run->functions);
	}
	trace_close(&trace);
	free(detail);
}

/* Runs the program; returns the exit status. The recording is a temporary file. */
static int profile(struct run *run, char **argv, struct diag *diag)
{
	const char *temporary = getenv("TMPDIR");
	struct launch launch = {0};
	bool made = false;
	int fd, status = COMMAND_BY_DIAG;
	char recording[4096];
	struct sampled sampled = {
		.options = {.hz = run->hz, .leaf = true, .program = argv[0], .argv = argv, .output = recording, .command_line = "dwell profile"}};

	snprintf(recording, sizeof recording, "%s/dwell-profile.XXXXXX", temporary && *temporary ? temporary : "/tmp");
	fd = mkstemp(recording);
	if (fd < 0) {
		diag_add(diag, DIAG_ERROR, recording, DIAG_NO_OFFSET, "cannot be written: %s", strerror(errno));
		return COMMAND_BY_DIAG;
	}
	close(fd);
	fd = open_report(run->options->output, run->path, &made, diag);
	if (fd >= 0 && sampled_run(&sampled, NULL, &launch, diag) && !diag_has_error(diag)) {
		report(run, recording, fd, diag);
		status = launch_status(&launch);
		status = status >= LAUNCH_KILLED ? COMMAND_KILLED + status - LAUNCH_KILLED : status ? status : COMMAND_BY_DIAG;
	} else if (fd >= 0) {
		close(fd);
		if (made)
			unlink(run->options->output);
	}
	unlink(recording);
	return status;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct dwell_profile_options options;
	struct profile_symbols symbols = {0};
	int program = read_options(argc, argv, &options, diag), status = COMMAND_BY_DIAG;
	char *path = program ? make_program_path(argv[program], diag) : NULL, *real = path ? realpath(path, NULL) : NULL;
	char *arguments = real ? make_arguments(argv + program + 1) : NULL;

	if (arguments && profile_symbols_read(&symbols, path, &options, diag)) {
		struct dwell_summary summary = {.program = argv[program],
			.arguments = arguments,
			.options = &options,
			.tally = &symbols.tally,
			.base = (uintptr_t)symbols.low,
			.get_interval = get_interval};
		struct run run = {
			.options = &options, .symbols = &symbols, .summary = &summary, .path = real, .hz = options.sample_hz};

		if (options.use_vblank)
			run.hz = options.vblank_hz ? options.vblank_hz : VBLANK_HZ;
		summary.context = &run;
		status = profile(&run, argv + program, diag);
	}
	profile_symbols_clear(&symbols);
	free(arguments);
	free(real);
	free(path);
	return status;
}

const struct command command_profile = {"profile", "[f=NNNN] [p=NN] [+v|-v] [+b|-b] [+z|-z] [o=FILE] [x=SYMBOL] [i=NNN] PROGRAM [ARGUMENTS]", "Samples a program as the Atari ST profiler of 1987 did", NULL, about, run, OPERANDS_PROGRAM,
	.task = TASK_OLDER,
	.examples = "  dwell profile ./app ARGUMENTS       250 samples per second, to profile.out\n"
		    "  dwell profile f=1000 x=parse ./app  one function in detail\n"};
