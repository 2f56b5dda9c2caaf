/* timed_calls: reads a table of single calls (timed_calls.h). */
#include "writer/export/timed_calls.h"

#include <stddef.h>
#include <string.h>

bool timed_calls_begin(struct timed_calls *timed_calls, const struct column *columns, uint32_t count)
{
	const struct {
		const char *key;
		uint32_t *column;
	} wanted[] = {{"thread_index", &timed_calls->index}, {"pid", &timed_calls->pid}, {"tid", &timed_calls->tid},
		{"process", &timed_calls->process}, {"thread", &timed_calls->thread}, {"depth", &timed_calls->depth}, {"function", &timed_calls->function},
		{"begin_ns", &timed_calls->begin}, {"end_ns", &timed_calls->end}, {"note", &timed_calls->note}, {"state", &timed_calls->state}};

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		uint32_t column = 0;

		while (column < count && strcmp(columns[column].key, wanted[i].key))
			column++;
		if (column == count)
			return false;
		*wanted[i].column = column;
	}
	return true;
}

struct timed_call timed_calls_get(const struct timed_calls *timed_calls, const struct cell *cells)
{
	return (struct timed_call){
		.index = cells[timed_calls->index].count,
		.pid = cells[timed_calls->pid].count,
		.tid = cells[timed_calls->tid].count,
		.process = cells[timed_calls->process].absent ? NULL : cells[timed_calls->process].text,
		.thread = cells[timed_calls->thread].absent ? NULL : cells[timed_calls->thread].text,
		.depth = cells[timed_calls->depth].count,
		.function = cells[timed_calls->function].text,
		.id = cells[timed_calls->function].function,
		.begin_ns = cells[timed_calls->begin].signed_count,
		.end_ns = cells[timed_calls->end].signed_count,
		.has_end = !cells[timed_calls->end].absent,
		.note = cells[timed_calls->note].text,
		.state = cells[timed_calls->state].absent ? NULL : cells[timed_calls->state].text,
	};
}
