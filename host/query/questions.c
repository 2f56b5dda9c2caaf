#include "query/questions.h"

#define QUESTION_ROW(name) &question_##name,
const struct question_type *const question_types[QUESTION_TYPES] = {QUESTION_EACH(QUESTION_ROW)};
