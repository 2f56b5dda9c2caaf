/* A processed profile of the Firefox Profiler, in its version 47, which newer ones turn into theirs. Its views are of stacks in time:
 * from one moment at which a call begins or ends to the next, the stack is one sample that weighs as long ("tracing-ms"), so its times
 * are exact. What has no duration is a marker.
 *
 * Columns stand one behind the other there, thread by thread, so all samples wait for the end in a spool, beside the file that is
 * written: 5 to 7 bytes each. In memory are the stacks, each once. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/spool.h"
#include "writer/export/export.h"
#include "writer/export/firefox_thread.h"
#include "writer/export/lanes.h"
#include "writer/export/moments.h"
#include "writer/form.h"
#include "writer/json_text.h"

#define VERSION "47"
#define OWN_TIDS UINT64_C(10000000) /* as in chrome.c: of rows that are no thread, and threads whose number others have */

struct firefox {
	struct exporter exporter;
	struct moments moments;
	struct lanes lanes;
	struct spool *spool;
	struct strings strings; /* of all threads; each has those that it needs */
	bool is_table;
	struct firefox_thread *threads; /* by number of the lane */
	size_t count, capacity;
	uint64_t own_tids;
};

/* Nothing more is written. */
static void give_up(struct firefox *firefox)
{
	const struct export_target *target = &firefox->exporter.target;
	int error = spool_get_error(firefox->spool);

	if (!error) {
		export_starve(&firefox->exporter);
		return;
	}
	if (!firefox->exporter.starved)
		diag_add(target->diag, DIAG_ERROR, target->name, DIAG_NO_OFFSET, "what is kept beside it until the end cannot be written: %s",
			strerror(error));
	firefox->exporter.starved = true;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct firefox *firefox = context;

	(void)name;
	firefox->is_table = moments_begin(&firefox->moments, columns, count);
}

static uint32_t text_of(struct firefox *firefox, const char *text)
{
	bool is_new;

	return strings_find(&firefox->strings, text, &is_new);
}

static bool tell_lane(struct firefox *firefox, const struct moment *moment, struct lane *lane)
{
	bool is_first = lane == firefox->lanes.threads[moment->index].lanes;
	struct firefox_thread thread = {.pid = moment->pid, .begin_ns = moment->begin_ns};
	char number[32];

	if (!array_reserve(&firefox->threads, &firefox->capacity, firefox->count + 1, sizeof *firefox->threads))
		return false;
	thread.tid = is_first && !moment->is_shared ? moment->tid : OWN_TIDS + firefox->own_tids++;
	thread.is_main = is_first && moment->tid == moment->pid;
	snprintf(number, sizeof number, "%" PRIu64, moment->tid);
	thread.name = text_of(firefox, moment->thread ? moment->thread : number);
	thread.process = text_of(firefox, moment->process ? moment->process : "");
	lane->number = firefox->count;
	firefox->threads[firefox->count++] = thread;
	return thread.name != STRINGS_NONE && thread.process != STRINGS_NONE;
}

static void end_call(void *context, const struct lane *lane, int64_t end_ns)
{
	struct firefox *firefox = context;

	if (!firefox->exporter.starved && !firefox_thread_leave(&firefox->threads[lane->number], firefox->spool, end_ns))
		give_up(firefox);
}

static bool take(struct firefox *firefox, struct moment *moment)
{
	uint32_t name = text_of(firefox, moment->function);
	struct lane *lane;
	bool is_new;

	if (name == STRINGS_NONE)
		return false;
	if (!moment->has_end)
		lane = lanes_touch(&firefox->lanes, moment->index, moment->depth, moment->begin_ns, &is_new);
	else
		lane = lanes_enter(&firefox->lanes, moment->index, moment->depth, moment->begin_ns, &moment->end_ns, &is_new);
	if (!lane || (is_new && !tell_lane(firefox, moment, lane)))
		return false;
	if (moment->has_end)
		return firefox_thread_enter(&firefox->threads[lane->number], firefox->spool, name, moment->begin_ns);
	return firefox_thread_mark(&firefox->threads[lane->number], firefox->spool, name, moment->begin_ns);
}

static void row(void *context, const struct cell *cells)
{
	struct firefox *firefox = context;
	struct moment moment;

	if (!firefox->is_table || firefox->exporter.starved)
		return;
	moment = moments_get(&firefox->moments, cells);
	if (!take(firefox, &moment))
		give_up(firefox);
}

static void end(void *context)
{
	struct firefox *firefox = context;
	struct output *output = &firefox->exporter.output;
	const struct export_target *target = &firefox->exporter.target;

	if (!firefox->exporter.starved)
		lanes_finish(&firefox->lanes);
	output_put_text(output, "{\"meta\": {\"preprocessedProfileVersion\": " VERSION ", \"version\": 27, \"interval\": 1, \"startTime\": ");
	firefox_put_ms(output, (int64_t)target->start_unix_ns);
	output_put_text(output, ", \"processType\": 0, \"stackwalk\": 1, \"debug\": false, \"importedFrom\": \"dwell " DWELL_VERSION "\", \"product\": ");
	json_text_put(output, target->title);
	output_put_text(output, ",\n\"categories\": [{\"name\": \"Other\", \"color\": \"grey\", \"subcategories\": [\"Other\"]}],\n"
				"\"extensions\": {\"length\": 0, \"baseURL\": [], \"id\": [], \"name\": []},\n"
				"\"sampleUnits\": {\"time\": \"ms\", \"eventDelay\": \"ms\", \"threadCPUDelta\": \"ns\"},\n"
				"\"symbolicated\": true, \"symbolicationNotSupported\": true, \"usesOnlyOneStackType\": true,\n"
				"\"doesNotUseFrameImplementation\": true, \"sourceCodeIsNotOnSearchfox\": true, \"markerSchema\": []},\n"
				"\"libs\": [], \"pages\": [], \"counters\": [], \"profilerOverhead\": [],\n\"threads\": [");
	for (size_t i = 0; i < firefox->count && !firefox->exporter.starved; i++) {
		output_put_text(output, i ? ",\n" : "\n");
		if (!firefox_thread_put(&firefox->threads[i], firefox->spool, &firefox->strings, output))
			give_up(firefox);
	}
	output_put_text(output, "]}\n");
	output_end(output, target->name, target->diag);
}

static struct table_sink make_firefox(const struct export_target *target)
{
	struct firefox *firefox = make_exporter(target, sizeof *firefox);

	if (!firefox)
		return export_swallow();
	firefox->spool = make_spool(target->path, 0);
	if (!firefox->spool) {
		export_starve(&firefox->exporter);
		free(firefox);
		return export_swallow();
	}
	firefox->lanes.on_end = end_call;
	firefox->lanes.context = firefox;
	return (struct table_sink){firefox, begin, row, end};
}

static void free_firefox(struct table_sink *sink)
{
	struct firefox *firefox = sink->context;

	if (!firefox)
		return;
	for (size_t i = 0; i < firefox->count; i++)
		firefox_thread_clear(&firefox->threads[i]);
	free(firefox->threads);
	free_spool(firefox->spool);
	lanes_clear(&firefox->lanes);
	strings_clear(&firefox->strings);
	free(firefox);
}

const struct export_format export_firefox = {"firefox", EXPORT_TIMELINE, false, make_firefox, free_firefox, NULL};
