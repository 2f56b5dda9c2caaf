/* inline: see inline.h. A unit's functions are gone through once, with all that is in them; what was inlined becomes a list of ranges in
 * order of address, each of which knows the one around it. Names are looked up when somebody wants them. */
#include "symbol/debug/inline.h"

#include <dwarf.h>
#include <stdlib.h>

#include "symbol/debug/dwarf_file.h"
#include "symbol/debug/inline_name.h"
#include "util/array.h"
#include "util/sorted.h"

#define NONE UINT32_MAX
/* Of all units; a file of 100 MB has some hundred thousand. */
#define RANGES_MAX (1u << 23)
/* How far a search climbs; ranges that are as they should be are no deeper than functions. */
#define CLIMB_MAX 4096u
/* How much may be looked at, in bytes of the file: so many times all of it, and a little more for small files. In files as compilers write
 * them it is twice the debug information at most, which may be compressed to a fifth. */
#define WORK_TIMES 16u
#define WORK_MIN (UINT64_C(1) << 20)

/* A function at the place that it was put into. */
struct inlined {
	Dwarf_Off die;
	uint32_t parent; /* index of the one around it in the same function; NONE: none */
	uint32_t frame;  /* index of frames plus 1; 0: not asked for yet */
};

struct inline_range {
	uint64_t low, high; /* [low, high) */
	uint32_t inlined;
	uint32_t enclosing; /* index of the range around it; NONE: none */
};

struct inline_unit {
	bool is_read;
	struct inlined *list; /* each behind the one that it is in */
	size_t count, capacity;
	struct inline_range *ranges; /* by address, those around others first */
	size_t range_count, range_capacity;
};

struct inline_table {
	struct dwarf_file file;
	struct inline_unit *units; /* as in file */
	uint64_t range_count;
	struct inline_work work;
	struct inline_frame *frames; /* name null: it has none */
	size_t frame_count, frame_capacity;
};

struct inline_table *make_inline_table(const char *path, const struct symbol_want *want, struct diag *diag)
{
	struct inline_table *table = calloc(1, sizeof *table);

	if (!table)
		return NULL;
	dwarf_file_open(&table->file, path, want, diag);
	table->work.left = table->file.bytes * WORK_TIMES + WORK_MIN;
	table->units = calloc(table->file.unit_count + 1, sizeof *table->units);
	if (table->units)
		return table;
	dwarf_file_close(&table->file);
	free(table);
	return NULL;
}

void free_inline_table(struct inline_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->file.unit_count; i++) {
		free(table->units[i].list);
		free(table->units[i].ranges);
	}
	for (size_t i = 0; i < table->frame_count; i++) {
		free((char *)table->frames[i].name);
		free((char *)table->frames[i].declared);
	}
	free(table->frames);
	free(table->units);
	dwarf_file_close(&table->file);
	free(table);
}

bool inline_table_has_units(const struct inline_table *table)
{
	return table->file.range_count;
}

bool inline_table_is_spent(const struct inline_table *table)
{
	return !table->work.left;
}

/* ---- a unit → ranges ---- */

/* False: too many, or no memory. */
static bool add(struct inline_table *table, struct inline_unit *unit, Dwarf_Die *die, uint32_t parent)
{
	uint32_t index = (uint32_t)unit->count;
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	if (unit->count >= RANGES_MAX || !array_reserve(&unit->list, &unit->capacity, unit->count + 1, sizeof *unit->list))
		return false;
	unit->list[unit->count++] = (struct inlined){.die = dwarf_dieoffset(die), .parent = parent};
	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (!inline_spend(&table->work, 2))
			return false;
		if (low >= high)
			continue;
		if (++table->range_count > RANGES_MAX ||
			!array_reserve(&unit->ranges, &unit->range_capacity, unit->range_count + 1, sizeof *unit->ranges))
			return false;
		unit->ranges[unit->range_count++] = (struct inline_range){.low = low, .high = high, .inlined = index, .enclosing = NONE};
	}
	return true;
}

/* Types have functions with code in them only where the language has no other place for these. */
static bool has_code_in_types(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return false;
	default:
		return true;
	}
}

static bool may_hold_code(Dwarf_Die *die, int tag, bool in_types)
{
	switch (tag) {
	case DW_TAG_subprogram:
		return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return in_types;
	default:
		return false;
	}
}

/* Not by recursion: how deep it goes is the file's to say. */
static void walk(struct inline_table *table, struct inline_unit *unit, Dwarf_Die *root)
{
	struct {
		Dwarf_Die die;
		uint32_t within; /* the inlined function that it is in */
	} path[INLINE_DEPTH_MAX];
	bool in_types = has_code_in_types(root);
	uint32_t depth = 0;

	if (dwarf_child(root, &path[0].die))
		return;
	path[0].within = NONE;
	for (;;) {
		Dwarf_Die *die = &path[depth].die;
		int tag = dwarf_tag(die);
		uint32_t within = tag == DW_TAG_subprogram ? NONE : path[depth].within;

		if (tag == DW_TAG_inlined_subroutine) {
			if (!add(table, unit, die, within))
				return;
			within = (uint32_t)unit->count - 1;
		}
		if (depth + 1 < INLINE_DEPTH_MAX && may_hold_code(die, tag, in_types) && dwarf_child(die, &path[depth + 1].die) == 0) {
			path[++depth].within = within;
			continue;
		}
		while (!inline_go_on(&table->work, &path[depth].die))
			if (!depth-- || !table->work.left)
				return;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct inline_range *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	if (left->high != right->high)
		return left->high > right->high ? -1 : 1;
	return left->inlined < right->inlined ? -1 : left->inlined > right->inlined;
}

static void read_unit(struct inline_table *table, struct inline_unit *unit, Dwarf_Die *root)
{
	uint32_t around = NONE;

	unit->is_read = true;
	walk(table, unit, root);
	if (unit->range_count)
		qsort(unit->ranges, unit->range_count, sizeof *unit->ranges, by_address);
	for (uint32_t i = 0; i < unit->range_count; i++) {
		while (around != NONE && unit->ranges[around].high <= unit->ranges[i].low)
			around = unit->ranges[around].enclosing;
		unit->ranges[i].enclosing = around;
		around = i;
	}
}

/* ---- an address → functions ---- */

/* The innermost at the address: index in the unit's list. */
static uint32_t find_innermost(const struct inline_unit *unit, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct inline_range, low, unit->ranges, unit->range_count, address);
	uint32_t at = count ? (uint32_t)count - 1 : NONE;

	for (uint32_t climbed = 0; at != NONE && climbed < CLIMB_MAX; climbed++) {
		if (address < unit->ranges[at].high)
			return unit->ranges[at].inlined;
		at = unit->ranges[at].enclosing;
	}
	return NONE;
}

/* Null: no memory. One without a name: nobody knows it. */
static const struct inline_frame *get_frame(struct inline_table *table, struct inlined *inlined)
{
	char *name = NULL, *declared = NULL;
	Dwarf_Die die;

	if (inlined->frame)
		return &table->frames[inlined->frame - 1];
	if (!array_reserve(&table->frames, &table->frame_capacity, table->frame_count + 1, sizeof *table->frames))
		return NULL;
	if (dwarf_offdie(table->file.dwarf, inlined->die, &die))
		inline_make_names(&table->work, &die, &name, &declared);
	table->frames[table->frame_count++] = (struct inline_frame){name, declared};
	inlined->frame = (uint32_t)table->frame_count;
	return &table->frames[table->frame_count - 1];
}

uint32_t inline_table_find(struct inline_table *table, uint64_t address, struct inline_frame frames[static INLINE_DEPTH_MAX])
{
	struct dwarf_search search = dwarf_file_search(&table->file, address);
	uint32_t chain[INLINE_DEPTH_MAX], depth = 0, count = 0, number;

	while (!depth && (number = dwarf_file_next(&table->file, &search))) {
		struct inline_unit *unit = &table->units[number - 1];
		Dwarf_Die *root = &table->file.units[number - 1];

		if (!unit->is_read && table->work.left)
			read_unit(table, unit, root);
		for (uint32_t at = find_innermost(unit, address); at != NONE && depth < INLINE_DEPTH_MAX; at = unit->list[at].parent)
			chain[depth++] = at;
		for (uint32_t i = depth; i--;) {
			const struct inline_frame *frame = get_frame(table, &unit->list[chain[i]]);

			if (frame && frame->name)
				frames[count++] = *frame;
		}
	}
	return count;
}
