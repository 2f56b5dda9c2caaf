/* running: what /proc says of a process that runs already. */
#ifndef DWELL_HOST_SAMPLE_RUNNING_H
#define DWELL_HOST_SAMPLE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Its file; null: it may not be known. To be freed. */
char *make_running_path(pid_t pid);
/* Its arguments; null, or in one piece with what they point to. To be freed. */
char **make_running_argv(pid_t pid);
/* CPU time of all its threads so far, those that have ended, too; 0: it may not be known. */
uint64_t running_cpu_ns(pid_t pid, bool with_kernel);
/* When it began, in CLOCK_REALTIME; 0: it may not be known. */
uint64_t running_begin_unix_ns(pid_t pid);
/* Of all children of this process that have ended and were waited for. */
uint64_t running_children_cpu_ns(bool with_kernel);

/* Calls see for each of its threads. */
void running_threads(pid_t pid, void (*see)(void *context, pid_t tid), void *context);

#endif
