/* The state that a wire client received from its target: see wire_client.h. */
#include <stdlib.h>

#include "classic/host/io/wire_client_inner.h"

struct wire_state wire_client_state(const struct wire_client *client)
{
	struct wire_state state = client->state;
	bool is_left = client->takes && client->rest.is_done; /* newer interrupts are for the next pass */

	state.overflow = client->rest.overflow + (is_left ? 0 : state.overflow);
	state.beyond = client->rest.beyond + (is_left ? 0 : state.beyond);
	return state;
}

bool wire_client_flushes(struct wire_client *client)
{
	bool was = client->is_flushing;

	client->is_flushing = false;
	return was;
}

bool wire_client_is_wanted(struct wire_client *client)
{
	bool was = client->is_wanted;

	client->is_wanted = false;
	return was;
}

bool wire_client_is_told(const struct wire_client *client)
{
	return client->is_flushing || client->is_wanted;
}

uint32_t wire_client_damaged(const struct wire_client *client)
{
	return client->in.damaged;
}

uint64_t wire_client_doubtful(const struct wire_client *client)
{
	return client->doubtful;
}

uint32_t wire_client_renewed(const struct wire_client *client)
{
	return client->renewed;
}

uint64_t wire_client_interrupts(const struct wire_client *client)
{
	uint64_t sum = client->state.away;

	for (uint32_t i = 0; i < client->segment_count; i++)
		for (size_t k = 0; k < client->segments[i].now.count; k++)
			sum += client->segments[i].now.list[k].count;
	return sum + client->state.overflow + client->state.beyond;
}

const struct wire_areas *wire_client_areas(const struct wire_client *client)
{
	return &client->areas;
}

uint32_t wire_client_segments(const struct wire_client *client)
{
	return client->segment_count;
}

const struct wire_segment *wire_client_segment(const struct wire_client *client, uint32_t segment)
{
	return client->segments[segment].is_known ? &client->segments[segment].said : NULL;
}

bool wire_client_get_counts(
	const struct wire_client *client, uint32_t number, struct wire_count **counts, size_t *count, uint32_t *full)
{
	const struct segment *segment = &client->segments[number];
	struct wire_list taken = {0}, all = {0};
	bool good = wire_list_add(&taken, &segment->taken, &segment->fresh) && wire_list_add(&all, &taken, &segment->now);

	free(taken.list);
	if (!good) {
		free(all.list);
		return false;
	}
	*counts = all.list;
	*count = all.count;
	*full = segment->full;
	return true;
}
