/* A machine that is stopped at any instruction while lines are counted into statistics: what a reader of its memory finds in the
 * rows and in the lines together are the calls and the times of the program, but for those of one line. */
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "classic/core/cost.h"
#include "reader/reader.h"

enum { FUNCTIONS = 5, LINES = 160, DEEP = 30, LONGEST = 90 };

/* All that the machine has. */
static _Alignas(8) struct machine {
	char names[FUNCTIONS][8];
	_Alignas(8) char stats[8 + sizeof(struct lines_stats) + (FUNCTIONS + 2) * sizeof(struct lines_row)];
	struct lines_cost cost;
	lines_word lines[LINES][LINES_COST_LINE_WORDS];
} machine, *stopped;
static size_t stops;

struct account {
	uint64_t calls[FUNCTIONS], self[FUNCTIONS];
};

static uint32_t pick(uint32_t count)
{
	static uint64_t state = 4711;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

/* ---- the program ---- */

static void make_cost(void)
{
	struct lines_cost *cost = &machine.cost;

	cost->magic = LINES_MAGIC;
	cost->what = LINES_WHAT(LINES_KIND_COST, 0);
	cost->begin = (lines_word)machine.lines;
	cost->cursor = cost->end = cost->gaps = (lines_word)(machine.lines + LINES);
	cost->state = LINES_STATE_ENABLED;
	cost->in_use = 1;
	cost->hz = 1000;
}

/* It goes down, up, down again, and some of it stays open. */
static uint32_t run(struct account *truth)
{
	uint32_t open[DEEP], depth = 0;
	lines_word tick = (lines_word)1 << 33;

	for (uint32_t i = 0; i < LINES; i++) {
		uint32_t away = pick(10), own = pick(LONGEST), enters = i / 40 % 2 ? 25 : 80;

		tick += away + own;
		if (depth)
			truth->self[open[depth - 1]] += own;
		machine.lines[i][1] = tick;
		machine.lines[i][2] = away;
		if (!depth || (depth < DEEP && pick(100) < enters)) {
			open[depth] = pick(FUNCTIONS);
			machine.lines[i][0] = (lines_word)machine.names[open[depth++]];
		} else {
			truth->calls[open[--depth]]++;
			machine.lines[i][0] = LINES_TAG(LINES_TAG_EXIT);
		}
	}
	return depth;
}

/* ---- the counting, as OS_CalcStatistics does it ---- */

static void stop(int signal)
{
	(void)signal;
	if (!stops || memcmp(&stopped[stops - 1], &machine, sizeof machine))
		stopped[stops++] = machine;
}

static void count(struct lines_stats *stats)
{
	struct dwell_counting counting;

	stats->busy = machine.cost.begin;
	dwell_cost_begin(&counting, stats, machine.lines[0]);
	dwell_cost_count(&counting, LINES - 20);
	dwell_cost_count(&counting, LINES);
	machine.cost.cursor = machine.cost.begin + dwell_cost_end(&counting) * sizeof machine.lines[0];
	stats->step = 0;
	stats->busy = 0;
}

static void count_step_by_step(struct lines_stats *stats)
{
#ifdef __x86_64__
	__asm__ volatile("pushf\n orl $0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
#endif
	count(stats);
#ifdef __x86_64__
	__asm__ volatile("pushf\n andl $~0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
#endif
}

/* ---- what a reader finds ---- */

static uint32_t function_of(uint64_t place)
{
	return (uint32_t)(place - (uint64_t)(uintptr_t)machine.names) / sizeof machine.names[0];
}

struct finding {
	struct account account;
	uint32_t open[LINES], depth;
	uint64_t last_ticks, off;
};

static void find_event(struct finding *finding, const struct event *event)
{
	if (finding->depth)
		finding->account.self[finding->open[finding->depth - 1]] += event->ticks - finding->last_ticks;
	finding->last_ticks = event->ticks;
	if (event->kind == EVENT_ENTER)
		finding->open[finding->depth++] = function_of(event->value);
	else
		finding->account.calls[finding->open[--finding->depth]]++;
}

/* The innermost call of that moment was away. */
static void find_off(struct finding *finding, const struct message *events, const struct message_switch *off, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t open[LINES], depth = 0;

		for (uint32_t k = 0; k < events->events.count && events->events.events[k].ticks <= off[i].out_ticks; k++) {
			if (events->events.events[k].kind == EVENT_ENTER)
				open[depth++] = function_of(events->events.events[k].value);
			else
				depth--;
		}
		if (depth)
			finding->account.self[open[depth - 1]] -= off[i].in_ticks - off[i].out_ticks;
	}
}

static void find_sums(struct finding *finding, const struct message *message)
{
	for (uint32_t i = 0; i < message->sums.node_count; i++) {
		uint32_t function = function_of(message->sums.functions[message->sums.nodes[i].function - 1].place);

		finding->account.calls[function] += message->sums.nodes[i].calls;
		finding->account.self[function] += message->sums.nodes[i].self_ticks;
	}
}

static bool read_machine(const struct machine *at, struct finding *finding)
{
	static struct message_switch off[LINES];
	uint32_t offs = 0;
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("image", (const char *)at, sizeof *at, diag), diag);
	struct message message;
	bool is_counted = false;

	memset(finding, 0, sizeof *finding);
	if (CHECK(reader != NULL)) {
		for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
			if (message.kind == MESSAGE_SUMS)
				find_sums(finding, &message);
			if (message.kind == MESSAGE_SWITCHES)
				for (uint32_t i = 0; i < message.switches.count; i++)
					off[offs++] = message.switches.switches[i];
			for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++)
				find_event(finding, &message.events.events[i]);
			if (message.kind == MESSAGE_EVENTS)
				find_off(finding, &message, off, offs);
		}
		CHECK_EQ(reader_get_health(reader)->unknown_tags, 0);
		is_counted = reader_get_health(reader)->being_counted == 1;
		CHECK_EQ(diag_status(diag), is_counted);
	}
	free_reader(reader);
	free_diag(diag);
	return is_counted;
}

static uint64_t apart(const uint64_t *one, const uint64_t *other)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < FUNCTIONS; i++)
		sum += one[i] > other[i] ? one[i] - other[i] : other[i] - one[i];
	return sum;
}

TEST(stopped_at_each_instruction)
{
	struct sigaction action = {.sa_handler = stop};
	struct account truth = {0};
	struct finding finding;
	struct lines_stats *stats;
	size_t counted = 0;
	uint32_t open;

	stopped = calloc(40 * LINES, sizeof *stopped);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		snprintf(machine.names[i], sizeof machine.names[i], "name%u", (unsigned)i);
	stats = dwell_cost_make_stats(machine.stats, sizeof machine.stats);
	make_cost();
	open = run(&truth);
	CHECK(open > 3);
	sigaction(SIGTRAP, &action, 0);
	stop(0);
	count_step_by_step(stats);
	stop(0);
#ifdef __x86_64__
	CHECK(stops > 6 * LINES);
#endif
	for (size_t i = 0; i < stops && !tap_bad; i++) {
		bool is_exact = !read_machine(&stopped[i], &finding);

		counted += !is_exact;
		CHECK(apart(finding.account.calls, truth.calls) <= !is_exact);
		CHECK(apart(finding.account.self, truth.self) <= (is_exact ? 0 : LONGEST));
		CHECK_EQ(finding.depth, open);
		if (tap_bad)
			printf("# stop %zu of %zu, line %u\n", i, stops, (unsigned)stats->steps[0].next);
	}
	CHECK(counted + 3 >= stops || stops == 2);
	free(stopped);
}

int main(void)
{
	RUN(stopped_at_each_instruction);
	return tap_done();
}
