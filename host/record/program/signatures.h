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

/* Room for a hook in code of x86-64: the first bytes of an XRay sled, at a function's entry or exit; and the nop of mk/gcc-sites.s,
 * whose last byte is 0x0d in place of 0. Of AArch64: the jump of an XRay sled and its first nop. */
#define HOOK_SLED "\xeb\x09\x66\x0f\x1f\x84\0\0\x02\0\0"
#define HOOK_NOP "\x0f\x1f\x44\x00\x0d"
#define HOOK_SLED_AARCH64 "\x08\0\0\x14\x1f\x20\x03\xd5"

/* Whether a symbol of this name is a function that hooks call: __fentry__, also with a version or as a stub (__fentry__@plt). */
bool signatures_is_hook(const char *name);

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
