/* diag: collects and prints diagnostics (diag.h). */
#include "util/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/utf8.h"

#define KEEP_OF_EACH 20 /* messages with one format string whose text is kept */
#define TEXT_BYTES_MAX 2048 /* of one message: names in hostile files have any length */

struct message {
	char *file; /* null: none */
	char *text;
	uint64_t offset;
	size_t kind; /* index of its kind */
	enum diag_level level;
};

/* The messages with one format string. The source has few diag_add calls, so the list of kinds stays short. */
struct kind {
	const char *format;
	uint64_t kept;
	uint64_t dropped; /* not kept, since the last print */
	size_t last; /* index of the newest kept message */
};

struct diag {
	struct message *messages;
	size_t message_count, message_capacity, printed;
	struct kind *kinds;
	size_t kind_count, kind_capacity;
	uint64_t unkept; /* not kept for lack of memory, since the last print */
	enum diag_level worst;
	bool is_static;
};

/* Returned by make_diag without memory for a list. Counts messages and keeps the worst level, which the exit status needs. */
static struct diag last_resort = {.is_static = true};

struct diag *make_diag(void)
{
	struct diag *diag = calloc(1, sizeof *diag);

	return diag ? diag : &last_resort;
}

void free_diag(struct diag *diag)
{
	if (!diag)
		return;
	for (size_t i = 0; i < diag->message_count; i++) {
		free(diag->messages[i].file);
		free(diag->messages[i].text);
	}
	free(diag->messages);
	free(diag->kinds);
	if (!diag->is_static)
		free(diag);
}

/* Finds or adds the kind of a format string. Compares the texts, since two source files may contain the
 * same format string at different addresses. Returns null if out of memory. */
static struct kind *kind_of(struct diag *diag, const char *format)
{
	for (size_t i = 0; i < diag->kind_count; i++)
		if (diag->kinds[i].format == format || !strcmp(diag->kinds[i].format, format))
			return &diag->kinds[i];
	if (!array_reserve(&diag->kinds, &diag->kind_capacity, diag->kind_count + 1, sizeof *diag->kinds))
		return NULL;
	diag->kinds[diag->kind_count] = (struct kind){.format = format};
	return &diag->kinds[diag->kind_count++];
}

/* Appends a copy of a message. Returns false if out of memory. */
static bool keep_message(struct diag *diag, enum diag_level level, const char *file, uint64_t offset, const char *text)
{
	struct message message = {.offset = offset, .level = level};

	if (!array_reserve(&diag->messages, &diag->message_capacity, diag->message_count + 1, sizeof *diag->messages))
		return false;
	message.text = strdup(text);
	message.file = file ? strdup(file) : NULL;
	if (!message.text || (file && !message.file)) {
		free(message.text);
		free(message.file);
		return false;
	}
	diag->messages[diag->message_count++] = message;
	return true;
}

static bool is_same_file(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Returns whether the text is kept already, with an equal file and offset. Each kind has few messages. */
static bool is_kept(const struct diag *diag, const struct kind *kind, const char *file, uint64_t offset, const char *text)
{
	uint64_t left = kind->kept;

	for (size_t i = kind->last + 1; left && i--;) {
		const struct message *message = &diag->messages[i];

		if (message->kind != (size_t)(kind - diag->kinds))
			continue;
		if (message->offset == offset && is_same_file(message->file, file) && !strcmp(message->text, text))
			return true;
		left--;
	}
	return false;
}

/* Notes a message of a kind; null: out of memory for the kind. Returns
 * false if the message is only counted, so its text is not needed. */
static bool wants_text(struct diag *diag, enum diag_level level, struct kind *kind)
{
	if (level > diag->worst)
		diag->worst = level;
	if (!kind || kind->kept < KEEP_OF_EACH)
		return true;
	kind->dropped++;
	return false;
}

/* Keeps a message, unless an equal one is kept already. kind null: out of memory, so only counts the message. */
static void add_message(
	struct diag *diag, enum diag_level level, struct kind *kind, const char *file, uint64_t offset, const char *text)
{
	if (kind && is_kept(diag, kind, file, offset, text))
		return;
	if (!kind || !keep_message(diag, level, file, offset, text)) {
		diag->unkept++;
		return;
	}
	kind->kept++;
	kind->last = diag->message_count - 1;
	diag->messages[kind->last].kind = (size_t)(kind - diag->kinds);
}

void diag_add(struct diag *diag, enum diag_level level, const char *file, uint64_t offset, const char *format, ...)
{
	char text[TEXT_BYTES_MAX];
	struct kind *kind = kind_of(diag, format);
	va_list arguments;

	if (!wants_text(diag, level, kind))
		return;
	va_start(arguments, format);
	if (vsnprintf(text, sizeof text, format, arguments) >= (int)sizeof text)
		memcpy(text + sizeof text - 4, "...", 4);
	va_end(arguments);
	add_message(diag, level, kind, file, offset, text);
}

void diag_move(struct diag *diag, struct diag *take_from)
{
	for (size_t i = 0; i < take_from->message_count; i++) {
		const struct message *message = &take_from->messages[i];
		struct kind *kind = kind_of(diag, take_from->kinds[message->kind].format);

		if (wants_text(diag, take_from->worst, kind))
			add_message(diag, message->level, kind, message->file, message->offset, message->text);
	}
	for (size_t i = 0; i < take_from->kind_count; i++) {
		struct kind *kind = kind_of(diag, take_from->kinds[i].format);

		if (kind && take_from->kinds[i].dropped)
			kind->dropped += take_from->kinds[i].dropped;
	}
	if (take_from->worst > diag->worst)
		diag->worst = take_from->worst;
	diag->unkept += take_from->unkept;
	free_diag(take_from);
}

int diag_status(const struct diag *diag)
{
	return diag->worst == DIAG_ERROR ? 2 : diag->worst == DIAG_WARN ? 1 : 0;
}

bool diag_has_error(const struct diag *diag)
{
	return diag->worst == DIAG_ERROR;
}

/* File names and texts quote the content of hostile files: escape the text,
 * so that the terminal does not interpret control characters. */
static void print_escaped(const char *text, FILE *out)
{
	size_t bytes = strlen(text);

	while (bytes) {
		char escaped[UTF8_ESCAPE_BYTES];
		size_t written;
		int columns;
		size_t taken = utf8_escape(text, bytes, escaped, &written, &columns);

		fwrite(escaped, 1, written, out);
		text += taken;
		bytes -= taken;
	}
}

static void print_message(const struct message *message, FILE *out)
{
	fputs("dwell: ", out);
	if (message->file) {
		print_escaped(message->file, out);
		if (message->offset != DIAG_NO_OFFSET)
			fprintf(out, ":0x%llx", (unsigned long long)message->offset);
		fputs(": ", out);
	}
	print_escaped(message->text, out);
	putc('\n', out);
}

bool diag_get(const struct diag *diag, size_t index, struct diag_message *message)
{
	const struct message *kept = index < diag->message_count ? &diag->messages[index] : NULL;

	if (kept)
		*message = (struct diag_message){kept->level, kept->file, kept->text, kept->offset};
	return kept;
}

void diag_print(struct diag *diag, FILE *out)
{
	while (diag->printed < diag->message_count)
		print_message(&diag->messages[diag->printed++], out);
	for (size_t i = 0; i < diag->kind_count; i++) {
		struct kind *kind = &diag->kinds[i];

		if (!kind->dropped)
			continue;
		fprintf(out, "dwell: and %llu more like this:\n", (unsigned long long)kind->dropped);
		print_message(&diag->messages[kind->last], out);
		kind->dropped = 0;
	}
	if (diag->unkept)
		fprintf(out, "dwell: and %llu more messages, which there was no memory to keep\n",
			(unsigned long long)diag->unkept);
	diag->unkept = 0;
}
