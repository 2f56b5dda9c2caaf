/* SPDX-License-Identifier: MIT
 *
 * Code is mapped or unmapped while calls are recorded: from then on addresses there are other functions'. For whoever adds calls up. */
#ifndef DWELL_TURNOVER_H
#define DWELL_TURNOVER_H

#include "port/os/linux/agent.h"

/* Before the time is taken at which it is said to have happened: a thread that counts its own calls, and still sees the old number, made
 * all of them before. */
static inline void turnover_begin(void)
{
	if (agent.session)
		__atomic_fetch_add(&agent.session->turnovers, 1, __ATOMIC_SEQ_CST);
}

/* When it is told. */
static inline void turnover_end(void)
{
	if (agent.session)
		__atomic_fetch_add(&agent.session->turnovers_told, 1, __ATOMIC_SEQ_CST);
}

#endif
