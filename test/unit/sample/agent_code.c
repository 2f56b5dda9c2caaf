/* What the agent says of its code, in this process's own memory: found, with tables by which its callers are found; and all kinds
 * of nonsense. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "sample/code/agent_code.h"
#include "target/port/os/linux/plan.h"
#include "unwind/file.h"
#include "unwind/rule.h"
#include "util/bytes.h"

#define PAGE 4096u
#define PAGES 4u

static uint8_t *room(void)
{
	void *pages = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(pages != MAP_FAILED);
	return pages;
}

static void mark(uint8_t *page, uint64_t bytes, uint64_t frames, uint64_t frames_bytes)
{
	const struct dwell_mapped mapped = {DWELL_MAPPED_MAGIC, bytes, frames, frames_bytes};

	memcpy(page + DWELL_MAPPED_AT, &mapped, sizeof mapped);
}

static bool find(const uint8_t *pages, struct agent_code *code)
{
	uint64_t at = (uint64_t)pages;

	return agent_code_next((uint32_t)getpid(), &at, (uint64_t)pages + (uint64_t)PAGES * PAGE, code);
}

static bool finds_nothing(const uint8_t *pages)
{
	struct agent_code code;

	if (!find(pages, &code))
		return true;
	close(code.file);
	return false;
}

/* Of the code's byte at an address. */
static bool has_rule(const struct agent_code *code, uint64_t address)
{
	char path[32];
	struct unwind_file *file;
	bool has;

	snprintf(path, sizeof path, "/proc/self/fd/%d", code->file);
	file = make_unwind_file(path, NULL);
	has = file && unwind_file_rule(file, address);
	free_unwind_file(file);
	return has;
}

TEST(without_tables_the_return_address_is_on_top)
{
	uint8_t *pages = room();
	struct agent_code code;
	uint64_t at = (uint64_t)pages;

	mark(pages + PAGE, 2 * PAGE, 0, 0);
	if (CHECK(find(pages, &code))) {
		CHECK_EQ(code.low, (uint64_t)pages + PAGE);
		CHECK_EQ(code.high, (uint64_t)pages + 3 * PAGE);
		CHECK(has_rule(&code, 0) && has_rule(&code, 2 * PAGE - 1));
		CHECK(!has_rule(&code, 2 * PAGE));
		close(code.file);
	}
	/* There is no second one. */
	CHECK(agent_code_next((uint32_t)getpid(), &at, code.high, &code));
	close(code.file);
	CHECK(!agent_code_next((uint32_t)getpid(), &at, (uint64_t)pages + (uint64_t)PAGES * PAGE, &code));
	munmap(pages, (size_t)PAGES * PAGE);
}

/* An index that leads to a section with one entry: of 64 bytes of code from 2 * PAGE on. */
static void put_tables(uint8_t *at, uint64_t offset)
{
	static const uint8_t section[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0, //
		16, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

	memcpy(at, "\1\33\3\73", 4);
	put_u32(at + 4, 12);
	memcpy(at + 16, section, sizeof section);
	put_u32(at + 16 + 32, (uint32_t)(2 * PAGE - (offset + 16 + 32)));
}

TEST(with_tables_what_they_say)
{
	uint8_t *pages = room();
	struct agent_code code;

	mark(pages, PAGES * PAGE, 3 * PAGE, 16 + 48);
	put_tables(pages + 3 * PAGE, 3 * PAGE);
	if (CHECK(find(pages, &code))) {
		CHECK(has_rule(&code, 2 * PAGE) && has_rule(&code, 2 * PAGE + 63));
		CHECK(!has_rule(&code, 2 * PAGE - 1) && !has_rule(&code, 2 * PAGE + 64));
		close(code.file);
	}
	munmap(pages, (size_t)PAGES * PAGE);
}

TEST(nonsense)
{
	static const struct {
		uint64_t bytes, frames, frames_bytes;
	} marks[] = {{0, 0, 0}, {PAGE - 1, 0, 0}, {UINT64_MAX, 0, 0}, {UINT64_C(1) << 40, 0, 0},
		{PAGES * PAGE, PAGES * PAGE + 1, 64}, {PAGES * PAGE, 3 * PAGE, PAGE + 1}, {PAGES * PAGE, 3 * PAGE, 7},
		{PAGES * PAGE, UINT64_MAX - 8, 64}, {PAGES * PAGE, 64, UINT64_MAX}};
	static const uint32_t sections[] = {0x7fffffff, 0x80000000, 61, (uint32_t)-5};
	uint8_t *pages = room();
	struct agent_code code;
	bool found;

	CHECK(finds_nothing(pages));
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		mark(pages, marks[i].bytes, marks[i].frames, marks[i].frames_bytes);
		put_tables(pages + 3 * PAGE, 3 * PAGE);
		CHECK(finds_nothing(pages));
	}
	/* An index that leads elsewhere; and tables of any bytes are read, and mean what they mean. */
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		mark(pages, PAGES * PAGE, 3 * PAGE, 64);
		put_u32(pages + 3 * PAGE + 4, sections[i]);
		CHECK(finds_nothing(pages));
	}
	for (uint32_t byte = 16; byte < 64; byte++) {
		mark(pages, PAGES * PAGE, 3 * PAGE, 64);
		put_tables(pages + 3 * PAGE, 3 * PAGE);
		pages[3 * PAGE + byte] ^= 0xff;
		found = find(pages, &code);
		CHECK(found);
		has_rule(&code, 2 * PAGE);
		if (found)
			close(code.file);
	}
	/* Beyond what is mapped. */
	munmap(pages, (size_t)PAGES * PAGE);
	CHECK(finds_nothing(pages));
}

TEST(which_file_is_the_agent)
{
	CHECK(agent_code_is_agent("/usr/lib/x86_64-linux-gnu/libdwell.so.1"));
	CHECK(agent_code_is_agent("/opt/libdwell.so"));
	CHECK(!agent_code_is_agent("/opt/libdwell-timer.so"));
	CHECK(!agent_code_is_agent("libdwell.so"));
	CHECK(!agent_code_is_agent("/opt/libdwell.so/program"));
}

int main(void)
{
	RUN(without_tables_the_return_address_is_on_top);
	RUN(with_tables_what_they_say);
	RUN(nonsense);
	RUN(which_file_is_the_agent);
	return tap_done();
}
