/* foreign_option: a table of options and answers. */
#include "cli/foreign_option.h"

#include <stddef.h>

#include "option/option_row.h"

#define RECORDERS "record attach top"
#define READERS "report tree callers callees calls slowest histogram diff info tui html export dump"

static const struct {
	const char *commands, *options; /* lists of words with blanks between */
	const char *answer;
} answers[] = {
	{"record", "-p --pid", "to record a process that runs already: dwell attach PID"},
	{"attach", "-p --pid", "the process stands alone: dwell attach PID"},
	{"top", "-p --pid", "the process stands alone: dwell top PID"},
	{RECORDERS, "-a --all-cpus", "dwell records programs, not the whole system: dwell record PROGRAM, or dwell attach PID"},
	{RECORDERS, "-g -G --call-graph", "not needed: dwell finds callers without it; --no-stacks leaves them out"},
	{"top", "-e --event", "dwell samples CPU time, and no other events"},
	{RECORDERS, "-c --count --freq", "-F HZ sets how many samples dwell takes per second of CPU time"},
	{RECORDERS, "-P --patch", "to record the calls of a program without hooks: --trace"},
	{RECORDERS, "-D", "--depth N records so many levels of calls"},
	{RECORDERS, "-t --time-filter", "--longer TIME records only calls that take longer"},
	{RECORDERS, "-N --notrace", "--not FUNC leaves functions out"},
	{RECORDERS, "-A --argument -R --retval", "--args records arguments and return values"},
	{RECORDERS, "-d --data", "-o FILE names the recording"},
	{RECORDERS, "-b --buffer -m --mmap-pages", "--ring=SIZE sets how much each thread keeps"},
	{"attach", "--throttle",
		"needs a program from its start: dwell record --throttle PROGRAM; here --not @LIST leaves out what dwell report --write-exclude "
		"found in a first recording"},
	{"record attach top tui html export", "--color --colour", "only commands that print tables have it; NO_COLOR=1 turns colors off everywhere"},
	{"report", "-s", "--sort KEY sorts by a column"},
	{READERS, "-i --input -f -d --data", "not needed: the file stands alone, behind the options"},
	{READERS, "--stdio --no-pager", "not needed: dwell prints text; dwell tui FILE browses it on the terminal"},
	{READERS, "--tui", "dwell tui FILE browses a recording on the terminal"},
	{READERS, "--children --no-children", "not needed: total is with what a function called, self is without"},
	{"report tree callers callees calls slowest diff", "--percent-limit --max-stack", "--limit N shows the first N rows"},
	{READERS, "-g -G --call-graph --graph", "not needed: dwell tree FILE shows call paths, dwell callers FUNC FILE the callers of a function"},
	{"report tree callers callees", "-r --time-range", "--time BEGIN..END shows a part of the time"},
	{"export", "--folded", "--to folded"},
	{"export", "--chrome", "--to perfetto"},
	{"export", "--flame-graph --flamegraph", "--to folded, or dwell html, which draws one"},
};

const char *foreign_option_get_advice(const char *command, const char *option)
{
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
		if (option_has_word(answers[i].commands, command) && option_has_word(answers[i].options, option))
			return answers[i].answer;
	return NULL;
}
