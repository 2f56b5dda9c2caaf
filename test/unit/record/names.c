/* What is recorded gets the names that its files have when the recording ends: those functions and no others, in the trace. */
#include "record/sink/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "symbol/build_id.h"
#include "symbol/symbol.h"
#include "zoo.h"

static const char source[] =
	"int counter;\n"
	"__attribute__((noinline)) int used(int n) { return n + counter; }\n"
	"__attribute__((noinline)) int unused(int n) { return n * counter; }\n"
	"__attribute__((noinline, cold)) void rare(int n) { counter += n; }\n"
	"__asm__(\".text\\n.type halves, @function\\nhalves: nop; nop; ret\\n.size halves, .-halves\\n\"\n"
	"        \".type halves.cold, @function\\nhalves.cold: nop; ret\\n.size halves.cold, .-halves.cold\\n\");\n"
	"int main(int argc, char **argv) { (void)argv; if (argc > 5) rare(argc); return used(argc) + unused(argc); }\n";
static char folder[] = "/tmp/dwell-names.XXXXXX";

static char *in_folder(const char *name)
{
	static char paths[4][256];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, 256, "%s/%s", folder, name);
	return path;
}

static bool run_shell(const char *command)
{
	char line[1024];

	snprintf(line, sizeof line, "cd %s && %s", folder, command);
	return system(line) == 0;
}

static bool make_program(void)
{
	FILE *file = fopen(in_folder("a.c"), "w");

	return file && fputs(source, file) > 0 && !fclose(file) &&
	       run_shell("gcc -O1 -no-pie -Wl,--build-id=0xa1b2c3 a.c -o program");
}

static struct symbol_extent place_of(const char *name)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(in_folder("program"), NULL, diag);
	struct symbol_extent place = {0};

	for (size_t i = 0; i < symbol_count(table); i++)
		if (!strcmp(symbol_at(table, i)->name, name))
			place = (struct symbol_extent){symbol_at(table, i)->address, symbol_at(table, i)->size};
	CHECK(place.size > 0);
	free_symbol_table(table);
	free_diag(diag);
	return place;
}

/* What the trace tells: "PATH NAME ADDRESS SIZE" line by line. */
static void write_and_read(struct names *names, char *text, size_t bytes)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(in_folder("trace"), &header, diag);
	struct message message;
	struct reader *reader;
	size_t used = 0;

	names_write(names, writer);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	reader = make_reader(make_source(in_folder("trace"), diag), diag);
	*text = 0;
	while (reader_next(reader, &message), message.kind != MESSAGE_END)
		for (uint32_t i = 0; message.kind == MESSAGE_NAMES && i < message.names.count; i++)
			used += (size_t)snprintf(text + used, bytes - used, "%s %u %s 0x%llx %llu\n",
				strrchr(message.names.path, '/') + 1, message.names.build_id_bytes, message.names.names[i].name,
				(unsigned long long)message.names.names[i].address,
				(unsigned long long)message.names.names[i].size);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
	names_clear(names);
}

static uint32_t file_of(struct names *names, const char *name)
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t bytes = 0;

	read_build_id(in_folder(name), id, &bytes);
	return names_file(names, in_folder(name), NULL, id, (uint32_t)bytes);
}

TEST(what_was_recorded)
{
	struct symbol_extent used = place_of("used"), halves = place_of("halves"), cold = place_of("halves.cold");
	struct names names = {0};
	char text[4096], want[4096];
	uint32_t file = file_of(&names, "program");

	CHECK_EQ(file_of(&names, "program"), file);
	for (uint64_t at = 0; at < used.size; at++)
		names_add(&names, file, used.address + at);
	names_add(&names, file, cold.address + 1);
	names_add(&names, file, 0x10); /* nothing is there */
	names_add(&names, file, 0);
	names_add(&names, UINT32_MAX, used.address);
	write_and_read(&names, text, sizeof text);
	snprintf(want, sizeof want,
		used.address < cold.address ? "program 3 used 0x%1$llx %2$llu\nprogram 3 halves.cold 0x%3$llx %4$llu\nprogram 3 "
					      "halves 0x%5$llx %6$llu\n"
					    : "program 3 halves.cold 0x%3$llx %4$llu\nprogram 3 halves 0x%5$llx %6$llu\nprogram 3 "
					      "used 0x%1$llx %2$llu\n",
		(unsigned long long)used.address, (unsigned long long)used.size, (unsigned long long)cold.address,
		(unsigned long long)cold.size, (unsigned long long)halves.address, (unsigned long long)halves.size);
	CHECK_STR(text, want);
}

TEST(without_symbols)
{
	struct symbol_extent used = place_of("used"), unused = place_of("unused");
	struct names names = {0};
	char text[4096], want[4096];
	uint32_t file;

	CHECK(run_shell("strip -o bare program"));
	file = file_of(&names, "bare");
	names_add(&names, file, used.address + 1);
	names_add(&names, file, unused.address);
	write_and_read(&names, text, sizeof text);
	snprintf(want, sizeof want, "bare 3  0x%llx %llu\nbare 3  0x%llx %llu\n", (unsigned long long)used.address,
		(unsigned long long)used.size, (unsigned long long)unused.address, (unsigned long long)unused.size);
	CHECK_STR(text, want);
}

/* Gone, or another one by the time that the recording ends: not a word. */
TEST(other_files)
{
	struct symbol_extent used = place_of("used");
	struct names names = {0};
	char text[4096];

	names_add(&names, names_file(&names, in_folder("missing"), NULL, NULL, 0), used.address);
	names_add(&names, names_file(&names, in_folder("program"), NULL, (const uint8_t *)"\xa1\xb2\xc4", 3), used.address);
	names_add(&names, names_file(&names, in_folder("a.c"), NULL, NULL, 0), used.address);
	write_and_read(&names, text, sizeof text);
	CHECK_STR(text, "");
	/* It is somewhere else. */
	names_add(&names, names_file(&names, in_folder("missing"), in_folder("program"), NULL, 0), used.address);
	write_and_read(&names, text, sizeof text);
	CHECK(strstr(text, "missing 0 used 0x"));
}

TEST(a_set)
{
	struct address_set set = {0};
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 3 * 50000; i++)
		address_set_add(&set, i % 50000 * 0x1000);
	CHECK_EQ(set.count, 49999); /* without 0 */
	for (uint64_t i = 0; i < 100; i++)
		address_set_add(&set, UINT64_MAX - i);
	address_set_sort(&set);
	for (size_t i = 0; i < set.count; i++) {
		CHECK(!i || set.slots[i - 1] < set.slots[i]);
		sum += set.slots[i] / 0x1000 < 50000;
	}
	CHECK(sum == 49999 && set.slots[0] == 0x1000 && set.slots[set.count - 1] == UINT64_MAX);
	address_set_clear(&set);
	for (uint64_t i = 1; i <= ADDRESS_SET_MAX + 100; i++)
		address_set_add(&set, i);
	CHECK_EQ(set.count, ADDRESS_SET_MAX);
	address_set_clear(&set);
}

int main(void)
{
	if (!mkdtemp(folder) || !make_program()) {
		puts("Bail out! no compiler");
		return 1;
	}
	RUN(what_was_recorded);
	RUN(without_symbols);
	RUN(other_files);
	RUN(a_set);
	run_shell("rm -rf ../$(basename $PWD)");
	return tap_done();
}
