/* fact_tables: the facts about a recording, as tables. A row is a struct of values of different kinds; the name of a member is the
 * key of its value. `dwell info` prints these tables, and JSON is made from them. */
#ifndef DWELL_HOST_QUERY_FACT_TABLES_H
#define DWELL_HOST_QUERY_FACT_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "query/facts.h"
#include "query/trace.h"

struct fact_value {
	enum fact_kind {
		FACT_UNKNOWN,
		FACT_COUNT,   /* .count */
		FACT_ADDRESS, /* .count */
		FACT_REAL,    /* .real */
		FACT_FLAG,    /* .flag */
		FACT_TEXT,    /* .text: any bytes, borrowed from the trace or from the tables themselves */
	} kind;
	union {
		uint64_t count;
		double real;
		bool flag;
		const char *text;
	};
};

/* The values of each kind of row, in the order of JSON. */
#define FACTS_OF_RECORDING(X) \
	X(file) X(format) X(bytes) X(chunks) X(events) X(start_unix_ns) X(duration_ns) X(machine) X(pointer_bytes) X(byte_order) \
	X(clock_nominal_hz) X(clock_measured_hz) X(clock_bits) X(clock_global) X(clock_late) X(clock_down)
#define FACTS_OF_SAMPLING(X) \
	X(engine) X(asked_hz) X(got_hz) X(jittered) X(kernel) X(samples) X(sampled_ns) X(cpu_ns) X(stacks_complete) \
	X(stacks_truncated) X(stacks_broken) X(kernel_cpu_ns)
#define FACTS_OF_A_PROCESS(X) X(process) X(pid) X(parent_pid) X(ended) X(end) X(path) X(command_line)
/* self + recording + lost + outside = elapsed, where held is a part of recording;
 * on_cpu + waiting + preempted + cpu_unknown = cpu_elapsed. */
#define FACTS_OF_A_THREAD(X) \
	X(stream) X(process) X(tid) X(name) X(events) X(calls) X(samples) X(sampled) X(deepest) X(lost_events) X(self_ns) \
	X(recording_ns) X(lost_ns) X(held_ns) X(outside_ns) X(elapsed_ns) X(balanced) X(on_cpu_ns) X(waiting_ns) X(preempted_ns) \
	X(cpu_unknown_ns) X(cpu_elapsed_ns) X(off_self_ns) X(off_lost_ns) X(off_outside_ns) X(switches) X(cpu_balanced) X(ended) \
	X(state)
#define FACTS_OF_A_THROTTLED(X) \
	X(function) X(calls) X(recorded_calls) X(counted_calls) X(cut_calls) X(unrecorded_ns) X(unknown_ns) X(saved_ns)
#define FACTS_OF_A_MODULE(X) X(process) X(low) X(high) X(bias) X(hooked) X(unmapped) X(build_id) X(path)

#define FACT_MEMBER(key) struct fact_value key;
struct recording_facts {
	FACTS_OF_RECORDING(FACT_MEMBER)
	char machine_text[40];
};
struct sampling_facts {
	FACTS_OF_SAMPLING(FACT_MEMBER)
};
struct process_facts {
	FACTS_OF_A_PROCESS(FACT_MEMBER)
	char end_text[48];
};
struct thread_facts {
	FACTS_OF_A_THREAD(FACT_MEMBER)
};
struct throttled_facts {
	FACTS_OF_A_THROTTLED(FACT_MEMBER)
};
struct module_facts {
	FACTS_OF_A_MODULE(FACT_MEMBER)
};
#undef FACT_MEMBER

/* A table with its rows in a single array. */
struct fact_table {
	const char *name;
	bool is_alone; /* has one row, or none; else any number */
	const char *const *keys; /* names of the values of a row; members after the values, such as end_text, have no key */
	size_t key_count;
	size_t row_bytes, row_count; /* size of a row's struct; number of rows */
	void *rows; /* owned */
};

enum fact_table_name {
	FACT_TABLE_RECORDING, /* one row */
	FACT_TABLE_SAMPLING,  /* one row; none if nothing was sampled */
	FACT_TABLE_PROCESSES,
	FACT_TABLE_THREADS,
	FACT_TABLE_THROTTLED,
	FACT_TABLE_MODULES,
	FACT_TABLES,
};

struct fact_tables {
	struct fact_table tables[FACT_TABLES];
};

/* pre: the trace is read and its facts are collected; both outlive the tables. False with a diag: memory ran out,
 * and the tables are empty. */
bool fact_tables_make(struct fact_tables *tables, const struct facts *facts, const struct trace *trace);
void fact_tables_clear(struct fact_tables *tables);

/* The values of a row, from 0: key_count values, in the order of the table's keys. */
const struct fact_value *fact_table_row(const struct fact_table *table, size_t row);

#endif
