/* remote_thread: one thread of another process, stopped by ptrace(2) at any place.
 *
 * A thread that the kernel holds cannot be stopped: one that waits for the child of a vfork, whose memory both run in, or for a device. It
 * is waited for, but not for ever. */
#ifndef DWELL_HOST_RECORD_REMOTE_THREAD_H
#define DWELL_HOST_RECORD_REMOTE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum remote_problem {
	REMOTE_DONE,
	REMOTE_DENIED,  /* the system does not let it be traced; errno */
	REMOTE_TRACED,  /* somebody traces it already */
	REMOTE_BUSY,    /* no thread came to where it can be called from */
	REMOTE_INSIDE,  /* a thread stayed where its code changes */
	REMOTE_SHADOW,  /* its return addresses are kept twice, and one from outside would end it */
	REMOTE_HELD,    /* the kernel holds one, see above */
	REMOTE_NO_ROOM, /* the process got no memory for the call's stack: errno */
	REMOTE_GONE,    /* it has ended */
	REMOTE_FOREIGN, /* another processor, or no function of that name */
};

/* signal: one that was on its way to it, to be delivered when it goes on. */
enum remote_problem remote_seize(pid_t tid, int *signal);
void remote_let_go(pid_t tid, int signal);
bool remote_is_held(pid_t tid);
bool remote_exists(pid_t tid);
/* A shadow stack (Intel CET), which the system writes return addresses to, too, and compares. */
bool remote_has_shadow_stack(pid_t tid);
/* Whether it has come to its next stop. *event: of ptrace, 0: none but the signal. */
bool remote_stopped(pid_t tid, int *signal, int *event);
/* Waits for that. False: it has ended, or does not stop. */
bool remote_wait(pid_t tid, int *signal, int *event);

void remote_pause_us(unsigned us);
bool remote_read(pid_t pid, uint64_t address, void *data, size_t bytes);
/* Also to memory that the process itself may only read. */
bool remote_write(pid_t pid, uint64_t address, const void *data, size_t bytes);

#endif
