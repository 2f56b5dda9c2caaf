/* filter: which functions are recorded, by patterns for their names, source files and modules.
 *
 *     json_*            functions of such a name, as reports show it, with or without its C++ arguments
 *     file:*parse.c     functions that begin in such a source file, as the compiler called it; needs -g
 *     module:libz.so*   functions of such a file, by the last part of its path
 *
 * A function is wanted when one of the patterns to keep means it, or there are none, and none of the patterns to drop does. The time
 * of what is not wanted is its caller's.
 *
 * The files that are known before the program runs (itself, the libraries that its loader lists, and those of programs that its arguments
 * name) go to the agent, which does not
 * record what is not wanted (target/port/os/linux/filter.h); of all others record asks when they are told, and drops what was recorded
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

/* What is recorded. */
struct filter_program {
	const char *file;
	bool planned; /* without hooks, too: programs, and libraries that a pattern names (record/program/plans.h) */
	char *const *argv; /* what it is started with; programs that are named there are looked through, too. May be null */
	pid_t process;     /* that runs it already; 0: none */
};

/* Patterns that mean nothing, or everything, or leave nothing are said, as far as that is known by now. Null and a
 * diag: no memory. options is
 * borrowed. */
struct filter *make_filter(const struct filter_options *options, const struct filter_program *program, struct diag *diag);
void free_filter(struct filter *filter);

/* A file with hooks is mapped in a process; told twice is told once. By one thread at a time. */
void filter_add_module(struct filter *filter, const struct message_module *module);

/* Answers for one process, remembered. */
#define FILTER_MEMORY 4096u
#define FILTER_NONE 1024u
struct filter_memory {
	struct filter_process *process;
	uint32_t modules; /* of the process, when the answers were given */
	uint64_t places[FILTER_MEMORY]; /* 0: none */
	uint32_t answers[FILTER_MEMORY];
	uint32_t none[FILTER_NONE]; /* places whose answer is that it is none, by their lowest bits: most calls are of a few */
};
/* Zeroed memory is a beginning. Whether the function at a place of a slot is not wanted; ticks: when. By any thread, each with its own
 * memory. */
bool filter_drops_place(struct filter *filter, struct filter_memory *memory, uint32_t process, uint64_t place, uint64_t ticks);

/* The recording is over, and all that was mapped is known: says which patterns meant nothing. output: the
 * file that it is about. By the thread that adds modules. */
void filter_tell_end(const struct filter *filter, const char *output, struct diag *diag);

/* The same patterns, to find functions by that something is to happen with: none of them may drop, and nothing is kept from anybody. What
 * became of each is the caller's to say at the end. Null and a diag: no memory. */
struct filter *make_finder(const struct filter_options *options, const struct filter_program *program, struct diag *diag);
/* Which function is at a place, if it is one of those; they are numbered from 1 on, 0: it is none. As filter_drops_place. */
uint32_t filter_find_place(struct filter *filter, struct filter_memory *memory, uint32_t process, uint64_t place, uint64_t ticks);

/* For many places, one behind the other: forgets what another file that was mapped meanwhile may have changed, … */
void filter_renew(struct filter *filter, struct filter_memory *memory, uint32_t process);
static inline uint32_t filter_none_at(uint32_t place)
{
	return (place >> 4 ^ place >> 14) % FILTER_NONE;
}
/* … and whether filter_find_place would say 0, as it has before. False: ask it. */
static inline bool filter_is_none(const struct filter_memory *memory, uint32_t place)
{
	return memory->none[filter_none_at(place)] == place;
}
/* What it is called, and which pattern means it. By the thread that adds modules. */
const char *filter_get_function(const struct filter *finder, uint32_t number, uint32_t *pattern);
/* Whether the filter drops all functions of which the pattern of the finder is the first that means them, and there are some. */
bool filter_drops_all_of(const struct filter *filter, const struct filter *finder, uint32_t pattern);
/* Why nothing came of the pattern, for a message: that it means no function ("it matches none of the 12 functions of the loaded files (near:
 * handle)"), that an earlier one means them all, or else what uncalled says. Returns it, in text or not. Likewise. */
#define FILTER_NONE_BYTES 512u
const char *filter_describe_uncalled(
	const struct filter *finder, uint32_t pattern, const char *uncalled, char text[FILTER_NONE_BYTES]);

#endif
