/* called: finds the recorded places in the mapped files, when a recording ends or a snapshot is written. */
#include "record/sink/called.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define MODULES_MAX 16384u

static bool is_same(const struct called_module *ours, const struct message_module *module, const struct kept_file *file)
{
	return ours->file == file && ours->low == module->low && ours->high == module->high && ours->bias == module->bias &&
	       ours->build_id_bytes == module->build_id_bytes &&
	       (!module->build_id_bytes || !memcmp(ours->build_id, module->build_id, module->build_id_bytes));
}

void called_add_module(struct called *called, const struct message_module *module, const struct kept_file *file)
{
	struct called_module added = {module->low, module->high, module->bias, file, NULL, {0}, module->build_id_bytes};

	if (!file || module->unmapped || module->low >= module->high || module->build_id_bytes > sizeof added.build_id ||
		called->count == MODULES_MAX)
		return;
	for (size_t i = called->count; i--;)
		if (is_same(&called->modules[i], module, file))
			return;
	if (module->build_id_bytes)
		memcpy(added.build_id, module->build_id, module->build_id_bytes);
	added.path = file->path;
	if (array_reserve(&called->modules, &called->capacity, called->count + 1, sizeof *called->modules))
		called->modules[called->count++] = added;
}

/* Adds the link-time addresses of the places in [low, high). Places, low and high are low halves of addresses. behind: 1 for places
 * of hooks, since a function may begin at the byte behind its place; else 0. */
static void add_range(struct names *names, uint32_t file, const struct called_module *module, const struct address_set *places,
	uint32_t behind, uint64_t low, uint64_t high)
{
	for (size_t i = address_set_count_below(places, low); i < places->count && places->slots[i] < high; i++)
		names_add(names, file, (module->low + (uint32_t)(places->slots[i] - module->low) - module->bias) | behind);
}

/* Adds the addresses of the module for places, which are sorted. behind: as for add_range. */
static void add_module(struct names *names, const struct called_module *module, const struct address_set *places, uint32_t behind)
{
	const char *where = kept_file_path(module->file);
	uint32_t file = where ? names_file(names, module->path, where, module->build_id, module->build_id_bytes) : UINT32_MAX;
	uint64_t low = (uint32_t)module->low, bytes = module->high - module->low, top = UINT64_C(1) << 32;

	if (bytes > top)
		bytes = top;
	add_range(names, file, module, places, behind, low, low + bytes < top ? low + bytes : top);
	if (low + bytes > top)
		add_range(names, file, module, places, behind, 0, low + bytes - top);
}

void called_write_names(const struct called *called, const struct workers *workers, const struct message_cpu_places *cpu_places,
	struct trace_writer *writer)
{
	struct address_set hooks = {0}, on_cpus = {0};
	struct names names = {0};

	workers_add_places(workers, &hooks);
	for (uint32_t i = 0; i < cpu_places->count; i++)
		address_set_add(&on_cpus, (uint32_t)cpu_places->places[i].address);
	address_set_sort(&hooks);
	address_set_sort(&on_cpus);
	for (size_t i = 0; i < called->count; i++) {
		add_module(&names, &called->modules[i], &hooks, 1);
		add_module(&names, &called->modules[i], &on_cpus, 0);
	}
	names_write(&names, writer);
	names_clear(&names);
	address_set_clear(&hooks);
	address_set_clear(&on_cpus);
}

void called_clear(struct called *called)
{
	free(called->modules);
	*called = (struct called){0};
}
