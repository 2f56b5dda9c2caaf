/* perf_choice: chooses the event of a perf.data whose samples are read. */
#include <stdio.h>

#include "reader/perf/reader.h"

enum { TYPE_SOFTWARE = 1, SOFTWARE_DUMMY = 9 };

/* A dummy gives perf the records of processes, and never has samples. */
static bool is_dummy(const struct perf_event *event)
{
	return event->type == TYPE_SOFTWARE && event->config == SOFTWARE_DUMMY;
}

bool perf_all_have_samples(const struct perf_layout *layout)
{
	bool all = layout->count;

	for (size_t i = 0; i < layout->count; i++)
		all &= layout->events[i].has_samples || is_dummy(&layout->events[i]);
	return all;
}

static void write_name(const void *file, size_t index, char name[static EVENT_NAME_BYTES])
{
	const struct perf_event *event = &((const struct perf_layout *)file)->events[index];

	*name = 0;
	if (event->has_samples && *event->name)
		events_copy_name(name, EVENT_NAME_BYTES, event->name);
	else if (event->has_samples)
		snprintf(name, EVENT_NAME_BYTES, "event %zu", index + 1);
}

/* Returns the first event with samples, else the first event but dummies. */
static size_t find_first(const struct perf_layout *layout)
{
	size_t with = 0, real = 0;

	while (with < layout->count && !layout->events[with].has_samples)
		with++;
	while (real + 1 < layout->count && is_dummy(&layout->events[real]))
		real++;
	return with < layout->count ? with : real;
}

bool perf_choose_event(struct perf_reader *reader)
{
	const struct perf_layout *layout = &reader->head.layout;
	struct event_names names = {layout->count, write_name, layout};
	bool good = !reader->input->event || events_find(&names, reader->input, &reader->choice.event);

	if (!reader->input->event)
		reader->choice.event = find_first(layout);
	reader->choice.is_made = true;
	events_write(&names, reader->choice.event, reader->choice.counted);
	return good;
}
