/* recording_plan_facts: writes facts that only plans contain, for programs without compiled hooks:
 *
 *     tail-calls      how many of the recorded functions may have ended in a tail call
 *     unseen-jumps    how many functions of the recorded files can jump out of their callers
 *     timed-code      how much of these files' code is in timed functions
 *
 * A fact whose number is 0 is left out. */
#include "record/session/recording_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/code_share.h"

/* Whether the function at start was called in a process that had mapped
 * the file. Places are the low halves of addresses, and even. */
static bool was_called(
	const struct recording *recording, const struct kept_file *file, const struct address_set *places, uint32_t start)
{
	for (size_t i = 0; i < recording->called.count; i++) {
		const struct called_module *module = &recording->called.modules[i];

		if (module->file == file && address_set_has(places, (uint32_t)(module->low + start) & ~1u))
			return true;
	}
	return false;
}

/* Whether a recorded process had mapped the file. */
static bool was_mapped(const struct recording *recording, const struct kept_file *file)
{
	for (size_t i = 0; i < recording->called.count; i++)
		if (recording->called.modules[i].file == file)
			return true;
	return false;
}

/* Writes the facts about code. Counts all functions of a file, called or not: a filter may leave out a
 * function that jumps, and keep the functions from which it jumps out. */
static void write_code_facts(struct recording *recording)
{
	struct code_share timed = {0};
	uint32_t leaving = 0;
	char text[CODE_SHARE_TEXT_BYTES];

	for (size_t i = 0; i < recording->plans.count; i++) {
		const struct plans_file *file = &recording->plans.files[i];

		if (!was_mapped(recording, file->file))
			continue;
		timed.bytes += file->head.text_bytes;
		timed.part_bytes += file->head.timed_bytes;
		leaving += file->head.leaving_count;
	}
	code_share_format(&timed, text);
	if (timed.bytes)
		trace_writer_info(recording->writer, &(struct message_info){"timed-code", text}, 1);
	snprintf(text, sizeof text, "%" PRIu32, leaving);
	if (leaving)
		trace_writer_info(recording->writer, &(struct message_info){"unseen-jumps", text}, 1);
}

void recording_write_plan_facts(struct recording *recording, const struct workers *workers)
{
	struct address_set places = {0};
	uint32_t called = 0;
	char text[16];

	if (!recording->plans.begun || recording->plans.has_thread) /* a snapshot: the thread adds files meanwhile */
		return;
	write_code_facts(recording);
	workers_add_places(workers, &places);
	for (size_t i = 0; i < recording->plans.count; i++) {
		const struct plans_file *file = &recording->plans.files[i];
		size_t count;
		uint32_t *tails = plans_make_tails(&recording->plans, file, &count);

		for (size_t k = 0; k < count; k++)
			called += was_called(recording, file->file, &places, tails[k]);
		free(tails);
	}
	address_set_clear(&places);
	snprintf(text, sizeof text, "%" PRIu32, called);
	if (called)
		trace_writer_info(recording->writer, &(struct message_info){"tail-calls", text}, 1);
}
