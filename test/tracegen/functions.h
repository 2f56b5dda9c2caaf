/* functions: the functions that an invented trace calls: real ones of a program, so that names resolve, or plain addresses. */
#ifndef DWELL_TEST_TRACEGEN_FUNCTIONS_H
#define DWELL_TEST_TRACEGEN_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "tracegen/walk.h"
#include "util/diag.h"

struct functions_list {
	uint32_t count;
	uint32_t places[WALK_FUNCTIONS_MAX];
	char *names[WALK_FUNCTIONS_MAX]; /* as a report shows them */
	struct message_module module;
	uint8_t build_id[20];
	bool real; /* of a program */
};

/* At most count functions of the program (null: invented ones), with names that occur once. False and a diag when there is none. */
bool functions_list_make(struct functions_list *list, const char *program, uint32_t count, struct diag *diag);
void functions_list_clear(struct functions_list *list);

#endif
