/* SPDX-License-Identifier: MIT
 *
 * The dwell trace file, version 1: constants only. FORMAT.md is the normative text; the numbers here are its numbers.
 * All fields are little-endian and are written and read byte by byte: no struct is ever laid over file bytes.
 */
#ifndef DWELL_FORMAT_H
#define DWELL_FORMAT_H

#define DWELL_FILE_MAGIC "\x89" "dwell\r\n" /* 8 bytes: a text-mode copy or a 7-bit channel destroys it visibly */
#define DWELL_FILE_MAJOR 1
#define DWELL_FILE_MINOR 1

/* File header: 64 bytes. */
enum {
	DWELL_HEADER_BYTES = 64,
	DWELL_HEADER_MAGIC = 0,         /* 8 bytes */
	DWELL_HEADER_MAJOR = 8,         /* u16: another major: stop */
	DWELL_HEADER_MINOR = 10,        /* u16: a higher minor: go on */
	DWELL_HEADER_LENGTH = 12,       /* u32: bytes of this header, ≥ 64; what is beyond 64 is skipped */
	DWELL_HEADER_POINTER_BYTES = 16,/* u8: 4 or 8, of the recorded program */
	DWELL_HEADER_BYTE_ORDER = 17,   /* u8: 1 little, 2 big: of the recorded machine, not of this file */
	DWELL_HEADER_CLOCK_BITS = 18,   /* u8: width of the counter, 1 to 64 */
	DWELL_HEADER_CLOCK_FLAGS = 19,  /* u8: DWELL_CLOCK_… */
	DWELL_HEADER_INCOMPATIBLE = 20, /* u32: bits that must be understood; an unknown one: stop. None is defined: 0 */
	DWELL_HEADER_CLOCK_HZ = 24,     /* u64: nominal rate, 0 when unknown; CLOCK chunks are more exact */
	DWELL_HEADER_START_UNIX_NS = 32,/* u64: wall time when recording began, 0 when unknown */
	DWELL_HEADER_MACHINE = 40,      /* u16: ELF e_machine of the recorded program, 0 when unknown */
	DWELL_HEADER_UNUSED = 42,       /* 18 bytes: write 0, ignore */
	DWELL_HEADER_CRC = 60,          /* u32: CRC-32 (IEEE 802.3, as in zlib) of bytes 0…59 */
};

enum dwell_clock_flag {
	DWELL_CLOCK_DOWN = 1 << 0,      /* the counter counted down; stamps in the file count up all the same (informative) */
	DWELL_CLOCK_GLOBAL = 1 << 1,    /* one clock for all cores: times of different threads compare */
	DWELL_CLOCK_LATE = 1 << 2,      /* stamps may be late (claimed before stamped): lower each to its successor */
};

/* Chunk header: 64 bytes, then LENGTH bytes of payload. LENGTH is a multiple of 8; text is padded with zeros. */
enum {
	DWELL_CHUNK_HEADER_BYTES = 64,
	DWELL_CHUNK_MARKER = 0,         /* u32: DWELL_CHUNK_MARK; a reader that lost its way looks for it */
	DWELL_CHUNK_KIND = 4,           /* u16: enum dwell_chunk_kind; unknown: skip and count */
	DWELL_CHUNK_FLAGS = 6,          /* u16: enum dwell_chunk_flag; unknown bit set: skip and count */
	DWELL_CHUNK_LENGTH = 8,         /* u32: payload bytes, ≤ DWELL_CHUNK_LENGTH_MAX */
	DWELL_CHUNK_STREAM = 12,        /* u32: stream (SLOTS, THREAD, LOSS, SWITCHES, SAMPLES, COUNTS);
	                                   process (PROCESS, MODULE, THROTTLE) */
	DWELL_CHUNK_FIRST_TICKS = 16,   /* u64: time of the first event in it, 0 when it has none */
	DWELL_CHUNK_LAST_TICKS = 24,    /* u64: time of the last event in it */
	DWELL_CHUNK_SEQUENCE = 32,      /* u32: counts from 0 for each stream (SLOTS) or for all other kinds together; a gap is a loss */
	DWELL_CHUNK_EVENTS = 36,        /* u32: enters and exits in it */
	DWELL_CHUNK_FRAMES = 40,        /* u32: frames of the checkpoint at the head of the payload */
	DWELL_CHUNK_UNPACKED = 44,      /* u32: payload bytes before compression; equal to LENGTH when not compressed */
	DWELL_CHUNK_PAYLOAD_CRC = 48,   /* u32: CRC-32 of the payload as stored */
	DWELL_CHUNK_FLOOR_TICKS = 52,   /* u64: LAST_TICKS of the stream's chunk before this one: earlier stamps are raised to it */
	DWELL_CHUNK_CRC = 60,           /* u32: CRC-32 of bytes 0…59 of this header */
};

#define DWELL_CHUNK_MARK 0x6b434457u /* "WDCk" read as bytes: 57 44 43 6b */
#define DWELL_CHUNK_LENGTH_MAX (1u << 24)

enum dwell_chunk_flag {
	DWELL_CHUNK_FRAMES_MISSING = 1 << 0, /* the checkpoint lacks its innermost frames: there were too many */
	DWELL_CHUNK_PACKED = 1 << 1,         /* SLOTS, SAMPLES, COUNTS, NAMES, SUMS: it is packed; UNPACKED is its length when it is not */
	DWELL_CHUNK_PARTS = 1 << 2,          /* packed SLOTS: the streams lie in parts, so that a cut chunk has the slots before the cut */
};

enum dwell_chunk_kind {
	DWELL_CHUNK_SLOTS = 1,   /* checkpoint, then slots as recorded; the first slot is TIME */
	DWELL_CHUNK_MODULE = 2,  /* a file mapped into a process */
	DWELL_CHUNK_THREAD = 3,  /* what a stream belongs to; said again when the name changes or the thread ends */
	DWELL_CHUNK_PROCESS = 4, /* likewise for a process */
	DWELL_CHUNK_CLOCK = 5,   /* the clock against CLOCK_MONOTONIC and wall time; one at the start, one at the end, some between */
	DWELL_CHUNK_LOSS = 6,    /* what was not recorded outside of any block: threads without a ring, … */
	DWELL_CHUNK_INFO = 7,    /* facts for people: UTF-8 text, lines of key=value */
	DWELL_CHUNK_SEEK = 8,    /* where each chunk is; a reader can do without */
	DWELL_CHUNK_END = 9,     /* the recording ended as it should; always the last chunk, 32 bytes of payload */
	DWELL_CHUNK_TEXT = 11,   /* the text of marks with this index */
	DWELL_CHUNK_SWITCHES = 10, /* when a thread was off the CPU, between FIRST_TICKS and LAST_TICKS */
	DWELL_CHUNK_SAMPLES = 12,  /* where a thread was, now and then, between FIRST_TICKS and LAST_TICKS */
	DWELL_CHUNK_SAMPLING = 13, /* how samples were taken, and what they weigh */
	DWELL_CHUNK_NAMES = 14,    /* what functions of a file are called: those that were recorded */
	DWELL_CHUNK_COUNTS = 15,   /* how often a timer found a program where: counts of pieces of its code, without order */
	DWELL_CHUNK_THROTTLE = 16, /* functions of a process that are not recorded any more, and how often they were called since */
	DWELL_CHUNK_SUMS = 17,     /* calls that are counted and not listed: how many on which path, and how long they took */
};

/* A checkpoint frame: 32 bytes. */
enum {
	DWELL_FRAME_BYTES = 32,
	DWELL_FRAME_PLACE = 0,       /* u64: as in a slot, bit 0 clear; above 32 bits where a WINDOW said so */
	DWELL_FRAME_ENTER_TICKS = 8, /* u64 */
	DWELL_FRAME_CHILD_TICKS = 16,/* u64: time in finished callees and in gaps so far */
	DWELL_FRAME_FLAGS = 24,      /* u32: DWELL_FRAME_…; unknown bits: ignore */
	DWELL_FRAME_STACK = 28,      /* u32: number of the stack that it is on, 0: the thread's own */
};
enum {
	DWELL_FRAME_NO_ENTRY = 1, /* entered before the data began or in a gap: ENTER_TICKS is the earliest it is charged from */
	DWELL_FRAME_NO_PLACE = 2, /* entered in a gap: PLACE is 0, the exit will tell */
	DWELL_FRAME_PIECE = 4,    /* of a call that may have been counted already, when a gap ended it: no further call */
};

/* The payload of a packed SLOTS chunk: for each stream its length and how much of the payload it takes, then the streams themselves. A
 * stream that takes less than its length is one zstd frame. */
enum {
	DWELL_PACK_HEAD_BYTES = 40, /* 5 × { u32 length, u32 stored } */
	DWELL_PACK_PART_BYTES = 20, /* of a chunk in parts, in front of each: 5 × u32, how much of each stream is in it */
	DWELL_PACK_LENGTH = 0,
	DWELL_PACK_STORED = 4,
};
enum dwell_pack_stream {
	DWELL_PACK_CHECKPOINT = 0, /* as it is */
	DWELL_PACK_TOKENS = 1,     /* a byte for each slot: enum dwell_pack_token */
	DWELL_PACK_TIMES = 2,      /* a byte for each enter and exit: how much its stamp is above the last one's */
	DWELL_PACK_FINE = 3,       /* second bytes of what does not fit into one */
	DWELL_PACK_WORDS = 4,      /* u32s, of what is rare */
	DWELL_PACK_STREAMS = 5,
};
enum dwell_pack_token {
	DWELL_PACK_EXIT = 0,   /* the exit that is expected: of the innermost open function */
	                       /* below WIDE: the low word that has this number */
	DWELL_PACK_WIDE = 224, /* to 252: the number is 224 + (token − 224) × 256 + a byte of FINE */
	DWELL_PACK_NEW = 253,  /* the low word is in WORDS; it gets the next number, the first is 1 */
	DWELL_PACK_TIME = 254, /* TIME, the payload as before */
	DWELL_PACK_TAG = 255,  /* two bytes of FINE are the tag, the payload is in WORDS */
};
enum {
	DWELL_PACK_NUMBERS = 224 + 29 * 256, /* numbers are below this; what is new beyond gets none */
	DWELL_PACK_STACK = 4096,  /* expected exits that are remembered */
	DWELL_PACK_LOOK = 8,      /* so many of them are compared with an exit that was not expected */
	DWELL_PACK_LONG = 192,    /* of TIMES, to 254: 192 + (byte − 192) × 256 + a byte of FINE */
	DWELL_PACK_FULL = 255,    /* of TIMES: the difference, modulo 2^32, is in WORDS */
};

/* MODULE: fixed part of 60 bytes, then the path (UTF-8, zero-terminated), padded. */
enum {
	DWELL_MODULE_LOW = 0,         /* u64: first mapped address */
	DWELL_MODULE_HIGH = 8,        /* u64: first address behind it */
	DWELL_MODULE_BIAS = 16,       /* u64: run-time address − address in the file's symbol table */
	DWELL_MODULE_LOAD_TICKS = 24, /* u64: mapped from here on; 0: from the start */
	DWELL_MODULE_FLAGS = 32,      /* u32: enum dwell_module_flag; others: ignore */
	DWELL_MODULE_BUILD_ID_BYTES = 36, /* u32: 0 to 20 */
	DWELL_MODULE_BUILD_ID = 40,   /* 20 bytes */
	DWELL_MODULE_BUILD_ID_MAX = 20,
	DWELL_MODULE_PATH = 60,
};
enum dwell_module_flag {
	DWELL_MODULE_HOOKED = 1 << 0,   /* has hooks: its low-32 span is disjoint from that of any other that has, but for WINDOWs */
	DWELL_MODULE_UNMAPPED = 1 << 1, /* at LOAD_TICKS it was unmapped */
};

/* THREAD: fixed part of 32 bytes, then the name (zero-terminated), padded. */
enum {
	DWELL_THREAD_PROCESS = 0,     /* u32: process index */
	DWELL_THREAD_TID = 4,         /* u32 */
	DWELL_THREAD_FLAGS = 8,       /* u32: enum dwell_thread_flag; others: ignore */
	DWELL_THREAD_PLACE_KIND = 12, /* u32: what a place is in this stream: enum dwell_place_kind */
	DWELL_THREAD_LOST_EVENTS = 16,/* u64: so far, by the recorder's own count */
	DWELL_THREAD_RESERVED = 24,   /* u64: write 0, ignore */
	DWELL_THREAD_NAME = 32,
};
enum dwell_thread_flag {
	DWELL_THREAD_ENDED = 1 << 0,
	DWELL_THREAD_WRAPPED = 1 << 1, /* its ring wrapped: the beginning is missing */
	DWELL_THREAD_FULL = 1 << 2,    /* it stopped when its memory was full: the end is missing */
	DWELL_THREAD_COPIED = 1 << 4,  /* a fork made it of a thread of its parent: what is open there is open here */
	DWELL_THREAD_GIVEN_UP = 1 << 3, /* it had ended, and its ring was taken for a later thread: all of it is missing */
};

/* What hooks and readers call code. Part of the format (THREAD), used by the host as the kind of a place. */
enum dwell_place_kind {
	DWELL_PLACE_LOW32 = 0,   /* low 32 bits of an address, bit 0 cleared; a value above 32 bits is a full address (see WINDOW) */
	DWELL_PLACE_ADDRESS = 1, /* a full address */
	DWELL_PLACE_STRING = 2,  /* address of a zero-terminated name in the program's image */
	DWELL_PLACE_NAME = 3,    /* index of a name that the reader interned */
	DWELL_PLACE_RANGE = 4,   /* start of an address range (a histogram bin) */
	DWELL_PLACE_TASK = 5,    /* a task handle */
	DWELL_PLACE_WORD = 6,    /* a full address, its two low bits cleared: of dumps of other recorders, in no trace file */
	DWELL_PLACE_ENTRY = 7,   /* likewise, and a function begins there */
};

/* PROCESS: fixed part of 32 bytes, then the program's path, then its command line (arguments separated by zeros), each
 * zero-terminated, padded. */
enum {
	DWELL_PROCESS_PID = 0,        /* u32 */
	DWELL_PROCESS_PARENT_PID = 4, /* u32 */
	DWELL_PROCESS_FLAGS = 8,      /* u32: bit 0: ended, STATUS is valid */
	DWELL_PROCESS_STATUS = 12,    /* u32: as wait() gives it on Linux */
	DWELL_PROCESS_START_TICKS = 16, /* u64 */
	DWELL_PROCESS_ARGC = 24,      /* u32: strings in the command line */
	DWELL_PROCESS_RESERVED = 28,  /* u32: write 0, ignore */
	DWELL_PROCESS_STRINGS = 32,
};
enum { DWELL_PROCESS_ENDED = 1 };

/* CLOCK: 24 bytes. */
enum {
	DWELL_CLOCK_BYTES = 24,
	DWELL_CLOCK_TICKS = 0,        /* u64 */
	DWELL_CLOCK_MONOTONIC_NS = 8, /* u64 */
	DWELL_CLOCK_UNIX_NS = 16,     /* u64 */
};

/* TEXT: fixed part of 8 bytes, then the text (zero-terminated), padded. */
enum {
	DWELL_TEXT_INDEX = 0,         /* u32: what MARK_TEXT says; 0 is nobody's */
	DWELL_TEXT_RESERVED = 4,      /* u32: write 0, ignore */
	DWELL_TEXT_TEXT = 8,
};

/* LOSS: 24 bytes. */
enum {
	DWELL_LOSS_BYTES = 24,
	DWELL_LOSS_REASON = 0,        /* u32: enum dwell_loss_reason */
	DWELL_LOSS_RESERVED = 4,
	DWELL_LOSS_COUNT = 8,         /* u64: of what the reason says, since the beginning */
	DWELL_LOSS_TICKS = 16,        /* u64: when it was noticed */
};
enum dwell_loss_reason {
	DWELL_LOSS_THREADS = 1,       /* threads that got no ring */
	DWELL_LOSS_EVENTS = 2,        /* events of such threads */
	DWELL_LOSS_SETUP = 3,         /* events that interrupted a thread's set-up */
	DWELL_LOSS_BYTES_UNWRITTEN = 4, /* bytes of chunks that the disk refused */
	DWELL_LOSS_MODULES = 5,       /* modules that did not fit into the journal */
	DWELL_LOSS_SWITCHES = 6,      /* context switches that the kernel had no room to tell of */
	DWELL_LOSS_GIVEN_UP = 7,      /* ended threads whose rings were taken for later ones */
	DWELL_LOSS_SAMPLES = 8,       /* samples that were taken and not kept: there was no room */
	DWELL_LOSS_THROTTLED = 9,     /* times that the operating system stopped sampling for a while, as it cost too much */
	DWELL_LOSS_UNSEEN = 10,       /* calls in programs that leave functions, and that the recorder cannot see */
	DWELL_LOSS_MOVED = 11,        /* times that a coroutine went on on another thread: its open calls are in both */
	DWELL_LOSS_DAMAGED = 12,      /* times that what the operating system told made no sense, and the rest of its buffer was left out */
	DWELL_LOSS_OVERWRITTEN = 13,  /* parts of what is shared with the programs (rings, the header, a file) that one wrote over */
	DWELL_LOSS_PRIVILEGED = 14,   /* programs with rights of their own (set-uid) that were started, and took no part */
	DWELL_LOSS_BYTES_STARVED = 15, /* bytes of chunks that there was no memory for */
};

/* SWITCHES: two sums of 8 bytes, then entries of 16. */
enum {
	DWELL_SWITCHES_OFF_BEFORE = 0, /* u64: ticks off the CPU in front of the first entry, since the stream began */
	DWELL_SWITCHES_PREEMPTED_BEFORE = 8, /* u64: of those: able to run */
	DWELL_SWITCHES_ENTRIES = 16,
	DWELL_SWITCH_BYTES = 16,
	DWELL_SWITCH_OUT = 0,          /* u64: ticks when it left the CPU */
	DWELL_SWITCH_LENGTH = 8,       /* u64: ticks until it was back; bit 63: it was able to run, another thread was let first */
};
#define DWELL_SWITCH_PREEMPTED (UINT64_C(1) << 63)

/* SAMPLING: 40 bytes. */
enum {
	DWELL_SAMPLING_BYTES = 40,
	DWELL_SAMPLING_ENGINE = 0,  /* u32: enum dwell_sampling_engine */
	DWELL_SAMPLING_UNIT = 4,    /* u32: enum dwell_sampling_unit, of weights and of the period */
	DWELL_SAMPLING_FLAGS = 8,   /* u32: enum dwell_sampling_flag */
	DWELL_SAMPLING_PROCESS = 12,/* u32: unused */
	DWELL_SAMPLING_PERIOD = 16, /* u64: mean of what lies between two samples, as it was asked for */
	DWELL_SAMPLING_HZ = 24,     /* u64: samples a second of CPU time, as they were asked for, in thousandths */
	DWELL_SAMPLING_CPU = 32,    /* u64: what the operating system says that was spent in all, in the unit; 0 unknown */
};
enum dwell_sampling_engine {
	DWELL_ENGINE_TASK_CLOCK = 1, /* perf events, the operating system's timer on the CPU time of each thread */
	DWELL_ENGINE_CYCLES = 2,     /* perf events, the processor's count of cycles */
	DWELL_ENGINE_TIMERS = 3,     /* a timer of each thread's own, from within the program */
	DWELL_ENGINE_INTERRUPT = 4,  /* an interrupt of a machine without an operating system to ask */
	DWELL_ENGINE_DEBUGGER = 5,   /* a debugger that stops the machine each time */
};
enum dwell_sampling_unit {
	DWELL_UNIT_NS = 0,
	DWELL_UNIT_CYCLES = 1,
	DWELL_UNIT_SAMPLES = 2,
};
enum dwell_sampling_flag {
	DWELL_SAMPLING_JITTERED = 1 << 0, /* what lies between two samples was varied at random */
	DWELL_SAMPLING_STACKS = 1 << 1,   /* callers were looked for */
	DWELL_SAMPLING_KERNEL = 1 << 2,   /* in the operating system, too (timers: where it was called); else what ran there has none */
	DWELL_SAMPLING_WALL = 1 << 3,     /* time went on while the program waited: weights are wall time */
	DWELL_SAMPLING_POINTERS = 1 << 4, /* callers were looked for by frame pointers, as far as there are any */
};

/* SAMPLES: two numbers, then nodes, then samples. A node is a place on a path, and knows its caller. */
enum {
	DWELL_SAMPLES_NODES = 0,       /* u32: how many */
	DWELL_SAMPLES_COUNT = 4,       /* u32: samples */
	DWELL_SAMPLES_HEAD_BYTES = 8,
	DWELL_SAMPLES_NODE_BYTES = 16,
	DWELL_SAMPLES_NODE_ADDRESS = 0, /* u64 */
	DWELL_SAMPLES_NODE_CALLER = 8,  /* u32: number (from 1) of the node that called it, which stands before it; 0: outermost */
	DWELL_SAMPLES_NODE_FLAGS = 12,  /* u32: enum dwell_node_flag; others: ignore */
	DWELL_SAMPLE_BYTES = 24,
	DWELL_SAMPLE_TICKS = 0,         /* u64 */
	DWELL_SAMPLE_WEIGHT = 8,        /* u64: what passed since the sample before, in the unit of SAMPLING, at most … */
	DWELL_SAMPLE_NODE = 16,         /* u32: where it was; 0: not known */
	DWELL_SAMPLE_FLAGS = 20,        /* u32: enum dwell_sample_stack in bits 0 and 1; others: ignore */
};
#define DWELL_SAMPLE_WEIGHT_MAX (1ull << 40) /* … this: sums of millions are right */
enum dwell_node_flag {
	DWELL_NODE_RETURN = 1 << 0, /* a return address: the call is in front of it */
	DWELL_NODE_KERNEL = 1 << 1, /* in the operating system */
};
enum dwell_sample_stack {
	DWELL_STACK_LEAF = 0,      /* callers were not looked for */
	DWELL_STACK_COMPLETE = 1,  /* up to the thread's first function */
	DWELL_STACK_TRUNCATED = 2, /* outer callers are missing: what was copied of the stack ended */
	DWELL_STACK_BROKEN = 3,    /* outer callers are missing: how to go on was not known, or made no sense */
};

/* COUNTS: fixed part of 32 bytes, then a count for each piece of code that has one. */
enum {
	DWELL_COUNTS_WEIGHT = 0,   /* u64: what one stands for, in the unit of SAMPLING, at most DWELL_SAMPLE_WEIGHT_MAX */
	DWELL_COUNTS_OUTSIDE = 8,  /* u64: the program was where no code is counted, at most DWELL_COUNT_MAX */
	DWELL_COUNTS_BEYOND = 16,  /* u64: a count was full and could not be raised; which one is not known, at most DWELL_COUNT_MAX */
	DWELL_COUNTS_BYTES = 24,   /* u32: of code that a count is for, 1 to DWELL_COUNTS_BYTES_MAX */
	DWELL_COUNTS_FULL = 28,    /* u32: counts that were full */
	DWELL_COUNTS_ENTRIES = 32,
	DWELL_COUNT_BYTES = 16,
	DWELL_COUNT_ADDRESS = 0,   /* u64: of the piece, in order */
	DWELL_COUNT_COUNT = 8,     /* u64: at most DWELL_COUNT_MAX */
};
#define DWELL_COUNT_MAX (1ull << 40)
#define DWELL_COUNTS_BYTES_MAX 16u

/* THROTTLE: functions of 48 bytes. */
enum {
	DWELL_THROTTLED_BYTES = 48,
	DWELL_THROTTLED_PLACE = 0,  /* u64: as in a slot, bit 0 clear, below 2^32 */
	DWELL_THROTTLED_SINCE = 8,  /* u64: ticks when it was decided; not every thread ceased to record it in that moment */
	DWELL_THROTTLED_UNTIL = 16, /* u64: ticks when its file was unmapped; 0: it never was */
	DWELL_THROTTLED_CALLS = 24, /* u64: that were not recorded, so far */
	DWELL_THROTTLED_COST = 32,  /* u32: ticks that recording a call took, in sixteenths */
	DWELL_THROTTLED_FLAGS = 36, /* u32: enum dwell_throttled_flag; others: ignore */
	DWELL_THROTTLED_CUT = 40,   /* u32: calls that were open then, and end there in the file */
	DWELL_THROTTLED_RESERVED = 44, /* u32: write 0, ignore */
};
enum dwell_throttled_flag {
	DWELL_THROTTLED_COUNTED = 1 << 0, /* CALLS are all of them; else nobody counted, and they are some */
};

/* NAMES: fixed part of 32 bytes, functions of 16, then strings: the file's path as in MODULE, and a name for each function; each
 * zero-terminated; padded. */
enum {
	DWELL_NAMES_COUNT = 0,          /* u32: functions */
	DWELL_NAMES_BUILD_ID_BYTES = 4, /* u32: 0 to 20; as in MODULE */
	DWELL_NAMES_BUILD_ID = 8,       /* 20 bytes */
	DWELL_NAMES_RESERVED = 28,      /* u32: write 0, ignore */
	DWELL_NAMES_FUNCTIONS = 32,
	DWELL_NAMES_FUNCTION_BYTES = 16,
	DWELL_NAMES_FUNCTION_ADDRESS = 0, /* u64: as in the file's symbol table; of DWELL_NAMES_KERNEL and DWELL_NAMES_JIT: at run time */
	DWELL_NAMES_FUNCTION_SIZE = 8,    /* u64: not 0 */
};
#define DWELL_NAMES_KERNEL "[kernel]" /* the path of the operating system's own code */
#define DWELL_NAMES_JIT "[jit]"       /* of code that a process made while it ran; in place of a build-id, which process */

/* SUMS: fixed part of 136 bytes, or of 144 with DWELL_SUMS_HAS_HELD, then nodes, functions, buckets, frames. All but the frames and DEEPEST
 * add up over the chunks of a stream; of frames the last chunk counts. */
enum {
	DWELL_SUMS_PLACE_KIND = 0,    /* u32: enum dwell_place_kind, of all places in it */
	DWELL_SUMS_FLAGS = 4,         /* u32: enum dwell_sums_flag; others: ignore */
	DWELL_SUMS_NODES = 8,         /* u32: how many, without the root */
	DWELL_SUMS_FUNCTIONS = 12,    /* u32 */
	DWELL_SUMS_BUCKETS = 16,      /* u32 */
	DWELL_SUMS_FRAMES = 20,       /* u32 */
	DWELL_SUMS_LIMIT_TICKS = 24,  /* u64: calls shorter than that are not listed, 0: none is */
	DWELL_SUMS_ROOT_TAKEN = 32,   /* u64: time in outermost calls that are not listed */
	DWELL_SUMS_OTHER_CALLS = 40,  /* u64: of functions that found no room */
	DWELL_SUMS_OTHER_TICKS = 48,  /* u64: self time of those */
	/* Where no call is listed, what else is known of the stream: */
	DWELL_SUMS_EVENTS = 56,       /* u64: enters and exits */
	DWELL_SUMS_LOST_TICKS = 64,   /* u64: in gaps */
	DWELL_SUMS_LOST_EVENTS = 72,  /* u64 */
	DWELL_SUMS_UNMATCHED = 80,    /* u64: exits that fit no open call */
	DWELL_SUMS_UNWOUND = 88,      /* u64: calls that ended without an exit of their own */
	DWELL_SUMS_NO_ENTRY = 96,     /* u64: calls whose entry is not in the data */
	DWELL_SUMS_GAP = 104,         /* u64: calls that ended in a gap */
	DWELL_SUMS_BEYOND = 112,      /* u64: calls that were nested too deep */
	DWELL_SUMS_BACKWARD = 120,    /* u64: events with an earlier time than the one before */
	DWELL_SUMS_DEEPEST = 128,     /* u32: most calls open at a time, so far */
	DWELL_SUMS_RESERVED = 132,    /* u32: write 0, ignore */
	DWELL_SUMS_HELD_TICKS = 136,  /* u64: while the recorder held the thread up. Only with DWELL_SUMS_HAS_HELD, else there was none */
	DWELL_SUMS_HEAD_BYTES = 136,
	DWELL_SUMS_LONG_HEAD_BYTES = 144,

	DWELL_SUM_NODE_BYTES = 40,
	DWELL_SUM_NODE_PARENT = 0,    /* u32: number (from 1) of the node that called it, which stands before it; 0: outermost */
	DWELL_SUM_NODE_FUNCTION = 4,  /* u32: number (from 1) of the function */
	DWELL_SUM_NODE_CALLS = 8,     /* u64 */
	DWELL_SUM_NODE_TOTAL = 16,    /* u64: ticks */
	DWELL_SUM_NODE_SELF = 24,     /* u64: ticks */
	DWELL_SUM_NODE_TAKEN = 32,    /* u64: ticks of listed calls on this path that were spent in calls that are not listed */

	DWELL_SUM_FUNCTION_BYTES = 72,
	DWELL_SUM_FUNCTION_PLACE = 0, /* u64; all ones: not known */
	DWELL_SUM_FUNCTION_FOLDED_CALLS = 8,  /* u64: calls of it that are on no node … */
	DWELL_SUM_FUNCTION_FOLDED_TOTAL = 16, /* u64: … ticks of those, of recursive ones the outermost */
	DWELL_SUM_FUNCTION_FOLDED_SELF = 24,  /* u64 */
	DWELL_SUM_FUNCTION_UNTIMED = 32, /* u64: calls of it whose exits are not recorded */
	DWELL_SUM_FUNCTION_MIN = 40,  /* u64: ticks of the shortest call */
	DWELL_SUM_FUNCTION_MAX = 48,  /* u64 */
	DWELL_SUM_FUNCTION_SUM = 56,  /* u64: of the durations of all calls that are in buckets */
	DWELL_SUM_FUNCTION_BUCKETS = 64, /* u32: so many of the buckets are its, the next ones */
	DWELL_SUM_FUNCTION_FLAGS = 68,   /* u32: bit 0: these are durations of calls that are not complete, as there is no other */

	DWELL_SUM_BUCKET_BYTES = 16,
	DWELL_SUM_BUCKET_NUMBER = 0,  /* u32: octave × 32 + step, see FORMAT.md; rising within a function */
	DWELL_SUM_BUCKET_RESERVED = 4,
	DWELL_SUM_BUCKET_COUNT = 8,   /* u64: calls, not 0 */

	DWELL_SUM_FRAME_BYTES = 32,
	DWELL_SUM_FRAME_NODE = 0,     /* u32: number of its path */
	DWELL_SUM_FRAME_FLAGS = 4,    /* u32: DWELL_FRAME_NO_ENTRY; others: ignore */
	DWELL_SUM_FRAME_ENTER_TICKS = 8,  /* u64 */
	DWELL_SUM_FRAME_CHILD_TICKS = 16, /* u64: time in finished callees and in gaps so far */
	DWELL_SUM_FRAME_STACK = 24,   /* u32: number of the stack that it is on, 0: the thread's own */
	DWELL_SUM_FRAME_RESERVED = 28,
};
enum dwell_sums_flag {
	DWELL_SUMS_ALL = 1 << 0, /* no call of the stream is listed: all of them are here */
	DWELL_SUMS_HAS_HELD = 1 << 1,
};
enum { DWELL_SUM_FUNCTION_INCOMPLETE = 1 };

/* SEEK: entries of 24 bytes, one for each chunk before the first SEEK chunk. A table that does not fit one chunk goes on in the next. */
enum {
	DWELL_SEEK_ENTRY_BYTES = 24,
	DWELL_SEEK_OFFSET = 0,        /* u64: of the chunk header in the file */
	DWELL_SEEK_FIRST_TICKS = 8,   /* u64 */
	DWELL_SEEK_KIND = 16,         /* u32 */
	DWELL_SEEK_STREAM = 20,       /* u32 */
};

/* END: 32 bytes. */
enum {
	DWELL_END_BYTES = 32,
	DWELL_END_SEEK_OFFSET = 0,    /* u64: of the first SEEK chunk's header */
	DWELL_END_CHUNKS = 8,         /* u64: chunks before the first SEEK chunk */
	DWELL_END_EVENTS = 16,        /* u64: enters and exits in the file */
	DWELL_END_RESERVED = 24,
};

#endif
