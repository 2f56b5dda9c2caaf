/* overhead: averages the measurements that agents have put into the session. */
#include "record/sink/overhead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The measurements of one loop, in ticks: the cost between the two stamps of a call (inner) and the rest (outer). */
struct measured {
	double inner[DWELL_SESSION_OVERHEADS], outer[DWELL_SESSION_OVERHEADS];
	uint32_t count;
};

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Collects the measurements of a loop, and sorts the inner and the outer costs, each for itself. kind 0: of all kinds. False: none
 * yet. */
static bool collect(const struct session *session, uint64_t kind, enum dwell_overhead_loop loop, struct measured *measured)
{
	measured->count = 0;
	for (uint32_t i = 0; i < DWELL_SESSION_OVERHEADS; i++) {
		uint64_t one = dwell_session_overheads(session->shared, loop)[i];

		if (!(one >> 40) || (kind && one >> 40 != kind))
			continue;
		measured->inner[measured->count] = (double)(one & 0xfffff) / 16;
		measured->outer[measured->count++] = (double)(one >> 20 & 0xfffff) / 16;
	}
	qsort(measured->inner, measured->count, sizeof *measured->inner, compare);
	qsort(measured->outer, measured->count, sizeof *measured->outer, compare);
	return measured->count;
}

/* The mean of sorted values, without a twentieth at either end, where interrupts show. A machine may run at two speeds: then the
 * median is the cost at one speed, and the mean is the cost for the program's events. */
static double mean_of(const double *values, uint32_t count)
{
	uint32_t cut = count / 20;
	double sum = 0;

	for (uint32_t i = cut; i < count - cut; i++)
		sum += values[i];
	return sum / (count - 2 * cut);
}

/* Writes the mean of sorted values, and the limits of the middle nine tenths. Returns the length of the text. */
static int put_mean(char *text, size_t bytes, const char *name, const double *values, uint32_t count)
{
	double mean = mean_of(values, count), low = values[count / 20], high = values[count - 1 - count / 20];

	return snprintf(text, bytes, "%s %.1f (%.1f to %.1f), ", name, mean, low, high);
}

bool overhead_get(const struct session *session, double *inner_ticks, double *outer_ticks)
{
	struct measured measured;

	if (!collect(session, 0, DWELL_OVERHEAD_EMPTY, &measured))
		return false;
	*inner_ticks = mean_of(measured.inner, measured.count);
	*outer_ticks = mean_of(measured.outer, measured.count);
	return true;
}

/* Writes the measurements of one kind, with a fact for each loop. False: there are none. */
static bool write_loops(const struct session *session, struct trace_writer *writer, enum dwell_overhead_kind kind, const char *name)
{
	static const char *const loops[] = {
		[DWELL_OVERHEAD_EMPTY] = "", [DWELL_OVERHEAD_WORK] = "-beside-work", [DWELL_OVERHEAD_EVICTED] = "-evicted"};
	struct measured measured;
	char key[40], text[200];
	bool any = false;

	for (enum dwell_overhead_loop loop = 0; loop < DWELL_OVERHEAD_LOOPS; loop++) {
		size_t at;

		if (!collect(session, kind, loop, &measured))
			continue;
		snprintf(key, sizeof key, "%s%s", name, loops[loop]);
		at = (size_t)put_mean(text, sizeof text, "inner", measured.inner, measured.count);
		at += (size_t)put_mean(text + at, sizeof text - at, "outer", measured.outer, measured.count);
		snprintf(text + at, sizeof text - at, "ticks, measured %u times", measured.count);
		trace_writer_info(writer, &(struct message_info){key, text}, 1);
		any = true;
	}
	return any;
}

bool overhead_write_measured(const struct session *session, struct trace_writer *writer)
{
	bool hooks = write_loops(session, writer, DWELL_OVERHEAD_HOOKS, "overhead-hooks");
	bool sites = write_loops(session, writer, DWELL_OVERHEAD_SITES, "overhead-sites");

	return hooks || sites;
}

void overhead_write(const struct session *session, uint64_t left_out, struct trace_writer *writer)
{
	bool is_known = overhead_write_measured(session, writer);
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
