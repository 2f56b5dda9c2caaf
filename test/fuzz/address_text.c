/* Any bytes as the text of a console, cut anywhere: what comes out does not depend on the cut, and without names it is what went
 * in. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/names/address_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *no_name(void *context, uint64_t address, bool is_return)
{
	(void)context;
	(void)address;
	(void)is_return;
	return NULL;
}

static const char *some_name(void *context, uint64_t address, bool is_return)
{
	(void)context;
	return address % 3 ? NULL : is_return ? "a name that is longer than any number" : "n";
}

/* piece: 0 for all at once. */
static struct output_memory run(const char *bytes, size_t count, size_t piece, address_namer name)
{
	static struct output output;
	struct output_memory result = {0};
	struct address_text text = {.name = name, .out = &output};

	output_begin_memory(&output, &result);
	for (size_t at = 0; at < count;) {
		size_t next = piece && count - at > piece ? piece : count - at;

		address_text_feed(&text, bytes + at, next);
		at += next;
	}
	address_text_finish(&text);
	output_flush(&output);
	if (output.error)
		abort();
	return result;
}

static void compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	if (a_bytes != b_bytes || (a_bytes && memcmp(a, b, a_bytes)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct output_memory same = run(bytes, size, 0, no_name), whole = run(bytes, size, 0, some_name),
			     cut = run(bytes, size, 1 + (size ? data[0] % 32 : 0), some_name);

	compare(bytes, size, same.bytes, same.count);
	compare(whole.bytes, whole.count, cut.bytes, cut.count);
	free(same.bytes);
	free(whole.bytes);
	free(cut.bytes);
	return 0;
}
