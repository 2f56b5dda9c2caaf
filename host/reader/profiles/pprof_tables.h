/* pprof_tables: what samples of a pprof profile point to: places in code, functions and texts, by number. */
#ifndef DWELL_HOST_READER_PROFILES_PPROF_TABLES_H
#define DWELL_HOST_READER_PROFILES_PPROF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* A number of the file's own, and what it stands for. */
struct pprof_row {
	uint64_t id;
	uint64_t value;   /* of a function: its name's text; of a mapping: its file's */
	size_t lines;     /* of a location: where its functions' numbers begin … */
	uint32_t line_count; /* … and how many there are, innermost first */
	char *name;       /* of a function, and of a location without any; made when it is asked for */
};

struct pprof_list {
	struct pprof_row *rows; /* in order of their numbers, once all are there */
	size_t count, capacity;
};

struct pprof_tables {
	struct pprof_list functions, locations, mappings;
	uint64_t *lines; /* numbers of functions */
	size_t line_count, line_capacity;
	struct pprof_place {
		uint64_t mapping, address;
	} *places; /* of locations, in the order of the file; a row's value is its index */
	size_t place_count, place_capacity;
	struct bytes *texts;
	size_t text_count, text_capacity;
	struct pprof_type {
		int64_t type, unit;
	} *types;
	size_t type_count, type_capacity;
	int64_t default_type;
};

/* Of one message, which takes forty times its size while it is read. */
#define PPROF_MESSAGE_BYTES_MAX (4u << 20)

/* The next field of a message; at: where it begins, moves behind it. False: at the end, or what is there is no field (*cut). */
struct pprof_field {
	uint32_t number;
	bool is_bytes;
	uint64_t value;     /* of a number */
	struct bytes bytes; /* else */
};
bool pprof_next_field(struct bytes message, size_t *at, struct pprof_field *field, bool *cut);

/* All of a profile but its samples; damaged: how many messages in it could not be read. False: no memory. */
bool pprof_tables_read(struct pprof_tables *tables, struct bytes profile, uint64_t *damaged, bool *cut);
void pprof_tables_clear(struct pprof_tables *tables);

/* Empty where there is no such text. */
struct bytes pprof_get_text(const struct pprof_tables *tables, int64_t index);
const struct pprof_row *pprof_find_location(const struct pprof_tables *tables, uint64_t id);
/* The name of one function of a location; line 0 where it has none: then its address, and the file. Null: no memory. Owned by tables. */
const char *pprof_get_name(struct pprof_tables *tables, const struct pprof_row *location, uint32_t line);

#endif
