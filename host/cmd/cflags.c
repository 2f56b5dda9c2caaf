/* dwell cflags: what to compile with, for the compiler at hand. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/agent.h"
#include "cli/command.h"
#include "cli/option.h"

extern char **environ;

static const char about[] =
	"Prints one line for the compiler's command line:\n"
	"  gcc -O2 $(dwell cflags) -c app.c\n"
	"COMPILER is a command, with options if need be; without it it is $CC, or else\n"
	"cc. It is tried out: what it does not understand is not printed. Flags are for\n"
	"compiling; linking stays as it was. With -flto they belong to both.\n"
	"\n"
	"Functions are instrumented after inlining, so that helpers which are inlined\n"
	"cost nothing, and a program that is not recorded has nops where the hooks will\n"
	"be, one at each entry and one at each exit. For GCC -specs= names a file of\n"
	"dwell's that adds -pg -mfentry -minstrument-return=nop5, and has the assembler\n"
	"put a nop in place of each call of __fentry__, position-independent or not.\n"
	"All of that is for x86-64; elsewhere -finstrument-functions is printed. With it\n"
	"GCC needs -fno-tree-ter: else it computes results behind the exit hook, and\n"
	"their time is the caller's.\n"
	"\n"
	"A program needs no agent of its own to be recorded, unless it is static. What\n"
	"--link prints stands behind the program's own files and libraries:\n"
	"  gcc app.o $(dwell cflags --link) -o app\n"
	"(-static, -static-pie, or neither). It is the agent, libdwell.a, and has the\n"
	"linker send it the calls of longjmp, of C++'s catch clauses, makecontext and\n"
	"vfork, which in a static program nobody sees otherwise.\n";

struct options {
	const char *compiler;
	bool every, link;
};

struct choice {
	const char *flags;
	bool x86_64; /* patched sites, which the agent knows there */
	bool specs;  /* flags end with the path of gcc.specs; the object must have the nop that mk/gcc-sites.s makes */
};
static const char marked_nop[] = "\x0f\x1f\x44\x00\x0d";

/* The best first; flags null: the end. */
static const struct choice both_ends[] = {
	{"-specs=", true, true},
	{"-pg -mfentry -minstrument-return=nop5", true, false},
	{"-fxray-instrument -fxray-instruction-threshold=1", true, false},
	{"-finstrument-functions-after-inlining", false, false},
	{"-finstrument-functions -fno-tree-ter", false, false},
	{"-finstrument-functions", false, false},
	{NULL, false, false},
};
static const struct choice every_function[] = {
	{"-finstrument-functions -fno-tree-ter", false, false}, {"-finstrument-functions", false, false}, {NULL, false, false}};

#define WORDS_MAX 64

static size_t split(char *text, char *words[], size_t count)
{
	char *next = text;

	while (count < WORDS_MAX - 1 && (words[count] = strtok_r(next, " \t", &next)))
		count++;
	words[count] = NULL;
	return count;
}

/* The program that is compiled for a try, in a pipe to read it from. Negative: none. */
static int make_program(bool x86_64)
{
	static const char program[] = "int f(int x);\nint f(int x)\n{\n\treturn x + 1;\n}\n", only[] = "#ifndef __x86_64__\n#error\n#endif\n";
	int ends[2];
	bool written;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	written = (!x86_64 || write(ends[1], only, sizeof only - 1) == sizeof only - 1) &&
		  write(ends[1], program, sizeof program - 1) == sizeof program - 1;
	close(ends[1]);
	if (written)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* Whether the object has what it must. */
static bool is_marked(int object)
{
	char bytes[65536];
	ssize_t count = pread(object, bytes, sizeof bytes, 0);

	return count > 0 && memmem(bytes, (size_t)count, marked_nop, sizeof marked_nop - 1);
}

/* Compiles with these flags. compiler may have options of its own, as $CC may. Its exit status; negative: it cannot be run, see errno. */
static int try(const char *compiler, const struct choice *choice, const char *specs)
{
	char *command = strdup(compiler), flags[PATH_MAX + 256], *words[WORDS_MAX];
	int status = -1, input = make_program(choice->x86_64), error = ENOENT, object = choice->specs ? memfd_create("dwell", 0) : -1;
	posix_spawn_file_actions_t files;
	pid_t pid;

	if (choice->specs)
		snprintf(flags, sizeof flags, "%s%s -O2 -Werror -x c -c -o /proc/self/fd/%d -", choice->flags, specs, object);
	else
		snprintf(flags, sizeof flags, "%s -O2 -Werror -x c -S -o /dev/null -", choice->flags);
	if (command && input >= 0 && split(command, words, 0)) {
		split(flags, words, split(strcpy(command, compiler), words, 0));
		posix_spawn_file_actions_init(&files);
		posix_spawn_file_actions_adddup2(&files, input, 0);
		posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
		error = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
		posix_spawn_file_actions_destroy(&files);
		if (!error && waitpid(pid, &status, 0) == pid)
			status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		if (choice->specs && status == 0 && !is_marked(object))
			status = 1;
	}
	if (input >= 0)
		close(input);
	if (object >= 0)
		close(object);
	free(command);
	errno = error;
	return error || status == 127 ? -1 : status;
}

/* Of x86-64 alone; and of all. Those that the agent knows: target/port/os/linux/linked/linked_real.c. */
#define WRAP_X86_64 ",--wrap=makecontext,--wrap=vfork"
#define WRAP \
	"--wrap=longjmp,--wrap=_longjmp,--wrap=siglongjmp,--wrap=__longjmp_chk,--wrap=__cxa_begin_catch,--wrap=_Fork," \
	"--wrap=pthread_setname_np"

static void print_link(const char *compiler, struct diag *diag)
{
	static const struct choice x86_64 = {"", true, false}, any = {"", false, false};
	char *path = make_linked_agent_path(diag);
	int status;

	if (!path)
		return;
	status = try(compiler, &any, NULL);
	if (status < 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "cannot be run: %s", strerror(errno));
	else if (status > 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "does not compile a function of C");
	else
		printf("%s -Wl,-u,dwell_start,-u,dwell_linked_real,%s%s\n", path, WRAP, try(compiler, &x86_64, NULL) == 0 ? WRAP_X86_64 : "");
	free(path);
}

static void print_first(const char *compiler, const struct choice *choices, struct diag *diag)
{
	char *specs = make_specs_path();
	int status = 1;

	for (; choices->flags && status > 0; choices++) {
		if (choices->specs && !specs)
			continue;
		status = try(compiler, choices, specs);
		if (status == 0)
			printf("%s%s\n", choices->flags, choices->specs ? specs : "");
	}
	if (status < 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "cannot be run: %s", strerror(errno));
	else if (status > 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "knows none of the flags that would do");
	free(specs);
}

static const struct option_row rows[] = {
	{"--every", NULL, OPTION_FLAG, OPTION_AT(every),
		"-finstrument-functions: every function as it was written, also those that are inlined",
		.excludes = OPTION_EXCLUDES({"--link", "--every is for compiling, --link for linking"})},
	{"--link", NULL, OPTION_FLAG, OPTION_AT(link),
		"what to link with, where the agent is to be in the program: to attach to it later, or because it is static"},
	{0}};

static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;

	*options = (struct options){.compiler = getenv("CC")};
	if (!option_read_line(&command_cflags, options, argc, argv, &line, diag))
		return false;
	if (argc - line.first > 1)
		return option_refuse_words(&command_cflags, "one compiler at a time, with its options in quotes: 'gcc -fno-pie';", diag);
	if (line.first < argc)
		options->compiler = argv[line.first];
	if (!options->compiler || !*options->compiler)
		options->compiler = "cc";
	return true;
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	if (options.link)
		print_link(options.compiler, diag);
	else
		print_first(options.compiler, options.every ? every_function : both_ends, diag);
	return COMMAND_BY_DIAG;
}

const struct command command_cflags = {"cflags", "[COMPILER]", "Prints what to compile with", rows, about, run, OPERANDS_PROGRAM};
