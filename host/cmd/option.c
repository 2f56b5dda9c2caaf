#include "cmd/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool option_refuse(const struct command *command, int option, char **argv, struct diag *diag)
{
	const char *problem = "no such option";

	if (option == ':')
		problem = "a value is missing";
	else if (optopt && !strncmp(argv[optind - 1], "--", 2)) /* getopt knows a long option by its value then */
		problem = "takes no value";
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; 'dwell help %s' lists the options", command->name,
		argv[optind - 1], problem, command->name);
	return false;
}

bool option_read_count(const struct command *command, const char *name, const char *text, uint64_t *count, struct diag *diag)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected a whole number from 0", command->name, name, text);
	return false;
}

bool option_read_percent(const struct command *command, const char *name, const char *text, double *percent, struct diag *diag)
{
	char *end;

	*percent = strtod(text, &end);
	if (end != text && !*end && *percent >= 0 && *percent <= 100)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected a number from 0 to 100", command->name, name, text);
	return false;
}

bool option_read_file(const struct command *command, const char *noun, int argc, char **argv, const char **path, struct diag *diag)
{
	char problem[64];

	if (argc - optind == 1 && *argv[optind]) {
		*path = argv[optind];
		return true;
	}
	if (argc - optind > 1)
		snprintf(problem, sizeof problem, "one %s at a time;", noun);
	else
		snprintf(problem, sizeof problem, argc == optind ? "which %s?" : "the name of the %s is empty;", noun);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s usage: dwell %s %s", command->name, problem, command->name,
		command->arguments);
	return false;
}
