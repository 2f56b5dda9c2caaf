/* samples: traces of dwell's own, of samples and of counts. */
#include "shapes/trace.h"

static struct trace *begin(const char *path)
{
	const struct message_sampling sampling = {.engine = DWELL_ENGINE_TASK_CLOCK, .has_stacks = true,
		.has_kernel = true, .period = 1000000, .millihertz = 1000000};
	struct trace *trace = trace_begin(path);

	trace_writer_sampling(trace->writer, &sampling);
	return trace;
}

static uint64_t address_of(uint32_t function)
{
	return TRACE_LOW + 16 * (uint64_t)function;
}

static void put(struct trace *trace, const struct message_samples *samples)
{
	if (!trace_writer_samples(trace->writer, samples)) {
		fputs("a chunk of samples was refused\n", stderr);
		exit(2);
	}
}

static struct message_sample sample_of(struct trace *trace, uint32_t node)
{
	return (struct message_sample){trace->ticks += 1000000, 1000000, node, DWELL_STACK_COMPLETE};
}

/* One path, distinct functions: how many of them a sample is at. */
static void put_path(struct trace *trace, uint32_t stream, uint32_t first, uint32_t depth, uint32_t step)
{
	struct message_node *nodes = calloc(depth, sizeof *nodes);
	const struct message_sample sample = sample_of(trace, depth);
	const struct message_samples samples = {.stream = stream, .nodes = nodes, .node_count = depth,
		.samples = &sample, .count = 1};

	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (struct message_node){.address = address_of(first + i * step), .caller = i,
			.is_return = i + 1 < depth};
	put(trace, &samples);
	free(nodes);
}

static void deep(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);

	put_path(trace, 0, 0, count, 1);
	trace_end(trace);
}

static void recursion(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);

	put_path(trace, 0, 7, count, 0);
	trace_end(trace);
}

/* One path, and a sample in each of its functions. */
static void everywhere(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);
	struct message_node *nodes = calloc(count, sizeof *nodes);
	struct message_sample *list = calloc(count, sizeof *list);
	const struct message_samples samples = {.nodes = nodes, .node_count = count, .samples = list, .count = count};

	for (uint32_t i = 0; i < count; i++) {
		nodes[i] = (struct message_node){.address = address_of(i), .caller = i};
		list[i] = sample_of(trace, i + 1);
	}
	put(trace, &samples);
	free(nodes);
	free(list);
	trace_end(trace);
}

static void wide(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);
	struct message_node *nodes = calloc(count, sizeof *nodes);
	struct message_sample *list = calloc(count, sizeof *list);
	const struct message_samples samples = {.nodes = nodes, .node_count = count, .samples = list, .count = count};

	for (uint32_t i = 0; i < count; i++) {
		nodes[i] = (struct message_node){.address = address_of(i), .caller = i != 0, .is_kernel = i % 2};
		list[i] = sample_of(trace, i + 1);
	}
	put(trace, &samples);
	free(nodes);
	free(list);
	trace_end(trace);
}

static void chunks(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);

	for (uint32_t i = 0; i < count; i++)
		put_path(trace, 0, i, 5, 3);
	trace_end(trace);
}

static void threads(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "worker-%u", i);
		trace_thread(trace, i, 0, name);
		put_path(trace, i, i % 9, 3, 3);
	}
	trace_end(trace);
}

/* Programs that map a library between any two samples. */
static void modules(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		trace_module(trace, 0, TRACE_LOW + UINT64_C(0x80000000) + 0x1000 * (uint64_t)i,
			TRACE_LOW + UINT64_C(0x80001000) + 0x1000 * (uint64_t)i, trace->ticks, name);
		put_path(trace, 0, 0x8000000 + 0x100 * i, 2, 1);
	}
	trace_end(trace);
}

static void backward(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);

	trace->ticks += UINT64_C(2000000) * count;
	for (uint32_t i = 0; i < count; i++) {
		put_path(trace, 0, i % 100, 3, 1);
		trace->ticks -= 2000000;
	}
	trace->ticks += UINT64_C(4000000) * count;
	trace_end(trace);
}

static void counts(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);
	struct message_count *list = calloc(count, sizeof *list);
	const struct message_counts all = {.bytes = 4, .weight = 1000, .from_ticks = 1, .until_ticks = 1000000,
		.counts = list, .count = count};

	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct message_count){address_of(i), 1 + i % 7};
	trace_writer_counts(trace->writer, &all);
	free(list);
	trace_end(trace);
}

static void counts_chunks(const char *path, uint32_t count)
{
	struct trace *trace = begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_count one = {address_of(i), 1};
		const struct message_counts all = {.bytes = 4, .weight = 1000, .from_ticks = 1 + i,
			.until_ticks = 2 + i, .counts = &one, .count = 1};

		trace_writer_counts(trace->writer, &all);
	}
	trace_end(trace);
}

const struct shape shapes_of_samples[] = {
	{"samples_deep", deep, 1250},
	{"samples_recursion", recursion, 1250},
	{"samples_everywhere", everywhere, 200},
	{"samples_wide", wide, 2000},
	{"samples_chunks", chunks, 1000},
	{"samples_threads", threads, 500},
	{"samples_modules", modules, 500},
	{"samples_backward", backward, 1000},
	{"samples_counts", counts, 1250},
	{"samples_counts_chunks", counts_chunks, 1000},
	{NULL, NULL, 0},
};
