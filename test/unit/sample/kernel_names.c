/* Names of a kernel's functions, from tables as the system shows them, and from such as it never would. */
#include "sample/code/kernel_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "check.h"
#include "told.h"

static char table[256], notes[256];

static void put(const char *path, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "w");

	CHECK(file && fwrite(data, 1, bytes, file) == bytes);
	if (file)
		fclose(file);
}

/* What the trace tells of these addresses (0: no more), line by line. Returns what kernel_names_write did. */
static bool name(const char *lines, size_t bytes, const uint64_t *addresses, char text[static 4096], char why[static 200])
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct address_set set = {0};
	char path[256];
	struct trace_writer *writer = make_trace_writer(zoo_scratch(path, "kernel.dwell"), &header, diag);
	struct reader *reader;
	struct message message;
	size_t used = 0;
	bool known;

	*text = *why = 0;
	put(zoo_scratch(table, "kallsyms"), lines, bytes);
	while (*addresses)
		address_set_add(&set, *addresses++);
	known = kernel_names_write(&set, table, notes, writer, why);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	reader = make_reader(make_source(path, diag), diag);
	while (reader_next(reader, &message), message.kind != MESSAGE_END) {
		if (message.kind != MESSAGE_NAMES)
			continue;
		CHECK_STR(message.names.path, "[kernel]");
		for (uint32_t i = 0; i < message.names.build_id_bytes; i++)
			used += (size_t)snprintf(text + used, 4096 - used, "%02x", message.names.build_id[i]);
		for (uint32_t i = 0; i < message.names.count && used < 4096; i++)
			used += (size_t)snprintf(text + used, 4096 - used, "\n%" PRIx64 " %" PRIu64 " %s", message.names.names[i].address,
				message.names.names[i].size, message.names.names[i].name);
	}
	CHECK_EQ(diag_status(diag), 0);
	address_set_clear(&set);
	free_reader(reader);
	free_diag(diag);
	remove(path);
	remove(table);
	return known;
}

#define NAME(lines, text, why, ...) name(lines, strlen(lines), (const uint64_t[]){__VA_ARGS__, 0}, text, why)

TEST(as_the_system_shows_them)
{
	static const char lines[] =
		"ffffffff81000000 T _stext\n"
		"ffffffff81000000 T startup_64\n"
		"ffffffff81000100 t local_name\n"
		"ffffffff81000100 W weak_name\n"
		"ffffffff81000100 T the_global_name\n"
		"ffffffff81000100 T global_name\n"
		"ffffffff81000200 t __pfx_next\n"
		"ffffffff81000210 t next\n"
		"ffffffff81000400 T _etext\n"
		"ffffffff82000000 D some_data\n"
		"ffffffffc0001000 t read\t[disk]\n"
		"ffffffffc0001080 d data\t[disk]\n"
		"ffffffff81000300 T not_in_order\n"
		"ffffffffc0002000 t bpf_prog_6deef7357e7b4530\t[bpf]\n";
	char text[4096], why[200];

	CHECK(NAME(lines, text, why, 0xffffffff8100010f, 0xffffffff81000110, 0xffffffff810001ff));
	CHECK_STR(text, "a1b2c3\nffffffff81000100 256 global_name [kernel]");
	CHECK(NAME(lines, text, why, 0xffffffff81000000, 0xffffffff81000205, 0xffffffff81000210, 0xffffffff81000310));
	CHECK_STR(text, "a1b2c3\nffffffff81000000 256 startup_64 [kernel]\nffffffff81000200 16 __pfx_next [kernel]\n"
			"ffffffff81000210 240 next [kernel]\nffffffff81000300 256 not_in_order [kernel]");
	CHECK(NAME(lines, text, why, 0xffffffffc0001004, 0xffffffffc0002040));
	CHECK_STR(text, "a1b2c3\nffffffffc0001000 128 read [disk]\nffffffffc0002000 65 bpf_prog_6deef7357e7b4530 [bpf]");
	/* Below all of them, and far above the last one: nobody's. */
	CHECK(NAME(lines, text, why, 0x1000, 0xffffffff80ffffff, 0xfffffffff0000000));
	CHECK_STR(text, "");
	CHECK_STR(why, "");
}

TEST(hidden)
{
	char text[4096], why[200];

	CHECK(!NAME("0000000000000000 T startup_64\n0000000000000000 t next\t[disk]\n", text, why, 0xffffffff81000000));
	CHECK_STR(text, "");
	CHECK(strstr(why, "kernel.kptr_restrict"));
	CHECK(!NAME("", text, why, 0xffffffff81000000));
	CHECK(strstr(why, "kernel.kptr_restrict"));
}

TEST(no_such_file)
{
	struct address_set set = {0};
	char why[200] = "";

	address_set_add(&set, 0xffffffff81000000);
	CHECK(!kernel_names_write(&set, "/nowhere/kallsyms", notes, NULL, why));
	CHECK_STR(why, "/nowhere/kallsyms cannot be opened: No such file or directory");
	address_set_clear(&set);
}

/* Lines that are none, names without end, zeros, the largest addresses. */
TEST(nonsense)
{
	size_t bytes = 0, size = 1 << 20;
	char *lines = malloc(size), text[4096], why[200];

	bytes += (size_t)sprintf(lines, "\n \nx\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \n T a\nffffffff81000010 T b");
	memset(lines + bytes, 'b', 100000);
	bytes += 100000;
	bytes += (size_t)sprintf(lines + bytes, "\nffffffff81000000 T a\nffffffff81000000 T a\t[un");
	memset(lines + bytes, 0, 1000);
	bytes += 1000;
	bytes += (size_t)sprintf(lines + bytes, "\nffffffffffffffffffffffff T top\nffffffff81000020 T c\n");
	CHECK(name(lines, bytes, (const uint64_t[]){0xffffffff81000018, UINT64_MAX, 0}, text, why));
	CHECK_STR(text, "a1b2c3\nffffffff81000000 32 a [kernel]");
	free(lines);
}

/* As many as a kernel has, each sampled: against the slow way. */
TEST(many)
{
	enum { COUNT = 20000 };
	char *lines = malloc(COUNT * 64), text[4096], why[200];
	uint64_t *addresses = calloc(COUNT + 1, sizeof *addresses);
	uint32_t seed = 1;
	size_t bytes = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes += (size_t)sprintf(lines + bytes, "%" PRIx64 " t f%u\n", UINT64_C(0xffffffff81000000) + (seed >> 8) % 65536 * 16, i);
		addresses[i] = UINT64_C(0xffffffff81000000) + (uint64_t)i * 52;
	}
	CHECK(name(lines, bytes, addresses, text, why));
	CHECK(strlen(text) > 1000);
	for (char *line = strchr(text, '\n'), *next; line && (next = strchr(line + 1, '\n')); line = next) {
		uint64_t begin = strtoull(line + 1, NULL, 16), size = strtoull(strchr(line + 1, ' ') + 1, NULL, 10);
		uint64_t nearest = 0, above = UINT64_MAX;
		uint64_t sampled = (begin - UINT64_C(0xffffffff81000000) + 51) / 52 * 52 + UINT64_C(0xffffffff81000000);

		for (char *at = lines; *at && at < lines + bytes; at = strchr(at, '\n') + 1) {
			uint64_t address = strtoull(at, NULL, 16);

			nearest = address <= sampled && address > nearest ? address : nearest;
			above = address > sampled && address < above ? address : above;
		}
		CHECK_EQ(begin, nearest);
		CHECK_EQ(begin + size, above);
	}
	free(lines);
	free(addresses);
}

int main(void)
{
	/* An older note in front of it. */
	static const uint8_t some_notes[] = {6, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 'L', 'i', 'n', 'u', 'x', 0, 0, 0, 7, 7, 0, 0,
		4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xa1, 0xb2, 0xc3};

	put(zoo_scratch(notes, "notes"), some_notes, sizeof some_notes);
	RUN(as_the_system_shows_them);
	RUN(hidden);
	RUN(no_such_file);
	RUN(nonsense);
	RUN(many);
	remove(notes);
	return tap_done();
}
