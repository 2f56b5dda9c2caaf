/* Sources: what a file, a pipe and memory have in common, and how they differ. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "io/source.h"

static char path[256];
static uint8_t content[10000];

static void make_file(void)
{
	const char *folder = getenv("TMPDIR");
	FILE *file;

	snprintf(path, sizeof path, "%s/dwell-source-%d", folder ? folder : "/tmp", (int)getpid());
	for (size_t i = 0; i < sizeof content; i++)
		content[i] = (uint8_t)(i * 7 + i / 256);
	file = fopen(path, "wb");
	if (!file || fwrite(content, 1, sizeof content, file) != sizeof content || fclose(file))
		exit(1);
}

/* Peeks, reads all in odd steps, and compares. */
static void read_through(struct source *source)
{
	static uint8_t buffer[sizeof content + 100];
	uint8_t peek[5000];
	size_t got = 0, part;

	CHECK_EQ(source_peek(source, peek, 10), 10);
	CHECK_EQ(source_peek(source, peek, sizeof peek), 4096);
	CHECK(!memcmp(peek, content, 4096));
	for (size_t step = 1; (part = source_read(source, buffer + got, step)) > 0; step = step * 3 + 1) {
		got += part;
		if (step > sizeof buffer - got)
			step = (sizeof buffer - got - 1) / 3;
	}
	CHECK_EQ(got, sizeof content);
	CHECK(!memcmp(buffer, content, sizeof content));
}

TEST(file)
{
	struct diag *diag = make_diag();
	struct source *source = make_source(path, diag);
	uint8_t buffer[64];

	CHECK(source_is_seekable(source));
	CHECK_EQ(source_size(source), sizeof content);
	CHECK_STR(source_name(source), path);
	read_through(source);
	CHECK_EQ(source_read_at(source, 9990, buffer, 64), 10);
	CHECK(!memcmp(buffer, content + 9990, 10));
	CHECK_EQ(source_read_at(source, UINT64_MAX, buffer, 64), 0);
	CHECK_EQ(source_read_at(source, sizeof content, buffer, 64), 0);
	CHECK(source_rewind(source));
	CHECK(source_skip(source, 5000));
	CHECK_EQ(source_read(source, buffer, 1), 1);
	CHECK_EQ(buffer[0], content[5000]);
	CHECK(!source_skip(source, UINT64_MAX));
	CHECK(source_rewind(source));
	read_through(source);
	CHECK_EQ(diag_status(diag), 0);
	free_source(source);
	free_diag(diag);
}

TEST(memory)
{
	struct diag *diag = make_diag();
	struct source *source = make_source_memory("memory", content, sizeof content, diag);

	CHECK(source_is_seekable(source));
	CHECK_EQ(source_size(source), sizeof content);
	read_through(source);
	CHECK(source_rewind(source));
	read_through(source);
	free_source(source);
	free_diag(diag);
}

/* Standard input is a pipe that gives its bytes in pieces. */
TEST(pipe_on_standard_input)
{
	struct diag *diag = make_diag();
	struct source *source;
	int ends[2], old = dup(0);
	uint8_t byte;

	CHECK(!pipe(ends));
	for (size_t at = 0; at < sizeof content; at += 1000)
		CHECK_EQ(write(ends[1], content + at, 1000), 1000);
	close(ends[1]);
	dup2(ends[0], 0);
	close(ends[0]);
	source = make_source("-", diag);
	CHECK(source && !source_is_seekable(source));
	CHECK_EQ(source_size(source), UINT64_MAX);
	CHECK_STR(source_name(source), "standard input");
	read_through(source);
	CHECK(!source_rewind(source));
	CHECK_EQ(source_read_at(source, 0, &byte, 1), 0);
	CHECK_EQ(diag_status(diag), 0);
	free_source(source);
	dup2(old, 0);
	close(old);
	free_diag(diag);
}

/* `dwell report - < file`, where someone has read the beginning already: offsets are from there. */
TEST(file_on_standard_input)
{
	struct diag *diag = make_diag();
	struct source *source;
	int fd = open(path, O_RDONLY), old = dup(0);
	uint8_t byte;

	CHECK_EQ(lseek(fd, 100, SEEK_SET), 100);
	dup2(fd, 0);
	close(fd);
	source = make_source("-", diag);
	CHECK(source_is_seekable(source));
	CHECK_EQ(source_size(source), sizeof content - 100);
	CHECK_EQ(source_read(source, &byte, 1), 1);
	CHECK_EQ(byte, content[100]);
	CHECK_EQ(source_read_at(source, 0, &byte, 1), 1);
	CHECK_EQ(byte, content[100]);
	free_source(source);
	dup2(old, 0);
	close(old);
	free_diag(diag);
}

TEST(what_cannot_be_opened)
{
	struct diag *diag = make_diag();

	CHECK(!make_source("/no/such/file", diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
	diag = make_diag();
	CHECK(!make_source("/", diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
	diag = make_diag();
	CHECK(!make_source("", diag));
	CHECK_EQ(diag_status(diag), 2);
	free_diag(diag);
}

/* A file that became shorter after it was opened gives what there is. */
TEST(file_that_shrinks)
{
	struct diag *diag = make_diag();
	struct source *source = make_source(path, diag);
	static uint8_t buffer[sizeof content];

	CHECK(!truncate(path, 5000));
	CHECK_EQ(source_read(source, buffer, sizeof buffer), 5000);
	CHECK_EQ(source_read(source, buffer, sizeof buffer), 0);
	free_source(source);
	free_diag(diag);
}

/* A thing that says nothing, and takes no room on the disk, is not read for hours. */
TEST(holes)
{
	const uint64_t size = UINT64_C(1) << 40, far = size - 4096;
	struct diag *diag = make_diag();
	struct source *source;
	uint8_t buffer[4096];
	uint64_t got = 0;
	int fd;

	make_file();
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (ftruncate(fd, (off_t)size) || pwrite(fd, "end", 3, (off_t)far) != 3) {
		printf("# no file of 1 TiB here\n");
	} else {
		source = make_source(path, diag);
		for (size_t part; (part = source_read(source, buffer, sizeof buffer)) > 0;)
			got += part;
		CHECK(got >= sizeof content && got < 2 * sizeof content + 65536);
		CHECK_EQ(diag_status(diag), 1);
		CHECK_EQ(source_find_data(source, 10), 10);
		CHECK(source_find_data(source, got + 4096) > far - 65536 && source_find_data(source, got + 4096) <= far);
		CHECK_EQ(source_find_data(source, far + 3), far + 3);
		CHECK_EQ(source_read_at(source, far, buffer, 4), 4);
		CHECK(!memcmp(buffer, "end", 4));
		CHECK_EQ(source_size(source), size);
		CHECK(source_rewind(source) && source_read(source, buffer, 10) == 10 && !memcmp(buffer, content, 10));
		free_source(source);
	}
	close(fd);
	unlink(path);
	free_diag(diag);
}

int main(void)
{
	make_file();
	RUN(file);
	RUN(memory);
	RUN(pipe_on_standard_input);
	RUN(file_on_standard_input);
	RUN(what_cannot_be_opened);
	RUN(file_that_shrinks);
	unlink(path);
	RUN(holes);
	return tap_done();
}
