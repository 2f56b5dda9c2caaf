/* summary_name: escapes a name for a terminal. */
#include "cli/summary_name.h"

#include <string.h>

#include "util/utf8.h"

void summary_print_name(FILE *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		char escaped[UTF8_ESCAPE_BYTES];
		size_t written, taken;
		int columns;

		taken = utf8_escape(text, left, escaped, &written, &columns);
		fwrite(escaped, 1, written, out);
		text += taken;
		left -= taken;
	}
}
