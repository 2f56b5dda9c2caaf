/* launch: the program that is recorded, as a child process that is as it would be without us: same standard streams, arguments,
 * environment (plus the agent), working directory, signals. */
#ifndef DWELL_HOST_RECORD_PROGRAM_LAUNCH_H
#define DWELL_HOST_RECORD_PROGRAM_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

struct launch {
	pid_t pid;
	bool ended;
	int status;        /* as wait() gives it; of a child only */
	bool bare;         /* set when it is ready: it gets no agent after all */
	bool attached;     /* it is no child: it ran before */
	bool stopped;      /* the time is up, or somebody asked to end the recording; the program goes on, or what it left behind */
	int watch;         /* of an attached one: tells when it ends; −1: the system cannot */
	uint64_t until_ns; /* CLOCK_MONOTONIC, 0: no limit */
};

/* The file that the shell would run for name; null and a diag when there is none or it cannot be executed. To be freed. */
char *make_program_path(const char *name, struct diag *diag);

/* Is called when the process is there and waits before it becomes the program. */
typedef void launch_ready_fn(void *context, pid_t pid);

/* Blocks the signals that launch_wait takes, then starts path. agent: the library to preload, null: none; session: its name for the
 * environment. False and a diag when it cannot be started. */
bool launch_begin(struct launch *launch, const char *path, char *const argv[], const char *agent, const char *session,
	launch_ready_fn *ready, void *context, struct diag *diag);

/* A process that runs already. Signals that would end this process end the recording from now on; so does the time, unless it is 0. */
void launch_attach(struct launch *launch, pid_t pid, uint64_t for_ns);
void launch_end(struct launch *launch);

/* Waits up to wait_ns for something to happen: the program ends (ended, status), or a signal arrives that is meant for it and is passed
 * on. What the terminal sends reaches the program by itself. When it has ended, a signal that asks to end is meant for the recording. */
void launch_wait(struct launch *launch, long wait_ns);

/* How the program ended: its exit status, or LAUNCH_KILLED plus the signal that killed it. */
#define LAUNCH_KILLED 256
int launch_status(const struct launch *launch);
/* It was started here, and killed for a system call that a filter of its own forbids (seccomp). */
bool launch_was_forbidden(const struct launch *launch);

#endif
