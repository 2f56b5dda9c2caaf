/* SPDX-License-Identifier: MIT
 *
 * The switch of threads, where no assembly does it: what passes until a thread comes back was not its own. */
#include "face/nitro/face.h"
#include "recorder/lines/cost.h"

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
