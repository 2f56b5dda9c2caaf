/* foreign: options of other tools (perf, uftrace), or of other dwell commands, and how to get their effect. */
#ifndef DWELL_HOST_CLI_FOREIGN_H
#define DWELL_HOST_CLI_FOREIGN_H

/* option: as typed, without a value: "-p", "--call-graph". Returns the answer; null: no answer for this option. */
const char *foreign_answer(const char *command, const char *option);

#endif
