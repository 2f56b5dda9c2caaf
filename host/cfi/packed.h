/* packed: how large compressed sections of an ELF file become. A section of zeros becomes a thousand times as large, so a small
 * file can fill the memory; code that lets libelf or libdw unpack a section asks here first. */
#ifndef DWELL_HOST_CFI_PACKED_H
#define DWELL_HOST_CFI_PACKED_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compilers and objcopy make debug sections (zlib or zstd) that become 3 to 10 times as large. */
#define PACKED_RATIO_MAX 20u
#define PACKED_DENSE_BYTES (UINT64_C(16) << 20) /* unpacked bytes up to which the ratio is not checked */
#define PACKED_TOO_DENSE_TEXT "become more than 20 times as large when they are unpacked: no compiler makes such, so they are not read"

/* Returns whether so many bytes may be unpacked from so many. */
bool packed_is_plausible(uint64_t packed, uint64_t unpacked);
/* Returns how many bytes the section has when it is unpacked; 0: it is not compressed (SHF_COMPRESSED). */
uint64_t packed_section_bytes(Elf_Scn *section);
/* Finds the section with the names of all sections, which elf_strptr would unpack. False: none, or it is
 * compressed, which no tool does. */
bool packed_find_names(Elf *elf, size_t *names);
/* Returns whether all compressed sections of a file of this size together may be unpacked. fd: the file. Includes
 * sections of the older kind, whose names begin with .zdebug. */
bool packed_file_is_plausible(Elf *elf, int fd, uint64_t file_bytes);

#endif
