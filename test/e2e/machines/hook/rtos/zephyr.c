/* What Zephyr does at its switches: calls the application's function if it has one, with the thread or with nothing. */
#include <zephyr/kernel.h>

#include "hook.h"
#include "switches.h"

static struct k_thread threads[3];
static k_tid_t current;

k_tid_t k_sched_current_thread_query(void)
{
	return current;
}

/* The weak one, for who has none. */
#ifdef OLD_ZEPHYR
#define SWITCHED_IN() sys_trace_thread_switched_in_user(current)
#else
#define SWITCHED_IN() sys_trace_thread_switched_in_user()
#endif

static void switch_to(int next)
{
	current = &threads[next];
	SWITCHED_IN();
}

int main(void)
{
	hook_init();
	switch_to(2);
	switch_to(2);
	switch_to(0);
	switch_to(1);
	is_switch(0, 0, &threads[2]);
	is_switch(1, &threads[2], &threads[0]);
	is_switch(2, &threads[0], &threads[1]);
	wrong += uiProfileDataCnt != 6;
#ifdef CIRCULAR
	wrong += !come_round(switch_to);
#endif
	return wrong;
}
