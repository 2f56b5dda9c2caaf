#include "remote/gperf_trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/histogram.h"
#include "remote/now_point.h"

#define NO_PERIOD_WEIGHT 1
#define SPENT_MAX 1e18 /* ns: 31 years */

void gperf_written_clear(struct gperf_written *written)
{
	for (uint32_t i = 0; i < written->segment_count; i++) {
		free(written->segments[i].list);
		free((char *)written->segments[i].module.path);
	}
	free(written->segments);
	*written = (struct gperf_written){0};
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

static bool write_modules(const struct gperf_trace *trace, struct trace_writer *writer)
{
	bool good = true;

	for (uint32_t i = 0; i < wire_client_segments(trace->client); i++) {
		const struct wire_segment *segment = wire_client_segment(trace->client, i);
		const struct message_module module = segment ? describe(segment, &trace->files[i]) : (struct message_module){0};

		if (module.path)
			good &= trace_writer_module(writer, &module);
	}
	return good;
}

/* Interrupts come as seldom as they like, and no more than twice as often as was asked for, as the period varies: what says so is a clock
 * that came round unseen, or hostile. */
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

static bool write_process(const struct gperf_trace *trace, struct trace_writer *writer)
{
	return trace_writer_process(writer, &(struct message_process){.path = trace->program});
}

static bool write_thread(struct trace_writer *writer)
{
	return trace_writer_thread(writer, &(struct message_thread){.tid = 1, .place_kind = DWELL_PLACE_ADDRESS, .name = "interrupted"});
}

bool gperf_trace_begin(const struct gperf_trace *trace, struct trace_writer *writer)
{
	return write_process(trace, writer) && write_modules(trace, writer) && write_thread(writer);
}

/* What is in the one list and not in the other: counts only grow. False: no memory. */
static bool subtract(const struct wire_segment *segment, const struct gperf_counts *now, const struct gperf_counts *before,
	struct message_count **list, uint32_t *count)
{
	size_t k = 0;

	*count = 0;
	*list = malloc((now->count ? now->count : 1) * sizeof **list);
	for (size_t i = 0; *list && i < now->count; i++) {
		uint64_t known = 0;

		while (k < before->count && before->list[k].at < now->list[i].at)
			k++;
		if (k < before->count && before->list[k].at == now->list[i].at)
			known = before->list[k].count;
		if (now->list[i].count > known)
			(*list)[(*count)++] = (struct message_count){
				segment->text + (uint64_t)now->list[i].at * HISTOGRAM_TEXT_BYTES, now->list[i].count - known};
	}
	return *list;
}

/* As many chunks as it takes. */
static bool write_counts(struct message_counts *message, struct trace_writer *writer)
{
	const struct message_count *counts = message->counts;
	uint32_t left = message->count;
	bool good = true;

	do {
		message->counts = counts;
		message->count = left < TRACE_WRITER_COUNTS_MAX ? left : TRACE_WRITER_COUNTS_MAX;
		good &= trace_writer_counts(writer, message);
		counts += message->count;
		left -= message->count;
		message->outside = message->beyond = message->full = 0;
	} while (left);
	return good;
}

static bool add_segment(const struct gperf_trace *trace, uint32_t number, struct gperf_counts *before, struct message_counts *message,
	struct trace_writer *writer)
{
	const struct wire_segment *segment = wire_client_segment(trace->client, number);
	struct message_count *list = NULL;
	struct gperf_counts now = {0};
	bool good;

	if (!segment)
		return true;
	if (!wire_client_get_counts(trace->client, number, &now.list, &now.count, &now.full))
		return false;
	good = subtract(segment, &now, before, &list, &message->count);
	message->counts = list;
	message->full = now.full > before->full ? now.full - before->full : 0;
	if (good && writer && (message->count || message->outside || message->beyond || message->full))
		good = write_counts(message, writer);
	free(list);
	free(before->list);
	now.module = before->module;
	if (!now.module.high) {
		now.module = describe(segment, &trace->files[number]);
		now.module.path = now.module.path ? strdup(now.module.path) : NULL;
	}
	*before = now;
	return good;
}

bool gperf_trace_add(const struct gperf_trace *trace, struct gperf_written *written, uint64_t ticks, struct trace_writer *writer)
{
	struct wire_state state = wire_client_state(trace->client);
	uint32_t count = wire_client_segments(trace->client);
	struct message_counts message = {.bytes = HISTOGRAM_TEXT_BYTES,
		.weight = state.period_us ? (uint64_t)state.period_us * 1000 : NO_PERIOD_WEIGHT,
		.from_ticks = written->ticks ? written->ticks : ticks,
		.until_ticks = ticks,
		.outside = state.overflow > written->overflow ? state.overflow - written->overflow : 0,
		.beyond = state.beyond > written->beyond ? state.beyond - written->beyond : 0};
	bool good = true;

	if (!written->segments) {
		written->segments = calloc(count ? count : 1, sizeof *written->segments);
		if (!written->segments)
			return false;
		written->segment_count = count;
		written->first_ticks = ticks;
	}
	for (uint32_t i = 0; good && i < count; i++)
		good = add_segment(trace, i, &written->segments[i], &message, writer);
	written->overflow = state.overflow;
	written->beyond = state.beyond;
	written->ticks = ticks;
	written->weight = message.weight;
	return good;
}

static bool write_past_counts(const struct gperf_counts *counts, struct message_counts *message, struct trace_writer *writer)
{
	struct message_count *list = malloc((counts->count ? counts->count : 1) * sizeof *list);
	bool good = list;

	for (size_t i = 0; good && i < counts->count; i++)
		list[i] = (struct message_count){
			counts->module.low + (uint64_t)counts->list[i].at * HISTOGRAM_TEXT_BYTES, counts->list[i].count};
	message->counts = list;
	message->count = (uint32_t)counts->count;
	message->full = counts->full;
	if (good && (message->count || message->outside || message->beyond || message->full))
		good = write_counts(message, writer);
	free(list);
	return good;
}

bool gperf_trace_past(const struct gperf_trace *trace, const struct gperf_written *past, struct trace_writer *writer)
{
	struct message_counts message = {.bytes = HISTOGRAM_TEXT_BYTES,
		.weight = past->weight,
		.from_ticks = past->first_ticks,
		.until_ticks = past->ticks,
		.outside = past->overflow,
		.beyond = past->beyond};
	bool good = write_process(trace, writer);

	for (uint32_t i = 0; good && i < past->segment_count; i++)
		if (past->segments[i].module.path)
			good = trace_writer_module(writer, &past->segments[i].module);
	good = good && write_thread(writer);
	for (uint32_t i = 0; good && i < past->segment_count; i++)
		if (past->segments[i].module.high)
			good = write_past_counts(&past->segments[i], &message, writer);
	return good;
}
