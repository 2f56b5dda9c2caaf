/* producer: counts compilation units by compiler and options. */
#include "symbol/debug/producer.h"

#include <dwarf.h>
#include <string.h>

#include "symbol/debug/dwarf_file.h"

size_t producer_count(const char *path, const struct symbol_request *request, bool (*is)(const char *producer))
{
	struct diag *ignored_diag = make_diag();
	struct dwarf_file file;
	Dwarf_Attribute attribute;
	size_t count = 0;

	dwarf_file_open(&file, path, request, ignored_diag);
	for (size_t i = 0; i < file.unit_count; i++) {
		const char *producer = dwarf_formstring(dwarf_attr(&file.units[i], DW_AT_producer, &attribute));

		count += producer && is(producer);
	}
	dwarf_file_close(&file);
	free_diag(ignored_diag);
	return count;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool producer_moves_results(const char *producer)
{
	bool hooks = false, optimised = false, kept = false;

	if (!begins(producer, "GNU "))
		return false;
	for (const char *word = strchr(producer, ' '); word; word = strchr(word, ' ')) {
		word++;
		hooks |= begins(word, "-finstrument-functions");
		if (begins(word, "-O"))
			optimised = word[2] != '0';
		if (begins(word, "-fno-tree-ter") || begins(word, "-ftree-ter"))
			kept = word[2] == 'n';
	}
	return hooks && optimised && !kept;
}
