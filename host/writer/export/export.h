/* export: the slot that each format of another tool fills. A format is a file here with one of these, and its row in export.c. What it is
 * given is a table, as any writer: of paths (analysis/tree.h, with places) or of calls in order of entry (analysis/timeline.h). */
#ifndef DWELL_HOST_WRITER_EXPORT_EXPORT_H
#define DWELL_HOST_WRITER_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"
#include "util/output.h"

enum export_source {
	EXPORT_PATHS,    /* what was spent on each path: of traces, of samples, of sums */
	EXPORT_TIMELINE, /* single calls */
};

/* What a format may want to know beside the table. All borrowed. */
struct export_target {
	FILE *out;
	const char *name;  /* of out, for messages */
	const char *path;  /* of the file that it will be; null: it is no file, or one that is there already */
	struct diag *diag;
	const char *title; /* what is exported: the name of its file */
	const char *unit;  /* of weights that are no times: "samples" */
	uint64_t start_unix_ns; /* of the recording, 0: not known */
	uint64_t start_monotonic_ns;
	uint64_t duration_ns;
};

struct export_format {
	const char *name; /* "callgrind" */
	enum export_source source;
	bool is_binary;   /* nothing for a terminal */
	/* When there is no memory the sink swallows its rows and diag knows. */
	struct table_sink (*make)(const struct export_target *target);
	void (*free)(struct table_sink *sink);
};

extern const struct export_format export_callgrind, export_folded, export_gmon, export_perfetto, export_pprof, export_speedscope;

/* Null where there is no such format. */
const struct export_format *export_find(const char *name);

/* What all of them have; the first member of a format's own struct. */
struct exporter {
	struct export_target target;
	bool starved; /* there was no memory: nothing more is written, and it was said */
	struct output output;
};

/* A struct of so many bytes, zeroed but for its exporter. Null: no memory, and diag knows. */
void *make_exporter(const struct export_target *target, size_t bytes);
/* Of null. */
struct table_sink export_swallow(void);
void export_starve(struct exporter *exporter);

#endif
