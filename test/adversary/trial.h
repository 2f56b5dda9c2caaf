/* trial: one event recorded, interrupted at one instruction by a handler that records, too. */
#ifndef DWELL_TEST_ADVERSARY_TRIAL_H
#define DWELL_TEST_ADVERSARY_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "points.h"
#include "recorder/trace.h"

enum trial_state {
	TRIAL_PLAIN,
	TRIAL_STALE,  /* the clock's high half has changed */
	TRIAL_GAP,    /* losses wait to be said */
	TRIAL_FULL,   /* behind this block there is no room */
	TRIAL_RESUME, /* a stop waits to be said */
	TRIAL_UNWOUND,/* a longjmp has left frames */
	TRIAL_FREED,  /* as FULL, but when the handler comes there is room */
	TRIAL_STATES,
};

enum trial_action { TRIAL_ENTER, TRIAL_EXIT, TRIAL_UNWIND, TRIAL_ACTIONS };

/* Where the event comes from. */
enum trial_from {
	TRIAL_HOOK,   /* -finstrument-functions */
	TRIAL_SITE,   /* a patched site */
	TRIAL_VALUES, /* a patched site, with what the function is given and returns */
	TRIAL_COUNTED, /* as HOOK, of a function that is counted instead of recorded */
};

struct trial {
	enum dwell_mode mode;
	enum trial_state state;
	enum trial_action action;
	unsigned slots_left; /* in the block; DWELL_BLOCK_SLOTS: in a ring with nothing in it */
	enum trial_from from;
	bool fills;          /* the handler fills more than two blocks, else it makes two nested calls */
};

/* Once, before the others: what the trials share. */
void trial_begin(void);

/* Records what comes before, and remembers it: trial_run starts from there. */
void trial_prepare(const struct trial *trial);

/* Which of the points such a run comes by: sets reached[i]. Those in restartable sequences are believed to be. */
void trial_survey(const struct trial *trial, const struct points *points, bool *reached);

/* One run with a breakpoint at at. Null: as it must be. *hit: the instruction was executed, and the handler ran. */
const char *trial_run(const struct trial *trial, uint8_t *at, bool *hit);

/* For messages. */
const char *trial_name(const struct trial *trial);

/* Of the handler that makes two nested calls, for a trial of another kind. */
extern const uint64_t trial_handler[4];
void trial_call_handler(void *site);
void trial_call(uint64_t place, enum dwell_event_kind kind, void *site);
#define TRIAL_EVENT 0x10000010u
#define TRIAL_AFTER 0x10000020u

#endif
