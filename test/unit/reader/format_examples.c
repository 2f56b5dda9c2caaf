/* The examples of FORMAT.md are a whole file, and it says what the text says it does. Every kind of chunk and every tag that the
 * code knows must have one. */
#include "check.h"
#include "core/duration.h"
#include "core/slot.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/header.h"
#include "reader/reader.h"
#include "zoo.h"

#define BLOCKS_MAX 64

struct block {
	char name[32];
	size_t begin, end; /* in bytes */
};

static uint8_t bytes[65536];
static size_t byte_count;
static struct block blocks[BLOCKS_MAX];
static unsigned block_count;

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Pairs of digits up to the comment. False: something else stands there. */
static bool take_hex(const char *line)
{
	for (; *line && *line != '#' && *line != '\n'; line++) {
		if (*line == ' ')
			continue;
		if (digit(line[0]) < 0 || digit(line[1]) < 0 || byte_count == sizeof bytes)
			return false;
		bytes[byte_count++] = (uint8_t)(digit(line[0]) << 4 | digit(line[1]));
		line++;
	}
	return true;
}

/* Reads the blocks that begin with ```hex NAME. */
static bool load(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	bool inside = false, good = file;

	while (file && fgets(line, sizeof line, file)) {
		if (!strncmp(line, "```", 3)) {
			inside = !inside && block_count < BLOCKS_MAX && sscanf(line, "```hex %31s", blocks[block_count].name) == 1;
			if (inside)
				blocks[block_count++].begin = byte_count;
			continue;
		}
		if (inside) {
			good &= take_hex(line);
			blocks[block_count - 1].end = byte_count;
		}
	}
	if (file)
		fclose(file);
	return good;
}

static const struct block *find_block(const char *name)
{
	for (unsigned i = 0; i < block_count; i++)
		if (!strcmp(blocks[i].name, name))
			return &blocks[i];
	return NULL;
}

TEST(header)
{
	struct header header = header_parse((struct bytes){bytes, byte_count});

	CHECK(find_block("header") && find_block("header")->begin == 0 && find_block("header")->end == DWELL_HEADER_BYTES);
	CHECK(!header.problem);
	CHECK_EQ(header.bytes, DWELL_HEADER_BYTES);
	CHECK(header.major == 1 && header.minor == DWELL_FILE_MINOR && !header.incompatible);
	CHECK(header.message.clock_global && header.message.clock_late && !header.message.clock_down && !header.message.big_endian);
	CHECK_EQ(header.message.clock_hz, 1000000000);
	CHECK_EQ(header.message.start_unix_ns, UINT64_C(1700000000000000000));
	CHECK_EQ(header.message.pointer_bytes, 8);
	CHECK_EQ(header.message.clock_bits, 64);
	CHECK_EQ(header.message.machine, 62);
}

/* Each block behind the header is one chunk of the kind it is named after; each kind that a reader knows is among them. */
TEST(one_block_for_each_chunk_kind)
{
	struct raw_chunk chunk;

	for (unsigned i = 1; i < block_count; i++) {
		struct bytes part = {bytes + blocks[i].begin, blocks[i].end - blocks[i].begin};
		CHECK(split_parse_header(part, &chunk));
		CHECK_EQ(part.size, DWELL_CHUNK_HEADER_BYTES + chunk.length);
		CHECK_STR(blocks[i].name, declaration_kind_name(chunk.kind));
	}
	for (unsigned kind = 0; kind <= UINT16_MAX; kind++)
		if (declaration_knows((uint16_t)kind) && !find_block(declaration_kind_name((uint16_t)kind))) {
			printf("# FORMAT.md has no example of %s\n", declaration_kind_name((uint16_t)kind));
			CHECK(!"an example for each kind");
		}
}

/* Each tag that core/slot.h decodes stands in the SLOTS example. */
TEST(each_tag_has_an_example)
{
	const struct block *block = find_block("SLOTS");
	bool seen[DWELL_TAG_LIMIT] = {false};

	CHECK(block);
	if (!block)
		return;
	for (size_t at = block->begin + DWELL_CHUNK_HEADER_BYTES + 3 * DWELL_FRAME_BYTES; at + DWELL_SLOT_BYTES <= block->end;
		at += DWELL_SLOT_BYTES)
		if (dwell_slot_is_tag(get_u64(bytes + at)))
			seen[(uint32_t)get_u64(bytes + at)] = true;
	for (uint32_t tag = 0; tag < DWELL_TAG_LIMIT; tag++) {
		struct dwell_slot_cursor cursor = {0};
		struct dwell_slot_event event;
		dwell_slot_decode(&cursor, dwell_slot_make(tag, 0), &event);
		if (event.kind != DWELL_SLOT_UNKNOWN && !seen[tag])
			printf("# FORMAT.md has no example of tag %u\n", tag);
		CHECK(event.kind == DWELL_SLOT_UNKNOWN || seen[tag]);
	}
}

static void check_events(const struct message_events *events)
{
	static const struct event expected[] = {
		{UINT64_C(0x700000100), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000100), 5, EVENT_ARG},
		{UINT64_C(0x700000100), UINT64_C(0x7ffcabcdef10), EVENT_ARG},
		{UINT64_C(0x700000130), 0x55555200, EVENT_EXIT},
		{UINT64_C(0x700000130), (uint64_t)-2, EVENT_RET},
		{UINT64_C(0x700000140), UINT64_C(0x7f1234567890), EVENT_ENTER},
		{UINT64_C(0x700000150), 0, EVENT_UNWIND_JUMP},
		{UINT64_C(0x700000150), 0x55555123, EVENT_CALLER},
		{UINT64_C(0x700000160), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000170), 0, EVENT_UNWIND_CATCH},
		{UINT64_C(0x700000170), 1u << 1 | DWELL_LANDED_ABOVE, EVENT_LANDED},
		{UINT64_C(0x700000170), 0x55555100, EVENT_LANDED},
		{UINT64_C(0x700000170), 0x55555100, EVENT_LANDED},
		{UINT64_C(0x700000180), 0x55555100, EVENT_EXIT},
		{UINT64_C(0x700000180), 1, EVENT_LOST},
		{UINT64_C(0x700000180), 12, EVENT_LOST},
		{UINT64_C(0x700000180), 1, EVENT_LOST_POPS},
		{UINT64_C(0x700000180), 0, EVENT_LOST_PUSHES},
		{UINT64_C(0x700000200), 0, EVENT_STOP},
		{UINT64_C(0x700000240), 0, EVENT_RESUME},
		{UINT64_C(0x700000241), 0, EVENT_HELD},
		{UINT64_C(0x700000242), 0, EVENT_HELD_END},
		{UINT64_C(0x700000242), MESSAGE_MARK_PLACE + 1, EVENT_ENTER},
		{UINT64_C(0x700000242), MESSAGE_MARK_PLACE + 1, EVENT_EXIT},
		{UINT64_C(0x700000242), 2 | DWELL_STACK_BEGINS, EVENT_STACK},
		{UINT64_C(0x700000244), 0x55555400, EVENT_ENTER},
		{UINT64_C(0x700000248), 0x55555400, EVENT_EXIT},
		{UINT64_C(0x700000248), 0, EVENT_STACK},
		{UINT64_C(0x700000248), 0x55555423, EVENT_CALLER},
		{UINT64_C(0x70000024c), 0x55555700, EVENT_ENTRY},
		{UINT64_C(0x700000250), 0x55555300, EVENT_ENTER},
	};

	CHECK_EQ(events->stream, 3);
	CHECK_EQ(events->place_kind, DWELL_PLACE_LOW32);
	CHECK_EQ(events->count, sizeof expected / sizeof *expected);
	for (uint32_t i = 0; i < events->count && i < sizeof expected / sizeof *expected; i++) {
		CHECK_EQ(events->events[i].kind, expected[i].kind);
		CHECK_EQ(events->events[i].ticks, expected[i].ticks);
		CHECK_EQ(events->events[i].value, expected[i].value);
	}
}

/* The packed chunk: what matters is that it can be unpacked and is what the text says. */
static void check_unpacked(const struct message_events *events)
{
	static const struct event expected[] = {
		{UINT64_C(0x700000260), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000270), 0x55555200, EVENT_EXIT},
		{UINT64_C(0x700000280), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000290), 0x55555200, EVENT_EXIT},
		{UINT64_C(0x7000002a0), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x7000002b0), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x7000002c0), 0x55555200, EVENT_EXIT},
		{UINT64_C(0x7000002d0), 0x55555200, EVENT_EXIT},
		{UINT64_C(0x7000002d8), 0, EVENT_UNWIND_CATCH},
		{UINT64_C(0x7000002e0), 0x55555300, EVENT_EXIT},
		{UINT64_C(0x7000002f0), 0x55555400, EVENT_ENTER},
		{UINT64_C(0x700000300), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000310), 0x55555200, EVENT_ENTER},
		{UINT64_C(0x700000320), 0x55555400, EVENT_EXIT},
		{UINT64_C(0x700000330), 0x55555400, EVENT_ENTER},
		{UINT64_C(0x700000340), 0x55555400, EVENT_EXIT},
		{UINT64_C(0x700000350), 0x55555400, EVENT_ENTER},
	};

	CHECK_EQ(events->count, sizeof expected / sizeof *expected);
	for (uint32_t i = 0; i < events->count && i < sizeof expected / sizeof *expected; i++) {
		CHECK_EQ(events->events[i].kind, expected[i].kind);
		CHECK_EQ(events->events[i].ticks, expected[i].ticks);
		CHECK_EQ(events->events[i].value, expected[i].value);
	}
}

static void check_message(const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_PROCESS:
		CHECK(message->process.pid == 4711 && message->process.parent_pid == 4710 && message->process.ended);
		CHECK_EQ(message->process.status, 0x100);
		CHECK_EQ(message->process.start_ticks, UINT64_C(0x700000000));
		CHECK_STR(message->process.path, "/bin/app");
		CHECK_EQ(message->process.argc, 2);
		CHECK_STR(message->process.argv[0], "./app");
		CHECK_STR(message->process.argv[1], "-v");
		break;
	case MESSAGE_MODULE:
		CHECK_EQ(message->module.low, UINT64_C(0x555555554000));
		CHECK_EQ(message->module.high, UINT64_C(0x555555558000));
		CHECK_EQ(message->module.bias, UINT64_C(0x555555554000));
		CHECK(message->module.hooked && !message->module.unmapped && !message->module.load_ticks);
		CHECK_EQ(message->module.build_id_bytes, 20);
		CHECK(message->module.build_id[0] == 0xa0 && message->module.build_id[19] == 0xb3);
		CHECK_STR(message->module.path, "/bin/app");
		break;
	case MESSAGE_THREAD:
		CHECK(message->thread.stream == 3 && message->thread.process == 0 && message->thread.tid == 4712);
		CHECK(message->thread.ended && !message->thread.wrapped && !message->thread.full);
		CHECK_EQ(message->thread.lost_events, 13);
		CHECK_STR(message->thread.name, "io");
		break;
	case MESSAGE_CLOCK:
		CHECK_EQ(message->clock.ticks, UINT64_C(0x700000000));
		CHECK_EQ(message->clock.monotonic_ns, 5000000000);
		CHECK_EQ(message->clock.unix_ns, UINT64_C(1700000000000000000));
		break;
	case MESSAGE_INFO:
		CHECK(!strcmp(message->info.key, "host")
				? !strcmp(message->info.value, "alpha")
				: !strcmp(message->info.key, "command") && !strcmp(message->info.value, "app -v"));
		break;
	case MESSAGE_CHECKPOINT:
		if (!message->checkpoint.first) {
			CHECK_EQ(message->checkpoint.count, 1);
			CHECK_EQ(message->checkpoint.frames[0].place, 0x55555300);
			CHECK_EQ(message->checkpoint.frames[0].enter_ticks, UINT64_C(0x700000250));
			break;
		}
		CHECK(message->checkpoint.stream == 3 && message->checkpoint.first && !message->checkpoint.after_loss);
		CHECK_EQ(message->checkpoint.count, 3);
		CHECK_EQ(message->checkpoint.frames[0].place, 0x55555100);
		CHECK_EQ(message->checkpoint.frames[0].enter_ticks, UINT64_C(0x700000040));
		CHECK(!message->checkpoint.frames[0].no_entry && !message->checkpoint.frames[0].no_place);
		CHECK(message->checkpoint.frames[1].no_entry && message->checkpoint.frames[1].no_place);
		CHECK_EQ(message->checkpoint.frames[1].stack, 0);
		CHECK_EQ(message->checkpoint.frames[2].stack, 2);
		CHECK_EQ(message->checkpoint.frames[2].child_ticks, 16);
		break;
	case MESSAGE_EVENTS:
		(message->events.chunk ? check_unpacked : check_events)(&message->events);
		break;
	case MESSAGE_SWITCHES:
		CHECK_EQ(message->switches.stream, 3);
		CHECK_EQ(message->switches.from_ticks, 0);
		CHECK_EQ(message->switches.until_ticks, UINT64_C(0x700000250));
		CHECK(!message->switches.off_before_ticks && !message->switches.preempted_before_ticks);
		CHECK_EQ(message->switches.count, 2);
		CHECK_EQ(message->switches.switches[0].out_ticks, UINT64_C(0x700000110));
		CHECK_EQ(message->switches.switches[0].in_ticks, UINT64_C(0x700000120));
		CHECK(!message->switches.switches[0].preempted);
		CHECK_EQ(message->switches.switches[1].out_ticks, UINT64_C(0x700000190));
		CHECK_EQ(message->switches.switches[1].in_ticks, UINT64_C(0x7000001b0));
		CHECK(message->switches.switches[1].preempted);
		break;
	case MESSAGE_FAULTS:
		CHECK_EQ(message->faults.stream, 3);
		CHECK_EQ(message->faults.from_ticks, UINT64_C(0x700000250));
		CHECK_EQ(message->faults.until_ticks, UINT64_C(0x700000290));
		CHECK_EQ(message->faults.before, 3);
		CHECK_EQ(message->faults.count, 2);
		CHECK(message->faults.faults[0].ticks == UINT64_C(0x700000270) && !message->faults.faults[0].major);
		CHECK(message->faults.faults[1].ticks == UINT64_C(0x700000280) && message->faults.faults[1].major);
		break;
	case MESSAGE_TEXT:
		CHECK_EQ(message->text.index, 1);
		CHECK(!strcmp(message->text.text, "start"));
		break;
	case MESSAGE_SAMPLING:
		CHECK_EQ(message->sampling.engine, DWELL_ENGINE_TASK_CLOCK);
		CHECK_EQ(message->sampling.unit, DWELL_UNIT_NS);
		CHECK(message->sampling.jittered && message->sampling.has_stacks);
		CHECK(!message->sampling.has_kernel && !message->sampling.is_wall);
		CHECK_EQ(message->sampling.period, 5000000);
		CHECK_EQ(message->sampling.millihertz, 200000);
		CHECK_EQ(message->sampling.cpu, 10000000);
		break;
	case MESSAGE_SAMPLES:
		CHECK_EQ(message->samples.stream, 3);
		CHECK_EQ(message->samples.node_count, 2);
		CHECK_EQ(message->samples.nodes[0].address, UINT64_C(0x555555555123));
		CHECK(message->samples.nodes[0].caller == 0 && message->samples.nodes[0].is_return);
		CHECK_EQ(message->samples.nodes[1].address, UINT64_C(0x555555555210));
		CHECK(message->samples.nodes[1].caller == 1 && !message->samples.nodes[1].is_return);
		CHECK_EQ(message->samples.count, 2);
		CHECK_EQ(message->samples.samples[0].ticks, UINT64_C(0x700000210));
		CHECK_EQ(message->samples.samples[0].weight, 5000000);
		CHECK(message->samples.samples[0].node == 2 && message->samples.samples[0].stack == DWELL_STACK_COMPLETE);
		CHECK_EQ(message->samples.samples[1].ticks, UINT64_C(0x700000220));
		CHECK(message->samples.samples[1].node == 0 && message->samples.samples[1].stack == DWELL_STACK_BROKEN);
		break;
	case MESSAGE_COUNTS:
		CHECK_EQ(message->counts.stream, 3);
		CHECK_EQ(message->counts.from_ticks, UINT64_C(0x700000100));
		CHECK_EQ(message->counts.until_ticks, UINT64_C(0x700000220));
		CHECK_EQ(message->counts.weight, 1000000);
		CHECK_EQ(message->counts.outside, 3);
		CHECK_EQ(message->counts.bytes, 4);
		CHECK(!message->counts.beyond && !message->counts.full);
		CHECK_EQ(message->counts.count, 2);
		CHECK_EQ(message->counts.counts[0].address, UINT64_C(0x555555555120));
		CHECK_EQ(message->counts.counts[0].count, 7);
		CHECK_EQ(message->counts.counts[1].address, UINT64_C(0x555555555124));
		CHECK_EQ(message->counts.counts[1].count, 2);
		break;
	case MESSAGE_SUMS:
		CHECK_EQ(message->sums.stream, 4);
		CHECK(message->sums.is_all && !message->sums.limit_ticks && !message->sums.root_taken_ticks);
		CHECK_EQ(message->sums.events, 5);
		CHECK_EQ(message->sums.deepest, 2);
		CHECK_EQ(message->sums.node_count, 2);
		CHECK(message->sums.nodes[1].parent == 1 && message->sums.nodes[1].function == 2);
		CHECK_EQ(message->sums.nodes[1].calls, 2);
		CHECK_EQ(message->sums.nodes[1].total_ticks, 64);
		CHECK_EQ(message->sums.function_count, 2);
		CHECK_EQ(message->sums.functions[1].place, 0x55555300);
		CHECK_EQ(message->sums.functions[1].bucket_count, 2);
		CHECK_EQ(message->sums.functions[1].min_ticks, 16);
		CHECK_EQ(message->sums.functions[1].max_ticks, 48);
		CHECK_EQ(dwell_duration_bucket(16), message->sums.buckets[0].number);
		CHECK_EQ(dwell_duration_bucket(48), message->sums.buckets[1].number);
		CHECK_EQ(message->sums.frame_count, 1);
		CHECK(message->sums.frames[0].node == 1 && message->sums.frames[0].child_ticks == 64);
		break;
	case MESSAGE_NAMES:
		CHECK_STR(message->names.path, "/bin/app");
		CHECK_EQ(message->names.build_id_bytes, 20);
		CHECK_EQ(message->names.build_id[0], 0xa0);
		CHECK_EQ(message->names.count, 2);
		CHECK_EQ(message->names.names[0].address, 0x1100);
		CHECK_EQ(message->names.names[0].size, 64);
		CHECK_STR(message->names.names[0].name, "main");
		CHECK_EQ(message->names.names[1].address, 0x1200);
		CHECK_STR(message->names.names[1].name, "");
		break;
	case MESSAGE_CPU_PLACES:
		CHECK_EQ(message->cpu_places.period_ns, 3970064);
		CHECK_EQ(message->cpu_places.beyond, 2);
		CHECK_EQ(message->cpu_places.count, 1);
		CHECK_EQ(message->cpu_places.places[0].address, UINT64_C(0x555555551140));
		CHECK_EQ(message->cpu_places.places[0].ticks, UINT64_C(0x700000260));
		CHECK_EQ(message->cpu_places.places[0].pid, 4711);
		CHECK_EQ(message->cpu_places.places[0].count, 5);
		break;
	case MESSAGE_THROTTLE:
		CHECK_EQ(message->throttle.process, 0);
		CHECK_EQ(message->throttle.count, 1);
		CHECK_EQ(message->throttle.list[0].place, 0x55555200);
		CHECK_EQ(message->throttle.list[0].since_ticks, UINT64_C(0x700000240));
		CHECK_EQ(message->throttle.list[0].until_ticks, 0);
		CHECK_EQ(message->throttle.list[0].calls, 70000);
		CHECK_EQ(message->throttle.list[0].call_sixteenths, 18 * 16 + 8);
		CHECK(message->throttle.list[0].is_counted);
		CHECK_EQ(message->throttle.list[0].cut, 1);
		break;
	case MESSAGE_LOSS:
		CHECK_EQ(message->loss.reason, DWELL_LOSS_THREADS);
		CHECK_EQ(message->loss.count, 1);
		CHECK_EQ(message->loss.ticks, UINT64_C(0x700000300));
		break;
	default:
		CHECK(message->kind == MESSAGE_HEADER || message->kind == MESSAGE_END);
	}
}

TEST(together_they_are_a_file)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("FORMAT.md", bytes, byte_count, diag), diag);
	unsigned messages = 0;
	struct message message;

	CHECK(reader);
	if (reader) {
		do {
			reader_next(reader, &message);
			check_message(&message);
			messages++;
		} while (message.kind != MESSAGE_END);
		CHECK_EQ(messages, 23);
		CHECK(reader_get_health(reader)->ended_well);
		CHECK_EQ(reader_get_health(reader)->bytes_skipped, 0);
	}
	CHECK_EQ(diag_status(diag), 0);
	diag_print(diag, stdout);
	free_reader(reader);
	free_diag(diag);
}

/* The SEEK example lists the offsets at which the other examples stand. */
TEST(seek_entries)
{
	const struct block *seek = find_block("SEEK"), *end = find_block("END");
	struct raw_chunk chunk;

	CHECK(seek && end);
	if (!seek || !end)
		return;
	for (unsigned i = 0; i + 3 < block_count; i++) {
		const uint8_t *entry = bytes + seek->begin + DWELL_CHUNK_HEADER_BYTES + i * DWELL_SEEK_ENTRY_BYTES;
		CHECK_EQ(get_u64(entry + DWELL_SEEK_OFFSET), blocks[i + 1].begin);
		CHECK(split_parse_header((struct bytes){bytes + blocks[i + 1].begin, DWELL_CHUNK_HEADER_BYTES}, &chunk));
		CHECK_EQ(get_u32(entry + DWELL_SEEK_KIND), chunk.kind);
		CHECK_EQ(get_u32(entry + DWELL_SEEK_STREAM), chunk.stream);
		CHECK_EQ(get_u64(entry + DWELL_SEEK_FIRST_TICKS), chunk.first_ticks);
	}
	CHECK_EQ(get_u64(bytes + end->begin + DWELL_CHUNK_HEADER_BYTES + DWELL_END_SEEK_OFFSET), seek->begin);
	CHECK_EQ(get_u64(bytes + end->begin + DWELL_CHUNK_HEADER_BYTES + DWELL_END_CHUNKS), block_count - 3);
	CHECK_EQ(get_u64(bytes + end->begin + DWELL_CHUNK_HEADER_BYTES + DWELL_END_EVENTS), 25);
}

#define SEED "test/fuzz/corpus/trace/format-examples.dwell"

/* The fuzzers begin with them, too. */
TEST(they_are_a_seed)
{
	const char *root = getenv("ROOT");
	size_t size = 0;
	char path[4096];
	uint8_t *seed;

	snprintf(path, sizeof path, "%s/%s", root ? root : ".", SEED);
	seed = zoo_load(path, &size);
	if (!CHECK(seed && size == byte_count && !memcmp(seed, bytes, size)))
		printf("# %s is not what FORMAT.md has: build/unit/reader/format_examples --write %s\n", SEED, SEED);
	free(seed);
}

static int write_seed(const char *path)
{
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(bytes, 1, byte_count, file) == byte_count;

	return file && !fclose(file) && good ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *root = getenv("ROOT");
	char path[4096];

	snprintf(path, sizeof path, "%s/FORMAT.md", root ? root : ".");
	if (!load(path) || !block_count) {
		printf("Bail out! no examples in %s\n", path);
		return 1;
	}
	if (argc == 3 && !strcmp(argv[1], "--write"))
		return write_seed(argv[2]);
	RUN(header);
	RUN(one_block_for_each_chunk_kind);
	RUN(each_tag_has_an_example);
	RUN(together_they_are_a_file);
	RUN(seek_entries);
	RUN(they_are_a_seed);
	return tap_done();
}
