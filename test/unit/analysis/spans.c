/* Samples as a timeline: what is common stays one span, what a sample weighs is drawn, and gaps are gaps. */
#include "analysis/calls/spans.h"
#include "check.h"

#include <stdlib.h>

static char seen[4096];

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context, (void)name, (void)columns, (void)count;
	*seen = 0;
}

static void row(void *context, const struct cell *cells)
{
	size_t used = strlen(seen);

	(void)context;
	snprintf(seen + used, sizeof seen - used, "%s %" PRIu64 ":%" PRId64 "-%" PRId64 " ", cells[7].text, cells[6].count,
		cells[8].signed_count, cells[9].signed_count);
}

static void end(void *context)
{
	(void)context;
}

static const struct table_sink sink = {NULL, begin, row, end};

/* Addresses as letters, outermost first, at a moment. */
static void feed(struct model *model, uint32_t stream, const char *path, uint64_t ticks, uint64_t weight)
{
	struct message_node nodes[16];
	uint32_t count = 0;
	struct message_sample sample = {.ticks = ticks, .weight = weight, .stack = DWELL_STACK_COMPLETE};
	struct message message = {.kind = MESSAGE_SAMPLES};

	for (; path[count]; count++)
		nodes[count] = (struct message_node){.address = (uint64_t)path[count], .caller = count};
	sample.node = count;
	message.samples = (struct message_samples){stream, nodes, count, &sample, 1};
	model_feed(model, &message);
}

struct drawn {
	struct diag *diag;
	struct spans *spans;
	struct model *model;
};

static struct drawn make_with(enum dwell_sampling_unit unit, struct spans *spans)
{
	struct diag *diag = make_diag();
	const struct model_options options = {.want_profile = true, .on_sample = spans_take, .context = spans};
	struct model *model = make_model(&options, diag);
	const struct message header = {
		.kind = MESSAGE_HEADER, .header = {.format = "x", .has_events = true, .unit = "", .clock_hz = 1000000000, .clock_bits = 64}};
	const struct message sampling = {.kind = MESSAGE_SAMPLING, .sampling = {.unit = unit, .millihertz = 10000000}};

	model_feed(model, &header);
	model_feed(model, &sampling);
	spans_begin(spans, model);
	return (struct drawn){diag, spans, model};
}

static struct drawn make(enum dwell_sampling_unit unit)
{
	return make_with(unit, make_spans());
}

static void clear(struct drawn *drawn)
{
	free_model(drawn->model);
	free_spans(drawn->spans);
	free_diag(drawn->diag);
}

TEST(common_callers)
{
	struct drawn drawn = make(DWELL_UNIT_NS);

	feed(drawn.model, 1, "AB", 1000, 100);
	feed(drawn.model, 1, "AB", 1100, 100);
	feed(drawn.model, 1, "AC", 1210, 100); /* 10 late: no gap */
	feed(drawn.model, 2, "A", 1250, 100);
	feed(drawn.model, 1, "A", 2000, 100); /* it waited */
	model_finish(drawn.model);
	CHECK(spans_write(drawn.spans, 0, UINT64_MAX, &sink));
	CHECK_STR(seen, "0x41 0:-100-200 0x42 1:-100-100 0x43 1:100-200 0x41 0:150-250 0x41 0:900-1000 ");
	CHECK(spans_write(drawn.spans, 150, 1, &sink));
	CHECK_STR(seen, "0x41 0:-100-200 ");
	clear(&drawn);
}

/* Weights that are no time: from sample to sample, but over a pause as long as is asked for. */
TEST(cycles)
{
	struct drawn drawn = make(DWELL_UNIT_CYCLES);

	feed(drawn.model, 1, "A", 1000000, 5);
	feed(drawn.model, 1, "AB", 1090000, 5);
	feed(drawn.model, 1, "AB", 9000000, 5);
	model_finish(drawn.model);
	CHECK(spans_write(drawn.spans, 0, UINT64_MAX, &sink));
	CHECK_STR(seen, "0x41 0:-100000-90000 0x42 1:0-90000 0x41 0:7900000-8000000 0x42 1:7900000-8000000 ");
	clear(&drawn);
}

/* Where nobody knows where it was, nothing is drawn. */
TEST(nowhere)
{
	struct drawn drawn = make(DWELL_UNIT_NS);

	feed(drawn.model, 1, "A", 1000, 100);
	feed(drawn.model, 1, "", 1100, 100);
	feed(drawn.model, 1, "A", 1200, 100);
	model_finish(drawn.model);
	CHECK(spans_write(drawn.spans, 0, UINT64_MAX, &sink));
	CHECK_STR(seen, "0x41 0:-100-0 0x41 0:100-200 ");
	clear(&drawn);
}

static void take(void *context, const struct span *span)
{
	size_t used = strlen(seen);

	CHECK(context == seen);
	snprintf(seen + used, sizeof seen - used, "%" PRIu32 " %" PRIu32 ":%" PRId64 "-%" PRId64 " ", span->stream, span->depth, span->begin_ns,
		span->end_ns);
}

/* The same spans as they end, callees first; those that are open when there is no more. */
TEST(as_they_end)
{
	struct drawn drawn = make_with(DWELL_UNIT_NS, make_spans_for(take, seen));

	*seen = 0;
	CHECK(spans_is_empty(drawn.spans));
	feed(drawn.model, 1, "AB", 1000, 100);
	feed(drawn.model, 1, "AC", 1100, 100);
	CHECK_STR(seen, "1 1:-100-0 ");
	feed(drawn.model, 2, "A", 1250, 100);
	feed(drawn.model, 1, "A", 2000, 100);
	model_finish(drawn.model);
	CHECK_STR(seen, "1 1:-100-0 1 1:0-100 1 0:-100-100 ");
	CHECK(spans_finish(drawn.spans));
	CHECK_STR(seen, "1 1:-100-0 1 1:0-100 1 0:-100-100 1 0:900-1000 2 0:150-250 ");
	CHECK(!spans_is_empty(drawn.spans));
	clear(&drawn);
}

/* Moments and weights that somebody made up: nothing ends before it begins, or is farther away than can be told. */
TEST(beyond_all_times)
{
	static const uint64_t odd[] = {0, 1, 1000, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
	enum { COUNT = sizeof odd / sizeof *odd };

	for (int unit = 0; unit < 2; unit++)
		for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
			struct drawn drawn = make(unit ? DWELL_UNIT_CYCLES : DWELL_UNIT_NS);

			feed(drawn.model, 1, "A", odd[i % COUNT], odd[i / COUNT % COUNT]);
			for (int k = 0; k < 6; k++)
				feed(drawn.model, 1, "AB", odd[(i / COUNT / COUNT + k) % COUNT], odd[(i + k) % COUNT]);
			model_finish(drawn.model);
			CHECK(spans_finish(drawn.spans));
			CHECK(spans_write(drawn.spans, 0, UINT64_MAX, &sink));
			for (const char *at = seen; *at; at = strchr(at, ' ') + 1) {
				long long begin, end;

				at = strchr(at, ':') + 1;
				CHECK(sscanf(at, "%lld-%lld", &begin, &end) == 2);
				CHECK(begin <= end && begin >= -SPANS_NS_MAX && end <= SPANS_NS_MAX);
			}
			clear(&drawn);
		}
}

int main(void)
{
	RUN(as_they_end);
	RUN(beyond_all_times);
	RUN(common_callers);
	RUN(cycles);
	RUN(nowhere);
	return tap_done();
}
