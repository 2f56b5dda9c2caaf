/* One ring, the thread that fills it and record that drains it, which count its calls in turn (core/relay.h), in one process: one step of
 * either at a time, in any order. What is counted then must be what record alone would have counted.
 *
 * The ring is as long as the stream. What is given back is spoilt, so that nobody counts it any more. */
#ifndef DWELL_TEST_RELAY_SIM_H
#define DWELL_TEST_RELAY_SIM_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "record/drain/in_order.h"
#include "record/drain/relay.h"

/* How the two are mixed, of 100 steps each. */
struct sim_plan {
	uint32_t thread; /* steps that are the thread's; the others are record's */
	uint32_t steals; /* turns that it takes also from record, when it asks for one */
	uint32_t presses; /* of its foldings */
	uint32_t forgets; /* steps in which a child of vfork is killed, which had the thread's place */
	uint32_t turnover; /* steps in which code is mapped or unmapped */
	uint32_t rest; /* steps of record's behind which it gives its turn back */
	uint32_t killed; /* the step of the thread's in which that is killed; 0: never */
};

enum record_step { SEE, BEGIN, GIVE_BACK, TAKE_COPY, CLAIM, COUNT, COMMIT };
enum thread_step { TAKE, FOLD, RETURN, RELEASE };

struct sim {
	struct sim_plan plan;
	uint64_t *slots; /* the ring */
	uint32_t total, written;
	struct dwell_relay *shared;
	uint64_t consumed; /* the ring's */
	uint64_t turnovers, turnover_at; /* how many; where the last one was */
	/* Record's. */
	enum record_step record;
	struct relay relay;
	struct count *count;
	struct in_order in_order;
	uint64_t position, given_back, seen, end, events;
	uint64_t *copy;
	/* The thread's. */
	enum thread_step thread;
	struct dwell_relay_turn turn;
	bool dead;
	uint32_t steps;
	/* What came to pass, so that tests can see that it did. */
	uint32_t thread_slots, stolen, lost_turns, refused, taken_over;
};

static uint64_t sim_drawn;

static inline uint32_t sim_random(void)
{
	sim_drawn = sim_drawn * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(sim_drawn >> 32);
}

static inline bool sim_percent(uint32_t percent)
{
	return sim_random() % 100 < percent;
}

/* Where two slots may be parted: between a mark and its text nobody does. */
static inline uint32_t sim_cut(const struct sim *sim, uint32_t from, uint32_t most)
{
	uint32_t at = from + 1 + sim_random() % (most - from);

	while (at < most && (uint32_t)sim->slots[at] == DWELL_TAG_MARK_TEXT)
		at++;
	return at;
}

static inline void sim_spoil(struct sim *sim, uint64_t begin, uint64_t end)
{
	CHECK(begin <= end && end <= (uint64_t)sim->written * DWELL_SLOT_BYTES);
	for (uint64_t at = begin; at < end; at += DWELL_SLOT_BYTES)
		sim->slots[at / DWELL_SLOT_BYTES] = dwell_slot_make(DWELL_TAG_LOST, 1000000);
	sim->consumed = end > sim->consumed ? end : sim->consumed;
}

/* ---- record ---- */

static inline bool sim_can_turn(const struct sim *sim)
{
	return !sim->turnovers || sim->position > sim->turnover_at;
}

static inline enum record_step record_see(struct sim *sim)
{
	uint64_t position;

	if (!relay_see(&sim->relay, (uint64_t)sim->written * DWELL_SLOT_BYTES, sim->dead, &position))
		return SEE;
	CHECK(position >= sim->position);
	sim->seen = (uint64_t)sim->written * DWELL_SLOT_BYTES;
	return BEGIN;
}

static inline enum record_step record_begin(struct sim *sim)
{
	uint64_t before = sim->position, events = 0;
	bool releases;

	sim->relay.turnovers = sim->turnovers;
	sim->relay.can_turn = sim_can_turn(sim);
	if (!relay_begin(&sim->relay, sim->count, &events, &releases))
		return SEE;
	sim->events += events;
	sim->position = sim->relay.position;
	sim->taken_over += sim->position != before;
	sim->in_order.cursor = sim->count->thread.calls->fold.cursor;
	sim->in_order.floor_ticks = sim->relay.floor_ticks;
	if (releases)
		return GIVE_BACK;
	sim->given_back = sim->position;
	return TAKE_COPY;
}

static inline enum record_step record_give_back(struct sim *sim)
{
	sim_spoil(sim, sim->given_back, sim->position);
	sim->given_back = sim->position;
	relay_released(&sim->relay);
	return TAKE_COPY;
}

static inline enum record_step record_take_copy(struct sim *sim)
{
	uint32_t from = (uint32_t)(sim->position / DWELL_SLOT_BYTES), most = (uint32_t)(sim->seen / DWELL_SLOT_BYTES), to;

	if (sim->position >= sim->seen || sim_percent(sim->plan.rest)) {
		relay_end(&sim->relay);
		return SEE;
	}
	to = sim_cut(sim, from, most);
	memcpy(sim->copy, sim->slots + from, (to - from) * sizeof *sim->copy);
	sim->end = (uint64_t)to * DWELL_SLOT_BYTES;
	return CLAIM;
}

static inline enum record_step record_claim(struct sim *sim)
{
	if (relay_claim(&sim->relay, sim->end))
		return COUNT;
	sim->lost_turns++;
	return SEE;
}

static inline enum record_step record_count(struct sim *sim)
{
	uint32_t count = (uint32_t)((sim->end - sim->position) / DWELL_SLOT_BYTES);
	const uint64_t *slots = in_order_slots(&sim->in_order, sim->copy, &count);

	sim->events += count_slots(sim->count, slots, count, 0);
	sim->position = sim->end;
	return COMMIT;
}

static inline enum record_step record_commit(struct sim *sim)
{
	const struct dwell_relay_state *valid = dwell_relay_state(sim->shared, dwell_relay_buffer(dwell_relay_load(sim->shared)));
	uint64_t position = valid->position;
	bool good;

	sim->relay.floor_ticks = sim->in_order.floor_ticks;
	sim->relay.turnovers = sim->turnovers;
	sim->relay.can_turn = sim_can_turn(sim);
	good = relay_commit(&sim->relay, sim->count, true);
	/* The thread may just be reading it. */
	CHECK_EQ(valid->position, position);
	if (good)
		return GIVE_BACK;
	sim->lost_turns++;
	return SEE;
}

static inline void record_step(struct sim *sim)
{
	static enum record_step (*const steps[])(struct sim *) = {
		record_see, record_begin, record_give_back, record_take_copy, record_claim, record_count, record_commit};

	sim->record = steps[sim->record](sim);
	CHECK(!sim->relay.broken);
}

/* ---- the thread ---- */

static inline enum thread_step thread_take(struct sim *sim)
{
	bool steals = sim_percent(sim->plan.steals);

	if (!dwell_relay_take(sim->shared, &sim->turn, steals, sim->turnovers)) {
		sim->refused++;
		return TAKE;
	}
	/* Sums must not go across. */
	CHECK(!sim->turnovers || sim->turn.position > sim->turnover_at || !sim->turnover_at);
	sim->stolen += dwell_relay_owner(sim->turn.word) == DWELL_RELAY_STOLEN;
	if (sim->turn.position > sim->consumed)
		sim_spoil(sim, sim->consumed, sim->turn.position);
	return FOLD;
}

static inline enum thread_step thread_fold(struct sim *sim)
{
	uint32_t from = (uint32_t)(sim->turn.position / DWELL_SLOT_BYTES), folded = 0, count = 0;
	uint64_t counted = sim->turn.counted;

	CHECK(counted <= (uint64_t)sim->written * DWELL_SLOT_BYTES);
	if (from < sim->written) {
		count = 1 + sim_random() % (sim->written - from);
		folded = dwell_relay_fold(&sim->turn, sim->slots + from, count, sim_percent(sim->plan.presses));
		CHECK(folded <= count);
		sim->thread_slots += folded;
	}
	if (folded && folded == count && sim_percent(70))
		return FOLD;
	return dwell_relay_commit(&sim->turn) ? RETURN : TAKE;
}

static inline enum thread_step thread_return(struct sim *sim)
{
	sim_spoil(sim, sim->consumed, sim->turn.position);
	return RELEASE;
}

static inline enum thread_step thread_release(struct sim *sim)
{
	dwell_relay_release(&sim->turn);
	return TAKE;
}

static inline void thread_step(struct sim *sim)
{
	static enum thread_step (*const steps[])(struct sim *) = {thread_take, thread_fold, thread_return, thread_release};

	if (++sim->steps == sim->plan.killed) {
		sim->dead = true;
		sim->total = sim->written;
		return;
	}
	if (sim_percent(sim->plan.forgets))
		sim->thread = TAKE;
	/* It makes calls between its turns. */
	if (sim->thread == TAKE && sim->written < sim->total && sim_percent(60)) {
		sim->written = sim_cut(sim, sim->written, sim->total - sim->written > 400 ? sim->written + 400 : sim->total);
		return;
	}
	if (sim->thread == TAKE && sim_percent(sim->plan.turnover)) {
		sim->turnovers++;
		sim->turnover_at = (uint64_t)sim->written * DWELL_SLOT_BYTES;
		return;
	}
	sim->thread = steps[sim->thread](sim);
}

/* ---- both ---- */

/* pre: slots outlives it. */
static inline void sim_begin(struct sim *sim, const struct sim_plan *plan, const uint64_t *slots, uint32_t count, uint64_t seed)
{
	*sim = (struct sim){.plan = *plan, .total = count, .count = make_count()};
	sim_drawn = seed;
	sim->slots = malloc((count + 1) * sizeof *slots);
	sim->copy = malloc((count + 1) * sizeof *slots);
	memcpy(sim->slots, slots, count * sizeof *slots);
	sim->slots[count] = 0;
	/* Of zero pages, as the session's is. */
	sim->shared = calloc(1, DWELL_RELAY_BYTES);
	dwell_relay_begin(sim->shared, 0, false);
	relay_init(&sim->relay, sim->shared);
}

static inline bool sim_is_over(const struct sim *sim)
{
	return sim->written == sim->total && sim->position == (uint64_t)sim->total * DWELL_SLOT_BYTES && sim->record == SEE &&
	       !sim->relay.ahead && !sim->relay.is_due;
}

/* A thread that cannot go on, and asks again and again, may be in record's way for some time. */
#define SIM_IDLE_MAX 5000u
#define SIM_IDLE_ALONE_MAX 100u

/* In any order, until all is counted, or nothing more happens, since only the one can go on that has no steps. */
static inline void sim_run(struct sim *sim)
{
	const uint32_t idle_max = sim->plan.thread == 100 ? SIM_IDLE_ALONE_MAX : SIM_IDLE_MAX;
	uint64_t before = 0, now;

	for (uint32_t idle = 0; idle < idle_max && !tap_bad && !sim_is_over(sim);
		idle = now == before ? idle + 1 : 0, before = now) {
		if (!sim->dead && sim_percent(sim->plan.thread))
			thread_step(sim);
		else
			record_step(sim);
		now = sim->position + sim->consumed + sim->written;
	}
	CHECK(sim->plan.thread == 100 || sim_is_over(sim));
	/* What the thread had still to say. */
	sim->written = sim->total;
	sim->dead = true;
	for (uint32_t i = 0; i < 100000 && !tap_bad && (i < 20 || !sim_is_over(sim)); i++)
		record_step(sim);
	CHECK(sim_is_over(sim));
}

static inline void sim_end(struct sim *sim)
{
	free_count(sim->count);
	relay_clear(&sim->relay);
	in_order_clear(&sim->in_order);
	free(sim->shared);
	free(sim->slots);
	free(sim->copy);
}

/* What record alone counts. floor_ticks: of the last enter or exit. */
static inline struct count *count_alone(const uint64_t *slots, uint32_t count, uint64_t *events, uint64_t *floor_ticks)
{
	struct count *alone = make_count();
	struct in_order in_order = {0};
	const uint64_t *ordered = in_order_slots(&in_order, slots, &count);

	*events = count_slots(alone, ordered, count, 0);
	*floor_ticks = in_order.floor_ticks;
	in_order_clear(&in_order);
	return alone;
}

#endif
