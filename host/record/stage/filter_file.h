/* filter_file: matches a filter's patterns with the functions of one file. For filter.c. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_FILE_H
#define DWELL_HOST_RECORD_STAGE_FILTER_FILE_H

#include <stddef.h>

#include "record/stage/filter_options.h"
#include "util/diag.h"

/* Whether one of the patterns that keep functions matches the file as a module: `module:libssl*`. */
bool filter_names_module(const struct filter_options *options, const char *path);

/* A function matched by a pattern to keep. */
struct filter_function {
	uint64_t address;
	const char *name; /* an element of filter_file.names, or null */
	uint32_t pattern; /* number of the first matching pattern */
};

struct filter_file {
	char *path;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool is_hooked;      /* set by filter.c; without hooks, the file has no function to record */
	bool lists_wanted;         /* true: functions contains the wanted functions; false: the unwanted functions */
	uint64_t *functions; /* link-time addresses without bit 0, rising */
	struct filter_function *chosen; /* if functions contains the wanted functions: more about each */
	size_t count;
	bool is_exact[FILTER_PATTERNS_MAX]; /* a function's name equals the pattern's text: '*' in the pattern is a plain letter */
	size_t all, kept;    /* number of named functions; number of wanted functions */
	size_t match_count[FILTER_PATTERNS_MAX]; /* for each pattern: number of matching functions */
	size_t kept_by[FILTER_PATTERNS_MAX]; /* for each pattern to keep: number of matching wanted functions */
	char **names;        /* names of the `all` functions, to suggest a similar name for a misspelled one; may contain null */
};

/* Matches the patterns with the functions of the file at path. An unreadable file has no functions. diag: gets the errors found in
 * the file; may be null. Null: no memory. */
struct filter_file *make_filter_file(const struct filter_options *options, const char *path, struct diag *diag);
void free_filter_file(struct filter_file *file);

/* Whether the function at the link-time address is unwanted. */
bool filter_file_drops(const struct filter_file *file, uint64_t address);

/* Returns the chosen function at the link-time address; null: none. */
const struct filter_function *filter_file_find(const struct filter_file *file, uint64_t address);

/* Lists up to three names of functions in files with hooks that resemble text, the nearest first: "is_prime, is_primed". bytes: the
 * size of list. Empty: no name is similar. */
void filter_file_nearest(struct filter_file *const *files, size_t count, const char *text, char *list, size_t bytes);

/* Of count files, the one with the build-id, or without one at the path. Null: none. */
struct filter_file *filter_file_get(
	struct filter_file *const *files, size_t count, const char *path, const uint8_t *build_id, uint32_t build_id_bytes);

#endif
