/* file: reads the unwind tables of a file, and finds the rule for an address (file.h). Opening a file sorts the entries. The first
 * query computes the rule for an address; a cache keeps it, since samples hit few places of a program. */
#include "unwind/file.h"

#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "cfi/packed.h"
#include "cfi/section.h"
#include "unwind/cfi.h"
#include "util/array.h"
#include "util/foreign_file.h"
#include "util/sorted.h"

#define CACHE_BITS 9

struct cached {
	uint64_t address;
	struct rule rule;
	bool used, known; /* the element has a result for the address; the result is a rule */
};

struct unwind_file {
	const struct cpu *cpu;
	struct cfi_sections sections;
	struct cfi_entry *entries; /* by low */
	size_t count, capacity;
	struct cached cache[1 << CACHE_BITS];
};

static int compare_entries(const void *a, const void *b)
{
	const struct cfi_entry *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->section > y->section) - (x->section < y->section);
}

static bool add_entries(struct unwind_file *file)
{
	struct cfi_entry entry;

	for (uint32_t i = 0; i < file->sections.count; i++)
		for (uint64_t offset = 0; cfi_next(&file->sections.list[i], &offset, &entry);) {
			if (entry.high <= entry.low)
				continue;
			if (!array_reserve(&file->entries, &file->capacity, file->count + 1, sizeof *file->entries))
				return false;
			entry.section = i;
			file->entries[file->count++] = entry;
		}
	return true;
}

/* Returns the file's processor; null: dwell cannot unwind its stacks. */
static const struct cpu *find_cpu(Elf *elf)
{
	GElf_Ehdr header;
	const struct cpu *cpu;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	cpu = cpu_find(header.e_machine);
	return cpu && cpu->pointer_bytes ? cpu : NULL;
}

/* Adds a warning that the file's tables cannot be used. what: the reason. */
static void add_warning(struct diag *diag, const char *path, const char *what)
{
	if (diag)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "%s: callers cannot be found through it", what);
}

struct unwind_file *make_unwind_file(const char *path, struct diag *diag)
{
	int fd = foreign_file_open(path, NULL);
	const struct cpu *cpu;
	struct unwind_file *file = NULL;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	cpu = elf && elf_kind(elf) == ELF_K_ELF ? find_cpu(elf) : NULL;
	if (!cpu) {
		add_warning(diag, path, fd < 0 ? "cannot be opened" : "is no ELF file of a processor whose stacks are known");
	} else if (!(file = calloc(1, sizeof *file))) {
		add_warning(diag, path, "there is no memory for its tables");
	} else {
		file->cpu = cpu;
		if (!cfi_sections_read(&file->sections, elf, cpu->pointer_bytes) || !add_entries(file)) {
			add_warning(diag, path, "there is no memory for its tables");
			free_unwind_file(file);
			file = NULL;
		} else {
			if (file->sections.left_out)
				add_warning(diag, path, "the bytes of .debug_frame " PACKED_TOO_DENSE_TEXT);
			if (file->count)
				qsort(file->entries, file->count, sizeof *file->entries, compare_entries);
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return file;
}

void free_unwind_file(struct unwind_file *file)
{
	if (!file)
		return;
	cfi_sections_clear(&file->sections);
	free(file->entries);
	free(file);
}

const struct cpu *unwind_file_cpu(const struct unwind_file *file)
{
	return file->cpu;
}

static const struct cfi_entry *find_entry(const struct unwind_file *file, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct cfi_entry, low, file->entries, file->count, address);

	return count && address < file->entries[count - 1].high ? &file->entries[count - 1] : NULL;
}

bool unwind_file_find(const struct unwind_file *file, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct cfi_entry *entry = find_entry(file, address);

	if (!entry)
		return false;
	*low = entry->low;
	*high = entry->high;
	return true;
}

const struct rule *unwind_file_rule(struct unwind_file *file, uint64_t address)
{
	struct cached *cached = &file->cache[address * 0x9e3779b97f4a7c15u >> (64 - CACHE_BITS)];
	const struct cfi_entry *entry;

	if (!cached->used || cached->address != address) {
		entry = find_entry(file, address);
		cached->used = true;
		cached->address = address;
		cached->known =
			entry && cfi_get_rule(&file->sections.list[entry->section], file->cpu, entry, address, &cached->rule);
	}
	return cached->known ? &cached->rule : NULL;
}
