/* facts: what a recording declares beside its events. Collected while the model reads; shown by `dwell info`. */
#ifndef DWELL_HOST_QUERY_FACTS_H
#define DWELL_HOST_QUERY_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "query/trace.h"

struct fact {
	char *key, *value;
};

struct fact_process {
	uint32_t process, pid, parent_pid;
	bool ended;
	int status;
	size_t order; /* in which it was said */
	char *path, *command_line; /* arguments with blanks between them */
};

struct fact_module {
	uint32_t process;
	uint64_t low, high, bias;
	bool hooked;
	bool unmapped; /* it was: another row says what it had been */
	char *path, *build_id; /* hexadecimal, "" for none */
};

struct facts {
	struct fact *facts;
	size_t fact_count, fact_capacity;
	struct fact_process *processes;
	size_t process_count, process_capacity;
	struct fact_module *modules;
	size_t module_count, module_capacity;
	uint64_t clock_points;
	struct message_clock first_clock, last_clock;
	bool no_memory; /* something is missing here */
};

/* Zero it before the first use. */
void facts_add(struct facts *facts, const struct message *message);
/* Nothing more comes. */
void facts_finish(struct facts *facts);
/* Feeds all that is left to the trace's model, on one thread, and finishes both. */
void facts_read(struct facts *facts, struct trace *trace);
void facts_clear(struct facts *facts);

/* Whether the last moment of the clock is the recording's end: of one that was cut off it is only the last that was told. */
bool facts_know_duration(const struct facts *facts, const struct reader_health *health);
uint64_t facts_duration_ns(const struct facts *facts);

/* The rate between the first and the last calibration, 0 when there are not two. */
double facts_measured_hz(const struct facts *facts);

/* All of it as one JSON object; the same written; and as a table, a row for each value: section, row, key, value. */
struct json_t *facts_make_json(const struct facts *facts, const struct trace *trace);
void facts_write_json(const struct facts *facts, const struct trace *trace, FILE *out, const char *name);
void facts_write_rows(const struct facts *facts, const struct trace *trace, const struct table_sink *sink);
/* For people; host/cmd/info/text.c. */
void facts_print(const struct facts *facts, const struct trace *trace);

/* "exited with 1", "killed by signal 9"; "not recorded": of a child, of a process that was attached to, where record was killed. */
const char *facts_end_of_process(const struct fact_process *process, char buffer[static 48]);
/* "2023-11-14 22:13:20 UTC", "" for 0. */
const char *facts_time(uint64_t unix_ns, char buffer[static 40]);

/* Whether they are the interrupts of a machine, each of which weighs what was asked for. How long they took in truth is sampling->cpu, by
 * the machine's clock; 0: not known. */
bool facts_is_of_interrupts(const struct message_sampling *sampling);

/* "perf events, by the CPU time of each thread" */
const char *facts_engine_name(enum dwell_sampling_engine engine);

#endif
