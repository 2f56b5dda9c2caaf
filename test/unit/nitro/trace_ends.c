/* Call traces of what is not seen to end: longjmp, recursion deeper than any level was; and dumps without a call. */
#include "trace_shown.h"

/* Dumps without a line say why that may be, unless it is plain. */
TEST(empty_dumps)
{
	OS_InitCallTrace(buffer, 4096, OS_CALLTRACE_STACK);
	CHECK_EQ(dump(), 0);
	CHECK(!strncmp(shown(), HEAD "OS_DumpCallTrace: no call was recorded: functions that the compiler inlined have no PROFILE calls", 130));
	enter("one");
	leave();
	CHECK_EQ(dump(), 0);
	CHECK_STR(shown(), HEAD);
	OS_InitCallTrace(buffer, 4096, OS_CALLTRACE_LOG);
	CHECK_EQ(dump(), 0);
	CHECK(!strncmp(shown(), "OS_DumpCallTrace: no call was recorded: functions that the compiler inlined", 75));
}

/* Calls that longjmp left, at any depth of the buffer and of calls that found no room, end where the program says so. */
TEST(calls_that_were_abandoned)
{
	for (int log = 0; log < 2; log++)
		for (u32 outer = 0; outer < 6; outer++)
			for (u32 inner = 0; inner < 6; inner++) {
				u32 depth;

				OS_SetCallTraceRegisters(0);
				OS_InitCallTrace(
					buffer, OS_CalcCallTraceBufferSize(4), log ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
				for (u32 i = 0; i < outer; i++)
					enter("outer");
				depth = OS_GetProfileDepth();
				CHECK_EQ(depth, outer);
				for (u32 i = 0; i < inner; i++)
					enter("left");
				OS_SetProfileDepth(depth + 20); /* that deep it is not: nothing */
				CHECK_EQ(OS_GetProfileDepth(), outer + inner);
				OS_SetProfileDepth(depth);
				CHECK_EQ(OS_GetProfileDepth(), outer);
				for (u32 i = 0; i < outer; i++)
					leave();
				enter("next");
				CHECK_EQ(OS_GetProfileDepth(), 1);
				CHECK_EQ(dump(), log ? (outer + inner + 1 < 4 ? outer + inner + 1 : 4) : 1);
				CHECK(log || !strncmp(strchr(printed, 10) + 1, "next: lr=", 9));
				CHECK(log || !strchr(strchr(strchr(printed, 10) + 1, 10) + 1, 10));
				leave();
			}
	OS_SetCallTraceRegisters(0xf);
}

/* Deeper than 16 bits count, and back in one go: what is called next is not as deep. */
TEST(a_deep_log)
{
	OS_SetCallTraceRegisters(0);
	OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(3), OS_CALLTRACE_LOG);
	for (uint32_t depth = 30000; depth < 70000; depth += 10000) {
		enter_from("outermost", 0x1000, 0);
		for (uint32_t i = 0; i < depth; i++)
			enter_from("deep", 0x1000, 0);
		for (uint32_t i = 0; i < depth; i++)
			leave();
		enter_from("flat", 0x1000, 0);
		CHECK_EQ(dump(), 3);
		/* As deep as is shown, then the least deep one. */
		CHECK(!strncmp(printed, "flat: lr=", 9));
		CHECK_EQ(strspn(strchr(printed, 10) + 1, " "), 128);
		leave();
		leave();
	}
	OS_SetCallTraceRegisters(0xf);
}

int main(void)
{
	RUN(empty_dumps);
	RUN(calls_that_were_abandoned);
	RUN(a_deep_log);
	return tap_done();
}
