/* may_inject: checks whether dwell can inject the agent into a running process. dwell
 * checks before the attempt, since an attempt that fails may harm the process. */
#ifndef DWELL_HOST_RECORD_SESSION_MAY_INJECT_H
#define DWELL_HOST_RECORD_SESSION_MAY_INJECT_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/remote/remote_image.h"
#include "util/diag.h"

/* name: of the process, for messages. False: a diag explains the obstacle and what to do. Includes may_make_system_calls. */
bool may_inject(const struct remote_image *image, const char *name, struct diag *diag);
/* Whether the process can open a file by the path that dwell uses, as far as dwell can find out. */
bool may_read(pid_t pid, const char *path);
/* Whether the process permits the system calls that its agent makes to
 * join a session. False and a diag: a seccomp filter of its own. */
bool may_make_system_calls(pid_t pid, const char *name, struct diag *diag);

#endif
