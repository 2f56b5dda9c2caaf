/* SPDX-License-Identifier: MIT
 *
 * Finds the stack that a thread runs on, by its stack pointer alone: for coroutines that the program does not announce.
 *
 * Some stacks are exactly known: the thread's own; stacks passed to makecontext (contexts.c); and the stack of signal handlers,
 * whose calls are on top of the interrupted calls. The agent learns every other stack during use: the stack reaches from the page
 * of the deepest pointer so far to the shallowest pointer. A pointer within NEAR pages of this range belongs to the same stack; a
 * pointer further away belongs to another stack, since no stack is so small. If one call steps further down (a large array), the
 * agent takes the call's frame for another stack: then the report shows this call without a caller, and everything else is right.
 * The agent takes two stacks for one if the program uses the first up to its end, right where the second begins: programs with such
 * stacks should announce the stacks (dwell_stack_switch).
 *
 * An ended coroutine gives no sign, and the next coroutine uses the same memory. For exact stacks, the next makecontext shows the
 * new beginning. A learned stack begins anew when an enter comes from a pointer at or above all earlier frames of the stack: a
 * caller's frame always lies above its callee's.
 *
 * Numbers are unique in the process, so a coroutine keeps its number in another thread. There are no locks: compare-and-exchange
 * claims entries and pages. A handler that interrupts the first event of a stack may give the stack a second number; both are
 * right.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define STACKS_MAX 65536u
#define PAGES_MAX (1u << 18) /* pages with a known stack: a power of two */
#define PROBES 64u
#define NEAR 2u /* pages */
#define PAGE_SHIFT 12
#define GAP_BYTES (UINT64_C(128) << 20) /* the kernel keeps at least this much free below the first thread's stack */
#define RLIMIT_STACK 3

enum {
	EXACT = 1u << 0,  /* the range was passed to makecontext */
	BEGINS = 1u << 1, /* passed again: the stack begins anew */
	DEAD = 1u << 2,   /* another stack has its memory now */
};

struct known_stack {
	volatile uint64_t low, top; /* pointers in [low, top] are on this stack */
	volatile uint32_t state;
	const struct dwell_thread *volatile user; /* the last thread on this stack */
};

static struct known_stack stacks[STACKS_MAX]; /* index: number − 1 */
static volatile uint32_t stack_count;
static volatile uint64_t pages[PAGES_MAX]; /* page << 20 | number of the last stack used in it */
static volatile uint32_t nested; /* 1: a stack lies within a thread's own, as an array in a function */

static volatile uint64_t *find_page_slot(uint64_t page)
{
	uint64_t hash = page * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	for (unsigned i = 0; i < PROBES; i++) {
		volatile uint64_t *slot = &pages[(hash + i) & (PAGES_MAX - 1)];

		if (!*slot || *slot >> 20 == (page & (UINT64_MAX >> 20)))
			return slot;
	}
	return 0;
}

static uint32_t find_page(uint64_t page)
{
	volatile uint64_t *slot = find_page_slot(page);
	uint32_t number = slot ? (uint32_t)(*slot & 0xfffff) : 0;

	return number && stacks[number - 1].state & DEAD ? 0 : number;
}

static void set_page(uint64_t page, uint32_t number)
{
	uint64_t word = page << 20 | number;

	for (volatile uint64_t *slot; (slot = find_page_slot(page));) {
		uint64_t found = *slot;

		if (found && found >> 20 != word >> 20)
			continue; /* another page has the slot by now */
		if (__atomic_compare_exchange_n(slot, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	}
}

static bool holds(const struct known_stack *stack, uint64_t pointer)
{
	return pointer >= stack->low && pointer <= stack->top;
}

/* Makes a stack of this range and state. Returns its number: a dead stack's, or a new one; 0: no number is left. */
static uint32_t take_number(uint64_t low, uint64_t top, uint32_t state)
{
	uint32_t count = __atomic_load_n(&stack_count, __ATOMIC_ACQUIRE), index = 0, dead = DEAD;

	while (index < count && !(stacks[index].state == DEAD && __atomic_compare_exchange_n(&stacks[index].state, &dead,
									 DEAD | BEGINS, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)))
		index++;
	if (index == count) {
		index = __atomic_fetch_add(&stack_count, 1, __ATOMIC_ACQ_REL);
		if (index >= STACKS_MAX) {
			__atomic_fetch_sub(&stack_count, 1, __ATOMIC_RELAXED);
			return 0;
		}
	} else {
		state |= BEGINS;
	}
	stacks[index].low = low;
	stacks[index].top = top;
	__atomic_store_n(&stacks[index].state, state, __ATOMIC_RELEASE);
	return index + 1;
}

/* Returns the exact stack that holds the pointer; 0: none. */
static uint32_t find_exact(uint64_t pointer)
{
	for (uint32_t index = stack_count; index--;)
		if ((stacks[index].state & (EXACT | DEAD)) == EXACT && holds(&stacks[index], pointer))
			return index + 1;
	return 0;
}

/* Whether the pointer, a page or two from the used range of that stack, may be on that stack. */
static bool may_hold(uint32_t number, uint64_t pointer)
{
	const struct known_stack *stack = number ? &stacks[number - 1] : 0;

	return stack && (!(stack->state & EXACT) || holds(stack, pointer));
}

/* Returns the known stack of the pointer; of several candidates, preferably the thread's current stack. */
static uint32_t find_known(uint64_t pointer, uint32_t current)
{
	uint64_t page = pointer >> PAGE_SHIFT;
	uint32_t best = find_page(page);

	if (may_hold(best, pointer))
		return best;
	best = 0;
	for (uint64_t distance = 1; distance <= NEAR; distance++) {
		uint32_t above = find_page(page + distance), below = find_page(page - distance);

		if (may_hold(above, pointer) && (!best || above == current))
			best = above;
		if (may_hold(below, pointer) && (!best || below == current))
			best = below;
	}
	return best;
}

void stacks_note_context(uint64_t low, uint64_t bytes)
{
	const struct dwell_thread *thread = port_thread();
	struct dwell_ring *ring = thread->ring;
	uint64_t top = low + bytes - 1;
	uint32_t number;

	if (!bytes || top < low)
		return;
	number = find_page(top >> PAGE_SHIFT);
	if (number && stacks[number - 1].low == low && stacks[number - 1].top == top && stacks[number - 1].state & EXACT) {
		stacks[number - 1].state = EXACT | BEGINS;
	} else {
		for (uint32_t index = stack_count; index--;)
			if (stacks[index].low <= top && stacks[index].top >= low)
				stacks[index].state = DEAD;
		number = take_number(low, top, EXACT);
		if (number)
			set_page(top >> PAGE_SHIFT, number);
	}
	if (low >= thread->stack_low && low < thread->stack_high) {
		nested = 1;
		if (ring) /* the range of the thread's own stack has changed */
			ring->stack_bytes = 0;
	}
}

/* Narrows the range [*low, *high) of the thread's own stack around pointer, so that it holds no other stack. */
static void cut_own(uint64_t pointer, uint64_t *low, uint64_t *high)
{
	for (uint32_t index = stack_count; nested && index--;) {
		if ((stacks[index].state & (EXACT | DEAD)) != EXACT || stacks[index].top < *low || stacks[index].low >= *high)
			continue;
		if (stacks[index].top < pointer)
			*low = stacks[index].top + 1;
		else if (stacks[index].low > pointer)
			*high = stacks[index].low;
	}
}

/* Whether a handler runs on the signal stack and the pointer is on the signal stack. Sets the range of *stack. */
static bool is_on_signal_stack(uint64_t pointer, struct dwell_stack *stack)
{
	struct {
		uint64_t low;
		int flags;
		uint64_t bytes;
	} alternate = {0, 0, 0};

	if (system_call3(__NR_sigaltstack, 0, (long)&alternate, 0) < 0 || !(alternate.flags & 1 /* SS_ONSTACK */) ||
		pointer - alternate.low >= alternate.bytes)
		return false;
	stack->low = alternate.low;
	stack->bytes = alternate.bytes;
	return true;
}

/* Stretches the range of a learned stack to include the pointer. */
static void stretch(struct known_stack *stack, uint32_t number, uint64_t pointer)
{
	uint64_t page = pointer >> PAGE_SHIFT, low = stack->low >> PAGE_SHIFT, top = stack->top >> PAGE_SHIFT;

	if (page < low) {
		for (uint64_t at = page; at < low; at++)
			set_page(at, number);
		stack->low = page << PAGE_SHIFT;
	}
	if (pointer > stack->top) {
		for (uint64_t at = top + 1; at <= page; at++)
			set_page(at, number);
		stack->top = pointer;
	}
}

void port_find_stack(struct dwell_ring *ring, uintptr_t pointer, bool enters, struct dwell_stack *stack)
{
	const struct dwell_thread *thread = port_thread();
	uint32_t current = (uint32_t)ring->stack, number = nested ? find_exact(pointer) : 0;
	struct known_stack *known;
	bool is_new = false;

	stack->begins = false;
	if (!number && pointer >= thread->stack_low && pointer < thread->stack_high) {
		uint64_t low = thread->stack_low, high = thread->stack_high;

		cut_own(pointer, &low, &high);
		*stack = (struct dwell_stack){0, false, low, high - low};
		return;
	}
	if (!number)
		number = find_known(pointer, current);
	if (!number && is_on_signal_stack(pointer, stack)) {
		stack->number = current;
		return;
	}
	if (!number && (number = find_exact(pointer)))
		set_page(pointer >> PAGE_SHIFT, number);
	if (!number && (number = take_number(pointer >> PAGE_SHIFT << PAGE_SHIFT, pointer, 0))) {
		set_page(pointer >> PAGE_SHIFT, number);
		is_new = true;
	}
	if (!number) { /* out of numbers: all further stacks share this one */
		*stack = (struct dwell_stack){.number = STACKS_MAX + 1};
		return;
	}
	known = &stacks[number - 1];
	if (known->state & BEGINS) {
		__atomic_fetch_and(&known->state, ~(uint32_t)BEGINS, __ATOMIC_RELAXED);
		stack->begins = true;
	}
	if (!(known->state & EXACT)) {
		stack->begins |= enters && !is_new && pointer >= known->top;
		stretch(known, number, pointer);
	}
	if (known->user != thread) {
		if (known->user && !is_new && !stack->begins && agent.session)
			__atomic_fetch_add(&agent.session->moved, 1, __ATOMIC_RELAXED);
		known->user = thread;
	}
	stack->number = number;
	stack->low = known->low;
	stack->bytes = known->top - known->low + 1;
}

/* ---- numbers for stacks that the program names ---- */

#define NAMES_MAX (1u << 16) /* a power of two */
#define FIRST_NAMED (STACKS_MAX + 2)

static volatile uint64_t names[NAMES_MAX];

uint32_t stacks_find_named(const void *id)
{
	uint64_t name = (uint64_t)id, hash = name * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	for (unsigned i = 0; name && i < NAMES_MAX; i++) {
		uint32_t index = (uint32_t)(hash + i) & (NAMES_MAX - 1);
		uint64_t found = 0;

		if (names[index] != name)
			__atomic_compare_exchange_n(&names[index], &found, name, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		if (names[index] == name)
			return FIRST_NAMED + index;
	}
	return name ? FIRST_NAMED + NAMES_MAX : 0;
}

/* ---- the thread's own stack ---- */

/* PROCMAP_QUERY of Linux 6.11 and later. */
struct map_query {
	uint64_t size, flags, address, low, high;
	uint64_t unused[6];
	uint64_t addresses[2];
};
#define MAP_QUERY 0xc0686611ul

struct map_text {
	uint64_t words[2]; /* of the current line: where the mapping begins and ends */
	unsigned word;     /* 2: the rest of the line is of no interest */
};

/* Takes one more character; true when a line's two addresses are complete. */
static bool take_character(struct map_text *text, char c)
{
	if (c == '\n')
		*text = (struct map_text){{0, 0}, 0};
	else if (text->word < 2 && (c == '-' || c == ' '))
		return ++text->word == 2;
	else if (text->word < 2)
		text->words[text->word] = text->words[text->word] << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	return false;
}

static bool read_maps(int fd, uint64_t address, uint64_t *low, uint64_t *high)
{
	struct map_text text = {{0, 0}, 0};
	char buffer[1024];
	long got;

	while ((got = system_read(fd, buffer, sizeof buffer)) > 0) {
		for (long i = 0; i < got; i++) {
			if (!take_character(&text, buffer[i]) || address < text.words[0] || address >= text.words[1])
				continue;
			*low = text.words[0];
			*high = text.words[1];
			return true;
		}
	}
	return false;
}

/* Finds the mapping that holds the address. */
static bool find_mapping(uint64_t address, uint64_t *low, uint64_t *high)
{
	struct map_query query = {.size = sizeof query, .address = address};
	int fd = system_open_ro("/proc/self/maps");
	bool found;

	if (fd < 0)
		return false;
	found = !system_call3(__NR_ioctl, fd, (long)MAP_QUERY, (long)&query) && address >= query.low && address < query.high;
	if (found) {
		*low = query.low;
		*high = query.high;
	} else {
		found = read_maps(fd, address, low, high);
	}
	system_close(fd);
	return found;
}

void stacks_begin_thread(struct dwell_thread *thread, uintptr_t pointer)
{
	uint64_t thread_pointer = (uint64_t)__builtin_thread_pointer(), limit[2] = {0, 0}, low, high;

	/* While the range is unknown, every pointer counts as the thread's own, except on announced stacks; with an empty range,
	 * all pointers would be on other stacks. */
	thread->stack_low = 0;
	thread->stack_high = UINTPTR_MAX;
	if (thread_pointer == agent.first_thread_pointer && pointer < (uint64_t)agent.argv) {
		/* The first thread's stack grows into the addresses that the kernel keeps free below. */
		system_call6(__NR_prlimit64, 0, RLIMIT_STACK, 0, (long)limit, 0, 0);
		if (limit[0] < GAP_BYTES)
			limit[0] = GAP_BYTES;
		if (limit[0] > UINT64_C(1) << 40) /* unlimited: then mappings are far below */
			limit[0] = UINT64_C(1) << 40;
		thread->stack_high = (uintptr_t)agent.argv;
		if (thread->stack_high > limit[0])
			thread->stack_low = thread->stack_high - limit[0];
	} else if (find_mapping(thread_pointer, &low, &high)) {
		/* C libraries put a thread's own data on top of its stack. */
		thread->stack_low = low;
		thread->stack_high = thread_pointer;
	}
}
