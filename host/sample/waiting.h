/* waiting: whether all threads of some processes wait for something other than a processor, as /proc says; asked often.
 *
 * Who was ready the last time is asked first, and where all waited and no CPU time was used since, nobody is asked: so it costs a few
 * system calls, however many threads there are, but for when all of them have just begun to wait. */
#ifndef DWELL_HOST_SAMPLE_WAITING_H
#define DWELL_HOST_SAMPLE_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero it before the first use. */
struct waiting {
	uint32_t ready_pid, ready_tid; /* had a processor, or wanted one; 0: nobody */
	bool all;                      /* waited … */
	uint64_t cpu_ns;               /* … and so much CPU time they had used */
};

/* False, too, when none lives. pids: an array of count; of many only the first ones are asked. */
bool waiting_all(struct waiting *waiting, const uint32_t *pids, size_t count);

#endif
