/* What perf record writes. `perf_data FILE` writes the one that is in test/trace/good. */
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
			fputc('\n', out);
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
		perf_file_make(&file);
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
	RUN(rounds);
	RUN(corpus);
	return tap_done();
}
