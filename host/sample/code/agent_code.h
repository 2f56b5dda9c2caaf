/* agent_code: finds the code that dwell's agent made in a sampled process: stubs, thunks and the code of plans, in memory without a
 * file (target/port/os/linux/plan.h). The code has unwind tables, which dwell reads out of the process. */
#ifndef DWELL_HOST_SAMPLE_CODE_AGENT_CODE_H
#define DWELL_HOST_SAMPLE_CODE_AGENT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENT_CODE_NAME "[dwell]" /* the code's path in the trace, and the name of its only symbol */

struct agent_code {
	uint64_t low, high;
	int file; /* in memory: an ELF file with tables, one symbol for all, addresses from low on. The caller closes it */
};

/* Whether a mapped file is the agent. */
bool agent_code_is_agent(const char *path);
/* Finds the first code of the agent in [*at, high) of a process, and moves *at behind the code. False: no such code, or dwell may
 * not read the process. */
bool agent_code_next(uint32_t pid, uint64_t *at, uint64_t high, struct agent_code *code);

#endif
