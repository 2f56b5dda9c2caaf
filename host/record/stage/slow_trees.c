/* slow_trees: reads the options, makes the stage, and writes the kept trees at the end. */
#include "record/stage/slow_trees.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/stage/slow_kept_inner.h"
#include "record/stage/slow_thread.h"

/* ---- options ---- */

bool slow_read_rule(struct watcher_options *options, const char *text, const char **wrong)
{
	char *end;
	unsigned long count = strtoul(text, &end, 10);

	*wrong = "how many, and of which function, such as 10:handle_request";
	if (*text < '0' || *text > '9' || *end != ':' || !end[1])
		return false;
	if (!count || count > SLOW_KEPT_MAX) {
		*wrong = "a number from 1 to 1000 in front of the ':'";
		return false;
	}
	*wrong = "16 of them at most";
	return watcher_options_add(options, text, end + 1, strlen(end + 1), count);
}

/* ---- begin, end ---- */

static void clear(struct stage *stage)
{
	struct slow_trees *trees = (struct slow_trees *)stage;

	for (size_t i = 0; i < trees->function_count; i++) {
		for (size_t k = 0; k < trees->functions[i]->kept_count; k++)
			free(trees->functions[i]->kept[k].slots);
		free(trees->functions[i]->kept);
		free(trees->functions[i]);
	}
	free(trees->functions);
	free(trees->streams);
	watcher_clear(&trees->watch);
}

/* ---- into the file ---- */

static int compare(const void *a, const void *b)
{
	const struct slow_tree *left = *(const struct slow_tree *const *)a, *right = *(const struct slow_tree *const *)b;

	if (left->stream != right->stream)
		return left->stream < right->stream ? -1 : 1;
	if (left->enter_ticks != right->enter_ticks)
		return left->enter_ticks < right->enter_ticks ? -1 : 1;
	/* If two calls begin together, the outer call comes first. */
	return left->exit_ticks == right->exit_ticks ? 0 : left->exit_ticks > right->exit_ticks ? -1 : 1;
}

/* Lists all trees, in order of their streams and times. The caller frees the list. Null: no trees, or no memory. */
static const struct slow_tree **list_trees(const struct slow_trees *trees, size_t *count)
{
	const struct slow_tree **list;
	size_t all = 0;

	for (size_t i = 0; i < trees->function_count; i++)
		all += trees->functions[i]->kept_count;
	list = all ? calloc(all, sizeof(const struct slow_tree *)) : NULL;
	*count = 0;
	for (size_t i = 0; list && i < trees->function_count; i++)
		for (size_t k = 0; k < trees->functions[i]->kept_count; k++)
			list[(*count)++] = &trees->functions[i]->kept[k];
	if (list)
		qsort(list, *count, sizeof(const struct slow_tree *), compare);
	return list;
}

/* Writes a chunk without frames: TIME, the tag, the tree if there is one, and OFF behind an ended call. */
static void write_chunk(struct slow_trees *trees, struct workers_buffers *buffers, uint32_t stream, uint32_t tag,
	uint64_t tag_ticks, const struct slow_tree *tree)
{
	uint64_t head[2] = {
		dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(tag_ticks >> 32)), dwell_slot_make(tag, (uint32_t)tag_ticks)};
	uint64_t tail[2];
	struct bytes pieces[3] = {{(const uint8_t *)head, sizeof head}};
	struct trace_slots chunk = {.stream = stream, .pieces = pieces, .piece_count = 1, .packer = buffers->packer};

	if (tree) {
		pieces[chunk.piece_count++] = (struct bytes){(const uint8_t *)tree->slots, tree->count * DWELL_SLOT_BYTES};
		if (!tree->is_open) {
			tail[0] = dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(tree->exit_ticks >> 32));
			tail[1] = dwell_slot_make(DWELL_TAG_OFF, (uint32_t)tree->exit_ticks);
			pieces[chunk.piece_count++] = (struct bytes){(const uint8_t *)tail, sizeof tail};
		}
		chunk.first_ticks = tree->enter_ticks;
		chunk.last_ticks = tree->exit_ticks;
		chunk.events = tree->events;
		trees->events += tree->events;
		for (uint32_t i = 0; i < tree->count; i++)
			if (!dwell_slot_is_tag(tree->slots[i]))
				address_set_add(&buffers->places, (uint32_t)tree->slots[i] & ~1u);
	}
	trace_writer_wait(trees->writer);
	trace_writer_slots(trees->writer, &chunk);
}

/* Writes a tree that overlaps the tree before as a stream of its own, for the same thread. Trees of coroutines may overlap, and a
 * cut tree may lack a tree inside. */
static void write_as_own_stream(
	struct slow_trees *trees, struct workers_buffers *buffers, const struct slow_stream *of, const struct slow_tree *tree)
{
	const struct message_thread thread = {.stream = trees->next_stream++,
		.process = of->process,
		.tid = of->tid,
		.ended = of->ended,
		.place_kind = DWELL_PLACE_LOW32,
		.name = of->name};

	trace_writer_thread(trees->writer, &thread);
	write_chunk(trees, buffers, thread.stream, DWELL_TAG_ON, tree->enter_ticks, tree);
}

static const struct slow_stream *find_stream(const struct slow_trees *trees, uint32_t number)
{
	for (size_t i = 0; i < trees->stream_count; i++)
		if (trees->streams[i].stream == number)
			return &trees->streams[i];
	return NULL;
}

/* Writes one stream with its trees. list: the count trees of the stream in order of time, at least one. In the file, recording is
 * off from the stream's first event to the last event, except in the trees. */
static void write_stream(struct slow_trees *trees, struct workers_buffers *buffers, const struct slow_stream *stream,
	const struct slow_tree **list, size_t count)
{
	const struct slow_tree *last = NULL;

	if (list[0]->enter_ticks > stream->first_ticks)
		write_chunk(trees, buffers, stream->stream, DWELL_TAG_OFF, stream->first_ticks, NULL);
	for (size_t i = 0; i < count; i++) {
		const struct slow_tree *tree = list[i];

		if (last && tree->enter_ticks < last->exit_ticks) {
			if (tree->stack != last->stack || tree->exit_ticks > last->exit_ticks || last->is_cut)
				write_as_own_stream(trees, buffers, stream, tree);
			continue; /* any other overlapping tree is part of the last one */
		}
		write_chunk(trees, buffers, stream->stream, DWELL_TAG_ON, tree->enter_ticks, tree);
		last = tree;
	}
	if (!last->is_open && stream->last_ticks > last->exit_ticks)
		write_chunk(trees, buffers, stream->stream, DWELL_TAG_ON, stream->last_ticks, NULL);
}

/* Writes all kept trees, stream by stream. The job of a worker. */
static void write_all(void *context, struct workers_buffers *buffers)
{
	struct slow_trees *trees = context;
	size_t count, next;
	const struct slow_tree **list = list_trees(trees, &count);

	for (size_t i = 0; i < count; i = next) {
		const struct slow_stream *stream = find_stream(trees, list[i]->stream);

		for (next = i + 1; next < count && list[next]->stream == list[i]->stream; next++)
			;
		if (stream)
			write_stream(trees, buffers, stream, list + i, next - i);
	}
	free(list);
}

/* Writes the fact about a function: "3 of 104233 calls, 0 cut, 0 open, 812 ticks, of handle, buckets …" (FORMAT.md). */
static void write_fact(const struct slow_trees *trees, const struct slow_function *function)
{
	char *text = NULL;
	size_t size = 0;
	uint32_t rule, cut = 0;
	const char *name = filter_get_function(trees->watch.finder, function->number, &rule);
	struct message_info fact = {.key = "kept-slowest"};
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return;
	for (size_t i = 0; i < function->kept_count; i++)
		cut += function->kept[i].is_cut;
	fprintf(stream, "%zu of %" PRIu64 " calls, %" PRIu32 " cut, %" PRIu32 " open, %" PRIu64 " ticks, of %s, buckets", function->kept_count,
		function->calls, cut, function->open, function->total_ticks, name ? name : "?");
	for (uint32_t i = 0; i < DWELL_DURATION_BUCKETS; i++)
		if (function->buckets[i])
			fprintf(stream, " %" PRIu32 ":%" PRIu64, i, function->buckets[i]);
	fclose(stream);
	fact.value = text;
	if (text)
		trace_writer_info(trees->writer, &fact, 1);
	free(text);
}

/* Reports patterns without any call, and calls that the stage could not follow. */
static void report_missing_calls(const struct slow_trees *trees, const struct stage_recording *recording)
{
	for (uint32_t i = 0; i < trees->watch.options->rule_count; i++) {
		uint64_t calls = 0;

		for (size_t f = 0; f < trees->function_count; f++)
			calls += trees->functions[f]->rule == i ? trees->functions[f]->calls : 0;
		if (!calls)
			watcher_warn_uncalled(&trees->watch, i, "no call of it was recorded");
	}
	if (trees->missed)
		diag_add(recording->diag, DIAG_WARN, recording->output, DIAG_NO_OFFSET,
			"--keep-slowest: %" PRIu64 " calls could not be followed, as there was no memory or too many were open; they are not kept",
			trees->missed);
}

static void finish(struct stage *stage, struct stage_end *end)
{
	struct slow_trees *trees = (struct slow_trees *)stage;
	struct workers_job job = {.run = write_all, .context = trees};

	trees->writer = end->writer;
	trees->next_stream = end->next_stream;
	workers_submit(end->workers, &job);
	workers_wait(end->workers, &job);
	for (size_t i = 0; i < trees->function_count; i++)
		write_fact(trees, trees->functions[i]);
	report_missing_calls(trees, stage->recording);
	end->events += trees->events;
	end->empty_reason = end->empty_reason ? end->empty_reason : "the program called no function that --keep-slowest matches";
}

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	return make_slow_thread((struct slow_trees *)stage, source);
}

static const struct stage_type type = {
	.add_module = watcher_add_module,
	.finish = finish,
	.clear = clear,
	.begin_thread = begin_thread,
	.take = slow_thread_take,
	.clear_thread = slow_thread_clear,
	.has_no_output = true,
};

struct stage *make_slow_trees(const struct watcher_options *options, const struct filter_program *program, uint64_t budget_bytes,
	const struct filter *filter, struct diag *diag)
{
	struct slow_trees *trees = make_watcher(sizeof *trees, &type, "--keep-slowest", "", options, program, filter, diag);

	if (!trees)
		return NULL;
	trees->budget_slots = budget_bytes / DWELL_SLOT_BYTES;
	return &trees->watch.stage;
}
