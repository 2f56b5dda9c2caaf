/* Any bytes as a name. A name that costs time or memory without end is found by the fuzzer's own limits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/symbol.h"
#include "util/short_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = malloc(size + 1), *shown, *text;

	memcpy(name, data, size);
	name[size] = 0;
	shown = make_symbol_display_name(name);
	if (!shown || strlen(shown) > SYMBOL_DISPLAY_BYTES_MAX + 3)
		abort();
	text = make_short_name(shown);
	if (text && strlen(text) >= strlen(shown))
		abort();
	free(text);
	free(shown);
	free(name);
	return 0;
}
