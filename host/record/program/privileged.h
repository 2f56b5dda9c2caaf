/* privileged: programs that recorded programs have started and that dwell could not record: with rights
 * of their own (set-uid, set-gid, file capabilities), out of reach of record or the agent, or without the agent. */
#ifndef DWELL_HOST_RECORD_PROGRAM_PRIVILEGED_H
#define DWELL_HOST_RECORD_PROGRAM_PRIVILEGED_H

#include <stddef.h>

/* Zero the struct before the first use. */
struct privileged {
	char **paths; /* without duplicates */
	size_t count, capacity;
};

/* Adds a program's path, unless the file at `there` is readable and has no hooks: dwell would not record such a
 * program anyway. path: as the process names it; there: the same file as dwell can open it. there null: no check. */
void privileged_add(struct privileged *privileged, const char *path, const char *there);
/* The message for programs that cannot reach record. */
#define PRIVILEGED_UNREACHED \
	"runs in another root folder or namespace, where it finds neither the agent's file (LD_PRELOAD) nor dwell's memory (/proc); make the " \
	"agent's folder visible there, or use --sample"
/* The message for programs without the agent. */
#define PRIVILEGED_UNLOADED \
	"was started without the agent; keep DWELL_SESSION in its environment, and the agent in LD_PRELOAD (LD_PRELOAD=\"other.so:$LD_PRELOAD\")"
void privileged_clear(struct privileged *privileged);

#endif
