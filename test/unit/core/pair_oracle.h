/* A second, naive pairing: each tick of a thread's time has an owner, written down and rewritten as the rules of core/pair.h say.
 * What a call's self time is then only has to be counted. Slow, small, and without any sum that pair.c keeps. */
#ifndef DWELL_TEST_PAIR_ORACLE_H
#define DWELL_TEST_PAIR_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/pair.h"

enum { ORACLE_TICKS = 1024, ORACLE_CALLS = 512, ORACLE_STACK = 64 };
enum { OWNER_OUTSIDE = -1, OWNER_LOST = -2, OWNER_OFF = -3 };

struct oracle_call {
	uint64_t id, enter, exit;
	uint32_t depth, flags;
	bool finished;
};

struct oracle {
	int owner[ORACLE_TICKS]; /* call, or OWNER_… */
	struct oracle_call calls[ORACLE_CALLS];
	int call_count;
	int stack[ORACLE_STACK], depth, capacity;
	int order[ORACLE_CALLS], finished; /* calls as they were finished */
	uint64_t first, now, land, interrupted_until, section;
	uint32_t beyond, pushes, land_flags;
	uint64_t unmatched, unwound;
	bool started, landing, gap, off, interrupted;
};

static inline void oracle_init(struct oracle *oracle, int capacity)
{
	memset(oracle, 0, sizeof *oracle);
	oracle->capacity = capacity;
}

static inline int oracle_top(const struct oracle *oracle)
{
	return oracle->depth ? oracle->stack[oracle->depth - 1] : OWNER_OUTSIDE;
}

static inline void oracle_push(struct oracle *oracle, uint64_t id, uint64_t ticks, uint32_t flags)
{
	int call = oracle->call_count++;

	if (oracle->call_count >= ORACLE_CALLS)
		abort();
	oracle->calls[call] = (struct oracle_call){.id = id, .enter = ticks, .depth = (uint32_t)oracle->depth, .flags = flags};
	oracle->stack[oracle->depth++] = call;
}

static inline void oracle_pop(struct oracle *oracle, uint64_t ticks, uint32_t flags)
{
	struct oracle_call *call = &oracle->calls[oracle->stack[--oracle->depth]];

	call->exit = ticks;
	call->flags |= flags;
	call->finished = true;
	oracle->unwound += (flags & DWELL_CALL_UNWOUND) != 0;
	oracle->order[oracle->finished++] = (int)(call - oracle->calls);
}

/* Time since from that belonged to a function, or to none, belongs to the one that is on top now. */
static inline void oracle_reassign(struct oracle *oracle, uint64_t from)
{
	for (uint64_t t = from; t < oracle->now; t++)
		if (oracle->owner[t] != OWNER_LOST && oracle->owner[t] != OWNER_OFF)
			oracle->owner[t] = oracle_top(oracle);
}

/* The top function goes on. */
static inline void oracle_settle(struct oracle *oracle)
{
	if (oracle->interrupted && !oracle->depth)
		oracle->section = oracle->interrupted_until;
	oracle->interrupted = oracle->landing = oracle->off = false;
}

static inline void oracle_to(struct oracle *oracle, uint64_t ticks)
{
	if (!oracle->started)
		oracle->first = oracle->now = oracle->section = ticks;
	if (!oracle->started && oracle->landing)
		oracle->land = ticks;
	oracle->started = true;
	for (uint64_t t = oracle->now; t < ticks; t++)
		oracle->owner[t] = oracle->gap ? OWNER_LOST : oracle->off ? OWNER_OFF : oracle_top(oracle);
	if (ticks > oracle->now)
		oracle->now = ticks;
	if (oracle->gap || oracle->off)
		oracle->interrupted_until = oracle->now;
	oracle->gap = false;
	if (oracle->pushes) {
		bool off = oracle->off;

		oracle_settle(oracle);
		oracle->off = off;
		oracle->interrupted = off;
		for (; oracle->pushes && oracle->depth < oracle->capacity; oracle->pushes--)
			oracle_push(oracle, DWELL_ID_UNKNOWN, oracle->now, DWELL_CALL_NO_ENTRY);
		oracle->beyond += oracle->pushes;
		oracle->pushes = 0;
	}
}

static inline void oracle_enter(struct oracle *oracle, uint64_t id, uint64_t ticks)
{
	oracle_to(oracle, ticks);
	oracle_settle(oracle);
	if (oracle->depth == oracle->capacity)
		oracle->beyond++;
	else
		oracle_push(oracle, id, oracle->now, 0);
}

static inline void oracle_exit_unknown(struct oracle *oracle, uint64_t id)
{
	oracle_settle(oracle);
	if (oracle->beyond) {
		oracle->beyond--;
	} else if (oracle->depth) {
		oracle->unmatched++;
	} else {
		oracle_push(oracle, id, oracle->section, DWELL_CALL_NO_ENTRY);
		for (uint64_t t = oracle->section; t < oracle->now; t++)
			if (oracle->owner[t] == OWNER_OUTSIDE)
				oracle->owner[t] = oracle_top(oracle);
		oracle_pop(oracle, oracle->now, 0);
	}
}

static inline void oracle_exit(struct oracle *oracle, uint64_t id, uint64_t ticks)
{
	bool unwinds, landing;
	uint64_t land;
	int at;

	oracle_to(oracle, ticks);
	landing = oracle->landing;
	unwinds = landing && oracle->land_flags & DWELL_CALL_UNWOUND;
	land = landing ? oracle->land : oracle->now;
	for (at = oracle->depth - 1; at >= 0; at--)
		if (oracle->calls[oracle->stack[at]].id == id || oracle->calls[oracle->stack[at]].id == DWELL_ID_UNKNOWN)
			break;
	if (at < 0 || (oracle->beyond && !unwinds)) {
		oracle_exit_unknown(oracle, id);
		return;
	}
	while (oracle->depth - 1 > at)
		oracle_pop(oracle, land, landing ? oracle->land_flags : (uint32_t)DWELL_CALL_UNWOUND);
	oracle->unwound += oracle->beyond;
	oracle->beyond = 0;
	oracle_reassign(oracle, land);
	oracle->interrupted = oracle->landing = oracle->off = false;
	oracle->calls[oracle_top(oracle)].id = id;
	oracle_pop(oracle, oracle->now, 0);
}

static inline void oracle_begin_landing(struct oracle *oracle, uint32_t flags)
{
	oracle->landing = true;
	oracle->land = oracle->now;
	oracle->land_flags = flags;
}

static inline void oracle_unwind(struct oracle *oracle, uint64_t ticks)
{
	oracle_to(oracle, ticks);
	oracle_settle(oracle);
	oracle_begin_landing(oracle, DWELL_CALL_UNWOUND);
}

static inline void oracle_land(struct oracle *oracle, uint32_t index)
{
	if (!oracle->landing || index >= (uint32_t)oracle->depth)
		return;
	while ((uint32_t)oracle->depth > index + 1) {
		bool unknown = oracle->calls[oracle_top(oracle)].id == DWELL_ID_UNKNOWN;

		oracle_pop(oracle, oracle->land, oracle->land_flags | (unknown ? DWELL_CALL_PIECE : 0u));
	}
	oracle->unwound += oracle->beyond;
	oracle->beyond = 0;
	oracle_reassign(oracle, oracle->land);
	oracle->landing = false;
	if (oracle->gap || oracle->off)
		oracle_begin_landing(oracle, oracle->gap ? DWELL_CALL_GAP : DWELL_CALL_UNWOUND);
	else
		oracle->interrupted = false;
}

static inline void oracle_lost(struct oracle *oracle, uint32_t pops, uint32_t pushes)
{
	uint64_t land = oracle->landing ? oracle->land : oracle->now;

	for (; pops && oracle->pushes; pops--)
		oracle->pushes--;
	for (; pops && oracle->beyond; pops--)
		oracle->beyond--;
	if (pops) {
		for (; pops && oracle->depth; pops--)
			oracle_pop(oracle, land, DWELL_CALL_GAP);
		oracle_reassign(oracle, land);
	}
	if (!oracle->landing)
		oracle_begin_landing(oracle, DWELL_CALL_GAP);
	oracle->gap = oracle->interrupted = true;
	oracle->pushes += pushes;
}

static inline void oracle_off(struct oracle *oracle, uint64_t ticks)
{
	oracle_to(oracle, ticks);
	if (!oracle->landing)
		oracle_begin_landing(oracle, DWELL_CALL_UNWOUND);
	oracle->off = oracle->interrupted = true;
}

static inline void oracle_on(struct oracle *oracle, uint64_t ticks)
{
	oracle_to(oracle, ticks);
	oracle->off = false;
}

static inline void oracle_finish(struct oracle *oracle)
{
	oracle->pushes = 0;
	if (oracle->started)
		oracle_to(oracle, oracle->now);
	while (oracle->depth)
		oracle_pop(oracle, oracle->now, DWELL_CALL_OPEN);
}

static inline uint64_t oracle_count(const struct oracle *oracle, int owner)
{
	uint64_t count = 0;

	for (uint64_t t = oracle->first; t < oracle->now; t++)
		count += oracle->owner[t] == owner;
	return count;
}

#endif
