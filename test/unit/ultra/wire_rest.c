/* The interrupts that no counter has, taken by hosts (WIRE_REST in classic/core/wire.h). */
#include "wire_pair.h"

/* What no counter has is taken, too: each of two hosts has what came since the other one took. */
TEST(rest_is_taken)
{
	struct line line = {.client = make_wire_client(1), .quiet = true}, other = {.client = make_wire_client(2), .quiet = true};
	uint32_t before;

	begin_with(7);
	for (int i = 0; i < 500; i++)
		tick();
	dwell_histogram.beyond = 0x12345;
	before = (uint32_t)dwell_histogram.overflow;
	CHECK(before > 50 && perform(&line, WIRE_JOB_TAKE));
	CHECK(wire_client_state(line.client).overflow == before && wire_client_state(line.client).beyond == 0x12345);
	CHECK(perform(&line, WIRE_JOB_BYE));
	for (int i = 0; i < 300; i++)
		tick();
	dwell_histogram.beyond += 7;
	CHECK(perform(&other, WIRE_JOB_TAKE));
	CHECK_EQ(wire_client_state(other.client).overflow, dwell_histogram.overflow - before);
	CHECK_EQ(wire_client_state(other.client).beyond, 7);
	CHECK_EQ(in_host(line.client) + in_host(other.client) + dwell_histogram.overflow, 800);
	CHECK(perform(&other, WIRE_JOB_BYE));
	CHECK(perform(&line, WIRE_JOB_FETCH) && wire_client_state(line.client).overflow == before); /* nothing is left */
	CHECK_EQ(wire_client_interrupts(line.client), 800 + 0x12345 + 7);
	free_wire_client(line.client);
	free_wire_client(other.client);
}

/* A target of an older version refuses that, and nothing else. */
TEST(rest_is_refused)
{
	struct line line = {.client = make_wire_client(1), .quiet = true};
	struct wire_sender refusal = {.count = 0};
	uint8_t byte;
	int refused = 0;

	begin_with(7);
	for (int i = 0; i < 500; i++)
		tick();
	wire_client_begin(line.client, WIRE_JOB_TAKE);
	for (int frames = 0; frames < 10000 && !wire_client_is_done(line.client); frames++) {
		bool is_quiet = false;

		line.size = wire_client_frame(line.client, line.frame);
		line.at = 0;
		if (line.frame[1] == WIRE_TAKE && line.frame[7] == 0xff && line.frame[8] == 0xff) {
			memcpy(refusal.bytes, (uint8_t[]){WIRE_REFUSED, line.frame[2], WIRE_TAKE, WIRE_WHY_RANGE}, 4);
			for (dwell_wire_begin(&refusal, 4); dwell_wire_next(&refusal, &byte);)
				wire_client_take(line.client, byte);
			refused++;
			continue;
		}
		while (!is_quiet && move(&line, &is_quiet) == WIRE_NOTHING)
			;
	}
	CHECK(wire_client_is_done(line.client) && refused == 1);
	CHECK_EQ(wire_client_state(line.client).overflow, dwell_histogram.overflow);
	CHECK_EQ(in_host(line.client) + dwell_histogram.overflow, 500);
	free_wire_client(line.client);
}

int main(void)
{
	RUN(rest_is_taken);
	RUN(rest_is_refused);
	return tap_done();
}
