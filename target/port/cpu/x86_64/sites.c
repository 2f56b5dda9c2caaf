/* SPDX-License-Identifier: MIT
 *
 * Patches the sites of a module when the module is adopted; see sites.h.
 *
 * A patch is several bytes. At the start, and just after a file was loaded, no thread runs the code. Otherwise the first call has
 * revealed the file: no thread runs the exits yet, but entries change in three steps, and all processors must have seen one step
 * before the next. The first two bytes become a jump over the rest; then the rest is written; then the first two bytes. The two
 * bytes must change at once, which is impossible across two cache lines; such entries stay calls of __fentry__.
 */
#include "port/cpu/x86_64/sites_inner.h"

#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/overhead.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define LINE_BYTES 64
#define SITE_BYTES_MAX 11

extern void dwell_site_values(void) HIDDEN;
extern void dwell_site_values_window(void) HIDDEN;
extern void dwell_site_window(void) HIDDEN, dwell_site_entry(void) HIDDEN, dwell_site_entry_window(void) HIDDEN;

static void copy(uint8_t *to, const char *from, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)from[i];
}

static void write_thunk(uint8_t *thunk, uint32_t place, const void *stub)
{
	copy(thunk, "\xc7\x44\x24\xe8", 4); /* mov $place, -24(%rsp) */
	put32(thunk + 4, place);
	thunk[8] = 0xe9;
	put32(thunk + 9, (uint32_t)((uint64_t)stub - (uint64_t)(thunk + 13)));
}

/* Writes a jump through the eight bytes behind it, to a distant target: only the stubs are near. */
static void write_far_jump(uint8_t *at, void (*target)(void))
{
	copy(at, "\xff\x25\x00\x00\x00\x00", 6);
	put32(at + 6, (uint32_t)(uint64_t)target);
	put32(at + 10, (uint32_t)((uint64_t)target >> 32));
}

void sites_make_thunks(struct thunk_maker *maker, uint64_t start, bool entry_only)
{
	struct sites *sites = maker->sites;
	uint8_t *thunks = sites->stubs.thunks + (uint64_t)maker->count++ * FUNCTION_BYTES;
	void *keeping = sites->stubs.site_keeping, *plain = maker->keeps ? keeping : sites->stubs.site;
	uint32_t place = (uint32_t)start & ~1u;

	if (sites->window)
		plain = keeping = maker->slow_window;
	if (maker->slow_values) /* before a tail jump nothing is returned yet, so the third thunk keeps its stub */
		plain = maker->slow_values;
	write_thunk(thunks, place, entry_only ? maker->slow_entry : plain);
	write_thunk(thunks + DWELL_SITE_THUNK_BYTES, place | 1, plain);
	write_thunk(thunks + 2 * DWELL_SITE_THUNK_BYTES, place | 1, keeping);
}

static void make_thunks(void *context, uint64_t start, bool entry_only)
{
	sites_make_thunks(context, start, entry_only);
}

/* Makes the bytes of a site, and sets *gate to the index of the gate in them. Returns how many bytes. */
static unsigned make_bytes(const struct dwell_site_block *block, const struct dwell_site *site, uint8_t bytes[SITE_BYTES_MAX],
	unsigned *gate)
{
	static const char nops[][6] = {"", "\x90", "\x66\x90", "\x0f\x1f\x00", "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00"};
	enum site_kind kind = site_kind(site);

	*gate = kind == SITE_CALL;
	bytes[0] = 0x67; /* a prefix without effect */
	bytes[*gate] = agent.on && !(site->function_kind & DWELL_SITE_MUTED) ? DWELL_SITE_ON : dwell_site_off(site);
	put32(bytes + *gate + 1, dwell_site_distance(block, site));
	if (kind == SITE_SLED_RETURN) {
		bytes[5] = CODE_RET;
		return 6;
	}
	if (kind >= SITE_NOP_6) {
		unsigned more = kind - SITE_NOP_6 + 1;

		copy(bytes + 5, nops[more], more);
		return 5 + more;
	}
	if (kind == SITE_SLED || kind == SITE_SLED_TAIL) {
		copy(bytes + 5, "\x66\x0f\x1f\x44\x00\x00", 6);
		return 11;
	}
	return 5 + *gate;
}

enum step { STEP_JUMP, STEP_TAIL, STEP_HEAD, STEP_ALL };

static void take_step(uint8_t *at, const uint8_t *bytes, unsigned length, enum step step)
{
	/* Two bytes at once: other threads read either the old or the new bytes. */
	volatile __attribute__((aligned(1), may_alias)) uint16_t *head = (void *)at;

	if (step != STEP_ALL && (uint64_t)at % LINE_BYTES == LINE_BYTES - 1)
		return;
	if (step == STEP_JUMP)
		*head = (uint16_t)(0xeb | (length - 2) << 8);
	else if (step == STEP_HEAD)
		*head = (uint16_t)(bytes[0] | bytes[1] << 8);
	else
		for (unsigned i = step == STEP_ALL ? 0 : 2; i < length; i++)
			at[i] = bytes[i];
}

/* The sites that a step changes. */
enum selection { EACH, ENTRIES, EXITS };

static void patch(const struct sites *sites, enum selection selection, enum step step)
{
	for (uint32_t b = 0; b < sites->found.block_count; b++) {
		const struct dwell_site_block *block = sites->found.blocks[b];

		for (uint32_t i = 0; i < block->count; i++) {
			const struct dwell_site *site = &block->sites[i];
			uint8_t bytes[SITE_BYTES_MAX];
			unsigned gate, length = make_bytes(block, site, bytes, &gate);

			if (selection == EACH || site_is_entry(site_kind(site)) == (selection == ENTRIES))
				take_step((uint8_t *)(block->base + site->gate - gate), bytes, length, step);
		}
	}
}

void sites_write_gates(const struct sites *sites)
{
	patch(sites, EACH, STEP_ALL);
}

#define MEMBARRIER_SYNC_CORE (1 << 5)
#define MEMBARRIER_REGISTER_SYNC_CORE (1 << 6)

/* Makes all processors in this process discard prefetched code. False: the kernel cannot. */
static bool synchronize(void)
{
	if (system_call3(__NR_membarrier, MEMBARRIER_SYNC_CORE, 0, 0) >= 0)
		return true;
	return system_call3(__NR_membarrier, MEMBARRIER_REGISTER_SYNC_CORE, 0, 0) >= 0 &&
	       system_call3(__NR_membarrier, MEMBARRIER_SYNC_CORE, 0, 0) >= 0;
}

/* Patches a module whose functions threads may be calling: see the steps at the head of this file. */
static void patch_called(const struct sites *sites)
{
	patch(sites, EXITS, STEP_ALL);
	for (enum step step = STEP_JUMP; step <= STEP_HEAD; step++)
		if (synchronize())
			patch(sites, ENTRIES, step);
	synchronize();
}

/* Writable code stays executable if the code may hold the agent itself, or if threads may run the code meanwhile. */
bool sites_protect(const struct image *image, bool write, bool alone)
{
	uint64_t own = (uint64_t)&sites_protect;
	bool is_own = own >= image->low && own < image->high, done = true;

	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;
		uint64_t begin = (image->bias + header->p_vaddr) & ~(PAGE - 1);
		uint64_t end = (image->bias + header->p_vaddr + header->p_filesz + PAGE - 1) & ~(PAGE - 1);
		int protection = write ? alone && !is_own ? 3 : 7 : header->p_flags & PF_W ? 7 : 5;

		if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
			done &= system_mprotect((void *)begin, end - begin, protection) >= 0;
	}
	return done;
}

/* Makes stubs with room for the thunks of so many functions. *reused: the stubs come from an earlier file. False: no room within
 * reach. */
static bool make_stubs(struct sites *sites, const struct image *image, uint32_t functions, bool *reused)
{
	uint64_t bytes = (uint64_t)functions * FUNCTION_BYTES + SLOW_JUMP_BYTES;

	/* Reuses the stubs of an earlier file at the same place: those are within reach. */
	*reused = sites->stubs.page && functions <= sites->room &&
		 system_mprotect(sites->stubs.thunks, sites->stubs.bytes - PAGE, 3) >= 0;
	if (*reused)
		return true;
	sites->room = functions;
	return bytes < 1u << 30 && stubs_make(image->low, image->high, bytes, &sites->stubs);
}

/* Mutes the sites of dropped functions, until hooks_unfilter. A site's thunk holds the place of the site's function. */
void hooks_filter_sites(const struct sites *sites, const struct dwell_filter_module *filter, uint64_t bias)
{
	for (uint32_t b = 0; filter && b < sites->found.block_count; b++) {
		struct dwell_site_block *block = sites->found.blocks[b];

		for (uint32_t i = 0; i < block->count; i++) {
			struct dwell_site *site = &block->sites[i];
			uint32_t place;

			if (dwell_site_has_no_function(site))
				continue;
			place = get32(sites->stubs.thunks + (uint64_t)(site->function_kind >> 4) * FUNCTION_BYTES + 4);
			if (filter_drops(filter, sites->low + (place - (uint32_t)sites->low) - bias))
				site->function_kind |= DWELL_SITE_MUTED;
		}
	}
}

/* Returns the jump to the slow path of functions without a site at their exits. */
static void *slow_entry(const struct sites *sites)
{
	return sites->stubs.thunks + (uint64_t)sites->room * FUNCTION_BYTES + 2 * DWELL_SITE_THUNK_BYTES;
}

struct thunk_maker sites_begin_thunks(struct sites *sites, bool keeps)
{
	struct thunk_maker maker = {.sites = sites, .keeps = keeps};

	maker.slow_window = sites->stubs.thunks + (uint64_t)sites->room * FUNCTION_BYTES;
	write_far_jump(maker.slow_window, dwell_site_window);
	if (agent.session && agent.session->args) {
		maker.slow_values = (uint8_t *)maker.slow_window + DWELL_SITE_THUNK_BYTES;
		write_far_jump(maker.slow_values, sites->window ? dwell_site_values_window : dwell_site_values);
	}
	maker.slow_entry = slow_entry(sites);
	write_far_jump(maker.slow_entry, sites->window ? dwell_site_entry_window : dwell_site_entry);
	return maker;
}

static bool find_and_make(struct sites *sites, const struct image *image, uint32_t functions, uint64_t hook)
{
	struct thunk_maker maker;
	bool reused, found;

	if (image->high - image->low > UINT32_MAX || !make_stubs(sites, image, functions, &reused))
		return false;
	maker = sites_begin_thunks(sites, false);
	found = sites_find(image, hook, &sites->found, make_thunks, &maker);
	for (uint32_t b = 0; b < sites->found.block_count; b++)
		sites->found.blocks[b]->thunks = (uint64_t)sites->stubs.thunks;
	for (uint32_t b = 0; b < sites->found.block_count; b++)
		sites->found.blocks[b]->base = image->low;
	if (reused)
		return system_mprotect(sites->stubs.thunks, sites->stubs.bytes - PAGE, 5) >= 0 && found;
	return stubs_seal(&sites->stubs) && found;
}

/* Thunks of the first known function with exits, for the measurements of overhead.c. Null: no function yet. */
static const uint8_t *measured;

bool sites_get_pair(overhead_hook **enter, overhead_hook **exit)
{
	*enter = (overhead_hook *)(uintptr_t)measured;
	*exit = (overhead_hook *)(uintptr_t)(measured + DWELL_SITE_THUNK_BYTES);
	return measured;
}

void sites_note_measured(const struct sites *sites)
{
	const uint8_t *thunk = sites->stubs.thunks;

	for (uint32_t i = 0; !measured && i < sites->found.functions && !sites->window; i++, thunk += FUNCTION_BYTES)
		if (get32(thunk + 9) != (uint32_t)((uint64_t)slow_entry(sites) - (uint64_t)(thunk + 13)))
			measured = thunk; /* thunks stay mapped, even if their file does not */
}

static void count(const struct sites_found *found)
{
	uint64_t kinds = 0;

	if (found->kinds & (1u << SITE_RETURN | 1u << SITE_TAIL))
		kinds |= DWELL_HOOKS_FENTRY;
	if (found->kinds & (1u << SITE_SLED_RETURN | 1u << SITE_SLED_TAIL))
		kinds |= DWELL_HOOKS_XRAY;
	if (found->entries)
		kinds |= DWELL_HOOKS_ENTRIES;
	if (found->doubled)
		kinds |= DWELL_HOOKS_DOUBLED;
	modules_count(kinds, found->skipped, 0);
}

static struct sites *count_refused(struct sites *sites)
{
	hooks_drop_sites(sites);
	modules_count(0, 0, 1);
	return 0;
}

struct sites *sites_make(void)
{
	long address = system_mmap(0, sizeof(struct sites), 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return (unsigned long)address < -4096ul ? (struct sites *)address : 0;
}

struct sites *hooks_adopt_sites(const struct image *image, struct sites *sites, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, uint64_t hook)
{
	uint32_t functions = sites_count(image);
	uint64_t mask;
	bool may;

	if (!functions)
		return 0;
	if (!sites && !(sites = sites_make()))
		return 0;
	sites->low = image->low;
	sites->window = window || hooks_may_be_tags(image->low, image->high);
	mask = system_block_signals(); /* a handler here could be in a function whose sites are half written */
	may = find_and_make(sites, image, functions, hook) && sites_protect(image, true, when == SITES_AT_START);
	if (may)
		hooks_filter_sites(sites, filter, image->bias);
	if (may && when == SITES_CALLED)
		patch_called(sites);
	else if (may)
		patch(sites, EACH, STEP_ALL);
	sites_protect(image, false, when == SITES_AT_START);
	system_restore_signals(mask);
	if (!may)
		return count_refused(sites);
	count(&sites->found);
	sites_note_measured(sites);
	if (!sites->found.functions) {
		hooks_drop_sites(sites);
		return 0;
	}
	return sites;
}

void hooks_drop_sites(struct sites *sites)
{
	sites_forget(&sites->found);
	if (sites->changes)
		sites->changes->base = 0;
}

bool hooks_are_patched(const struct sites *sites)
{
	const struct dwell_site_block *block;
	const struct dwell_site *last;

	if (!sites->found.block_count)
		return true;
	if (sites->jump)
		return get32(sites->jump + 1) == sites->jump_distance;
	/* Tests the last site: an exit, if there are any. Entries may be unpatched. */
	block = sites->found.blocks[sites->found.block_count - 1];
	last = &block->sites[block->count - 1];
	return get32((const uint8_t *)(block->base + last->gate + 1)) == dwell_site_distance(block, last);
}

/* Returns the thunks of the function at start; null: none. */
static const uint8_t *find_thunks(const struct sites *sites, uint64_t start)
{
	uint32_t low = 0, high = sites->found.functions;
	const uint8_t *thunk;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t place = get32(sites->stubs.thunks + (uint64_t)middle * FUNCTION_BYTES + 4);

		/* Compares distances from the module's lowest address: these are below 4 GiB, while places may wrap. */
		if (place - (uint32_t)sites->low < (uint32_t)(start & ~1ull) - (uint32_t)sites->low)
			low = middle + 1;
		else
			high = middle;
	}
	thunk = sites->stubs.thunks + (uint64_t)low * FUNCTION_BYTES;
	return low < sites->found.functions && get32(thunk + 4) == ((uint32_t)start & ~1u) ? thunk : 0;
}

bool hooks_mute_function(struct sites *sites, uint64_t place, bool mute)
{
	const uint8_t *thunks = find_thunks(sites, place);
	uint32_t index = thunks ? (uint32_t)((uint64_t)(thunks - sites->stubs.thunks) / FUNCTION_BYTES) : 0;
	bool done = thunks != 0;

	/* In this order, since other threads run the function: no entry is ever on while exits are off. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t b = 0; done && b < sites->found.block_count; b++)
			done = sites_mute_function(sites->found.blocks[b], index, (pass == 0) != mute, mute);
	return done;
}

uint64_t hooks_find_function(const struct sites *sites, const struct extents *extents, uint64_t address)
{
	uint32_t i = extents_find(extents, address);
	uint64_t start = i < extents->count ? extents_get(extents, i).start : 0;
	const uint8_t *thunk = find_thunks(sites, start);

	if (!thunk)
		return 0;
	return (start & ~1ull) | (get32(thunk + 9) == (uint32_t)((uint64_t)slow_entry(sites) - (uint64_t)(thunk + 13)));
}
