#include "cli/shared_options.h"

#define AT(member) offsetof(struct input_options, member)

const struct option_row input_rows[] = {
	{"--program", "FILE", OPTION_FILE, AT(program),
		"for dumps, which do not name their program: the file that its functions are looked up in. FILE@ADDRESS where it "
		"lies elsewhere than it was linked for: ADDRESS is where its lowest byte is"},
	{"--format", "F", OPTION_TEXT, AT(format),
		"what FILE is, where that cannot be told: " READER_FORMATS "; with ,big or ,little behind it the order of bytes; with ,names "
		"(c6000, ccs) hooks were given names, not addresses, or with ,returns nothing; with ,wraps their counter has 32 bits",
		.choices = READER_FORMATS},
	{"--hz", "N", OPTION_COUNT, AT(clock_hz), "for dumps, which do not say it: ticks of their clock a second"},
	{"--globals-only", NULL, OPTION_FLAG, AT(names.globals_only), HELP_GLOBALS_ONLY},
	{0}};
