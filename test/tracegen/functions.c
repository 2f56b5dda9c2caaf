/* functions: see functions.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/build_id.h"
#include "symbol/symbol.h"
#include "tracegen/functions.h"

#define BIAS UINT64_C(0x555555554000) /* where Linux likes to put programs */

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct symbol *const *)a)->name, (*(const struct symbol *const *)b)->name);
}

static void add(struct functions_list *list, uint64_t address, char *name)
{
	list->places[list->count] = (uint32_t)(address & ~UINT64_C(1));
	list->names[list->count++] = name;
}

/* A name that is its own: no other function has it, and it is no part of one, which a report counts as the whole. */
static bool is_single(const struct symbol **sorted, size_t total, size_t i)
{
	const char *name = sorted[i]->name;

	return (!i || strcmp(name, sorted[i - 1]->name)) && (i + 1 == total || strcmp(name, sorted[i + 1]->name)) &&
		!strstr(name, ".cold");
}

/* Every so-manieth of those; a place loses bit 0, so what is at an odd address needs a second byte. */
static void choose(struct functions_list *list, const struct symbol_table *table, uint32_t count)
{
	size_t total = symbol_count(table), single = 0;
	const struct symbol **sorted = malloc((total + 1) * sizeof *sorted);

	if (!sorted)
		return;
	for (size_t i = 0; i < total; i++)
		sorted[i] = symbol_at(table, i);
	qsort(sorted, total, sizeof *sorted, by_name);
	for (size_t i = 0; i < total; i++)
		if (sorted[i]->size > 1 && is_single(sorted, total, i))
			sorted[single++] = sorted[i];
	for (size_t i = 0; i < single && list->count < count; i++)
		if (i * count / single >= list->count)
			add(list, sorted[i]->address + BIAS, make_symbol_display_name(sorted[i]->name));
	free(sorted);
}

bool functions_list_make(struct functions_list *list, const char *program, uint32_t count, struct diag *diag)
{
	struct symbol_table *table;
	size_t id_bytes = 0, last;
	char name[32];

	*list = (struct functions_list){.real = program};
	list->module = (struct message_module){
		.low = 0x400000, .high = 0x400000 + (uint64_t)count * 64, .hooked = true, .path = "/nowhere/invented"};
	if (!program) {
		for (uint32_t i = 0; i < count; i++) {
			snprintf(name, sizeof name, "invented+0x%x", i * 64);
			add(list, 0x400000 + i * 64, strdup(name));
		}
		return true;
	}
	table = make_symbol_table(program, &(struct symbol_request){0}, diag);
	choose(list, table, count);
	if (read_build_id(program, list->build_id, &id_bytes))
		list->module.build_id = list->build_id;
	list->module.build_id_bytes = (uint32_t)id_bytes;
	list->module.bias = list->module.low = BIAS;
	if ((last = symbol_count(table)))
		list->module.high = BIAS + symbol_at(table, last - 1)->address + symbol_at(table, last - 1)->size;
	list->module.path = program;
	free_symbol_table(table);
	if (!list->count)
		diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET, "has no functions to call");
	return list->count;
}

void functions_list_clear(struct functions_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free(list->names[i]);
}
