/* Which addresses are the program's own: through fork, exec, libraries in its place, threads that outlive the first one. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "sample/code/own_text.h"

static char self[4096];

static struct perf_record process(enum perf_kind kind, uint32_t pid, uint32_t tid, uint32_t parent_pid)
{
	return (struct perf_record){.kind = kind, .pid = pid, .tid = tid, .parent_pid = parent_pid};
}

static void tell(struct own_text *text, enum perf_kind kind, uint32_t pid, uint32_t parent_pid)
{
	struct perf_record record = process(kind, pid, pid, parent_pid);

	own_text_tell(text, &record);
}

static void map(struct own_text *text, uint32_t pid, uint64_t low, const char *path)
{
	const struct own_segment *segment = text->segments;
	struct perf_record record = {.kind = PERF_MAP, .pid = pid, .tid = pid};

	record.map.low = low;
	record.map.high = low + segment->bytes + segment->offset % 4096;
	record.map.offset = segment->offset - segment->offset % 4096;
	record.map.path = path;
	own_text_tell(text, &record);
}

/* Where the text's first byte is when the file is mapped at low. */
static uint64_t first(const struct own_text *text, uint64_t low)
{
	return low + text->segments->offset % 4096;
}

static void begin(struct own_text *text)
{
	struct diag *diag = make_diag();

	*text = (struct own_text){0};
	CHECK(own_text_read(text, self, diag));
	CHECK_EQ(diag_status(diag), 0);
	CHECK_EQ(text->segment_count, 1);
	own_text_begin(text, 10);
	free_diag(diag);
}

TEST(where_it_is_mapped)
{
	struct own_text text;
	uint64_t low = 0x555555550000;

	begin(&text);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low)), OWN_TEXT_OUTSIDE); /* not yet */
	map(&text, 10, low, self);
	map(&text, 10, 0x7fff00000000, "/bin/sh");
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low)), 0);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low) + 77), 77);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low) + text.segments->bytes - 1), text.segments->bytes - 1);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low) + text.segments->bytes), OWN_TEXT_OUTSIDE);
	CHECK_EQ(own_text_offset(&text, 10, low - 1), OWN_TEXT_OUTSIDE);
	CHECK_EQ(own_text_offset(&text, 10, 0x7fff00000000), OWN_TEXT_OUTSIDE);
	CHECK_EQ(own_text_offset(&text, 11, first(&text, low)), OWN_TEXT_OUTSIDE);
	map(&text, 10, low, "/bin/sh"); /* in its place */
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low)), OWN_TEXT_OUTSIDE);
	own_text_clear(&text);
}

TEST(children_and_other_programs)
{
	struct own_text text;
	uint64_t low = 0x555555550000;

	begin(&text);
	map(&text, 10, low, self);
	tell(&text, PERF_PROCESS, 20, 10);
	tell(&text, PERF_PROCESS, 30, 10);
	CHECK_EQ(own_text_offset(&text, 20, first(&text, low) + 5), 5);
	tell(&text, PERF_EXEC, 20, 0);
	CHECK_EQ(own_text_offset(&text, 20, first(&text, low) + 5), OWN_TEXT_OUTSIDE);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low) + 5), 5);
	map(&text, 20, low + 0x10000, self); /* itself again */
	CHECK_EQ(own_text_offset(&text, 20, first(&text, low + 0x10000) + 5), 5);
	CHECK_EQ(text.process_count, 3);
	tell(&text, PERF_THREAD_END, 10, 0);
	tell(&text, PERF_THREAD_END, 20, 0);
	CHECK_EQ(text.process_count, 1);
	CHECK_EQ(own_text_offset(&text, 30, first(&text, low) + 5), 5);
	own_text_clear(&text);
}

TEST(threads_outlive_the_first)
{
	struct own_text text;
	struct perf_record end = process(PERF_THREAD_END, 10, 10, 0), thread = process(PERF_THREAD, 10, 11, 10);
	uint64_t low = 0x555555550000;

	begin(&text);
	map(&text, 10, low, self);
	own_text_tell(&text, &thread);
	own_text_tell(&text, &end);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low)), 0);
	end.tid = 11;
	own_text_tell(&text, &end);
	CHECK_EQ(own_text_offset(&text, 10, first(&text, low)), OWN_TEXT_OUTSIDE);
	own_text_tell(&text, &end); /* of nobody */
	CHECK_EQ(text.process_count, 0);
	own_text_clear(&text);
}

TEST(no_program)
{
	struct diag *diag = make_diag();
	struct own_text text = {0};

	CHECK(!own_text_read(&text, "/nowhere", diag));
	CHECK(!own_text_read(&text, "/etc/passwd", diag));
	CHECK(!own_text_read(&text, "/", diag));
	CHECK_EQ(diag_status(diag), 2);
	own_text_clear(&text);
	free_diag(diag);
}

int main(void)
{
	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return 1;
	RUN(where_it_is_mapped);
	RUN(children_and_other_programs);
	RUN(threads_outlive_the_first);
	RUN(no_program);
	return tap_done();
}
