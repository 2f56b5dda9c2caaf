/* message: what a reader gives to the model. Crosses the border reader → model.
 *
 * Readers do no naming and no pairing. They turn bytes into events (or samples, or weights) and into
 * declarations of processes, threads, modules and clocks. All formats use the same few messages. */
#ifndef DWELL_HOST_READER_MESSAGE_H
#define DWELL_HOST_READER_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h" /* enum dwell_place_kind */

/* place: how a hook or a reader identifies code. */
struct place {
	enum dwell_place_kind kind;
	uint64_t value;
};

enum event_kind {
	EVENT_ENTER,        /* value: place */
	EVENT_EXIT,         /* value: place */
	EVENT_UNWIND_JUMP,  /* longjmp at ticks */
	EVENT_UNWIND_CATCH, /* at ticks an exception left frames */
	EVENT_CALLER,       /* value: call site of the following enter, an address of the same kind as places */
	EVENT_LANDED,       /* value: payload of the tag LANDED (core/slot.h): where the thread went on
			       after the unwind before this event */
	EVENT_LOST,         /* value: events lost between the previous event and the next, 0: unknown */
	EVENT_LOST_POPS,    /* value: frames left in that gap */
	EVENT_LOST_PUSHES,  /* value: frames entered in that gap and still open */
	EVENT_STACK,        /* value: number of the stack that the thread runs on, from the next event with
			       its own time. With DWELL_STACK_BEGINS, all calls open on this stack are over */
	EVENT_ARG,          /* value: the next argument of the call that the enter before began */
	EVENT_NO_ARG,       /* the next argument of that call is unknown; a later argument may be known */
	EVENT_RETURNS_TO,   /* value: address that the call returns to */
	EVENT_RET,          /* value: returned by the call of the exit before this event, in the same message */
	EVENT_STOP,         /* recording stopped at ticks … */
	EVENT_RESUME,        /* … and continued */
	EVENT_HELD,         /* the recorder held the thread up from ticks on … */
	EVENT_HELD_END,     /* … and released it: the time between is cost of recording */
	EVENT_ENTRY,        /* value: place; the function was entered, and its exit is
			       not recorded. A CALLER before it is the call site */
};

/* One event: 24 bytes. */
struct event {
	uint64_t ticks;
	uint64_t value;
	enum event_kind kind;
};

/* Whether the event has a time of its own. The others belong to the event before or to the next. */
static inline bool event_has_time(const struct event *event)
{
	return event->kind <= EVENT_UNWIND_CATCH || event->kind >= EVENT_STOP;
}

/* Events of one stream, in the stream's order. */
struct message_events {
	uint32_t stream;
	enum dwell_place_kind place_kind; /* of all places in these events */
	const struct event *events;       /* borrowed until the next reader call */
	uint32_t count;
	uint64_t chunk; /* ordinal of their chunk, for two-pass work; 0 in formats without chunks */
};

/* Slots that are still packed (pack/packed_slots.h). The model may take any number of slots,
 * from the first on, but none after slots->ticks | UINT32_MAX, where the clock's low half
 * wraps. The reader gives the rest as events. Only after reader_decoder_want_packed. */
struct message_packed {
	uint32_t stream;
	enum dwell_place_kind place_kind;
	struct packed_slots *slots;
};

/* The open frames before the next events of this stream, according to the recorder. */
struct message_frame {
	uint64_t place; /* of the stream's place_kind; ignored if no_place is set */
	uint64_t enter_ticks;
	uint64_t child_ticks; /* time in the calls that this call made and that have ended */
	uint32_t stack; /* number of the frame's stack, 0: the thread's own */
	bool no_entry; /* entered before the data began */
	bool no_place; /* the recorder does not know the function */
	bool is_piece; /* the rest of a call that a gap may have ended: do not count the call again */
};
struct message_checkpoint {
	uint32_t stream;
	enum dwell_place_kind place_kind;
	const struct message_frame *frames; /* outermost first; borrowed */
	uint32_t count;
	uint64_t ticks;  /* of the first event after the checkpoint */
	uint64_t floor_ticks; /* of the last event before it, according to the file; 0: unknown */
	bool after_loss; /* chunks before it are missing: reconcile the open frames. If false, the
			    checkpoint matches the events read, and a consumer of all events may skip it */
	bool first;      /* the first of this stream */
	bool incomplete; /* lacks the innermost frames: there were too many */
};

/* A process. Comes again with newer facts; the last message counts. */
struct message_process {
	uint32_t process; /* index, unique in the file */
	uint32_t pid, parent_pid;
	bool ended;
	int status; /* from wait(); valid if ended is set */
	uint64_t start_ticks;
	const char *path;          /* borrowed; "" if unknown */
	const char *const *argv;   /* borrowed */
	uint32_t argc;
};

/* A file that a process mapped at load_ticks, or unmapped at load_ticks if `unmapped` is set. */
struct message_module {
	uint32_t process;
	uint64_t low, high; /* run-time addresses [low, high) */
	uint64_t bias;      /* run-time address − address in the symbol table … */
	bool bias_is_of_offsets; /* … or − offset in the file; the file's segments give the address for the offset */
	uint64_t load_ticks;
	bool hooked, unmapped;   /* hooked: the file's functions have hooks */
	const uint8_t *build_id; /* borrowed */
	uint32_t build_id_bytes; /* 0: no build-id is known */
	const char *path;        /* borrowed */
};

/* A thread. Its events have the same stream. Comes again with newer facts; the last message counts. */
struct message_thread {
	uint32_t stream, process, tid;
	/* wrapped: the ring was full and began again, so the thread's first events are missing.
	 * full: the ring was full and stopped, so the thread's last events are missing. */
	bool ended, wrapped, full;
	bool is_copy;  /* a fork copied the thread: the calls open in the parent's thread are open here */
	bool given_up; /* a later thread got the ring of this ended thread: no event of it is left */
	enum dwell_place_kind place_kind;
	uint64_t lost_events; /* the recorder's own count so far: for comparison */
	bool is_task;         /* tid is the address of the operating system's task object;
			         the symbol at that address is the thread's name */
	const char *name;     /* borrowed; "": unknown */
};

/* One moment on three clocks. */
struct message_clock {
	uint64_t ticks, monotonic_ns, unix_ns;
};

/* An interval in which a thread was off the CPU. Comes before the events in the interval. */
struct message_switch {
	uint64_t out_ticks, in_ticks; /* [out, in) */
	bool preempted;               /* the thread was able to run all the time; false: it first waited for something */
};
struct message_switches {
	uint32_t stream;
	/* Every interval that ended between these two times is in the list.
	 * An interval of the next message may begin before until_ticks. */
	uint64_t from_ticks, until_ticks;
	uint64_t off_before_ticks, preempted_before_ticks; /* sums over all earlier intervals */
	const struct message_switch *switches; /* in order of time; borrowed, unchecked */
	uint32_t count;
};

/* A page fault. Comes before the first event after the fault. */
struct message_fault {
	uint64_t ticks;
	bool major; /* the kernel read the page from a file or from swap */
};
struct message_faults {
	uint32_t stream;
	uint64_t from_ticks, until_ticks; /* the list has the page faults between these two times */
	uint64_t before; /* number of page faults in earlier messages of the stream */
	bool is_part;    /* events of the stream are left out, so before does not show how many faults lie outside of calls */
	const struct message_fault *faults; /* in order of time; borrowed, unchecked */
	uint32_t count;
};

/* How samples were taken. Comes before the first sample; a later message replaces an earlier one. */
struct message_sampling {
	enum dwell_sampling_engine engine;
	enum dwell_sampling_unit unit; /* of weights, period and cpu */
	/* jittered: the distance between two samples varies at random. has_stacks: samples have callers. by_pointers: the
	 * sampler followed frame pointers to the callers. has_kernel: samples include the kernel. is_wall: weights are
	 * wall-clock time, so waiting counts, too. */
	bool jittered, has_stacks, by_pointers, has_kernel, is_wall;
	bool callers_are_unsure; /* unknown whether the callers reach the thread's first function */
	bool is_event;     /* weights count occurrences of `event`: neither time nor DWELL_UNIT_SAMPLES */
	const char *event; /* its name; borrowed; null unless is_event */
	/* As requested, 0: unknown. period: mean distance between two samples, in the unit. millihertz: samples per 1,000 s of
	 * CPU time. */
	uint64_t period, millihertz;
	uint64_t cpu; /* the CPU time or cycles of the program according to the operating system, 0: unknown */
};

/* One call on the path of a sample: a node of the tree of all paths of a message. */
struct message_node {
	uint64_t address;
	uint32_t caller;   /* index of an earlier node plus 1, 0: outermost */
	bool is_return;    /* address is a return address: the call is just before it */
	bool is_kernel;
};
struct message_sample {
	uint64_t ticks, weight; /* weight: in the unit of message_sampling */
	uint32_t node;     /* index of the node plus 1; 0: place unknown */
	enum dwell_sample_stack stack;
};
/* Samples of one thread, in order of time. */
struct message_samples {
	uint32_t stream;
	const struct message_node *nodes; /* borrowed, like samples */
	uint32_t node_count;
	const struct message_sample *samples;
	uint32_t count;
};

struct message_count {
	uint64_t address, count;
};
/* How often a timer interrupted each piece of a thread's code: counts, without times. */
struct message_counts {
	uint32_t stream;
	uint32_t bytes;          /* of code per count */
	uint64_t weight;         /* of each interrupt */
	uint64_t from_ticks, until_ticks; /* when counting began and ended, 0: unknown */
	uint64_t outside;        /* interrupts in code that has no counter */
	uint64_t beyond;         /* interrupts whose counter was full, in unknown code */
	uint32_t full;           /* number of full counters */
	const struct message_count *counts; /* in order of addresses; borrowed */
	uint32_t count;
	const struct message_count *calls; /* number of calls of each function, by an address in it; borrowed, in any order */
	uint64_t call_count;
};

/* Names of a file's functions, as the recorder read them. They hold for the whole recording, wherever the message stands. */
struct message_name {
	uint64_t address, size; /* link-time addresses; for the kernel (DWELL_NAMES_KERNEL)
				   run-time ones. size is not 0 and does not wrap */
	const char *name;       /* mangled, as in a symbol table; "": no name */
};
struct message_names {
	const char *path; /* with build_id: identifies the MODULE */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	const struct message_name *names; /* in any order; borrowed */
	uint32_t count;
};

/* The text of all marks with this index. Comes before the first of these marks. */
struct message_text {
	uint32_t index;
	const char *text; /* borrowed */
};
/* Place of a mark, plus the index of its text. A mark is a call that takes no time. Its place is no address of code. */
#define MESSAGE_MARK_PLACE (UINT64_C(1) << 63)

/* A string in a process's memory: the name of the place that is its address
 * (DWELL_PLACE_STRING). Comes before the first use of the place. */
struct message_string {
	uint32_t process;
	uint64_t address;
	const char *text; /* borrowed; not empty */
};

/* Functions that dwell stopped recording at some moment, because recording a call took longer than the
 * call. Comes again with newer numbers: for the same place and since_ticks, the last message counts. */
struct message_throttled {
	uint64_t place;       /* DWELL_PLACE_LOW32 */
	uint64_t since_ticks, until_ticks; /* until: when the function's file was unmapped or recording resumed; 0: neither */
	uint64_t seen_ticks;  /* for so long after since_ticks, dwell sampled the calls now and then */
	uint64_t calls;       /* not recorded */
	uint32_t call_sixteenths; /* cost of recording one call, in sixteenths of a tick */
	uint32_t cut;         /* open calls that ended when recording stopped */
	uint16_t share;       /* the largest measured share of the process's time, in 65,535ths, rounded up */
	bool is_counted;      /* calls is exact; else a lower bound */
};
struct message_throttle {
	uint32_t process;
	const struct message_throttled *list; /* borrowed */
	uint32_t count;
};

/* User-space places where threads of any process ran: a few samples taken besides the recorded calls. */
struct message_cpu_place {
	uint64_t address, ticks; /* ticks: when a thread was last there */
	uint32_t pid, count;
};
struct message_cpu_places {
	uint64_t period_ns; /* CPU time of a thread between two samples */
	uint64_t beyond;    /* samples whose place is not listed */
	const struct message_cpu_place *places; /* borrowed */
	uint32_t count;
};

/* Calls that the recorder added up, path by path. All figures add up over a stream's messages, except two:
 * frames, where the last message counts (the calls open at that time), and deepest, where the largest counts. */
struct message_sum_node {
	uint32_t parent, function; /* index of an earlier node plus 1 (0: outermost); index of a function plus 1 */
	uint64_t calls, total_ticks, self_ticks;
	uint64_t taken_ticks; /* time in calls that are only in the sums, and that calls on this path made. The calling
			         calls come as MESSAGE_EVENTS, and their self time includes these ticks */
};
struct message_sum_function {
	uint64_t place;
	bool no_place;
	uint64_t folded_calls, folded_total_ticks, folded_self_ticks; /* of calls that are on no node */
	uint64_t untimed_calls; /* calls without a recorded exit */
	bool incomplete; /* the durations are of incomplete calls */
	uint64_t min_ticks, max_ticks, sum_ticks;
	uint32_t bucket_count; /* buckets of this function; they follow those of the function before */
};
struct message_sum_bucket {
	uint32_t number; /* as in core/duration.h */
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
	bool has_no_moments;  /* a machine added them up by function: each function is a
			         path of its own, and last_ticks is the sum of self times */
	bool is_all;          /* no call of the stream comes as events, and these fields are valid: */
	uint64_t events, lost_ticks, lost_events, unmatched_exits, unwound_calls, no_entry_calls, gap_calls, beyond_calls,
		backward_events;
	uint64_t held_ticks;
	uint32_t deepest;     /* most open calls so far */
	uint64_t limit_ticks; /* if not is_all: the sums have only calls shorter than this */
	uint64_t first_ticks, last_ticks;
	uint64_t root_taken_ticks; /* time in calls that are only in the sums, outside of all calls that come as MESSAGE_EVENTS */
	uint64_t other_calls, other_ticks; /* calls and self time of functions that are not listed */
	const struct message_sum_node *nodes; /* this and the next three are borrowed */
	const struct message_sum_function *functions;
	const struct message_sum_bucket *buckets;
	const struct message_sum_frame *frames; /* grouped by stack, outermost first in each */
	uint32_t node_count, function_count, bucket_count, frame_count;
};

/* Data that the recorder could not record. The last message of a stream and reason counts. */
struct message_loss {
	uint32_t stream; /* 0 if the loss belongs to no stream */
	uint32_t reason; /* enum dwell_loss_reason: also says what the count counts */
	uint64_t count, ticks; /* count: since the beginning; ticks: when the recorder noticed the loss, 0: unknown */
};

/* A path of places with a metric and without a time: folded stacks, pprof. */
struct message_weight {
	const char *const *names; /* outermost first; borrowed. A format with addresses gives places instead (names null) */
	const struct place *places;
	uint32_t depth;
	uint32_t kept; /* number of outermost frames equal to the previous message's; 0: not compared */
	uint64_t weight; /* in the unit of message_header */
};

enum message_kind {
	MESSAGE_END, /* no more messages follow */
	MESSAGE_HEADER,
	MESSAGE_EVENTS,
	MESSAGE_PACKED,
	MESSAGE_RESTART, /* the messages of this chunk since its checkpoint were wrong; the checkpoint and
		          all events of the chunk follow again. Only after reader_decoder_want_packed */
	MESSAGE_CHECKPOINT,
	MESSAGE_PROCESS,
	MESSAGE_MODULE,
	MESSAGE_THREAD,
	MESSAGE_CLOCK,
	MESSAGE_LOSS,
	MESSAGE_INFO,
	MESSAGE_WEIGHT,
	MESSAGE_SWITCHES,
	MESSAGE_FAULTS,
	MESSAGE_TEXT,
	MESSAGE_SAMPLING,
	MESSAGE_SAMPLES,
	MESSAGE_COUNTS,
	MESSAGE_NAMES,
	MESSAGE_STRING,
	MESSAGE_THROTTLE,
	MESSAGE_SUMS,
	MESSAGE_CPU_PLACES,
};

/* The first message of every reader. */
struct message_header {
	const char *format;   /* for people: "dwell 1.1", "folded stacks" */
	const char *version;  /* of dwell's own format: "1.1"; null: another format */
	bool has_events;      /* events, samples or counts follow, rather than weights */
	bool has_return_addresses; /* RETURNS_TO events follow */
	bool places_are_names;     /* all places are addresses of names: the format is certain */
	bool is_untimed;      /* the events have no known times: ticks only give the order */
	bool has_weights;     /* MESSAGE_WEIGHT follow */
	bool is_bare;         /* a dump of a machine's memory: addresses and ticks, without
			         a list of the code there and without the clock's rate */
	const char *unit;     /* of weights: "samples", "ns" or "" */
	const char *counted;  /* the event that was read, and the file's other events, for people (reader/events.h); "" or null:
			         there is only one */
	uint64_t clock_hz;    /* nominal, 0 unknown */
	uint32_t clock_bits;  /* of the machine's counter */
	/* global: one clock for all cores, so times of different threads can be compared. late: a time stamp may be too late;
	 * readers lower it to the next one. down: the machine's counter counts down; ticks count up nevertheless. */
	bool clock_global, clock_late, clock_down;
	bool big_endian; /* of the recorded machine */
	uint64_t start_unix_ns; /* when the recording began; 0: unknown */
	uint32_t pointer_bytes, machine; /* of the recorded machine: 4 or 8; as in ELF (e_machine), 0: unknown */
};

/* A fact about the recording, for people. Borrowed. */
struct message_info {
	const char *key, *value;
};

struct message {
	enum message_kind kind;
	uint64_t offset; /* of the message's bytes in the file */
	union {
		struct message_header header;
		struct message_events events;
		struct message_packed packed;
		struct message_checkpoint checkpoint;
		struct message_process process;
		struct message_module module;
		struct message_thread thread;
		struct message_clock clock;
		struct message_loss loss;
		struct message_info info;
		struct message_weight weight;
		struct message_switches switches;
		struct message_faults faults;
		struct message_text text;
		struct message_sampling sampling;
		struct message_samples samples;
		struct message_counts counts;
		struct message_names names;
		struct message_string string;
		struct message_throttle throttle;
		struct message_sums sums;
		struct message_cpu_places cpu_places;
	};
};

#endif
