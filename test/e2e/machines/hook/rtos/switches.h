/* Whether a switch was recorded. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include <stdint.h>

static int wrong;

static inline void is_switch(int number, const volatile void *from, const volatile void *to)
{
	const Hook_Record *record = &ProfileData[2 * number];

	wrong += record[0].address_type != (((uint32_t)(uintptr_t)from & ~3u) | HOOK_TYPE_TASK_EXIT) ||
		 record[1].address_type != (((uint32_t)(uintptr_t)to & ~3u) | HOOK_TYPE_TASK_ENTRY) ||
		 record[0].TSCL != record[1].TSCL;
}

/* Switches until the buffer has come round. False: the switches stopped at its end, as linear ones do. */
static inline int come_round(void (*switch_to)(int))
{
	unsigned before = uiProfileDataCnt;

	for (int i = 0; i < MAX_PROFILE_RECORD_NUM; i++)
		switch_to(i % 2);
	return uiProfileDataCnt - before == 2u * MAX_PROFILE_RECORD_NUM;
}

#endif
