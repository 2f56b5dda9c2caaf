/* The slot: what each form of table writer gives. To add one: a file here, a declaration below, a row in writer.c and its name in
 * enum writer_form. */
#ifndef DWELL_HOST_WRITER_FORM_H
#define DWELL_HOST_WRITER_FORM_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "util/output.h"
#include "writer/writer_options.h"

/* What all forms have; the first member of a form's own struct. */
struct table_writer {
	const struct writer_form_type *type;
	struct writer_options options;
	const char *name;
	struct diag *diag;
	const struct column *columns; /* of the table being written */
	struct renamed *renamed; /* what columns are, where their times are ticks; ours */
	uint32_t column_count;
	uint64_t row_count; /* so far */
	struct output output;
};

struct writer_form_type {
	size_t bytes; /* of the form's own struct, made zeroed */
	void (*begin)(struct table_writer *writer, const char *name);
	void (*row)(struct table_writer *writer, const struct cell *cells);
	void (*end)(struct table_writer *writer);
	void (*clear)(struct table_writer *writer); /* frees what the form allocated; null: nothing */
	bool (*shows)(const struct table_writer *writer, const char *title); /* null: the form leaves no column out */
};

extern const struct writer_form_type writer_form_text, writer_form_csv, writer_form_json, writer_form_c6000, writer_form_markdown;

/* Puts numbers as machines read them: csv and json. */
void writer_put_decimal(struct output *output, uint64_t value);
void writer_put_signed(struct output *output, int64_t value);
void writer_put_address(struct output *output, uint64_t value);
/* 4 decimals. value is finite. */
void writer_put_real(struct output *output, double value);

#endif
