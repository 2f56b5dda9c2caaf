/* Switches as the kernel might tell them → SWITCHES chunks: what is told is exactly known, what is lost is not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "record/switches.h"
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
	switches_refuse(&switches, "of a reason");
	CHECK(!switches_track(&switches, 11, 0));
	switches_write(&switches, NULL);
	CHECK(!switches_press(NULL));
	CHECK_STR(switches.why, "of a reason");
	close_file();
	CHECK_EQ(told_count, 0);
}

int main(void)
{
	RUN(two_threads);
	RUN(a_thread_that_is_new);
	RUN(lost_switches);
	RUN(halves);
	RUN(numbers_that_are_used_again);
	RUN(refused);
	return tap_done();
}
