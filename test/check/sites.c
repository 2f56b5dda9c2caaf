/* The agent's search for patched sites (target/port/cpu/x86_64/sites_find.c) in this program, of which one part was compiled with
 * them. Prints what was found, as "WHAT COUNT" a line, and how many instructions the program has and were decoded for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/cpu/x86_64/code.h"
#include "port/cpu/x86_64/sites.h"
#include "port/os/linux/agent.h"

struct agent agent;

static unsigned long decoded;

struct code __real_code_decode(uint64_t address, uint64_t end);
struct code __wrap_code_decode(uint64_t address, uint64_t end);
struct code __wrap_code_decode(uint64_t address, uint64_t end)
{
	decoded++;
	return __real_code_decode(address, end);
}

/* What the search asks of the agent. Nothing here calls __fentry__, or a hook. */
void dwell_own_fentry(void)
{
}

enum modules_hooked hooks_find_place(const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place)
{
	(void)extents;
	(void)start;
	(void)end;
	(void)hook;
	*place = 0;
	return MODULES_NOT_HOOKED;
}

struct dwell_site_block *sites_open_block(struct sites_found *found)
{
	if (!found->block_count || found->blocks[found->block_count - 1]->count == DWELL_SITES_A_BLOCK)
		found->blocks[found->block_count++] = calloc(1, sizeof(struct dwell_site_block));
	return found->blocks[found->block_count - 1];
}

static unsigned long count_instructions(const struct image *image)
{
	struct extents extents = extents_of(image->unwind_index, image->unwind_index_bytes);
	unsigned long count = 0;

	for (uint32_t i = 0; i < extents.count; i++) {
		struct extent extent = extents_get(&extents, i);
		unsigned bytes = 1;

		for (uint64_t at = extent.start; at < extent.end && bytes; at += bytes, count++)
			bytes = __real_code_decode(at, extent.end).bytes;
	}
	return count;
}

static void note_function(void *context, uint64_t start, bool entry_only)
{
	(void)start;
	*(unsigned *)context += entry_only;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
	unsigned kinds[16] = {0}, counted = 0;
	struct sites_found found;
	struct image image;

	(void)size;
	(void)unused;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) ||
		!sites_find(&image, 0, &found, note_function, &counted))
		exit(2);
	for (uint32_t b = 0; b < found.block_count; b++)
		for (uint32_t i = 0; i < found.blocks[b]->count; i++)
			kinds[site_kind(&found.blocks[b]->sites[i])]++;
	printf("functions %u\ncounted %u\nskipped %u\n", found.functions, counted, found.skipped);
	printf("entries %u\nreturns %u\ntails %u\n", kinds[SITE_NOP] + kinds[SITE_SLED], kinds[SITE_RETURN] + kinds[SITE_SLED_RETURN],
		kinds[SITE_TAIL] + kinds[SITE_SLED_TAIL]);
	printf("instructions %lu\ndecoded %lu\n", count_instructions(&image), decoded);
	return 1; /* the program is the first */
}

int main(void)
{
	dl_iterate_phdr(look, NULL);
	return 0;
}
