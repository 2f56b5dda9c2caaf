/* Any bytes as a recording, through dwell/read.h alone, as another program would read them: every question, also
 * of a part of the time, with two threads, and cancelled. */
#include "dwell/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

struct seen {
	char function[256]; /* the first one that has a name */
	size_t rows, text_bytes;
	int cancel;
};

/* Looks at every byte that it was given. */
static int take(void *context, const struct dwell_rows *rows)
{
	struct seen *seen = context;
	for (size_t i = 0; i < rows->row_count * rows->column_count; i++) {
		const struct dwell_column *column = &rows->columns[i % rows->column_count];
		const struct dwell_cell *cell = &rows->cells[i];
		int is_text = column->unit == DWELL_VALUE_TEXT || column->unit == DWELL_VALUE_NAME;

		must(column->key && *column->key, "a column without a key");
		if (!is_text)
			continue;
		must(!cell->value.text == !!(cell->flags & DWELL_CELL_ABSENT), "a text that is there, or not");
		if (cell->value.text)
			seen->text_bytes += strlen(cell->value.text);
		if (cell->value.text && !*seen->function && !strcmp(column->key, "function"))
			snprintf(seen->function, sizeof seen->function, "%s", cell->value.text);
	}
	seen->rows += rows->row_count;
	return !seen->cancel;
}

static void ask_with(struct dwell_recording *recording, const struct dwell_question *question,
	const struct dwell_parameter *parameters, size_t count, struct seen *seen)
{
	size_t rows = seen->rows;
	enum dwell_read_status status = dwell_read_ask(recording, question->name, parameters, count, take, seen);
	struct dwell_message message;

	must((status == DWELL_READ_FAILED) == (dwell_read_error(recording) != NULL), "an error that is told, or not");
	must(status != DWELL_READ_CANCELLED || seen->cancel, "cancelled by nobody");
	must(!seen->cancel || seen->rows == rows, "rows behind the end");
	for (size_t i = 0; dwell_read_message(recording, i, &message); i++)
		must(message.text != NULL, "a message without words");
}

static int has_parameter(const struct dwell_question *question, const char *name)
{
	int found = 0;

	for (size_t i = 0; i < question->parameter_count; i++)
		found |= !strcmp(question->parameters[i].name, name);
	return found;
}

/* Asks the question, of all of the time or of a part of it. */
static void ask(struct dwell_recording *recording, const struct dwell_question *question, int is_of_part, struct seen *seen)
{
	const struct dwell_parameter of_function[] = {{"function", seen->function}, {"time", "1us..20us"}};
	int needs_function = question->parameter_count && question->parameters[0].is_required;
	size_t count = is_of_part && has_parameter(question, "time");

	ask_with(recording, question, of_function + !needs_function, needs_function + count, seen);
}

static struct dwell_recording *open_with(const char *path, uint32_t threads)
{
	const struct dwell_read_options options = {.size = sizeof options, .threads = threads};
	struct dwell_recording *recording = dwell_read_open(path, &options);

	must(recording && dwell_read_add(recording, path, DWELL_RUN_OLD), "no memory");
	return recording;
}

/* Asks every question; then one of them again: of a part of the time, of two threads that read, and cancelled. Which one depends on
 * the input's size: to ask all of them again would take three times as long. */
static void ask_all(const char *path, size_t size)
{
	struct dwell_recording *recording = open_with(path, 1), *by_two = open_with(path, 2);
	size_t count = 0, chosen, before, rows;
	struct seen seen = {0};

	for (; dwell_read_question(count); count++)
		ask(recording, dwell_read_question(count), 0, &seen);
	chosen = size % count;
	ask(recording, dwell_read_question(chosen), 1, &seen);
	before = seen.rows;
	ask(recording, dwell_read_question(chosen), 0, &seen);
	rows = seen.rows - before;
	ask(by_two, dwell_read_question(chosen), 0, &seen);
	must(seen.rows == before + 2 * rows, "two threads answer with another number of rows");
	seen.cancel = 1;
	ask(recording, dwell_read_question(chosen), 0, &seen);
	dwell_read_close(by_two);
	dwell_read_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		ask_all(path, size);
	}
	close(fd);
	return 0;
}
