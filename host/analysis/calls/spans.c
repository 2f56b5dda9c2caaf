/* spans: joins successive samples of a thread that have functions in common. */
#include "analysis/calls/spans.h"

#include <stdlib.h>

#include "analysis/calls/timeline.h"
#include "util/array.h"

struct open_span {
	struct span span;
	uint32_t at; /* its index in spans->list */
};

/* The state of one thread. */
struct row {
	bool has_begun; /* a sample came */
	int64_t end_ns, last_ns; /* end of the last sample as drawn; moment of the last sample */
	struct open_span *open;  /* the outermost first */
	size_t depth, capacity;
};

struct spans {
	const struct model *model;
	span_fn *on_end; /* null: finished spans stay in list, in the order of their beginnings */
	void *context;
	uint64_t begun; /* number of spans so far */
	struct span *list;
	size_t count, capacity;
	struct row *rows;
	size_t row_count, row_capacity;
	bool starved;
};

struct spans *make_spans(void)
{
	return calloc(1, sizeof(struct spans));
}

struct spans *make_spans_for(span_fn *on_end, void *context)
{
	struct spans *spans = make_spans();

	if (spans) {
		spans->on_end = on_end;
		spans->context = context;
	}
	return spans;
}

void free_spans(struct spans *spans)
{
	if (!spans)
		return;
	for (size_t i = 0; i < spans->row_count; i++)
		free(spans->rows[i].open);
	free(spans->rows);
	free(spans->list);
	free(spans);
}

void spans_begin(struct spans *spans, const struct model *model)
{
	spans->model = model;
}

/* The row of a thread, by the thread's index in the model. */
static struct row *find_row(struct spans *spans, uint32_t stream)
{
	uint32_t index = model_find_thread(spans->model, stream);
	size_t had = spans->row_count;

	if (index == UINT32_MAX)
		return NULL;
	if (index >= had) {
		if (!array_reserve(&spans->rows, &spans->row_capacity, (size_t)index + 1, sizeof *spans->rows))
			return NULL;
		memset(spans->rows + had, 0, (index + 1 - had) * sizeof *spans->rows);
		spans->row_count = (size_t)index + 1;
	}
	return &spans->rows[index];
}

/* Ends the open spans at this depth and below. */
static void close_below(struct spans *spans, struct row *row, size_t depth)
{
	while (row->depth > depth) {
		struct open_span *open = &row->open[--row->depth];

		open->span.end_ns = row->end_ns;
		if (spans->on_end)
			spans->on_end(spans->context, &open->span);
		else
			spans->list[open->at] = open->span;
	}
}

static bool open_span(struct spans *spans, struct row *row, const struct model_sample *sample, int64_t begin_ns)
{
	struct open_span open = {.span = {.begin_ns = begin_ns,
					 .stream = sample->stream,
					 .function = sample->functions[row->depth],
					 .depth = (uint32_t)row->depth}};

	if (!array_reserve(&row->open, &row->capacity, row->depth + 1, sizeof *row->open))
		return false;
	if (!spans->on_end) {
		if (spans->count >= UINT32_MAX ||
			!array_reserve(&spans->list, &spans->capacity, spans->count + 1, sizeof *spans->list))
			return false;
		open.at = (uint32_t)spans->count++;
	}
	row->open[row->depth++] = open;
	spans->begun++;
	return true;
}

static int64_t limit(int64_t ns, int64_t low, int64_t high)
{
	return ns < low ? low : ns > high ? high : ns;
}

/* The time that the sample covers: its weight, if weights are times. Otherwise the time since the thread's last sample, or one
 * period of the sampler after a pause. */
static int64_t duration_of(const struct spans *spans, const struct row *row, const struct model_sample *sample, int64_t at_ns)
{
	const struct message_sampling *sampling = model_get_sampling(spans->model);
	int64_t since = row->has_begun ? at_ns - row->last_ns : 0, period = 0;

	if (!sampling || sampling->unit == DWELL_UNIT_NS)
		return sample->weight < SPANS_NS_MAX ? (int64_t)sample->weight : SPANS_NS_MAX;
	if (sampling->millihertz)
		period = (int64_t)(UINT64_C(1000000000000) / sampling->millihertz);
	return period && (!row->has_begun || since > 2 * period) ? period : since;
}

static bool take_sample(struct spans *spans, struct row *row, const struct model_sample *sample)
{
	int64_t at_ns = limit(clock_moment_ns(model_get_clock(spans->model), sample->ticks), -SPANS_NS_MAX, SPANS_NS_MAX);
	int64_t duration = duration_of(spans, row, sample, at_ns), begin = limit(at_ns - duration, -SPANS_NS_MAX, SPANS_NS_MAX);
	size_t common = 0;

	/* The clock for CPU time differs from the clock for moments. A gap of up to half a sample is treated as none. */
	if (row->has_begun && begin - row->end_ns <= duration / 2)
		begin = row->end_ns;
	else
		close_below(spans, row, 0);
	while (common < row->depth && common < sample->count && row->open[common].span.function == sample->functions[common])
		common++;
	close_below(spans, row, common);
	while (row->depth < sample->count)
		if (!open_span(spans, row, sample, begin))
			return false;
	row->end_ns = limit(begin + duration, begin, SPANS_NS_MAX);
	row->last_ns = at_ns;
	row->has_begun = true;
	return true;
}

void spans_take(void *context, const struct model_sample *sample)
{
	struct spans *spans = context;
	struct row *row = spans->starved ? NULL : find_row(spans, sample->stream);

	if (!row || !take_sample(spans, row, sample))
		spans->starved = true;
}

bool spans_is_empty(const struct spans *spans)
{
	return !spans->begun;
}

bool spans_finish(struct spans *spans)
{
	for (size_t i = 0; i < spans->row_count; i++)
		close_below(spans, &spans->rows[i], 0);
	return !spans->starved;
}

bool spans_write(struct spans *spans, uint64_t longer_ns, uint64_t depth_limit, const struct table_sink *sink)
{
	struct timeline timeline;

	spans_finish(spans);
	timeline_begin(&timeline, spans->model, sink);
	for (size_t i = 0; i < spans->count; i++) {
		const struct span *span = &spans->list[i];
		const struct call call = {.stream = span->stream, .function = span->function, .depth = span->depth};

		if (span->depth < depth_limit && (uint64_t)(span->end_ns - span->begin_ns) >= longer_ns)
			timeline_write_at(&timeline, &call, span->begin_ns, span->end_ns);
	}
	timeline_end(&timeline);
	return !spans->starved;
}
