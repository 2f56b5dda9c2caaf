/* running: reads facts about a running process from /proc: for attaching to it, and for its CPU time. */
#ifndef DWELL_HOST_SAMPLE_RUNNING_H
#define DWELL_HOST_SAMPLE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The path of the process's program; null: unknown. The caller frees it. */
char *make_running_path(pid_t pid);
/* The process's arguments, in one piece with the array; null: unknown. The caller frees it. */
char **make_running_argv(pid_t pid);
/* CPU time of all threads of the process so far, ended threads included, in ns; 0: unknown. with_kernel: time in the kernel counts,
 * too. */
uint64_t running_cpu_ns(pid_t pid, bool with_kernel);
/* When the process began, in ns of CLOCK_REALTIME; 0: unknown. */
uint64_t running_begin_unix_ns(pid_t pid);
/* CPU time in ns of all ended child processes that dwell has waited for; 0: unknown. with_kernel: as above. */
uint64_t running_children_cpu_ns(bool with_kernel);

#endif
