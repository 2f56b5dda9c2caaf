/* Chrome's trace event format: JSON that chrome://tracing, Perfetto and many others open. Each call is one complete event ("X") with its
 * begin and duration; what has no duration is an instant ("i"). Times are microseconds there, with three decimals here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "writer/export/export.h"
#include "writer/export/lanes.h"
#include "writer/export/moments.h"
#include "writer/form.h"
#include "writer/json_text.h"

/* Numbers for rows that are no thread, and for threads whose number others have, too: beyond the 2^22 that Linux gives. */
#define OWN_TIDS UINT64_C(10000000)

struct chrome {
	struct exporter exporter;
	struct moments moments;
	struct lanes lanes;
	bool is_table;
	uint64_t own_tids, events;
	uint64_t *pids; /* which were told */
	size_t pid_count, pid_capacity;
};

static void put(struct chrome *chrome, const char *text)
{
	output_put_text(&chrome->exporter.output, text);
}

static void put_text(struct chrome *chrome, const char *text)
{
	json_text_put(&chrome->exporter.output, text);
}

static void put_number(struct chrome *chrome, const char *key, uint64_t number)
{
	put(chrome, key);
	writer_put_decimal(&chrome->exporter.output, number);
}

/* Nanoseconds as microseconds. */
static void put_us(struct chrome *chrome, const char *key, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char *to = NULL;

	put(chrome, key);
	if (ns < 0)
		output_put_char(&chrome->exporter.output, '-');
	writer_put_decimal(&chrome->exporter.output, size / 1000);
	if (!(size % 1000))
		return;
	to = output_reserve(&chrome->exporter.output);
	to[0] = '.';
	to[1] = (char)('0' + size % 1000 / 100);
	to[2] = (char)('0' + size % 100 / 10);
	to[3] = (char)('0' + size % 10);
	chrome->exporter.output.used += 4;
}

static void begin_event(struct chrome *chrome)
{
	put(chrome, chrome->events++ ? ",\n{" : "\n{");
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct chrome *chrome = context;

	(void)name;
	chrome->is_table = moments_begin(&chrome->moments, columns, count);
	put(chrome, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"exporter\": \"dwell " DWELL_VERSION "\", \"file\": ");
	put_text(chrome, chrome->exporter.target.title);
	if (chrome->exporter.target.start_unix_ns) /* beyond what a number of JSON holds exactly */
		put_number(chrome, ", \"start_unix_ns\": \"", chrome->exporter.target.start_unix_ns);
	put(chrome, chrome->exporter.target.start_unix_ns ? "\"},\n\"traceEvents\": [" : "},\n\"traceEvents\": [");
}

static bool tell_process(struct chrome *chrome, const struct moment *moment)
{
	for (size_t i = chrome->pid_count; i--;)
		if (chrome->pids[i] == moment->pid)
			return true;
	if (!array_reserve(&chrome->pids, &chrome->pid_capacity, chrome->pid_count + 1, sizeof *chrome->pids))
		return false;
	chrome->pids[chrome->pid_count++] = moment->pid;
	if (!moment->process)
		return true;
	begin_event(chrome);
	put_number(chrome, "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":", moment->pid);
	put(chrome, ",\"args\":{\"name\":");
	put_text(chrome, moment->process);
	put(chrome, "}}");
	return true;
}

/* A row of its own: of a thread, or of what overlaps with its calls. */
static bool tell_lane(struct chrome *chrome, const struct moment *moment, struct lane *lane)
{
	bool is_first = lane == chrome->lanes.threads[moment->index].lanes;
	char number[32];

	if (!tell_process(chrome, moment))
		return false;
	lane->number = is_first && !moment->is_shared ? moment->tid : OWN_TIDS + chrome->own_tids++;
	snprintf(number, sizeof number, "%" PRIu64, moment->tid);
	begin_event(chrome);
	put_number(chrome, "\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":", moment->pid);
	put_number(chrome, ",\"tid\":", lane->number);
	put(chrome, ",\"args\":{\"name\":");
	put_text(chrome, moment->thread ? moment->thread : number);
	put(chrome, "}}");
	return true;
}

static void put_event(struct chrome *chrome, const struct moment *moment, uint64_t tid, int64_t end_ns)
{
	begin_event(chrome);
	put(chrome, "\"name\":");
	put_text(chrome, moment->function);
	put(chrome, moment->has_end ? ",\"ph\":\"X\"" : ",\"ph\":\"i\",\"s\":\"t\"");
	put_us(chrome, ",\"ts\":", moment->begin_ns);
	if (moment->has_end)
		put_us(chrome, ",\"dur\":", end_ns - moment->begin_ns);
	put_number(chrome, ",\"pid\":", moment->pid);
	put_number(chrome, ",\"tid\":", tid);
	if (*moment->note) {
		put(chrome, ",\"args\":{\"note\":");
		put_text(chrome, moment->note);
		put(chrome, "}");
	}
	put(chrome, "}");
}

static void row(void *context, const struct cell *cells)
{
	struct chrome *chrome = context;
	struct moment moment;
	struct lane *lane;
	int64_t end_ns;
	bool is_new;

	if (!chrome->is_table || chrome->exporter.starved)
		return;
	moment = moments_get(&chrome->moments, cells);
	end_ns = moment.end_ns;
	lane = moment.has_end ? lanes_enter(&chrome->lanes, moment.index, moment.depth, moment.begin_ns, &end_ns, &is_new)
			      : lanes_touch(&chrome->lanes, moment.index, moment.depth, moment.begin_ns, &is_new);
	if (!lane || (is_new && !tell_lane(chrome, &moment, lane)))
		export_starve(&chrome->exporter);
	else
		put_event(chrome, &moment, lane->number, end_ns);
}

static void end(void *context)
{
	struct chrome *chrome = context;

	put(chrome, "\n]}\n");
	output_end(&chrome->exporter.output, chrome->exporter.target.name, chrome->exporter.target.diag);
}

static struct table_sink make_chrome(const struct export_target *target)
{
	struct chrome *chrome = make_exporter(target, sizeof *chrome);

	return chrome ? (struct table_sink){chrome, begin, row, end} : export_swallow();
}

static void free_chrome(struct table_sink *sink)
{
	struct chrome *chrome = sink->context;

	if (!chrome)
		return;
	lanes_clear(&chrome->lanes);
	free(chrome->pids);
	free(chrome);
}

const struct export_format export_chrome = {"chrome", EXPORT_TIMELINE, false, make_chrome, free_chrome, NULL};
