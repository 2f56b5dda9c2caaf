/* net: what functions took without what it cost to record their calls.
 *
 *     self   less a call's inner cost for each call of it, and the outer cost for each call that it made
 *     total  less both for each call inside of it, and the inner cost for each of its own
 *
 * What was measured is a row of calls that nothing is in. Calls of a real program meet colder caches and other branches, so beside the
 * spread of the measurements a part of them is unsure (NET_UNSEEN).
 *
 * Calls that were recorded and then left out of the file (--depth, ...) cost as much, and nobody knows any more who made them: that stays
 * in, and is in how far any function's times may be off. So does what it cost to count calls. */
#ifndef DWELL_HOST_ANALYSIS_NET_H
#define DWELL_HOST_ANALYSIS_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/overhead.h"
#include "model/profile.h"

#define NET_UNSEEN 0.75
/* A call that is counted only costs this part of one that is recorded, at the most: it reads no clock and stores no slot (a tenth was
 * measured). */
#define NET_COUNTED 0.25

/* Calls, by function. */
struct net_calls {
	uint64_t made;   /* by it, directly */
	uint64_t inside; /* of its outermost calls: all calls in them */
	uint64_t outermost;
};

struct net {
	struct overhead overhead;
	struct net_calls *calls; /* of profile.function_count functions */
	uint64_t counted;        /* calls that were counted in place of being recorded (--throttle) */
	bool folded;             /* of some paths nobody knows any more who called */
};

/* pre: the profile has a tree. False: no memory. counted: as in the result. */
bool net_begin(struct net *net, const struct profile *profile, const struct overhead *overhead, uint64_t counted);
void net_end(struct net *net);

/* The function without it. */
struct net_function {
	uint64_t total, self;             /* ticks */
	uint64_t total_error, self_error; /* how far these may be off */
	bool mostly_probe;                /* more than half of its self time on the CPU was the recorder's */
};
struct net_function net_of(const struct net *net, const struct profile_function *function, uint32_t id);

/* What calls that were left out cost, and at the most those that were counted, which is in it still: ticks. */
double net_left_out(const struct overhead *overhead);
double net_counted(const struct net *net);

#endif
