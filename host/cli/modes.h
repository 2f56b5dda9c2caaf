/* modes: the options that say where and how much is kept, which all commands that record have. Each returns false and a diag. */
#ifndef DWELL_HOST_CLI_MODES_H
#define DWELL_HOST_CLI_MODES_H

#include <stdbool.h>

#include "cli/command.h"
#include "record/session/recording.h"


/* --ring=SIZE, --linear=SIZE: of each thread, rounded up to a power of two. */
bool modes_read_ring(const struct command *command, const char *option, const char *text, enum dwell_mode mode,
	struct recording_options *options, struct diag *diag);
/* --memory=SIZE: of all threads together. */
bool modes_read_memory(const struct command *command, const char *text, struct recording_options *options, struct diag *diag);
/* --on-full=wait[:TIME], lose: what a thread does whose ring is full. */
bool modes_read_on_full(const struct command *command, const char *text, struct recording_options *options, struct diag *diag);
/* usual: how long it waits without TIME. */
#define MODES_ON_FULL_HELP(usual)                                                                                                  \
	"  --on-full=wait[:TIME], --on-full=lose\n"                                                                               \
	"                 what a thread does when dwell cannot keep up and the thread's\n"                                        \
	"                 buffer (32M) is full. wait, the default: it stops until there\n"                                        \
	"                 is room, so no event is lost; reports show that time as the\n"                                          \
	"                 cost of recording. It stops for TIME (" usual ") at the most, then it\n"                                \
	"                 goes on and loses events until dwell drains the buffer again.\n"                                        \
	"                 lose: it never stops. Reports show what was lost.\n"                                                                  \
	"                 --snapshot-when has it stop before it overwrites what dwell\n"                                                        \
	"                 has not looked at. Not with --ring and --linear alone\n"
/* The number of a process. */
bool modes_read_pid(const struct command *command, const char *text, pid_t *pid, struct diag *diag);
/* When all options are read: the file, and what they are together. stream: --stream was among them. */
bool modes_check(const struct command *command, const struct recording_options *options, bool stream, struct diag *diag);

#endif
