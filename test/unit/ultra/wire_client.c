/* The host's end of the wire (classic/host/io/wire_client.h) against the target's: no interrupt is lost or counted twice, wherever
 * the line is cut and whatever happens to it; and targets that say what cannot be. */
#include "wire_pair.h"

static void adds_up(struct line *line)
{
	CHECK_EQ(in_host(line->client) + in_target(), ticks);
	/* And what is copied now is all there is. */
	line->quiet = true;
	line->damage = 0;
	CHECK(perform(line, WIRE_JOB_FETCH));
	CHECK_EQ(in_host(line->client) + dwell_histogram.overflow + dwell_histogram.beyond, ticks);
	CHECK_EQ(wire_client_state(line->client).overflow, dwell_histogram.overflow);
	line->quiet = false;
}

/* How long interrupts came the target tells, by its own clock, and how many there were, whoever took them. */
TEST(time_is_told)
{
	struct line line = {.client = make_wire_client(1), .quiet = true}, other = {.client = make_wire_client(2), .quiet = true};
	struct wire_sender refusal = {.count = 0};
	uint8_t byte;

	begin_with(1);
	for (int i = 0; i < 500; i++)
		tick();
	now_us += UINT64_C(5000000000); /* more than 32 bits */
	CHECK(perform(&other, WIRE_JOB_TAKE) && wire_client_state(other.client).ran_us == 5000000000u);
	CHECK_EQ(wire_client_interrupts(other.client), 500);
	CHECK(perform(&other, WIRE_JOB_BYE));
	for (int i = 0; i < 100; i++)
		tick();
	CHECK(perform(&line, WIRE_JOB_STOP));
	now_us += 7;
	CHECK(perform(&line, WIRE_JOB_START));
	now_us += 3;
	CHECK(perform(&line, WIRE_JOB_FETCH) && wire_client_state(line.client).ran_us == 5000000003u);
	CHECK_EQ(wire_client_interrupts(line.client), 600);
	/* One of an older version refuses that, and nothing else. */
	wire_client_begin(line.client, WIRE_JOB_FETCH);
	for (int frames = 0; frames < 10000 && !wire_client_is_done(line.client); frames++) {
		bool is_quiet = false;

		line.size = wire_client_frame(line.client, line.frame);
		line.at = 0;
		if (line.frame[1] == WIRE_RAN) {
			memcpy(refusal.bytes, (uint8_t[]){WIRE_REFUSED, line.frame[2], WIRE_RAN, WIRE_WHY_CONTENT}, 4);
			for (dwell_wire_begin(&refusal, 4); dwell_wire_next(&refusal, &byte);)
				wire_client_take(line.client, byte);
			continue;
		}
		while (!is_quiet && move(&line, &is_quiet) == WIRE_NOTHING)
			;
	}
	CHECK(wire_client_is_done(line.client) && !wire_client_state(line.client).ran_us);
	/* New counters, new time. */
	begin();
	now_us += 11;
	tick();
	CHECK(perform(&line, WIRE_JOB_FETCH) && wire_client_state(line.client).ran_us == 11);
	CHECK_EQ(wire_client_interrupts(line.client), 1);
	free_wire_client(other.client);
	free_wire_client(line.client);
}

TEST(copied_and_taken)
{
	struct line line = {.client = make_wire_client(1)};

	begin_with(1);
	CHECK(perform(&line, WIRE_JOB_GREET));
	CHECK(wire_client_state(line.client).is_running);
	CHECK_EQ(wire_client_state(line.client).period_us, 1000);
	for (int i = 0; i < 5000; i++)
		tick();
	CHECK(perform(&line, WIRE_JOB_FETCH));
	CHECK_EQ(wire_client_segments(line.client), SEGMENTS);
	for (int i = 0; i < SEGMENTS; i++)
		CHECK_EQ(wire_client_segment(line.client, (uint32_t)i)->counters, WORDS);
	CHECK_EQ(in_target(), ticks); /* copied: all is still there */
	for (int i = 0; i < 5; i++) {
		CHECK(perform(&line, WIRE_JOB_TAKE));
		CHECK_EQ(in_host(line.client) + in_target(), ticks);
	}
	adds_up(&line);
	CHECK(perform(&line, WIRE_JOB_STOP));
	CHECK(!timer_runs);
	CHECK(perform(&line, WIRE_JOB_START));
	CHECK(timer_runs && timer_us == 1000);
	CHECK(perform(&line, WIRE_JOB_BYE));
	CHECK(!server->in_session);
	free_wire_client(line.client);
}

/* After each byte of taking all away, both ways; then the same host comes back. */
TEST(cut_after_every_byte)
{
	uint64_t bytes;
	struct line line = {.client = make_wire_client(1)};

	begin_with(7);
	for (int i = 0; i < 400; i++)
		tick();
	CHECK(perform(&line, WIRE_JOB_TAKE));
	bytes = line.moved;
	CHECK(bytes > 500);
	free_wire_client(line.client);
	for (uint64_t at = 1; at <= bytes && !tap_bad; at++) {
		line = (struct line){.client = make_wire_client(1), .cut_at = at};
		begin_with(7);
		for (int i = 0; i < 400; i++)
			tick();
		CHECK(perform(&line, WIRE_JOB_TAKE));
		CHECK_EQ(in_host(line.client) + in_target(), ticks);
		CHECK(perform(&line, WIRE_JOB_TAKE));
		adds_up(&line);
		CHECK_EQ(wire_client_renewed(line.client), 0);
		free_wire_client(line.client);
	}
}

TEST(noise)
{
	for (uint32_t damage = 1; damage <= 100 && !tap_bad; damage *= 10) {
		struct line line = {.client = make_wire_client(1), .damage = damage};

		begin_with(damage);
		for (int i = 0; i < 1000; i++)
			tick();
		for (int i = 0; i < 10; i++)
			CHECK(perform(&line, WIRE_JOB_TAKE));
		CHECK(damage < 10 || wire_client_damaged(line.client));
		adds_up(&line);
		free_wire_client(line.client);
	}
}

/* osProfileInit again, and a program that began anew: what was counted before is not counted with it. */
TEST(new_counters)
{
	struct line line = {.client = make_wire_client(1)};

	begin_with(3);
	for (int i = 0; i < 1000; i++)
		tick();
	CHECK(perform(&line, WIRE_JOB_TAKE));
	begin_with(4);
	for (int i = 0; i < 50; i++)
		tick();
	CHECK(perform(&line, WIRE_JOB_TAKE));
	CHECK_EQ(wire_client_renewed(line.client), 1);
	adds_up(&line);
	/* Another process: the same generation, and nothing was taken of it. */
	begin_with(5);
	server->generation--;
	CHECK(dwell_histogram.taken == 0);
	for (int i = 0; i < 50; i++)
		tick();
	wire_client_reconnect(line.client);
	CHECK(perform(&line, WIRE_JOB_TAKE));
	CHECK_EQ(wire_client_renewed(line.client), 2);
	adds_up(&line);
	free_wire_client(line.client);
}

/* The machine is reset: the same segments and generation, no TAKE, and in the end more counts than before. The host is told. */
TEST(reset_machine)
{
	struct line line = {.client = make_wire_client(1)};

	for (int round = 0; round < 3; round++) {
		const uint32_t generation = 77;

		begin_with(5);
		/* As memory is at first. */
		memset(server, 0, sizeof *server);
		server->generation = generation;
		osProfileStop();
		begin();
		for (int i = 0; i < 1000 * (round + 1); i++)
			tick();
		wire_client_reconnect(line.client);
		CHECK(perform(&line, WIRE_JOB_FETCH));
		CHECK_EQ(wire_client_state(line.client).generation, generation + 1);
		CHECK_EQ(wire_client_renewed(line.client), round);
		/* The line alone was cut. */
		dwell_server_reset(server);
		wire_client_reconnect(line.client);
		CHECK(perform(&line, WIRE_JOB_FETCH));
		CHECK_EQ(wire_client_renewed(line.client), round);
	}
	free_wire_client(line.client);
}

TEST(told_unasked)
{
	struct line line = {.client = make_wire_client(1)};
	bool is_quiet = false;

	begin_with(9);
	CHECK(perform(&line, WIRE_JOB_GREET));
	CHECK(!wire_client_is_told(line.client));
	line.quiet = true;
	for (int i = 0; i <= HISTOGRAM_NEAR; i++)
		dwell_histogram_sample(&dwell_histogram, (uintptr_t)&text[1][5]);
	ticks += HISTOGRAM_NEAR + 1;
	while (!is_quiet)
		move(&line, &is_quiet);
	CHECK(wire_client_is_wanted(line.client));
	CHECK(perform(&line, WIRE_JOB_TAKE));
	CHECK_EQ(counters[1][5], 0);
	CHECK(dwell_server_flush(server));
	is_quiet = false;
	while (!is_quiet)
		move(&line, &is_quiet);
	CHECK(wire_client_flushes(line.client) && !wire_client_flushes(line.client));
	CHECK(dwell_server_flushes(server));
	CHECK(perform(&line, WIRE_JOB_DONE));
	CHECK(!dwell_server_flushes(server));
	adds_up(&line);
	free_wire_client(line.client);
}

TEST(another_host_is_told)
{
	struct line first = {.client = make_wire_client(1)}, second = {.client = make_wire_client(2)};
	enum wire_event event = WIRE_NOTHING;

	begin_with(11);
	CHECK(perform(&first, WIRE_JOB_FETCH));
	wire_client_begin(second.client, WIRE_JOB_GREET);
	second.size = wire_client_frame(second.client, second.frame);
	for (bool is_quiet = false; !is_quiet && event == WIRE_NOTHING;)
		event = move(&second, &is_quiet);
	CHECK_EQ(event, WIRE_IS_BUSY);
	CHECK_EQ(wire_client_state(second.client).busy_with, 1);
	CHECK(perform(&first, WIRE_JOB_FETCH));
	free_wire_client(first.client);
	free_wire_client(second.client);
}

/* Memory that the program shares, on a line that changes and loses bytes. */
TEST(shared)
{
	static uint8_t memory[3][1000];
	const uint32_t sizes[] = {1000, 1, 256};

	for (uint32_t damage = 0; damage <= 50; damage += 25) {
		struct line line = {.client = make_wire_client(1), .damage = damage};
		const struct wire_areas *areas;

		begin_with(13);
		if (!damage) {
			CHECK(perform(&line, WIRE_JOB_AREAS));
			CHECK_EQ(wire_client_areas(line.client)->count, 0);
			for (int i = 0; i < 3; i++) {
				for (uint32_t k = 0; k < sizes[i]; k++)
					memory[i][k] = (uint8_t)pick(256);
				osProfileShare(memory[i], sizes[i]);
			}
			osProfileShare(memory, 0);
		}
		CHECK(perform(&line, WIRE_JOB_AREAS));
		areas = wire_client_areas(line.client);
		CHECK_EQ(areas->count, 3);
		for (size_t i = 0; i < areas->count && i < 3; i++) {
			CHECK_EQ(areas->list[i].address, (uintptr_t)memory[i]);
			CHECK_EQ(areas->list[i].count, sizes[i]);
			CHECK(!memcmp(areas->list[i].bytes, memory[i], sizes[i]));
		}
		line.damage = 0;
		CHECK(perform(&line, WIRE_JOB_TAKE));
		adds_up(&line);
		free_wire_client(line.client);
	}
}

/* The line is cut behind a TAKE that was not done, or behind its answer; then others take, once or often each, up to nine of them,
 * and the first one comes back. Of eight hosts the target knows what they took; then it says that it does not. */
TEST(other_hosts_take_meanwhile)
{
	uint32_t doubts = 0, losses = 0;

	for (uint64_t at = 1; at < 2000 && !tap_bad; at += 3) {
		struct line first = {.client = make_wire_client(1), .quiet = true};
		struct line others[9];
		uint32_t other_count = (uint32_t)(at % 10), doubtful;
		uint64_t sum;
		uint32_t words = at % 2 ? 20 : 200; /* one TAKE, or many */

		begin_with(at);
		for (uint32_t i = 0; i < words; i++)
			dwell_histogram_sample(&dwell_histogram, (uintptr_t)&text[1][i]);
		ticks = words;
		CHECK(perform(&first, WIRE_JOB_GREET));
		first.cut_at = first.moved + at;
		wire_client_begin(first.client, WIRE_JOB_TAKE);
		while (first.cut_at && !wire_client_is_done(first.client)) {
			first.size = wire_client_frame(first.client, first.frame);
			first.at = 0;
			for (bool is_quiet = false; !is_quiet && move(&first, &is_quiet) == WIRE_NOTHING;)
				;
		}
		dwell_server_reset(server);
		for (uint32_t i = 0; i < other_count; i++) {
			others[i] = (struct line){.client = make_wire_client(i + 2), .quiet = true};
			CHECK(perform(&others[i], WIRE_JOB_TAKE));
			dwell_server_reset(server);
			dwell_histogram_sample(&dwell_histogram, (uintptr_t)&text[1][3]);
			ticks++;
		}
		if (!wire_client_is_done(first.client))
			CHECK(perform(&first, WIRE_JOB_TAKE));
		doubtful = (uint32_t)wire_client_doubtful(first.client);
		sum = in_host(first.client) + in_target();
		for (uint32_t i = 0; i < other_count; i++) {
			CHECK_EQ(wire_client_doubtful(others[i].client), 0);
			sum += in_host(others[i].client);
			free_wire_client(others[i].client);
		}
		CHECK(sum == ticks || sum + doubtful == ticks);
		CHECK(!doubtful || other_count >= 8);
		doubts += doubtful != 0;
		losses += sum != ticks;
		free_wire_client(first.client);
	}
	CHECK(doubts > 0 && losses > 0);
}

/* A library that was closed, a buffer that was given back: what is not there any more is not read. */
TEST(gone_memory)
{
	static uint8_t memory[100];
	struct line line = {.client = make_wire_client(1)};

	begin_with(17);
	osProfileShare(memory, sizeof memory);
	gone = (uintptr_t)&text[1][0];
	CHECK(perform(&line, WIRE_JOB_FETCH));
	CHECK(wire_client_segment(line.client, 0)->sum != 0);
	CHECK_EQ(wire_client_segment(line.client, 1)->sum, 0);
	CHECK(wire_client_segment(line.client, 2)->sum != 0);
	CHECK_EQ(wire_client_segment(line.client, 1)->counters, WORDS);
	CHECK(in_host(line.client) > 0);
	gone = (uintptr_t)&memory[50];
	wire_client_begin(line.client, WIRE_JOB_AREAS);
	CHECK(!perform(&line, WIRE_JOB_AREAS));
	CHECK_EQ(wire_client_state(line.client).refused, WIRE_WHY_RANGE);
	gone = 0;
	CHECK(perform(&line, WIRE_JOB_AREAS));
	free_wire_client(line.client);
}

/* ---- a target that is not to be believed ---- */

/* What the target answers next, of the session in its head. */
static enum wire_event answer(struct wire_client *client, uint8_t type, const uint8_t *payload, size_t size)
{
	struct wire_sender sender = {.count = 0};
	enum wire_event event = WIRE_NOTHING;
	uint8_t byte;

	sender.bytes[0] = type;
	sender.bytes[1] = 1;
	memcpy(sender.bytes + WIRE_HEAD_BYTES, payload, size);
	dwell_wire_begin(&sender, WIRE_HEAD_BYTES + size);
	while (dwell_wire_next(&sender, &byte)) {
		enum wire_event one = wire_client_take(client, byte);

		event = one == WIRE_NOTHING ? event : one;
	}
	return event;
}

static enum wire_event welcome(struct wire_client *client, uint16_t segments)
{
	uint8_t payload[WIRE_WELCOME_BYTES] = {WIRE_VERSION, 4, 1, 4};

	dwell_wire_put16(payload + 4, segments);
	return answer(client, WIRE_WELCOME, payload, sizeof payload);
}

static enum wire_event extent(struct wire_client *client, uint16_t segment, uint64_t at, uint32_t count)
{
	uint8_t payload[WIRE_EXTENT_BYTES] = {0};

	dwell_wire_put16(payload, segment);
	dwell_wire_put32(payload + 2, (uint32_t)at);
	dwell_wire_put32(payload + 6, (uint32_t)(at >> 32));
	dwell_wire_put32(payload + 10, count);
	return answer(client, WIRE_EXTENT, payload, sizeof payload);
}

static enum wire_event data(struct wire_client *client, uint16_t segment, uint32_t from, uint32_t next, uint32_t count, uint16_t at)
{
	uint8_t payload[WIRE_CONTENT_MAX] = {0};

	dwell_wire_put16(payload, segment);
	dwell_wire_put32(payload + 2, from);
	dwell_wire_put32(payload + 6, next);
	for (uint32_t i = 0; i < count; i++) {
		dwell_wire_put16(payload + WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * i, (uint16_t)(at + i));
		dwell_wire_put16(payload + WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * i + 2, 1);
	}
	return answer(client, WIRE_DATA, payload, WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * count);
}

TEST(impossible_sizes)
{
	struct wire_client *client = make_wire_client(1);
	uint8_t payload[WIRE_WELCOME_BYTES] = {WIRE_VERSION, 3, 1, 4};

	wire_client_begin(client, WIRE_JOB_FETCH);
	CHECK_EQ(answer(client, WIRE_WELCOME, payload, sizeof payload), WIRE_NOTHING); /* words of 3 bytes */
	CHECK_EQ(answer(client, WIRE_WELCOME, payload, 5), WIRE_NOTHING);
	CHECK_EQ(welcome(client, WIRE_CLIENT_SEGMENTS_MAX + 1), WIRE_NOTHING);
	CHECK_EQ(welcome(client, 2), WIRE_ANSWERED);
	CHECK_EQ(extent(client, 1, 0x1000, 10), WIRE_NOTHING); /* not the one that was asked for */
	CHECK_EQ(extent(client, 0, 0x1000, WIRE_CLIENT_COUNTERS_MAX + 1), WIRE_NOTHING);
	CHECK_EQ(extent(client, 0, UINT64_MAX - 100, 100), WIRE_NOTHING);
	CHECK_EQ(extent(client, 0, 0x1000, 100000), WIRE_ANSWERED);
	CHECK_EQ(data(client, 1, 0, 100000, 0, 0), WIRE_NOTHING);
	CHECK_EQ(data(client, 0, 1, 100000, 0, 0), WIRE_NOTHING);
	CHECK_EQ(data(client, 0, 0, 100001, 0, 0), WIRE_NOTHING);
	CHECK_EQ(data(client, 0, 0, 0, 0, 0), WIRE_NOTHING); /* it would go on for ever, and … */
	CHECK_EQ(data(client, 0, 0, 1, 0, 0), WIRE_NOTHING); /* … nearly so */
	CHECK_EQ(data(client, 0, 0, 70000, 2, 0xffff), WIRE_NOTHING); /* not in order: 65535, 0 */
	CHECK_EQ(data(client, 0, 0, 32, 32, 0), WIRE_ANSWERED);
	CHECK_EQ(data(client, 0, 32, 100000, 0, 0), WIRE_ANSWERED);
	CHECK_EQ(extent(client, 1, 0x2000, WIRE_CLIENT_COUNTERS_MAX - 99999), WIRE_NOTHING); /* all together */
	CHECK_EQ(in_host(client), 32);
	/* A refusal again and again. */
	for (int i = 0; i < 8; i++) {
		const uint8_t refused[] = {WIRE_SEGMENT, WIRE_WHY_RANGE};

		CHECK_EQ(answer(client, WIRE_REFUSED, refused, 2), WIRE_ANSWERED);
		CHECK_EQ(welcome(client, 2), WIRE_ANSWERED);
	}
	CHECK_EQ(answer(client, WIRE_REFUSED, (const uint8_t[]){WIRE_SEGMENT, WIRE_WHY_RANGE}, 2), WIRE_REFUSES);
	free_wire_client(client);
}

static enum wire_event shared(struct wire_client *client, uint16_t area, uint16_t all, uint64_t at, uint32_t size)
{
	uint8_t payload[WIRE_SHARED_BYTES];

	dwell_wire_put16(payload, area);
	dwell_wire_put16(payload + 2, all);
	dwell_wire_put32(payload + 4, (uint32_t)at);
	dwell_wire_put32(payload + 8, (uint32_t)(at >> 32));
	dwell_wire_put32(payload + 12, size);
	return answer(client, WIRE_SHARED, payload, sizeof payload);
}

static enum wire_event bytes_of(struct wire_client *client, uint16_t area, uint32_t offset, size_t size)
{
	uint8_t payload[WIRE_CONTENT_MAX] = {0};

	dwell_wire_put16(payload, area);
	dwell_wire_put32(payload + 2, offset);
	return answer(client, WIRE_BYTES, payload, WIRE_BYTES_HEAD_BYTES + size);
}

TEST(impossible_areas)
{
	struct wire_client *client = make_wire_client(1);

	wire_client_begin(client, WIRE_JOB_AREAS);
	CHECK_EQ(welcome(client, 1), WIRE_ANSWERED);
	CHECK_EQ(shared(client, 0, 65, 0x1000, 10), WIRE_NOTHING);
	CHECK_EQ(shared(client, 0, 0, 0x1000, 10), WIRE_NOTHING);
	CHECK_EQ(shared(client, 1, 2, 0x1000, 10), WIRE_NOTHING);
	CHECK_EQ(shared(client, 0, 2, 0x1000, 0), WIRE_NOTHING);
	CHECK_EQ(shared(client, 0, 2, 0x1000, 0xffffffff), WIRE_NOTHING);
	CHECK_EQ(shared(client, 0, 2, UINT64_MAX - 5, 10), WIRE_NOTHING);
	CHECK_EQ(shared(client, 0, 2, 0x1000, 130), WIRE_ANSWERED);
	CHECK_EQ(bytes_of(client, 0, 0, 1), WIRE_NOTHING); /* single bytes */
	CHECK_EQ(bytes_of(client, 0, 128, 2), WIRE_NOTHING);
	CHECK_EQ(bytes_of(client, 1, 0, 128), WIRE_NOTHING);
	CHECK_EQ(bytes_of(client, 0, 0, 128), WIRE_ANSWERED);
	CHECK_EQ(bytes_of(client, 0, 128, 3), WIRE_NOTHING);
	CHECK_EQ(bytes_of(client, 0, 128, 2), WIRE_ANSWERED);
	CHECK_EQ(shared(client, 1, 1, 0x1000, 10), WIRE_NOTHING);
	CHECK_EQ(shared(client, 1, 2, 0x1000, (1u << 30) - 129), WIRE_NOTHING); /* all together */
	CHECK_EQ(shared(client, 1, 2, 0x1000, 1), WIRE_ANSWERED);
	free_wire_client(client);
}

int main(void)
{
	RUN(time_is_told);
	RUN(copied_and_taken);
	RUN(cut_after_every_byte);
	RUN(noise);
	RUN(new_counters);
	RUN(reset_machine);
	RUN(told_unasked);
	RUN(another_host_is_told);
	RUN(other_hosts_take_meanwhile);
	RUN(shared);
	RUN(gone_memory);
	RUN(impossible_sizes);
	RUN(impossible_areas);
	return tap_done();
}
