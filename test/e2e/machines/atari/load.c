/* load FILE.PRG BASE: the program as GEMDOS would have it in memory at BASE, text and data, to standard output: a second reading of
 * the fix-ups, beside those of the shim and of whoever wrote them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t get_32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void add_32(uint8_t *p, uint32_t base)
{
	uint32_t v = get_32(p) + base;

	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

int main(int argc, char **argv)
{
	static uint8_t file[1 << 20];
	FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
	size_t bytes = in ? fread(file, 1, sizeof file, in) : 0, image, at, fixups;
	uint32_t base = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 0) : 0;

	if (bytes < 32)
		return 2;
	image = get_32(file + 2) + get_32(file + 6);
	fixups = 28 + image + get_32(file + 14);
	at = get_32(file + fixups);
	if (at) {
		add_32(file + 28 + at, base);
		for (fixups += 4; file[fixups]; fixups++) {
			at += file[fixups] == 1 ? 254 : file[fixups];
			if (file[fixups] != 1)
				add_32(file + 28 + at, base);
		}
		if (fixups + 1 != bytes)
			return 3;
	}
	return fwrite(file + 28, 1, image, stdout) != image;
}
