/* estimate: the shares of functions by samples, with an interval for each share. For reports of samples, top and diff.
 *
 * The samples of a thread come in runs: a program in a loop is likely to be in the same loop at the next sample, so a thousand
 * samples contain less information than a thousand throws of a die. How much less is measured. The samples of each thread form
 * blocks of 1, 2, 4, … consecutive samples, and each block's share is compared with the next block's. With runs, long blocks
 * differ by more than chance. Distant blocks are not compared, since a program that changes its work over time makes no share less
 * sure. The variance is the variance of a ratio of two sums (weight in the function ÷ weight), from the blocks' squares. Only sums
 * are needed, so estimates of different threads can be added.
 *
 * The result is the largest variance over all lengths with 30 blocks or more, and at least that of single samples. Blocks that
 * are not much longer than a run cut many runs in two, so their variance is too small. What is missing is about the growth of the
 * variance at the last doubling of the length. If runs are evident, that growth is added once more. From the variance follows the
 * number of independent samples with the same error, and from that number the interval, by Wilson's formula, which holds for small
 * shares, too; with Student's factor, since the variance itself comes from a limited number of blocks. */
#ifndef DWELL_HOST_MODEL_PROFILE_ESTIMATE_H
#define DWELL_HOST_MODEL_PROFILE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_LEVELS 11u /* blocks of 1 to 1024 samples */
#define ESTIMATE_LEVELS_JITTERED 6u /* if jittered: blocks of up to 32 samples; longer blocks would show no more error */
#define ESTIMATE_BLOCKS_MIN 30u

/* The sums of one function. [level]: over blocks of 2^level samples. */
struct estimate_function {
	uint64_t samples;
	double squares[ESTIMATE_LEVELS];  /* Σ over blocks: weight in the function, squared */
	double products[ESTIMATE_LEVELS]; /* Σ over blocks: weight in the function × weight of the block */
	bool was_full; /* a counter of the function was full, so any part of unplaced may belong to it */
};

/* The sums of all functions and threads. Zero before the first use; estimates_clear after the last. */
struct estimates {
	struct estimate_function *functions; /* by function id */
	size_t count, capacity;
	uint64_t samples;
	double weight;                       /* of all samples */
	double unplaced;                     /* part of weight: samples whose counter was full, in functions with was_full */
	uint64_t blocks[ESTIMATE_LEVELS];
	double squares[ESTIMATE_LEVELS];     /* Σ over blocks: weight of the block, squared */
	uint64_t stacks[4];                  /* samples by enum dwell_sample_stack */
	/* The sampler changed the distance of samples at random every dozen samples, so it cannot stay in step with a loop of the
	 * program for longer. */
	bool jittered;
};

/* The incomplete blocks of one thread. Zero before the first use; estimate_blocks_clear after the last. */
struct estimate_blocks {
	struct estimate_level {
		struct estimate_part {
			uint32_t function;
			double weight;
		} *parts;
		size_t count, capacity;
		double weight;
		uint32_t samples;
	} levels[ESTIMATE_LEVELS]; /* [level]: the incomplete block of 2^level samples, with its weight by function */
};

/* Adds the thread's next sample: weight in function; FUNCTION_NONE: no known function. False: no memory. */
bool estimates_add(struct estimates *estimates, struct estimate_blocks *blocks, uint32_t function, uint64_t weight);
/* Adds a sample that counts for several functions (as for totals), each listed once. The sum of such shares may exceed 1. */
bool estimates_add_all(
	struct estimates *estimates, struct estimate_blocks *blocks, const uint32_t *functions, size_t function_count,
	uint64_t weight);
/* Adds samples of one weight in unknown order, as if they were independent. */
bool estimates_add_unordered(struct estimates *estimates, uint32_t function, uint64_t weight, uint64_t samples);
/* Notes that a counter of the function was full; the excess is in unplaced. False: no memory. */
bool estimates_note_full(struct estimates *estimates, uint32_t function);
/* Ends the thread's samples: incomplete blocks count as they are. */
bool estimates_end_blocks(struct estimates *estimates, struct estimate_blocks *blocks);
/* Adds the incomplete blocks without ending them, to a copy of estimates that still grow. The copy must get no further samples. */
bool estimates_add_unfinished(struct estimates *estimates, const struct estimate_blocks *blocks);
void estimate_blocks_clear(struct estimate_blocks *blocks);

/* The blocks of all threads. Zero before the first use; estimate_streams_clear after the last. */
struct estimate_streams {
	struct estimate_stream {
		uint32_t stream;
		struct estimate_blocks blocks;
	} *list;
	size_t count, capacity, recent;
};
/* The blocks of a thread; made when they are new. Fast if consecutive samples are from one
 * thread. Valid until the next call. Null: no memory. */
struct estimate_blocks *estimate_streams_get(struct estimate_streams *streams, uint32_t stream);
/* Ends the samples of all threads. False: no memory. */
bool estimates_end_streams(struct estimates *estimates, struct estimate_streams *streams);
void estimate_streams_clear(struct estimate_streams *streams);

/* Adds all of from. False: no memory. */
bool estimates_merge(struct estimates *into, const struct estimates *from);
/* Subtracts part, an earlier copy of from. The rest are the samples since the copy. A block that had begun at the time of the
 * copy counts as if it began afterwards. */
void estimates_subtract(struct estimates *from, const struct estimates *part);
/* map[old] is the new id, FUNCTION_NONE: no such function any more. False: no memory. */
bool estimates_renumber(struct estimates *estimates, const uint32_t *map, size_t count);
void estimates_clear(struct estimates *estimates);

/* A share, with an interval that contains the true share in 95 of 100 runs. In 0 … 1. */
struct estimate_share {
	double share, low, high;
	double independent; /* number of independent samples with the same error */
	double variance;    /* of the share; 0: unknown */
};
/* The share that weight, the function's weight, has of all samples. All zero without samples. The interval ignores incomplete
 * blocks. */
struct estimate_share estimates_get_share(const struct estimates *estimates, uint32_t function, double weight);

/* Whether the shares of two functions differ by more than chance explains in 95 of 100 runs. */
bool estimates_differ(const struct estimate_share *a, const struct estimate_share *b);

#endif
