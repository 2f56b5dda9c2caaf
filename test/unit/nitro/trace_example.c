/* The examples of call traces in FORMAT.md are what the recorder writes. */
#include "example.h"
#include "classic/target/recorder/lines/trace.h"

#define AREA_THERE 0x02100000u

static _Alignas(8) unsigned char memory[4096];

static void enter(struct lines_trace *trace, uint32_t name, uint32_t lr, uint32_t r0)
{
	const lines_word arguments[TRACE_REGISTERS] = {r0, 0x80, 0x80, 0x2000001f};

	dwell_trace_enter(trace, name, lr, arguments);
}

static void check_trace(const struct lines_trace *trace, uint32_t lines, const char *name)
{
	struct example example;

	put_head(&example, trace, trace->begin, AREA_THERE, LINES_HEAD_BYTES + 4 * LINES_TRACE_WORDS);
	put_word(&example, trace->stride / 2);
	put_address(&example, trace->floor);
	put_address(&example, trace->cursor);
	put_address(&example, trace->limit);
	put32(&example, (uint32_t)(example.begin_there + (trace->levels - trace->begin) / 2 + (trace->level_at - trace->levels)));
	put_word(&example, trace->level);
	put_address(&example, trace->log_limit);
	put_address(&example, trace->begin);
	put_address(&example, trace->end);
	put_address(&example, trace->levels);
	put_word(&example, trace->state);
	put_word(&example, trace->unwritten);
	put_word(&example, trace->wraps);
	put_word(&example, trace->missed);
	put_word(&example, trace->early);
	put_word(&example, trace->busy);
	put_word(&example, trace->in_use);
	put_address(&example, trace->base);
	for (lines_word at = trace->begin; at < trace->end; at += sizeof(lines_word))
		put_word(&example, *(lines_word *)at);
	for (uint32_t i = 0; i < lines; i++) {
		put32(&example, ((uint32_t *)trace->levels)[i]);
	}
	check_example(&example, name);
}

static struct lines_trace *make(uint32_t kind, uint32_t registers, uint32_t lines)
{
	return dwell_trace_make(memory, (uint32_t)sizeof(struct lines_trace) + lines * dwell_trace_room(registers) + 7, kind,
		registers, registers == 0xf);
}

/* Three calls where there is room for two. */
TEST(stack)
{
	struct lines_trace *trace = make(LINES_KIND_STACK, 0xf, 2);

	dwell_trace_exit(trace);
	enter(trace, 0x02010040, 0x02004254, 0x100);
	enter(trace, 0x02010080, 0x020043c4, 0x101);
	enter(trace, 0x020100c0, 0x02004390, 0x103);
	check_trace(trace, 2, "lines-stack");
}

/* Three calls, each from the one before, and then one more, in place of the first line. */
TEST(log_of_calls)
{
	struct lines_trace *trace = make(LINES_KIND_LOG, 1, 3);

	enter(trace, 0x02010040, 0x0200423c, 0x100);
	enter(trace, 0x02010080, 0x020043d4, 0x101);
	enter(trace, 0x020100c0, 0x020043a0, 0x103);
	for (int i = 0; i < 3; i++)
		dwell_trace_exit(trace);
	enter(trace, 0x02010040, 0x02004244, 0x200);
	check_trace(trace, 3, "lines-log");
}

int main(void)
{
	RUN(stack);
	RUN(log_of_calls);
	return tap_done();
}
