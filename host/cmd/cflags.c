/* dwell cflags: finds the flags with which a compiler adds hooks. */
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
	"linker send it calls of longjmp, of C++ catch clauses, makecontext, vfork, clone\n"
	"and syscall, which dwell could not see in a static program otherwise.\n";

struct options {
	const char *compiler;
	bool every, link;
};

/* How to test a compiler. */
struct language {
	const char *program, *x86_64_only; /* a test program; a text in front of it that compiles only for x86-64 */
	const char *arguments;   /* after the flags */
};
static const struct language c_to_assembly = {"int f(int x);\nint f(int x)\n{\n\treturn x + 1;\n}\n", "#ifndef __x86_64__\n#error\n#endif\n",
				     " -O2 -x c -S -o /dev/null -"},
			     c_to_object = {"int f(int x);\nint f(int x)\n{\n\treturn x + 1;\n}\n", "#ifndef __x86_64__\n#error\n#endif\n",
				     " -O2 -x c -c -o /proc/self/fd/1 -"},
			     d = {"int f(int x)\n{\n\treturn x + 1;\n}\n", "version (X86_64) {} else static assert(0);\n", " -O2 -o- -"},
			     rust = {"", "", " --print=cfg"}; /* prints the target processor, and fails for unknown flags */

/* Flags that dwell cflags may print. */
struct choice {
	const char *flags;
	const struct language *language;
	bool x86_64;     /* patched sites, which the agent supports only on x86-64 */
	bool specs;      /* the flags name mk/gcc.specs, in place of .flags */
	const char *has; /* bytes that the output must contain; null: none */
	size_t has_bytes;
	const char *environment; /* a variable that the compiler needs for these flags; null: none */
};

#define XRAY "-fxray-instrument -fxray-instruction-threshold=1"
#define FOR_X86_64 "target_arch=\"x86_64\"" /* in the output of rustc --print=cfg */

/* The best choice first; flags null: the end. Build systems give the same flags to the linker, so some rows have more than
 * compiling needs. -Wp hides -p from the linking step, where GCC would link gprof for plain -pg. -fno-xray-link-deps, or
 * -fnoxray-link-deps, keeps Clang from linking XRay's run time for -fxray-instrument. */
static const struct choice default_choices[] = {
	{"", &c_to_object, true, .specs = true, .has = "\x0f\x1f\x44\x00\x0d", .has_bytes = 5}, /* the nop of mk/gcc-sites.s */
	{"-Wp,-p -mfentry -minstrument-return=nop5", &c_to_assembly, true},
	{XRAY " -fno-xray-link-deps", &c_to_assembly, true},
	{XRAY " -fnoxray-link-deps", &c_to_assembly, true}, /* the only name in older versions */
	{"-finstrument-functions-after-inlining", &c_to_assembly},
	{"-finstrument-functions -fno-tree-ter", &c_to_assembly},
	{"-finstrument-functions", &c_to_assembly},
	{XRAY, &d, true},
	{"-finstrument-functions", &d},
	{"-Z instrument-xray=always", &rust, true, .has = FOR_X86_64, .has_bytes = sizeof FOR_X86_64 - 1},
	{"-Z instrument-xray=always", &rust, true, .has = FOR_X86_64, .has_bytes = sizeof FOR_X86_64 - 1, .environment = "RUSTC_BOOTSTRAP=1"},
	{0},
};
static const struct choice every_function_choices[] = {
	{"-finstrument-functions -fno-tree-ter", &c_to_assembly},
	{"-finstrument-functions", &c_to_assembly},
	{"-finstrument-functions", &d},
	{0},
};

#define WORDS_MAX 64
#define FLAGS_MAX (2 * PATH_MAX + 256)
#define COMMAND_MAX (3 * PATH_MAX + 512)

/* Cuts the text into words at blanks. Returns their number. words ends with null. */
static size_t split(char *text, char *words[])
{
	char *next = text;
	size_t count = 0;

	while (count < WORDS_MAX - 1 && (words[count] = strtok_r(next, " \t", &next)))
		count++;
	words[count] = NULL;
	return count;
}

/* Returns a pipe with the test program for reading. Negative: failed. */
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

/* Whether the output contains the bytes required by the choice. */
static bool has_required_bytes(int output, const struct choice *choice)
{
	char bytes[65536];
	ssize_t count = pread(output, bytes, sizeof bytes, 0);

	return count > 0 && memmem(bytes, (size_t)count, choice->has, choice->has_bytes);
}

/* Writes the flags of a choice to flags. folder: the folder of gcc.specs; null is allowed for choices without specs. */
static void format_flags(char *flags, size_t bytes, const struct choice *choice, const char *folder)
{
	if (choice->specs)
		snprintf(flags, bytes, "-B%s -specs=%s/gcc.specs", folder, folder);
	else
		snprintf(flags, bytes, "%s", choice->flags);
}

/* Compiles the test program with these flags. compiler may include options, like $CC. strict: the option that turns warnings into
 * errors, or "". Returns the exit status, 0 if the compiler supports the flags; negative with errno: the compiler cannot be run. */
static int try_flags(const char *compiler, const char *strict, const struct choice *choice, const char *folder)
{
	char text[COMMAND_MAX], flags[FLAGS_MAX], *words[WORDS_MAX];
	int status = -1, input = make_program(choice), error = ENOENT, output = memfd_create("dwell", MFD_CLOEXEC);
	posix_spawn_file_actions_t files;
	pid_t pid;

	format_flags(flags, sizeof flags, choice, folder);
	if (input >= 0 && output >= 0 &&
		snprintf(text, sizeof text, "%s%s %s %s%s%s", choice->environment ? "env " : "", choice->environment ? choice->environment : "",
			compiler, flags, choice->language->arguments, strict) < (int)sizeof text &&
		split(text, words)) {
		posix_spawn_file_actions_init(&files);
		posix_spawn_file_actions_adddup2(&files, input, 0);
		posix_spawn_file_actions_adddup2(&files, output, 1);
		posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
		error = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
		posix_spawn_file_actions_destroy(&files);
		if (!error && waitpid(pid, &status, 0) == pid)
			status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		if (choice->has && status == 0 && !has_required_bytes(output, choice))
			status = 1;
	}
	if (input >= 0)
		close(input);
	if (output >= 0)
		close(output);
	errno = error;
	return error || status == 127 ? -1 : status;
}

/* Calls that the linker redirects to the agent: WRAP on all machines, WRAP_X86_64 only on x86-64.
 * target/port/os/linux/linked/linked_real.c defines the wrappers. */
#define WRAP_X86_64 ",--wrap=makecontext,--wrap=vfork,--wrap=syscall"
#define WRAP \
	"--wrap=longjmp,--wrap=_longjmp,--wrap=siglongjmp,--wrap=__longjmp_chk,--wrap=_Unwind_SetIP,--wrap=__cxa_begin_catch,--wrap=_Fork," \
	"--wrap=clone,--wrap=_exit,--wrap=_Exit,--wrap=prctl,--wrap=pthread_setname_np"

static void report_not_run(const char *compiler, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET, "cannot be run: %s; name a compiler: dwell cflags gcc", strerror(errno));
}

static const struct choice no_flags = {"", &c_to_assembly};

/* Returns the option that turns warnings into errors, because a compiler warns about flags that it does not support. "": the
 * compiler lacks the option, or warns even without flags. */
static const char *find_strict_option(const char *compiler)
{
	static const char strict[] = " -Werror";

	return try_flags(compiler, strict, &no_flags, NULL) == 0 ? strict : "";
}

/* Prints what to link with, for the machine of the compiler. */
static void print_link(const char *compiler, struct diag *diag)
{
	static const struct choice x86_64 = {"", &c_to_assembly, .x86_64 = true};
	char *path = make_linked_agent_path(diag);
	int status;

	if (!path)
		return;
	status = try_flags(compiler, "", &no_flags, NULL);
	if (status < 0)
		report_not_run(compiler, diag);
	else if (status > 0)
		diag_add(diag, DIAG_ERROR, compiler, DIAG_NO_OFFSET,
			"does not compile C, so dwell cannot find out for which machine it links; name the C compiler: dwell cflags --link gcc");
	else
		printf("%s -Wl,-u,dwell_start,-u,dwell_linked_real,%s%s\n", path, WRAP, try_flags(compiler, "", &x86_64, NULL) == 0 ? WRAP_X86_64 : "");
	free(path);
}

/* Suggests what to do with a compiler without support for any of the flags. */
static void report_no_flags(const char *compiler, bool every, struct diag *diag)
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

/* Prints the best flags that the compiler supports. */
static void print_best_flags(const char *compiler, bool every, struct diag *diag)
{
	const struct choice *choice = every ? every_function_choices : default_choices;
	char *folder = make_specs_folder(), flags[FLAGS_MAX];
	const char *strict = find_strict_option(compiler);
	int status = 1;

	for (; choice->flags; choice++) {
		if (choice->specs && !folder)
			continue;
		status = try_flags(compiler, strict, choice, folder);
		if (status <= 0)
			break;
	}
	if (status < 0) {
		report_not_run(compiler, diag);
	} else if (status > 0) {
		report_no_flags(compiler, every, diag);
	} else {
		format_flags(flags, sizeof flags, choice, folder);
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
		print_best_flags(options.compiler, options.every, diag);
	return COMMAND_BY_DIAG;
}

const struct command command_cflags = {"cflags", "[COMPILER]", "Prints the compiler flags that let dwell record each call", rows, about, run, OPERANDS_PROGRAM,
	.task = TASK_RECORD,
	.examples = "  gcc -O2 $(dwell cflags) -c app.c         compile with hooks\n"
		    "  gcc app.o $(dwell cflags --link) -o app  link the agent in (static programs)\n"};
