/* Three threads that touch fresh pages: 500 in each of ten calls of touch. Says how many page faults the kernel counted for it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGES 500

__attribute__((noinline)) static void touch(volatile char *memory, long page)
{
	for (long i = 0; i < PAGES; i++)
		memory[i * page] = 1;
}

__attribute__((noinline)) static void touch_fresh(void)
{
	long page = sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	madvise(memory, (size_t)(PAGES * page), MADV_NOHUGEPAGE);
	touch(memory, page);
	munmap(memory, (size_t)(PAGES * page));
}

static void *work(void *nothing)
{
	for (int i = 0; i < 10; i++)
		touch_fresh();
	return nothing;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

int main(void)
{
	pthread_t threads[2];
	long before = faults();

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	work(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("faults %ld %ld\n", before, faults());
	return 0;
}
