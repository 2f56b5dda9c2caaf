/* remote_stack: checks whether a stopped thread may load a library: whether the thread holds no lock that loading needs.
 *
 * This depends on all functions on the thread's stack. A call from within malloc would wait forever for
 * a lock of its own thread: in libc's malloc, below a signal handler, or in the program's own malloc. */
#ifndef DWELL_HOST_RECORD_REMOTE_STACK_H
#define DWELL_HOST_RECORD_REMOTE_STACK_H

#include <stdbool.h>

#include "record/remote/remote_image.h"

struct remote_stacks;
struct user_regs_struct;

/* Reads the unwind tables of all code that was mapped at the last remote_image_read_maps; takes a while. The image is borrowed.
 * Null: no memory. */
struct remote_stacks *make_remote_stacks(const struct remote_image *image);
void free_remote_stacks(struct remote_stacks *stacks);
/* Whether the thread holds no lock that loading a library needs. registers: of the stopped thread. waits: the thread waits
 * in a system call, so it may be in the C library. *unknown: set if the stack has code without known functions. */
bool remote_stack_holds_no_lock(struct remote_stacks *stacks, const struct user_regs_struct *registers, bool waits, bool *unknown);

#endif
