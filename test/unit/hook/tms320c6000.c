/* hook.c as it is compiled for a C6000 (classic/mk/hook-libs.mk: C of 1989, 16 records), on a processor that is made up: its
 * time-stamp counter latches the high half, and interrupts come wherever they are not disabled. */
#include "check.h"
#include "classic/core/hook_records.h"

#define MAX_PROFILE_RECORD_NUM 16
#include "hook.h"
#include "standin/c6x.h"
#undef TSCL /* fields of a record here */
#undef TSCH

static uint64_t counter, read_at; /* and what it was when TSCL was read */
static unsigned latched, tscl, disabled, looked_enabled, handled;
static bool interrupts, counting, inside;

static void entry_at(unsigned function)
{
	entry_hook((void (*)(void))(uintptr_t)function);
}

static void exit_at(unsigned function)
{
	exit_hook((void (*)(void))(uintptr_t)function);
}

static void entry_circular_at(unsigned function)
{
	entry_hook_circular((void (*)(void))(uintptr_t)function);
}

/* A handler with hooks, and a task switch in it, wherever one may come. */
static void may_interrupt(void)
{
	if (!interrupts || disabled || inside)
		return;
	inside = true;
	handled++;
	entry_at(0x9000);
	exit_at(0x9000);
	inside = false;
}

unsigned int *standin_tscl(void)
{
	counter += 0x7fffffffu; /* the halves of two looks seldom fit */
	tscl = (unsigned)counter;
	read_at = counter;
	latched = (unsigned)(counter >> 32);
	looked_enabled += counting && !disabled;
	may_interrupt();
	return &tscl;
}

unsigned int standin_tsch(void)
{
	counter += 0x7fffffffu;
	looked_enabled += !disabled;
	return latched;
}

unsigned int _disable_interrupts(void)
{
	unsigned before = disabled;

	may_interrupt();
	disabled = 1;
	return before;
}

void _restore_interrupts(unsigned int before)
{
	disabled = before;
	may_interrupt();
}

static uint64_t time_of(unsigned record)
{
	return (uint64_t)ProfileData[record].TSCH << 32 | ProfileData[record].TSCL;
}

static void begin(void)
{
	interrupts = counting = false;
	hook_init();
	counting = true;
	looked_enabled = 0;
}

static bool is_unwritten(unsigned record)
{
	return ProfileData[record].address_type == HOOK_RECORD_INVALID && ProfileData[record].TSCL == HOOK_RECORD_INVALID &&
	       ProfileData[record].TSCH == HOOK_RECORD_INVALID;
}

TEST(nothing_before_init)
{
	CHECK_EQ(uiProfileDataCnt, 0xffffffff);
	entry_at(0x1000);
	exit_at(0x1000);
	task_switch_hook(4, 8);
	entry_circular_at(0x1000);
	exit_hook_circular((void (*)(void))0x1000);
	task_switch_hook_circular(4, 8);
	hook_tick();
	CHECK_EQ(uiProfileDataCnt, 0xffffffff);
	CHECK_EQ(ProfileData[0].address_type, 0);
}

TEST(documented_records)
{
	begin();
	CHECK_EQ(uiProfileDataCnt, 0);
	for (unsigned i = 0; i < MAX_PROFILE_RECORD_NUM; i++)
		CHECK(is_unwritten(i));
	entry_at(0x0c000e8c);
	exit_at(0x0c000e8c);
	task_switch_hook(0, 0x00804c10);
	CHECK_EQ(uiProfileDataCnt, 4);
	CHECK_EQ(ProfileData[0].address_type, 0x0c000e8c);
	CHECK_EQ(ProfileData[1].address_type, 0x0c000e8d);
	CHECK_EQ(ProfileData[2].address_type, 0x00000003);
	CHECK_EQ(ProfileData[3].address_type, 0x00804c12);
	CHECK_EQ(time_of(3), time_of(2));
	CHECK_EQ(looked_enabled, 0);
	/* The names that TI's compiler has by itself. */
	__entry_hook((void (*)(void))0x2000);
	__exit_hook((void (*)(void))0x2000);
	CHECK_EQ(ProfileData[4].address_type, 0x2000);
	CHECK_EQ(ProfileData[5].address_type, 0x2001);
}

/* Both halves are of one moment. */
TEST(halves_belong_together)
{
	begin();
	for (unsigned i = 0; i < 12; i++) {
		entry_at(0x1000);
		CHECK_EQ(time_of(i), read_at);
	}
	task_switch_hook(0, 4);
	CHECK_EQ(time_of(13), read_at);
	task_switch_hook_circular(0, 4);
	CHECK_EQ(time_of(15), read_at);
}

/* Whatever comes last: a record, or half a switch. */
TEST(full_at_each_event)
{
	for (unsigned full_at = 0; full_at < MAX_PROFILE_RECORD_NUM + 3; full_at++) {
		Hook_Record before[MAX_PROFILE_RECORD_NUM];
		unsigned kept;

		begin();
		for (unsigned i = 0; i < full_at; i++)
			(i % 2 ? exit_at : entry_at)(0x1000 + 16 * i);
		kept = full_at < MAX_PROFILE_RECORD_NUM ? full_at : MAX_PROFILE_RECORD_NUM;
		CHECK_EQ(uiProfileDataCnt, kept);
		memcpy(before, ProfileData, sizeof before);
		task_switch_hook(0x40, 0x80);
		CHECK(!memcmp(before, ProfileData, kept * sizeof *before));
		if (kept < MAX_PROFILE_RECORD_NUM)
			CHECK_EQ(ProfileData[kept].address_type, 0x43);
		if (kept + 1 < MAX_PROFILE_RECORD_NUM)
			CHECK_EQ(ProfileData[kept + 1].address_type, 0x82);
		kept = kept + 2 < MAX_PROFILE_RECORD_NUM ? kept + 2 : MAX_PROFILE_RECORD_NUM;
		CHECK_EQ(uiProfileDataCnt, kept);
	}
}

TEST(circles_keep_the_end)
{
	begin();
	for (unsigned i = 0; i < 5 * MAX_PROFILE_RECORD_NUM + 7; i++) {
		entry_circular_at(0x1000 + 4 * i);
		CHECK_EQ(uiProfileDataCnt, i + 1);
		CHECK_EQ(ProfileData[i % MAX_PROFILE_RECORD_NUM].address_type, 0x1000 + 4 * i);
	}
	/* A switch around the end. */
	begin();
	for (unsigned i = 0; i < MAX_PROFILE_RECORD_NUM - 1; i++)
		entry_circular_at(0x1000);
	task_switch_hook_circular(0x40, 0x80);
	CHECK_EQ(uiProfileDataCnt, MAX_PROFILE_RECORD_NUM + 1);
	CHECK_EQ(ProfileData[MAX_PROFILE_RECORD_NUM - 1].address_type, 0x43);
	CHECK_EQ(ProfileData[0].address_type, 0x82);
	CHECK_EQ(time_of(0), time_of(MAX_PROFILE_RECORD_NUM - 1));
}

/* Behind 2^32 records the count goes on: never off, never small, at the right place. */
TEST(count_is_never_off)
{
	for (unsigned start = 0xfffffff0u; start < 0xffffffffu; start++)
		for (unsigned by_two = 0; by_two < 2; by_two++) {
			begin();
			uiProfileDataCnt = start;
			for (unsigned i = 0; i < 40; i++) {
				unsigned at = (start + i * (1 + by_two)) % MAX_PROFILE_RECORD_NUM;

				if (by_two)
					task_switch_hook_circular(0x40, 0x1000 + 4 * i);
				else
					entry_circular_at(0x1000 + 4 * i);
				CHECK(uiProfileDataCnt > MAX_PROFILE_RECORD_NUM && uiProfileDataCnt != 0xffffffffu);
				CHECK_EQ(uiProfileDataCnt % MAX_PROFILE_RECORD_NUM, (at + 1 + by_two) % MAX_PROFILE_RECORD_NUM);
				CHECK_EQ(ProfileData[(at + by_two) % MAX_PROFILE_RECORD_NUM].address_type,
					0x1000 + 4 * i + 2 * by_two);
			}
		}
}

TEST(control_area)
{
	extern struct {
		uint32_t magic, what;
		uintptr_t word[HOOK_WORDS];
	} dwell_hook_control;

	begin();
	entry_at(0x1000);
	CHECK_EQ(dwell_hook_control.magic, HOOK_MAGIC);
	CHECK_EQ(dwell_hook_control.what, HOOK_WHAT(HOOK_PLACE_ADDRESS, sizeof(uintptr_t)));
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_SELF], (uintptr_t)&dwell_hook_control);
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_RECORDS], (uintptr_t)ProfileData);
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_CAPACITY], MAX_PROFILE_RECORD_NUM);
	CHECK_EQ(*(unsigned *)dwell_hook_control.word[HOOK_WORD_COUNT_AT], 1);
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_STATE], 0);
}

/* Handlers with hooks wherever they may come: each record is whole, in the order of time, and none is missing. */
TEST(interrupted)
{
	begin();
	interrupts = true;
	entry_at(0x1000);
	task_switch_hook(0x40, 0x80);
	exit_at(0x1000);
	interrupts = false;
	CHECK_EQ(looked_enabled, 0);
	CHECK(handled >= 6);
	CHECK_EQ(uiProfileDataCnt, handled * 2 + 4);
	for (unsigned i = 1; i < uiProfileDataCnt; i++)
		CHECK(time_of(i) >= time_of(i - 1));
	CHECK_EQ(ProfileData[0].address_type, 0x9000);
	for (unsigned i = 0; i + 1 < uiProfileDataCnt; i++) {
		if ((ProfileData[i].address_type & 3) == HOOK_TYPE_TASK_EXIT)
			CHECK_EQ(ProfileData[i + 1].address_type, 0x82);
		if (ProfileData[i].address_type == 0x9000)
			CHECK_EQ(ProfileData[i + 1].address_type, 0x9001);
	}
}

TEST(restart)
{
	begin();
	for (unsigned i = 0; i < 10; i++)
		entry_at(0x1000);
	interrupts = true;
	handled = 0;
	hook_init();
	interrupts = false;
	/* What handlers recorded before it was done is forgotten; behind it, counted from 0. */
	CHECK_EQ(uiProfileDataCnt, 2);
	for (unsigned i = uiProfileDataCnt; i < MAX_PROFILE_RECORD_NUM; i++)
		CHECK(is_unwritten(i));
}

int main(void)
{
	RUN(nothing_before_init);
	RUN(documented_records);
	RUN(halves_belong_together);
	RUN(full_at_each_event);
	RUN(circles_keep_the_end);
	RUN(count_is_never_off);
	RUN(control_area);
	RUN(interrupted);
	RUN(restart);
	return tap_done();
}
