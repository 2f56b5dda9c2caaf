/* Small programs, made by the compiler at test time, and what nm says of them: an independent reader to agree with. */
#ifndef DWELL_TEST_SYMBOL_PROGRAMS_H
#define DWELL_TEST_SYMBOL_PROGRAMS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char program_folder[] = "/tmp/dwell-symbol-XXXXXX";

static inline void remove_programs(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", program_folder);
	if (system(command))
		printf("# cannot remove %s\n", program_folder);
}

/* Where the test's files are; gone at exit. */
static inline const char *get_program_folder(void)
{
	static bool made;

	if (!made && mkdtemp(program_folder)) {
		made = true;
		atexit(remove_programs);
	}
	return program_folder;
}

static inline const char *get_path(const char *name)
{
	static char paths[8][128]; /* a few at a time */
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", get_program_folder(), name);
	return path;
}

static inline bool write_file(const char *name, const void *data, size_t bytes)
{
	FILE *out = fopen(get_path(name), "wb");
	bool good = out && fwrite(data, 1, bytes, out) == bytes;

	return out && !fclose(out) && good;
}

static inline char *make_file_bytes(const char *path, size_t *bytes)
{
	FILE *in = fopen(path, "rb");
	char *data = NULL;
	long size;

	if (in && !fseek(in, 0, SEEK_END) && (size = ftell(in)) >= 0 && (data = malloc((size_t)size + 1))) {
		rewind(in);
		*bytes = fread(data, 1, (size_t)size, in);
		data[*bytes] = 0;
	}
	if (in)
		fclose(in);
	return data;
}

/* Runs a shell command in the folder. True when it succeeds. */
__attribute__((format(printf, 1, 2))) static inline bool run_shell(const char *format, ...)
{
	char command[2048], line[2304];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	snprintf(line, sizeof line, "cd %s && %s", get_program_folder(), command);
	return system(line) == 0;
}

static inline bool have_program(const char *name)
{
	return run_shell("command -v %s >/dev/null 2>&1", name);
}

#endif
