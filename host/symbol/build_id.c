#include "symbol/build_id.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/elf_file.h"

/* Bounds for hostile files, where each of 65535 headers may claim the whole file. A build-id is in the first notes, in a small
 * one. */
#define NOTE_BYTES_MAX 65536
#define NOTES_MAX 64

static bool find_in_notes(Elf_Data *data, uint8_t *id, size_t *bytes)
{
	size_t offset = 0, name_offset, text_offset;
	GElf_Nhdr note;

	while (data && (offset = gelf_getnote(data, offset, &note, &name_offset, &text_offset)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU || !note.n_descsz ||
			memcmp((const char *)data->d_buf + name_offset, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU))
			continue;
		*bytes = note.n_descsz < BUILD_ID_BYTES_MAX ? note.n_descsz : BUILD_ID_BYTES_MAX;
		memcpy(id, (const char *)data->d_buf + text_offset, *bytes);
		return true;
	}
	return false;
}

static bool find_in_sections(Elf *elf, uint8_t *id, size_t *bytes)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int notes = 0;

	while ((section = elf_nextscn(elf, section)) && notes < NOTES_MAX) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE || header.sh_size > NOTE_BYTES_MAX)
			continue;
		notes++;
		if (find_in_notes(elf_getdata(section, NULL), id, bytes))
			return true;
	}
	return false;
}

/* Section headers may be stripped; segments are what the loader needs, so they are always there. */
static bool find_in_segments(Elf *elf, uint8_t *id, size_t *bytes)
{
	GElf_Phdr header;
	size_t count;
	int notes = 0;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count && i <= INT32_MAX && notes < NOTES_MAX; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_NOTE || header.p_filesz > NOTE_BYTES_MAX)
			continue;
		notes++;
		if (find_in_notes(elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
					  header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
			    id, bytes))
			return true;
	}
	return false;
}

Elf *make_elf(int fd)
{
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

bool elf_build_id(Elf *elf, uint8_t *id, size_t *bytes)
{
	return find_in_sections(elf, id, bytes) || find_in_segments(elf, id, bytes);
}

bool read_build_id(const char *path, uint8_t id[BUILD_ID_BYTES_MAX], size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	bool found = false;
	Elf *elf;

	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && (elf = make_elf(fd))) {
		found = elf_build_id(elf, id, bytes);
		elf_end(elf);
	}
	close(fd);
	return found;
}

void format_build_id(char text[BUILD_ID_TEXT_BYTES], const uint8_t *id, size_t bytes)
{
	text[0] = 0;
	for (size_t i = 0; i < bytes && i < BUILD_ID_BYTES_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
}
