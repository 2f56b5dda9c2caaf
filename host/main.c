/* main: runs a command, prints its diagnostics, and exits with its status. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "cli/unknown_command.h"
#include "dwell/format.h"
#include "util/stream.h"

static const struct command *command_named(const char *name)
{
	for (const struct command *const *row = commands; *row; row++)
		if (!strcmp((*row)->name, name))
			return *row;
	return NULL;
}

/* A file opened while standard output is closed would become standard output, so dwell occupies the closed standard files. The
 * children of `record` still find them closed. The direction is always wrong, so reading and writing fail as before. */
static void occupy_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) != fd)
			return;
}

static bool is_help(const char *argument)
{
	return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

/* `dwell help [--man] [COMMAND]`. is_man: as a manual page. */
static void run_help(const char *name, bool is_man, struct diag *diag)
{
	const struct command *command = name ? command_named(name) : NULL;

	if (command && is_man)
		man_page_print(command, stdout);
	else if (command)
		help_print(command, false, stdout);
	else if (name)
		unknown_command_report(diag, name, false);
	else
		(is_man ? man_page_print_all : help_print_all)(stdout);
}

static int run(int argc, char **argv, struct diag *diag)
{
	const struct command *command;

	if (argc < 2) {
		help_print_all(stderr);
		return 2;
	}
	if (is_help(argv[1]) || !strcmp(argv[1], "help")) {
		bool is_man = argc > 2 && argv[1][0] != '-' && !strcmp(argv[2], "--man");

		const char *name = argv[1][0] == '-' ? NULL : argv[2 + is_man];

		run_help(name && (is_help(name) || !strcmp(name, "help")) ? NULL : name, is_man, diag);
		return COMMAND_BY_DIAG;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("dwell %s (format %d.%d)\n", DWELL_VERSION, DWELL_FILE_MAJOR, DWELL_FILE_MINOR);
		return COMMAND_BY_DIAG;
	}
	command = command_named(argv[1]);
	if (!command) {
		unknown_command_report(diag, argv[1], true);
		return COMMAND_BY_DIAG;
	}
	if (argc > 2 && is_help(argv[2])) { /* only the first argument: `record ./app --help` passes --help to the app */
		help_print(command, true, stdout);
		return COMMAND_BY_DIAG;
	}
	return command->run(argc - 1, argv + 1, diag);
}

/* Ends dwell by the signal that ended the recorded program, for shells and scripts that check. */
static void die_of(int signal_number)
{
	const struct rlimit no_core = {0, 0}; /* one core file, the program's, is enough */
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
	struct diag *diag = make_diag();
	int status;

	occupy_standard_files();
	status = run(argc, argv, diag);
	stream_finish(stdout, 0, "standard output", diag);
	diag_print(diag, stderr);
	if (status == COMMAND_BY_DIAG)
		status = diag_status(diag);
	free_diag(diag);
	if (status >= COMMAND_KILLED) {
		die_of(status - COMMAND_KILLED);
		return 128 + status - COMMAND_KILLED; /* not reached, unless the signal does not kill */
	}
	return status;
}
