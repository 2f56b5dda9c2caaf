/* owner: makes the kernel mark a word of shared memory at this thread's end. */
#include "record/session/owner.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Registers the list with the kernel, for the calling thread. Not 0: the kernel refuses. */
static int register_list(struct owner *owner)
{
	return (int)syscall(SYS_set_robust_list, &owner->list, sizeof owner->list);
}

void owner_begin(struct owner *owner, volatile uint32_t *word)
{
	owner->link.next = &owner->list.first;
	owner->list.first.next = &owner->link;
	owner->list.offset = (long)((uintptr_t)word - (uintptr_t)&owner->link);
	owner->list.pending = NULL;
	*word = register_list(owner) ? 0 : (uint32_t)syscall(SYS_gettid);
}

void owner_end(struct owner *owner)
{
	if (owner->link.next)
		syscall(SYS_set_robust_list, NULL, sizeof owner->list);
	owner->link.next = NULL;
}
