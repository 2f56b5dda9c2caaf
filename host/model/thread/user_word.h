/* user_word: the bits that account.c keeps in the low half of a frame's user word while the call is open. For account.c, pairs.c,
 * packed_slots.c and calls.c. "The call" below is the call of the frame. */
#ifndef DWELL_HOST_MODEL_THREAD_USER_WORD_H
#define DWELL_HOST_MODEL_THREAD_USER_WORD_H

#include <stdint.h>

#define ACCOUNT_NODE UINT64_C(0x07ffffff) /* the call's node in the stack's tree */
#define ACCOUNT_INNER (UINT64_C(1) << 27) /* a caller has the same pair of functions: the total does not count for the node */
#define ACCOUNT_KNOWN (UINT64_C(1) << 28) /* account_enter has counted the begin */
#define ACCOUNT_OUTERMOST (UINT64_C(1) << 29) /* no caller is of the same function */
#define ACCOUNT_UNNAMED (UINT64_C(1) << 30) /* the function was unknown at the entry */
#define ACCOUNT_FOLDED (UINT64_C(1) << 31) /* the tree had no room for the path: the node is (other), or a caller's */

#endif
