#include "cmd/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

bool option_refuse(const struct command *command, int option, char **argv, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; 'dwell help %s' lists the options", command->name,
		argv[optind - 1], option == ':' ? "a value is missing" : "no such option", command->name);
	return false;
}

bool option_read_count(const struct command *command, const char *name, const char *text, uint64_t *count, struct diag *diag)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s %s: expected a number", command->name, name, text);
	return false;
}

bool option_read_percent(const struct command *command, const char *name, const char *text, double *percent, struct diag *diag)
{
	char *end;

	*percent = strtod(text, &end);
	if (end != text && !*end && *percent >= 0 && *percent <= 100)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s %s: expected a number from 0 to 100", command->name, name, text);
	return false;
}

bool option_read_file(const struct command *command, int argc, char **argv, const char **path, struct diag *diag)
{
	if (argc - optind == 1) {
		*path = argv[optind];
		return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s; usage: dwell %s %s", command->name,
		argc == optind ? "which file?" : "one file at a time", command->name, command->arguments);
	return false;
}
