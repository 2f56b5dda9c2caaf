/* longer: what is drained of a ring → what is listed of it, where calls shorter than some time are not: these are counted path by path,
 * and what they took is told with the sums, so that who adds both up has what all events would have given, to the tick.
 *
 * An enter is held until its exit comes, or so much time has passed. Calls in a call that is short are short, too, and gone when it ends.
 * So what is held is no more than the calls that are open and undecided, and one that is over.
 *
 * Only that is left out which is plain: an exit behind its enter, with nothing but such calls in between. Where anything else comes (a
 * jump, a gap, another stack, a mark, the end), all that is held is listed, and so are the event before it and the one behind it: so
 * gaps, and what was left by a jump, begin and end where they do. A call during which its thread was off the CPU is listed, too: switches
 * are charged to who is open in the events. So is one that nothing is open around, where calls may be open that began before the data:
 * what these turn out to have called, only the events could tell. */
#ifndef DWELL_HOST_RECORD_STAGE_LONGER_H
#define DWELL_HOST_RECORD_STAGE_LONGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/slot.h"
#include "record/sink/address_set.h"
#include "record/stage/depth.h"
#include "record/stage/path_sums.h"
#include "record/stage/sums_period.h"
#include "writer/trace/dwell.h"

/* An enter that is held, with what belongs to it. */
struct longer_held {
	uint64_t enter_ticks;
	size_t begin; /* of its slots */
};

struct longer {
	uint64_t limit_ticks;
	bool from_start;     /* no call of the thread's own stack was entered before its data began */
	bool passes;         /* everything is listed for now */
	struct depth *calls; /* all of them */
	struct path_sums sums;
	uint64_t left_out_events; /* of the calls in them, ever */
	uint64_t first_ticks, last_ticks; /* of what was counted since sums were written */
	struct longer_held *held; /* outermost first: the innermost calls that are open … */
	size_t held_count, held_capacity;
	bool over;                /* … but the last one has ended, and is listed if the next event is no plain one */
	struct dwell_call call;   /* that one */
	size_t exit_at;           /* its exit */
	uint64_t *slots;          /* of the held, without TIME */
	size_t slot_count, slot_capacity;
	uint64_t tags[2];         /* say something of the next event */
	uint32_t tag_count;
	bool listed;              /* the last event was: so is what belongs to it */
	bool forced;              /* the next one is */
	bool unsure;              /* calls of unknown functions are open */
	uint32_t high;            /* of the clock, as the output says … */
	bool says_high;           /* … if it does */
	/* When the thread was off the CPU, in order. */
	struct message_switch *switches;
	size_t switch_count, switch_at, switch_capacity;
	uint64_t on_since_ticks;  /* it was never since then */
	struct sums_period period;
	uint64_t late_stamps, told_late_stamps; /* that were put right; what the sums have said of them */
};

/* Null: no memory. limit_ticks: not 0. */
struct longer *make_longer(uint64_t limit_ticks, bool from_start);
void free_longer(struct longer *longer);

/* Most slots that so many become. */
size_t longer_room(const struct longer *longer, uint32_t count);
/* Writes what is listed to out; returns how many slots. */
uint32_t longer_slots(struct longer *longer, const uint64_t *slots, uint32_t count, uint64_t *out);
/* Nothing more comes: what is held is listed. As many as longer_room(longer, 0). */
uint32_t longer_finish(struct longer *longer, uint64_t *out);

/* Low words of what was counted, and of what is held. */
void longer_note_places(const struct longer *longer, struct address_set *places);

/* The thread was off the CPU then; before the slots of that time. False: no memory. */
bool longer_tell_switches(struct longer *longer, const struct message_switch *switches, size_t count);

/* Writes what was counted, if it is time to: now_ns is the clock's, 0: in any case. */
void longer_write(struct longer *longer, uint32_t stream, uint64_t now_ns, struct trace_writer *writer);

#endif
