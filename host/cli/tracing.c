#include "cli/tracing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exclude/exclude.h"
#include "util/units.h"

/* Blocks of 4096 bytes: two at least. Masks of 32 bits: not more. */
#define RING_BYTES_MIN (UINT64_C(8) << 10)
#define RING_BYTES_MAX (UINT64_C(1) << 30)

static const char *take_pattern(struct filter_options *filter, const char *text, const char *option, bool drops)
{
	static char at_most[64];

	snprintf(at_most, sizeof at_most, "%u of --only and --not at the most", FILTER_PATTERNS_MAX);
	if (!*text || text[strlen(text) - 1] == ':')
		return "a pattern, such as 'json_*' or module:libz.so*";
	if (filter->pattern_count == FILTER_PATTERNS_MAX)
		return at_most;
	filter->patterns[filter->pattern_count++] = (struct filter_pattern){text, option, drops, false};
	return NULL;
}

static const char *take_only(void *filter, const char *text)
{
	return take_pattern(filter, text, "--only", false);
}

static const char *take_not(void *value, const char *text)
{
	struct tracing *tracing = value;

	if (*text != '@')
		return take_pattern(&tracing->options.filter, text, "--not", true);
	if (tracing->not_list)
		return "one @LIST at the most";
	tracing->not_list = text + 1;
	return NULL;
}

static const char *take_slowest(void *slow, const char *text)
{
	const char *wrong;

	return slow_read(slow, text, &wrong) ? NULL : wrong;
}

static const char *take_trigger(void *trigger, const char *text)
{
	const char *wrong;

	return trigger_read(trigger, text, &wrong) ? NULL : wrong;
}

/* Of each thread, rounded up to a power of two. */
static const char *take_ring_bytes(struct recording_options *options, const char *text, enum dwell_mode mode)
{
	uint64_t wanted;

	if (!units_parse_bytes(text, &wanted) || wanted < RING_BYTES_MIN || wanted > RING_BYTES_MAX)
		return "a size from 8K to 1024M, such as 512K or 16M";
	options->mode = mode;
	for (options->ring_bytes = RING_BYTES_MIN; options->ring_bytes < wanted; options->ring_bytes *= 2)
		;
	return NULL;
}

static const char *take_ring(void *options, const char *text)
{
	return take_ring_bytes(options, text, DWELL_MODE_RING);
}

static const char *take_linear(void *options, const char *text)
{
	return take_ring_bytes(options, text, DWELL_MODE_LINEAR);
}

static const char *take_on_full(void *value, const char *text)
{
	struct recording_options *options = value;
	int64_t ns = 0;

	options->loses = !strcmp(text, "lose");
	if (options->loses || !strcmp(text, "wait"))
		return NULL;
	if (strncmp(text, "wait:", 5) || !units_read_ns(text + 5, &ns) || ns <= 0)
		return "wait, wait:TIME such as wait:5s, or lose";
	options->wait_max_ns = (uint64_t)ns;
	return NULL;
}

#define AT(member) offsetof(struct tracing, member)
#define TRACING .family = "tracing"
const struct option_row tracing_rows[] = {
	{"--only", "PATTERN", OPTION_OWN, AT(options.filter),
		"records only functions that match PATTERN, or one of several. It is a name as reports show it, with * and ? for "
		"any text ('json_*') unless a function is called just so ('f(char*)'), file:PATTERN for the source file that a "
		"function begins in, module:PATTERN for the program or library ('module:libz.so*'). What is left out costs next to "
		"nothing, and its time is its caller's",
		.read = take_only, .repeats = true, TRACING},
	{"--not", "PATTERN", OPTION_OWN, 0,
		"records no function that matches PATTERN, as that of --only; several times: any of them. @LIST is a list of "
		"functions that dwell report --write-exclude wrote",
		.read = take_not, .repeats = true, TRACING},
	{"--exclude", "LIST", OPTION_FILE, AT(exclude),
		"the same as --not @LIST", .once = true, TRACING},
	{"--depth", "N", OPTION_COUNT_32, AT(options.depth_limit),
		"records only the outermost N of calls that are in one another; of deeper ones there is no trace. It saves room on "
		"the disk, and whoever reads; a call costs what it costs. Not with --ring",
		.low = 1, .high = 1000000, TRACING,
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "how deep a thread is where its ring begins, nobody knows"})},
	{"--longer", "T", OPTION_DURATION, AT(options.longer_ns),
		"lists only calls that took at least T: 10us, 1.5ms. Shorter ones are counted, with all that they called: reports "
		"are the same, to the tick, and the file is smaller; a call costs what it costs. Listed are shorter ones, too, "
		"during which their thread waited, and those next to a jump, a gap or a mark. Not with --ring and --linear",
		.low = 1, .expected = "a time of more than 0, with its unit: 10us, 1.5ms", TRACING,
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "--longer is for --stream: into a ring the program itself writes all of its calls"},
			{"--linear", "--longer is for --stream: into its file the program itself writes all of its calls"})},
	{"--count", NULL, OPTION_FLAG, AT(options.counts),
		"lists no calls and counts all: for runs of any length, as the file has a row for each path that was called, and "
		"does not grow with their calls. Reports are the same, but for the CPU time, which is not known, and for calls "
		"around others that had begun before the recording. Not with --ring, --linear, --args, --longer, --keep-slowest "
		"and --snapshot-when",
		TRACING,
		.excludes = OPTION_EXCLUDES(
			{"--keep-slowest", "one or the other; slow calls are listed, and --count lists none"},
			{"--longer", "one or the other; long calls are listed, and --count lists none"},
			{"--args", "one or the other; arguments are of single calls, and --count keeps none"},
			{"--snapshot-when", "one or the other; a snapshot lists calls, and --count keeps none"},
			{"--ring --linear", "--count is for --stream: --ring and --linear list calls, and --count keeps none"})},
	{"--keep-slowest", "N:FUNC", OPTION_OWN, AT(options.slow),
		"only the N slowest calls of such a function, with all that they called; of the others it is told how many there "
		"were and how long they took. Several times: of each. They are written at the end. Not with --ring and --linear",
		.read = take_slowest, .repeats = true, TRACING,
		.excludes = OPTION_EXCLUDES(
			{"--snapshot-when", "one or the other"},
			{"--ring --linear", "--keep-slowest is for --stream: into rings the program itself writes all of its calls"},
			{"--longer", "one or the other, by calls of some functions or of all"})},
	{"--snapshot-when", "WHEN", OPTION_OWN, AT(options.trigger),
		"keeps what led to slow calls: records as with --ring (4M), and when a call took too long, what the rings hold "
		"goes to FILE.1, FILE.2 and so on. WHEN is 'FUNC > TIME': 5ms, 300us, 1.5s of wall time. Several times: any of them",
		.read = take_trigger, .repeats = true, TRACING,
		.excludes = OPTION_EXCLUDES({"--stream", "--snapshot-when is of rings: --stream writes all of it to the file"},
			{"--linear", "--snapshot-when is of rings: --linear keeps what came first"})},
	{"--snapshots", "N", OPTION_COUNT_32, AT(options.trigger.snapshots_max),
		"so many of these at the most (10)", .low = 1, .high = 10000,
		.needs = {"--snapshot-when"}, TRACING},
	{"--no-pack", NULL, OPTION_FLAG, AT(options.no_pack),
		"stores events as they were recorded, in 16 bytes a call; else they are packed into one or two", TRACING},
	{"--stream", NULL, OPTION_MARK, 0, "everything goes to disk, as it happens: the default", TRACING,
		.excludes = OPTION_EXCLUDES({"--ring --linear", "one or the other"})},
	{"--ring", "=SIZE", OPTION_OWN, AT(options), "keeps the last of each thread, up to SIZE (512K, 16M); 8 bytes are an event",
		.read = take_ring, TRACING, .excludes = OPTION_EXCLUDES({"--linear", "one or the other"})},
	{"--linear", "=SIZE", OPTION_OWN, AT(options), "keeps the first of each thread", .read = take_linear, TRACING},
	{"--memory", "=SIZE", OPTION_SIZE, AT(options.memory_bytes),
		"for all threads together. --stream: memory (a quarter of the machine's, at most 1G). --ring, --linear: size of "
		"the file (256M; up to 1G for 16 threads); when it is full, the ring of the thread that ended first is taken",
		.low = 12 << 10, .high = (double)(UINT64_C(1) << 40), .expected = "a size from 12K to 1048576M, such as 512K or 16M", TRACING},
	{"--on-full", "=WHAT", OPTION_OWN, AT(options),
		"what a thread does when dwell cannot keep up and the thread's buffer (32M) is full. wait, the default: it stops "
		"until there is room, so no event is lost; reports show that time as the cost of recording. It stops for the TIME "
		"of wait:TIME (30s; 1s of a process that runs already) at the most, then it goes on and loses events until dwell "
		"drains the buffer again. lose: it never stops. Reports show what was lost. --snapshot-when has it stop before it "
		"overwrites what dwell has not looked at. Not with --ring and --linear alone",
		.read = take_on_full, .choices = "wait or lose", TRACING,
		.excludes = OPTION_EXCLUDES({"--ring --linear",
			"--on-full is for --stream and --snapshot-when: --ring keeps the last events, --linear the "
			"first", "--snapshot-when"})},
	{0}};

bool tracing_finish(const struct option_line *line, struct tracing *tracing, struct diag *diag)
{
	struct recording_options *options = &tracing->options;
	const char *command = line->command->name;

	if (watcher_is_wanted(&options->trigger) && options->mode == DWELL_MODE_STREAM) {
		options->mode = DWELL_MODE_RING;
		options->ring_bytes = TRIGGER_RING_BYTES;
	}
	/* As for tar and gzip, - would be standard output, which is the program's. */
	if (options->output && !strcmp(options->output, "-"))
		return option_refuse(line->command, "-o '-': expected the name of a file", diag);
	if (options->mode != DWELL_MODE_STREAM && options->memory_bytes && options->memory_bytes < options->ring_bytes + 4096) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"%s: --memory has no room for a thread: one takes %llu KiB, the size that was asked for and 4 KiB", command,
			(unsigned long long)(options->ring_bytes + 4096) >> 10);
		return false;
	}
	if (tracing->exclude && tracing->not_list)
		return option_refuse(line->command, "--exclude and --not @LIST: one list at the most", diag);
	if (!tracing->exclude)
		tracing->exclude = tracing->not_list;
	return !tracing->exclude || exclude_read(command, tracing->exclude, &options->filter, &tracing->excluded, diag);
}

void tracing_clear(struct tracing *tracing)
{
	watcher_options_clear(&tracing->options.slow);
	watcher_options_clear(&tracing->options.trigger);
	free(tracing->excluded);
}

void tracing_print_now(struct diag *diag)
{
	diag_print(diag, stderr);
}
