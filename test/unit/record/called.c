/* Places that were written, and the files with hooks that they may be of: which functions get a name. */
#include "record/sink/called.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "symbol/symbol.h"
#include "zoo.h"

__attribute__((noinline)) void dwell_test_called(void);
__attribute__((noinline)) void dwell_test_beside_called(void);
void dwell_test_called(void) { __asm__ volatile("nop; nop"); }
void dwell_test_beside_called(void) { __asm__ volatile("nop"); }

static char self[4096];
static struct kept_files files;

static uint64_t address_of(const char *name)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(self, NULL, diag);
	uint64_t address = 0;

	for (size_t i = 0; i < symbol_count(table); i++)
		if (!strcmp(symbol_at(table, i)->name, name))
			address = symbol_at(table, i)->address;
	free_symbol_table(table);
	free_diag(diag);
	CHECK(address != 0);
	return address;
}

/* What a job writes: places, as a drain notes them. */
struct written {
	struct workers_job job;
	uint64_t places[4];
};

static void put(void *context, struct workers_buffers *buffers)
{
	for (int i = 0; i < 4; i++)
		address_set_add(&buffers->places, ((struct written *)context)->places[i]);
}

static void map_at(struct called *called, const char *path, uint64_t low, bool unmapped)
{
	called_add_module(called,
		&(struct message_module){
			.low = low, .high = low + (1 << 24), .bias = low, .hooked = true, .path = path, .unmapped = unmapped},
		kept_files_find(&files, 0, path, 0, NULL, 0));
}

/* The names in the trace, with blanks between them. */
static void write_and_read(struct called *called, struct workers *workers, const struct message_cpu_places *cpu_places,
	char text[static 4096])
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	char path[256];
	struct trace_writer *writer = make_trace_writer(zoo_scratch(path, "called.dwell"), &header, diag);
	struct message message;
	struct reader *reader;
	size_t used = 0;

	called_write_names(called, workers, cpu_places, writer);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	reader = make_reader(make_source(path, diag), diag);
	*text = 0;
	while (reader_next(reader, &message), message.kind != MESSAGE_END)
		for (uint32_t i = 0; message.kind == MESSAGE_NAMES && i < message.names.count; i++)
			used += (size_t)snprintf(text + used, 4096 - used, "%s ", message.names.names[i].name);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
	remove(path);
}

static void find(uint64_t low, uint64_t place, bool threads, const char *want)
{
	struct called called = {0};
	struct workers *workers = make_workers(true);
	struct written second = {.places = {0x61000000, 0x62000000, 0x63000000, 0x64000000}};
	struct written first = {.places = {(uint32_t)place & ~1u, (uint32_t)place & ~1u, 0x60000000, 0x60000002}};
	char text[4096];

	if (threads)
		workers_start(workers);
	first.job = (struct workers_job){.run = put, .context = &first};
	second.job = (struct workers_job){.run = put, .context = &second};
	workers_submit(workers, &first.job);
	workers_submit(workers, &second.job);
	workers_wait(workers, &first.job);
	workers_wait(workers, &second.job);
	map_at(&called, self, low, false);
	map_at(&called, self, low, false); /* of a child */
	map_at(&called, self, low, true);
	map_at(&called, "/nowhere/else", 0x7f0000000000 + (uint32_t)low, false);
	CHECK_EQ(called.count, 2);
	write_and_read(&called, workers, &(struct message_cpu_places){0}, text);
	CHECK_STR(text, want);
	called_clear(&called);
	kept_files_clear(&files);
	free_workers(workers);
}

TEST(places_of_files)
{
	uint64_t at = address_of("dwell_test_called");

	find(0x10000000, 0x10000000 + at, false, "dwell_test_called ");
	find(0x7f1210000000, 0x7f1210000000 + at, true, "dwell_test_called ");
	find(0x7f1210000000, 0x7f1210000000 + address_of("dwell_test_beside_called"), true, "dwell_test_beside_called ");
	find(0x7f12fffff000 - at, 0x7f12fffff000, true, "dwell_test_called "); /* across 4 GiB */
	find(0x7f1300001000 - at, 0x7f1300001000, true, "dwell_test_called ");
	find(0x10000000, 0x20000000 + at, true, "");
}

/* Where a thread was found on a CPU, in a function that was not recorded. */
TEST(places_on_cpus)
{
	struct message_cpu_place place = {.address = 0x7f1210000000 + address_of("dwell_test_beside_called") + 1, .count = 1};
	struct called called = {0};
	struct workers *workers = make_workers(false);
	char text[4096];

	map_at(&called, self, 0x7f1210000000, false);
	write_and_read(&called, workers, &(struct message_cpu_places){.places = &place, .count = 1}, text);
	CHECK_STR(text, "dwell_test_beside_called ");
	called_clear(&called);
	kept_files_clear(&files);
	free_workers(workers);
}

int main(void)
{
	ssize_t bytes = readlink("/proc/self/exe", self, sizeof self - 1);

	CHECK(bytes > 0);
	dwell_test_called();
	dwell_test_beside_called();
	RUN(places_of_files);
	RUN(places_on_cpus);
	return tap_done();
}
