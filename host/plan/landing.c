/* landing: reads call-site tables (landing.h). */
#include "plan/landing.h"

#include "cfi/cursor.h"

#define OMITTED 0xff

bool plan_landings(const struct plan_image *image, const struct cfi_entry *entry, plan_add_landing *add, void *context)
{
	struct cfi_section section = {.bytes = {image->bytes, image->size}, .address = image->base, .pointer_bytes = 8};
	struct cursor cursor = {.bytes = section.bytes};
	uint64_t table, from = entry->low, end, count = 0;
	uint8_t encoding;

	if (!cfi_get_lsda(image->frames, entry, &table))
		return true;
	cursor.at = plan_place(image, table);
	if (cursor.at == PLAN_NOWHERE)
		return false;
	encoding = (uint8_t)cursor_take(&cursor, 1);
	if (encoding != OMITTED)
		from = cfi_take_pointer(&cursor, &section, encoding);
	if (cursor_take(&cursor, 1) != OMITTED)
		cursor_take_uleb(&cursor); /* distance to the type table */
	encoding = (uint8_t)cursor_take(&cursor, 1);
	end = cursor_take_uleb(&cursor);
	if (cursor.bad || end > section.bytes.size - cursor.at)
		return false;
	end += cursor.at;
	while (!cursor.bad && cursor.at < end) {
		uint64_t pad, begin, bytes;

		if (count++ > entry->high - entry->low)
			return false; /* more entries than instructions */

		begin = cfi_take_pointer(&cursor, &section, encoding) + entry->low;
		bytes = cfi_take_pointer(&cursor, &section, encoding);
		pad = cfi_take_pointer(&cursor, &section, encoding);
		cursor_take_uleb(&cursor);
		if (cursor.bad || !pad)
			continue;
		if (plan_place(image, from + pad) == PLAN_NOWHERE || begin < entry->low || begin > entry->high ||
			bytes > entry->high - begin || plan_place(image, begin) == PLAN_NOWHERE ||
			!add(context, plan_place(image, from + pad), plan_place(image, begin),
				plan_place(image, begin) + (uint32_t)bytes))
			return false;
	}
	return !cursor.bad;
}
