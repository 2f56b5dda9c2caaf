/* generated: functions that programs generate at run time, by name. A function that was compiled again, moved, or made by several
 * processes of a program is one function, although each copy has a name in the table of its process. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_GENERATED_H
#define DWELL_HOST_MODEL_FUNCTION_GENERATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/module.h"
#include "util/lookup.h"

/* The first copy of each function. Zero before the first use; generated_clear after the last. */
struct generated {
	struct generated_function {
		uint64_t program;
		uint32_t file;
		uint64_t address; /* where its symbol begins */
	} *list;
	size_t count, capacity;
	struct lookup index; /* hash of program and name → position in list */
	uint32_t files; /* the recorded names of files below this one are in the list */
};
void generated_clear(struct generated *generated);

/* Replaces the file and the address of a function's symbol by those of the first copy of the function. Changes nothing for files
 * that are not generated code. The first copy is in the first file, at the lowest address, of those that the recording has names
 * for; of the other copies it is the one that was looked up first. */
void generated_find_first(struct generated *generated, struct modules *modules, uint32_t *file, uint64_t *address);

#endif
