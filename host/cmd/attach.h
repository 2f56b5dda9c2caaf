/* attach: dwell attach, and dwell record --attach. */
#ifndef DWELL_HOST_CMD_ATTACH_H
#define DWELL_HOST_CMD_ATTACH_H

#include "cli/sampled.h"
#include "record/session/recording.h"

/* Records options->attach, or samples it, when all options are read. argv: the whole command, for the file. Returns an exit status as
 * commands do. */
int attach_to_process(struct recording_options *options, struct sampled *sampled, int argc, char **argv, struct diag *diag);

#endif
