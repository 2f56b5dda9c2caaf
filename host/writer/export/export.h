/* export: the interface of an export format. Each format is a file in this folder with a struct
 * export_format, and a row in export.c. Like any writer, it receives a table: of paths (analysis/tree.h, with
 * places) or of calls in order of entry (analysis/calls/timeline.h). */
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
	EXPORT_PAIRS,    /* time in functions, and in calls from one function to another: as paths of at most two functions */
	EXPORT_PATHS,    /* time on each path: from traces, samples or sums */
	EXPORT_TIMELINE, /* single calls */
};

/* Further information for a format, beside the table. All borrowed. */
struct export_target {
	FILE *out;
	const char *name;  /* name of out, for messages */
	const char *path;  /* path of the output file; null: not a file, or a file that already exists */
	struct diag *diag;
	const char *title; /* name of the exported file */
	const char *unit;  /* unit of weights that are not times: "samples" */
	const char *lacks; /* a sentence that tells readers of the exported file what its paths do not show; null, "": nothing */
	uint64_t start_unix_ns; /* start of the recording, 0: unknown */
	uint64_t start_monotonic_ns;
	uint64_t duration_ns;
};

/* One of several profiles in a file. */
struct export_profile {
	const char *thread; /* for people; borrowed until the profile's table ends; null: all threads */
	bool by_cpu;        /* weights are CPU time, from the table's columns of it */
};

struct export_format {
	const char *name; /* "callgrind" */
	enum export_source source;
	bool is_binary;   /* not to be written to a terminal */
	/* If out of memory, adds a diag and returns a sink that ignores its rows. */
	struct table_sink (*make)(const struct export_target *target);
	/* For a file with several profiles: begin_profile comes before the table of each, finish after the last. Null: a file has
	 * one table, whose end is the file's. */
	void (*begin_profile)(struct table_sink *sink, const struct export_profile *profile);
	void (*finish)(struct table_sink *sink);
	void (*free)(struct table_sink *sink);
};

extern const struct export_format export_callgrind, export_folded, export_gmon, export_perfetto, export_pprof, export_speedscope;

/* Returns null for an unknown name. */
const struct export_format *export_find(const char *name);

/* The common part of all exporters; the first member of a format's own struct. */
struct exporter {
	struct export_target target;
	bool starved; /* out of memory, and a diag added: nothing more is written */
	struct output output;
};

/* Allocates a struct of so many bytes, zeroed except for the exporter. Returns null and adds a diag if out of memory. */
void *make_exporter(const struct export_target *target, size_t bytes);
/* Returns a sink that ignores its rows. */
struct table_sink export_null_sink(void);
/* Reports, once, that memory ran out. From then on the format must write nothing more. */
void export_out_of_memory(struct exporter *exporter);

#endif
