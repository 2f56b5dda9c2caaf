/* The trace writer when the disk does what it likes: whatever fails, what is in the file is whole, and what is not is counted. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sys/stat.h>

#include "check.h"
#include "model/model.h"
#include "reader/reader.h"
#include "zoo.h"

static char path[256];

/* What a reader finds in the file. */
struct found {
	struct reader_health health;
	uint64_t chunks_of_events, unwritten, starved;
	int status, exit_status;
	bool opened;
};

static struct found read_file(void)
{
	struct found found = {0};
	struct diag *diag = make_diag();
	struct source *source = make_source(path, diag);
	struct reader *reader = source ? make_reader(source, diag) : NULL;
	struct message message = {0};

	found.opened = reader;
	while (reader && (reader_next(reader, &message), message.kind != MESSAGE_END)) {
		found.chunks_of_events += message.kind == MESSAGE_CHECKPOINT;
		if (message.kind == MESSAGE_PROCESS && message.process.ended)
			found.exit_status = message.process.status;
		if (message.kind == MESSAGE_LOSS && message.loss.reason == DWELL_LOSS_BYTES_UNWRITTEN)
			found.unwritten = message.loss.count;
		if (message.kind == MESSAGE_LOSS && message.loss.reason == DWELL_LOSS_BYTES_STARVED)
			found.starved = message.loss.count;
	}
	if (reader)
		found.health = *reader_get_health(reader);
	found.status = diag_status(diag);
	free_reader(reader);
	free_diag(diag);
	return found;
}

static uint64_t file_size(void)
{
	struct stat stat_of;

	return stat(path, &stat_of) ? UINT64_MAX : (uint64_t)stat_of.st_size;
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit = {bytes, RLIM_INFINITY};

	setrlimit(RLIMIT_FSIZE, &limit);
}

/* The file may not grow beyond each size in turn: it holds whole chunks only, all that fit. */
TEST(disk_full_at_each_byte)
{
	struct diag *diag = make_diag();
	uint64_t whole;

	CHECK(zoo_write(path, diag));
	free_diag(diag);
	/* the file below ends without the second THREAD and CLOCK and their places in the seek table */
	whole = file_size() - 104 - 88 - 2 * DWELL_SEEK_ENTRY_BYTES;
	for (uint64_t size = 0; size < whole; size += size < 700 ? 1 : 7) {
		struct message_header header = zoo_header();
		struct trace_writer *writer;
		struct found found;
		diag = make_diag();
		limit_file_size(size);
		writer = make_trace_writer(path, &header, diag);
		CHECK_EQ(writer != NULL, size >= DWELL_HEADER_BYTES);
		if (writer) {
			zoo_declare(writer);
			zoo_events(writer);
			CHECK(!trace_writer_finish(writer));
			CHECK(trace_writer_bytes(writer) <= size);
			CHECK_EQ(trace_writer_bytes(writer), file_size());
			CHECK(trace_writer_unwritten_bytes(writer) > 0);
			CHECK_EQ(diag_status(diag), 1);
			free_trace_writer(writer);
		} else {
			CHECK_EQ(diag_status(diag), 2);
		}
		limit_file_size(RLIM_INFINITY);
		free_diag(diag);
		if (size < DWELL_HEADER_BYTES)
			continue;
		found = read_file();
		CHECK(found.opened || size < DWELL_HEADER_BYTES + DWELL_CHUNK_HEADER_BYTES);
		CHECK(!found.health.cut && !found.health.chunks_damaged && !found.health.bytes_skipped);
	}
}

/* What there was no memory for, or what is too long for a chunk, is not said of the disk. */
TEST(no_memory)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct message_throttle throttle = {.count = TRACE_WRITER_THROTTLED_MAX + 1};
	struct found found;

	zoo_declare(writer);
	CHECK(!trace_writer_throttle(writer, &throttle));
	CHECK_EQ(trace_writer_unwritten_bytes(writer), (uint64_t)throttle.count * DWELL_THROTTLED_BYTES);
	zoo_events(writer);
	CHECK(!trace_writer_finish(writer));
	free_trace_writer(writer);
	found = read_file();
	CHECK_EQ(found.starved, (uint64_t)throttle.count * DWELL_THROTTLED_BYTES);
	CHECK_EQ(found.unwritten, 0);
	CHECK(found.health.ended_well);
	free_diag(diag);
}

/* The disk has room again: later chunks follow, the loss is told, the gap is seen. */
TEST(disk_full_for_a_while)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct found found;
	uint64_t before, unwritten;

	zoo_declare(writer);
	zoo_events(writer);
	before = trace_writer_bytes(writer);
	limit_file_size(before + 100); /* the LOSS among them would fit: that room is for the end */
	zoo_events(writer);
	CHECK_EQ(trace_writer_bytes(writer), before);
	unwritten = trace_writer_unwritten_bytes(writer);
	CHECK(unwritten > 500);
	limit_file_size(RLIM_INFINITY);
	zoo_events(writer);
	CHECK(!trace_writer_finish(writer));
	free_trace_writer(writer);
	found = read_file();
	CHECK_EQ(found.health.events, 2 * ZOO_EVENTS);
	CHECK_EQ(found.chunks_of_events, 2 * ZOO_SLOT_CHUNKS);
	CHECK_EQ(found.health.chunks_missing, ZOO_SLOT_CHUNKS + ZOO_SWITCHES + 3); /* and LOSS, TEXT, THREAD */
	CHECK_EQ(found.health.bytes_skipped, 0);
	CHECK_EQ(found.unwritten, unwritten);
	CHECK(found.health.ended_well);
	CHECK_EQ(found.status, 1);
	CHECK_EQ(diag_status(diag), 1);
	free_diag(diag);
}

/* What is told of a stream whose last chunks did not fit: up to when it was recorded. */
TEST(disk_full_to_the_end)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct profile_thread row;
	struct reader *reader;
	struct model *model;
	struct message message;
	struct found found;

	for (uint32_t i = 0; i < 3; i++) {
		uint64_t ticks = UINT64_C(1) << 32 | (1000 + i * 10000), slots[130];
		struct bytes piece = {(const uint8_t *)slots, sizeof slots};
		struct trace_slots run = {
			.pieces = &piece, .piece_count = 1, .events = 129, .first_ticks = ticks, .last_ticks = ticks + 1280};

		if (i == 1)
			limit_file_size(trace_writer_bytes(writer) + 600);
		slots[0] = dwell_slot_make(DWELL_TAG_TIME, 1);
		for (uint32_t k = 1; k < 130; k++)
			slots[k] = dwell_slot_enter(0x1000 + k * 16, (uint32_t)ticks + (k - 1) * 10);
		CHECK_EQ(trace_writer_slots(writer, &run), i == 0);
		run.stream = 1; /* nothing of it is in the file: nothing is said */
		CHECK_EQ(i && trace_writer_slots(writer, &run), 0);
	}
	limit_file_size(RLIM_INFINITY);
	CHECK(!trace_writer_finish(writer));
	free_trace_writer(writer);
	found = read_file();
	CHECK_EQ(found.health.events, 129);
	CHECK_EQ(found.chunks_of_events, 2);
	CHECK_EQ(found.health.chunks_missing, 2);
	CHECK(found.health.ended_well);
	reader = make_reader(make_source(path, diag), diag);
	model = make_model(&(struct model_options){.want_profile = true}, diag);
	do {
		reader_next(reader, &message);
		model_feed(model, &message);
	} while (message.kind != MESSAGE_END);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->thread_count, 1);
	row = model_get_profile(model)->threads[0];
	CHECK(row.balanced);
	CHECK_EQ(row.last_ticks - row.first_ticks, 21280);
	CHECK_EQ(row.self_ticks, 1280);
	CHECK_EQ(row.lost_ticks, 20000);
	free_model(model);
	free_reader(reader);
	free_diag(diag);
}

static uint64_t room_on_disk(void)
{
	struct stat stat_of;

	return stat(path, &stat_of) ? UINT64_MAX : (uint64_t)stat_of.st_blocks * 512;
}

/* However much does not fit: what came of the program, how much is missing, and that this is all. */
TEST(disk_full_has_an_end)
{
	static uint64_t slots[1 << 10];
	struct bytes piece = {(const uint8_t *)slots, sizeof slots};
	struct trace_slots run = {.pieces = &piece, .piece_count = 1};
	struct message_process process = {.pid = 1, .ended = true, .status = 7 << 8, .path = "/bin/late"};

	for (int i = 0; i < 2; i++) {
		struct diag *diag = make_diag();
		struct message_header header = zoo_header();
		struct trace_writer *writer;
		struct found found;
		uint64_t unwritten, told = 0;
		struct message_thread thread = {.name = "thread"};

		limit_file_size(i ? 1 << 20 : 32 << 10);
		writer = make_trace_writer(path, &header, diag);
		if (i)
			CHECK(trace_writer_start_thread(writer));
		for (int k = 0; k < 1000; k++) {
			trace_writer_slots(writer, &run);
			/* A declaration gets in where events do not, up to a point. */
			thread.stream = (uint32_t)k;
			told += trace_writer_thread(writer, &thread);
		}
		trace_writer_end_begins(writer);
		unwritten = trace_writer_unwritten_bytes(writer);
		CHECK(unwritten > 1000000);
		CHECK(i || (told > 10 && told < 100));
		CHECK(trace_writer_process(writer, &process));
		CHECK(!trace_writer_finish(writer));
		CHECK_EQ(trace_writer_unwritten_bytes(writer), unwritten);
		CHECK(room_on_disk() <= file_size() + 8192);
		free_trace_writer(writer);
		limit_file_size(RLIM_INFINITY);
		found = read_file();
		CHECK(found.health.ended_well && !found.health.cut && !found.health.chunks_damaged && !found.health.bytes_skipped);
		CHECK_EQ(found.unwritten, unwritten);
		CHECK_EQ(found.exit_status, 7 << 8);
		CHECK(found.chunks_of_events > 1);
		CHECK_EQ(diag_status(diag), 1);
		free_diag(diag);
	}
}

/* Room that the file system has promised is given back. */
TEST(room_is_given_back)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);

	zoo_declare(writer);
	zoo_events(writer);
	CHECK_EQ(file_size(), trace_writer_bytes(writer));
	free_trace_writer(writer); /* without an end */
	CHECK(room_on_disk() <= file_size() + 8192);
	free_diag(diag);
}

/* What is made aside is not there before it appears, and then in the place of what was. */
TEST(aside)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer;

	for (int appears = 0; appears < 2; appears++) {
		unlink(path);
		CHECK(!symlink("no-such-folder/before", path));
		writer = make_hidden_trace_writer(path, &header, diag);
		zoo_declare(writer);
		zoo_events(writer);
		CHECK(trace_writer_finish(writer));
		CHECK(access(path, F_OK) < 0);
		CHECK(!appears || trace_writer_publish(writer));
		free_trace_writer(writer);
		if (appears)
			CHECK_EQ(read_file().health.events, ZOO_EVENTS);
		else
			CHECK(access(path, F_OK) < 0);
	}
	CHECK(!make_hidden_trace_writer("/no/such/folder/x.dwell", &header, diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
}

/* Written behind, each byte is the same; and a disk that is full for a while costs the same chunks. */
TEST(behind)
{
	struct diag *diag = make_diag();
	size_t bytes[2] = {0};
	uint8_t *data[2];

	for (int i = 0; i < 2; i++) {
		zoo_behind = i;
		CHECK(zoo_write(path, diag));
		data[i] = zoo_load(path, &bytes[i]);
	}
	CHECK(data[0] && data[1] && bytes[0] == bytes[1] && !memcmp(data[0], data[1], bytes[0]));
	zoo_behind = false;
	free(data[0]);
	free(data[1]);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
}

TEST(disk_full_behind)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct found found;

	CHECK(trace_writer_start_thread(writer));
	CHECK(!trace_writer_is_full(writer));
	zoo_declare(writer);
	limit_file_size(1);
	zoo_events(writer);
	CHECK(!trace_writer_finish(writer));
	limit_file_size(RLIM_INFINITY);
	CHECK(trace_writer_unwritten_bytes(writer) > 0);
	CHECK_EQ(diag_status(diag), 1);
	free_trace_writer(writer);
	found = read_file();
	CHECK_EQ(found.health.chunks_damaged, 0);
	free_diag(diag);
}

/* Chunks that wait are bounded by who asks; those who wait go on when the disk has taken some. */
TEST(full_behind)
{
	static uint64_t slots[1 << 17];
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct bytes piece = {(const uint8_t *)slots, sizeof slots};
	struct trace_slots run = {.pieces = &piece, .piece_count = 1};
	struct trace_writer *writer;
	int added = 0, fd;

	unlink(path);
	CHECK(!mkfifo(path, 0600));
	fd = open(path, O_RDWR);
	writer = make_trace_writer(path, &header, diag);
	CHECK(writer && trace_writer_start_thread(writer));
	while (!trace_writer_is_full(writer) && added < 1000) {
		CHECK(trace_writer_slots(writer, &run));
		added++;
	}
	CHECK(added >= 16 && added < 1000);
	if (fork() == 0) {
		static uint8_t buffer[1 << 16];
		int64_t left = (int64_t)added * (int64_t)(sizeof slots + DWELL_CHUNK_HEADER_BYTES) + 600;

		while (left > 0)
			left -= read(fd, buffer, sizeof buffer);
		_exit(0);
	}
	trace_writer_wait(writer);
	CHECK(!trace_writer_is_full(writer));
	zoo_declare(writer);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	wait(NULL);
	close(fd);
	unlink(path);
	free_diag(diag);
}

/* A device that takes nothing. */
TEST(dev_full)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();

	CHECK(!make_trace_writer("/dev/full", &header, diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
}

/* A pipe whose reader goes away in the middle of a chunk: half a chunk cannot be taken back, so nothing follows it. */
TEST(pipe_that_breaks)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer;
	static uint64_t slots[1 << 14];
	struct bytes piece = {(const uint8_t *)slots, sizeof slots};
	struct trace_slots run = {.pieces = &piece, .piece_count = 1};
	uint8_t buffer[64];
	uint64_t unwritten;
	int fd;

	unlink(path);
	CHECK(!mkfifo(path, 0600));
	fd = open(path, O_RDONLY | O_NONBLOCK);
	writer = make_trace_writer(path, &header, diag);
	CHECK(writer);
	CHECK_EQ(read(fd, buffer, sizeof buffer), 64);
	close(fd);
	CHECK(!trace_writer_slots(writer, &run));
	unwritten = trace_writer_unwritten_bytes(writer);
	CHECK_EQ(unwritten, DWELL_CHUNK_HEADER_BYTES + sizeof slots);
	CHECK(!trace_writer_slots(writer, &run));
	CHECK(!trace_writer_finish(writer));
	CHECK_EQ(diag_status(diag), 1);
	free_trace_writer(writer);
	free_diag(diag);
	unlink(path);
}

/* What does not fit is cut, and the chunk is right all the same. */
TEST(strings_without_end)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	char *name = malloc(200001);
	const char *argv[] = {name, name};
	struct message_process process = {.path = "/p", .argv = argv, .argc = 2};
	struct message_thread thread = {.name = name};
	struct message_module module = {.path = name, .low = 1, .high = 2};
	struct message_info facts[] = {{"k=k\n", "v=v\nw"}, {name, name}};
	struct source *source;
	struct reader *reader;
	struct message message;
	unsigned seen = 0;

	memset(name, 'n', 200000);
	name[200000] = 0;
	CHECK(trace_writer_process(writer, &process) && trace_writer_thread(writer, &thread) &&
		trace_writer_module(writer, &module) && trace_writer_info(writer, facts, 2));
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	source = make_source(path, diag);
	reader = make_reader(source, diag);
	while (reader_next(reader, &message), message.kind != MESSAGE_END) {
		seen++;
		if (message.kind == MESSAGE_PROCESS)
			CHECK(message.process.argc >= 1 && strlen(message.process.argv[0]) == 65535 - 4);
		if (message.kind == MESSAGE_THREAD)
			CHECK_EQ(strlen(message.thread.name), 65534);
		if (message.kind == MESSAGE_MODULE)
			CHECK_EQ(strlen(message.module.path), 65534);
		if (message.kind == MESSAGE_INFO && seen == 5) {
			CHECK_STR(message.info.key, "k k ");
			CHECK_STR(message.info.value, "v=v w");
		}
	}
	CHECK(seen >= 5);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
	free(name);
}

/* A stack that is deeper than a chunk can tell. */
TEST(checkpoint_without_end)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	uint32_t count = TRACE_WRITER_FRAMES_MAX + 1000;
	struct message_frame *frames = calloc(count, sizeof *frames);
	uint8_t slot[8] = {1};
	struct bytes piece = {slot, sizeof slot};
	struct trace_slots run = {.frames = frames, .frame_count = count, .pieces = &piece, .piece_count = 1};
	struct reader *reader;
	struct message message;

	for (uint32_t i = 0; i < count; i++)
		frames[i].place = 2 * (uint64_t)i;
	CHECK(trace_writer_slots(writer, &run));
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	reader = make_reader(make_source(path, diag), diag);
	do
		reader_next(reader, &message);
	while (message.kind != MESSAGE_CHECKPOINT && message.kind != MESSAGE_END);
	CHECK_EQ(message.kind, MESSAGE_CHECKPOINT);
	CHECK(message.checkpoint.incomplete);
	CHECK_EQ(message.checkpoint.count, TRACE_WRITER_FRAMES_MAX);
	CHECK_EQ(message.checkpoint.frames[TRACE_WRITER_FRAMES_MAX - 1].place, 2 * (TRACE_WRITER_FRAMES_MAX - 1));
	free_reader(reader);
	free(frames);
	free_diag(diag);
}

/* More streams than anyone has, out of order: sequences and floors stay apart. */
TEST(many_streams)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	uint8_t slot[8] = {1};
	struct bytes piece = {slot, sizeof slot};
	struct found found;

	for (uint32_t i = 0; i < 3000; i++) {
		struct trace_slots run = {.stream = i * 2654435761u % 1000, .pieces = &piece, .piece_count = 1, .last_ticks = i};
		CHECK(trace_writer_slots(writer, &run));
	}
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	found = read_file();
	CHECK_EQ(found.chunks_of_events, 3000);
	CHECK_EQ(found.health.chunks_missing, 0);
	CHECK_EQ(found.status, 0);
	free_diag(diag);
}

TEST(where_no_file_can_be)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();

	CHECK(!make_trace_writer("/no/such/folder/x.dwell", &header, diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	zoo_scratch(path, "writer.dwell");
	RUN(disk_full_at_each_byte);
	RUN(no_memory);
	RUN(disk_full_for_a_while);
	RUN(disk_full_to_the_end);
	RUN(disk_full_has_an_end);
	RUN(room_is_given_back);
	RUN(aside);
	RUN(behind);
	RUN(disk_full_behind);
	RUN(full_behind);
	RUN(dev_full);
	RUN(pipe_that_breaks);
	RUN(strings_without_end);
	RUN(checkpoint_without_end);
	RUN(many_streams);
	RUN(where_no_file_can_be);
	unlink(path);
	return tap_done();
}
