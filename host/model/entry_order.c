/* entry_order: the two passes over a trace. entry_order.h explains them; lane.h merges the threads. */
#include "model/entry_order.h"

#include <stdlib.h>
#include <string.h>

#include "model/lane.h"
#include "util/array.h"
#include "util/lookup.h"

/* Tags of open calls. First pass: TAG_NEW | index in the chunk, for a call entered in this chunk; position in kept plus 1, for a
 * call of an earlier chunk. Second pass: position in the lane's rows plus 1; TAG_NO_ROW for a call without a row, as its chunk is
 * done or memory ran out. In both passes 0: the call has no entry. */
#define TAG_NEW (1u << 31)
#define TAG_NO_ROW UINT32_MAX

/* In the flags of a row, beside enum dwell_call_flag: the row has no end yet. */
#define ROW_OPEN (1u << 31)

/* The end of a call in a later chunk than its entry. */
struct kept {
	uint64_t enter_ticks, exit_ticks, total_ticks, self_ticks;
	struct off_cpu_ticks total_off, self_off;
	uint64_t ret;
	uint32_t function, flags;
	bool off_cpu_unknown, has_ret;
};

/* A call that the finished chunk entered and did not end. */
struct fresh {
	uint32_t tag, stack, index; /* stack, index: as in model_stack_get_open */
};

struct entry_order {
	struct diag *diag;
	struct model *first, *second; /* models of the two passes; the second has the threads from the beginning */
	struct kept *kept; /* chunk by chunk: struct lane_share has the range of a chunk */
	size_t kept_count, kept_capacity;
	struct lane *lanes;
	size_t lane_count, lane_capacity;
	struct lookup index; /* stream → lane */
	struct lane *lane; /* the lane whose messages are fed */
	struct fresh *fresh;
	size_t fresh_count, fresh_capacity;
	uint32_t entered; /* calls entered in the present chunk; limited, as TAG_NEW | entered must not become TAG_NO_ROW */
	off_cpu_fn *on_off_cpu; /* of the second pass; null: not called */
	void *off_cpu_context;
	bool starved, wants_values; /* starved: memory ran out, and the diag is written */
	uint64_t mismatches, orphans_dropped; /* calls whose end the first pass did not keep, as the file has changed; calls without
	                                         entry, beyond LANE_ORPHANS_MAX */
};

static void note_out_of_memory(struct entry_order *order)
{
	if (!order->starved)
		diag_add(order->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
	order->starved = true;
}

static struct lane *find_lane(struct entry_order *order, uint32_t stream)
{
	uint32_t hash = hash_number(stream), item;

	for (uint32_t at = hash; (item = lookup_next(&order->index, hash, &at)) != LOOKUP_NONE;)
		if (order->lanes[item].stream == stream)
			return &order->lanes[item];
	return NULL;
}

static struct lane *find_or_add_lane(struct entry_order *order, uint32_t stream)
{
	struct lane *lane = find_lane(order, stream);

	if (lane)
		return lane;
	if (!array_reserve(&order->lanes, &order->lane_capacity, order->lane_count + 1, sizeof *order->lanes) ||
		!lookup_put(&order->index, hash_number(stream), (uint32_t)order->lane_count)) {
		note_out_of_memory(order);
		return NULL;
	}
	lane = &order->lanes[order->lane_count++];
	*lane = (struct lane){.stream = stream, .begin_ticks = UINT64_MAX};
	return lane;
}

/* ---- first pass ---- */

static uint32_t first_enter(void *context, const struct call *call)
{
	struct entry_order *order = context;
	struct lane *lane = order->lane;

	if (lane && call->enter_ticks < lane->begin_ticks)
		lane->begin_ticks = call->enter_ticks;
	order->entered += order->entered < TAG_NEW - 2;
	return TAG_NEW | order->entered;
}

static void first_leave(void *context, const struct call *call)
{
	struct entry_order *order = context;

	if (call->tag && call->tag < TAG_NEW)
		order->kept[call->tag - 1] = (struct kept){
			call->enter_ticks, call->exit_ticks, call->total_ticks, call->self_ticks, call->total_off, call->self_off,
			call->values ? call->values->ret : 0, call->function, call->flags, call->off_cpu_unknown,
			call->values && call->values->has_ret};
	else if (!call->tag && order->lane && !lane_add_orphan(order->lane, call))
		order->orphans_dropped++;
}

static int by_tag(const void *a, const void *b)
{
	uint32_t left = ((const struct fresh *)a)->tag, right = ((const struct fresh *)b)->tag;

	return left < right ? -1 : left > right;
}

/* Finds the calls entered in the finished chunk and still open, in order of entry: the last calls of each stack. */
static bool find_fresh(struct entry_order *order, const struct lane *lane)
{
	uint32_t stacks = model_stack_count(order->first, lane->stream);

	order->fresh_count = 0;
	for (uint32_t stack = 0; stack < stacks; stack++) {
		uint32_t open = model_stack_open_count(order->first, lane->stream, stack), index = open;

		while (index && model_stack_get_open(order->first, lane->stream, stack, index - 1).tag >= TAG_NEW)
			index--;
		if (!array_reserve(&order->fresh, &order->fresh_capacity, order->fresh_count + open - index, sizeof *order->fresh))
			return false;
		for (; index < open; index++)
			order->fresh[order->fresh_count++] =
				(struct fresh){model_stack_get_open(order->first, lane->stream, stack, index).tag, stack, index};
	}
	if (stacks > 1 && order->fresh_count)
		qsort(order->fresh, order->fresh_count, sizeof *order->fresh, by_tag);
	return true;
}

/* Ends the lane's chunk: reserves a place in kept for each of its open calls, and tags the call with the place. first_leave fills
 * the place when the call ends. */
static void close_chunk(struct entry_order *order, struct lane *lane)
{
	struct lane_share *share;

	order->entered = 0;
	if (!lane->share_count)
		return;
	share = &lane->shares[lane->share_count - 1];
	*share = (struct lane_share){order->kept_count, 0};
	if (!find_fresh(order, lane) || order->kept_count + order->fresh_count >= TAG_NEW ||
		!array_reserve(&order->kept, &order->kept_capacity, order->kept_count + order->fresh_count, sizeof *order->kept)) {
		note_out_of_memory(order);
		return;
	}
	share->count = (uint32_t)order->fresh_count;
	for (size_t i = 0; i < order->fresh_count; i++) {
		order->kept[order->kept_count++] = (struct kept){0};
		model_stack_tag_open(
			order->first, lane->stream, order->fresh[i].stack, order->fresh[i].index, (uint32_t)order->kept_count);
	}
}

/* A checkpoint came: a new chunk of the stream begins, and the chunk before it is complete. */
static void begin_chunk(struct entry_order *order, uint32_t stream)
{
	struct lane *lane = find_or_add_lane(order, stream);

	if (!lane)
		return;
	close_chunk(order, lane);
	if (!lane_add_share(lane))
		note_out_of_memory(order);
}

void entry_order_feed(struct entry_order *order, const struct message *message)
{
	if (message->kind == MESSAGE_CHECKPOINT) {
		begin_chunk(order, message->checkpoint.stream);
		order->lane = find_lane(order, message->checkpoint.stream);
	} else if (message->kind == MESSAGE_EVENTS) {
		order->lane = find_lane(order, message->events.stream);
	} else if (message->kind == MESSAGE_THREAD) {
		model_feed(order->second, message);
	}
	model_feed(order->first, message);
}

void entry_order_finish(struct entry_order *order)
{
	for (size_t i = 0; i < order->lane_count; i++)
		close_chunk(order, &order->lanes[i]);
	order->lane = NULL; /* open calls are kept by now, and must not become orphans */
	model_finish(order->first);
	if (order->orphans_dropped)
		diag_add(order->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET, "%llu calls without entry are left out",
			(unsigned long long)order->orphans_dropped);
}

struct model *entry_order_get_model(const struct entry_order *order)
{
	return order->first;
}

/* ---- second pass ---- */

static uint32_t second_enter(void *context, const struct call *call)
{
	struct entry_order *order = context;
	struct lane *lane = order->lane;

	if (call->enter_ticks > lane->floor_ticks)
		lane->floor_ticks = call->enter_ticks;
	if (lane->is_full)
		return TAG_NO_ROW;
	if (!array_reserve(&lane->rows, &lane->row_capacity, lane->row_count + 1, sizeof *lane->rows) ||
		(order->wants_values &&
			!array_reserve(&lane->values, &lane->value_capacity, lane->row_count + 1, sizeof *lane->values))) {
		lane->is_full = true;
		note_out_of_memory(order);
		return TAG_NO_ROW;
	}
	if (order->wants_values)
		lane->values[lane->row_count] = (struct call_values){0};
	lane->rows[lane->row_count] = *call;
	lane->rows[lane->row_count].flags |= ROW_OPEN;
	return (uint32_t)++lane->row_count;
}

static void second_leave(void *context, const struct call *call)
{
	struct lane *lane = ((struct entry_order *)context)->lane;

	if (call->exit_ticks > lane->floor_ticks)
		lane->floor_ticks = call->exit_ticks;
	if (!call->tag || call->tag == TAG_NO_ROW)
		return;
	lane->rows[call->tag - 1] = *call;
	lane->rows[call->tag - 1].values = NULL; /* borrowed only until the next call; lane->values gets a copy */
	if (call->values)
		lane->values[call->tag - 1] = *call->values;
}

static void second_off_cpu(void *context, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	struct entry_order *order = context;

	if (order->on_off_cpu)
		order->on_off_cpu(order->off_cpu_context, stream, begin_ticks, end_ticks, kind);
}

/* Gives each row without an end the end that the first pass kept; both are in order of entry. Then tags the calls that stay open,
 * since later chunks overwrite the rows. */
static void fill_open(struct entry_order *order, struct lane *lane, const struct lane_share *share)
{
	uint32_t used = 0;

	for (size_t i = 0; i < lane->row_count; i++) {
		struct call *row = &lane->rows[i];
		const struct kept *kept;

		if (!(row->flags & ROW_OPEN))
			continue;
		row->flags &= ~ROW_OPEN;
		kept = used < share->count ? &order->kept[share->first + used] : NULL;
		if (!kept || kept->enter_ticks != row->enter_ticks) {
			order->mismatches++;
			continue;
		}
		used++;
		row->exit_ticks = kept->exit_ticks;
		row->total_ticks = kept->total_ticks;
		row->self_ticks = kept->self_ticks;
		row->total_off = kept->total_off;
		row->self_off = kept->self_off;
		row->off_cpu_unknown = kept->off_cpu_unknown;
		row->function = kept->function;
		row->flags = kept->flags;
		if (kept->has_ret) {
			lane->values[i].ret = kept->ret;
			lane->values[i].has_ret = true;
		}
	}
	for (uint32_t stack = model_stack_count(order->second, lane->stream); stack--;) {
		for (uint32_t open = model_stack_open_count(order->second, lane->stream, stack); open--;) {
			struct call call = model_stack_get_open(order->second, lane->stream, stack, open);

			if (call.tag == TAG_NO_ROW)
				break;
			if (call.tag && call.values)
				call_values_take_arguments(&lane->values[call.tag - 1], call.values);
			model_stack_tag_open(order->second, lane->stream, stack, open, TAG_NO_ROW);
		}
	}
}

/* Replaces the rows of the lane by the calls of its next chunk. */
static void load_chunk(struct entry_order *order, struct lane *lane, const struct entry_replay *replay)
{
	uint64_t chunk = lane->chunks[lane->chunk_done];
	struct lane_share share = lane->chunk_done < lane->share_count ? lane->shares[lane->chunk_done] : (struct lane_share){0};

	lane->chunk_done++;
	lane->row_count = lane->row_done = 0;
	lane->is_full = false;
	order->lane = lane;
	if (replay->play(replay->context, chunk, order->second))
		fill_open(order, lane, &share);
}

static bool collect_chunks(struct entry_order *order, const struct entry_replay *replay)
{
	for (uint64_t chunk = 0; chunk < replay->chunk_count; chunk++) {
		struct lane *lane = find_lane(order, replay->get_stream(replay->context, chunk));

		if (lane && !lane_add_chunk(lane, chunk)) {
			note_out_of_memory(order);
			return false;
		}
	}
	return true;
}

void entry_order_write(struct entry_order *order, const struct entry_replay *replay, entry_order_use *use, void *context)
{
	struct lane_heap heap;
	struct call call;

	order->on_off_cpu = replay->on_off_cpu;
	order->off_cpu_context = context;
	if (!collect_chunks(order, replay))
		return;
	if (!lane_heap_init(&heap, order->lanes, order->lane_count)) {
		note_out_of_memory(order);
		return;
	}
	while (heap.count) {
		struct lane *lane = lane_heap_top(&heap);

		if (lane_take(lane, &call)) {
			if (!use(context, &call))
				break;
		} else {
			load_chunk(order, lane, replay);
		}
		lane_heap_settle(&heap);
	}
	lane_heap_free(&heap);
	if (order->mismatches)
		diag_add(order->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET,
			"the trace changed while it was read: %llu calls have no duration", (unsigned long long)order->mismatches);
}

struct entry_order *make_entry_order(const char *thread, struct diag *diag)
{
	struct entry_order *order = calloc(1, sizeof *order);
	struct model_options first = {.thread = thread, .context = order, .on_enter = first_enter, .on_call = first_leave};
	struct model_options second = {.thread = thread, .context = order, .on_enter = second_enter, .on_call = second_leave,
		.on_off_cpu = second_off_cpu};

	if (!order)
		return NULL;
	order->diag = diag;
	order->first = make_model(&first, diag);
	if (order->first) {
		second.functions = model_get_functions(order->first);
		order->second = make_model(&second, diag);
	}
	if (!order->second) {
		free_entry_order(order);
		return NULL;
	}
	return order;
}

void entry_order_want_values(struct entry_order *order)
{
	order->wants_values = true;
	model_want_values(order->first);
	model_want_values(order->second);
}

void free_entry_order(struct entry_order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->lane_count; i++)
		lane_clear(&order->lanes[i]);
	free(order->lanes);
	free(order->kept);
	free(order->fresh);
	lookup_clear(&order->index);
	free_model(order->second);
	free_model(order->first);
	free(order);
}
