/* user_word: the low half of a frame's user word, for account.c, pairs.c, packed_slots.c and calls.c. */
#ifndef DWELL_HOST_MODEL_THREAD_USER_WORD_H
#define DWELL_HOST_MODEL_THREAD_USER_WORD_H

#include <stdint.h>

#define ACCOUNT_NODE UINT64_C(0x07ffffff) /* its node in the thread's tree */
#define ACCOUNT_INNER (UINT64_C(1) << 27) /* its pair of functions is open below already: its total does not count for the node */
#define ACCOUNT_KNOWN (UINT64_C(1) << 28) /* account_enter has counted its begin */
#define ACCOUNT_OUTERMOST (UINT64_C(1) << 29) /* no other frame of its function is below */
#define ACCOUNT_UNNAMED (UINT64_C(1) << 30) /* its function was unknown at its entry */
#define ACCOUNT_FOLDED (UINT64_C(1) << 31) /* the tree had no room for its path: the node is a caller's */

#endif
