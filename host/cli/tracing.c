#include "cli/tracing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exclude.h"
#include "record/sink/file_size.h"
#include "util/units.h"

/* A ring has at least two blocks of 4096 bytes. Its size is limited because masks have 32 bits. */
#define RING_BYTES_MIN (UINT64_C(8) << 10)
#define RING_BYTES_MAX (UINT64_C(1) << 30)

static const char *take_pattern(struct filter_options *filter, const char *text, const char *option, bool drops)
{
	static char at_most[64];

	snprintf(at_most, sizeof at_most, "at most %u of --only and --not", FILTER_PATTERNS_MAX);
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

	return slow_read_rule(slow, text, &wrong) ? NULL : wrong;
}

static const char *take_trigger(void *trigger, const char *text)
{
	const char *wrong;

	return trigger_read_rule(trigger, text, &wrong) ? NULL : wrong;
}

/* Bytes for each thread, rounded up to a power of two. */
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
	struct recording_options *recording = options;

	if (text)
		return take_ring_bytes(recording, text, DWELL_MODE_RING);
	recording->mode = DWELL_MODE_RING;
	recording->ring_bytes = file_size_ring();
	return NULL;
}

static const char *take_linear(void *options, const char *text)
{
	return take_ring_bytes(options, text, DWELL_MODE_LINEAR);
}

#define EVENTS "page-faults"
static const char *take_event(void *page_faults, const char *text)
{
	*(bool *)page_faults = !strcmp(text, EVENTS);
	return *(bool *)page_faults ? NULL : EVENTS ", the only event that dwell records with calls; samples are of CPU time";
}

static const char *take_on_full(void *value, const char *text)
{
	struct recording_options *options = value;
	int64_t ns = 0;

	options->loses_when_full = !strcmp(text, "lose");
	if (options->loses_when_full || !strcmp(text, "wait"))
		return NULL;
	if (strncmp(text, "wait:", 5) || !units_parse_ns(text + 5, &ns) || ns <= 0)
		return "wait, wait:TIME such as wait:5s, or lose";
	options->wait_max_ns = (uint64_t)ns;
	return NULL;
}

#define AT(member) offsetof(struct tracing, member)
/* Why `dwell attach` refuses an option for a process that `dwell record --off` started (option_row.started): that record … */
#define CHOOSES_FUNCTIONS "has chosen the functions"
#define CHOOSES_CALLS "chooses the calls that it keeps"
#define KEEPS_EVENTS "has made the buffers for its events"
#define TAKES_SNAPSHOTS "takes the snapshots"
#define TRACING(does) .family = "tracing", .started = does
const struct option_row tracing_rows[] = {
	{"--only", "PATTERN", OPTION_OWN, AT(options.filter),
		"record only functions that match PATTERN, or one of several. PATTERN is a name as reports show it, with the "
		"wildcards * and ? ('json_*'); if a function has exactly this name, only that one matches ('f(char*)'). file:PATTERN matches "
		"the source file that a function begins in, module:PATTERN the program or library ('module:libz.so*'). "
		"Functions left out cost almost nothing; their time counts for the caller",
		.read = take_only, .repeats = true, TRACING(CHOOSES_FUNCTIONS)},
	{"--not", "PATTERN", OPTION_OWN, 0,
		"do not record functions that match PATTERN, or any of several. @LIST reads the list of functions that dwell "
		"report --write-exclude wrote",
		.read = take_not, .repeats = true, TRACING(CHOOSES_FUNCTIONS)},
	{"--exclude", "LIST", OPTION_FILE, AT(exclude),
		"the same as --not @LIST", .rare = true, .once = true, TRACING(CHOOSES_FUNCTIONS)},
	{"--depth", "N", OPTION_COUNT_32, AT(options.depth_limit),
		"record only the outermost N levels of nested calls. The file is smaller and quicker to read; a call costs the "
		"same. Not with --ring", .rare = true,
		.low = 1, .high = 1000000, TRACING(CHOOSES_CALLS),
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "how deep a thread is where its ring begins, nobody knows"})},
	{"--longer", "T", OPTION_DURATION, AT(options.longer_ns),
		"list only calls that took at least T (10us, 1.5ms). dwell counts the shorter ones with all that they called, so "
		"reports are the same to the tick and the file is smaller; a call costs the same. Shorter calls are listed, too, "
		"if their thread waited during them, or beside a jump, a gap or a mark. Not with --ring or --linear", .rare = true,
		.low = 1, .expected = "a time of more than 0, with its unit: 10us, 1.5ms", TRACING(CHOOSES_CALLS),
		.excludes = OPTION_EXCLUDES(
			{"--ring --snapshot-when", "--longer is for --stream: into a ring the program itself writes all of its calls"},
			{"--linear", "--longer is for --stream: into its file the program itself writes all of its calls"})},
	{"--count", NULL, OPTION_FLAG, AT(options.counts),
		"list no calls, only count them. The file has one row per call path and does not grow with the number of calls. "
		"Reports are the same, except that CPU time is not known, nor are calls around others that began before the "
		"recording. Not with --ring, --linear, --args, --longer, --keep-slowest or --snapshot-when", .rare = true,
		TRACING(CHOOSES_CALLS),
		.excludes = OPTION_EXCLUDES(
			{"--keep-slowest", "one or the other; slow calls are listed, and --count lists none"},
			{"--longer", "one or the other; long calls are listed, and --count lists none"},
			{"--args", "one or the other; arguments are of single calls, and --count keeps none"},
			{"--snapshot-when", "one or the other; a snapshot lists calls, and --count keeps none"},
			{"--ring --linear", "--count is for --stream: --ring and --linear list calls, and --count keeps none"})},
	{"--keep-slowest", "N:FUNC", OPTION_OWN, AT(options.slow),
		"keep only the N slowest calls of FUNC, with all that they called. Of its other calls dwell keeps how many there "
		"were and how long they took. Several times: for each FUNC. dwell writes them at the end. Not with --ring or "
		"--linear", .rare = true,
		.read = take_slowest, .repeats = true, TRACING(CHOOSES_CALLS),
		.excludes = OPTION_EXCLUDES(
			{"--snapshot-when", "one or the other"},
			{"--ring --linear", "--keep-slowest is for --stream: into rings the program itself writes all of its calls"},
			{"--longer", "one or the other, by calls of some functions or of all"})},
	{"--snapshot-when", "WHEN", OPTION_OWN, AT(options.trigger),
		"keep what led to slow calls: record into rings as with --ring, and when a call took too long, write what the "
		"rings hold to FILE.1, FILE.2 and so on. WHEN is 'FUNC > TIME' in wall-clock time (5ms, 300us, 1.5s). Several "
		"times: any of them", .rare = true,
		.read = take_trigger, .repeats = true, TRACING(TAKES_SNAPSHOTS),
		.excludes = OPTION_EXCLUDES({"--stream", "--snapshot-when is of rings: --stream writes all of it to the file"},
			{"--linear", "--snapshot-when is of rings: --linear keeps what came first"})},
	{"--snapshots", "N", OPTION_COUNT_32, AT(options.trigger.snapshots_max),
		"take at most N snapshots (10)", .rare = true, .low = 1, .high = 10000,
		.needs = {"--snapshot-when"}, TRACING(TAKES_SNAPSHOTS)},
	{"-e", "EVENT", OPTION_OWN, AT(options.page_faults),
		"record also each EVENT of the program's threads, and count it for the call in which it happens. EVENT is "
		"page-faults. Reports then have columns for it. Each page fault takes about 0.5 us longer. Not with --sample, "
		"--count, --ring or --linear", "--event",
		.rare = true, .read = take_event, .choices = EVENTS, TRACING(KEEPS_EVENTS),
		.excludes = OPTION_EXCLUDES(
			{"sampling", "dwell records page faults with calls: compiled hooks or --trace"},
			{"--count", "a page fault counts for a single call, and --count keeps none"},
			{"--ring --linear --snapshot-when", "-e is for --stream: rings have calls only"})},
	{"--no-pack", NULL, OPTION_FLAG, AT(options.no_pack),
		"store events as recorded, in 16 bytes per call; packed, a call takes one or two", .rare = true, TRACING(TRACING_WRITES_FILE)},
	{"--stream", NULL, OPTION_MARK, 0, "write everything to disk as it happens (the default)", .rare = true, TRACING(KEEPS_EVENTS),
		.excludes = OPTION_EXCLUDES({"--ring --linear", "one or the other"})},
	{"--ring", "[=SIZE]", OPTION_OWN, AT(options), "keep only the last events of each thread: SIZE bytes of them (4M), 8 bytes per event",
		.read = take_ring, TRACING(KEEPS_EVENTS), .excludes = OPTION_EXCLUDES({"--linear", "one or the other"})},
	{"--linear", "=SIZE", OPTION_OWN, AT(options), "keep only the first events of each thread: SIZE bytes of them", .rare = true, .read = take_linear, TRACING(KEEPS_EVENTS)},
	{"--memory", "=SIZE", OPTION_SIZE, AT(options.memory_bytes),
		"limit for all threads together. --stream: memory for buffers (a quarter of the machine's or container's, at most 1G). --ring, "
		"--linear: size of the file (256M; up to 1G for 16 threads). When the file is full, a new thread takes the ring "
		"of the thread that ended first", .rare = true,
		.low = 12 << 10, .high = (double)(UINT64_C(1) << 40), .expected = "a size from 12K to 1048576M (1 TiB), such as 512K or 16M", TRACING(KEEPS_EVENTS)},
	{"--on-full", "=WHAT", OPTION_OWN, AT(options),
		"what a thread does when dwell cannot keep up and the thread's buffer (32M) is full. wait (the default): it "
		"stops until there is room, so no event is lost, and reports show the time as the cost of recording. It stops "
		"for at most 30s (1s after attach), or TIME with wait:TIME; then it goes on and loses events until dwell drains "
		"the buffer again. lose: it never stops, and reports show what was lost. With --snapshot-when a thread waits "
		"before it overwrites events that dwell has not looked at. Not with --ring or --linear alone", .rare = true,
		.read = take_on_full, .choices = "wait or lose", TRACING(KEEPS_EVENTS),
		.excludes = OPTION_EXCLUDES({"--ring --linear",
			"--on-full is for --stream and --snapshot-when: --ring keeps the last events, --linear the "
			"first", "--snapshot-when"})},
	{0}};

bool tracing_finish(const struct option_line *line, struct tracing *tracing, struct diag *diag)
{
	struct recording_options *options = &tracing->options;
	const char *command = line->command->name;

	if (watcher_has_rules(&options->trigger) && options->mode == DWELL_MODE_STREAM)
		take_ring(options, NULL);
	/* For tar and gzip "-" is standard output, but here standard output belongs to the program. */
	if (options->output && !strcmp(options->output, "-"))
		return option_refuse(line->command, "-o '-': expected the name of a file, not standard output", diag);
	if (options->mode != DWELL_MODE_STREAM && options->memory_bytes && options->memory_bytes < options->ring_bytes + 4096) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"%s: --memory is too small for one thread, which takes %llu KiB: the requested size and 4 KiB", command,
			(unsigned long long)(options->ring_bytes + 4096) >> 10);
		return false;
	}
	if (tracing->exclude && tracing->not_list)
		return option_refuse(line->command, "--exclude and --not @LIST: at most one list", diag);
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

void tracing_print_messages(struct diag *diag)
{
	diag_print(diag, stderr);
}
