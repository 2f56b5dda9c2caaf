/* privileged: programs with hooks that recorded ones started and that could not be recorded, as they have rights of their own (set-uid,
 * set-gid, capabilities of their file). */
#ifndef DWELL_HOST_RECORD_PROGRAM_PRIVILEGED_H
#define DWELL_HOST_RECORD_PROGRAM_PRIVILEGED_H

#include <stddef.h>

/* Zero it before the first use. */
struct privileged {
	char **paths; /* each once */
	size_t count, capacity;
};

/* path is believed to be a program's, and looked into: one without hooks would not have been recorded anyway. One that may not be read is
 * taken to have some. */
void privileged_add(struct privileged *privileged, const char *path);
void privileged_clear(struct privileged *privileged);

#endif
