#include "classic/host/symbol/ti/ti_map_file.h"

#include <stdlib.h>
#include <string.h>

#include "classic/host/symbol/ti/ti_name.h"
#include "util/array.h"

/* The largest known maps have 400 KB. */
#define FILE_BYTES_MAX (256u << 20)
#define WORDS_MAX 7

enum area { AREA_OTHER, AREA_SEGMENTS, AREA_SECTIONS, AREA_GLOBALS };

struct parser {
	struct ti_map_file *file;
	const struct symbol_input *input;
	enum area area;
	const char *section; /* the section of the next rows */
	bool section_is_code;
	uint64_t shift; /* from the load address of its rows to their run address */
	bool by_address; /* in the second list of symbols: sorted by address, with their count at its end */
	bool has_pages;  /* the symbols have pages, on machines with more than one memory */
	uint64_t listed, claimed; /* symbols in the second list, and the count at its end */
	bool is_complete;
	size_t odd_count; /* lines of the lists that are no symbol */
	uint64_t odd_at;  /* offset of the first of them */
};

struct words {
	const char *list[WORDS_MAX];
	size_t count;
};

bool ti_map_claims(struct bytes head)
{
	size_t stars = 0;

	while (stars < head.size && head.data[stars] == '*')
		stars++;
	return stars >= 40 && memmem(head.data, head.size, "Linker ", 7);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Finds the words of a line, without changing it; each word string reaches to the line's end. */
static struct words words_of(const char *line)
{
	struct words words = {0};

	while (words.count < WORDS_MAX) {
		line += strspn(line, " \t");
		if (!*line)
			break;
		words.list[words.count++] = line;
		line += strcspn(line, " \t");
	}
	return words;
}

static size_t word_bytes(const char *word)
{
	return strcspn(word, " \t");
}

static bool is_word(const char *word, const char *wanted)
{
	return word_bytes(word) == strlen(wanted) && !strncmp(word, wanted, strlen(wanted));
}

/* Parses eight hexadecimal digits, the form of all addresses and lengths. */
static bool read_hex(const char *word, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";

	if (word_bytes(word) != 8)
		return false;
	*value = 0;
	for (size_t i = 0; i < 8; i++) {
		const char *digit = memchr(digits, word[i] | 0x20, 16);

		if (!digit)
			return false;
		*value = *value << 4 | (uint64_t)(digit - digits);
	}
	return true;
}

static bool is_capitals(const char *word)
{
	size_t bytes = word_bytes(word);

	return bytes > 1 && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ:") >= bytes;
}

/* Whether compilers and linkers give this name to sections without code; for maps that do not mark code. */
static bool is_data_name(const char *name)
{
	static const char *const names[] = {".args", ".bss", ".binit", ".c6xabi", ".cinit", ".cio", ".const", ".data", ".debug", ".far",
		".fardata", ".init_array", ".neardata", ".ovly", ".pinit", ".printf", ".rodata", ".stack", ".switch", ".sysmem", ".tables",
		".tdata", ".tbss", ".vers", "$BRID", "$build", "systemheap", "xdc"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t bytes = strlen(names[i]);

		if (!strncmp(name, names[i], bytes) && strchr(".:_ \t", name[bytes]))
			return true; /* strchr finds the zero, too */
	}
	return false;
}

/* Example: " 00800000 00800000 00044060 00044060 r-x .text" */
static bool read_segment(struct parser *parser, const char *line)
{
	struct words words = words_of(line);
	uint64_t origin, length;

	if (words.count < 6 || !read_hex(words.list[0], &origin) || !read_hex(words.list[2], &length))
		return true;
	parser->file->has_segments = true;
	if (word_bytes(words.list[4]) != 3 || words.list[4][2] != 'x' || !length)
		return true;
	return pieces_add(&parser->file->code, origin, origin + length, NULL);
}

/* Examples: ".text 0 0c000000 00006760 ", or a long name alone, and "* 0 0c000000 00000000 UNINITIALIZED" on the next line. */
static bool read_section(struct parser *parser, const char *line)
{
	struct words words = words_of(line);
	uint64_t origin, length, run;

	if (*words.list[0] != '*')
		parser->section = words.list[0];
	parser->section_is_code = false;
	parser->shift = 0;
	if (words.count < 4 || !parser->section || !read_hex(words.list[2], &origin) || !read_hex(words.list[3], &length))
		return true;
	if (words.count == 7 && is_word(words.list[4], "RUN") && read_hex(words.list[6] + strspn(words.list[6], "= "), &run))
		parser->shift = run - origin;
	if (!length || is_data_name(parser->section) || (words.count > 4 && is_word(words.list[4], "UNINITIALIZED")))
		return true;
	return parser->file->has_segments ||
		pieces_add(&parser->file->code, origin + parser->shift, origin + parser->shift + length, NULL);
}

/* Example: " 0c0005e0 000005c0 rts.lib : exit.obj (.text:_exit)" */
static bool read_row(struct parser *parser, char *line)
{
	struct words words = words_of(line);
	size_t bytes = strlen(line);
	uint64_t origin, length;
	char *name;

	if (words.count < 3 || !read_hex(words.list[0], &origin) || !read_hex(words.list[1], &length) || !length ||
		line[bytes - 1] != ')')
		return true;
	name = strrchr(line, '(');
	if (!name)
		return true;
	line[bytes - 1] = 0;
	return pieces_add(&parser->file->rows, origin + parser->shift, origin + parser->shift + length, name + 1);
}

static void note_odd(struct parser *parser, const char *line)
{
	if (!parser->odd_count++)
		parser->odd_at = (uint64_t)(line - parser->file->text);
}

/* Examples: "0c0005e0 _exit", "UNDEFED __vectors", "ffffffff pinit", "[94 symbols]"; with
 * pages "0 003f6487 C$$EXIT", and "abs 00000400 name" for a number that is no address. */
static bool read_global(struct parser *parser, const char *line)
{
	struct words words = words_of(line);
	struct ti_map_file *file = parser->file;
	bool is_number;
	uint64_t address;

	if (*line == '[') {
		parser->claimed = strtoull(line + 1, NULL, 10);
		parser->is_complete = true;
		parser->area = AREA_OTHER;
		return true;
	}
	if (is_word(words.list[0], "address") || is_word(words.list[0], "page") || *line == '-') {
		parser->has_pages = *line == '-' ? parser->has_pages : *line == 'p';
		return true;
	}
	is_number = parser->has_pages && words.count == 3 && is_word(words.list[0], "abs");
	if (parser->has_pages && words.count == 3)
		words = words_of(words.list[1]);
	parser->listed += parser->by_address;
	if (words.count == 2 && is_word(words.list[0], "UNDEFED"))
		return true;
	if (words.count != 2 || !read_hex(words.list[0], &address)) {
		note_odd(parser, line);
		return true;
	}
	file->is_coff |= !strcmp(words.list[1], ".text");
	if (address == UINT32_MAX || is_number)
		return true; /* the linker's value for missing symbols */
	if (!array_reserve(&file->globals, &file->global_capacity, file->global_count + 1, sizeof *file->globals))
		return false;
	file->globals[file->global_count++] = (struct ti_map_global){address, words.list[1]};
	return true;
}

/* A heading begins with two words in capitals. */
static bool is_heading(const struct words *words)
{
	return words->count > 1 && is_capitals(words->list[0]) && is_capitals(words->list[1]);
}

static enum area area_of(const char *heading)
{
	return !strncmp(heading, "SEGMENT ALLOCATION MAP", 22)	 ? AREA_SEGMENTS
	       : !strncmp(heading, "SECTION ALLOCATION MAP", 22) ? AREA_SECTIONS
	       : !strncmp(heading, "GLOBAL SYMBOLS:", 15)	 ? AREA_GLOBALS
								 : AREA_OTHER;
}

/* False: no memory. */
static bool read_line(struct parser *parser, char *line)
{
	struct words words = words_of(line);

	if (!words.count)
		return true;
	if (!is_blank(*line) && is_heading(&words)) {
		parser->area = area_of(line);
		parser->by_address |= strstr(line, "Address") != NULL;
		return true;
	}
	switch (parser->area) {
	case AREA_SEGMENTS:
		return read_segment(parser, line);
	case AREA_SECTIONS:
		return is_blank(*line) ? read_row(parser, line) : read_section(parser, line);
	case AREA_GLOBALS:
		return read_global(parser, line);
	case AREA_OTHER:
		break;
	}
	return true;
}

/* False: no memory. */
static bool read_lines(struct parser *parser, char *text, size_t bytes)
{
	char *end = text + bytes;

	for (char *line = text, *next; line < end; line = next) {
		char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;

		next = stop + 1;
		while (stop > line && (is_blank(stop[-1]) || stop[-1] == '\r'))
			stop--;
		*stop = 0;
		if (!read_line(parser, line))
			return false;
	}
	return true;
}

static void say_what_is_wrong(const struct parser *parser)
{
	const struct symbol_input *input = parser->input;

	if (!parser->is_complete)
		diag_add(input->diag, DIAG_WARN, input->path, input->size,
			"ends here, expected a list of global symbols by address, with their count at its end: cut");
	else if (parser->listed != parser->claimed)
		diag_add(input->diag, DIAG_WARN, input->path, DIAG_NO_OFFSET, "has %llu global symbols by address, but says that they are %llu",
			(unsigned long long)parser->listed, (unsigned long long)parser->claimed);
	if (parser->odd_count)
		diag_add(input->diag, DIAG_WARN, input->path, parser->odd_at,
			"in %zu lines of its global symbols is no address of eight digits and a name; this is the first", parser->odd_count);
}

static bool add_no_memory(const struct symbol_input *input)
{
	diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "no memory for its symbols");
	return false;
}

bool ti_map_open(struct ti_map_file *file, const struct symbol_input *input)
{
	struct parser parser = {.file = file, .input = input};
	size_t size = (size_t)input->size;

	*file = (struct ti_map_file){.is_coff = memmem(input->head.data, input->head.size, "COFF Linker", 11)};
	if (input->size > FILE_BYTES_MAX) {
		diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "a map of 0x%llx bytes: more than the 0x%x that are read",
			(unsigned long long)input->size, FILE_BYTES_MAX);
		return false;
	}
	file->text = malloc(size + 1);
	if (!file->text)
		return add_no_memory(input);
	if (!symbol_input_read(input, 0, file->text, size)) {
		diag_add(input->diag, input->level, input->path, 0, "cannot read 0x%zx bytes here", size);
		return false;
	}
	file->text[size] = 0;
	if (!read_lines(&parser, file->text, size))
		return add_no_memory(input);
	pieces_finish(&file->code);
	pieces_finish(&file->rows);
	say_what_is_wrong(&parser);
	return true;
}

void ti_map_close(struct ti_map_file *file)
{
	free(file->text);
	free(file->globals);
	pieces_clear(&file->code);
	pieces_clear(&file->rows);
}
