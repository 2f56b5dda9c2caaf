/* events: finds an event by its name, and lists events. */
#include "reader/events.h"

#include <stdio.h>
#include <string.h>

void events_copy_name(char *name, size_t size, const char *text)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++)
		if (*text >= ' ' && *text < 0x7f)
			name[used++] = *text;
	name[used] = 0;
}

static void append(char text[static EVENTS_TEXT_BYTES], const char *between, const char *name)
{
	size_t used = strlen(text);

	snprintf(text + used, EVENTS_TEXT_BYTES - used, "%s%s", between, name);
}

/* Appends the names of all events but one, the first after `before`. */
static void append_others(const struct event_names *names, size_t except, const char *before, char text[static EVENTS_TEXT_BYTES])
{
	char name[EVENT_NAME_BYTES];

	for (size_t i = 0; i < names->count && strlen(text) + 1 < EVENTS_TEXT_BYTES; i++) {
		names->write(names->file, i, name);
		if (i == except || !*name)
			continue;
		append(text, before, name);
		before = ", ";
	}
}

bool events_find(const struct event_names *names, const struct reader_input *input, size_t *event)
{
	char name[EVENT_NAME_BYTES], list[EVENTS_TEXT_BYTES] = "";

	for (*event = 0; *event < names->count; ++*event) {
		names->write(names->file, *event, name);
		if (!strcmp(name, input->event) && *name)
			return true;
	}
	append_others(names, names->count, "", list);
	diag_add(input->diag, DIAG_ERROR, source_name(input->source), DIAG_NO_OFFSET, "has no values of an event '%s'; it has: %s",
		input->event, *list ? list : "none at all");
	return false;
}

void events_write(const struct event_names *names, size_t event, char text[static EVENTS_TEXT_BYTES])
{
	char name[EVENT_NAME_BYTES] = "";

	*text = 0;
	append_others(names, event, "; also in the file: ", text);
	if (event >= names->count || !*text)
		return;
	*text = 0;
	names->write(names->file, event, name);
	append(text, "", name);
	append_others(names, event, "; also in the file: ", text);
}
