/* rhythm: whether samples at even distances are in step with the program.
 *
 * From samples at even distances alone it cannot be known: a program that is always in one function when they come looks like one that is
 * always there. So a few more are taken beside them, in short windows at random moments, of which nothing gets into the file. Where a
 * function's share of these differs from that of the others by more than chance would have it, the program has a rhythm, and the others
 * follow it. Chance is measured: windows, with the even samples up to the next one, are compared with each other. */
#ifndef DWELL_HOST_SAMPLE_RHYTHM_H
#define DWELL_HOST_SAMPLE_RHYTHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RHYTHM_WINDOWS_MIN 30u

enum { RHYTHM_EVEN, RHYTHM_RANDOM, RHYTHM_KINDS };

/* Zero it before the first use, clear it after the last. */
struct rhythm {
	struct rhythm_place {
		const void *file; /* whatever tells files apart */
		uint64_t address; /* where the function begins */
		struct rhythm_count {
			double now;               /* since the last window ended */
			double sum, squares, products; /* over windows; products: with that of all places */
		} counts[RHYTHM_KINDS];
	} *places;
	size_t count, capacity;
	uint32_t *table; /* hash of a place → its index plus 1; a power of two, twice the places at least */
	size_t table_size;
	struct rhythm_count all[RHYTHM_KINDS];
	uint64_t windows;
};

/* False: no memory, and it does not count. */
bool rhythm_add(struct rhythm *rhythm, const void *file, uint64_t address, int kind);
/* A window is over. */
void rhythm_end_window(struct rhythm *rhythm);
void rhythm_clear(struct rhythm *rhythm);

enum rhythm_answer { RHYTHM_NOT_KNOWN, RHYTHM_NONE, RHYTHM_IN_STEP };

/* In step: the function whose shares (0 … 1) differ most. None: none differs by more than chance would have it in one of 1,000 recordings,
 * and by 2 percentage points. Not known: there are fewer than RHYTHM_WINDOWS_MIN windows. */
enum rhythm_answer rhythm_find(const struct rhythm *rhythm, const struct rhythm_place **place, double shares[RHYTHM_KINDS]);

/* How far "none" sees: the smallest difference that rhythm_find would have taken for a rhythm, of a function that has 10 % of the random samples
 * and more of the even ones (0 … 0.9). By the samples' counts, the longest runs of any place that was looked at, and the same threshold. */
double rhythm_find_sight(const struct rhythm *rhythm);
/* What would not show though it is larger is not "none". */
#define RHYTHM_SIGHT_MAX 0.1

#endif
