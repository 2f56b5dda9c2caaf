/* launch: runs the program as a child process under the same conditions as without dwell:
 * standard streams, arguments, environment (plus the agent), working directory, signals. */
#ifndef DWELL_HOST_RECORD_PROGRAM_LAUNCH_H
#define DWELL_HOST_RECORD_PROGRAM_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/diag.h"

struct launch {
	pid_t pid;
	bool ended;
	int status;        /* as from wait(); only for a child */
	bool bare;         /* set by the ready function: start the program without an agent */
	bool attached;     /* the process ran before, and is no child */
	bool stopped;      /* the time is up, or a signal ended the recording; recorded processes go on */
	int exit_fd;         /* for an attached process: a pidfd, readable at the process's end; −1: the system has none */
	uint64_t until_ns; /* when the time for an attached process is up; CLOCK_MONOTONIC, 0: no limit */
};

/* The file that the shell would run for name. Null and a diag: no such file, or not executable. To be freed. */
char *make_program_path(const char *name, struct diag *diag);

/* Called when the process exists and waits, before it becomes the program. */
typedef void launch_ready_fn(void *context, pid_t pid);

/* Blocks the signals that launch_wait takes, then starts path. agent: path of the library to preload;
 * null: none. session: its name, for the environment. False and a diag: the program cannot be started. */
bool launch_begin(struct launch *launch, const char *path, char *const argv[], const char *agent, const char *session,
	launch_ready_fn *ready, void *context, struct diag *diag);

/* Takes a running process in place of a child. From now on, signals that
 * would end dwell end the recording; so does the time, unless for_ns is 0. */
void launch_attach(struct launch *launch, pid_t pid, uint64_t for_ns);
/* Closes the pidfd of an attached process. */
void launch_end(struct launch *launch);

/* Waits up to wait_ns for an event: the program's end (ended, status), or a signal for the program, which launch_wait passes on.
 * The terminal sends its signals to the program directly. After the program's end, a signal to terminate ends the recording. */
void launch_wait(struct launch *launch, long wait_ns);

/* The program's exit status, or LAUNCH_KILLED plus the signal that killed the program. pre: ended, and a child. */
#define LAUNCH_KILLED 256
int launch_status(const struct launch *launch);
/* Whether dwell started the program, and the kernel killed the program for a system call that a filter (seccomp) forbids. */
bool launch_was_killed_by_seccomp(const struct launch *launch);

#endif
