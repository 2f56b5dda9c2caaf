/* overhead: see overhead.h. */
#include "record/sink/overhead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Of the values, which are sorted, the middle one and what nine of ten are between. */
static int put(char *text, size_t bytes, const char *name, double *values, uint32_t count)
{
	qsort(values, count, sizeof *values, compare);
	return snprintf(text, bytes, "%s %.1f (%.1f to %.1f), ", name, values[count / 2], values[count / 20], values[count - 1 - count / 20]);
}

bool overhead_get(const struct session *session, double *inner_ticks, double *outer_ticks)
{
	double inner[DWELL_SESSION_OVERHEADS], outer[DWELL_SESSION_OVERHEADS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < DWELL_SESSION_OVERHEADS; i++) {
		uint64_t measured = session->shared->overheads[i];

		if (!(measured >> 40))
			continue;
		inner[count] = (double)(measured & 0xfffff) / 16;
		outer[count++] = (double)(measured >> 20 & 0xfffff) / 16;
	}
	if (!count)
		return false;
	qsort(inner, count, sizeof *inner, compare);
	qsort(outer, count, sizeof *outer, compare);
	*inner_ticks = inner[count / 2];
	*outer_ticks = outer[count / 2];
	return true;
}

static bool tell(const struct session *session, struct trace_writer *writer, enum dwell_overhead_kind kind, const char *key)
{
	double inner[DWELL_SESSION_OVERHEADS], outer[DWELL_SESSION_OVERHEADS];
	struct message_info fact = {key, NULL};
	uint32_t count = 0;
	char text[200];
	size_t at = 0;

	for (uint32_t i = 0; i < DWELL_SESSION_OVERHEADS; i++) {
		uint64_t measured = session->shared->overheads[i];

		if (measured >> 40 != kind)
			continue;
		inner[count] = (double)(measured & 0xfffff) / 16;
		outer[count++] = (double)(measured >> 20 & 0xfffff) / 16;
	}
	if (!count)
		return false;
	at += (size_t)put(text, sizeof text, "inner", inner, count);
	at += (size_t)put(text + at, sizeof text - at, "outer", outer, count);
	snprintf(text + at, sizeof text - at, "ticks, measured %u times", count);
	fact.value = text;
	trace_writer_info(writer, &fact, 1);
	return true;
}

bool overhead_tell_measured(const struct session *session, struct trace_writer *writer)
{
	bool hooks = tell(session, writer, DWELL_OVERHEAD_HOOKS, "overhead-hooks");
	bool sites = tell(session, writer, DWELL_OVERHEAD_SITES, "overhead-sites");

	return hooks || sites;
}

void overhead_tell(const struct session *session, uint64_t left_out, struct trace_writer *writer)
{
	bool is_known = overhead_tell_measured(session, writer);
	char text[80];

	if (!is_known)
		trace_writer_info(writer,
			&(struct message_info){"overhead",
				session->args ? "not known: of calls with arguments it is not measured" : "not known: nothing of it was measured"},
			1);
	if (!is_known || !left_out)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " calls, recorded and then left out", left_out);
	trace_writer_info(writer, &(struct message_info){"overhead-left-out", text}, 1);
}
