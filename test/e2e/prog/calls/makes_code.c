/* Makes two functions while it runs, one of which takes three times as long as the other, and writes what they are called to
 * /tmp/perf-PID.map, in the way that it is asked to:
 *   good      as it should be
 *   bad       with lines between that are none
 *   again     after others that were there before
 *   old       as a process of the same number did an hour ago
 *   foreign   as another user may (for root)
 *   none      not at all
 *   moved     with the slow one at two addresses, in turns
 *   between   as it should be, and a third one, which calls a function of this program that does the same work
 * It runs for so many rounds, or, of 0, until it is killed. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined __x86_64__
/* push rbp; mov rbp, rsp; mov rax, rdi; 1: dec rax; jnz 1b; pop rbp; ret */
/* and the third: push rbp; mov rbp, rsp; call rsi; pop rbp; ret */
static const uint8_t calling[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3};
static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0x5d, 0xc3};
#elif defined __aarch64__
/* stp x29, x30, [sp, -16]!; mov x29, sp; 1: subs x0, x0, 1; b.ne 1b; ldp x29, x30, [sp], 16; ret */
/* and the third: … blr x1 … */
static const uint32_t calling[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0020, 0xa8c17bfd, 0xd65f03c0};
static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
#endif
#define ENOUGH 64

static void write_map(const char *path, const char *how, const void *slow, const void *fast, const void *between)
{
	FILE *map;

	if (!strcmp(how, "none"))
		return;
	map = fopen(path, "w");
	if (!map)
		exit(1);
	if (!strcmp(how, "again"))
		fprintf(map, "%lx %x before\n", (unsigned long)(uintptr_t)slow, 3 * ENOUGH);
	fprintf(map, "%lx %x JS:*slow /app/node modules/@scope/slow.js:3:1\n", (unsigned long)(uintptr_t)slow, ENOUGH);
	if (!strcmp(how, "bad"))
		fprintf(map, "\n%lx what?\n", (unsigned long)(uintptr_t)fast);
	fprintf(map, "%lx %x _ZN4fast3runEv\n", (unsigned long)(uintptr_t)fast, ENOUGH);
	if (strcmp(how, "moved"))
		fprintf(map, "%lx %x between\n", (unsigned long)(uintptr_t)between, ENOUGH);
	else
		fprintf(map, "%lx %x JS:*slow /app/node modules/@scope/slow.js:3:1\n", (unsigned long)(uintptr_t)between, ENOUGH);
	fclose(map);
	if (!strcmp(how, "old") &&
		utimensat(AT_FDCWD, path, (const struct timespec[]){{time(NULL) - 3600, 0}, {time(NULL) - 3600, 0}}, 0))
		exit(1);
	if (!strcmp(how, "foreign") && chown(path, 12345, 12345))
		exit(1);
}

__attribute__((noinline)) static void run(void (*slow)(long), void (*fast)(long))
{
	slow(300000);
	__asm__ volatile("");
	fast(100000);
	__asm__ volatile("");
}

__attribute__((noinline)) static void called(long rounds)
{
	while (rounds--)
		__asm__ volatile("");
}

__attribute__((noinline)) static void call(void (*between)(long, void (*)(long)))
{
	between(100000, called);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	uint8_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *slow = memory, *fast = memory + 2 * ENOUGH, *between = memory + 4 * ENOUGH;
	int calls = argc > 1 && !strcmp(argv[1], "between"), moves = argc > 1 && !strcmp(argv[1], "moved");
	long rounds = argc > 2 ? atol(argv[2]) : 2000;
	char path[64];

	if (memory == MAP_FAILED)
		return 1;
	memcpy(slow, code, sizeof code);
	memcpy(fast, code, sizeof code);
	if (moves)
		memcpy(between, code, sizeof code);
	else
		memcpy(between, calling, sizeof calling);
	if (mprotect(memory, 4096, PROT_READ | PROT_EXEC))
		return 1;
	__builtin___clear_cache((char *)memory, (char *)memory + 4096);
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	write_map(path, argc > 1 ? argv[1] : "good", slow, fast, between);
	printf("%d %lx\n", (int)getpid(), (unsigned long)(uintptr_t)memory);
	fflush(stdout);
	for (long i = 0; !rounds || i < rounds; i++) {
		if (calls)
			call((void (*)(long, void (*)(long)))(uintptr_t)between);
		run((void (*)(long))(uintptr_t)(moves && i % 2 ? between : slow), (void (*)(long))(uintptr_t)fast);
	}
	return 0;
}
