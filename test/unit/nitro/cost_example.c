/* The examples of function cost in FORMAT.md are what the recorder writes: about the calls of the manual's first figure. */
#include "classic/core/cost.h"
#include "example.h"
#include "classic/target/recorder/lines/cost.h"

#define AREA_THERE 0x02100000u
#define FUNCTION 0x02010040u
#define OTHER 0x02010080u
#define HZ 33513982u / 64u

static _Alignas(8) unsigned char memory[4096], statistics[4096];

/* The third call is still open, and the thread was away for 5 ticks before its last line. */
static struct lines_cost *record(void)
{
	struct lines_cost *cost = dwell_cost_make(
		memory, (uint32_t)sizeof(struct lines_cost) + 4 * 2 * COST_LINE_BYTES, 0x04000100, 20, HZ);

	dwell_cost_enter(cost, FUNCTION, 30);
	dwell_cost_exit(cost, 45);
	dwell_cost_enter(cost, FUNCTION, 70);
	dwell_cost_enter(cost, OTHER, 80);
	dwell_cost_away(cost, 5);
	dwell_cost_exit(cost, 95);
	return cost;
}

/* Counts lines, and returns how many of them are open calls. */
static uint32_t count_all(struct lines_stats *stats, lines_word *lines, uint32_t count)
{
	struct dwell_counting counting;

	dwell_cost_begin(&counting, stats, lines);
	dwell_cost_count(&counting, count);
	stats->step = 0;
	return dwell_cost_end(&counting);
}

TEST(lines)
{
	struct lines_cost *cost = record();
	struct example example;

	put_head(&example, cost, cost->begin, AREA_THERE, LINES_HEAD_BYTES + 4 * LINES_COST_WORDS);
	put_address(&example, cost->exit_bar);
	put_word(&example, cost->tick_at);
	put_address(&example, cost->limit);
	put_word(&example, cost->away);
	put_address(&example, cost->cursor);
	put_word(&example, cost->left);
	put_address(&example, cost->begin);
	put_address(&example, cost->end);
	put_address(&example, cost->held);
	put_address(&example, cost->base);
	put_word(&example, cost->state);
	put_word(&example, cost->unwritten);
	put_word(&example, cost->off_calls);
	put_address(&example, cost->gaps);
	put_word(&example, cost->dropped);
	put_word(&example, cost->halves);
	put_word(&example, cost->missed);
	put_word(&example, cost->early);
	put_word(&example, cost->off_away);
	put_word(&example, cost->off_tick);
	put_word(&example, cost->hz);
	put_word(&example, cost->busy);
	put_word(&example, cost->in_use);
	put_word(&example, cost->abandoned);
	put_word(&example, cost->seen_sp);
	put_word(&example, cost->seen_lr);
	put_word(&example, cost->seen_open);
	for (lines_word at = cost->begin; at < cost->end; at += sizeof(lines_word))
		put_word(&example, *(lines_word *)at);
	check_example(&example, "lines-cost");
}

TEST(rows)
{
	struct lines_cost *cost = record();
	struct lines_stats *stats = dwell_cost_make_stats(
		statistics, (uint32_t)sizeof(struct lines_stats) + 3 * (uint32_t)sizeof(struct lines_row));
	const struct lines_row *row;
	struct example example;

	dwell_cost_exit(cost, 120);
	CHECK_EQ(count_all(stats, (lines_word *)cost->begin, dwell_cost_take(cost)), 0);
	put_head(&example, stats, stats->begin, AREA_THERE, (LINES_HEAD_BYTES + 4 * LINES_STATS_WORDS + 7) & ~7u);
	put_address(&example, stats->begin);
	put_word(&example, stats->capacity);
	put_word(&example, stats->used);
	put_word(&example, stats->busy);
	put_word(&example, stats->dropped);
	put_word(&example, stats->halves);
	put_word(&example, stats->missed);
	put_word(&example, stats->early);
	put_word(&example, stats->hz);
	put_word(&example, stats->abandoned);
	put_word(&example, stats->not_left);
	put_word(&example, stats->step);
	for (int step = 0; step < 2; step++) {
		put_word(&example, stats->steps[step].next);
		put_word(&example, stats->steps[step].open);
		put_word(&example, stats->steps[step].ticks);
	}
	row = dwell_cost_rows(stats);
	for (lines_word i = 0; i < stats->used; i++, row++) {
		const uint64_t numbers[] = {row->calls, row->self_ticks, row->total_ticks};

		put_word(&example, row->name);
		put_word(&example, row->open);
		for (int k = 0; k < 3; k++) {
			put32(&example, (uint32_t)numbers[k]);
			put32(&example, (uint32_t)(numbers[k] >> 32));
		}
	}
	check_example(&example, "lines-statistics");
}

int main(void)
{
	RUN(lines);
	RUN(rows);
	return tap_done();
}
