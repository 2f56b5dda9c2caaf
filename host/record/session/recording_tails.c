/* recording_tails: how many of the recorded functions may have ended in a tail call, and how many functions of the recorded files can jump
 * out of their callers. Plans tell; compiled hooks do not. */
#include "record/session/recording_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether it was called in a process that had the file. Places are the low halves of addresses, and even. */
static bool was_called(const struct recording *recording, const char *path, const struct address_set *places, uint32_t start)
{
	for (size_t i = 0; i < recording->called.count; i++) {
		const struct called_module *module = &recording->called.modules[i];

		if (!strcmp(module->path, path) && address_set_has(places, (uint32_t)(module->low + start) & ~1u))
			return true;
	}
	return false;
}

static bool was_there(const struct recording *recording, const char *path)
{
	for (size_t i = 0; i < recording->called.count; i++)
		if (!strcmp(recording->called.modules[i].path, path))
			return true;
	return false;
}

/* Whether these were called is not asked: a filter may have left them out, and not those that they jump out of. */
static void tell_leaving(struct recording *recording)
{
	uint32_t leaving = 0;
	char text[16];

	for (size_t i = 0; i < recording->plans.count; i++)
		if (was_there(recording, recording->plans.files[i].path))
			leaving += plans_count_leaving(&recording->plans, recording->plans.files[i].path);
	snprintf(text, sizeof text, "%" PRIu32, leaving);
	if (leaving)
		trace_writer_info(recording->writer, &(struct message_info){"unseen-jumps", text}, 1);
}

void recording_tell_tails(struct recording *recording, const struct workers *workers)
{
	struct address_set places = {0};
	uint32_t called = 0;
	char text[16];

	if (!recording->plans.begun)
		return;
	tell_leaving(recording);
	workers_add_places(workers, &places);
	for (size_t i = 0; i < recording->plans.count; i++) {
		const char *path = recording->plans.files[i].path;
		size_t count;
		uint32_t *tails = plans_make_tails(&recording->plans, path, &count);

		for (size_t k = 0; k < count; k++)
			called += was_called(recording, path, &places, tails[k]);
		free(tails);
	}
	address_set_clear(&places);
	snprintf(text, sizeof text, "%" PRIu32, called);
	if (called)
		trace_writer_info(recording->writer, &(struct message_info){"tail-calls", text}, 1);
}
