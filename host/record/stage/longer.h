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

#include <stdint.h>

#include "record/stage/stage.h"

/* limit_ns: not 0. No thread begins before it is known how many ticks that are. Null: no memory. */
struct stage *make_longer(uint64_t limit_ns);

#endif
