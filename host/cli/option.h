/* option: one row says all of an option. Parsing, refusals, --help, manual pages and completions are made from a command's rows:
 *
 *     static const struct option_row rows[] = {
 *             {"--limit", "N", OPTION_COUNT, OPTION_AT(limit), "only the first N calls"},
 *             {"--folded", NULL, OPTION_FLAG, OPTION_AT(folded), "folded stacks", .excludes = OPTION_EXCLUDES({"--limit", "all of them"})},
 *             {0}};
 *     if (option_read(&command_calls, &options, "file", argc, argv, &options.path, diag)) ...
 *
 * --help and -h are always there. Values that are not given stay as they were. Rows that several commands have are in
 * cli/shared_options.h. */
#ifndef DWELL_HOST_CLI_OPTION_H
#define DWELL_HOST_CLI_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/command.h"
#include "cli/option_row.h"

/* A command line that was read. */
struct option_line {
	const struct command *command;
	uint64_t given; /* bit i: row i of option_list */
	int first;      /* argv[first] is the first word behind the options, argc: there is none */
};
/* The first option that was given, of these names or families, with blanks between; null: none. */
const char *option_given(const struct option_line *line, const char *of);

/* Reads the options and the one word behind them; noun is what the command calls it: "file", "program". options is the command's struct.
 * False: there is nothing to do, since help was printed, or a diag says what is wrong. */
bool option_read(const struct command *command, void *options, const char *noun, int argc, char **argv, const char **word,
	struct diag *diag);
/* The same for a command that asks about a function: what is behind the options is its name, then the file. */
bool option_read_function(const struct command *command, void *options, int argc, char **argv, const char **function, const char **path,
	struct diag *diag);
/* The same for a command that reads what is behind the options itself. */
bool option_read_line(const struct command *command, void *options, int argc, char **argv, struct option_line *line, struct diag *diag);

/* A diag: what is wrong with the words behind the options, and how the command is used. Always false. */
bool option_refuse_words(const struct command *command, const char *problem, struct diag *diag);
/* A diag: the name of the command and the problem. Always false. */
bool option_refuse(const struct command *command, const char *problem, struct diag *diag);

#endif
