/* object: reads a program's variables (object.h). */
#include "symbol/object.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classic/host/doors.h"
#include "symbol/elf_file.h"
#include "symbol/object_inner.h"
#include "util/diag.h"
#include "util/foreign_file.h"

/* Returns whether the section is in memory and is not code. */
static bool is_data(Elf *elf, size_t section)
{
	GElf_Shdr header;

	return section && section < SHN_LORESERVE && gelf_getshdr(elf_getscn(elf, section), &header) &&
	       (header.sh_flags & SHF_ALLOC) && !(header.sh_flags & SHF_EXECINSTR);
}

static void read_symbols(struct object_table *table, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	size_t entry_bytes = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (size_t i = 1; data && i < header->sh_size / entry_bytes && i <= INT32_MAX && gelf_getsym(data, (int)i, &symbol); i++) {
		uint32_t type = GELF_ST_TYPE(symbol.st_info);
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if ((type != STT_OBJECT && type != STT_NOTYPE) || !name || !*name || *name == '$' || !is_data(elf, symbol.st_shndx))
			continue;
		if (!object_table_add(table, &(struct object){.address = symbol.st_value,
						.size = symbol.st_size,
						.name = (char *)name,
						.is_global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL}))
			return;
	}
}

static void read_elf(struct object_table *table, int fd)
{
	Elf *elf = make_elf(fd);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) {
			read_symbols(table, elf, section, &header);
			break;
		}
	elf_end(elf);
}

/* Of several objects at one address, lookups find the last: a global one if possible, and then the first in byte order. */
static int by_address(const void *a, const void *b)
{
	const struct object *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->is_global != right->is_global)
		return left->is_global ? 1 : -1;
	return -strcmp(left->name, right->name);
}

/* Sets the sizes of variables with a known end of their memory area: up to that end, or to the next object. pre: sorted. */
static void find_sizes(struct object_table *table)
{
	uint64_t next = UINT64_MAX, behind = UINT64_MAX; /* next: the current address; behind: the next higher one with an object */

	for (size_t i = table->count; i-- > 0;) {
		struct object *object = &table->list[i];

		if (object->address != next) {
			behind = next;
			next = object->address;
		}
		if (object->end > object->address)
			object->size = (object->end < behind ? object->end : behind) - object->address;
	}
}

/* Reads the formats that libelf does not support. */
static void read_ti_variables(struct object_table *table, const char *path, int fd, uint64_t size)
{
	uint8_t head[SYMBOL_HEAD_BYTES];
	const struct symbol_request any = {0};
	struct symbol_input input = {
		.fd = fd, .path = path, .size = size, .request = &any, .level = DIAG_WARN, .diag = make_diag()};
	size_t bytes = size < sizeof head ? (size_t)size : sizeof head;

	if (symbol_input_read(&input, 0, head, bytes)) {
		input.head = (struct bytes){head, bytes};
		object_table_read_ti(table, &input);
	}
	free_diag(input.diag); /* drop the diags: the code that reads the functions reports them */
}

/* Drops labels in the middle of a variable, such as __global_pointer$, which would hide the rest of the variable. */
static void drop_labels_inside(struct object_table *table)
{
	uint64_t begin = 0, end = 0; /* of the variable that reaches farthest */
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		struct object *object = &table->list[i];

		if (!object->size && object->address > begin && object->address < end) {
			free(object->name);
			continue;
		}
		if (object->size && object->size <= UINT64_MAX - object->address && object->address + object->size > end) {
			begin = object->address;
			end = object->address + object->size;
		}
		table->list[kept++] = *object;
	}
	table->count = kept;
}

struct object_table *make_object_table(const char *path)
{
	struct object_table *table = calloc(1, sizeof *table);
	struct stat status;
	int fd = table ? foreign_file_open(path, &status) : -1;

	if (fd >= 0) {
		read_elf(table, fd);
		if (!table->count)
			read_ti_variables(table, path, fd, (uint64_t)status.st_size);
	}
	if (fd >= 0)
		close(fd);
	if (!table || !table->count) {
		free_object_table(table);
		return NULL;
	}
	qsort(table->list, table->count, sizeof *table->list, by_address);
	find_sizes(table);
	drop_labels_inside(table);
	return table;
}
