/* What a reader of hook records tells, as text; and the twelve records that TI's document prints. */
#ifndef DWELL_TEST_HOOK_SEEN_H
#define DWELL_TEST_HOOK_SEEN_H

#include <stdarg.h>
#include <stdlib.h>

#include "check.h"
#include "reader/reader.h"

static const uint32_t document[] = {
	/* clang-format off */
	0x0c000e8c, 0x0064aaa8, 0,  0x0c000e24, 0x0064ab16, 0,  0x0c000e25, 0x0064abea, 0,  0x0c000e8d, 0x0064ad93, 0,
	0x0c00c644, 0x0064fba3, 0,  0x0c00c645, 0x0064fc8d, 0,  0x00000003, 0x006500d6, 0,  0x00804c12, 0x006500d6, 0,
	0x0c00c608, 0x00650298, 0,  0x00804c13, 0x00650438, 0,  0x008043ba, 0x00650438, 0,  0x0c00c598, 0x006505f6, 0,
	/* clang-format on */
};
#define DOCUMENT_WORDS (sizeof document / sizeof *document)

/* Words as they lie in a machine's memory. */
static inline void to_bytes(const uint32_t *words, size_t count, bool is_big, uint8_t *bytes)
{
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < 4; k++)
			bytes[4 * i + (size_t)k] = (uint8_t)(words[i] >> 8 * (is_big ? 3 - k : k));
}

/* What a reader told: a line for each message, "enter 0:c000e8c@64aaa8". */
struct seen {
	char text[1 << 16];
	struct reader_health health;
	struct reader *reader;
	struct source *source;
	struct diag *diag;
	char *messages;
	int status;
	enum dwell_place_kind place_kind; /* of the last events */
};

__attribute__((format(printf, 2, 3)))
static inline void put(struct seen *seen, const char *format, ...)
{
	size_t used = strlen(seen->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(seen->text + used, sizeof seen->text - used, format, arguments);
	va_end(arguments);
}

static inline void put_events(struct seen *seen, const struct message_events *events)
{
	static const char *const kinds[] = {[EVENT_ENTER] = "enter", [EVENT_EXIT] = "exit", [EVENT_STOP] = "off", [EVENT_RESUME] = "on"};

	CHECK(events->place_kind == DWELL_PLACE_ENTRY || events->place_kind == DWELL_PLACE_WORD);
	seen->place_kind = events->place_kind;
	for (uint32_t i = 0; i < events->count; i++)
		put(seen, "%s %u:%" PRIx64 "@%" PRIx64 "\n", kinds[events->events[i].kind], events->stream, events->events[i].value,
			events->events[i].ticks);
}

static inline void put_message(struct seen *seen, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_HEADER:
		put(seen, "%s, %" PRIu64 " Hz%s\n", message->header.format, message->header.clock_hz, message->header.is_bare ? ", bare" : "");
		break;
	case MESSAGE_PROCESS:
		put(seen, "process %u %s\n", message->process.process, message->process.path);
		break;
	case MESSAGE_MODULE:
		put(seen, "module %" PRIx64 "-%" PRIx64 " bias %" PRIx64 " %s\n", message->module.low, message->module.high,
			message->module.bias, message->module.path);
		break;
	case MESSAGE_THREAD:
		put(seen, "thread %u %x '%s'\n", message->thread.stream, message->thread.tid, message->thread.name);
		break;
	case MESSAGE_SWITCHES:
		put(seen, "switches %u %" PRIx64 "-%" PRIx64, message->switches.stream, message->switches.from_ticks, message->switches.until_ticks);
		for (uint32_t i = 0; i < message->switches.count; i++)
			put(seen, " away %" PRIx64 "-%" PRIx64, message->switches.switches[i].out_ticks, message->switches.switches[i].in_ticks);
		put(seen, "\n");
		break;
	case MESSAGE_EVENTS:
		put_events(seen, &message->events);
		break;
	default:
		break;
	}
}

static inline void read_to_end(struct seen *seen)
{
	struct message message;

	for (reader_next(seen->reader, &message); message.kind != MESSAGE_END; reader_next(seen->reader, &message))
		put_message(seen, &message);
	seen->health = *reader_get_health(seen->reader);
}

static inline struct seen *begin(const void *data, size_t size, const struct reader_options *options)
{
	struct seen *seen = calloc(1, sizeof *seen);

	seen->diag = make_diag();
	seen->reader = make_reader_as(make_source_memory("x.bin", data, size, seen->diag), options, seen->diag);
	if (seen->reader)
		read_to_end(seen);
	return seen;
}

static inline void end(struct seen *seen, int status, const char *said)
{
	size_t length;
	FILE *out = open_memstream(&seen->messages, &length);

	free_reader(seen->reader);
	CHECK_EQ(diag_status(seen->diag), status);
	diag_print(seen->diag, out);
	fclose(out);
	if (!CHECK(said ? strstr(seen->messages, said) != NULL : !*seen->messages))
		printf("# said: %s", seen->messages);
	free(seen->messages);
	free_diag(seen->diag);
	free(seen);
}

/* The document's records, by hand: what is behind the header. */
#define DOCUMENT_TEXT(first)                                                                                                       \
	"thread 0 0 '(no task)'\n"                                                                                                 \
	"thread 1 804c10 ''\n"                                                                                                     \
	"thread 2 8043b8 ''\n"                                                                                                     \
	"switches 0 0-6500d6\n" first "enter 0:c000e24@64ab16\nexit 0:c000e24@64abea\nexit 0:c000e8c@64ad93\n"                     \
	"enter 0:c00c644@64fba3\nexit 0:c00c644@64fc8d\noff 0:0@6500d6\n"                                                         \
	"switches 1 0-650438\non 1:0@6500d6\nenter 1:c00c608@650298\noff 1:0@650438\n"                                            \
	"switches 2 0-6505f6\non 2:0@650438\nenter 2:c00c598@6505f6\n"
static const char document_text[] = DOCUMENT_TEXT("enter 0:c000e8c@64aaa8\n");

#endif
