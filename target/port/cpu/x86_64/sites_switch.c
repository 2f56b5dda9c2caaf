/* SPDX-License-Identifier: MIT
 *
 * Turns all gates and sites on or off, one byte each; and manages the blocks of sites.
 *
 * Meanwhile a file may be unmapped, and another one mapped there. So this code changes sites through /proc/self/mem, like a process
 * outside: there, missing memory is an error and not a fault. It first compares the four bytes behind a gate. Without /proc, sites
 * stay unchanged: a stub in off state returns, and a site in off state calls no stub.
 */
#include "port/cpu/x86_64/sites.h"

#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

/* Returns an empty block: a free one, or a new one. Null: no memory. */
static struct dwell_site_block *take_block(void)
{
	struct dwell_site_block *block = (struct dwell_site_block *)dwell_control.site_blocks;
	uint64_t address = dwell_control.site_blocks;

	for (; block; block = (struct dwell_site_block *)block->next)
		if (!block->base && !block->held) {
			block->held = DWELL_SITES_OF_FILE; /* the block is taken; its base is set when it is filled */
			block->count = 0;
			return block;
		}
	address = (uint64_t)system_mmap(0, sizeof *block, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (address >= (uint64_t)-4096ll)
		return 0;
	block = (struct dwell_site_block *)address;
	block->held = DWELL_SITES_OF_FILE;
	block->next = dwell_control.site_blocks;
	__atomic_store_n(&dwell_control.site_blocks, address, __ATOMIC_RELEASE);
	return block;
}

struct dwell_site_block *sites_open_block(struct sites_found *found)
{
	struct dwell_site_block *block = found->block_count ? found->blocks[found->block_count - 1] : 0;

	if (block && block->count < DWELL_SITES_A_BLOCK)
		return block;
	block = found->block_count < SITE_BLOCKS_MAX ? take_block() : 0;
	if (block)
		found->blocks[found->block_count++] = block;
	return block;
}

void sites_forget(struct sites_found *found)
{
	for (uint32_t b = 0; b < found->block_count; b++) {
		found->blocks[b]->base = 0;
		found->blocks[b]->held = 0;
	}
	found->block_count = 0;
	found->functions = 0;
}

#define LEAP 512u /* limits stack use: the stack may be a signal's */

/* Switches the sites from i to end that lie within LEAP bytes of the first, with one read. Returns the index of the next site. */
static uint32_t switch_some(int memory, const struct dwell_site_block *block, uint32_t i, bool on, uint32_t end)
{
	uint8_t code[LEAP + 5];
	uint32_t first = block->sites[i].gate;
	uint64_t base = block->base;
	long got = system_pread(memory, code, sizeof code, base + first);

	for (; i < end && block->sites[i].gate - first <= LEAP; i++) {
		const struct dwell_site *site = &block->sites[i];
		bool wanted = on && !(site->function_kind & DWELL_SITE_MUTED);
		uint8_t *at = code + (site->gate - first), byte = wanted ? DWELL_SITE_ON : dwell_site_off(site);
		uint32_t distance;

		if (!base || at + 5 > code + (got > 0 ? got : 0))
			continue;
		__builtin_memcpy(&distance, at + 1, sizeof distance);
		if (*at != byte && distance == dwell_site_distance(block, site))
			system_pwrite(memory, &byte, 1, base + site->gate);
	}
	return i;
}

bool sites_mute_function(struct dwell_site_block *block, uint32_t index, bool exits, bool mute)
{
	int memory = -1;

	for (uint32_t i = 0; i < block->count && i < DWELL_SITES_A_BLOCK && block->base; i++) {
		struct dwell_site *site = &block->sites[i];

		if ((site->function_kind & ~DWELL_SITE_MUTED) >> 4 != index || dwell_site_is_exit(site) != exits)
			continue;
		if (memory < 0 && (memory = system_open_rw("/proc/self/mem")) < 0)
			return false;
		site->function_kind = mute ? site->function_kind | DWELL_SITE_MUTED : site->function_kind & ~DWELL_SITE_MUTED;
		switch_some(memory, block, i, !mute && agent.on, i + 1);
	}
	if (memory >= 0)
		system_close(memory);
	return true;
}

void hooks_unfilter(void)
{
	struct dwell_site_block *block = (struct dwell_site_block *)dwell_control.site_blocks;

	for (; block; block = (struct dwell_site_block *)block->next)
		for (uint32_t i = 0; i < block->count && i < DWELL_SITES_A_BLOCK; i++)
			if (!dwell_site_has_no_function(&block->sites[i]))
				block->sites[i].function_kind &= ~DWELL_SITE_MUTED;
}

void sites_switch_all(bool on)
{
	const struct dwell_site_block *block = (const struct dwell_site_block *)dwell_control.site_blocks;
	/* Before the agent has begun, sites stay as they were made. */
	int memory = block && dwell_control.begun ? system_open_rw("/proc/self/mem") : -1;

	if (memory < 0)
		return;
	for (; block; block = (const struct dwell_site_block *)block->next)
		for (uint32_t i = 0; i < block->count && block->base;)
			i = switch_some(memory, block, i, on, block->count);
	system_close(memory);
}

/* Sets one byte that other threads may be about to execute: they run the old or the new byte. */
static void set_byte(uint64_t code, uint8_t byte)
{
	void *page = (void *)(code & ~(PAGE - 1));

	if (*(volatile uint8_t *)code == byte || system_mprotect(page, PAGE, 7) < 0)
		return; /* the slow path tests agent.on, too */
	*(volatile uint8_t *)code = byte;
	system_mprotect(page, PAGE, 5);
}

void hooks_switch(bool on)
{
	const struct dwell_gate *gate;

	for (uint32_t i = 0; i < dwell_control.gate_count; i++)
		if ((gate = control_gate(i)))
			set_byte(gate->address, (uint8_t)(on ? gate->on : gate->off));
	sites_switch_all(on);
}
