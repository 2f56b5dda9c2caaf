/* off_cpu_sections: sums of time off the CPU by function, for the present section of the pairing. */
#include "model/thread/off_cpu_sections.h"

#include <string.h>

#include "util/array.h"

/* The sum of the function, zeroed if it is of an earlier section. Null: no memory. */
static struct off_cpu_section *section_of(struct stack *stack, uint32_t function)
{
	struct off_cpu *off = &stack->off_cpu;
	struct off_cpu_section *section;

	if (function >= off->section_count) {
		size_t count = (size_t)function + 1;

		if (!array_reserve(&off->sections, &off->section_capacity, count, sizeof *off->sections))
			return NULL;
		memset(off->sections + off->section_count, 0, (count - off->section_count) * sizeof *off->sections);
		off->section_count = count;
	}
	section = &off->sections[function];
	if (section->number != stack->section)
		*section = (struct off_cpu_section){.number = stack->section};
	return section;
}

void off_cpu_take_section_total(struct stack *stack, uint32_t function, struct off_cpu_ticks *from)
{
	struct off_cpu_section *section = section_of(stack, function);

	if (!section)
		return;
	profile_subtract_off_cpu(from, &section->total);
	section->total = (struct off_cpu_ticks){0};
}

void off_cpu_add_section_total(struct stack *stack, uint32_t function, const struct off_cpu_ticks *total)
{
	struct off_cpu_section *section = section_of(stack, function);

	if (section) /* no memory: a call without a begin may count this time twice */
		profile_add_off_cpu(&section->total, total);
}
