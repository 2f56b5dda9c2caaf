/* build_id: reads build-ids from ELF notes. */
#include "symbol/build_id.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbol/elf_file.h"
#include "util/bytes.h"
#include "util/foreign_file.h"

/* Limits for hostile files, where each of 65535 headers may claim the whole
 * file. Real build-ids are in one of the first notes, a small one. */
#define NOTE_BYTES_MAX 65536
#define NOTES_MAX 64

static uint64_t round_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & -align;
}

/* Finds the build-id in notes. Linkers do not pad the last note (--build-id=0xa1b2c3 makes one of
 * three bytes), but the gelf_getnote of newer elfutils needs the padding and would miss the note. */
static bool find_in_notes(const Elf_Data *data, uint8_t *id, size_t *bytes)
{
	struct bytes notes = {data ? data->d_buf : NULL, data ? data->d_size : 0};
	uint64_t align = data && data->d_type == ELF_T_NHDR8 ? 8 : 4, name, text;
	GElf_Nhdr note;

	for (uint64_t at = 0; bytes_have(notes, at, sizeof note); at = round_up(text + note.n_descsz, align)) {
		memcpy(&note, notes.data + at, sizeof note);
		name = at + sizeof note;
		text = round_up(name + note.n_namesz, align);
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU || !note.n_descsz ||
			!bytes_have(notes, name, sizeof ELF_NOTE_GNU) ||
			memcmp(notes.data + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) || !bytes_have(notes, text, note.n_descsz))
			continue;
		*bytes = note.n_descsz < BUILD_ID_BYTES_MAX ? note.n_descsz : BUILD_ID_BYTES_MAX;
		memcpy(id, notes.data + text, *bytes);
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

/* Searches the note segments. Section headers may be stripped, but segments are always present, since the loader needs them. */
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

bool elf_is_build(Elf *elf, const uint8_t *wanted, size_t wanted_bytes, char found[BUILD_ID_TEXT_BYTES])
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t bytes;

	if (!wanted_bytes)
		return true;
	if (wanted_bytes > BUILD_ID_BYTES_MAX)
		wanted_bytes = BUILD_ID_BYTES_MAX;
	strcpy(found, "none");
	if (!elf_build_id(elf, id, &bytes))
		return false;
	format_build_id(found, id, bytes);
	return bytes == wanted_bytes && !memcmp(id, wanted, wanted_bytes);
}

bool read_build_id(const char *path, uint8_t id[BUILD_ID_BYTES_MAX], size_t *bytes)
{
	int fd = foreign_file_open(path, NULL);
	bool found = false;
	Elf *elf;

	if (fd < 0)
		return false;
	if ((elf = make_elf(fd))) {
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
