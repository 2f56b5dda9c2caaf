/* Data directories of uftrace, in memory. `uftrace FILE` writes the fuzzer's seed: all of one behind each other. */
#include "check.h"

#include <stdlib.h>

#include "../../fuzz/members.h"
#include "reader/reader.h"
#include "said.h"
#include "util/bytes.h"

static uint8_t file[8192];
static size_t size;

static void put_text(const char *text)
{
	memcpy(file + size, text, strlen(text));
	size += strlen(text);
}

static void put_event(uint64_t time, unsigned kind, uint64_t address)
{
	put_u64(file + size, time);
	put_u64(file + size + 8, address << 16 | 5 << 3 | kind);
	size += 16;
}

static void make(void)
{
	memset(file, 0, sizeof file);
	memcpy(file, "Ftrace!", 8);
	file[14] = 1;
	file[15] = 2;
	size = 40;
	put_text("exename:/no/app\n=== task.txt\n"
		 "SESS timestamp=0.000000100 pid=10 sid=0123abcd exename=\"/no/app\"\n"
		 "TASK timestamp=0.000000101 tid=10 pid=10\n"
		 "TASK timestamp=0.000000200 tid=11 pid=10\n"
		 "FORK timestamp=0.000000300 pid=12 ppid=10\n"
		 "SESS timestamp=0.000000400 pid=12 sid=99 exename=\"/no/other\"\n"
		 "TASK timestamp=0.000000401 tid=12 pid=12\n"
		 "nonsense\n"
		 "\n=== sid-0123abcd.map\n"
		 "00001000-00002000 r-xp 00000000 00:00 0    /no/my app build-id:0102030405060708090a0b0c0d0e0f1011121314\n"
		 "00005000-00006000 rw-p 00000000 00:00 0    [stack]\n"
		 "\n=== sid-99.map\n"
		 "00003000-00004000 r-xp 00000000 00:00 0    /no/other\n"
		 "\n=== 10.dat\n");
	put_event(110, 0, 0x1010);
	put_event(120, 0, 0x1020);
	put_event(130, 1, 0x1020);
	put_event(135, 2, 7);
	put_event(140, 1, 0x1010);
	put_text("\n=== 12.dat\n");
	put_event(450, 0, 0x3010);
	put_event(460, 3, 0);
	put_event(470, 1, 0x3010);
}

struct seen {
	char text[4096], *messages;
	int status;
	bool opened;
};

static void put_message(const struct message *message, FILE *out)
{
	switch (message->kind) {
	case MESSAGE_PROCESS:
		fprintf(out, "process %u %u %s\n", message->process.pid, message->process.parent_pid, message->process.path);
		break;
	case MESSAGE_MODULE:
		fprintf(out, "module %u %" PRIx64 " %s %u at %" PRIu64 "%s\n", message->module.process, message->module.low,
			message->module.path, message->module.build_id_bytes, message->module.load_ticks,
			message->module.unmapped ? " gone" : "");
		break;
	case MESSAGE_THREAD:
		fprintf(out, "thread %u of %u\n", message->thread.tid, message->thread.process);
		break;
	case MESSAGE_EVENTS:
		fprintf(out, "%u:", message->events.stream);
		for (uint32_t i = 0; i < message->events.count; i++)
			fprintf(out, " %" PRIu64 "%c%" PRIx64, message->events.events[i].ticks,
				"+-....L"[message->events.events[i].kind], message->events.events[i].value);
		fputc('\n', out);
		break;
	default:
		break;
	}
}

static struct seen read_file(const uint8_t *data, size_t bytes)
{
	struct diag *diag = make_diag();
	struct seen seen = {0};
	struct members members;
	struct message message;
	struct source *source;
	struct reader *reader;
	FILE *out;

	members_split(&members, data, bytes);
	source = make_source_memory("info", data, members.first_size, diag);
	source_set_members(source, members.list, members.count);
	reader = make_reader(source, diag);
	seen.opened = reader;
	out = fmemopen(seen.text, sizeof seen.text - 1, "w");
	for (int pass = 0; reader && pass < 2; pass++) {
		rewind(out);
		while (reader_next(reader, &message), message.kind != MESSAGE_END)
			put_message(&message, out);
		CHECK(reader_rewind(reader));
	}
	fclose(out);
	free_reader(reader);
	seen.messages = take_said(diag, &seen.status);
	return seen;
}

TEST(all_of_it)
{
	struct seen seen;

	make();
	seen = read_file(file, size);
	CHECK_STR(seen.text, "process 10 0 /no/app\n"
			     "process 12 10 /no/other\n"
			     "module 0 1000 /no/my app 20 at 0\n"
			     "module 1 1000 /no/my app 20 at 0\n"
			     "module 1 1000 /no/my app 20 at 400 gone\n"
			     "module 1 3000 /no/other 0 at 400\n"
			     "thread 10 of 0\nthread 11 of 0\nthread 12 of 1\n"
			     "0: 110+1010 120+1020 130-1020 135L7 140-1010\n"
			     "2: 450+3010 470-3010\n");
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "1 lines of its task.txt cannot be read"));
	free(seen.messages);
}

/* depth: what uftrace says of it. words: how many of what is put behind it. */
static void put_event_with(uint64_t time, unsigned kind, unsigned depth, uint64_t address, int words, const uint64_t *more)
{
	put_u64(file + size, time);
	put_u64(file + size + 8, address << 16 | depth << 6 | 5 << 3 | (words ? 4 : 0) | kind);
	size += 16;
	for (int i = 0; i < words; i++, size += 8)
		put_u64(file + size, more[i]);
}

static uint64_t word(unsigned kind, unsigned depth, uint64_t address)
{
	return address << 16 | depth << 6 | 5 << 3 | kind;
}

/* What stands behind events is passed over, whatever it is: also what is an event, but for one thing. */
TEST(arguments)
{
	const uint64_t plain[] = {1, 2, UINT64_MAX, 0}, early[] = {449, word(0, 1, 0x3020)}, late[] = {600, word(0, 1, 0x3020)},
		       deep[] = {455, word(0, 2, 0x3020)}, elsewhere[] = {455, word(0, 1, 0x9020)},
		       other_exit[] = {455, word(1, 0, 0x3020)}, no_magic[] = {455, word(0, 1, 0x3020) ^ 8},
		       lost[] = {455, word(2, 1, 0x3020)};
	const struct {
		const uint64_t *words;
		int count;
	} all[] = {{plain, 1}, {plain, 2}, {plain, 3}, {plain, 4}, {early, 2}, {late, 2}, {deep, 2}, {elsewhere, 2}, {other_exit, 2},
		{no_magic, 2}, {lost, 2}};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct seen seen;

		make();
		size -= 48;
		put_event_with(450, 0, 0, 0x3010, all[i].count, all[i].words);
		put_event_with(460, 0, 1, 0x3020, all[i].count, all[i].words);
		put_event_with(470, 1, 1, 0x3020, all[i].count, all[i].words);
		put_event_with(480, 0, 1, 0x3030, 0, NULL);
		put_event_with(490, 1, 1, 0x3030, 0, NULL);
		/* Behind the last event of all is what is left; but not where something there says that it was later. */
		put_event_with(500, 1, 0, 0x3010, all[i].words == late ? 0 : all[i].count, all[i].words);
		seen = read_file(file, size);
		CHECK(strstr(seen.text, "2: 450+3010 460+3020 470-3020 480+3030 490-3030 500-3010\n"));
		CHECK(strstr(seen.messages, all[i].words == late ? "3 events have" : "4 events have arguments or a result behind them"));
		CHECK(!strstr(seen.messages, "12.dat"));
		free(seen.messages);
	}
}

/* Many of them: they go over what is read at a time. */
TEST(many_arguments)
{
	static const uint64_t more[] = {3, 4, 5};
	struct seen seen;

	make();
	size -= 48;
	put_event_with(450, 0, 0, 0x3010, 0, NULL);
	for (int i = 0; i < 60; i++) {
		put_event_with(460, 0, 1, 0x3020, i % 4, more);
		put_event_with(460, 1, 1, 0x3020, i % 3, more);
	}
	put_event_with(500, 1, 0, 0x3010, 0, NULL);
	seen = read_file(file, size);
	CHECK(strstr(seen.text, "460-3020 500-3010\n"));
	CHECK(strstr(seen.messages, "85 events have arguments"));
	free(seen.messages);
}

/* Where nothing that fits comes, no call is made up. */
TEST(no_end_of_arguments)
{
	static const uint64_t more[] = {1, 2};
	struct seen seen;

	make();
	size -= 48;
	put_event_with(450, 0, 0, 0x3010, 2, more);
	put_event_with(460, 0, 7, 0x3020, 0, NULL); /* nobody knows how it came so deep */
	put_event_with(470, 1, 7, 0x3020, 0, NULL);
	seen = read_file(file, size);
	CHECK(strstr(seen.text, "2: 450+3010\n"));
	CHECK(strstr(seen.messages, "12.dat:0x10: an event with more behind it, as arguments, whose end cannot be told"));
	CHECK_EQ(seen.status, 1);
	free(seen.messages);
}

TEST(others)
{
	struct seen seen;

	make();
	seen = read_file(file, 50);
	CHECK(!seen.opened && strstr(seen.messages, "task.txt is not beside it"));
	free(seen.messages);
	file[15] = 1;
	seen = read_file(file, size);
	CHECK(!seen.opened && strstr(seen.messages, "of 32 bits"));
	free(seen.messages);
}

TEST(hurt)
{
	make();
	for (size_t at = 0; at < size; at++) {
		uint8_t *copy = memcpy(malloc(at + !at), file, at);

		free(read_file(copy, at).messages);
		free(copy);
		for (int bit = 0; bit < 8; bit++) {
			file[at] ^= (uint8_t)(1 << bit);
			free(read_file(file, size).messages);
			file[at] ^= (uint8_t)(1 << bit);
		}
	}
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "wb") : NULL;

	if (out) {
		make();
		return fwrite(file, size, 1, out) != 1 || fclose(out);
	}
	RUN(all_of_it);
	RUN(arguments);
	RUN(many_arguments);
	RUN(no_end_of_arguments);
	RUN(others);
	RUN(hurt);
	return tap_done();
}
