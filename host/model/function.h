/* function: (process, place, time) → function id. Modules and extents early, names late.
 *
 * An id stands for one function of one module instance: an entry site, a return site and a .cold part are one id; two libraries that
 * used the same address at different times are two. Ids count from 0 without holes. */
#ifndef DWELL_HOST_MODEL_FUNCTION_H
#define DWELL_HOST_MODEL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/diag.h"

#define FUNCTION_NONE UINT32_MAX

struct functions;

struct functions *make_functions(struct diag *diag);
void free_functions(struct functions *functions);

/* A module was mapped or unmapped. Symbol tables are opened when the first place in them is asked for. */
void functions_add_module(struct functions *functions, const struct message_module *module);

/* The id of the function that holds the place; makes one where no module or symbol knows it (a stripped function is "module+0x12").
 * Cached: a few nanoseconds for a place seen before. */
uint32_t functions_find(struct functions *functions, uint32_t process, struct place place, uint64_t ticks);
/* The id of a function that is known by its name only. */
uint32_t functions_find_name(struct functions *functions, const char *name);

uint32_t functions_count(const struct functions *functions);

/* For people: demangled; "module+0x12" when stripped; "0x5566…" when no module is known. Made at the first call, owned by functions. */
const char *function_name(struct functions *functions, uint32_t id);
/* Path of the module, "" when unknown. */
const char *function_module(const struct functions *functions, uint32_t id);
/* Link-time address, 0 when unknown. */
uint64_t function_address(const struct functions *functions, uint32_t id);

/* For the health box: places that no symbol knew, as (places, in modules without symbols, in no module). */
struct functions_health {
	uint32_t functions, unsymbolised, outside_modules, modules, modules_missing, modules_mismatched;
};
struct functions_health functions_get_health(const struct functions *functions);

#endif
