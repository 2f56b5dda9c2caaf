/* perf_refusal: translates an error of perf_event_open into a line for people. */
#include "record/program/perf_refusal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* kernel.perf_event_paranoid; −1: unknown. */
static int read_paranoid(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	int level = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &level) != 1)
		level = -1;
	fclose(file);
	return level;
}

void perf_refusal_explain(int error, bool mapping, char why[static 160])
{
	int level = read_paranoid();

	if ((error == EACCES || error == EPERM) && mapping)
		snprintf(why, 160, "no memory may be locked for perf events: raise kernel.perf_event_mlock_kb");
	else if ((error == EACCES || error == EPERM) && level > 2)
		snprintf(why, 160, "kernel.perf_event_paranoid is %d, and 2 or less is needed", level);
	else if (error == EACCES || error == EPERM)
		snprintf(why, 160, "perf_event_open is refused, by a container's filter perhaps: %s", strerror(error));
	else if (error == ESRCH)
		snprintf(why, 160, "it has ended");
	else if (error == EMFILE || error == ENFILE)
		snprintf(why, 160, "too many open files for perf events: raise ulimit -n");
	else if (error == ENOSYS)
		snprintf(why, 160, "this kernel has no perf events");
	else
		snprintf(why, 160, "perf events cannot be opened: %s", strerror(error));
}
