/* plans: programs without hooks are recorded by plans (host/plan/), which agents ask for when they find such a file
 * (target/port/os/linux/plans.h).
 *
 * A plan that is not in the cache takes a second for a large program. Whoever asks waits for it; others, who are recorded meanwhile, must
 * not, so plans are found and made by a thread of their own. */
#ifndef DWELL_HOST_RECORD_PROGRAM_PLANS_H
#define DWELL_HOST_RECORD_PROGRAM_PLANS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/stage/filter_options.h"
#include "util/diag.h"

/* On this machine. */
#ifdef __x86_64__
#define PLANS_ARE_MADE true
#else
#define PLANS_ARE_MADE false
#endif

/* A file that a plan was asked for. */
struct plans_file {
	char *path;
	uint64_t offset, bytes; /* of the plan in the memory that agents read; no bytes: it has none */
};

/* Zeroed: nobody wants any, and nobody is answered. */
struct plans {
	bool begun;
	int fd;
	uint64_t end;
	const struct filter_options *filter;
	struct plans_file *files;
	size_t count, capacity;
	struct diag *diag; /* of the thread */

	pthread_t thread;
	bool has_thread, is_over;
	pthread_mutex_t lock; /* of the following, and of is_over */
	pthread_cond_t asked;
	char **requests;
	size_t request_count, answered, request_capacity;
};

/* The session names where plans are from now on: of all programs, and of the libraries that the filter names. The filter is borrowed. False
 * and a diag: no memory. */
bool plans_begin(struct plans *plans, struct session *session, const struct filter_options *filter, struct diag *diag);
/* What an agent asked for: it is answered when the plan is there. */
void plans_ask_for(struct plans *plans, const char *request);
/* Functions of a file that, by its plan, may leave by a jump to another one (tail calls): places from the module's base on. To be freed;
 * null: none, or requests may still be answered. */
uint32_t *plans_make_tails(const struct plans *plans, const char *path, size_t *count);
/* How many functions of a file can, by its plan, jump out of their callers. 0: none, or requests may still be answered. */
uint32_t plans_count_leaving(const struct plans *plans, const char *path);
/* Nobody waits any more. What there was to say of plans. */
void plans_settle(struct plans *plans, struct diag *diag);
/* Settled or not. */
void plans_end(struct plans *plans);

#endif
