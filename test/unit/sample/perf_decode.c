/* Rings as a kernel would fill them, and as none would. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "unit/perf/fake_ring.h"

TEST(samples)
{
	/* At the ring's end, too, where it goes on at its beginning. */
	for (uint64_t at = 0; at < 2 * RING_BYTES; at += 8) {
		struct fake *fake = make_fake(at);
		struct perf_record record;

		begin_sample(fake, 0x401000, 77, 1003009);
		put_registers(fake);
		put_stack(fake, 64, 40);
		commit_as(fake, (uint16_t)fake->size);
		CHECK(take(fake, &record));
		CHECK_EQ(record.kind, PERF_SAMPLE);
		CHECK_EQ(record.pid, 100);
		CHECK_EQ(record.tid, 101);
		CHECK_EQ(record.ns, 77);
		CHECK_EQ(record.sample.ip, 0x401000);
		CHECK_EQ(record.sample.period, 1003009);
		CHECK_EQ(record.sample.timer, FAKE_TIMER);
		CHECK(!record.sample.in_kernel && record.sample.has_registers);
		CHECK_EQ(record.sample.stack.bytes.size, 40);
		CHECK(!memcmp(record.sample.stack.bytes.data, "ssssssss", 8));
#if defined __x86_64__
		CHECK_EQ(record.sample.registers.pc, 0x1008);
		CHECK_EQ(record.sample.stack.address, 0x1007);
		CHECK_EQ(record.sample.registers.values[cpu_x86_64.fp], 0x1006);
#endif
		CHECK_EQ(fake->page.data_tail, fake->page.data_head);
		CHECK(!take(fake, &record));
		CHECK_EQ(fake->ring.damaged, 0);
		free_fake(fake);
	}
}

/* One that was not in user space has no registers: abi 0, and no stack. */
TEST(samples_without_registers)
{
	struct fake *fake = make_fake(0);
	struct perf_record record;

	begin_sample(fake, UINT64_MAX - 5, 78, 1);
	fake->record[4] = PERF_RECORD_MISC_KERNEL;
	put64(fake, 0);
	put64(fake, 0);
	commit_as(fake, (uint16_t)fake->size);
	CHECK(take(fake, &record));
	CHECK(record.sample.in_kernel && !record.sample.has_registers);
	CHECK_EQ(record.sample.stack.bytes.size, 0);
	free_fake(fake);
}

/* With the kernel's return addresses, behind marks and before the registers; and counts of them that are not there. */
TEST(chains)
{
	static const uint64_t counts[] = {0, 1, 4, 5, UINT32_MAX, UINT64_MAX / 8, UINT64_MAX};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct fake *fake = make_fake(0);
		struct perf_record record;

		fake->ring.has_chains = true;
		begin_sample(fake, 0x401000, 77, 1003009);
		put64(fake, counts[i]);
		for (uint64_t k = 0; k < counts[i] && k < 4; k++)
			put64(fake, k ? 0x401000 + k - 1 : (uint64_t)PERF_CONTEXT_KERNEL);
		if (counts[i] <= 4) {
			put_registers(fake);
			put_stack(fake, 64, 40);
		}
		commit_as(fake, (uint16_t)fake->size);
		CHECK(take(fake, &record));
		CHECK_EQ(record.sample.kernel_chain.count, counts[i] == 4 ? 3 : 0);
		CHECK_EQ(record.sample.has_registers, counts[i] <= 4);
		CHECK_EQ(record.sample.stack.bytes.size, counts[i] <= 4 ? 40 : 0);
		for (uint64_t k = 0; k < record.sample.kernel_chain.count; k++) {
			uint64_t address;

			memcpy(&address, record.sample.kernel_chain.addresses + 8 * k, sizeof address);
			CHECK_EQ(address, 0x401000 + k);
		}
		free_fake(fake);
	}
	/* Of the kernel first, where it was there: each part behind its mark, and what is behind others is nobody's. */
	for (int in_kernel = 0; in_kernel < 2; in_kernel++) {
		static const uint64_t kernel[] = {(uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff82000020};
		static const uint64_t user[] = {(uint64_t)PERF_CONTEXT_GUEST, 0x5, (uint64_t)PERF_CONTEXT_USER, 0x401000, 0x401001};
		struct fake *fake = make_fake(0);
		struct perf_record record;

		fake->ring.has_chains = true;
		begin_sample(fake, in_kernel ? kernel[1] : user[3], 77, 1003009);
		put64(fake, in_kernel ? 8 : 5);
		put(fake, kernel, in_kernel ? sizeof kernel : 0);
		put(fake, user, sizeof user);
		put_registers(fake);
		put_stack(fake, 64, 40);
		commit_as(fake, (uint16_t)fake->size);
		CHECK(take(fake, &record));
		CHECK_EQ(record.sample.kernel_chain.count, in_kernel ? 2 : 0);
		CHECK(!in_kernel || !memcmp(record.sample.kernel_chain.addresses, kernel + 1, 16));
		CHECK_EQ(record.sample.stack.bytes.size, 40);
		free_fake(fake);
	}
	/* One of those beside, which have none. */
	for (int bytes = 0; bytes < 8; bytes += 4) {
		struct fake *fake = make_fake(0);
		struct perf_record record;

		fake->ring.has_chains = true;
		begin_sample(fake, 0x401000, 77, 1003009);
		put(fake, "\xff\xff\xff\xff", (size_t)bytes);
		commit_as(fake, (uint16_t)fake->size);
		CHECK(take(fake, &record));
		CHECK(!record.sample.kernel_chain.count && !record.sample.has_registers);
		free_fake(fake);
	}
}

/* Sizes of stacks that are not there. */
TEST(stacks_that_lie)
{
	static const uint64_t sizes[] = {
		1, 8, 4096, UINT32_MAX, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 8, (uint64_t)INT64_MAX + 1};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int bytes = 0; bytes <= 16; bytes += 8) {
			struct fake *fake = make_fake(0);
			struct perf_record record;

			begin_sample(fake, 1, 2, 3);
			put_registers(fake);
			put64(fake, sizes[i]);
			for (int k = 0; k < bytes; k++)
				put(fake, "\xff", 1);
			commit_as(fake, (uint16_t)fake->size);
			CHECK(take(fake, &record));
			CHECK(record.sample.stack.bytes.size <= (size_t)bytes);
			free_fake(fake);
		}
}

TEST(mappings)
{
	struct fake *fake = make_fake(8);
	struct perf_record record;

	begin(fake, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);
	put32(fake, 5);
	put32(fake, 6);
	put64(fake, 0x7000);
	put64(fake, 0x2000);
	put64(fake, 0x1000);
	put(fake, "\x14\0\0\0", 4);
	put(fake, "abcdefghijklmnopqrst", 20);
	put32(fake, 5);
	put32(fake, 2);
	put(fake, "/lib/x\0", 8);
	commit(fake, 5, 6, 99);
	CHECK(take(fake, &record));
	CHECK_EQ(record.kind, PERF_MAP);
	CHECK_EQ(record.ns, 99);
	CHECK_EQ(record.map.low, 0x7000);
	CHECK_EQ(record.map.high, 0x9000);
	CHECK_EQ(record.map.offset, 0x1000);
	CHECK_EQ(record.map.build_id_bytes, 20);
	CHECK(!memcmp(record.map.build_id, "abcdefghijklmnopqrst", 20));
	CHECK_STR(record.map.path, "/lib/x");
	/* A path without end, a build-id that is too long, an end below the beginning. */
	memset(fake->record + 8 + 64, 'x', 8);
	fake->size = 8 + 64 + 8;
	commit(fake, 5, 6, 99);
	CHECK(!take(fake, &record));
	fake->record[8 + 64 + 7] = 0;
	fake->record[8 + 32] = 255;
	fake->size = 8 + 64 + 8;
	commit(fake, 5, 6, 99);
	CHECK(take(fake, &record));
	CHECK_EQ(record.map.build_id_bytes, 0);
	memset(fake->record + 8 + 16, 0xff, 8);
	fake->size = 8 + 64 + 8;
	commit(fake, 5, 6, 99);
	CHECK(!take(fake, &record));
	free_fake(fake);
}

TEST(tasks)
{
	static const struct {
		uint32_t type, pid, parent;
		enum perf_kind kind;
	} cases[] = {{PERF_RECORD_FORK, 7, 7, PERF_THREAD}, {PERF_RECORD_FORK, 8, 7, PERF_PROCESS},
		{PERF_RECORD_EXIT, 7, 1, PERF_THREAD_END}};
	struct fake *fake = make_fake(0);
	struct perf_record record;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		begin(fake, cases[i].type, 0);
		put32(fake, cases[i].pid);
		put32(fake, cases[i].parent);
		put32(fake, 70);
		put32(fake, 71);
		put64(fake, 5);
		commit(fake, 1, 2, 5 + i);
		CHECK(take(fake, &record));
		CHECK_EQ(record.kind, cases[i].kind);
		CHECK_EQ(record.pid, cases[i].pid);
		CHECK_EQ(record.tid, 70);
		CHECK_EQ(record.ns, 5 + i);
	}
	for (int exec = 0; exec < 2; exec++) {
		begin(fake, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
		put32(fake, 9);
		put32(fake, 10);
		put(fake, "worker\0", 8);
		commit(fake, 9, 10, 50);
		CHECK(take(fake, &record));
		CHECK_EQ(record.kind, exec ? PERF_EXEC : PERF_NAME);
		CHECK_STR(record.name, "worker");
	}
	begin(fake, PERF_RECORD_LOST, 0);
	put64(fake, 1);
	put64(fake, 4711);
	commit(fake, 9, 10, 51);
	CHECK(take(fake, &record));
	CHECK_EQ(record.kind, PERF_LOST);
	CHECK_EQ(record.lost, 4711);
	begin(fake, PERF_RECORD_AUX, 0); /* nobody asks for those */
	commit(fake, 9, 10, 52);
	CHECK(!take(fake, &record));
	CHECK_EQ(fake->page.data_tail, fake->page.data_head);
	free_fake(fake);
}

/* Sizes that no kernel writes: what is in the ring is left out, and counted; what comes behind it is read. */
TEST(sizes_that_lie)
{
	static const uint16_t sizes[] = {0, 7, 8, 23, 31, 39, 4097, 65535};
	struct perf_record record;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct fake *fake = make_fake(RING_BYTES - 16);

		begin_sample(fake, 1, 2, 3);
		commit_as(fake, sizes[i]);
		CHECK(!take(fake, &record));
		CHECK_EQ(fake->ring.damaged, 1);
		CHECK_EQ(fake->page.data_tail, fake->page.data_head);
		begin_sample(fake, 4, 5, 6);
		commit_as(fake, (uint16_t)fake->size);
		CHECK(take(fake, &record));
		CHECK_EQ(record.sample.ip, 4);
		free_fake(fake);
	}
}

/* A head that is further than the ring is long. */
TEST(heads_that_lie)
{
	struct fake *fake = make_fake(0);
	struct perf_record record;

	begin_sample(fake, 1, 2, 3);
	commit_as(fake, 60000);
	fake->page.data_head = UINT64_C(1) << 40;
	CHECK(!take(fake, &record));
	CHECK_EQ(fake->ring.damaged, 1);
	free_fake(fake);
}

/* Nothing at all of it makes sense. */
TEST(noise)
{
	uint64_t seed = 1;

	for (int round = 0; round < 20000; round++) {
		struct fake *fake = make_fake(seed % RING_BYTES & ~7u);
		struct perf_record record;

		for (unsigned i = 0; i < RING_BYTES; i += 8) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			memcpy(fake->ring.data + i, &seed, 8);
			if (seed >> 60 < 8) { /* as if a record began here */
				const struct perf_event_header header = {
					.type = seed >> 56 & 15, .size = (uint16_t)(seed >> 40 & 0x1ff)};

				memcpy(fake->ring.data + i, &header, sizeof header);
			}
		}
		fake->page.data_head = fake->ring.fetched + RING_BYTES;
		for (int i = 0; i < 1000 && perf_ring_peek(&fake->ring); i++)
			if (perf_ring_take(&fake->ring, &record) && record.kind == PERF_SAMPLE)
				CHECK(record.sample.stack.bytes.size < RING_BYTES);
		free_fake(fake);
		round += round > 200 ? 100 : 0;
	}
}

int main(void)
{
	RUN(samples);
	RUN(samples_without_registers);
	RUN(chains);
	RUN(stacks_that_lie);
	RUN(mappings);
	RUN(tasks);
	RUN(sizes_that_lie);
	RUN(heads_that_lie);
	RUN(noise);
	return tap_done();
}
