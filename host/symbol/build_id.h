/* The build-id: what tells one build of a file from another. */
#ifndef DWELL_HOST_SYMBOL_BUILD_ID_H
#define DWELL_HOST_SYMBOL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_BYTES_MAX 20 /* as much as a trace keeps; longer ones are compared up to here */
#define BUILD_ID_TEXT_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

/* Reads the GNU build-id of an ELF file. False: no such file, no ELF file, or it has none. */
bool read_build_id(const char *path, uint8_t id[BUILD_ID_BYTES_MAX], size_t *bytes);

/* As `readelf -n` and `file` write it. bytes ≤ BUILD_ID_BYTES_MAX. */
void format_build_id(char text[BUILD_ID_TEXT_BYTES], const uint8_t *id, size_t bytes);

#endif
