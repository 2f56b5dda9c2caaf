/* explain: why a program that ran to its end left nothing to report. */
#ifndef DWELL_HOST_RECORD_PROGRAM_EXPLAIN_H
#define DWELL_HOST_RECORD_PROGRAM_EXPLAIN_H

#include <stdbool.h>

#include "record/session/session.h"
#include "util/diag.h"

/* Says why no event was recorded, and what to do about it. path: the program's file. attached: it ran already;
 * ended: it has by now, or is another program. signal: what killed it, 0: nothing did. */
void explain_nothing(const struct session *session, const char *path, bool attached, bool ended, int signal, struct diag *diag);

/* Whether the file asks for no dynamic linker: then it can be given no agent from outside. */
bool explain_is_static(const char *path);
/* Whether the dynamic linker that the file asks for is musl's. */
bool explain_is_of_musl(const char *path);
/* Why a dynamic program can have no agent, which it can be given otherwise: "it …". Null: it can. */
const char *explain_why_unfit(const char *path);
/* Whether it is a program that this processor does not run, or runs in another mode. */
bool explain_is_foreign(const char *path);
/* It may have hooks that are not found: why they are not, and what to do. Null: it has none. */
const char *explain_why_unfound(const char *path);
/* Says beforehand that the program forbids itself system calls (it uses libseccomp): some of the agent's may be among them. */
void explain_confined(const char *path, struct diag *diag);
/* Says so of one that was killed for a system call. */
void explain_forbidden(const char *path, struct diag *diag);
/* Whether it would run as another user or group (set-uid). */
bool explain_changes_user(const char *path);

#endif
