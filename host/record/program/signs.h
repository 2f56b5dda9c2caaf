/* signs: byte sequences in a program's file that are typical of compiler options or libraries. Messages use them to
 * explain what a program is made of. */
#ifndef DWELL_HOST_RECORD_PROGRAM_SIGNS_H
#define DWELL_HOST_RECORD_PROGRAM_SIGNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sign {
	const char *text;
	size_t length;
};
#define SIGN(text) {text, sizeof text - 1}

/* Whether any of the signs is anywhere in the file. */
bool signs_are_in_file(const char *path, const struct sign *signs, size_t count);
/* Whether any of the signs is in a section of a type (0: any) whose sh_flags, under mask, equal flags.
 * Other sections may merely mention the signs. False also if the file cannot be read. */
bool signs_are_in_sections(const char *path, uint32_t type, uint64_t mask, uint64_t flags, const struct sign *signs, size_t count);

/* Whether the file mentions hooks anywhere; patched_hooks: only hooks that the agent patches into the code. */
bool signs_of_hooks(const char *path);
bool signs_of_patched_hooks(const char *path);

#endif
