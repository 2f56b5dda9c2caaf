/* agent_code: the code that dwell's agent made in a process that is sampled: stubs, thunks and the code of plans, in memory of no file
 * (target/port/os/linux/plan.h). It has unwind tables, which are read out of the process. */
#ifndef DWELL_HOST_SAMPLE_CODE_AGENT_CODE_H
#define DWELL_HOST_SAMPLE_CODE_AGENT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENT_CODE_NAME "[dwell]" /* its path, and what all of it is called */
#define AGENT_CODE_ID_BYTES 16u

struct agent_code {
	uint64_t low, high;
	int file; /* an ELF file in memory with its tables, and one symbol for all of it; addresses are those from low on. The caller's */
	uint8_t id[AGENT_CODE_ID_BYTES]; /* in place of a build-id */
};

/* Whether a file that is mapped in a process is the agent. */
bool agent_code_is_agent(const char *path);
/* The first such code in [*at, high) of a process; *at moves behind it. False: there is none, or none that may be read. */
bool agent_code_next(uint32_t pid, uint64_t *at, uint64_t high, struct agent_code *code);

#endif
