/* recorded_names: a table of a file's names from the recording. */
#include "model/function/recorded_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* Drops names beyond a limit, or without memory: such a function has no name, or the name in its file. */
void recorded_names_add(struct recorded_names *recorded, const struct message_names *message, struct recorded_names_sum *sum)
{
	for (uint32_t i = 0; !recorded->table && i < message->count; i++) {
		struct symbol symbol = {message->names[i].address, message->names[i].size, NULL};

		sum->bytes += strlen(message->names[i].name) + 1;
		if (sum->names >= RECORDED_NAMES_MAX || sum->bytes > RECORDED_NAMES_BYTES_MAX ||
			!array_reserve(&recorded->list, &recorded->capacity, recorded->count + 1, sizeof *recorded->list) ||
			!(symbol.name = strdup(message->names[i].name)))
			return;
		recorded->list[recorded->count++] = symbol;
		sum->names++;
	}
}

const struct symbol_table *recorded_names_get(struct recorded_names *recorded)
{
	if (!recorded->table && recorded->count)
		recorded->table = make_recorded_symbol_table(recorded->list, recorded->count);
	return recorded->table;
}

void recorded_names_clear(struct recorded_names *recorded)
{
	free_symbol_table(recorded->table);
	for (size_t i = 0; i < recorded->count; i++)
		free((char *)recorded->list[i].name);
	free(recorded->list);
	*recorded = (struct recorded_names){0};
}
