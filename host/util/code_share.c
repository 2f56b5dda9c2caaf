#include "util/code_share.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/saturate.h"

void code_share_format(const struct code_share *share, char text[static CODE_SHARE_TEXT_BYTES])
{
	snprintf(text, CODE_SHARE_TEXT_BYTES, "%" PRIu64 " of %" PRIu64 " bytes", share->part_bytes, share->bytes);
}

bool code_share_add(struct code_share *share, const char *text)
{
	uint64_t part, all;

	/* A minus sign would become a huge number. */
	if (strchr(text, '-') || sscanf(text, "%15" SCNu64 " of %15" SCNu64, &part, &all) != 2 || part > all)
		return false;
	saturate_add(&share->bytes, all);
	saturate_add(&share->part_bytes, part);
	return true;
}

unsigned code_share_get_others(const struct code_share *share, uint64_t bytes_min)
{
	uint64_t others = share->bytes - share->part_bytes;

	return others && others >= bytes_min ? (unsigned)((double)others * 100 / (double)share->bytes) : 0;
}
