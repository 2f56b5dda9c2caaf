#include "query/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/file_unwinder.h"
#include "symbol/image.h"
#include "symbol/object.h"
#include "symbol/symbol.h"

#define VARIABLE_SPANS_MAX (SYMBOL_SPANS_MAX - 1u)

/* The value of --program. */
struct program_option {
	char *path; /* owned */
	bool has_base; /* the value has @ADDRESS */
	uint64_t base; /* address of the program's lowest byte */
	struct reader_span spans[SYMBOL_SPANS_MAX];
	struct reader_program program;
};

/* Splits "FILE@ADDRESS". If a file with the whole name exists, the @ is part of its name. */
static bool split_program(const char *text, struct program_option *program_option, struct diag *diag)
{
	const char *at = strrchr(text, '@');
	char *end;

	program_option->path = at && access(text, F_OK) ? strndup(text, (size_t)(at - text)) : strdup(text);
	if (!program_option->path) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	program_option->has_base = strlen(program_option->path) < strlen(text);
	if (!program_option->has_base)
		return true;
	program_option->base = strtoull(at + 1, &end, 16);
	if (at[1] && at[1] != '-' && at[1] != '+' && !*end)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
		"--program '%s': expected FILE, or FILE@ADDRESS with a hexadecimal address", text);
	return false;
}

/* Writes the address ranges of variables to spans, and returns their number. A dump names a task by the address of a variable. */
static uint32_t find_variables(const struct program_option *program_option, struct reader_span *spans)
{
	struct object_table *objects = make_object_table(program_option->path);
	struct symbol_span list[VARIABLE_SPANS_MAX];
	size_t count = objects ? object_spans(objects, list, VARIABLE_SPANS_MAX) : 0;

	for (size_t i = 0; i < count; i++)
		spans[i] = (struct reader_span){list[i].low, list[i].high};
	free_object_table(objects);
	return (uint32_t)count;
}

/* Writes the address ranges of the program's file to spans, and returns their number; 0: the file has none. */
static uint32_t find_spans(const struct program_option *program_option, const struct symbol_table *table, struct reader_span *spans)
{
	struct symbol_image *image = make_symbol_image(program_option->path);
	size_t count = image ? symbol_image_count(image) : 0, symbols = symbol_count(table);

	for (size_t i = 0; i < count; i++)
		spans[i] = (struct reader_span){symbol_image_at(image, i).low, symbol_image_at(image, i).high};
	free_symbol_image(image);
	if (count || !symbols)
		return (uint32_t)count;
	const struct symbol *last = symbol_at(table, symbols - 1); /* the file is only a map of symbols */
	spans[0] = (struct reader_span){symbol_at(table, 0)->address, last->address + last->size};
	return 1 + find_variables(program_option, spans + 1);
}

/* Sets the bias from FILE@ADDRESS, and moves the spans by the bias. */
static void relocate(struct program_option *program_option, uint32_t count)
{
	uint64_t low = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++)
		if (program_option->spans[i].low < low)
			low = program_option->spans[i].low;
	program_option->program.bias = program_option->has_base ? program_option->base - low : 0;
	for (uint32_t i = 0; i < count; i++) {
		program_option->spans[i].low += program_option->program.bias;
		program_option->spans[i].high += program_option->program.bias;
	}
}

/* Reads the value of --program. False with a diag: the value is wrong, or the file is no program. The caller frees given->path. */
static bool read_program(const char *text, struct program_option *program_option, struct diag *diag)
{
	const struct symbol_request want = {.required = true};
	struct symbol_table *table;
	struct diag *problems;
	uint32_t count;
	bool good;

	if (!split_program(text, program_option, diag))
		return false;
	problems = make_diag(); /* other problems of the file are reported when names are needed */
	table = make_symbol_table(program_option->path, &want, problems);
	count = symbol_state(table) == SYMBOL_READ ? find_spans(program_option, table, program_option->spans) : 0;
	good = count;
	if (!good && symbol_state(table) == SYMBOL_READ)
		diag_add(problems, DIAG_ERROR, program_option->path, DIAG_NO_OFFSET,
			"puts nothing into memory, and has no symbols: no program that ran");
	free_symbol_table(table);
	if (good)
		free_diag(problems);
	else
		diag_move(diag, problems);
	relocate(program_option, count);
	program_option->program.path = program_option->path;
	program_option->program.spans = program_option->spans;
	program_option->program.span_count = count;
	return good;
}

/* Reads "NAME" or "NAME,big,names". False with a diag: a word after the comma is wrong. options->format points into *format, which
 * the caller frees. */
static bool read_format(const char *text, struct reader_options *options, char **format, struct diag *diag)
{
	char *word, *rest = *format = strdup(text);

	if (!*format) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	options->format = strsep(&rest, ",");
	while ((word = strsep(&rest, ","))) {
		if (!strcmp(word, "big"))
			options->order = READER_ORDER_BIG;
		else if (!strcmp(word, "little"))
			options->order = READER_ORDER_LITTLE;
		else if (!strcmp(word, "names"))
			options->places_are_names = true;
		else if (!strcmp(word, "returns"))
			options->places_are_returns = true;
		else
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
				"--format '%s': expected big, little, names or returns behind the comma", text);
	}
	if (options->places_are_names && options->places_are_returns)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "--format '%s': expected names or returns, not both", text);
	return !diag_has_error(diag);
}

struct reader *input_make_reader(const struct input_options *options, struct source *take_source, struct diag *diag)
{
	struct reader_options known = {.otherwise = options->otherwise, .clock_hz = options->clock_hz, .event = options->event,
		.unwinder = &file_unwinder};
	struct program_option program_option = {0};
	char *format = NULL;
	struct reader *reader = NULL;

	if ((!options->program || read_program(options->program, &program_option, diag)) &&
		(!options->format || read_format(options->format, &known, &format, diag))) {
		known.program = options->program ? &program_option.program : NULL;
		reader = make_reader_as(take_source, &known, diag);
	} else {
		free_source(take_source);
	}
	free(program_option.path);
	free(format);
	return reader;
}
