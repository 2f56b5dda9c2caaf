/* The examples of FORMAT.md, for the tests that read them. */
#ifndef FORMAT_MD_H
#define FORMAT_MD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Puts the blocks that begin with ```NAME OFFSET where they belong, zeros between them. Returns how many there are. */
static inline unsigned load_format_example(const char *name, uint8_t *bytes, size_t size)
{
	const char *root = getenv("ROOT");
	char path[1024], line[1024], begin[64];
	unsigned at = 0, blocks = 0;
	bool inside = false;
	FILE *text;

	memset(bytes, 0, size);
	snprintf(path, sizeof path, "%s/FORMAT.md", root ? root : ".");
	snprintf(begin, sizeof begin, "```%s %%u", name);
	text = fopen(path, "r");
	while (text && fgets(line, sizeof line, text)) {
		if (!strncmp(line, "```", 3)) {
			inside = !inside && sscanf(line, begin, &at) == 1;
			blocks += inside;
			continue;
		}
		for (const char *c = line; inside && hex_digit(c[0]) >= 0 && hex_digit(c[1]) >= 0 && at < size;
			c += 2 + (c[2] == ' '))
			bytes[at++] = (uint8_t)(hex_digit(c[0]) << 4 | hex_digit(c[1]));
	}
	if (text)
		fclose(text);
	return blocks;
}

#endif
