/* Slots that change hands: one that a thread was taking when its process was killed, of which nothing is valid, and which nobody
 * but record would ever give back; and one that is given to another thread just while record looks whether its own has ended. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "record/drain/streams.h"
#include "record/drain/workers.h"
#include "record/session/keeper.h"
#include "record/session/session.h"
#include "zoo.h"

#define LATER_NS UINT64_C(10000000000)

static struct session *session;
static struct diag *diag;

/* Three slots: of a process that is gone, of one that goes on, and free. */
static void begin(enum dwell_mode mode)
{
	struct session_options options = {.mode = mode, .slot_count = 3, .ring_bytes = 2 * DWELL_BLOCK_BYTES};
	pid_t gone = fork();

	if (!gone)
		_exit(0);
	CHECK(waitpid(gone, NULL, 0) == gone);
	diag = make_diag();
	session = make_session(&options, diag);
	CHECK(session);
	session_slot(session, 0)->state = dwell_session_state(DWELL_SESSION_TAKEN, (uint32_t)gone);
	session_slot(session, 1)->state = dwell_session_state(DWELL_SESSION_TAKEN, (uint32_t)getpid());
	session->shared->slots_used = 3;
}

static void end(void)
{
	CHECK_EQ(session_slot_state(session, 0), DWELL_SESSION_FREE);
	CHECK_EQ(session_slot_state(session, 1), DWELL_SESSION_TAKEN);
	CHECK_EQ(session_slot_state(session, 2), DWELL_SESSION_FREE);
	CHECK_EQ(diag_status(diag), 0);
	free_session(session);
	free_diag(diag);
}

TEST(of_a_stream)
{
	struct message_header header = zoo_header();
	struct message_clock first = {1000, 0, 0};
	struct trace_writer *writer;
	struct switches switches;
	struct streams streams;

	begin(DWELL_MODE_STREAM);
	writer = make_trace_writer("/dev/null", &header, diag);
	switches_begin(&switches, writer, &first);
	CHECK(streams_begin(&streams, session, writer, &switches, 1 << 20));
	streams.workers = make_workers(false);
	streams_read_positions(&streams, LATER_NS, false);
	streams_write(&streams, LATER_NS, false);
	CHECK_EQ(streams.threads, 0);
	free_workers(streams.workers);
	streams_end(&streams);
	switches_end(&switches);
	free_trace_writer(writer);
	end();
}

TEST(of_a_ring)
{
	struct message_clock first = {1000, 0, 0};
	struct followed followed = {0};
	struct keeper keeper;

	begin(DWELL_MODE_RING);
	keeper_begin(&keeper, session, NULL, 0, &first);
	keeper_sweep(&keeper, &followed, LATER_NS);
	end();
}

/* The thread of slot 2 is gone. While record asks for it, its ring may be given to another thread. */
#define GONE 4711
#define LATER 4712
static bool changes_hands;

int tgkill(pid_t pid, pid_t tid, int signal)
{
	struct dwell_session_slot *slot = session_slot(session, 2);

	(void)pid;
	(void)signal;
	CHECK_EQ(tid, GONE);
	if (changes_hands) {
		slot->tid = LATER;
		slot->state = dwell_session_state(DWELL_SESSION_LIVE, LATER);
	}
	errno = ESRCH;
	return -1;
}

static void look_at_gone(bool changes)
{
	struct message_clock first = {1000, 0, 0};
	struct followed followed = {0};
	struct keeper keeper;
	struct dwell_session_slot *slot;

	changes_hands = changes;
	begin(DWELL_MODE_LINEAR);
	slot = session_slot(session, 2);
	slot->pid = (uint32_t)getpid();
	slot->tid = GONE;
	slot->state = dwell_session_state(DWELL_SESSION_LIVE, GONE);
	keeper_begin(&keeper, session, NULL, 0, &first);
	keeper_sweep(&keeper, &followed, LATER_NS);
	CHECK_EQ(slot->state,
		changes ? dwell_session_state(DWELL_SESSION_LIVE, LATER) : dwell_session_state(DWELL_SESSION_ENDED, GONE));
	slot->state = DWELL_SESSION_FREE;
	end();
}

TEST(ended)
{
	look_at_gone(false);
}

TEST(given_to_another_while_record_looks)
{
	look_at_gone(true);
}

int main(void)
{
	RUN(of_a_stream);
	RUN(of_a_ring);
	RUN(ended);
	RUN(given_to_another_while_record_looks);
	return tap_done();
}
