#include "io/gdb_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLIGHT_STEP 4u

struct flight {
	uint64_t address;
	size_t size;
};

static bool send_read(struct gdb *gdb, const struct flight *flight)
{
	char text[GDB_REQUEST_BYTES];

	snprintf(text, sizeof text, "%c%" PRIx64 ",%zx", gdb->has_binary ? 'x' : 'm', flight->address, flight->size);
	return gdb_send(gdb, text);
}

enum read_outcome { READ, READ_REFUSED, READ_ODD };

/* The bytes of the answer that is there: size of them at the most. */
static enum read_outcome read_answer(struct gdb *gdb, uint8_t *buffer, size_t size, size_t *got)
{
	const struct packet *packet = &gdb->packet;

	*got = 0;
	if (gdb_is_refusal(packet))
		return READ_REFUSED;
	if (gdb->has_binary && !packet->size) { /* it said so, and knows it not */
		gdb->has_binary = false;
		return READ_REFUSED;
	}
	if (!gdb->has_binary)
		*got = packet_unhex(packet->payload, packet->size, buffer, size);
	else if (packet->payload[0] == 'b' && packet->size - 1 <= size)
		memcpy(buffer, packet->payload + 1, *got = packet->size - 1);
	return *got && *got != SIZE_MAX ? READ : READ_ODD;
}

/* Answers are missing: from here on one request at a time. What was late comes before the answer to a question that nothing else
 * answers. */
static bool begin_again(struct gdb *gdb)
{
	uint64_t deadline = link_deadline(gdb->wait_ns);
	enum gdb_answer answer = GDB_FAILED;

	if (gdb->window == 1) {
		gdb_fail_silent(gdb);
		return false;
	}
	gdb->window = 1;
	if (gdb_send(gdb, "qSupported"))
		while ((answer = gdb_receive(gdb, deadline)) == GDB_ANSWERED &&
			!gdb_has_feature((const char *)gdb->packet.payload, GDB_NO_ACKS))
			;
	if (answer == GDB_SILENT)
		gdb_fail_silent(gdb);
	return answer == GDB_ANSWERED;
}

/* Of one reading. */
struct reading {
	uint64_t address;
	uint8_t *buffer;
	size_t size, done, sent, chunk;
	struct flight flights[GDB_FLIGHTS_MOST];
	uint32_t number, count; /* of the first one under way; how many are */
};

/* An answer does not say to which request. So each that is under way asks for another number of bytes: where one was lost, the next answer
 * has the wrong length. */
static size_t bytes_of(const struct reading *reading, uint32_t number, uint32_t window)
{
	size_t left = reading->size - reading->sent, bytes = reading->chunk;

	if (window > 1)
		bytes -= number % GDB_FLIGHTS_MOST * FLIGHT_STEP;
	return left < bytes ? left : bytes;
}

static bool send_more(struct gdb *gdb, struct reading *reading)
{
	uint32_t window = reading->chunk > 2 * GDB_FLIGHTS_MOST * FLIGHT_STEP ? gdb->window : 1;

	while (reading->count < window && reading->sent < reading->size) {
		uint32_t number = reading->number + reading->count;
		struct flight *flight = &reading->flights[number % GDB_FLIGHTS_MOST];

		*flight = (struct flight){reading->address + reading->sent, bytes_of(reading, number, window)};
		if (!send_read(gdb, flight))
			return false;
		reading->sent += flight->size;
		reading->count++;
	}
	return true;
}

/* Nothing of what is under way can be trusted. */
static bool give_up_pipelining(struct gdb *gdb, struct reading *reading)
{
	reading->count = 0;
	reading->sent = reading->done;
	return begin_again(gdb);
}

/* Those under way are of no use: what comes next is asked for from where it is missing. */
static bool drop_rest(struct gdb *gdb, struct reading *reading)
{
	enum gdb_answer answer = GDB_ANSWERED;

	for (; reading->count && answer == GDB_ANSWERED; reading->count--)
		answer = gdb_receive(gdb, link_deadline(gdb->wait_ns));
	reading->count = 0;
	reading->sent = reading->done;
	return answer == GDB_SILENT ? begin_again(gdb) : answer == GDB_ANSWERED;
}

/* Takes an answer. False: nothing more can be read. */
static bool take_answer(struct gdb *gdb, struct reading *reading)
{
	const struct flight flight = reading->flights[reading->number % GDB_FLIGHTS_MOST];
	enum gdb_answer answer = gdb_receive(gdb, link_deadline(gdb->wait_ns));
	bool was_binary = gdb->has_binary;
	enum read_outcome outcome;
	size_t got;

	if (answer == GDB_SILENT)
		return give_up_pipelining(gdb, reading);
	if (answer == GDB_FAILED)
		return false;
	reading->number++;
	reading->count--;
	outcome = read_answer(gdb, reading->buffer + reading->done, flight.size, &got);
	if (outcome == READ && got == flight.size) {
		reading->done += got;
		return true;
	}
	if (outcome != READ_REFUSED && gdb->window > 1)
		return give_up_pipelining(gdb, reading);
	if (outcome == READ_ODD) {
		gdb_fail(gdb, gdb->packet.size ? "is answered with something else than so many bytes"
					   : "is not understood: no memory can be read");
		return false;
	}
	reading->done += got;
	if (!drop_rest(gdb, reading))
		return false;
	if (got || was_binary != gdb->has_binary)
		return true;
	/* Too much at once, or memory ends in it. */
	reading->chunk = flight.size / 2;
	return reading->chunk > 0;
}

void gdb_extend_sign(struct gdb *gdb, bool extends)
{
	gdb->extends_sign = extends;
}

size_t gdb_read_memory(struct gdb *gdb, uint64_t address, void *buffer, size_t size)
{
	uint64_t high = gdb->extends_sign && address >> 31 == 1 ? UINT64_C(0xffffffff) << 32 : 0;
	struct reading reading = {.address = address | high, .buffer = buffer, .size = size, .chunk = gdb->chunk};

	while (reading.done < size && !gdb->has_failed)
		if (!send_more(gdb, &reading) || !take_answer(gdb, &reading))
			break;
	if (reading.done == size && reading.chunk < gdb->chunk)
		gdb->chunk = reading.chunk; /* it was too much at once */
	return reading.done;
}
