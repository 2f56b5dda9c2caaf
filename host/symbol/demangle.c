/* demangle: names as a programmer writes them, for C++, Rust, D, and modules of Fortran.
 *
 * libiberty prints through a callback. It limits the recursion, but not the output: a few hundred bytes of substitutions, each with
 * the previous substitution twice, stand for more text than fits in memory. So the callback leaves by longjmp when the buffer is
 * full. This is safe, as libiberty has only stack memory while printing (except a few bytes for a Rust name that is not ASCII).
 *
 * By default libiberty refuses C++ names above 1024 bytes, since longer names need more stack: for recursion, and for arrays whose
 * sizes are the product of two numbers in the name. Templates have such names. dwell demangles these names on a separate stack,
 * large enough for the worst name of LONG_NAME_BYTES_MAX: 2700 scopes times 2000 templates of 16 bytes, and 16384 levels. Only
 * touched pages of the stack take memory. */
#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "symbol/demangle_d.h"
#include "symbol/symbol.h"

#define SHORT_NAME_BYTES_MAX 1024
#define LONG_NAME_BYTES_MAX 16384
#define LONG_NAME_STACK_BYTES ((size_t)512 << 20)

/* One name during demangling. */
struct output {
	const char *name; /* mangled */
	int options; /* of libiberty: DMGL_… */
	bool is_good; /* demangle_cpp has succeeded */
	jmp_buf full; /* where the callback jumps if text is full */
	size_t bytes; /* length of text so far */
	char text[SYMBOL_DISPLAY_BYTES_MAX + 4];
};

/* libiberty's callback: appends to the output's text. */
static void append_text(const char *text, size_t bytes, void *context)
{
	struct output *output = context;
	size_t room = SYMBOL_DISPLAY_BYTES_MAX - output->bytes;

	if (!bytes) /* text may be null then */
		return;
	memcpy(output->text + output->bytes, text, bytes < room ? bytes : room);
	output->bytes += bytes < room ? bytes : room;
	if (bytes > room) {
		memcpy(output->text + output->bytes, "...", 3);
		output->bytes += 3;
		longjmp(output->full, 1);
	}
}

static bool demangle_rust(struct output *output)
{
	output->bytes = 0;
	if (setjmp(output->full))
		return true;
	return rust_demangle_callback(output->name, output->options, append_text, output) && output->bytes;
}

static void *demangle_cpp(void *context)
{
	struct output *output = context;

	output->bytes = 0;
	output->is_good = true;
	if (!setjmp(output->full))
		output->is_good = cplus_demangle_v3_callback(output->name, output->options, append_text, output) && output->bytes;
	return NULL;
}

static bool demangle_long_cpp(struct output *output)
{
	pthread_attr_t attributes;
	pthread_t thread;

	output->options |= DMGL_NO_RECURSE_LIMIT;
	if (pthread_attr_init(&attributes))
		return false;
	output->is_good = !pthread_attr_setstacksize(&attributes, LONG_NAME_STACK_BYTES) &&
			  !pthread_create(&thread, &attributes, demangle_cpp, output) && !pthread_join(thread, NULL) &&
			  output->is_good;
	pthread_attr_destroy(&attributes);
	return output->is_good;
}

/* Takes a text allocated by another demangler; null: none. */
static bool append_allocated(struct output *output, char *made)
{
	output->bytes = 0;
	if (!made)
		return false;
	if (!setjmp(output->full))
		append_text(made, strlen(made), output);
	free(made);
	return output->bytes;
}

/* Returns the length of the name without the suffix with which the compiler marks a copy
 * of the function: f.constprop.0.isra.0. A part of a function (.part.0, .cold) is no copy.
 * 0: the name has no such suffix. */
static size_t bytes_without_clone(const char *name)
{
	static const char *const copies[] = {".constprop.", ".isra.", ".lto_priv.", ".llvm."};
	size_t least = 0;

	if (strstr(name, ".part.") || strstr(name, ".cold"))
		return 0;
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		const char *at = strstr(name, copies[i]);

		if (at && (!least || (size_t)(at - name) < least))
			least = (size_t)(at - name);
	}
	return least;
}

/* Writes "shapes::area" for __shapes_MOD_area, which is gfortran's name for a procedure of a module. In a submodule the name is
 * __shapes.circles_MOD_area. has_clone: the text keeps the suffix of a copy (.constprop.0). */
static bool write_fortran(struct output *output, bool has_clone)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_.", between[] = "_MOD_";
	const char *module = output->name + 2, *between_at = strstr(module, between), *procedure;
	size_t bytes;

	if (strncmp(output->name, "__", 2) || !between_at || strspn(module, letters) < (size_t)(between_at - module) || !islower(*module))
		return false;
	procedure = between_at + strlen(between);
	bytes = has_clone ? 0 : bytes_without_clone(procedure);
	output->bytes = 0;
	if (!setjmp(output->full)) {
		append_text(module, (size_t)(between_at - module), output);
		append_text("::", 2, output);
		append_text(procedure, bytes ? bytes : strlen(procedure), output);
	}
	return *procedure;
}

/* False: not a mangled name. Old Rust names look like C++ names with a hash
 * at the end; the Rust demangler recognises the hash and removes it. */
static bool demangle(const char *name, size_t bytes, bool has_arguments, struct output *output)
{
	output->name = name;
	output->options = DMGL_ANSI | (has_arguments ? DMGL_PARAMS : 0);
	if (name[1] == 'R' || !strncmp(name, "_ZN", 3))
		if (demangle_rust(output))
			return true;
	if (name[1] == 'D')
		return append_allocated(output, make_d_name(name, has_arguments));
	if (name[1] == '_')
		return write_fortran(output, has_arguments);
	if (bytes > LONG_NAME_BYTES_MAX || strncmp(name, "_Z", 2))
		return false;
	if (bytes > SHORT_NAME_BYTES_MAX)
		return demangle_long_cpp(output);
	demangle_cpp(output);
	return output->is_good;
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

/* Returns the length without the symbol version, which the linker adds to exported names. A name
 * with a blank in it comes from no linker: "JS:*parse /app/node_modules/@scope/parser.js:7". */
static size_t bytes_without_version(const char *name, size_t bytes)
{
	const char *at = memchr(name, '@', bytes);

	return at && at > name && !memchr(name, ' ', (size_t)(at - name)) ? (size_t)(at - name) : bytes;
}

/* pre: the name is at most SYMBOL_DISPLAY_BYTES_MAX long. */
static char *make_name_of_function(const char *name, size_t bytes)
{
	char *plain = make_text(name, bytes_without_version(name, bytes)), *demangled = NULL;
	struct output *output;

	/* All mangled names begin with _, and most names do not. */
	output = plain && plain[0] == '_' ? malloc(sizeof *output) : NULL;
	if (output && demangle(plain, strlen(plain), true, output))
		demangled = make_text(output->text, output->bytes);
	free(output);
	if (!demangled)
		return plain;
	free(plain);
	return demangled;
}

#define STUB_SUFFIX "@plt"

/* Returns the length of the name without the suffix of a stub in the procedure linkage table. */
static size_t bytes_without_stub(const char *name, size_t bytes)
{
	const size_t suffix = strlen(STUB_SUFFIX);

	return bytes > suffix && !memcmp(name + bytes - suffix, STUB_SUFFIX, suffix) ? bytes - suffix : bytes;
}

/* pre: the name is at most SYMBOL_DISPLAY_BYTES_MAX long. */
static char *make_display_name(const char *name, size_t bytes)
{
	size_t function = bytes_without_stub(name, bytes);
	char *display = make_name_of_function(name, function), *stub = NULL;

	if (function == bytes || !display)
		return display;
	if (asprintf(&stub, "%s" STUB_SUFFIX, display) < 0)
		stub = NULL;
	free(display);
	return stub;
}

/* Joined display names, in a text of at most SYMBOL_DISPLAY_BYTES_MAX bytes. */
struct joined_names {
	char *text;
	size_t bytes, count;
	size_t last; /* offset of the last name */
};

/* Appends a name, unless its displayed form equals the last one. False: no room. */
static bool append_name(struct joined_names *joined_names, const char *name)
{
	size_t bytes = strlen(name), join_bytes = joined_names->count ? strlen(SYMBOL_JOIN) : 0;

	if (*name && joined_names->count && !strcmp(joined_names->text + joined_names->last, name))
		return true;
	if (bytes + join_bytes > SYMBOL_DISPLAY_BYTES_MAX - joined_names->bytes)
		return false;
	memcpy(joined_names->text + joined_names->bytes, SYMBOL_JOIN, join_bytes);
	joined_names->last = joined_names->bytes + join_bytes;
	memcpy(joined_names->text + joined_names->last, name, bytes + 1);
	joined_names->bytes = joined_names->last + bytes;
	joined_names->count++;
	return true;
}

/* For several joined names: displays each as if it were alone. */
static char *make_display_names(const char *names)
{
	struct joined_names joined_names = {.text = malloc(SYMBOL_DISPLAY_BYTES_MAX + 4)};
	bool good = joined_names.text;

	for (const char *name = names, *join; good && name; name = join ? join + strlen(SYMBOL_JOIN) : NULL) {
		char *display;

		join = strstr(name, SYMBOL_JOIN);
		display = make_display_name(name, join ? (size_t)(join - name) : strlen(name));
		good = display && append_name(&joined_names, display);
		if (display && !good)
			memcpy(joined_names.text + joined_names.bytes, "...", 4);
		free(display);
	}
	return joined_names.text;
}

char *make_symbol_display_name(const char *name)
{
	size_t bytes = strnlen(name, SYMBOL_DISPLAY_BYTES_MAX + 1);
	char *cut;

	if (bytes <= SYMBOL_DISPLAY_BYTES_MAX)
		return strstr(name, SYMBOL_JOIN) ? make_display_names(name) : make_display_name(name, bytes);
	cut = malloc(SYMBOL_DISPLAY_BYTES_MAX + 4);
	if (cut) {
		memcpy(cut, name, SYMBOL_DISPLAY_BYTES_MAX);
		memcpy(cut + SYMBOL_DISPLAY_BYTES_MAX, "...", 4);
	}
	return cut;
}

/* Returns the length without dwell's suffix of kernel names: "read [disk]". Names of generated
 * code may have blanks, too. */
static size_t bytes_without_kernel_suffix(const char *name, size_t bytes)
{
	const char *blank = bytes && name[bytes - 1] == ']' ? memchr(name, ' ', bytes) : NULL;

	return blank && blank > name && blank[1] == '[' ? (size_t)(blank - name) : bytes;
}

char *make_symbol_plain_name(const char *name)
{
	size_t bytes = strnlen(name, SYMBOL_DISPLAY_BYTES_MAX + 1), named = bytes_without_kernel_suffix(name, bytes);
	bool is_left = bytes > SYMBOL_DISPLAY_BYTES_MAX || bytes_without_stub(name, bytes) < bytes; /* a stub is not the function */
	char *whole = is_left ? NULL : make_text(name, bytes_without_version(name, named)), *plain = NULL;
	struct output *output = whole && whole[0] == '_' ? malloc(sizeof *output) : NULL;

	if (output && demangle(whole, strlen(whole), false, output))
		plain = make_text(output->text, output->bytes);
	else if (whole && bytes_without_clone(whole))
		plain = make_text(whole, bytes_without_clone(whole));
	else if (whole && named < bytes)
		plain = make_text(whole, named);
	free(output);
	free(whole);
	return plain;
}
