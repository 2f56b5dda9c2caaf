/* dwarf_file: opens debug information and finds the units at an address. libdw searches all units, unless the file has an index,
 * which compilers need not write. So this code sorts the ranges of all units once. */
#include "symbol/debug/dwarf_file.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cfi/packed.h"
#include "symbol/build_cache.h"
#include "symbol/build_id.h"
#include "symbol/debug/debug_file.h"
#include "symbol/elf_file.h"
#include "util/array.h"
#include "util/foreign_file.h"
#include "util/sorted.h"

/* Limits for hostile files, in which all units may claim the same long list. The largest programs have some hundred thousand. */
#define RANGES_MAX (1u << 22)
#define UNITS_MAX (1u << 20)
/* Ranges that a search visits: only hostile files have more at one address. */
#define SEARCH_MAX 64u

struct dwarf_range {
	uint64_t low, high; /* [low, high) */
	uint64_t reach;     /* the largest high of the ranges up to here: a search
			       downwards stops where reach is not above the address */
	uint32_t unit;
};

/* Closes what open_file has opened, in whole or in part. */
static void close_file(struct dwarf_file *file)
{
	dwarf_end(file->dwarf);
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	file->dwarf = NULL;
	file->elf = NULL;
	file->fd = -1;
}

/* Returns whether the string sections end with a zero. libdw assumes
 * that, and would read on behind a section where the byte was changed. */
static bool texts_are_terminated(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		Elf_Data *data;

		if (!name || (strcmp(name, ".debug_str") && strcmp(name, ".debug_line_str")) || header.sh_type == SHT_NOBITS)
			continue;
		if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
			return false;
		data = elf_rawdata(section, NULL);
		if (!data || (data->d_size && (!data->d_buf || ((const char *)data->d_buf)[data->d_size - 1])))
			return false;
	}
	return true;
}

/* Returns whether the file that shares debug information with this one (.gnu_debugaltlink, made by dwz) cannot hang libdw, which
 * opens the shared file by name, relative to the folder of the first. */
static bool shared_file_is_harmless(Dwarf *dwarf, const char *path)
{
	char whole[PATH_MAX + 1], other[2 * PATH_MAX];
	const char *name = NULL;
	struct stat info;
	const void *id;

	if (!dwarf || dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0 || !name || !realpath(path, whole))
		return true;
	snprintf(other, sizeof other, "%.*s%s", *name == '/' ? 0 : (int)(strrchr(whole, '/') + 1 - whole), whole, name);
	return stat(other, &info) < 0 || S_ISREG(info.st_mode);
}

/* Returns false if the file cannot be opened or is no ELF file; true with dwarf null if it has no usable debug information. */
static bool open_file(struct dwarf_file *file, const char *path, struct diag *diag)
{
	struct stat info;

	file->fd = foreign_file_open(path, &info);
	if (file->fd < 0)
		return false;
	file->elf = make_elf(file->fd);
	if (!file->elf)
		return false;
	if (!packed_file_is_plausible(file->elf, file->fd, (uint64_t)info.st_size)) {
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "its debug sections " PACKED_TOO_DENSE_TEXT);
		return true;
	}
	if (!texts_are_terminated(file->elf))
		return true; /* open, but without debug information */
	file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	if (!shared_file_is_harmless(file->dwarf, path)) {
		dwarf_end(file->dwarf);
		file->dwarf = NULL;
	}
	return true;
}

static bool is_wanted_build(const struct dwarf_file *file, const struct symbol_request *request)
{
	char found[BUILD_ID_TEXT_BYTES];

	return !request || elf_is_build(file->elf, request->build_id, request->build_id_bytes, found);
}

/* Opens the program itself if it has debug information, else the separate debug file. */
static void open_program_or_debug_file(
	struct dwarf_file *file, const char *path, const struct symbol_request *request, struct diag *diag)
{
	char *debug = NULL, kept[PATH_MAX];

	if (request)
		path = build_cache_find(path, request->build_id, request->build_id_bytes, kept);
	if (open_file(file, path, diag) && is_wanted_build(file, request) && !file->dwarf)
		debug = make_debug_path(file->elf, path, diag);
	else if (file->dwarf && is_wanted_build(file, request))
		return;
	close_file(file);
	if (debug && !open_file(file, debug, diag))
		close_file(file);
	free(debug);
}

static bool add_unit(struct dwarf_file *file, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	if (file->unit_count >= UNITS_MAX ||
		!array_reserve(&file->units, &file->unit_capacity, file->unit_count + 1, sizeof *file->units))
		return false;
	file->units[file->unit_count] = *unit;
	while ((offset = dwarf_ranges(unit, offset, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		if (file->range_count >= RANGES_MAX ||
			!array_reserve(&file->ranges, &file->range_capacity, file->range_count + 1, sizeof *file->ranges))
			return false;
		file->ranges[file->range_count++] =
			(struct dwarf_range){.low = low, .high = high, .unit = (uint32_t)file->unit_count};
	}
	file->unit_count++;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct dwarf_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->unit < right->unit ? -1 : left->unit > right->unit;
}

static void read_units(struct dwarf_file *file)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint64_t reach = 0;

	while (file->dwarf && dwarf_get_units(file->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
		if (dwarf_tag(&die) && !add_unit(file, &die))
			break;
	if (file->range_count)
		qsort(file->ranges, file->range_count, sizeof *file->ranges, by_address);
	for (size_t i = 0; i < file->range_count; i++) {
		reach = file->ranges[i].high > reach ? file->ranges[i].high : reach;
		file->ranges[i].reach = reach;
	}
}

void dwarf_file_open(struct dwarf_file *file, const char *path, const struct symbol_request *request, struct diag *diag)
{
	struct stat stat;

	*file = (struct dwarf_file){.fd = -1};
	if (path[0] != '[') /* "[vdso]": code that is in no file */
		open_program_or_debug_file(file, path, request, diag);
	if (file->fd >= 0 && fstat(file->fd, &stat) == 0)
		file->bytes = (uint64_t)stat.st_size;
	read_units(file);
}

void dwarf_file_close(struct dwarf_file *file)
{
	close_file(file);
	free(file->units);
	free(file->ranges);
	*file = (struct dwarf_file){.fd = -1};
}

struct dwarf_search dwarf_file_search(const struct dwarf_file *file, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct dwarf_range, low, file->ranges, file->range_count, address);

	return (struct dwarf_search){.address = address, .at = count};
}

uint32_t dwarf_file_next(const struct dwarf_file *file, struct dwarf_search *search)
{
	while (search->at && search->visited_count < SEARCH_MAX && file->ranges[search->at - 1].reach > search->address) {
		const struct dwarf_range *range = &file->ranges[--search->at];

		search->visited_count++;
		if (search->address < range->high)
			return range->unit + 1;
	}
	return 0;
}
