/* What programs write that were compiled with -pg. `gmon FILE BITS big|little` writes those of test/trace/good. */
#include "check.h"

#include <stdlib.h>

#include "reader/reader.h"
#include "said.h"
#include "util/bytes.h"

struct file {
	uint8_t data[512];
	size_t size;
	unsigned word;
	bool is_big;
};

static void put(struct file *file, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		file->data[file->size++] = (uint8_t)(value >> 8 * (file->is_big ? bytes - 1 - i : i));
}

static void put_histogram(struct file *file, uint64_t low, uint64_t high, uint32_t bins, uint32_t rate)
{
	put(file, 0, 1);
	put(file, low, file->word);
	put(file, high, file->word);
	put(file, bins, 4);
	put(file, rate, 4);
	memcpy(file->data + file->size, "seconds\0\0\0\0\0\0\0\0s", 16);
	file->size += 16;
}

static void put_arc(struct file *file, uint64_t from, uint64_t to, uint32_t calls)
{
	put(file, 1, 1);
	put(file, from, file->word);
	put(file, to, file->word);
	put(file, calls, 4);
}

static struct file make(unsigned word, bool is_big)
{
	static const uint16_t counts[] = {0, 7, 0, 65535};
	struct file file = {.word = word, .is_big = is_big};

	memcpy(file.data, "gmon", 4);
	file.size = 4;
	put(&file, 1, 4);
	file.size = 20;
	put_histogram(&file, 0x1000, 0x1010, 4, 100);
	for (int i = 0; i < 4; i++)
		put(&file, counts[i], 2);
	put_arc(&file, 0x1004, 0x100c, 3);
	put_arc(&file, 0x1008, 0x100c, 4);
	put(&file, 2, 1);
	put(&file, 1, 4);
	put(&file, 0x1000, word);
	put(&file, 9, word);
	put_histogram(&file, 0x1000, 0x1010, 4, 100);
	for (int i = 0; i < 4; i++)
		put(&file, counts[i], 2);
	return file;
}

struct seen {
	uint64_t samples, weight[0x20], calls[0x20]; /* by address - 0x1000 */
	char *messages;
	int status;
	bool opened, is_cut;
};

static struct seen read_file(const uint8_t *data, size_t size)
{
	struct seen seen = {0};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("gmon.out", data, size, diag), diag);
	struct message message;

	seen.opened = reader;
	for (int pass = 0; reader && pass < 2; pass++) {
		memset(seen.weight, 0, sizeof seen.weight);
		memset(seen.calls, 0, sizeof seen.calls);
		seen.samples = 0;
		while (reader_next(reader, &message), message.kind != MESSAGE_END) {
			for (uint32_t i = 0; message.kind == MESSAGE_COUNTS && i < message.counts.count; i++) {
				const struct message_count *one = &message.counts.counts[i];

				seen.samples += one->count;
				if (one->address - 0x1000 < 0x20)
					seen.weight[one->address - 0x1000] += one->count * message.counts.weight;
			}
			for (uint64_t i = 0; message.kind == MESSAGE_COUNTS && i < message.counts.call_count; i++)
				if (message.counts.calls[i].address - 0x1000 < 0x20)
					seen.calls[message.counts.calls[i].address - 0x1000] += message.counts.calls[i].count;
		}
		CHECK(reader_rewind(reader));
	}
	if (reader)
		seen.is_cut = reader_get_health(reader)->cut;
	free_reader(reader);
	seen.messages = take_said(diag, &seen.status);
	return seen;
}

static void check_machine(unsigned word, bool is_big)
{
	struct file file = make(word, is_big);
	struct seen seen = read_file(file.data, file.size);

	CHECK_EQ(seen.status, 0);
	CHECK_EQ(seen.samples, 2 * (7 + 65535));
	CHECK_EQ(seen.weight[4], 14 * UINT64_C(10000000));
	CHECK_EQ(seen.weight[12], 2 * 65535 * UINT64_C(10000000));
	CHECK_EQ(seen.calls[12], 7);
	free(seen.messages);
}

TEST(machines)
{
	check_machine(8, false);
	check_machine(4, false);
	check_machine(8, true);
	check_machine(4, true);
}

TEST(cut_at_each_byte)
{
	struct file file = make(8, false);

	for (size_t at = 0; at < file.size; at++) {
		uint8_t *copy = memcpy(malloc(at + !at), file.data, at);
		struct seen seen = read_file(copy, at);

		CHECK(seen.opened == (seen.status < 2));
		CHECK(at <= 20 || !seen.opened || seen.status == 1 || !seen.is_cut);
		free(seen.messages);
		free(copy);
	}
}

TEST(flip_at_each_byte)
{
	struct file file = make(4, true);

	for (size_t at = 0; at < file.size; at++)
		for (int bit = 0; bit < 8; bit += 3) {
			file.data[at] ^= (uint8_t)(1 << bit);
			free(read_file(file.data, file.size).messages);
			file.data[at] ^= (uint8_t)(1 << bit);
		}
}

TEST(no_sense)
{
	struct file file = make(8, false);
	struct seen seen;

	file.data[file.size] = 9; /* no such record */
	seen = read_file(file.data, file.size + 1);
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "makes no sense"));
	CHECK_EQ(seen.samples, 2 * (7 + 65535));
	free(seen.messages);
}

int main(int argc, char **argv)
{
	if (argc == 4) {
		struct file file = make((unsigned)atoi(argv[2]) / 8, *argv[3] == 'b');
		FILE *out = fopen(argv[1], "wb");

		return !out || fwrite(file.data, file.size, 1, out) != 1 || fclose(out);
	}
	RUN(machines);
	RUN(cut_at_each_byte);
	RUN(flip_at_each_byte);
	RUN(no_sense);
	return tap_done();
}
