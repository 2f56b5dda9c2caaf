/* both: traces, samples and reports. */
#include "cmd/record/both.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/closing.h"
#include "cli/command.h"

#define WHO "--both"

/* The second run has to find the same input as the first. Returns the position in standard input; -1: it has none. */
static off_t remember_input(struct diag *diag)
{
	struct stat status;

	if (!fstat(STDIN_FILENO, &status) && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
		diag_add(diag, DIAG_WARN, NULL, DIAG_NO_OFFSET,
			"record: " WHO ": standard input is a pipe, of which the second run finds only what the first has left; a file is read twice");
	return lseek(STDIN_FILENO, 0, SEEK_CUR);
}

/* "app.samples.dwell" for "app.dwell". Null: memory ran out. */
static char *make_samples_path(const char *path)
{
	static const char ending[] = ".dwell", added[] = ".samples.dwell";
	size_t bytes = strlen(path), without = bytes;
	char *made = malloc(bytes + sizeof added);

	if (bytes > sizeof ending - 1 && !strcmp(path + bytes - (sizeof ending - 1), ending))
		without -= sizeof ending - 1;
	if (made) {
		memcpy(made, path, without);
		memcpy(made + without, added, sizeof added);
	}
	return made;
}

/* A program without hooks is traced as with --trace. */
static int trace(struct record_program *what, struct diag *diag)
{
	char reason[SAMPLED_REASON_BYTES];
	const char *why;

	if (!what->sampled->trace && sampled_choose_program(what->sampled, reason, &why))
		what->tracing->options.plans = true;
	what->sampled->trace = WHO;
	return record_program(what, diag);
}

static int sample(struct record_program *what, const char *path, struct diag *diag)
{
	what->sampled->trace = NULL;
	what->sampled->sample = WHO;
	what->sampled->options.output = path;
	return record_program(what, diag);
}

/* For the readers of closing_add_line. */
static void add_hint(const char *calls, const char *samples, struct diag *diag)
{
	char *calls_word = make_shell_word(calls), *samples_word = make_shell_word(samples);

	if (calls_word && samples_word && closing_is_read())
		diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "to see this again: dwell report %s --times-from %s", calls_word, samples_word);
	free(calls_word);
	free(samples_word);
}

static void report(char *calls, char *samples, struct diag *diag)
{
	char name[] = "report", option[] = "--times-from", *argv[] = {name, option, samples, calls, NULL};

	command_report.run(4, argv, diag);
	add_hint(calls, samples, diag);
}

int record_both(struct record_program *what, struct diag *diag)
{
	off_t input = remember_input(diag);
	int first = trace(what, diag), second = COMMAND_BY_DIAG;
	char *calls = what->recorded->path ? strdup(what->recorded->path) : NULL;
	char *samples = calls ? make_samples_path(calls) : NULL;

	recorded_clear(what->recorded);
	if (samples && first < COMMAND_KILLED) { /* who kills the first run does not want another one */
		if (input >= 0)
			lseek(STDIN_FILENO, input, SEEK_SET);
		second = sample(what, samples, diag);
		if (what->recorded->path)
			report(calls, samples, diag);
		recorded_clear(what->recorded);
	}
	free(calls);
	free(samples);
	if (first || second)
		return first ? first : second;
	return diag_has_error(diag) ? COMMAND_BY_DIAG : 0;
}
