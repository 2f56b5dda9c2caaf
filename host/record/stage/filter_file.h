/* filter_file: what a filter's patterns mean in one file. For filter.c. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_FILE_H
#define DWELL_HOST_RECORD_STAGE_FILTER_FILE_H

#include <stddef.h>

#include "record/stage/filter_options.h"
#include "util/diag.h"

/* Whether a pattern to keep is of modules, and means the file: `module:libssl*`. */
bool filter_names_module(const struct filter_options *options, const char *path);

/* One that a pattern to keep means. */
struct filter_function {
	uint64_t address;
	const char *name; /* one of the file's */
	uint32_t pattern; /* the first that does */
};

struct filter_file {
	char *path;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	bool is_hooked;      /* what has no hooks has no function that can be recorded. Whoever made it says so */
	bool others;         /* the functions are the ones that are wanted, else the ones that are not */
	uint64_t *functions; /* link-time addresses without bit 0, rising */
	struct filter_function *chosen; /* where the functions are those that are wanted: more of each */
	size_t count;
	bool spelled[FILTER_PATTERNS_MAX]; /* a function is called exactly as the pattern: no wildcards are in it */
	size_t all, kept;    /* functions with a name; of those, wanted */
	size_t meant[FILTER_PATTERNS_MAX]; /* by each pattern */
	size_t kept_by[FILTER_PATTERNS_MAX]; /* of those, wanted: by each pattern to keep */
	char **names;        /* all, for who types one that there is not */
};

/* diag: where to say what is wrong with the file; may be null. Null: no memory. */
struct filter_file *make_filter_file(const struct filter_options *options, const char *path, struct diag *diag);
void free_filter_file(struct filter_file *file);

/* Whether the function at the link-time address is not wanted. */
bool filter_file_drops(const struct filter_file *file, uint64_t address);

/* Likewise which of the chosen it is; null: none. */
const struct filter_function *filter_file_find(const struct filter_file *file, uint64_t address);

/* Names of files with hooks that sound like the pattern, the nearest first: "is_prime, is_primed". Empty when none does. */
void filter_file_nearest(struct filter_file *const *files, size_t count, const char *text, char *list, size_t bytes);

#endif
