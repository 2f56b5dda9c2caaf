/* explain: the reasons why dwell cannot record a program, or recorded nothing of it, with remedies. dwell checks some
 * before the program starts, the others when a recording has ended without events. path: the program's file. */
#ifndef DWELL_HOST_RECORD_PROGRAM_EXPLAIN_H
#define DWELL_HOST_RECORD_PROGRAM_EXPLAIN_H

#include <stdbool.h>

#include "record/session/session.h"
#include "util/diag.h"

/* Adds a diag with the reason why no event was recorded, and with a remedy. attached: the program ran before dwell.
 * ended: the process has ended, or runs another program. signal: the signal that killed the program; 0: none. */
void explain_no_events(const struct session *session, const char *path, bool attached, bool ended, int signal, struct diag *diag);

/* Whether the file names no dynamic linker: no agent can be preloaded then. False also if the file cannot be read. */
bool explain_is_static(const char *path);
/* Whether the file names musl's dynamic linker. */
bool explain_is_of_musl(const char *path);
/* The reason why the agent cannot be preloaded into a dynamic program, a clause "it …". Null: no such reason found. */
const char *explain_why_no_agent(const char *path);
/* Whether the program is for another processor, or for another mode of this one (32 bits). */
bool explain_is_foreign(const char *path);
/* The reason why dwell does not find hooks that the program may have, and a remedy. Null: no sign of such hooks. */
const char *explain_why_hooks_unfound(const char *path);
/* Warns, before the start, that the program restricts its system calls by libseccomp, perhaps also some of the agent's. */
void explain_seccomp(const char *path, struct diag *diag);
/* Warns that the kernel killed the program for a forbidden system call. */
void explain_seccomp_kill(const char *path, struct diag *diag);
/* Whether the program would run as another user or group than dwell (set-uid, set-gid). */
bool explain_changes_user(const char *path);

#endif
