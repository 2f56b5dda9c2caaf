/* own_agent: finds out whether a program has the agent linked in, so that it needs no LD_PRELOAD. */
#ifndef DWELL_HOST_RECORD_PROGRAM_OWN_AGENT_H
#define DWELL_HOST_RECORD_PROGRAM_OWN_AGENT_H

#include <stdbool.h>

/* Whether the file has the note of an agent (target/port/os/linux/control.h). False also if the file cannot be read. */
bool own_agent_is_in(const char *path);

#endif
