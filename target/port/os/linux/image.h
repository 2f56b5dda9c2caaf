/* SPDX-License-Identifier: MIT
 *
 * The little of ELF that the agent needs of a mapped file: its extent, build-id, symbols and the places that hold the address of a
 * function of another file. Reads mapped memory only; bounds come from the program headers.
 */
#ifndef DWELL_LINUX_IMAGE_H
#define DWELL_LINUX_IMAGE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#define IMAGE_SLOTS_MAX 8

struct image {
	uint64_t bias;
	uint64_t low, high; /* run-time addresses of all it maps */
	uint64_t relro_low, relro_high;
	const ElfW(Phdr) *headers;
	unsigned header_count;
	const ElfW(Sym) *symbols;
	const char *strings;
	uint64_t strings_bytes;
	const ElfW(Rela) *relocations[2];
	uint64_t relocation_count[2];
	const uint32_t *gnu_hash, *hash;
	uint64_t unwind_index, unwind_index_bytes; /* .eh_frame_hdr */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint64_t control; /* the control block (control.h) of an agent that is in it; what is there is not looked at */
};

/* False: nothing is mapped. Parts that are not there are null. */
bool image_open(struct image *image, uint64_t bias, const ElfW(Phdr) *headers, unsigned count) __attribute__((visibility("hidden")));

/* The same of a file that the dynamic linker has loaded, by its dynamic section: symbols alone, and low and high are no bounds. */
bool image_open_loaded(struct image *image, uint64_t bias, const ElfW(Dyn) *dynamic) __attribute__((visibility("hidden")));

/* Whether it is the GNU C library, loaded. */
bool image_is_libc(const struct image *image) __attribute__((visibility("hidden")));

/* The address that the file defines name at, 0 when it does not. */
uint64_t image_find_symbol(const struct image *image, const char *name) __attribute__((visibility("hidden")));

/* The words that the dynamic linker fills with the address of name. Returns how many, at most max. */
unsigned image_find_slots(const struct image *image, const char *name, void **slots[], unsigned max) __attribute__((visibility("hidden")));
/* The path of the file that the dynamic linker calls so, absolute, so that it is found from another folder; name: not of the program. */
void image_write_path(const char *name, bool is_program, char *path, unsigned bytes) __attribute__((visibility("hidden")));

#endif
