/* running: reads facts about a running process from /proc. */
#ifndef DWELL_HOST_SAMPLE_RUNNING_H
#define DWELL_HOST_SAMPLE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The path of the process's program; null: unknown. The caller frees it. */
char *make_running_path(pid_t pid);
/* The process's arguments, in one piece with the array; null: unknown. The caller frees it. */
char **make_running_argv(pid_t pid);
/* CPU time of all threads of the process so far, including ended threads; 0: unknown. */
uint64_t running_cpu_ns(pid_t pid, bool with_kernel);
/* When the process began, in CLOCK_REALTIME; 0: unknown. */
uint64_t running_begin_unix_ns(pid_t pid);
/* CPU time of all ended children of dwell's process that dwell has waited for. */
uint64_t running_children_cpu_ns(bool with_kernel);

#endif
