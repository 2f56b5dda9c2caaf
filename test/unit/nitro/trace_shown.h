/* What a dump of call traces shows. */
#ifndef DWELL_TEST_NITRO_TRACE_SHOWN_H
#define DWELL_TEST_NITRO_TRACE_SHOWN_H

#include "hooked.h"

static _Alignas(16) unsigned char buffer[1 << 16];

static inline u32 dump(void)
{
	print_nothing();
	return OS_DumpCallTrace();
}

/* What was printed, with the head line's lr, which is where the test calls it, as dots. */
static inline const char *shown(void)
{
	static const char head[] = "OS_DumpCallTrace: lr=";

	if (!strncmp(printed, head, sizeof head - 1))
		for (char *at = printed + sizeof head - 1; *at && *at != '\n'; at++)
			*at = '.';
	return printed;
}

#define HEAD "OS_DumpCallTrace: lr=................\n"

#endif
