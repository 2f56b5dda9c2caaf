/* agent_code: reads the agent's code and unwind tables out of a process. The process may have overwritten this memory, so dwell
 * checks every value. */
#include "sample/code/agent_code.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "target/port/os/linux/plan.h"
#include "util/bytes.h"

#define PAGE_BYTES DWELL_PLAN_STUB_BYTES
#define CODE_BYTES_MAX (UINT64_C(1) << 30)
#define FRAMES_BYTES_MAX (UINT64_C(1) << 25)
#define INDEX_SECTION_AT 4u /* offset in an index: the address of the .eh_frame section, relative to this field */

bool agent_code_is_agent(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strncmp(name, "/libdwell.so", strlen("/libdwell.so"));
}

/* An .eh_frame section. */
struct frames {
	uint8_t *data; /* owned */
	size_t bytes;
	uint64_t at; /* its address, relative to the start of the agent's code */
};

/* Reads the code's own .eh_frame section out of the process. page: where the code begins. False: it is not readable, or invalid. */
static bool read_frames(int memory, uint64_t page, const struct dwell_mapped *mapped, struct frames *frames)
{
	uint8_t index[INDEX_SECTION_AT + 4];
	uint64_t end = mapped->frames + mapped->frames_bytes;

	if (mapped->frames_bytes < sizeof index || mapped->frames_bytes > FRAMES_BYTES_MAX || mapped->frames > mapped->bytes ||
		end > mapped->bytes || pread(memory, index, sizeof index, (off_t)(page + mapped->frames)) != (ssize_t)sizeof index)
		return false;
	frames->at = mapped->frames + INDEX_SECTION_AT + (uint64_t)(int64_t)(int32_t)get_u32(index + INDEX_SECTION_AT);
	if (frames->at < mapped->frames || frames->at >= end)
		return false;
	frames->bytes = (size_t)(end - frames->at);
	frames->data = malloc(frames->bytes);
	return frames->data && pread(memory, frames->data, frames->bytes, (off_t)(page + frames->at)) == (ssize_t)frames->bytes;
}

/* For code without a section of its own: makes a table with one entry for all of the code, which says that the return
 * address is on top of the stack. The table's address is the end of the code, where nothing is. False: no memory. */
static bool make_frames(uint64_t code_bytes, struct frames *frames)
{
	static const uint8_t on_top[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, /* addresses: relative, four bytes */
		0x0c, 7, 8, 0x90, 1, 0, 0,                                     /* CFA = rsp + 8, the return address at CFA − 8 */
		16, 0, 0, 0, 28, 0, 0, 0,                                      /* begin and size of the code: set below */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

	frames->bytes = sizeof on_top;
	frames->at = code_bytes;
	frames->data = malloc(sizeof on_top);
	if (!frames->data)
		return false;
	memcpy(frames->data, on_top, sizeof on_top);
	put_u32(frames->data + 32, (uint32_t)-(int64_t)(code_bytes + 32));
	put_u32(frames->data + 36, (uint32_t)code_bytes);
	return true;
}

static const char strings[] = "\0.text\0.eh_frame\0.symtab\0.strtab\0" AGENT_CODE_NAME;
enum { STRING_TEXT = 1, STRING_EH_FRAME = 7, STRING_SYMTAB = 17, STRING_STRTAB = 25, STRING_SYMBOL = 33 };
enum { SECTION_TEXT = 1, SECTION_STRTAB = 4 };

static bool add_section(Elf *elf, const GElf_Shdr *wanted, void *data)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *content = section ? elf_newdata(section) : NULL;
	GElf_Shdr header;

	if (!content || !gelf_getshdr(section, &header))
		return false;
	content->d_buf = data;
	content->d_size = wanted->sh_size;
	content->d_align = wanted->sh_addralign ? wanted->sh_addralign : 1;
	content->d_type = wanted->sh_type == SHT_SYMTAB ? ELF_T_SYM : ELF_T_BYTE;
	header = *wanted;
	return gelf_update_shdr(section, &header);
}

/* Writes the ELF file. The symbol has the largest possible size of such code, so one file serves for all names. */
static bool write_file(int file, const struct frames *frames)
{
	const Elf64_Sym all = {.st_name = STRING_SYMBOL,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = SECTION_TEXT,
		.st_size = CODE_BYTES_MAX};
	Elf64_Sym symbols[2] = {{0}, all};
	const GElf_Shdr text = {.sh_name = STRING_TEXT,
		.sh_type = SHT_NOBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_size = CODE_BYTES_MAX};
	const GElf_Shdr eh_frame = {.sh_name = STRING_EH_FRAME,
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC,
		.sh_addr = frames->at,
		.sh_size = frames->bytes};
	const GElf_Shdr symtab = {.sh_name = STRING_SYMTAB,
		.sh_type = SHT_SYMTAB,
		.sh_size = sizeof symbols,
		.sh_link = SECTION_STRTAB,
		.sh_info = 1,
		.sh_entsize = sizeof *symbols,
		.sh_addralign = 8};
	const GElf_Shdr strtab = {.sh_name = STRING_STRTAB, .sh_type = SHT_STRTAB, .sh_size = sizeof strings};
	Elf *elf;
	GElf_Ehdr header;
	bool good;

	elf_version(EV_CURRENT);
	elf = elf_begin(file, ELF_C_WRITE, NULL);
	good = elf && gelf_newehdr(elf, ELFCLASS64) && gelf_getehdr(elf, &header);
	if (good) {
		header.e_ident[EI_DATA] = ELFDATA2LSB;
		header.e_type = ET_DYN;
		header.e_machine = cpu_native()->elf_machine;
		header.e_version = EV_CURRENT;
		header.e_shstrndx = SECTION_STRTAB;
		good = gelf_update_ehdr(elf, &header) && add_section(elf, &text, NULL) &&
		       add_section(elf, &eh_frame, frames->data) && add_section(elf, &symtab, symbols) &&
		       add_section(elf, &strtab, (void *)(uintptr_t)strings) && elf_update(elf, ELF_C_WRITE) > 0;
	}
	elf_end(elf);
	return good;
}

/* Fills code for the agent's code at page. False: its tables are not readable, or there is no memory. */
static bool open_code(int memory, uint64_t page, const struct dwell_mapped *mapped, struct agent_code *code)
{
	struct frames frames = {0};
	bool good = mapped->frames ? read_frames(memory, page, mapped, &frames) : make_frames(mapped->bytes, &frames);

	code->low = page;
	code->high = page + mapped->bytes;
	code->file = good ? memfd_create("agent's code", MFD_CLOEXEC) : -1;
	good = code->file >= 0 && write_file(code->file, &frames);
	if (!good && code->file >= 0)
		close(code->file);
	free(frames.data);
	return good;
}

bool agent_code_next(uint32_t pid, uint64_t *at, uint64_t high, struct agent_code *code)
{
	char path[32];
	struct dwell_mapped mapped;
	bool found = false;
	int memory;

	snprintf(path, sizeof path, "/proc/%u/mem", pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	while (memory >= 0 && !found && *at < high && high - *at >= PAGE_BYTES) {
		uint64_t page = *at;

		*at += PAGE_BYTES;
		if (pread(memory, &mapped, sizeof mapped, (off_t)(page + DWELL_MAPPED_AT)) != (ssize_t)sizeof mapped)
			break;
		if (mapped.magic != DWELL_MAPPED_MAGIC || mapped.bytes < PAGE_BYTES || mapped.bytes > CODE_BYTES_MAX ||
			mapped.bytes > high - page)
			continue;
		found = open_code(memory, page, &mapped, code);
		if (found)
			*at = code->high;
	}
	if (memory >= 0)
		close(memory);
	return found;
}
