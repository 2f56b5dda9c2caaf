/* folded_scan: finds the digits that the counts of a file have, their sum, and whether each line has two counts. */
#include "reader/profiles/folded_scan.h"

#include "reader/profiles/folded_line.h"
#include "reader/text_lines.h"

/* In billionths: 2^34 lines of 2^64 · 10^9 fit. */
typedef unsigned __int128 sum_type;

static void scan_line(struct folded_scan *scan, const struct folded_line *line, sum_type *sum)
{
	if (line->problem || !line->path_bytes)
		return;
	scan->stacks++;
	scan->two_counts += line->has_two_counts;
	scan->digits = line->count.digits > scan->digits ? line->count.digits : scan->digits;
	*sum += (sum_type)line->count.whole * FOLDED_BILLION + line->count.billionths;
}

/* Fractions come in thousandths, millionths or billionths, so that two files of like counts have one unit. */
static void choose_scale(struct folded_scan *scan, sum_type sum)
{
	static const char *const units[] = {"samples", "thousandths of a sample", "millionths of a sample", "billionths of a sample"};
	unsigned thousands = scan->digits > FOLDED_DIGITS_MAX ? FOLDED_DIGITS_MAX / 3 : (scan->digits + 2) / 3;
	sum_type divisor = 1;

	for (unsigned i = thousands; i < FOLDED_DIGITS_MAX / 3; i++)
		divisor *= 1000;
	/* A half for each line: the most that rounding adds. */
	for (; thousands && sum / divisor + scan->stacks > UINT64_MAX; divisor *= 1000)
		thousands--;
	scan->scale = 3 * thousands;
	scan->unit = units[thousands];
}

bool folded_scan(struct source *source, struct folded_scan *scan)
{
	struct text_lines lines = {.source = source};
	struct text_line text;
	sum_type sum = 0;
	bool no_memory;

	*scan = (struct folded_scan){0};
	if (!source_hold(source, FOLDED_PIPE_BYTES_MAX))
		return false;
	while (text_lines_next(&lines, &text)) {
		struct folded_line line = {.problem = "too long"};

		if (!text.too_long)
			line = folded_line_parse(text.text, text.length);
		scan_line(scan, &line, &sum);
	}
	no_memory = lines.no_memory;
	text_lines_clear(&lines);
	choose_scale(scan, sum);
	return !no_memory && source_rewind(source);
}
