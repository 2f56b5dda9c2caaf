/* attach: begins to record a running process, and ends that (`dwell attach`). The process needs an agent: linked,
 * preloaded, or loaded by dwell (inject.h). dwell sends requests to the agent through a control block (control.h).
 *
 *     attach_find …      finds the process and its agent
 *     attach_begin       requests that the agent join the session; attach_get_state returns whether the agent has joined
 *     attach_turn_off    turns recording off, before session_close
 *     attach_restore     restores the changed code, after session_close
 *     attach_release     unmaps the session in the process, when record has read all events
 *     attach_end         frees the memory of struct attach */
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
	const char *why_untraceable; /* why the process has nothing to trace, in a few words; null: no such reason found */
	uint32_t request;    /* number of the request to the agent; 0: none yet */
	bool changed;        /* dwell changed the process's code, or may have */
	struct hand_over over; /* the process's copies of dwell's descriptors */
	bool plans;          /* record by plans: the process needs no hooks, and dwell loads a missing agent */
	/* Header of an open session that the process has joined or drains; null: none. dwell writes orders into the header. If
	 * `dwell record --off` made this session, `dwell attach` makes no other: attach_turn_on_session turns the recording on,
	 * and the calls go to the file of that record. */
	struct dwell_session *orders;
	uint64_t orders_bytes;
	char *orders_file; /* file of a ring or linear recording, by attach_find_recorded; null: a stream, or unknown */
};

/* Finds out whether dwell can attach to the process, and sets orders. False: a diag explains the obstacle and what
 * to do. agent: path of the library to preload, for the diag. Call attach_end in any case. */
bool attach_find(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* The same, to record by plans: loads the library agent into a process without an agent. */
bool attach_find_or_inject(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
/* Sets orders to the session that the process drains (a `dwell record`), or else to the session that the process has joined.
 * False, and a diag: no such process, or no such session. */
bool attach_find_recorded(struct attach *attach, pid_t pid, const char *agent, struct diag *diag);
void attach_end(struct attach *attach);

/* Requests that the process join session, and opens the gates. Without plans the process joins later, when it calls a hooked
 * function. By plans: before the gates open, waits until the agent has handled the request, and changes the process's code.
 * During this wait calls meanwhile(context), which must answer the agent's requests for plans. False and a diag: the process
 * has just ended, or dwell cannot trace it or change its code. A part of the code may be changed even after false, so call
 * attach_restore and attach_release in any case. */
bool attach_begin(
	struct attach *attach, struct session *session, void (*meanwhile)(void *context), void *context, struct diag *diag);
/* Turns recording off if dwell changed the process's code; call before session_close. Does nothing if attach is null. */
void attach_turn_off(struct attach *attach, struct session *session);
/* Restores the process's code if dwell changed the code; call after session_close. Adds a diag if that fails. */
void attach_restore(struct attach *attach, struct diag *diag);
/* By plans: makes the agent unmap the session, and closes the descriptors that dwell handed over. Call after the last sweep. */
void attach_release(struct attach *attach);

/* By plans: restores the code of a child that the process forked during the recording, and unmaps the session there: a child
 * has a copy of the changed code. Does nothing for the process itself, and for a pid that is no such child. */
void attach_restore_child(struct attach *attach, pid_t pid, struct diag *diag);

enum attach_state {
	ATTACH_WAITING, /* the process has called no hooked function since the request */
	ATTACH_JOINED,
	ATTACH_REFUSED, /* the agent could not join: attach_get_state adds a diag with the reason */
	ATTACH_ENDED,    /* the process has ended, or runs another program */
};
/* Reads the control block again. attach->orders set: ATTACH_JOINED while the process runs. */
enum attach_state attach_get_state(struct attach *attach, struct diag *diag);

/* Turns the recording of attach->orders on, waits until the process ends, for_ns are over
 * (0: no limit) or a signal stops dwell, and turns the recording off again. Adds a note: another file has the calls. */
void attach_turn_on_session(struct attach *attach, struct launch *launch, uint64_t for_ns, struct diag *diag);

#endif
