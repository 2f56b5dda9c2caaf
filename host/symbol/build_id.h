/* build_id: reads and compares build-ids, which identify a build of a file. */
#ifndef DWELL_HOST_SYMBOL_BUILD_ID_H
#define DWELL_HOST_SYMBOL_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_BYTES_MAX 20 /* as many as a trace keeps; longer build-ids are compared up to here */
#define BUILD_ID_TEXT_BYTES (2 * BUILD_ID_BYTES_MAX + 1)

/* Reads the GNU build-id of an ELF file; *bytes: its size, at most BUILD_ID_BYTES_MAX. False: no such file, no ELF file, or no
 * build-id; then id and *bytes are not set. */
bool read_build_id(const char *path, uint8_t id[BUILD_ID_BYTES_MAX], size_t *bytes);

/* Returns whether the file has the wanted build-id; always true if wanted_bytes is 0,
 * and then found is not set. Otherwise found receives the file's build-id, or "none". */
struct Elf;
bool elf_is_build(struct Elf *elf, const uint8_t *wanted, size_t wanted_bytes, char found[BUILD_ID_TEXT_BYTES]);

/* Writes a build-id as `readelf -n` and `file` do. pre: bytes ≤ BUILD_ID_BYTES_MAX. */
void format_build_id(char text[BUILD_ID_TEXT_BYTES], const uint8_t *id, size_t bytes);

#endif
