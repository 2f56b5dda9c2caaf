/* relatives: the callers of a function, and its callees. */
#ifndef DWELL_HOST_QUERY_ASK_RELATIVES_H
#define DWELL_HOST_QUERY_ASK_RELATIVES_H

#include "query/ask/profile.h"

/* For samples: the intervals of the rows. Null: there are none. */
const struct estimates *relatives_get_shares(const struct profile_question *ask);

#endif
