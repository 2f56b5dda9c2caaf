#include "classic/host/writer/core_file.h"

#include <errno.h>
#include <string.h>

#include "util/bytes.h"

enum { CORE = 4, VERSION = 1, LOAD = 1, READ_WRITE = 6, ALIGN = 8 };

/* Fields one behind the other, in the machine's byte order. */
struct fields {
	uint8_t bytes[64];
	size_t used;
	bool is_64, is_big;
};

static void put(struct fields *fields, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		fields->bytes[fields->used + (fields->is_big ? size - 1 - i : i)] = (uint8_t)(value >> 8 * i);
	fields->used += size;
}

/* Adds an address or an offset. */
static void put_word(struct fields *fields, uint64_t value)
{
	put(fields, value, fields->is_64 ? 8 : 4);
}

static void put_header(struct fields *fields, uint32_t machine, size_t count)
{
	const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', fields->is_64 ? 2 : 1, fields->is_big ? 2 : 1, VERSION};
	uint32_t header_bytes = fields->is_64 ? 64 : 52;

	memcpy(fields->bytes, ident, sizeof ident);
	fields->used = sizeof ident;
	put(fields, CORE, 2);
	put(fields, machine, 2);
	put(fields, VERSION, 4);
	put_word(fields, 0);            /* entry */
	put_word(fields, header_bytes); /* program headers */
	put_word(fields, 0);            /* sections */
	put(fields, 0, 4);              /* flags */
	put(fields, header_bytes, 2);
	put(fields, fields->is_64 ? 56 : 32, 2);
	put(fields, count, 2);
	put(fields, 0, 2);
	put(fields, 0, 2);
	put(fields, 0, 2);
}

static void put_part(struct fields *fields, const struct core_part *part, uint64_t offset)
{
	fields->used = 0;
	put(fields, LOAD, 4);
	if (fields->is_64)
		put(fields, READ_WRITE, 4);
	put_word(fields, offset);
	put_word(fields, part->address);
	put_word(fields, 0); /* physical */
	put_word(fields, part->size);
	put_word(fields, part->size);
	if (!fields->is_64)
		put(fields, READ_WRITE, 4);
	put_word(fields, 1); /* alignment: none */
}

static uint64_t aligned(uint64_t offset)
{
	return (offset + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
}

static bool write_parts(FILE *out, const struct core_part *parts, size_t count, uint64_t at)
{
	static const uint8_t zeros[ALIGN];

	for (size_t i = 0; i < count; i++) {
		if (fwrite(zeros, 1, aligned(at) - at, out) < aligned(at) - at ||
			fwrite(parts[i].bytes, 1, parts[i].size, out) < parts[i].size)
			return false;
		at = aligned(at) + parts[i].size;
	}
	return true;
}

bool core_file_write(FILE *out, const struct core_machine *machine, const struct core_part *parts, size_t count)
{
	struct fields fields = {.is_64 = machine->pointer_bytes == 8, .is_big = machine->is_big};
	uint64_t at, data;

	if (count > CORE_PARTS_MAX) {
		errno = EFBIG;
		return false;
	}
	for (size_t i = 0; i < count; i++)
		fields.is_64 |= parts[i].address + parts[i].size > UINT32_MAX;
	put_header(&fields, machine->machine, count);
	if (fwrite(fields.bytes, 1, fields.used, out) < fields.used)
		return false;
	data = at = fields.used + count * (fields.is_64 ? 56u : 32u);
	for (size_t i = 0; i < count; i++) {
		put_part(&fields, &parts[i], aligned(at));
		at = aligned(at) + parts[i].size;
		if (fwrite(fields.bytes, 1, fields.used, out) < fields.used)
			return false;
	}
	return write_parts(out, parts, count, data);
}
