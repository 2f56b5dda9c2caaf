/* UTF-8 from anywhere: names come from hostile files, so every byte sequence has a meaning here. */
#ifndef DWELL_HOST_UTIL_UTF8_H
#define DWELL_HOST_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_INVALID UINT32_MAX

/* Decodes the code point at text, of which bytes are there (≥ 1). Returns the bytes it takes. What is not well-formed (a stray or
 * missing continuation, an overlong form, a surrogate, beyond U+10FFFF) is UTF8_INVALID and takes one byte. */
size_t utf8_decode(const char *text, size_t bytes, uint32_t *code_point);

/* Copies text to out, which has room for 3 × bytes; each byte that is not UTF-8 becomes U+FFFD. Returns how many bytes that is. */
size_t utf8_make_valid(const char *text, size_t bytes, char *out);

/* Whether a terminal could be led astray by it: control characters (also C1), and the invisible ones that reverse or join text. */
bool utf8_is_unsafe(uint32_t code_point);

/* Columns on a terminal: 0 (combining), 1, or 2 (East Asian wide, emoji). A simple rule, without a locale. */
int utf8_columns(uint32_t code_point);

/* Whether it is well-formed, and nothing in it is unsafe: what may be a name, where it is not known that it is one. Not empty. */
bool utf8_is_text(const char *text, size_t bytes);

/* As much of the text, which ends with 0, as fits into to, bytes of them with the 0; not cut within a character. */
void utf8_copy(char *to, size_t bytes, const char *text);

/* How many bytes at the start of text are printable ASCII: what most names are, so worth a short cut. */
size_t utf8_plain_bytes(const char *text);

/* Bytes that utf8_escape may need for one step. */
#define UTF8_ESCAPE_BYTES 12

/* Copies the code point at text to out (UTF8_ESCAPE_BYTES, not terminated) if it is safe to show, else its escape: \n, \x1b,
 * \u{202e}. Returns the bytes that it took; *written and *columns say what came out. */
size_t utf8_escape(const char *text, size_t bytes, char *out, size_t *written, int *columns);

#endif
