/* facts: the declarations of a recording besides its events. Collected while the model reads; printed by `dwell info`. */
#ifndef DWELL_HOST_QUERY_FACTS_H
#define DWELL_HOST_QUERY_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "query/trace.h"

/* What a MESSAGE_INFO declares. Both texts are owned. */
struct fact {
	char *key, *value;
};

struct fact_process {
	uint32_t process, pid, parent_pid;
	bool ended;
	bool threads_ended; /* its threads ended in order, whether or not anybody told the status */
	int status;   /* as from waitpid, if ended */
	size_t order; /* position among all messages about processes */
	char *path, *command_line; /* arguments with blanks between */
};

struct fact_module {
	uint32_t process;
	uint64_t low, high, bias; /* addresses in memory; bias: added to the file's addresses */
	bool hooked; /* the module has hooks */
	bool unmapped; /* this row reports the unmapping; another row describes the mapped module */
	char *path, *build_id; /* build_id: hexadecimal; "": none */
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
	bool no_memory; /* memory ran out: some facts are missing */
};

/* Keeps the facts that the message declares, and ignores other messages. Zero the struct before the first message. */
void facts_add(struct facts *facts, const struct message *message);
/* Call it after the last message. */
void facts_finish(struct facts *facts);
/* Reads the declarations in a pass of their own, without events, so that several threads can read the events later. has_samples:
 * whether the file has samples. False: the file cannot be read again. pre: the file is seekable. */
bool facts_read_declarations(struct facts *facts, struct trace *trace, bool *has_samples);
/* Feeds all messages to facts and to the trace's model, and finishes both. The trace may have another model afterwards. */
void facts_read(struct facts *facts, struct trace *trace);
void facts_clear(struct facts *facts);

/* Whether the last clock message marks the end of the recording. If the recording was cut off, the last message only
 * shows how far the file goes. */
bool facts_have_duration(const struct facts *facts, const struct reader_health *health);
/* From the first to the last clock message; 0: there are fewer than two. */
uint64_t facts_duration_ns(const struct facts *facts);

/* The rate between the first and the last clock message; 0: there are fewer than two. */
double facts_measured_hz(const struct facts *facts);

/* All facts as one JSON object; and as a table with a row for each value: section, row, key, value. */
void facts_write_json(const struct facts *facts, const struct trace *trace, FILE *out, const char *name);
void facts_write_rows(const struct facts *facts, const struct trace *trace, const struct table_sink *sink);
/* For people; in host/cmd/info/text.c. */
void facts_print(const struct facts *facts, const struct trace *trace);

/* "exited with 1", "killed by signal 9". "not recorded": for a child, for an attached process, or if record was killed. */
const char *facts_format_end(const struct fact_process *process, char buffer[static 48]);
/* "2023-11-14 22:13:20 UTC"; "" for 0. */
const char *facts_time(uint64_t unix_ns, char buffer[static 40]);

/* Whether the samples are a machine's timer interrupts. Each weighs the requested period. The real time is sampling->cpu, by the
 * machine's clock; 0: unknown. */
bool facts_is_interrupt_sampling(const struct message_sampling *sampling);

/* "perf events, by the CPU time of each thread" */
const char *facts_engine_name(enum dwell_sampling_engine engine);

#endif
