/* Any bytes as a program file: its symbols, its build-id, their names, its lines, its texts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/build_id.h"
#include "symbol/debug/line.h"
#include "symbol/image.h"
#include "symbol/object.h"
#include "tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES_ASKED 64 /* addresses of symbols, in all of the file */

static void ask_lines(const char *path, const struct symbol_table *table, struct diag *diag)
{
	struct line_table *lines = make_line_table(path, NULL, diag);
	size_t count = symbol_count(table), step = count / LINES_ASKED + 1;

	for (size_t i = 0; i < count; i += step)
		free(make_line_text(lines, symbol_at(table, i)->address));
	for (uint64_t address = 0; address < 0x4000; address += 0x400)
		free(make_line_text(lines, address));
	free_line_table(lines);
}

/* What is in memory, byte by byte at its ends, and what lies there. */
static void ask_memory(const char *path)
{
	struct symbol_image *image = make_symbol_image(path);
	struct object_table *objects = make_object_table(path);
	uint64_t offset;
	char text[64];

	for (size_t i = 0; image && i < symbol_image_count(image); i++) {
		struct symbol_span span = symbol_image_at(image, i);

		if (span.low >= span.high || symbol_image_read(image, span.low, text, sizeof text) > sizeof text)
			abort();
		symbol_image_read(image, span.high - 1, text, sizeof text);
		if (objects && object_find(objects, span.low + 16, &offset) && offset > span.low + 16)
			abort();
	}
	free_object_table(objects);
	free_symbol_image(image);
}

static void ask_text(const struct symbol_image *image, uint64_t address)
{
	char text[SYMBOL_TEXT_BYTES_MAX];

	if (symbol_image_text(image, address, text, sizeof text) && (!*text || !memchr(text, 0, sizeof text)))
		abort();
}

static void ask_texts(const char *path, const struct symbol_table *table)
{
	struct symbol_image *image = make_symbol_image(path);
	size_t count = symbol_count(table), step = count / LINES_ASKED + 1;

	for (uint64_t address = 0; address < 0x4000; address += 0x40)
		ask_text(image, address);
	for (uint64_t address = 0; address < 0x4000; address += 8) { /* stubs, too, which no list has */
		const struct symbol *symbol = symbol_find(table, address);

		if (symbol && (!symbol->size || address - symbol->address >= symbol->size || !*symbol->name))
			abort();
	}
	for (size_t i = 0; i < count; i += step)
		ask_text(image, symbol_at(table, i)->address);
	free_symbol_image(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t some_id[BUILD_ID_BYTES_MAX] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	const struct symbol_request want = {.build_id = some_id, .build_id_bytes = 8};
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct diag *diag = make_diag();
	struct symbol_table *table;
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t id_bytes;
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		table = make_symbol_table(path, NULL, diag);
		check_table(table);
		ask_lines(path, table, diag);
		ask_texts(path, table);
		free_symbol_table(table);
		free_symbol_table(make_symbol_table(path, &want, diag));
		read_build_id(path, id, &id_bytes);
		ask_memory(path);
	}
	free_diag(diag);
	close(fd);
	return 0;
}
