#include "classic/host/symbol/ti/coff_file.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/table.h"

enum {
	HEADER_BYTES = 22,     /* version 0 has no target id at the end: 20 */
	HEADER_BYTES_0 = 20,
	OPTIONAL_BYTES = 28,
	SECTION_BYTES_2 = 48,  /* version 2 */
	SECTION_BYTES_01 = 40, /* versions 0 and 1: counts and flags of 16 bits */
	ENTRY_BYTES = 18,
	SHORT_NAME_BYTES = 8,
};
/* The largest programs have some hundred thousand entries. The limit keeps a sparse file from costing the memory that it claims. */
#define ENTRIES_MAX (16u << 20)

enum { FILE_LINKED = 2, FILE_ORDERS = 0x300 };
enum {
	SECTION_DUMMY = 1,
	SECTION_NOT_LOADED = 2,
	SECTION_COPY = 0x10,
	SECTION_TEXT = 0x20,
	SECTION_BSS = 0x80,
	SECTION_ALIGN = 0xF00
};

static uint32_t get_16(const struct coff_file *file, const uint8_t *p)
{
	return file->is_big ? (uint32_t)p[0] << 8 | p[1] : get_u16(p);
}

static uint32_t get_32(const struct coff_file *file, const uint8_t *p)
{
	return file->is_big ? get_16(file, p) << 16 | get_16(file, p + 2) : get_u32(p);
}

static bool is_target(uint32_t id)
{
	static const uint8_t ids[] = {
		0x92, /* C2x, C5x */
		0x93, /* C3x, C4x */
		0x97, /* TMS470: ARM */
		0x98, /* C54x */
		0x99, /* C6000 */
		0x9C, /* C55x */
		0x9D, /* C28x */
		0xA0, /* MSP430 */
		0xA1, /* C55x+ */
	};

	return id <= UINT8_MAX && memchr(ids, (int)id, sizeof ids);
}

/* Returns the version if the head is COFF in this byte order, else -1. The first word alone is not enough to recognise COFF. */
static int version_of(const struct coff_file *file, struct bytes head)
{
	uint32_t magic, optional;

	if (!bytes_have(head, 0, HEADER_BYTES))
		return -1;
	magic = get_16(file, head.data);
	optional = get_16(file, head.data + 16);
	if (optional && optional != OPTIONAL_BYTES)
		return -1;
	if (magic == 0xC1 || magic == 0xC2)
		return is_target(get_16(file, head.data + 20)) ? (int)magic - 0xC0 : -1;
	return is_target(magic) && get_16(file, head.data + 2) && get_16(file, head.data + 18) & FILE_ORDERS ? 0 : -1;
}

bool coff_claims(struct bytes head)
{
	return version_of(&(struct coff_file){.is_big = false}, head) >= 0 ||
	       version_of(&(struct coff_file){.is_big = true}, head) >= 0;
}

static bool add_no_memory(const struct coff_file *file)
{
	diag_add(file->input->diag, file->input->level, file->input->path, DIAG_NO_OFFSET, "no memory for its symbols");
	return false;
}

/* Returns bytes of the file with a zero behind them, to be freed. Null and a diag: no memory. pre: the file has these bytes. */
static void *make_part(const struct coff_file *file, uint64_t offset, size_t size)
{
	char *part = malloc(size + 1);

	if (part && symbol_input_read(file->input, offset, part, size)) {
		part[size] = 0;
		return part;
	}
	free(part);
	add_no_memory(file);
	return NULL;
}

static void read_section(struct coff_file *file, uint32_t number, const uint8_t *header, uint64_t *end)
{
	struct coff_section *section = &file->sections[number];
	uint32_t address = get_32(file, header + 12), size = get_32(file, header + 16), at = get_32(file, header + 20);
	uint32_t flags = file->version == 2 ? get_32(file, header + 40) : get_16(file, header + 36);

	if (!file->is_cut && at && size && !(flags & (SECTION_DUMMY | SECTION_NOT_LOADED | SECTION_BSS)) &&
		(at > file->input->size || size > file->input->size - at))
		diag_add(file->input->diag, DIAG_WARN, file->input->path, at,
			"section %u has 0x%x bytes here (file of 0x%llx bytes): cut or corrupted", number, size,
			(unsigned long long)file->input->size);
	if (flags & (SECTION_DUMMY | SECTION_COPY) || !size)
		return;
	if (!(flags & SECTION_TEXT)) {
		section->data_low = file->is_linked ? address : 0;
		section->data_high = file->is_linked ? (uint64_t)address + size : 0;
		return;
	}
	section->base = file->is_linked ? 0 : section_lay_out(*end, UINT64_C(1) << ((flags & SECTION_ALIGN) >> 8));
	section->low = section->base + address;
	section->high = section->low + size;
	*end = section->high;
}

static bool read_sections(struct coff_file *file, uint64_t at, uint32_t count)
{
	size_t section_bytes = file->version == 2 ? SECTION_BYTES_2 : SECTION_BYTES_01;
	uint64_t room = at < file->input->size ? (file->input->size - at) / section_bytes : 0, end = 0;
	uint8_t *headers;

	if (count > room) {
		diag_add(file->input->diag, DIAG_WARN, file->input->path, at,
			"headers of %u sections exceed the file (0x%llx bytes): cut or corrupted", count,
			(unsigned long long)file->input->size);
		count = (uint32_t)room;
		file->is_cut = true; /* later problems of this file need no message of their own */
	}
	file->sections = calloc(count + 1, sizeof *file->sections);
	if (!file->sections)
		return add_no_memory(file);
	file->section_count = count;
	headers = count ? make_part(file, at, count * section_bytes) : NULL;
	for (uint32_t i = 0; headers && i < count; i++)
		read_section(file, i + 1, headers + i * section_bytes, &end);
	free(headers);
	return headers || !count;
}

static bool read_entries(struct coff_file *file)
{
	uint64_t size = file->input->size, room = file->table_at < size ? (size - file->table_at) / ENTRY_BYTES : 0;

	file->count = file->claimed_count;
	if (file->count > room) {
		diag_add(file->input->diag, DIAG_WARN, file->input->path, file->table_at,
			"symbol table of %u entries of %d bytes exceeds the file (0x%llx bytes): cut or corrupted", file->count, ENTRY_BYTES,
			(unsigned long long)size);
		file->count = (uint32_t)room;
		file->is_cut = true;
	}
	if (file->count > ENTRIES_MAX) {
		diag_add(file->input->diag, DIAG_WARN, file->input->path, file->table_at,
			"symbol table of %u entries, at most %u are read", file->count, ENTRIES_MAX);
		file->count = ENTRIES_MAX;
		file->is_cut = true;
	}
	if (!file->count)
		return true;
	file->entries = make_part(file, file->table_at, (size_t)file->count * ENTRY_BYTES);
	file->short_names = malloc((size_t)file->count * (SHORT_NAME_BYTES + 1) + 1);
	if (file->entries && !file->short_names)
		add_no_memory(file);
	return file->entries && file->short_names;
}

/* Reads the string table, which follows the symbols. The first word is the length of the table, the first word included. */
static bool read_strings(struct coff_file *file)
{
	uint64_t at = (uint64_t)file->table_at + (uint64_t)file->claimed_count * ENTRY_BYTES, size = file->input->size;
	uint8_t length[4];

	if (!file->count || file->count < file->claimed_count || !symbol_input_read(file->input, at, length, sizeof length))
		return true; /* files without a long name may end here */
	file->string_bytes = get_32(file, length);
	if (file->string_bytes > size - at) {
		diag_add(file->input->diag, DIAG_WARN, file->input->path, at,
			"string table of 0x%zx bytes exceeds the file (0x%llx bytes): cut or corrupted", file->string_bytes,
			(unsigned long long)size);
		file->string_bytes = (size_t)(size - at);
	}
	file->strings = make_part(file, at, file->string_bytes);
	return file->strings != NULL;
}

bool coff_open(struct coff_file *file, const struct symbol_input *input)
{
	const uint8_t *head = input->head.data;
	uint32_t section_count, header_bytes;
	int version;

	*file = (struct coff_file){.input = input, .cut_at = UINT32_MAX};
	version = version_of(file, input->head);
	if (version < 0) {
		file->is_big = true;
		version = version_of(file, input->head);
	}
	if (version < 0)
		return false;
	file->version = (uint32_t)version;
	section_count = get_16(file, head + 2);
	file->table_at = get_32(file, head + 8);
	file->claimed_count = file->table_at ? get_32(file, head + 12) : 0;
	header_bytes = (version ? HEADER_BYTES : HEADER_BYTES_0) + get_16(file, head + 16);
	file->is_linked = get_16(file, head + 18) & FILE_LINKED;
	return read_sections(file, header_bytes, section_count) && read_entries(file) && read_strings(file);
}

void coff_close(struct coff_file *file)
{
	free(file->sections);
	free(file->entries);
	free(file->strings);
	free(file->short_names);
}

static const char *name_of(struct coff_file *file, uint32_t index, const uint8_t *entry)
{
	char *name = file->short_names + (size_t)index * (SHORT_NAME_BYTES + 1);
	uint32_t offset = get_32(file, entry + 4);

	if (!get_u32(entry) && !offset)
		return "";
	if (!get_u32(entry))
		return offset >= 4 && offset < file->string_bytes ? file->strings + offset : NULL;
	memcpy(name, entry, SHORT_NAME_BYTES);
	name[SHORT_NAME_BYTES] = 0;
	return name;
}

uint64_t coff_offset(const struct coff_file *file, uint32_t index)
{
	return file->table_at + (uint64_t)index * ENTRY_BYTES;
}

bool coff_next(struct coff_file *file, uint32_t *index, struct coff_entry *entry)
{
	const uint8_t *bytes;

	if (*index >= file->count)
		return false;
	bytes = file->entries + (size_t)*index * ENTRY_BYTES;
	*entry = (struct coff_entry){.index = *index,
		.name = name_of(file, *index, bytes),
		.value = get_32(file, bytes + 8),
		.section = (int16_t)get_16(file, bytes + 12),
		.type = (uint16_t)get_16(file, bytes + 14),
		.storage_class = bytes[16],
		.aux_count = bytes[17]};
	if (entry->aux_count > file->count - *index - 1) {
		file->cut_at = *index;
		return false;
	}
	if (entry->aux_count) {
		entry->aux_first = get_32(file, bytes + ENTRY_BYTES);
		entry->aux_second = get_32(file, bytes + ENTRY_BYTES + 4);
	}
	*index += 1u + entry->aux_count;
	return true;
}
