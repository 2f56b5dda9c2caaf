/* utf8: UTF-8 from any source: names come from hostile files, so every byte sequence is accepted. */
#ifndef DWELL_HOST_UTIL_UTF8_H
#define DWELL_HOST_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_INVALID UINT32_MAX

/* Decodes the code point at text, which has `bytes` bytes (≥ 1). Returns the bytes taken. Malformed input (a stray or missing
 * continuation, an overlong form, a surrogate, a value above U+10FFFF) gives UTF8_INVALID and takes one byte. */
size_t utf8_decode(const char *text, size_t bytes, uint32_t *code_point);

/* Copies text to out, which has room for 3 × bytes; each malformed byte becomes U+FFFD. Returns the bytes written. */
size_t utf8_make_valid(const char *text, size_t bytes, char *out);

/* Returns whether a terminal could misinterpret the code point: control characters
 * (also C1), and invisible characters that reverse or join text. */
bool utf8_is_unsafe(uint32_t code_point);

/* Returns the width on a terminal: 0 (combining), 1, or 2 (East Asian wide, emoji). A simple rule, without a locale. */
int utf8_columns(uint32_t code_point);

/* Returns whether the text is well-formed, safe and not empty: a plausible name. */
bool utf8_is_text(const char *text, size_t bytes);

/* Copies the text, or as much as fits into `bytes` bytes including the terminating 0, without splitting a character. */
void utf8_copy(char *to, size_t bytes, const char *text);

/* Returns how many bytes at the start of text are printable ASCII. Most names are printable ASCII, so callers have a fast path. */
size_t utf8_plain_bytes(const char *text);

/* The most bytes that utf8_escape writes in one step. */
#define UTF8_ESCAPE_BYTES 12

/* Copies the code point at text to out (UTF8_ESCAPE_BYTES, not terminated) if it is safe, else its escape: \n, \x1b, \u{202e}.
 * Returns the bytes taken; *written and *columns describe the output. */
size_t utf8_escape(const char *text, size_t bytes, char *out, size_t *written, int *columns);

#endif
