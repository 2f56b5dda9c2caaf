/* folded: writes folded stacks (folded.h). */
#include "writer/export/folded.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/output.h"
#include "util/utf8.h"
#include "writer/form.h"

#define NO_COLUMN UINT32_MAX
/* Each line repeats all callers, so a deep recursion would make the file grow with the square of the depth. A deeper path is
 * written as the outermost DEPTH_MAX names, GAP, and the innermost function. Paths that become equal in this way share a line. */
#define DEPTH_MAX 1000u
#define GAP ";[...];"
/* Number of functions with buffered weights below one path. A full buffer is written as lines;
 * later lines may repeat a path, and readers add up the weights. */
#define DEEP_MAX 64u

/* The weight of one function on paths that are too deep, not written yet. */
struct deep {
	char *name;
	size_t capacity, bytes;
	uint64_t weight;
};

struct folded {
	const char *weight_key, *name, *note;
	struct diag *diag;
	uint32_t depth_column, name_column, weight_column;
	char *path; /* names on the current path, separated by ';' */
	size_t path_capacity;
	size_t *ends; /* the end of each name in path */
	size_t ends_capacity, depth;
	struct deep deep[DEEP_MAX]; /* functions deeper than DEPTH_MAX, below the first DEPTH_MAX names of path; not written yet */
	unsigned deep_count;
	bool starved;
	struct output output;
};

/* The key of a weight that is a time ends with the unit. */
static bool is_weight(const char *key, const char *weight_key)
{
	size_t length = strlen(weight_key);

	return !strncmp(key, weight_key, length) && (!key[length] || !strcmp(key + length, "_ns"));
}

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
		else if (!columns[i].empty && is_weight(columns[i].key, folded->weight_key))
			folded->weight_column = i;
	}
}

#define NAME_BYTES_A_BYTE 4u /* for example \xff */

/* Copies a name as it appears in a line; needs room for NAME_BYTES_A_BYTE for each byte. Returns the bytes written. */
static size_t copy_name(char *to, const char *name, size_t bytes)
{
	size_t used = 0, written;

	while (bytes) {
		size_t taken = utf8_plain_bytes(name);
		int columns;

		written = taken;
		for (size_t i = 0; i < taken; i++)
			to[used + i] = name[i] == ';' ? ':' : name[i];
		if (!taken) {
			char escape[UTF8_ESCAPE_BYTES];

			taken = utf8_escape(name, bytes, escape, &written, &columns);
			memcpy(to + used, escape, written);
		}
		used += written;
		name += taken;
		bytes -= taken;
	}
	return used;
}

/* Makes name the last one of the path, at depth. */
static bool set_name(struct folded *folded, size_t depth, const char *name)
{
	size_t begin_at, bytes = strlen(name);

	if (depth > folded->depth) /* the table skipped a level, about which nothing is known */
		depth = folded->depth;
	begin_at = depth ? folded->ends[depth - 1] : 0;
	if (!array_reserve(&folded->path, &folded->path_capacity, begin_at + NAME_BYTES_A_BYTE * bytes + 1, 1) ||
		!array_reserve(&folded->ends, &folded->ends_capacity, depth + 1, sizeof *folded->ends))
		return false;
	if (depth)
		folded->path[begin_at++] = ';';
	folded->ends[depth] = begin_at + copy_name(folded->path + begin_at, name, bytes);
	folded->depth = depth + 1;
	return true;
}

static void end_line(struct folded *folded, uint64_t weight)
{
	output_put_char(&folded->output, ' ');
	writer_put_decimal(&folded->output, weight);
	output_put_char(&folded->output, '\n');
}

static void write_deep(struct folded *folded)
{
	for (unsigned i = 0; i < folded->deep_count; i++) {
		output_put_bytes(&folded->output, folded->path, folded->ends[DEPTH_MAX - 1]);
		output_put_bytes(&folded->output, GAP, sizeof GAP - 1);
		output_put_bytes(&folded->output, folded->deep[i].name, folded->deep[i].bytes);
		end_line(folded, folded->deep[i].weight);
	}
	folded->deep_count = 0;
}

static bool add_deep(struct folded *folded, const char *name, uint64_t weight)
{
	size_t bytes = strlen(name);
	struct deep *deep;

	if (!weight)
		return true;
	for (unsigned i = 0; i < folded->deep_count; i++) {
		deep = &folded->deep[i];
		/* A sum that would overflow becomes two lines, and so does a name changed by copy_name. */
		if (deep->bytes == bytes && !memcmp(deep->name, name, bytes) && deep->weight <= UINT64_MAX - weight) {
			deep->weight += weight;
			return true;
		}
	}
	if (folded->deep_count == DEEP_MAX)
		write_deep(folded);
	deep = &folded->deep[folded->deep_count];
	if (!array_reserve(&deep->name, &deep->capacity, NAME_BYTES_A_BYTE * bytes + 1, 1))
		return false;
	deep->bytes = copy_name(deep->name, name, bytes);
	deep->weight = weight;
	folded->deep_count++;
	return true;
}

static bool add_path(struct folded *folded, size_t depth, const char *name, uint64_t weight)
{
	if (depth > DEPTH_MAX && folded->depth >= DEPTH_MAX)
		return add_deep(folded, name, weight);
	if (depth < DEPTH_MAX)
		write_deep(folded);
	if (!set_name(folded, depth, name))
		return false;
	if (weight) {
		output_put_bytes(&folded->output, folded->path, folded->ends[folded->depth - 1]);
		end_line(folded, weight);
	}
	return true;
}

static void row(void *context, const struct cell *cells)
{
	struct folded *folded = context;

	if (folded->starved || folded->depth_column == NO_COLUMN || folded->name_column == NO_COLUMN ||
		folded->weight_column == NO_COLUMN)
		return;
	if (!add_path(folded, cells[folded->depth_column].count, cells[folded->name_column].text,
		    cells[folded->weight_column].count)) {
		diag_add(folded->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: stacks are missing");
		folded->starved = true;
	}
}

static void end(void *context)
{
	struct folded *folded = context;

	write_deep(folded);
	if (folded->note && *folded->note) {
		output_put_text(&folded->output, "# ");
		output_put_safe(&folded->output, folded->note, 0);
		output_put_char(&folded->output, '\n');
	}
	output_end(&folded->output, folded->name, folded->diag);
}

static void begin_nothing(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context, (void)name, (void)columns, (void)count;
}

static void row_nothing(void *context, const struct cell *cells)
{
	(void)context, (void)cells;
}

static void end_nothing(void *context)
{
	(void)context;
}

struct table_sink make_folded_writer(const char *weight_key, FILE *out, const char *name, struct diag *diag)
{
	struct folded *folded = calloc(1, sizeof *folded);

	if (!folded) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: nothing is written");
		return (struct table_sink){NULL, begin_nothing, row_nothing, end_nothing};
	}
	folded->weight_key = weight_key;
	folded->name = name;
	folded->diag = diag;
	output_begin(&folded->output, out);
	return (struct table_sink){folded, begin, row, end};
}

void folded_set_note(struct table_sink *sink, const char *text)
{
	struct folded *folded = sink->context;

	if (folded)
		folded->note = text;
}

void free_folded_writer(struct table_sink *sink)
{
	struct folded *folded = sink->context;

	if (folded) {
		free(folded->path);
		free(folded->ends);
		for (unsigned i = 0; i < DEEP_MAX; i++)
			free(folded->deep[i].name);
		free(folded);
	}
	sink->context = NULL;
}
