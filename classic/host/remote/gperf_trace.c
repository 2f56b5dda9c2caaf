#include "classic/host/remote/gperf_trace.h"

#include <stdlib.h>
#include <string.h>

#include "classic/core/histogram.h"
#include "classic/host/remote/now_point.h"

#define NO_PERIOD_WEIGHT 1
#define SPENT_MAX 1e18 /* ns: 31 years */

void gperf_counted_clear(struct gperf_counted *counted)
{
	for (uint32_t i = 0; i < counted->segment_count; i++) {
		free(counted->segments[i].list);
		free((char *)counted->segments[i].module.path);
	}
	free(counted->segments);
	*counted = (struct gperf_counted){0};
}

struct message_header gperf_trace_header(const struct gperf_trace *trace)
{
	struct wire_state state = wire_client_state(trace->client);

	return (struct message_header){.clock_hz = 1000000000,
		.clock_bits = 64,
		.clock_global = true,
		.big_endian = state.is_big,
		.start_unix_ns = now_point().unix_ns,
		.pointer_bytes = state.word_bytes,
		.machine = trace->machine.machine};
}

static struct message_module describe(const struct wire_segment *segment, const struct gperf_file *file)
{
	return (struct message_module){.low = segment->text,
		.high = segment->text + (uint64_t)segment->counters * HISTOGRAM_TEXT_BYTES,
		.bias = file->bias,
		.path = file->path};
}

/* The mean period may be any length above half of the requested one, as periods vary. A
 * shorter mean is impossible: the target's clock wrapped unnoticed, or the target is hostile. */
uint64_t gperf_trace_spent(const struct gperf_trace *trace, uint64_t interrupts)
{
	struct wire_state state = wire_client_state(trace->client);
	uint64_t all = wire_client_interrupts(trace->client);
	double each = all ? (double)state.ran_us * 1000 / (double)all : 0, spent = each * (double)interrupts;

	return each * 2 < (double)state.period_us * 1000 || spent >= SPENT_MAX ? 0 : (uint64_t)spent;
}

bool gperf_trace_sampling(const struct gperf_trace *trace, uint64_t spent, struct trace_writer *writer)
{
	struct wire_state state = wire_client_state(trace->client);
	const struct message_sampling sampling = {.engine = DWELL_ENGINE_INTERRUPT,
		.unit = state.period_us ? DWELL_UNIT_NS : DWELL_UNIT_SAMPLES,
		.jittered = !state.is_fixed,
		.has_kernel = true,
		.is_wall = true,
		.period = (uint64_t)state.period_us * 1000,
		.millihertz = state.period_us ? (1000000000 + state.period_us / 2) / state.period_us : 0,
		.cpu = state.period_us ? spent : 0};

	return trace_writer_sampling(writer, &sampling);
}

static bool take_segment(const struct gperf_trace *trace, uint32_t number, struct gperf_counts *counts)
{
	const struct wire_segment *segment = wire_client_segment(trace->client, number);

	if (!segment)
		return true;
	counts->module = describe(segment, &trace->files[number]);
	counts->module.path = counts->module.path ? strdup(counts->module.path) : NULL;
	counts->build_id_bytes = trace->files[number].build_id_bytes;
	memcpy(counts->build_id, trace->files[number].build_id, sizeof counts->build_id);
	return wire_client_get_counts(trace->client, number, &counts->list, &counts->count, &counts->full);
}

bool gperf_trace_take(const struct gperf_trace *trace, uint64_t ticks, struct gperf_counted *counted)
{
	struct wire_state state = wire_client_state(trace->client);
	uint32_t count = wire_client_segments(trace->client);
	uint64_t first_ticks = counted->segments ? counted->first_ticks : ticks;
	bool good;

	gperf_counted_clear(counted);
	*counted = (struct gperf_counted){.segments = calloc(count ? count : 1, sizeof *counted->segments),
		.segment_count = count,
		.overflow = state.overflow,
		.beyond = state.beyond,
		.ticks = ticks,
		.first_ticks = first_ticks,
		.weight = state.period_us ? (uint64_t)state.period_us * 1000 : NO_PERIOD_WEIGHT};
	good = counted->segments;
	counted->segment_count = good ? count : 0;
	for (uint32_t i = 0; good && i < count; i++)
		good = take_segment(trace, i, &counted->segments[i]);
	return good;
}

uint64_t gperf_counted_sum(const struct gperf_counted *counted)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < counted->segment_count; k++)
		for (size_t at = 0; at < counted->segments[k].count; at++)
			sum += counted->segments[k].list[at].count;
	return sum;
}

/* Writes the counts in as many chunks as needed. */
static bool write_counts(const struct gperf_counts *counts, struct message_counts *message, struct trace_writer *writer)
{
	struct message_count *list = malloc((counts->count ? counts->count : 1) * sizeof *list);
	size_t left = counts->count;
	bool good = list;

	for (size_t i = 0; good && i < counts->count; i++)
		list[i] = (struct message_count){
			counts->module.low + (uint64_t)counts->list[i].at * HISTOGRAM_TEXT_BYTES, counts->list[i].count};
	message->counts = list;
	message->full = counts->full;
	while (good && (left || message->outside || message->beyond || message->full)) {
		message->count = (uint32_t)(left < TRACE_WRITER_COUNTS_MAX ? left : TRACE_WRITER_COUNTS_MAX);
		good = trace_writer_counts(writer, message);
		message->counts += message->count;
		left -= message->count;
		message->outside = message->beyond = message->full = 0;
	}
	free(list);
	return good;
}

static bool write_module(const struct gperf_counts *counts, struct trace_writer *writer)
{
	struct message_module module = counts->module;

	module.build_id = counts->build_id;
	module.build_id_bytes = (uint32_t)counts->build_id_bytes;
	return !module.path || trace_writer_module(writer, &module);
}

bool gperf_counted_write(const struct gperf_counted *counted, const char *program, struct trace_writer *writer)
{
	struct message_counts message = {.bytes = HISTOGRAM_TEXT_BYTES,
		.weight = counted->weight,
		.from_ticks = counted->first_ticks,
		.until_ticks = counted->ticks,
		.outside = counted->overflow,
		.beyond = counted->beyond};
	bool good = trace_writer_process(writer, &(struct message_process){.path = program});

	for (uint32_t i = 0; good && i < counted->segment_count; i++)
		good = write_module(&counted->segments[i], writer);
	good = good && trace_writer_thread(writer,
			       &(struct message_thread){.tid = 1, .place_kind = DWELL_PLACE_ADDRESS, .name = "interrupted"});
	for (uint32_t i = 0; good && i < counted->segment_count; i++)
		if (counted->segments[i].module.high)
			good = write_counts(&counted->segments[i], &message, writer);
	return good;
}
