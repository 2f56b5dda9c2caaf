/* What the glue needs of Zephyr's header, and what else may be in its way: the hook as older versions declare it, or newer ones. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdint.h>

struct k_thread {
	int priority;
};
typedef struct k_thread *k_tid_t;

k_tid_t k_sched_current_thread_query(void);

#ifdef OLD_ZEPHYR
void sys_trace_thread_switched_in_user(struct k_thread *thread);
#else
void sys_trace_thread_switched_in_user(void);
#endif

#endif
