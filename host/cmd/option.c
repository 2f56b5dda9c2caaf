#include "cmd/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/help.h"
#include "writer/writer.h"

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

static bool read_count(const struct command *command, const char *name, const char *text, uint64_t *count, struct diag *diag)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --%s '%s': expected a whole number from 0", command->name, name, text);
	return false;
}

static bool read_percent(const struct command *command, const char *name, const char *text, double *percent, struct diag *diag)
{
	char *end;

	*percent = strtod(text, &end);
	if (end != text && !*end && *percent >= 0 && *percent <= 100)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --%s '%s': expected a number from 0 to 100", command->name, name, text);
	return false;
}

static bool read_file(const struct command *command, const char *noun, int argc, char **argv, const char **path, struct diag *diag)
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

static bool read_value(const struct command *command, const struct option_row *row, const char *text, struct diag *diag)
{
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)row->value = true;
		return true;
	case OPTION_TEXT:
		*(const char **)row->value = text;
		return true;
	case OPTION_COUNT:
		return read_count(command, row->name, text, row->value, diag);
	case OPTION_PERCENT:
		return read_percent(command, row->name, text, row->value, diag);
	case OPTION_CSV:
	case OPTION_JSON:
		*(enum writer_form *)row->value = row->kind == OPTION_CSV ? WRITER_CSV : WRITER_JSON;
		return true;
	}
	return false;
}

static bool has_argument(enum option_kind kind)
{
	return kind == OPTION_TEXT || kind == OPTION_COUNT || kind == OPTION_PERCENT;
}

bool option_read(const struct command *command, const struct option_row *rows, size_t count, const char *noun, int argc, char **argv,
	const char **path, struct diag *diag)
{
	enum { FIRST = 256 }; /* beyond any letter */
	struct option known[OPTION_ROWS_MAX + 2] = {0};
	int option;

	if (count > OPTION_ROWS_MAX)
		count = OPTION_ROWS_MAX;
	for (size_t i = 0; i < count; i++)
		known[i] = (struct option){
			rows[i].name, has_argument(rows[i].kind) ? required_argument : no_argument, NULL, FIRST + (int)i};
	known[count] = (struct option){"help", no_argument, NULL, 'h'};
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		if (option == 'h') {
			help_print(command, stdout);
			return false;
		}
		if (option < FIRST)
			return option_refuse(command, option, argv, diag);
		if (!read_value(command, &rows[option - FIRST], optarg, diag))
			return false;
	}
	return read_file(command, noun, argc, argv, path, diag);
}
