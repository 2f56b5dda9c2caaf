/* wanted: the options that say which calls are recorded, which all commands that trace have. */
#ifndef DWELL_HOST_CLI_WANTED_H
#define DWELL_HOST_CLI_WANTED_H

#include <getopt.h>
#include <stdbool.h>

#include "cli/command.h"
#include "record/session/recording.h"

/* getopt_long's rows, and what they return. */
enum {
	WANTED_ONLY = 3000,
	WANTED_NOT,
	WANTED_EXCLUDE,
	WANTED_LONGER,
	WANTED_COUNT,
	WANTED_DEPTH,
	WANTED_SLOWEST,
	WANTED_WHEN,
	WANTED_SNAPSHOTS
};
static inline bool wanted_is(int option)
{
	return option >= WANTED_ONLY && option <= WANTED_SNAPSHOTS;
}

#define WANTED_ROWS                                                                                                                \
	{"only", required_argument, NULL, WANTED_ONLY}, {"not", required_argument, NULL, WANTED_NOT},                              \
		{"exclude", required_argument, NULL, WANTED_EXCLUDE}, {"depth", required_argument, NULL, WANTED_DEPTH},            \
		{"longer", required_argument, NULL, WANTED_LONGER},                                                                                   \
		{"count", no_argument, NULL, WANTED_COUNT},                                                                        \
		{"keep-slowest", required_argument, NULL, WANTED_SLOWEST},                                                         \
		{"snapshot-when", required_argument, NULL, WANTED_WHEN}, {"snapshots", required_argument, NULL, WANTED_SNAPSHOTS}

#define WANTED_HELP                                                                                                                \
	"  --only PATTERN records only functions that it means, --not PATTERN none of\n"                                             \
	"                 those; both may be given several times. A name as reports\n"                                                \
	"                 show it, with * and ? for any text ('json_*') unless a\n"                                                  \
	"                 function is called just so ('f(char*)'), file:PATTERN\n"                                                  \
	"                 for the source file that a function begins in,\n"                                                           \
	"                 module:PATTERN for the program or library\n"                                                                \
	"                 ('module:libz.so*'). What is left out costs next to nothing,\n"                                             \
	"                 and its time is its caller's\n"                                                                             \
	"  --exclude LIST not the functions of a list that dwell report --write-exclude\n"                                            \
	"                 wrote; the same as --not @LIST\n"                                                                           \
	"  --depth N      records only the outermost N of calls that are in one another;\n"                                           \
	"                 of deeper ones there is no trace. It saves room on the disk,\n"                                             \
	"                 and whoever reads; a call costs what it costs. Not with --ring\n"                                           \
	"  --longer T     lists only calls that took at least T: 10us, 1.5ms. Shorter\n"                                           \
	"                 ones are counted, with all that they called: reports are the\n"                                          \
	"                 same, to the tick, and the file is smaller; a call costs what\n"                                         \
	"                 it costs. Listed are shorter ones, too, during which their\n"                                            \
	"                 thread waited, and those next to a jump, a gap or a mark. Not\n"                                         \
	"                 with --ring and --linear\n"                                                                              \
	"  --count        lists no calls and counts all: for runs of any length, as the\n"                                         \
	"                 file has a row for each path that was called, and does not\n"                                           \
	"                 grow with their calls. Reports are the same, but for the CPU\n"                                         \
	"                 time, which is not known, and for calls around others that had\n"                                       \
	"                 begun before the recording. Not with --ring, --linear, --args,\n"                                       \
	"                 --longer, --keep-slowest and --snapshot-when\n"                                                         \
	"  --keep-slowest N:FUNC\n"                                                                                                \
	"                 only the N slowest calls of such a function, with all that they\n"                                       \
	"                 called; of the others it is told how many there were and how\n"                                          \
	"                 long they took. Several times: of each. They are written at\n"                                           \
	"                 the end. Not with --ring and --linear\n"                                                                 \
	"  --snapshot-when 'FUNC > TIME'\n"                                                                                        \
	"                 keeps what led to slow calls: records as with --ring (4M), and\n"                                        \
	"                 when a call of such a function took longer (5ms, 300us, 1.5s of\n"                                       \
	"                 wall time), what the rings hold goes to FILE.1, FILE.2 and so\n"                                         \
	"                 on. Several times: any of them\n"                                                                        \
	"  --snapshots N  so many of these at the most (10)\n"

/* Takes one option. *excluded: text of --exclude, to be freed when the recording has ended, also after false. *said becomes the option, for
 * messages. False and a diag: its value is wrong. pre: option is one of the above. */
bool wanted_take(const struct command *command, int option, const char *value, struct recording_options *options, char **excluded,
	const char **said, struct diag *diag);
/* When all options are read. stream: --stream was among them. False and a diag: they contradict each other. */
bool wanted_check(const struct command *command, struct recording_options *options, bool stream, struct diag *diag);
void wanted_clear(struct recording_options *options);
/* Whoever attaches asks for --throttle: says why not, and what to do instead. */
void wanted_refuse_throttle(const struct command *command, struct diag *diag);
/* For recording_options.on_begin: prints what was said so far. */
void wanted_tell_now(struct diag *diag);

#endif
