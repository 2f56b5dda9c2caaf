#include "classic/host/reader/ti/hook_image.h"

#include <stdlib.h>

#include "util/array.h"

#define CONTROL_BYTES_MAX (HOOK_HEAD_BYTES + 8 * HOOK_WORDS)
#define BATCH_RECORDS 4096u

static bool is_known(uint32_t what)
{
	uint32_t place = what >> 8 & 0xff, word_bytes = what >> 24;

	return (what & 0xff) == HOOK_VERSION && place >= HOOK_PLACE_ADDRESS && place <= HOOK_PLACE_RETURN &&
	       (what >> 16 & 0xff) == HOOK_RECORD_BYTES && (word_bytes == 4 || word_bytes == 8);
}

bool hook_image_is_control(struct bytes image, size_t at, bool *is_big)
{
	struct words words = {4, false};

	if (!bytes_have(image, at, HOOK_HEAD_BYTES))
		return false;
	*is_big = words.is_big = get_u32(image.data + at) == __builtin_bswap32(HOOK_MAGIC);
	return (*is_big || get_u32(image.data + at) == HOOK_MAGIC) && is_known(words_u32(&words, image.data + at + 4));
}

/* Parses a control area; false: no control area is here. */
static bool read_control(struct bytes head, const struct memory_place *where, struct hook_image *image)
{
	uint64_t words[HOOK_WORDS];
	uint32_t what;
	bool is_big;

	*image = (struct hook_image){.control = *where};
	if (!hook_image_is_control(head, 0, &is_big))
		return false;
	image->words = (struct words){4, is_big};
	what = words_u32(&image->words, head.data + 4);
	image->words.bytes = what >> 24;
	image->place = what >> 8 & 0xff;
	image->control_bytes = HOOK_HEAD_BYTES + HOOK_WORDS * (uint64_t)image->words.bytes;
	if (head.size < image->control_bytes)
		return false;
	for (size_t i = 0; i < HOOK_WORDS; i++)
		words[i] = words_get(&image->words, head.data + HOOK_HEAD_BYTES + i * image->words.bytes);
	image->control.address = words[HOOK_WORD_SELF];
	image->records = words[HOOK_WORD_RECORDS];
	image->capacity = words[HOOK_WORD_CAPACITY];
	image->count_at = words[HOOK_WORD_COUNT_AT];
	image->hz = words[HOOK_WORD_HZ];
	image->missed = words[HOOK_WORD_MISSED];
	image->has_no_clock = words[HOOK_WORD_STATE] & HOOK_STATE_NO_CLOCK;
	return image->capacity && image->capacity <= UINT32_MAX;
}

/* Reads COUNT, and checks that some of the records are in the memory, unless COUNT is 0 or HOOK_COUNT_OFF: the buffer has none.
 * pre: the memory is placed. */
static bool look_around(const struct memory *memory, struct hook_image *image)
{
	uint8_t count[4];

	image->has_count = memory_read(memory, image->count_at, count, sizeof count) == sizeof count;
	image->written = image->has_count ? words_u32(&image->words, count) : 0;
	image->there = memory_have(memory, image->records, image->capacity * HOOK_RECORD_BYTES) / HOOK_RECORD_BYTES;
	return image->there || !hook_image_used(image);
}

struct finding {
	struct memory *memory;
	struct hook_image *image;
	enum hook_image_state state;
};

/* In raw bytes the control area determines the address. */
static bool take(void *context, const struct memory_place *where)
{
	struct finding *finding = context;
	bool was_placed = finding->memory->is_placed;
	uint8_t head[CONTROL_BYTES_MAX];
	struct hook_image image;

	if (!read_control((struct bytes){head, memory_read(finding->memory, where->address, head, sizeof head)}, where, &image))
		return true;
	if (was_placed ? image.control.address != where->address : image.control.address < where->offset)
		return true;
	if (!was_placed)
		memory_place(finding->memory, image.control.address - where->offset);
	if (look_around(finding->memory, &image)) {
		finding->state = HOOK_IMAGE_FOUND;
		*finding->image = image;
		return false;
	}
	if (!was_placed)
		memory_forget_place(finding->memory);
	if (finding->state == HOOK_IMAGE_NONE)
		*finding->image = image;
	finding->state = HOOK_IMAGE_ODD;
	return true;
}

enum hook_image_state hook_image_find(struct memory *memory, struct hook_image *found)
{
	struct finding finding = {.memory = memory, .image = found};

	*found = (struct hook_image){0};
	memory_scan(memory, HOOK_MAGIC, take, &finding);
	return finding.state;
}

uint64_t hook_image_used(const struct hook_image *image)
{
	if (!image->has_count)
		return image->capacity;
	return image->written == HOOK_COUNT_OFF ? 0 : image->written < image->capacity ? image->written : image->capacity;
}

size_t hook_image_read(
	const struct memory *memory, const struct hook_image *image, uint64_t first, struct hook_record *list, size_t count)
{
	uint8_t bytes[BATCH_RECORDS * HOOK_RECORD_BYTES];
	size_t done = 0;

	while (done < count) {
		size_t want = count - done < BATCH_RECORDS ? count - done : BATCH_RECORDS, got;

		got = memory_read(memory, image->records + (first + done) * HOOK_RECORD_BYTES, bytes, want * HOOK_RECORD_BYTES);
		for (size_t i = 0; i < got / HOOK_RECORD_BYTES; i++)
			list[done + i] = hook_record_at(bytes + i * HOOK_RECORD_BYTES);
		done += got / HOOK_RECORD_BYTES;
		if (got < want * HOOK_RECORD_BYTES)
			break;
	}
	return done;
}

static int by_value(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static bool add_names(const struct hook_image *image, const struct hook_record *list, size_t got, uint32_t **names, size_t *count,
	size_t *capacity)
{
	if (!array_reserve(names, capacity, *count + got, sizeof **names))
		return false;
	for (size_t i = 0; i < got; i++) {
		struct hook_record record = image->words.is_big ? hook_record_swapped(&list[i]) : list[i];

		if (!hook_record_is_unused(&record) && (record.place & HOOK_RECORD_TYPE_MASK) < HOOK_RECORD_TASK_IN)
			(*names)[(*count)++] = record.place & ~(uint32_t)HOOK_RECORD_TYPE_MASK;
	}
	return true;
}

static size_t keep_each_once(uint32_t *names, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(names, count, sizeof *names, by_value);
	for (size_t i = 0; i < count; i++)
		if (!kept || names[kept - 1] != names[i])
			names[kept++] = names[i];
	return kept;
}

/* Removes duplicates whenever the list has grown much: programs have some thousand functions, whatever the number of calls. */
bool hook_image_names(const struct memory *memory, const struct hook_image *image, uint32_t **names, size_t *count)
{
	struct hook_record list[BATCH_RECORDS];
	uint64_t used = hook_image_used(image);
	size_t capacity = 0, sorted = 0, got;

	*names = NULL;
	*count = 0;
	for (uint64_t at = 0; at < used; at += got) {
		got = hook_image_read(memory, image, at, list, used - at < BATCH_RECORDS ? (size_t)(used - at) : BATCH_RECORDS);
		if (!got)
			break;
		if (!add_names(image, list, got, names, count, &capacity)) {
			free(*names);
			*names = NULL;
			return false;
		}
		if (*count > 2 * sorted + 8 * BATCH_RECORDS)
			*count = sorted = keep_each_once(*names, *count);
	}
	*count = keep_each_once(*names, *count);
	return true;
}
