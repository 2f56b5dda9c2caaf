/* SPDX-License-Identifier: MIT
 *
 * Copies the stubs of stub.S to pages within reach of modules; see stubs.h.
 */
#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/plan.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define REACH 0x70000000ull
#define PAGES_MAX 1024
#define MASK_MARK 0x33333333u
#define POPULATE_BYTES (1u << 20) /* bytes for each system call: in between, a call from outside can be put aside */

extern const uint8_t dwell_stub_begin[], dwell_stub_middle[], dwell_stub_end[];

/* All pages made so far. Append-only. */
static struct stubs pages[PAGES_MAX];
static volatile uint32_t page_count;

static uint32_t mask; /* bytes of a ring's data − 1; 0: not known yet, and no ring has this mask */

static void copy(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		to[i] = from[i];
}

static void put64(uint8_t *to, uint64_t value)
{
	put32(to, (uint32_t)value);
	put32(to + 4, (uint32_t)(value >> 32));
}

static bool is_mark(const uint8_t *code, uint32_t mark)
{
	return code[0] == (uint8_t)mark && code[1] == (uint8_t)(mark >> 8) && code[2] == (uint8_t)(mark >> 16) &&
	       code[3] == (uint8_t)(mark >> 24);
}

/* Replaces every occurrence of a 32-bit mark in the template. */
static void fill_mark(uint8_t *code, uint64_t bytes, uint32_t mark, uint32_t value)
{
	for (uint64_t i = 0; i + 4 <= bytes; i++)
		if (is_mark(code + i, mark))
			put32(code + i, value);
}

static uint8_t *map_at(uint64_t address, uint64_t bytes)
{
	long got;

	address &= ~(PAGE - 1);
	if (address < 0x10000 || address > 0x7fffffff0000)
		return 0;
	got = system_mmap((void *)address, bytes, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
	if ((uint64_t)got == address)
		return (uint8_t *)address;
	if ((unsigned long)got < -4096ul) /* an older kernel takes the address as a hint only */
		system_munmap((void *)got, bytes);
	return 0;
}

/* Maps pages beside the last ones: so the pages of a library that is loaded again and again stay together. */
static uint8_t *map_beside_last(uint64_t low, uint64_t high, uint64_t bytes)
{
	const struct stubs *last = &pages[page_count - 1];
	uint64_t places[2] = {(uint64_t)last->page - bytes, (uint64_t)last->page + last->bytes};
	uint8_t *page = 0;

	for (int i = 0; i < 2 && !page; i++) {
		uint64_t from = places[i] < low ? places[i] : low, to = places[i] + bytes > high ? places[i] + bytes : high;

		page = to - from < REACH ? map_at(places[i], bytes) : 0;
	}
	return page;
}

/* Maps pages that [low, high) reaches with 32-bit displacements, and that reach [low, high). */
static uint8_t *map_near(uint64_t low, uint64_t high, uint64_t bytes)
{
	uint64_t step = 0x10000;
	uint8_t *page;

	if (high - low + bytes >= REACH)
		return 0;
	if (page_count && (page = map_beside_last(low, high, bytes)))
		return page;
	/* Close by at first, then in larger steps: much may be in the way. */
	for (uint64_t distance = step; distance + bytes < REACH - (high - low); distance += step) {
		if ((page = map_at(low - distance - bytes, bytes)) || (page = map_at(high + distance, bytes)))
			return page;
		if (distance >= 64 * 0x10000)
			step = 0x1000000;
	}
	return 0;
}

/* Returns the displacement of a thread-local word from the thread pointer. */
static uint32_t tls_offset(const volatile void *word)
{
	uint8_t *thread_pointer;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	return (uint32_t)((const volatile uint8_t *)word - thread_pointer);
}

/* Fills in the struct rseq_cs of a copied stub: the start of the sequence, and where an abort goes. */
static void fill_descriptor(uint8_t *page, const uint8_t *stub, const uint8_t *descriptor)
{
	uint8_t *to = page + (descriptor - dwell_stub_begin);
	uint64_t base = (uint64_t)page + (uint64_t)(stub - dwell_stub_begin), start, abort;

	start = *(const uint64_t *)(descriptor + 8);
	abort = *(const uint64_t *)(descriptor + 24);
	put64(to + 8, base + start);
	put64(to + 24, base + abort);
}

/* Fills in one stub of the page: the stub's descriptor and the address of its slow path. The value is the stub's address. */
#define FILL(name, slow)                                                                                                           \
	({                                                                                                                         \
		extern const uint8_t dwell_stub_##name[], dwell_stub_##name##_slow[];                                              \
		put64(page + (dwell_stub_##name##_slow - begin), (uint64_t)(slow));                                                \
		(void *)(page + (dwell_stub_##name - begin));                                                                      \
	})
#define FILL_RESTARTABLE(name, slow)                                                                                               \
	({                                                                                                                         \
		extern const uint8_t dwell_stub_##name##_descriptor[];                                                             \
		extern const uint8_t dwell_stub_##name[];                                                                          \
		fill_descriptor(page, dwell_stub_##name, dwell_stub_##name##_descriptor);                                          \
		FILL(name, slow);                                                                                                  \
	})

extern void dwell_site_slow(void) HIDDEN;

/* Copies the stubs of one form to their page and fills them in. */
static void fill_page(struct stubs *stubs)
{
	const uint8_t *begin = dwell_rseq_offset ? dwell_stub_begin : dwell_stub_middle;
	uint64_t bytes = (uint64_t)((dwell_rseq_offset ? dwell_stub_middle : dwell_stub_end) - begin);
	uint8_t *page = stubs->page;

	if (bytes > DWELL_MAPPED_AT) /* never: the stubs take a third of it */
		__builtin_trap();
	copy(page, begin, bytes);
	stubs_set_frames(stubs, 0, 0);
	if (dwell_rseq_offset) {
		stubs->enter = FILL_RESTARTABLE(enter, agent_enter);
		stubs->exit = FILL_RESTARTABLE(exit, agent_exit);
		if (filter_map) {
			stubs->enter = throttle_is_on ? FILL_RESTARTABLE(counting_enter, agent_enter)
						      : FILL_RESTARTABLE(chosen_enter, agent_enter);
			stubs->exit = FILL_RESTARTABLE(chosen_exit, agent_exit);
		}
		stubs->site = FILL_RESTARTABLE(site, dwell_site_slow);
		stubs->site_keeping = FILL_RESTARTABLE(site_keeping, dwell_site_slow);
	} else {
		stubs->enter = FILL(claim_enter, agent_enter);
		stubs->exit = FILL(claim_exit, agent_exit);
		if (filter_map) {
			stubs->enter =
				throttle_is_on ? FILL(claim_counting_enter, agent_enter) : FILL(claim_chosen_enter, agent_enter);
			stubs->exit = FILL(claim_chosen_exit, agent_exit);
		}
		stubs->site = FILL(claim_site, dwell_site_slow);
		stubs->site_keeping = FILL(claim_site_keeping, dwell_site_slow);
	}
	fill_mark(page, bytes, 0x11111111, tls_offset(&dwell_this_thread.ring));
	fill_mark(page, bytes, 0x22222222, (uint32_t)(dwell_rseq_offset + RSEQ_CS_OFFSET));
	fill_mark(page, bytes, MASK_MARK, mask);
	fill_mark(page, bytes, 0x44444444, (uint32_t)(uintptr_t)filter_map);
}

void stubs_set_frames(const struct stubs *stubs, uint64_t frames, uint64_t frames_bytes)
{
	*(struct dwell_mapped *)(stubs->page + DWELL_MAPPED_AT) =
		(struct dwell_mapped){DWELL_MAPPED_MAGIC, stubs->bytes, frames, frames_bytes};
}

bool stubs_make(uint64_t low, uint64_t high, uint64_t more, struct stubs *stubs)
{
	*stubs = (struct stubs){.bytes = PAGE + ((more + PAGE - 1) & ~(PAGE - 1))};
	stubs->page = page_count < PAGES_MAX ? map_near(low, high, stubs->bytes) : 0;
	if (!stubs->page)
		return false;
	stubs->thunks = stubs->page + PAGE;
	for (uint64_t at = 0; at < stubs->bytes; at += POPULATE_BYTES) /* all of it will be written */
		system_madvise(stubs->page + at, stubs->bytes - at < POPULATE_BYTES ? stubs->bytes - at : POPULATE_BYTES,
			MADV_POPULATE_WRITE);
	fill_page(stubs);
	return true;
}

bool stubs_seal(struct stubs *stubs)
{
	void *gates[4] = {stubs->enter, stubs->exit, stubs->site, stubs->site_keeping};
	uint8_t on[4];
	uint32_t index;

	for (int i = 0; i < 4; i++) {
		on[i] = *(uint8_t *)gates[i];
		if (!agent.on)
			*(uint8_t *)gates[i] = CODE_RET;
	}
	/* Never unmapped again: the kernel may read a descriptor in it until the thread has run another restartable sequence. */
	if (system_mprotect(stubs->page, stubs->bytes, 5) < 0) {
		system_munmap(stubs->page, stubs->bytes);
		return false;
	}
	index = __atomic_fetch_add(&page_count, 1, __ATOMIC_RELAXED);
	if (index < PAGES_MAX)
		pages[index] = *stubs;
	for (int i = 0; i < 4; i++)
		control_add_gate(gates[i], on[i], CODE_RET);
	return true;
}

struct stubs stubs_general(void)
{
	return pages[0];
}

/* Writes the mask into a page: the template has a mark wherever a copy has the mask. */
static void set_mask(uint8_t *page, const uint8_t *begin, const uint8_t *end)
{
	if (system_mprotect(page, PAGE, 7) < 0)
		return;
	for (const uint8_t *at = begin; at + 4 <= end; at++)
		if (is_mark(at, MASK_MARK)) {
			put32(page + (at - begin), mask);
			at += 3;
		}
	system_mprotect(page, PAGE, 5);
}

void hooks_set_ring(uint64_t slot_bytes)
{
	uint64_t bytes = DWELL_BLOCK_BYTES;

	/* The same size as dwell_ring_begin derives from the session's slots. */
	while (bytes <= (slot_bytes - DWELL_RING_HEADER_BYTES) / 2)
		bytes *= 2;
	if (mask == (uint32_t)(bytes - 1))
		return;
	mask = (uint32_t)(bytes - 1);
	for (uint32_t i = 0; i < page_count && i < PAGES_MAX; i++) {
		if (!pages[i].page)
			continue;
		if (dwell_rseq_offset)
			set_mask(pages[i].page, dwell_stub_begin, dwell_stub_middle);
		else
			set_mask(pages[i].page, dwell_stub_middle, dwell_stub_end);
	}
}
