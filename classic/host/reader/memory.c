#include "classic/host/reader/memory.h"

#include <stdlib.h>
#include <string.h>

#include "reader/words.h"
#include "util/array.h"
#include "util/sorted.h"

/* This reader needs only the list of segments of an ELF file. libelf needs a file, and the input is a source. */
enum {
	ELF_IDENT = 16,
	ELF_CLASS = 4,
	ELF_DATA = 5,
	ELF_TYPE = 16,    /* u16 */
	ELF_MACHINE = 18, /* u16 */
	ELF_TYPE_CORE = 4,
	ELF_LOAD = 1,
	ELF_PHNUM_ELSEWHERE = 0xffff,
};

/* header, phdr: bytes of the file header and of a program header. All others: offsets of fields in the file header (first row) and
 * in a program header (second row). layouts[0] is of 32-bit files, layouts[1] of 64-bit files. */
struct elf_layout {
	uint32_t header, phoff, phentsize, phnum;
	uint32_t phdr, offset, address, filesz;
};
static const struct elf_layout layouts[] = {{52, 28, 42, 44, 32, 4, 8, 16}, {64, 32, 54, 56, 56, 8, 16, 32}};

#define SCAN_BYTES (1u << 16)

static bool read_ident(struct bytes start, struct words *words)
{
	if (!bytes_have(start, 0, 20) || memcmp(start.data, "\177ELF", 4) || start.data[ELF_CLASS] < 1 || start.data[ELF_CLASS] > 2 ||
		start.data[ELF_DATA] < 1 || start.data[ELF_DATA] > 2)
		return false;
	*words = (struct words){start.data[ELF_CLASS] == 2 ? 8 : 4, start.data[ELF_DATA] == 2};
	return true;
}

bool memory_is_core(struct bytes start)
{
	struct words words;

	return read_ident(start, &words) && words_u16(&words, start.data + ELF_TYPE) == ELF_TYPE_CORE;
}

static bool add(struct memory *memory, uint64_t address, uint64_t size, uint64_t offset)
{
	if (!array_reserve(&memory->spans, &memory->capacity, memory->count + 1, sizeof *memory->spans))
		return false;
	memory->spans[memory->count++] = (struct memory_span){address, size, offset};
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct memory_span *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

/* Adds a segment, up to the end of the file if the segment is truncated. */
static bool add_segment(struct memory *memory, const struct elf_layout *layout, const struct words *words, const uint8_t *header)
{
	uint64_t offset = words_get(words, header + layout->offset), address = words_get(words, header + layout->address);
	uint64_t size = words_get(words, header + layout->filesz), end = source_size(memory->source);

	if (words_u32(words, header) != ELF_LOAD || offset >= end)
		return true;
	if (size > end - offset)
		size = end - offset;
	if (size > UINT64_MAX - address)
		size = UINT64_MAX - address;
	return !size || add(memory, address, size, offset);
}

static const char *read_core(struct memory *memory, struct bytes start, const struct words *words)
{
	const struct elf_layout *layout = &layouts[words->bytes == 8];
	uint8_t header[64];
	uint64_t at, bytes;
	uint32_t count;

	if (start.size < layout->header)
		return "ends in its ELF header";
	at = words_get(words, start.data + layout->phoff);
	bytes = words_u16(words, start.data + layout->phentsize);
	count = words_u16(words, start.data + layout->phnum);
	memory->machine = words_u16(words, start.data + ELF_MACHINE);
	if (count == ELF_PHNUM_ELSEWHERE)
		return "has more segments than can be read (65535 or more)";
	if (count && (bytes < layout->phdr || bytes > 4096))
		return "has program headers of an impossible size";
	for (uint32_t i = 0; i < count; i++, at += bytes) {
		if (source_read_at(memory->source, at, header, layout->phdr) < layout->phdr)
			return "ends in its program headers";
		if (!add_segment(memory, layout, words, header))
			return "cannot be read: out of memory";
	}
	if (memory->count)
		qsort(memory->spans, memory->count, sizeof *memory->spans, by_address);
	return NULL;
}

bool memory_open(struct memory *memory, struct source *source, const char **problem)
{
	uint8_t buffer[64];
	struct bytes start = {buffer, source_read_at(source, 0, buffer, sizeof buffer)};
	struct words words;

	*memory = (struct memory){.source = source, .is_core = memory_is_core(start)};
	memory->is_placed = memory->is_core;
	if (memory->is_core && read_ident(start, &words))
		*problem = read_core(memory, start, &words);
	else
		*problem = add(memory, 0, source_size(source), 0) ? NULL : "cannot be read: out of memory";
	return !*problem;
}

void memory_close(struct memory *memory)
{
	free(memory->spans);
	*memory = (struct memory){0};
}

void memory_place(struct memory *memory, uint64_t address)
{
	uint64_t size = source_size(memory->source);

	memory->is_placed = true;
	memory->spans[0] = (struct memory_span){address, size < UINT64_MAX - address ? size : UINT64_MAX - address, 0};
}

void memory_forget_place(struct memory *memory)
{
	memory_place(memory, 0);
	memory->is_placed = false;
}

/* Returns the last span that begins at or below the address; null: none does. */
static const struct memory_span *find(const struct memory *memory, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct memory_span, address, memory->spans, memory->count, address);

	return count ? &memory->spans[count - 1] : NULL;
}

size_t memory_read(const struct memory *memory, uint64_t address, void *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		const struct memory_span *span = find(memory, address + done);
		uint64_t before = span ? address + done - span->address : 0;
		size_t part = size - done, got;

		if (!span || before >= span->size)
			break;
		if (part > span->size - before)
			part = (size_t)(span->size - before);
		got = source_read_at(memory->source, span->offset + before, (uint8_t *)buffer + done, part);
		done += got;
		if (got < part)
			break;
	}
	return done;
}

uint64_t memory_have(const struct memory *memory, uint64_t address, uint64_t size)
{
	uint64_t have = 0;

	while (have < size) {
		const struct memory_span *span = find(memory, address + have);
		uint64_t before = span ? address + have - span->address : 0;

		if (!span || before >= span->size)
			break;
		have += span->size - before;
	}
	return have < size ? have : size;
}

/* left: bytes that may still be read. */
static bool scan_span(const struct memory *memory, const struct memory_span *span, uint32_t number, uint64_t *left,
	memory_take *take, void *context)
{
	uint8_t *buffer = malloc(SCAN_BYTES);
	uint32_t swapped = __builtin_bswap32(number);
	bool goes_on = buffer;

	for (uint64_t at = 0; goes_on && *left && at < span->size; at += SCAN_BYTES) {
		uint64_t hole = source_find_data(memory->source, span->offset + at) - span->offset - at;
		size_t want, got;

		if (hole >= span->size - at)
			break;
		at += hole & ~UINT64_C(3);
		want = span->size - at < SCAN_BYTES ? (size_t)(span->size - at) : SCAN_BYTES;
		got = source_read_at(memory->source, span->offset + at, buffer, want);
		*left -= got < *left ? got : *left;
		for (size_t i = 0; goes_on && i + 4 <= got; i += 4) {
			uint32_t value = get_u32(buffer + i);

			if (value == number || value == swapped)
				goes_on = take(context, &(struct memory_place){span->offset + at + i, span->address + at + i});
		}
		goes_on = goes_on && got == want;
	}
	free(buffer);
	return goes_on;
}

void memory_scan(const struct memory *memory, uint32_t number, memory_take *take, void *context)
{
	/* Spans of a core may overlap in the file; the limit keeps the work proportional to the file. */
	uint64_t left = source_size(memory->source);

	for (size_t i = 0; i < memory->count; i++)
		if (!scan_span(memory, &memory->spans[i], number, &left, take, context))
			return;
}
