/* sums: makes the payload of a SUMS chunk (sums.h). */
#include "writer/trace/sums.h"

#include <stdlib.h>

#include "dwell/format.h"

/* Chooses the shorter head if possible: readers without support for held time can read a chunk without held time. */
static size_t head_bytes(const struct message_sums *sums)
{
	return sums->held_ticks ? DWELL_SUMS_LONG_HEAD_BYTES : DWELL_SUMS_HEAD_BYTES;
}

static void put_head(uint8_t *p, const struct message_sums *sums)
{
	put_u32(p + DWELL_SUMS_PLACE_KIND, sums->place_kind);
	put_u32(p + DWELL_SUMS_FLAGS, (sums->is_all ? DWELL_SUMS_ALL : 0) | (sums->held_ticks ? DWELL_SUMS_HAS_HELD : 0));
	put_u32(p + DWELL_SUMS_NODES, sums->node_count);
	put_u32(p + DWELL_SUMS_FUNCTIONS, sums->function_count);
	put_u32(p + DWELL_SUMS_BUCKETS, sums->bucket_count);
	put_u32(p + DWELL_SUMS_FRAMES, sums->frame_count);
	put_u64(p + DWELL_SUMS_LIMIT_TICKS, sums->limit_ticks);
	put_u64(p + DWELL_SUMS_ROOT_TAKEN, sums->root_taken_ticks);
	put_u64(p + DWELL_SUMS_OTHER_CALLS, sums->other_calls);
	put_u64(p + DWELL_SUMS_OTHER_TICKS, sums->other_ticks);
	put_u64(p + DWELL_SUMS_EVENTS, sums->events);
	put_u64(p + DWELL_SUMS_LOST_TICKS, sums->lost_ticks);
	put_u64(p + DWELL_SUMS_LOST_EVENTS, sums->lost_events);
	put_u64(p + DWELL_SUMS_UNMATCHED, sums->unmatched_exits);
	put_u64(p + DWELL_SUMS_UNWOUND, sums->unwound_calls);
	put_u64(p + DWELL_SUMS_NO_ENTRY, sums->no_entry_calls);
	put_u64(p + DWELL_SUMS_GAP, sums->gap_calls);
	put_u64(p + DWELL_SUMS_BEYOND, sums->beyond_calls);
	put_u64(p + DWELL_SUMS_BACKWARD, sums->backward_events);
	put_u32(p + DWELL_SUMS_DEEPEST, sums->deepest);
	if (sums->held_ticks)
		put_u64(p + DWELL_SUMS_HELD_TICKS, sums->held_ticks);
}

static uint8_t *put_nodes(uint8_t *p, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->node_count; i++, p += DWELL_SUM_NODE_BYTES) {
		const struct message_sum_node *node = &sums->nodes[i];

		put_u32(p + DWELL_SUM_NODE_PARENT, node->parent);
		put_u32(p + DWELL_SUM_NODE_FUNCTION, node->function);
		put_u64(p + DWELL_SUM_NODE_CALLS, node->calls);
		put_u64(p + DWELL_SUM_NODE_TOTAL, node->total_ticks);
		put_u64(p + DWELL_SUM_NODE_SELF, node->self_ticks);
		put_u64(p + DWELL_SUM_NODE_TAKEN, node->taken_ticks);
	}
	return p;
}

static uint8_t *put_functions(uint8_t *p, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->function_count; i++, p += DWELL_SUM_FUNCTION_BYTES) {
		const struct message_sum_function *function = &sums->functions[i];

		put_u64(p + DWELL_SUM_FUNCTION_PLACE, function->no_place ? UINT64_MAX : function->place);
		put_u64(p + DWELL_SUM_FUNCTION_FOLDED_CALLS, function->folded_calls);
		put_u64(p + DWELL_SUM_FUNCTION_FOLDED_TOTAL, function->folded_total_ticks);
		put_u64(p + DWELL_SUM_FUNCTION_FOLDED_SELF, function->folded_self_ticks);
		put_u64(p + DWELL_SUM_FUNCTION_UNTIMED, function->untimed_calls);
		put_u64(p + DWELL_SUM_FUNCTION_MIN, function->min_ticks);
		put_u64(p + DWELL_SUM_FUNCTION_MAX, function->max_ticks);
		put_u64(p + DWELL_SUM_FUNCTION_SUM, function->sum_ticks);
		put_u32(p + DWELL_SUM_FUNCTION_BUCKETS, function->bucket_count);
		put_u32(p + DWELL_SUM_FUNCTION_FLAGS, function->incomplete ? DWELL_SUM_FUNCTION_INCOMPLETE : 0);
	}
	return p;
}

static uint8_t *put_buckets(uint8_t *p, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->bucket_count; i++, p += DWELL_SUM_BUCKET_BYTES) {
		put_u32(p + DWELL_SUM_BUCKET_NUMBER, sums->buckets[i].number);
		put_u64(p + DWELL_SUM_BUCKET_COUNT, sums->buckets[i].count);
	}
	return p;
}

static void put_frames(uint8_t *p, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->frame_count; i++, p += DWELL_SUM_FRAME_BYTES) {
		const struct message_sum_frame *frame = &sums->frames[i];

		put_u32(p + DWELL_SUM_FRAME_NODE, frame->node);
		put_u32(p + DWELL_SUM_FRAME_FLAGS,
			(frame->no_entry ? DWELL_FRAME_NO_ENTRY : 0) | (frame->is_piece ? DWELL_FRAME_PIECE : 0));
		put_u64(p + DWELL_SUM_FRAME_ENTER_TICKS, frame->enter_ticks);
		put_u64(p + DWELL_SUM_FRAME_CHILD_TICKS, frame->child_ticks);
		put_u32(p + DWELL_SUM_FRAME_STACK, frame->stack);
	}
}

uint8_t *make_sums_payload(const struct message_sums *sums, struct bytes *payload)
{
	size_t size = head_bytes(sums) + (size_t)sums->node_count * DWELL_SUM_NODE_BYTES +
		      (size_t)sums->function_count * DWELL_SUM_FUNCTION_BYTES +
		      (size_t)sums->bucket_count * DWELL_SUM_BUCKET_BYTES + (size_t)sums->frame_count * DWELL_SUM_FRAME_BYTES;
	uint8_t *made = calloc(1, size);

	if (!made)
		return NULL;
	put_head(made, sums);
	put_frames(put_buckets(put_functions(put_nodes(made + head_bytes(sums), sums), sums), sums), sums);
	*payload = (struct bytes){made, size};
	return made;
}
