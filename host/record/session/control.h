/* control: the agent in a running process, found and told what to do from outside: target/port/os/linux/control.h.
 *
 * Nothing is stopped, and no debugger is in the way: all of it is reading and writing /proc/PID/mem. The process is not trusted: what is
 * read there is checked, and what is written there is a request and the gates' bytes, where they hold what they should. */
#ifndef DWELL_HOST_RECORD_SESSION_CONTROL_H
#define DWELL_HOST_RECORD_SESSION_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/port/os/linux/control.h"
#include "util/diag.h"

struct control {
	pid_t pid;
	uint32_t own_pid; /* as the process knows itself: another one in a container */
	int memory;       /* /proc/PID/mem: of this program in it, not of one that it becomes */
	uint64_t address; /* of the block */
	struct dwell_control block; /* as read last */
};

/* What processes look like from outside. */
enum control_problem {
	CONTROL_FOUND,
	CONTROL_DENIED,  /* may not be looked into; errno says why */
	CONTROL_GONE,    /* no such process, or it ended just now */
	CONTROL_NO_AGENT,
	CONTROL_OTHER,   /* an agent of another version or machine */
};
/* CONTROL_FOUND: control_close it. Else there is nothing to close. */
enum control_problem control_find(struct control *control, pid_t pid);
void control_close(struct control *control);

/* Reads the block again. False: the process has ended, or runs another program. */
bool control_read(struct control *control);
/* The next hooked call of the process joins session. number: what answered will be then. */
bool control_request(struct control *control, const char *session, uint32_t *number);
/* Hooks look at what there is to do. */
bool control_open_gates(struct control *control);

#endif
