/* The processes of `dwell info`: by number, whatever the order in which they reported. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "dwell/read.h"
#include "zoo.h"

static char ends[3][64];

/* Notes the ends of processes: rows of section, row, key and value. */
static int take(void *context, const struct dwell_rows *rows)
{
	(void)context;
	for (size_t i = 0; i < rows->row_count; i++) {
		const struct dwell_cell *cells = &rows->cells[i * rows->column_count];

		if (!strcmp(cells[0].value.text, "processes") && !strcmp(cells[2].value.text, "end") && cells[1].value.count < 3)
			snprintf(ends[cells[1].value.count], sizeof *ends, "%s", cells[3].value.text ? cells[3].value.text : "");
	}
	return 1;
}

TEST(exec_is_a_matter_of_the_number)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer;
	struct dwell_recording *recording;
	char path[256];

	writer = make_trace_writer(zoo_scratch(path, "processes.dwell"), &header, diag);
	trace_writer_process(writer, &(struct message_process){.process = 1, .pid = 20, .path = "/bin/other"});
	trace_writer_process(writer, &(struct message_process){.process = 0, .pid = 10, .path = "/bin/first"});
	trace_writer_process(writer, &(struct message_process){.process = 2, .pid = 10, .path = "/bin/next"});
	trace_writer_finish(writer);
	free_trace_writer(writer);
	recording = dwell_read_open(path, NULL);
	CHECK(recording);
	CHECK_EQ(dwell_read_ask(recording, "info", NULL, 0, take, NULL), DWELL_READ_OK);
	CHECK_STR(ends[0], "became the next (exec)");
	CHECK_STR(ends[1], ends[2]);
	CHECK(*ends[1] && strcmp(ends[1], ends[0]) != 0);
	dwell_read_close(recording);
	free_diag(diag);
}

int main(void)
{
	RUN(exec_is_a_matter_of_the_number);
	return tap_done();
}
