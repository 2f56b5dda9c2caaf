/* fit_name: cuts a function's name, or another text, to the columns of a terminal.
 *
 * What tells functions apart stays longest: arguments of templates go first, then parameters, then outer namespaces and the type
 * returned, then what compilers add in brackets. The last part of the name stays whole while it fits.
 *
 *     app::Cache<std::string, app::Policy>::get(std::string const&) [clone .isra.0]
 *     app::Cache<…>::get(std::string const&) [clone .isra.0]
 *     app::Cache<…>::get(…) [clone .isra.0]
 *     …::get(…) [clone .isra.0]
 *     …::get(…)…
 *
 * An address in a file keeps its digits: step (…+0x1f40). */
#ifndef DWELL_HOST_UTIL_FIT_NAME_H
#define DWELL_HOST_UTIL_FIT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of room for what a function here writes of a text of so many bytes. */
#define FIT_BYTES(bytes) ((bytes) + 4)

/* What replaces a part that is cut out: an ellipsis, or two periods where there is ASCII only. */
const char *fit_mark(bool ascii);

/* Each of these writes valid UTF-8, of `bytes` bytes, to out (FIT_BYTES, not terminated), cut so that it takes at most `limit`
 * columns of a terminal. Returns the bytes written; *columns: the columns they take. */

/* Of a function's name; blanks in front of it stay. */
size_t fit_name(const char *name, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns);
/* Cuts the middle out: similar texts differ at either end. */
size_t fit_ends(const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns);
/* Cuts the end off, of a text whose start matters more. */
size_t fit_start(const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns);

#endif
