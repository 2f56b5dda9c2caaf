#include "watch/watch_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE, SINCE, INTERVAL, LOST, FRONT_COUNT };
#define COLUMNS_MAX 32

static const struct column front[FRONT_COUNT] = {
	[TABLE] = {.key = "table", .title = "table", .unit = UNIT_COUNT},
	[SINCE] = {.key = "since_ns", .title = "since", .unit = UNIT_NS},
	[INTERVAL] = {.key = "interval_ns", .title = "interval", .unit = UNIT_NS},
	[LOST] = {.key = "lost", .title = "lost", .unit = UNIT_COUNT},
};

/* Puts the columns in front of a table. */
struct marked {
	const struct table_sink *inner;
	const struct watch_told *told;
	uint64_t table;
	uint32_t count; /* of the table's own */
	struct column columns[COLUMNS_MAX]; /* a writer borrows them until the end */
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct marked *marked = context;

	marked->count = count < COLUMNS_MAX - FRONT_COUNT ? count : COLUMNS_MAX - FRONT_COUNT;
	memcpy(marked->columns, front, sizeof front);
	memcpy(marked->columns + FRONT_COUNT, columns, marked->count * sizeof *columns);
	marked->inner->begin(marked->inner->context, name, marked->columns, FRONT_COUNT + marked->count);
}

static void row(void *context, const struct cell *own)
{
	struct marked *marked = context;
	const struct watch_told *told = marked->told;
	struct cell cells[COLUMNS_MAX] = {
		[TABLE] = {.count = marked->table},
		[SINCE] = {.count = told->since_ns},
		[INTERVAL] = {.count = told->interval_ns, .absent = !told->interval_ns},
		[LOST] = {.count = told->lost},
	};

	memcpy(cells + FRONT_COUNT, own, marked->count * sizeof *own);
	marked->inner->row(marked->inner->context, cells);
}

static void end(void *context)
{
	const struct marked *marked = context;

	marked->inner->end(marked->inner->context);
}

/* Names with line breaks have them escaped: what is left are blanks. */
static void make_one_line(char *text, size_t bytes)
{
	for (size_t i = 0; i + 1 < bytes; i++)
		if (text[i] == '\n')
			text[i] = ' ';
}

/* Without the line of keys, where the table before had the same. False: no memory. */
static bool leave_out_keys(struct watch_rows *rows, char *text, size_t *bytes)
{
	size_t length = strcspn(text, "\n");
	char *keys = strndup(text, length);

	if (!keys)
		return false;
	if (rows->keys && !strcmp(rows->keys, keys)) {
		*bytes -= length + 1;
		memmove(text, text + length + 1, *bytes + 1);
	}
	free(rows->keys);
	rows->keys = keys;
	return true;
}

static bool write_table(const struct watch_rows *rows, struct watch *watch, struct watch_form *form, FILE *out, struct diag *diag)
{
	const struct writer_options options = {.form = rows->form};
	struct table_sink inner = make_table_writer(&options, out, "standard output", diag);
	struct marked marked = {.inner = &inner, .told = &form->told, .table = rows->tables + 1};
	struct table_sink sink = {&marked, begin, row, end};
	bool done = watch_write(watch, form, &sink);

	free_table_writer(&inner);
	return done;
}

char *watch_rows_make(struct watch_rows *rows, struct watch *watch, enum by by, uint64_t limit, size_t *bytes, struct diag *diag)
{
	struct watch_form form = {.by = by, .limit = limit};
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	bool done = out && write_table(rows, watch, &form, out, diag);

	if (out && fclose(out))
		done = false;
	if (!done || !text || !*bytes || (rows->form == WRITER_CSV && !leave_out_keys(rows, text, bytes))) {
		free(text);
		return NULL;
	}
	if (rows->form == WRITER_JSON)
		make_one_line(text, *bytes);
	rows->tables++;
	return text;
}

void watch_rows_clear(struct watch_rows *rows)
{
	free(rows->keys);
	rows->keys = NULL;
}
