/* signs: bytes in a program's file that tell what it was made of. */
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

/* Whether the file holds any of them, anywhere. */
bool signs_are_in_file(const char *path, const struct sign *signs, size_t count);
/* In sections of a type (0: of any) and of which these flags are so: what a program only speaks of is in others. */
bool signs_are_in_sections(const char *path, uint32_t type, uint64_t mask, uint64_t flags, const struct sign *signs, size_t count);

/* Whether it speaks of hooks anywhere; of those that are patched into the code. */
bool signs_of_hooks(const char *path);
bool signs_of_patched_hooks(const char *path);

#endif
