/* image: what a program file puts into memory, and where: for data that tells addresses of a machine and nothing of its files.
 *
 * Link-time addresses, as in symbol.h. A file that is not linked yet puts nothing anywhere. */
#ifndef DWELL_HOST_SYMBOL_IMAGE_H
#define DWELL_HOST_SYMBOL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_image;

/* [low, high), at most SYMBOL_SPANS_MAX of them, as the file has them; low < high. */
struct symbol_span {
	uint64_t low, high;
	bool is_writable;
};
#define SYMBOL_SPANS_MAX 64u

/* Null: the file cannot be opened, is of a format that does not tell it, or loads nothing; make_symbol_table says which. */
struct symbol_image *make_symbol_image(const char *path);
void free_symbol_image(struct symbol_image *image); /* null is fine */

/* Whose memory it is. */
struct symbol_machine {
	uint32_t machine; /* as in ELF: e_machine */
	uint32_t pointer_bytes;
	bool is_big;
};
struct symbol_machine symbol_image_machine(const struct symbol_image *image);

size_t symbol_image_count(const struct symbol_image *image);
struct symbol_span symbol_image_at(const struct symbol_image *image, size_t index);

/* The address of what the file has at an offset, which is the first of so many bytes that were mapped, of whole pages. False: it
 * puts nothing of that into memory. */
bool symbol_image_find(const struct symbol_image *image, uint64_t offset, uint64_t bytes, uint64_t *address);

/* The bytes that the file has for address on: size of them, fewer where it has no more. Returns how many. Memory that is zeroed at the
 * start has none. */
size_t symbol_image_read(const struct symbol_image *image, uint64_t address, void *buffer, size_t size);

/* The text that the file has there, such as the names that __PROFILE_ENTRY is given: not empty, of printable characters, UTF-8, and
 * with its zero byte no longer than size, else false. image: null is one that has nothing. */
#define SYMBOL_TEXT_BYTES_MAX 4096u
bool symbol_image_text(const struct symbol_image *image, uint64_t address, char *text, size_t size);

#endif
