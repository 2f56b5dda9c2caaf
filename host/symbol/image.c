/* image: reads the loadable segments of an ELF file (image.h). */
#include "symbol/image.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/build_cache.h"
#include "symbol/elf_file.h"
#include "util/foreign_file.h"
#include "util/overlap.h"
#include "util/utf8.h"

/* A loadable segment. */
struct loaded_segment {
	struct symbol_span span;
	uint64_t offset, bytes; /* of the segment's content in the file; the rest of the span is zero */
	bool is_executable;
};

struct symbol_image {
	int fd;
	struct symbol_machine machine;
	size_t count;
	struct loaded_segment list[SYMBOL_SPANS_MAX];
};

static void add_segment(struct symbol_image *image, const GElf_Phdr *header)
{
	uint64_t high;

	if (header->p_type != PT_LOAD || !header->p_memsz || __builtin_add_overflow(header->p_vaddr, header->p_memsz, &high))
		return;
	image->list[image->count++] = (struct loaded_segment){
		.span = {header->p_vaddr, high, header->p_flags & PF_W},
		.offset = header->p_offset,
		.bytes = header->p_filesz < header->p_memsz ? header->p_filesz : header->p_memsz,
		.is_executable = header->p_flags & PF_X,
	};
}

static void read_elf(struct symbol_image *image)
{
	Elf *elf = make_elf(image->fd);
	GElf_Ehdr file;
	GElf_Phdr header;
	size_t count;

	if (elf && gelf_getehdr(elf, &file))
		image->machine = (struct symbol_machine){
			file.e_machine, file.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4, file.e_ident[EI_DATA] == ELFDATA2MSB};

	if (elf && !elf_getphdrnum(elf, &count))
		for (size_t i = 0; i < count && i <= INT32_MAX && image->count < SYMBOL_SPANS_MAX; i++)
			if (gelf_getphdr(elf, (int)i, &header))
				add_segment(image, &header);
	elf_end(elf);
}

struct symbol_image *make_symbol_image(const char *path)
{
	struct symbol_image *image = calloc(1, sizeof *image);

	if (!image)
		return NULL;
	image->fd = foreign_file_open(path, NULL);
	if (image->fd >= 0)
		read_elf(image);
	if (image->count)
		return image;
	free_symbol_image(image);
	return NULL;
}

struct symbol_image *make_symbol_image_of_build(const char *path, const uint8_t *build_id, size_t bytes)
{
	char kept[PATH_MAX];

	return make_symbol_image(build_cache_find(path, build_id, bytes, kept));
}

void free_symbol_image(struct symbol_image *image)
{
	if (!image)
		return;
	if (image->fd >= 0)
		close(image->fd);
	free(image);
}

struct symbol_machine symbol_image_machine(const struct symbol_image *image)
{
	return image->machine;
}

size_t symbol_image_count(const struct symbol_image *image)
{
	return image->count;
}

struct symbol_span symbol_image_at(const struct symbol_image *image, size_t index)
{
	return image->list[index].span;
}

/* 3: code, 2: other segments, 1: writable. */
static int rank_of(const struct loaded_segment *at)
{
	return at->is_executable ? 3 : at->span.is_writable ? 1 : 2;
}

/* A page at a border belongs to both segments, and the part of the other segment may be the larger one: so the kind of the segment
 * decides, and the number of shared bytes only among segments of one kind. */
bool symbol_image_find(const struct symbol_image *image, uint64_t offset, uint64_t bytes, uint64_t *address)
{
	uint64_t most = 0;
	int best = 0;

	for (size_t i = 0; i < image->count; i++) {
		const struct loaded_segment *at = &image->list[i];
		uint64_t shared = overlap_bytes(at->offset, at->bytes, offset, bytes);
		int rank = rank_of(at);

		if (!shared || rank < best || (rank == best && shared <= most))
			continue;
		most = shared;
		best = rank;
		*address = at->span.low + offset - at->offset;
	}
	return most;
}

static size_t read_bytes_at(int fd, uint64_t offset, uint8_t *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, buffer + done, size - done, (off_t)(offset + done));

		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

size_t symbol_image_read(const struct symbol_image *image, uint64_t address, void *buffer, size_t size)
{
	for (size_t i = 0; i < image->count; i++) {
		const struct loaded_segment *at = &image->list[i];
		uint64_t before = address - at->span.low;

		if (address < at->span.low || before >= at->bytes || at->offset > INT64_MAX - before)
			continue;
		if (size > at->bytes - before)
			size = (size_t)(at->bytes - before);
		return at->offset + before > (uint64_t)INT64_MAX - size
			       ? 0
			       : read_bytes_at(image->fd, at->offset + before, buffer, size);
	}
	return 0;
}

bool symbol_image_text(const struct symbol_image *image, uint64_t address, char *text, size_t size)
{
	size_t got = image ? symbol_image_read(image, address, text, size) : 0;
	const char *end = memchr(text, 0, got);

	return end && utf8_is_text(text, (size_t)(end - text));
}
