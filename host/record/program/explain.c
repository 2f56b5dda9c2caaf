#include "record/program/explain.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/program/hooked.h"
#include "record/session/figures.h"

bool explain_is_static(const char *path)
{
	unsigned char header[64];
	Elf64_Ehdr elf;
	Elf64_Phdr program;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool result = false, dynamic = false;

	if (fd < 0)
		return false;
	if (read(fd, header, sizeof header) == sizeof header && !memcmp(header, ELFMAG, SELFMAG) && header[EI_CLASS] == ELFCLASS64) {
		memcpy(&elf, header, sizeof elf);
		for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof program; i++)
			if (pread(fd, &program, sizeof program, (off_t)(elf.e_phoff + i * sizeof program)) == sizeof program)
				dynamic |= program.p_type == PT_INTERP;
		result = !dynamic;
	}
	close(fd);
	return result;
}

/* What a file may hold. */
struct sign {
	const char *text;
	size_t length;
};

static bool holds_any(const char *path, const struct sign *signs, size_t count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat info;
	bool result = false;

	if (fd < 0)
		return false;
	if (fstat(fd, &info) == 0 && info.st_size > 0) {
		void *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (file != MAP_FAILED) {
			for (size_t i = 0; i < count; i++)
				result |= memmem(file, (size_t)info.st_size, signs[i].text, signs[i].length) != NULL;
			munmap(file, (size_t)info.st_size);
		}
	}
	close(fd);
	return result;
}

/* In sections of a type (0: of any) and of which these flags are so: what a program only speaks of is in others. */
static bool sections_hold(const char *path, uint32_t type, uint64_t mask, uint64_t flags, const struct sign *signs, size_t count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool result = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS || (header.sh_flags & mask) != flags ||
			(type && header.sh_type != type))
			continue;
		data = elf_rawdata(section, NULL);
		for (size_t i = 0; data && data->d_buf && i < count; i++)
			result |= memmem(data->d_buf, data->d_size, signs[i].text, signs[i].length) != NULL;
	}
	elf_end(elf);
	close(fd);
	return result;
}

#define SIGN(text) {text, sizeof text - 1}
#define HOLDS_ANY(path, signs) holds_any(path, signs, sizeof signs / sizeof *signs)
#define CODE_HOLDS(path, signs) sections_hold(path, 0, SHF_EXECINSTR, SHF_EXECINSTR, signs, sizeof signs / sizeof *signs)
/* Names and debug information are not loaded; strings of the program's own are. */
#define NAMES_HOLD(path, signs) sections_hold(path, 0, SHF_ALLOC, 0, signs, sizeof signs / sizeof *signs)
/* Names of its own symbols and of those that it takes from libraries, loaded or not. */
#define SYMBOLS_HOLD(path, signs) sections_hold(path, SHT_STRTAB, 0, 0, signs, sizeof signs / sizeof *signs)

static const struct sign patched_signs[] = {
	{"__fentry__", 11},
	SIGN("\xeb\x09\x66\x0f\x1f\x84\0\0\x02\0\0"), /* what a sled begins with */
	SIGN("__patchable_function_entries"),
};

bool explain_has_hooks(const char *path)
{
	static const struct sign cyg[] = {{"__cyg_profile_func_enter", 25}};

	return HOLDS_ANY(path, cyg) || HOLDS_ANY(path, patched_signs);
}

const char *explain_why_unfound(const char *path)
{
	/* add %r11, %r10 (what the large model makes of an address); call *%r10. The address may also be a number before the call. */
	static const struct sign large[] = {SIGN("\x4d\x01\xda\x41\xff\xd2"), SIGN("\0\0\0\0\x41\xff\xd2")};
	static const struct sign lto[] = {SIGN("GNU GIMPLE"), SIGN(".lto_priv"), SIGN(".ltrans0")};

	if (hooked_file(path, false) && HOLDS_ANY(path, patched_signs)) {
		if (CODE_HOLDS(path, large))
			return "its hooks are calls through a register, which -mcmodel=large makes of them and which cannot be patched; compile it "
			       "without, or with -finstrument-functions";
		return "it has hooks, but its functions are not in the unwind tables (.eh_frame), by which they are found; compile it without "
		       "-fno-asynchronous-unwind-tables, or with -finstrument-functions";
	}
	if (hooked_calls_mcount(path))
		return "its functions call mcount, which counts for gprof (-pg without -mfentry; -Z instrument-mcount of Rust) and tells of no exits: "
		       "compile it with what `dwell cflags` prints; Rust: -Z instrument-xray=always";
	if (NAMES_HOLD(path, lto))
		return "the program has no hooks, and was linked with -flto: give what `dwell cflags` prints to the command that links, too, since that "
		       "is when its code is made";
	return NULL;
}

#define AGENT_CALLS                                                                                                                     \
	"while it is recorded it makes some for dwell (madvise, clock_gettime, prctl, rt_sigprocmask, gettid, getpid, nanosleep, tgkill): allow "  \
	"them, or use --sample --engine=perf, which needs none"

void explain_confined(const char *path, struct diag *diag)
{
	static const struct sign signs[] = {SIGN("seccomp_load")};

	if (SYMBOLS_HOLD(path, signs))
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "forbids itself system calls (seccomp); " AGENT_CALLS);
}

void explain_forbidden(const char *path, struct diag *diag)
{
	diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "was killed for a system call that is forbidden to it (seccomp); " AGENT_CALLS);
}

static bool is_script(const char *path)
{
	char head[2] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
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

void explain_nothing(const struct session *session, const char *path, bool attached, bool ended, struct diag *diag)
{
	const struct figures figures = figures_read(session);

	if (attached && ended)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the process ended, or began another program, before it called a function that has hooks");
	else if (attached)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: no function that has hooks was called meanwhile");
	else if (figures.agents && !(session->shared->order & 1) && figures.hooked_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: nobody turned it on; dwell_start() in the program does, or dwell attach");
	else if (!figures.agents && explain_is_static(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program is linked statically, so the agent cannot be given to it; "
			"compile it with what `dwell cflags` prints, or -finstrument-functions, and link it with what `dwell cflags --link` prints");
	else if (!figures.agents && explain_changes_user(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program runs as another user (set-uid), and the system gives no agent to such programs");
	else if (figures.unmappable && !figures.agents)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program's limit on address space (ulimit -v) has no room for %llu MiB of rings",
			(unsigned long long)((session->rings_offset + session->ring_bytes) >> 20));
	else if (!figures.agents)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the agent was not loaded into the program");
	else if (!figures.hooked_modules && figures.own_hooks)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program has hook functions of its own (__cyg_profile_func_enter, __fentry__), and keeps them");
	else if (!figures.hooked_modules && figures.unpatched_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: this system does not let the program's code be changed; compile it with -finstrument-functions");
	else if (!figures.hooked_modules && figures.hook_kinds & DWELL_HOOKS_ENTRY_ONLY)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: the program's functions have hooks at their entries and none at their exits; compile it with what "
			"`dwell cflags` prints");
	else if (!figures.hooked_modules && explain_why_unfound(path))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: %s", explain_why_unfound(path));
	else if (!figures.hooked_modules)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"nothing was recorded: %s no hooks; compile it with what `dwell cflags` prints (with -flto, link with it, too), or with "
			"-finstrument-functions",
			is_script(path) ? "it is a script, and the programs it runs have" : "the program has");
	else if (figures.refused_machines)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the processes are of different machines");
	else
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "nothing was recorded: the program has hooks, and called no function that has");
}
