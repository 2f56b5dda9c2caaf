/* image: reads a program file (image.h). */
#include "plan/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plan/relocate.h"
#include "symbol/elf_file.h"

#define SEGMENTS_MAX 64u
#define SECTIONS_MAX 4096u
#define PAGE 4096u
/* The flags of each code byte also cover the gaps between code sections. Limit of the flags'
 * size: so many bytes for each byte of the file, plus a constant. */
#define CODE_SPREAD 4ull
#define CODE_SPREAD_FREE (16u << 20)

static bool refuse(const char *name, struct diag *diag, const char *why)
{
	diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be traced as it is: %s", why);
	return false;
}

/* Finds the loader's layout: the base and size of the image. */
static bool find_layout(struct plan_image *image, Elf *elf, uint64_t file_bytes, const char *name, struct diag *diag)
{
	uint64_t low = UINT64_MAX, high = 0;
	GElf_Phdr header;
	size_t count;

	if (elf_getphdrnum(elf, &count) || count > SEGMENTS_MAX)
		return refuse(name, diag, "its program headers are damaged");
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !header.p_memsz)
			continue;
		if (header.p_filesz > header.p_memsz || header.p_vaddr > UINT64_MAX / 2 || header.p_memsz > UINT64_MAX / 2 ||
			header.p_offset > file_bytes || header.p_filesz > file_bytes - header.p_offset)
			return refuse(name, diag, "its program headers are damaged");
		low = header.p_vaddr < low ? header.p_vaddr : low;
		high = header.p_vaddr + header.p_memsz > high ? header.p_vaddr + header.p_memsz : high;
	}
	if (low >= high)
		return refuse(name, diag, "nothing of it is loaded");
	image->base = low & -(uint64_t)PAGE;
	if (high - image->base > PLAN_IMAGE_BYTES_MAX)
		return refuse(name, diag, "it is larger than code can jump in");
	image->size = (uint32_t)(high - image->base);
	image->bytes = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (image->bytes == MAP_FAILED) {
		image->bytes = NULL;
		return refuse(name, diag, "no memory");
	}
	return true;
}

/* Returns the part made read-only after relocation; only the first such segment counts. */
static struct plan_span find_relro(const struct plan_image *image, Elf *elf, size_t count)
{
	GElf_Phdr header;

	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_GNU_RELRO) {
			uint32_t at = plan_place(image, header.p_vaddr);

			return at == PLAN_NOWHERE || header.p_memsz > image->size - at
				       ? (struct plan_span){0, 0}
				       : (struct plan_span){at, at + (uint32_t)header.p_memsz};
		}
	return (struct plan_span){0, 0};
}

/* Adds a writable segment without its read-only part. */
static bool add_writable(struct plan_image *image, uint32_t low, uint32_t high, struct plan_span relro)
{
	uint32_t before = relro.low < high ? relro.low : high, behind = relro.high > low ? relro.high : low;

	return (low >= before || plan_spans_add(&image->writable, low, before)) &&
	       (behind >= high || plan_spans_add(&image->writable, behind, high));
}

static bool load_segments(struct plan_image *image, Elf *elf, struct bytes file)
{
	GElf_Phdr header;
	struct plan_span relro;
	bool good = true;
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return true;
	relro = find_relro(image, elf, count);
	for (size_t i = 0; i < count && good; i++) {
		uint32_t at;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !header.p_memsz)
			continue;
		at = (uint32_t)(header.p_vaddr - image->base);
		if (header.p_flags & PF_W)
			good = add_writable(image, at, at + (uint32_t)header.p_memsz, relro);
		if (!header.p_filesz)
			continue;
		memcpy(image->bytes + at, file.data + header.p_offset, header.p_filesz);
		/* Writable code is packed or generated: its bytes at run time are unknown. */
		good &= plan_spans_add((header.p_flags & (PF_X | PF_W)) == PF_X ? &image->code : &image->data, at,
			at + (uint32_t)header.p_filesz);
	}
	return good;
}

/* A walk through the sections, at most SECTIONS_MAX. */
struct section_walk {
	Elf *elf;
	size_t strings, count;
	Elf_Scn *section;
	GElf_Shdr header;
	const char *name;
};

/* Returns false after the last section. Skips sections without a name or a header. */
static bool next_section(struct section_walk *walk)
{
	if (!walk->count && elf_getshdrstrndx(walk->elf, &walk->strings))
		return false;
	while ((walk->section = elf_nextscn(walk->elf, walk->section)) && walk->count++ < SECTIONS_MAX) {
		walk->name = gelf_getshdr(walk->section, &walk->header) ? elf_strptr(walk->elf, walk->strings, walk->header.sh_name)
									: NULL;
		if (walk->name)
			return true;
	}
	return false;
}

/* Replaces the code segments by sections, which are more exact: an executable segment may also contain headers and constants. */
static bool find_sections(struct plan_image *image, Elf *elf)
{
	struct section_walk walk = {.elf = elf};
	struct plan_spans code = {0};
	bool good = true;

	while (good && next_section(&walk)) {
		GElf_Shdr header = walk.header;
		const char *name = walk.name;
		uint32_t at;

		if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR) || !header.sh_size)
			continue;
		at = plan_place(image, header.sh_addr);
		if (at == PLAN_NOWHERE || header.sh_size > image->size - at || !plan_image_is_code(image, at) ||
			!plan_image_is_code(image, at + (uint32_t)header.sh_size - 1))
			continue;
		good = plan_spans_add(!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt") ? &image->linkage : &code, at,
			at + (uint32_t)header.sh_size);
	}
	plan_spans_join(&code);
	plan_spans_join(&image->linkage);
	if (code.count) {
		free(image->code.list);
		image->code = code;
	} else {
		free(code.list);
	}
	return good;
}

static bool find_symbols(struct plan_image *image, Elf *elf)
{
	size_t sections = 0;
	GElf_Shdr header;
	GElf_Sym symbol;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) && sections++ < SECTIONS_MAX;) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			unsigned type = GELF_ST_TYPE(symbol.st_info);
			uint32_t at = plan_place(image, symbol.st_value);
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			/* Cold parts that compilers moved away have names, too. */
			if (name && strstr(name, ".cold"))
				continue;
			image->is_c_library |= header.sh_type == SHT_DYNSYM && symbol.st_shndx != SHN_UNDEF && name &&
					       !strcmp(name, "__libc_start_main");
			if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || at == PLAN_NOWHERE ||
				(type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) || !plan_image_is_code(image, at))
				continue;
			if (!plan_spans_add(&image->symbols, at, type == STT_NOTYPE && GELF_ST_BIND(symbol.st_info) == STB_LOCAL))
				return false;
		}
	}
	return true;
}

/* Reads an array of struct rseq_cs (<linux/rseq.h>), which is the section's content. Ignores a sequence outside the image. */
static bool read_restartable(struct plan_image *image, uint64_t address, uint64_t bytes)
{
	enum { SEQUENCE_BYTES = 32, START = 8, LENGTH = 16, ABORT = 24, SIGNATURE_BYTES = 4 };
	uint32_t at = plan_place(image, address);
	bool good = true;

	for (uint64_t i = 0; at != PLAN_NOWHERE && good && bytes - i >= SEQUENCE_BYTES && image->size - at - i >= SEQUENCE_BYTES;
		i += SEQUENCE_BYTES) {
		const uint8_t *sequence = image->bytes + at + i;
		uint32_t start = plan_place(image, get_u64(sequence + START)), abort = plan_place(image, get_u64(sequence + ABORT));
		uint64_t length = get_u64(sequence + LENGTH);

		if (start != PLAN_NOWHERE && length <= image->size - start)
			good = plan_spans_add(&image->restartable, start, start + (uint32_t)length);
		if (abort != PLAN_NOWHERE && abort >= SIGNATURE_BYTES)
			good &= plan_spans_add(&image->restartable, abort - SIGNATURE_BYTES, abort + 1);
	}
	return good;
}

/* pre: the image is relocated. */
static bool find_restartable(struct plan_image *image, Elf *elf)
{
	struct section_walk walk = {.elf = elf};
	bool good = true;

	while (good && next_section(&walk))
		if (!strcmp(walk.name, "__rseq_cs") && walk.header.sh_type == SHT_PROGBITS)
			good = read_restartable(image, walk.header.sh_addr, walk.header.sh_size);
	plan_spans_join(&image->restartable);
	return good;
}

static bool read_elf(struct plan_image *image, Elf *elf, struct bytes file, const char *name, struct diag *diag)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
		header.e_machine != EM_X86_64)
		return refuse(name, diag, "it is no program for x86-64");
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return refuse(name, diag, "it is not linked");
	image->is_fixed = header.e_type == ET_EXEC;
	if (!find_layout(image, elf, file.size, name, diag))
		return false;
	image->entry = header.e_entry ? plan_place(image, header.e_entry) : PLAN_NOWHERE;
	if (!load_segments(image, elf, file))
		return refuse(name, diag, "no memory");
	plan_spans_join(&image->code);
	plan_spans_join(&image->data);
	plan_spans_join(&image->writable);
	if (!find_sections(image, elf) || !find_symbols(image, elf) || !cfi_sections_read(&image->cfi, elf, 8))
		return refuse(name, diag, "no memory");
	for (uint32_t i = 0; i < image->cfi.count && !image->frames; i++)
		if (!image->cfi.list[i].is_debug_frame)
			image->frames = &image->cfi.list[i];
	if (!image->code.count)
		return refuse(name, diag, "there is no code in it that stays as it is: it is packed, or none");
	if (image->code.list[image->code.count - 1].high - image->code.list[0].low > CODE_SPREAD * file.size + CODE_SPREAD_FREE)
		return refuse(name, diag, "its code is too far apart");
	if (!image->frames)
		return refuse(name, diag, "it has no unwind tables (.eh_frame), which tell where functions are");
	if (!plan_image_relocate(image, elf) || !find_restartable(image, elf))
		return refuse(name, diag, "no memory");
	if (!elf_build_id(elf, image->build_id, &image->build_id_bytes))
		image->build_id_bytes = 0;
	return true;
}

bool plan_image_read(struct plan_image *image, struct bytes file, const char *name, struct diag *diag)
{
	Elf *elf = NULL;
	bool good;

	*image = (struct plan_image){.entry = PLAN_NOWHERE};
	if (file.size && elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_memory((char *)file.data, file.size);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return refuse(name, diag, "it is no ELF file");
	}
	good = read_elf(image, elf, file, name, diag);
	elf_end(elf);
	return good;
}

void plan_image_clear(struct plan_image *image)
{
	if (image->bytes)
		munmap(image->bytes, image->size);
	free(image->code.list);
	free(image->linkage.list);
	free(image->data.list);
	free(image->restartable.list);
	free(image->writable.list);
	free(image->symbols.list);
	free(image->data_pointers.list);
	cfi_sections_clear(&image->cfi);
	*image = (struct plan_image){0};
}
