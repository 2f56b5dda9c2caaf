/* filter: decides which functions are recorded, by patterns for their names, source files and modules.
 *
 *     json_*            functions by name, as reports show the name, with or without C++ arguments
 *     file:*parse.c     functions by the source file where they begin, as the compiler named the file; needs -g
 *     module:libz.so*   functions by the last part of the path of their program or library
 *
 * dwell records a function if the function matches a pattern to keep, and no pattern to drop. Without any pattern to keep, dwell
 * records all functions that match no pattern to drop. The time of all other functions counts for their callers.
 *
 * dwell finds some files before the program runs: the program, the libraries that its loader lists, and programs with hooks that
 * its arguments name, with their libraries. The agent gets the answers for these files, and does not record unwanted functions
 * (target/port/os/linux/filter.h). record checks all other files when the program maps them, and drops the unwanted events
 * (filter_stage.h). */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_H
#define DWELL_HOST_RECORD_STAGE_FILTER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reader/message.h"
#include "record/stage/filter_options.h"
#include "util/diag.h"

struct filter;

/* The program to record. */
struct filter_program {
	const char *file;
	bool planned; /* the program, and libraries that a pattern names, need no hooks (record/program/plans.h) */
	char *const *argv; /* the program's arguments; dwell also reads programs named there. May be null */
	pid_t process;     /* the process, if the program runs already; 0: none */
};

/* Makes a filter, and warns of patterns that match nothing, or everything, or leave nothing, judging by the files known so far.
 * options is borrowed. Null and a diag: no memory. */
struct filter *make_filter(const struct filter_options *options, const struct filter_program *program, struct diag *diag);
void free_filter(struct filter *filter);

/* A file with hooks is mapped in a process. Ignores repetitions, unmapped modules, and modules without memory. One thread at a
 * time; other threads may look up places meanwhile. */
void filter_add_module(struct filter *filter, const struct message_module *module);

/* A cache of answers for one process. */
#define FILTER_CACHE_PLACES 4096u
#define FILTER_CACHE_NONE_PLACES 1024u
struct filter_cache {
	struct filter_process *process;
	uint32_t modules; /* number of the process's modules when the answers were given */
	uint64_t places[FILTER_CACHE_PLACES]; /* 0: none */
	uint32_t answers[FILTER_CACHE_PLACES];
	uint32_t none[FILTER_CACHE_NONE_PLACES]; /* places with answer 0, by filter_none_index: a few places get most calls */
};
/* Whether the function at a slot's place is unwanted. False also for a place in no file known so far. process: its index in the
 * session. ticks: the time of the slot, since another file may have the place at another time. Zero the memory before the first
 * use. Any thread, each with its own memory for each process. */
bool filter_drops_place(struct filter *filter, struct filter_cache *memory, uint32_t process, uint64_t place, uint64_t ticks);

/* After the recording, when all mappings are there: warns of patterns that matched nothing. output: the file's name for messages.
 * Call the function in the thread that adds modules. */
void filter_warn_unmatched(const struct filter *filter, const char *output, struct diag *diag);

/* Makes a filter that finds functions instead of dropping functions. pre: no pattern drops. The caller reports patterns without
 * effect at the end. Null and a diag: no memory. */
struct filter *make_finder(const struct filter_options *options, const struct filter_program *program, struct diag *diag);
/* The number of the finder's function at a place, from 1 on; 0: the
 * finder has no such function. Otherwise as filter_drops_place. */
uint32_t filter_find_place(struct filter *filter, struct filter_cache *memory, uint32_t process, uint64_t place, uint64_t ticks);

/* For many places in a row: call filter_cache_renew first, which forgets the answers that a newly mapped file may have changed.
 * Then filter_is_none returns, inline, whether filter_find_place has returned 0 for the place before. If filter_is_none returns
 * false, call filter_find_place. */
void filter_cache_renew(struct filter *filter, struct filter_cache *memory, uint32_t process);
static inline uint32_t filter_none_index(uint32_t place)
{
	return (place >> 4 ^ place >> 14) % FILTER_CACHE_NONE_PLACES;
}
/* See filter_cache_renew. */
static inline bool filter_is_none(const struct filter_cache *memory, uint32_t place)
{
	return memory->none[filter_none_index(place)] == place;
}
/* Returns the name of the finder's function with this number, from 1 on; the finder owns the name. *pattern: the number of the
 * first pattern that the function matches. Null: no such function, or no memory for its name. No other thread may add modules
 * meanwhile. */
const char *filter_get_function(const struct filter *finder, uint32_t number, uint32_t *pattern);
/* Whether the pattern is the first to match some of the finder's functions, and the filter drops all of these. */
bool filter_drops_all_of(const struct filter *filter, const struct filter *finder, uint32_t pattern);
/* Explains in a message why the pattern had no effect. No function matches: "it matches none of the 12 functions of the loaded
 * files (did you mean handle?)". An earlier pattern matches all its functions: the message names that reason. Else: the text
 * uncalled. Returns the message, in text or elsewhere. Call the function in the thread that adds modules. */
#define FILTER_UNCALLED_BYTES 512u
const char *filter_describe_uncalled(
	const struct filter *finder, uint32_t pattern, const char *uncalled, char text[FILTER_UNCALLED_BYTES]);

#endif
