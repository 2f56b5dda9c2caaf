/* assemble: writes the bytes of a plan (assemble.h). */
#include "plan/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "plan/frames.h"

static int by_place(const void *a, const void *b)
{
	const struct dwell_plan_site *left = a, *right = b;

	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	/* Sites without changed bytes come first. */
	return left->changed < right->changed ? -1 : left->changed > right->changed;
}

/* Returns the offset of the next part, a multiple of 8, and adds its size. */
static uint64_t place_part(uint64_t *bytes, uint64_t size)
{
	uint64_t at = (*bytes + 7) & ~7ull;

	*bytes = at + size;
	return at;
}

static void copy_part(uint8_t *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

bool plan_assemble(struct plan_output *out, const struct plan_code *code, struct plan *plan)
{
	const struct plan_image *image = code->image;
	struct plan_frames frames = {0};
	struct dwell_plan head = {.magic = DWELL_PLAN_MAGIC,
		.version = DWELL_PLAN_VERSION,
		.machine = 62, /* EM_X86_64 */
		.bytes = sizeof head,
		.image_bytes = image->size,
		.build_id_bytes = (uint32_t)image->build_id_bytes,
		.function_count = (uint32_t)out->function_count,
		.site_count = (uint32_t)out->site_count,
		.fixup_count = (uint32_t)out->fixup_count,
		.code_bytes = (uint32_t)out->code_bytes,
		.leaving_count = out->leaving_count,
		.text_bytes = out->text_bytes,
		.timed_bytes = out->timed_bytes};
	uint8_t *memory;

	if (!plan_frames_make(&frames, out, code)) {
		free(frames.bytes);
		return false;
	}
	head.frames_bytes = (uint32_t)frames.count;
	memcpy(head.build_id, image->build_id, image->build_id_bytes);
	if (out->site_count)
		qsort(out->sites, out->site_count, sizeof *out->sites, by_place);
	head.functions = place_part(&head.bytes, out->function_count * sizeof *out->functions);
	head.sites = place_part(&head.bytes, out->site_count * sizeof *out->sites);
	head.fixups = place_part(&head.bytes, out->fixup_count * sizeof *out->fixups);
	head.code = place_part(&head.bytes, out->code_bytes);
	head.frames = place_part(&head.bytes, frames.count);
	memory = calloc(1, head.bytes);
	if (memory) {
		memcpy(memory, &head, sizeof head);
		copy_part(memory + head.functions, out->functions, out->function_count * sizeof *out->functions);
		copy_part(memory + head.sites, out->sites, out->site_count * sizeof *out->sites);
		copy_part(memory + head.fixups, out->fixups, out->fixup_count * sizeof *out->fixups);
		copy_part(memory + head.code, out->code, out->code_bytes);
		copy_part(memory + head.frames, frames.bytes, frames.count);
		plan->memory = memory;
		plan->bytes = (struct bytes){memory, (size_t)head.bytes};
	}
	free(frames.bytes);
	return memory != NULL;
}
