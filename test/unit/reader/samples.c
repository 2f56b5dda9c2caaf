/* SAMPLES chunks as the writer makes them come back the same, packed or not; what makes no sense is refused with a reason. */
#include "reader/dwell/samples.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pack/plain.h"
#include "writer/trace/samples.h"

static const struct message_node nodes[] = {{0x555555555123, 0, true, false}, {UINT64_MAX, 1, false, true}, {0, 1, false, false}};
static const struct message_sample samples_in[] = {
	{10, 1, 2, DWELL_STACK_COMPLETE}, {10, DWELL_SAMPLE_WEIGHT_MAX, 0, DWELL_STACK_LEAF}, {11, 0, 3, DWELL_STACK_BROKEN}};
static const struct message_samples message = {.stream = 9, .nodes = nodes, .node_count = 3, .samples = samples_in, .count = 3};

static void check_same(const struct message_samples *got, const struct message_samples *want)
{
	CHECK_EQ(got->stream, 9);
	CHECK_EQ(got->node_count, want->node_count);
	CHECK_EQ(got->count, want->count);
	for (uint32_t i = 0; i < want->node_count && i < got->node_count; i++)
		CHECK(got->nodes[i].address == want->nodes[i].address && got->nodes[i].caller == want->nodes[i].caller &&
			got->nodes[i].is_return == want->nodes[i].is_return && got->nodes[i].is_kernel == want->nodes[i].is_kernel);
	for (uint32_t i = 0; i < want->count && i < got->count; i++)
		CHECK(got->samples[i].ticks == want->samples[i].ticks && got->samples[i].weight == want->samples[i].weight &&
			got->samples[i].node == want->samples[i].node && got->samples[i].stack == want->samples[i].stack);
}

TEST(there_and_back)
{
	struct samples samples = {0};
	struct bytes payload;
	uint8_t *made = make_samples_payload(&message, &payload);
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SAMPLES, .stream = 9, .payload = payload};
	struct message_samples got;

	CHECK(!samples_take(&samples, &chunk));
	got = samples_get(&samples, 9);
	check_same(&got, &message);
	samples_clear(&samples);
	free(made);
}

TEST(packed)
{
	static struct message_sample many[5000];
	struct message_samples big = message;
	struct samples samples = {0};
	struct bytes payload;
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SAMPLES, .flags = DWELL_CHUNK_PACKED};
	struct message_samples got;
	struct plain_packer packer = {0};
	uint8_t *made, *packed;
	size_t size;

	for (uint32_t i = 0; i < 5000; i++)
		many[i] = (struct message_sample){i * 1000, 1000, i % 4, DWELL_STACK_COMPLETE};
	big.samples = many;
	big.count = 5000;
	made = make_samples_payload(&big, &payload);
	packed = make_plain_packed(&packer, payload, &size);
	CHECK(packed && size < payload.size / 2 && size % 8 == 0);
	chunk.payload = (struct bytes){packed, size};
	chunk.unpacked = (uint32_t)payload.size;
	CHECK(!samples_take(&samples, &chunk));
	got = samples_get(&samples, 9);
	check_same(&got, &big);
	for (uint32_t wrong = 0; wrong < 3; wrong++) {
		chunk.unpacked =
			(uint32_t[]){(uint32_t)payload.size - 8, (uint32_t)payload.size + 8, DWELL_CHUNK_LENGTH_MAX + 8}[wrong];
		CHECK(samples_take(&samples, &chunk));
	}
	chunk.unpacked = (uint32_t)payload.size;
	for (size_t cut = 0; cut + 8 < size; cut += 8) {
		chunk.payload.size = cut;
		CHECK(samples_take(&samples, &chunk));
	}
	samples_clear(&samples);
	plain_packer_clear(&packer);
	free(packed);
	free(made);
}

/* What it says with the field at that offset changed. */
static const char *problem_with(size_t offset, uint32_t value, size_t cut)
{
	static char text[128];
	struct samples samples = {0};
	struct bytes payload;
	uint8_t *made = make_samples_payload(&message, &payload);
	struct raw_chunk chunk = {.payload = {made, payload.size - cut}};
	const char *problem;

	put_u32(made + offset, value);
	problem = samples_take(&samples, &chunk);
	snprintf(text, sizeof text, "%s", problem ? problem : "nothing");
	samples_clear(&samples);
	free(made);
	return text;
}

TEST(what_makes_no_sense)
{
	const size_t node = DWELL_SAMPLES_HEAD_BYTES, sample = node + 3 * DWELL_SAMPLES_NODE_BYTES;
	const char *length = "has another length than its numbers of paths and samples say";

	CHECK_STR(problem_with(DWELL_SAMPLES_NODES, 3, 0), "nothing");
	CHECK_STR(problem_with(DWELL_SAMPLES_NODES, 4, 0), length);
	CHECK_STR(problem_with(DWELL_SAMPLES_NODES, UINT32_MAX, 0), length);
	CHECK_STR(problem_with(DWELL_SAMPLES_COUNT, UINT32_MAX, 0), length);
	CHECK_STR(problem_with(DWELL_SAMPLES_COUNT, 3, 8), length);
	CHECK_STR(problem_with(node + DWELL_SAMPLES_NODE_CALLER, 1, 0), "has a caller behind what it called");
	CHECK_STR(problem_with(node + DWELL_SAMPLES_NODE_BYTES + DWELL_SAMPLES_NODE_CALLER, 2, 0), "has a caller behind what it called");
	CHECK_STR(problem_with(sample + DWELL_SAMPLE_NODE, 4, 0), "has a sample at a path that it does not tell");
	CHECK_STR(problem_with(sample + DWELL_SAMPLE_TICKS, 11, 0), "has samples that are not in order of time");
	CHECK_STR(problem_with(sample + DWELL_SAMPLE_WEIGHT + 4, 0x100, 0), "has a sample that weighs more than 2^40");
	CHECK_STR(problem_with(sample + DWELL_SAMPLE_FLAGS, 0xfffffffd, 0), "nothing");
}

int main(void)
{
	RUN(there_and_back);
	RUN(packed);
	RUN(what_makes_no_sense);
	return tap_done();
}
