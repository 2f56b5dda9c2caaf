/* perf_head: the contents of a perf.data besides its records: events, build-ids, the machine. A file has
 * them in front of the records and behind; a stream (perf record -o -) has them in records of their own. */
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

/* Zero before use. */
struct perf_head {
	bool is_stream;
	bool lacks_features; /* some of what the file should have behind its records cannot be read */
	uint64_t begin, end; /* of the records; end UINT64_MAX: up to the end of the stream */
	struct perf_layout layout;
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_capacity;
	struct {
		const char *key;
		char *value;
	} facts[PERF_FACTS_MAX]; /* for people */
	uint32_t fact_count;
	uint32_t pointer_bytes; /* of the machine, 0: unknown */
	uint16_t machine;       /* as in ELF, for the machines whose stacks dwell can unwind; 0: another machine, or unknown */
};

/* Reads the head from the start of the source, and leaves the source at the first
 * record. Null, or an error message; the head then has all data read so far. */
const char *perf_head_read(struct perf_head *head, struct source *source);
/* For a stream: each takes one kind of record, whole. Null, or an error message. */
const char *perf_head_take_event(struct perf_head *head, struct bytes record);
const char *perf_head_take_feature(struct perf_head *head, struct bytes record);
const char *perf_head_take_build_id(struct perf_head *head, struct bytes record);
/* Returns the build-id for a path; null: none. */
const struct perf_build_id *perf_head_find_build_id(const struct perf_head *head, const char *path);
void perf_head_clear(struct perf_head *head);

#endif
