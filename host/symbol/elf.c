/* elf: reads the symbols of ELF files through libelf: .symtab and .dynsym, 32 and 64 bit, either byte order, linked or not. */
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi/packed.h"
#include "cpu/cpu.h"
#include "symbol/build_id.h"
#include "symbol/debug/debug_file.h"
#include "symbol/debug/mini_debug.h"
#include "symbol/eh_frame.h"
#include "symbol/elf_file.h"
#include "symbol/format.h"
#include "symbol/linkage.h"
#include "classic/host/symbol/ti/ti_name.h"
#include "util/array.h"
#include "util/foreign_file.h"

#ifndef EM_TI_C6000
#define EM_TI_C6000 140
#endif

/* A section of the file, by number. */
struct section {
	uint64_t low; /* address in the symbol table's address space */
	uint64_t base; /* added to a symbol's value: 0 in linked files */
	bool is_text;
};

#define SEARCHED_SECTIONS_MAX 256u /* see last_section */

struct elf_reader {
	const struct symbol_input *input;
	struct symbol_table *table;
	Elf *elf;
	GElf_Ehdr header;
	struct section *sections;
	uint64_t *section_ends; /* for symbol_table_finish */
	size_t section_count;
	bool is_partial; /* symbols of some functions are missing: a table is empty, damaged or cut, or .symtab has no function */
	size_t outside_section_count; /* number of functions outside of their section, or of a section that does not exist */
};

static bool claims(struct bytes head)
{
	return bytes_have(head, 0, SELFMAG) && !memcmp(head.data, ELFMAG, SELFMAG);
}

/* Reports damage; the rest of the file is still read. */
static void add_damage(const struct elf_reader *reader, uint64_t offset, const char *what)
{
	diag_add(reader->input->diag, DIAG_WARN, reader->input->path, offset, "%s (file of 0x%llx bytes): cut or corrupted", what,
		(unsigned long long)reader->input->size);
}

static bool add_no_memory(const struct elf_reader *reader)
{
	diag_add(reader->input->diag, reader->input->level, reader->input->path, DIAG_NO_OFFSET, "no memory for its symbols");
	return false;
}

/* Reports code beyond the end of the file; the names may be right nevertheless. */
static void check_bytes(const struct elf_reader *reader, size_t number, const GElf_Shdr *header)
{
	uint64_t size = reader->input->size;

	if (header->sh_type != SHT_NOBITS && (header->sh_offset > size || header->sh_size > size - header->sh_offset))
		diag_add(reader->input->diag, DIAG_WARN, reader->input->path, header->sh_offset,
			"section %zu has 0x%llx bytes here (file of 0x%llx bytes): cut or corrupted", number,
			(unsigned long long)header->sh_size, (unsigned long long)size);
}

static bool read_sections(struct elf_reader *reader)
{
	bool is_linked = reader->header.e_type != ET_REL;
	uint64_t end = 0;
	size_t count;

	if (elf_getshdrnum(reader->elf, &count))
		count = 0;
	if (reader->header.e_shoff && !count) /* libelf reports no section headers if the file cuts them */
		add_damage(reader, reader->header.e_shoff, "section headers exceed the file");
	reader->sections = calloc(count + 1, sizeof *reader->sections);
	reader->section_ends = calloc(count + 1, sizeof *reader->section_ends);
	if (!reader->sections || !reader->section_ends)
		return add_no_memory(reader);
	reader->section_count = count;
	for (size_t i = 1; i < count; i++) {
		struct section *section = &reader->sections[i];
		GElf_Shdr header;

		if (!gelf_getshdr(elf_getscn(reader->elf, i), &header) || !(header.sh_flags & SHF_EXECINSTR) || !header.sh_size)
			continue;
		check_bytes(reader, i, &header);
		section->base = is_linked ? 0 : section_lay_out(end, header.sh_addralign);
		section->low = section->base + header.sh_addr;
		if (section->low > UINT64_MAX - header.sh_size)
			continue;
		reader->section_ends[i] = end = section->low + header.sh_size;
		section->is_text = true;
	}
	return true;
}

/* Returns whether the name does not belong to a function: a mark for disassemblers ($a, $t, $d, $x; RISC-V appends an architecture)
 * or a label of a compiler. */
static bool is_marker_name(const struct elf_reader *reader, const char *name)
{
	const struct cpu *cpu = cpu_find(reader->header.e_machine);

	if (cpu && cpu->marks && name[0] == '$' && name[1] && strchr(cpu->marks, name[1]) &&
		(!name[2] || name[2] == '.' || cpu->marks_have_suffixes))
		return true;
	if (reader->header.e_machine == EM_TI_C6000 && ti_name_is_noise(name))
		return true;
	return name[0] == '.' && name[1] == 'L';
}

static uint32_t rank_of(const GElf_Sym *symbol, bool is_label)
{
	uint32_t bind = GELF_ST_BIND(symbol->st_info);
	uint32_t rank = bind == STB_LOCAL ? RAW_LOCAL : bind == STB_WEAK ? RAW_WEAK : RAW_GLOBAL;

	return is_label ? RAW_LABEL + rank : rank;
}

/* Files of Texas Instruments' linkers have symbols for sections, and for each piece from an object file. Most sizes are 0,
 * and those of newer linkers reach into the next function. So the next symbol, even of a piece, gives the better end. */
static void correct_ti(struct raw_symbol *raw, uint32_t type)
{
	raw->size = 0;
	if (type == STT_SECTION || *raw->name == '.')
		raw->rank = RAW_SECTION;
	else if (ti_name_is_stop(raw->name))
		raw->rank = RAW_STOP;
}

/* Adds a symbol; skips symbols that are not functions. False: no memory. */
static bool add_symbol(struct elf_reader *reader, const GElf_Sym *symbol, size_t section, const char *name)
{
	uint32_t type = GELF_ST_TYPE(symbol->st_info);
	uint64_t address = symbol->st_value;
	bool is_ti = reader->header.e_machine == EM_TI_C6000;
	struct raw_symbol raw;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE && !(is_ti && type == STT_SECTION))
		return true;
	if (section >= reader->section_count) {
		reader->outside_section_count += type != STT_NOTYPE && type != STT_SECTION;
		return true;
	}
	if (!section || !reader->sections[section].is_text)
		return true;
	if (!name[0] || is_marker_name(reader, name))
		return true;
	if (type != STT_NOTYPE && reader->table->has_state_bit)
		address &= ~1ull;
	address += reader->sections[section].base;
	if (address < reader->sections[section].low || address >= reader->section_ends[section]) {
		/* Marks such as _etext may lie behind the last instruction. A mark has no type; or it has the type of a function,
		 * size 0, and the address of the section's end. Counts the other symbols with the type of a function. */
		reader->outside_section_count += type != STT_NOTYPE && type != STT_SECTION &&
			(symbol->st_size || address != reader->section_ends[section]);
		return true;
	}
	raw = (struct raw_symbol){address, symbol->st_size, name, (uint32_t)section, rank_of(symbol, type == STT_NOTYPE)};
	if (is_ti)
		correct_ti(&raw, type);
	return symbol_table_add(reader->table, &raw);
}

/* Returns a copy of the string section plus a zero byte; the table owns the copy. Null: damage or no memory. */
static const char *copy_strings(struct elf_reader *reader, size_t index, size_t *bytes)
{
	Elf_Scn *section = elf_getscn(reader->elf, index);
	GElf_Shdr header;
	Elf_Data *data;
	char *strings;

	if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_STRTAB) {
		add_damage(reader, DIAG_NO_OFFSET, "the symbol table names no string table");
		return NULL;
	}
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf) {
		add_damage(reader, header.sh_offset, "string table exceeds the file");
		return NULL;
	}
	strings = malloc(data->d_size + 1);
	if (!strings) {
		add_no_memory(reader);
		return NULL;
	}
	memcpy(strings, data->d_buf, data->d_size);
	strings[data->d_size] = 0;
	reader->table->strings[reader->table->string_count++] = strings;
	*bytes = data->d_size;
	return strings;
}

/* Returns the section indices of symbols, in files with more than 65279 sections. Null: none. */
static Elf_Data *get_wide_indices(Elf *elf, size_t symbols_index)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB_SHNDX && header.sh_link == symbols_index)
			return elf_getdata(section, NULL);
	return NULL;
}

static void read_symbols(struct elf_reader *reader, Elf_Scn *section, const GElf_Shdr *header)
{
	size_t entry_bytes = gelf_fsize(reader->elf, ELF_T_SYM, 1, EV_CURRENT), count, string_bytes = 0, bad_names = 0;
	Elf_Data *data = elf_getdata(section, NULL), *wide;
	bool was_partial = reader->is_partial;
	const char *strings;

	reader->is_partial = true;
	if (!header->sh_size)
		return;
	if (!data || !data->d_buf || data->d_type != ELF_T_SYM) {
		add_damage(reader, header->sh_offset, "symbol table exceeds the file");
		return;
	}
	strings = copy_strings(reader, header->sh_link, &string_bytes);
	if (!strings)
		return;
	wide = get_wide_indices(reader->elf, elf_ndxscn(section));
	count = header->sh_size / entry_bytes;
	for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
		GElf_Sym symbol;
		Elf32_Word wide_index = 0;

		if (!gelf_getsymshndx(data, wide, (int)i, &symbol, &wide_index))
			break;
		if (symbol.st_name >= string_bytes) {
			bad_names++;
			continue;
		}
		if (symbol.st_shndx == SHN_XINDEX ? !wide_index : symbol.st_shndx >= SHN_LORESERVE)
			continue;
		if (!add_symbol(reader, &symbol, symbol.st_shndx == SHN_XINDEX ? wide_index : symbol.st_shndx,
			    strings + symbol.st_name)) {
			add_no_memory(reader);
			return;
		}
	}
	if (reader->outside_section_count)
		diag_add(reader->input->diag, DIAG_WARN, reader->input->path, header->sh_offset,
			"%zu of %zu symbols are of functions outside of the section that they name: not used", reader->outside_section_count, count);
	reader->is_partial = was_partial || reader->outside_section_count || bad_names;
	reader->outside_section_count = 0;
	if (bad_names)
		diag_add(reader->input->diag, DIAG_WARN, reader->input->path, header->sh_offset,
			"%zu of %zu symbols have names beyond the string table: corrupted", bad_names, count);
}

/* Reads the first table of each kind: real files have no more, and a hostile file
 * could use up memory with them. Returns whether .symtab is there, and no table of the file lacks functions (is_partial). */
static bool read_tables(struct elf_reader *reader)
{
	bool seen_full = false, seen_dynamic = false;
	Elf_Scn *section = NULL;
	size_t before;

	while ((section = elf_nextscn(reader->elf, section))) {
		GElf_Shdr header;
		bool *seen;

		if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		seen = header.sh_type == SHT_SYMTAB ? &seen_full : &seen_dynamic;
		if (*seen)
			continue;
		*seen = true;
		before = reader->table->raw_count;
		read_symbols(reader, section, &header);
		reader->is_partial |= header.sh_type == SHT_SYMTAB && reader->table->raw_count == before; /* no function in it */
	}
	return seen_full && !reader->is_partial;
}

/* Reads the symbols of a stripped file from the debug file, whose sections have the same addresses. The symbols of the debug file
 * replace the symbols of the stripped file, since the debug file has all symbols. Returns whether the debug file's .symtab is
 * complete. */
static bool read_separate_tables(struct elf_reader *reader)
{
	bool found = false;
	struct symbol_table *table = reader->table;
	struct symbol_input input = *reader->input;
	struct elf_reader separate = {.input = &input, .table = table};
	size_t before = table->raw_count;
	char *path = make_debug_path(reader->elf, input.path, input.diag);
	struct stat info;

	input.path = path;
	input.level = DIAG_WARN;
	input.fd = path ? foreign_file_open(path, &info) : -1;
	input.size = input.fd >= 0 ? (uint64_t)info.st_size : 0;
	separate.elf = input.fd >= 0 ? make_elf(input.fd) : NULL;
	if (separate.elf && gelf_getehdr(separate.elf, &separate.header) && read_sections(&separate)) {
		found = read_tables(&separate);
		if (table->raw_count > before) {
			uint64_t *ends = reader->section_ends;

			memmove(table->raw, table->raw + before, (table->raw_count - before) * sizeof *table->raw);
			table->raw_count -= before;
			reader->section_ends = separate.section_ends;
			separate.section_ends = ends;
			reader->section_count = separate.section_count;
			free(reader->sections);
			reader->sections = separate.sections;
			separate.sections = NULL;
		}
	}
	elf_end(separate.elf);
	if (input.fd >= 0)
		close(input.fd);
	free(separate.sections);
	free(separate.section_ends);
	free(path);
	return found;
}

/* Returns the section with code at the address, of those up to `last`; 0: none. */
static uint32_t find_section(const struct elf_reader *reader, size_t last, uint64_t address)
{
	for (size_t i = 1; i <= last; i++)
		if (reader->sections[i].is_text && address >= reader->sections[i].low && address < reader->section_ends[i])
			return (uint32_t)i;
	return 0;
}

/* Returns the last section to search for symbols. Linked files have few sections; a hostile file may have as many as symbols. */
static size_t last_section(const struct elf_reader *reader)
{
	size_t count = reader->section_count ? reader->section_count - 1 : 0;

	return count < SEARCHED_SECTIONS_MAX ? count : SEARCHED_SECTIONS_MAX;
}

/* Gives the raw symbols from `before` on the numbers of the program's sections. The symbols come from another file with the same
 * addresses. Drops symbols outside of all sections. */
static void move_to_sections(struct elf_reader *reader, size_t before)
{
	struct symbol_table *table = reader->table;
	size_t kept = before, last = last_section(reader);
	uint32_t section = 0;

	for (size_t i = before; i < table->raw_count; i++) {
		struct raw_symbol *raw = &table->raw[i];

		if (!section || raw->address < reader->sections[section].low || raw->address >= reader->section_ends[section])
			section = find_section(reader, last, raw->address);
		raw->section = section;
		if (section)
			table->raw[kept++] = *raw;
	}
	table->raw_count = kept;
}

/* Adds the symbols of .gnu_debugdata. */
static void read_mini_tables(struct elf_reader *reader)
{
	struct symbol_input input = *reader->input;
	struct elf_reader mini = {.input = &input, .table = reader->table};
	size_t before = reader->table->raw_count, bytes = 0;
	char *file = make_mini_debug(reader->elf, reader->input, &bytes), *path = NULL;

	if (!file)
		return;
	if (asprintf(&path, "%s(.gnu_debugdata)", reader->input->path) < 0)
		path = NULL;
	input.path = path ? path : input.path;
	input.size = bytes;
	mini.elf = elf_memory(file, bytes);
	if (mini.elf && gelf_getehdr(mini.elf, &mini.header) && mini.header.e_type != ET_REL && read_sections(&mini))
		read_tables(&mini);
	else
		diag_add(input.diag, DIAG_WARN, input.path, 0, "is no linked ELF file: its symbols are not used");
	move_to_sections(reader, before);
	elf_end(mini.elf);
	free(mini.sections);
	free(mini.section_ends);
	free(path);
	free(file);
}

/* Reads functions of a file with incomplete symbols and without a debug file. False: no memory. */
static bool read_substitutes(struct elf_reader *reader, const char **left_out)
{
	read_mini_tables(reader);
	return read_eh_frame(reader->elf, reader->table, left_out);
}

static bool is_wanted_build(const struct elf_reader *reader)
{
	const struct symbol_request *request = reader->input->request;
	char found[BUILD_ID_TEXT_BYTES], wanted[BUILD_ID_TEXT_BYTES];

	if (elf_is_build(reader->elf, request->build_id, request->build_id_bytes, found))
		return true;
	format_build_id(wanted, request->build_id, request->build_id_bytes);
	diag_add(reader->input->diag, reader->input->level, reader->input->path, DIAG_NO_OFFSET,
		"is another build: build-id %s, expected %s; its names are not used", found, wanted);
	return false;
}

static enum symbol_state read_elf_symbols(struct elf_reader *reader)
{
	const char *left_out = NULL;
	const struct cpu *cpu;

	if (!gelf_getehdr(reader->elf, &reader->header)) {
		diag_add(reader->input->diag, reader->input->level, reader->input->path, 0, "damaged ELF header");
		return SYMBOL_FOREIGN;
	}
	cpu = cpu_find(reader->header.e_machine);
	reader->table->pointer_bytes = gelf_getclass(reader->elf) == ELFCLASS32 ? 4 : 8;
	reader->table->has_state_bit = cpu && cpu->has_state_bit;
	reader->table->is_position_independent = reader->header.e_type == ET_DYN;
	if (!is_wanted_build(reader))
		return SYMBOL_MISMATCHED;
	if (!read_sections(reader))
		return SYMBOL_MISSING;
	if (!read_tables(reader) && !read_separate_tables(reader) && !read_substitutes(reader, &left_out))
		add_no_memory(reader);
	if (!read_linkage(reader->elf, reader->table))
		add_no_memory(reader);
	if (left_out)
		diag_add(reader->input->diag, DIAG_WARN, reader->input->path, DIAG_NO_OFFSET, "the bytes of %s " PACKED_TOO_DENSE_TEXT, left_out);
	if (!symbol_table_finish(reader->table, reader->section_ends))
		add_no_memory(reader);
	return SYMBOL_READ;
}

static enum symbol_state read_elf(const struct symbol_input *input, struct symbol_table *table)
{
	struct elf_reader reader = {.input = input, .table = table, .elf = make_elf(input->fd)};
	enum symbol_state state;

	if (!reader.elf) {
		diag_add(input->diag, input->level, input->path, 0, "damaged ELF header: %s", elf_errmsg(-1));
		return SYMBOL_FOREIGN;
	}
	state = read_elf_symbols(&reader);
	elf_end(reader.elf);
	free(reader.sections);
	free(reader.section_ends);
	return state;
}

const struct symbol_format symbol_format_elf = {"ELF", claims, read_elf};
