/* Creates the writer of the requested form, and does the work common to all forms. */
#include "writer/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writer/form.h"

static const struct writer_form_type *const types[] = {
	[WRITER_TEXT] = &writer_form_text,
	[WRITER_CSV] = &writer_form_csv,
	[WRITER_JSON] = &writer_form_json,
	[WRITER_C6000] = &writer_form_c6000,
	[WRITER_MARKDOWN] = &writer_form_markdown,
};

#define KEY_BYTES 48

/* A copy of the table's columns in which times are ticks, for clocks whose rate is unknown. */
struct renamed {
	struct column *columns;
	char (*keys)[KEY_BYTES];
};

/* Renames the key of a time: self_ns becomes self_ticks. A key of a property of a time (ns_low, ns_p) changes
 * likewise, whatever its own unit. Returns false if the key stays. */
static bool rename_key(const char *key, bool is_time, char renamed[KEY_BYTES])
{
	size_t length = key ? strlen(key) : 0;

	if (is_time && length > 3 && !strcmp(key + length - 3, "_ns"))
		snprintf(renamed, KEY_BYTES, "%.*s_ticks", (int)length - 3, key);
	else if (length > 3 && !strncmp(key, "ns_", 3))
		snprintf(renamed, KEY_BYTES, "ticks_%s", key + 3);
	else
		return false;
	return true;
}

/* Copies the columns, with keys and units for ticks. The copy is one block, which the caller frees. Null: out of memory. */
static struct renamed *make_renamed(const struct column *columns, uint32_t count)
{
	struct renamed *renamed = malloc(sizeof *renamed + count * (sizeof *renamed->columns + KEY_BYTES));

	if (!renamed)
		return NULL;
	renamed->columns = (struct column *)(renamed + 1);
	renamed->keys = (char(*)[KEY_BYTES])(renamed->columns + count);
	for (uint32_t i = 0; i < count; i++) {
		struct column *column = &renamed->columns[i];
		bool is_time = columns[i].unit == UNIT_NS || columns[i].unit == UNIT_NS_SIGNED;

		*column = columns[i];
		if (is_time)
			column->unit = column->unit == UNIT_NS ? UNIT_TICKS : UNIT_TICKS_SIGNED;
		if (rename_key(column->key, is_time, renamed->keys[i]))
			column->key = renamed->keys[i];
	}
	return renamed;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct table_writer *writer = context;

	writer->columns = columns;
	writer->column_count = column_count;
	writer->row_count = 0;
	if (writer->options.ticks) {
		free(writer->renamed);
		writer->renamed = make_renamed(columns, column_count);
		if (writer->renamed)
			writer->columns = writer->renamed->columns;
	}
	writer->type->begin(writer, name);
}

static void row(void *context, const struct cell *cells)
{
	struct table_writer *writer = context;

	writer->type->row(writer, cells);
	writer->row_count++;
}

static void end(void *context)
{
	struct table_writer *writer = context;

	writer->type->end(writer);
	output_end(&writer->output, writer->name, writer->diag);
}

static void begin_nothing(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	(void)context, (void)name, (void)columns, (void)column_count;
}

static void row_nothing(void *context, const struct cell *cells)
{
	(void)context, (void)cells;
}

static void end_nothing(void *context)
{
	(void)context;
}

struct table_sink make_table_writer(const struct writer_options *options, FILE *out, const char *name, struct diag *diag)
{
	const struct writer_form_type *type = types[options->form];
	struct table_writer *writer = calloc(1, type->bytes);

	if (!writer) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "no memory to write a table");
		return (struct table_sink){NULL, begin_nothing, row_nothing, end_nothing};
	}
	writer->type = type;
	writer->options = *options;
	writer->name = name;
	writer->diag = diag;
	output_begin(&writer->output, out);
	return (struct table_sink){writer, begin, row, end};
}

bool table_writer_shows(const struct table_sink *sink, const char *title)
{
	const struct table_writer *writer = sink->context;

	return writer && (!writer->type->shows || writer->type->shows(writer, title));
}

void free_table_writer(struct table_sink *sink)
{
	struct table_writer *writer = sink->context;

	if (writer && writer->type->clear)
		writer->type->clear(writer);
	if (writer)
		free(writer->renamed);
	free(writer);
	sink->context = NULL;
}
