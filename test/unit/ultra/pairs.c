/* Counters of a processor that can exchange words only, two at a time (classic/target/port/ultra/bare/counter.h): interrupted at
 * each instruction. */
#include "check.h"
#include "stepped.h"

#undef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_2
#include "counter.h"

static _Alignas(4) volatile uint16_t counters[4];
static unsigned at, hit;

static void take(void)
{
	uint16_t was;

	do
		was = counters[at];
	while (!port_counter_exchange(&counters[at], was, (uint16_t)(was - 70)));
}

static void count(void)
{
	port_counter_raise(&counters[hit], counters[hit]);
}

TEST(taken)
{
	for (at = 0; at < 4; at++) {
		for (int i = 0; i < 4; i++)
			counters[i] = 0xff00;
		take();
		for (unsigned i = 0; i < 4; i++)
			CHECK_EQ(counters[i], 0xff00 - (i == at ? 70 : 0));
		CHECK(!port_counter_exchange(&counters[at], 1, 2));
	}
}

#ifdef __x86_64__
/* The counter itself, its neighbour, and others. */
TEST(interrupted_everywhere)
{
	uint32_t points = 0;

	for (at = 0; at < 4; at++)
		for (hit = 0; hit < 4; hit++)
			for (int32_t point = 0, more = 1; more; point++, points++) {
				for (int i = 0; i < 4; i++)
					counters[i] = 100;
				more = stepped(take, count, point);
				for (unsigned i = 0; i < 4; i++)
					CHECK_EQ(counters[i], 100 + (more && i == hit) - (i == at ? 70 : 0));
			}
	CHECK(points > 16 * 15);
}
#endif

int main(void)
{
	RUN(taken);
#ifdef __x86_64__
	RUN(interrupted_everywhere);
#endif
	return tap_done();
}
