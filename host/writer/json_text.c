/* json_text: writes JSON strings (json_text.h). */
#include "writer/json_text.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

static void put_unit(struct output *output, uint32_t unit)
{
	output->used += (size_t)sprintf(output_reserve(output), "\\u%04x", (unsigned)unit);
}

/* Escapes a code point, as JSON requires or because the code point could mislead terminals and readers. */
static void put_escaped(struct output *output, uint32_t code_point)
{
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (const char *at = shorts; *at; at += 2)
		if ((unsigned char)*at == code_point) {
			output_put_char(output, '\\');
			output_put_char(output, at[1]);
			return;
		}
	if (code_point > 0xffff) {
		put_unit(output, 0xd800 + ((code_point - 0x10000) >> 10));
		code_point = 0xdc00 + (code_point & 0x3ff);
	}
	put_unit(output, code_point);
}

void json_text_put(struct output *output, const char *text)
{
	size_t left = strlen(text);

	output_put_char(output, '"');
	while (left) {
		size_t taken = utf8_plain_bytes(text), run = 0;
		uint32_t code_point;

		while (run < taken && text[run] != '"' && text[run] != '\\')
			run++;
		if (run) { /* the usual case: most names, and all keys */
			taken = run;
			output_put_bytes(output, text, run);
		} else {
			taken = utf8_decode(text, left, &code_point);
			if (code_point == UTF8_INVALID)
				output_put_text(output, "\xef\xbf\xbd");
			else if (code_point == '"' || code_point == '\\' || utf8_is_unsafe(code_point))
				put_escaped(output, code_point);
			else
				output_put_bytes(output, text, taken);
		}
		text += taken;
		left -= taken;
	}
	output_put_char(output, '"');
}
