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
	"COMPILER is a command, with options if need be (default: $CC, or cc). dwell runs\n"
	"it to see which options it understands. It knows flags for GCC (C, C++, Fortran\n"
	"and D), Clang, ldc2 and rustc. The flags are for compiling. You may link with\n"
	"them, too, as build systems do; -flto needs that.\n"
	"\n"
	"Functions are instrumented after inlining: inlined helpers cost nothing. A\n"
	"program that is not recorded has nops in place of its hooks, one at each entry\n"
	"and one at each exit. For GCC, -specs= names a file of dwell's, in the folder of\n"
	"-B. It has GCC compile with -pg -mfentry -minstrument-return=nop5 and turns each\n"
	"call of __fentry__ into a nop, position-independent or not; gprof is not linked.\n"
	"That is for x86-64; elsewhere dwell prints -finstrument-functions. With that\n"
	"option GCC needs -fno-tree-ter, too: without it GCC computes results behind the\n"
	"exit hook, in the caller's time.\n"
	"\n"
	"A program needs no agent of its own to be recorded, unless it is static. Put\n"
	"what --link prints behind the program's own files and libraries; it works with\n"
	"-static, -static-pie and neither. It links the agent, libdwell.a, and has the\n"
	"linker send it calls of longjmp, of C++ catch clauses, makecontext and vfork,\n"
	"which dwell could not see in a static program otherwise.\n";

struct options {
	const char *compiler;
	bool every, link;
};

/* A program is compiled for a try, with what follows the flags. What it holds for x86-64 alone must not compile elsewhere. */
struct language {
	const char *program, *x86_64_only;
	const char *arguments;
};
static const struct language c_to_assembly = {"int f(int x);\nint f(int x)\n{\n\treturn x + 1;\n}\n", "#ifndef __x86_64__\n#error\n#endif\n",
				     " -O2 -Werror -x c -S -o /dev/null -"},
			     c_to_object = {"int f(int x);\nint f(int x)\n{\n\treturn x + 1;\n}\n", "#ifndef __x86_64__\n#error\n#endif\n",
				     " -O2 -Werror -x c -c -o /proc/self/fd/1 -"},
			     d = {"int f(int x)\n{\n\treturn x + 1;\n}\n", "version (X86_64) {} else static assert(0);\n", " -O2 -o- -"},
			     rust = {"", "", " --print=cfg"}; /* says for which processor, and refuses flags that it does not know */

struct choice {
	const char *flags;
	const struct language *language;
	bool x86_64;     /* patched sites, which the agent knows there */
	bool specs;      /* with mk/gcc.specs */
	const char *has; /* what it must have written to its output; null: nothing */
	size_t has_bytes;
	const char *environment; /* a variable that the compiler needs for these flags; null: none */
};

#define FOR_X86_64 "target_arch=\"x86_64\"" /* of rustc --print=cfg */

/* The best first; flags null: the end. All of them may be given to the linker as well, as build systems do. Plain -pg would have GCC link
 * gprof then, and -fxray-instrument has Clang link XRay's run time. -Wp hides the former from whoever links. */
static const struct choice both_ends[] = {
	{"", &c_to_object, true, .specs = true, .has = "\x0f\x1f\x44\x00\x0d", .has_bytes = 5}, /* the nop that mk/gcc-sites.s makes */
	{"-Wp,-p -mfentry -minstrument-return=nop5", &c_to_assembly, true},
	{"-fxray-instrument -fxray-instruction-threshold=1 -fnoxray-link-deps", &c_to_assembly, true},
	{"-finstrument-functions-after-inlining", &c_to_assembly},
	{"-finstrument-functions -fno-tree-ter", &c_to_assembly},
	{"-finstrument-functions", &c_to_assembly},
	{"-fxray-instrument -fxray-instruction-threshold=1", &d, true},
	{"-finstrument-functions", &d},
	{"-Z instrument-xray=always", &rust, true, .has = FOR_X86_64, .has_bytes = sizeof FOR_X86_64 - 1},
	{"-Z instrument-xray=always", &rust, true, .has = FOR_X86_64, .has_bytes = sizeof FOR_X86_64 - 1, .environment = "RUSTC_BOOTSTRAP=1"},
	{0},
};
static const struct choice every_function[] = {
	{"-finstrument-functions -fno-tree-ter", &c_to_assembly},
	{"-finstrument-functions", &c_to_assembly},
	{"-finstrument-functions", &d},
	{0},
};

#define WORDS_MAX 64
#define FLAGS_MAX (2 * PATH_MAX + 256)
#define COMMAND_MAX (3 * PATH_MAX + 512)

static size_t split(char *text, char *words[])
{
	char *next = text;
	size_t count = 0;

	while (count < WORDS_MAX - 1 && (words[count] = strtok_r(next, " \t", &next)))
		count++;
	words[count] = NULL;
	return count;
}

/* The program that is compiled for a try, in a pipe to read it from. Negative: none. */
static int make_program(const struct choice *choice)
{
	const char *only = choice->x86_64 ? choice->language->x86_64_only : "", *program = choice->language->program;
	int ends[2];
	bool written;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	written = write(ends[1], only, strlen(only)) == (ssize_t)strlen(only) &&
		  write(ends[1], program, strlen(program)) == (ssize_t)strlen(program);
	close(ends[1]);
	if (written)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* Whether the compiler wrote what it must. */
static bool has_what_it_must(int output, const struct choice *choice)
{
	char bytes[65536];
	ssize_t count = pread(output, bytes, sizeof bytes, 0);

	return count > 0 && memmem(bytes, (size_t)count, choice->has, choice->has_bytes);
}

/* The flags of a choice. folder: that of gcc.specs; of others null. */
static void print_flags(char *flags, size_t bytes, const struct choice *choice, const char *folder)
{
	if (choice->specs)
		snprintf(flags, bytes, "-B%s -specs=%s/gcc.specs", folder, folder);
	else
		snprintf(flags, bytes, "%s", choice->flags);
}

/* Compiles with these flags. compiler may have options of its own, as $CC may. Its exit status; negative: it cannot be run, see errno. */
static int try(const char *compiler, const struct choice *choice, const char *folder)
{
	char text[COMMAND_MAX], flags[FLAGS_MAX], *words[WORDS_MAX];
	int status = -1, input = make_program(choice), error = ENOENT, output = memfd_create("dwell", MFD_CLOEXEC);
	posix_spawn_file_actions_t files;
	pid_t pid;

	print_flags(flags, sizeof flags, choice, folder);
	if (input >= 0 && output >= 0 &&
		snprintf(text, sizeof text, "%s%s %s %s%s", choice->environment ? "env " : "", choice->environment ? choice->environment : "",
			compiler, flags, choice->language->arguments) < (int)sizeof text &&
		split(text, words)) {
		posix_spawn_file_actions_init(&files);
		posix_spawn_file_actions_adddup2(&files, input, 0);
		posix_spawn_file_actions_adddup2(&files, output, 1);
		posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
		error = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
		posix_spawn_file_actions_destroy(&files);
		if (!error && waitpid(pid, &status, 0) == pid)
			status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		if (choice->has && status == 0 && !has_what_it_must(output, choice))
			status = 1;
	}
	if (input >= 0)
		close(input);
	if (output >= 0)
		close(output);
	errno = error;
	return error || status == 127 ? -1 : status;
}

/* Of x86-64 alone; and of all. Those that the agent knows: target/port/os/linux/linked/linked_real.c. */
#define WRAP_X86_64 ",--wrap=makecontext,--wrap=vfork"
#define WRAP \
	"--wrap=longjmp,--wrap=_longjmp,--wrap=siglongjmp,--wrap=__longjmp_chk,--wrap=__cxa_begin_catch,--wrap=_Fork," \
	"--wrap=pthread_setname_np"

static void say_not_run(const char *compiler, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "cannot be run: %s; name a compiler: dwell cflags gcc", strerror(errno));
}

static void print_link(const char *compiler, struct diag *diag)
{
	static const struct choice x86_64 = {"", &c_to_assembly, .x86_64 = true}, any = {"", &c_to_assembly};
	char *path = make_linked_agent_path(diag);
	int status;

	if (!path)
		return;
	status = try(compiler, &any, NULL);
	if (status < 0)
		say_not_run(compiler, diag);
	else if (status > 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET,
			"does not compile C, so dwell cannot find out for which machine it links; name the C compiler: dwell cflags --link gcc");
	else
		printf("%s -Wl,-u,dwell_start,-u,dwell_linked_real,%s%s\n", path, WRAP, try(compiler, &x86_64, NULL) == 0 ? WRAP_X86_64 : "");
	free(path);
}

/* What to do with a compiler that takes none of the flags. */
static void say_none(const char *compiler, bool every, struct diag *diag)
{
	const char *slash = strrchr(compiler, '/');

	if (!strcmp(slash ? slash + 1 : compiler, "go"))
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET,
			"makes no hooks for Go; the C code of cgo can have them: CGO_CFLAGS=\"-O2 $(dwell cflags gcc)\" go build");
	else
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "takes none of the flags for %s that dwell knows; %s",
			every ? "every function" : "hooks",
			every ? "without --every it may take others" : "'dwell record --trace PROGRAM' needs none, on x86-64");
}

static void print_first(const char *compiler, bool every, struct diag *diag)
{
	const struct choice *choice = every ? every_function : both_ends;
	char *folder = make_specs_folder(), flags[FLAGS_MAX];
	int status = 1;

	for (; choice->flags; choice++) {
		if (choice->specs && !folder)
			continue;
		status = try(compiler, choice, folder);
		if (status <= 0)
			break;
	}
	if (status < 0) {
		say_not_run(compiler, diag);
	} else if (status > 0) {
		say_none(compiler, every, diag);
	} else {
		print_flags(flags, sizeof flags, choice, folder);
		puts(flags);
		if (choice->environment)
			diag_add(diag, DIAG_NOTE, compiler, DIAG_NO_OFFSET, "takes these flags only with %s in its environment", choice->environment);
	}
	free(folder);
}

static const struct option_row rows[] = {
	{"--every", NULL, OPTION_FLAG, OPTION_AT(every),
		"hooks for every function in the source, also those that are inlined (-finstrument-functions). For C: in C++ programs "
		"that is slow. Their calls have no arguments (dwell record --args)",
		.excludes = OPTION_EXCLUDES({"--link", "--every is for compiling, --link for linking"})},
	{"--link", NULL, OPTION_FLAG, OPTION_AT(link),
		"what to link with, if the agent is to be part of the program: to attach to it later, or because it is static"},
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
		print_first(options.compiler, options.every, diag);
	return COMMAND_BY_DIAG;
}

const struct command command_cflags = {"cflags", "[COMPILER]", "Prints the compiler flags that let dwell record each call", rows, about, run, OPERANDS_PROGRAM,
	.task = TASK_RECORD,
	.examples = "  gcc -O2 $(dwell cflags) -c app.c         compile with hooks\n"
		    "  gcc app.o $(dwell cflags --link) -o app  link the agent in (static programs)\n"};
