/* watch_rows: the tables of dwell top for scripts: CSV with its line of keys once, or a JSON object on a line for each table. A row says
 * which table it is of, and of what that is, in columns in front of the table's own: table, since_ns, interval_ns, lost. */
#ifndef DWELL_HOST_WATCH_WATCH_ROWS_H
#define DWELL_HOST_WATCH_WATCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watch/watch.h"
#include "writer/writer.h"

/* Zeroed, but for form. */
struct watch_rows {
	enum writer_form form; /* WRITER_CSV or WRITER_JSON */
	uint64_t tables;
	char *keys; /* CSV: the line that was written last, null: none yet */
};

/* The next table as text. Null: there is none yet, or no memory. Free it. */
char *watch_rows_make(struct watch_rows *rows, struct watch *watch, enum by by, uint64_t limit, size_t *bytes, struct diag *diag);
void watch_rows_clear(struct watch_rows *rows);

#endif
