/* export: the list of formats, and functions common to exporters (export.h). */
#include "writer/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "writer/export/folded.h"

static const struct export_format *const formats[] = {
	&export_callgrind, &export_folded, &export_gmon, &export_perfetto, &export_pprof, &export_speedscope};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
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

struct table_sink export_null_sink(void)
{
	return (struct table_sink){NULL, begin_nothing, row_nothing, end_nothing};
}

void *make_exporter(const struct export_target *target, size_t bytes)
{
	struct exporter *exporter = calloc(1, bytes);

	if (!exporter) {
		diag_add(target->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: nothing is written");
		return NULL;
	}
	exporter->target = *target;
	output_begin(&exporter->output, target->out);
	return exporter;
}

void export_out_of_memory(struct exporter *exporter)
{
	if (!exporter->starved)
		diag_add(exporter->target.diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: %s is not complete", exporter->target.name);
	exporter->starved = true;
}

/* ---- folded stacks, with a writer of their own ---- */

static struct table_sink make_folded(const struct export_target *target)
{
	struct table_sink sink = make_folded_writer("self", target->out, target->name, target->diag);

	folded_set_note(&sink, target->lacks);
	return sink;
}

const struct export_format export_folded = {.name = "folded",
	.source = EXPORT_PATHS,
	.make = make_folded,
	.free = free_folded_writer};
