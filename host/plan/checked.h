/* checked: what the two halves of the check share. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CHECKED_H
#define DWELL_HOST_PLAN_CHECKED_H

#include "plan/code.h"
#include "plan/plan.h"

/* A moved instruction: where it was, and where it is. */
struct checked_label {
	uint32_t place, code;
};
/* A jump in the code that leads to a moved instruction. */
struct checked_link {
	uint32_t code, place, site;
};

struct checked {
	struct plan_image image;
	struct plan_code code;
	struct bytes plan;
	uint8_t *bytes; /* of each byte from code.low on: enum checked_byte */
	uint8_t *fixed; /* of each byte of the plan's code: kind of the fixup that begins there + 1 */
	uint32_t *gates; /* of each byte of the plan's code: the site whose gate it is + 1 */
	struct checked_label *labels; /* in order of place, when all are known */
	size_t label_count, label_capacity;
	struct checked_link *links;
	size_t link_count, link_capacity;
	const char *name;
	struct diag *diag;
	bool bad;
};
enum checked_byte {
	CHECKED_MOVED = 1, /* of an instruction that was moved */
	CHECKED_CHANGED = 2,
	CHECKED_FIRST = 4, /* the first byte that a site changes */
	CHECKED_ROOM = 8,
};

/* A diag: what is wrong, at a place. Always false. */
bool checked_fail(struct checked *checked, uint32_t place, const char *why);
static inline uint8_t *checked_byte(const struct checked *checked, uint32_t at)
{
	return &checked->bytes[at - checked->code.low];
}

/* The code of one site, which moves instructions up to end. False: it is not what it should be, or there is no memory. */
bool checked_site_code(struct checked *checked, uint32_t index, uint32_t end);
/* When all sites are known: jumps to moved instructions lead to them. */
bool checked_links(struct checked *checked);

#endif
