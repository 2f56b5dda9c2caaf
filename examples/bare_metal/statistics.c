#include "statistics.h"

#include "fold_table.h"
#include "recorder/trace.h"

#define FUNCTIONS 32u /* a power of two; one row stays free */
#define DEEPEST 32u

static struct dwell_frame frames[DEEPEST];
static struct fold_row rows[FUNCTIONS];
static struct fold_table table;
static struct dwell_pair pair;
static struct dwell_fold fold;

void statistics_begin(void)
{
	dwell_pair_init(&pair, frames, DEEPEST);
	dwell_fold_init(&fold, &pair);
	fold_table_begin(&table, rows, FUNCTIONS, &fold);
	dwell_fold_begin(&fold);
}

void statistics_update(void)
{
	struct dwell_ring *ring = port_thread()->ring;

	if (!ring) /* nothing was recorded yet */
		return;
	/* A slot that is still 0 is being written, by what we interrupted or what interrupts us: next time. */
	while (ring->consumed != ring->pos) {
		volatile uint64_t *slot = dwell_ring_slot(ring, ring->consumed);

		if (!*slot)
			return;
		dwell_fold_slots(&fold, slot, 1);
		*slot = 0;
		ring->consumed += DWELL_SLOT_BYTES;
	}
}

static void put_text(void (*put)(char), const char *text)
{
	while (*text)
		put(*text++);
}

static void put_number(void (*put)(char), uint64_t number, unsigned base, unsigned width)
{
	char digits[24];
	unsigned count = 0;

	do {
		digits[count++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	for (; width > count; width--)
		put(' ');
	while (count)
		put(digits[--count]);
}

static void put_row(void (*put)(char), const struct fold_row *row)
{
	put_number(put, row->calls, 10, 8);
	put_number(put, row->total_ticks, 10, 12);
	put_number(put, row->self_ticks, 10, 12);
	put_number(put, row->min_ticks == UINT64_MAX ? 0 : row->min_ticks, 10, 10);
	put_number(put, row->max_ticks, 10, 10);
	put_text(put, "  0x");
	put_number(put, row->place, 16, 0);
	put('\n');
}

/* The row with the most self time below that of before; among equal ones the next in the table. Null: that was all. */
static const struct fold_row *find_next(const struct fold_row *before)
{
	const struct fold_row *best = 0;

	for (const struct fold_row *row = rows; row < rows + FUNCTIONS; row++) {
		bool later =
			!before || row->self_ticks < before->self_ticks || (row->self_ticks == before->self_ticks && row > before);

		if (row->used && later && (!best || row->self_ticks > best->self_ticks))
			best = row;
	}
	return best;
}

void statistics_print(void (*put)(char character))
{
	statistics_update();
	dwell_fold_finish(&fold);
	put_text(put, "   calls       total        self       min       max  function\n");
	for (const struct fold_row *row = find_next(0); row; row = find_next(row))
		put_row(put, row);
	put_text(put, "ticks: self ");
	put_number(put, pair.self_ticks, 10, 0);
	put_text(put, " + lost ");
	put_number(put, pair.lost_ticks, 10, 0);
	put_text(put, " + outside ");
	put_number(put, dwell_pair_outside_ticks(&pair), 10, 0);
	put_text(put, " = ");
	put_number(put, pair.last_ticks - pair.first_ticks, 10, 0);
	put_text(put, "; events lost: ");
	put_number(put, pair.lost_events, 10, 0);
	put('\n');
}
