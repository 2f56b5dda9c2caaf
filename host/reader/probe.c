/* probe: which format is it? By content: names of files lie, and pipes have none. */
#include <stdio.h>
#include <string.h>

#include "reader/format.h"

/* In the order of trying: the sure ones first. */
static const struct reader_format *const formats[] = {&reader_dwell, &reader_session, &reader_folded};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

/* Files that people give by mistake, and what to do with them. */
static const struct {
	const char *start;
	size_t bytes;
	const char *what;
} others[] = {
	{"\177ELF", 4, "this is a program or library (ELF): 'dwell record' runs and traces it"},
	{"PERFILE2", 8, "this is a recording of perf"},
	{"gmon", 4, "this is gprof's gmon.out"},
	{"\x1f\x8b", 2, "this is compressed with gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", 4, "this is compressed with zstd: unpack it first"},
};

static const char *other_format(struct bytes start)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (start.size >= others[i].bytes && !memcmp(start.data, others[i].start, others[i].bytes))
			return others[i].what;
	return NULL;
}

static void say_unknown(struct source *source, struct bytes start, struct diag *diag)
{
	char expected[256] = "", found[8 * 3 + 1] = "";
	const char *other = other_format(start);
	size_t used = 0;

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i]->expected)
			used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", used ? " or " : "", formats[i]->expected);
	if (!start.size) {
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "is empty; %s was expected", expected);
		return;
	}
	for (size_t i = 0; i < start.size && i < 8; i++)
		snprintf(found + 3 * i, 4, " %02x", start.data[i]);
	if (other)
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "%s; %s was expected", other, expected);
	else
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "begins with%s, of no format known here; %s was expected", found,
			expected);
}

const struct reader_format *probe_format(struct source *source, struct diag *diag)
{
	uint8_t buffer[4096];
	struct bytes start = {buffer, source_peek(source, buffer, sizeof buffer)};

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i]->probe(start, start.size < sizeof buffer))
			return formats[i];
	say_unknown(source, start, diag);
	return NULL;
}
