/* memory_limit: how much memory this process and its children may use: the machine's, or less in a container. */
#ifndef DWELL_HOST_UTIL_MEMORY_LIMIT_H
#define DWELL_HOST_UTIL_MEMORY_LIMIT_H

#include <stdint.h>

struct memory_limit {
	uint64_t bytes; /* the smallest limit: of the machine, the cgroups of this process and the address space */
	uint64_t free; /* memory below the limit that was unused, or only a file cache, at the time of the call; at most bytes */
};

struct memory_limit memory_limit(void);
/* The limit from cgroups alone; the files have the form of /proc/self/mountinfo
 * and /proc/self/cgroup. UINT64_MAX: no limit. For tests. */
struct memory_limit memory_limit_of_cgroups(const char *mounts, const char *cgroups);

#endif
