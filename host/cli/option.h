/* option: parsing, error messages, --help, manual pages and completions, all made from a command's rows of options:
 *
 *     static const struct option_row rows[] = {
 *             {"--limit", "N", OPTION_COUNT, OPTION_AT(limit), "only the first N calls"},
 *             {"--folded", NULL, OPTION_FLAG, OPTION_AT(folded), "folded stacks",
 *                     .excludes = OPTION_EXCLUDES({"--limit", "all of them"})},
 *             {0}};
 *     if (option_read(&command_calls, &options, "file", argc, argv, &options.path, diag)) ...
 *
 * --help and -h always exist. Values of options that are not given stay unchanged. cli/shared_options.h has
 * rows for several commands. */
#ifndef DWELL_HOST_CLI_OPTION_H
#define DWELL_HOST_CLI_OPTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/command.h"
#include "option/option_row.h"

/* A parsed command line. */
struct option_line {
	const struct command *command;
	uint64_t given; /* bit i: the option in row i of option_list was given */
	int first;      /* argv[first] is the first word after the options; argc: there is none */
};
/* Returns the name of the first given option. of: names or families of options, with blanks between. Null: no such option was
 * given. */
const char *option_get_given(const struct option_line *line, const char *of);
/* Returns the name of the first given option that attach refuses for a process started by `dwell record --off`; null: none.
 * *started: the reason, as in option_row.started. */
const char *option_get_refused(const struct option_line *line, const char **started);

/* Reads the options and the word after them. noun: the command's term for the word: "program", "shell". options: the command's
 * struct. False: nothing to do, because help was printed, or a diag reports an error. */
bool option_read(const struct command *command, void *options, const char *noun, int argc, char **argv, const char **word,
	struct diag *diag);
/* The same for a command that reads a recording. Without a word, *path is the newest recording in the current folder. */
bool option_read_file(const struct command *command, void *options, int argc, char **argv, const char **path, struct diag *diag);
/* The same for a command about a function: the words after the options are the function and the file. If *function is set before,
 * the function may be missing, too. */
bool option_read_function(const struct command *command, void *options, int argc, char **argv, const char **function,
	const char **path, struct diag *diag);
/* The newest recording in the current folder, with a note that names it (cli/newest_recording.h). Null with an error: there
 * is none. */
const char *option_find_newest(const struct command *command, struct diag *diag);
/* Reads only the options. The command reads the words after them: argv[line->first] and on. False as above. */
bool option_read_line(
	const struct command *command, void *options, int argc, char **argv, struct option_line *line, struct diag *diag);

/* Reads a word after the options as a process id. False with a diag: not a process id. */
bool option_read_pid(const struct command *command, const char *text, pid_t *pid, struct diag *diag);

/* Adds a diag with the problem of the words after the options, and the usage. Always returns false. */
bool option_refuse_words(const struct command *command, const char *problem, struct diag *diag);
/* Adds a diag with the command's name and the problem. Always returns false. */
bool option_refuse(const struct command *command, const char *problem, struct diag *diag);

#endif
