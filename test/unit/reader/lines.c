/* Line buffers in images of memory: of machines of 4 and 8 bytes, in either order, in core files and raw; and what is none. */
#include <stdarg.h>
#include <stdlib.h>

#include "check.h"
#include "lines_image.h"
#include "model/model.h"
#include "reader/reader.h"
#include "classic/host/writer/core_file.h"

#define BASE UINT64_C(0x20000400)

static const struct {
	uint32_t word_bytes;
	bool is_big;
} machines[] = {{4, false}, {4, true}, {8, false}, {8, true}};

static struct lines_image image;

static void begin_image(size_t machine)
{
	image = (struct lines_image){.word_bytes = machines[machine].word_bytes, .is_big = machines[machine].is_big, .base = BASE};
}

/* Everything that is told, as text. */
struct told {
	char text[4096];
	uint64_t hz;
	bool is_untimed;
};

static void say(struct told *told, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct told *told, const char *format, ...)
{
	size_t used = strlen(told->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(told->text + used, sizeof told->text - used, format, arguments);
	va_end(arguments);
}

static void note(struct told *told, const struct message *message, uint64_t base)
{
	switch (message->kind) {
	case MESSAGE_HEADER:
		told->hz = message->header.clock_hz;
		told->is_untimed = message->header.is_untimed;
		break;
	case MESSAGE_THREAD:
		say(told, "[%s%s%s lost %llu]", message->thread.name, message->thread.ended ? " ended" : "",
			message->thread.wrapped ? " wrapped" : "", (unsigned long long)message->thread.lost_events);
		break;
	case MESSAGE_STRING:
		if (message->string.text[0] == '(')
			say(told, " %s", message->string.text);
		else
			say(told, " %s=%llx", message->string.text, (unsigned long long)(message->string.address - base));
		break;
	case MESSAGE_SWITCHES:
		for (uint32_t i = 0; i < message->switches.count; i++)
			say(told, " off %llu-%llu", (unsigned long long)message->switches.switches[i].out_ticks,
				(unsigned long long)message->switches.switches[i].in_ticks);
		break;
	case MESSAGE_EVENTS:
		for (uint32_t i = 0; i < message->events.count; i++) {
			const struct event *event = &message->events.events[i];
			static const char *const names[] = {[EVENT_ENTER] = "enter", [EVENT_EXIT] = "exit", [EVENT_LOST] = "lost",
				[EVENT_LOST_POPS] = "pops", [EVENT_ARG] = "arg", [EVENT_NO_ARG] = "none",
				[EVENT_RETURNS_TO] = "lr"};

			say(told, " %s", names[event->kind]);
			if (!told->is_untimed)
				say(told, "@%llu", (unsigned long long)event->ticks);
			say(told, " %llx", (unsigned long long)(event->kind <= EVENT_EXIT ? (event->value - base) & 0xffff : event->value));
		}
		break;
	case MESSAGE_SUMS:
		for (uint64_t i = 0; i < message->sums.node_count; i++)
			say(told, " %llx: %llu %llu %llu",
				(unsigned long long)((message->sums.functions[message->sums.nodes[i].function - 1].place - base) &
						     0xffff),
				(unsigned long long)message->sums.nodes[i].calls,
				(unsigned long long)message->sums.nodes[i].self_ticks,
				(unsigned long long)message->sums.nodes[i].total_ticks);
		break;
	default:
		break;
	}
}

static struct told read_bytes(const void *bytes, size_t size, struct diag *diag)
{
	struct told told = {.text = ""};
	struct reader *reader = make_reader(make_source_memory("image", bytes, size, diag), diag);
	struct message message;

	if (!reader) {
		say(&told, "refused");
		return told;
	}
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
		note(&told, &message, BASE);
	free_reader(reader);
	return told;
}

static char *make_core(size_t *size)
{
	const struct core_machine machine = {40, image.word_bytes, image.is_big};
	const struct core_part part = {image.base, image.bytes, image.size};
	char *core = NULL;
	FILE *out = open_memstream(&core, size);

	if (!out || !core_file_write(out, &machine, &part, 1) || fclose(out))
		exit(1);
	return core;
}

/* A core file, raw bytes, and raw bytes with something in front of them say the same. */
static void reads(const char *want, bool is_untimed, uint64_t hz)
{
	static uint8_t moved[sizeof image.bytes + 4096];
	struct diag *diag = make_diag();
	size_t size;
	char *core = make_core(&size);
	struct told told = read_bytes(core, size, diag);

	CHECK_STR(told.text, want);
	CHECK_EQ(told.is_untimed, is_untimed);
	CHECK_EQ(told.hz, hz);
	told = read_bytes(image.bytes, image.size, diag);
	CHECK_STR(told.text, want);
	memset(moved, 0xee, 4096);
	memcpy(moved + 4096, image.bytes, image.size);
	told = read_bytes(moved, 4096 + image.size, diag);
	CHECK_STR(told.text, want);
	CHECK_EQ(diag_status(diag), 0);
	free(core);
	free_diag(diag);
}

/* Ticks that wrap; a thread that was away, for longer than the clock's round, too; calls that are open. */
static void make_cost(void)
{
	int64_t one = (int64_t)image_text(&image, 0, "one"), two = (int64_t)image_text(&image, 8, "two");
	size_t lines = image_cost(&image, 64, 10, 8, 1000);
	/* Where words have 64 bits, ticks have as many. */
	uint64_t round = image.word_bytes == 8 ? UINT64_C(1) << 32 : 0;

	image_cost_line(&image, lines, 0, one, 0xfffffff0, 77);
	image_cost_line(&image, lines, 1, two, round + 0x10, 5);
	image_cost_line(&image, lines, 2, LINES_TAG_EXIT, round + 0x30, 0);
	image_cost_line(&image, lines, 3, two, 3 * round + 0x20, 0xffffffff);
	image_cost_line(&image, lines, 4, LINES_TAG_EXIT, 3 * round + 0x40, 0);
	image_cost_line(&image, lines, 5, one, 3 * round + 0x40, 0);
	image_cost_line(&image, lines, 6, LINES_TAG_EXIT, 3 * round + 0x41, 0);
	image_cost_line(&image, lines, 7, two, 3 * round + 0x50, 0);
	image_word(&image, 64, LINES_COST_DROPPED, 3);
	image_word(&image, 64, LINES_COST_HALVES, 2);
}

TEST(cost)
{
	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		make_cost();
		/* From 0xfffffff0: + 0x20; + 0x20; away for 2^32 − 1 and ran for 0xfffffff1; + 0x20; … */
		reads("[function cost at 0x20000440 lost 8] one=0 two=8 off 4294967280-4294967285 off 4294967344-8589934639"
		      " enter@4294967280 0 enter@4294967312 8 exit@4294967344 8 enter@12884901920 8 exit@12884901952 8"
		      " enter@12884901952 0 exit@12884901953 0 enter@12884901968 8",
			false, 1000);
	}
}

/* A tag that is not one of cost, and an exit without a call: no calls, and they are counted. */
TEST(unknown_tags)
{
	for (size_t machine = 0; machine < 4; machine++) {
		struct diag *diag = make_diag();
		struct reader *reader;
		struct message message;
		struct told told = {.text = ""};
		int64_t one;
		size_t lines;

		begin_image(machine);
		one = (int64_t)image_text(&image, 0, "one");
		lines = image_cost(&image, 64, 10, 5, 1000);
		image_cost_line(&image, lines, 0, LINES_TAG_EXIT, 9, 0);
		image_cost_line(&image, lines, 1, one, 10, 0);
		image_cost_line(&image, lines, 2, LINES_TAG_UNWRITTEN, 11, 0);
		image_cost_line(&image, lines, 3, -2, 12, 0);
		image_cost_line(&image, lines, 4, LINES_TAG_EXIT, 15, 0);
		reader = make_reader(make_source_memory("image", image.bytes, image.size, diag), diag);
		if (CHECK(reader != NULL)) {
			for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
				note(&told, &message, BASE);
			CHECK_STR(told.text, "[function cost at 0x20000440 lost 0] one=0 (not recorded) enter@10 0 exit@15 0");
			CHECK_EQ(reader_get_health(reader)->unknown_tags, 3);
		}
		free_reader(reader);
		free_diag(diag);
	}
}

/* Calls by -finstrument-functions: what stands at the address is code, and no text. */
TEST(code)
{
	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		image_text(&image, 0, "\x08\x40\x2d\xe9"); /* push {r3, lr} */
		image_text(&image, 8, "\xf0\xb5");
		int64_t one = (int64_t)image_text(&image, 16, "one");
		size_t lines = image_cost(&image, 64, 10, 4, 1000);

		image_cost_line(&image, lines, 0, (int64_t)BASE, 1, 0);
		image_cost_line(&image, lines, 1, (int64_t)BASE + 8, 2, 0);
		image_cost_line(&image, lines, 2, (int64_t)BASE + 9, 3, 0);
		image_cost_line(&image, lines, 3, one, 4, 0);
		reads("[function cost at 0x20000440 lost 0] one=10 enter@1 0 enter@2 8 enter@3 9 enter@4 10", false, 1000);
	}
}

/* Ticks of 64 bits: days pass; one that is before the one in front of it, one that was away for longer than it took, and one of
 * another age are none, and cost no more than their own line. */
TEST(long_ticks)
{
	for (size_t machine = 2; machine < 4; machine++) {
		begin_image(machine);
		int64_t one = (int64_t)image_text(&image, 0, "one");
		size_t lines = image_cost(&image, 64, 10, 8, 1000);
		uint64_t day = UINT64_C(1) << 41;

		image_cost_line(&image, lines, 0, one, 3 * day, 0);
		image_cost_line(&image, lines, 1, one, 5 * day, day);
		image_cost_line(&image, lines, 2, one, 4 * day, 0);
		image_cost_line(&image, lines, 3, LINES_TAG_EXIT, 4 * day + 5, 0);
		image_cost_line(&image, lines, 4, LINES_TAG_EXIT, 4 * day + 6, 2);
		image_cost_line(&image, lines, 5, LINES_TAG_EXIT, UINT64_MAX, 0);
		image_cost_line(&image, lines, 6, one, 7, 0);
		image_cost_line(&image, lines, 7, LINES_TAG_EXIT, 9, 1);
		reads("[function cost at 0x20000440 lost 0] one=0 off 6597069766656-8796093022208 off 10995116277765-10995116277766"
		      " enter@6597069766656 0 enter@10995116277760 0 enter@10995116277760 0 exit@10995116277765 0 exit@10995116277765 0"
		      " exit@10995116277765 0 enter@10995116277765 0 exit@10995116277767 0",
			false, 1000);
	}
}

/* Two calls without a line between two that have one, another on top; and one that is being written. */
TEST(stack)
{
	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		uint64_t one = image_text(&image, 0, "one"), two = image_text(&image, 8, "two");
		size_t lines = image_trace(&image, 64, LINES_KIND_STACK, 3, 6, 4, 0);

		image_trace_line(&image, lines, 3, 6, 0, one, 0x111, 0);
		image_trace_line(&image, lines, 3, 6, 1, (uint64_t)(int64_t)LINES_TAG_UNWRITTEN, 2, 0);
		image_trace_line(&image, lines, 3, 6, 2, two, 0x222, 0);
		image_trace_line(&image, lines, 3, 6, 3, 0, 0x333, 0);
		image_word(&image, 64, LINES_TRACE_UNWRITTEN, 1);
		image_word(&image, 64, LINES_TRACE_IN_USE, 0);
		reads("[call trace at 0x20000440 ended lost 0] one=0 two=8 (not recorded) enter 0 arg 66 arg 67 lr 111 enter fbfd"
		      " enter fbfd enter 8 arg 12e arg 12f lr 222 enter fbfd",
			true, 0);
	}
}

/* Registers that are kept behind ones that are not. */
TEST(some_registers)
{
	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		uint64_t one = image_text(&image, 0, "one");
		size_t lines = image_trace(&image, 64, LINES_KIND_STACK, 10, 6, 1, 0);

		image_trace_line(&image, lines, 10, 6, 0, one, 0x111, 0);
		reads("[call trace at 0x20000440 lost 0] one=0 (not recorded) enter 0 none 0 arg 66 none 0 arg 67 lr 111", true, 0);
	}
}

/* A log that came round: from line 2 on; levels below 0; a caller that has no line any more, and one that never had. */
TEST(log)
{
	static const uint32_t levels[] = {1, 3, 0, 0xffffffff, 0};

	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		uint64_t one = image_text(&image, 0, "one"), two = image_text(&image, 8, "two");
		size_t lines = image_trace(&image, 64, LINES_KIND_LOG, 0, 5, 2, 7);

		for (uint32_t i = 0; i < 5; i++)
			image_trace_line(&image, lines, 0, 5, i, i % 2 ? two : one, 0xa0 + i, levels[i]);
		/* In order: depths 1, 0, 1, 2, 4. */
		reads("[call log at 0x20000440 wrapped lost 0] one=0 two=8 (not recorded) enter fbfd enter 0 lr a2 exit 0 exit fbfd"
		      " enter 8 lr a3 enter 0 lr a4 enter 0 lr a0 enter fbfd enter 8 lr a1",
			true, 0);
	}
}

TEST(statistics)
{
	for (size_t machine = 0; machine < 4; machine++) {
		begin_image(machine);
		uint64_t one = image_text(&image, 0, "one");
		size_t rows = image_stats(&image, 64, 4, 2, 32728498);

		image_row(&image, rows, 0, (int64_t)one, 4711, UINT64_C(0x123456789), UINT64_C(0x200000000));
		image_row(&image, rows, 1, LINES_TAG_OTHERS, 1, 2, 3);
		reads("[statistics at 0x20000440 lost 0] one=0 (others) 0: 4711 4886718345 8589934592 fbfc: 1 2 3", false, 32728498);
	}
}

/* Several in one image, and a copy of one, which says that it lay elsewhere. */
TEST(several)
{
	struct diag *diag = make_diag();
	struct told told;

	begin_image(0);
	make_cost();
	memcpy(image.bytes + 1024, image.bytes + 64, 512);
	image_stats(&image, 2048, 3, 0, 1000);
	image_trace(&image, 3072, LINES_KIND_STACK, 0, 3, 0, 0);
	told = read_bytes(image.bytes, image.size, diag);
	CHECK(strstr(told.text, "function cost at 0x20000440"));
	CHECK(strstr(told.text, "statistics at 0x20000c00"));
	CHECK(!strstr(told.text, "20000800")); /* the copy */
	CHECK(!strstr(told.text, "call trace")); /* without times beside times */
	CHECK_EQ(diag_status(diag), 1);
	free_diag(diag);
}

/* One that contradicts itself, and one of a later version: they are left out, and that is said. */
TEST(left_out)
{
	for (size_t machine = 0; machine < 4; machine++)
		for (int is_newer = 0; is_newer < 2; is_newer++)
			for (int at_first = 0; at_first < 2; at_first++) {
				struct diag *diag = make_diag();
				struct reader *reader;
				struct message message;
				size_t size, head = at_first ? 2048 : 4096;
				char *core;

				begin_image(machine);
				make_cost();
				image_stats(&image, 2048, 3, 0, 1000);
				image_stats(&image, 4096, 3, 0, 1000);
				if (is_newer)
					image.bytes[head + (image.is_big ? 7 : 4)]++;
				else
					image_word(&image, head, LINES_STATS_USED, 4);
				core = make_core(&size);
				reader = make_reader(make_source_memory("image", core, size, diag), diag);
				CHECK(reader != NULL);
				if (reader) {
					do
						reader_next(reader, &message);
					while (message.kind != MESSAGE_END);
					CHECK_EQ(reader_get_health(reader)->chunks_damaged, !is_newer);
					CHECK_EQ(reader_get_health(reader)->chunks_unknown, is_newer);
				}
				CHECK_EQ(diag_status(diag), 1);
				free_reader(reader);
				free(core);
				free_diag(diag);
			}
}

/* ---- what is none, or only nearly ---- */

static void read_by_model(const void *bytes, size_t size)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("image", bytes, size, diag), diag);
	const struct model_options options = {.want_profile = true};
	struct model *model = reader ? make_model(&options, diag) : NULL;
	struct message message;

	if (!reader)
		CHECK_EQ(diag_status(diag), 2);
	if (model) {
		for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
			model_feed(model, &message);
		model_finish(model);
		for (size_t i = 0; i < model_get_profile(model)->thread_count; i++) {
			const struct profile_thread *thread = &model_get_profile(model)->threads[i];

			CHECK(thread->balanced && thread->off_cpu_balanced);
			CHECK_EQ(thread->self_ticks + thread->lost_ticks + thread->outside_ticks,
				thread->last_ticks - thread->first_ticks);
		}
	}
	free_model(model);
	free_reader(reader);
	free_diag(diag);
}

static void make_all(size_t machine)
{
	begin_image(machine);
	make_cost();
	image_row(&image, image_stats(&image, 1024, 3, 1, 1000), 0, (int64_t)BASE, 3, 4, 5);
}

static void make_traces(size_t machine)
{
	size_t lines;

	begin_image(machine);
	image_text(&image, 0, "one");
	lines = image_trace(&image, 64, LINES_KIND_STACK, 15, 3, 2, 0);
	image_trace_line(&image, lines, 15, 3, 0, BASE, 1, 0);
	image_trace_line(&image, lines, 15, 3, 1, (uint64_t)(int64_t)LINES_TAG_UNWRITTEN, 3, 0);
	lines = image_trace(&image, 1024, LINES_KIND_LOG, 1, 3, 1, 1);
	for (uint32_t i = 0; i < 3; i++)
		image_trace_line(&image, lines, 1, 3, i, BASE, 1, (uint16_t)(i * 9));
}

TEST(damaged)
{
	for (size_t kind = 0; kind < 8; kind++) {
		size_t size;
		char *core;

		(kind < 4 ? make_all : make_traces)(kind % 4);
		core = make_core(&size);
		for (size_t cut = 0; cut < size; cut += 3)
			read_by_model(core, cut);
		for (size_t cut = 0; cut < image.size; cut += 3)
			read_by_model(image.bytes, cut);
		for (size_t i = 0; i < image.size; i++) {
			static const uint8_t flips[] = {0x01, 0x80, 0xff};

			for (size_t flip = 0; flip < 3; flip++) {
				image.bytes[i] ^= flips[flip];
				read_by_model(image.bytes, image.size);
				image.bytes[i] ^= flips[flip];
			}
		}
		for (size_t i = 0; i < 64 + 64; i++) { /* of the core's own headers */
			core[i] ^= 0xff;
			read_by_model(core, size);
			core[i] ^= 0xff;
		}
		free(core);
	}
}

TEST(nothing_there)
{
	static const uint8_t magic_only[] = {0x44, 0x57, 0x4c, 0x4e, 1, 3, 0, 4, 0, 0, 0, 0};
	struct diag *diag = make_diag();
	struct told told = read_bytes(magic_only, sizeof magic_only, diag);

	CHECK_STR(told.text, "refused");
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
}

int main(void)
{
	RUN(cost);
	RUN(unknown_tags);
	RUN(code);
	RUN(long_ticks);
	RUN(stack);
	RUN(some_registers);
	RUN(log);
	RUN(statistics);
	RUN(several);
	RUN(left_out);
	RUN(damaged);
	RUN(nothing_there);
	return tap_done();
}
