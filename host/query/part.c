#include "query/part.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/progress.h"
#include "util/units.h"

/* Streams that no THREAD chunk declares are damage, and no time is asked of them. seen: by index of the thread. */
static bool take_chunks(struct part *part, bool *seen, int64_t from_ns, int64_t to_ns)
{
	const struct reader *reader = part->trace->reader;
	const struct model *model = part->trace->model;
	const struct clock_map *clock = model_get_clock(model);
	uint64_t count = reader_chunk_count(reader);

	for (uint64_t i = 0; i < count; i++) {
		struct reader_chunk chunk = reader_get_chunk(reader, i);
		uint32_t thread = model_find_thread(model, chunk.stream);

		if (clock_moment_ns(clock, chunk.first_ticks) > to_ns || clock_moment_ns(clock, chunk.last_ticks) < from_ns)
			continue;
		if (thread == UINT32_MAX || !model_get_thread(model, thread).selected)
			continue;
		if (!array_reserve(&part->chunks, &part->capacity, part->count + 1, sizeof *part->chunks))
			return false;
		if (!seen[thread]) {
			if (!array_reserve(&part->begins, &part->begin_capacity, part->begin_count + 1, sizeof *part->begins))
				return false;
			part->begins[part->begin_count++] = (struct part_begin){chunk.stream, chunk.first_ticks};
		}
		part->chunks[part->count++] = (struct part_chunk){i, chunk.stream, !seen[thread]};
		seen[thread] = true;
	}
	return true;
}

/* Who asks for a time when nothing was recorded may have mistaken the unit. */
static void say_nothing(const struct part *part)
{
	const struct reader *reader = part->trace->reader;
	const struct clock_map *clock = model_get_clock(part->trace->model);
	int64_t first = INT64_MAX, last = INT64_MIN;
	char from[UNITS_TEXT_BYTES], to[UNITS_TEXT_BYTES];

	for (uint64_t i = 0; i < reader_chunk_count(reader); i++) {
		struct reader_chunk chunk = reader_get_chunk(reader, i);
		int64_t begin = clock_moment_ns(clock, chunk.first_ticks), end = clock_moment_ns(clock, chunk.last_ticks);

		first = begin < first ? begin : first;
		last = end > last ? end : last;
	}
	if (first > last)
		return;
	clock_format_moment(from, clock, first);
	clock_format_moment(to, clock, last);
	diag_add(part->trace->diag, DIAG_WARN, part->trace->path, DIAG_NO_OFFSET,
		"no calls in that time: its events are from %s to %s", from, to);
}

/* ---- one chunk ---- */

static bool load(struct part *part, uint64_t chunk)
{
	if (reader_decoder_load(part->decoder, chunk))
		return true;
	diag_add(part->trace->diag, DIAG_WARN, part->trace->path, reader_get_chunk(part->trace->reader, chunk).offset,
		"the chunk cannot be read: its calls are missing");
	return false;
}

/* The next message of the chunk that is loaded; false behind the last. A stream begins with the first chunk that is read of it. */
static bool next(struct part *part, bool first, struct message *message)
{
	reader_decoder_next(part->decoder, message);
	if (message->kind == MESSAGE_CHECKPOINT) {
		message->checkpoint.after_loss &= !first;
		message->checkpoint.first = first;
	}
	return message->kind != MESSAGE_END;
}

/* ---- what became of the calls that are open behind the part ---- */

/* The calls of one stream that are looked for. */
struct search {
	struct part *part;
	uint32_t stream;
	uint64_t *chunks; /* of the stream, behind the part */
	size_t count, capacity;
	struct call *calls; /* by depth; exit_ticks 0: not known yet */
	uint32_t open;      /* of them; the others are done with */
};

static void find_left(struct part *part, uint32_t stream)
{
	uint32_t open = model_open_count(part->trace->model, stream);

	if (model_stack_count(part->trace->model, stream) > 1)
		return; /* calls that are open on other stacks cannot be told by their depth: they are listed up to here */
	for (uint32_t i = 0; i < open; i++) {
		if (!array_reserve(&part->left, &part->left_capacity, part->left_count + 1, sizeof *part->left))
			return; /* what became of them stays unknown */
		part->left[part->left_count] = model_get_open(part->trace->model, stream, i);
		part->left[part->left_count++].exit_ticks = 0;
	}
}

/* Whether the call at depth was open before the chunk. */
static bool is_open_before(struct search *search, uint64_t chunk, uint32_t depth)
{
	struct message message = {.kind = MESSAGE_END};

	if (!load(search->part, chunk))
		return false;
	while (next(search->part, true, &message) && message.kind != MESSAGE_CHECKPOINT)
		;
	return message.kind == MESSAGE_CHECKPOINT && message.checkpoint.count > depth &&
	       message.checkpoint.frames[depth].enter_ticks == search->calls[depth].enter_ticks;
}

static void take_end(void *context, const struct call *call)
{
	struct search *search = context;
	struct call *wanted = &search->calls[call->depth];

	if (call->depth >= search->open || wanted->exit_ticks || wanted->enter_ticks != call->enter_ticks)
		return;
	wanted->exit_ticks = call->exit_ticks;
	wanted->total_ticks = call->total_ticks;
	wanted->self_ticks = call->self_ticks;
	wanted->function = call->function;
	wanted->flags = call->flags;
}

/* Reads the chunk; where it is the stream's last, what is open behind it ends there. */
static void read_ends(struct search *search, uint64_t chunk, bool is_last)
{
	struct model *all = search->part->trace->model;
	const struct model_options options = {
		.on_call = take_end, .context = search, .functions = model_get_functions(all)};
	struct model_thread thread = model_get_thread(all, model_find_thread(all, search->stream));
	struct message message = {.kind = MESSAGE_THREAD,
		.thread = {.stream = thread.stream, .process = thread.process, .tid = thread.tid, .name = thread.name}};
	struct model *model = make_model(&options, search->part->trace->diag);

	if (!model || !load(search->part, chunk)) {
		free_model(model);
		return;
	}
	for (model_feed(model, &message); next(search->part, true, &message);)
		model_feed(model, &message);
	if (is_last)
		model_finish(model);
	free_model(model);
}

/* The last of chunks[from …] before which the innermost call is open; they are so up to some chunk, and no more behind it. */
static size_t find_last(struct search *search, size_t from)
{
	size_t low = from, step = 1, high = search->count; /* open before chunks[low], not before chunks[high] */

	for (; low + step < high; step *= 2) {
		if (!is_open_before(search, search->chunks[low + step], search->open - 1)) {
			high = low + step;
			break;
		}
		low += step;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (is_open_before(search, search->chunks[middle], search->open - 1))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* From the innermost call to the outermost, so from chunk to later chunk. */
static void find_ends(struct search *search)
{
	for (size_t at = 0; search->open && at < search->count;) {
		if (search->calls[search->open - 1].exit_ticks) {
			search->open--;
			continue;
		}
		if (!is_open_before(search, search->chunks[at], search->open - 1)) {
			search->open--; /* chunks are missing between: nobody knows */
			continue;
		}
		at = find_last(search, at);
		read_ends(search, search->chunks[at], at + 1 == search->count);
		at++;
	}
}

static void search_stream(struct part *part, size_t first, size_t count)
{
	struct search search = {
		.part = part, .stream = part->left[first].stream, .calls = part->left + first, .open = (uint32_t)count};
	uint64_t chunk_count = reader_chunk_count(part->trace->reader), last = 0;

	for (size_t i = 0; i < part->count; i++)
		if (part->chunks[i].stream == search.stream)
			last = part->chunks[i].chunk;
	for (uint64_t i = last + 1; i < chunk_count; i++) {
		if (reader_get_chunk(part->trace->reader, i).stream != search.stream)
			continue;
		if (!array_reserve(&search.chunks, &search.capacity, search.count + 1, sizeof *search.chunks))
			break;
		search.chunks[search.count++] = i;
	}
	if (model_find_thread(part->trace->model, search.stream) != UINT32_MAX)
		find_ends(&search);
	free(search.chunks);
}

static void search_all(struct part *part)
{
	size_t end;

	for (uint32_t i = 0; i < model_thread_count(part->trace->model); i++)
		find_left(part, model_get_thread(part->trace->model, i).stream);
	for (size_t first = 0; first < part->left_count; first = end) {
		for (end = first; end < part->left_count && part->left[end].stream == part->left[first].stream; end++)
			;
		search_stream(part, first, end - first);
	}
}

/* Whether the call began before what was read of its thread. */
static bool began_before(struct part *part, const struct call *call)
{
	if (part->begin_last >= part->begin_count || part->begins[part->begin_last].stream != call->stream)
		for (part->begin_last = 0; part->begin_last < part->begin_count; part->begin_last++)
			if (part->begins[part->begin_last].stream == call->stream)
				break;
	return part->begin_last == part->begin_count || call->enter_ticks < part->begins[part->begin_last].first_ticks;
}

void part_complete(struct part *part, struct call *call)
{
	size_t low = 0, high = part->left_count;

	call->off_unknown |= began_before(part, call);
	if (!(call->flags & DWELL_CALL_OPEN))
		return;
	while (low < high && part->left[low].stream != call->stream)
		low++;
	low += call->depth;
	if (low >= high || part->left[low].stream != call->stream || part->left[low].enter_ticks != call->enter_ticks ||
		!part->left[low].exit_ticks)
		return;
	call->exit_ticks = part->left[low].exit_ticks;
	call->total_ticks = part->left[low].total_ticks;
	call->self_ticks = part->left[low].self_ticks;
	call->function = part->left[low].function;
	call->flags = part->left[low].flags;
	call->off_unknown = true;
}

/* ---- all of it ---- */

bool part_read(struct part *part, struct trace *trace, int64_t from_ns, int64_t to_ns)
{
	struct progress progress;
	struct message message;
	bool *seen, good;

	*part = (struct part){.trace = trace, .decoder = make_reader_decoder(trace->reader)};
	seen = calloc(model_thread_count(trace->model) + (size_t)1, sizeof *seen);
	good = part->decoder && seen && take_chunks(part, seen, from_ns, to_ns);
	free(seen);
	if (!good) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	if (!part->count)
		say_nothing(part);
	progress_begin_count(&progress, trace->watch, "reading", part->count);
	for (size_t i = 0; i < part->count && !progress_is_cancelled(&progress); i++) {
		progress_update(&progress, i);
		if (!load(part, part->chunks[i].chunk))
			continue;
		while (next(part, part->chunks[i].first, &message))
			entry_order_feed(trace->order, &message);
	}
	search_all(part);
	entry_order_finish(trace->order);
	progress_end(&progress);
	return true;
}

static uint32_t stream_of_chunk(void *context, uint64_t chunk)
{
	return ((const struct part *)context)->chunks[chunk].stream;
}

static bool play_chunk(void *context, uint64_t chunk, struct model *model)
{
	struct part *part = context;
	struct message message;

	if (!reader_decoder_load(part->decoder, part->chunks[chunk].chunk))
		return false; /* as in the first pass, which said so */
	while (next(part, part->chunks[chunk].first, &message))
		model_feed(model, &message);
	return true;
}

struct entry_replay part_get_replay(struct part *part)
{
	return (struct entry_replay){part, part->count, stream_of_chunk, play_chunk};
}

void part_clear(struct part *part)
{
	if (part->decoder)
		free_reader_decoder(part->decoder);
	free(part->chunks);
	free(part->begins);
	free(part->left);
	*part = (struct part){0};
}
