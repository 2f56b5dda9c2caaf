/* Makes the writer of the form that is asked for, and keeps what is the same for all. */
#include "writer/writer.h"

#include <stdlib.h>

#include "writer/form.h"

static const struct writer_form_type *const types[] = {
	[WRITER_TEXT] = &writer_form_text,
	[WRITER_CSV] = &writer_form_csv,
	[WRITER_JSON] = &writer_form_json,
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct table_writer *writer = context;

	writer->columns = columns;
	writer->column_count = column_count;
	writer->row_count = 0;
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

void free_table_writer(struct table_sink *sink)
{
	struct table_writer *writer = sink->context;

	if (writer && writer->type->clear)
		writer->type->clear(writer);
	free(writer);
	sink->context = NULL;
}
