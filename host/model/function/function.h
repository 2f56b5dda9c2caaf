/* function: (process, place, time) → function id. Modules and extents early, names late.
 *
 * An id stands for one function of one file: an entry site, a call site and a .cold part are one id; so are the same function in
 * two processes, and in a library that was loaded twice. Two libraries that used the same address at different times are two. Where
 * no symbol is known, what the unwind tables call one is a function, and where these say nothing either, each place is one of its
 * own. Ids count from 0 without holes. */
#ifndef DWELL_HOST_MODEL_FUNCTION_FUNCTION_H
#define DWELL_HOST_MODEL_FUNCTION_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/diag.h"

#define FUNCTION_NONE UINT32_MAX
#define FUNCTION_COUNT_MAX 0x0fffffffu

struct functions;
struct modules;

/* Null when there is no memory. */
struct functions *make_functions(struct diag *diag);
void free_functions(struct functions *functions);

/* Which names of files are wanted: before the first place is asked for. Of names that the recording tells of itself nobody knows whether
 * they are global: where only such are wanted, the file is asked first. */
struct symbol_choice;
void functions_choose_names(struct functions *functions, const struct symbol_choice *choice);

/* A module was mapped or unmapped, says the file at offset. Symbol tables are opened when the first place in them is asked for. */
void functions_add_module(struct functions *functions, const struct message_module *module, uint64_t offset);

/* What functions of a file are called, says the recording: that counts before what the file says, which may be another one by now. */
void functions_add_names(struct functions *functions, const struct message_names *names);

/* What places that are the address of a name are called. */
void functions_add_string(struct functions *functions, const struct message_string *string);

/* What marks with this index say: each text is a function "mark: TEXT". */
void functions_add_text(struct functions *functions, const struct message_text *text);

/* A cache, so that a place seen before costs two nanoseconds: it is in one of the entries from where its hash says. Internal to
 * functions_find. */
#define FUNCTION_CACHE_BITS 12
#define FUNCTION_CACHE_NEAR 8u
struct function_cache {
	struct function_cache_entry {
		uint64_t value;
		uint32_t scope; /* process and kind of place; 0: free. UINT32_MAX is never in it */
		uint32_t id;
	} entries[(1u << FUNCTION_CACHE_BITS) + FUNCTION_CACHE_NEAR];
};
static inline uint32_t function_cache_scope(uint32_t process, enum dwell_place_kind kind)
{
	return process < 1u << 28 ? process * 8u + (uint32_t)kind + 1u : UINT32_MAX;
}
static inline uint32_t function_cache_at(uint32_t scope, uint64_t value)
{
	return (uint32_t)((value + scope) * 0x9e3779b97f4a7c15u >> (64 - FUNCTION_CACHE_BITS));
}
uint32_t functions_find_slowly(struct functions *functions, uint32_t process, struct place place, uint64_t ticks);

/* The id of a place where it is in the cache, else FUNCTION_NONE: for who asks for many of one scope. */
static inline uint32_t functions_find_cached(const struct functions *functions, uint32_t scope, uint64_t value)
{
	const struct function_cache *cache = (const struct function_cache *)functions; /* its first member */
	const struct function_cache_entry *entry = &cache->entries[function_cache_at(scope, value)], *end = entry + FUNCTION_CACHE_NEAR;

	for (; entry < end && entry->scope; entry++)
		if (entry->value == value && entry->scope == scope)
			return entry->id;
	return FUNCTION_NONE;
}

/* The id of the function that holds the place; makes one where no module or symbol knows it. FUNCTION_NONE when there is no memory,
 * or no id is left. */
static inline uint32_t functions_find(struct functions *functions, uint32_t process, struct place place, uint64_t ticks)
{
	uint32_t id = functions_find_cached(functions, function_cache_scope(process, place.kind), place.value);

	return __builtin_expect(id != FUNCTION_NONE, 1) ? id : functions_find_slowly(functions, process, place, ticks);
}

/* The id of a function that is known by its name only. */
uint32_t functions_find_name(struct functions *functions, const char *name);

/* The id of the function of the operating system that holds the address; of all of it where the recording knows no name. */
uint32_t functions_find_kernel(struct functions *functions, uint64_t address);

/* Where a call site (an address inside of the call) is, as far as is known. Makes no id. */
struct function_site {
	uint32_t id;      /* of the function whose symbol, or entry in the unwind tables, holds it, if that has an id; else FUNCTION_NONE */
	bool symbolised;  /* there is such a one: no other function can be meant */
	/* Internal: what holds it, as in function.c. */
	uint32_t kind, file;
	uint64_t address;
};
struct function_site functions_find_site(struct functions *functions, uint32_t process, struct place site, uint64_t ticks);

/* How far behind the beginning of the function the site is: for sites that no symbol holds, the function that is nearest is the
 * best guess among those that are open. UINT64_MAX when it cannot be in it. */
uint64_t functions_site_distance(struct functions *functions, uint32_t id, const struct function_site *site);

/* What a task is called whose handle is the address of a variable: that, or "table+0x40". False: no such one is known. */
bool functions_name_task(struct functions *functions, uint32_t process, uint64_t handle, char *name, size_t size);

uint32_t functions_count(const struct functions *functions);

/* For people: demangled; "module+0x12", where it begins, when stripped; "0x5566…" when no module is known. Made at the first
 * call, owned by functions. */
const char *functions_get_name(struct functions *functions, uint32_t id);
/* Whether it has a name of its own: none that says where it is instead. */
bool functions_is_named(const struct functions *functions, uint32_t id);
/* With its place, "helper (app+0x1139)" (link-time address), for a name that several functions have. To be freed.
 * Null when no symbol knows it, whose name is a place already, or there is no memory. */
char *make_functions_name_and_place(struct functions *functions, uint32_t id);

/* Which file the function is of, and where: its link-time address. False: in no module. */
struct function_place {
	uint32_t file;    /* files count from 0 */
	const char *path; /* borrowed, as is the build-id */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t address;
};
bool functions_get_place(const struct functions *functions, uint32_t id, struct function_place *place);


/* As a person asks for it: C++ without arguments and result, "space::box<int>::get"; a copy under its function's name, not
 * "f.constprop.0". To be freed. Null where there is no such name, or no memory. */
char *make_functions_plain_name(struct functions *functions, uint32_t id);

/* Whether any name that is known by now is the one that somebody means: of functions with ids, or in the tables of files in
 * which a place was asked for, or which the recording tells; as people know it, and as a person asks for it (null: there is
 * none). seen: zeroed at first, what was looked through before, so that asking again costs what is new. */
struct functions_seen {
	bool no_tables; /* to be set: none of them can have such a name, which saves making those of C++ readable */
	size_t ids;
	uint8_t *tables; /* by file: 1 the opened one, 2 the told one */
	size_t capacity;
};
typedef bool functions_is_meant(const void *context, const char *name, const char *plain);
bool functions_have(struct functions *functions, struct functions_seen *seen, functions_is_meant *is_meant, const void *context);

/* What is mapped where, for those in this room who ask about single addresses. */
struct modules *functions_get_modules(const struct functions *functions);

/* ---- for several threads ----
 *
 * A share of a table asks it under a lock and keeps what it heard, so that each thread works with a share of its own: find, find_name,
 * find_site and site_distance take either. All modules are known before; what a share finds is what would have been found if those told
 * in the file behind where it reads were not.
 *
 * Ids are then given as threads happen to ask. functions_renumber puts them in the order in which one thread that reads the whole file
 * would have given them. */

/* Null when there is no memory. The table outlives it. */
struct functions *make_functions_share(struct functions *whole);
void free_functions_share(struct functions *share);
/* What is asked from now on stands in the chunk with this number, at offset; fresh: it does not follow what was asked before. peeks: what
 * is asked is only a guess, and does not count for the order. */
void functions_share_begin(struct functions *share, uint64_t chunk, uint64_t offset, bool fresh);
void functions_share_peek(struct functions *share, bool peeks);
/* What was asked since the last time counts for the order; or it does not, since nobody should have asked. */
void functions_share_keep(struct functions *share);
void functions_share_forget(struct functions *share);
/* From here on the table is asked by its shares only. */
void functions_begin_sharing(struct functions *whole);
/* Shares are not used any more. Returns the new id of each old one, FUNCTION_NONE for those that nobody asked for; to be freed. Null when
 * there is no memory. What is wrong with symbol files is said, in the order of the file. */
uint32_t *functions_renumber(struct functions *whole);

/* Whether a place was found that is in different modules, or in none, at different times, or for who has read more of the file. Of a table
 * that is not shared any more, or whose shares rest. */
bool functions_are_unsettled(const struct functions *functions);

/* For the health box. */
struct functions_health {
	uint32_t functions;
	uint32_t unsymbolised;   /* in a module, but no symbol knows them */
	uint32_t late;           /* whose name, or part of it, the trace has behind what needs it: it could not be read out of order */
	uint32_t homeless;       /* in no module */
	uint32_t begun;          /* that some place was the beginning of: of hooks all, but for those of another program */
	uint32_t astray;         /* entries' addresses where nobody tells of a function that begins */
	uint32_t modules, modules_unreadable, modules_mismatched;
};
struct functions_health functions_get_health(const struct functions *functions);

#endif
