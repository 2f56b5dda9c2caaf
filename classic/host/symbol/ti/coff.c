/* Symbols of programs in COFF, the format of Texas Instruments' tools before ELF, of the C6000 above all.
 *
 * The type of a symbol is of little use: two of a hundred functions have the type of a function. So a symbol in
 * a section of code is a function if it is external, or has a name of C. Each linked object file left a static
 * symbol at the start of its piece of a section; that symbol's auxiliary entry contains the length of the piece. */
#include <stdlib.h>
#include <string.h>

#include "classic/host/doors.h"
#include "symbol/table.h"
#include "classic/host/symbol/ti/coff_file.h"
#include "classic/host/symbol/ti/piece.h"
#include "classic/host/symbol/ti/ti_name.h"

struct fault {
	size_t count;
	uint64_t at; /* offset of the first of these entries in the file */
};

struct coff_reader {
	const struct symbol_input *input;
	struct symbol_table *table;
	struct coff_file file;
	struct pieces pieces;
	struct fault nameless; /* symbols whose name offset is beyond the string table */
	struct fault nowhere;  /* symbols whose section does not exist */
	struct fault outside;  /* functions outside of their own section */
};

enum kind {
	KIND_NONE,
	KIND_PIECE,    /* the name of a section, at the start of a piece of it */
	KIND_SECTION,  /* another name of a section */
	KIND_FUNCTION,
	KIND_STOP,
	KIND_LABEL,    /* of an assembler: used in a piece without functions */
};

static bool has_function_type(const struct coff_entry *entry)
{
	return (entry->type & 0x30) == 0x20;
}

static enum kind kind_of(const struct coff_entry *entry)
{
	const char *name = entry->name;

	switch (entry->storage_class) {
	case COFF_EXTERNAL:
		return ti_name_is_section(name) ? KIND_SECTION : ti_name_is_stop(name) ? KIND_STOP : KIND_FUNCTION;
	case COFF_STATIC:
		if (ti_name_is_noise(name))
			return KIND_NONE;
		if (has_function_type(entry) || ti_name_is_trampoline(name))
			return KIND_FUNCTION;
		return entry->aux_count ? KIND_PIECE : KIND_LABEL;
	case COFF_LABEL: /* among them the static functions */
		if (ti_name_is_noise(name))
			return KIND_NONE;
		return *name == '.' ? KIND_SECTION : *name == '_' ? KIND_FUNCTION : KIND_LABEL;
	default:
		return KIND_NONE;
	}
}

/* Returns the entry's section if it contains code, else null; *address: of the entry. */
static const struct coff_section *section_of(const struct coff_reader *reader, const struct coff_entry *entry, uint64_t *address)
{
	const struct coff_section *section;

	if (entry->section <= 0 || (uint32_t)entry->section > reader->file.section_count)
		return NULL;
	section = &reader->file.sections[entry->section];
	*address = section->base + entry->value;
	return section->low < section->high ? section : NULL;
}

static bool holds(const struct coff_section *section, uint64_t address)
{
	return address >= section->low && address < section->high;
}

static void note(const struct coff_reader *reader, struct fault *fault, const struct coff_entry *entry, bool is_wrong)
{
	if (is_wrong && !fault->count++)
		fault->at = coff_offset(&reader->file, entry->index);
}

/* Counts a wrong entry. An address at the end of the section is fine: a mark, or an empty piece. */
static void check(struct coff_reader *reader, const struct coff_entry *entry)
{
	uint64_t address = 0;
	const struct coff_section *section = section_of(reader, entry, &address);

	note(reader, &reader->nameless, entry, !entry->name);
	note(reader, &reader->nowhere, entry, entry->section > 0 && (uint32_t)entry->section > reader->file.section_count);
	note(reader, &reader->outside, entry,
		entry->name && section && !holds(section, address) && address != section->high && kind_of(entry) == KIND_FUNCTION);
}

/* Collects pieces. A piece without a length reaches to the end of its section. False: no memory. */
static bool find_pieces(struct coff_reader *reader)
{
	struct coff_entry entry;
	uint64_t address, high;

	for (uint32_t index = 0; coff_next(&reader->file, &index, &entry);) {
		const struct coff_section *section = section_of(reader, &entry, &address);

		check(reader, &entry);
		if (!section || !holds(section, address) || !entry.name || kind_of(&entry) != KIND_PIECE)
			continue;
		high = address + entry.aux_first;
		if (high == address || high > section->high)
			high = section->high;
		if (!pieces_add(&reader->pieces, address, high, NULL))
			return false;
	}
	pieces_finish(&reader->pieces);
	return true;
}

static uint32_t rank_of(enum kind kind, bool is_external)
{
	if (kind == KIND_PIECE || kind == KIND_SECTION)
		return RAW_SECTION;
	if (kind == KIND_STOP)
		return RAW_STOP;
	return (kind == KIND_FUNCTION ? 0 : RAW_LABEL) + (is_external ? RAW_GLOBAL : RAW_LOCAL);
}

/* Adds a symbol. False: no memory. */
static bool take(struct coff_reader *reader, const struct coff_entry *entry, enum kind kind, uint64_t address)
{
	struct piece *piece = pieces_find(&reader->pieces, address);
	struct raw_symbol raw = {.address = address,
		.size = has_function_type(entry) ? entry->aux_second : 0,
		.name = kind == KIND_PIECE || kind == KIND_SECTION ? entry->name : ti_name_of_c(entry->name),
		.rank = rank_of(kind, entry->storage_class == COFF_EXTERNAL)};

	if (piece && kind == KIND_FUNCTION)
		piece->has_functions = true;
	if (piece && kind == KIND_LABEL && piece->has_functions)
		return true; /* probably inside one of these functions */
	/* Section numbers: first the sections, then the pieces, as in the list of ends (finish). */
	raw.section = piece ? reader->file.section_count + 1 + (uint32_t)(piece - reader->pieces.list) : (uint32_t)entry->section;
	return symbol_table_add(reader->table, &raw);
}

/* Adds either labels or all other symbols; labels come last, when the functions are known. False: no memory. */
static bool take_all(struct coff_reader *reader, bool labels)
{
	struct coff_entry entry;
	uint64_t address;

	for (uint32_t index = 0; coff_next(&reader->file, &index, &entry);) {
		const struct coff_section *section = section_of(reader, &entry, &address);
		enum kind kind;

		if (!section || !holds(section, address) || !entry.name || !*entry.name)
			continue;
		kind = kind_of(&entry);
		if (kind != KIND_NONE && (kind == KIND_LABEL) == labels && !take(reader, &entry, kind, address))
			return false;
	}
	return true;
}

/* False: no memory. */
static bool finish(struct coff_reader *reader)
{
	size_t count = reader->file.section_count;
	uint64_t *ends = malloc((count + 1 + reader->pieces.count) * sizeof *ends);
	bool good;

	if (!ends)
		return false;
	ends[0] = 0;
	for (size_t i = 1; i <= count; i++)
		ends[i] = reader->file.sections[i].high;
	for (size_t i = 0; i < reader->pieces.count; i++)
		ends[count + 1 + i] = reader->pieces.list[i].high;
	good = symbol_table_finish(reader->table, ends);
	free(ends);
	return good;
}

static void say_what_is_wrong(const struct coff_reader *reader)
{
	const struct coff_file *file = &reader->file;
	const struct symbol_input *input = reader->input;

	if (file->is_cut)
		return;
	if (file->cut_at != UINT32_MAX)
		diag_add(input->diag, DIAG_WARN, input->path, coff_offset(file, file->cut_at),
			"entry %u of %u of the symbol table has further entries beyond it: corrupted", file->cut_at, file->count);
	if (reader->nameless.count)
		diag_add(input->diag, DIAG_WARN, input->path, reader->nameless.at,
			"%zu of %u symbols have names beyond the string table (0x%zx bytes): corrupted; this is the first", reader->nameless.count,
			file->count, file->string_bytes);
	if (reader->nowhere.count)
		diag_add(input->diag, DIAG_WARN, input->path, reader->nowhere.at,
			"%zu of %u symbols name sections beyond the %u that there are: not used; this is the first", reader->nowhere.count,
			file->count, file->section_count);
	if (reader->outside.count)
		diag_add(input->diag, DIAG_WARN, input->path, reader->outside.at,
			"%zu of %u symbols are of functions outside of the section that they name: not used; this is the first",
			reader->outside.count, file->count);
}

static enum symbol_state read_coff(const struct symbol_input *input, struct symbol_table *table)
{
	struct coff_reader reader = {.input = input, .table = table};
	bool good = coff_open(&reader.file, input);

	table->pointer_bytes = 4;
	if (good) {
		table->strings[table->string_count++] = reader.file.strings;
		table->strings[table->string_count++] = reader.file.short_names;
		good = find_pieces(&reader) && take_all(&reader, false) && take_all(&reader, true) && finish(&reader);
		if (!good)
			diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "no memory for its symbols");
		say_what_is_wrong(&reader);
		reader.file.strings = reader.file.short_names = NULL;
	}
	coff_close(&reader.file);
	pieces_clear(&reader.pieces);
	return good ? SYMBOL_READ : SYMBOL_MISSING;
}

const struct symbol_format symbol_format_coff = {"TI COFF", coff_claims, read_coff};
