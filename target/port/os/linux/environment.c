/* SPDX-License-Identifier: MIT
 *
 * Reads the arguments, environment and auxiliary vector that the process was started with; see environment.h.
 */
#include "port/os/linux/environment.h"

#include "port/os/linux/session.h"
#include "port/os/linux/system.h"

#include <elf.h>


/* Returns the value in an entry "name=value" of the environment. Null: the entry has another name. */
static const char *value_of(const char *entry, const char *name)
{
	while (*name && *entry == *name)
		entry++, name++;
	return !*name && *entry == '=' ? entry + 1 : 0;
}

static const char *find_variable(char *const *envp, const char *name)
{
	const char *value = 0;

	for (; envp && *envp && !value; envp++)
		value = value_of(*envp, name);
	return value;
}

static void take_out(char **envp, const char *name)
{
	char **kept = envp;

	for (; *envp; envp++)
		if (!value_of(*envp, name))
			*kept++ = *envp;
	*kept = 0;
}

/* The test for kernels without AT_SECURE. */
static bool has_other_ids(void)
{
	return system_call3(__NR_getuid, 0, 0, 0) != system_call3(__NR_geteuid, 0, 0, 0) ||
	       system_call3(__NR_getgid, 0, 0, 0) != system_call3(__NR_getegid, 0, 0, 0);
}

/* Finds a word of the auxiliary vector. On the stack, it follows the environment, which follows the arguments. The
 * dynamic linker removes names from the environment of a privileged program and leaves a zero for each: so several
 * zeros may precede the vector. */
static bool find_word(int argc, char **argv, uint64_t key, uint64_t *value)
{
	const uint64_t *word = (const uint64_t *)(argv + argc + 1);

	while (*word)
		word++;
	while (!*word)
		word++;
	for (; *word; word += 2)
		if (*word == key) {
			*value = word[1];
			return true;
		}
	return false;
}

static bool is_secure(int argc, char **argv)
{
	uint64_t value;

	return find_word(argc, argv, AT_SECURE, &value) ? value != 0 : has_other_ids();
}

const char *environment_session(int argc, char **argv, char **envp)
{
	const char *session = find_variable(envp, DWELL_SESSION_ENV);

	if (!session || !is_secure(argc, argv))
		return session;
	take_out(envp, DWELL_SESSION_ENV);
	return 0;
}

/* Whether a list of files, divided by colons or blanks as LD_PRELOAD is, contains the file. */
static bool is_listed(const char *list, const char *file)
{
	while (*list) {
		unsigned n = 0;

		while (file[n] && list[n] == file[n])
			n++;
		if (!file[n] && (!list[n] || list[n] == ':' || list[n] == ' '))
			return true;
		while (*list && *list != ':' && *list != ' ')
			list++;
		while (*list == ':' || *list == ' ')
			list++;
	}
	return false;
}

bool environment_preloads(char *const *envp, const char *file)
{
	const char *list = find_variable(envp, "LD_PRELOAD");

	return list && is_listed(list, file);
}

bool environment_has_session(char *const *envp)
{
	const char *name = find_variable(envp, DWELL_SESSION_ENV);

	return name && *name;
}

/* A line of /proc/…/maps while it is read: "low-high rights offset device inode path". */
struct line {
	uint64_t words[2];
	unsigned word;  /* index of the word in the line; 6: blanks and the path */
	unsigned bytes; /* length of the path so far */
};

/* Takes one more character. True: the line is complete, and its mapping with a path holds the address. */
static bool take_character(struct line *line, char c, uint64_t address, char *path, unsigned bytes)
{
	bool holds = address >= line->words[0] && address < line->words[1];

	if (c == '\n') {
		if (holds && line->bytes)
			return true;
		*line = (struct line){.word = 0};
	} else if (line->word < 2 && c != '-' && c != ' ') {
		line->words[line->word] = line->words[line->word] << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	} else if (line->word < 6) {
		line->word += c == ' ' || (c == '-' && line->word == 0);
	} else if (holds && (line->bytes || c != ' ') && line->bytes + 1 < bytes) {
		path[line->bytes++] = c;
	}
	return false;
}

/* Finds the path of the file mapped at address in a file such as /proc/self/maps. Returns its length, without a final zero; 0:
 * none. */
static long read_mapped_path(const char *maps, uint64_t address, char *path, unsigned bytes)
{
	int fd = system_open_ro(maps);
	struct line line = {.word = 0};
	char buffer[512];
	long got;

	while (fd >= 0 && (got = system_read(fd, buffer, sizeof buffer)) > 0)
		for (long i = 0; i < got; i++)
			if (take_character(&line, buffer[i], address, path, bytes)) {
				system_close(fd);
				return line.bytes;
			}
	if (fd >= 0)
		system_close(fd);
	return 0;
}

/* Returns the program headers of a program that its dynamic linker has loaded (ld-linux.so PROGRAM). Such a program has a
 * PT_INTERP, but the kernel has started no loader beside it; AT_PHDR has its address. 0: the program was started as usual. */
static uint64_t find_loaded(int argc, char **argv)
{
	uint64_t loader = 1, headers = 0, count = 0;

	find_word(argc, argv, AT_BASE, &loader);
	if (loader || !find_word(argc, argv, AT_PHDR, &headers) || !find_word(argc, argv, AT_PHNUM, &count))
		return 0;
	for (uint64_t i = 0; i < count; i++)
		if (((const Elf64_Phdr *)headers)[i].p_type == PT_INTERP)
			return headers;
	return 0;
}

/* Writes the path that exec was called with, for another root folder without /proc. */
static void write_started(const char *name, char *path, unsigned bytes)
{
	long got = *name == '/' ? 0 : system_getcwd(path, bytes - 1);
	unsigned n = got > 0 ? (unsigned)got : 0;

	if (n)
		path[n - 1] = '/';
	for (; n + 1 < bytes && *name; name++)
		path[n++] = *name;
	path[n] = 0;
}

/* Reads /proc/self first: there an emulator answers for the program, but under other names the program is the emulator. Then
 * /proc/thread-self: a process whose main thread has ended has its memory and files only under the name of another thread. */
void environment_write_program(int argc, char **argv, char *path, unsigned bytes)
{
	uint64_t headers = find_loaded(argc, argv), started;
	long got = 0;

	for (int i = 0; headers && got <= 0 && i < 2; i++)
		got = read_mapped_path(i ? "/proc/thread-self/maps" : "/proc/self/maps", headers, path, bytes);
	for (int i = 0; got <= 0 && i < 2; i++)
		got = system_readlink(i ? "/proc/thread-self/exe" : "/proc/self/exe", path, bytes - 1);
	path[got > 0 ? got : 0] = 0;
	if (got <= 0 && find_word(argc, argv, AT_EXECFN, &started))
		write_started((const char *)started, path, bytes);
}
