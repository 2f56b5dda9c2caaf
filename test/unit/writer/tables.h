/* A table written to memory. */
#ifndef DWELL_TEST_WRITER_TABLES_H
#define DWELL_TEST_WRITER_TABLES_H

#include <stdlib.h>

#include "writer/writer.h"

struct written {
	char *text;
	size_t bytes;
	FILE *out;
	struct diag *diag;
	struct table_sink sink;
};

static inline void begin_table(struct written *written, struct writer_options options, const struct column *columns, uint32_t count)
{
	written->out = open_memstream(&written->text, &written->bytes);
	written->diag = make_diag();
	written->sink = make_table_writer(&options, written->out, "memory", written->diag);
	written->sink.begin(written->sink.context, "a \"table\"", columns, count);
}

static inline void put_row(struct written *written, const struct cell *cells)
{
	written->sink.row(written->sink.context, cells);
}

/* Afterwards text is complete. */
static inline void end_table(struct written *written)
{
	written->sink.end(written->sink.context);
	free_table_writer(&written->sink);
	fclose(written->out);
}

static inline void free_written(struct written *written)
{
	free(written->text);
	free_diag(written->diag);
}

#endif
