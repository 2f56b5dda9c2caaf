/* SPDX-License-Identifier: MIT
 *
 * x86-64: copies of the stubs within reach of each module with hooks, so that its calls are direct jumps; see stub.S.
 *
 * A call through the PLT is an indirect jump, which costs more than all of the hook where the processor does not predict it. So the PLT
 * entry itself is rewritten into a direct jump; for that the stub must lie within 2 GiB of it.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define PAGE 4096ull
#define REACH 0x70000000ull
#define PAGES_MAX 1024
#define MASK_MARK 0x33333333u

extern const uint8_t dwell_stub_begin[], dwell_stub_middle[], dwell_stub_end[];
extern const uint8_t dwell_stub_enter[], dwell_stub_exit[], dwell_stub_claim_enter[], dwell_stub_claim_exit[];
extern const uint8_t dwell_stub_enter_slow[], dwell_stub_exit_slow[], dwell_stub_claim_enter_slow[], dwell_stub_claim_exit_slow[];
extern const uint8_t dwell_stub_enter_descriptor[], dwell_stub_exit_descriptor[];

/* Where the exported entries jump. */
void *dwell_enter_target HIDDEN = agent_enter_unknown;
void *dwell_exit_target HIDDEN = agent_exit_unknown;

/* Pages that were made. Append only. */
static struct hook_targets pages[PAGES_MAX];
static volatile uint32_t page_count;

static uint32_t mask; /* bytes of a ring's data − 1; no ring has this one: none is known yet */

#define RET 0xc3

static void copy(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		to[i] = from[i];
}

static void put32(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
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

/* Fills in every occurrence of a 32-bit mark of the template. */
static void fill_mark(uint8_t *code, uint64_t bytes, uint32_t mark, uint32_t value)
{
	for (uint64_t i = 0; i + 4 <= bytes; i++)
		if (is_mark(code + i, mark))
			put32(code + i, value);
}

/* A page that [low, high) reaches with 32-bit displacements, and that reaches it. */
static uint8_t *map_near(uint64_t low, uint64_t high)
{
	uint64_t step = 0x10000;

	for (uint64_t distance = step; distance < REACH - (high - low); distance += step) {
		uint64_t candidates[2] = {low - distance, high + distance};

		for (int i = 0; i < 2; i++) {
			uint64_t address = candidates[i] & ~(PAGE - 1);
			long got;

			if (address < 0x10000 || address > 0x7fffffff0000)
				continue;
			got = system_mmap((void *)address, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
			if ((uint64_t)got == address)
				return (uint8_t *)address;
			if ((unsigned long)got < -4096ul) /* a kernel that takes the address as a hint only */
				system_munmap((void *)got, PAGE);
		}
		/* Close by at first, then in greater leaps: there may be much in the way. */
		if (distance >= 64 * 0x10000)
			step = 0x1000000;
	}
	return 0;
}

static uint32_t tls_offset(const volatile void *word)
{
	uint8_t *thread_pointer;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	return (uint32_t)((const volatile uint8_t *)word - thread_pointer);
}

static void fill_descriptor(uint8_t *page, const uint8_t *stub, const uint8_t *descriptor)
{
	uint8_t *to = page + (descriptor - dwell_stub_begin);
	uint64_t base = (uint64_t)page + (uint64_t)(stub - dwell_stub_begin), start, abort;

	start = *(const uint64_t *)(descriptor + 8);
	abort = *(const uint64_t *)(descriptor + 24);
	put64(to + 8, base + start);
	put64(to + 24, base + abort);
}

/* The stubs of one kind, copied to page and filled in. */
static struct hook_targets fill_page(uint8_t *page)
{
	uint64_t bytes;
	const uint8_t *begin;
	struct hook_targets targets;

	if (dwell_rseq_offset) {
		begin = dwell_stub_begin;
		bytes = (uint64_t)(dwell_stub_middle - dwell_stub_begin);
		copy(page, begin, bytes);
		fill_descriptor(page, dwell_stub_enter, dwell_stub_enter_descriptor);
		fill_descriptor(page, dwell_stub_exit, dwell_stub_exit_descriptor);
		put64(page + (dwell_stub_enter_slow - begin), (uint64_t)agent_enter);
		put64(page + (dwell_stub_exit_slow - begin), (uint64_t)agent_exit);
		targets = (struct hook_targets){page + (dwell_stub_enter - begin), page + (dwell_stub_exit - begin)};
	} else {
		begin = dwell_stub_middle;
		bytes = (uint64_t)(dwell_stub_end - dwell_stub_middle);
		copy(page, begin, bytes);
		put64(page + (dwell_stub_claim_enter_slow - begin), (uint64_t)agent_enter);
		put64(page + (dwell_stub_claim_exit_slow - begin), (uint64_t)agent_exit);
		targets = (struct hook_targets){page + (dwell_stub_claim_enter - begin), page + (dwell_stub_claim_exit - begin)};
	}
	fill_mark(page, bytes, 0x11111111, tls_offset(&dwell_this_thread.ring));
	fill_mark(page, bytes, 0x22222222, (uint32_t)(dwell_rseq_offset + RSEQ_CS_OFFSET));
	fill_mark(page, bytes, MASK_MARK, mask);
	return targets;
}

/* Whether places in [low, high) can be tags: it lies across a multiple of 4 GiB. */
static bool has_tags(uint64_t low, uint64_t high)
{
	return (uint32_t)low < DWELL_TAG_LIMIT || (low >> 32) != ((high - 1) >> 32);
}

struct hook_targets hooks_make_targets(uint64_t low, uint64_t high, bool window)
{
	/* Without a page of its own a module can do with another's, through its words alone. */
	struct hook_targets general = pages[0].enter ? pages[0] : (struct hook_targets){agent_enter, agent_exit}, targets;
	uint32_t index;
	uint8_t *page, on;

	if (window || has_tags(low, high))
		return (struct hook_targets){agent_enter_window, agent_exit_window};
	if (page_count >= PAGES_MAX || !(page = map_near(low, high)))
		return general;
	targets = fill_page(page);
	on = *(uint8_t *)targets.enter;
	if (!agent.on)
		*(uint8_t *)targets.enter = *(uint8_t *)targets.exit = RET;
	/* Never unmapped again: the kernel may look at a descriptor in it as long as the thread has not run another one. */
	if (system_mprotect(page, PAGE, 5) < 0) {
		system_munmap(page, PAGE);
		return general;
	}
	index = __atomic_fetch_add(&page_count, 1, __ATOMIC_RELAXED);
	if (index < PAGES_MAX)
		pages[index] = targets;
	control_add_gate(targets.enter, on, RET);
	control_add_gate(targets.exit, on, RET);
	return targets;
}

/* The instruction at code, six bytes through got, becomes a direct one. A PLT entry is a jump (ff 25); code that was compiled without a
 * PLT calls or jumps through the word itself (ff 15, ff 25). */
static bool patch_one(uint8_t *code, void *const *got, const void *target)
{
	uint64_t page = (uint64_t)code & ~(PAGE - 1), pages_bytes = (((uint64_t)code + 5) & ~(PAGE - 1)) - page + PAGE;
	int64_t displacement;
	int32_t to_got = (int32_t)((uint32_t)code[2] | (uint32_t)code[3] << 8 | (uint32_t)code[4] << 16 | (uint32_t)code[5] << 24);
	bool call = code[1] == 0x15;

	if ((uint64_t)code + 6 + (uint64_t)(int64_t)to_got != (uint64_t)got)
		return false;
	/* A call keeps its length by a prefix without effect, so that its return address stays; behind a jump a nop. */
	displacement = (int64_t)((uint64_t)target - (uint64_t)code) - (call ? 6 : 5);
	if (displacement != (int32_t)displacement || system_mprotect((void *)page, pages_bytes, 3) < 0)
		return false;
	if (call) {
		code[0] = 0x67;
		code[1] = 0xe8;
		put32(code + 2, (uint32_t)displacement);
	} else {
		code[0] = 0xe9;
		put32(code + 1, (uint32_t)displacement);
		code[5] = 0x90;
	}
	system_mprotect((void *)page, pages_bytes, 5);
	return true;
}

unsigned hooks_patch_code(uint64_t begin, uint64_t end, void *const *got, const void *target)
{
	unsigned patched = 0;

	for (uint8_t *code = (uint8_t *)begin; (uint64_t)code + 6 <= end; code++)
		if (code[0] == 0xff && (code[1] == 0x25 || code[1] == 0x15) && patch_one(code, got, target))
			patched++;
	return patched;
}

/* One byte that other threads may be about to execute: they see the old one or the new one. */
static void set_byte(uint64_t code, uint8_t byte)
{
	void *page = (void *)(code & ~(PAGE - 1));

	if (*(volatile uint8_t *)code == byte || system_mprotect(page, PAGE, 7) < 0)
		return; /* the slow path looks, too */
	*(volatile uint8_t *)code = byte;
	system_mprotect(page, PAGE, 5);
}

void hooks_switch(bool on)
{
	const struct dwell_gate *gate;

	for (uint32_t i = 0; i < dwell_control.gate_count; i++)
		if ((gate = control_gate(i)))
			set_byte(gate->address, (uint8_t)(on ? gate->on : gate->off));
}

/* The template says where in a copy the mask is. */
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

	/* As dwell_ring_begin makes it of the session's slots. */
	while (bytes <= (slot_bytes - DWELL_RING_HEADER_BYTES) / 2)
		bytes *= 2;
	if (mask == (uint32_t)(bytes - 1))
		return;
	mask = (uint32_t)(bytes - 1);
	for (uint32_t i = 0; i < page_count && i < PAGES_MAX; i++) {
		uint8_t *page = (uint8_t *)((uint64_t)pages[i].enter & ~(PAGE - 1));

		if (!page)
			continue;
		if (dwell_rseq_offset)
			set_mask(page, dwell_stub_begin, dwell_stub_middle);
		else
			set_mask(page, dwell_stub_middle, dwell_stub_end);
	}
}

static void patch_export(void *entry, const void *target)
{
	uint8_t *code = entry;
	uint64_t page = (uint64_t)code & ~(PAGE - 1);
	int64_t displacement = (int64_t)((uint64_t)target - (uint64_t)code) - 5;

	/* This very code may lie in the same page: it must stay executable. */
	if (displacement != (int32_t)displacement || system_mprotect((void *)page, PAGE, 7) < 0)
		return;
	code[0] = 0xe9;
	put32(code + 1, (uint32_t)displacement);
	system_mprotect((void *)page, PAGE, 5);
}

void hooks_adopt_own(void)
{
#ifdef DWELL_LINKED_AGENT
	uint64_t entry = (uint64_t)&dwell_own_enter;
	struct hook_targets targets = hooks_make_targets(entry & ~(PAGE - 1), (entry & ~(PAGE - 1)) + PAGE, false);

	dwell_enter_target = targets.enter;
	dwell_exit_target = targets.exit;
	patch_export((void *)&dwell_own_enter, targets.enter);
	patch_export((void *)&dwell_own_exit, targets.exit);
#else
	(void)patch_export;
#endif
	/* A jump to something that returns is an indirect jump, and those are what is dear; the entries themselves can return. */
	control_add_gate((void *)&dwell_own_enter, *(const uint8_t *)&dwell_own_enter, RET);
	control_add_gate((void *)&dwell_own_exit, *(const uint8_t *)&dwell_own_exit, RET);
}
