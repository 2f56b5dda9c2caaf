/* control: finds the agent in a running process, and sends requests to the agent through the block that
 * target/port/os/linux/control.h describes.
 *
 * The functions here stop no thread, and are no debugger: they only read and write /proc/PID/mem. dwell does not trust the
 * process, and checks what it reads. dwell writes only requests, bytes of gates, and bytes in the hooks' map; and a gate only if
 * the gate has the expected byte. */
#ifndef DWELL_HOST_RECORD_SESSION_CONTROL_H
#define DWELL_HOST_RECORD_SESSION_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/remote/remote_image.h"
#include "target/port/os/linux/control.h"
#include "util/diag.h"

struct control {
	pid_t pid;
	uint32_t own_pid; /* the process's pid in its own namespace: differs in a container */
	struct remote_image image; /* of the program that the process runs now; exec makes the image stale */
	uint64_t address; /* of the agent's control block */
	struct dwell_control block; /* the block as dwell read it last */
};

/* Whether dwell can control the agent of a process. */
enum control_problem {
	CONTROL_FOUND,
	CONTROL_DENIED,  /* dwell may not read the process's memory; errno: why */
	CONTROL_GONE,    /* no such process, or the process has just ended */
	CONTROL_NO_AGENT,
	CONTROL_MISMATCH,   /* only agents of another version or machine */
};
/* Finds the agent. Call control_close in any case. The image is open even for CONTROL_NO_AGENT. */
enum control_problem control_find(struct control *control, pid_t pid);
void control_close(struct control *control);

/* Reads the block again. False: the process has ended, or runs another program. */
bool control_read(struct control *control);
/* Requests that the process join `session`: the agent does so in the next hooked call. *number: the value that the block's
 * `answered` has then. False: the process has ended, or runs another program. */
bool control_request(struct control *control, const char *session, uint32_t *number);
/* Opens the gates of hooks and sites, except muted sites: hooks run, and check the block for requests. False: the process has
 * ended, or runs another program; the block is forged; or there is no memory. Some gates may be open then. */
bool control_open_gates(struct control *control);
/* Opens a throttled function, whose sites the agent has muted or whose calls the hooks count: the calls reach the agent again.
 * Without this, an agent whose process records nothing else would never read the request to resume the recording.
 * place: as in slots, bit 0 clear. False: nothing was opened, since the function is not throttled, or dwell cannot write there. */
bool control_open_function(struct control *control, uint32_t place);
/* Closes the gates. The agent, too, can close them, but keeps a thread of the program busy meanwhile. */
void control_close_gates(struct control *control);

#endif
