/* SPDX-License-Identifier: MIT
 *
 * Reads the few parts of ELF that the agent needs of a mapped file: its extent, build-id, symbols, and the words that hold the
 * address of another file's function. Reads mapped memory only; the program headers give the bounds.
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
	uint64_t low, high; /* run-time addresses of everything that the file maps */
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
	uint64_t control; /* address of the control block (control.h) of an agent in the file; not checked */
};

/* Reads the headers and what they lead to. image keeps pointers to headers and into the mapped file: both must stay. False: nothing
 * is mapped. Missing parts are null. */
bool image_open(struct image *image, uint64_t bias, const ElfW(Phdr) *headers, unsigned count) __attribute__((visibility("hidden")));

/* Does the same for a file that the dynamic linker has loaded, by the file's dynamic section. image has only symbols, and low and
 * high are no bounds. False: there are no symbols. */
bool image_open_loaded(struct image *image, uint64_t bias, const ElfW(Dyn) *dynamic) __attribute__((visibility("hidden")));

/* Finds the program headers of a file that the dynamic linker has loaded, by the file's dynamic section. Linkers put the tables of
 * dynamic symbols into the file's first page, behind the headers. False: they are not there. */
bool image_find_headers(uint64_t bias, const ElfW(Dyn) *dynamic, const ElfW(Phdr) **headers, ElfW(Half) *count)
	__attribute__((visibility("hidden")));

/* Whether the loaded file is the GNU C library. */
bool image_is_libc(const struct image *image) __attribute__((visibility("hidden")));

/* Returns the address of the file's own definition of name; 0: none. */
uint64_t image_find_symbol(const struct image *image, const char *name) __attribute__((visibility("hidden")));

/* Makes the file's own definition of name lead to address, for files that the dynamic linker binds from now on. True: it does, or
 * the file has no such definition. False: the system refuses. */
bool image_set_symbol(const struct image *image, const char *name, uint64_t address) __attribute__((visibility("hidden")));

/* Stores in slots the words that the dynamic linker fills with the address of name. Returns how many, at most max. */
unsigned image_find_slots(const struct image *image, const char *name, void **slots[], unsigned max) __attribute__((visibility("hidden")));
/* Writes the absolute path of a library, so that the path also works from another folder. name: the dynamic linker's name of the
 * library. A name without a slash (the vdso) stays as it is. bytes: size of path; a longer path is cut. */
void image_write_path(const char *name, char *path, unsigned bytes) __attribute__((visibility("hidden")));

#endif
