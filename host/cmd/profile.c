/* dwell profile: the profiler of 1987 (core/summary.h), for programs of this system. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli/option.h"
#include "cmd/profile/doubt.h"
#include "cmd/profile/error.h"
#include "core/profile_options.h"
#include "core/summary.h"
#include "sample/code/own_text.h"
#include "sample/profiling.h"
#include "symbol/symbol.h"
#include "util/near.h"
#include "util/output.h"

static const char about[] =
	"  f=NNNN    samples per second, 50 to 1500 (250)\n"
	"  p=NN      the table ends where NN percent are reached (95)\n"
	"  +v -v     sample as a display is refreshed, 60 times a second at even\n"
	"            distances (f= is ignored), or by the timer (-v)\n"
	"  v=NN      +v, of a display that is refreshed 50, 60 or 71 times a second\n"
	"  +b -b     a bar for each row (+b)\n"
	"  +z -z     symbols that were never hit, too (-z)\n"
	"  o=FILE    where the report is written (profile.out)\n"
	"  x=SYMBOL  one symbol in detail\n"
	"  i=NNN     in so many intervals, 1 to 999 (25)\n"
	"\n"
	"The profiler that David Rowley wrote for the Atari ST in 1987: its options, its\n"
	"report. Each thread is looked at f times in a second of its own CPU time, at\n"
	"distances that vary by 30 %; while all threads wait, by the clock on the wall,\n"
	"as +v always does. Nothing has to be compiled for it, and no debug information\n"
	"is needed, only its symbols. Samples in sys are those in which it was in a\n"
	"library or in the kernel, or waited. Each thread that runs is counted, and so\n"
	"are children, as long as they run the same program. A clock tick is 1/200 s.\n"
	"\n"
	"A symbol's percentage is of the samples in appl. Behind the report of 1987 it\n"
	"says between what the true percentages are; with +v also whether the program is\n"
	"in step with the display, by samples at random moments beside the others.\n"
	"\n"
	"Exit status: the program's, or where that is 0: 1 when something is unsure, 2\n"
	"when it could not be done.\n";

struct symbols {
	struct symbol_table *table;
	void *memory;
	struct dwell_tally tally;
	char **shown; /* display names, to be freed */
	size_t shown_count;
};

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

/* The program's place in argv; 0: there is nothing to do, since a diag says what is wrong. */
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

/* One text of all, with blanks between them. Null: no memory. */
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

/* The kernel does not let a user see into a program that has more rights than the user. */
/* At exec of a program that gets other rights than its caller's the kernel takes perf events off, those of root, too. */
static bool check_rights(const char *path, struct diag *diag)
{
	struct statvfs system;
	struct stat info;
	bool ignored = statvfs(path, &system) == 0 && system.f_flag & ST_NOSUID;
	const char *why = NULL;

	if (ignored || stat(path, &info) < 0)
		return true;
	if (info.st_mode & S_ISUID && info.st_uid != geteuid())
		why = "set-user-ID";
	else if (info.st_mode & S_ISGID && info.st_mode & S_IXGRP && info.st_gid != getegid())
		why = "set-group-ID";
	else if (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0)
		why = "it has capabilities";
	if (why)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"cannot be sampled: it runs with other rights than yours (%s), and the system lets nobody look at a program that changes them, "
			"root neither; profile a copy of it",
			why);
	return !why;
}

static bool starve(struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* Entries of linkage tables have names that no symbol table says: in 1987 they were nobody's. */
static const char *get_name(const struct symbol *symbol)
{
	const char *at = strrchr(symbol->name, '@');

	return at && !strcmp(at, "@plt") ? NULL : symbol->name;
}

/* The tally's symbols are relative to the text, and end where the file says: what no symbol knows is nobody's. */
static bool read_symbols(
	struct symbols *symbols, const char *path, const struct own_text *text, uint32_t intervals, struct diag *diag)
{
	const struct symbol_want want = {.required = true};
	size_t count, bytes, outside = 0;
	int status = diag_status(diag);

	symbols->table = make_symbol_table(path, &want, diag);
	if (!symbols->table)
		return starve(diag);
	count = symbol_count(symbols->table);
	bytes = dwell_tally_bytes(2 * count, intervals);
	symbols->memory = bytes ? malloc(bytes) : NULL;
	if (!symbols->memory)
		return starve(diag);
	dwell_tally_init(&symbols->tally, symbols->memory, 2 * count, intervals, (uintptr_t)(text->high - text->low));
	for (size_t i = 0; i < count; i++) {
		const struct symbol *symbol = symbol_at(symbols->table, i);
		uint64_t end = symbol->address + symbol->size;

		if (symbol->address < text->low || symbol->address >= text->high) {
			outside++;
			continue;
		}
		dwell_tally_add(&symbols->tally, (uintptr_t)(symbol->address - text->low), get_name(symbol));
		if (end < text->high && (i + 1 == count || end < symbol_at(symbols->table, i + 1)->address))
			dwell_tally_add(&symbols->tally, (uintptr_t)(end - text->low), NULL);
	}
	dwell_tally_finish(&symbols->tally);
	if (outside)
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "symbols outside of the text, which are not used: %zu", outside);
	/* Where it was said what is wrong with its symbols, that is why. */
	if (!dwell_tally_symbols(&symbols->tally) && !diag_has_error(diag) && diag_status(diag) == status)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "has no symbols (stripped?): all of its text counts as '?'");
	return !diag_has_error(diag);
}

/* As a person writes it, with arguments or without; names in the file are what C++ makes of them. */
static size_t find_display_name(const struct dwell_tally *tally, const char *wanted)
{
	for (int plain = 0; plain < 2; plain++)
		for (size_t i = 0; i < tally->count; i++) {
			char *name = !tally->names[i] ? NULL
				: plain       ? make_symbol_plain_name(tally->names[i])
					      : make_symbol_display_name(tally->names[i]);
			bool same = name && !strcmp(name, wanted);

			free(name);
			if (same)
				return i;
		}
	return DWELL_TALLY_NONE;
}

static bool choose_detail(struct symbols *symbols, const char *path, const struct dwell_profile_options *options, struct diag *diag)
{
	struct dwell_tally *tally = &symbols->tally;
	const char *nearest = NULL;
	size_t index, letters, best;

	if (!options->detail)
		return true;
	index = dwell_tally_name(tally, options->detail);
	if (index == DWELL_TALLY_NONE)
		index = find_display_name(tally, options->detail);
	dwell_tally_split(tally, index, options->intervals);
	if (index != DWELL_TALLY_NONE)
		return true;
	letters = strlen(options->detail);
	best = letters < 3 ? letters : 3; /* at most two letters wrong, and not all of them */
	for (size_t i = 0; i < tally->count; i++) {
		size_t distance = tally->names[i] ? near_distance(options->detail, tally->names[i]) : SIZE_MAX;

		if (distance < best) {
			nearest = tally->names[i];
			best = distance;
		}
	}
	diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "x=%s: there is no text symbol of this name%s%s%s", options->detail,
		nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return false;
}

/* Names that will be printed, as people write them. */
static void show_names(struct symbols *symbols, bool unseen)
{
	struct dwell_tally *tally = &symbols->tally;

	symbols->shown = calloc(tally->count + 1, sizeof *symbols->shown);
	for (size_t i = 0; symbols->shown && i < tally->count; i++) {
		char *name = tally->names[i] && (unseen || tally->counts[i] || i == tally->split) ?
			make_symbol_display_name(tally->names[i]) :
			NULL;

		if (!name)
			continue;
		symbols->shown[symbols->shown_count++] = name;
		tally->names[i] = name;
	}
}

static void free_symbols(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->shown_count; i++)
		free(symbols->shown[i]);
	free(symbols->shown);
	free(symbols->memory);
	free_symbol_table(symbols->table);
}

/* Before the program runs, so that it does not run in vain; what was in the file stays until there is a report. */
static int open_report(const char *path, const struct own_text *text, bool *made, struct diag *diag)
{
	struct stat info;
	int fd;

	*made = access(path, F_OK) < 0;
	if (stat(path, &info) == 0 && info.st_dev == text->device && info.st_ino == text->inode) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "is the program: a report cannot be written there");
		return -1;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot write the report: %s", strerror(errno));
	return fd;
}

/* Takes over fd. */
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
		starve(diag);
	}
	if (file)
		fclose(file);
	else
		close(fd);
	free(output);
}

/* The exit status. */
static int profile(struct profiling *profiling, struct dwell_summary *summary, struct symbols *symbols, struct diag *diag)
{
	struct launch launch = {0};
	char doubt[PROFILE_DOUBT_BYTES];
	bool made = false;
	int fd = open_report(summary->options->output, profiling->text, &made, diag), status;

	if (fd < 0)
		return COMMAND_BY_DIAG;
	if (!profiling_run(profiling, &launch, diag)) {
		close(fd);
		if (made)
			unlink(summary->options->output);
		return COMMAND_BY_DIAG;
	}
	profile_doubt(profiling, summary, doubt, diag);
	rhythm_clear(&profiling->rhythm);
	profile_error_end(profiling->context);
	summary->ticks = (uintptr_t)(profiling->elapsed_ns / (1000000000 / DWELL_SUMMARY_TICK_HZ));
	show_names(symbols, summary->options->has_unseen);
	write_report(summary, fd, diag);
	status = launch_status(&launch);
	if (status >= LAUNCH_KILLED)
		return COMMAND_KILLED + status - LAUNCH_KILLED;
	return status ? status : COMMAND_BY_DIAG;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct dwell_profile_options options;
	struct symbols symbols = {0};
	struct own_text text = {0};
	int program = read_options(argc, argv, &options, diag), status = COMMAND_BY_DIAG;
	char *path = program ? make_program_path(argv[program], diag) : NULL;
	char *arguments = path ? make_arguments(argv + program + 1) : NULL;

	if (path && !arguments)
		starve(diag);
	if (arguments && own_text_read(&text, path, diag) && check_rights(path, diag) &&
		read_symbols(&symbols, path, &text, options.detail ? options.intervals : 0, diag) &&
		choose_detail(&symbols, path, &options, diag)) {
		struct profile_error error = {.tally = &symbols.tally};
		struct profiling profiling = {.path = path,
			.argv = argv + program,
			.hz = options.sample_hz,
			.vblank = options.use_vblank,
			.vblank_hz = options.vblank_hz ? options.vblank_hz : PROFILING_VBLANK_HZ,
			.text = &text,
			.tally = &symbols.tally,
			.on_sample = profile_error_add,
			.context = &error};
		struct dwell_summary summary = {.program = argv[program],
			.arguments = arguments,
			.options = &options,
			.tally = &symbols.tally,
			.base = (uintptr_t)text.low,
			.get_interval = profile_error_get,
			.context = &error};

		status = profile(&profiling, &summary, &symbols, diag);
		profile_error_clear(&error);
	}
	free_symbols(&symbols);
	own_text_clear(&text);
	free(arguments);
	free(path);
	return status;
}

const struct command command_profile = {"profile",
	"[f=NNNN] [p=NN] [+v|-v] [+b|-b] [+z|-z] [o=FILE] [x=SYMBOL] [i=NNN] PROGRAM [ARGUMENTS]",
	"Runs a program and counts where it is, as in 1987", NULL, about, run, OPERANDS_PROGRAM};
