#include "classic/host/remote/fetched.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/result_file.h"

#define PIECE_BYTES (256u << 10)

/* Adds a part, which then owns the bytes. False: no memory; the bytes are freed. */
static bool take_part(struct fetched *fetched, uint64_t address, uint8_t *take_bytes, size_t size)
{
	if (!array_reserve(&fetched->parts, &fetched->capacity, fetched->count + 1, sizeof *fetched->parts)) {
		free(take_bytes);
		return false;
	}
	fetched->parts[fetched->count++] = (struct core_part){address, take_bytes, size};
	return true;
}

/* Allocates a piece at a time: size comes from the user or from a file, and may be far more than the target can read. */
bool fetched_read(struct fetched *fetched, struct gdb *gdb, uint64_t address, uint64_t size, uint64_t *got, struct diag *diag)
{
	uint8_t *bytes = NULL;
	size_t capacity = 0;
	bool good = true;

	for (*got = 0; good && *got < size;) {
		size_t piece = size - *got < PIECE_BYTES ? (size_t)(size - *got) : PIECE_BYTES, part;

		good = *got + piece <= FETCH_BYTES_MAX && array_reserve(&bytes, &capacity, (size_t)*got + piece, 1);
		if (!good)
			break;
		part = gdb_read_memory(gdb, address + *got, bytes + *got, piece);
		*got += part;
		if (part < piece)
			break;
	}
	if (gdb_has_failed(gdb) || !*got) {
		free(bytes);
		bytes = NULL;
	}
	if (good && bytes)
		good = take_part(fetched, address, bytes, (size_t)*got);
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return good && !gdb_has_failed(gdb);
}

bool fetched_add(struct fetched *fetched, uint64_t address, const void *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return false;
	memcpy(copy, bytes, size);
	return take_part(fetched, address, copy, size);
}

void fetched_clear(struct fetched *fetched)
{
	for (size_t i = 0; i < fetched->count; i++)
		free((void *)fetched->parts[i].bytes);
	free(fetched->parts);
	*fetched = (struct fetched){0};
}

uint64_t fetched_bytes(const struct fetched *fetched)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < fetched->count; i++)
		bytes += fetched->parts[i].size;
	return bytes;
}

static int by_address(const void *a, const void *b)
{
	const struct core_part *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->size > right->size ? -1 : left->size < right->size;
}

/* Extends to by part. Where both have bytes, the bytes of part replace those of to. A part that ends within to changes nothing.
 * pre: part begins within to, or at the end of to. False: no memory; to is unchanged. */
static bool append(struct core_part *to, const struct core_part *part)
{
	uint64_t before = part->address - to->address;
	uint8_t *bytes;

	if (before + part->size <= to->size)
		return true;
	bytes = realloc((void *)to->bytes, (size_t)before + part->size);
	if (!bytes)
		return false;
	memcpy(bytes + before, part->bytes, part->size);
	to->bytes = bytes;
	to->size = (size_t)before + part->size;
	return true;
}

bool fetched_join(struct fetched *fetched)
{
	size_t kept = 0;

	if (fetched->count)
		qsort(fetched->parts, fetched->count, sizeof *fetched->parts, by_address);
	for (size_t i = 0; i < fetched->count; i++) {
		struct core_part *part = &fetched->parts[i], *last = kept ? &fetched->parts[kept - 1] : NULL;

		if (!last || part->address - last->address > last->size) {
			fetched->parts[kept++] = *part;
			continue;
		}
		if (!append(last, part)) {
			memmove(fetched->parts + kept, part, (fetched->count - i) * sizeof *part);
			fetched->count -= i - kept;
			return false;
		}
		free((void *)part->bytes);
	}
	fetched->count = kept;
	return true;
}

static bool write_all(FILE *out, const struct fetched *fetched, bool raw, const struct core_machine *machine)
{
	if (!raw)
		return core_file_write(out, machine, fetched->parts, fetched->count);
	for (size_t i = 0; i < fetched->count; i++)
		if (fwrite(fetched->parts[i].bytes, 1, fetched->parts[i].size, out) < fetched->parts[i].size)
			return false;
	return true;
}

bool fetched_write(const struct fetched *fetched, const char *path, bool raw, const struct core_machine *machine, struct diag *diag)
{
	struct result_file file;

	return result_file_open(&file, path, diag) && result_file_close(&file, write_all(file.out, fetched, raw, machine), diag);
}
