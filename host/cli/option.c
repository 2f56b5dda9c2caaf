#include "cli/option.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/foreign_option.h"
#include "cli/help.h"
#include "cli/newest_recording.h"
#include "option/option_value.h"
#include "util/name_match.h"

#define NEAR_MAX 3u

enum { FIRST_ROW = 256 }; /* what getopt_long returns for the first row: larger than any letter */

bool option_refuse(const struct command *command, const char *problem, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s", command->name, problem);
	return false;
}

bool option_refuse_words(const struct command *command, const char *problem, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s usage: dwell %s%s%s%s; 'dwell help %s' tells more", command->name,
		problem, command->name, command->options ? " [OPTIONS]" : "", *command->operands ? " " : "", command->operands,
		command->name);
	return false;
}

const char *option_get_given(const struct option_line *line, const char *of)
{
	struct option_row rows[OPTION_ROWS_MAX];
	const struct option_row *row = option_find_given(rows, option_list(line->command->options, rows), line->given, of);

	return row ? row->name : NULL;
}

const char *option_get_refused(const struct option_line *line, const char **started)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(line->command->options, rows);

	for (size_t i = 0; i < count; i++) {
		*started = rows[i].started;
		if (line->given >> i & 1 && *started && **started)
			return rows[i].name;
	}
	return NULL;
}

/* ---- options that exclude or need each other ---- */

/* "--symbol --address" becomes "--symbol or --address". */
static void join_names(const char *names, char *text, size_t text_bytes)
{
	size_t used = 0;

	for (; *names && used < text_bytes; names += strcspn(names, " "), names += *names == ' ')
		used += (size_t)snprintf(text + used, text_bytes - used, "%s%.*s", used ? " or " : "", (int)strcspn(names, " "), names);
}

/* False with a diag: given options exclude each other, a needed option is missing, or a required option is missing. */
static bool check_pairs(
	const struct command *command, const struct option_row *rows, size_t count, uint64_t given, struct diag *diag)
{
	const struct option_row *one, *other;
	const struct option_pair *pair = option_find_exclusion(rows, count, given, &one, &other);
	char names[128];

	if (pair && *pair->why == '-')
		return option_refuse(command, pair->why, diag);
	if (pair) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s and %s: %s", command->name, one->name, other->name, pair->why);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct option_pair *needs = &rows[i].needs;

		if (rows[i].missing && !(given >> i & 1))
			return option_refuse(command, rows[i].missing, diag);
		if (!(given >> i & 1) || !needs->with || option_find_given(rows, count, given, needs->with))
			continue;
		if (needs->why && *needs->why == '-')
			return option_refuse(command, needs->why, diag);
		join_names(needs->with, names, sizeof names);
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s goes with %s%s%s", command->name, rows[i].name, names,
			needs->why ? ": " : "", needs->why ? needs->why : "");
		return false;
	}
	return true;
}

/* ---- unknown options ---- */

/* Whether a user who typed a (without a value) may have meant the option b. Both include their dashes. */
static bool is_near(const char *a, const char *b)
{
	size_t bytes = strlen(a), letters = strlen(b) - 2;

	return (bytes > 2 && (!strncmp(a, b, bytes) || !strncmp(b, a, strlen(b)))) ||
	       name_match_distance(a, b) <= (letters < 5 ? 1 : 2);
}

/* Lists options similar to the typed option. */
static void list_near(const struct option_row *rows, size_t count, const char *typed, char *list, size_t list_bytes)
{
	static const struct option_row help = {"--help"};
	char word[NAME_MATCH_BYTES_MAX];
	size_t used = 0, found = 0;

	snprintf(word, sizeof word, "%.*s", (int)strcspn(typed, "="), typed);
	*list = 0;
	for (size_t i = 0; i <= count && found < NEAR_MAX; i++) {
		const struct option_row *row = i ? &rows[i - 1] : &help;
		const char *names[] = {row->name, row->other};

		for (int n = 0; n < 2 && found < NEAR_MAX; n++)
			if (names[n] && !strncmp(names[n], "--", 2) && is_near(word, names[n]))
				used += (size_t)snprintf(list + used, list_bytes - used, "%s%s", found++ ? ", " : "", names[n]);
	}
}

/* Reports an option for which getopt_long returned '?' or ':'. Always returns false. */
static bool refuse_typed(const struct command *command, const struct option_row *rows, size_t count, int option, const char *typed,
	struct diag *diag)
{
	const char *problem = "no such option", *answer;
	char list[4 * NAME_MATCH_BYTES_MAX] = "", word[NAME_MATCH_BYTES_MAX];

	if (strncmp(typed, "--", 2) && optopt > 0) { /* a letter among several, or with its value attached */
		snprintf(word, sizeof word, "-%c", optopt);
		typed = word;
	} else {
		snprintf(word, sizeof word, "%.*s", (int)strcspn(typed, "="), typed);
	}
	answer = option == '?' ? foreign_option_get_advice(command->name, word) : NULL;
	if (answer) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s", command->name, word, answer);
		return false;
	}
	if (option == ':')
		problem = "a value is missing";
	else if (optopt && !strncmp(typed, "--", 2)) /* a long option with a value: optopt is the row's number */
		problem = "takes no value";
	else
		list_near(rows, count, typed, list, sizeof list);
	if (*list)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; did you mean %s?", command->name, typed, problem, list);
	else
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: %s; 'dwell help %s' lists the options", command->name, typed,
			problem, command->name);
	return false;
}

/* ---- the command line ---- */

/* Whether a number follows an option whose value must be attached with "=": getopt would take the number for the first word. True:
 * a diag explains. value: the attached value; null: none. next: the next word of the command line; null: none. */
static bool is_detached(
	const struct command *command, const struct option_row *row, const char *value, const char *next, struct diag *diag)
{
	if (!row->value || *row->value != '[' || value || !next || !*next || next[strspn(next, "0123456789.%KMGkmg")])
		return false;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s %s: a value goes behind an equals sign, %s=%s; a program of that name is ./%s",
		command->name, row->name, next, row->name, next, next);
	return true;
}

static bool take(const struct command *command, const struct option_row *row, void *options, const char *text, struct diag *diag)
{
	char buffer[OPTION_EXPECTED_BYTES];
	const char *expected = option_read_value(row, options, text, buffer);

	if (expected)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected %s", command->name, row->name, text ? text : "", expected);
	return !expected;
}

/* Adds a name of a row to the tables for getopt_long. */
static void add_name(const struct option_row *row, const char *name, int value, struct option **known, char **letter)
{
	int has = !row->value ? no_argument : *row->value == '[' ? optional_argument : required_argument;

	if (!name)
		return;
	if (name[1] == '-') {
		*(*known)++ = (struct option){name + 2, has, NULL, value};
		return;
	}
	*(*letter)++ = name[1];
	if (has)
		*(*letter)++ = ':';
}

static size_t find_row(const struct option_row *rows, size_t count, int option)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = rows[i].name, *other = rows[i].other;

		if (option == FIRST_ROW + (int)i || (name[1] != '-' && option == name[1]) ||
			(other && other[1] != '-' && option == other[1]))
			return i;
	}
	return count;
}

bool option_read_line(
	const struct command *command, void *options, int argc, char **argv, struct option_line *line, struct diag *diag)
{
	struct option_row rows[OPTION_ROWS_MAX];
	struct option names[2 * OPTION_ROWS_MAX + 2] = {{"help", no_argument, NULL, 'h'}}, *name = names + 1;
	char letters[4 * OPTION_ROWS_MAX + 4] = "+:h", *letter = letters + 3;
	size_t count = option_list(command->options, rows), row;
	int option;

	for (size_t i = 0; i < count; i++) {
		add_name(&rows[i], rows[i].name, FIRST_ROW + (int)i, &name, &letter);
		add_name(&rows[i], rows[i].other, FIRST_ROW + (int)i, &name, &letter);
	}
	*line = (struct option_line){.command = command};
	opterr = 0;
	optind = 0; /* restarts getopt, whatever it parsed before */
	while ((option = getopt_long(argc, argv, letters + (command->operand_kind != OPERANDS_PROGRAM), names, NULL)) != -1) {
		if (option == 'h') {
			help_print(command, true, stdout);
			return false;
		}
		row = find_row(rows, count, option);
		if (row == count)
			return refuse_typed(command, rows, count, option, argv[optind - 1], diag);
		if (is_detached(command, &rows[row], optarg, argv[optind], diag) ||
			!take(command, &rows[row], options, optarg, diag))
			return false;
		if (rows[row].once && line->given >> row & 1) {
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s: one of them at a time", command->name, rows[row].name);
			return false;
		}
		line->given |= UINT64_C(1) << row;
	}
	line->first = optind;
	return check_pairs(command, rows, count, line->given, diag);
}

/* Sets *words[i] to word i after the options, described by nouns[i]. count: number of nouns; given: number of words. False with a
 * diag: too few or too many words. */
static bool read_words(const struct command *command, const char *const *nouns, const char **const *words, int count, int given,
	char *const *argv, struct diag *diag)
{
	char problem[64];

	snprintf(problem, sizeof problem, count > 1 ? "one %s, one %s;" : "one %s at a time;", nouns[0], nouns[count - 1]);
	for (int i = 0; i < count && given <= count; i++) {
		if (i < given && *argv[i]) {
			*words[i] = argv[i];
			if (i + 1 == count)
				return true;
			continue;
		}
		snprintf(problem, sizeof problem, i < given ? "the name of the %s is empty;" : "which %s?", nouns[i]);
		break;
	}
	return option_refuse_words(command, problem, diag);
}

bool option_read(const struct command *command, void *options, const char *noun, int argc, char **argv, const char **word,
	struct diag *diag)
{
	struct option_line line;

	return option_read_line(command, options, argc, argv, &line, diag) &&
	       read_words(command, &noun, &word, 1, argc - line.first, argv + line.first, diag);
}

const char *option_find_newest(const struct command *command, struct diag *diag)
{
	const char *name = newest_recording_find(diag);

	if (!name)
		option_refuse_words(command, "which file? there is no recording (*.dwell) in this folder;", diag);
	return name;
}

bool option_read_file(const struct command *command, void *options, int argc, char **argv, const char **path, struct diag *diag)
{
	static const char *const noun = "file";
	struct option_line line;

	if (!option_read_line(command, options, argc, argv, &line, diag))
		return false;
	if (line.first == argc)
		return (*path = option_find_newest(command, diag));
	return read_words(command, &noun, &path, 1, argc - line.first, argv + line.first, diag);
}

/* Whether a single word behind the options is the name of a file. A program has the name of a function, main, more likely than a
 * recording has. */
static bool is_file(const char *word)
{
	return access(word, F_OK) == 0 && access(word, X_OK) != 0;
}

/* The function and the file, of which at least one is missing. word: the only word; null: none. */
static bool read_one_word(const struct command *command, char *word, const char **function, const char **path, struct diag *diag)
{
	bool is_any = *function;
	char problem[512] = "which function?";

	if (word && is_file(word))
		snprintf(problem, sizeof problem, "which function? '%s' is the file;", word);
	else if (word && !*word)
		return option_refuse_words(command, "the name of the function is empty;", diag);
	else if (word)
		*function = word;
	if (!*function)
		return option_refuse_words(command, problem, diag);
	*path = word && is_any && *function != word ? word : option_find_newest(command, diag);
	return *path;
}

bool option_read_function(const struct command *command, void *options, int argc, char **argv, const char **function,
	const char **path, struct diag *diag)
{
	const char *const nouns[] = {"function", "file"};
	const char **const words[] = {function, path};
	struct option_line line;

	if (!option_read_line(command, options, argc, argv, &line, diag))
		return false;
	if (argc - line.first < 2)
		return read_one_word(command, line.first < argc ? argv[line.first] : NULL, function, path, diag);
	if (!read_words(command, nouns, words, 2, argc - line.first, argv + line.first, diag))
		return false;
	if (strcmp(*path, "-") == 0 || access(*path, F_OK) == 0 || access(*function, F_OK) != 0)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: there is no file '%s', but '%s' is one: first the function, then the file",
		command->name, *path, *function);
	return false;
}

bool option_read_pid(const struct command *command, const char *text, pid_t *pid, struct diag *diag)
{
	const char *wrong = option_take_pid(pid, text);

	if (wrong)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: PID '%s': expected %s", command->name, text, wrong);
	return !wrong;
}
