/* control_gates: turns gates and sites on and off from outside, while the program runs: the second part of control.h. The
 * control block lists the gates of hooks. Patched sites have gates of their own, in blocks (target/port/os/linux/control.h). */
#include "record/session/control.h"

#include <stdlib.h>
#include <string.h>

#include "target/port/os/linux/filter.h"
#include "target/port/os/linux/throttle.h"

#define SPAN_BYTES 16384u /* takes some microseconds to read or write */
#define GATE_BYTES 5u

static bool read_process(const struct control *control, uint64_t address, void *to, size_t bytes)
{
	return remote_read(&control->image, address, to, bytes);
}

static bool write_process(const struct control *control, uint64_t address, const void *from, size_t bytes)
{
	return remote_write(&control->image, address, from, bytes);
}

/* The process wrote the block: its count may exceed the room. */
static uint32_t site_count(const struct dwell_site_block *block)
{
	return block->count < DWELL_SITES_A_BLOCK ? block->count : DWELL_SITES_A_BLOCK;
}

/* Changes the first byte of a gate in `gate`, a copy of its bytes. The four bytes behind are the distance to
 * the thunk: a different distance means that the gate is gone. False: nothing to change. */
static bool change_gate(const struct dwell_site_block *block, const struct dwell_site *site, uint8_t gate[GATE_BYTES], bool on)
{
	uint32_t distance = dwell_site_distance(block, site);
	uint8_t from = on ? dwell_site_off(site) : DWELL_SITE_ON, to = on ? DWELL_SITE_ON : dwell_site_off(site);

	if (gate[0] != from || memcmp(gate + 1, &distance, sizeof distance) != 0)
		return false;
	gate[0] = to;
	return true;
}

/* Reads, changes and writes the gate of one site. False: the gate cannot be written. True also for a gate that needs no change
 * or cannot be read. */
static bool switch_one(const struct control *control, const struct dwell_site_block *block, uint32_t i, bool on)
{
	uint64_t address = block->base + block->sites[i].gate;
	uint8_t gate[GATE_BYTES];

	return !read_process(control, address, gate, sizeof gate) || !change_gate(block, &block->sites[i], gate, on) ||
	       write_process(control, address, gate, 1);
}

/* Reads the gates of the sites from index *at on in one piece, as far as the gates lie within SPAN_BYTES, and switches the gates.
 * Writes gates in a file's code one by one: the program may unmap the file meanwhile and map another one there, so no byte between
 * gates may be written. Writes gates in the agent's own memory (DWELL_SITES_OF_STUBS) in one piece, with the bytes between the
 * gates: that memory stays mapped, and only its gates change. Threads that run the gates find each byte old or new. Sets *at to the
 * next site. False: a gate cannot be written. */
static bool switch_span(const struct control *control, const struct dwell_site_block *block, uint32_t *at, bool on)
{
	static uint8_t code[SPAN_BYTES];
	uint32_t first = block->sites[*at].gate, i = *at, from = sizeof code, end = 0;
	uint64_t base = block->base + first;
	size_t got = remote_read_some(&control->image, base, code, sizeof code);
	bool done = true;

	for (; done && i < site_count(block) && block->sites[i].gate - first <= sizeof code - GATE_BYTES; i++) {
		uint32_t gate = block->sites[i].gate - first;

		if (block->sites[i].function_kind & DWELL_SITE_MUTED || gate + GATE_BYTES > got ||
			!change_gate(block, &block->sites[i], code + gate, on))
			continue;
		if (block->held != DWELL_SITES_OF_STUBS) {
			done = write_process(control, base + gate, code + gate, 1);
			continue;
		}
		from = gate < from ? gate : from;
		end = gate >= end ? gate + 1 : end;
	}
	*at = i;
	return done && (!end || write_process(control, base + from, code + from, end - from));
}

#define SITE_BLOCKS_MAX 4096u /* the most blocks that dwell reads: a longer list is forged, or leads in a circle */

/* Opens the muted sites (DWELL_SITE_MUTED) of one function in a block: its exits, or else its entries. Returns the number of these
 * sites, without those that dwell cannot write. */
static uint32_t open_muted(const struct control *control, const struct dwell_site_block *block, uint32_t place, bool exits)
{
	uint64_t known = UINT64_MAX;
	uint32_t opened = 0, of = 0;

	for (uint32_t i = 0; i < site_count(block); i++) {
		const struct dwell_site *site = &block->sites[i];
		uint64_t function = (site->function_kind & ~DWELL_SITE_MUTED) >> 4;
		uint64_t thunk = block->thunks + function * DWELL_SITE_THUNKS * DWELL_SITE_THUNK_BYTES;

		if (!(site->function_kind & DWELL_SITE_MUTED) || dwell_site_is_exit(site) != exits ||
			function == DWELL_SITE_NO_FUNCTION)
			continue;
		if (function != known && !read_process(control, thunk + DWELL_SITE_THUNK_PLACE, &of, sizeof of))
			continue;
		known = function;
		opened += of == place && switch_one(control, block, i, true);
	}
	return opened;
}

/* Opens a function whose calls the hooks count: its byte in the hooks' map is the number of a counter. Sets the byte to 0, so the
 * hooks record the function. False: the hooks do not count this function, or dwell cannot read or write the byte. */
static bool open_counted(const struct control *control, uint32_t place)
{
	uint64_t at = control->block.map + (place >> DWELL_FILTER_GRANULE_SHIFT);
	uint8_t mark, recorded = 0;

	return control->block.map && read_process(control, at, &mark, sizeof mark) && mark >= DWELL_THROTTLE_FIRST &&
	       write_process(control, at, &recorded, sizeof recorded);
}

bool control_open_function(struct control *control, uint32_t place)
{
	struct dwell_site_block *block = malloc(sizeof *block);
	uint32_t opened = open_counted(control, place);

	/* Exits first: no entry may be recorded without its exit. */
	for (int exits = 1; block && exits >= 0; exits--) {
		uint64_t address = control->block.site_blocks;

		for (uint32_t i = 0; address && i < SITE_BLOCKS_MAX && read_process(control, address, block, sizeof *block); i++) {
			opened += block->base ? open_muted(control, block, place, exits) : 0;
			address = block->next;
		}
	}
	free(block);
	return opened;
}

/* Turns the sites of all blocks on or off, except muted sites. False: a block cannot be read, a site cannot be written, or there
 * is no memory. */
static bool switch_all_sites(struct control *control, bool on)
{
	struct dwell_site_block *block = malloc(sizeof *block);
	uint64_t address = control->block.site_blocks;
	bool done = block != NULL;

	for (uint32_t i = 0; done && address && i < SITE_BLOCKS_MAX; i++) {
		done = read_process(control, address, block, sizeof *block);
		for (uint32_t at = 0; done && block->base && at < site_count(block);)
			done = switch_span(control, block, &at, on);
		address = block->next;
	}
	free(block);
	return done;
}

/* Turns all gates and sites on or off, except muted sites. False: dwell cannot read or write the process's memory (the process has
 * ended, or runs another program), the block has too many gates and is forged, or there is no memory. */
static bool switch_gates(struct control *control, bool on)
{
	uint32_t count;

	if (!control_read(control))
		return false;
	count = control->block.gate_count;
	if (count > DWELL_CONTROL_GATES_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct dwell_gate gate;
		uint8_t found, from, to;

		if (!read_process(control, control->block.gates + i * sizeof gate, &gate, sizeof gate))
			return false;
		from = (uint8_t)(on ? gate.off : gate.on);
		to = (uint8_t)(on ? gate.on : gate.off);
		/* The gate is not filled in yet, or its memory belongs to something else by now: skip it. */
		if (!gate.address || !read_process(control, gate.address, &found, 1) || found != from)
			continue;
		if (!write_process(control, gate.address, &to, 1))
			return false;
	}
	return switch_all_sites(control, on);
}

bool control_open_gates(struct control *control)
{
	return switch_gates(control, true);
}

void control_close_gates(struct control *control)
{
	switch_gates(control, false);
}
