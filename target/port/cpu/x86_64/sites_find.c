/* SPDX-License-Identifier: MIT
 *
 * The sites of a module, found in its code. A function whose first instruction (behind endbr64) is one of the known forms is hooked; from
 * there its code is walked through, instruction by instruction, for the forms that stand before a return or a tail jump.
 *
 * What would be mistaken without care:
 *   - Five bytes of nop also fill the gap before an aligned label. Before a return they are always a site, since each return of a hooked
 *     function has one; before a jump they are one unless some branch of the function goes to that jump.
 *   - Code that was moved away (foo.cold) is an extent of its own. It belongs to the function that branches into it, or that it branches
 *     back into the middle of: from one function to another a compiler jumps behind a site only.
 *   - A function with a return that has no site is not hooked at its exits.
 *   - A nop at an entry may be only a nop, unless it is that of mk/gcc-sites.s. Where nothing is at the exits it is a site if a table says
 *     so: that of -fpatchable-function-entry is the one that programs load.
 *   - A function may have two forms at its entry, one behind the other. The last one is its site, since a call must not stay a call.
 *   - A function that also calls the hooks of -finstrument-functions is told of by these. Its sites do nothing, for ever.
 *   - A function with an instruction that is not known is left alone and counted: half of its exits would be worse than none.
 */
#include "port/cpu/x86_64/sites.h"

#include "port/cpu/x86_64/code.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define NOBODY UINT32_MAX

/* What is known of an extent. */
struct part {
	uint32_t parent;   /* whose code it is; itself; NOBODY */
	uint8_t entry;     /* enum site_kind */
	uint8_t offset;    /* of the entry's site */
	bool bare_return;  /* or a jump to where another function begins */
	bool unknown;
	bool has_exit;
	bool listed;       /* its entry is in the table of patchable entries */
	bool marked;       /* its entry is a nop that cannot be anything else */
	bool counted;      /* it has a site at its entry alone */
};

struct finder {
	const struct image *image;
	struct extents extents;
	void **slots[IMAGE_SLOTS_MAX]; /* words that hold the address of __fentry__ */
	unsigned slot_count;
	struct part *parts;
	struct sites_found *found;
	uint64_t hook; /* what calls of __cyg_profile_func_enter arrive at; 0: there are none */
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
#define NOPS_MAX 240u /* of -fpatchable-function-entry, in front of another form; an offset is a byte */

static bool is_code(const struct image *image, uint64_t begin, uint64_t end)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;
		uint64_t low = image->bias + header->p_vaddr;

		if (header->p_type == PT_LOAD && (header->p_flags & PF_X) && begin >= low && begin < end && end <= low + header->p_filesz)
			return true;
	}
	return false;
}

static bool is_slot(const struct finder *finder, uint64_t address)
{
	for (unsigned i = 0; i < finder->slot_count; i++)
		if ((uint64_t)finder->slots[i] == address)
			return true;
	return false;
}

static uint64_t relative(uint64_t field)
{
	int32_t displacement;

	__builtin_memcpy(&displacement, (const void *)field, sizeof displacement);
	return field + 4 + (uint64_t)(int64_t)displacement;
}

/* Whether a call there arrives at __fentry__: our own, or an entry of the PLT. */
static bool is_fentry(const struct finder *finder, uint64_t target)
{
	uint64_t at = target;

	if (target == (uint64_t)&dwell_own_fentry)
		return true;
	if (!finder->slot_count || !is_code(finder->image, target, target + 16))
		return false;
	at += IS(at, at + 4, ENDBR) ? 4 : 0;
	at += *(const uint8_t *)at == 0xf2; /* bnd */
	return IS(at, at + 2, "\xff\x25") && is_slot(finder, relative(at + 2));
}

/* How many bytes the nop at at has, when it is one of 6 to 10 as Clang makes them for a patchable entry; else 0. */
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
	if (end - at > 5 && IS(at, end, "\xe8") && is_fentry(finder, relative(at + 1)))
		return SITE_CALL_SHORT;
	if (end - at > 6 && IS(at, end, "\xff\x15") && is_slot(finder, relative(at + 2)))
		return SITE_CALL;
	if (end - at > 6 && IS(at, end, "\x67\xe8") && is_fentry(finder, relative(at + 2)))
		return SITE_CALL;
	return SITE_NONE;
}

static unsigned entry_bytes(enum site_kind kind)
{
	return kind == SITE_SLED ? SLED_BYTES : kind == SITE_CALL ? 6 : kind >= SITE_NOP_6 ? kind - SITE_NOP_6 + 6u : 5;
}

/* In front of a site, and moves offset behind it: r10, which GCC keeps itself in nested functions; and sleds are aligned to 2, which
 * functions optimised for size are not. */
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

	if (!is_code(finder->image, extent.start, extent.end))
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

/* Whether a branch in the extent goes to address. */
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

/* Five bytes of nop at at, and a jump behind them. */
static bool is_tail(const struct finder *finder, uint32_t i, uint64_t at, const struct code *jump)
{
	struct extent extent = extents_get(&finder->extents, i);
	uint32_t parent = finder->parts[i].parent;

	if (jump->kind == CODE_JUMP && jump->target > extent.start && jump->target < extent.end)
		return false;
	if ((at + 5) % 8)
		return true; /* labels are aligned to more */
	return !is_branched_to(extent, at + 5) &&
	       (parent == i || parent == NOBODY || !is_branched_to(extents_get(&finder->extents, parent), at + 5));
}

/* What -mindirect-branch=thunk-inline and -mfunction-return=thunk-inline make of a jump through a register or of a return: a call over a
 * loop that is never run, a change of the address that it has pushed, and a return there. Returns how many bytes that is; 0: it is not. */
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

/* The site at at, if there is one, and how many bytes it and what it stands before have. */
static enum site_kind find_exit(const struct finder *finder, uint32_t i, uint64_t at, uint64_t end, unsigned *bytes)
{
	struct code next;

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
	if ((next.kind == CODE_JUMP || next.kind == CODE_JUMP_AWAY) && is_tail(finder, i, at, &next))
		return SITE_TAIL;
	return SITE_NONE;
}

/* An instruction of extent i goes out of it without a site. */
static void note_way_out(struct finder *finder, uint32_t i, const struct code *code)
{
	uint32_t j = extents_find(&finder->extents, code->target);
	struct part *from = &finder->parts[i], *to;

	if (j == finder->extents.count || j == i)
		return;
	to = &finder->parts[j];
	if (from->entry && !to->entry)
		to->parent = i;
	else if (!from->entry && to->entry && from->parent == NOBODY && code->target != extents_get(&finder->extents, j).start)
		from->parent = j;
	else if (from->entry && to->entry && code->kind == CODE_JUMP)
		from->bare_return = true;
}

/* Learns what the extent has, and whom it belongs to. */
static void study(struct finder *finder, uint32_t i)
{
	struct extent extent = extents_get(&finder->extents, i);
	struct part *part = &finder->parts[i];
	uint64_t at = extent.start + (part->entry ? part->offset + entry_bytes(part->entry) : 0);
	unsigned bytes;

	for (; at < extent.end; at += bytes) {
		struct code code;

		if (find_exit(finder, i, at, extent.end, &bytes)) {
			part->has_exit = true;
			continue;
		}
		code = code_decode(at, extent.end);
		if (!code.bytes) {
			part->unknown = true;
			return;
		}
		bytes = inline_thunk(at, extent.end, &code);
		if (bytes)
			continue; /* of a call through a register: its return is none */
		bytes = code.bytes;
		if (code.kind == CODE_RETURN)
			part->bare_return = true;
		if ((code.kind == CODE_JUMP || code.kind == CODE_BRANCH) && (code.target < extent.start || code.target >= extent.end))
			note_way_out(finder, i, &code);
	}
}

static void *take_memory(uint64_t bytes)
{
	long address = system_mmap(0, bytes, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return (unsigned long)address < -4096ul ? (void *)address : 0;
}

static void add(struct finder *finder, uint64_t address, uint32_t function, enum site_kind kind)
{
	struct sites_found *found = finder->found;
	struct dwell_site_block *block = found->block_count ? found->blocks[found->block_count - 1] : 0;

	if (!block || block->count == DWELL_SITES_A_BLOCK) {
		block = found->block_count < SITE_BLOCKS_MAX ? sites_take_block() : 0;
		if (!block) {
			finder->failed = true;
			return;
		}
		found->blocks[found->block_count++] = block;
	}
	address += kind == SITE_CALL; /* behind a prefix */
	block->sites[block->count++] = (struct dwell_site){(uint32_t)(address - finder->image->low), function << 4 | kind};
	found->kinds |= 1u << kind;
}

static void add_exits(struct finder *finder, uint32_t i, uint32_t function)
{
	struct extent extent = extents_get(&finder->extents, i);
	struct part *part = &finder->parts[i];
	uint64_t at = extent.start + (part->entry ? part->offset + entry_bytes(part->entry) : 0);
	unsigned bytes;

	for (; at < extent.end; at += bytes) {
		enum site_kind kind = find_exit(finder, i, at, extent.end, &bytes);

		if (kind)
			add(finder, at, function, kind);
		else
			bytes = code_decode(at, extent.end).bytes;
		if (!bytes)
			return;
	}
}

/* Only parts come with fewer than they are given: an entry decides for all of its function. */
static void merge_parts(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->extents.count; i++) {
		struct part *part = &finder->parts[i], *parent;

		if (part->entry || part->parent == NOBODY)
			continue;
		parent = &finder->parts[part->parent];
		parent->bare_return |= part->bare_return;
		parent->unknown |= part->unknown;
		parent->has_exit |= part->has_exit;
	}
}

/* Whether the file was compiled with sites at exits at all. */
static bool has_exits(const struct finder *finder)
{
	for (uint32_t i = 0; i < finder->extents.count; i++)
		if (finder->parts[i].entry && finder->parts[i].has_exit)
			return true;
	return false;
}

/* Whether the function is told of by other hooks. A call at its entry becomes something that does nothing. */
static bool is_doubled(struct finder *finder, uint32_t i)
{
	struct extent extent = extents_get(&finder->extents, i);
	enum site_kind kind = finder->parts[i].entry;
	uint64_t place;

	if (!finder->hook || hooks_find_place(&finder->extents, extent.start, extent.end, finder->hook, &place) == MODULES_NOT_HOOKED)
		return false;
	finder->found->doubled++;
	if (kind == SITE_CALL || kind == SITE_CALL_SHORT)
		add(finder, extent.start + finder->parts[i].offset, DWELL_SITE_OF_NOBODY, kind);
	return true;
}

/* Indexes are given in order of address; a part's function may come before or behind it, so its index waits where its site was. */
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
		/* Its address may be in the data for other reasons, such as that it is called through a pointer. */
		bool entry_only = parts[i].bare_return || !exits || (parts[i].listed && is_nop && !parts[i].has_exit);

		indexes[i] = NOBODY;
		if (!parts[i].entry || is_doubled(finder, i))
			continue;
		if (parts[i].unknown && !(entry_only && (parts[i].listed || !exits))) {
			finder->found->skipped++;
			continue;
		}
		if ((entry_only && is_nop && !parts[i].listed) || (parts[i].entry >= SITE_NOP_6 && !entry_only)) {
			finder->found->entry_only++;
			continue;
		}
		finder->found->entries += entry_only;
		parts[i].counted = entry_only;
		indexes[i] = finder->found->functions++;
		add(finder, start + parts[i].offset, indexes[i], parts[i].entry);
		each(context, start, entry_only);
	}
	for (uint32_t i = 0; i < count; i++)
		if (parts[i].parent != NOBODY && indexes[parts[i].parent] != NOBODY && !parts[parts[i].parent].counted)
			add_exits(finder, i, indexes[parts[i].parent]);
	system_munmap(indexes, (uint64_t)count * sizeof *indexes);
}

static void begin(struct finder *finder, const struct image *image)
{
	*finder = (struct finder){.image = image};
	finder->extents = extents_of(image->unwind_index, image->unwind_index ? image->unwind_index_bytes : 0);
	for (unsigned i = 0; i < image->header_count && !image->unwind_index && !finder->extents.count; i++)
		if (image->headers[i].p_type == PT_LOAD && !(image->headers[i].p_flags & PF_X))
			finder->extents = extents_make(image->bias + image->headers[i].p_vaddr,
				image->bias + image->headers[i].p_vaddr + image->headers[i].p_filesz);
	finder->slot_count = agent.own_fentry ? 0 : image_find_slots(image, "__fentry__", finder->slots, IMAGE_SLOTS_MAX);
}

uint32_t sites_count(const struct image *image)
{
	struct finder finder;
	uint32_t entries = 0;
	uint8_t offset;

	begin(&finder, image);
	for (uint32_t i = 0; i < finder.extents.count; i++)
		entries += find_entry(&finder, extents_get(&finder.extents, i), &offset) != SITE_NONE;
	extents_free(&finder.extents);
	return entries;
}

#define NOPS_IN_FRONT_MAX 255u

/* What is behind the nops at address. */
static uint64_t skip_nops(const struct finder *finder, uint64_t address)
{
	uint64_t at = address, end = address + NOPS_IN_FRONT_MAX;

	while (at < end && is_code(finder->image, at, at + 16)) {
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

/* A word in the file's data says that there is a patchable entry: at or in front of where a function begins. */
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
	if (address >= finder->image->low && address < finder->image->high && is_code(finder->image, address, address + 1))
		note_listed(finder, address);
}

/* The table has no name in memory: it is addresses in the data that is written to when a program is loaded. The loader may still have to
 * fill them in. */
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

bool sites_find(const struct image *image, uint64_t hook, struct sites_found *found, sites_function *each, void *context)
{
	struct finder finder;
	uint64_t bytes;

	*found = (struct sites_found){0};
	begin(&finder, image);
	finder.found = found;
	finder.hook = hook;
	bytes = (uint64_t)finder.extents.count * sizeof *finder.parts;
	if (!bytes || !(finder.parts = take_memory(bytes))) {
		extents_free(&finder.extents);
		return false;
	}
	for (uint32_t i = 0; i < finder.extents.count; i++) {
		struct part *part = &finder.parts[i];

		part->entry = (uint8_t)find_entry(&finder, extents_get(&finder.extents, i), &part->offset);
		part->marked = part->entry == SITE_NOP &&
			       IS(extents_get(&finder.extents, i).start + part->offset, extents_get(&finder.extents, i).end, NOP_MARKED);
		part->parent = part->entry ? i : NOBODY;
	}
	find_listed(&finder);
	for (uint32_t i = 0; i < finder.extents.count; i++)
		if (is_code(image, extents_get(&finder.extents, i).start, extents_get(&finder.extents, i).end))
			study(&finder, i);
	merge_parts(&finder);
	add_all(&finder, each, context);
	system_munmap(finder.parts, bytes);
	extents_free(&finder.extents);
	return !finder.failed;
}
