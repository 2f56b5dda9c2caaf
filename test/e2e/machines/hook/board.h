/* What the programs of this folder need of a board: m3.c (QEMU's mps2-an385) and riscv.c (its virt, 32 bits). */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define NO_HOOKS __attribute__((no_instrument_function))

/* The program; the board calls it. */
int main(void);

void board_print(const char *text);
void board_print_number(const char *text, uint32_t number); /* in decimals, with a line's end */
void board_write_file(const char *name, const void *bytes, uint32_t size);
void board_exit(int status) __attribute__((noreturn));
void board_stand(void) __attribute__((noreturn)); /* for a debugger to come */

/* The clock of the hooks (HOOK_COUNTER_AT, mcycle). The second one has its low 32 bits come round in about so many counts from when
 * it returns, by whatever way the board has; returns the counter then, as hook_init() before it has hooks see it. */
uint32_t board_counter(void);
uint64_t board_come_round_in(uint32_t counts);

/* Calls board_interrupted once, so many ticks of the timer from now, with the address of the instruction that comes next. */
void board_interrupt_in(uint32_t ticks);
void board_interrupted(uintptr_t at);

/* The kernel's (kernel.c). From now on each period of so many counts kernel_tick, and behind it, or whatever it interrupted,
 * kernel_switch. */
void board_begin_ticks(uint32_t period);
void kernel_tick(void);
void *kernel_switch(void *frame);

/* A frame on top of that stack, of a task that is to begin in function. */
void *board_make_frame(void *stack_end, void (*function)(void));

/* An interrupt that comes at once, and interrupts handlers, too: kernel_nested. */
void board_nest(void);
void kernel_nested(void);

#endif
