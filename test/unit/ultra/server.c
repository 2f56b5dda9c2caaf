/* A host fetches while the program is being sampled: no interrupt is lost or counted twice, whatever happens to the line. */
#include <stdlib.h>

#include "port.h"
#include "target.h"
#include "ultra_host.h"

/* The line: moves one byte to the target, else one to the host, and now and then the program is interrupted. False: all is quiet.
 * damage: how many bytes of 10000 are changed or get lost. */
static uint32_t damage;
static uint64_t moved;

static bool spoil(uint8_t *byte)
{
	if (pick(10000) >= damage)
		return false;
	*byte ^= (uint8_t)(1 << pick(8));
	return pick(2);
}

static bool move(struct fetch *host, bool *answered)
{
	uint8_t byte;

	*answered = false;
	if (!pick(3))
		tick();
	if (dwell_server_listens(server) && dwell_wire_next(&host->out, &byte)) {
		moved++;
		if (!spoil(&byte))
			dwell_server_receive(server, byte);
		return true;
	}
	for (int tries = 0; tries < 100; tries++)
		if (dwell_server_send(server, &byte)) {
			moved++;
			if (!spoil(&byte))
				*answered = fetch_byte(host, byte);
			return true;
		}
	return false;
}

/* Until everything was fetched, or so many bytes have moved: false. */
static bool fetch_all(struct fetch *host, uint64_t bytes)
{
	bool answered;

	fetch_ask(host);
	while (moved < bytes) {
		if (!move(host, &answered) || answered) {
			if (host->finished)
				return true;
			if (!dwell_wire_sends(&host->out))
				fetch_ask(host);
		}
	}
	return false;
}

static void adds_up(const struct fetch *host)
{
	CHECK_EQ(fetch_sum(host) + in_target(), ticks);
}

TEST(fetched_and_taken)
{
	struct fetch host;
	uint32_t counted[SEGMENTS][WORDS] = {{0}};

	for (int takes = 0; takes < 2; takes++) {
		begin();
		for (int i = 0; i < 5000; i++)
			tick();
		for (int i = 0; i < SEGMENTS; i++)
			for (int k = 0; k < WORDS; k++)
				counted[i][k] = counters[i][k];
		fetch_begin(&host, 1, takes);
		moved = 0;
		CHECK(fetch_all(&host, 1000000));
		CHECK_EQ(host.segments, SEGMENTS);
		CHECK_EQ(host.period, 1000);
		CHECK_EQ(host.state, HISTOGRAM_STATE_RUNNING);
		CHECK(host.word_bytes == sizeof(void *) && host.order == 1);
		for (int i = 0; i < SEGMENTS; i++) {
			char name[40];
			uint32_t sum = 0;

			sprintf(name, "at %lx", (unsigned long)(uintptr_t)text[i]);
			CHECK_STR(host.at[i].name, name);
			CHECK_EQ(host.at[i].text, (uintptr_t)text[i]);
			CHECK_EQ(host.at[i].counters, WORDS);
			for (uint32_t piece = 0; piece < WIRE_SUM_PIECES; piece++)
				sum = dwell_wire_crc(sum, (uint8_t *)text[i] + dwell_wire_sum_at(4 * WORDS, piece), WIRE_SUM_BYTES);
			CHECK_EQ(host.at[i].sum, sum);
			/* What came in between may be in it or not. */
			for (int k = 0; k < WORDS; k++)
				CHECK(host.at[i].totals[k] >= counted[i][k]);
		}
		if (takes)
			adds_up(&host);
		else
			CHECK(in_target() == ticks && fetch_sum(&host) <= ticks);
		fetch_end(&host);
	}
}

/* The line is cut after each byte, in either direction, and made anew: the host goes on where it was. */
TEST(cut_anywhere)
{
	uint64_t all = 1;

	for (uint64_t cut = 1; cut <= all && !tap_bad; cut++) {
		struct fetch host;

		state = 99;
		begin();
		for (int i = 0; i < 600; i++)
			tick();
		fetch_begin(&host, 1, true);
		moved = 0;
		if (fetch_all(&host, cut)) {
			fetch_end(&host);
			break;
		}
		all = cut + 1;
		dwell_server_reset(server);
		fetch_again(&host);
		CHECK(fetch_all(&host, 1000000));
		adds_up(&host);
		fetch_end(&host);
	}
	CHECK(all > 1000);
}

/* Bytes change, or get lost: what did not come is asked for again. */
TEST(noise)
{
	for (int round = 0; round < 60; round++) {
		struct fetch host;

		begin();
		for (int i = 0; i < 2000; i++)
			tick();
		fetch_begin(&host, 1, true);
		moved = 0;
		damage = 1 + pick(60);
		CHECK(fetch_all(&host, 10000000));
		damage = 0;
		adds_up(&host);
		fetch_end(&host);
	}
}

/* A full counter: what is beyond it is said, and once fetched it counts on. */
TEST(asks_to_be_fetched)
{
	struct fetch host;
	bool answered;

	begin();
	fetch_begin(&host, 1, true);
	moved = 0;
	CHECK(fetch_all(&host, 1000000));
	for (int i = 0; i < 0xc000; i++, ticks++)
		dwell_histogram_sample(&dwell_histogram, (uintptr_t)&text[1][5]);
	while (move(&host, &answered))
		;
	CHECK_EQ(host.wanted, 1);
	for (int i = 0; i < 0x8000; i++, ticks++)
		dwell_histogram_sample(&dwell_histogram, (uintptr_t)&text[1][5]);
	CHECK_EQ(dwell_histogram.beyond, 0x4001);
	host.finished = false;
	host.segment = 0;
	host.first = 0;
	fetch_next(&host);
	CHECK(fetch_all(&host, 1000000));
	CHECK_EQ(host.beyond, 0x4001);
	CHECK_EQ(host.at[1].totals[5], 0xffff);
	adds_up(&host);
	fetch_end(&host);
}

/* One TAKE, and what it is answered with. */
static uint8_t take(struct fetch *host, uint32_t number, uint16_t segment, uint32_t first, uint16_t offset, uint16_t count)
{
	static struct wire_receiver receiver;
	uint8_t payload[18], byte, type = 0;

	dwell_wire_put32(payload, number);
	dwell_wire_put16(payload + 4, segment);
	dwell_wire_put32(payload + 6, first);
	dwell_wire_put32(payload + 10, first);
	dwell_wire_put16(payload + 14, offset);
	dwell_wire_put16(payload + 16, count);
	fetch_send(host, WIRE_TAKE, payload, sizeof payload);
	while (dwell_wire_next(&host->out, &byte))
		dwell_server_receive(server, byte);
	for (bool sends; (sends = dwell_server_send(server, &byte)) || !dwell_server_listens(server);)
		if (sends && dwell_wire_receive(&receiver, byte))
			type = receiver.bytes[0] == WIRE_REFUSED ? receiver.bytes[3] : receiver.bytes[0];
	return type;
}

TEST(taken_once)
{
	struct fetch host;

	begin();
	fetch_begin(&host, 1, true);
	moved = 0;
	CHECK(fetch_all(&host, 1000000));
	begin();
	counters[1][9] = 100;
	/* After osProfileInit the host has to begin anew. */
	CHECK_EQ(take(&host, 1, 1, 0, 9, 10), WIRE_WHY_SESSION);
	fetch_again(&host);
	host.finished = false;
	host.segment = host.first = 0;
	CHECK(fetch_all(&host, 1000000));
	counters[1][9] = 100;
	host.taken = (uint32_t)dwell_histogram.taken;
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(take(&host, host.taken + 1, 1, 0, 9, 10), WIRE_TAKEN);
		CHECK_EQ(counters[1][9], 90);
	}
	CHECK_EQ(take(&host, host.taken, 1, 0, 9, 10), WIRE_WHY_NUMBER);
	CHECK_EQ(take(&host, host.taken + 3, 1, 0, 9, 10), WIRE_WHY_NUMBER);
	CHECK_EQ(take(&host, host.taken + 2, 1, 9, 0, 91), WIRE_WHY_RANGE);
	CHECK_EQ(take(&host, host.taken + 2, 1, WORDS, 0, 0), WIRE_WHY_RANGE);
	CHECK_EQ(take(&host, host.taken + 2, 1, 0xffffffff, 10, 10), WIRE_WHY_RANGE);
	CHECK_EQ(take(&host, host.taken + 2, 1, 0, 0xffff, 10), WIRE_WHY_RANGE);
	CHECK_EQ(take(&host, host.taken + 2, SEGMENTS, 0, 9, 10), WIRE_WHY_RANGE);
	CHECK_EQ(take(&host, host.taken + 2, 0xffff, 0, 9, 10), WIRE_WHY_RANGE);
	CHECK_EQ(counters[1][9], 90);
	CHECK_EQ(take(&host, host.taken + 2, 1, 9, 0, 90), WIRE_TAKEN);
	CHECK_EQ(counters[1][9], 0);
	fetch_end(&host);
}

/* A TAKE of many counts takes several calls; where the line goes between them, it is done as a whole or not at all. */
TEST(cut_in_a_take)
{
	uint32_t none = 0, whole = 0;

	for (int calls = 0; calls < 12; calls++) {
		uint8_t payload[4 + WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * WIRE_ENTRIES_MAX] = {0}, byte;
		struct fetch host;
		uint32_t left = 0;

		begin();
		fetch_begin(&host, 1, false);
		moved = 0;
		CHECK(fetch_all(&host, 1000000));
		dwell_wire_put32(payload, host.taken + 1);
		for (uint16_t i = 0; i < WIRE_ENTRIES_MAX; i++) {
			counters[0][i] = 10;
			dwell_wire_put16(payload + 14 + 4 * i, i);
			dwell_wire_put16(payload + 16 + 4 * i, 10);
		}
		fetch_send(&host, WIRE_TAKE, payload, sizeof payload);
		while (dwell_wire_next(&host.out, &byte))
			dwell_server_receive(server, byte);
		for (int i = 0; i < calls; i++)
			dwell_server_send(server, &byte);
		dwell_server_reset(server);
		for (int i = 0; i < WIRE_ENTRIES_MAX; i++)
			left += counters[0][i];
		CHECK(dwell_histogram.taken == host.taken ? left == 10 * WIRE_ENTRIES_MAX : !left);
		none += left != 0;
		whole += !left;
		fetch_end(&host);
	}
	CHECK(none > 2 && whole > 2);
}

TEST(two_hosts)
{
	struct fetch first, second;

	begin();
	fetch_begin(&first, 1, false);
	fetch_begin(&second, 2, false);
	moved = 0;
	CHECK(fetch_all(&first, 1000000));
	for (int i = 0; i < 20; i++) {
		bool answered;

		/* The first one goes on; the second is told each time. */
		first.finished = false;
		first.wants = WIRE_ASK;
		CHECK(fetch_all(&first, moved + 1000));
		second.busy = false;
		fetch_ask(&second);
		do
			move(&second, &answered);
		while (!answered);
		CHECK(second.busy && !second.segments);
	}
	/* The first one says nothing any more. */
	CHECK(fetch_all(&second, moved + 100000));
	first.finished = false;
	fetch_ask(&first);
	for (bool answered = false; !answered;)
		move(&first, &answered);
	CHECK_EQ(first.refused, WIRE_WHY_SESSION);
	fetch_end(&first);
	fetch_end(&second);
}

TEST(started_and_stopped_from_afar)
{
	struct fetch host;

	begin();
	fetch_begin(&host, 1, false);
	moved = 0;
	CHECK(fetch_all(&host, 1000000));
	host.finished = false;
	host.wants = WIRE_STOP;
	CHECK(fetch_all(&host, 1000000));
	CHECK(!timer_runs && host.state == 0);
	host.finished = false;
	host.wants = WIRE_BYE;
	CHECK(fetch_all(&host, 1000000));
	CHECK(!server->in_session);
	osProfileStart(500);
	CHECK(timer_runs);
	fetch_end(&host);
}

static int error;

static void note(s16 code, s16 arguments, ...)
{
	(void)arguments;
	error = code;
}

static void say(struct fetch *host, uint8_t type)
{
	host->finished = false;
	host->wants = type;
	CHECK(fetch_all(host, moved + 100000) || host->refused);
}

/* What a host has stopped goes on when the host is gone; and what the program does meanwhile is as if it had not been stopped. */
TEST(held)
{
	OSProf segment = {counters[0], WORDS, text[0], text[0] + WORDS - 1};
	struct fetch host, other;

	osSetErrorHandler(note);
	for (int i = 0; i < 5; i++) {
		begin();
		fetch_begin(&host, 1, false);
		moved = error = 0;
		say(&host, WIRE_ASK);
		say(&host, WIRE_STOP);
		CHECK(!timer_runs);
		switch (i) {
		case 0: /* the line is cut */
			dwell_server_reset(server);
			CHECK(timer_runs && timer_us == 1000);
			break;
		case 1: /* another one comes, and it says nothing any more */
			fetch_begin(&other, 2, false);
			for (int asked = 0; asked < SERVER_RIVAL_ASKS; asked++) {
				CHECK(!timer_runs);
				other.busy = false;
				fetch_ask(&other);
				for (bool answered = false; !answered;)
					move(&other, &answered);
			}
			CHECK(timer_runs && !other.busy);
			fetch_end(&other);
			break;
		case 2: /* it meant it */
			say(&host, WIRE_BYE);
			dwell_server_reset(server);
			CHECK(!timer_runs);
			break;
		case 3: /* the program stops, and that holds */
			osProfileStop();
			CHECK_EQ(error, 0);
			say(&host, WIRE_START);
			CHECK(host.refused == WIRE_WHY_STATE && !timer_runs);
			dwell_server_reset(server);
			CHECK(!timer_runs);
			osProfileStop();
			CHECK_EQ(error, ERR_OSPROFILESTOP_FLAG);
			osProfileStart(500);
			CHECK(timer_runs && timer_us == 500);
			break;
		case 4: /* it runs, as the program knows it */
			osProfileStart(500);
			CHECK_EQ(error, ERR_OSPROFILESTART_FLAG);
			osProfileInit(&segment, 1);
			CHECK_EQ(error, ERR_OSPROFILEINIT_STR);
			CHECK(!timer_runs);
			say(&host, WIRE_START);
			CHECK(timer_runs && timer_us == 1000);
			break;
		}
		fetch_end(&host);
	}
}

/* Whoever comes and says anything: frames whose CRC is right, and what is in them is not. */
TEST(random_frames)
{
	struct fetch host;

	begin();
	fetch_begin(&host, 1, true);
	moved = 0;
	CHECK(fetch_all(&host, 1000000));
	for (int round = 0; round < 100000 && !tap_bad; round++) {
		uint8_t payload[WIRE_CONTENT_MAX], byte;
		size_t size = pick(WIRE_CONTENT_MAX - WIRE_HEAD_BYTES + 1);

		for (size_t i = 0; i < size; i++)
			payload[i] = (uint8_t)(pick(2) ? pick(4) : pick(256));
		if (size > 7 && pick(2))
			dwell_wire_put32(payload, (uint32_t)dwell_histogram.taken + pick(3));
		host.session = server->session;
		fetch_send(&host, (uint8_t)(1 + pick(12)), payload, size);
		while (dwell_wire_next(&host.out, &byte))
			dwell_server_receive(server, byte);
		while (dwell_server_send(server, &byte) || !dwell_server_listens(server))
			;
		if (!pick(20))
			tick();
		for (int i = 0; i < SEGMENTS; i++)
			CHECK(dwell_histogram.segments[i].bytes == 4 * WORDS);
		CHECK(in_target() <= ticks);
	}
	fetch_end(&host);
}

int main(void)
{
	RUN(fetched_and_taken);
	RUN(cut_anywhere);
	RUN(noise);
	RUN(asks_to_be_fetched);
	RUN(taken_once);
	RUN(cut_in_a_take);
	RUN(two_hosts);
	RUN(started_and_stopped_from_afar);
	RUN(held);
	RUN(random_frames);
	return tap_done();
}
