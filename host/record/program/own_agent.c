/* own_agent: searches the notes of a program's file. */
#include "record/program/own_agent.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "target/port/os/linux/control.h"
#include "util/foreign_file.h"

static bool is_agents(Elf_Data *data, const GElf_Nhdr *note, size_t name_at)
{
	static const char name[] = DWELL_CONTROL_NOTE;

	return note->n_type == DWELL_CONTROL_NOTE_TYPE && note->n_namesz == sizeof name && name_at + sizeof name <= data->d_size &&
	       !memcmp((const char *)data->d_buf + name_at, name, sizeof name);
}

/* elf_getdata_rawchunk and gelf_getnote check the offsets that the file claims. */
static bool has_note(Elf *elf, const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz, ELF_T_NHDR);
	size_t at = 0, name_at, description_at;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name_at, &description_at)))
		if (is_agents(data, &note, name_at))
			return true;
	return false;
}

static bool search(Elf *elf)
{
	size_t count = 0;
	GElf_Phdr segment;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE && has_note(elf, &segment))
			return true;
	return false;
}

bool own_agent_is_in(const char *path)
{
	int fd = foreign_file_open(path, NULL);
	bool result;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	result = search(elf);
	elf_end(elf);
	close(fd);
	return result;
}
