/* signatures: byte sequences in a program's file that are typical of compiler options or libraries. Messages use them to
 * explain what a program is made of. */
#ifndef DWELL_HOST_RECORD_PROGRAM_SIGNATURES_H
#define DWELL_HOST_RECORD_PROGRAM_SIGNATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct signature {
	const char *text;
	size_t length;
};
#define SIGNATURE(text) {text, sizeof text - 1}

/* Whether any of the signatures is anywhere in the file. */
bool signatures_are_in_file(const char *path, const struct signature *signatures, size_t count);
/* Whether any of the signatures is in a section of a type (0: any) whose sh_flags, under mask, equal flags.
 * Other sections may merely mention the signatures. False also if the file cannot be read. */
bool signatures_are_in_sections(
	const char *path, uint32_t type, uint64_t mask, uint64_t flags, const struct signature *signatures, size_t count);

/* Whether the file mentions hooks anywhere; patched_hooks: only hooks that the agent patches into the code. */
bool signatures_of_hooks(const char *path);
bool signatures_of_patched_hooks(const char *path);

#endif
