/* code: reads the code of an image (code.h). */
#include "plan/code.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "plan/all_cores.h"
#include "plan/landing.h"
#include "util/array.h"

#define OVERLAP_MAX 3u

struct plan_entry *plan_code_find(const struct plan_code *code, uint32_t at)
{
	size_t low = 0, high = code->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->entries[middle].low <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at < code->entries[low - 1].high ? &code->entries[low - 1] : NULL;
}

/* Orders entries by start; of two entries with the same start, the longer one comes first. */
static int by_place(const void *a, const void *b)
{
	const struct plan_entry *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->high != right->high ? (left->high > right->high ? -1 : 1) : 0;
}

/* Entries may overlap, and each is decoded from its own beginning. Drops entries that would make the
 * decoded code more than OVERLAP_MAX times as large as the code. */
static void drop_excess_entries(struct plan_code *code)
{
	uint64_t left = OVERLAP_MAX * (uint64_t)(code->high - code->low);
	size_t kept = 0;

	for (size_t i = 0; i < code->count; i++) {
		uint32_t bytes = code->entries[i].high - code->entries[i].low;

		if (bytes > left)
			continue;
		left -= bytes;
		code->entries[kept++] = code->entries[i];
	}
	code->count = kept;
}

static bool read_entries(struct plan_code *code)
{
	const struct plan_image *image = code->image;
	struct cfi_entry entry;
	uint32_t reached = 0;

	for (uint64_t offset = 0; cfi_next(image->frames, &offset, &entry);) {
		uint32_t low = plan_place(image, entry.low), high;
		const struct plan_span *linkage, *span;

		if (entry.high <= entry.low || low == PLAN_NOWHERE || entry.high - entry.low > image->size - low)
			continue;
		high = low + (uint32_t)(entry.high - entry.low);
		linkage = plan_spans_find(&image->linkage, low);
		span = plan_spans_find(&image->code, low);
		if (!linkage && (!span || high > span->high))
			continue;
		if (!array_reserve(&code->entries, &code->capacity, code->count + 1, sizeof *code->entries))
			return false;
		code->entries[code->count++] =
			(struct plan_entry){.low = low, .high = high, .cfi = entry, .is_linkage = linkage != NULL, .is_code = true};
	}
	if (code->count)
		qsort(code->entries, code->count, sizeof *code->entries, by_place);
	drop_excess_entries(code);
	for (size_t i = 0, last = 0; i < code->count; i++) {
		if (code->entries[i].low < reached)
			code->entries[i].overlaps = code->entries[last].overlaps = true;
		if (code->entries[i].high > reached) {
			reached = code->entries[i].high;
			last = i;
		}
	}
	return true;
}

bool plan_code_add_edge(struct plan_code *code, uint32_t from, uint32_t to)
{
	bool good;

	pthread_mutex_lock(&code->edges_lock);
	good = array_reserve(&code->edges, &code->edge_capacity, code->edge_count + 1, sizeof *code->edges);
	if (good)
		code->edges[code->edge_count++] = (struct plan_edge){from, to};
	pthread_mutex_unlock(&code->edges_lock);
	return good;
}

/* Marks the places that an instruction leads to. entry: the unwind entry
 * of the instruction; null: none, so the function is unknown. */
static bool mark_insn_targets(struct plan_code *code, struct plan_entry *entry, const struct plan_insn *insn)
{
	switch (insn->kind) {
	case INSN_CALL:
		plan_code_mark(code, insn->target, BYTE_CALLED);
		return true;
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
		if (!entry) {
			plan_code_mark(code, insn->target, BYTE_FIXED | BYTE_CALLED);
			return true;
		}
		if (insn->target == PLAN_NOWHERE)
			entry->is_code = false;
		plan_code_mark(code, insn->target, 0);
		return (insn->target >= entry->low && insn->target < entry->high) ||
		       plan_code_add_edge(code, insn->at, insn->target);
	case INSN_JUMP_INDIRECT:
		if (entry)
			entry->has_indirect_jump = true;
		break;
	case INSN_IMMOVABLE:
		plan_code_mark(code, insn->target, BYTE_FIXED);
		return true;
	default:
		break;
	}
	if (insn->relative_at)
		plan_code_mark(code, insn->target, BYTE_CODE_POINTER);
	plan_code_mark(code, insn->immediate, BYTE_CODE_POINTER);
	return true;
}

/* Decodes all instructions from low to high. After an invalid byte, continues with the next byte. */
static bool decode_range(struct plan_code *code, struct plan_entry *entry, uint32_t low, uint32_t high)
{
	struct plan_insn insn;

	for (uint32_t at = low; at < high;) {
		if (!plan_insn_read(code->image, at, high, &insn)) {
			if (entry)
				entry->is_code = false;
			at++;
			continue;
		}
		if (entry) {
			plan_code_set(code, at, BYTE_INSN);
			entry->uses_red_zone |= insn.uses_below_stack;
		}
		if (!mark_insn_targets(code, entry, &insn))
			return false;
		at += insn.length;
	}
	return true;
}

/* Returns whether the bytes are only nops and int3. */
static bool is_padding(const struct plan_code *code, uint32_t low, uint32_t high)
{
	struct plan_insn insn;

	while (low < high && plan_insn_read(code->image, low, high, &insn) &&
		(insn.kind == INSN_NOP || (insn.kind == INSN_STOP && code->image->bytes[low] == 0xcc)))
		low += insn.length;
	return low == high;
}

/* Reads bytes that no entry covers: padding between functions, or code without unwind tables. */
static bool read_gap(struct plan_code *code, uint32_t low, uint32_t high)
{
	if (low >= high)
		return true;
	if (!is_padding(code, low, high))
		return decode_range(code, NULL, low, high);
	for (uint32_t at = low; at < high; at++)
		*plan_code_at(code, at) |= BYTE_FREE;
	return true;
}

static bool read_gaps(struct plan_code *code)
{
	const struct plan_spans *spans = &code->image->code;
	size_t next = 0;

	for (size_t i = 0; i < spans->count; i++) {
		uint32_t reached = spans->list[i].low;

		for (; next < code->count && code->entries[next].low < spans->list[i].high; next++) {
			if (code->entries[next].low > reached && !read_gap(code, reached, code->entries[next].low))
				return false;
			if (code->entries[next].high > reached)
				reached = code->entries[next].high;
		}
		if (reached < spans->list[i].high && !read_gap(code, reached, spans->list[i].high))
			return false;
	}
	return true;
}

static bool add_landing(void *context, uint32_t at, uint32_t from, uint32_t to)
{
	struct plan_code *code = context;

	plan_code_mark(code, at, BYTE_FIXED);
	return plan_spans_add(&code->guarded, from, to);
}

/* Marks the entries that overlap a restartable sequence. */
static void find_restartable_entries(struct plan_code *code)
{
	const struct plan_spans *spans = &code->image->restartable;
	size_t next = 0;

	for (size_t i = 0; i < code->count; i++) {
		struct plan_entry *entry = &code->entries[i];

		while (next < spans->count && spans->list[next].high <= entry->low)
			next++;
		entry->is_restartable = next < spans->count && spans->list[next].low < entry->high;
	}
}

/* Marks the places that tables and symbols name. */
static void mark_named_places(struct plan_code *code)
{
	const struct plan_image *image = code->image;

	uint32_t reached = 0;

	for (size_t i = 0; i < code->count; i++) {
		struct plan_entry *entry = &code->entries[i];

		if (entry->low >= reached && !plan_landings(image, &entry->cfi, add_landing, code))
			entry->is_code = false;
		plan_code_mark(code, entry->low, BYTE_FIXED);
		reached = entry->high > reached ? entry->high : reached;
	}
	for (size_t i = 0; i < image->symbols.count; i++)
		plan_code_mark(code, image->symbols.list[i].low, image->symbols.list[i].high ? BYTE_FIXED : BYTE_CALLED);
	if (image->entry != PLAN_NOWHERE)
		plan_code_mark(code, image->entry, BYTE_CALLED);
}

static bool is_text(const uint8_t *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (bytes[i] < 0x20 || bytes[i] > 0x7e)
			return false;
	return true;
}

/* Returns whether a word that looks like a pointer is the end of a string. In programs at a fixed address, three letters are a
 * valid code address. The string also occupies the bytes before the word. */
static bool is_end_of_text(const struct plan_image *image, uint32_t word)
{
	uint32_t count = 0;

	if (!image->is_fixed || word == PLAN_NOWHERE || word < 8)
		return false;
	while (count < 8 && image->bytes[word + count])
		count++;
	return is_text(image->bytes + word - 8, 8 + count);
}

void plan_code_mark_data_pointers(struct plan_code *code)
{
	for (size_t i = 0; i < code->image->data_pointers.count; i++) {
		const struct plan_span *pointer = &code->image->data_pointers.list[i];

		const struct plan_entry *entry = plan_code_find(code, pointer->low);

		if (!plan_spans_find(&code->tables, pointer->high) &&
			((entry && entry->low == pointer->low) || !is_end_of_text(code->image, pointer->high)))
			plan_code_mark(code, pointer->low, BYTE_DATA_POINTER);
	}
}

static int by_target(const void *a, const void *b)
{
	const struct plan_edge *left = a, *right = b;

	return left->to != right->to ? (left->to < right->to ? -1 : 1) : left->from < right->from ? -1 : left->from > right->from;
}

bool plan_code_has_jump_to(const struct plan_code *code, uint32_t at)
{
	size_t low = 0, high = code->direct_edge_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->edges[middle].to < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->direct_edge_count && code->edges[low].to == at;
}

/* For all_cores_run: an entry changes its own members, marks bytes, and adds edges, which are sorted afterwards. */
static bool decode_entries(void *context, size_t first, size_t end)
{
	struct plan_code *code = context;

	for (size_t i = first; i < end; i++)
		if (!code->entries[i].is_linkage &&
			!decode_range(code, &code->entries[i], code->entries[i].low, code->entries[i].high))
			return false;
	return true;
}

static bool read_all(struct plan_code *code)
{
	if (!read_entries(code) || !all_cores_run(decode_entries, code, code->count) || !read_gaps(code))
		return false;
	mark_named_places(code);
	find_restartable_entries(code);
	plan_spans_join(&code->guarded);
	if (code->edge_count)
		qsort(code->edges, code->edge_count, sizeof *code->edges, by_target);
	code->direct_edge_count = code->edge_count;
	return true;
}

bool plan_code_read(struct plan_code *code, const struct plan_image *image)
{
	const struct plan_spans *spans[] = {&image->code, &image->linkage};

	*code = (struct plan_code){.image = image, .low = UINT32_MAX, .edges_lock = PTHREAD_MUTEX_INITIALIZER};
	for (unsigned i = 0; i < 2; i++)
		if (spans[i]->count) {
			code->low = spans[i]->list[0].low < code->low ? spans[i]->list[0].low : code->low;
			code->high = spans[i]->list[spans[i]->count - 1].high > code->high
					     ? spans[i]->list[spans[i]->count - 1].high
					     : code->high;
		}
	code->flags =
		mmap(NULL, code->high - code->low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (code->flags == MAP_FAILED) {
		code->flags = NULL;
		return false;
	}
	return read_all(code);
}

void plan_code_clear(struct plan_code *code)
{
	if (code->flags)
		munmap(code->flags, code->high - code->low);
	free(code->entries);
	free(code->edges);
	free(code->tables.list);
	free(code->guarded.list);
	free(code->jumps);
	*code = (struct plan_code){0};
}
