/* table: reads jump tables (table.h). */
#include "plan/table.h"

#include "plan/frame.h"

#define ENTRIES_MAX (1u << 16)

/* Returns whether the entry may be a part that the compiler moved out of some function: nothing calls or points to
 * its first byte, the entry is no linkage stub, and overlaps no entry. */
static bool may_be_part(const struct plan_code *code, const struct plan_entry *entry)
{
	return !entry->is_linkage && !entry->overlaps && !entry->is_pointed &&
	       !(*plan_code_at(code, entry->low) & (BYTE_CALLED | BYTE_CODE_POINTER));
}

/* Returns whether the address at place is probably a function's: the start of another entry, with only the return address on
 * the stack there and at the jump (from). Then the table holds functions for tail calls, and is not that of a switch. */
static bool is_function_pointer(const struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t place)
{
	const struct plan_entry *other;
	uint32_t target;

	if (place > code->image->size - 8)
		return false;
	target = plan_place(code->image, get_u64(code->image->bytes + place));
	other = target == PLAN_NOWHERE ? NULL : plan_code_find(code, target);
	return other && other != entry && other->low == target && plan_frame_is_bare(code, entry, from) &&
	       plan_frame_is_bare(code, other, target);
}

/* Returns the target of a table entry, in the function of the jump; PLAN_NOWHERE: no entry of this table. The function's
 * end is a valid target: compilers send impossible cases there. */
static uint32_t read_target(
	const struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t place, uint32_t base)
{
	const struct plan_image *image = code->image;
	uint32_t bytes = base == PLAN_NOWHERE ? 8 : 4, target;
	const struct plan_entry *other;

	if (place > image->size - bytes || plan_image_is_code(image, place))
		return PLAN_NOWHERE;
	/* A table of distances is constant, so none is in writable memory. A table of addresses may be: the loader
		 * relocates the addresses, or the program stores them. */
	if (base != PLAN_NOWHERE && plan_spans_find(&image->writable, place))
		return PLAN_NOWHERE;
	if (base == PLAN_NOWHERE)
		target = plan_place(image, get_u64(image->bytes + place));
	else
		target = plan_place(image, image->base + base + (uint64_t)(int64_t)(int32_t)get_u32(image->bytes + place));
	if (target == entry->high)
		return target;
	if (target == PLAN_NOWHERE || target == entry->low || !plan_code_has(code, target) ||
		!(*plan_code_at(code, target) & BYTE_INSN))
		return PLAN_NOWHERE;
	if (target > entry->low && target < entry->high)
		return target;
	other = plan_code_find(code, target);
	if (!other || !may_be_part(code, other) || (base == PLAN_NOWHERE && is_function_pointer(code, entry, from, place)))
		return PLAN_NOWHERE;
	return target;
}

static bool mark_target(struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t target)
{
	plan_code_mark(code, target, BYTE_FIXED);
	return (target >= entry->low && target <= entry->high) || plan_code_add_edge(code, from, target);
}

bool plan_table_read(struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t place, uint32_t base,
	uint32_t exact, uint32_t *count)
{
	uint32_t bytes = base == PLAN_NOWHERE ? 8 : 4;

	for (size_t i = code->first_entry_table; i < code->tables.count; i++)
		if (code->tables.list[i].low == place && (code->tables.list[i].high - place) / bytes >= exact) {
			*count = (code->tables.list[i].high - place) / bytes;
			return true;
		}
	*count = 0;
	while (*count < (exact ? exact : ENTRIES_MAX) &&
		read_target(code, entry, from, place + *count * bytes, base) != PLAN_NOWHERE)
		++*count;
	if (*count < exact || (!exact && base == PLAN_NOWHERE && *count < ENTRIES_MAX &&
				      is_function_pointer(code, entry, from, place + *count * 8)))
		*count = 0;
	if (!*count)
		return true;
	for (uint32_t i = 0, last = PLAN_NOWHERE; i < *count; i++) {
		uint32_t target = read_target(code, entry, from, place + i * bytes, base);

		if (target != last && !mark_target(code, entry, from, target))
			return false;
		last = target;
	}
	return plan_spans_add(&code->tables, place, place + *count * bytes);
}
