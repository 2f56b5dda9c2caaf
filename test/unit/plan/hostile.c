/* Program files that are damaged, or made to mislead: a plan of one changes no byte outside its functions, or there
 * is none, and one line says
 * why. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/check.h"
#include "plan/plan.h"

/* Headers, then code at CODE, then data at DATA: file offsets, and addresses behind BASE. */
#define BASE 0x400000u
#define CODE 0x1000u
#define DATA 0x2000u
#define FILE_BYTES 0x3000u
#define SECTIONS_AT 0x2c00u
#define FRAMES_AT 0x2400u /* .eh_frame */

struct made {
	_Alignas(16) uint8_t bytes[FILE_BYTES];
	uint32_t frames_end;
	struct {
		uint32_t low, high;
	} functions[16];
	uint32_t function_count;
};

static void put(struct made *made, uint32_t at, uint64_t value, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++)
		made->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static Elf64_Phdr *segment(struct made *made, unsigned i)
{
	return (Elf64_Phdr *)(void *)(made->bytes + sizeof(Elf64_Ehdr)) + i;
}

static Elf64_Shdr *section(struct made *made, unsigned i)
{
	return (Elf64_Shdr *)(void *)(made->bytes + SECTIONS_AT) + i;
}

static void begin(struct made *made, uint16_t type)
{
	static const char names[] = "\0.text\0.eh_frame\0.shstrtab";
	Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)made->bytes;

	memset(made, 0, sizeof *made);
	memcpy(header->e_ident, ELFMAG "\2\1\1", 7);
	*header = (Elf64_Ehdr){.e_type = type,
		.e_machine = EM_X86_64,
		.e_version = 1,
		.e_phoff = sizeof *header,
		.e_shoff = SECTIONS_AT,
		.e_ehsize = sizeof *header,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 4,
		.e_shstrndx = 3};
	memcpy(header->e_ident, ELFMAG "\2\1\1", 7);
	*segment(made, 0) = (Elf64_Phdr){PT_LOAD, PF_R | PF_X, CODE, BASE + CODE, BASE + CODE, 0x1000, 0x1000, 0x1000};
	*segment(made, 1) = (Elf64_Phdr){PT_LOAD, PF_R | PF_W, DATA, BASE + DATA, BASE + DATA, 0x800, 0x800, 0x1000};
	*section(made, 1) = (Elf64_Shdr){1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE + CODE, CODE, 0x1000, 0, 0, 16, 0};
	*section(made, 2) = (Elf64_Shdr){7, SHT_PROGBITS, SHF_ALLOC, BASE + FRAMES_AT, FRAMES_AT, 0, 0, 0, 8, 0};
	*section(made, 3) = (Elf64_Shdr){17, SHT_STRTAB, 0, 0, FILE_BYTES - 64, sizeof names, 0, 0, 1, 0};
	memcpy(made->bytes + FILE_BYTES - 64, names, sizeof names);
	memset(made->bytes + CODE, 0x90, 0x1000);
	/* A CIE: "zR", code by 1, data by −8, the return address in 16; CFA is rsp + 8. */
	put(made, FRAMES_AT, 20, 4);
	memcpy(made->bytes + FRAMES_AT + 8, "\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1\0\0", 16);
	made->frames_end = FRAMES_AT + 24;
}

/* An FDE; code may be anywhere. */
static void add_frame(struct made *made, uint32_t low, uint32_t bytes)
{
	uint32_t at = made->frames_end;

	put(made, at, 16, 4);
	put(made, at + 4, at + 4 - FRAMES_AT, 4);
	put(made, at + 8, low - (at + 8), 4);
	put(made, at + 12, bytes, 4);
	put(made, at + 16, 0, 4);
	made->frames_end = at + 20;
	made->functions[made->function_count].low = low;
	made->functions[made->function_count++].high = low + bytes;
	section(made, 2)->sh_size = made->frames_end + 4 - FRAMES_AT;
}

static void add_code(struct made *made, uint32_t at, const char *bytes, size_t count)
{
	memcpy(made->bytes + at, bytes, count);
}
#define CODE_AT(made, at, bytes) add_code(made, at, bytes, sizeof(bytes) - 1)

/* xor %eax, %eax; add $1, %eax; ret: room at both ends. 6 bytes. */
#define PLAIN "\x31\xc0\x83\xc0\x01\xc3"

static unsigned count_lines(const struct diag *diag)
{
	struct diag_message message;
	unsigned count = 0;

	while (diag_get(diag, count, &message))
		count++;
	return count;
}

/* Nops around functions are room. */
static bool may_change(const struct made *made, uint32_t at)
{
	bool inside = false;

	if (at < CODE || at >= CODE + 0x1000)
		return false;
	for (uint32_t i = 0; i < made->function_count; i++)
		inside |= at >= made->functions[i].low && at < made->functions[i].high;
	return inside || made->bytes[at] == 0x90;
}

/* How many functions are timed; −1: no plan. */
static int plan_it(const struct made *made, size_t size, const char *name)
{
	struct diag *diag = make_diag();
	struct bytes file = {made->bytes, size};
	struct plan plan;
	int timed = 0;

	if (!plan_make_of_bytes(file, name, &plan, diag)) {
		CHECK_EQ(count_lines(diag), 1);
		timed = -1;
	} else {
		CHECK(plan_is_valid(plan.bytes));
		CHECK(plan_check(file, plan.bytes, name, diag));
		CHECK_EQ(count_lines(diag), 0);
		for (uint32_t i = 0; i < plan_head(plan.bytes)->site_count; i++)
			for (uint32_t k = 0; k < plan_sites(plan.bytes)[i].changed; k++)
				CHECK(may_change(made, plan_sites(plan.bytes)[i].at + k + CODE));
		for (size_t i = 0; i < plan.decision_count; i++)
			timed += plan.decisions[i].reason == PLAN_TIMED;
	}
	diag_print(diag, stdout);
	plan_free(&plan);
	free_diag(diag);
	return timed;
}

static int plan_whole(const struct made *made, const char *name)
{
	return plan_it(made, FILE_BYTES, name);
}

/* What the others are variations of. */
TEST(a_plain_function_is_timed)
{
	struct made made;

	for (uint16_t type = ET_EXEC; type <= ET_DYN; type++) {
		begin(&made, type);
		CODE_AT(&made, CODE + 0x100, PLAIN);
		add_frame(&made, CODE + 0x100, 6);
		CHECK_EQ(plan_whole(&made, "plain"), 1);
	}
}

TEST(overlapping_and_doubled_entries)
{
	static const uint32_t others[][2] = {{0x100, 6}, {0x100, 5}, {0x100, 7}, {0x101, 5}, {0xff, 3},
		{0xf0, 0x100}, {0x105, 1}, {0x102, 1}};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct made made;

		begin(&made, ET_EXEC);
		CODE_AT(&made, CODE + 0x100, PLAIN);
		add_frame(&made, CODE + 0x100, 6);
		add_frame(&made, CODE + others[i][0], others[i][1]);
		CHECK_EQ(plan_whole(&made, "overlap"), 0);
	}
}

TEST(entries_outside_of_code)
{
	static const uint32_t places[][2] = {{0, 16}, {CODE - 4, 16}, {CODE + 0xffc, 16}, {CODE + 0xffa, 0x1000},
		{DATA, 16}, {DATA + 0x7f0, 64},
		{0x7ffffff0, 16}, {0xfffffff0, 64}, {CODE + 0x200, 0}, {CODE + 0x200, UINT32_MAX}};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct made made;

		begin(&made, ET_EXEC);
		CODE_AT(&made, CODE + 0x100, PLAIN);
		CODE_AT(&made, CODE + 0xffa, PLAIN);
		memcpy(made.bytes + DATA, PLAIN, 6);
		add_frame(&made, CODE + 0x100, 6);
		add_frame(&made, places[i][0], places[i][1]);
		CHECK_EQ(plan_whole(&made, "outside"), 1);
	}
}

/* Of bytes that are no instructions, that are too short, cut in one, with an endbr64 and nothing else. */
TEST(code_that_is_none)
{
	static const struct {
		const char *bytes;
		uint32_t count;
		int timed;
	} cases[] = {{"\x06\x06\x06\x06\x06\x06\x06\xc3", 8}, {"\x31\xc0\x83\xc0", 4}, {"\x31\xc0\x90\xc3", 4}, {"\xf3\x0f\x1e\xfa", 4},
		{"\xf3\x0f\x1e\xfa\xe9", 5}, {"\x31\xc0\x48\xb8\1\2\3", 7}, {"\xc3", 1}, {"\x66", 1}, {"\xe8\0\0\0\0", 5, 1 /* a call that need not return */}, {"\xeb\xfe", 2},
		{"\xeb\xff\xc0\xc3\x90\x90", 6}, {"\x0f\x84\0\0\0\x80", 6}, {"\xff\xe0\x90\x90\x90\x90", 6, 1 /* leaves at once */}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made made;
		uint32_t at = CODE + 0x200;

		begin(&made, ET_EXEC);
		memset(made.bytes + at - 16, 0x06, 64); /* no room around it */
		add_code(&made, at, cases[i].bytes, cases[i].count);
		add_frame(&made, at, cases[i].count);
		CHECK_EQ(plan_whole(&made, "no code"), cases[i].timed);
	}
}

/* Data that looks like a return, where nothing leads. */
TEST(data_among_code_stays)
{
	struct made made;
	struct diag *diag = make_diag();
	struct plan plan;

	begin(&made, ET_EXEC);
	CODE_AT(&made, CODE + 0x100, PLAIN "\x31\xc0\x83\xc0\x02\xc3\x90\x90\x90\x90");
	add_frame(&made, CODE + 0x100, 16);
	CHECK_EQ(plan_whole(&made, "data"), 1);
	CHECK(plan_make_of_bytes((struct bytes){made.bytes, FILE_BYTES}, "data", &plan, diag));
	for (uint32_t i = 0; i < plan_head(plan.bytes)->site_count; i++)
		CHECK(plan_sites(plan.bytes)[i].at + plan_sites(plan.bytes)[i].changed <= 0x106);
	plan_free(&plan);
	free_diag(diag);
}

/* Other code, with an unwind entry or without, that jumps or points into the first bytes. */
TEST(jumps_into_a_function)
{
	for (uint32_t into = 0; into < 6; into++)
		for (int known = 0; known < 2; known++)
			for (int calls = 0; calls < 2; calls++) {
				struct made made;

				begin(&made, ET_EXEC);
				CODE_AT(&made, CODE + 0x100, PLAIN);
				add_frame(&made, CODE + 0x100, 6);
				made.bytes[CODE + 0x300] = calls ? 0xe8 : 0xe9;
				put(&made, CODE + 0x301, 0x100 + into - 0x305, 4);
				if (known)
					add_frame(&made, CODE + 0x300, 5);
				plan_whole(&made, "into");
			}
}

/* cmp $1, %edi; ja; lea table, %rdx; movslq (%rdx, %rdi, 4), %rax; add %rdx, %rax; jmp *%rax; two cases; ret. */
static void put_switch(struct made *made, uint32_t table, uint32_t first, uint32_t second)
{
	CODE_AT(made, CODE + 0x100, "\x83\xff\x01\x77\x1c\x48\x8d\x15\0\0\0\0\x89\xff\x48\x63\x04\xba\x48\x01\xd0\xff\xe0"
				    "\x31\xc0\x83\xc0\x01\xc3\x31\xc0\xc3\x90\x31\xc0\xc3");
	put(made, CODE + 0x108, table - (CODE + 0x10c), 4);
	add_frame(made, CODE + 0x100, 0x24);
	if (table < FILE_BYTES - 8) {
		put(made, table, first - table, 4);
		put(made, table + 4, second - table, 4);
	}
}

TEST(tables_that_mislead)
{
	static const uint32_t targets[] = {CODE + 0x117, CODE + 0x118, CODE + 0x11d, CODE + 0x101,
		CODE + 0x123, CODE + 0x124, CODE, DATA, 0, 0xfffffff0};

	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		for (int writable = 0; writable < 2; writable++) {
			struct made made;
			int timed;

			begin(&made, ET_EXEC);
			segment(&made, 1)->p_flags = writable ? PF_R | PF_W : PF_R;
			put_switch(&made, DATA, CODE + 0x117, targets[i]);
			timed = plan_whole(&made, "table");
			if (i == 2)
				CHECK_EQ(timed, writable ? 0 : 1); /* as it should be; but what may be written to tells nothing */
		}
	for (uint32_t table = 0; table < 0x3000; table += 0x7fd) { /* in code, in no segment, at the end of one */
		struct made made;

		begin(&made, ET_EXEC);
		put_switch(&made, table, CODE + 0x117, CODE + 0x11d);
		plan_whole(&made, "table elsewhere");
	}
}

TEST(code_that_may_be_written_to_is_left_alone)
{
	struct made made;

	begin(&made, ET_EXEC);
	CODE_AT(&made, CODE + 0x100, PLAIN);
	add_frame(&made, CODE + 0x100, 6);
	segment(&made, 0)->p_flags |= PF_W;
	CHECK_EQ(plan_whole(&made, "packed"), -1);
}

static void put_good(struct made *made, uint16_t type)
{
	begin(made, type);
	CODE_AT(made, CODE + 0x100, PLAIN);
	add_frame(made, CODE + 0x100, 6);
	put_switch(made, DATA, CODE + 0x117, CODE + 0x11d);
	made->function_count--;
	made->functions[0].high = CODE + 0x124;
}

/* At each byte of the headers, and here and there. */
TEST(files_that_are_cut)
{
	struct made made;

	put_good(&made, ET_DYN);
	for (size_t size = 0; size < FILE_BYTES; size += size < 256 || size >= SECTIONS_AT ? 1 : 37)
		plan_it(&made, size, "cut");
}

/* Each word of all headers, and of the unwind tables, as numbers that somebody may believe. */
TEST(headers_that_lie)
{
	static const uint64_t lies[] = {0, 1, 7, CODE, BASE, FILE_BYTES, INT32_MAX, UINT32_MAX, INT64_MAX,
		UINT64_MAX - 7, UINT64_MAX};
	static const uint32_t parts[][2] = {{0, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr)},
		{SECTIONS_AT, SECTIONS_AT + 4 * sizeof(Elf64_Shdr)},
		{FRAMES_AT, FRAMES_AT + 72}};

	for (size_t part = 0; part < 3; part++)
		for (uint32_t at = parts[part][0]; at + 8 <= parts[part][1]; at += 4)
			for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
				struct made made;

				put_good(&made, i % 2 ? ET_DYN : ET_EXEC);
				put(&made, at, lies[i], i % 3 ? 4 : 8);
				/* Where functions are, only the file says. */
				made.functions[made.function_count].low = 0;
				made.functions[made.function_count++].high = UINT32_MAX;
				plan_whole(&made, "lies");
			}
}

int main(void)
{
	RUN(a_plain_function_is_timed);
	RUN(overlapping_and_doubled_entries);
	RUN(entries_outside_of_code);
	RUN(code_that_is_none);
	RUN(data_among_code_stays);
	RUN(jumps_into_a_function);
	RUN(tables_that_mislead);
	RUN(code_that_may_be_written_to_is_left_alone);
	RUN(files_that_are_cut);
	RUN(headers_that_lie);
	return tap_done();
}
