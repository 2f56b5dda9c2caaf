/* Any bytes written over what a thread says of calls that it counted itself (core/relay.h): 16 of them each time, of which
 *
 *     part · how many bytes (1, 2, 4, 8) · 2 left out · where in the part, in units of so many (4) · what (8)
 *
 * Part 0 ends a turn: record takes over what is there. What it believes it goes on from, writes and reads: no byte outside is touched,
 * and what was written is what a reader takes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/reader.h"
#include "unit/record/relay_base.h"
#include "writer/trace/dwell.h"
#include "zoo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STREAM 5u
#define TURNS_MAX 8u

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

/* Of part 1 to 4, as the fuzzer calls them. */
static unsigned char *find_part(const struct relay_base *base, uint8_t part, uint32_t *bytes)
{
	uint32_t buffer = part & 0x80 ? BASE_BUFFER + 1 : BASE_BUFFER;

	switch (part & 0x7f) {
	case 1:
		*bytes = sizeof *base->shared;
		return (unsigned char *)base->shared;
	case 2:
		*bytes = sizeof(struct dwell_relay_state);
		return (unsigned char *)dwell_relay_state(base->shared, buffer);
	case 3:
		*bytes = DWELL_RELAY_THREAD_FRAMES * sizeof(struct dwell_frame);
		return (unsigned char *)dwell_relay_frames(base->shared, buffer);
	case 4:
		*bytes = (uint32_t)dwell_paths_bytes(&dwell_relay_size);
		return dwell_relay_paths(base->shared, buffer);
	default:
		return NULL;
	}
}

static void write_over(const struct relay_base *base, const uint8_t *record)
{
	uint32_t bytes, at, width = record[1] & 8 ? 8 : record[1] & 4 ? 4 : record[1] & 2 ? 2 : 1;
	unsigned char *part = find_part(base, record[0], &bytes);

	memcpy(&at, record + 4, sizeof at);
	if (part)
		memcpy(part + at % (bytes / width) * width, record + 8, width);
}

static void read_back(const char *path)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct message message;

	must(reader != NULL, "a reader");
	do
		reader_next(reader, &message);
	while (message.kind != MESSAGE_END);
	must(!diag_status(diag), "what was written cannot be read");
	free_reader(reader);
	free_diag(diag);
}

static void write_and_read(struct relay_base *base)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct message_thread thread = {.stream = STREAM, .place_kind = DWELL_PLACE_LOW32, .tid = 7, .name = "walk"};
	struct trace_writer *writer;
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writer = make_trace_writer(path, &header, diag);
	must(writer != NULL, "a writer");
	trace_writer_thread(writer, &thread);
	base_write(base, STREAM, writer);
	must(trace_writer_finish(writer) && !diag_status(diag), "a file that is written");
	free_trace_writer(writer);
	free_diag(diag);
	read_back(path);
	close(fd);
}

/* The thread goes on, from what record says, or from what is its own and spoilt. */
static void count_more(struct relay_base *base)
{
	const uint64_t slots[] = {
		dwell_slot_enter(0x401000, 7000), dwell_slot_enter(0x402000, 7010), dwell_slot_exit(0x402000, 7020)};

	if (dwell_relay_buffer(dwell_relay_load(base->shared)) < DWELL_RELAY_THREADS)
		base_turn(base, slots, sizeof slots / sizeof *slots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct relay_base base;
	uint32_t turns = 0;

	must(base_begin(&base), "a relay");
	for (; size >= 16 && turns < TURNS_MAX; data += 16, size -= 16) {
		if (data[0]) {
			write_over(&base, data);
			continue;
		}
		turns++;
		if (base_take_over(&base))
			count_more(&base);
	}
	base_take_over(&base);
	must(base.relay.position <= base.end, "where record stands");
	write_and_read(&base);
	base_end(&base);
	return 0;
}
