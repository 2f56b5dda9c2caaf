/* attach: recording that begins in a process which runs already. The agent must be in it, linked or preloaded; see control.h. */
#ifndef DWELL_HOST_RECORD_SESSION_ATTACH_H
#define DWELL_HOST_RECORD_SESSION_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/program/launch.h"
#include "record/session/control.h"
#include "util/diag.h"

struct attach {
	struct control control;
	char *program;       /* path of what it runs */
	char name[32];       /* "process 4711", for messages */
	bool runs;           /* there is such a process, and it runs a program */
	const char *untraceable; /* why there is nothing to trace in it, in few words; null: there is, or other things are in the way */
	uint32_t request;    /* number, 0: none yet */
	bool changed;        /* code of it was, or may have been */
	bool plans;          /* it needs no hooks, nor an agent, which is brought in */
	/* The process is in the session of a `dwell record --off` already: that is turned on, and its file gets the calls. */
	struct dwell_session *orders;
	uint64_t orders_bytes;
	char *orders_file; /* its file, null: it is in memory only */
};

/* Looks whether the process can be attached to. False, and a diag that says why not and what to do; agent: the library to preload, as it
 * is said there. attach_end in any case. */
bool attach_find(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* The same of any process: where it has no agent, that is brought in. */
bool attach_find_or_bring(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* One that is recorded, or that records another one: orders is the session then. A diag that says that it is neither. */
bool attach_find_recorded(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
void attach_end(struct attach *attach);

/* Asks it to join session. meanwhile: answers what its agent asks until then. False and a diag: it ended just now. */
bool attach_begin(struct attach *attach, const char *session, void (*meanwhile)(void *context), void *context, struct diag *diag);
/* The session is closed: what was changed in its code is as it was. */
void attach_restore(struct attach *attach, struct diag *diag);
/* And its events were read: so is its memory. */
void attach_release(struct attach *attach);

enum attach_state {
	ATTACH_WAITING, /* no hooked function was called since then */
	ATTACH_JOINED,
	ATTACH_REFUSED, /* it could not: a diag says why */
	ATTACH_OVER,    /* it has ended, or become another program */
};
enum attach_state attach_look(struct attach *attach, struct diag *diag);

/* Where attach->orders is: turns that on until the process ends, the time (0: none) is up, or a signal says so. */
void attach_give_orders(struct attach *attach, struct launch *launch, uint64_t for_ns, struct diag *diag);

#endif
