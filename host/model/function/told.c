#include "model/function/told.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* What is not kept, for want of memory or since it is too much, has no name, or that of its file. */
void told_add(struct told *told, const struct message_names *message, struct told_sum *sum)
{
	for (uint32_t i = 0; !told->table && i < message->count; i++) {
		struct symbol symbol = {message->names[i].address, message->names[i].size, NULL};

		sum->bytes += strlen(message->names[i].name) + 1;
		if (sum->names >= TOLD_MAX || sum->bytes > TOLD_BYTES_MAX ||
			!array_reserve(&told->list, &told->capacity, told->count + 1, sizeof *told->list) ||
			!(symbol.name = strdup(message->names[i].name)))
			return;
		told->list[told->count++] = symbol;
		sum->names++;
	}
}

const struct symbol_table *told_get(struct told *told)
{
	if (!told->table && told->count)
		told->table = make_told_symbol_table(told->list, told->count);
	return told->table;
}

void told_clear(struct told *told)
{
	free_symbol_table(told->table);
	for (size_t i = 0; i < told->count; i++)
		free((char *)told->list[i].name);
	free(told->list);
	*told = (struct told){0};
}
