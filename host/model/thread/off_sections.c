/* off_sections: see off_sections.h. */
#include "model/thread/off_sections.h"

#include <string.h>

#include "util/array.h"

static struct off_section *section_of(struct thread *thread, uint32_t function)
{
	struct off *off = &thread->off;
	struct off_section *section;

	if (function >= off->section_count) {
		size_t count = (size_t)function + 1;

		if (!array_reserve(&off->sections, &off->section_capacity, count, sizeof *off->sections))
			return NULL;
		memset(off->sections + off->section_count, 0, (count - off->section_count) * sizeof *off->sections);
		off->section_count = count;
	}
	section = &off->sections[function];
	if (section->number != thread->section)
		*section = (struct off_section){.number = thread->section};
	return section;
}

void off_take_section_total(struct thread *thread, uint32_t function, struct profile_off *from)
{
	struct off_section *section = section_of(thread, function);

	if (!section)
		return;
	profile_subtract_off(from, &section->total);
	section->total = (struct profile_off){0};
}

void off_add_section_total(struct thread *thread, uint32_t function, const struct profile_off *total)
{
	struct off_section *section = section_of(thread, function);

	if (section) /* else a call that nobody saw begin may count it twice */
		profile_add_off(&section->total, total);
}
