/* perf_layout: the events of a perf.data, and where in a record of each the fields are. As perf_event_open(2) has it: which fields there
 * are, the event's attributes say. Little-endian. */
#ifndef DWELL_HOST_READER_PERF_LAYOUT_H
#define DWELL_HOST_READER_PERF_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

#define PERF_HEAD_BYTES 8u /* of a record: u32 type, u16 flags, u16 size */
#define PERF_ATTR_BYTES_MIN 64u /* of attributes, in their first version */
#define PERF_EVENTS_MAX 4096u
#define PERF_IDS_MAX (1u << 20)

struct perf_event {
	uint32_t type;
	uint64_t config, period; /* or a rate */
	uint64_t fields;         /* of a sample: bits */
	uint64_t read_format;
	bool is_rate, has_trailers, no_kernel, has_callers;
	char name[64]; /* "": the file does not say */
};

struct perf_id {
	uint64_t id;
	uint32_t event;
};

/* Zeroed: no events. */
struct perf_layout {
	struct perf_event *events;
	size_t count, capacity;
	struct perf_id *ids;
	size_t id_count, id_capacity;
	bool ids_are_sorted;
};

/* False: no memory, or too many. attr has PERF_ATTR_BYTES_MIN at least. */
bool perf_layout_add_event(struct perf_layout *layout, struct bytes attr);
bool perf_layout_add_id(struct perf_layout *layout, uint64_t id, uint32_t event);
void perf_layout_clear(struct perf_layout *layout);

struct perf_sample {
	const struct perf_event *event;
	uint64_t time, ip, period;
	uint32_t pid, tid;
	const uint8_t *chain; /* chain_count u64s, innermost first; null: callers were not looked for */
	uint64_t chain_count;
	bool is_kernel; /* the innermost place */
	bool has_stack; /* a copy of it is asked for, and callers are in it, which nobody looks for */
};

/* A whole record. False: it ends before its fields do, or its event is not known. */
bool perf_layout_get_sample(struct perf_layout *layout, struct bytes record, struct perf_sample *sample);
/* When it was, of a sample or another record of the kernel's; 0: it does not say. */
uint64_t perf_layout_get_time(struct perf_layout *layout, struct bytes record, bool is_sample);
/* Whose fields behind a record of the kernel's own are so many bytes. */
size_t perf_layout_trailer_bytes(const struct perf_layout *layout);

#endif
