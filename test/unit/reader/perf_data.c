/* What perf record writes. `perf_data FILE` writes the one that is in test/trace/good, `perf_data FILE copies`
 * the one that is in test/fuzz/corpus/trace. */
#include "check.h"

#include <stdlib.h>

#include "perf_file.h"
#include "reader/perf/order.h"
#include "reader/perf/reader.h"
#include "reader/reader.h"
#include "said.h"

struct seen {
	char text[8192], counted[512], *messages;
	int status;
	bool opened;
};

static void put_message(const struct message *message, FILE *out)
{
	switch (message->kind) {
	case MESSAGE_INFO:
		fprintf(out, "%s=%s\n", message->info.key, message->info.value);
		break;
	case MESSAGE_SAMPLING:
		fprintf(out, "sampling %d %d %" PRIu64 "\n", message->sampling.unit, message->sampling.engine, message->sampling.millihertz);
		break;
	case MESSAGE_PROCESS:
		fprintf(out, "process %u: %u of %u %s\n", message->process.process, message->process.pid, message->process.parent_pid,
			message->process.path);
		break;
	case MESSAGE_THREAD:
		fprintf(out, "thread %u: %u in %u %s%s\n", message->thread.stream, message->thread.tid, message->thread.process,
			message->thread.name, message->thread.ended ? " ended" : "");
		break;
	case MESSAGE_MODULE:
		fprintf(out, "module of %u: %" PRIx64 "-%" PRIx64 " %" PRIx64 " %s %u%s\n", message->module.process, message->module.low,
			message->module.high, message->module.bias, message->module.path, message->module.build_id_bytes,
			message->module.unmapped ? " gone" : "");
		break;
	case MESSAGE_LOSS:
		fprintf(out, "lost %" PRIu64 "\n", message->loss.count);
		break;
	case MESSAGE_SAMPLES:
		for (uint32_t i = 0; i < message->samples.count; i++) {
			const struct message_sample *sample = &message->samples.samples[i];

			fprintf(out, "%u at %" PRIu64 " %" PRIu64 ":", message->samples.stream, sample->ticks, sample->weight);
			for (uint32_t at = sample->node; at; at = message->samples.nodes[at - 1].caller) {
				const struct message_node *node = &message->samples.nodes[at - 1];

				fprintf(out, " %" PRIx64 "%s%s", node->address, node->is_return ? "r" : "", node->is_kernel ? "k" : "");
			}
			fputs(sample->stack == DWELL_STACK_BROKEN ? " broken\n" : "\n", out);
		}
		break;
	default:
		break;
	}
}

static struct seen read_as(const void *data, size_t size, bool twice, const struct reader_options *options)
{
	struct seen seen = {0};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader_as(make_source_memory("perf.data", data, size, diag), options, diag);
	FILE *out = fmemopen(seen.text, sizeof seen.text - 1, "w");
	struct message message;

	seen.opened = reader;
	for (int pass = twice ? 2 : 1; reader && pass--;) {
		rewind(out);
		while (reader_next(reader, &message), message.kind != MESSAGE_END) {
			put_message(&message, out);
			if (message.kind == MESSAGE_HEADER)
				snprintf(seen.counted, sizeof seen.counted, "%s", message.header.counted);
		}
		if (pass)
			CHECK(reader_rewind(reader));
	}
	fclose(out);
	free_reader(reader);
	seen.messages = take_said(diag, &seen.status);
	return seen;
}

static struct seen read_file(const void *data, size_t size, bool twice)
{
	return read_as(data, size, twice, &(struct reader_options){0});
}

static const char records[] =
	"sampling 0 1 1000000\n"
	"process 0: 10 of 0 /no/app\n"
	"thread 0: 10 in 0 app\n"
	"module of 0: 401000-402000 400000 /no/app %u\n"
	"0 at 100 1000000: 401100 401205r\n"
	"thread 1: 11 in 0 app\n"
	"1 at 200 1000000: 401150 401180r 401205r\n"
	"1 at 300 1000000: ffffffff81000010k 401300 401205r\n"
	"0 at 400 1000000: 401150 401180r 401205r\n"
	"process 1: 12 of 10 /no/app\n"
	"thread 2: 12 in 1 app\n"
	"module of 1: 401000-402000 400000 /no/app %u\n"
	"2 at 510 1000000: 401100 401205r\n"
	"module of 1: 401000-402000 400000 /no/app 0 gone\n"
	"thread 2: 12 in 1 app ended\n" /* by exec */
	"lost 3\n"
	"process 2: 12 of 10 /no/other\n"
	"thread 3: 12 in 2 other\n"
	"module of 2: 500000-502000 4ff000 /no/other 0\n"
	"3 at 550 1000000: 0\n"
	"thread 3: 12 in 2 other ended\n";

static struct perf_file file;

static void check_records(const char *got, unsigned build_id_bytes)
{
	char want[sizeof records + 16];

	snprintf(want, sizeof want, records, build_id_bytes, build_id_bytes);
	CHECK_STR(got, want);
}

TEST(all_of_a_file)
{
	struct seen seen;

	perf_file_make(&file);
	seen = read_file(file.data, file.size, true);
	CHECK(!strncmp(seen.text, "host=tower\n", 11));
	check_records(seen.text + 11, 20);
	CHECK_EQ(seen.status, 0);
	CHECK_STR(seen.counted, "event 1; also in the file: event 2");
	free(seen.messages);
}

/* Gives the two events these ids. */
static void set_ids(uint64_t first, uint64_t second)
{
	perf_file_make(&file);
	put_u64(file.data + 104, first);
	put_u64(file.data + 112, second);
}

TEST(events_without_samples_are_passed_over)
{
	struct seen seen;

	set_ids(70, 71);
	seen = read_file(file.data, file.size, true);
	CHECK_STR(seen.counted, "");
	CHECK(strstr(seen.text, "\n0 at 100 1000000: 401100 401205r\n"));
	CHECK(strstr(seen.messages, "records end before their fields do, or are of an event that is not told")); /* id 72 */
	free(seen.messages);
}

/* A program that runs from a file in memory (memfd) is a program, and no generated code. */
TEST(a_program_in_memory)
{
	struct seen seen;
	char *name;

	perf_file_make(&file);
	while ((name = memmem(file.data, file.size, "/no/other", 9)))
		memcpy(name, "/memfd:ab", 9);
	seen = read_file(file.data, file.size, true);
	CHECK(strstr(seen.text, "process 2: 12 of 10 /memfd:ab\n"));
	CHECK(strstr(seen.text, "module of 2: 500000-502000 4ff000 /memfd:ab 0\n"));
	free(seen.messages);
}

static struct seen read_event(const char *event)
{
	return read_as(file.data, file.size, true, &(struct reader_options){.event = event});
}

TEST(an_event_is_chosen_by_name)
{
	struct seen seen;

	set_ids(72, 71);
	seen = read_event("event 1");
	CHECK_STR(seen.counted, "event 1; also in the file: event 2");
	CHECK(strstr(seen.text, "1 at 310 1000000: 401100 401205r\n"));
	CHECK(!strstr(seen.text, "0 at 100"));
	free(seen.messages);
	seen = read_event("event 2");
	CHECK_STR(seen.counted, "event 2; also in the file: event 1");
	CHECK(strstr(seen.text, "0 at 100"));
	free(seen.messages);
	seen = read_event("event");
	CHECK(!seen.opened);
	CHECK_STR(seen.messages, "dwell: perf.data: has no values of an event 'event'; it has: event 1, event 2\n");
	free(seen.messages);
}

TEST(all_of_a_stream)
{
	struct seen seen;

	perf_file_make_stream(&file);
	seen = read_file(file.data, file.size, true);
	check_records(seen.text, 0);
	free(seen.messages);
}

/* Nothing is read that is not there, and what is missing is said. */
TEST(cut_at_each_byte)
{
	perf_file_make(&file);
	for (size_t at = 0; at < file.size; at++) {
		uint8_t *copy = memcpy(malloc(at + !at), file.data, at);
		struct seen seen = read_file(copy, at, false);

		CHECK(seen.opened == (seen.status < 2));
		CHECK(seen.status >= 1);
		free(seen.messages);
		free(copy);
	}
}

TEST(flip_at_each_byte)
{
	perf_file_make(&file);
	for (size_t at = 0; at < file.size; at++)
		for (int bit = 0; bit < 8; bit++) {
			file.data[at] ^= (uint8_t)(1 << bit);
			free(read_file(file.data, file.size, false).messages);
			file.data[at] ^= (uint8_t)(1 << bit);
		}
}

TEST(other_byte_order)
{
	struct seen seen;

	perf_file_make(&file);
	memcpy(file.data, "2ELIFREP", 8);
	seen = read_file(file.data, file.size, false);
	CHECK(!seen.opened && strstr(seen.messages, "another byte order"));
	free(seen.messages);
}

/* ---- copies of stacks ---- */

enum { RAW = 1 << 10, BRANCHES = 1 << 11, REGISTERS = 1 << 12, STACK = 1 << 13 };
#define REGISTER_MASK (UINT64_C(1) << 8 | 1 << 7 | UINT64_C(1) << 63)

/* Takes the second register and all words of the copy for frames. Two maps break the stack, to show that maps come. */
struct fake {
	uint64_t frames[64];
	uint32_t maps;
};
static unsigned fakes;

static void *fake_make(uint32_t machine)
{
	if (machine != 62) /* x86-64 */
		return NULL;
	fakes++;
	return calloc(1, sizeof(struct fake));
}

static void fake_free(void *unwinder)
{
	fakes--;
	free(unwinder);
}

static bool fake_map(void *unwinder, uint32_t process, const struct reader_mapping *mapping)
{
	struct fake *fake = unwinder;

	(void)process;
	CHECK(mapping->low < mapping->high && mapping->path);
	fake->maps++;
	return true;
}

static bool fake_unmap(void *unwinder, uint32_t process, uint64_t low, uint64_t high)
{
	struct fake *fake = unwinder;

	(void)process;
	CHECK(low < high && fake->maps);
	fake->maps--;
	return true;
}

static struct reader_callers fake_find(void *unwinder, uint32_t process, const struct reader_stack *stack)
{
	struct fake *fake = unwinder;
	struct reader_callers callers = {fake->frames, 1, 1, DWELL_STACK_COMPLETE};

	(void)process;
	for (int i = 0; i < __builtin_popcountll(stack->mask); i++)
		fake->frames[0] = i == 1 ? get_u64(stack->registers + 8 * i) : fake->frames[0];
	for (size_t at = 0; at + 8 <= stack->bytes.size && callers.count < 64; at += 8)
		fake->frames[callers.count++] = get_u64(stack->bytes.data + at);
	callers.state = fake->maps == 1 ? DWELL_STACK_COMPLETE : DWELL_STACK_BROKEN;
	return callers;
}

static const struct reader_unwinder unwinder = {fake_make, fake_free, fake_map, fake_unmap, fake_find};

/* abi: of the registers. words, of which the first filled are the program's: the stack. */
static void put_copy(uint16_t mode, uint64_t time, uint64_t pc, uint64_t abi, uint64_t words, uint64_t filled)
{
	size_t begin = perf_file_begin(&file, 9, mode);

	perf_file_u64(&file, 71);
	perf_file_u64(&file, pc);
	perf_file_u32(&file, 10);
	perf_file_u32(&file, 10);
	perf_file_u64(&file, time);
	perf_file_u64(&file, 1000);
	perf_file_u64(&file, mode == 1 ? 3 : 0);
	for (uint64_t i = 0; mode == 1 && i < 3; i++)
		perf_file_u64(&file, i ? 0xffffffff81000000 + i : (uint64_t)-128);
	perf_file_u32(&file, 5); /* raw bytes */
	perf_file_text(&file, "raw", 12);
	perf_file_u64(&file, 2);
	perf_file_u64(&file, 0);
	perf_file_text(&file, "branches", 48);
	perf_file_u64(&file, abi);
	for (uint64_t i = 0; abi && i < 3; i++)
		perf_file_u64(&file, i == 1 ? pc : 0x7000);
	perf_file_u64(&file, 8 * words);
	for (uint64_t i = 0; i < words; i++)
		perf_file_u64(&file, 0x401200 + i);
	if (words)
		perf_file_u64(&file, 8 * filled);
	perf_file_end(&file, begin);
}

/* A file with one event, whose samples have copies of stacks. machine: as uname says it. */
static void make_copies(const char *machine)
{
	size_t data, features;

	memset(&file, 0, sizeof file);
	memcpy(file.data, "PERFILE2", 8);
	put_u64(file.data + 8, 104);
	put_u64(file.data + 16, 112);
	put_u64(file.data + 24, 104);
	put_u64(file.data + 32, 112);
	file.size = 104;
	perf_file_attr(&file, 0);
	put_u32(file.data + 104 + 4, 96);
	put_u64(file.data + 104 + 24, get_u64(file.data + 104 + 24) | RAW | BRANCHES | REGISTERS | STACK);
	put_u64(file.data + 104 + 72, 1 << 17); /* samples have an index of their branches */
	put_u64(file.data + 104 + 80, REGISTER_MASK);
	file.size = 104 + 96;
	perf_file_u64(&file, 0);
	perf_file_u64(&file, 0);
	data = file.size;
	perf_file_comm(&file, 1 << 13, 10, "app", 5);
	perf_file_map(&file, 10, 0x401000, 0x1000, "/no/app", 6);
	put_copy(2, 100, 0x401100, 2, 4, 2);
	put_copy(2, 200, 0x401101, 2, 2, 99); /* more is said to be filled than there is */
	put_copy(1, 300, 0x401102, 2, 1, 1);  /* in the kernel */
	put_copy(1, 400, 0x501102, 2, 1, 1);  /* with registers of the program before execve */
	put_copy(1, 500, 0x401103, 0, 0, 0);  /* a thread of the kernel */
	put_copy(2, 600, 0x401104, 1, 2, 2);  /* of 32 bits */
	put_copy(2, 700, 0x401105, 2, 0, 0);  /* there was no room for the stack */
	perf_file_map(&file, 10, 0x501000, 0x1000, "/no/lib", 800);
	put_copy(2, 900, 0x401106, 2, 1, 1);
	put_u64(file.data + 40, data);
	put_u64(file.data + 48, file.size - data);
	file.data[72] = 1 << 6;
	features = file.size;
	file.size += 16;
	put_u64(file.data + features, file.size);
	put_u64(file.data + features + 8, 12);
	perf_file_u32(&file, 8);
	perf_file_text(&file, machine, 8);
}

static struct seen read_copies(const char *machine, const struct reader_unwinder *by)
{
	make_copies(machine);
	return read_as(file.data, file.size, true, &(struct reader_options){.unwinder = by});
}

static const char of_copies[] =
	"sampling 0 1 1000000\n"
	"process 0: 10 of 0 /no/app\n"
	"thread 0: 10 in 0 app\n"
	"module of 0: 401000-402000 400000 /no/app 0\n";

/* The kernel's part of a path comes from the sample, the program's from the unwinder. */
TEST(callers_in_copies_of_stacks)
{
	struct seen seen = read_copies("x86_64", &unwinder);

	CHECK(!strncmp(seen.text, of_copies, strlen(of_copies)));
	CHECK_STR(seen.text + strlen(of_copies),
		"0 at 100 1000: 401100 401200r 401201r\n"
		"0 at 200 1000: 401101 401200r 401201r\n"
		"0 at 300 1000: ffffffff81000001k ffffffff81000002rk 401102 401200r\n"
		"0 at 400 1000: ffffffff81000001k ffffffff81000002rk\n"
		"0 at 500 1000: ffffffff81000001k ffffffff81000002rk\n"
		"0 at 600 1000: 401104\n"
		"0 at 700 1000: 401105\n"
		"module of 0: 501000-502000 500000 /no/lib 0\n"
		"0 at 900 1000: 401106 401200r broken\n");
	CHECK(strstr(seen.messages, "1 samples of 32-bit programs have a copy of their stack"));
	CHECK_EQ(fakes, 0);
	free(seen.messages);
}

static unsigned no_callers(const char *machine, const struct reader_unwinder *by)
{
	struct seen seen = read_copies(machine, by);
	unsigned said = !!strstr(seen.messages, "6 samples have a copy of their stack (--call-graph dwarf) and show no callers");

	CHECK(strstr(seen.text, "0 at 100 1000: 401100\n"));
	CHECK(strstr(seen.text, "0 at 300 1000: ffffffff81000001k ffffffff81000002rk\n"));
	free(seen.messages);
	return said;
}

TEST(copies_that_nobody_unwinds_are_said)
{
	CHECK(no_callers("x86_64", NULL));
	CHECK(no_callers("vax", &unwinder));
	CHECK(no_callers("aarch64", &unwinder));
	CHECK_EQ(fakes, 0);
}

TEST(damaged_copies)
{
	make_copies("x86_64");
	for (size_t at = 0; at < file.size; at++)
		for (int bit = 0; bit < 8; bit++) {
			file.data[at] ^= (uint8_t)(1 << bit);
			free(read_as(file.data, file.size, false, &(struct reader_options){.unwinder = &unwinder}).messages);
			file.data[at] ^= (uint8_t)(1 << bit);
		}
	for (size_t at = 0; at < file.size; at++) {
		uint8_t *copy = memcpy(malloc(at + !at), file.data, at);

		free(read_as(copy, at, false, &(struct reader_options){.unwinder = &unwinder}).messages);
		free(copy);
	}
}

/* Each round's records come when the next one has ended, with those of the one before in order. */
TEST(rounds)
{
	struct perf_order order = {0};
	uint8_t byte[8] = {0};
	struct bytes got;
	uint64_t offset;
	char text[64] = "";

	CHECK(perf_order_put(&order, (struct bytes){byte, 8}, 30, 1) && perf_order_put(&order, (struct bytes){byte, 8}, 20, 2));
	perf_order_end_round(&order, false);
	CHECK(!perf_order_take(&order, &got, &offset));
	CHECK(perf_order_put(&order, (struct bytes){byte, 8}, 25, 3) && perf_order_put(&order, (struct bytes){byte, 8}, 40, 4));
	perf_order_end_round(&order, false);
	while (perf_order_take(&order, &got, &offset))
		snprintf(text + strlen(text), 4, "%u ", (unsigned)offset);
	CHECK_STR(text, "2 3 1 ");
	perf_order_end_round(&order, true);
	CHECK(perf_order_take(&order, &got, &offset) && offset == 4 && got.size == 8);
	perf_order_clear(&order);
}

/* What lies there is what is made today. */
TEST(corpus)
{
	char path[4096];
	static uint8_t data[sizeof file.data];
	const char *root = getenv("ROOT");
	FILE *in;

	snprintf(path, sizeof path, "%s/test/trace/good/two.perf.data", root ? root : ".");
	perf_file_make(&file);
	in = fopen(path, "rb");
	CHECK(in && fread(data, 1, sizeof data, in) == file.size && !memcmp(data, file.data, file.size));
	if (in)
		fclose(in);
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "wb") : NULL;

	if (out) {
		(argc > 2 ? make_copies("x86_64") : perf_file_make(&file));
		return fwrite(file.data, file.size, 1, out) != 1 || fclose(out);
	}
	RUN(all_of_a_file);
	RUN(all_of_a_stream);
	RUN(events_without_samples_are_passed_over);
	RUN(an_event_is_chosen_by_name);
	RUN(a_program_in_memory);
	RUN(cut_at_each_byte);
	RUN(flip_at_each_byte);
	RUN(other_byte_order);
	RUN(callers_in_copies_of_stacks);
	RUN(copies_that_nobody_unwinds_are_said);
	RUN(damaged_copies);
	RUN(rounds);
	RUN(corpus);
	return tap_done();
}
