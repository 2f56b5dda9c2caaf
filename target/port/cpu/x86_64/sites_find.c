/* SPDX-License-Identifier: MIT
 *
 * Finds the sites of a module in its code. A function is hooked if its first instruction (behind endbr64) is one of the
 * known forms. From there this code walks through the function, instruction by instruction, to find the forms in front of
 * a return or a tail jump.
 *
 * What is easily mistaken:
 *   - Five bytes of nop also fill the gap before an aligned label. Before a return they are always a site, since each return of a
 *     hooked function has a site. Before a jump they are a site unless some branch of the function goes to that jump.
 *   - Code moved away by the compiler (foo.cold) is an extent of its own. It belongs to the function that branches into it, or
 *     into whose middle it branches: from one function to another, compilers jump only behind a site.
 *   - A function with a return without a site is not hooked at its exits.
 *   - A nop at an entry may be just a nop, unless it is the nop of mk/gcc-sites.s. Without anything at the exits, the nop is
 *     a site if a table lists it: of all tables, programs load only that of -fpatchable-function-entry. Otherwise the function
 *     has no hook, and dwell reports nothing about it.
 *   - A function may have two forms at its entry, one behind the other. The last one is the site, since a call must not stay a
 *     call.
 *   - A function that calls the hooks of -finstrument-functions is recorded by these. Its sites are muted for ever.
 *   - A function with an unknown instruction is left alone and counted: half of its exits would be worse than none.
 */
#include "port/cpu/x86_64/sites.h"

#include "port/cpu/x86_64/code.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define NO_INDEX UINT32_MAX

/* What the walk has found out about an extent. */
struct part {
	uint32_t parent;   /* index of the function to which this code belongs; may be itself; NO_INDEX: unknown */
	uint8_t entry;     /* enum site_kind */
	uint8_t offset;    /* offset of the entry's site from the extent's start */
	bool bare_return;  /* has a return without site, or a jump to where another function begins */
	bool unknown;
	bool has_exit;
	bool listed;       /* the table of patchable entries lists this entry */
	bool marked;       /* the entry is a nop that is certainly a site */
	bool counted;      /* has a site at its entry only */
};

/* A site at an exit. */
struct exit {
	uint32_t at; /* from the module's lowest address */
	uint32_t part; /* index of the exit's extent << 4 | enum site_kind */
};

/* The search for the sites of one module. */
struct finder {
	const struct image *image;
	struct extents extents;
	void **slots[IMAGE_SLOTS_MAX]; /* words that hold the address of __fentry__ */
	unsigned slot_count;
	struct part *parts;
	/* In the order of the walk. The walk's end shows the function of each exit, and whether this function has an entry. */
	struct exit *exits;
	uint32_t exit_count, exit_room; /* exits stored, and exits that the memory has room for */
	struct sites_found *found;
	uint64_t hook; /* destination of calls of __cyg_profile_func_enter; 0: there are none */
	bool failed; /* too many sites, or no memory */
};

static bool has_bytes(uint64_t at, uint64_t end, const char *bytes, unsigned count)
{
	if (end - at < count)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (((const uint8_t *)at)[i] != (uint8_t)bytes[i])
			return false;
	return true;
}

#define IS(at, end, bytes) has_bytes(at, end, bytes, sizeof(bytes) - 1)
#define ENDBR "\xf3\x0f\x1e\xfa"
#define NOP_5 "\x0f\x1f\x44\x00\x00"
#define NOP_MARKED "\x0f\x1f\x44\x00\x0d"
#define SLED "\xeb\x09\x66\x0f\x1f\x84\x00\x00\x02\x00\x00"
#define SLED_RETURN "\xc3\x2e\x66\x0f\x1f\x84\x00\x00\x02\x00\x00"
#define SLED_BYTES 11
#define NOPS_MAX 240u /* of -fpatchable-function-entry, in front of another form; part.offset is one byte */

static bool is_slot(const struct finder *finder, uint64_t address)
{
	for (unsigned i = 0; i < finder->slot_count; i++)
		if ((uint64_t)finder->slots[i] == address)
			return true;
	return false;
}

/* Whether a call of target arrives at __fentry__: it is our own, or an entry of the PLT. */
static bool is_fentry(const struct finder *finder, uint64_t target)
{
	uint64_t at = target;

	if (target == (uint64_t)&dwell_own_fentry)
		return true;
	if (!finder->slot_count || !site_is_code(finder->image, target, target + 16))
		return false;
	at += code_mark_bytes(at);
	at += *(const uint8_t *)at == 0xf2; /* bnd */
	return IS(at, at + 2, "\xff\x25") && is_slot(finder, code_relative(at + 2));
}

/* Returns the size of the nop at at if it has 6 to 10 bytes, as Clang makes them for a patchable entry; else 0. */
static unsigned long_nop(uint64_t at, uint64_t end)
{
	uint64_t opcode = at;
	unsigned bytes;

	while (opcode < end && opcode < at + 2 && (*(const uint8_t *)opcode == 0x66 || *(const uint8_t *)opcode == 0x2e))
		opcode++;
	if (!IS(opcode, end, "\x0f\x1f"))
		return 0;
	bytes = code_decode(at, end).bytes;
	return bytes >= 6 && bytes <= 10 ? bytes : 0;
}

static enum site_kind entry_kind(const struct finder *finder, uint64_t at, uint64_t end)
{
	if (IS(at, end, NOP_5) || IS(at, end, NOP_MARKED) || IS(at, end, "\x0f\x1f\x44\x00\x08") || IS(at, end, "\x90\x90\x90\x90\x90"))
		return SITE_NOP;
	if (IS(at, end, SLED))
		return SITE_SLED;
	if (long_nop(at, end))
		return SITE_NOP_6 + (long_nop(at, end) - 6);
	if (end - at > 5 && IS(at, end, "\xe8") && is_fentry(finder, code_relative(at + 1)))
		return SITE_CALL_SHORT;
	if (end - at > 6 && IS(at, end, "\xff\x15") && is_slot(finder, code_relative(at + 2)))
		return SITE_CALL;
	if (end - at > 6 && IS(at, end, "\x67\xe8") && is_fentry(finder, code_relative(at + 2)))
		return SITE_CALL;
	return SITE_NONE;
}

static unsigned entry_bytes(enum site_kind kind)
{
	return kind == SITE_SLED ? SLED_BYTES : kind == SITE_CALL ? 6 : kind >= SITE_NOP_6 ? kind - SITE_NOP_6 + 6u : 5;
}

/* Moves offset behind bytes that may precede a site: a push of r10, saved by GCC in nested functions; and a nop that aligns a sled
 * to 2 in unaligned functions (optimised for size). Returns the kind of the site there. */
static enum site_kind kind_at(const struct finder *finder, struct extent extent, unsigned *offset)
{
	*offset += IS(extent.start + *offset, extent.end, "\x41\x52") ? 2 : 0;
	*offset += IS(extent.start + *offset, extent.end, "\x90" SLED);
	return entry_kind(finder, extent.start + *offset, extent.end);
}

static enum site_kind find_entry(const struct finder *finder, struct extent extent, uint8_t *offset)
{
	unsigned at, behind;
	enum site_kind kind, next;

	if (!site_is_code(finder->image, extent.start, extent.end))
		return SITE_NONE;
	at = IS(extent.start, extent.end, ENDBR) ? 4 : 0;
	kind = kind_at(finder, extent, &at);
	*offset = (uint8_t)at;
	if (kind != SITE_NOP && kind < SITE_NOP_6)
		return kind;
	for (behind = at + entry_bytes(kind); IS(extent.start + behind, extent.end, "\x90") && behind < NOPS_MAX; behind++)
		;
	next = kind_at(finder, extent, &behind);
	if (next != SITE_CALL && next != SITE_CALL_SHORT && next != SITE_SLED && !IS(extent.start + behind, extent.end, NOP_MARKED))
		return kind;
	*offset = (uint8_t)behind;
	return next;
}

/* Whether a branch in the extent goes to address; also true if an instruction is unknown. */
static bool is_branched_to(struct extent extent, uint64_t address)
{
	struct code code;

	for (uint64_t at = extent.start; at < extent.end; at += code.bytes) {
		code = code_decode(at, extent.end);
		if (!code.bytes)
			return true;
		if ((code.kind == CODE_JUMP || code.kind == CODE_BRANCH) && code.target == address)
			return true;
	}
	return false;
}

/* Whether five bytes of nop in front of jump may fill the gap before a label that the extent branches to. Labels
 * are aligned to 8 and more. */
static bool may_be_gap(struct extent extent, uint64_t jump)
{
	return jump % 8 == 0 && is_branched_to(extent, jump);
}

/* Whether the jump at at, behind five bytes of nop, has a site: it leaves the extent, and the nops do not fill a gap. */
static bool is_tail(struct extent extent, uint64_t at, const struct code *jump)
{
	if (jump->kind == CODE_JUMP && jump->target > extent.start && jump->target < extent.end)
		return false;
	return !may_be_gap(extent, at);
}

/* Recognises a jump through a register or a return, as compiled by -mindirect-branch=thunk-inline and
 * -mfunction-return=thunk-inline: a call over a loop that never runs, a change of the pushed address, and a return to this address.
 * Returns the size in bytes; 0: something else. */
static unsigned inline_thunk(uint64_t at, uint64_t end, const struct code *call)
{
	uint64_t loop = at + call->bytes, change = loop + 7;
	struct code code;

	if (call->kind != CODE_CALL || call->target != change || !IS(loop, end, "\xf3\x90\x0f\xae\xe8\xeb\xf9"))
		return 0;
	code = code_decode(change, end);
	if (!code.bytes || code_decode(change + code.bytes, end).kind != CODE_RETURN)
		return 0;
	return (unsigned)(change + code.bytes - at) + code_decode(change + code.bytes, end).bytes;
}

/* Returns the kind of the site at at. bytes: the size of the site and of the instruction behind it; a sled
 * of a return holds its own. */
static enum site_kind find_exit(struct extent extent, uint64_t at, unsigned *bytes)
{
	uint64_t end = extent.end;
	char first = *(const char *)at;
	struct code next;

	if (first != SLED_RETURN[0] && first != SLED[0] && first != NOP_5[0])
		return SITE_NONE;
	if (IS(at, end, SLED_RETURN)) {
		*bytes = SLED_BYTES;
		return SITE_SLED_RETURN;
	}
	if (IS(at, end, SLED)) {
		next = code_decode(at + SLED_BYTES, end);
		*bytes = SLED_BYTES + next.bytes;
		return SITE_SLED_TAIL;
	}
	if (!IS(at, end, NOP_5) || end - at == 5)
		return SITE_NONE;
	next = code_decode(at + 5, end);
	*bytes = 5 + next.bytes;
	if (next.kind == CODE_RETURN)
		return SITE_RETURN;
	if (inline_thunk(at + 5, end, &next)) {
		*bytes = 5 + inline_thunk(at + 5, end, &next);
		return SITE_TAIL;
	}
	if ((next.kind == CODE_JUMP || next.kind == CODE_JUMP_INDIRECT) && is_tail(extent, at + 5, &next))
		return SITE_TAIL;
	return SITE_NONE;
}

/* Notes that the instruction code leaves extent i without a site. */
static void note_way_out(struct finder *finder, uint32_t i, const struct code *code)
{
	uint32_t j = extents_find(&finder->extents, code->target);
	struct part *from = &finder->parts[i], *to;

	if (j == finder->extents.count || j == i)
		return;
	to = &finder->parts[j];
	if (from->entry && !to->entry)
		to->parent = i;
	else if (!from->entry && to->entry && from->parent == NO_INDEX && code->target != extents_get(&finder->extents, j).start)
		from->parent = j;
	else if (from->entry && to->entry && code->kind == CODE_JUMP)
		from->bare_return = true;
}

static void *take_memory(uint64_t bytes)
{
	long address = system_mmap(0, bytes, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return (unsigned long)address < -4096ul ? (void *)address : 0;
}

#define FIRST_EXITS 256u
static struct exit first_exits[FIRST_EXITS]; /* enough for most libraries; more are mapped */

static void free_exits(const struct finder *finder)
{
	if (finder->exits != first_exits)
		system_munmap(finder->exits, (uint64_t)finder->exit_room * sizeof *finder->exits);
}

static bool make_room(struct finder *finder)
{
	uint32_t room = 16 * finder->exit_room;
	struct exit *exits = take_memory((uint64_t)room * sizeof *exits);

	for (uint32_t e = 0; exits && e < finder->exit_count; e++)
		exits[e] = finder->exits[e];
	if (exits) {
		free_exits(finder);
		finder->exits = exits;
		finder->exit_room = room;
	}
	return exits;
}

static void note_exit(struct finder *finder, uint32_t i, uint64_t at, enum site_kind kind)
{
	if (finder->exit_count == finder->exit_room && !make_room(finder))
		finder->failed = true;
	else
		finder->exits[finder->exit_count++] = (struct exit){(uint32_t)(at - finder->image->low), i << 4 | kind};
}

/* Walks through extent i: notes its exits, and the function to which the extent belongs. */
static void walk_extent(struct finder *finder, uint32_t i)
{
	struct extent extent = extents_get(&finder->extents, i);
	struct part *part = &finder->parts[i];
	uint64_t at = extent.start + (part->entry ? part->offset + entry_bytes(part->entry) : 0);
	unsigned bytes;

	for (; at < extent.end; at += bytes) {
		enum site_kind kind = find_exit(extent, at, &bytes);
		struct code code;

		if (kind) {
			part->has_exit = true;
			note_exit(finder, i, at, kind);
			continue;
		}
		code = code_decode(at, extent.end);
		if (!code.bytes) {
			part->unknown = true;
			return;
		}
		bytes = code.kind == CODE_CALL ? inline_thunk(at, extent.end, &code) : 0;
		if (bytes)
			continue; /* a call through a register: the return in it is not the function's */
		bytes = code.bytes;
		if (code.kind == CODE_RETURN)
			part->bare_return = true;
		if ((code.kind == CODE_JUMP || code.kind == CODE_BRANCH) &&
			(code.target < extent.start || code.target >= extent.end))
			note_way_out(finder, i, &code);
	}
}

static void add_site(struct finder *finder, uint64_t address, uint32_t function, enum site_kind kind)
{
	struct dwell_site_block *block = sites_open_block(finder->found);

	if (!block) {
		finder->failed = true;
		return;
	}
	address += kind == SITE_CALL; /* behind a prefix */
	block->sites[block->count++] = (struct dwell_site){(uint32_t)(address - finder->image->low), function << 4 | kind};
	finder->found->kinds |= 1u << kind;
}

/* Adds the exits of timed functions. indexes: the index of each extent's function, or NO_INDEX. */
static void add_exits(struct finder *finder, const uint32_t *indexes)
{
	for (uint32_t e = 0; e < finder->exit_count; e++) {
		uint32_t i = finder->exits[e].part >> 4, parent = finder->parts[i].parent;
		enum site_kind kind = finder->exits[e].part & 15;
		uint64_t at = finder->image->low + finder->exits[e].at;

		if (parent == NO_INDEX || indexes[parent] == NO_INDEX || finder->parts[parent].counted)
			continue;
		if (kind == SITE_TAIL && parent != i && may_be_gap(extents_get(&finder->extents, parent), at + 5))
			continue;
		add_site(finder, at, indexes[parent], kind);
	}
}

/* A part passes its findings on to its function: the extent with the entry decides for the whole function. */
static void merge_parts(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->extents.count; i++) {
		struct part *part = &finder->parts[i], *parent;

		if (part->entry || part->parent == NO_INDEX)
			continue;
		parent = &finder->parts[part->parent];
		parent->bare_return |= part->bare_return;
		parent->unknown |= part->unknown;
		parent->has_exit |= part->has_exit;
	}
}

/* Whether the file was compiled with sites at exits. */
static bool has_exits(const struct finder *finder)
{
	for (uint32_t i = 0; i < finder->extents.count; i++)
		if (finder->parts[i].entry && finder->parts[i].has_exit)
			return true;
	return false;
}

/* Whether other hooks record the function. A call of __fentry__ at its entry then becomes a muted site. */
static bool is_doubled(struct finder *finder, uint32_t i)
{
	struct extent extent = extents_get(&finder->extents, i);
	enum site_kind kind = finder->parts[i].entry;
	uint64_t place;

	if (!finder->hook ||
		hooks_find_place(&finder->extents, extent.start, extent.end, finder->hook, &place) == MODULES_NOT_HOOKED)
		return false;
	finder->found->doubled++;
	if (kind == SITE_CALL || kind == SITE_CALL_SHORT)
		add_site(finder, extent.start + finder->parts[i].offset, DWELL_SITE_NO_FUNCTION, kind);
	return true;
}

/* Indexes are given in order of address. A part may come before or behind its function, so exits are added afterwards. */
static void add_all(struct finder *finder, sites_function *each, void *context)
{
	bool exits = has_exits(finder);
	struct part *parts = finder->parts;
	uint32_t count = finder->extents.count;
	uint32_t *indexes = take_memory((uint64_t)count * sizeof *indexes);

	if (!indexes) {
		finder->failed = true;
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t start = extents_get(&finder->extents, i).start;
		bool is_nop = !parts[i].marked && (parts[i].entry == SITE_NOP || parts[i].entry >= SITE_NOP_6);
		bool is_long = is_nop && parts[i].entry != SITE_NOP; /* no compiler that makes long nops has sites at exits */
		/* The entry's address may be in the data for other reasons, such as a function pointer. */
		bool entry_only = parts[i].bare_return || !exits || (parts[i].listed && is_nop && (is_long || !parts[i].has_exit));

		indexes[i] = NO_INDEX;
		if (!parts[i].entry || (is_nop && !parts[i].listed && (is_long || entry_only)) || is_doubled(finder, i))
			continue;
		if (parts[i].unknown && !(entry_only && (parts[i].listed || !exits))) {
			finder->found->skipped++;
			continue;
		}
		finder->found->entries += entry_only;
		parts[i].counted = entry_only;
		indexes[i] = finder->found->functions++;
		add_site(finder, start + parts[i].offset, indexes[i], parts[i].entry);
		each(context, start, entry_only);
	}
	add_exits(finder, indexes);
	system_munmap(indexes, (uint64_t)count * sizeof *indexes);
}

static void begin(struct finder *finder, const struct image *image)
{
	*finder = (struct finder){.image = image, .exits = first_exits, .exit_room = FIRST_EXITS};
	finder->extents = extents_of(image->unwind_index, image->unwind_index ? image->unwind_index_bytes : 0);
	for (unsigned i = 0; i < image->header_count && !image->unwind_index && !finder->extents.count; i++)
		if (image->headers[i].p_type == PT_LOAD && !(image->headers[i].p_flags & PF_X))
			finder->extents = extents_make(image->bias + image->headers[i].p_vaddr,
				image->bias + image->headers[i].p_vaddr + image->headers[i].p_filesz);
	finder->slot_count = agent.own_fentry ? 0 : image_find_slots(image, "__fentry__", finder->slots, IMAGE_SLOTS_MAX);
}

#define NOPS_IN_FRONT_MAX 255u

/* Returns the end of the nops at address. */
static uint64_t skip_nops(const struct finder *finder, uint64_t address)
{
	uint64_t at = address, end = address + NOPS_IN_FRONT_MAX;

	while (at < end && site_is_code(finder->image, at, at + 16)) {
		uint64_t opcode = at;

		while (opcode < at + 4 && (*(const uint8_t *)opcode == 0x66 || *(const uint8_t *)opcode == 0x2e))
			opcode++;
		if (*(const uint8_t *)opcode != 0x90 && !IS(opcode, opcode + 2, "\x0f\x1f"))
			break;
		opcode = at;
		at += code_decode(at, at + 16).bytes;
		if (at == opcode)
			break;
	}
	return at;
}

/* Notes that a word in the file's data may list a patchable entry: its address is at or in front of a function's start. */
static void note_listed(struct finder *finder, uint64_t address)
{
	uint32_t i = extents_find(&finder->extents, address);
	struct part *part;
	uint64_t start;

	if (i == finder->extents.count)
		i = extents_find(&finder->extents, skip_nops(finder, address));
	if (i == finder->extents.count)
		return;
	part = &finder->parts[i];
	start = extents_get(&finder->extents, i).start;
	part->listed |= part->entry && address <= start + part->offset;
}

static void note_if_code(struct finder *finder, uint64_t address)
{
	if (address >= finder->image->low && address < finder->image->high && site_is_code(finder->image, address, address + 1))
		note_listed(finder, address);
}

/* The table has no name in memory: it is a list of addresses in writable data, perhaps not filled in by the loader yet. */
static void find_listed(struct finder *finder)
{
	const struct image *image = finder->image;

	for (int table = 0; table < 2; table++)
		for (uint64_t i = 0; i < image->relocation_count[table]; i++)
			if (ELF64_R_TYPE(image->relocations[table][i].r_info) == R_X86_64_RELATIVE)
				note_if_code(finder, image->bias + (uint64_t)image->relocations[table][i].r_addend);
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;
		uint64_t begin = image->bias + header->p_vaddr, end = begin + header->p_filesz;

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_W) || header->p_flags & PF_X || !(header->p_flags & PF_R))
			continue;
		for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= end; at += 8) {
			uint64_t word = *(const uint64_t *)at;

			note_if_code(finder, word);
			note_if_code(finder, image->bias + word);
		}
	}
}

static bool take_parts(struct finder *finder)
{
	uint64_t bytes = (uint64_t)finder->extents.count * sizeof *finder->parts;

	if (!bytes || !(finder->parts = take_memory(bytes)))
		return false;
	for (uint32_t i = 0; i < finder->extents.count; i++) {
		struct part *part = &finder->parts[i];
		struct extent extent = extents_get(&finder->extents, i);

		part->entry = (uint8_t)find_entry(finder, extent, &part->offset);
		part->marked = part->entry == SITE_NOP && IS(extent.start + part->offset, extent.end, NOP_MARKED);
		part->parent = part->entry ? i : NO_INDEX;
	}
	find_listed(finder);
	return true;
}

static void free_parts(struct finder *finder)
{
	free_exits(finder);
	if (finder->parts)
		system_munmap(finder->parts, (uint64_t)finder->extents.count * sizeof *finder->parts);
	extents_free(&finder->extents);
}

uint32_t sites_count(const struct image *image)
{
	struct finder finder;
	uint32_t entries = 0;
	bool found = false;
	uint8_t offset;

	begin(&finder, image);
	for (uint32_t i = 0; i < finder.extents.count; i++) {
		enum site_kind kind;

		if (!site_may_begin(image, extents_start(&finder.extents, i)))
			continue;
		kind = find_entry(&finder, extents_get(&finder.extents, i), &offset);
		entries += kind != SITE_NONE;
		found |= kind != SITE_NONE && kind < SITE_NOP_6;
	}
	/* Some libraries have a few long nops: these are not worth a walk through all of the code, unless the table lists one. */
	if (entries && !found && take_parts(&finder))
		for (uint32_t i = 0; i < finder.extents.count && !found; i++)
			found = finder.parts[i].listed;
	free_parts(&finder);
	return found ? entries : 0;
}

bool sites_find(const struct image *image, uint64_t hook, struct sites_found *found, sites_function *each, void *context)
{
	struct finder finder;
	bool taken;

	*found = (struct sites_found){0};
	begin(&finder, image);
	finder.found = found;
	finder.hook = hook;
	taken = take_parts(&finder);
	for (uint32_t i = 0; taken && i < finder.extents.count; i++)
		if (site_is_code(image, extents_get(&finder.extents, i).start, extents_get(&finder.extents, i).end))
			walk_extent(&finder, i);
	if (taken) {
		merge_parts(&finder);
		add_all(&finder, each, context);
	}
	free_parts(&finder);
	return taken && !finder.failed;
}
