/* speedscope's own JSON, of the type "evented": each call where it began and ended, a profile for each thread. Its left-heavy view
 * shows sums, and the one in time order what was when. See speedscope.c for sums.
 *
 * A profile's events stand one behind the other, and threads take turns: so events wait in a spool until the end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/spool.h"
#include "writer/export/export.h"
#include "writer/export/lanes.h"
#include "writer/export/moments.h"
#include "writer/export/strings.h"
#include "writer/form.h"
#include "writer/json_text.h"

/* A row of speedscope's: a thread, or what overlaps with its calls. */
struct profile {
	char *name;
	struct spool_row events; /* of each: twice its frame, one more where it ends; nanoseconds since the one before */
	uint64_t count;
	int64_t first_ns, last_ns;
	uint32_t *open; /* frames */
	size_t depth, capacity;
};

struct speedscope_calls {
	struct exporter exporter;
	struct moments moments;
	struct lanes lanes;
	struct spool *spool;
	struct strings frames;
	bool is_table;
	struct profile *profiles; /* by number of the lane */
	size_t count, capacity;
};

static void give_up(struct speedscope_calls *calls)
{
	const struct export_target *target = &calls->exporter.target;
	int error = spool_get_error(calls->spool);

	if (!error)
		export_starve(&calls->exporter);
	else if (!calls->exporter.starved)
		diag_add(target->diag, DIAG_ERROR, target->name, DIAG_NO_OFFSET, "what is kept beside it until the end cannot be written: %s",
			strerror(error));
	calls->exporter.starved = true;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct speedscope_calls *calls = context;

	(void)name;
	calls->is_table = moments_begin(&calls->moments, columns, count);
}

static bool put_event(struct speedscope_calls *calls, struct profile *profile, uint32_t frame, bool is_end, int64_t at_ns)
{
	if (!profile->count++)
		profile->first_ns = profile->last_ns = at_ns;
	if (!spool_put(calls->spool, &profile->events, (uint64_t)frame << 1 | is_end) ||
		!spool_put(calls->spool, &profile->events, (uint64_t)at_ns - (uint64_t)profile->last_ns))
		return false;
	profile->last_ns = at_ns;
	return true;
}

static bool enter(struct speedscope_calls *calls, struct profile *profile, uint32_t frame, int64_t at_ns)
{
	if (!array_reserve(&profile->open, &profile->capacity, profile->depth + 1, sizeof *profile->open))
		return false;
	profile->open[profile->depth++] = frame;
	return put_event(calls, profile, frame, false, at_ns);
}

static bool leave(struct speedscope_calls *calls, struct profile *profile, int64_t at_ns)
{
	return !profile->depth || put_event(calls, profile, profile->open[--profile->depth], true, at_ns);
}

static void end_call(void *context, const struct lane *lane, int64_t end_ns)
{
	struct speedscope_calls *calls = context;

	if (!calls->exporter.starved && !leave(calls, &calls->profiles[lane->number], end_ns))
		give_up(calls);
}

/* "main", "main: row 2": what overlaps. */
static bool tell_lane(struct speedscope_calls *calls, const struct moment *moment, struct lane *lane)
{
	size_t row = (size_t)(lane - calls->lanes.threads[moment->index].lanes);
	char number[32], more[48] = "";
	struct profile profile = {0};

	snprintf(number, sizeof number, "%" PRIu64, moment->tid);
	if (row)
		snprintf(more, sizeof more, ": row %zu", row + 1);
	if (!array_reserve(&calls->profiles, &calls->capacity, calls->count + 1, sizeof *calls->profiles) ||
		asprintf(&profile.name, "%s%s", moment->thread ? moment->thread : number, more) < 0)
		return false;
	lane->number = calls->count;
	calls->profiles[calls->count++] = profile;
	return true;
}

static bool take(struct speedscope_calls *calls, struct moment *moment)
{
	struct profile *profile;
	struct lane *lane;
	bool is_new, is_new_frame;
	uint32_t frame = strings_find(&calls->frames, moment->function, &is_new_frame);

	if (frame == STRINGS_NONE)
		return false;
	if (!moment->has_end)
		lane = lanes_touch(&calls->lanes, moment->index, moment->depth, moment->begin_ns, &is_new);
	else
		lane = lanes_enter(&calls->lanes, moment->index, moment->depth, moment->begin_ns, &moment->end_ns, &is_new);
	if (!lane || (is_new && !tell_lane(calls, moment, lane)))
		return false;
	profile = &calls->profiles[lane->number];
	/* What has no end took no time. */
	return enter(calls, profile, frame, moment->begin_ns) && (moment->has_end || leave(calls, profile, moment->begin_ns));
}

static void row(void *context, const struct cell *cells)
{
	struct speedscope_calls *calls = context;
	struct moment moment;

	if (!calls->is_table || calls->exporter.starved)
		return;
	moment = moments_get(&calls->moments, cells);
	if (!take(calls, &moment))
		give_up(calls);
}

static void put_ns(struct output *output, int64_t ns)
{
	if (ns < 0)
		output_put_char(output, '-');
	writer_put_decimal(output, ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
}

static void put_profile(struct speedscope_calls *calls, const struct profile *profile, struct spool_look *look)
{
	struct output *output = &calls->exporter.output;
	int64_t at_ns = profile->first_ns;

	output_put_text(output, "{\"type\": \"evented\",\n\"name\": ");
	json_text_put(output, profile->name);
	output_put_text(output, ",\n\"unit\": \"nanoseconds\",\n\"startValue\": ");
	put_ns(output, profile->first_ns);
	output_put_text(output, ",\n\"endValue\": ");
	put_ns(output, profile->last_ns);
	output_put_text(output, ",\n\"events\": [");
	spool_look(calls->spool, &profile->events, look);
	for (uint64_t i = 0; i < profile->count; i++) {
		uint64_t what = spool_next(look);

		at_ns = (int64_t)((uint64_t)at_ns + spool_next(look));
		output_put_text(output, i ? ",\n" : "\n");
		output_put_text(output, what & 1 ? "{\"type\":\"C\",\"frame\":" : "{\"type\":\"O\",\"frame\":");
		writer_put_decimal(output, what >> 1);
		output_put_text(output, ",\"at\":");
		put_ns(output, at_ns);
		output_put_char(output, '}');
	}
	output_put_text(output, "]}");
}

static void put_all(struct speedscope_calls *calls, struct spool_look *look)
{
	struct output *output = &calls->exporter.output;
	const struct profile nothing = {.name = (char *)calls->exporter.target.title}; /* its viewer wants one */

	output_put_text(output, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
				"\"exporter\": \"dwell " DWELL_VERSION "\",\n\"name\": ");
	json_text_put(output, calls->exporter.target.title);
	output_put_text(output, ",\n\"activeProfileIndex\": 0,\n\"profiles\": [");
	for (size_t i = 0; i < calls->count; i++) {
		output_put_text(output, i ? ",\n" : "");
		put_profile(calls, &calls->profiles[i], look);
	}
	if (!calls->count)
		put_profile(calls, &nothing, look);
	output_put_text(output, "],\n\"shared\": {\"frames\": [");
	for (size_t i = 0; i < calls->frames.count; i++) {
		output_put_text(output, i ? ",\n{\"name\": " : "\n{\"name\": ");
		json_text_put(output, calls->frames.texts[i]);
		output_put_char(output, '}');
	}
	output_put_text(output, "]}}\n");
}

static void end(void *context)
{
	struct speedscope_calls *calls = context;
	struct spool_look *look = malloc(sizeof *look);

	if (!calls->exporter.starved)
		lanes_finish(&calls->lanes);
	if (look && !calls->exporter.starved)
		put_all(calls, look);
	if (!look || spool_get_error(calls->spool))
		give_up(calls);
	free(look);
	output_end(&calls->exporter.output, calls->exporter.target.name, calls->exporter.target.diag);
}

static struct table_sink make_speedscope_calls(const struct export_target *target)
{
	struct speedscope_calls *calls = make_exporter(target, sizeof *calls);

	if (!calls)
		return export_swallow();
	calls->spool = make_spool(target->path, 0);
	if (!calls->spool) {
		export_starve(&calls->exporter);
		free(calls);
		return export_swallow();
	}
	calls->lanes.on_end = end_call;
	calls->lanes.context = calls;
	return (struct table_sink){calls, begin, row, end};
}

static void free_speedscope_calls(struct table_sink *sink)
{
	struct speedscope_calls *calls = sink->context;

	if (!calls)
		return;
	for (size_t i = 0; i < calls->count; i++) {
		free(calls->profiles[i].name);
		free(calls->profiles[i].open);
		spool_row_clear(&calls->profiles[i].events);
	}
	free(calls->profiles);
	free_spool(calls->spool);
	lanes_clear(&calls->lanes);
	strings_clear(&calls->frames);
	free(calls);
}

const struct export_format export_speedscope_calls = {
	"speedscope", EXPORT_TIMELINE, false, make_speedscope_calls, free_speedscope_calls, NULL};
