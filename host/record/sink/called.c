/* called: see called.h. */
#include "record/sink/called.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define MODULES_MAX 16384u

static bool is_same(const struct called_module *ours, const struct message_module *module)
{
	return ours->low == module->low && ours->high == module->high && ours->bias == module->bias &&
	       ours->build_id_bytes == module->build_id_bytes && !strcmp(ours->path, module->path) &&
	       (!module->build_id_bytes || !memcmp(ours->build_id, module->build_id, module->build_id_bytes));
}

void called_add_module(struct called *called, const struct message_module *module)
{
	struct called_module added = {module->low, module->high, module->bias, NULL, {0}, module->build_id_bytes};

	if (module->unmapped || module->low >= module->high || module->build_id_bytes > sizeof added.build_id ||
		called->count == MODULES_MAX)
		return;
	for (size_t i = called->count; i--;)
		if (is_same(&called->modules[i], module))
			return;
	if (module->build_id_bytes)
		memcpy(added.build_id, module->build_id, module->build_id_bytes);
	added.path = strdup(module->path);
	if (!added.path || !array_reserve(&called->modules, &called->capacity, called->count + 1, sizeof *called->modules)) {
		free(added.path);
		return;
	}
	called->modules[called->count++] = added;
}

/* Of the places in [low, high), the low halves of addresses. A function may begin at the byte behind its place. */
static void add_range(struct names *names, uint32_t file, const struct called_module *module, const struct address_set *places,
	uint64_t low, uint64_t high)
{
	for (size_t i = address_set_count_below(places, low); i < places->count && places->slots[i] < high; i++)
		names_add(names, file, (module->low + (uint32_t)(places->slots[i] - module->low) - module->bias) | 1);
}

static void add_module(struct names *names, const struct called_module *module, const struct address_set *places)
{
	uint32_t file = names_file(names, module->path, NULL, module->build_id, module->build_id_bytes);
	uint64_t low = (uint32_t)module->low, bytes = module->high - module->low, top = UINT64_C(1) << 32;

	if (bytes > top)
		bytes = top;
	add_range(names, file, module, places, low, low + bytes < top ? low + bytes : top);
	if (low + bytes > top)
		add_range(names, file, module, places, 0, low + bytes - top);
}

void called_write(const struct called *called, const struct workers *workers, struct trace_writer *writer)
{
	struct address_set places = {0};
	struct names names = {0};

	workers_add_places(workers, &places);
	address_set_sort(&places);
	for (size_t i = 0; i < called->count; i++)
		add_module(&names, &called->modules[i], &places);
	names_write(&names, writer);
	names_clear(&names);
	address_set_clear(&places);
}

void called_clear(struct called *called)
{
	for (size_t i = 0; i < called->count; i++)
		free(called->modules[i].path);
	free(called->modules);
	*called = (struct called){0};
}
