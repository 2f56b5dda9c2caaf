/* Calls functions while another process of it writes over all memory that the two share with anybody: scribbles SEED MILLISECONDS
 * [cut]. With "cut" it also tries to shorten the file of that. The caller may die of it; the scribbler ends with 0, whatever became
 * of it. scribbles period: sets the period of samples to 0 and the bytes of a copied stack to the most, and works for 300 ms. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../count.h"
#include "target/port/os/linux/session.h"
#include "target/sampler/shared.h"

#define AREAS_MAX 16

struct area {
	unsigned char *begin;
	uint64_t bytes;
	char path[256];
};
static struct area areas[AREAS_MAX];
static unsigned area_count;
static uint64_t seed;
static volatile int depth;

UNHOOKED static uint64_t pick(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return seed >> 33 ^ seed << 13;
}

__attribute__((noinline)) static void leaf(void)
{
	depth++;
}
__attribute__((noinline)) static void handle(int deep)
{
	leaf();
	if (deep)
		handle(deep - 1);
	leaf();
}

UNHOOKED static uint64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* What is shared and can be written to. */
UNHOOKED static void find_areas(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long begin, end;
	char line[512];

	area_count = 0;
	while (maps && fgets(line, sizeof line, maps) && area_count < AREAS_MAX) {
		struct area *area = &areas[area_count];

		if (sscanf(line, "%lx-%lx rw-s %*s %*s %*s %255[^\n]", &begin, &end, area->path) != 3)
			continue;
		area->begin = (unsigned char *)begin;
		area->bytes = end - begin;
		area_count++;
	}
	if (maps)
		fclose(maps);
}

UNHOOKED static uint64_t any(uint64_t was)
{
	switch (pick() % 5) {
	case 0:
		return pick();
	case 1:
		return UINT64_MAX;
	case 2:
		return was ^ UINT64_C(1) << pick() % 64;
	case 3:
		return 0;
	default:
		return was + pick() % 4096;
	}
}

/* Of a session the header, the slots, the beginning of the journal, and of rings; of others the beginning. */
UNHOOKED static uint64_t any_place(const struct area *area, const struct dwell_session *session)
{
	uint64_t slot = pick() % 3, near = pick() % (pick() % 4 ? 1024 : 16384);

	if (area->bytes < sizeof *session || session->magic != DWELL_SESSION_MAGIC_WORD)
		return near;
	switch (pick() % 5) {
	case 0:
		return pick() % sizeof *session;
	case 1:
		return session->header_bytes + pick() % 512;
	case 2:
		return session->journal_offset + near;
	default:
		return session->rings_offset + slot * session->slot_bytes + near;
	}
}

UNHOOKED static void cut(const struct area *area)
{
	char path[64];
	int fd;

	if (sscanf(getenv("DWELL_SESSION") ? getenv("DWELL_SESSION") : "", "%63[^:]", path) != 1)
		return;
	fd = open(pick() % 2 ? path : area->path, O_RDWR);
	if (fd < 0)
		return;
	if (ftruncate(fd, (off_t)(pick() % 3 * 65536)) == 0)
		_exit(0);
	close(fd);
}

UNHOOKED static void scribble(uint64_t until_ms, int cuts)
{
	while (now_ms() < until_ms) {
		find_areas();
		for (int i = 0; i < 2000 && area_count; i++) {
			const struct area *area = &areas[pick() % area_count];
			uint64_t at = any_place(area, (const struct dwell_session *)area->begin) / 8 * 8;
			volatile uint64_t *word = (volatile uint64_t *)(area->begin + at);

			if (at + 8 <= area->bytes)
				*word = any(*word);
		}
		if (cuts && area_count && pick() % 8 == 0)
			cut(&areas[pick() % area_count]);
		nanosleep(&(struct timespec){0, 200000}, NULL);
	}
}

UNHOOKED static int work_without_period(void)
{
	find_areas();
	for (unsigned i = 0; i < area_count; i++) {
		struct dwell_sampler *shared = (struct dwell_sampler *)areas[i].begin;

		if (areas[i].bytes < sizeof *shared || shared->magic != DWELL_SAMPLER_MAGIC)
			continue;
		shared->period_ns = 0;
		shared->stack_bytes = UINT32_MAX;
		while (clock() < CLOCKS_PER_SEC * 3 / 10)
			handle(7);
		return 0;
	}
	return 3;
}

UNHOOKED static void give_up(int number)
{
	(void)number;
	_exit(0);
}

UNHOOKED int main(int argc, char **argv)
{
	uint64_t until_ms = now_ms() + (uint64_t)(argc > 2 ? atoi(argv[2]) : 100);
	pid_t caller;

	if (argc > 1 && !strcmp(argv[1], "period"))
		return work_without_period();
	seed = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
	handle(3);
	caller = fork();
	if (!caller) {
		alarm(20);
		while (now_ms() < until_ms + 1000)
			for (int i = 0; i < 1000; i++)
				handle(i % 8);
		_exit(0);
	}
	signal(SIGBUS, give_up);
	signal(SIGSEGV, give_up);
	scribble(until_ms, argc > 3);
	kill(caller, SIGKILL);
	waitpid(caller, NULL, 0);
	_exit(0);
}
