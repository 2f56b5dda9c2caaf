/* declaration: decodes all chunks but SLOTS, field by field as in FORMAT.md. */
#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/declaration.h"
#include "util/array.h"

/* The name of each kind of chunk, and the bytes of the fixed part of its payload. */
static const struct {
	const char *name;
	uint32_t fixed_bytes;
} kinds[] = {
	[DWELL_CHUNK_SLOTS] = {"SLOTS", 0},
	[DWELL_CHUNK_MODULE] = {"MODULE", DWELL_MODULE_PATH},
	[DWELL_CHUNK_THREAD] = {"THREAD", DWELL_THREAD_NAME},
	[DWELL_CHUNK_PROCESS] = {"PROCESS", DWELL_PROCESS_STRINGS},
	[DWELL_CHUNK_CLOCK] = {"CLOCK", DWELL_CLOCK_BYTES},
	[DWELL_CHUNK_LOSS] = {"LOSS", DWELL_LOSS_BYTES},
	[DWELL_CHUNK_INFO] = {"INFO", 0},
	[DWELL_CHUNK_SEEK] = {"SEEK", 0},
	[DWELL_CHUNK_END] = {"END", DWELL_END_BYTES},
	[DWELL_CHUNK_SWITCHES] = {"SWITCHES", DWELL_SWITCHES_ENTRIES},
	[DWELL_CHUNK_TEXT] = {"TEXT", DWELL_TEXT_TEXT},
	[DWELL_CHUNK_SAMPLES] = {"SAMPLES", DWELL_SAMPLES_HEAD_BYTES},
	[DWELL_CHUNK_SAMPLING] = {"SAMPLING", DWELL_SAMPLING_BYTES},
	[DWELL_CHUNK_NAMES] = {"NAMES", 0},
	[DWELL_CHUNK_COUNTS] = {"COUNTS", 0},
	[DWELL_CHUNK_THROTTLE] = {"THROTTLE", 0},
	[DWELL_CHUNK_SUMS] = {"SUMS", 0},
	[DWELL_CHUNK_CPU_PLACES] = {"CPU_PLACES", DWELL_CPU_PLACES_HEAD_BYTES},
	[DWELL_CHUNK_FAULTS] = {"FAULTS", DWELL_FAULTS_ENTRIES},
};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

bool declaration_knows(uint16_t kind)
{
	return kind < KIND_COUNT && kinds[kind].name;
}

bool declaration_can_be_packed(uint16_t kind)
{
	return kind == DWELL_CHUNK_SLOTS || kind == DWELL_CHUNK_SAMPLES || kind == DWELL_CHUNK_NAMES ||
	       kind == DWELL_CHUNK_COUNTS || kind == DWELL_CHUNK_SUMS;
}

const char *declaration_kind_name(uint16_t kind)
{
	return declaration_knows(kind) ? kinds[kind].name : "unknown";
}

struct declaration_end declaration_get_end(const struct raw_chunk *chunk)
{
	const uint8_t *p = chunk->payload.data;

	return (struct declaration_end){
		.seek_offset = get_u64(p + DWELL_END_SEEK_OFFSET),
		.chunks = get_u64(p + DWELL_END_CHUNKS),
		.events = get_u64(p + DWELL_END_EVENTS),
	};
}

/* Switches have no text: they are decoded at once, from the chunk's payload. */
static const char *take_switches(struct declaration *declaration)
{
	struct bytes payload = declaration->chunk.payload;
	size_t count = (payload.size - DWELL_SWITCHES_ENTRIES) / DWELL_SWITCH_BYTES;

	if ((payload.size - DWELL_SWITCHES_ENTRIES) % DWELL_SWITCH_BYTES)
		return "is no whole number of entries";
	if (declaration->chunk.first_ticks > declaration->chunk.last_ticks)
		return "ends before it begins";
	if (!array_reserve(&declaration->switches, &declaration->switch_capacity, count, sizeof *declaration->switches))
		return "cannot be decoded: out of memory";
	for (size_t i = 0; i < count; i++) {
		const uint8_t *p = payload.data + DWELL_SWITCHES_ENTRIES + i * DWELL_SWITCH_BYTES;
		uint64_t length = get_u64(p + DWELL_SWITCH_LENGTH), out = get_u64(p + DWELL_SWITCH_OUT), in;

		if (__builtin_add_overflow(out, length & ~DWELL_SWITCH_PREEMPTED, &in))
			in = UINT64_MAX;
		declaration->switches[i] = (struct message_switch){out, in, length & DWELL_SWITCH_PREEMPTED};
	}
	return NULL;
}

static uint32_t count_faults(const struct raw_chunk *chunk)
{
	return (uint32_t)((chunk->payload.size - DWELL_FAULTS_ENTRIES) / DWELL_FAULT_BYTES);
}

static const char *take_faults(struct declaration *declaration)
{
	struct bytes payload = declaration->chunk.payload;
	size_t count = count_faults(&declaration->chunk);

	if ((payload.size - DWELL_FAULTS_ENTRIES) % DWELL_FAULT_BYTES)
		return "is no whole number of entries";
	if (declaration->chunk.first_ticks > declaration->chunk.last_ticks)
		return "ends before it begins";
	if (!array_reserve(&declaration->faults, &declaration->fault_capacity, count, sizeof *declaration->faults))
		return "cannot be decoded: out of memory";
	for (size_t i = 0; i < count; i++) {
		uint64_t entry = get_u64(payload.data + DWELL_FAULTS_ENTRIES + i * DWELL_FAULT_BYTES);

		declaration->faults[i] = (struct message_fault){entry & ~DWELL_FAULT_MAJOR, entry & DWELL_FAULT_MAJOR};
	}
	return NULL;
}

static const char *take_throttled(struct declaration *declaration)
{
	struct bytes payload = declaration->chunk.payload;
	size_t count = payload.size / DWELL_THROTTLED_BYTES;

	if (payload.size % DWELL_THROTTLED_BYTES)
		return "is no whole number of entries";
	if (!array_reserve(&declaration->throttled, &declaration->throttled_capacity, count, sizeof *declaration->throttled))
		return "cannot be decoded: out of memory";
	for (size_t i = 0; i < count; i++) {
		const uint8_t *p = payload.data + i * DWELL_THROTTLED_BYTES;

		declaration->throttled[i] = (struct message_throttled){
			.place = get_u64(p + DWELL_THROTTLED_PLACE),
			.since_ticks = get_u64(p + DWELL_THROTTLED_SINCE),
			.until_ticks = get_u64(p + DWELL_THROTTLED_UNTIL),
			.calls = get_u64(p + DWELL_THROTTLED_CALLS),
			.call_sixteenths = get_u32(p + DWELL_THROTTLED_COST),
			.is_counted = get_u16(p + DWELL_THROTTLED_FLAGS) & DWELL_THROTTLED_COUNTED,
			.share = get_u16(p + DWELL_THROTTLED_SHARE),
			.seen_ticks = (uint64_t)get_u32(p + DWELL_THROTTLED_SEEN) << 16,
			.cut = get_u32(p + DWELL_THROTTLED_CUT),
		};
	}
	return NULL;
}

static const char *take_cpu_places(struct declaration *declaration)
{
	struct bytes payload = declaration->chunk.payload;
	size_t count = (payload.size - DWELL_CPU_PLACES_HEAD_BYTES) / DWELL_CPU_PLACE_BYTES;

	if ((payload.size - DWELL_CPU_PLACES_HEAD_BYTES) % DWELL_CPU_PLACE_BYTES)
		return "is no whole number of entries";
	if (!array_reserve(&declaration->places, &declaration->place_capacity, count, sizeof *declaration->places))
		return "cannot be decoded: out of memory";
	for (size_t i = 0; i < count; i++) {
		const uint8_t *p = payload.data + DWELL_CPU_PLACES_HEAD_BYTES + i * DWELL_CPU_PLACE_BYTES;

		declaration->places[i] = (struct message_cpu_place){
			.address = get_u64(p + DWELL_CPU_PLACE_ADDRESS),
			.ticks = get_u64(p + DWELL_CPU_PLACE_TICKS),
			.pid = get_u32(p + DWELL_CPU_PLACE_PID),
			.count = get_u32(p + DWELL_CPU_PLACE_COUNT),
		};
	}
	return NULL;
}

const char *declaration_begin(struct declaration *declaration, const struct raw_chunk *chunk)
{
	size_t size = chunk->payload.size;

	declaration->done = true;
	if (size < kinds[chunk->kind].fixed_bytes)
		return "is shorter than its fixed part";
	if (chunk->kind == DWELL_CHUNK_SEEK && size % DWELL_SEEK_ENTRY_BYTES)
		return "is no whole number of entries";
	if (chunk->kind == DWELL_CHUNK_MODULE) {
		const uint8_t *p = chunk->payload.data;
		if (get_u64(p + DWELL_MODULE_LOW) > get_u64(p + DWELL_MODULE_HIGH))
			return "ends before it begins";
		if (get_u32(p + DWELL_MODULE_BUILD_ID_BYTES) > DWELL_MODULE_BUILD_ID_MAX)
			return "has a build-id of more than 20 bytes";
	}
	if (chunk->kind == DWELL_CHUNK_THREAD && get_u32(chunk->payload.data + DWELL_THREAD_PLACE_KIND) > DWELL_PLACE_TASK)
		return "has places of an unknown kind";
	if (chunk->kind == DWELL_CHUNK_SAMPLING && get_u32(chunk->payload.data + DWELL_SAMPLING_UNIT) > DWELL_UNIT_SAMPLES)
		return "has weights of an unknown unit";
	if (chunk->kind == DWELL_CHUNK_SEEK || chunk->kind == DWELL_CHUNK_END)
		return NULL;
	if (chunk->kind == DWELL_CHUNK_SWITCHES) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return take_switches(declaration);
	}
	if (chunk->kind == DWELL_CHUNK_FAULTS) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return take_faults(declaration);
	}
	if (chunk->kind == DWELL_CHUNK_THROTTLE) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return take_throttled(declaration);
	}
	if (chunk->kind == DWELL_CHUNK_CPU_PLACES) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return take_cpu_places(declaration);
	}
	if (chunk->kind == DWELL_CHUNK_SAMPLES) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return samples_take(&declaration->samples, chunk);
	}
	if (chunk->kind == DWELL_CHUNK_COUNTS) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return counts_take(&declaration->counts, chunk);
	}
	if (chunk->kind == DWELL_CHUNK_SUMS) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return sums_take(&declaration->sums, chunk);
	}
	if (chunk->kind == DWELL_CHUNK_NAMES) {
		declaration->chunk = *chunk;
		declaration->done = false;
		return names_chunk_take(&declaration->names, chunk);
	}
	if (!array_reserve(&declaration->text, &declaration->text_capacity, size + 1, 1))
		return "cannot be decoded: out of memory";
	if (size)
		memcpy(declaration->text, chunk->payload.data, size);
	declaration->text[size] = 0;
	declaration->chunk = *chunk;
	declaration->position = 0;
	declaration->done = false;
	return NULL;
}

/* Points argv at the strings of the payload: `announced` of them, or fewer if the payload ends before. */
static uint32_t split_arguments(struct declaration *declaration, size_t from, uint32_t announced)
{
	size_t size = declaration->chunk.payload.size, count = 0;

	while (from < size && count < announced) {
		if (!array_reserve(&declaration->argv, &declaration->argv_capacity, count + 1, sizeof *declaration->argv))
			break;
		declaration->argv[count++] = declaration->text + from;
		from += strlen(declaration->text + from) + 1;
	}
	return (uint32_t)count;
}

static void put_process(struct declaration *declaration, struct message *message)
{
	const uint8_t *p = (const uint8_t *)declaration->text;
	const char *path = declaration->text + DWELL_PROCESS_STRINGS;
	size_t arguments = DWELL_PROCESS_STRINGS + strlen(path) + 1;
	uint32_t argc = split_arguments(declaration, arguments, get_u32(p + DWELL_PROCESS_ARGC));

	message->kind = MESSAGE_PROCESS;
	message->process = (struct message_process){
		.process = declaration->chunk.stream,
		.pid = get_u32(p + DWELL_PROCESS_PID),
		.parent_pid = get_u32(p + DWELL_PROCESS_PARENT_PID),
		.ended = get_u32(p + DWELL_PROCESS_FLAGS) & DWELL_PROCESS_ENDED,
		.status = (int)get_u32(p + DWELL_PROCESS_STATUS),
		.start_ticks = get_u64(p + DWELL_PROCESS_START_TICKS),
		.path = path,
		.argv = declaration->argv,
		.argc = argc,
	};
}

static void put_module(const struct declaration *declaration, struct message *message)
{
	const uint8_t *p = (const uint8_t *)declaration->text;
	uint32_t flags = get_u32(p + DWELL_MODULE_FLAGS);

	message->kind = MESSAGE_MODULE;
	message->module = (struct message_module){
		.process = declaration->chunk.stream,
		.low = get_u64(p + DWELL_MODULE_LOW),
		.high = get_u64(p + DWELL_MODULE_HIGH),
		.bias = get_u64(p + DWELL_MODULE_BIAS),
		.load_ticks = get_u64(p + DWELL_MODULE_LOAD_TICKS),
		.hooked = flags & DWELL_MODULE_HOOKED,
		.unmapped = flags & DWELL_MODULE_UNMAPPED,
		.build_id = p + DWELL_MODULE_BUILD_ID,
		.build_id_bytes = get_u32(p + DWELL_MODULE_BUILD_ID_BYTES),
		.path = declaration->text + DWELL_MODULE_PATH,
	};
}

static void put_thread(const struct declaration *declaration, struct message *message)
{
	const uint8_t *p = (const uint8_t *)declaration->text;
	uint32_t flags = get_u32(p + DWELL_THREAD_FLAGS);

	message->kind = MESSAGE_THREAD;
	message->thread = (struct message_thread){
		.stream = declaration->chunk.stream,
		.process = get_u32(p + DWELL_THREAD_PROCESS),
		.tid = get_u32(p + DWELL_THREAD_TID),
		.ended = flags & DWELL_THREAD_ENDED,
		.wrapped = flags & DWELL_THREAD_WRAPPED,
		.full = flags & DWELL_THREAD_FULL,
		.is_copy = flags & DWELL_THREAD_COPIED,
		.given_up = flags & DWELL_THREAD_GIVEN_UP,
		.place_kind = (enum dwell_place_kind)get_u32(p + DWELL_THREAD_PLACE_KIND),
		.lost_events = get_u64(p + DWELL_THREAD_LOST_EVENTS),
		.name = declaration->text + DWELL_THREAD_NAME,
	};
}

/* Writes the next line of the form key=value; skips lines of another form. */
static bool next_fact(struct declaration *declaration, struct message *message)
{
	while (declaration->position < declaration->chunk.payload.size && declaration->text[declaration->position]) {
		char *key = declaration->text + declaration->position;
		size_t length = strcspn(key, "\n");
		char *value = memchr(key, '=', length);
		declaration->position += length + 1;
		key[length] = 0;
		if (!value)
			continue;
		*value = 0;
		message->kind = MESSAGE_INFO;
		message->info = (struct message_info){key, value + 1};
		return true;
	}
	return false;
}

static void put_switches(const struct declaration *declaration, struct message *message)
{
	const struct raw_chunk *chunk = &declaration->chunk;

	message->kind = MESSAGE_SWITCHES;
	message->switches = (struct message_switches){
		.stream = chunk->stream,
		.from_ticks = chunk->first_ticks,
		.until_ticks = chunk->last_ticks,
		.off_before_ticks = get_u64(chunk->payload.data + DWELL_SWITCHES_OFF_BEFORE),
		.preempted_before_ticks = get_u64(chunk->payload.data + DWELL_SWITCHES_PREEMPTED_BEFORE),
		.switches = declaration->switches,
		.count = (uint32_t)((chunk->payload.size - DWELL_SWITCHES_ENTRIES) / DWELL_SWITCH_BYTES),
	};
}

static void put_faults(const struct declaration *declaration, struct message *message)
{
	const struct raw_chunk *chunk = &declaration->chunk;

	message->kind = MESSAGE_FAULTS;
	message->faults = (struct message_faults){
		.stream = chunk->stream,
		.from_ticks = chunk->first_ticks,
		.until_ticks = chunk->last_ticks,
		.before = get_u64(chunk->payload.data + DWELL_FAULTS_BEFORE),
		.faults = declaration->faults,
		.count = count_faults(chunk),
	};
}

static void put_sampling(const struct declaration *declaration, struct message *message)
{
	const uint8_t *p = (const uint8_t *)declaration->text;
	uint32_t flags = get_u32(p + DWELL_SAMPLING_FLAGS);

	message->kind = MESSAGE_SAMPLING;
	message->sampling = (struct message_sampling){
		.engine = (enum dwell_sampling_engine)get_u32(p + DWELL_SAMPLING_ENGINE),
		.unit = (enum dwell_sampling_unit)get_u32(p + DWELL_SAMPLING_UNIT),
		.jittered = flags & DWELL_SAMPLING_JITTERED,
		.has_stacks = flags & DWELL_SAMPLING_STACKS,
		.has_kernel = flags & DWELL_SAMPLING_KERNEL,
		.is_wall = flags & DWELL_SAMPLING_WALL,
		.period = get_u64(p + DWELL_SAMPLING_PERIOD),
		.millihertz = get_u64(p + DWELL_SAMPLING_HZ),
		.cpu = get_u64(p + DWELL_SAMPLING_CPU),
	};
}

bool declaration_next(struct declaration *declaration, struct message *message)
{
	const uint8_t *p = (const uint8_t *)declaration->text;

	if (declaration->done)
		return false;
	message->offset = declaration->chunk.offset;
	if (declaration->chunk.kind == DWELL_CHUNK_INFO)
		return next_fact(declaration, message);
	declaration->done = true;
	switch (declaration->chunk.kind) {
	case DWELL_CHUNK_PROCESS:
		put_process(declaration, message);
		return true;
	case DWELL_CHUNK_MODULE:
		put_module(declaration, message);
		return true;
	case DWELL_CHUNK_THREAD:
		put_thread(declaration, message);
		return true;
	case DWELL_CHUNK_CLOCK:
		message->kind = MESSAGE_CLOCK;
		message->clock = (struct message_clock){
			get_u64(p + DWELL_CLOCK_TICKS), get_u64(p + DWELL_CLOCK_MONOTONIC_NS), get_u64(p + DWELL_CLOCK_UNIX_NS)};
		return true;
	case DWELL_CHUNK_LOSS:
		message->kind = MESSAGE_LOSS;
		message->loss = (struct message_loss){.stream = declaration->chunk.stream,
			.reason = get_u32(p + DWELL_LOSS_REASON),
			.count = get_u64(p + DWELL_LOSS_COUNT),
			.ticks = get_u64(p + DWELL_LOSS_TICKS)};
		return true;
	case DWELL_CHUNK_SWITCHES:
		put_switches(declaration, message);
		return true;
	case DWELL_CHUNK_FAULTS:
		put_faults(declaration, message);
		return true;
	case DWELL_CHUNK_SAMPLING:
		put_sampling(declaration, message);
		return true;
	case DWELL_CHUNK_THROTTLE:
		message->kind = MESSAGE_THROTTLE;
		message->throttle = (struct message_throttle){declaration->chunk.stream, declaration->throttled,
			(uint32_t)(declaration->chunk.payload.size / DWELL_THROTTLED_BYTES)};
		return true;
	case DWELL_CHUNK_CPU_PLACES:
		p = declaration->chunk.payload.data;
		message->kind = MESSAGE_CPU_PLACES;
		message->cpu_places = (struct message_cpu_places){.period_ns = get_u64(p + DWELL_CPU_PLACES_PERIOD_NS),
			.beyond = get_u64(p + DWELL_CPU_PLACES_BEYOND),
			.places = declaration->places,
			.count = (uint32_t)((declaration->chunk.payload.size - DWELL_CPU_PLACES_HEAD_BYTES) /
					    DWELL_CPU_PLACE_BYTES)};
		return true;
	case DWELL_CHUNK_SAMPLES:
		message->kind = MESSAGE_SAMPLES;
		message->samples = samples_get(&declaration->samples, declaration->chunk.stream);
		return true;
	case DWELL_CHUNK_COUNTS:
		message->kind = MESSAGE_COUNTS;
		message->counts = declaration->counts.message;
		return true;
	case DWELL_CHUNK_SUMS:
		message->kind = MESSAGE_SUMS;
		message->sums = declaration->sums.message;
		return true;
	case DWELL_CHUNK_NAMES:
		message->kind = MESSAGE_NAMES;
		message->names = declaration->names.message;
		return true;
	case DWELL_CHUNK_TEXT:
		message->kind = MESSAGE_TEXT;
		message->text = (struct message_text){get_u32(p + DWELL_TEXT_INDEX), declaration->text + DWELL_TEXT_TEXT};
		return true;
	default:
		return false;
	}
}

void declaration_clear(struct declaration *declaration)
{
	free(declaration->text);
	free(declaration->argv);
	free(declaration->switches);
	free(declaration->faults);
	free(declaration->throttled);
	free(declaration->places);
	samples_clear(&declaration->samples);
	counts_clear(&declaration->counts);
	sums_clear(&declaration->sums);
	names_chunk_clear(&declaration->names);
	*declaration = (struct declaration){0};
}
