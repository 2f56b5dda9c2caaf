/* Threads for the tests: preemptive, one after the other, by a timer that comes at moments which are not in step with anything. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#define KERNEL_THREADS 4

/* The one that calls it goes on as the first. Before the first of them. */
void kernel_begin(void);

/* A thread, which runs function to its end. */
void kernel_start(void (*function)(void));

/* Lets the others run until all have ended. */
void kernel_wait_for_all(void);

/* How often another thread was let run. */
extern volatile uint32_t kernel_switches;

/* For how many ticks of 24 MHz the running thread ran, by the kernel's own account. */
uint32_t kernel_ran(void);

void finish(int status);

#endif
