/* sqlite ROWS: inserts rows into a table in memory and selects each by its key. Prints a checksum and what it took: processor and
 * wall seconds. */
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"
#include "took.h"

static int fail(sqlite3 *db, const char *what)
{
	fprintf(stderr, "sqlite: %s: %s\n", what, sqlite3_errmsg(db));
	return 1;
}

static int insert_rows(sqlite3 *db, int rows)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, "insert into t(b) values(?)", -1, &statement, NULL))
		return fail(db, "insert");
	sqlite3_exec(db, "begin", NULL, NULL, NULL);
	for (int i = 0; i < rows; i++) {
		char text[32];
		int length = sprintf(text, "row %d", i);

		sqlite3_bind_text(statement, 1, text, length, SQLITE_TRANSIENT);
		if (sqlite3_step(statement) != SQLITE_DONE)
			return fail(db, "insert");
		sqlite3_reset(statement);
	}
	sqlite3_exec(db, "commit", NULL, NULL, NULL);
	return sqlite3_finalize(statement);
}

static int select_rows(sqlite3 *db, int rows, unsigned long *sum)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(db, "select b from t where a = ?", -1, &statement, NULL))
		return fail(db, "select");
	for (int i = 1; i <= rows; i++) {
		sqlite3_bind_int(statement, 1, i);
		if (sqlite3_step(statement) != SQLITE_ROW)
			return fail(db, "select");
		*sum = *sum * 31 + (unsigned long)sqlite3_column_bytes(statement, 0);
		sqlite3_reset(statement);
	}
	return sqlite3_finalize(statement);
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 100000;
	struct took took = took_begin();
	unsigned long sum = 0;
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) || sqlite3_exec(db, "create table t(a integer primary key, b text)", NULL, NULL, NULL))
		return fail(db, "create");
	if (insert_rows(db, rows) || select_rows(db, rows, &sum))
		return 1;
	sqlite3_close(db);
	took_print(&took, sum);
	return 0;
}
