/* longer: lists only calls that take a limit or longer: the events of listed calls reach the file. The stage counts shorter calls
 * path by path, and writes their times with the sums. Readers add up events and sums, and get the results of all events, to the
 * tick.
 *
 * The stage holds an enter until the exit comes, or until the limit has passed. The callees of a short call are short, too, and
 * have ended when the short call ends. So the stage holds only the open undecided calls, and one finished call.
 *
 * The stage leaves out only plain calls: an enter and its exit, with only plain calls in between. At any other slot (a jump, a gap,
 * another stack, a mark, the end), the stage lists all held calls, and the events before and behind the slot. So gaps, and calls
 * left by a jump, keep their places in the file. The stage also lists a call if the thread was off the CPU during the call: readers
 * charge switches to open calls in the events. If calls entered before the data may be open, the stage also lists calls without a
 * caller in the data: only events can show whether an older call was the caller. */
#ifndef DWELL_HOST_RECORD_STAGE_LONGER_H
#define DWELL_HOST_RECORD_STAGE_LONGER_H

#include <stdint.h>

#include "record/stage/stage.h"

/* limit_ns: not 0. Threads begin only when the limit in ticks is known. Null: no memory. */
struct stage *make_longer_stage(uint64_t limit_ns);

#endif
