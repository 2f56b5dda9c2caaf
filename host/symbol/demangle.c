/* Names as a person writes them.
 *
 * libiberty prints through a callback and bounds its recursion, but not its output: a few hundred bytes of substitutions that each
 * name the previous one twice stand for more text than there is memory. So the callback leaves by longjmp once it has enough;
 * libiberty holds no memory while it prints this way, only stack. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "symbol/symbol.h"

struct output {
	jmp_buf full;
	size_t bytes;
	char text[SYMBOL_DISPLAY_BYTES_MAX + 4];
};

static void take_text(const char *text, size_t bytes, void *context)
{
	struct output *output = context;
	size_t room = SYMBOL_DISPLAY_BYTES_MAX - output->bytes;

	memcpy(output->text + output->bytes, text, bytes < room ? bytes : room);
	output->bytes += bytes < room ? bytes : room;
	if (bytes > room) {
		memcpy(output->text + output->bytes, "...", 3);
		output->bytes += 3;
		longjmp(output->full, 1);
	}
}

/* False: not a mangled name. */
static bool demangle(const char *name, struct output *output)
{
	output->bytes = 0;
	if (setjmp(output->full))
		return true;
	return cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, take_text, output) && output->bytes;
}

static char *make_text(const char *text, size_t bytes)
{
	char *copy = malloc(bytes + 1);

	if (copy) {
		memcpy(copy, text, bytes);
		copy[bytes] = 0;
	}
	return copy;
}

/* The linker writes the version behind the names that a shared library exports; it is no part of what the programmer wrote. */
static size_t bytes_without_version(const char *name, size_t bytes)
{
	const char *at = memchr(name, '@', bytes);

	return at && at > name && strncmp(at, "@plt", 5) ? (size_t)(at - name) : bytes;
}

char *make_symbol_display_name(const char *name)
{
	size_t bytes = strnlen(name, SYMBOL_DISPLAY_BYTES_MAX + 1);
	struct output *output;
	char *plain, *demangled = NULL;

	if (bytes > SYMBOL_DISPLAY_BYTES_MAX) {
		plain = malloc(SYMBOL_DISPLAY_BYTES_MAX + 4);
		if (plain) {
			memcpy(plain, name, SYMBOL_DISPLAY_BYTES_MAX);
			memcpy(plain + SYMBOL_DISPLAY_BYTES_MAX, "...", 4);
		}
		return plain;
	}
	plain = make_text(name, bytes_without_version(name, bytes));
	if (!plain || plain[0] != '_') /* all that is mangled begins so, and most names do not */
		return plain;
	output = malloc(sizeof *output);
	if (output && demangle(plain, output))
		demangled = make_text(output->text, output->bytes);
	free(output);
	if (!demangled)
		return plain;
	free(plain);
	return demangled;
}
