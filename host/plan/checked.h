/* checked: the state of a check (check.h). check.c checks the places in the file, checked_code.c the code of the plan. Internal to
 * plan/. */
#ifndef DWELL_HOST_PLAN_CHECKED_H
#define DWELL_HOST_PLAN_CHECKED_H

#include "plan/code.h"
#include "plan/plan.h"

/* A moved instruction: the old place, and the position in the plan's code. */
struct checked_label {
	uint32_t place, code;
};
/* A jump in the plan's code to a place in the file, or to the instruction moved from the place. code: target of the jump in the
 * plan's code; PLAN_NOWHERE: the jump leads to the place itself. site: index of the site with the jump in the code. */
struct checked_link {
	uint32_t code, place, site;
};

struct checked {
	struct plan_image image;
	struct plan_code code;
	struct bytes plan;
	uint8_t *bytes; /* for each byte from code.low on: enum checked_byte */
	uint8_t *fixed; /* for each byte of the plan's code: kind + 1 of the fixup at this byte */
	uint32_t *gates; /* for each byte of the plan's code: index + 1 of the site with a gate at this byte */
	struct checked_label *labels; /* sorted by place, once all are collected */
	size_t label_count, label_capacity;
	struct checked_link *links;
	size_t link_count, link_capacity;
	const char *name;
	struct diag *diag;
	bool bad;
};
enum checked_byte {
	CHECKED_MOVED = 1, /* belongs to a moved instruction */
	CHECKED_CHANGED = 2, /* a site changes the byte */
	CHECKED_FIRST = 4, /* the first byte that a site changes */
	CHECKED_ROOM = 8, /* a site of the kind DWELL_PLAN_ROOM changes the byte */
};

/* Adds a diag that something is wrong at a place. Always returns false. */
bool check_fail(struct checked *checked, uint32_t place, const char *why);
static inline uint8_t *checked_byte(const struct checked *checked, uint32_t at)
{
	return &checked->bytes[at - checked->code.low];
}

/* Checks the code of one site, which moves instructions up to end. Returns false if the code is wrong, or out of memory. */
bool check_site_code(struct checked *checked, uint32_t index, uint32_t end);
/* Checks that jumps to moved instructions lead to the new positions. pre: all sites are checked. */
bool check_links(struct checked *checked);

#endif
