/* function_inner: what finds functions (function.c) and what names them (function_name.c) share. For nobody else. */
#ifndef DWELL_HOST_MODEL_FUNCTION_FUNCTION_INNER_H
#define DWELL_HOST_MODEL_FUNCTION_FUNCTION_INNER_H

#include <pthread.h>

#include "model/function/function.h"
#include "model/function/holder.h"
#include "model/function/module.h"
#include "model/function/notes.h"
#include "model/function/texts.h"
#include "model/function/texts_at.h"
#include "model/index.h"

enum function_kind {
	FUNCTION_SYMBOL, /* file, address: what symbol_find finds there */
	FUNCTION_EXTENT, /* file, address: what symbol_extent_find finds there, where no symbol is */
	FUNCTION_OFFSET, /* file, address: neither */
	FUNCTION_PLACE, /* scope, address: in no module */
	FUNCTION_NAMED, /* name */
	FUNCTION_MARK,  /* address: index of its text, of equal texts the first */
};

struct function {
	enum function_kind kind;
	uint32_t file; /* FUNCTION_PLACE: the scope (process and kind of place) */
	uint64_t address; /* FUNCTION_NAMED: hash of the name */
	char *name; /* for people; null: not asked for yet */
	uint64_t order; /* of the first time that it was asked for: chunk, then the place in it. ORDER_NONE: only by guesses */
	bool opens; /* of one that was just located: its file had to be read */
	bool begun; /* a place was asked for that is where it begins */
	bool astray; /* an entry's address was, where nobody tells of one that begins */
};

#define ORDER_NONE UINT64_MAX
#define ORDER_IN_CHUNK_BITS 24 /* slots of a chunk are fewer */

struct functions {
	struct function_cache cache; /* first: functions_find looks there */
	struct diag *diag;
	struct modules *modules;
	struct function *list;
	size_t count, capacity;
	struct index index; /* hash_of a function → position in list */
	struct parts parts;
	struct texts texts; /* of marks */
	struct texts_at texts_at; /* names, by address */
	struct functions *whole; /* of a share: the table, else null */
	uint64_t as_of; /* of a share: the file is read up to here */
	uint64_t changes_at; /* of a share: where a module behind it is told first */
	uint64_t order; /* of a share: of what is asked next */
	bool peeks;
	struct notes asked, opened; /* of a share: functions, files */
	pthread_mutex_t lock;
	uint64_t *changes; /* offsets where a module is told, rising */
	size_t change_count, change_capacity;
	bool is_unsettled;
	bool had_functions;    /* when names came: they were too late for these */
	bool was_kernel_early; /* samples of the operating system came before any of its names */
};

#endif
