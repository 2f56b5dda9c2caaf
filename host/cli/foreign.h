/* foreign: options of other tools (perf, uftrace, and what dwell has elsewhere), and how dwell does the same. */
#ifndef DWELL_HOST_CLI_FOREIGN_H
#define DWELL_HOST_CLI_FOREIGN_H

/* option: as it was typed, without a value: "-p", "--call-graph". Null: nothing is known of it, for this command. */
const char *foreign_answer(const char *command, const char *option);

#endif
