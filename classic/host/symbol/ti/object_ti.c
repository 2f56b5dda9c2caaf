/* Finds variables in COFF files, and in maps of Texas Instruments' linker. */
#include "classic/host/doors.h"
#include "symbol/object_inner.h"
#include "classic/host/symbol/ti/coff_file.h"
#include "classic/host/symbol/ti/ti_map_file.h"
#include "classic/host/symbol/ti/ti_name.h"

/* Static variables have the storage class of the symbols at the starts of pieces, but no auxiliary entry. */
static bool is_variable(const struct coff_entry *entry)
{
	return (entry->storage_class == COFF_EXTERNAL || (entry->storage_class == COFF_STATIC && !entry->aux_count)) &&
	       entry->name && *entry->name && !ti_name_is_section(entry->name) && !ti_name_is_noise(entry->name);
}

static void read_coff(struct object_table *table, const struct symbol_input *input)
{
	struct coff_file file;
	struct coff_entry entry;
	bool good = coff_open(&file, input);

	for (uint32_t index = 0; good && coff_next(&file, &index, &entry);) {
		const struct coff_section *section = &file.sections[0];

		if (entry.section > 0 && (uint32_t)entry.section <= file.section_count)
			section = &file.sections[entry.section];
		if (entry.value < section->data_low || entry.value >= section->data_high || !is_variable(&entry))
			continue;
		good = object_table_add(table, &(struct object){.address = entry.value,
							.end = section->data_high,
							.name = (char *)ti_name_of_c(entry.name),
							.is_global = entry.storage_class == COFF_EXTERNAL});
	}
	coff_close(&file);
}

static void read_map(struct object_table *table, const struct symbol_input *input)
{
	struct ti_map_file file;
	bool good = ti_map_open(&file, input);

	for (size_t i = 0; good && i < file.global_count; i++) {
		const struct ti_map_global *global = &file.globals[i];
		const struct piece *row = pieces_find(&file.rows, global->address);

		if (!row || pieces_find(&file.code, global->address) || ti_name_is_section(global->name) ||
			ti_name_is_noise(global->name))
			continue;
		good = object_table_add(table, &(struct object){.address = global->address,
							.end = row->high,
							.name = (char *)(file.is_coff ? ti_name_of_c(global->name) : global->name),
							.is_global = true});
	}
	ti_map_close(&file);
}

void object_table_read_ti(struct object_table *table, const struct symbol_input *input)
{
	if (coff_claims(input->head))
		read_coff(table, input);
	else if (ti_map_claims(input->head))
		read_map(table, input);
}
