/* A stub of GDB's remote protocol that serves bytes in memory, well or badly. For test/unit/io/gdb.c, and for command lines
 * (test/gdbstub.c). Written for itself: it shares no code with the client. */
#ifndef DWELL_TEST_STUB_H
#define DWELL_TEST_STUB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct stub_memory {
	uint64_t address;
	const uint8_t *bytes;
	size_t size;
};

/* What it does beside, or instead. */
enum stub_manner {
	STUB_GOOD,
	STUB_SILENT,        /* takes everything and says nothing */
	STUB_RUNS,          /* the target runs: nothing is answered before an interrupt */
	STUB_DAMAGES_SOME,  /* each third packet has a wrong checksum, until it is asked for again */
	STUB_DAMAGES_ALL,
	STUB_ENDLESS,       /* an answer that does not end */
	STUB_TOO_LONG,      /* more bytes than were asked for */
	STUB_NO_HEX,
	STUB_LIES,          /* says that it takes large packets, and refuses reads of more than 96 bytes */
	STUB_SHORT,         /* at most 100 bytes an answer */
	STUB_DROPS,         /* loses what comes while it is busy */
	STUB_GOES,          /* hangs up at the third read */
	STUB_REFUSES,       /* no memory can be read at all */
	STUB_TALKS,         /* console text in front of each answer, and notices */
	STUB_TALKS_ONLY,
	STUB_OVER,          /* the program is over */
	STUB_NO_MEMORY,     /* does not know m */
	STUB_NAKS,
	STUB_NAKS_ACKS,     /* and acknowledges nothing, answers all the same; again, for what comes before it was heard, as DeSmuME
	                       does */
	STUB_ANNOUNCES,     /* that it stopped, as QEMU does when somebody connects */
	STUB_MANNERS,
};

struct stub {
	int fd;
	enum stub_manner manner;
	bool no_ack, binary, repeats;  /* what it offers; repeats: answers are run-length encoded */
	uint32_t packet_bytes;         /* 0: it does not say */
	const struct stub_memory *memory;
	size_t memory_count;
	const uint8_t *registers;
	size_t register_count;
	/* What happened. */
	uint32_t reads, refused, answers, most_under_way, largest;
	bool acks_off, running, detached, went_on, unheard;
};

struct stub_text {
	char *bytes;
	size_t count, room;
};

static inline void stub_add(struct stub_text *text, const char *bytes, size_t count)
{
	if (text->count + count > text->room) {
		text->room = 2 * (text->count + count);
		text->bytes = realloc(text->bytes, text->room);
	}
	memcpy(text->bytes + text->count, bytes, count);
	text->count += count;
}

static inline void stub_write(struct stub *stub, const char *bytes, size_t count)
{
	while (count) {
		ssize_t done = send(stub->fd, bytes, count, MSG_NOSIGNAL);

		if (done <= 0)
			return;
		bytes += done;
		count -= (size_t)done;
	}
}

/* Runs of more than three equal characters; the counts that would be # and $ are left out, as the protocol wants. */
static inline void stub_repeat(const char *payload, size_t count, struct stub_text *to)
{
	for (size_t i = 0, run; i < count; i += run) {
		char code[2];

		for (run = 1; i + run < count && payload[i + run] == payload[i] && run < 90; run++)
			;
		if (run == 7 || run == 8)
			run = 6;
		stub_add(to, payload + i, 1);
		if (run > 3) {
			code[0] = '*';
			code[1] = (char)(run - 1 + 29);
			stub_add(to, code, 2);
		} else {
			run = 1;
		}
	}
}

static inline void stub_send(struct stub *stub, const char *payload, size_t count)
{
	struct stub_text line = {0};
	uint8_t sum = 0;
	char end[4];

	stub->answers++;
	stub_add(&line, "$", 1);
	if (stub->repeats)
		stub_repeat(payload, count, &line);
	else
		stub_add(&line, payload, count);
	for (size_t i = 1; i < line.count; i++)
		sum = (uint8_t)(sum + (uint8_t)line.bytes[i]);
	if (stub->manner == STUB_DAMAGES_ALL || (stub->manner == STUB_DAMAGES_SOME && stub->answers % 3 == 0))
		sum ^= 1;
	snprintf(end, sizeof end, "#%02x", sum);
	stub_add(&line, end, 3);
	stub_write(stub, line.bytes, line.count);
	free(line.bytes);
}

static inline void stub_say(struct stub *stub, const char *payload)
{
	stub_send(stub, payload, strlen(payload));
}

static inline const struct stub_memory *stub_find(const struct stub *stub, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < stub->memory_count; i++) {
		const struct stub_memory *memory = &stub->memory[i];

		if (address >= memory->address && address - memory->address < memory->size &&
			size <= memory->size - (address - memory->address))
			return memory;
	}
	return NULL;
}

/* "m8000,10", "x8000,10" */
static inline void stub_read(struct stub *stub, const char *request)
{
	bool binary = request[0] == 'x';
	struct stub_text text = {0};
	unsigned long long address, size;
	const struct stub_memory *memory;
	const uint8_t *bytes;

	stub->reads++;
	if (sscanf(request + 1, "%llx,%llx", &address, &size) != 2 || (binary && !stub->binary) || stub->manner == STUB_NO_MEMORY) {
		stub_say(stub, "");
		return;
	}
	if (size > stub->largest)
		stub->largest = (uint32_t)size;
	if (stub->manner == STUB_GOES && stub->reads == 3) {
		shutdown(stub->fd, SHUT_RDWR);
		return;
	}
	memory = stub_find(stub, address, size);
	if (!memory || (stub->packet_bytes && 2 * size > stub->packet_bytes) || (stub->manner == STUB_LIES && size > 96) ||
		stub->manner == STUB_REFUSES) {
		stub->refused++;
		stub_say(stub, stub->reads % 2 ? "E22" : "E.no memory is there");
		return;
	}
	if (stub->manner == STUB_SHORT && size > 100)
		size = 100;
	bytes = memory->bytes + (address - memory->address);
	if (binary)
		stub_add(&text, "b", 1);
	for (size_t i = 0; i < size; i++) {
		char two[3];
		char escaped[2] = {'}', (char)(bytes[i] ^ 0x20)};

		snprintf(two, sizeof two, "%02x", bytes[i]);
		if (!binary)
			stub_add(&text, stub->manner == STUB_NO_HEX ? "zz" : two, 2);
		else if (memchr("#$}*", bytes[i], 4))
			stub_add(&text, escaped, 2);
		else
			stub_add(&text, (const char *)&bytes[i], 1);
	}
	if (stub->manner == STUB_TOO_LONG)
		stub_add(&text, "00", 2);
	stub_send(stub, text.bytes, text.count);
	free(text.bytes);
}

static inline void stub_answer(struct stub *stub, const char *request)
{
	char text[128] = "";
	struct stub_text registers = {0};

	if (stub->manner == STUB_TALKS || stub->manner == STUB_TALKS_ONLY) {
		stub_write(stub, "%Stop:T05#00", 12);
		do
			stub_say(stub, "O68656c6c6f0a");
		while (stub->manner == STUB_TALKS_ONLY && stub->answers < 3000);
	}
	if (stub->manner == STUB_ENDLESS && request[0] == 'm') {
		stub_write(stub, "$", 1);
		for (int i = 0; i < 1 << 16; i++)
			stub_write(stub, "00000000000000000000000000000000", 32);
		shutdown(stub->fd, SHUT_WR);
	} else if (!strncmp(request, "qSupported", 10)) {
		snprintf(text, sizeof text, "swbreak+%s%s", stub->no_ack ? ";QStartNoAckMode+" : "", stub->binary ? ";binary-upload+" : "");
		if (stub->packet_bytes)
			snprintf(text + strlen(text), 32, ";PacketSize=%x", stub->packet_bytes);
		else if (stub->manner == STUB_LIES)
			strcat(text, ";PacketSize=ffffffffffff");
		stub_say(stub, text);
	} else if (!strcmp(request, "QStartNoAckMode") && stub->no_ack) {
		stub_say(stub, "OK");
		stub->acks_off = true;
	} else if (!strcmp(request, "?")) {
		stub_say(stub, stub->manner == STUB_OVER ? "W00" : "T05thread:01;");
	} else if (request[0] == 'm' || request[0] == 'x') {
		stub_read(stub, request);
	} else if (!strcmp(request, "g")) {
		for (size_t i = 0; i < stub->register_count; i++) {
			snprintf(text, sizeof text, "%02x", stub->registers[i]);
			stub_add(&registers, text, 2);
		}
		stub_send(stub, registers.count ? registers.bytes : "", registers.count);
		free(registers.bytes);
	} else if (!strcmp(request, "c")) {
		stub->running = stub->went_on = true;
	} else if (!strcmp(request, "D")) {
		stub->detached = true;
		stub_say(stub, "OK");
	} else {
		stub_say(stub, "");
	}
}

/* Until the other end goes. */
static inline void stub_serve(struct stub *stub)
{
	char in[1 << 16], request[1024];
	size_t have = 0;
	ssize_t got;

	stub->running = stub->manner == STUB_RUNS;
	if (stub->manner == STUB_ANNOUNCES)
		stub_say(stub, "T02thread:01;");
	while ((got = read(stub->fd, in + have, sizeof in - have - 1)) > 0) {
		uint32_t under_way = 0;
		size_t at = 0;

		have += (size_t)got;
		in[have] = 0;
		for (size_t i = 0; i < have; i++)
			under_way += in[i] == '#';
		if (under_way > stub->most_under_way)
			stub->most_under_way = under_way;
		while (at < have && stub->manner != STUB_SILENT) {
			char *begin = in + at, *end = memchr(begin, '#', have - at);

			if (*begin == '\3') {
				at++;
				if (stub->running)
					stub_say(stub, "T02thread:01;");
				stub->running = false;
				continue;
			}
			if (*begin == '+' && stub->manner == STUB_NAKS_ACKS) {
				stub_write(stub, "-", 1);
				stub->unheard = false;
			}
			if (*begin == '-') { /* the last one once more is all that can be meant here */
				stub->answers++;
				stub_answer(stub, request);
			}
			if (*begin != '$') {
				at++;
				continue;
			}
			if (!end || end + 2 >= in + have)
				break;
			at = (size_t)(end + 3 - in);
			if (stub->running)
				continue;
			snprintf(request, sizeof request, "%.*s", (int)(end - begin - 1), begin + 1);
			if (stub->manner == STUB_NAKS) {
				stub_write(stub, "-", 1);
				continue;
			}
			if (stub->manner == STUB_NAKS_ACKS) {
				for (int i = 0; i < 10 * stub->unheard; i++)
					stub_answer(stub, request);
				stub->unheard = true;
			} else if (!stub->acks_off) {
				stub_write(stub, "+", 1);
			}
			stub_answer(stub, request);
			if (stub->manner == STUB_DROPS)
				at = have;
		}
		if (stub->manner == STUB_SILENT)
			at = have;
		memmove(in, in + at, have - at);
		have -= at;
	}
}

#endif
