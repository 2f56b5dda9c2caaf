/* guard: handles SIGBUS in guarded mappings (guard.h). */
#include "util/guard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The signal handler reads these at any moment: begin is written last, and cleared first. */
static struct guard {
	volatile uintptr_t begin; /* 0: free */
	volatile size_t bytes;
	volatile bool is_taken, is_truncated;
} guards[GUARDS_MAX];
static uintptr_t page_bytes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Finds the guarded mapping that contains the address. Null: none. */
static struct guard *find_guard(uintptr_t address)
{
	for (struct guard *guard = guards; guard < guards + GUARDS_MAX; guard++) {
		uintptr_t begin = __atomic_load_n(&guard->begin, __ATOMIC_ACQUIRE);

		if (begin && address - begin < guard->bytes)
			return guard;
	}
	return NULL;
}

/* Replaces the mapping by zeros from the failing page on: the file ends before it. */
static bool put_zeros(struct guard *guard, uintptr_t address)
{
	uintptr_t begin = address & ~(page_bytes - 1);

	if (mmap((void *)begin, guard->begin + guard->bytes - begin, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	guard->is_truncated = true;
	return true;
}

/* The handler of SIGBUS, for the whole process. */
static void handle_sigbus(int number, siginfo_t *info, void *context)
{
	struct guard *guard = info->si_code > 0 ? find_guard((uintptr_t)info->si_addr) : NULL;

	(void)context;
	if (!guard || !put_zeros(guard, (uintptr_t)info->si_addr))
		signal(number, SIG_DFL); /* so the signal kills the process when the access repeats */
}

static void begin(void)
{
	struct sigaction action = {.sa_sigaction = handle_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};

	page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

bool guard_add(void *memory, size_t bytes)
{
	pthread_once(&once, begin);
	for (struct guard *guard = guards; guard < guards + GUARDS_MAX; guard++) {
		if (__atomic_exchange_n(&guard->is_taken, true, __ATOMIC_ACQUIRE))
			continue;
		guard->bytes = bytes;
		guard->is_truncated = false;
		__atomic_store_n(&guard->begin, (uintptr_t)memory, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

bool guard_was_truncated(const void *memory)
{
	const struct guard *guard = find_guard((uintptr_t)memory);

	return guard && guard->is_truncated;
}

void guard_remove(const void *memory)
{
	struct guard *guard = find_guard((uintptr_t)memory);

	if (!guard)
		return;
	__atomic_store_n(&guard->begin, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&guard->is_taken, false, __ATOMIC_RELEASE);
}

void guard_seal(int fd, enum guard_seals seals)
{
	/* On systems without seals, the handler still works. */
	fcntl(fd, F_ADD_SEALS,
		F_SEAL_SHRINK | (seals >= GUARD_SIZE ? F_SEAL_GROW : 0) | (seals >= GUARD_SIZE_ALONE ? F_SEAL_SEAL : 0) |
			(seals == GUARD_ALL ? F_SEAL_WRITE : 0));
}
