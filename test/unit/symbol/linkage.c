/* Names of stubs in procedure linkage tables; objdump is the second opinion. */
#include "symbol/linkage_code.h"

#include <elf.h>
#include <stdlib.h>

#include "check.h"
#include "programs.h"
#include "symbol/symbol.h"

/* Has stubs of every kind: of functions that are called, and of one whose address is taken, too. */
static const char source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
	"void *taken;\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	taken = (void *)strtol;\n"
	"	if (strtol(argv[0], NULL, 10) == 1)\n"
	"		return (int)write(1, argv[0], strlen(argv[0]));\n"
	"	printf(\"%d\", argc);\n"
	"	return argc > 1 ? system(argv[1]) : puts(argv[0]);\n"
	"}\n";

/* Checks each stub that objdump names; at_least: there are so many. */
static void check_names(const char *objdump, size_t at_least)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(get_path("program"), NULL, diag);
	char *text, *save = NULL;
	size_t bytes = 0, seen = 0;

	CHECK(run_shell("%s -d program | sed -n 's/^\\([0-9a-f]*\\) <\\(.*@plt\\)>:$/\\1 \\2/p' > stubs.txt", objdump));
	text = make_file_bytes(get_path("stubs.txt"), &bytes);
	for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save), seen++) {
		char *name;
		uint64_t address = strtoull(row, &name, 16);
		const struct symbol *symbol = symbol_find(table, address);

		CHECK_STR(symbol ? symbol->name : "(none)", name + 1);
		CHECK(symbol && symbol->address == address && symbol_find(table, address + 5) == symbol);
	}
	if (!CHECK(seen >= at_least))
		printf("# %zu stubs\n", seen);
	for (size_t i = 0; i < symbol_count(table); i++)
		CHECK(!strstr(symbol_at(table, i)->name, "@plt"));
	free(text);
	free_symbol_table(table);
	free_diag(diag);
}

/* Whether the compiler and its linker know these options. */
static bool make_program(const char *compiler, const char *options)
{
	printf("# %s %s\n", compiler, options);
	return write_file("stubs.c", source, strlen(source)) && have_program(compiler) &&
	       run_shell("%s -O1 %s stubs.c -o program 2> stubs.err", compiler, options);
}

/* Whether the stubs that objdump names begin with bti: that of binutils 2.44 takes them for 16 bytes long, and they have 24. */
static bool objdump_knows_bti(void)
{
	return run_shell("aarch64-linux-gnu-objdump -d program | awk '/@plt>:$/ { getline; bad += !/bti/ } END { exit bad > 0 }'");
}

TEST(names_agree_with_objdump)
{
	static const char *const ways[] = {"", "-Wl,-z,now", "-Wl,-z,lazy", "-no-pie", "-Wl,-z,lazy -fcf-protection -Wl,-z,ibtplt",
		"-Wl,-z,lazy -s", "-fuse-ld=lld", "-fuse-ld=lld -Wl,-z,lazy",
		"-fuse-ld=gold"};
	static const char bti[] = "-mbranch-protection=standard -Wl,-z,force-bti";

	CHECK(make_program("gcc", ""));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (make_program("gcc", ways[i]))
			check_names("objdump", 3);
		if (make_program("aarch64-linux-gnu-gcc", ways[i]))
			check_names("aarch64-linux-gnu-objdump", 3);
	}
	if (make_program("aarch64-linux-gnu-gcc", bti) && objdump_knows_bti())
		check_names("aarch64-linux-gnu-objdump", 3);
}

/* Stubs of functions of which the C library chooses one at start have the address of what chooses for a name. */
TEST(static_programs)
{
	struct diag *diag = make_diag();
	struct symbol_table *table;
	const struct symbol *symbol;
	char *text, *end;
	size_t bytes = 0;

	if (!make_program("gcc", "-static") ||
		!run_shell("readelf -SW program | sed -n 's/.* \\.plt  *PROGBITS *\\([0-9a-f]*\\) .*/\\1/p' > plt.txt"))
		return;
	table = make_symbol_table(get_path("program"), NULL, diag);
	text = make_file_bytes(get_path("plt.txt"), &bytes);
	symbol = symbol_find(table, strtoull(text, NULL, 16));
	if (CHECK(symbol && !strncmp(symbol->name, "*ABS*+0x", 8))) {
		symbol = symbol_find(table, strtoull(symbol->name + 6, &end, 16));
		CHECK_STR(end, "@plt");
		CHECK(symbol);
	}
	free(text);
	free_symbol_table(table);
	free_diag(diag);
}

/* The display name of a stub has the suffix, and never stands for the function. */
TEST(display_names)
{
	char *name = make_symbol_display_name("_ZN3app4nameEi@plt"), *plain = make_symbol_plain_name("_ZN3app4nameEi@plt");

	CHECK_STR(name, "app::name(int)@plt");
	CHECK(!plain);
	free(name);
	free(plain);
	name = make_symbol_display_name("write@GLIBC_2.2.5@plt");
	CHECK_STR(name, "write@plt");
	free(name);
	name = make_symbol_display_name("@plt");
	CHECK_STR(name, "@plt");
	free(name);
}

static void check_stubs(
	uint32_t machine, const uint8_t *code, size_t bytes, uint64_t address, const struct linkage_stub *want, size_t count)
{
	const struct linkage_cpu *cpu = linkage_cpu_find(machine);
	struct linkage_stub stub;
	size_t offset = 0;

	for (size_t i = 0; i < count; i++) {
		if (!CHECK(linkage_next(cpu, (struct bytes){code, bytes}, address, &offset, &stub)))
			return;
		CHECK_EQ(stub.address, want[i].address);
		CHECK_EQ(stub.size, want[i].size);
		CHECK_EQ(stub.slot, want[i].slot);
	}
	CHECK(!linkage_next(cpu, (struct bytes){code, bytes}, address, &offset, &stub));
}

/* No stub reaches beyond code that is cut anywhere. */
static void check_cut(uint32_t machine, const uint8_t *code, size_t size)
{
	const struct linkage_cpu *cpu = linkage_cpu_find(machine);
	struct linkage_stub stub;

	for (size_t bytes = 0; bytes < size; bytes++)
		for (size_t offset = 0; linkage_next(cpu, (struct bytes){code, bytes}, 0, &offset, &stub);)
			CHECK(stub.size && stub.address + stub.size <= bytes);
}

/* A head without a slot of its own, then stubs with and without a mark for jumps, with slots before and behind the code. */
TEST(code_of_each_processor)
{
	static const uint8_t x86_64[] = {0xff, 0x35, 2, 0, 0, 0, 0xff, 0x25, 4, 0, 0, 0, 0x0f, 0x1f, 0x40, 0, /* push; jmp */
		0xff, 0x25, 0, 1, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff, /* jmp; push; jmp */
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0xff, 0xff, 0xff, 0x0f, 0x1f, 0x44, 0, 0, /* endbr64; bnd jmp */
		0xff, 0x25, 8, 0, 0, 0, 0x66, 0x90, 0xff, 0x25, 16, 0, 0, 0, 0x66, 0x90}; /* of 8 bytes each */
	static const struct linkage_stub x86_64_stubs[] = {
		{0x1010, 16, 0x1116}, {0x1020, 16, 0xf2b},
		{0x1030, 8, 0x103e}, {0x1038, 8, 0x104e}};
	static const uint32_t aarch64[] = {
		0xa9bf7bf0, 0xb0000090, 0xf947fe11, 0x913fe210, 0xd61f0220, /* stp; adrp; ldr; add; br */
		0xb0000090, 0xf9400211, 0x91000210, 0xd61f0220, /* adrp x16; ldr x17, [x16]; add; br */
		0xd503245f, 0xf0fffff0, 0xf9400611, 0x91002210, 0xd61f0220, 0xd503201f}; /* bti c; adrp back */
	static const struct linkage_stub aarch64_stubs[] = {
		{0x400004, 16, 0x411ff8}, {0x400014, 16, 0x411000}, {0x400024, 24, 0x3ff008}};

	check_stubs(EM_X86_64, x86_64, sizeof x86_64, 0x1000, x86_64_stubs, 4);
	check_stubs(EM_AARCH64, (const uint8_t *)aarch64, sizeof aarch64, 0x400000, aarch64_stubs, 3);
	CHECK(!linkage_cpu_find(EM_ARM));
	check_cut(EM_X86_64, x86_64, sizeof x86_64);
	check_cut(EM_AARCH64, (const uint8_t *)aarch64, sizeof aarch64);
}

int main(void)
{
	RUN(names_agree_with_objdump);
	RUN(static_programs);
	RUN(display_names);
	RUN(code_of_each_processor);
	return tap_done();
}
