/* The ends of the buffer and of the count, as test/unit/hook/tms320c6000.c tries them of the hooks in C: full at each event, in
 * circles, behind 2^32 records, nothing before init. Prints what was wrong first. */
#include "board.h"
#include "classic/core/hook_records.h"
#include "hook.h"

static uint32_t wrong, checks;

static void check(int right, uint32_t line)
{
	checks++;
	if (!right && ++wrong == 1)
		board_print_number("line ", line);
}

#define CHECK(condition) check(condition, __LINE__)
#define FUNCTION(n) ((void (*)(void))(uintptr_t)(0x1000 + 16 * (n)))

static uint32_t first_of(uint32_t record)
{
	return ProfileData[record % MAX_PROFILE_RECORD_NUM].address_type;
}

static void before_init(void)
{
	entry_hook(FUNCTION(1));
	exit_hook_circular(FUNCTION(1));
	task_switch_hook(0x40, 0x80);
	task_switch_hook_circular(0x40, 0x80);
	CHECK(uiProfileDataCnt == 0xffffffff);
	CHECK(first_of(0) == 0);
}

static void full(void)
{
	for (uint32_t full_at = 0; full_at < MAX_PROFILE_RECORD_NUM + 3; full_at++) {
		uint32_t count = 0;

		hook_init();
		for (uint32_t i = 0; i < full_at; i++)
			(i % 2 ? exit_hook : entry_hook)(FUNCTION(i));
		for (; count < full_at && count < MAX_PROFILE_RECORD_NUM; count++)
			CHECK(first_of(count) == 0x1000 + 16 * count + count % 2);
		CHECK(uiProfileDataCnt == count);
		task_switch_hook(0x41, 0x83); /* low bits are no part of a handle */
		if (count < MAX_PROFILE_RECORD_NUM)
			CHECK(first_of(count++) == 0x43);
		if (count < MAX_PROFILE_RECORD_NUM)
			CHECK(first_of(count++) == 0x82);
		CHECK(uiProfileDataCnt == count);
		for (; count < MAX_PROFILE_RECORD_NUM; count++)
			CHECK(first_of(count) == 0xffffffff);
		CHECK(first_of(0) == (full_at ? 0x1000 : 0x43));
	}
}

static void circles(uint32_t start, uint32_t rounds)
{
	uint32_t count = start;

	hook_init();
	uiProfileDataCnt = start;
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t place = count % MAX_PROFILE_RECORD_NUM;

		switch (i % 3) {
		case 0:
			entry_hook_circular(FUNCTION(i));
			CHECK(first_of(place) == 0x1000 + 16 * i);
			break;
		case 1:
			exit_hook_circular(FUNCTION(i));
			CHECK(first_of(place) == 0x1000 + 16 * i + 1);
			break;
		default:
			task_switch_hook_circular(0x40, 0x80 + 16 * i);
			CHECK(first_of(place) == 0x43 && first_of(place + 1) == 0x82 + 16 * i);
			CHECK(ProfileData[place].TSCL == ProfileData[(place + 1) % MAX_PROFILE_RECORD_NUM].TSCL);
			count++;
		}
		count++;
		CHECK(uiProfileDataCnt % MAX_PROFILE_RECORD_NUM == count % MAX_PROFILE_RECORD_NUM);
		CHECK(uiProfileDataCnt != 0xffffffff);
		if (start)
			CHECK(uiProfileDataCnt > MAX_PROFILE_RECORD_NUM);
		else
			CHECK(uiProfileDataCnt == count);
	}
}

int main(void)
{
	before_init();
	full();
	circles(0, 100);
	for (uint32_t start = 0xffffffd0u; start != 0xffffffffu; start++)
		circles(start, 60);
	/* By whatever name a compiler calls them. */
	hook_init();
	__entry_hook(FUNCTION(0));
	__exit_hook(FUNCTION(0));
	CHECK(first_of(0) == 0x1000 && first_of(1) == 0x1001);
	board_print_number("wrong ", wrong);
	board_print_number("checks ", checks);
	return wrong != 0 || checks < 10000;
}
