/* perf_fds: open perf events whose records go to the buffer of another event. Zero before use. */
#ifndef DWELL_HOST_PERF_PERF_FDS_H
#define DWELL_HOST_PERF_PERF_FDS_H

#include <stdbool.h>
#include <stddef.h>

struct perf_fds {
	int *list;
	size_t count, capacity;
};

/* Sends the records of an event to the buffer of the event ring_fd, and keeps the event. False: fd is closed, and errno is set. A
 * negative fd, of an event that was not opened: false, and errno stays. */
bool perf_fds_add(struct perf_fds *fds, int fd, int ring_fd);
/* Closes the events. */
void perf_fds_clear(struct perf_fds *fds);

#endif
