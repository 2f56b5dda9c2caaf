/* explain: examines a program's file and the session's counters for obstacles to a recording, and names remedies. */
#include "record/program/explain.h"

#include <elf.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "record/program/hooked.h"
#include "record/program/plans.h"
#include "record/program/signatures.h"
#include "record/session/figures.h"
#include "util/foreign_file.h"

static bool is_elf64(const unsigned char *ident)
{
	return !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS64;
}

bool explain_is_of_musl(const char *path)
{
	static const char musl[] = "/ld-musl-";
	char name[256] = {0};
	Elf64_Ehdr elf;
	Elf64_Phdr program;
	int fd = foreign_file_open(path, NULL);

	if (fd < 0)
		return false;
	if (read(fd, &elf, sizeof elf) == sizeof elf && is_elf64(elf.e_ident))
		for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof program && !*name; i++)
			if (pread(fd, &program, sizeof program, (off_t)(elf.e_phoff + i * sizeof program)) == sizeof program &&
				program.p_type == PT_INTERP && pread(fd, name, sizeof name - 1, (off_t)program.p_offset) < 0)
				*name = 0;
	close(fd);
	return strstr(name, musl);
}

bool explain_is_static(const char *path)
{
	unsigned char header[64];
	Elf64_Ehdr elf;
	Elf64_Phdr program;
	int fd = foreign_file_open(path, NULL);
	bool result = false, dynamic = false;

	if (fd < 0)
		return false;
	if (read(fd, header, sizeof header) == sizeof header && is_elf64(header)) {
		memcpy(&elf, header, sizeof elf);
		for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof program; i++)
			if (pread(fd, &program, sizeof program, (off_t)(elf.e_phoff + i * sizeof program)) == sizeof program)
				dynamic |= program.p_type == PT_INTERP;
		result = !dynamic;
	}
	close(fd);
	return result;
}

bool explain_is_foreign(const char *path)
{
	Elf64_Ehdr elf;
	int fd = foreign_file_open(path, NULL);
	bool result;

	if (fd < 0)
		return false;
	/* The ELF header begins alike for both widths. */
	result = read(fd, &elf, sizeof elf) == sizeof elf && !memcmp(elf.e_ident, ELFMAG, SELFMAG) &&
		 (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != cpu_native()->elf_machine);
	close(fd);
	return result;
}

/* Sections of code. */
#define CODE_HOLDS(path, signatures)                                                                                               \
	signatures_are_in_sections(path, 0, SHF_EXECINSTR, SHF_EXECINSTR, signatures, sizeof signatures / sizeof *signatures)
/* Sections that are not loaded: symbol names and debug information. The program's own strings are loaded,
 * so they do not count. */
#define NAMES_HOLD(path, signatures)                                                                                               \
	signatures_are_in_sections(path, 0, SHF_ALLOC, 0, signatures, sizeof signatures / sizeof *signatures)
/* String tables, loaded or not: names of the file's own symbols, and of symbols from libraries. */
#define SYMBOLS_HOLD(path, signatures)                                                                                             \
	signatures_are_in_sections(path, SHT_STRTAB, 0, 0, signatures, sizeof signatures / sizeof *signatures)

const char *explain_why_hooks_unfound(const char *path)
{
	/* add %r11, %r10 (for an address in the large model); call *%r10. Or a number as the address, then the call. */
	static const struct signature large[] = {SIGNATURE("\x4d\x01\xda\x41\xff\xd2"), SIGNATURE("\0\0\0\0\x41\xff\xd2")};
	static const struct signature lto[] = {SIGNATURE("GNU GIMPLE"), SIGNATURE(".lto_priv"), SIGNATURE(".ltrans0")};

	if (hooked_file(path, false) && signatures_of_patched_hooks(path)) {
		if (CODE_HOLDS(path, large))
			return "its hooks are calls through a register, which -mcmodel=large makes and dwell cannot change; compile it without that "
			       "option, or with -finstrument-functions";
		return "it has hooks, but its functions are not in the unwind tables (.eh_frame), which dwell needs to find them; compile it without "
		       "-fno-asynchronous-unwind-tables, or with -finstrument-functions";
	}
	if (hooked_calls_mcount(path))
		return "its functions call mcount, the hook of gprof, which has no exits (-pg without -mfentry; Rust's -Z instrument-mcount); compile it "
		       "with what `dwell cflags` prints; Rust: -Z instrument-xray=always";
	if (NAMES_HOLD(path, lto))
		return "the program has no hooks, and was linked with -flto, which makes the code when it links; give what `dwell cflags` prints to the "
		       "link command, too";
	return NULL;
}

/* End of messages about seccomp: the system calls that the program's filter must allow. */
#define AGENT_CALLS \
	"while dwell records it, it makes some for dwell (madvise, clock_gettime, prctl, rt_sigprocmask, gettid, getpid, nanosleep, tgkill; at its "    \
	"start mmap and mprotect): allow them, or use --sample --engine=perf, which needs none"

void explain_seccomp(const char *path, struct diag *diag)
{
	static const struct signature signatures[] = {SIGNATURE("seccomp_load")};

	if (SYMBOLS_HOLD(path, signatures))
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "restricts its own system calls (seccomp); " AGENT_CALLS);
}

void explain_seccomp_kill(const char *path, struct diag *diag)
{
	diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "was killed for a system call that its filter forbids (seccomp); " AGENT_CALLS);
}

const char *explain_why_no_agent(const char *path)
{
	static const struct signature asan[] = {SIGNATURE("libasan.so.")};

	if (explain_is_of_musl(path))
		return "it uses the C library musl, and the agent works with the GNU C library only";
	if (SYMBOLS_HOLD(path, asan))
		return "it needs libasan in front of all other libraries (gcc -fsanitize=address), where the agent is; link it with -static-libasan";
	return NULL;
}

/* Whether the file begins with #!, so an interpreter runs it. */
static bool is_script(const char *path)
{
	char head[2] = {0};
	int fd = foreign_file_open(path, NULL);
	bool result = fd >= 0 && read(fd, head, 2) == 2 && head[0] == '#' && head[1] == '!';

	if (fd >= 0)
		close(fd);
	return result;
}

bool explain_changes_user(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && (((info.st_mode & S_ISUID) && info.st_uid != geteuid()) ||
					  ((info.st_mode & S_ISGID) && info.st_gid != getegid()));
}

/* Explains why a program without hooks was not recorded by plans (--trace). False: no reason found. */
static bool explain_unplanned(const struct figures *figures, const char *path, struct diag *diag)
{
	const char *why = NULL;

	if (figures->hook_kinds & DWELL_HOOKS_UNFIT)
		why = "its code in memory differs from its file, as in programs that unpack or change themselves";
	else if (figures->unpatched_modules)
		why = "this system forbids changes of its code (PR_SET_MDWE, which systemd calls MemoryDenyWriteExecute; seccomp; SELinux)";
	else if (!figures->agents && explain_is_foreign(path))
		why = "it is a program for another processor, or of 32 bits, and the agent is for this one";
	else if (!figures->agents && explain_is_static(path))
		why = "it is linked statically, so dwell cannot load its agent into it";
	else if (figures->agents && !figures->own_hooks)
		why = "its functions are not in unwind tables (.eh_frame), which dwell needs to find them; packed programs have none";
	if (why)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s; use --sample, which changes nothing in the program", why);
	return why;
}

void explain_no_events(const struct session *session, const char *path, bool attached, bool ended, int signal, struct diag *diag)
{
	const struct figures figures = figures_read(session);
	const char *unfit = attached ? NULL : explain_why_no_agent(path);

	if (unfit) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s; or use --sample", unfit);
		return;
	}
	if (*session->shared->plans && !figures.hooked_modules && explain_unplanned(&figures, path, diag))
		return;
	if (attached && ended)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the process ended, or became another program, before it called a function with hooks");
	else if (attached)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the process called no function with hooks meanwhile; attach for longer");
	else if (figures.agents && !(session->shared->order & 1) && figures.hooked_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: recording was never turned on; call dwell_start() in the program, or run dwell attach");
	else if (!figures.agents && explain_is_static(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program is linked statically, so dwell cannot load its agent into it; "
			"compile it with what `dwell cflags` prints, or -finstrument-functions, and link it with what `dwell cflags --link` prints");
	else if (!figures.agents && explain_changes_user(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program runs as another user (set-uid), and the system loads no agent into it; record a copy without these rights");
	else if (figures.unmappable && !figures.agents)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program's limit on address space (ulimit -v) has no room for %llu MiB of rings; raise it, or use a smaller --ring or --memory",
			(unsigned long long)((session->rings_offset + session->ring_bytes) >> 20));
	else if (!figures.agents && signal)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program was killed by signal %d (%s) before the agent began in it; does it run without dwell?",
			signal, strsignal(signal));
	else if (!figures.agents)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the agent was not loaded into the program, perhaps because LD_PRELOAD is ignored; use --sample");
	else if (!figures.hooked_modules && figures.own_hooks)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program has hook functions of its own (__cyg_profile_func_enter, __fentry__), which dwell does not replace; remove them, or use --sample");
	else if (!figures.hooked_modules && figures.unpatched_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: this system forbids changes of the program's code; compile it with -finstrument-functions");
	else if (!figures.hooked_modules && explain_why_hooks_unfound(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s", explain_why_hooks_unfound(path));
	else if (!figures.hooked_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: %s no hooks; compile it with what `dwell cflags` prints (with -flto, link with it, too), or with "
			"-finstrument-functions%s",
			is_script(path) ? "it is a script, and the programs it runs have" : "the program has",
			PLANS_ARE_MADE && !*session->shared->plans ? "; or use --trace, which needs none" : "");
	else if (figures.refused_machines)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the processes are for different processors (or 32 and 64 bits); record each alone");
	else
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the program has hooks, but called no function with hooks; compile the files that do the work with hooks, too");
}
