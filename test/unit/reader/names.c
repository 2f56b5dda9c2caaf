/* NAMES chunks as the writer makes them come back the same, and before everything else where the file can be read out of order;
 * what makes no sense is refused with a reason. */
#include "reader/dwell/names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "writer/trace/names.h"
#include "zoo.h"

static const uint8_t id[20] = {1, 2, 3, [19] = 20};
static const struct message_name functions[] = {
	{0x1000, 16, "one"}, {0x800, 1, ""}, {UINT64_MAX - 64, 64, "a name; with \xff\n"}, {0x1000, 16, "_ZN3two3oneEv"}};
static const struct message_names some = {
	.path = "/bin/some", .build_id = id, .build_id_bytes = 20, .names = functions, .count = 4};

static void check_same(const struct message_names *got, const struct message_names *want)
{
	CHECK_STR(got->path, want->path);
	CHECK(got->build_id_bytes == want->build_id_bytes && !memcmp(got->build_id, want->build_id, want->build_id_bytes));
	CHECK_EQ(got->count, want->count);
	for (uint32_t i = 0; i < want->count && i < got->count; i++) {
		CHECK(got->names[i].address == want->names[i].address && got->names[i].size == want->names[i].size);
		CHECK_STR(got->names[i].name, want->names[i].name);
	}
}

TEST(there_and_back)
{
	struct names_chunk names = {0};
	struct bytes payload;
	uint32_t first = 0;
	uint8_t *made = make_names_payload(&some, &first, &payload);
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_NAMES, .payload = payload};

	CHECK_EQ(first, 4);
	CHECK_EQ(payload.size % 8, 0);
	CHECK(!names_chunk_take(&names, &chunk));
	check_same(&names.message, &some);
	names_chunk_clear(&names);
	free(made);
}

/* One more than there are strings for, and so on: said, not read. */
TEST(refused)
{
	struct names_chunk names = {0};
	struct bytes payload;
	uint32_t first = 0;
	uint8_t *made = make_names_payload(&some, &first, &payload);
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_NAMES, .payload = payload};

	put_u32(made + DWELL_NAMES_COUNT, 20);
	CHECK_STR(names_chunk_take(&names, &chunk), "has fewer functions than it says");
	put_u32(made + DWELL_NAMES_COUNT, UINT32_MAX);
	CHECK_STR(names_chunk_take(&names, &chunk), "has fewer functions than it says");
	put_u32(made + DWELL_NAMES_COUNT, 6); /* the first names are taken for functions */
	CHECK_STR(names_chunk_take(&names, &chunk), "has fewer names than functions");
	put_u32(made + DWELL_NAMES_COUNT, 4);
	put_u32(made + DWELL_NAMES_BUILD_ID_BYTES, 21);
	CHECK_STR(names_chunk_take(&names, &chunk), "has a build-id of more than 20 bytes");
	put_u32(made + DWELL_NAMES_BUILD_ID_BYTES, 20);
	put_u64(made + DWELL_NAMES_FUNCTIONS + DWELL_NAMES_FUNCTION_SIZE, 0);
	CHECK_STR(names_chunk_take(&names, &chunk), "has a function that ends before it begins");
	put_u64(made + DWELL_NAMES_FUNCTIONS + DWELL_NAMES_FUNCTION_SIZE, UINT64_MAX - 0x100);
	CHECK_STR(names_chunk_take(&names, &chunk), "has a function that ends before it begins");
	chunk.payload.size = DWELL_NAMES_FUNCTIONS - 8;
	CHECK_STR(names_chunk_take(&names, &chunk), "is shorter than its fixed part");
	names_chunk_clear(&names);
	free(made);
}

/* Cut and changed anywhere: what it says stays inside of it. The sanitizers look. */
TEST(hurt)
{
	struct names_chunk names = {0};
	struct bytes payload;
	uint32_t first = 0, taken = 0;
	uint8_t *made = make_names_payload(&some, &first, &payload);

	for (size_t size = 0; size <= payload.size; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct raw_chunk chunk = {.kind = DWELL_CHUNK_NAMES, .payload = {copy, size}};

		memcpy(copy, made, size);
		taken += !names_chunk_take(&names, &chunk);
		for (size_t at = 0; at < size; at++) {
			copy[at] ^= 0xff;
			if (!names_chunk_take(&names, &chunk))
				for (uint32_t i = 0; i < names.message.count; i++)
					CHECK(strlen(names.message.names[i].name) <= size);
			copy[at] ^= 0xff;
		}
		free(copy);
	}
	CHECK(taken >= 1);
	names_chunk_clear(&names);
	free(made);
}

/* More than fits into one chunk, and names that are longer than any should be. */
TEST(many)
{
	enum { COUNT = 100000 };
	struct message_name *list = calloc(COUNT, sizeof *list);
	struct message_names all = {.path = "/bin/all", .names = list, .count = COUNT}, part;
	struct names_chunk names = {0};
	struct bytes payload;
	uint32_t first = 0, chunks = 0;
	char *endless = malloc(1 << 20);

	memset(endless, 'x', (1 << 20) - 1);
	endless[(1 << 20) - 1] = 0;
	for (uint32_t i = 0; i < COUNT; i++)
		list[i] = (struct message_name){i * 16, 16, i % 1000 ? "a_name_of_usual_length" : endless};
	for (uint32_t before = 0; first < COUNT; before = first, chunks++) {
		uint8_t *made = make_names_payload(&all, &first, &payload);
		struct raw_chunk chunk = {.kind = DWELL_CHUNK_NAMES, .payload = payload};

		CHECK(payload.size <= DWELL_CHUNK_LENGTH_MAX);
		CHECK(first > before);
		CHECK(!names_chunk_take(&names, &chunk));
		part = names.message;
		CHECK_EQ(part.count, first - before);
		CHECK_EQ(part.names[part.count - 1].address, (first - 1) * 16);
		free(made);
	}
	CHECK(chunks > 1 && chunks < 10);
	names_chunk_clear(&names);
	free(endless);
	free(list);
}

static bool write_trace(const char *path, struct diag *diag)
{
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	bool whole;

	zoo_declare(writer);
	zoo_events(writer);
	trace_writer_names(writer, &some);
	whole = trace_writer_finish(writer);
	free_trace_writer(writer);
	return whole;
}

/* Where among the messages the names come; how often they do. */
static void find_names(struct reader *reader, uint32_t *at, uint32_t *times)
{
	struct message message;

	*at = *times = 0;
	for (uint32_t i = 0; reader_next(reader, &message), message.kind != MESSAGE_END; i++) {
		if (message.kind != MESSAGE_NAMES)
			continue;
		*at = i;
		++*times;
		check_same(&message.names, &some);
	}
}

TEST(told_first)
{
	struct diag *diag = make_diag();
	struct reader *reader;
	char path[256], command[600];
	uint32_t at, times;
	FILE *pipe;

	CHECK(write_trace(zoo_scratch(path, "names.dwell"), diag));
	reader = make_reader(make_source(path, diag), diag);
	find_names(reader, &at, &times);
	CHECK(at == 1 && times == 1); /* behind the header */
	CHECK_EQ(reader_get_health(reader)->chunks_unknown + reader_get_health(reader)->chunks_damaged, 0);
	CHECK(reader_rewind(reader));
	find_names(reader, &at, &times);
	CHECK(at == 1 && times == 1);
	CHECK(reader_rewind(reader));
	reader_skip_events(reader);
	find_names(reader, &at, &times);
	CHECK(at == 1 && times == 1);
	CHECK(reader_rewind(reader));
	CHECK(reader_survey(reader));
	find_names(reader, &at, &times);
	CHECK(at == 1 && times == 1);
	free_reader(reader);
	/* Where nobody can go to the end first they come where they stand. */
	snprintf(command, sizeof command, "cat '%s'", path);
	pipe = popen(command, "r");
	snprintf(command, sizeof command, "/proc/self/fd/%d", fileno(pipe));
	reader = make_reader(make_source(command, diag), diag);
	find_names(reader, &at, &times);
	CHECK(at > 10 && times == 1);
	free_reader(reader);
	pclose(pipe);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
	remove(path);
}

int main(void)
{
	RUN(there_and_back);
	RUN(refused);
	RUN(hurt);
	RUN(many);
	RUN(told_first);
	return tap_done();
}
