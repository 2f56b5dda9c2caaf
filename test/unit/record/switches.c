/* Switches as the kernel might tell them → SWITCHES chunks: what is told is exactly known, what is lost is not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "record/session/switches.h"
#include "record/sink/kept_switches.h"
#include "zoo.h"

/* Ticks are three a nanosecond, from 1000 on. */
#define TICKS(ns) (1000 + 3 * (uint64_t)(ns))

static char path[256];
static struct diag *diag;
static struct trace_writer *writer;
static struct switches switches;

static struct message_clock point(uint64_t ns)
{
	return (struct message_clock){TICKS(ns), ns, 0};
}

static void open_file(void)
{
	struct message_header header = zoo_header();
	struct message_clock first = point(0);

	diag = make_diag();
	writer = make_trace_writer(zoo_scratch(path, "switches"), &header, diag);
	switches_begin(&switches, writer, &first);
	switches.on = true; /* with no buffer: the events are put there by hand */
}

/* As if it had come out of a buffer; not in order of time. */
static void happen(uint64_t ns, uint32_t tid, enum switch_kind kind, uint64_t since_ns)
{
	struct switch_events *events = &switches.events;
	size_t at = events->count + events->held;

	if (at == events->capacity) {
		events->capacity = events->capacity ? events->capacity * 2 : 16;
		events->events = realloc(events->events, events->capacity * sizeof *events->events);
	}
	events->events[at] = (struct switch_event){ns, tid, kind, since_ns, kind == SWITCH_LOST ? 7 : 0};
	events->held++;
}

static void read_up_to(uint64_t ns)
{
	struct message_clock now = point(ns);

	switches_read(&switches, &now);
}

#define MESSAGES_MAX 16
static struct message_switches told[MESSAGES_MAX];
static struct message_switch intervals[MESSAGES_MAX][16];
static unsigned told_count;

/* Reads what was written. */
static void close_file(void)
{
	struct message message;
	struct reader *reader;

	switches_end(&switches);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	reader = make_reader(make_source(path, diag), diag);
	told_count = 0;
	while (reader && (reader_next(reader, &message), message.kind != MESSAGE_END)) {
		if (message.kind != MESSAGE_SWITCHES || told_count == MESSAGES_MAX)
			continue;
		for (uint32_t i = 0; i < message.switches.count && i < 16; i++)
			intervals[told_count][i] = message.switches.switches[i];
		told[told_count] = message.switches;
		told[told_count].switches = intervals[told_count];
		told_count++;
	}
	free_reader(reader);
	CHECK_EQ(diag_status(diag), 0);
	diag_print(diag, stdout);
	free_diag(diag);
	unlink(path);
}

static void check_told(unsigned index, uint32_t stream, uint64_t from, uint64_t until, uint32_t count)
{
	CHECK(index < told_count);
	if (index >= told_count)
		return;
	CHECK_EQ(told[index].stream, stream);
	CHECK_EQ(told[index].from_ticks, from);
	CHECK_EQ(told[index].until_ticks, until);
	CHECK_EQ(told[index].count, count);
}

static void check_interval(unsigned message, unsigned index, uint64_t out_ns, uint64_t in_ns, bool preempted)
{
	CHECK_EQ(intervals[message][index].out_ticks, TICKS(out_ns));
	CHECK_EQ(intervals[message][index].in_ticks, TICKS(in_ns));
	CHECK_EQ(intervals[message][index].preempted, preempted);
}

TEST(two_threads)
{
	struct switch_track *a, *b;

	open_file();
	a = switches_track(&switches, 11, 0);
	b = switches_track(&switches, 12, 1);
	happen(400, 12, SWITCH_IN, 0); /* of another CPU's buffer */
	happen(100, 11, SWITCH_IN, 0); /* its first: it was born off the CPU */
	happen(200, 11, SWITCH_OUT, 0);
	happen(300, 12, SWITCH_PREEMPTED, 0);
	happen(350, 99, SWITCH_OUT, 0); /* records nothing */
	happen(500, 11, SWITCH_IN, 0);
	happen(550, 12, SWITCH_OUT, 0); /* and is out when it is written */
	happen(700, 11, SWITCH_OUT, 0); /* after the point: for the next time */
	happen(710, 11, SWITCH_IN, 0);
	read_up_to(600);
	switches_write(&switches, a);
	switches_write(&switches, b);
	happen(650, 12, SWITCH_IN, 0);
	read_up_to(800);
	switches_write(&switches, a);
	switches_write(&switches, b);
	close_file();
	CHECK_EQ(told_count, 4);
	check_told(0, 0, 0, TICKS(600), 1);
	check_interval(0, 0, 200, 500, false);
	check_told(1, 1, 0, TICKS(600), 1);
	check_interval(1, 0, 300, 400, true);
	check_told(2, 0, TICKS(600), TICKS(800), 1);
	check_interval(2, 0, 700, 710, false);
	CHECK_EQ(told[2].off_before_ticks, 900);
	CHECK_EQ(told[2].preempted_before_ticks, 0);
	check_told(3, 1, TICKS(600), TICKS(800), 1);
	check_interval(3, 0, 550, 650, false);
	CHECK_EQ(told[3].off_before_ticks, 300);
	CHECK_EQ(told[3].preempted_before_ticks, 300);
}

/* Its ring is not seen before it has switched: what was kept for one sweep is used. */
TEST(a_thread_that_is_new)
{
	struct switch_track *track;

	open_file();
	happen(100, 11, SWITCH_OUT, 0);
	happen(150, 12, SWITCH_OUT, 0);
	read_up_to(200);
	track = switches_track(&switches, 11, 0);
	happen(300, 11, SWITCH_IN, 0);
	happen(310, 12, SWITCH_IN, 0);
	read_up_to(400);
	read_up_to(500);
	switches_write(&switches, track);
	track = switches_track(&switches, 12, 1); /* too late: its events are from before its first record */
	read_up_to(600);
	switches_write(&switches, track);
	close_file();
	check_told(0, 0, 0, TICKS(500), 1);
	check_interval(0, 0, 100, 300, false);
	check_told(1, 1, 0, TICKS(600), 0);
}

/* The kernel had no room between 300 and 500: nothing is known of anybody, until each switches again. */
TEST(lost_switches)
{
	struct switch_track *a, *b, *c;

	open_file();
	a = switches_track(&switches, 11, 0);
	b = switches_track(&switches, 12, 1);
	happen(100, 11, SWITCH_OUT, 0);
	happen(200, 11, SWITCH_IN, 0);
	happen(250, 12, SWITCH_OUT, 0); /* when did it come back? */
	happen(500, 0, SWITCH_LOST, 300);
	happen(600, 11, SWITCH_OUT, 0);
	happen(700, 11, SWITCH_IN, 0);
	read_up_to(800);
	c = switches_track(&switches, 13, 2);
	switches_write(&switches, a);
	switches_write(&switches, b);
	switches_write(&switches, c);
	happen(900, 12, SWITCH_IN, 0);
	read_up_to(1000);
	switches_write(&switches, b);
	CHECK_EQ(switches.lost, 7);
	close_file();
	CHECK_EQ(told_count, 5);
	check_told(0, 0, 0, TICKS(300), 1);
	check_interval(0, 0, 100, 200, false);
	check_told(1, 1, 0, TICKS(250), 0);
	check_told(2, 0, TICKS(600), TICKS(800), 1);
	check_interval(2, 0, 600, 700, false);
	check_told(3, 2, TICKS(500), TICKS(800), 0); /* it may have been there already */
	check_told(4, 1, TICKS(900), TICKS(1000), 0);
}

/* An out without an in before it, an in without an out: something between them is missing. */
TEST(halves)
{
	struct switch_track *track;

	open_file();
	track = switches_track(&switches, 11, 0);
	happen(100, 11, SWITCH_OUT, 0);
	happen(200, 11, SWITCH_OUT, 0);
	happen(300, 11, SWITCH_IN, 0);
	happen(400, 11, SWITCH_IN, 0);
	read_up_to(500);
	switches_write(&switches, track);
	close_file();
	CHECK_EQ(told_count, 3);
	check_told(0, 0, 0, TICKS(100), 0);
	check_told(1, 0, TICKS(200), TICKS(300), 1);
	check_interval(1, 0, 200, 300, false);
	check_told(2, 0, TICKS(400), TICKS(500), 0);
}

/* A thread with the number of an earlier one, whose stream is not ended yet. */
TEST(numbers_that_are_used_again)
{
	struct switch_track *old, *new;

	open_file();
	old = switches_track(&switches, 11, 0);
	new = switches_track(&switches, 11, 1);
	happen(100, 11, SWITCH_OUT, 0);
	happen(200, 11, SWITCH_IN, 0);
	read_up_to(300);
	switches_write(&switches, old);
	switches_write(&switches, new);
	switches_untrack(&switches, old);
	switches_untrack(&switches, new);
	CHECK(!switches.table[11]);
	close_file();
	check_told(0, 0, 0, TICKS(300), 0);
	check_told(1, 1, 0, TICKS(300), 1);
}

/* Refused: no track, no chunk, and why. */
TEST(refused)
{
	open_file();
	switches_turn_off(&switches, "of a reason");
	CHECK(!switches_track(&switches, 11, 0));
	switches_write(&switches, NULL);
	CHECK(!switches_should_write(NULL));
	CHECK_STR(switches.why, "of a reason");
	close_file();
	CHECK_EQ(told_count, 0);
}

/* Of a ring or linear recording: what is kept, and where it is cut. */
static struct session *session;
static struct kept_switches kept;

static void open_kept(enum dwell_mode mode)
{
	struct session_options options = {.mode = mode, .slot_count = 2, .ring_bytes = 2 * DWELL_BLOCK_BYTES};

	open_file();
	session = make_session(&options, diag);
	CHECK(session);
	CHECK(kept_switches_begin(&kept, session, &switches));
}

static void use_slot(uint32_t index, uint32_t tid, uint64_t begin_ticks, uint32_t state)
{
	struct dwell_session_slot *slot = session_slot(session, index);

	slot->tid = tid;
	slot->begin_ticks = begin_ticks;
	slot->state = dwell_session_state(state, 1);
	if (session->shared->slots_used <= index)
		session->shared->slots_used = index + 1;
	kept_switches_read_threads(&kept);
}

static void close_kept(void)
{
	kept_switches_end(&kept);
	free_session(session);
	close_file();
}

/* The i-th of them is off from 100 i to 100 i + 50. */
static void happen_often(uint32_t tid, uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++) {
		happen(100 * i, tid, SWITCH_OUT, 0);
		happen(100 * i + 50, tid, SWITCH_IN, 0);
		if (i % 1000 == 0 || i == last)
			read_up_to(100 * i + 60);
	}
}

TEST(kept_in_chunks)
{
	struct kept_position position = {0}, other = {0};

	open_kept(DWELL_MODE_RING);
	use_slot(0, 11, 5, DWELL_SESSION_LIVE);
	happen_often(11, 1, 9);
	/* Its first event was at 250; and one was at 530, the last of a chunk. */
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(250), TICKS(530), &position);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(250), UINT64_MAX, &position);
	kept_switches_write(&kept, writer, 3, 0, 6, TICKS(250), UINT64_MAX, &other); /* another thread, of which nothing is known */
	kept_switches_write(&kept, writer, 3, 1, 5, TICKS(250), UINT64_MAX, &other);
	close_kept();
	CHECK_EQ(told_count, 2);
	check_told(0, 3, 0, TICKS(530), 2);
	check_interval(0, 0, 300, 350, false);
	check_interval(0, 1, 400, 450, false);
	CHECK_EQ(told[0].off_before_ticks, 0);
	check_told(1, 3, TICKS(530), TICKS(960), 5);
	check_interval(1, 0, 500, 550, false);
	CHECK_EQ(told[1].off_before_ticks, 300);
}

TEST(kept_last)
{
	struct kept_position position = {0};

	open_kept(DWELL_MODE_RING);
	use_slot(0, 11, 5, DWELL_SESSION_LIVE);
	happen_often(11, 1, 70000);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), UINT64_MAX, &position);
	close_kept();
	CHECK_EQ(told_count, 1);
	check_told(0, 3, TICKS(100 * 32768 + 50), TICKS(100 * 70000 + 60), 70000 - 32768);
	check_interval(0, 0, 100 * 32769, 100 * 32769 + 50, false);
}

TEST(kept_first)
{
	struct kept_position position = {0};

	open_kept(DWELL_MODE_LINEAR);
	use_slot(0, 11, 5, DWELL_SESSION_LIVE);
	happen_often(11, 1, 70000);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), TICKS(500), &position);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), UINT64_MAX, &position);
	close_kept();
	CHECK_EQ(told_count, 2);
	check_told(0, 3, 0, TICKS(500), 4);
	check_told(1, 3, TICKS(500), TICKS(100 * 65536 + 50), 65532);
}

/* Between 420 and 600 nobody knows. */
TEST(kept_and_lost)
{
	for (int mode = DWELL_MODE_RING; mode <= DWELL_MODE_LINEAR; mode++) {
		struct kept_position position = {0};

		open_kept((enum dwell_mode)mode);
		use_slot(0, 11, 5, DWELL_SESSION_LIVE);
		happen_often(11, 1, 3);
		happen(600, 0, SWITCH_LOST, 420);
		read_up_to(650);
		happen_often(11, 8, 9);
		kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), UINT64_MAX, &position);
		close_kept();
		CHECK_EQ(told_count, 1);
		if (mode == DWELL_MODE_RING)
			check_told(0, 3, TICKS(800), TICKS(960), 2);
		else
			check_told(0, 3, 0, TICKS(420), 3);
	}
}

/* A number that an ended thread had, and a slot that another one has. */
TEST(kept_of_the_ended)
{
	struct kept_position position[2] = {{0}};

	open_kept(DWELL_MODE_RING);
	use_slot(0, 11, 5, DWELL_SESSION_LIVE);
	use_slot(1, 12, 6, DWELL_SESSION_LIVE);
	happen_often(11, 1, 2);
	happen_often(12, 3, 3);
	use_slot(0, 11, 5, DWELL_SESSION_ENDED);
	use_slot(1, 13, 7, DWELL_SESSION_LIVE);
	happen_often(11, 4, 4);
	happen_often(13, 5, 5);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), UINT64_MAX, &position[0]);
	kept_switches_write(&kept, writer, 4, 1, 7, TICKS(1), UINT64_MAX, &position[1]);
	close_kept();
	CHECK_EQ(told_count, 2);
	check_told(0, 3, 0, TICKS(560), 2);
	check_told(1, 4, 0, TICKS(560), 1);
	check_interval(1, 0, 500, 550, false);
}

/* Its last switches are read when it is known already that it ended; and one lives between two looks, whose switches came before
 * the second. */
TEST(kept_to_the_end)
{
	struct kept_position position[2] = {{0}};

	open_kept(DWELL_MODE_RING);
	use_slot(0, 11, 5, DWELL_SESSION_LIVE);
	happen_often(11, 1, 2);
	happen(270, 12, SWITCH_OUT, 0);
	happen(280, 12, SWITCH_IN, 0);
	read_up_to(290);
	happen(300, 11, SWITCH_OUT, 0);
	happen(350, 11, SWITCH_IN, 0);
	happen(355, 12, SWITCH_PREEMPTED, 0);
	happen(370, 12, SWITCH_IN, 0);
	session_slot(session, 0)->state = dwell_session_state(DWELL_SESSION_ENDED, 1);
	use_slot(1, 12, 6, DWELL_SESSION_ENDED);
	read_up_to(400);
	/* Others have the numbers from now on. */
	kept_switches_read_threads(&kept);
	happen_often(11, 5, 5);
	happen_often(12, 6, 6);
	kept_switches_write(&kept, writer, 3, 0, 5, TICKS(1), UINT64_MAX, &position[0]);
	kept_switches_write(&kept, writer, 4, 1, 6, TICKS(1), UINT64_MAX, &position[1]);
	close_kept();
	CHECK_EQ(told_count, 2);
	check_told(0, 3, 0, TICKS(660), 3);
	check_interval(0, 2, 300, 350, false);
	check_told(1, 4, 0, TICKS(660), 2);
	check_interval(1, 0, 270, 280, false);
	check_interval(1, 1, 355, 370, true);
}

int main(void)
{
	RUN(two_threads);
	RUN(a_thread_that_is_new);
	RUN(lost_switches);
	RUN(halves);
	RUN(numbers_that_are_used_again);
	RUN(refused);
	RUN(kept_in_chunks);
	RUN(kept_last);
	RUN(kept_first);
	RUN(kept_and_lost);
	RUN(kept_of_the_ended);
	RUN(kept_to_the_end);
	return tap_done();
}
