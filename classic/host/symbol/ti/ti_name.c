#include "classic/host/symbol/ti/ti_name.h"

#include <stdlib.h>
#include <string.h>

/* The functions compare this many bytes of a name at most. Longer names are hostile, and a file may have a million of them. */
#define LOOKED_BYTES 4096

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool is_number(const char *text)
{
	size_t bytes = strnlen(text, 10);

	for (size_t i = 0; i < bytes; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return bytes && bytes < 10;
}

/* spin$60$: a local symbol of the assembler. */
static bool is_local_of_assembler(const char *name)
{
	size_t bytes = strnlen(name, LOOKED_BYTES), digits = 0;

	if (bytes < 4 || name[bytes - 1] != '$')
		return false;
	while (digits + 2 < bytes && name[bytes - 2 - digits] >= '0' && name[bytes - 2 - digits] <= '9')
		digits++;
	return digits && digits + 2 < bytes && name[bytes - 2 - digits] == '$';
}

/* $C$L12, $C$DW$L$_main$3$B; of older compilers: L12, RL3 (a return address), DW$L$_main$3$B, $1_$3; $ASM$ is a whole file. */
bool ti_name_is_noise(const char *name)
{
	const char *number = name + (*name == 'R');

	if (begins(name, "$C$") || begins(name, "DW$L$") || !strcmp(name, "$ASM$") || (*number == 'L' && is_number(number + 1)))
		return true;
	return (*name == '$' && name[1] >= '0' && name[1] <= '9') || is_local_of_assembler(name);
}

bool ti_name_is_trampoline(const char *name)
{
	return begins(name, "$Tramp$");
}

bool ti_name_is_stop(const char *name)
{
	return *name != '$' && memmem(name, strnlen(name, LOOKED_BYTES), "$$", 2);
}

bool ti_name_is_section(const char *name)
{
	static const char *const ends[] = {
		"___text__", "___etext__", "etext", "___data__", "___edata__", "edata", "___bss__", "___end__", "end"};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(name, ends[i]))
			return true;
	return *name == '.';
}

const char *ti_name_of_c(const char *name)
{
	return *name == '_' && name[1] ? name + 1 : name;
}
