/* moments: reads a table of single calls (moments.h). */
#include "writer/export/moments.h"

#include <stddef.h>
#include <string.h>

bool moments_begin(struct moments *moments, const struct column *columns, uint32_t count)
{
	const struct {
		const char *key;
		uint32_t *column;
	} wanted[] = {{"thread_index", &moments->index}, {"pid", &moments->pid}, {"tid", &moments->tid},
		{"process", &moments->process}, {"thread", &moments->thread}, {"depth", &moments->depth}, {"function", &moments->function},
		{"begin_ns", &moments->begin}, {"end_ns", &moments->end}, {"note", &moments->note}};

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

struct moment moments_get(const struct moments *moments, const struct cell *cells)
{
	return (struct moment){
		.index = cells[moments->index].count,
		.pid = cells[moments->pid].count,
		.tid = cells[moments->tid].count,
		.process = cells[moments->process].absent ? NULL : cells[moments->process].text,
		.thread = cells[moments->thread].absent ? NULL : cells[moments->thread].text,
		.depth = cells[moments->depth].count,
		.function = cells[moments->function].text,
		.id = cells[moments->function].function,
		.begin_ns = cells[moments->begin].signed_count,
		.end_ns = cells[moments->end].signed_count,
		.has_end = !cells[moments->end].absent,
		.note = cells[moments->note].text,
	};
}
