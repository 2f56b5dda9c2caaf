/* help_options: the options of a command, as its usage line and its help have them: what people read is what shells complete and manual
 * pages say, and there is no third list to keep. */
#ifndef DWELL_HOST_CLI_HELP_OPTIONS_H
#define DWELL_HOST_CLI_HELP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/command.h"

#define HELP_OPTION_BYTES 32u
#define HELP_TEXT_COLUMN 17u /* of what is said about an option: behind it, or in the lines below */

struct help_option {
	char name[HELP_OPTION_BYTES];  /* "--sort", "-F" */
	char value[HELP_OPTION_BYTES]; /* "KEY"; "": it takes none */
	bool is_attached;              /* --ring=SIZE: behind the name only */
	bool is_optional;              /* --args[=N] */
	const char *text;              /* of the help about it, text_bytes in one line or several; null: there is none */
	size_t text_bytes;
};

/* The next option in the usage line; *at begins as null. False: no more. */
bool help_option_next(const struct command *command, const char **at, struct help_option *option);

/* What its value may be, blanks and commas between; "FILE": any file; null: it is not known. */
const char *help_option_values(const struct command *command, const struct help_option *option);

/* What is behind the options: the last words of the usage line, "FUNC FILE". */
const char *help_operands(const struct command *command);

#endif
