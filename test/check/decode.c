/* Reads what objdump says of the code of a program, "ADDRESS INSTRUCTION" a line, and compares where each instruction begins with
 * where the agent's own walk (target/port/cpu/x86_64/code.c) thinks that the one before ends. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port/cpu/x86_64/code.h"

/* The first section of that name; the file is one that a linker made just now. */
static const Elf64_Shdr *find_section(const unsigned char *file, const char *name)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
	const char *names = (const char *)file + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	return NULL;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	unsigned long before = 0, all = 0, wrong = 0;
	const unsigned char *file;
	const Elf64_Shdr *text;
	struct stat info;
	char line[1024];

	if (fd < 0 || fstat(fd, &info) < 0)
		return 2;
	file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	text = file == MAP_FAILED ? NULL : find_section(file, ".text");
	if (!text)
		return 2;
	while (fgets(line, sizeof line, stdin)) {
		unsigned long address = strtoul(line, NULL, 16);
		const unsigned char *code = file + text->sh_offset + (before - text->sh_addr);

		if (before) {
			struct code one = code_decode((uint64_t)(uintptr_t)code,
				(uint64_t)(uintptr_t)(file + text->sh_offset + text->sh_size));

			all++;
			if (one.bytes != address - before && wrong++ < 10)
				printf("at %lx: %u bytes, objdump says %lu\n", before, one.bytes, address - before);
		}
		/* Data between functions is no code. */
		before = strstr(line, "(bad)") || strstr(line, "fwait") ? 0 : address;
	}
	printf("%lu instructions, %lu wrong\n", all, wrong);
	return wrong || all < 1000;
}
