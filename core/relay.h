/* SPDX-License-Identifier: MIT
 *
 * Relay: one ring whose calls are counted by two in turn: by whoever drains it, and by the thread that fills it, when it finds no room and
 * nobody else makes some. Memory that both have mapped, and that neither can be sure of: each may be killed or held up at any instruction,
 * and what the program says is not believed by who drains.
 *
 *     word · claims · two buffers of the drain's: state, frames · two of the thread's: state, frames, sums
 *
 * A buffer tells how everything stands at some position of the ring: how slots are understood, which calls are open on which stack. One of
 * the four is valid, the word says which: whoever goes on from it writes how it stands afterwards into another buffer, of his own, and
 * makes that the valid one with one compare-exchange of the word. So a turn happens as a whole or not at all, and who loses his turn has
 * done nothing. The ring's slots stay until then.
 *
 * Sums are counted once, by this:
 *   - The thread's are in its buffer, and become valid with it. They add up from turn to turn, in its other buffer, until the drain takes
 *     them, which the word says (TAKEN): then the next turn begins with none.
 *   - The drain's are its own and are never taken back. It says beforehand which slots it counts, up to a position (the claim). A thread
 *     that takes its turn away, when that seems to take for ever, follows the calls in these slots and counts what comes behind them; the
 *     drain's sums of them are right whenever it goes on, and how everything stands it learns from the thread.
 *
 * What only the drain can do is left to it: the thread stops in front of slots whose stamps are not in order, which the drain puts right
 * (core/stamps.h), and of calls that find no room here; and it takes no turn where code was mapped or unmapped since (turnovers): an
 * address is another function's from then on, so sums must not go across that.
 *
 * The word's owner says whose turn it is. FREE: anybody's. THREAD: the thread's, STOLEN: that it took from the drain. DRAIN: the drain's.
 * RELEASES: the drain's too, but it writes to the ring, so nobody takes it away. It has a count of its changes, so it never comes back. */
#ifndef DWELL_CORE_RELAY_H
#define DWELL_CORE_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/fold.h"
#include "core/paths.h"

/* What there is room for. Where calls are open on more stacks, or deeper, the thread has to wait for the drain, whose memory grows. */
#define DWELL_RELAY_STACKS 64u
#define DWELL_RELAY_DRAIN_FRAMES 8192u
#define DWELL_RELAY_THREAD_FRAMES 16384u
#define DWELL_RELAY_NODES 16384u
#define DWELL_RELAY_FUNCTIONS 4096u
#define DWELL_RELAY_OCTAVES 8192u
extern const struct dwell_paths_size dwell_relay_size; /* the last three */

enum dwell_relay_owner {
	DWELL_RELAY_FREE,
	DWELL_RELAY_THREAD,
	DWELL_RELAY_STOLEN,
	DWELL_RELAY_DRAIN,
	DWELL_RELAY_RELEASES,
};
#define DWELL_RELAY_BUFFERS 4u /* 0 and 1 are the drain's */
#define DWELL_RELAY_THREADS 2u /* the first of the thread's */
#define DWELL_RELAY_TAKEN 32u

static inline uint64_t dwell_relay_word(enum dwell_relay_owner owner, uint32_t buffer, bool taken, uint64_t count)
{
	return (uint64_t)owner | buffer << 3 | (taken ? DWELL_RELAY_TAKEN : 0) | count << 6;
}
static inline enum dwell_relay_owner dwell_relay_owner(uint64_t word)
{
	return (enum dwell_relay_owner)(word & 7);
}
static inline uint32_t dwell_relay_buffer(uint64_t word)
{
	return word >> 3 & 3;
}
static inline bool dwell_relay_is_taken(uint64_t word)
{
	return word & DWELL_RELAY_TAKEN;
}
static inline uint64_t dwell_relay_count(uint64_t word)
{
	return word >> 6;
}
/* The word behind it. */
static inline uint64_t dwell_relay_after(uint64_t word, enum dwell_relay_owner owner, uint32_t buffer, bool taken)
{
	return dwell_relay_word(owner, buffer, taken, dwell_relay_count(word) + 1);
}

/* One stack of the thread's, and where its frames are. */
struct dwell_relay_stack {
	uint32_t number;
	uint32_t first, capacity; /* frames of the buffer */
	uint32_t reserved;
	struct dwell_pair pair;   /* .frames is an address in nobody's memory */
};

struct dwell_relay_state {
	uint64_t position; /* in the ring: so far everything is taken in */
	struct dwell_slot_cursor cursor;
	uint32_t stack, next_stack, above; /* of the fold */
	uint32_t unwound, changed_stacks;
	uint32_t can_go_on;    /* all calls that are open are here */
	uint32_t stack_count;  /* the first is the thread's own */
	uint32_t frame_count;  /* used by all of them, gaps included */
	uint64_t floor_ticks;  /* of the last enter or exit: a stamp behind it that is earlier is put right by the drain */
	uint64_t turnovers;    /* changes of what is mapped, so many: sums of calls behind another one are told apart */
	/* Of the thread's alone: since its sums were taken. */
	uint64_t events, no_entry_calls, gap_calls;
	struct dwell_paths paths; /* its pointers are nobody's */
	struct dwell_relay_stack stacks[DWELL_RELAY_STACKS];
};

struct dwell_relay {
	volatile uint64_t word;
	/* With a word that says DRAIN: how far it counts, or has counted. With an even count the first. */
	volatile uint64_t claims[2];
};

#define DWELL_RELAY_PAGE 4096u
#define DWELL_RELAY_ROUND(bytes) (((bytes) + DWELL_RELAY_PAGE - 1) / DWELL_RELAY_PAGE * DWELL_RELAY_PAGE)
#define DWELL_RELAY_STATE_BYTES DWELL_RELAY_ROUND(sizeof(struct dwell_relay_state))
#define DWELL_RELAY_DRAIN_BYTES (DWELL_RELAY_STATE_BYTES + DWELL_RELAY_ROUND(DWELL_RELAY_DRAIN_FRAMES * sizeof(struct dwell_frame)))
#define DWELL_RELAY_THREAD_BYTES                                                                                                  \
	(DWELL_RELAY_STATE_BYTES + DWELL_RELAY_ROUND(DWELL_RELAY_THREAD_FRAMES * sizeof(struct dwell_frame)) + DWELL_RELAY_PATHS_BYTES)
/* What dwell_paths_bytes says of them, at least. */
#define DWELL_RELAY_PATHS_BYTES                                                                                                   \
	DWELL_RELAY_ROUND(DWELL_RELAY_NODES * (sizeof(struct dwell_path) + 8) +                                                   \
			  DWELL_RELAY_FUNCTIONS * (sizeof(struct dwell_path_function) + 16) +                                     \
			  DWELL_RELAY_OCTAVES * DWELL_DURATION_STEPS * sizeof(uint64_t))
#define DWELL_RELAY_BYTES ((uint64_t)(DWELL_RELAY_PAGE + 2 * DWELL_RELAY_DRAIN_BYTES + 2 * DWELL_RELAY_THREAD_BYTES))

static inline struct dwell_relay_state *dwell_relay_state(struct dwell_relay *relay, uint32_t buffer)
{
	unsigned char *at = (unsigned char *)relay + DWELL_RELAY_PAGE;

	at += buffer < DWELL_RELAY_THREADS
		      ? buffer * DWELL_RELAY_DRAIN_BYTES
		      : DWELL_RELAY_THREADS * DWELL_RELAY_DRAIN_BYTES + (buffer - DWELL_RELAY_THREADS) * DWELL_RELAY_THREAD_BYTES;
	return (struct dwell_relay_state *)(void *)at;
}
static inline struct dwell_frame *dwell_relay_frames(struct dwell_relay *relay, uint32_t buffer)
{
	return (struct dwell_frame *)(void *)((unsigned char *)dwell_relay_state(relay, buffer) + DWELL_RELAY_STATE_BYTES);
}
/* pre: it is one of the thread's. */
static inline void *dwell_relay_paths(struct dwell_relay *relay, uint32_t buffer)
{
	return (unsigned char *)dwell_relay_frames(relay, buffer) +
	       DWELL_RELAY_ROUND(DWELL_RELAY_THREAD_FRAMES * sizeof(struct dwell_frame));
}

static inline uint64_t dwell_relay_load(const struct dwell_relay *relay)
{
	return __atomic_load_n(&relay->word, __ATOMIC_SEQ_CST);
}
static inline bool dwell_relay_exchange(struct dwell_relay *relay, uint64_t expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(&relay->word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
/* The claim that goes with a word. */
static inline volatile uint64_t *dwell_relay_claim(struct dwell_relay *relay, uint64_t word)
{
	return &relay->claims[dwell_relay_count(word) & 1];
}

/* pre:  aligned for uint64_t, of DWELL_RELAY_BYTES; nobody else uses it.
 * turnovers: so many times code was mapped or unmapped. is_copy: the thread is one that was forked.
 * post: nothing of the ring is taken in. */
void dwell_relay_begin(struct dwell_relay *relay, uint64_t turnovers, bool is_copy);

/* ---- the thread's side; it must not be interrupted by itself ---- */

/* A turn of the thread's. Read position, leave the rest alone. */
struct dwell_relay_turn {
	uint64_t position;
	uint64_t counted; /* by the drain: sums begin here */
	uint64_t word;
	struct dwell_relay *relay;
	struct dwell_relay_state *state;
	struct dwell_frame *frames;
	uint32_t buffer;
	struct dwell_fold fold;
	struct dwell_fold_stacks stacks;
	struct dwell_fold_calls calls;
	struct dwell_paths paths;
};

/* Whose turn it is not: false. steals: also when it is the drain's. turnovers: as many as there were so far; where there were more since
 * calls were counted last, that is left to the drain, which knows when.
 * Context: the thread, signals blocked; copies what is open and what was counted in its last turns. */
bool dwell_relay_take(struct dwell_relay *relay, struct dwell_relay_turn *turn, bool steals, uint64_t turnovers);
/* Takes slots in that stand one behind the other at turn->position. Returns how many: fewer, when only the drain can go on, when many sums
 * are there and it had better take them first, or when the last one is a MARK, since its text may come. presses: also where many sums are;
 * calls may be counted by function alone.
 * Context: the thread, signals blocked; 60 instructions for an enter or exit. */
uint32_t dwell_relay_fold(struct dwell_relay_turn *turn, const uint64_t *slots, uint32_t count, bool presses);
/* It is valid from now on, and the ring's slots before turn->position are not needed any more. False: it was taken away, or there is
 * nothing of it: nothing has happened, and the turn is over. */
bool dwell_relay_commit(struct dwell_relay_turn *turn);
/* Behind a commit, when the slots were given back: the turn is over. */
void dwell_relay_release(struct dwell_relay_turn *turn);

#endif
