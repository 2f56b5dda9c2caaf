#include "classic/host/reader/nitro/lines_play.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/utf8.h"

enum { TEXTS, SUMS, LINES, SWITCHES, BEGINNING, EVENTS, OVER };

#define BATCH_EVENTS 4096u
#define REGISTERS 4u
/* Longer times are impossible: thousands of years. */
#define LONGEST_TICKS (UINT64_C(1) << 62)
#define ORDINAL_BITS 40 /* of the numbers that replace times */
/* More calls without a line exist only in damaged buffers. */
#define UNWRITTEN_SHOWN 64u

static const char not_recorded[] = "(not recorded)", others[] = "(others)";

static bool load(const struct memory *memory, uint64_t address, uint64_t bytes, uint8_t **into)
{
	*into = malloc(bytes ? bytes : 1);
	return *into && memory_read(memory, address, *into, bytes) == bytes;
}

/* Returns the index of a line from the line's number; numbers count from the oldest line. */
static uint64_t place_of(const struct lines_area *area, uint64_t number)
{
	uint64_t place = area->first + number + (number < area->opened ? 0 : area->skipped);

	return place < area->stored ? place : place - area->stored;
}

static const uint8_t *line_at(const struct lines_play *play, uint64_t number)
{
	return play->lines + place_of(play->area, number) * play->area->line_bytes;
}

static uint64_t word_at(const struct lines_play *play, const uint8_t *line, uint32_t index)
{
	return words_get(&play->area->words, line + index * play->area->words.bytes);
}

static uint64_t tag(const struct lines_play *play, int tag)
{
	return words_tag(&play->area->words, tag);
}

/* ---- names ---- */

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* Collects all values that may be addresses of names, each once; in traces also the tag of calls without a line. */
static bool collect_names(struct lines_play *play)
{
	const struct lines_area *area = play->area;
	uint64_t count = area->count;

	play->names = malloc((count + 1) * sizeof *play->names);
	if (!play->names)
		return false;
	for (uint64_t i = 0; i < count; i++)
		play->names[i] = word_at(play, line_at(play, i), 0);
	if (!lines_area_has_times(area))
		play->names[count++] = tag(play, LINES_TAG_UNWRITTEN);
	if (count)
		qsort(play->names, count, sizeof *play->names, by_value);
	for (uint64_t i = 0; i < count; i++)
		if (!play->name_count || play->names[play->name_count - 1] != play->names[i])
			play->names[play->name_count++] = play->names[i];
	return true;
}

static bool read_text(struct lines_play *play, uint64_t name)
{
	const char *known = name == tag(play, LINES_TAG_UNWRITTEN) ? not_recorded
			    : name == tag(play, LINES_TAG_OTHERS)  ? others
								   : NULL;
	const char *end;

	if (known) {
		strcpy(play->text, known);
		return true;
	}
	/* May also be the code of a function, if the calls came by -finstrument-functions. */
	end = memchr(play->text, 0, memory_read(play->memory, name, play->text, sizeof play->text));
	return end && utf8_is_text(play->text, (size_t)(end - play->text));
}

static bool next_text(struct lines_play *play, struct message *message)
{
	while (play->name_next < play->name_count) {
		uint64_t name = play->names[play->name_next++];

		if (!read_text(play, name))
			continue;
		*message = (struct message){.kind = MESSAGE_STRING, .string = {.address = name, .text = play->text}};
		return true;
	}
	return false;
}

/* ---- events ---- */

static void put(struct lines_play *play, enum event_kind kind, uint64_t value)
{
	if (!array_reserve(&play->events, &play->event_capacity, play->event_count + 1, sizeof *play->events)) {
		play->no_memory = true;
		return;
	}
	play->events[play->event_count++] = (struct event){.ticks = play->now, .value = value, .kind = kind};
	play->events_told += kind <= EVENT_EXIT;
}

static void put_enter(struct lines_play *play, uint64_t name, int64_t depth)
{
	if (!array_reserve(&play->open, &play->open_capacity, play->open_count + 1, sizeof *play->open)) {
		play->no_memory = true;
		return;
	}
	play->open[play->open_count++] = (struct lines_open){name, depth};
	put(play, EVENT_ENTER, name);
}

static void put_exit(struct lines_play *play)
{
	put(play, EVENT_EXIT, play->open[--play->open_count].name);
}

/* ---- function cost ---- */

static void put_switch(struct lines_play *play, uint64_t ticks)
{
	if (!array_reserve(&play->switches, &play->switch_capacity, play->switch_count + 1, sizeof *play->switches)) {
		play->no_memory = true;
		return;
	}
	play->switches[play->switch_count++] = (struct message_switch){.out_ticks = play->now, .in_ticks = play->now + ticks};
}

/* Adds the time since the line before; away: the part in which the thread was away. Ticks of 32 bits wrap, so the
 * part away and the rest are known modulo 2^32. Ticks of 64 bits do not wrap, so a tick below the last one is an error. */
static void pass(struct lines_play *play, uint64_t tick, uint64_t away)
{
	uint64_t passed = tick - play->tick;

	if (play->area->words.bytes == 4) {
		passed = away + (uint32_t)(passed - away);
	} else if (tick < play->tick || away > passed || passed > LONGEST_TICKS - play->now) {
		play->odd++;
		passed = away = 0;
	}
	if (away)
		put_switch(play, away);
	play->now += passed;
}

static void play_cost(struct lines_play *play, const uint8_t *line)
{
	bool was_open = play->next < play->area->opened; /* then the line has only a name */
	uint64_t name = word_at(play, line, 0), tick = was_open ? play->area->opened_ticks : word_at(play, line, 1),
		 away = was_open ? 0 : word_at(play, line, 2);

	if (play->next) { /* the time away before the first line does not count */
		pass(play, tick, away);
	} else {
		play->now = tick <= LONGEST_TICKS ? tick : 0;
	}
	play->tick = tick;
	if (name == tag(play, LINES_TAG_EXIT) && play->open_count)
		put_exit(play);
	else if (words_is_tag(&play->area->words, name))
		play->odd++;
	else
		put_enter(play, name, 0);
}

/* ---- call traces ---- */

/* Adds r0, r1, … as far as they are kept, and lr. */
static void put_arguments(struct lines_play *play, const uint8_t *line)
{
	uint32_t word = 2;

	for (uint32_t i = 0; i < REGISTERS && play->area->registers >> i; i++) {
		if (play->area->registers >> i & 1)
			put(play, EVENT_ARG, word_at(play, line, word++));
		else
			put(play, EVENT_NO_ARG, 0);
	}
	put(play, EVENT_RETURNS_TO, word_at(play, line, 1));
}

static void put_unwritten(struct lines_play *play, uint64_t count, int64_t depth)
{
	for (uint64_t i = 0; i < count && i < UNWRITTEN_SHOWN; i++) {
		play->now++;
		put_enter(play, tag(play, LINES_TAG_UNWRITTEN), depth);
	}
	play->odd += count > UNWRITTEN_SHOWN;
}

static void play_stack(struct lines_play *play, const uint8_t *line)
{
	uint64_t name = word_at(play, line, 0);

	if (!name)
		return;
	if (name == tag(play, LINES_TAG_UNWRITTEN)) {
		put_unwritten(play, word_at(play, line, 1), 0);
		return;
	}
	play->now++;
	put_enter(play, name, 0);
	put_arguments(play, line);
}

/* Returns how much deeper a line is than the line before. Levels count from an unknown origin, and may be below 0. */
static int64_t level_step(const struct lines_play *play, uint64_t number)
{
	const struct words *words = &play->area->words;
	uint32_t before = words_u32(words, play->levels + place_of(play->area, number - 1) * LINES_LEVEL_BYTES);

	return (int32_t)(words_u32(words, play->levels + place_of(play->area, number) * LINES_LEVEL_BYTES) - before);
}

/* Returns the depth of the first line, if the least deep line has depth 0. */
static int64_t first_depth(const struct lines_play *play)
{
	int64_t depth = 0, least = 0;

	for (uint64_t i = 1; i < play->area->count; i++) {
		depth += level_step(play, i);
		if (depth < least)
			least = depth;
	}
	return -least;
}

static void play_log(struct lines_play *play, const uint8_t *line)
{
	uint64_t name = word_at(play, line, 0);
	int64_t above;

	play->depth = play->next ? play->depth + level_step(play, play->next) : first_depth(play);
	if (!name)
		return;
	play->now++;
	while (play->open_count && play->open[play->open_count - 1].depth >= play->depth)
		put_exit(play);
	/* Callers that were entered while disabled, or whose lines were overwritten. */
	above = play->open_count ? play->open[play->open_count - 1].depth + 1 : 0;
	if (above < play->depth)
		put_unwritten(play, (uint64_t)(play->depth - above), play->depth - 1);
	play->now++;
	put_enter(play, name, play->depth);
	put_arguments(play, line);
}

/* ---- statistics ---- */

static bool make_sums(struct lines_play *play, struct message *message)
{
	const struct lines_area *area = play->area;
	uint32_t count = area->count < UINT32_MAX ? (uint32_t)area->count : UINT32_MAX - 1;
	uint64_t sum = 0;

	play->nodes = calloc(count + 1, sizeof *play->nodes);
	play->functions = calloc(count + 1, sizeof *play->functions);
	if (!play->nodes || !play->functions) {
		play->no_memory = true;
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *row = line_at(play, i), *counts = row + 2 * area->words.bytes;
		uint64_t self_ticks = words_u64(&area->words, counts + 8);

		play->functions[i].place = word_at(play, row, 0);
		play->nodes[i].function = i + 1;
		/* An impossibly large time becomes 0 (with the row's calls): the sums must not overflow. */
		if (self_ticks > UINT64_MAX / 2 - sum)
			continue;
		sum += self_ticks;
		play->nodes[i].calls = words_u64(&area->words, counts);
		play->nodes[i].self_ticks = self_ticks;
		play->nodes[i].total_ticks = words_u64(&area->words, counts + 16);
	}
	*message = (struct message){.kind = MESSAGE_SUMS,
		.sums = {.stream = play->stream,
			.place_kind = DWELL_PLACE_STRING,
			.has_no_moments = true,
			.is_all = true,
			.last_ticks = sum,
			.nodes = play->nodes,
			.node_count = count,
			.functions = play->functions,
			.function_count = count}};
	return true;
}

/* ---- all messages of a buffer ---- */

bool lines_play_begin(
	struct lines_play *play, const struct memory *memory, const struct lines_area *area, uint32_t stream, uint64_t chunk)
{
	*play = (struct lines_play){.memory = memory, .area = area, .stream = stream, .chunk = chunk};
	if (!lines_area_has_times(area))
		play->now = (uint64_t)stream << ORDINAL_BITS; /* the next buffer's numbers are above this buffer's */
	return load(memory, area->begin, area->stored * area->line_bytes, &play->lines) &&
	       (area->kind != LINES_KIND_LOG || load(memory, area->levels, area->count * LINES_LEVEL_BYTES, &play->levels)) &&
	       collect_names(play);
}

void lines_play_end(struct lines_play *play)
{
	free(play->lines);
	free(play->levels);
	free(play->names);
	free(play->open);
	free(play->events);
	free(play->switches);
	free(play->nodes);
	free(play->functions);
	*play = (struct lines_play){0};
}

/* Converts lines until there are enough events. */
static void fill(struct lines_play *play)
{
	const struct lines_area *area = play->area;

	play->event_count = play->switch_count = 0;
	for (; play->next < area->count && play->event_count < BATCH_EVENTS && !play->no_memory; play->next++) {
		const uint8_t *line = line_at(play, play->next);

		if (area->kind == LINES_KIND_COST)
			play_cost(play, line);
		else if (area->kind == LINES_KIND_STACK)
			play_stack(play, line);
		else
			play_log(play, line);
	}
	if (area->kind == LINES_KIND_STACK && play->next >= area->count)
		put_unwritten(play, area->unwritten, 0); /* the innermost calls */
	play->phase = area->kind == LINES_KIND_COST ? SWITCHES : play->has_begun ? EVENTS : BEGINNING;
}

/* The thread's time off the CPU, up to the events that follow. */
static struct message switches_message(struct lines_play *play)
{
	uint64_t from = play->from;

	play->from = play->now;
	return (struct message){.kind = MESSAGE_SWITCHES,
		.switches = {.stream = play->stream,
			.from_ticks = from,
			.until_ticks = play->now,
			.switches = play->switches,
			.count = (uint32_t)play->switch_count}};
}

/* The calls that were open before are unknown. */
static struct message beginning_message(const struct lines_play *play)
{
	uint64_t first_ticks = play->event_count ? play->events[0].ticks : 0;

	return (struct message){.kind = MESSAGE_CHECKPOINT,
		.checkpoint = {.stream = play->stream, .place_kind = DWELL_PLACE_STRING, .ticks = first_ticks, .first = true}};
}

static struct message events_message(const struct lines_play *play)
{
	return (struct message){.kind = MESSAGE_EVENTS,
		.events = {.stream = play->stream,
			.place_kind = DWELL_PLACE_STRING,
			.events = play->events,
			.count = (uint32_t)play->event_count,
			.chunk = play->chunk}};
}

bool lines_play_next(struct lines_play *play, struct message *message)
{
	if (play->phase == TEXTS && next_text(play, message))
		return true;
	if (play->phase == TEXTS)
		play->phase = play->area->kind == LINES_KIND_STATS ? SUMS : LINES;
	if (play->phase == SUMS) {
		play->phase = OVER;
		return make_sums(play, message);
	}
	if (play->phase == LINES)
		fill(play);
	if (play->phase == SWITCHES) {
		*message = switches_message(play);
		play->phase = play->has_begun ? EVENTS : BEGINNING;
		return true;
	}
	if (play->phase == BEGINNING) {
		*message = beginning_message(play);
		play->has_begun = true;
		play->phase = EVENTS;
		return true;
	}
	if (play->phase == EVENTS) {
		*message = events_message(play);
		play->phase = play->next < play->area->count && !play->no_memory ? LINES : OVER;
		return true;
	}
	return false;
}
