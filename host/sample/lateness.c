/* lateness: estimates how late this process gets a processor, from past delays and from the system's load. */
#include "sample/lateness.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLICE_NS UINT64_C(4000000) /* how long a thread runs while others wait: about a tick */
#define LOAD_NS UINT64_C(5000000) /* how long the number of runnable threads is good for */
#define DECAY 64u /* each note forgets this part (1/64) of the expected lateness */

void lateness_note(struct lateness *lateness, uint64_t wanted_ns, uint64_t now_ns)
{
	uint64_t late_ns = now_ns > wanted_ns ? now_ns - wanted_ns : 0;

	lateness->expected_ns -= lateness->expected_ns / DECAY;
	if (late_ns > lateness->expected_ns)
		lateness->expected_ns = late_ns;
}

/* Reads the number of runnable threads, with this thread: 3 in "0.20 0.18 0.12 3/345 6789". 0: unknown. */
static uint64_t count_runnable(struct lateness *lateness)
{
	char text[80];
	const char *at = text;
	ssize_t size;

	if (!lateness->fd)
		lateness->fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC) + 1;
	size = lateness->fd > 0 ? pread(lateness->fd - 1, text, sizeof text - 1, 0) : 0;
	text[size > 0 ? size : 0] = '\0';
	for (int i = 0; i < 3 && at; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at ? strtoull(at, NULL, 10) : 0;
}

uint64_t lateness_expect(struct lateness *lateness, uint64_t now_ns)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t rounds;

	if (now_ns - lateness->load_ns >= LOAD_NS) {
		lateness->load_ns = now_ns;
		rounds = count_runnable(lateness) / (uint64_t)(processors > 0 ? processors : 1);
		if (rounds > 1 && (rounds - 1) * SLICE_NS > lateness->expected_ns)
			lateness->expected_ns = (rounds - 1) * SLICE_NS;
	}
	return lateness->expected_ns;
}

void lateness_clear(struct lateness *lateness)
{
	if (lateness->fd > 0)
		close(lateness->fd - 1);
	*lateness = (struct lateness){0};
}
