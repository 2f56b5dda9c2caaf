/* zstd ROUNDS: packs and unpacks blocks of 16 KiB of a text, at the levels 1, 5 and 9. Prints the size of all that was packed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd.h"

#define BYTES (256u * 1024u)
#define BLOCK (16u * 1024u)

static unsigned draw(unsigned limit)
{
	static unsigned state = 1;

	state = state * 1664525u + 1013904223u;
	return (state >> 8) % limit;
}

static void write_text(char *text)
{
	static const char *const words[] = {"the", "profile", "of", "function", "and", "calls", "time", "record", "in", "each",
		"tick", "stack", "with", "a", "share", "hottest"};

	for (size_t at = 0; at < BYTES;) {
		at += (size_t)sprintf(text + at, "%s%c", words[draw(16) * draw(3) / 2], draw(9) ? ' ' : '\n');
		if (!draw(13))
			at += (size_t)sprintf(text + at, "%u", draw(1u << 24));
	}
}

int main(int argc, char **argv)
{
	static char text[BYTES + 64], packed[2 * BLOCK], back[BLOCK];
	size_t sum = 0;

	write_text(text);
	for (int round = argc > 1 ? atoi(argv[1]) : 1; round > 0; round--)
		for (int level = 1; level <= 9; level += 4)
			for (size_t at = 0; at < BYTES; at += BLOCK) {
				size_t bytes = ZSTD_compress(packed, sizeof packed, text + at, BLOCK, level);

				if (ZSTD_decompress(back, sizeof back, packed, bytes) != BLOCK ||
					memcmp(back, text + at, BLOCK) != 0)
					return 1;
				sum += bytes;
			}
	printf("%zu\n", sum);
	return 0;
}
