/* running: reads facts about a running process from /proc: for attaching to it, and for its CPU time. */
#ifndef DWELL_HOST_SAMPLE_RUNNING_H
#define DWELL_HOST_SAMPLE_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The path of the process's program; null: unknown. The caller frees it. */
char *make_running_path(pid_t pid);
/* The process's arguments, in one piece with the array; null: unknown. The caller frees it. */
char **make_running_argv(pid_t pid);
/* CPU time in ns; 0: unknown. ns: all, as far as samples cover the kernel. kernel_ns: in the kernel, without samples. */
struct running_cpu {
	uint64_t ns, kernel_ns;
};
/* CPU time of all threads of the process so far, ended threads included. with_kernel: samples cover the kernel, too. */
struct running_cpu running_get_cpu(pid_t pid, bool with_kernel);
/* CPU time of the process's ended child processes, after wait(), in steps of 10 ms. with_kernel: as above. */
struct running_cpu running_get_waited_cpu(pid_t pid, bool with_kernel);
/* Lists the child processes of all threads in pids, max at most. Returns the number of children; SIZE_MAX: the system hides
 * children. */
size_t running_list_children(pid_t pid, pid_t *pids, size_t max);
/* When the process began, in ns of CLOCK_REALTIME; 0: unknown. */
uint64_t running_begin_unix_ns(pid_t pid);
/* CPU time of all ended child processes that dwell has waited for. with_kernel: as above. */
struct running_cpu running_get_children_cpu(bool with_kernel);
struct running_cpu running_cpu_sum(struct running_cpu a, struct running_cpu b);
/* The time that passed from before to now. */
struct running_cpu running_cpu_since(struct running_cpu before, struct running_cpu now);

#endif
