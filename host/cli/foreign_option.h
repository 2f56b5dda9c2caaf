/* foreign_option: options of perf, uftrace and other dwell commands that users type by habit, and how to get their effect. For the
 * message about an unknown option. */
#ifndef DWELL_HOST_CLI_FOREIGN_OPTION_H
#define DWELL_HOST_CLI_FOREIGN_OPTION_H

/* option: as typed, without a value: "-p", "--call-graph". Returns the answer; null: no answer for this option. */
const char *foreign_option_get_advice(const char *command, const char *option);

#endif
