/* info: facts about a recording, and how complete it is. */
#ifndef DWELL_HOST_QUERY_ASK_INFO_H
#define DWELL_HOST_QUERY_ASK_INFO_H

#include "query/facts.h"
#include "query/question.h"

struct info_question {
	struct question question;

	/* Results. */
	struct facts facts;
};

#endif
