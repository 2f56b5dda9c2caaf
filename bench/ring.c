/* ring: runs a program with the agent in it and a ring that nobody drains: what the hooks cost and nothing else. Prints how many
 * bytes were recorded and how many events lost.
 *
 *   ring AGENT PROGRAM ARGUMENTS */
#include <inttypes.h>
#include <stdio.h>
#include <sys/types.h>

#include "record/program/launch.h"
#include "record/session/session.h"

#define SLOT_COUNT 16u
#define RING_BYTES (16u << 20) /* as record's */

static void begin_now(void *context, pid_t pid)
{
	(void)context;
	(void)pid;
}

static int run(struct session *session, char **argv, struct diag *diag)
{
	struct launch launch;
	uint64_t bytes = 0, lost = 0;

	if (!launch_begin(&launch, argv[2], argv + 2, argv[1], session->name, begin_now, NULL, diag))
		return 2;
	while (!launch.ended)
		launch_wait(&launch, 1000000000);
	for (uint32_t i = 0; i < session->slot_count; i++) {
		if (session_slot_state(session, i) != DWELL_SESSION_LIVE)
			continue;
		bytes += session_ring(session, i)->pos;
		lost += session_ring(session, i)->lost_events;
	}
	printf("bytes %" PRIu64 "\nlost %" PRIu64 "\n", bytes, lost);
	return launch_status(&launch);
}

int main(int argc, char **argv)
{
	const struct session_options options = {.mode = DWELL_MODE_RING, .slot_count = SLOT_COUNT, .ring_bytes = RING_BYTES};
	struct diag *diag = make_diag();
	struct session *session = argc > 2 ? make_session(&options, diag) : NULL;
	int status = session ? run(session, argv, diag) : 2;

	free_session(session);
	diag_print(diag, stderr);
	free_diag(diag);
	return status;
}
