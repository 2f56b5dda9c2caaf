/* attach: begins to record a running process. The agent must be in the process,
 * linked or preloaded, or dwell brings the agent in (bring.h). See control.h. */
#ifndef DWELL_HOST_RECORD_SESSION_ATTACH_H
#define DWELL_HOST_RECORD_SESSION_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/program/launch.h"
#include "record/session/control.h"
#include "record/session/hand_over.h"
#include "record/session/session.h"
#include "util/diag.h"

struct attach {
	struct control control;
	char *program;       /* path of the process's program */
	char name[32];       /* "process 4711", for messages */
	bool runs;           /* the process exists, and runs a program */
	const char *untraceable; /* why the process has nothing to trace, in a few words; null: no such reason found */
	uint32_t request;    /* number of the request to the agent; 0: none yet */
	bool changed;        /* dwell changed the process's code, or may have */
	struct hand_over over; /* the process's copies of dwell's descriptors */
	bool plans;          /* the process needs no hooks and no agent: dwell brings the agent in */
	/* The session that the process is in, or drains; null: none. If `dwell record --off`
	 * made the session, attach turns that recording on; its file gets the calls. */
	struct dwell_session *orders;
	uint64_t orders_bytes;
	char *orders_file; /* the session's file; null: only memory */
};

/* Finds out whether dwell can attach to the process. False: a diag says why not, and what to
 * do. agent: path of the library to preload, for the diag. Call attach_end in any case. */
bool attach_find(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* The same for any process: dwell brings the agent into a process without one. */
bool attach_find_or_bring(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* Sets orders to the session of a process that records or is recorded. False, and a diag: the process does neither. */
bool attach_find_recorded(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
void attach_end(struct attach *attach);

/* Requests that the process join session. Until then calls meanwhile, which must answer the agent's
 * requests. False and a diag: the process has just ended, or dwell cannot change its code. */
bool attach_begin(
	struct attach *attach, struct session *session, void (*meanwhile)(void *context), void *context, struct diag *diag);
/* Turns recording off; call before session_close. attach: null: no process. */
void attach_quiet(struct attach *attach, struct session *session);
/* Restores the process's code; call after session_close. */
void attach_restore(struct attach *attach, struct diag *diag);
/* Unmaps the session's memory in the process and closes its descriptors; call when the session's events were read. */
void attach_release(struct attach *attach);

/* Restores the code of a child that the process forked during the recording: a child has a copy of the changed code. */
void attach_restore_child(struct attach *attach, pid_t pid, struct diag *diag);

enum attach_state {
	ATTACH_WAITING, /* the process has called no hooked function since the request */
	ATTACH_JOINED,
	ATTACH_REFUSED, /* the agent could not join: a diag says why */
	ATTACH_OVER,    /* the process has ended, or runs another program */
};
enum attach_state attach_look(struct attach *attach, struct diag *diag);

/* Turns the recording of attach->orders on until the process ends, the time is up (0: no limit), or a signal stops dwell. */
void attach_give_orders(struct attach *attach, struct launch *launch, uint64_t for_ns, struct diag *diag);

#endif
