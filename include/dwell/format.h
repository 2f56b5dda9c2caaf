/* SPDX-License-Identifier: MIT
 *
 * dwell/format.h: the dwell trace file, version 1. Constants only; FORMAT.md is the normative text and has the same numbers.
 *
 *   Fields: little-endian. Read and write them byte by byte; never put a struct over file bytes.
 *   Constants: offsets and sizes in bytes. A constant that ends in _BYTES is a size. The comment above an enum also explains the
 *   constants without a comment of their own.
 *   Times: ticks of the recording's clock (CLOCK, HEADER_CLOCK_HZ), unless the name ends in _NS or _HZ.
 *   "Padded": filled with zeros to a multiple of 8.
 *   RESERVED, UNUSED: write 0; a reader ignores them. Unknown flags: a reader ignores them, unless a comment says otherwise.
 *   "A gap" is a time in which events were lost.
 */
#ifndef DWELL_FORMAT_H
#define DWELL_FORMAT_H

#define DWELL_FILE_MAGIC "\x89" "dwell\r\n" /* 8 bytes, which a copy in text mode or with 7 bits changes */
#define DWELL_FILE_MAJOR 1
#define DWELL_FILE_MINOR 1

/* File header: 64 bytes. */
enum {
	DWELL_HEADER_BYTES = 64,
	DWELL_HEADER_MAGIC = 0,         /* 8 bytes */
	DWELL_HEADER_MAJOR = 8,         /* u16: a reader refuses any other major version */
	DWELL_HEADER_MINOR = 10,        /* u16: a reader accepts a higher minor version */
	DWELL_HEADER_LENGTH = 12,       /* u32: bytes of this header, at least 64; a reader skips what is behind the first 64 */
	DWELL_HEADER_POINTER_BYTES = 16,/* u8: 4 or 8, in the recorded program */
	DWELL_HEADER_BYTE_ORDER = 17,   /* u8: 1 little, 2 big: the recorded machine's; this file is always little-endian */
	DWELL_HEADER_CLOCK_BITS = 18,   /* u8: width of the clock's counter in bits, 1 to 64 */
	DWELL_HEADER_CLOCK_FLAGS = 19,  /* u8: DWELL_CLOCK_… */
	DWELL_HEADER_INCOMPATIBLE = 20, /* u32: a reader refuses a file with an unknown bit here. No bit is defined yet: 0 */
	DWELL_HEADER_CLOCK_HZ = 24,     /* u64: nominal rate in Hz; 0: unknown. CLOCK chunks are more exact */
	DWELL_HEADER_START_UNIX_NS = 32,/* u64: wall-clock time when recording began, in ns since 1970; 0: unknown */
	DWELL_HEADER_MACHINE = 40,      /* u16: ELF e_machine of the recorded program; 0: unknown */
	DWELL_HEADER_UNUSED = 42,       /* 18 bytes */
	DWELL_HEADER_CRC = 60,          /* u32: CRC-32 (IEEE 802.3, as in zlib) of bytes 0…59 */
};

enum dwell_clock_flag {
	DWELL_CLOCK_DOWN = 1 << 0,      /* the machine's counter counts down. Time stamps in the file count up nevertheless
	                                   (informative) */
	DWELL_CLOCK_GLOBAL = 1 << 1,    /* one clock for all cores: times of different threads can be compared */
	DWELL_CLOCK_LATE = 1 << 2,      /* a time stamp may be too late: a reader lowers it to the next time stamp, if that is
	                                   earlier */
};

/* Chunk header: 64 bytes, then LENGTH bytes of payload. LENGTH is a multiple of 8; text is padded with zeros. */
enum {
	DWELL_CHUNK_HEADER_BYTES = 64,
	DWELL_CHUNK_MARKER = 0,         /* u32: DWELL_CHUNK_MARK; a reader of a damaged file looks for it */
	DWELL_CHUNK_KIND = 4,           /* u16: enum dwell_chunk_kind; a reader skips and counts chunks of unknown kinds */
	DWELL_CHUNK_FLAGS = 6,          /* u16: enum dwell_chunk_flag; a reader skips and counts chunks with unknown flags */
	DWELL_CHUNK_LENGTH = 8,         /* u32: payload bytes, at most DWELL_CHUNK_LENGTH_MAX */
	DWELL_CHUNK_STREAM = 12,        /* u32: number of the stream (SLOTS, THREAD, LOSS, SWITCHES, SAMPLES, COUNTS);
	                                   number of the process (PROCESS, MODULE, THROTTLE) */
	DWELL_CHUNK_FIRST_TICKS = 16,   /* u64: time of the chunk's first event; 0: no event */
	DWELL_CHUNK_LAST_TICKS = 24,    /* u64: time of the chunk's last event */
	DWELL_CHUNK_SEQUENCE = 32,      /* u32: counts from 0, per stream (SLOTS) or over all other kinds; a missing number is a
	                                   loss */
	DWELL_CHUNK_EVENTS = 36,        /* u32: number of entries and exits in the chunk */
	DWELL_CHUNK_FRAMES = 40,        /* u32: number of frames in the checkpoint that begins the payload */
	DWELL_CHUNK_UNPACKED = 44,      /* u32: payload bytes before compression; LENGTH if it is not compressed */
	DWELL_CHUNK_PAYLOAD_CRC = 48,   /* u32: CRC-32 of the payload as stored */
	DWELL_CHUNK_FLOOR_TICKS = 52,   /* u64: LAST_TICKS of the stream's chunk before. A reader raises earlier time stamps to this
	                                   time */
	DWELL_CHUNK_CRC = 60,           /* u32: CRC-32 of bytes 0…59 of this header */
};

#define DWELL_CHUNK_MARK 0x6b434457u /* "WDCk" read as bytes: 57 44 43 6b */
#define DWELL_CHUNK_LENGTH_MAX (1u << 24)

enum dwell_chunk_flag {
	DWELL_CHUNK_FRAMES_MISSING = 1 << 0, /* the checkpoint lacks its innermost frames, because there were too many */
	DWELL_CHUNK_PACKED = 1 << 1,         /* SLOTS, SAMPLES, COUNTS, NAMES, SUMS: compressed; UNPACKED is the length before */
	DWELL_CHUNK_PARTS = 1 << 2,          /* packed SLOTS: the payload is in parts; the first parts of a cut chunk are valid */
};

enum dwell_chunk_kind {
	DWELL_CHUNK_SLOTS = 1,   /* checkpoint, then slots as they were recorded; the first slot is TIME */
	DWELL_CHUNK_MODULE = 2,  /* a file mapped into a process */
	DWELL_CHUNK_THREAD = 3,  /* the thread of a stream; repeated when its name changes and when it ends */
	DWELL_CHUNK_PROCESS = 4, /* a process; repeated when it ends, or becomes another program */
	DWELL_CHUNK_CLOCK = 5,   /* the clock beside CLOCK_MONOTONIC and wall-clock time; at the start, at the end, and between */
	DWELL_CHUNK_LOSS = 6,    /* what was not recorded, other than events of a stream: threads without a ring … */
	DWELL_CHUNK_INFO = 7,    /* facts for people: UTF-8 text, lines of key=value */
	DWELL_CHUNK_SEEK = 8,    /* the offset of each chunk; optional for a reader */
	DWELL_CHUNK_END = 9,     /* the recording is complete; always the last chunk */
	DWELL_CHUNK_TEXT = 11,   /* the text of a mark */
	DWELL_CHUNK_SWITCHES = 10, /* times when a thread was off the CPU, between FIRST_TICKS and LAST_TICKS */
	DWELL_CHUNK_SAMPLES = 12,  /* samples of a thread's place, between FIRST_TICKS and LAST_TICKS */
	DWELL_CHUNK_SAMPLING = 13, /* how samples were taken, and the unit of their weights */
	DWELL_CHUNK_NAMES = 14,    /* names of a file's recorded functions */
	DWELL_CHUNK_COUNTS = 15,   /* a histogram: how often a timer found the program in each piece of its code */
	DWELL_CHUNK_THROTTLE = 16, /* functions that are no longer recorded, and how often they were called since then */
	DWELL_CHUNK_SUMS = 17,     /* calls that are counted, not listed: number and time per call path */
	DWELL_CHUNK_CPU_PLACES = 18,   /* where threads were on a CPU, by a few samples beside the calls */
	DWELL_CHUNK_FAULTS = 19,       /* moments of a thread's page faults */
};

/* A checkpoint frame: 32 bytes. */
enum {
	DWELL_FRAME_BYTES = 32,
	DWELL_FRAME_PLACE = 0,       /* u64: as in a slot, with bit 0 clear; more than 32 bits after a WINDOW slot */
	DWELL_FRAME_ENTER_TICKS = 8, /* u64 */
	DWELL_FRAME_CHILD_TICKS = 16,/* u64: time in finished callees and in gaps, so far */
	DWELL_FRAME_FLAGS = 24,      /* u32: DWELL_FRAME_…; unknown bits: ignore */
	DWELL_FRAME_STACK = 28,      /* u32: number of the call's stack; 0: the thread's own */
};
enum {
	DWELL_FRAME_NO_ENTRY = 1, /* the entry is before the data, or in a gap: ENTER_TICKS is the start of the time that counts for
	                             the call */
	DWELL_FRAME_NO_PLACE = 2, /* entered in a gap: PLACE is 0, and the call's exit has the place */
	DWELL_FRAME_PIECE = 4,    /* the rest of a call that a gap ended, and that was counted there: do not count the call again */
};

/* The payload of a packed SLOTS chunk: a table with the lengths of the packed streams, then these streams. If STORED is below
 * LENGTH, the packed stream is one zstd frame. */
enum {
	DWELL_PACK_HEAD_BYTES = 40, /* 5 × { u32 length, u32 stored } */
	DWELL_PACK_PART_BYTES = 20, /* with DWELL_CHUNK_PARTS, in front of each part: 5 × u32, how many bytes of each packed stream
	                               the part has */
	DWELL_PACK_LENGTH = 0,
	DWELL_PACK_STORED = 4,
};
enum dwell_pack_stream {
	DWELL_PACK_CHECKPOINT = 0, /* the checkpoint, unchanged */
	DWELL_PACK_TOKENS = 1,     /* one byte per slot: enum dwell_pack_token */
	DWELL_PACK_TIMES = 2,      /* one byte per entry and exit: the ticks since the one before */
	DWELL_PACK_FINE = 3,       /* second bytes of values that need two */
	DWELL_PACK_WORDS = 4,      /* u32s: rare values */
	DWELL_PACK_STREAMS = 5,
};
enum dwell_pack_token {
	DWELL_PACK_EXIT = 0,   /* the exit of the innermost open function */
	                       /* 1 to 223: the low word with this number */
	DWELL_PACK_WIDE = 224, /* 224 to 252: the number is 224 + (token − 224) × 256 + a byte of FINE */
	DWELL_PACK_NEW = 253,  /* the low word is in WORDS, and gets the next number; the first number is 1 */
	DWELL_PACK_TIME = 254, /* a TIME slot with the same payload as the last one */
	DWELL_PACK_TAG = 255,  /* two bytes of FINE are the tag; the payload is in WORDS */
};
enum {
	DWELL_PACK_NUMBERS = 224 + 29 * 256, /* numbers are below this; later low words get none */
	DWELL_PACK_STACK = 4096,  /* open calls that the packer remembers */
	DWELL_PACK_LOOK = 8,      /* innermost open calls that the packer compares with an unexpected exit */
	DWELL_PACK_LONG = 192,    /* TIMES, 192 to 254: 192 + (byte − 192) × 256 + a byte of FINE */
	DWELL_PACK_FULL = 255,    /* TIMES: the ticks, modulo 2^32, are in WORDS */
};

/* MODULE: fixed part of 60 bytes, then the path (UTF-8, zero-terminated), padded. */
enum {
	DWELL_MODULE_LOW = 0,         /* u64: first mapped address */
	DWELL_MODULE_HIGH = 8,        /* u64: first address behind it */
	DWELL_MODULE_BIAS = 16,       /* u64: address at run time − address in the file's symbol table */
	DWELL_MODULE_LOAD_TICKS = 24, /* u64: when it was mapped (or unmapped, see the flags); 0: from the start */
	DWELL_MODULE_FLAGS = 32,      /* u32: enum dwell_module_flag */
	DWELL_MODULE_BUILD_ID_BYTES = 36, /* u32: 0 to 20 */
	DWELL_MODULE_BUILD_ID = 40,   /* 20 bytes */
	DWELL_MODULE_BUILD_ID_MAX = 20,
	DWELL_MODULE_PATH = 60,
};
enum dwell_module_flag {
	DWELL_MODULE_HOOKED = 1 << 0,   /* the module has hooks. Low halves of addresses are unique among modules with hooks, or
	                                   WINDOW slots give the high halves */
	DWELL_MODULE_UNMAPPED = 1 << 1, /* the module was unmapped, at LOAD_TICKS */
};

/* THREAD: fixed part of 32 bytes, then the name (zero-terminated), padded. */
enum {
	DWELL_THREAD_PROCESS = 0,     /* u32: number of its process */
	DWELL_THREAD_TID = 4,         /* u32: the system's number of the thread */
	DWELL_THREAD_FLAGS = 8,       /* u32: enum dwell_thread_flag */
	DWELL_THREAD_PLACE_KIND = 12, /* u32: enum dwell_place_kind: what places of this stream are */
	DWELL_THREAD_LOST_EVENTS = 16,/* u64: lost events so far, as counted by the recorder */
	DWELL_THREAD_RESERVED = 24,   /* u64: write 0, ignore */
	DWELL_THREAD_NAME = 32,
};
enum dwell_thread_flag {
	DWELL_THREAD_ENDED = 1 << 0,   /* the thread has ended */
	DWELL_THREAD_WRAPPED = 1 << 1, /* the ring was full and began again: the first events are missing */
	DWELL_THREAD_FULL = 1 << 2,    /* the ring was full: the last events are missing */
	DWELL_THREAD_COPIED = 1 << 4,  /* fork copied the thread from the parent process: the calls that were open in the parent are
	                                  open in the copy */
	DWELL_THREAD_GIVEN_UP = 1 << 3, /* the thread has ended, and a later thread got its ring: all its events are missing */
};

/* What a place is: how a slot, a frame or a node names code (THREAD, SUMS). */
enum dwell_place_kind {
	DWELL_PLACE_LOW32 = 0,   /* low 32 bits of an address, bit 0 cleared; a value above 32 bits is a full address (see
	                            WINDOW) */
	DWELL_PLACE_ADDRESS = 1, /* a full address */
	DWELL_PLACE_STRING = 2,  /* address of a zero-terminated name in the program's memory */
	DWELL_PLACE_NAME = 3,    /* index of a name; in memory only, in no trace file */
	DWELL_PLACE_RANGE = 4,   /* start of an address range (a histogram bin) */
	DWELL_PLACE_TASK = 5,    /* a task handle */
	DWELL_PLACE_WORD = 6,    /* a full address with its two low bits clear; from dumps of other recorders, in no trace file */
	DWELL_PLACE_ENTRY = 7,   /* the same, and a function begins there */
};

/* PROCESS: fixed part of 32 bytes, then the program's path, then its command line (arguments separated by zeros), each
 * zero-terminated, padded. */
enum {
	DWELL_PROCESS_PID = 0,        /* u32: the system's number of the process */
	DWELL_PROCESS_PARENT_PID = 4, /* u32: the system's number of the parent process */
	DWELL_PROCESS_FLAGS = 8,      /* u32: DWELL_PROCESS_ENDED or 0 */
	DWELL_PROCESS_STATUS = 12,    /* u32: as wait() returns it on Linux */
	DWELL_PROCESS_START_TICKS = 16, /* u64: when the process began */
	DWELL_PROCESS_ARGC = 24,      /* u32: number of strings in the command line */
	DWELL_PROCESS_RESERVED = 28,  /* u32: write 0, ignore */
	DWELL_PROCESS_STRINGS = 32,
};
enum { DWELL_PROCESS_ENDED = 1 }; /* the process has ended: STATUS is valid */

/* CLOCK: 24 bytes. */
enum {
	DWELL_CLOCK_BYTES = 24,
	DWELL_CLOCK_TICKS = 0,        /* u64: a moment by the recording's clock */
	DWELL_CLOCK_MONOTONIC_NS = 8, /* u64: the same moment by CLOCK_MONOTONIC */
	DWELL_CLOCK_UNIX_NS = 16,     /* u64: the same moment as ns since 1970 */
};

/* TEXT: fixed part of 8 bytes, then the text (zero-terminated), padded. */
enum {
	DWELL_TEXT_INDEX = 0,         /* u32: the number in MARK_TEXT slots, from 1 on */
	DWELL_TEXT_RESERVED = 4,      /* u32: write 0, ignore */
	DWELL_TEXT_TEXT = 8,
};

/* LOSS: 24 bytes. */
enum {
	DWELL_LOSS_BYTES = 24,
	DWELL_LOSS_REASON = 0,        /* u32: enum dwell_loss_reason */
	DWELL_LOSS_RESERVED = 4,
	DWELL_LOSS_COUNT = 8,         /* u64: how many, since the beginning */
	DWELL_LOSS_TICKS = 16,        /* u64: when the recorder noticed the loss */
};
enum dwell_loss_reason {
	DWELL_LOSS_THREADS = 1,       /* threads that got no ring, because there was no room */
	DWELL_LOSS_EVENTS = 2,        /* events of threads without a ring */
	DWELL_LOSS_SETUP = 3,         /* events that interrupted a thread's set-up */
	DWELL_LOSS_BYTES_UNWRITTEN = 4, /* bytes of chunks that the disk did not take */
	DWELL_LOSS_MODULES = 5,       /* modules that did not fit into the journal */
	DWELL_LOSS_SWITCHES = 6,      /* context switches that the kernel dropped, because its buffer was full */
	DWELL_LOSS_GIVEN_UP = 7,      /* ended threads whose rings were reused by later threads */
	DWELL_LOSS_SAMPLES = 8,       /* samples that were dropped because a buffer was full */
	DWELL_LOSS_THROTTLED = 9,     /* how often the system paused sampling, because sampling took too much time */
	DWELL_LOSS_UNSEEN = 10,       /* places that leave functions (longjmp …) unseen: in static programs, by dlmopen */
	DWELL_LOSS_MOVED = 11,        /* how often a coroutine continued on another thread: its open calls count on both threads */
	DWELL_LOSS_DAMAGED = 12,      /* how often a record of the system was invalid, and the rest of its buffer was skipped */
	DWELL_LOSS_OVERWRITTEN = 13,  /* parts of shared memory (rings, headers) that the recorded program overwrote */
	DWELL_LOSS_PRIVILEGED = 14,   /* started programs that were not recorded, because of rights of their own (set-uid) */
	DWELL_LOSS_BYTES_STARVED = 15, /* bytes of chunks that were dropped, because there was no memory */
	DWELL_LOSS_UNREACHED = 16,    /* started programs that were not recorded, because they could not reach the recorder
	                                 (containers) */
	DWELL_LOSS_FORKS = 17,        /* forks unknown to the recorder: events of the child may be in a stream of the parent */
	DWELL_LOSS_UNLOADED = 18,     /* started programs that were not recorded, because their environment had no agent */
	DWELL_LOSS_CONFINED = 19,     /* processes that forbade themselves the clock or system calls, and stopped recording */
	DWELL_LOSS_UNPATCHED = 20,    /* files with functions to record whose code the recorder could not change */
	DWELL_LOSS_FAULTS = 21,       /* page faults that the kernel counted and did not pass on */
	DWELL_LOSS_REASONS,           /* the largest reason, plus 1 */
};

/* SWITCHES: two sums of 8 bytes, then entries of 16. */
enum {
	DWELL_SWITCHES_OFF_BEFORE = 0, /* u64: ticks off the CPU before the first entry, since the stream began */
	DWELL_SWITCHES_PREEMPTED_BEFORE = 8, /* u64: part of OFF_BEFORE in which the thread was able to run */
	DWELL_SWITCHES_ENTRIES = 16,
	DWELL_SWITCH_BYTES = 16,
	DWELL_SWITCH_OUT = 0,          /* u64: when the thread left the CPU */
	DWELL_SWITCH_LENGTH = 8,       /* u64: ticks until the thread was back; bit 63: the thread was able to run meanwhile */
};
#define DWELL_SWITCH_PREEMPTED (UINT64_C(1) << 63)

/* FAULTS: a sum of 8 bytes, then entries of 8. */
enum {
	DWELL_FAULTS_BEFORE = 0, /* u64: page faults in earlier FAULTS chunks of the stream */
	DWELL_FAULTS_ENTRIES = 8,
	DWELL_FAULT_BYTES = 8, /* u64: ticks of the page fault; bit 63: a major one */
};
#define DWELL_FAULT_MAJOR (UINT64_C(1) << 63)

/* SAMPLING: 40 bytes. */
enum {
	DWELL_SAMPLING_BYTES = 40,
	DWELL_SAMPLING_ENGINE = 0,  /* u32: enum dwell_sampling_engine */
	DWELL_SAMPLING_UNIT = 4,    /* u32: enum dwell_sampling_unit, for weights and the period */
	DWELL_SAMPLING_FLAGS = 8,   /* u32: enum dwell_sampling_flag */
	DWELL_SAMPLING_PROCESS = 12,/* u32: write 0, ignore */
	DWELL_SAMPLING_PERIOD = 16, /* u64: requested mean distance between two samples, in the unit */
	DWELL_SAMPLING_HZ = 24,     /* u64: requested samples per second of CPU time, in thousandths */
	DWELL_SAMPLING_CPU = 32,    /* u64: total that the system counted, in the unit; 0: unknown */
};
enum dwell_sampling_engine {
	DWELL_ENGINE_TASK_CLOCK = 1, /* perf events: the kernel's timer on each thread's CPU time */
	DWELL_ENGINE_CYCLES = 2,     /* perf events: the processor's cycle counter */
	DWELL_ENGINE_TIMERS = 3,     /* a timer per thread, inside the program */
	DWELL_ENGINE_INTERRUPT = 4,  /* a timer interrupt of a machine without an operating system */
	DWELL_ENGINE_DEBUGGER = 5,   /* a debugger that stops the machine each time */
};
enum dwell_sampling_unit {
	DWELL_UNIT_NS = 0,
	DWELL_UNIT_CYCLES = 1,
	DWELL_UNIT_SAMPLES = 2,
};
enum dwell_sampling_flag {
	DWELL_SAMPLING_JITTERED = 1 << 0, /* the distance between samples varies at random */
	DWELL_SAMPLING_STACKS = 1 << 1,   /* samples have callers */
	DWELL_SAMPLING_KERNEL = 1 << 2,   /* samples include the kernel (timers: the place that called it) */
	DWELL_SAMPLING_WALL = 1 << 3,     /* weights are wall-clock time: waiting counts, too */
};

/* SAMPLES: two numbers, then nodes, then samples. A node is a place on a call path, with the number of the caller's node. */
enum {
	DWELL_SAMPLES_NODES = 0,       /* u32: number of nodes */
	DWELL_SAMPLES_COUNT = 4,       /* u32: number of samples */
	DWELL_SAMPLES_HEAD_BYTES = 8,
	DWELL_SAMPLES_NODE_BYTES = 16,
	DWELL_SAMPLES_NODE_ADDRESS = 0, /* u64 */
	DWELL_SAMPLES_NODE_CALLER = 8,  /* u32: number of the caller's node, from 1 on, lower than this node's; 0: outermost */
	DWELL_SAMPLES_NODE_FLAGS = 12,  /* u32: enum dwell_node_flag */
	DWELL_SAMPLE_BYTES = 24,
	DWELL_SAMPLE_TICKS = 0,         /* u64 */
	DWELL_SAMPLE_WEIGHT = 8,        /* u64: the sample's share of the total, in the unit of SAMPLING, up to
	                                   DWELL_SAMPLE_WEIGHT_MAX */
	DWELL_SAMPLE_NODE = 16,         /* u32: number of the node where the thread was; 0: unknown */
	DWELL_SAMPLE_FLAGS = 20,        /* u32: bits 0 and 1: enum dwell_sample_stack */
};
#define DWELL_SAMPLE_WEIGHT_MAX (1ull << 40) /* so that the sum of millions of samples fits */
enum dwell_node_flag {
	DWELL_NODE_RETURN = 1 << 0, /* a return address: the call is the instruction before */
	DWELL_NODE_KERNEL = 1 << 1, /* in the kernel */
};
enum dwell_sample_stack {
	DWELL_STACK_LEAF = 0,      /* dwell did not look for callers */
	DWELL_STACK_COMPLETE = 1,  /* up to the thread's first function */
	DWELL_STACK_TRUNCATED = 2, /* outer callers are missing: the copied part of the stack ended */
	DWELL_STACK_BROKEN = 3,    /* outer callers are missing: unwind tables were missing or invalid */
};

/* COUNTS: fixed part of 32 bytes, then an entry per piece of code whose count is not 0. */
enum {
	DWELL_COUNTS_WEIGHT = 0,   /* u64: what a count of 1 stands for, in the unit of SAMPLING, at most DWELL_SAMPLE_WEIGHT_MAX */
	DWELL_COUNTS_OUTSIDE = 8,  /* u64: samples outside of the counted code, at most DWELL_COUNT_MAX */
	DWELL_COUNTS_BEYOND = 16,  /* u64: samples whose counter was full (of which code is unknown), at most DWELL_COUNT_MAX */
	DWELL_COUNTS_BYTES = 24,   /* u32: bytes of code per counter, 1 to DWELL_COUNTS_BYTES_MAX */
	DWELL_COUNTS_FULL = 28,    /* u32: number of full counters */
	DWELL_COUNTS_ENTRIES = 32,
	DWELL_COUNT_BYTES = 16,
	DWELL_COUNT_ADDRESS = 0,   /* u64: where the piece of code begins; entries are sorted by address */
	DWELL_COUNT_COUNT = 8,     /* u64: samples in the piece, at most DWELL_COUNT_MAX */
};
#define DWELL_COUNT_MAX (1ull << 40)
#define DWELL_COUNTS_BYTES_MAX 16u

/* THROTTLE: functions of 48 bytes. */
enum {
	DWELL_THROTTLED_BYTES = 48,
	DWELL_THROTTLED_PLACE = 0,  /* u64: as in a slot, with bit 0 clear, below 2^32 */
	DWELL_THROTTLED_SINCE = 8,  /* u64: when recording of the function stopped; some threads stop a little later */
	DWELL_THROTTLED_UNTIL = 16, /* u64: when recording of the function began again, or its file was unmapped; 0: neither */
	DWELL_THROTTLED_CALLS = 24, /* u64: unrecorded calls, so far */
	DWELL_THROTTLED_COST = 32,  /* u32: cost of recording a call, in 1/16 ticks */
	DWELL_THROTTLED_FLAGS = 36, /* u16: enum dwell_throttled_flag */
	DWELL_THROTTLED_SHARE = 38, /* u16: largest measured share of the time of the process's threads, in 65,535ths, rounded up */
	DWELL_THROTTLED_CUT = 40,   /* u32: calls that were open at the stop; in the file these calls end there */
	DWELL_THROTTLED_SEEN = 44,  /* u32: for so long after SINCE dwell measured the function now and then, in 65,536 ticks */
};
enum dwell_throttled_flag {
	DWELL_THROTTLED_COUNTED = 1 << 0, /* CALLS counts every unrecorded call; without the flag, only a part of the calls */
};

/* CPU_PLACES: two numbers, then places of 24 bytes. */
enum {
	DWELL_CPU_PLACES_PERIOD_NS = 0, /* u64: CPU time between two samples of a thread, outside of the kernel */
	DWELL_CPU_PLACES_BEYOND = 8,    /* u64: samples whose places had no room */
	DWELL_CPU_PLACES_HEAD_BYTES = 16,
	DWELL_CPU_PLACE_BYTES = 24,
	DWELL_CPU_PLACE_ADDRESS = 0,   /* u64: where a thread was */
	DWELL_CPU_PLACE_TICKS = 8,     /* u64: time of the last sample there */
	DWELL_CPU_PLACE_PID = 16,      /* u32: the system's number of the thread's process */
	DWELL_CPU_PLACE_COUNT = 20,    /* u32: number of samples there */
};

/* NAMES: fixed part of 32 bytes, functions of 16 bytes, then strings: the file's path as in MODULE, and a name per function. Each
 * is zero-terminated; then padded. */
enum {
	DWELL_NAMES_COUNT = 0,          /* u32: number of functions */
	DWELL_NAMES_BUILD_ID_BYTES = 4, /* u32: 0 to 20; as in MODULE */
	DWELL_NAMES_BUILD_ID = 8,       /* 20 bytes */
	DWELL_NAMES_RESERVED = 28,      /* u32: write 0, ignore */
	DWELL_NAMES_FUNCTIONS = 32,
	DWELL_NAMES_FUNCTION_BYTES = 16,
	DWELL_NAMES_FUNCTION_ADDRESS = 0, /* u64: as in the symbol table; of DWELL_NAMES_KERNEL, _JIT: at run time */
	DWELL_NAMES_FUNCTION_SIZE = 8,    /* u64: bytes of code, not 0 */
};
#define DWELL_NAMES_KERNEL "[kernel]" /* path for code of the kernel */
#define DWELL_NAMES_JIT "[jit]"       /* path for code that a process generated; the build-id is the number of the process */

/* SUMS: fixed part of 136 bytes, or 144 with DWELL_SUMS_HAS_HELD; then nodes, functions, buckets, frames. A reader adds up the
 * values of all chunks of a stream. Exceptions: DEEPEST is a maximum, and frames are those of the last chunk. */
enum {
	DWELL_SUMS_PLACE_KIND = 0,    /* u32: enum dwell_place_kind, for all places in the chunk */
	DWELL_SUMS_FLAGS = 4,         /* u32: enum dwell_sums_flag */
	DWELL_SUMS_NODES = 8,         /* u32: number of nodes, without the root */
	DWELL_SUMS_FUNCTIONS = 12,    /* u32: number of functions */
	DWELL_SUMS_BUCKETS = 16,      /* u32: number of buckets */
	DWELL_SUMS_FRAMES = 20,       /* u32: number of frames */
	DWELL_SUMS_LIMIT_TICKS = 24,  /* u64: shorter calls are not listed; 0: no call is listed */
	DWELL_SUMS_ROOT_TAKEN = 32,   /* u64: time in outermost calls that are not listed */
	DWELL_SUMS_OTHER_CALLS = 40,  /* u64: calls of functions that had no room in the recorder's table */
	DWELL_SUMS_OTHER_TICKS = 48,  /* u64: self time of these calls */
	/* Totals of the stream, if no call is listed: */
	DWELL_SUMS_EVENTS = 56,       /* u64: entries and exits */
	DWELL_SUMS_LOST_TICKS = 64,   /* u64: ticks in gaps */
	DWELL_SUMS_LOST_EVENTS = 72,  /* u64: lost events */
	DWELL_SUMS_UNMATCHED = 80,    /* u64: exits that match no open call */
	DWELL_SUMS_UNWOUND = 88,      /* u64: calls that ended without an exit of their own */
	DWELL_SUMS_NO_ENTRY = 96,     /* u64: calls whose entry is not in the data */
	DWELL_SUMS_GAP = 104,         /* u64: calls that ended in a gap */
	DWELL_SUMS_BEYOND = 112,      /* u64: calls that were nested too deep to be counted */
	DWELL_SUMS_BACKWARD = 120,    /* u64: events that are earlier than the event before */
	DWELL_SUMS_DEEPEST = 128,     /* u32: largest number of open calls, so far */
	DWELL_SUMS_RESERVED = 132,    /* u32: write 0, ignore */
	DWELL_SUMS_HELD_TICKS = 136,  /* u64: ticks that the thread waited for the recorder. Only with DWELL_SUMS_HAS_HELD, else
	                                 0 */
	DWELL_SUMS_HEAD_BYTES = 136,
	DWELL_SUMS_LONG_HEAD_BYTES = 144,

	DWELL_SUM_NODE_BYTES = 40,
	DWELL_SUM_NODE_PARENT = 0,    /* u32: number of the caller's node, from 1 on, lower than this node's; 0: outermost */
	DWELL_SUM_NODE_FUNCTION = 4,  /* u32: number of the node's function, from 1 on */
	DWELL_SUM_NODE_CALLS = 8,     /* u64: calls on this path */
	DWELL_SUM_NODE_TOTAL = 16,    /* u64: ticks */
	DWELL_SUM_NODE_SELF = 24,     /* u64: ticks */
	DWELL_SUM_NODE_TAKEN = 32,    /* u64: ticks that listed calls on this path spent in calls that are not listed */

	DWELL_SUM_FUNCTION_BYTES = 72,
	DWELL_SUM_FUNCTION_PLACE = 0, /* u64: all bits 1: unknown */
	DWELL_SUM_FUNCTION_FOLDED_CALLS = 8,  /* u64: folded calls: the function's calls on paths that have no node */
	DWELL_SUM_FUNCTION_FOLDED_TOTAL = 16, /* u64: ticks of folded calls; of recursive calls only the outermost */
	DWELL_SUM_FUNCTION_FOLDED_SELF = 24,  /* u64: self ticks of folded calls */
	DWELL_SUM_FUNCTION_UNTIMED = 32, /* u64: calls without a recorded exit */
	DWELL_SUM_FUNCTION_MIN = 40,  /* u64: ticks of the shortest call */
	DWELL_SUM_FUNCTION_MAX = 48,  /* u64: ticks of the longest call */
	DWELL_SUM_FUNCTION_SUM = 56,  /* u64: ticks of all calls that are in buckets */
	DWELL_SUM_FUNCTION_BUCKETS = 64, /* u32: number of the function's buckets; the buckets are in the order of the functions */
	DWELL_SUM_FUNCTION_FLAGS = 68,   /* u32: DWELL_SUM_FUNCTION_INCOMPLETE or 0 */

	DWELL_SUM_BUCKET_BYTES = 16,
	DWELL_SUM_BUCKET_NUMBER = 0,  /* u32: octave × 32 + step, see FORMAT.md; ascending within a function */
	DWELL_SUM_BUCKET_RESERVED = 4,
	DWELL_SUM_BUCKET_COUNT = 8,   /* u64: number of calls, not 0 */

	DWELL_SUM_FRAME_BYTES = 32,
	DWELL_SUM_FRAME_NODE = 0,     /* u32: number of the node of the call's path */
	DWELL_SUM_FRAME_FLAGS = 4,    /* u32: DWELL_FRAME_NO_ENTRY or 0 */
	DWELL_SUM_FRAME_ENTER_TICKS = 8,  /* u64 */
	DWELL_SUM_FRAME_CHILD_TICKS = 16, /* u64: time in finished callees and in gaps, so far */
	DWELL_SUM_FRAME_STACK = 24,   /* u32: number of the call's stack; 0: the thread's own */
	DWELL_SUM_FRAME_RESERVED = 28,
};
enum dwell_sums_flag {
	DWELL_SUMS_ALL = 1 << 0, /* no call of the stream is listed: the sums have all of them */
	DWELL_SUMS_HAS_HELD = 1 << 1, /* the fixed part has HELD_TICKS */
};
enum { DWELL_SUM_FUNCTION_INCOMPLETE = 1 }; /* all calls are incomplete: MIN, MAX, SUM and buckets count incomplete calls */

/* SEEK: an entry of 24 bytes per chunk before the first SEEK chunk. A long table continues in the next SEEK chunk. */
enum {
	DWELL_SEEK_ENTRY_BYTES = 24,
	DWELL_SEEK_OFFSET = 0,        /* u64: offset of the chunk header in the file */
	DWELL_SEEK_FIRST_TICKS = 8,   /* u64 */
	DWELL_SEEK_KIND = 16,         /* u32 */
	DWELL_SEEK_STREAM = 20,       /* u32 */
};

/* END: 32 bytes. */
enum {
	DWELL_END_BYTES = 32,
	DWELL_END_SEEK_OFFSET = 0,    /* u64: offset of the first SEEK chunk's header */
	DWELL_END_CHUNKS = 8,         /* u64: number of chunks before the first SEEK chunk */
	DWELL_END_EVENTS = 16,        /* u64: entries and exits in the file */
	DWELL_END_RESERVED = 24,
};

#endif
