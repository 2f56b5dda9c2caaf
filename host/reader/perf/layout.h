/* perf_layout: the events of a perf.data, and the offsets of the fields in their records. As in
 * perf_event_open(2), the event's attributes determine which fields a record has. Little-endian. */
#ifndef DWELL_HOST_READER_PERF_LAYOUT_H
#define DWELL_HOST_READER_PERF_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

#define PERF_HEAD_BYTES 8u /* of a record: u32 type, u16 flags, u16 size */
#define PERF_ATTR_BYTES_MIN 64u /* of attributes in their first version */
#define PERF_EVENTS_MAX 4096u
#define PERF_IDS_MAX (1u << 20)

struct perf_event {
	uint32_t type;
	uint64_t config, period; /* period: or the rate, if is_rate */
	uint64_t fields;         /* bits: the fields of a sample */
	uint64_t read_format;
	uint64_t branch_fields;  /* bits: the fields of a sample's branches */
	uint64_t registers;      /* bits: the registers that go with a copy of the stack */
	/* has_trailers: records other than samples end with a trailer (process, thread, time …). no_kernel: the event does not
	 * count in the kernel. has_callers: samples have the addresses of callers, and no copy of the stack. has_stack: samples
	 * have registers and a copy of the stack. */
	bool is_rate, has_trailers, no_kernel, has_callers, has_stack;
	bool has_samples; /* perf_layout_note_sample noted one */
	char name[64]; /* "": not in the file */
};

struct perf_id {
	uint64_t id;
	uint32_t event;
};

/* Zero before use: no events. */
struct perf_layout {
	struct perf_event *events;
	size_t count, capacity;
	struct perf_id *ids;
	size_t id_count, id_capacity;
	bool ids_are_sorted;
};

/* Each: false: no memory, or too many. attr has at least PERF_ATTR_BYTES_MIN bytes. */
bool perf_layout_add_event(struct perf_layout *layout, struct bytes attr);
bool perf_layout_add_id(struct perf_layout *layout, uint64_t id, uint32_t event);
void perf_layout_clear(struct perf_layout *layout);

struct perf_sample {
	const struct perf_event *event;
	uint64_t time, ip, period;
	uint32_t pid, tid;
	const uint8_t *chain; /* chain_count u64s, innermost first; null: the sample has no callers */
	uint64_t chain_count;
	bool is_kernel; /* the innermost address is in the kernel */
	/* If event->has_stack: the program's registers, a u64 for each bit of event->registers, and the copy of the stack. */
	uint64_t abi; /* of the registers: 0: there are none, 1: 32 bits, 2: 64 bits */
	const uint8_t *registers;
	struct bytes stack;
};

/* Decodes a sample. record: whole. False: the record is too short for its fields, or its event is unknown. */
bool perf_layout_get_sample(struct perf_layout *layout, struct bytes record, struct perf_sample *sample);
/* Notes that the event of a sample has one. Ignores a sample whose event is unknown. */
void perf_layout_note_sample(struct perf_layout *layout, struct bytes record);
/* Returns the time of a record that the kernel wrote, not the perf tool. is_sample: the record is a sample. 0: the record has no
 * time. */
uint64_t perf_layout_get_time(struct perf_layout *layout, struct bytes record, bool is_sample);
/* Returns the bytes of the trailer, the fields at the end of each record that the kernel wrote and that is not a sample. */
size_t perf_layout_trailer_bytes(const struct perf_layout *layout);

#endif
