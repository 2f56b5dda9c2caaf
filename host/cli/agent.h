/* agent: the paths of dwell's installed files, and the command line, for commands that record. */
#ifndef DWELL_HOST_CLI_AGENT_H
#define DWELL_HOST_CLI_AGENT_H

#include "util/diag.h"

/* The agent to preload: beside this program if built there, else where `make install` puts the agent. The caller frees the path.
 * Null with a diag: not found. */
char *make_agent_path(struct diag *diag);
/* The same for the agent that samples from within the program. Null: not found, or no library can be preloaded from its folder. */
char *make_timer_agent_path(void);
/* The same for the agent to link. */
char *make_linked_agent_path(struct diag *diag);
/* The same for the folder of gcc.specs, with which GCC makes patchable code. Null: not found, or the
 * folder's name contains a blank. */
char *make_specs_folder(void);
/* The folder where `make install` puts the pages and the examples; null: not installed. The caller frees the path. */
char *make_documentation_folder(void);
/* The command line, for the trace file. The caller frees it. */
char *make_command_line(int argc, char **argv);

#endif
