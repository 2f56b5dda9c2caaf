/* PROFILE functions that count: to the file that COUNTS names, "NAME CALLS" for each name, and "EXITS n" last. For programs of one
 * thread. Linked with entry_x86_64.S, or with -DPLAIN. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS (1u << 15)

static struct {
	const char *name;
	unsigned long calls;
} rows[ROWS];
static unsigned long exits;
int misaligned;

void note_entry(const char *name, const unsigned long *registers);
void note_entry(const char *name, const unsigned long *registers)
{
	(void)registers;
	uint32_t at = (uint32_t)((uintptr_t)name * 0x9e3779b97f4a7c15u >> 40) % ROWS;
	while (rows[at].name && rows[at].name != name)
		at = (at + 1) % ROWS;
	rows[at].name = name;
	rows[at].calls++;
}

#ifdef PLAIN
void __PROFILE_ENTRY(const char *name);
void __PROFILE_ENTRY(const char *name)
{
	note_entry(name, NULL);
}
#endif

void __PROFILE_EXIT(void);
void __PROFILE_EXIT(void)
{
	exits++;
}

__attribute__((destructor)) static void tell(void)
{
	const char *const path = getenv("COUNTS");
	FILE *const out = path ? fopen(path, "w") : NULL;
	if (!out)
		return;
	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].name)
			fprintf(out, "%s %lu\n", rows[i].name, rows[i].calls);
	fprintf(out, "EXITS %lu\n", exits);
	fclose(out);
	if (misaligned)
		abort();
}
