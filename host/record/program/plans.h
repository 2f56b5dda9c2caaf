/* plans: records programs without hooks by plans (host/plan/). An agent
 * requests a plan for each file without hooks (target/port/os/linux/plans.h).
 *
 * To make a plan for a large program takes a second, unless the plan is in the cache. The agent waits for its plan. Other
 * agents record meanwhile, and record must go on draining rings. So a separate thread finds and makes plans. The plans
 * are in memory of record, which agents map and read. */
#ifndef DWELL_HOST_RECORD_PROGRAM_PLANS_H
#define DWELL_HOST_RECORD_PROGRAM_PLANS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "record/session/session.h"
#include "record/sink/kept_files.h"
#include "record/stage/filter_options.h"
#include "util/diag.h"

/* Whether dwell can make plans for this machine. */
#ifdef __x86_64__
#define PLANS_ARE_MADE true
#else
#define PLANS_ARE_MADE false
#endif

/* A file whose plan an agent has requested. */
struct plans_file {
	const struct kept_file *file; /* the file's path comes from the program, and may be false */
	uint64_t offset, bytes; /* where the plan is in the memory that agents read; 0 bytes: no plan */
	struct dwell_plan head; /* the plan's own, which programs cannot change; zeroed: no plan */
};

/* Zeroed: makes no plans, and answers no requests. */
struct plans {
	bool begun;
	int fd; /* of the memory with plans */
	uint64_t end; /* offset in this memory for the next plan */
	const struct filter_options *filter;
	struct plans_file *files;
	size_t count, capacity;
	struct diag *diag; /* the thread's diags */

	pthread_t thread;
	bool has_thread, is_over;
	pthread_mutex_t lock; /* protects the following members, and is_over */
	pthread_cond_t request_added;
	struct plans_request {
		char *text;
		const struct kept_file *file;
	} *requests;
	size_t request_count, answered, request_capacity; /* answered: requests that the thread has answered, or is answering */
};

/* Makes the memory with plans, and writes the memory's name into the session. All programs get plans, and libraries that
 * the filter names. The filter is borrowed. False and a diag: no memory. */
bool plans_begin(struct plans *plans, struct session *session, const struct filter_options *filter, struct diag *diag);
/* Makes a plan before an agent requests it, so that the agent need not wait. A library gets a plan only if the filter names it. */
void plans_make(struct plans *plans, const struct kept_file *file, bool is_program);
/* Passes an agent's request on to the thread, which answers when the plan
 * is made. file: the file of the request; borrowed. Null: no such file. */
void plans_add_request(struct plans *plans, const char *request, const struct kept_file *file);
/* Reads a request: the address at which the file is mapped, and the path. False: the request is malformed. */
bool plans_read_request(const char *request, uint64_t *low, const char **path);
/* The functions of a file that may, by its plan, leave by a jump to another function (tail calls):
 * offsets from the module's base. To be freed. Null: none. pre: the thread no longer answers requests. */
uint32_t *plans_make_tails(const struct plans *plans, const struct plans_file *file, size_t *count);
/* Call when no agent waits any more. Ends the thread, and moves its diags to diag. */
void plans_end_thread(struct plans *plans, struct diag *diag);
/* Frees all memory; works with and without plans_end_thread before. */
void plans_end(struct plans *plans);

#endif
