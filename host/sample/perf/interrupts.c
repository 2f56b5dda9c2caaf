/* interrupts: finds the kernel's entries for interrupts among its symbols, and looks for an entry among the callers of a sample. */
#include "sample/perf/interrupts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/code/kernel_names.h"
#include "util/array.h"

#define ENTRY_BYTES_MAX 4096u

/* Returns whether the kernel's symbol is an entry for interrupts on this processor. A pattern may end with "*". */
static bool is_entry(const struct cpu *cpu, const char *name)
{
	for (const char *const *entry = cpu->interrupt_entries; entry && *entry; entry++) {
		size_t length = strcspn(*entry, "*");

		if (!strncmp(name, *entry, length) && ((*entry)[length] || !name[length]))
			return true;
	}
	return false;
}

/* Takes a symbol of the kernel: adds the symbol if it is an entry. The previous entry ends where this symbol begins.
 * False: the code of entries has ended, or there is no memory. */
static bool add_entry(void *context, const struct kernel_symbol *symbol)
{
	struct interrupts *interrupts = context;
	struct interrupts_entry *last = interrupts->count ? &interrupts->entries[interrupts->count - 1] : NULL;

	if (last && symbol->address > last->low && symbol->address < last->high)
		last->high = symbol->address;
	if (last && !strcmp(symbol->name, "__entry_text_end"))
		return false;
	if (!symbol->is_code || symbol->module || !is_entry(interrupts->cpu, symbol->name))
		return true;
	if (!array_reserve(&interrupts->entries, &interrupts->capacity, interrupts->count + 1, sizeof *interrupts->entries))
		return false;
	interrupts->entries[interrupts->count++] = (struct interrupts_entry){symbol->address, symbol->address + ENTRY_BYTES_MAX};
	return true;
}

void interrupts_read(struct interrupts *interrupts, const struct cpu *cpu, const char *table)
{
	FILE *file = fopen(table, "r");

	interrupts->cpu = cpu;
	if (!file)
		return;
	kernel_names_read(file, add_entry, interrupts);
	fclose(file);
}

bool interrupts_has(const struct interrupts *interrupts, const struct perf_chain *kernel)
{
	/* Begins at the outermost caller, where most entries are. */
	for (uint64_t i = kernel->count; interrupts->count && i--;) {
		uint64_t address;

		memcpy(&address, kernel->addresses + 8 * i, sizeof address);
		for (size_t k = 0; k < interrupts->count; k++)
			if (address >= interrupts->entries[k].low && address < interrupts->entries[k].high)
				return true;
	}
	return false;
}

void interrupts_clear(struct interrupts *interrupts)
{
	free(interrupts->entries);
	*interrupts = (struct interrupts){0};
}
