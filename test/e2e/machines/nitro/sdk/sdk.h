/* What stands in for an SDK: its own OS_Init, tick, console and threads, each in the objects in which a real one has them. Its
 * names are in nitro.h but for those that the profiler does not know. */
#ifndef SDK_H
#define SDK_H

#include <nitro.h>

void OS_SetTick(u64 tick);         /* in the object of the tick */
void OS_PutString(const char *text); /* in that of the console */

/* Threads that run until they yield. The one that begins is a thread, too. */
void OS_CreateThread(void (*function)(void));
void OS_YieldThread(void);
void OS_JoinThreads(void);

/* Is the clock: it stands still otherwise. */
void sdk_pass(u32 ticks);

/* 1 when OS_Init was called. */
extern int sdk_is_up;

#endif
