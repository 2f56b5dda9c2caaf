/* message: what a reader says to the model. Crosses the border reader → model.
 *
 * Readers do not know names, functions or pairing: they turn bytes into events (or samples, or weights) and into declarations of
 * processes, threads, modules and clocks. Every format's reader says the same few things. */
#ifndef DWELL_HOST_READER_MESSAGE_H
#define DWELL_HOST_READER_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h" /* enum dwell_place_kind */

/* place: what a hook or a reader calls code. */
struct place {
	enum dwell_place_kind kind;
	uint64_t value;
};

enum event_kind {
	EVENT_ENTER,        /* value: place */
	EVENT_EXIT,         /* value: place */
	EVENT_UNWIND_JUMP,  /* longjmp at ticks */
	EVENT_UNWIND_CATCH, /* an exception caught at ticks */
	EVENT_CALLER,       /* value: call site (address of the same kind as places) of the enter that follows */
	EVENT_LANDED,       /* value: payload of a LANDED: where the unwind before it landed */
	EVENT_LOST,         /* value: events lost between the previous event and the next, 0 when unknown */
	EVENT_LOST_POPS,    /* value: frames left in that gap */
	EVENT_LOST_PUSHES,  /* value: frames entered in it and still open */
	EVENT_STACK,        /* value: number of the stack that the thread is on from the next event with a time of its own on;
	                       DWELL_STACK_BEGINS in it: what was open there is over */
	EVENT_ARG,          /* value: the next argument of the call that the event before entered */
	EVENT_NO_ARG,       /* the next argument of that call is not known, and one behind it may be */
	EVENT_RETURNS_TO,   /* value: where that call returns to, an address */
	EVENT_RET,          /* value: what the call returned that the event before left. In the same message as that */
	EVENT_OFF,          /* recording stopped at ticks … */
	EVENT_ON,           /* … and went on */
	EVENT_HELD,         /* the recorder held the thread up from ticks on … */
	EVENT_HELD_END,     /* … and let it go on: the time in between is recording */
	EVENT_ENTRY,        /* value: place; entered, and its exit is not recorded. CALLER in front of it says from where */
};

/* One event: 24 bytes. */
struct event {
	uint64_t ticks;
	uint64_t value;
	enum event_kind kind;
};

/* Events of one stream, in order. */
struct message_events {
	uint32_t stream;
	enum dwell_place_kind place_kind; /* of all places in it */
	const struct event *events;       /* borrowed until the next reader call */
	uint32_t count;
	uint64_t chunk; /* ordinal of the chunk they come from, for two-pass work; 0 where a format has no chunks */
};

/* Events that nobody has made yet: see pack/run.h. Who can may take as many as it likes, from the first on, none of them after
 * run->ticks | UINT32_MAX, where the clock's low half turns. What it leaves comes as events. Only for who asked for it. */
struct message_run {
	uint32_t stream;
	enum dwell_place_kind place_kind;
	struct run *run;
};

/* The frames that are open before the next events of this stream, as the recording side knew them. */
struct message_frame {
	uint64_t place; /* of the stream's place_kind; ignored when no_place */
	uint64_t enter_ticks;
	uint64_t child_ticks;
	uint32_t stack; /* that it is on, 0: the thread's own */
	bool no_entry; /* entered before the data began */
	bool no_place;
	bool is_piece; /* its call may have been counted already */
};
struct message_checkpoint {
	uint32_t stream;
	enum dwell_place_kind place_kind;
	const struct message_frame *frames; /* outermost first; borrowed */
	uint32_t count;
	uint64_t ticks;  /* of the first event behind it */
	uint64_t floor_ticks; /* of the last event before it, as the file says; 0 unknown */
	bool after_loss; /* chunks are missing before it: reconcile. Else it agrees with what was read, and who read all may skip it */
	bool first;      /* nothing of this stream came before */
	bool incomplete; /* the innermost frames were too many to be told */
};

struct message_process {
	uint32_t process; /* index, unique in the file */
	uint32_t pid, parent_pid;
	bool ended;
	int status; /* as wait() gives it */
	uint64_t start_ticks;
	const char *path;          /* borrowed; "" when unknown */
	const char *const *argv;   /* borrowed */
	uint32_t argc;
};

struct message_module {
	uint32_t process;
	uint64_t low, high; /* run-time addresses [low, high) */
	uint64_t bias;      /* run-time address − address in the symbol table … */
	bool bias_is_of_offsets; /* … or − offset in the file, of which the file itself tells what address it is */
	uint64_t load_ticks;
	bool hooked, unmapped;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	const char *path;
};

struct message_thread {
	uint32_t stream, process, tid;
	bool ended, wrapped, full;
	bool is_copy;  /* a fork made it of a thread of its parent: what is open there is open here */
	bool given_up; /* it had ended, and its ring was taken for a later thread: no event of it is there */
	enum dwell_place_kind place_kind;
	uint64_t lost_events; /* so far, by the recorder's own count: for comparison */
	bool is_task;         /* tid is the address of what its operating system keeps of it: a symbol there tells its name */
	const char *name;
};

struct message_clock {
	uint64_t ticks, monotonic_ns, unix_ns;
};

/* When a thread was off the CPU. Comes before the events that it overlaps. */
struct message_switch {
	uint64_t out_ticks, in_ticks; /* [out, in) */
	bool preempted;               /* able to run all the time; else it waited for something first */
};
struct message_switches {
	uint32_t stream;
	/* Each interval that ended between these is among those told. One that is told next may begin before until. */
	uint64_t from_ticks, until_ticks;
	uint64_t off_before_ticks, preempted_before_ticks; /* of all intervals before these */
	const struct message_switch *switches; /* in order of time; borrowed, not trusted */
	uint32_t count;
};

/* How samples were taken. Comes before the first; the last word counts. */
struct message_sampling {
	enum dwell_sampling_engine engine;
	enum dwell_sampling_unit unit; /* of weights, of period and of cpu */
	bool jittered, has_stacks, by_pointers, has_kernel, is_wall;
	bool callers_are_unsure; /* whether they reach the thread's first function nobody looked */
	bool is_event;     /* weights count that event, and neither time nor DWELL_UNIT_SAMPLES: */
	const char *event; /* borrowed; null where it is not */
	uint64_t period, millihertz; /* as they were asked for, on average */
	uint64_t cpu; /* what the operating system says that was spent in all, 0: unknown */
};

/* Samples of one thread, in order of time. */
struct message_node {
	uint64_t address;
	uint32_t caller;   /* index of a node before this one plus 1, 0: it is outermost */
	bool is_return;    /* the call is in front of the address */
	bool is_kernel;
};
struct message_sample {
	uint64_t ticks, weight;
	uint32_t node;     /* index of the node plus 1; 0: where it was is not known */
	enum dwell_sample_stack stack;
};
struct message_samples {
	uint32_t stream;
	const struct message_node *nodes; /* borrowed, as samples */
	uint32_t node_count;
	const struct message_sample *samples;
	uint32_t count;
};

/* How often a timer found the thread where: counts of pieces of its code, in no order of time. */
struct message_count {
	uint64_t address, count;
};
struct message_counts {
	uint32_t stream;
	uint32_t bytes;          /* of code that a count is for */
	uint64_t weight;         /* what one stands for */
	uint64_t from_ticks, until_ticks; /* when they were counted, 0: unknown */
	uint64_t outside;        /* the thread was where no code is counted */
	uint64_t beyond;         /* a count was full, and nobody knows which one */
	uint32_t full;           /* counts that were full */
	const struct message_count *counts; /* in order of addresses; borrowed */
	uint32_t count;
	const struct message_count *calls; /* how often functions were called, an address in each; borrowed, in any order */
	uint64_t call_count;
};

/* What functions of a file are called, as the recording knew. Holds for all of the recording, whatever came before. */
struct message_name {
	uint64_t address, size; /* link-time; of the kernel (DWELL_NAMES_KERNEL) at run time. size is not 0, and does not wrap */
	const char *name;       /* as a symbol table has it, mangled; "": it has none */
};
struct message_names {
	const char *path; /* with build_id: of which MODULE */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	const struct message_name *names; /* in any order; borrowed */
	uint32_t count;
};

/* What marks with this index say. Comes before the first of them. */
struct message_text {
	uint32_t index;
	const char *text; /* borrowed */
};
/* A mark is a call that takes no time, of this place: no code lies there. */
#define MESSAGE_MARK_PLACE (UINT64_C(1) << 63)

/* A text in the memory of a process: what a place that is the address of a name (DWELL_PLACE_STRING) is called. Comes before the first of
 * these places. */
struct message_string {
	uint32_t process;
	uint64_t address;
	const char *text; /* borrowed; not empty */
};

/* Functions of a process that were not recorded any more from some moment on, as recording them cost more than they took. Said again with
 * later numbers: of a function (its place and since_ticks) the last word counts. */
struct message_throttled {
	uint64_t place;       /* DWELL_PLACE_LOW32 */
	uint64_t since_ticks, until_ticks; /* until: its file was unmapped, 0: never */
	uint64_t calls;       /* that were not recorded */
	uint32_t call_sixteenths; /* of a tick, that recording a call took */
	uint32_t cut;         /* calls that were open then end there */
	bool is_counted;      /* calls are all of them, else at least so many */
};
struct message_throttle {
	uint32_t process;
	const struct message_throttled *list; /* borrowed */
	uint32_t count;
};

/* Calls that were added up while they were recorded, path by path. All but the frames adds up over a stream's messages; of frames, those
 * that were open when the last one was written, that one counts. */
struct message_sum_node {
	uint32_t parent, function; /* indices plus 1 of a node before it (0: outermost), and of a function */
	uint64_t calls, total_ticks, self_ticks;
	uint64_t taken_ticks; /* of calls on this path that come as events: spent in calls that are only here */
};
struct message_sum_function {
	uint64_t place;
	bool no_place;
	uint64_t folded_calls, folded_total_ticks, folded_self_ticks; /* of calls on no node */
	uint64_t untimed_calls;
	bool incomplete; /* durations are of calls that are not complete */
	uint64_t min_ticks, max_ticks, sum_ticks;
	uint32_t bucket_count; /* the next ones */
};
struct message_sum_bucket {
	uint32_t number; /* as core/duration.h has it */
	uint64_t count;
};
struct message_sum_frame {
	uint32_t node, stack; /* node: index plus 1 */
	bool no_entry, is_piece;
	uint64_t enter_ticks, child_ticks;
};
struct message_sums {
	uint32_t stream;
	enum dwell_place_kind place_kind;
	bool has_no_moments;  /* a machine added them up by function: each is a path of its own, and last_ticks is the sum of self times */
	bool is_all;          /* no call of the stream comes as events, and these are known: */
	uint64_t events, lost_ticks, lost_events, unmatched_exits, unwound_calls, no_entry_calls, gap_calls, beyond_calls, backward_events;
	uint64_t held_ticks;
	uint32_t deepest;     /* so far */
	uint64_t limit_ticks; /* else: those do that took as long as that */
	uint64_t first_ticks, last_ticks;
	uint64_t root_taken_ticks; /* time outside of any call, for who has the events alone */
	uint64_t other_calls, other_ticks; /* of functions that are not told, and their self time */
	const struct message_sum_node *nodes; /* all borrowed */
	const struct message_sum_function *functions;
	const struct message_sum_bucket *buckets;
	const struct message_sum_frame *frames; /* of each stack outermost first, one behind the other */
	uint32_t node_count, function_count, bucket_count, frame_count;
};

struct message_loss {
	uint32_t stream;
	uint32_t reason; /* enum dwell_loss_reason */
	uint64_t count, ticks;
};

/* A path of places with a metric, and no time: folded stacks, pprof, gmon. */
struct message_weight {
	const char *const *names; /* outermost first; borrowed. A format with addresses gives places instead (names null) */
	const struct place *places;
	uint32_t depth;
	uint32_t kept; /* the outermost so many are those of the message before; 0: nobody looked */
	uint64_t weight;
};

enum message_kind {
	MESSAGE_END, /* nothing more will come */
	MESSAGE_HEADER,
	MESSAGE_EVENTS,
	MESSAGE_RUN,
	MESSAGE_AGAIN, /* what was told of this chunk since its checkpoint was wrong; all of it is told again. Only behind runs */
	MESSAGE_CHECKPOINT,
	MESSAGE_PROCESS,
	MESSAGE_MODULE,
	MESSAGE_THREAD,
	MESSAGE_CLOCK,
	MESSAGE_LOSS,
	MESSAGE_INFO,
	MESSAGE_WEIGHT,
	MESSAGE_SWITCHES,
	MESSAGE_TEXT,
	MESSAGE_SAMPLING,
	MESSAGE_SAMPLES,
	MESSAGE_COUNTS,
	MESSAGE_NAMES,
	MESSAGE_STRING,
	MESSAGE_THROTTLE,
	MESSAGE_SUMS,
};

/* The first message of every reader. */
struct message_header {
	const char *format;   /* "dwell 1.1", "folded stacks": for people */
	const char *version;  /* of dwell's own format: "1.1"; null: another format */
	bool has_events;      /* events with times come: MESSAGE_EVENTS */
	bool has_return_addresses; /* there are RETURNS_TO among the events */
	bool places_are_names;     /* that is known: they are nothing else */
	bool is_untimed;      /* of these events nobody knows the times: their ticks only tell the order */
	bool has_weights;     /* MESSAGE_WEIGHT */
	bool is_bare;         /* a dump of a machine's memory: addresses and ticks, no word of what lies there or how fast the clock is */
	const char *unit;     /* of weights: "samples", "ns" or "" */
	uint64_t clock_hz;    /* nominal, 0 unknown */
	uint32_t clock_bits;
	bool clock_global, clock_late, clock_down;
	bool big_endian; /* the recorded machine */
	uint64_t start_unix_ns;
	uint32_t pointer_bytes, machine;
};

struct message_info {
	const char *key, *value;
};

struct message {
	enum message_kind kind;
	uint64_t offset; /* where in the file it stands */
	union {
		struct message_header header;
		struct message_events events;
		struct message_run run;
		struct message_checkpoint checkpoint;
		struct message_process process;
		struct message_module module;
		struct message_thread thread;
		struct message_clock clock;
		struct message_loss loss;
		struct message_info info;
		struct message_weight weight;
		struct message_switches switches;
		struct message_text text;
		struct message_sampling sampling;
		struct message_samples samples;
		struct message_counts counts;
		struct message_names names;
		struct message_string string;
		struct message_throttle throttle;
		struct message_sums sums;
	};
};

#endif
