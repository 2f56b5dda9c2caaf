/* agent: what the commands that record have in common. */
#ifndef DWELL_HOST_CLI_AGENT_H
#define DWELL_HOST_CLI_AGENT_H

#include "util/diag.h"

/* The agent to preload: beside this program where it was built, else where `make install` puts it. To be freed; null and a diag. */
char *make_agent_path(struct diag *diag);
/* Likewise the one that samples from within; null: it is not there, or in a folder that no library can be preloaded from. */
char *make_timer_agent_path(void);
/* Likewise the one to link. */
char *make_linked_agent_path(struct diag *diag);
/* Likewise the folder of gcc.specs, which GCC reads to make patchable code; null: it is not there, or has a blank in its name. */
char *make_specs_folder(void);
/* Where `make install` puts the pages and the examples; null: they are not installed. To be freed. */
char *make_documentation_folder(void);
/* The command line, for the file. To be freed. */
char *make_command_line(int argc, char **argv);

#endif
