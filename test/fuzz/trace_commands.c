/* Any bytes as a recording, through the commands that read one, each with some of its options, as main() runs them. What they write
 * goes nowhere.
 *
 * The size of an input says which quarter of the commands reads it: so more inputs are tried in the same time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 10
#define PARTS 4

/* FILE is the recording. A function is "*", as any name would be one of few recordings. */
static const char *const lines[][WORDS_MAX] = {
	{"report", "FILE"},
	{"report", "--csv", "--raw", "--lines", "FILE"},
	{"report", "--json", "--time", "1us..20us", "FILE"},
	{"report", "--wall", "--sort", "avg", "-n", "3", "--thread", "*", "FILE"},
	{"report", "--folded", "FILE"},
	{"report", "--group", "module", "FILE"},
	{"report", "--group", "thread", "--csv", "FILE"},
	{"report", "--split", "*", "--intervals", "7", "FILE"},
	{"report", "--times-from", "FILE", "FILE"},
	{"tree", "--min", "0", "--full-names", "FILE"},
	{"tree", "--csv", "--depth", "3", "-n", "5", "FILE"},
	{"callers", "--lines", "*", "FILE"},
	{"callees", "--json", "--time", "50%..", "*", "FILE"},
	{"calls", "-n", "20", "--args", "FILE"},
	{"calls", "--csv", "--order", "exit", "--longer", "1ns", "--depth", "4", "FILE"},
	{"slowest", "--min", "0", "--args", "*", "FILE"},
	{"slowest", "--csv", "-n", "2", "FILE"},
	{"histogram", "*", "FILE"},
	{"info", "FILE"},
	{"info", "--json", "FILE"},
	{"diff", "--all", "FILE", "FILE"},
	{"diff", "--markdown", "--by", "time", "FILE", "FILE", "--", "FILE"},
	{"html", "-o", "-", "FILE"},
	{"html", "-o", "-", "FILE", "FILE"},
	{"dump", "FILE"},
	{"dump", "--layout", "--csv", "FILE"},
	{"export", "--to", "callgrind", "--lines", "FILE"},
	{"export", "--to", "folded", "FILE"},
	{"export", "--to", "gmon", "FILE"},
	{"export", "--to", "json", "FILE"},
	{"export", "--to", "perfetto", "FILE"},
	{"export", "--to", "pprof", "FILE"},
	{"export", "--to", "speedscope", "FILE"},
};

static ssize_t drop_bytes(void *context, const char *bytes, size_t count)
{
	(void)context;
	(void)bytes;
	return (ssize_t)count;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = drop_bytes});
	return stdout ? 0 : 1;
}

static const struct command *find(const char *name)
{
	for (const struct command *const *row = commands; *row; row++)
		if (!strcmp((*row)->name, name))
			return *row;
	abort();
}

static void run(const char *const *words, char *path)
{
	char copies[WORDS_MAX][32], *arguments[WORDS_MAX + 1];
	struct diag *diag = make_diag();
	int count = 0, status;

	for (; count < WORDS_MAX && words[count]; count++) {
		snprintf(copies[count], sizeof copies[count], "%s", strcmp(words[count], "FILE") ? words[count] : path);
		arguments[count] = copies[count];
	}
	arguments[count] = NULL;
	status = find(words[0])->run(count, arguments, diag);
	fflush(stdout);
	if (status == COMMAND_BY_DIAG)
		status = diag_status(diag);
	if (status < 0 || status > 2) {
		fprintf(stderr, "broken: dwell %s ends with %d\n", words[0], status);
		diag_print(diag, stderr);
		abort();
	}
	free_diag(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		close(fd);
		return 0;
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (size_t i = size % PARTS; i < sizeof lines / sizeof *lines; i += PARTS)
		run(lines[i], path);
	close(fd);
	return 0;
}
