#include "cmd/names/console_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/debug/line.h"
#include "symbol/image.h"
#include "symbol/symbol.h"
#include "util/utf8.h"

#define CACHE_ENTRIES 1024u /* consoles repeat the same addresses */
#define THUMB_BIT 1u

struct program {
	char *path;
	uint64_t base; /* added to the file's addresses when it was loaded */
	bool has_base;
	struct symbol_table *symbols;
	struct line_table *lines; /* null: lines are not wanted */
	struct symbol_image *image; /* null: the file has no texts */
	char **names; /* names of the program's functions, sorted; made when the first text is examined */
	size_t name_count;
	bool has_names;
};

struct cached {
	uint64_t address;
	bool is_used, is_return;
	char *text; /* null: not an address */
};

struct console_names {
	struct console_options options;
	uint64_t found;
	struct cached cache[CACHE_ENTRIES];
	size_t count;
	struct program programs[];
};

/* Splits PROGRAM@BASE. If a file with the whole name exists, the word is that file. False with a diag: BASE is no address. */
static bool read_word(struct program *program, const char *word, struct diag *diag)
{
	const char *at = strrchr(word, '@');
	char *end;

	if (!at || !access(word, F_OK)) {
		program->path = strdup(word);
		return program->path;
	}
	errno = 0;
	program->has_base = true;
	program->base = strtoull(at + 1, &end, 16);
	if (!at[1] || at[1] == '-' || at[1] == '+' || at[1] == ' ' || *end || errno) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "names: '%s': behind '@' stands where it was loaded, such as 0x555555554000", word);
		return false;
	}
	program->path = strndup(word, (size_t)(at - word));
	return program->path;
}

static bool open_program(struct program *program, const char *word, bool lines, struct diag *diag)
{
	const struct symbol_request want = {.required = true};

	if (!read_word(program, word, diag))
		return false;
	program->symbols = make_symbol_table(program->path, &want, diag);
	if (symbol_state(program->symbols) != SYMBOL_READ)
		return false;
	if (symbol_is_position_independent(program->symbols) && !program->has_base) {
		diag_add(diag, DIAG_ERROR, program->path, DIAG_NO_OFFSET,
			"is position-independent: where it was loaded has to be given, as %s@0x555555554000 (@0: addresses are the file's own)", word);
		return false;
	}
	if (!symbol_count(program->symbols) && !symbol_extent_count(program->symbols))
		diag_add(diag, DIAG_WARN, program->path, DIAG_NO_OFFSET, "has no function symbols: stripped?");
	program->image = make_symbol_image(program->path);
	program->lines = lines ? make_line_table(program->path, NULL, diag) : NULL;
	return true;
}

struct console_names *make_console_names(char *const *words, size_t count, const struct console_options *options, struct diag *diag)
{
	struct console_names *names = calloc(1, sizeof *names + count * sizeof *names->programs);

	if (!names) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory");
		return NULL;
	}
	names->options = *options;
	for (; names->count < count; names->count++) {
		if (open_program(&names->programs[names->count], words[names->count], options->lines, diag))
			continue;
		names->count++;
		free_console_names(names);
		return NULL;
	}
	return names;
}

void free_console_names(struct console_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->count; i++) {
		struct program *program = &names->programs[i];

		for (size_t k = 0; k < program->name_count; k++)
			free(program->names[k]);
		free(program->names);
		free(program->path);
		free_symbol_table(program->symbols);
		free_line_table(program->lines);
		free_symbol_image(program->image);
	}
	for (size_t i = 0; i < CACHE_ENTRIES; i++)
		free(names->cache[i].text);
	free(names);
}

/* The name that __PROFILE_ENTRY receives: C++ names without arguments and without the number of a copy. */
static char *make_name(const char *symbol, bool full)
{
	char *name = full ? NULL : make_symbol_plain_name(symbol);

	return name ? name : make_symbol_display_name(symbol);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_names(struct program *program)
{
	size_t count = symbol_count(program->symbols);

	program->has_names = true;
	program->names = count ? calloc(count, sizeof *program->names) : NULL;
	for (size_t i = 0; program->names && i < count; i++) {
		char *name = make_name(symbol_at(program->symbols, i)->name, false);

		if (name)
			program->names[program->name_count++] = name;
	}
	if (program->names)
		qsort(program->names, program->name_count, sizeof *program->names, compare_names);
}

/* Whether text is the name of a function: other memory may look like text, too. In C++ the compiler's names for lambdas and the
 * like differ from the names of symbols, so any text with "::" counts. */
static bool is_function_name(struct program *program, const char *text)
{
	if (!program->has_names)
		read_names(program);
	return strstr(text, "::") || bsearch(&text, program->names, program->name_count, sizeof *program->names, compare_names);
}

/* Prints a name with escapes, because a hostile file may contain control characters for the terminal. */
static void print_name(FILE *out, const char *name)
{
	size_t bytes = strlen(name), plain = utf8_plain_bytes(name);

	fwrite(name, 1, plain, out);
	for (size_t at = plain; at < bytes;) {
		char piece[UTF8_ESCAPE_BYTES];
		size_t written;
		int columns;

		at += utf8_escape(name + at, bytes - at, piece, &written, &columns);
		fwrite(piece, 1, written, out);
	}
}

/* A return address is after the call, so the line is found by the byte before. */
static char *make_line(struct program *program, uint64_t address, uint64_t begin, bool is_return)
{
	return program->lines ? make_line_text(program->lines, is_return && address > begin ? address - 1 : address) : NULL;
}

static void print_place(FILE *out, const char *name, uint64_t offset, const char *line)
{
	print_name(out, name);
	if (offset)
		fprintf(out, "+0x%llx", (unsigned long long)offset);
	if (line) {
		fputs(" (", out);
		print_name(out, line);
		putc(')', out);
	}
}

/* Prints the name at an address. False: the address has no name. */
static bool print_address(FILE *out, struct program *program, uint64_t address, bool is_return, bool full_names)
{
	uint64_t code = symbol_has_state_bit(program->symbols) ? address & ~(uint64_t)THUMB_BIT : address;
	const struct symbol *symbol = symbol_find(program->symbols, code);
	const struct symbol_extent *extent = symbol ? NULL : symbol_extent_find(program->symbols, code);
	const char *slash = strrchr(program->path, '/');
	char text[SYMBOL_TEXT_BYTES_MAX], *line = NULL, *name;

	if (symbol) {
		name = make_name(symbol->name, full_names);
		line = make_line(program, code, symbol->address, is_return);
		print_place(out, name ? name : symbol->name, code - symbol->address, line);
		free(name);
	} else if (extent) {
		line = make_line(program, code, extent->address, is_return);
		print_place(out, slash ? slash + 1 : program->path, code, line);
	} else {
		if (!symbol_image_text(program->image, address, text, sizeof text) || !is_function_name(program, text))
			return false;
		print_name(out, text);
	}
	free(line);
	return true;
}

static char *make_text(struct console_names *names, uint64_t address, bool is_return)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	bool found = false;

	if (!out)
		return NULL;
	for (size_t i = 0; i < names->count && !found; i++)
		found = address >= names->programs[i].base &&
			print_address(
				out, &names->programs[i], address - names->programs[i].base, is_return, names->options.full_names);
	if (!fclose(out) && found)
		return text;
	free(text);
	return NULL;
}

const char *console_name(void *context, uint64_t address, bool is_return)
{
	struct console_names *names = context;
	struct cached *cached = &names->cache[(address >> 1 ^ address >> 11 ^ is_return) % CACHE_ENTRIES];

	if (!cached->is_used || cached->address != address || cached->is_return != is_return) {
		free(cached->text);
		*cached = (struct cached){address, true, is_return, make_text(names, address, is_return)};
	}
	names->found += cached->text != NULL;
	return cached->text;
}

void console_names_explain(const struct console_names *names, uint64_t numbers, struct diag *diag)
{
	const struct program *program = &names->programs[0];
	size_t count = symbol_count(program->symbols);

	if (!numbers || names->found || names->count != 1 || !count)
		return;
	diag_add(diag, DIAG_NOTE, program->path, DIAG_NO_OFFSET,
		"its functions are at 0x%llx to 0x%llx, and no number in the text is in them (%llu were looked at)%s",
		(unsigned long long)(program->base + symbol_at(program->symbols, 0)->address),
		(unsigned long long)(program->base + symbol_at(program->symbols, count - 1)->address),
		(unsigned long long)numbers, program->has_base ? "" : "; one that is loaded elsewhere is given as PROGRAM@BASE");
}
