#include "cli/unknown_command.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "dwell/format.h"
#include "option/option_row.h"
#include "util/foreign_file.h"
#include "util/name_match.h"

/* Commands of perf and uftrace, and of other profilers. */
static const struct {
	const char *name, *instead;
} foreign_commands[] = {
	{"annotate", "'dwell report --split FUNC FILE' shows the code of a sampled function in intervals"},
	{"flamegraph", "'dwell html FILE' writes a page with a flame graph"},
	{"gprof", "'dwell report FILE' shows the functions, 'dwell export --to gmon FILE' writes a file for gprof"},
	{"graph", "'dwell tree FILE' shows the time call path by call path"},
	{"list", "'dwell symbols PROGRAM' lists functions; of events dwell samples CPU time only"},
	{"live", "'dwell top PROGRAM' shows live where the time goes; to list its calls: 'dwell record PROGRAM', then 'dwell calls FILE'"},
	{"lock", "'dwell record PROGRAM', then 'dwell report --sort waiting FILE', shows the functions that wait; doc/reading-reports.md "
		"says which lock it is"},
	{"mem", "dwell records calls and CPU time, and no accesses to memory"},
	{"probe", "needs no preparation: 'dwell record --trace --only FUNC PROGRAM' records the calls of one function"},
	{"replay", "'dwell calls FILE' lists calls in order of time"},
	{"run", "'dwell record PROGRAM' runs a program and records it"},
	{"sched", "'dwell record PROGRAM', then 'dwell info FILE', shows how long each thread waited and was preempted, 'dwell html FILE' when"},
	{"script", "'dwell calls FILE' lists single calls, 'dwell dump FILE' each record; --csv and --json are for scripts"},
	{"stat", "dwell counts no events of the processor; 'dwell record PROGRAM', then 'dwell report FILE', shows where the time goes"},
	{"trace", "'dwell record --trace PROGRAM' records each call of a program"},
	{"version", "'dwell --version' prints it"},
};

/* The advice for another tool's command; null: none. */
static const char *get_foreign_advice(const char *name)
{
	for (size_t i = 0; i < sizeof foreign_commands / sizeof *foreign_commands; i++)
		if (!strcmp(foreign_commands[i].name, name))
			return foreign_commands[i].instead;
	return NULL;
}

static bool has_command(const char *name)
{
	for (const struct command *const *row = commands; *row; row++)
		if (!strcmp((*row)->name, name))
			return true;
	return false;
}

static bool begins_with(const char *path, const char *magic, size_t bytes)
{
	char start[8] = "";
	int fd = foreign_file_open(path, NULL);
	bool is = fd >= 0 && read(fd, start, sizeof start) >= (ssize_t)bytes && !memcmp(start, magic, bytes);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Adds an error that suggests what to do with the file. False: name is no file, or neither a recording nor a program. */
static bool add_file(struct diag *diag, const char *name)
{
	const char *folder = strchr(name, '/') ? "" : "./";
	size_t bytes = strlen(name);
	struct stat info;

	if (stat(name, &info) < 0 || !S_ISREG(info.st_mode))
		return false;
	if ((bytes > 6 && !strcmp(name + bytes - 6, ".dwell")) || begins_with(name, DWELL_FILE_MAGIC, 8) || begins_with(name, "PERFILE2", 8))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s'; to see this recording: dwell report %s", name, name);
	else if (access(name, X_OK) == 0)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s'; to record this program: dwell record %s%s", name,
			folder, name);
	else
		return false;
	return true;
}

/* The command that has the option of this name, of the two that users mean: they run a program or look at a file. Null: none. */
static const struct command *find_command_with(const char *option)
{
	static const struct command *const meant[] = {&command_record, &command_report};
	struct option_row rows[OPTION_ROWS_MAX];

	for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
		for (size_t row = option_list(meant[i]->options, rows); row--;)
			if (!strncmp(rows[row].name, option, strcspn(option, "=")) && !rows[row].name[strcspn(option, "=")])
				return meant[i];
	return NULL;
}

void unknown_command_report(struct diag *diag, const char *name, bool may_be_file)
{
	const struct command *nearest = help_nearest(name), *with = find_command_with(name);
	const char *option = name_match_distance(name, "--version") <= 2 ? "--version" : name_match_distance(name, "--help") <= 1 ? "--help" : NULL;
	const char *other = get_foreign_advice(name);

	if (other)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s': %s", name, other);
	else if (may_be_file && add_file(diag, name))
		return;
	else if (!strncmp(name, "--", 2) && has_command(name + 2))
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no option '%s'; did you mean 'dwell %s'?", name, name + 2);
	else if (with)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s'; did you mean 'dwell %s %s'?", name, with->name, name);
	else if (option)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no option '%s'; did you mean '%s'?", name, option);
	else if (nearest)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s'; did you mean '%s'?", name, nearest->name);
	else
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no command '%s'; 'dwell --help' lists the commands", name);
}
