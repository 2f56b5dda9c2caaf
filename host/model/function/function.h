/* function: gives each function of the recorded programs an id: (process, place, time) → function id. The model asks for the id of
 * each event and sample; reports ask for the names of printed functions only.
 *
 * An id stands for one function of one file. An entry, a call site and a .cold part of the function have the same id,
 * in every process and in every mapping of the file. Two libraries at the same address at different times have different ids.
 * Generated code has no file: a function of it has one id at all its addresses, in all processes of a program that generate a
 * function of that name. Code without a symbol counts by the entries of the unwind tables: each entry is a function. Without a
 * symbol and an entry, each place is a function of its own. Ids count from 0 without gaps. */
#ifndef DWELL_HOST_MODEL_FUNCTION_FUNCTION_H
#define DWELL_HOST_MODEL_FUNCTION_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/diag.h"

#define FUNCTION_NONE UINT32_MAX
/* Not a function, but the sum of everything that a full tree has no room for; named (other). */
#define FUNCTION_OTHER (UINT32_MAX - 1)
#define FUNCTION_COUNT_MAX 0x0fffffffu

struct functions;
struct modules;

/* Null: no memory. */
struct functions *make_functions(struct diag *diag);
void free_functions(struct functions *functions);

/* Sets which names in symbol tables count. pre: no place was looked up yet. If only global names count, dwell uses recorded names
 * only for files that it cannot read: the recording does not show which names are global. */
struct symbol_choice;
void functions_choose_names(struct functions *functions, const struct symbol_choice *choice);

/* The program of a process: code that its processes generate counts by name (below). */
void functions_add_process(struct functions *functions, const struct message_process *process);

/* The message at this offset of the trace maps or unmaps a module. Its symbol table is opened at the first lookup in it. */
void functions_add_module(struct functions *functions, const struct message_module *module, uint64_t offset);

/* Adds the recording's names for functions of a file. They take precedence over the
 * file's names, since the file may have changed. */
void functions_add_names(struct functions *functions, const struct message_names *names);

/* Adds the text at an address of a process. For places that are addresses of names (DWELL_PLACE_STRING). */
void functions_add_string(struct functions *functions, const struct message_string *string);

/* Adds the text of marks with this index; each text is a function "mark: TEXT". */
void functions_add_text(struct functions *functions, const struct message_text *text);

/* A cache from places to ids: a hit costs two nanoseconds. The entry of a place is one of the FUNCTION_CACHE_NEAR entries from its
 * hash on. Internal to functions_find. */
#define FUNCTION_CACHE_BITS 12
#define FUNCTION_CACHE_NEAR 8u
struct function_cache {
	struct function_cache_entry {
		uint64_t value;
		uint32_t scope; /* process and kind of place; 0: free. UINT32_MAX is never stored */
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

/* The id of a cached place, else FUNCTION_NONE. For loops over places of one scope. */
static inline uint32_t functions_find_cached(const struct functions *functions, uint32_t scope, uint64_t value)
{
	const struct function_cache *cache = (const struct function_cache *)functions; /* the first member of struct functions */
	const struct function_cache_entry *entry = &cache->entries[function_cache_at(scope, value)];
	const struct function_cache_entry *end = entry + FUNCTION_CACHE_NEAR;

	for (; entry < end && entry->scope; entry++)
		if (entry->value == value && entry->scope == scope)
			return entry->id;
	return FUNCTION_NONE;
}

/* The id of the function that contains the place; makes a new id if no module or symbol covers the
 * place. FUNCTION_NONE: no memory, or no id left. */
static inline uint32_t functions_find(struct functions *functions, uint32_t process, struct place place, uint64_t ticks)
{
	uint32_t id = functions_find_cached(functions, function_cache_scope(process, place.kind), place.value);

	return __builtin_expect(id != FUNCTION_NONE, 1) ? id : functions_find_slowly(functions, process, place, ticks);
}

/* The id of a function without a place, by name. */
uint32_t functions_find_name(struct functions *functions, const char *name);

/* The id of the kernel's function at the address; the id of "[kernel]" if the recording has no name for the address. */
uint32_t functions_find_kernel(struct functions *functions, uint64_t address);

/* The function that contains a call site (an address inside of the call instruction), as far as known. Makes no new id. */
struct function_site {
	uint32_t id;      /* of the function with the site's symbol or unwind entry; FUNCTION_NONE: no id yet */
	bool symbolised;  /* a symbol or unwind entry covers the site, so its function is certain */
	/* Internal: the function that contains the site, as in struct function. */
	uint32_t kind, file;
	uint64_t address;
};
struct function_site functions_find_site(struct functions *functions, uint32_t process, struct place site, uint64_t ticks);

/* Bytes from the function's beginning to the site. A site without a symbol is most likely in the open function with the smallest
 * distance. UINT64_MAX: the site cannot be in the function. */
uint64_t functions_site_distance(struct functions *functions, uint32_t id, const struct function_site *site);

/* Writes the name of a machine's task: the variable at the address handle, or "table+0x40" inside of a variable. False: no known
 * variable is there. */
bool functions_name_task(struct functions *functions, uint32_t process, uint64_t handle, char *name, size_t size);

uint32_t functions_count(const struct functions *functions);

/* The name for people: demangled; without a symbol "module+0x12", where it begins; without a module "0x5566…". Made at the first
 * call, and owned by functions. */
const char *functions_get_name(struct functions *functions, uint32_t id);
/* Whether the function has a real name, not only a position as its name. */
bool functions_is_named(const struct functions *functions, uint32_t id);
/* The name with the position, "helper (app+0x1139)" (link-time address), to distinguish functions with the same name. The caller
 * frees the text. Null: no symbol, and the name is a position already; or no memory. */
char *make_functions_name_and_place(struct functions *functions, uint32_t id);

/* The file and the link-time address of a function. False: in no module. */
struct function_place {
	uint32_t file;    /* files count from 0 */
	const char *path; /* borrowed, as is the build-id */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t address;
};
bool functions_get_place(const struct functions *functions, uint32_t id, struct function_place *place);


/* The name as a person types it: C++ without arguments and result, "space::box<int>::get". A compiler's copy "f.constprop.0" has
 * the name of its function, "f". The caller frees the text. Null: no symbol, or no memory. */
char *make_functions_plain_name(struct functions *functions, uint32_t id);

/* Whether matches returns true for any name known so far: of functions with ids, in opened symbol tables, or from the recording.
 * matches gets the displayed name and the plain name (null: none). seen notes the tried names, so a repeated call tries only new
 * names. Zero before the first call. */
struct functions_tried {
	bool no_tables; /* set by the caller if no symbol table can have such a name: saves demangling all C++ names */
	size_t ids; /* functions with lower ids were tried */
	uint8_t *tables; /* index: file. Bit 0: the opened table was tried; bit 1: the recorded names */
	size_t capacity;
};
typedef bool functions_match_fn(const void *context, const char *name, const char *plain);
bool functions_any_matches(
	struct functions *functions, struct functions_tried *seen, functions_match_fn *matches, const void *context);

/* The mapped modules, for lookups of single addresses within host/model/function. */
struct modules *functions_get_modules(const struct functions *functions);

/* ---- for several threads ----
 *
 * Each thread has a share of one table: the share looks up the table under a lock, and caches the results. functions_find,
 * functions_find_name, functions_find_site and functions_site_distance take a table or a share. The caller adds all modules before.
 * A share ignores modules that the file maps after the share's reading position.
 *
 * Ids are then in the order in which the threads happened to need them. functions_renumber restores the
 * order of a single thread that reads the whole file. */

/* Null: no memory. The table must outlive the share. */
struct functions *make_functions_share(struct functions *whole);
void free_functions_share(struct functions *share);
/* Lookups from now on belong to the chunk with this number, at this offset of the file. fresh: the chunk does not follow the
 * chunk of the lookups before. functions_share_peek: while peeks is set, lookups are guesses, and do not count for the order of
 * ids. */
void functions_share_begin(struct functions *share, uint64_t chunk, uint64_t offset, bool fresh);
void functions_share_peek(struct functions *share, bool peeks);
/* keep: the lookups since the last call of either function count for the order of ids. forget: they do not, as another thread reads
 * the chunk again. */
void functions_share_keep(struct functions *share);
void functions_share_forget(struct functions *share);
/* From here on only shares look up the table. */
void functions_begin_sharing(struct functions *whole);
/* The shares are no longer used. Returns the new id of each old id, FUNCTION_NONE for functions without a lookup that counts; the
 * caller frees the map. Null: no memory. Passes on the diags of symbol files, in the order of the trace. */
uint32_t *functions_renumber(struct functions *whole);

/* Whether any result depended on the time, or on how much of the file was read: a place was in different modules at different
 * times, or sometimes in none. pre: no share is in use. */
bool functions_are_unsettled(const struct functions *functions);

/* Figures for the health of a recording (host/query/health.h). */
struct functions_health {
	uint32_t functions;
	uint32_t unsymbolised;   /* in a module, but without a symbol */
	uint32_t late;           /* the trace has the name only after the first use, and was read from a pipe, in order */
	uint32_t homeless;       /* in no module */
	uint32_t begun;          /* a place was at its beginning: true for all functions with hooks,
	                            unless the file is another program */
	uint32_t astray;         /* an entry was at an address where no known function begins */
	uint32_t modules, modules_unreadable, modules_mismatched;
	uint32_t modules_changed; /* without a build-id, and written to since the recording */
};
/* since_unix_ns: the beginning of the recording; 0: unknown. */
struct functions_health functions_get_health(const struct functions *functions, uint64_t since_unix_ns);

#endif
