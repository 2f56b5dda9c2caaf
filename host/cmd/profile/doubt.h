/* profile_doubt: what is unsure of a program that was profiled, for who sees the report and for who reads it. */
#ifndef DWELL_HOST_CMD_PROFILE_DOUBT_H
#define DWELL_HOST_CMD_PROFILE_DOUBT_H

#include "core/summary.h"
#include "sample/profiling.h"
#include "util/diag.h"

#define PROFILE_DOUBT_BYTES 600u

/* As diags; and text is summary->doubt, where there is one. pre: profiling_run was true. */
void profile_doubt(
	const struct profiling *profiling, struct dwell_summary *summary, char text[static PROFILE_DOUBT_BYTES], struct diag *diag);

#endif
