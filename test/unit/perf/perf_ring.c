/* What is fetched from a ring while somebody else takes from it: each record once, in order, whole; and as much as there is room
 * for. */
#include <sched.h>

#include "check.h"
#include "sample/perf/perf_fetcher.h"
#include "unit/perf/fake_ring.h"

#define SAMPLE_BYTES (PERF_HEADER_BYTES + PERF_SAMPLE_BYTES)
#define FULL (RING_BYTES / SAMPLE_BYTES)

static void add(struct fake *fake, uint64_t number)
{
	begin_sample(fake, number, number, 1);
	commit_as(fake, (uint16_t)fake->size);
}

/* Room for two of the kernel's; what finds none stays with the kernel until there is. */
TEST(kept)
{
	struct fake *fake = make_fake(0);
	struct perf_record record;
	uint64_t added = 0, taken = 0;

	free(fake->ring.kept);
	fake->ring.kept = malloc(2 * RING_BYTES);
	fake->ring.kept_bytes = 2 * RING_BYTES;
	for (int round = 0; round < 50; round++) {
		for (int fills = 0; fills < 3; fills++) {
			while (fake->page.data_head - fake->page.data_tail + SAMPLE_BYTES <= RING_BYTES)
				add(fake, added++);
			perf_ring_fetch(&fake->ring);
		}
		if (!round)
			CHECK_EQ(added, 3 * FULL);
		/* Some stay: what comes then lies at the end of what is kept, and at its beginning. */
		for (uint64_t stay = round < 49 ? (uint64_t)round % 8 : 0; added - taken > stay; taken++) {
			CHECK(take(fake, &record));
			CHECK_EQ(record.ns, taken);
			CHECK_EQ(record.sample.ip, taken);
		}
	}
	CHECK(!take(fake, &record));
	CHECK_EQ(fake->ring.damaged, 0);
	free_fake(fake);
}

static void fetch(void *context)
{
	perf_ring_fetch(context);
}

/* Where what is taken last is in two parts, it is valid until the next one is asked for. */
TEST(at_once)
{
	struct fake *fake = make_fake(RING_BYTES - 40);
	struct perf_fetcher *fetcher = make_perf_fetcher(fetch, &fake->ring, 1000);
	struct perf_record record;
	uint64_t added = 0, taken = 0, rounds = 0;

	CHECK(fetcher);
	while (taken < 20000) {
		uint64_t room = RING_BYTES - (fake->page.data_head - __atomic_load_n(&fake->page.data_tail, __ATOMIC_ACQUIRE));

		for (; room >= SAMPLE_BYTES && added - taken < 100; room -= SAMPLE_BYTES) {
			struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = SAMPLE_BYTES};
			uint64_t values[5] = {added, 0, added, 0, 1}, head = fake->page.data_head;
			uint8_t bytes[SAMPLE_BYTES];

			memcpy(bytes, &header, sizeof header);
			memcpy(bytes + sizeof header, values, sizeof values);
			for (size_t i = 0; i < sizeof bytes; i++)
				fake->ring.data[(head + i) % RING_BYTES] = bytes[i];
			__atomic_store_n(&fake->page.data_head, head + sizeof bytes, __ATOMIC_RELEASE);
			added++;
		}
		for (uint64_t some = ++rounds % 60; some && take(fake, &record); some--) {
			CHECK_EQ(record.ns, taken);
			CHECK_EQ(record.sample.ip, taken);
			taken++;
		}
		sched_yield();
	}
	free_perf_fetcher(fetcher);
	CHECK_EQ(fake->ring.damaged, 0);
	free_fake(fake);
}

/* More than the kernel has room for was never there. */
TEST(overrun)
{
	struct fake *fake = make_fake(0);
	struct perf_record record;

	fake->page.data_head = RING_BYTES + 8;
	CHECK(!take(fake, &record));
	CHECK_EQ(fake->ring.damaged, 1);
	CHECK_EQ(fake->page.data_tail, fake->page.data_head);
	add(fake, 5);
	CHECK(take(fake, &record));
	CHECK_EQ(record.ns, 5);
	free_fake(fake);
}

/* Whoever opened an event decides what stands behind its fields: what both of them ask of a record is found by either layout, in a
 * record that lies at the end of what is kept and at its beginning, too. */
TEST(fields)
{
	static const struct perf_layout layouts[] = {PERF_LAYOUT, {.sample_bytes = 24, .trailer_bytes = 16}};
	static const struct {
		uint32_t type, bytes;
		uint64_t lost;
	} cases[] = {{PERF_RECORD_SWITCH, 0, 0}, {PERF_RECORD_LOST, 16, 102}, {PERF_RECORD_LOST, 15, 1},
		{PERF_RECORD_LOST_SAMPLES, 8, 101}, {PERF_RECORD_LOST_SAMPLES, 0, 1}, {PERF_RECORD_FORK, 24, 0}};

	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		const struct perf_layout *layout = &layouts[i % 2];
		struct fake *fake = make_fake(RING_BYTES - 20);
		struct perf_fields fields;
		const uint64_t values[] = {101, 102, 103}, number = FAKE_TIMER;

		fake->ring.layout = *layout;
		begin(fake, cases[i / 2].type, 5);
		put(fake, values, cases[i / 2].bytes);
		put32(fake, 77);
		put32(fake, 78);
		put64(fake, 79);
		put(fake, &number, layout->trailer_bytes - 16);
		commit_as(fake, (uint16_t)fake->size);
		if (!CHECK(perf_ring_peek(&fake->ring) && perf_ring_take_fields(&fake->ring, &fields)))
			return;
		CHECK_EQ(fields.type, cases[i / 2].type);
		CHECK_EQ(fields.misc, 5);
		CHECK_EQ(fields.pid, 77);
		CHECK_EQ(fields.tid, 78);
		CHECK_EQ(fields.ns, 79);
		CHECK_EQ(fields.lost, cases[i / 2].lost);
		CHECK_EQ(fields.end - fields.begin, cases[i / 2].bytes);
		CHECK(!memcmp(fields.begin, values, cases[i / 2].bytes));
		free_fake(fake);
	}
}

TEST(sample_fields)
{
	struct fake *fake = make_fake(RING_BYTES - 20);
	struct perf_fields fields;
	uint64_t address;

	fake->ring.layout = (struct perf_layout){.sample_bytes = 24, .trailer_bytes = 16};
	begin(fake, PERF_RECORD_SAMPLE, 0);
	put64(fake, 0x401000);
	put32(fake, 77);
	put32(fake, 78);
	put64(fake, 79);
	commit_as(fake, (uint16_t)fake->size);
	CHECK(perf_ring_peek(&fake->ring) && perf_ring_take_fields(&fake->ring, &fields));
	CHECK(fields.pid == 77 && fields.tid == 78 && fields.ns == 79 && !fields.lost);
	CHECK_EQ(fields.end - fields.begin, 24);
	memcpy(&address, fields.begin, sizeof address);
	CHECK_EQ(address, 0x401000);
	free_fake(fake);
}

int main(void)
{
	RUN(kept);
	RUN(at_once);
	RUN(overrun);
	RUN(fields);
	RUN(sample_fields);
	return tap_done();
}
