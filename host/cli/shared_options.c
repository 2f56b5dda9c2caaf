#include "cli/shared_options.h"

#include <string.h>

#include "util/term.h"

const char *option_read_color(void *value, const char *text)
{
	static const char *const names[] = {[TERM_COLOUR_AUTO] = "auto", [TERM_COLOUR_ALWAYS] = "always", [TERM_COLOUR_NEVER] = "never"};

	(void)value;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(text, names[i])) {
			term_set_colour((enum term_colour)i);
			return NULL;
		}
	return "auto, always or never";
}

#define AT(member) offsetof(struct input_options, member)

const struct option_row input_rows[] = {
	{"--program", "FILE", OPTION_FILE, AT(program),
		"the program that a dump belongs to, for its functions. FILE@ADDRESS: loaded elsewhere than linked; ADDRESS is "
		"where its lowest byte is", .rare = true},
	{"--format", "F", OPTION_TEXT, AT(format),
		"the format of FILE, if dwell cannot tell: " READER_FORMATS ". Add ,big or ,little for the byte order; for c6000 and "
		"ccs add ,names if hooks were given names instead of addresses, or ,returns if they were given nothing",
		.choices = READER_FORMATS, .rare = true},
	{"--hz", "N", OPTION_COUNT, AT(clock_hz), "clock ticks per second of a dump", .rare = true, .low = 1},
	{"--event", "NAME", OPTION_TEXT, AT(event),
		"what to show of a file that counts several events: an event of perf.data, a type of values of pprof. The head of a "
		"report names them", .rare = true},
	{"--globals-only", NULL, OPTION_FLAG, AT(names.globals_only), HELP_GLOBALS_ONLY, .rare = true},
	{0}};
