#include "cli/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/by.h"
#include "cli/help.h"
#include "util/near.h"
#include "util/units.h"

#define NEAR_MAX 3u

/* Whether somebody who typed a, without its value, may have meant the option b; dashes and all. */
static bool is_near(const char *a, const char *b)
{
	size_t bytes = strlen(a), letters = strlen(b) - 2;

	return (bytes > 2 && (!strncmp(a, b, bytes) || !strncmp(b, a, strlen(b)))) || near_distance(a, b) <= (letters < 5 ? 1 : 2);
}

/* The options that are near what was typed, as the command's help lists them: each at the beginning of a line, or behind a comma. */
static void list_near(const struct command *command, const char *typed, char *list, size_t list_bytes)
{
	char word[NEAR_BYTES_MAX], option[NEAR_BYTES_MAX];
	size_t used = 0, count = 0;

	snprintf(word, sizeof word, "%.*s", (int)strcspn(typed, "="), typed);
	*list = 0;
	if (is_near(word, "--help")) {
		used = (size_t)snprintf(list, list_bytes, "--help");
		count++;
	}
	for (const char *at = command->help; (at = strstr(at, "--")) && count < NEAR_MAX; at += strcspn(at, " ,=[\n")) {
		const char *line = at;

		while (line > command->help && line[-1] != '\n')
			line--;
		if (strncmp(line, "  -", 3) || (at - line > 2 && memcmp(at - 2, ", ", 2)) || at - line > 16)
			continue;
		snprintf(option, sizeof option, "%.*s", (int)strcspn(at, " ,=[\n"), at);
		if (strlen(option) > 2 && is_near(word, option) && used + strlen(option) + 3 < list_bytes) {
			used += (size_t)snprintf(list + used, list_bytes - used, "%s%s", count ? ", " : "", option);
			count++;
		}
	}
}

bool option_refuse(const struct command *command, int option, char **argv, struct diag *diag)
{
	const char *typed = argv[optind - 1], *problem = "no such option";
	char list[4 * NEAR_BYTES_MAX] = "";

	if (option == 'h') {
		help_print(command, stdout);
		return false;
	}
	if (option == ':')
		problem = "a value is missing";
	else if (optopt && !strncmp(typed, "--", 2)) /* getopt knows a long option by its value then */
		problem = "takes no value";
	else
		list_near(command, typed, list, sizeof list);
	if (*list)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; near: %s", command->name, typed, problem, list);
	else
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; 'dwell help %s' lists the options", command->name, typed,
			problem, command->name);
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

static bool read_moment(const struct command *command, const char *name, const char *text, int64_t *ns, struct diag *diag)
{
	if (units_read_ns(text, ns))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --%s '%s': expected a time with its unit, as 20us, 1.5ms or 2s",
		command->name, name, text);
	return false;
}

static bool read_duration(const struct command *command, const char *name, const char *text, uint64_t *ns, struct diag *diag)
{
	int64_t moment;

	if (!read_moment(command, name, text, &moment, diag))
		return false;
	*ns = (uint64_t)moment;
	if (moment >= 0)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --%s '%s': expected a duration from 0", command->name, name, text);
	return false;
}

bool option_read_form(const struct command *command, enum writer_form wanted, enum writer_form *form, struct diag *diag)
{
	if (*form != WRITER_TEXT && *form != wanted) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --csv and --json: one of them at a time", command->name);
		return false;
	}
	*form = wanted;
	return true;
}

bool option_read_by(const struct command *command, enum by wanted, enum by *by, struct diag *diag)
{
	if (*by != BY_BEST && *by != wanted) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --cpu and --wall: one of them at a time", command->name);
		return false;
	}
	*by = wanted;
	return true;
}

/* "FUNC FILE": the last words of the usage line. */
static const char *last_words(const struct command *command, int count)
{
	const char *at = command->arguments + strlen(command->arguments);

	while (count && at > command->arguments)
		count -= *--at == ' ';
	return at + (*at == ' ');
}

/* What stands behind the options: as many words as there are nouns. */
static bool read_words(const struct command *command, const char *const *nouns, const char **const *words, int count, int argc,
	char **argv, struct diag *diag)
{
	char problem[64];
	int given = argc - optind;

	snprintf(problem, sizeof problem, count > 1 ? "one %s, one %s;" : "one %s at a time;", nouns[0], nouns[count - 1]);
	for (int i = 0; i < count && given <= count; i++) {
		if (i < given && *argv[optind + i]) {
			*words[i] = argv[optind + i];
			if (i + 1 == count)
				return true;
			continue;
		}
		snprintf(problem, sizeof problem, i < given ? "the name of the %s is empty;" : "which %s?", nouns[i]);
		break;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s usage: dwell %s [OPTIONS] %s; 'dwell help %s' tells more", command->name, problem,
		command->name, last_words(command, count), command->name);
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
	case OPTION_DURATION:
		return read_duration(command, row->name, text, row->value, diag);
	case OPTION_MOMENT:
		return read_moment(command, row->name, text, row->value, diag);
	case OPTION_CSV:
	case OPTION_JSON:
		return option_read_form(command, row->kind == OPTION_CSV ? WRITER_CSV : WRITER_JSON, row->value, diag);
	case OPTION_CPU:
	case OPTION_WALL:
		return option_read_by(command, row->kind == OPTION_CPU ? BY_CPU : BY_WALL, row->value, diag);
	}
	return false;
}

static bool has_argument(enum option_kind kind)
{
	return kind != OPTION_FLAG && kind < OPTION_CSV;
}

static bool read_options(const struct command *command, const struct option_row *rows, size_t count, int argc, char **argv,
	struct diag *diag)
{
	enum { FIRST = 256 }; /* beyond any letter */
	struct option known[OPTION_ROWS_MAX + 2] = {0};
	char letters[3 + 2 * OPTION_ROWS_MAX] = ":h", *letter = letters + 2;
	int option;

	if (count > OPTION_ROWS_MAX)
		count = OPTION_ROWS_MAX;
	for (size_t i = 0; i < count; i++)
		known[i] = (struct option){
			rows[i].name, has_argument(rows[i].kind) ? required_argument : no_argument, NULL, FIRST + (int)i};
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].letter)
			continue;
		*letter++ = rows[i].letter;
		if (has_argument(rows[i].kind))
			*letter++ = ':';
	}
	known[count] = (struct option){"help", no_argument, NULL, 'h'};
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, letters, known, NULL)) != -1) {
		if (option == 'h') {
			help_print(command, stdout);
			return false;
		}
		for (size_t i = 0; i < count; i++)
			if (rows[i].letter && rows[i].letter == option)
				option = FIRST + (int)i;
		if (option < FIRST)
			return option_refuse(command, option, argv, diag);
		if (!read_value(command, &rows[option - FIRST], optarg, diag))
			return false;
	}
	return true;
}

bool option_read(const struct command *command, const struct option_row *rows, size_t count, const char *noun, int argc, char **argv,
	const char **path, struct diag *diag)
{
	return read_options(command, rows, count, argc, argv, diag) && read_words(command, &noun, &path, 1, argc, argv, diag);
}

bool option_read_function(const struct command *command, const struct option_row *rows, size_t count, int argc, char **argv,
	const char **function, const char **path, struct diag *diag)
{
	const char *const nouns[] = {"function", "file"};
	const char **const words[] = {function, path};

	if (!read_options(command, rows, count, argc, argv, diag) || !read_words(command, nouns, words, 2, argc, argv, diag))
		return false;
	if (strcmp(*path, "-") == 0 || access(*path, F_OK) == 0 || access(*function, F_OK) != 0)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: there is no file '%s', but '%s' is one: first the function, then the file",
		command->name, *path, *function);
	return false;
}

bool option_read_words(const struct command *command, const struct option_row *rows, size_t count, int argc, char **argv, int *first,
	struct diag *diag)
{
	bool good = read_options(command, rows, count, argc, argv, diag);

	*first = optind;
	return good;
}
