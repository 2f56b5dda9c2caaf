/* relay: see relay.h. */
#include "record/drain/relay.h"

#include "core/slot.h"

/* Who changes the word that often is no thread of ours. */
#define TRIES_MAX 100

void relay_init(struct relay *relay, struct dwell_relay *shared)
{
	uint64_t word = dwell_relay_load(shared);

	/* An agent that knows no relays leaves the word as it was. */
	*relay = (struct relay){.shared = shared, .word = word, .valid = dwell_relay_buffer(word)};
}

void relay_clear(struct relay *relay)
{
	relay_import_clear(&relay->import);
}

static bool break_off(struct relay *relay)
{
	relay->broken = true;
	relay->is_due = false;
	return false;
}

/* Changes the word from what was seen last. */
static bool change(struct relay *relay, enum dwell_relay_owner owner, uint32_t buffer, bool taken, uint64_t claim)
{
	uint64_t word = dwell_relay_after(relay->word, owner, buffer, taken);

	*dwell_relay_claim(relay->shared, word) = claim;
	if (!dwell_relay_exchange(relay->shared, relay->word, word))
		return false;
	relay->word = word;
	return true;
}

/* Whether the thread has counted what is not taken over yet. */
static bool has_news(const struct relay *relay)
{
	return dwell_relay_buffer(relay->word) >= DWELL_RELAY_THREADS && !dwell_relay_is_taken(relay->word);
}

/* Where the valid buffer stands: it is said by the thread. */
static uint64_t get_position(const struct relay *relay)
{
	return has_news(relay) ? dwell_relay_state(relay->shared, dwell_relay_buffer(relay->word))->position : relay->position;
}

static bool is_owner(const struct relay *relay, enum dwell_relay_owner owner)
{
	return dwell_relay_owner(relay->word) == owner;
}

/* The turn is record's: what for? */
static bool settle(struct relay *relay, uint64_t end, uint64_t *position)
{
	*position = get_position(relay);
	if (!has_news(relay) && dwell_relay_buffer(relay->word) != relay->valid)
		return break_off(relay);
	if (*position % DWELL_SLOT_BYTES || *position < relay->position || *position > end)
		return break_off(relay);
	relay->is_due = has_news(relay) || relay->ahead;
	relay->seen = *position;
	return true;
}

bool relay_see(struct relay *relay, uint64_t end, bool alone, uint64_t *position)
{
	relay->is_due = false;
	for (uint32_t tries = 0; tries < TRIES_MAX && !relay->broken; tries++) {
		uint32_t buffer;

		relay->word = dwell_relay_load(relay->shared);
		buffer = dwell_relay_buffer(relay->word);
		switch (dwell_relay_owner(relay->word)) {
		case DWELL_RELAY_FREE:
			/* Held fast: what is counted after this may be of files that were not told when this was seen. */
			if (has_news(relay) && !change(relay, DWELL_RELAY_DRAIN, buffer, false, get_position(relay)))
				continue;
			return settle(relay, end, position);
		case DWELL_RELAY_DRAIN:
			if (!settle(relay, end, position))
				return false;
			if (relay->is_due || change(relay, DWELL_RELAY_FREE, buffer, true, 0))
				return true;
			continue;
		case DWELL_RELAY_THREAD:
		case DWELL_RELAY_STOLEN:
			if (!alone)
				return false;
			change(relay, DWELL_RELAY_DRAIN, buffer, dwell_relay_is_taken(relay->word), get_position(relay));
			continue;
		default:
			return break_off(relay);
		}
	}
	return break_off(relay);
}

static bool take_over(struct relay *relay, struct count *count, uint64_t *events)
{
	uint32_t buffer = dwell_relay_buffer(relay->word);
	enum relay_import_result result = relay_import_read(&relay->import, relay->shared, buffer, count, relay->position);
	uint64_t position = relay->import.state.position;

	/* Whoever took the turn away may write there by now. */
	if (dwell_relay_load(relay->shared) != relay->word || result == RELAY_IMPORT_NO_MEMORY)
		return false;
	if (result == RELAY_IMPORT_BAD || position != relay->seen)
		return break_off(relay);
	if (!change(relay, DWELL_RELAY_DRAIN, buffer, true, position))
		return false;
	*events += relay_import_apply(&relay->import, count);
	relay->position = position;
	relay->floor_ticks = relay->import.state.floor_ticks;
	relay->valid = buffer;
	relay->ahead = relay->is_due = false;
	return true;
}

bool relay_begin(struct relay *relay, struct count *count, uint64_t *events, bool *releases)
{
	bool good = true;

	*releases = false;
	if (relay->broken)
		return false;
	if (has_news(relay))
		good = is_owner(relay, DWELL_RELAY_DRAIN) && take_over(relay, count, events);
	else if (relay->ahead)
		*releases = good = relay_commit(relay, count, true);
	relay_import_clear(&relay->import);
	return good;
}

bool relay_claim(struct relay *relay, uint64_t end)
{
	uint32_t buffer = dwell_relay_buffer(relay->word);

	for (uint32_t tries = 0; tries < TRIES_MAX; tries++) {
		if (change(relay, DWELL_RELAY_DRAIN, buffer, true, end)) {
			relay->position = end;
			relay->ahead = true;
			return true;
		}
		/* The thread has tried, and found that it cannot go on? After two turns the buffer is the same, too, but not taken. */
		if (!is_owner(relay, DWELL_RELAY_FREE))
			return false;
		relay->word = dwell_relay_load(relay->shared);
		if (!is_owner(relay, DWELL_RELAY_FREE) || dwell_relay_buffer(relay->word) != buffer || has_news(relay))
			return false;
	}
	return break_off(relay);
}

static void export(struct relay *relay, const struct count *count, uint32_t buffer)
{
	struct dwell_relay_state *state = dwell_relay_state(relay->shared, buffer);

	state->can_go_on = follower_tell(count->thread.calls, state, dwell_relay_frames(relay->shared, buffer)) && relay->can_turn;
	state->floor_ticks = relay->floor_ticks;
	state->turnovers = relay->turnovers;
	state->position = relay->position;
}

bool relay_commit(struct relay *relay, const struct count *count, bool releases)
{
	uint32_t buffer = relay->valid == 0, old = dwell_relay_buffer(relay->word);

	export(relay, count, buffer);
	for (uint32_t tries = 0; tries < TRIES_MAX; tries++) {
		if (change(relay, releases ? DWELL_RELAY_RELEASES : DWELL_RELAY_DRAIN, buffer, true, relay->position)) {
			relay->valid = buffer;
			relay->ahead = relay->is_due = false;
			return true;
		}
		/* Taken away, and given back again by a thread that could not go on? */
		relay->word = dwell_relay_load(relay->shared);
		if (!is_owner(relay, DWELL_RELAY_DRAIN))
			return false;
		if (dwell_relay_buffer(relay->word) != old || has_news(relay))
			return break_off(relay);
	}
	return break_off(relay);
}

void relay_released(struct relay *relay)
{
	if (!change(relay, DWELL_RELAY_DRAIN, dwell_relay_buffer(relay->word), true, relay->position))
		break_off(relay);
}

void relay_end(struct relay *relay)
{
	if (!relay->broken && is_owner(relay, DWELL_RELAY_DRAIN))
		change(relay, DWELL_RELAY_FREE, dwell_relay_buffer(relay->word), dwell_relay_is_taken(relay->word), 0);
}
