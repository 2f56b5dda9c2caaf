/* ELF files as compilers make them; nm is the second opinion. */
#include "check.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "programs.h"
#include "symbol/build_id.h"
#include "symbol/build_id.h"
#include "symbol/symbol.h"
#include "symbol/vdso.h"

static const char source_c[] =
	"int counter;\n"
	"static __attribute__((noinline)) int local_one(int n) { return n + counter; }\n"
	"int global_one(int n) { static int n_calls; n_calls++; return local_one(n) * 2; }\n"
	"int alias_of_global_one(int) __attribute__((alias(\"global_one\")));\n"
	"int weak_alias(int) __attribute__((weak, alias(\"global_one\")));\n"
	"__attribute__((weak)) int weak_one(int n) { return n - 1; }\n"
	"static void *resolve(void) { return (void *)global_one; }\n"
	"int chosen(int) __attribute__((ifunc(\"resolve\")));\n"
	"__asm__(\".text\\n.globl typed_without_size\\n.type typed_without_size, @function\\ntyped_without_size: nop; nop; inner: "
	"nop; ret\\n\"\n"
	"        \".globl untyped\\nuntyped: nop; ret\\n\"\n"
	"        \".globl sized\\n.type sized, @function\\nsized: nop; label_in_sized: nop; ret\\n.size sized, .-sized\\n\"\n"
	"        \".type end_mark, @function\\n.section .text.last,\\\"ax\\\",@progbits\\nlast_one: nop\\nnop\\nbehind_all: "
	".text\\n\");\n"
	"#ifndef NO_MAIN\n"
	"int main(int argc, char **argv) { (void)argv; return global_one(argc) + chosen(argc); }\n"
	"#endif\n";

static const char source_cpp[] =
	"#include <stdexcept>\n"
	"namespace space { template <class T> struct box { T v; __attribute__((noinline)) box(T x) : v(x) {} "
	"__attribute__((noinline)) ~box() {}\n"
	"	__attribute__((noinline)) T get(int by) const { if (by < 0) throw std::runtime_error(\"no\"); return v * by; } }; "
	"}\n"
	"static __attribute__((noinline)) int operator_user(const space::box<int> &b) { return b.get(2); }\n"
	"int main(int argc, char **) { space::box<int> b(argc); space::box<double> d(argc); return operator_user(b) + "
	"(int)d.get(1); }\n";

static const struct symbol *find_name(const struct symbol_table *table, const char *name)
{
	for (size_t i = 0; i < symbol_count(table); i++)
		if (!strcmp(symbol_at(table, i)->name, name))
			return symbol_at(table, i);
	return NULL;
}

static bool is_named(const struct symbol *symbol, const char *name)
{
	return symbol && !strcmp(symbol->name, name);
}

/* What holds for every table. */
static void check_order(const struct symbol_table *table)
{
	for (size_t i = 0; i < symbol_count(table); i++) {
		const struct symbol *symbol = symbol_at(table, i);

		CHECK(symbol->size > 0);
		CHECK(symbol->name[0]);
		if (i + 1 < symbol_count(table))
			CHECK(symbol->size <= symbol_at(table, i + 1)->address - symbol->address);
		CHECK(symbol_find(table, symbol->address) == symbol);
		CHECK(symbol_find(table, symbol->address + symbol->size - 1) == symbol);
		CHECK(symbol_find(table, symbol->address + symbol->size) != symbol);
	}
	if (symbol_count(table))
		CHECK(!symbol_find(table, symbol_at(table, 0)->address - 1));
	CHECK(!symbol_find(table, UINT64_MAX) || symbol_find(table, UINT64_MAX)->address > UINT64_MAX / 2);
	CHECK(!symbol_at(table, symbol_count(table)));
}

/* Every text symbol of nm is a start of ours, under one of nm's names for it; nothing of ours is unknown to nm. Labels inside
 * functions (nm shows no size for them) may be missing. Returns how many lines nm had. */
static size_t check_against_nm(const struct symbol_table *table, const char *nm, const char *path, const char *options)
{
	size_t lines = 0, bytes = 0;
	char *text, *save, *seen = calloc(symbol_count(table) + 1, 1);

	CHECK(run_shell("%s -n -S --defined-only %s %s > nm.txt", nm, options, path));
	text = make_file_bytes(get_path("nm.txt"), &bytes);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long address, size = 0;
		char kind, name[512];
		const struct symbol *symbol, *next;
		bool has_size = sscanf(line, "%llx %llx %c %511s", &address, &size, &kind, name) == 4;

		if (!has_size && sscanf(line, "%llx %c %511s", &address, &kind, name) != 3)
			continue;
		if (!strchr("tTwWiu", kind) || name[0] == '$' || (name[0] == '.' && name[1] == 'L'))
			continue;
		lines++;
		symbol = symbol_find(table, address);
		if (symbol && symbol->address == address) {
			if (!strncmp(symbol->name, name, strcspn(name, "@")))
				seen[symbol - symbol_at(table, 0)] = 1;
			next = symbol_at(table, (size_t)(symbol - symbol_at(table, 0)) + 1);
			if (has_size && next && size > next->address - address)
				size = next->address - address; /* overlapping sizes are cut */
			if (has_size && !strcmp(symbol->name, name))
				CHECK_EQ(symbol->size, size);
		} else if (has_size) {
			CHECK_STR(name, "a start in our table"); /* says which is missing */
		}
	}
	for (size_t i = 0; i < symbol_count(table); i++)
		if (!seen[i])
			CHECK_STR(symbol_at(table, i)->name, "a name that nm knows at this address");
	free(text);
	free(seen);
	return lines;
}

static bool make_c(const char *program, const char *options)
{
	return write_file("a.c", source_c, strlen(source_c)) && run_shell("gcc -O1 %s a.c -o %s", options, program);
}

static struct symbol_table *make_quiet_table(const char *path)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(path, NULL, diag);

	CHECK_EQ(diag_status(diag), 0);
	diag_print(diag, stdout);
	free_diag(diag);
	return table;
}

TEST(agrees_with_nm)
{
	static const char *const ways[] = {"", "-no-pie", "-static", "-static-pie", "-shared -fPIC -DNO_MAIN", "-c",
		"-c -ffunction-sections", "-shared -fPIC -DNO_MAIN -Wl,-Bsymbolic -Wl,-z,now", "-Wl,--build-id=none -g"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct symbol_table *table;

		printf("# gcc %s\n", ways[i]);
		CHECK(make_c("program", ways[i]));
		table = make_quiet_table(get_path("program"));
		CHECK_STR(symbol_format(table), "ELF");
		CHECK_EQ(symbol_state(table), SYMBOL_READ);
		CHECK_EQ(symbol_pointer_bytes(table), 8);
		check_order(table);
		if (!strstr(ways[i], "-c"))
			CHECK(check_against_nm(table, "nm", "program", "") > 8);
		CHECK(find_name(table, "local_one"));
		CHECK(find_name(table, "weak_one"));
		CHECK(!find_name(table, "counter"));
		free_symbol_table(table);
	}
}

TEST(aliases_labels_and_sizes)
{
	struct symbol_table *table;
	const struct symbol *symbol, *next;

	CHECK(make_c("program", "-no-pie"));
	table = make_quiet_table(get_path("program"));
	CHECK(find_name(table, "global_one")); /* global and shorter than alias_of_global_one; weak_alias is weak */
	CHECK(!find_name(table, "alias_of_global_one"));
	CHECK(!find_name(table, "weak_alias"));
	CHECK(find_name(table, "chosen")); /* the global IFUNC, at the address of the local function resolve */
	CHECK(!find_name(table, "resolve"));

	symbol = find_name(table, "typed_without_size"); /* size derived: up to the next label, as nothing says it goes further */
	CHECK(symbol && symbol->size == 2);
	symbol = find_name(table, "inner");
	next = find_name(table, "untyped");
	CHECK(symbol && next && symbol->address + symbol->size == next->address);
	symbol = find_name(table, "sized");
	CHECK(symbol && symbol->size == 3);
	CHECK(!find_name(table, "label_in_sized"));
	symbol = find_name(table, "last_one");
	CHECK(symbol && is_named(symbol_find(table, symbol->address + 1), "last_one"));
	free_symbol_table(table);
}

TEST(sections_of_an_object_file_do_not_collide)
{
	struct symbol_table *table;
	const struct symbol *symbol;

	CHECK(make_c("a.o", "-c -ffunction-sections"));
	table = make_quiet_table(get_path("a.o"));
	check_order(table);
	for (const char *const *name = (const char *const[]){"global_one", "local_one", "main", "weak_one", "chosen", NULL}; *name;
		name++)
		CHECK(find_name(table, *name));
	symbol = find_name(table, "last_one");
	CHECK(symbol && symbol->size == 2); /* no name behind it: its section's end */
	CHECK(!find_name(table, "behind_all"));
	free_symbol_table(table);
}

/* The functions that only the unwind tables know of are those of the file before it was stripped. */
static void check_extents(const struct symbol_table *full, const struct symbol_table *stripped)
{
	uint64_t behind = 0;

	for (size_t i = 0; i < symbol_extent_count(stripped); i++) {
		const struct symbol_extent *extent = symbol_extent_at(stripped, i);

		CHECK(extent->size > 0);
		CHECK(extent->address >= behind);
		behind = extent->address + extent->size;
		CHECK(symbol_extent_find(stripped, extent->address) == extent);
		CHECK(symbol_extent_find(stripped, behind - 1) == extent);
		CHECK(symbol_extent_find(stripped, behind) != extent);
		CHECK(!symbol_find(stripped, extent->address));
		CHECK(!symbol_find(stripped, behind - 1));
	}
	CHECK(!symbol_extent_at(stripped, symbol_extent_count(stripped)));
	for (const char **name = (const char *[]){"local_one", "global_one", "weak_one", "resolve", "main", NULL}; *name; name++) {
		const struct symbol *symbol = find_name(full, *name);
		const struct symbol_extent *extent = symbol ? symbol_extent_find(stripped, symbol->address + 1) : NULL;

		const struct symbol *other = symbol ? symbol_find(stripped, symbol->address) : NULL; /* another name of it */

		if (!symbol || find_name(stripped, *name) ||
			(other && other->address == symbol->address && other->size == symbol->size))
			continue;
		CHECK(extent && extent->address == symbol->address && extent->size == symbol->size);
	}
}

TEST(extents_without_symbols)
{
	static const char *const ways[] = {"-no-pie", "-pie -fPIE", "-shared -fPIC -DNO_MAIN", "-static -fno-asynchronous-unwind-tables"};
	struct symbol_table *full, *stripped;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		CHECK(make_c("program", ways[i]) && run_shell("strip program -o stripped"));
		full = make_quiet_table(get_path("program"));
		stripped = make_quiet_table(get_path("stripped"));
		CHECK_EQ(symbol_extent_count(full), 0); /* its symbols are enough */
		if (i < 3)
			check_extents(full, stripped);
		if (i < 3)
			CHECK(symbol_extent_find(stripped, find_name(full, "local_one")->address));
		else
			CHECK(!symbol_extent_find(stripped, find_name(full, "local_one")->address));
		free_symbol_table(full);
		free_symbol_table(stripped);
	}
}

/* Where a section's header is, in a file of 64 bits. */
static Elf64_Shdr *find_header(uint8_t *file, uint32_t type)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(uintptr_t)file;
	Elf64_Shdr *sections = (Elf64_Shdr *)(uintptr_t)(file + header->e_shoff);

	for (uint32_t i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == type)
			return &sections[i];
	return NULL;
}

enum damage { TABLE_BEYOND, STRINGS_BEYOND, BAD_NAMES, OUTSIDE, EMPTY, DAMAGES };

static void damage(uint8_t *file, enum damage how)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)(uintptr_t)file;
	Elf64_Shdr *table = find_header(file, SHT_SYMTAB), *sections = (Elf64_Shdr *)(uintptr_t)(file + header->e_shoff);
	Elf64_Sym *symbols = (Elf64_Sym *)(uintptr_t)(file + table->sh_offset);
	size_t count = table->sh_size / sizeof *symbols;

	switch (how) {
	case TABLE_BEYOND:
		table->sh_offset = 1 << 30;
		break;
	case STRINGS_BEYOND:
		sections[table->sh_link].sh_offset = 1 << 30;
		break;
	case BAD_NAMES:
	case OUTSIDE:
		for (size_t i = 0; i < count; i++)
			if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && i % 2)
				*(how == OUTSIDE ? (uint32_t *)&symbols[i].st_value : &symbols[i].st_name) = 1 << 30;
		break;
	case EMPTY:
		table->sh_size = sizeof *symbols;
		break;
	case DAMAGES:
		break;
	}
}

/* A table that is damaged says nothing, or not all: what it lacks is known from the unwind tables, as in a stripped file. */
TEST(extents_of_damaged_files)
{
	static const char *const ways[] = {"-no-pie", "-shared -fPIC -DNO_MAIN"};

	for (size_t i = 0; i < 2 * DAMAGES; i++) {
		enum damage how = (enum damage)(i % DAMAGES);
		struct diag *diag = make_diag();
		struct symbol_table *full, *damaged;
		uint8_t *file = malloc(1 << 20);
		size_t bytes;
		FILE *from;

		CHECK(make_c("program", ways[i / DAMAGES]));
		from = fopen(get_path("program"), "r");
		bytes = from ? fread(file, 1, 1 << 20, from) : 0;
		CHECK(bytes && bytes < 1 << 20 && !fclose(from));
		damage(file, how);
		CHECK(write_file("damaged", file, bytes));
		full = make_quiet_table(get_path("program"));
		damaged = make_symbol_table(get_path("damaged"), NULL, diag);
		CHECK_EQ(diag_status(diag), how != EMPTY);
		diag_print(diag, stdout);
		check_extents(full, damaged);
		CHECK(symbol_extent_count(damaged) >= 1);
		free_symbol_table(full);
		free_symbol_table(damaged);
		free_diag(diag);
		free(file);
	}
}

static const char source_asm[] =
	".text\n.globl one\n.type one, @function\none: .cfi_startproc\nnop; nop; nop; nop; ret\n.cfi_endproc\n"
	".type hidden, @function\nhidden: .cfi_startproc\nnop; ret\n.cfi_endproc\n.size hidden, .-hidden\n"
	".globl two\n.type two, @function\ntwo: nop; ret\n.size two, .-two\n.section .note.GNU-stack,\"\",@progbits\n";

/* An export without a size ends where its entry in the tables does, not at the next export. */
TEST(exports_without_size)
{
	const struct symbol_extent *hidden;
	struct symbol_table *table;
	const struct symbol *symbol;

	CHECK(write_file("asm.s", source_asm, strlen(source_asm)));
	CHECK(run_shell("gcc -shared asm.s -o asm.so && strip asm.so"));
	table = make_quiet_table(get_path("asm.so"));
	symbol = find_name(table, "one");
	CHECK(symbol && symbol->size == 5);
	hidden = symbol_extent_find(table, symbol->address + 6);
	CHECK(hidden && hidden->address == symbol->address + 5 && hidden->size == 2);
	CHECK(find_name(table, "two"));
	free_symbol_table(table);
}

TEST(stripped_is_no_error)
{
	struct symbol_table *table;

	CHECK(make_c("program", "-no-pie") && run_shell("strip program -o stripped"));
	table = make_quiet_table(get_path("stripped"));
	CHECK(!find_name(table, "global_one"));
	CHECK_STR(symbol_format(table), "ELF");
	free_symbol_table(table);

	CHECK(make_c("library", "-shared -fPIC -DNO_MAIN") && run_shell("strip library"));
	table = make_quiet_table(get_path("library"));
	CHECK(find_name(table, "global_one")); /* .dynsym */
	CHECK(!find_name(table, "local_one"));
	check_against_nm(table, "nm", "library", "-D");
	free_symbol_table(table);
}

TEST(code_in_no_file_closes_none)
{
	int before = fcntl(STDIN_FILENO, F_GETFD);
	struct symbol_table *table = make_symbol_table("[vdso]", NULL, NULL);

	CHECK_EQ(symbol_state(table), SYMBOL_MISSING);
	CHECK_EQ(fcntl(STDIN_FILENO, F_GETFD), before);
	free_symbol_table(table);
}

/* The code that the kernel maps into this process, if it is that of the recording: by the build-id. */
TEST(code_of_the_kernel)
{
	struct symbol_request want = {0};
	struct diag *diag = make_diag();
	uint8_t id[BUILD_ID_BYTES_MAX];
	int fd = open_vdso();
	struct symbol_table *table;
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd >= 0 && CHECK(read_build_id(path, id, &want.build_id_bytes))) {
		want.build_id = id;
		table = make_symbol_table("[vdso]", &want, diag);
		CHECK(find_name(table, "__vdso_clock_gettime") || find_name(table, "__kernel_clock_gettime") ||
			find_name(table, "clock_gettime"));
		free_symbol_table(table);
		id[0] ^= 1;
		table = make_symbol_table("[vdso]", &want, diag);
		CHECK_EQ(symbol_state(table), SYMBOL_MISSING);
		CHECK_EQ(symbol_count(table), 0);
		free_symbol_table(table);
	}
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
	if (fd >= 0)
		close(fd);
}

TEST(both_tables_are_one)
{
	struct symbol_table *table;

	/* .symtab has only local_one left, .dynsym the rest */
	CHECK(make_c("library", "-shared -fPIC -DNO_MAIN"));
	CHECK(run_shell("strip -K local_one library"));
	table = make_quiet_table(get_path("library"));
	CHECK(find_name(table, "local_one"));
	CHECK(find_name(table, "global_one"));
	free_symbol_table(table);
}

TEST(cpp_names)
{
	struct symbol_table *table;
	bool seen_get = false, seen_static = false;

	CHECK(write_file("a.cpp", source_cpp, strlen(source_cpp)) && run_shell("g++ -O1 a.cpp -o cpp"));
	table = make_quiet_table(get_path("cpp"));
	check_order(table);
	CHECK(check_against_nm(table, "nm", "cpp", "") > 8);
	for (size_t i = 0; i < symbol_count(table); i++) {
		char *name = make_symbol_display_name(symbol_at(table, i)->name);

		seen_get |= name && !strcmp(name, "space::box<int>::get(int) const");
		seen_static |= name && !strcmp(name, "operator_user(space::box<int> const&)");
		free(name);
	}
	CHECK(seen_get);
	CHECK(seen_static);
	free_symbol_table(table);
}

TEST(build_ids)
{
	struct diag *diag = make_diag();
	uint8_t id[BUILD_ID_BYTES_MAX] = {0}, other[BUILD_ID_BYTES_MAX] = {0};
	struct symbol_request want = {.build_id = id};
	struct symbol_table *table;
	char text[BUILD_ID_TEXT_BYTES];
	size_t bytes = 0;

	CHECK(make_c("program", "-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567"));
	CHECK(read_build_id(get_path("program"), id, &bytes));
	format_build_id(text, id, bytes);
	CHECK_STR(text, "0123456789abcdef0123456789abcdef01234567");

	want.build_id_bytes = bytes;
	table = make_symbol_table(get_path("program"), &want, diag);
	CHECK_EQ(diag_status(diag), 0);
	CHECK(symbol_count(table) > 0);
	free_symbol_table(table);

	want.build_id = other;
	table = make_symbol_table(get_path("program"), &want, diag);
	CHECK_EQ(diag_status(diag), 1);
	CHECK_EQ(symbol_count(table), 0);
	CHECK_EQ(symbol_state(table), SYMBOL_MISMATCHED);
	free_symbol_table(table);

	CHECK(make_c("without", "-Wl,--build-id=none"));
	table = make_symbol_table(get_path("without"), &want, diag);
	CHECK_EQ(symbol_count(table), 0);
	CHECK_EQ(symbol_state(table), SYMBOL_MISMATCHED);
	free_symbol_table(table);
	free_diag(diag);

	/* from the segments alone: no section headers are left */
	CHECK(run_shell(
		"gcc -O1 -Wl,--build-id=0xa1b2c3 a.c -o program && objcopy --strip-section-headers program bare 2>/dev/null || "
		"{ cp program bare && printf '\\0\\0\\0\\0\\0\\0\\0\\0' | dd of=bare bs=1 seek=40 conv=notrunc 2>/dev/null &&"
		" printf '\\0\\0\\0\\0' | dd of=bare bs=1 seek=60 conv=notrunc 2>/dev/null; }"));
	CHECK(read_build_id(get_path("bare"), id, &bytes));
	CHECK_EQ(bytes, 3);
	CHECK_EQ(id[2], 0xc3);

	CHECK(make_c("program", "-Wl,--build-id=none"));
	CHECK(!read_build_id(get_path("program"), id, &bytes));
	CHECK(!read_build_id(get_path("missing"), id, &bytes));
	CHECK(!read_build_id(get_path("a.c"), id, &bytes));
	CHECK(!read_build_id(get_program_folder(), id, &bytes));
}

TEST(other_machines)
{
	struct symbol_table *table;

	if (!have_program("aarch64-linux-gnu-gcc")) {
		printf("# SKIP no aarch64-linux-gnu-gcc\n");
		return;
	}
	CHECK(run_shell("aarch64-linux-gnu-gcc -O1 -nostdlib -shared -fPIC -x c - -o arm64 <<'E'\n"
			"int first(int n) { return n + 1; }\nstatic __attribute__((used)) int second(int n) { return n * 3; }\n"
			"__asm__(\".text\\ntable: .word 1\\ncode: nop\\n\");\nE"));
	table = make_quiet_table(get_path("arm64"));
	check_order(table);
	CHECK(find_name(table, "first"));
	CHECK(find_name(table, "second"));
	for (size_t i = 0; i < symbol_count(table); i++)
		CHECK(symbol_at(table, i)->name[0] != '$');
	CHECK(check_against_nm(table, "aarch64-linux-gnu-nm", "arm64", "") >= 2);
	free_symbol_table(table);
}

int main(void)
{
	RUN(agrees_with_nm);
	RUN(aliases_labels_and_sizes);
	RUN(sections_of_an_object_file_do_not_collide);
	RUN(stripped_is_no_error);
	RUN(extents_without_symbols);
	RUN(extents_of_damaged_files);
	RUN(exports_without_size);
	RUN(code_in_no_file_closes_none);
	RUN(code_of_the_kernel);
	RUN(both_tables_are_one);
	RUN(cpp_names);
	RUN(build_ids);
	RUN(other_machines);
	return tap_done();
}
