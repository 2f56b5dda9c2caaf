/* Each path once, whatever order they come in. */
#include <stdlib.h>

#include "check.h"
#include "sample/batch.h"

TEST(each_path_once)
{
	struct batch batch = {0};
	uint32_t first[2000];

	for (int round = 0; round < 3; round++)
		for (uint32_t i = 0; i < 2000; i++) {
			uint32_t outer = batch_node(&batch, 0, 0x1000 + i % 7, true, false);
			uint32_t inner = batch_node(&batch, outer, 0x2000 + i, false, false);

			CHECK(outer && inner > outer);
			if (!round)
				first[i] = inner;
			CHECK_EQ(inner, first[i]);
		}
	CHECK_EQ(batch.node_count, 2007);
	/* One address is several places: a return address, of the kernel, below another one. */
	CHECK(batch_node(&batch, 0, 0x1000, false, false) != batch_node(&batch, 0, 0x1000, true, false));
	CHECK(batch_node(&batch, 0, 0x1000, false, false) != batch_node(&batch, 0, 0x1000, false, true));
	for (size_t i = 0; i < batch.node_count; i++)
		CHECK(batch.nodes[i].caller <= i);
	batch_empty(&batch);
	CHECK_EQ(batch_node(&batch, 0, 0x1000, true, false), 1);
	batch_clear(&batch);
}

/* A deep stack still goes into one that is not full; beyond the last node there is none. */
TEST(full)
{
	struct batch batch = {0};
	uint32_t node = 0, made = 0;

	while (!batch_is_full(&batch))
		batch_node(&batch, 0, ++made, false, false);
	CHECK(BATCH_NODES_MAX - batch.node_count > 8192);
	while ((node = batch_node(&batch, 0, ++made, false, false)))
		CHECK(node <= BATCH_NODES_MAX);
	CHECK_EQ(batch.node_count, BATCH_NODES_MAX);
	CHECK_EQ(batch_node(&batch, 0, 1, false, false), 0);
	batch_empty(&batch);
	for (uint32_t i = 0; i < BATCH_SAMPLES_MAX; i++) {
		CHECK(!batch_is_full(&batch));
		CHECK(batch_add(&batch, &(struct message_sample){.ticks = i}));
	}
	CHECK(batch_is_full(&batch));
	batch_clear(&batch);
}

int main(void)
{
	RUN(each_path_once);
	RUN(full);
	return tap_done();
}
