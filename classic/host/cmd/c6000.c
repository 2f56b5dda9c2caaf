/* dwell c6000: converts a dump of function hooks to the two files of TI's profiler for the C6000. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "classic/host/analysis/c6000.h"
#include "classic/host/doors.h"
#include "cli/command.h"
#include "cli/shared_options.h"
#include "cli/summary.h"
#include "query/health.h"
#include "query/trace.h"
#include "classic/host/reader/memory.h"
#include "classic/host/reader/ti/hook_records.h"
#include "symbol/symbol.h"
#include "util/foreign_file.h"
#include "util/progress.h"
#include "util/result_file.h"
#include "util/stream.h"
#include "util/units.h"
#include "writer/writer.h"

static const char about[] =
	"DUMP is the memory of ProfileData: in binary, as Code Composer Studio saves it\n"
	"(.dat), or as dwell fetch reads it; - is standard input. doc/c6000.md explains\n"
	"how to get one. The call list has one line per call, in the order in which they\n"
	"ended. The profile has the functions, most exclusive cycles first, then the\n"
	"tasks. Times are cycles. Inclusive time is from entry to exit; exclusive time\n"
	"leaves out called functions; neither has the cycles of other tasks. Calls\n"
	"without an entry or an exit are counted, and have no time. dwell refuses a dump\n"
	"without records, or with none that can be true.\n"
	"\n"
	"dwell report, calls, tree and the others read the same dump.\n";

struct options {
	struct input_options input;
	const char *path, *output;
};

static const struct option_row rows[] = {
	ROWS_INPUT,
	{"-o", "NAME", OPTION_FILE, OPTION_AT(output),
		"write NAME_call_list.csv and NAME_profile.csv. Without it, or if NAME is a folder or ends with /, their names "
		"begin with that of the dump",
		"--output", .expected = "what the names of the two files begin with, or a folder and /"},
	{0}};

/* Either of the two files, during the writing. */
struct file {
	char *path;
	struct result_file result;
};
enum { CALL_LIST, PROFILE, FILES };
static const char *const endings[FILES] = {[CALL_LIST] = "_call_list.csv", [PROFILE] = "_profile.csv"};

static bool is_folder(const char *path)
{
	struct stat state;

	return path[strlen(path) - 1] == '/' || (!stat(path, &state) && S_ISDIR(state.st_mode));
}

/* Returns the file's path: the requested name; or, in the current
 * or requested folder, the dump's name without folder and ending. */
static char *make_path(const struct options *options, const char *ending)
{
	const char *slash = strrchr(options->path, '/'), *name = slash ? slash + 1 : options->path, *point = strrchr(name, '.');
	const char *output = options->output ? options->output : "", *between = "";
	size_t length = point && point > name ? (size_t)(point - name) : strlen(name);
	char *path;

	if (!strcmp(options->path, "-"))
		name = "dump", length = 4;
	if (*output && is_folder(output))
		between = output[strlen(output) - 1] == '/' ? "" : "/";
	else if (*output)
		length = 0;
	return asprintf(&path, "%s%s%.*s%s", output, between, (int)length, name, ending) < 0 ? NULL : path;
}

static bool open_file(struct file *file, const struct options *options, const char *ending, struct diag *diag)
{
	file->path = make_path(options, ending);
	if (file->path)
		return result_file_open(&file->result, file->path, diag);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* Completes both files. If either failed, both old files stay, because they belong together. */
static bool close_files(struct file files[FILES], bool good, struct diag *diag)
{
	for (size_t i = 0; i < FILES; i++)
		good = good && files[i].result.out && stream_finish(files[i].result.out, 0, files[i].path, diag);
	for (size_t i = 0; i < FILES; i++)
		good = result_file_close(&files[i].result, good, diag) && good;
	return good;
}

static void read_all(struct trace *trace, struct c6000 *c6000)
{
	struct progress progress;
	struct message message;

	progress_begin(&progress, NULL, "reading", trace->bytes);
	for (reader_next(trace->reader, &message); message.kind != MESSAGE_END; reader_next(trace->reader, &message)) {
		c6000_tell(c6000, &message);
		model_feed(trace->model, &message);
		progress_update(&progress, message.offset);
	}
	progress_end(&progress);
	model_finish(trace->model);
}

static void print_status(const struct c6000_status *status, const struct reader_health *health, const struct message_header *header,
	const struct file files[FILES])
{
	uint64_t span = status->last_ticks - status->first_ticks;
	double ns = (double)span / (double)header->clock_hz * 1e9;
	char time[UNITS_TEXT_BYTES];

	printf("functions found: %" PRIu32 "\n", status->functions);
	printf("tasks found: %" PRIu32 "\n", status->tasks);
	printf("complete calls: %" PRIu64 ", in %" PRIu64 " %s", status->calls, span, status->unit);
	if (header->clock_hz && ns < (double)UINT64_MAX) {
		units_format_ns(time, (uint64_t)ns);
		printf(" (%s)", time);
	}
	putchar('\n');
	printf("entries without exit: %" PRIu64 "\n", status->without_exit);
	if (status->unwound)
		printf("of these left by an exit further out: %" PRIu64 " (longjmp, or an exit is missing: until then CallerDepth counts them, and exclusive "
		       "cycles of their callers are theirs)\n",
			status->unwound);
	printf("exits without entry: %" PRIu64 "\n", status->without_entry);
	if (health->holes && header->is_bare) /* losses of a trace are reported elsewhere */
		printf("records skipped: %" PRIu64 " (invalid, or with an impossible time)\n", health->holes);
	if (health->room)
		printf("room left in the buffer: %" PRIu64 " records\n", health->room);
	printf("deepest call stack: %" PRIu32 "\n", status->deepest);
	fputs("written: ", stdout);
	summary_print_name(stdout, files[CALL_LIST].path);
	fputs(", ", stdout);
	summary_print_name(stdout, files[PROFILE].path);
	fputs("\nProfile data processing complete.\n", stdout);
}

/* Reports an error for input without plausible calls, so that no files replace good ones. */
static bool has_calls(const struct trace *trace, const struct c6000_status *status)
{
	const struct message_header *header = model_get_header(trace->model);
	const struct reader_health *health = reader_get_health(trace->reader);

	if (!header || !header->has_events)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "holds sums and no calls; a dump of function hooks was expected");
	else if (!health->events)
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "no files are written");
	else if (health->events_backward > health->events / 4 || status->last_ticks >= HOOK_TICKS_MAX ||
		 (health->events > 2 && status->last_ticks == status->first_ticks))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"its records (%" PRIu64 ") are none of function hooks: %s. No files are written (--format c6000,big or ,little says the order of "
			"bytes, --format ccs that it is text)",
			health->events,
			health->events_backward > health->events / 4 ? "times run backwards"
			: status->last_ticks >= HOOK_TICKS_MAX       ? "no clock has counted so far"
								     : "all of them are of one time");
	return !diag_has_error(trace->diag);
}

/* Reads the dump into the two files. */
static bool process(struct trace *trace, struct file files[FILES], struct c6000_status *status)
{
	const struct writer_options form = {.form = WRITER_C6000};
	struct c6000 *c6000 = make_c6000();
	const struct model_options model = {.on_call = c6000_take_call, .context = c6000};
	struct table_sink list_sink = make_table_writer(&form, files[CALL_LIST].result.out, files[CALL_LIST].path, trace->diag);
	struct table_sink profile_sink = make_table_writer(&form, files[PROFILE].result.out, files[PROFILE].path, trace->diag);
	bool good = c6000 && trace_make_model(trace, &model, false);

	if (good) {
		c6000_begin(c6000, trace->model, &list_sink);
		read_all(trace, c6000);
		good = c6000_end(c6000) && c6000_write_profile(c6000, &profile_sink);
	}
	if (!good)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	free_table_writer(&list_sink);
	free_table_writer(&profile_sink);
	if (good) {
		*status = c6000_get_status(c6000);
		good = has_calls(trace, status);
	}
	if (good) {
		health_warn(trace);
		trace_check_program(trace);
	}
	free_c6000(c6000);
	return !diag_has_error(trace->diag);
}

/* A dump may be an ELF file, too. */
static bool is_core(const char *path)
{
	uint8_t head[64];
	int fd = foreign_file_open(path, NULL);
	ssize_t got = fd >= 0 ? pread(fd, head, sizeof head, 0) : 0;

	if (fd >= 0)
		close(fd);
	return got > 0 && memory_is_core((struct bytes){head, (size_t)got});
}

/* Checks that the file is not the program in place of the dump: a program has symbols, and
 * reads without a problem; a dump may only begin like one. False and a diag: it is a program. */
static bool is_no_program(const char *path, struct diag *diag)
{
	struct diag *ignored = make_diag();
	struct symbol_table *table;
	struct stat state;
	bool good = true;

	if (ignored && !stat(path, &state) && S_ISREG(state.st_mode) && !is_core(path)) {
		table = make_symbol_table(path, NULL, ignored);
		good = symbol_state(table) != SYMBOL_READ || !symbol_count(table) || diag_status(ignored);
		if (!good)
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
				"is of a program (%s), and no dump: it goes behind --program, in front of the "
				"dump", symbol_format(table));
		free_symbol_table(table);
	}
	free_diag(ignored);
	return good;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct trace trace = {.diag = diag};
	struct file files[FILES] = {0};
	struct c6000_status status = {0};
	struct options options = {0};

	if (!option_read(&command_c6000, &options, "dump", argc, argv, &options.path, diag) || !is_no_program(options.path, diag))
		return COMMAND_BY_DIAG;
	trace.input = options.input;
	trace.input.otherwise = "c6000";
	trace.input.names.all_names = true;
	if (trace_open(&trace, options.path, diag)) {
		bool good = true;

		for (size_t i = 0; good && i < FILES; i++)
			good = open_file(&files[i], &options, endings[i], diag);
		good = good && process(&trace, files, &status);
		if (close_files(files, good, diag))
			print_status(&status, reader_get_health(trace.reader), model_get_header(trace.model), files);
		for (size_t i = 0; i < FILES; i++)
			free(files[i].path);
	}
	trace_close(&trace);
	return COMMAND_BY_DIAG;
}

const struct command command_c6000 = {"c6000", "DUMP", "Makes the call list and profile of a TI C6000 dump", rows, about, run,
	.task = TASK_OLDER,
	.examples = "  dwell c6000 --program app.out dump.dat  writes two CSV files\n"
		    "  dwell c6000 -o results/ dump.dat        writes them to a folder\n"};
