/* jit_map: the map of generated code that a program writes for profilers, /tmp/perf-PID.map: a line for each function, "START SIZE
 * NAME", numbers in hex. Anyone can put a file into /tmp: the map may be forged. */
#ifndef DWELL_HOST_UTIL_JIT_MAP_H
#define DWELL_HOST_UTIL_JIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JIT_MAP_PATH_BYTES 32

/* Writes the path of the map of a process. */
void jit_map_write_path(char path[static JIT_MAP_PATH_BYTES], uint32_t pid);
/* Returns whether the path is that of a map. */
bool jit_map_is_path(const char *path);
/* Reads a line, such as "7f00a000 1c0 JS:*sum /a.js:3:1". Returns the name, within the line; null: the line is malformed. */
const char *jit_map_read_line(const char *line, uint64_t *address, uint64_t *size);

#endif
