/* jit_map: symbols of generated code, from the map of its program (util/jit_map.h). The map has run-time addresses. */
#include "util/jit_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/format.h"
#include "util/array.h"

#define BYTES_MAX (UINT64_C(256) << 20)
#define FUNCTIONS_MAX (1u << 22)

struct line {
	struct raw_symbol raw;
	size_t number; /* order in the file */
};

struct map_reader {
	struct line *lines;
	size_t count, capacity;
	uint64_t bad_lines, bad_offset; /* bad_offset: of the first bad line */
	bool is_cut, no_memory;
};

static bool claims(struct bytes head)
{
	char line[SYMBOL_HEAD_BYTES + 1];
	uint64_t address, size;

	memcpy(line, head.data, head.size);
	line[head.size] = 0;
	line[strcspn(line, "\r\n")] = 0;
	return jit_map_read_line(line, &address, &size);
}

static void add_line(struct map_reader *reader, const char *line, uint64_t offset)
{
	struct raw_symbol raw = {.rank = RAW_GLOBAL};

	raw.name = jit_map_read_line(line, &raw.address, &raw.size);
	if (!raw.name && !reader->bad_lines++)
		reader->bad_offset = offset;
	if (!raw.name || !raw.size)
		return;
	if (!array_reserve(&reader->lines, &reader->capacity, reader->count + 1, sizeof *reader->lines)) {
		reader->no_memory = true;
		return;
	}
	reader->lines[reader->count] = (struct line){raw, reader->count};
	reader->count++;
}

/* Takes the lines. Ignores a last line without a newline, which may be cut. */
static void take_lines(struct map_reader *reader, char *text)
{
	char *at = text, *end;

	for (; (end = strchr(at, '\n')) && reader->count < FUNCTIONS_MAX && !reader->no_memory; at = end + 1) {
		*end = 0;
		if (end > at && end[-1] == '\r')
			end[-1] = 0;
		add_line(reader, at, (uint64_t)(at - text));
	}
	reader->is_cut |= end && !reader->no_memory;
}

static int by_address(const void *a, const void *b)
{
	const struct line *left = a, *right = b;

	if (left->raw.address != right->raw.address)
		return left->raw.address < right->raw.address ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

/* Adds the functions. Of several at one address, the last was there last. */
static bool add_functions(struct map_reader *reader, struct symbol_table *table)
{
	bool good = true;

	if (reader->count)
		qsort(reader->lines, reader->count, sizeof *reader->lines, by_address);
	for (size_t i = 0; good && i < reader->count; i++)
		if (i + 1 == reader->count || reader->lines[i + 1].raw.address != reader->lines[i].raw.address)
			good = symbol_table_add(table, &reader->lines[i].raw);
	return symbol_table_finish(table, &(uint64_t){UINT64_MAX}) && good;
}

static void report(const struct map_reader *reader, const struct symbol_input *input)
{
	if (reader->no_memory)
		diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "no memory for its symbols");
	if (reader->bad_lines)
		diag_add(input->diag, DIAG_WARN, input->path, reader->bad_offset,
			"lines without a start, a size and a name, the first of them here: %" PRIu64, reader->bad_lines);
	if (reader->is_cut)
		diag_add(input->diag, DIAG_WARN, input->path, DIAG_NO_OFFSET, "has more names than are read (256 MiB, 4 million)");
}

static enum symbol_state read_map(const struct symbol_input *input, struct symbol_table *table)
{
	size_t bytes = input->size < BYTES_MAX ? (size_t)input->size : (size_t)BYTES_MAX;
	struct map_reader reader = {.is_cut = input->size > BYTES_MAX};
	char *text = malloc(bytes + 1);

	reader.no_memory = !text;
	if (text && symbol_input_read(input, 0, text, bytes)) {
		text[bytes] = 0;
		table->strings[table->string_count++] = text;
		take_lines(&reader, text);
		reader.no_memory |= !add_functions(&reader, table);
	} else {
		free(text);
	}
	free(reader.lines);
	report(&reader, input);
	return reader.no_memory ? SYMBOL_MISSING : SYMBOL_READ;
}

const struct symbol_format symbol_format_jit_map = {"JIT map", claims, read_map};
