/* sums: decodes SUMS chunks, field by field as in FORMAT.md. */
#include "reader/dwell/sums.h"

#include <stdlib.h>

#include "core/duration.h"
#include "util/array.h"

static struct message_sums take_head(const uint8_t *p, const struct raw_chunk *chunk)
{
	return (struct message_sums){
		.stream = chunk->stream,
		.first_ticks = chunk->first_ticks,
		.last_ticks = chunk->last_ticks,
		.place_kind = (enum dwell_place_kind)get_u32(p + DWELL_SUMS_PLACE_KIND),
		.is_all = get_u32(p + DWELL_SUMS_FLAGS) & DWELL_SUMS_ALL,
		.node_count = get_u32(p + DWELL_SUMS_NODES),
		.function_count = get_u32(p + DWELL_SUMS_FUNCTIONS),
		.bucket_count = get_u32(p + DWELL_SUMS_BUCKETS),
		.frame_count = get_u32(p + DWELL_SUMS_FRAMES),
		.limit_ticks = get_u64(p + DWELL_SUMS_LIMIT_TICKS),
		.root_taken_ticks = get_u64(p + DWELL_SUMS_ROOT_TAKEN),
		.other_calls = get_u64(p + DWELL_SUMS_OTHER_CALLS),
		.other_ticks = get_u64(p + DWELL_SUMS_OTHER_TICKS),
		.events = get_u64(p + DWELL_SUMS_EVENTS),
		.lost_ticks = get_u64(p + DWELL_SUMS_LOST_TICKS),
		.lost_events = get_u64(p + DWELL_SUMS_LOST_EVENTS),
		.unmatched_exits = get_u64(p + DWELL_SUMS_UNMATCHED),
		.unwound_calls = get_u64(p + DWELL_SUMS_UNWOUND),
		.no_entry_calls = get_u64(p + DWELL_SUMS_NO_ENTRY),
		.gap_calls = get_u64(p + DWELL_SUMS_GAP),
		.beyond_calls = get_u64(p + DWELL_SUMS_BEYOND),
		.backward_events = get_u64(p + DWELL_SUMS_BACKWARD),
		.deepest = get_u32(p + DWELL_SUMS_DEEPEST),
		.held_ticks = sums_head_bytes(p) == DWELL_SUMS_LONG_HEAD_BYTES ? get_u64(p + DWELL_SUMS_HELD_TICKS) : 0,
	};
}

static const char *take_nodes(struct sums *sums, const uint8_t *p)
{
	for (uint32_t i = 0; i < sums->message.node_count; i++, p += DWELL_SUM_NODE_BYTES) {
		sums->nodes[i] = (struct message_sum_node){
			.parent = get_u32(p + DWELL_SUM_NODE_PARENT),
			.function = get_u32(p + DWELL_SUM_NODE_FUNCTION),
			.calls = get_u64(p + DWELL_SUM_NODE_CALLS),
			.total_ticks = get_u64(p + DWELL_SUM_NODE_TOTAL),
			.self_ticks = get_u64(p + DWELL_SUM_NODE_SELF),
			.taken_ticks = get_u64(p + DWELL_SUM_NODE_TAKEN),
		};
		if (sums->nodes[i].parent > i)
			return "has a caller behind what it called";
		if (!sums->nodes[i].function || sums->nodes[i].function > sums->message.function_count)
			return "has a path of a function that it does not tell";
		if (sums->nodes[i].self_ticks > sums->nodes[i].total_ticks)
			return "has a path whose self time is more than its total";
	}
	return NULL;
}

static const char *take_functions(struct sums *sums, const uint8_t *p)
{
	uint64_t buckets = 0;

	for (uint32_t i = 0; i < sums->message.function_count; i++, p += DWELL_SUM_FUNCTION_BYTES) {
		uint64_t place = get_u64(p + DWELL_SUM_FUNCTION_PLACE);

		sums->functions[i] = (struct message_sum_function){
			.place = place,
			.no_place = place == UINT64_MAX,
			.folded_calls = get_u64(p + DWELL_SUM_FUNCTION_FOLDED_CALLS),
			.folded_total_ticks = get_u64(p + DWELL_SUM_FUNCTION_FOLDED_TOTAL),
			.folded_self_ticks = get_u64(p + DWELL_SUM_FUNCTION_FOLDED_SELF),
			.untimed_calls = get_u64(p + DWELL_SUM_FUNCTION_UNTIMED),
			.min_ticks = get_u64(p + DWELL_SUM_FUNCTION_MIN),
			.max_ticks = get_u64(p + DWELL_SUM_FUNCTION_MAX),
			.sum_ticks = get_u64(p + DWELL_SUM_FUNCTION_SUM),
			.bucket_count = get_u32(p + DWELL_SUM_FUNCTION_BUCKETS),
			.incomplete = get_u32(p + DWELL_SUM_FUNCTION_FLAGS) & DWELL_SUM_FUNCTION_INCOMPLETE,
		};
		buckets += sums->functions[i].bucket_count;
		if (sums->functions[i].bucket_count && sums->functions[i].min_ticks > sums->functions[i].max_ticks)
			return "has a function whose shortest call is longer than its longest";
	}
	return buckets == sums->message.bucket_count ? NULL : "has another number of buckets than its functions say";
}

static const char *take_buckets(struct sums *sums, const uint8_t *p)
{
	for (uint32_t i = 0; i < sums->message.bucket_count; i++, p += DWELL_SUM_BUCKET_BYTES) {
		sums->buckets[i] =
			(struct message_sum_bucket){get_u32(p + DWELL_SUM_BUCKET_NUMBER), get_u64(p + DWELL_SUM_BUCKET_COUNT)};
		if (sums->buckets[i].number >= DWELL_DURATION_BUCKETS)
			return "has a bucket that there is not";
		if (!sums->buckets[i].count || sums->buckets[i].count > UINT64_MAX >> 1)
			return "has a bucket with an impossible number of calls";
	}
	return NULL;
}

static const char *take_frames(struct sums *sums, const uint8_t *p)
{
	for (uint32_t i = 0; i < sums->message.frame_count; i++, p += DWELL_SUM_FRAME_BYTES) {
		sums->frames[i] = (struct message_sum_frame){
			.node = get_u32(p + DWELL_SUM_FRAME_NODE),
			.stack = get_u32(p + DWELL_SUM_FRAME_STACK),
			.no_entry = get_u32(p + DWELL_SUM_FRAME_FLAGS) & DWELL_FRAME_NO_ENTRY,
			.is_piece = get_u32(p + DWELL_SUM_FRAME_FLAGS) & DWELL_FRAME_PIECE,
			.enter_ticks = get_u64(p + DWELL_SUM_FRAME_ENTER_TICKS),
			.child_ticks = get_u64(p + DWELL_SUM_FRAME_CHILD_TICKS),
		};
		if (!sums->frames[i].node || sums->frames[i].node > sums->message.node_count)
			return "has an open call on a path that it does not tell";
	}
	return NULL;
}

static bool reserve(struct sums *sums)
{
	const struct message_sums *message = &sums->message;

	return array_reserve(&sums->nodes, &sums->node_capacity, (size_t)message->node_count + 1, sizeof *sums->nodes) &&
	       array_reserve(
		       &sums->functions, &sums->function_capacity, (size_t)message->function_count + 1, sizeof *sums->functions) &&
	       array_reserve(&sums->buckets, &sums->bucket_capacity, (size_t)message->bucket_count + 1, sizeof *sums->buckets) &&
	       array_reserve(&sums->frames, &sums->frame_capacity, (size_t)message->frame_count + 1, sizeof *sums->frames);
}

/* Bytes of the payload behind its fixed part. */
static uint64_t bytes_of(const struct message_sums *message)
{
	return (uint64_t)message->node_count * DWELL_SUM_NODE_BYTES + (uint64_t)message->function_count * DWELL_SUM_FUNCTION_BYTES +
	       (uint64_t)message->bucket_count * DWELL_SUM_BUCKET_BYTES + (uint64_t)message->frame_count * DWELL_SUM_FRAME_BYTES;
}

const char *sums_take(struct sums *sums, const struct raw_chunk *chunk)
{
	struct bytes payload = chunk->payload;
	struct message_sums *message = &sums->message;
	const uint8_t *p;
	const char *problem = NULL;

	if (chunk->flags & DWELL_CHUNK_PACKED)
		problem = plain_unpack(&sums->unpacker, chunk->payload, chunk->unpacked, &payload);
	if (problem)
		return problem;
	if (payload.size < DWELL_SUMS_HEAD_BYTES || payload.size < sums_head_bytes(payload.data))
		return "is shorter than its fixed part";
	*message = take_head(payload.data, chunk);
	if (message->place_kind > DWELL_PLACE_TASK)
		return "has places of an unknown kind";
	if (message->first_ticks > message->last_ticks)
		return "ends before it begins";
	if (sums_head_bytes(payload.data) + bytes_of(message) != payload.size)
		return "has another length than its numbers of paths, functions, buckets and open calls say";
	if (!reserve(sums))
		return "cannot be decoded: out of memory";
	message->nodes = sums->nodes;
	message->functions = sums->functions;
	message->buckets = sums->buckets;
	message->frames = sums->frames;
	p = payload.data + sums_head_bytes(payload.data);
	problem = take_nodes(sums, p);
	p += (size_t)message->node_count * DWELL_SUM_NODE_BYTES;
	problem = problem ? problem : take_functions(sums, p);
	p += (size_t)message->function_count * DWELL_SUM_FUNCTION_BYTES;
	problem = problem ? problem : take_buckets(sums, p);
	p += (size_t)message->bucket_count * DWELL_SUM_BUCKET_BYTES;
	return problem ? problem : take_frames(sums, p);
}

void sums_clear(struct sums *sums)
{
	free(sums->nodes);
	free(sums->functions);
	free(sums->buckets);
	free(sums->frames);
	plain_unpacker_clear(&sums->unpacker);
	*sums = (struct sums){0};
}
