/* units: formats numbers for people, always with the same width: four digits are enough for comparisons.
 *
 *   below 1000 of the smallest unit        "0 ns"  "999 ns"                 whole
 *   else four digits                       "1.234 ms"  "12.34 s"  "999.9 KB"
 *
 * Rounded half up; a number that rounds to 1000 becomes 1.000 of the next unit. */
#ifndef DWELL_HOST_UTIL_UNITS_H
#define DWELL_HOST_UTIL_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_TEXT_BYTES 40 /* enough for each of these texts */

/* ns, us, ms, s; above 1000 s: min, h, d. */
void units_format_ns(char text[UNITS_TEXT_BYTES], uint64_t ns);
void units_format_ns_signed(char text[UNITS_TEXT_BYTES], int64_t ns);
/* For a sentence: "1 ms", "1.5 s", "334 us": at most three digits, without trailing zeros. */
void units_format_ns_short(char text[UNITS_TEXT_BYTES], uint64_t ns);
/* B, KB, MB, GB, TB, PB, EB: powers of 1000, like a disk's and `ls --si`. */
void units_format_bytes(char text[UNITS_TEXT_BYTES], uint64_t bytes);
/* All digits: "18,446,744,073,709,551,615". */
void units_format_count(char text[UNITS_TEXT_BYTES], uint64_t count);
/* The same for a clock of unknown rate: "1,234 ticks". */
void units_format_ticks(char text[UNITS_TEXT_BYTES], uint64_t ticks);
/* "12.34 %". A value above 0 is never shown as 0: "<0.01 %". Not a number: "-". */
void units_format_percent(char text[UNITS_TEXT_BYTES], double percent);

/* A change, with its sign and a unit: "+12.34 pp", "-0.50 %", "0.00 %". unit: "%" or "pp". Not a number: "-". */
void units_format_change(char text[UNITS_TEXT_BYTES], double change, const char *unit);

/* Reads a time as people write it, or as units_format_ns formats it; it may be negative: "20us", "1.5 ms", "-2s",
 * "0". Only 0 needs no unit. Returns false if the text is no time, or beyond 292 years. */
bool units_parse_ns(const char *text, int64_t *ns);

/* Writes plain decimal digits for machines: fast, not terminated. Returns the bytes written, at most 20. */
size_t units_write_decimal(char *out, uint64_t value);

/* Reads a size as people type it: "4096", "64K", "16M", "1G", optionally with B or iB after the letter, in upper or lower case;
 * powers of 1024. Returns false if the text is no size, or too large for 64 bits. */
bool units_parse_bytes(const char *text, uint64_t *bytes);

#endif
