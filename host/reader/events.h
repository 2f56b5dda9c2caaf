/* events: the choice of one of the events of a file. An event is the quantity that a file counts: an event of perf.data, a type
 * of values of pprof. A report shows one event; its head names the others, and --event chooses another one. */
#ifndef DWELL_HOST_READER_EVENTS_H
#define DWELL_HOST_READER_EVENTS_H

#include "reader/format.h"

#define EVENT_NAME_BYTES 64
#define EVENTS_TEXT_BYTES 512

struct event_names {
	size_t count;
	/* Writes the name of an event, printable ASCII; "": the file has no values of the event. */
	void (*write)(const void *file, size_t event, char name[static EVENT_NAME_BYTES]);
	const void *file; /* for write */
};

/* Finds the event that the user asked for. False and a diag that lists the events: the file has no values of such an event. */
bool events_find(const struct event_names *names, const struct reader_input *input, size_t *event);
/* Writes "cpu; also in the file: samples, wall", as much as fits. "": the file has values of one event only. */
void events_write(const struct event_names *names, size_t event, char text[static EVENTS_TEXT_BYTES]);
/* Copies as much as fits of the printable ASCII of a name. */
void events_copy_name(char *name, size_t size, const char *text);

#endif
