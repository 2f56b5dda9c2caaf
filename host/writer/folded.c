#include "writer/folded.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/output.h"
#include "writer/form.h"

#define NO_COLUMN UINT32_MAX
/* Each line repeats its callers, so deep recursions would cost their square. What is deeper counts where it leaves this level. */
#define DEPTH_MAX 1000u

struct folded {
	const char *weight_key, *name;
	struct diag *diag;
	uint32_t depth_column, name_column, weight_column;
	char *path; /* names of the current path, separated by ';' */
	size_t path_capacity;
	size_t *ends; /* where each of them ends in path */
	size_t ends_capacity, depth;
	uint64_t weight; /* of the path, not written yet: what is too deep may be added */
	bool starved;
	struct output output;
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct folded *folded = context;

	(void)name;
	folded->depth_column = folded->name_column = folded->weight_column = NO_COLUMN;
	folded->depth = 0;
	for (uint32_t i = count; i-- > 0;) {
		if (columns[i].unit == UNIT_INDENT)
			folded->depth_column = i;
		else if (columns[i].unit == UNIT_NAME)
			folded->name_column = i;
		else if (!strcmp(columns[i].key, folded->weight_key))
			folded->weight_column = i;
	}
}

/* Makes the path end with name, at depth. */
static bool set_name(struct folded *folded, size_t depth, const char *name)
{
	size_t begin_at, bytes = strlen(name);

	if (depth > folded->depth) /* a level was left out: nothing is known of it */
		depth = folded->depth;
	begin_at = depth ? folded->ends[depth - 1] : 0;
	if (!array_reserve(&folded->path, &folded->path_capacity, begin_at + bytes + 1, 1) ||
		!array_reserve(&folded->ends, &folded->ends_capacity, depth + 1, sizeof *folded->ends))
		return false;
	if (depth)
		folded->path[begin_at++] = ';';
	for (size_t i = 0; i < bytes; i++)
		folded->path[begin_at + i] = name[i] == ';' ? ':' : name[i] == '\n' || name[i] == '\r' ? ' ' : name[i];
	folded->ends[depth] = begin_at + bytes;
	folded->depth = depth + 1;
	return true;
}

static void write_line(struct folded *folded)
{
	if (!folded->weight)
		return;
	output_put_bytes(&folded->output, folded->path, folded->ends[folded->depth - 1]);
	output_put_char(&folded->output, ' ');
	writer_put_decimal(&folded->output, folded->weight);
	output_put_char(&folded->output, '\n');
	folded->weight = 0;
}

static void row(void *context, const struct cell *cells)
{
	struct folded *folded = context;

	if (folded->starved || folded->depth_column == NO_COLUMN || folded->name_column == NO_COLUMN ||
		folded->weight_column == NO_COLUMN)
		return;
	if (cells[folded->depth_column].count >= DEPTH_MAX && folded->depth) {
		folded->weight += cells[folded->weight_column].count;
		return;
	}
	write_line(folded);
	if (!set_name(folded, cells[folded->depth_column].count, cells[folded->name_column].text)) {
		diag_add(folded->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: stacks are missing");
		folded->starved = true;
		return;
	}
	folded->weight = cells[folded->weight_column].count;
}

static void end(void *context)
{
	struct folded *folded = context;

	write_line(folded);
	output_end(&folded->output, folded->name, folded->diag);
}

static void swallow_begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context, (void)name, (void)columns, (void)count;
}

static void swallow_row(void *context, const struct cell *cells)
{
	(void)context, (void)cells;
}

static void swallow_end(void *context)
{
	(void)context;
}

struct table_sink make_folded_writer(const char *weight_key, FILE *out, const char *name, struct diag *diag)
{
	struct folded *folded = calloc(1, sizeof *folded);

	if (!folded) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: nothing is written");
		return (struct table_sink){NULL, swallow_begin, swallow_row, swallow_end};
	}
	folded->weight_key = weight_key;
	folded->name = name;
	folded->diag = diag;
	output_begin(&folded->output, out);
	return (struct table_sink){folded, begin, row, end};
}

void free_folded_writer(struct table_sink *sink)
{
	struct folded *folded = sink->context;

	if (folded) {
		free(folded->path);
		free(folded->ends);
		free(folded);
	}
	sink->context = NULL;
}
