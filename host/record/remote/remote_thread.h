/* remote_thread: stops one thread of another process by ptrace(2), at any place.
 *
 * The kernel does not stop a thread that waits for a device, or for the child of
 * a vfork in the thread's memory. dwell waits for the thread, but not forever. */
#ifndef DWELL_HOST_RECORD_REMOTE_THREAD_H
#define DWELL_HOST_RECORD_REMOTE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum remote_problem {
	REMOTE_DONE,
	REMOTE_DENIED,  /* the system forbids tracing the process; errno */
	REMOTE_TRACED,  /* another program traces the process */
	REMOTE_BUSY,    /* no thread reached a place where it may make a call */
	REMOTE_INSIDE,  /* a thread stayed in code that is to change */
	REMOTE_SHADOW_STACK,  /* the processor keeps a shadow stack; a foreign return address would end the process */
	REMOTE_UNINTERRUPTIBLE,    /* the kernel does not stop a thread, which waits for a device or for the child of a vfork */
	REMOTE_NO_ROOM, /* the process got no memory for the call's stack, or no descriptors: errno */
	REMOTE_ENDED,    /* the process has ended */
	REMOTE_EXECED,  /* the process runs another program, or is about to */
	REMOTE_UNKNOWN, /* each suitable thread has unknown code on its stack */
	REMOTE_SLOW,    /* a call that was paused again and again did not return */
	REMOTE_STUCK,   /* a call did not return; the thread goes on without it */
	REMOTE_FOREIGN, /* another processor, no function of the wanted name, or no libc with the instructions for a call */
};

/* Stops a thread of process pid, and begins to trace it. *signal: a pending signal; deliver it when the thread goes on. */
enum remote_problem remote_seize(pid_t pid, pid_t tid, int *signal);
/* Detaches from a stopped thread, which goes on, and delivers the signal (0: none). */
void remote_detach(pid_t tid, int signal);
/* Begins to trace a thread, and requests that it stop. Interrupt all threads before you wait for the first. */
enum remote_problem remote_interrupt(pid_t tid);
/* After a traced thread called exec: the thread now has the number of the process's first thread, pid. Waits a moment for the
 * thread's stop, and detaches from the thread. */
void remote_detach_new_program(pid_t pid);
/* Whether the thread waits in the kernel so that ptrace cannot stop the thread (state D in /proc). */
bool remote_is_uninterruptible(pid_t tid);
/* Whether the thread exists, and has not ended. */
bool remote_exists(pid_t tid);
/* How often a processor has begun to run the thread. 0: not known (Linux without CONFIG_SCHED_INFO). */
uint64_t remote_count_runs(pid_t tid);
/* The first thread of the process for which is_it returns true. 0: no thread. */
pid_t remote_find_thread(pid_t pid, bool (*is_it)(pid_t tid));
/* Whether another program traces a thread of the process. */
bool remote_is_traced(pid_t pid);
/* Whether the thread has a shadow stack (Intel CET): a second copy of the return addresses, which the processor compares. */
bool remote_has_shadow_stack(pid_t tid);
/* Whether the traced thread has stopped since the last check; does not wait. *event: of ptrace; 0: the signal stopped the
 * thread. */
bool remote_stopped(pid_t tid, int *signal, int *event);
/* As remote_stopped. Sets *ended: the thread has ended. */
bool remote_poll(pid_t tid, int *signal, int *event, bool *ended);
/* Waits for the next stop, for 5 s at most; sets *signal and *event as remote_stopped. False: the thread has ended, or does not
 * stop. */
bool remote_wait(pid_t tid, int *signal, int *event);

/* How often dwell has stopped a thread, or all threads, in this run, and for how long. */
struct remote_stops {
	uint32_t count;
	uint64_t longest_ns, all_ns;
};
extern struct remote_stops remote_stops;
/* Counts a stop from began_ns to now. */
void remote_note_stop(uint64_t began_ns);
/* Waits until the program has run for as long as the last stop took, so that
 * a request with many milliseconds of stops takes at most twice as long. */
void remote_rest(void);
uint64_t remote_rest_ns(void); /* how much longer remote_rest would wait, at most 100 ms */

/* Sleeps. us: microseconds. */
void remote_pause_us(unsigned us);

#endif
