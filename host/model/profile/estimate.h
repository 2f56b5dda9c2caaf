/* estimate: how far a share that was found by sampling may be from the true one.
 *
 * Samples of one thread come in runs: a program that is in a loop now is likely to be there at the next sample, so a thousand samples say
 * less than a thousand throws of a die. How much less is measured: the samples of each thread are put together in blocks, of 1, 2, 4, …
 * samples in a row, and the shares of blocks of one length are compared with each other. Where runs matter, long blocks differ by more
 * than chance would have it. The variance is that of the ratio of two sums (weight in the function ÷ weight), taken from the blocks'
 * squares; it needs sums only, so two estimates that were made of different threads add up to one.
 *
 * The largest variance found counts, of lengths with 30 blocks or more. Blocks that are not much longer than a run cut many of them in two,
 * and differ too little, by as much again as the last doubling has added: that is put on top where it is clear that there are runs.
 * From the variance the number of independent samples follows that would be as
 * sure, and from that number the interval, by Wilson's formula, which holds for small shares, too; with Student's factor, as the
 * variance is itself known from so many blocks only. */
#ifndef DWELL_HOST_MODEL_PROFILE_ESTIMATE_H
#define DWELL_HOST_MODEL_PROFILE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_LEVELS 11u /* blocks of 1 to 1024 samples */
#define ESTIMATE_BLOCKS_MIN 30u

/* Of one function. */
struct estimate_function {
	uint64_t samples;
	double squares[ESTIMATE_LEVELS];  /* Σ over blocks: weight in the function, squared */
	double products[ESTIMATE_LEVELS]; /* Σ over blocks: weight in the function × weight of the block */
};

/* Zero it before the first use, clear it after the last. */
struct estimates {
	struct estimate_function *functions; /* indexed by function id */
	size_t count, capacity;
	uint64_t samples;
	double weight;                       /* of all of them */
	uint64_t blocks[ESTIMATE_LEVELS];
	double squares[ESTIMATE_LEVELS];     /* Σ over blocks: weight of the block, squared */
	uint64_t stacks[4];                  /* samples by enum dwell_sample_stack */
};

/* The samples of one thread that are in no block yet. Zero it before the first use, clear it after the last. */
struct estimate_run {
	struct estimate_level {
		struct estimate_part {
			uint32_t function;
			double weight;
		} *parts;
		size_t count, capacity;
		double weight;
		uint32_t samples;
	} levels[ESTIMATE_LEVELS]; /* the block of each length that is being filled */
};

/* The next sample of a thread: weight in function, FUNCTION_NONE: in none that is known. False: no memory. */
bool estimates_add(struct estimates *estimates, struct estimate_run *run, uint32_t function, uint64_t weight);
/* The same of a sample that counts in several functions, each named once: shares that may be more than one together. */
bool estimates_add_all(
	struct estimates *estimates, struct estimate_run *run, const uint32_t *functions, size_t function_count, uint64_t weight);
/* So many samples of one weight that nobody knows the order of: each counts as if it knew nothing of the others. */
bool estimates_add_unordered(struct estimates *estimates, uint32_t function, uint64_t weight, uint64_t samples);
/* No more samples of the thread: blocks that are not full count as they are. */
bool estimates_end_run(struct estimates *estimates, struct estimate_run *run);
/* Counts them as they are so far, and the run goes on: for who looks at estimates while they grow, at a copy that is not added to. */
bool estimates_add_unfinished(struct estimates *estimates, const struct estimate_run *run);
void estimate_run_clear(struct estimate_run *run);

/* One for each thread. Zero them before the first use, clear them after the last. */
struct estimate_runs {
	struct estimate_runs_of {
		uint32_t stream;
		struct estimate_run run;
	} *list;
	size_t count, capacity, recent;
};
/* That of a thread, made when it is new. Samples mostly come chunk by chunk, each of one thread. Valid until the next is asked for.
 * Null: no memory. */
struct estimate_run *estimate_runs_get(struct estimate_runs *runs, uint32_t stream);
/* No more samples of any thread. False: no memory. */
bool estimates_end_runs(struct estimates *estimates, struct estimate_runs *runs);
void estimate_runs_clear(struct estimate_runs *runs);

/* Adds all of from. False: no memory. */
bool estimates_merge(struct estimates *into, const struct estimates *from);
/* What came since: part is what from was before. A block that had begun then counts as one that begins now. */
void estimates_subtract(struct estimates *from, const struct estimates *part);
/* map[old] is the new id, FUNCTION_NONE: it is gone. False: no memory. */
bool estimates_renumber(struct estimates *estimates, const uint32_t *map, size_t count);
void estimates_clear(struct estimates *estimates);

/* A share with the interval that holds the true one in 95 of 100 runs. In 0 … 1. */
struct estimate_share {
	double share, low, high;
	double independent; /* samples that would be as sure if each knew nothing of the others */
	double variance;    /* of the share; 0 where nothing is known */
};
/* Of the weight that was spent in the function itself. All zero without samples. Runs that are not ended do not count. */
struct estimate_share estimates_get_share(const struct estimates *estimates, uint32_t function, double weight);

/* Whether the shares of two functions differ by more than chance would have it in 95 of 100 runs. */
bool estimates_can_tell(const struct estimate_share *a, const struct estimate_share *b);

#endif
