/* image: a program file as the loader would place it in memory, at the
 * file's own addresses: bytes, position of the code, unwind tables.
 *
 * Places in the image are 32-bit offsets from the base, the page of the lowest loaded address. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_IMAGE_H
#define DWELL_HOST_PLAN_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/section.h"
#include "plan/spans.h"
#include "symbol/build_id.h"
#include "util/bytes.h"
#include "util/diag.h"

#define PLAN_IMAGE_BYTES_MAX 0x60000000u /* a jump with a 32-bit distance must reach from the plan's code into the whole image */
#define PLAN_NOWHERE UINT32_MAX /* instead of a place: no place, or a place outside the image */

struct plan_image {
	uint8_t *bytes; /* relocated as if loaded at the file's own address; without relocations by symbols of other files */
	uint32_t size;
	uint64_t base;
	struct plan_spans code; /* executable and from the file: sections, or segments in files without sections */
	struct plan_spans linkage; /* sections of stubs that the linker made (PLT) */
	struct plan_spans restartable; /* sequences that the kernel restarts (rseq), and the
	                                  signatures in front of the abort handlers */
	struct plan_spans data; /* segments that are not code */
	struct plan_spans writable; /* the parts that the program may change at run time */
	struct plan_spans symbols; /* low: place of a function or label; high: 1 for labels local to the file, else 0 */
	struct plan_spans data_pointers; /* low: a place in code that initialised data point
	                              to; high: the word with the pointer. Unsorted */
	uint32_t entry; /* program entry; PLAN_NOWHERE: none */
	bool is_c_library; /* the file is the C library, whose longjmp leaves callers: the agent interposes it */
	bool is_fixed; /* always loaded at its own address: code and data may hold addresses without relocations */
	struct cfi_sections cfi;
	const struct cfi_section *frames; /* the .eh_frame section in cfi; never null after plan_image_read has returned true */
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	size_t build_id_bytes; /* 0: the file has no build-id */
};

/* Reads the file, whose bytes are in memory; name is for messages. Returns false if
 * no plan is possible for this file; a diag gives the reason.
 * post: needs plan_image_clear in any case. */
bool plan_image_read(struct plan_image *image, struct bytes file, const char *name, struct diag *diag);
void plan_image_clear(struct plan_image *image);

/* Returns the place of an address; PLAN_NOWHERE: outside the image. */
static inline uint32_t plan_place(const struct plan_image *image, uint64_t address)
{
	return address >= image->base && address - image->base < image->size ? (uint32_t)(address - image->base) : PLAN_NOWHERE;
}

static inline bool plan_image_is_code(const struct plan_image *image, uint32_t at)
{
	return plan_spans_find(&image->code, at) != NULL;
}

#endif
