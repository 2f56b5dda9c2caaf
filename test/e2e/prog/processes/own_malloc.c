/* own_malloc SECONDS: a program with an allocator of its own, whose lock it holds for nearly all of its time. HIDDEN: malloc and
 * free jump to what does that through a pointer, so that neither is on the stack then. */
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define CLASSES 40
#define HEAD 16

struct block {
	size_t class;
	struct block *next;
};
static volatile int locked;
static struct block *unused[CLASSES];
static char *pool;

static void lock(void)
{
	while (__sync_lock_test_and_set(&locked, 1))
		;
	for (volatile int i = 0; i < 200; i++)
		;
}

static void unlock(void)
{
	__sync_lock_release(&locked);
}

static void *take(size_t bytes)
{
	size_t class = 5;
	struct block *block;

	while ((size_t)1 << class < bytes + HEAD)
		class++;
	lock();
	block = unused[class];
	if (block) {
		unused[class] = block->next;
	} else {
		if (!pool)
			pool = mmap(0, 1ul << 32, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		block = (struct block *)pool;
		pool += 1ul << class;
	}
	block->class = class;
	unlock();
	return (char *)block + HEAD;
}

static void give(void *memory)
{
	struct block *block = (struct block *)((char *)memory - HEAD);

	if (!memory)
		return;
	lock();
	block->next = unused[block->class];
	unused[block->class] = block;
	unlock();
}

#ifdef HIDDEN
void *(*volatile taker)(size_t) = take;
void (*volatile giver)(void *) = give;
__asm__(".globl malloc, free\n.type malloc, @function\n.type free, @function\n"
	"malloc: .cfi_startproc\njmp *taker(%rip)\n.cfi_endproc\n.size malloc, . - malloc\n"
	"free: .cfi_startproc\njmp *giver(%rip)\n.cfi_endproc\n.size free, . - free\n");
#else
__attribute__((noinline)) void *malloc(size_t bytes)
{
	return take(bytes);
}

__attribute__((noinline)) void free(void *memory)
{
	give(memory);
}
#endif

void *calloc(size_t count, size_t bytes)
{
	void *memory = malloc(count * bytes);

	memset(memory, 0, count * bytes);
	return memory;
}

void *realloc(void *memory, size_t bytes)
{
	void *grown = malloc(bytes);

	if (memory) {
		size_t had = ((size_t)1 << ((struct block *)((char *)memory - HEAD))->class) - HEAD;

		memcpy(grown, memory, had < bytes ? had : bytes);
		free(memory);
	}
	return grown;
}

int main(int argc, char **argv)
{
	time_t until = time(0) + (argc > 1 ? atoi(argv[1]) : 1);

	while (time(0) < until)
		for (int i = 0; i < 1000; i++)
			free(malloc(100));
	puts("fine");
	return 0;
}
