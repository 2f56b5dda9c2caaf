/* image: a program file as the loader would have it in memory, at its own addresses: bytes, where code is, what its unwind tables tell.
 *
 * Places in it are offsets from its base, the page of its lowest loaded address, of 32 bits. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_IMAGE_H
#define DWELL_HOST_PLAN_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "cfi/section.h"
#include "symbol/build_id.h"
#include "util/bytes.h"
#include "util/diag.h"

#define PLAN_IMAGE_BYTES_MAX 0x60000000u
#define PLAN_NOWHERE UINT32_MAX

struct plan_span {
	uint32_t low, high;
};
struct plan_spans {
	struct plan_span *list;
	size_t count, capacity;
};
bool plan_spans_add(struct plan_spans *spans, uint32_t low, uint32_t high);
/* Sorts them; what overlaps becomes one. */
void plan_spans_join(struct plan_spans *spans);
/* The one that holds the place; null: none does. They are sorted, and have nothing in common. */
const struct plan_span *plan_spans_find(const struct plan_spans *spans, uint32_t at);

struct plan_image {
	uint8_t *bytes; /* with relocations that need no symbol of another file, as if loaded at its own address */
	uint32_t size;
	uint64_t base;
	struct plan_spans code; /* executable and from the file: sections, or segments where there are no sections */
	struct plan_spans linkage; /* sections of stubs that the linker made (PLT) */
	struct plan_spans restartable; /* sequences that the kernel starts again (rseq), with what stands in front of where it does */
	struct plan_spans data; /* the other segments */
	struct plan_spans writable; /* what the program may change while it runs */
	struct plan_spans symbols; /* low: a function's or a label's; high: 1 of labels that other files cannot see, else 0 */
	struct plan_spans pointed; /* low: a place in code that initialised data point to; high: the word that does. In no order */
	uint32_t entry; /* PLAN_NOWHERE: none */
	bool is_fixed; /* always loaded at its own address: code and data may hold addresses that no relocation shows */
	struct cfi_sections cfi;
	const struct cfi_section *frames; /* .eh_frame; null: none */
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	size_t build_id_bytes;
};

/* Reads the file that is in memory; name is for messages. False: it is none that a plan can be made for, and a diag says why.
 * post: to be cleared with plan_image_clear in any case. */
bool plan_image_read(struct plan_image *image, struct bytes file, const char *name, struct diag *diag);
void plan_image_clear(struct plan_image *image);

/* The place of an address; PLAN_NOWHERE: outside. */
static inline uint32_t plan_place(const struct plan_image *image, uint64_t address)
{
	return address >= image->base && address - image->base < image->size ? (uint32_t)(address - image->base) : PLAN_NOWHERE;
}

static inline bool plan_image_is_code(const struct plan_image *image, uint32_t at)
{
	return plan_spans_find(&image->code, at) != NULL;
}

#endif
