/* perf_fds: keeps open perf events (perf_fds.h). */
#include "perf/perf_fds.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/array.h"

bool perf_fds_add(struct perf_fds *fds, int fd, int ring_fd)
{
	int error = ENOMEM;

	if (fd < 0)
		return false;
	if (array_reserve(&fds->list, &fds->capacity, fds->count + 1, sizeof *fds->list)) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) == 0) {
			fds->list[fds->count++] = fd;
			return true;
		}
		error = errno;
	}
	close(fd);
	errno = error;
	return false;
}

void perf_fds_clear(struct perf_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++)
		close(fds->list[i]);
	free(fds->list);
	*fds = (struct perf_fds){0};
}
