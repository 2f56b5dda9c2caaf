#include "record/program/hooked_code.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "record/program/own_agent.h"
#include "record/program/signatures.h"
#include "symbol/symbol.h"
#include "util/bytes.h"
#include "util/foreign_file.h"
#include "util/numbers.h"

#define HOOKS_MAX 64u /* a file has two or three; each call is compared with all of them */

/* A section of code. */
struct code {
	struct bytes bytes;
	uint64_t address;
};

struct search {
	const struct symbol_table *table;
	struct numbers hooked; /* address of a function → true */
	uint64_t hooks[HOOKS_MAX]; /* addresses of what hooks call, of its stubs, and of slots with its address */
	size_t hook_count;
	uint16_t machine;
};

/* Without memory, the function counts as one without hooks. */
static void mark(struct search *search, uint64_t address)
{
	const struct symbol *symbol = symbol_find(search->table, address);
	uint32_t *hooked = symbol ? numbers_put(&search->hooked, symbol->address) : NULL;

	if (hooked)
		*hooked = true;
}

static void mark_rooms(struct search *search, const struct code *code, const char *room, size_t length)
{
	const uint8_t *at = code->bytes.data, *end = at + code->bytes.size;

	while ((at = memmem(at, (size_t)(end - at), room, length))) {
		mark(search, code->address + (uint64_t)(at - code->bytes.data));
		at += length;
	}
}

/* Whether a hook is at the address. A call of a stub is a call of its symbol. */
static bool calls_hook(const struct search *search, uint64_t target)
{
	for (size_t i = 0; i < search->hook_count; i++)
		if (search->hooks[i] == target)
			return true;
	return false;
}

/* The bytes of an instruction in front of a distance: of a call or a jump, and of a call or a jump through a slot (-fno-plt). */
static bool is_call_x86(const uint8_t *at)
{
	return (at[1] & 0xfe) == 0xe8 || (at[0] == 0xff && (at[1] == 0x15 || at[1] == 0x25));
}

/* Any such bytes whose distance leads exactly to a hook are a call of it. */
static void mark_calls_x86(struct search *search, const struct code *code)
{
	for (size_t i = 0; i + 6 <= code->bytes.size; i++) {
		int32_t distance;

		if (!is_call_x86(code->bytes.data + i))
			continue;
		memcpy(&distance, code->bytes.data + i + 2, sizeof distance);
		if (calls_hook(search, code->address + i + 6 + (uint64_t)(int64_t)distance))
			mark(search, code->address + i + 1);
	}
}

/* BL: 26 bits of distance, in words. */
static void mark_calls_aarch64(struct search *search, const struct code *code)
{
	for (size_t i = 0; i + 4 <= code->bytes.size; i += 4) {
		uint32_t word;

		memcpy(&word, code->bytes.data + i, sizeof word);
		if (word >> 26 == 0x25 && calls_hook(search, code->address + i + (uint64_t)((int64_t)(int32_t)(word << 6) >> 4)))
			mark(search, code->address + i);
	}
}

static void mark_code(struct search *search, const struct code *code)
{
	if (search->machine == EM_X86_64) {
		mark_rooms(search, code, HOOK_SLED, sizeof HOOK_SLED - 1);
		mark_rooms(search, code, HOOK_NOP, sizeof HOOK_NOP - 1);
		mark_calls_x86(search, code);
	} else {
		mark_rooms(search, code, HOOK_SLED_AARCH64, sizeof HOOK_SLED_AARCH64 - 1);
		mark_calls_aarch64(search, code);
	}
}

/* False: the file has more than any compiler makes. */
static bool add_hook(struct search *search, uint64_t address)
{
	if (search->hook_count == HOOKS_MAX)
		return false;
	search->hooks[search->hook_count++] = address;
	return true;
}

/* Finds the hooks' stubs, in sections of stubs. */
static bool find_stubs(struct search *search, const struct code *code, bool is_stubs)
{
	bool good = true;

	for (size_t i = 0; good && is_stubs && i + 4 <= code->bytes.size; i += 4) {
		const struct symbol *stub = symbol_find(search->table, code->address + i);

		if (stub && stub->address == code->address + i && signatures_is_hook(stub->name))
			good = add_hook(search, stub->address);
	}
	return good;
}

static bool find_own_hooks(struct search *search)
{
	bool good = true;

	for (size_t i = 0; good && i < symbol_count(search->table); i++)
		if (signatures_is_hook(symbol_at(search->table, i)->name))
			good = add_hook(search, symbol_at(search->table, i)->address);
	return good;
}

/* Calls each with every section of code. False: each has returned false, or a table of sites is there. */
static bool each_code(Elf *elf, struct search *search, bool (*each)(struct search *search, const struct code *code, bool is_stubs))
{
	size_t names;
	bool good = !elf_getshdrstrndx(elf, &names);

	for (Elf_Scn *section = NULL; good && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		Elf_Data *data;

		if (!name)
			continue;
		if (!strcmp(name, "__patchable_function_entries") || !strcmp(name, "__mcount_loc"))
			return false;
		if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf)
			good = each(search, &(struct code){{data->d_buf, data->d_size}, header.sh_addr}, !strncmp(name, ".plt", 4));
	}
	return good;
}

static bool mark_section(struct search *search, const struct code *code, bool is_stubs)
{
	if (!is_stubs)
		mark_code(search, code);
	return true;
}

static void add_up(const struct search *search, struct code_share *code)
{
	for (size_t i = 0; i < symbol_count(search->table); i++) {
		const struct symbol *symbol = symbol_at(search->table, i);

		code->bytes += symbol->size;
		code->part_bytes += numbers_get(&search->hooked, symbol->address) ? symbol->size : 0;
	}
}

/* Finds the slots into which the loader writes the address of what hooks call. */
static bool find_slots(Elf *elf, struct search *search)
{
	bool good = true;

	for (Elf_Scn *section = NULL; good && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header, symbols;
		Elf_Scn *of;
		GElf_Rela slot;
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !(of = elf_getscn(elf, header.sh_link)) ||
			!gelf_getshdr(of, &symbols))
			continue;
		for (int i = 0; good && gelf_getrela(elf_getdata(section, NULL), i, &slot); i++) {
			const char *name = gelf_getsym(elf_getdata(of, NULL), (int)GELF_R_SYM(slot.r_info), &symbol)
						   ? elf_strptr(elf, symbols.sh_link, symbol.st_name)
						   : NULL;

			good = !name || !signatures_is_hook(name) || add_hook(search, slot.r_offset);
		}
	}
	return good;
}

/* Whether the C library is in the file, too: a program without a loader. Nobody compiles that with hooks. */
static bool is_static(Elf *elf, const struct symbol_table *table)
{
	size_t count = 0;
	bool has_loader = false, has_start = false;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count; i++)
		has_loader |= gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP;
	for (size_t i = 0; i < symbol_count(table); i++)
		has_start |= !strcmp(symbol_at(table, i)->name, "_start");
	return has_start && !has_loader;
}

static bool measure(Elf *elf, struct search *search, struct code_share *code)
{
	GElf_Ehdr header;
	bool good = gelf_getehdr(elf, &header) && (header.e_machine == EM_X86_64 || header.e_machine == EM_AARCH64) &&
		    header.e_ident[EI_DATA] == ELFDATA2LSB && symbol_count(search->table) &&
		    !is_static(elf, search->table);

	search->machine = good ? header.e_machine : 0;
	good = good && find_own_hooks(search) && find_slots(elf, search) && each_code(elf, search, find_stubs) &&
	       each_code(elf, search, mark_section);
	if (good)
		add_up(search, code);
	return good;
}

bool hooked_code_add(struct code_share *code, const char *path)
{
	struct diag *silent = make_diag();
	int fd = own_agent_is_in(path) ? -1 : foreign_file_open(path, NULL);
	Elf *elf = fd >= 0 && elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	struct symbol_table *table = silent ? make_symbol_table(path, NULL, silent) : NULL;
	struct search search = {.table = table};
	bool good = elf && elf_kind(elf) == ELF_K_ELF && table && measure(elf, &search, code);

	numbers_clear(&search.hooked);
	free_symbol_table(table);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	free_diag(silent);
	return good;
}
