/* function_inner: the table of functions. For function.c, which finds functions, and function_name.c, which names them. */
#ifndef DWELL_HOST_MODEL_FUNCTION_FUNCTION_INNER_H
#define DWELL_HOST_MODEL_FUNCTION_FUNCTION_INNER_H

#include <pthread.h>

#include "model/function/function.h"
#include "model/function/generated.h"
#include "model/function/holder.h"
#include "model/function/module.h"
#include "model/function/notes.h"
#include "model/function/texts.h"
#include "model/function/texts_at.h"
#include "util/lookup.h"

enum function_kind {
	FUNCTION_SYMBOL, /* file, address: as symbol_find returns it */
	FUNCTION_EXTENT, /* file, address: as symbol_extent_find returns it; no symbol */
	FUNCTION_OFFSET, /* file, address: neither symbol nor extent */
	FUNCTION_PLACE, /* scope, address: in no module */
	FUNCTION_NAMED, /* name */
	FUNCTION_MARK,  /* address: index of its text; of equal texts the first */
};

struct function {
	enum function_kind kind;
	uint32_t file; /* the file's number in modules; for FUNCTION_PLACE the scope (process and kind of place) */
	uint64_t address; /* for FUNCTION_NAMED a hash of the name */
	char *name; /* for people; owned; null: functions_get_name has not made it yet */
	uint64_t order; /* of the first lookup: chunk, then number in the chunk. ORDER_NONE: lookups were only guesses so far */
	bool opens; /* in the result of locate(): the file had to be read */
	bool begun; /* a place at its beginning was looked up */
	bool astray; /* an entry was looked up where no known function begins */
};

#define ORDER_NONE UINT64_MAX
#define ORDER_IN_CHUNK_BITS 24 /* bits for the number of a lookup in its chunk; a chunk has fewer slots */

struct functions {
	struct function_cache cache; /* first, as functions_find_cached expects */
	struct diag *diag;
	struct modules *modules;
	struct function *list;
	size_t count, capacity;
	struct lookup index; /* hash_of a function → position in list */
	struct parts parts;
	struct generated generated;
	struct texts texts; /* of marks */
	struct texts_at texts_at; /* names, by address */
	struct functions *whole; /* for a share: the table; else null */
	uint64_t as_of; /* for a share: its reading position in the file */
	uint64_t changes_at; /* for a share: offset of the next module after as_of */
	uint64_t order; /* for a share: of the next lookup */
	bool peeks; /* for a share: lookups are guesses */
	struct notes looked_up, opened; /* for a share: functions looked up, files opened */
	pthread_mutex_t lock;
	uint64_t *changes; /* offsets of modules in the trace, rising */
	size_t change_count, change_capacity;
	bool is_unsettled;     /* see functions_are_unsettled */
	bool names_came_late;    /* recorded names came when functions already had ids: too late for these functions */
	bool kernel_names_came_late; /* samples of the kernel came before any of its names */
};

#endif
