/* Files of valgrind's callgrind and cachegrind, and of other writers of that format: known by their head, and refused with advice.
 *
 * Their lines look like folded stacks, as each ends with a number. dwell does not read them: they have
 * costs of calls between two functions, and no paths (doc/decisions/066). */
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"

/* What the lines in front of the costs say. */
struct head {
	bool is_callgrind; /* has a line that only callgrind's format has */
	bool is_certain;   /* has the line "# callgrind format", or all up to the names of the counters, "events: Ir" */
	unsigned fields;   /* lines of "key: value" */
};

static bool begins_with(const char *line, size_t length, const char *word)
{
	return length >= strlen(word) && !memcmp(line, word, strlen(word));
}

/* Returns whether the line is a field of the head, and adds the field. */
static bool take_field(struct head *head, const char *line, size_t length)
{
	static const char *const both[] = {"desc:", "cmd:", "events:"};
	static const char *const callgrind[] = {"version:", "creator:", "pid:", "part:", "thread:", "target:", "positions:", "event:",
		"summary:", "totals:"};

	head->fields++;
	for (size_t i = 0; i < sizeof both / sizeof *both; i++)
		if (begins_with(line, length, both[i])) {
			head->is_certain = begins_with(line, length, "events:");
			return true;
		}
	for (size_t i = 0; i < sizeof callgrind / sizeof *callgrind; i++)
		if (begins_with(line, length, callgrind[i])) {
			head->is_callgrind = true;
			return true;
		}
	return false;
}

/* Returns whether a line can be in the head: a field, a comment or nothing. */
static bool take_line(struct head *head, const char *line, size_t length)
{
	if (begins_with(line, length, "# callgrind format"))
		head->is_callgrind = head->is_certain = true;
	return !length || line[0] == '#' || line[0] == '\r' || take_field(head, line, length);
}

/* Reads the lines up to "events:". The command line may be longer than start: then the lines before it decide.
 * False: another file. */
static bool read_head(struct bytes start, bool whole, struct head *head)
{
	const char *text = (const char *)start.data, *newline;

	*head = (struct head){0};
	for (size_t at = 0; at < start.size && !head->is_certain; at = (size_t)(newline - text) + 1) {
		newline = memchr(text + at, '\n', start.size - at);
		if (!newline)
			return !whole && head->fields && take_line(head, text + at, start.size - at);
		if (!take_line(head, text + at, (size_t)(newline - text) - at))
			return false;
	}
	return head->is_certain;
}

static bool probe(struct bytes start, bool whole)
{
	struct head head;

	return read_head(start, whole, &head);
}

static bool open_valgrind(void *state, struct reader_input *input)
{
	uint8_t buffer[4096];
	struct bytes start = {buffer, source_peek(input->source, buffer, sizeof buffer)};
	struct head head;

	(void)state;
	read_head(start, start.size < sizeof buffer, &head);
	diag_add(input->diag, DIAG_ERROR, source_name(input->source), 0,
		head.is_callgrind ? "is a profile of callgrind, which dwell does not read: costs of calls and no paths; callgrind_annotate shows it"
				  : "is a profile of cachegrind, which dwell does not read: counts and no calls; cg_annotate shows it");
	return false;
}

static void close_valgrind(void *state)
{
	(void)state;
}

static void next_valgrind(void *state, struct message *message)
{
	(void)state;
	*message = (struct message){.kind = MESSAGE_END};
}

static void rewind_valgrind(void *state)
{
	(void)state;
}

const struct reader_format reader_valgrind = {
	.name = "profile of valgrind",
	.probe = probe,
	.state_bytes = 1,
	.open = open_valgrind,
	.close = close_valgrind,
	.next = next_valgrind,
	.rewind = rewind_valgrind,
};
