/* perf_head: what a perf.data says of itself: events, build-ids, where it was taken. In a file it stands in front of the records and behind
 * them; in a stream (perf record -o -) in records of its own. */
#ifndef DWELL_HOST_READER_PERF_HEAD_H
#define DWELL_HOST_READER_PERF_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/perf/layout.h"

#define PERF_MAGIC "PERFILE2"
#define PERF_MAGIC_SWAPPED "2ELIFREP"
#define PERF_FACTS_MAX 8u

struct perf_build_id {
	char *path;
	uint8_t id[20];
	uint32_t bytes;
};

/* Zeroed: nothing is known. */
struct perf_head {
	bool is_stream;
	uint64_t begin, end; /* of the records; UINT64_MAX: as far as the stream goes */
	struct perf_layout layout;
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_capacity;
	struct {
		const char *key;
		char *value;
	} facts[PERF_FACTS_MAX]; /* for people */
	uint32_t fact_count;
	uint32_t pointer_bytes; /* of the machine, 0: unknown */
	uint16_t machine;       /* as in ELF: of those whose stacks can be walked; 0: another, or unknown */
};

/* The source stands behind what was read of it. Null, or what is wrong; what was read is there. */
const char *perf_head_read(struct perf_head *head, struct source *source);
/* In a stream: the records that say it, whole. Null, or what is wrong. */
const char *perf_head_take_event(struct perf_head *head, struct bytes record);
const char *perf_head_take_feature(struct perf_head *head, struct bytes record);
const char *perf_head_take_build_id(struct perf_head *head, struct bytes record);
/* Null: it is not known. */
const struct perf_build_id *perf_head_find_build_id(const struct perf_head *head, const char *path);
void perf_head_clear(struct perf_head *head);

#endif
