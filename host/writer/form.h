/* form: the interface of a table writer's form: text, CSV, JSON and so on. To add a form: a file in this folder, a
 * declaration below, a row in writer.c and a name in enum writer_form. */
#ifndef DWELL_HOST_WRITER_FORM_H
#define DWELL_HOST_WRITER_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "util/output.h"
#include "writer/writer_options.h"

/* The common part of all forms; the first member of a form's own struct. */
struct table_writer {
	const struct writer_form_type *type;
	struct writer_options options;
	const char *name; /* of the output, for messages */
	struct diag *diag;
	const struct column *columns; /* columns of the current table */
	struct renamed *renamed; /* the columns with keys and units for ticks; owned */
	uint32_t column_count;
	uint64_t row_count; /* rows so far */
	struct output output;
};

struct writer_form_type {
	size_t bytes; /* size of the form's own struct, which is allocated zeroed */
	void (*begin)(struct table_writer *writer, const char *name);
	void (*row)(struct table_writer *writer, const struct cell *cells);
	void (*end)(struct table_writer *writer);
	void (*clear)(struct table_writer *writer); /* frees the form's own memory; null: none */
	bool (*shows)(const struct table_writer *writer, const char *title); /* as table_writer_shows; null: shows all columns */
};

extern const struct writer_form_type writer_form_text, writer_form_csv, writer_form_json, writer_form_c6000, writer_form_markdown;

/* Write numbers for machines: csv and json. */
void writer_put_decimal(struct output *output, uint64_t value);
void writer_put_signed(struct output *output, int64_t value);
void writer_put_address(struct output *output, uint64_t value);
/* Writes 4 decimals. value must be finite. */
void writer_put_real(struct output *output, double value);

#endif
