/* image: the addresses that a program file occupies in memory, and the bytes there. For data that contain addresses of a machine,
 * but not the machine's files.
 *
 * Addresses are link-time addresses, as in symbol.h. A file that is not linked yet occupies no addresses. */
#ifndef DWELL_HOST_SYMBOL_IMAGE_H
#define DWELL_HOST_SYMBOL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_image;

/* Addresses [low, high), low < high. A file has at most SYMBOL_SPANS_MAX spans, in its own order. */
struct symbol_span {
	uint64_t low, high;
	bool is_writable;
};
#define SYMBOL_SPANS_MAX 64u

/* Null: the file cannot be opened, has another format than ELF, or loads nothing; make_symbol_table reports the reason. */
struct symbol_image *make_symbol_image(const char *path);
/* Reads a build of the file if perf kept one (build_cache.h), else the file. */
struct symbol_image *make_symbol_image_of_build(const char *path, const uint8_t *build_id, size_t bytes);
void free_symbol_image(struct symbol_image *image); /* null is allowed */

/* The machine that the file is for. */
struct symbol_machine {
	uint32_t machine; /* e_machine of ELF */
	uint32_t pointer_bytes;
	bool is_big;
};
struct symbol_machine symbol_image_machine(const struct symbol_image *image);

size_t symbol_image_count(const struct symbol_image *image);
struct symbol_span symbol_image_at(const struct symbol_image *image, size_t index);

/* Finds the link-time address of a mapping of code: of `bytes` bytes, in whole pages of any size, from offset in the file on. If a
 * segment of code shares bytes with the mapping, the mapping is of that segment. False: no loaded segment is in these bytes. */
bool symbol_image_find(const struct symbol_image *image, uint64_t offset, uint64_t bytes, uint64_t *address);

/* Reads up to size bytes at address from the file. Returns the number of bytes read; 0 for memory that the loader zeroes. */
size_t symbol_image_read(const struct symbol_image *image, uint64_t address, void *buffer, size_t size);

/* Reads the text at address, such as a name given to __PROFILE_ENTRY. True if the text is not
 * empty, printable UTF-8, and with its zero no longer than size. A null image has no texts. */
#define SYMBOL_TEXT_BYTES_MAX 4096u
bool symbol_image_text(const struct symbol_image *image, uint64_t address, char *text, size_t size);

#endif
