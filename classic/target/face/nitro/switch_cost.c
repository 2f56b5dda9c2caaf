/* SPDX-License-Identifier: MIT
 *
 * The switch of threads, for machines without one in assembly: the time until a thread comes back counts as away. */
#include "classic/target/face/nitro/face.h"
#include "classic/target/recorder/lines/cost.h"

void *OS_SwitchProfile(void *profile)
{
	struct lines_cost *before = nitro_port_get_cost(), *next = profile;

	if (before)
		before->left = nitro_port_line_tick(before);
	nitro_port_set_cost(next);
	if (next)
		dwell_cost_away(next, (lines_word)OS_GetTick() - next->left);
	return before;
}
