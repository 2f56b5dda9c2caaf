/* vdso: copies the vdso out of dwell's own memory (vdso.h). */
#include "symbol/vdso.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/build_id.h"
#include "symbol/elf_file.h"

int open_vdso(void)
{
	const uint8_t *vdso = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	int fd = vdso ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	Elf64_Ehdr header;
	size_t size;

	if (fd < 0)
		return -1;
	memcpy(&header, vdso, sizeof header);
	size = (size_t)header.e_shoff + (size_t)header.e_shnum * header.e_shentsize; /* the section headers are at the end */
	if (write(fd, vdso, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

int open_vdso_of_build(const uint8_t *build_id, size_t bytes)
{
	int fd = bytes ? open_vdso() : -1;
	Elf *elf = fd >= 0 ? make_elf(fd) : NULL;
	char found[BUILD_ID_TEXT_BYTES];
	bool is_same = elf && elf_is_build(elf, build_id, bytes, found);

	elf_end(elf);
	if (is_same)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
