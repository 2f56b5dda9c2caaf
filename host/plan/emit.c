/* emit: writes the code of a plan (emit.h). */
#include "plan/emit.h"

#include <stdlib.h>

#include "plan/region.h"
#include "util/array.h"

/* A jump in the code to a moved instruction: position of its distance, and the instruction. */
struct link {
	uint32_t at, insn;
};

struct emitter {
	struct plan_output *out;
	const struct plan_work *work;
	uint32_t *labels; /* position in the code of each moved instruction */
	struct link *links;
	size_t link_count, link_capacity;
	uint32_t site; /* index of the region's site */
	bool bad;
};

static void put_bytes(struct emitter *e, const void *bytes, size_t count)
{
	struct plan_output *out = e->out;

	if (e->bad || out->code_bytes + count > DWELL_PLAN_CODE_MAX ||
		!array_reserve(&out->code, &out->code_capacity, out->code_bytes + count, 1)) {
		e->bad = true;
		return;
	}
	memcpy(out->code + out->code_bytes, bytes, count);
	out->code_bytes += count;
}

static void put_byte(struct emitter *e, unsigned byte)
{
	uint8_t one = (uint8_t)byte;

	put_bytes(e, &one, 1);
}

/* Notes that the code after the current position has the unwind rules of a place in the file; PLAN_NOWHERE: the rules of a
 * function's first instruction. */
static void add_note(struct emitter *e, uint32_t place)
{
	struct plan_output *out = e->out;

	if (!array_reserve(&out->notes, &out->note_capacity, out->note_count + 1, sizeof *out->notes)) {
		e->bad = true;
		return;
	}
	out->notes[out->note_count++] = (struct plan_note){(uint32_t)out->code_bytes, place};
}

static void add_fixup(struct emitter *e, uint32_t at, enum dwell_plan_fixup kind)
{
	struct plan_output *out = e->out;

	if (!array_reserve(&out->fixups, &out->fixup_capacity, out->fixup_count + 1, sizeof *out->fixups)) {
		e->bad = true;
		return;
	}
	out->fixups[out->fixup_count++] = at | (uint32_t)kind << 30;
}

/* Emits the four-byte distance to a place in the module, from the end of the
 * instruction, which has `behind` more bytes after the distance. */
static void put_distance(struct emitter *e, uint32_t place, uint32_t behind)
{
	uint8_t bytes[4];
	uint32_t at = (uint32_t)e->out->code_bytes;

	put_u32(bytes, place - (at + 4 + behind));
	put_bytes(e, bytes, sizeof bytes);
	add_fixup(e, at, DWELL_PLAN_RELATIVE);
}

/* Returns the moved instruction at the target of a jump; WORK_NONE: the jump leads into the module. */
static uint32_t find_moved(const struct emitter *e, uint32_t place)
{
	const struct plan_work *work = e->work;
	uint32_t i = plan_work_find(work, place == work->start ? work->body : place);

	return i != WORK_NONE && work->region_of[i] != WORK_NONE ? i : WORK_NONE;
}

/* Emits a four-byte distance to a place that may be a moved instruction. */
static void put_link(struct emitter *e, uint32_t place)
{
	uint32_t moved = find_moved(e, place);

	if (moved == WORK_NONE) {
		put_distance(e, place, 0);
		return;
	}
	if (!array_reserve(&e->links, &e->link_capacity, e->link_count + 1, sizeof *e->links)) {
		e->bad = true;
		return;
	}
	e->links[e->link_count++] = (struct link){(uint32_t)e->out->code_bytes, moved};
	put_bytes(e, "\0\0\0\0", 4);
}

static void put_jump(struct emitter *e, uint32_t place)
{
	put_byte(e, 0xe9);
	put_link(e, place);
}

static struct dwell_plan_site *add_site(struct emitter *e, uint32_t at, uint8_t kind)
{
	struct plan_output *out = e->out;
	struct dwell_plan_site *site;

	if (!array_reserve(&out->sites, &out->site_capacity, out->site_count + 1, sizeof *out->sites)) {
		e->bad = true;
		return NULL;
	}
	site = &out->sites[out->site_count++];
	*site = (struct dwell_plan_site){.at = at, .kind = kind, .function = (uint32_t)out->function_count};
	return site;
}

/* Emits a gate: for the region's site, or for an additional site of the region. */
static void put_gate(struct emitter *e, uint32_t at, uint8_t kind)
{
	struct dwell_plan_site *site = &e->out->sites[e->site];

	add_note(e, at);
	if (site->gate != PLAN_NOWHERE) {
		uint32_t code = site->code;

		site = add_site(e, at, kind);
		if (site)
			site->code = code;
	}
	if (site) {
		site->gate = (uint32_t)e->out->code_bytes;
		site->kind = kind;
	}
	put_bytes(e, "\xa9\0\0\0\0", 5);
}

static void put_plain(struct emitter *e, const struct plan_insn *insn)
{
	const uint8_t *bytes = e->work->code->image->bytes + insn->at;

	if (!insn->relative_at) {
		put_bytes(e, bytes, insn->length);
		return;
	}
	put_bytes(e, bytes, insn->relative_at);
	put_distance(e, insn->target, insn->length - insn->relative_at - 4u);
	put_bytes(e, bytes + insn->relative_at + 4, insn->length - insn->relative_at - 4u);
}

static void put_exit(struct emitter *e, const struct plan_insn *insn, enum plan_exit how)
{
	switch (how) {
	case EXIT_BRANCH: /* the inverse condition skips gate and jump */
		put_byte(e, 0x70 + (insn->condition ^ 1));
		put_byte(e, 10);
		put_gate(e, insn->at, DWELL_PLAN_TAIL);
		put_jump(e, insn->target);
		break;
	case EXIT_JUMP:
		put_gate(e, insn->at, DWELL_PLAN_TAIL);
		put_jump(e, insn->target);
		break;
	default:
		put_gate(e, insn->at, how == EXIT_RETURN ? DWELL_PLAN_RETURN : DWELL_PLAN_TAIL);
		put_plain(e, insn);
	}
}

static void put_insn(struct emitter *e, uint32_t i, bool is_timed)
{
	const struct plan_insn *insn = &e->work->insns[i];

	add_note(e, insn->at);
	e->labels[i] = (uint32_t)e->out->code_bytes;
	if (is_timed && e->work->exits[i] != EXIT_NONE) {
		put_exit(e, insn, e->work->exits[i]);
		return;
	}
	switch (insn->kind) {
	case INSN_NOP:
		break;
	case INSN_JUMP:
		put_jump(e, insn->target);
		break;
	case INSN_BRANCH:
		put_byte(e, 0x0f);
		put_byte(e, 0x80u + insn->condition);
		put_link(e, insn->target);
		break;
	case INSN_LOOP: /* jumps to the second jump; falling through skips the second jump */
		put_byte(e, insn->condition);
		put_bytes(e, "\x02\xeb\x05", 3);
		put_jump(e, insn->target);
		break;
	default:
		put_plain(e, insn);
	}
}

/* Emits the code for a call among the function's first bytes. The call leads here, with the return address on top of the stack. */
static void put_call(struct emitter *e, const struct plan_region *region)
{
	put_gate(e, PLAN_NOWHERE, DWELL_PLAN_CALL);
	add_note(e, PLAN_NOWHERE);
	put_byte(e, 0xe9);
	put_distance(e, e->work->insns[region->first].target, 0);
}

/* Adds the site of the long jump that a short jump leads to. */
static void add_room(struct emitter *e, uint32_t room, uint32_t code)
{
	struct dwell_plan_site *site = add_site(e, room, DWELL_PLAN_ROOM);

	if (!site)
		return;
	site->code = code;
	site->changed = site->old_bytes = PLAN_JUMP_BYTES;
	memcpy(site->old, e->work->code->image->bytes + room, PLAN_JUMP_BYTES);
}

static void put_region(struct emitter *e, const struct plan_region *region, bool is_timed)
{
	const struct plan_work *work = e->work;
	const struct plan_insn *last = &work->insns[region->first + region->count - 1];
	struct dwell_plan_site *site = add_site(e, region->at, region->kind);
	uint32_t changed = region->room == PLAN_NOWHERE ? PLAN_JUMP_BYTES : PLAN_SHORT_BYTES, end = last->at + last->length;

	if (!site)
		return;
	e->site = (uint32_t)(e->out->site_count - 1);
	site->code = (uint32_t)e->out->code_bytes;
	site->gate = PLAN_NOWHERE;
	site->changed = (uint8_t)(region->is_bypassed ? 0 : changed);
	if (site->changed) {
		site->old_bytes = (uint8_t)(end - region->at > changed ? end - region->at : changed);
		memcpy(site->old, work->code->image->bytes + region->at,
			site->old_bytes < DWELL_PLAN_OLD_BYTES ? site->old_bytes : DWELL_PLAN_OLD_BYTES);
	}
	if (region->room != PLAN_NOWHERE)
		add_room(e, region->room, site->code);
	if (region->kind == DWELL_PLAN_CALL) {
		put_call(e, region);
		return;
	}
	if (region->kind == DWELL_PLAN_ENTRY)
		put_gate(e, region->at, DWELL_PLAN_ENTRY);
	for (uint32_t i = 0; i < region->count; i++)
		put_insn(e, region->first + i, is_timed);
	if (!plan_insn_ends_flow(last)) {
		add_note(e, end);
		put_jump(e, end);
	}
	site = &e->out->sites[e->site];
	if (site->gate == PLAN_NOWHERE)
		site->gate = 0;
	if (region->room != PLAN_NOWHERE)
		site->code = region->room;
}

/* Writes the distances of the jumps to moved instructions. pre: all instructions of the function have new positions. */
static void resolve_links(struct emitter *e)
{
	for (size_t i = 0; i < e->link_count && !e->bad; i++)
		put_u32(e->out->code + e->links[i].at, e->labels[e->links[i].insn] - (e->links[i].at + 4));
}

bool plan_emit(struct plan_output *out, const struct plan_work *work, bool is_counted)
{
	struct emitter e = {.out = out, .work = work, .labels = calloc(work->insn_count + 1, sizeof *e.labels)};

	e.bad = !e.labels || out->function_count >= DWELL_PLAN_FUNCTIONS_MAX ||
		out->site_count + 4 * work->region_count >= DWELL_PLAN_SITES_MAX ||
		!array_reserve(&out->functions, &out->function_capacity, out->function_count + 1, sizeof *out->functions) ||
		!array_reserve(&out->parts, &out->part_capacity, out->function_count + 1, sizeof *out->parts);
	if (!e.bad)
		out->parts[out->function_count] = (struct plan_part){.first_note = (uint32_t)out->note_count};
	for (size_t i = 0; i < work->region_count && !e.bad; i++)
		put_region(&e, &work->regions[i], !is_counted);
	resolve_links(&e);
	if (!e.bad) {
		out->parts[out->function_count].note_count = (uint32_t)out->note_count - out->parts[out->function_count].first_note;
		out->parts[out->function_count].code_end = (uint32_t)out->code_bytes;
		out->functions[out->function_count++] =
			(struct dwell_plan_function){work->start, is_counted ? DWELL_PLAN_COUNTED : 0};
	}
	free(e.labels);
	free(e.links);
	return !e.bad;
}

/* A function during sorting. */
struct ranked {
	struct dwell_plan_function function;
	struct plan_part part;
	uint32_t index;
};

static int by_start(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	return left->function.start < right->function.start ? -1 : left->function.start > right->function.start;
}

bool plan_output_sort(struct plan_output *out)
{
	struct ranked *list = calloc(out->function_count + 1, sizeof *list);
	uint32_t *rank = calloc(out->function_count + 1, sizeof *rank);

	if (list && rank) {
		for (size_t i = 0; i < out->function_count; i++)
			list[i] = (struct ranked){out->functions[i], out->parts[i], (uint32_t)i};
		qsort(list, out->function_count, sizeof *list, by_start);
		for (size_t i = 0; i < out->function_count; i++) {
			out->functions[i] = list[i].function;
			out->parts[i] = list[i].part;
			rank[list[i].index] = (uint32_t)i;
		}
		for (size_t i = 0; i < out->site_count; i++)
			out->sites[i].function = rank[out->sites[i].function];
	}
	free(list);
	free(rank);
	return list && rank;
}

void plan_output_clear(struct plan_output *output)
{
	free(output->code);
	free(output->fixups);
	free(output->sites);
	free(output->functions);
	free(output->notes);
	free(output->parts);
	*output = (struct plan_output){0};
}
