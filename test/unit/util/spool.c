/* Rows of numbers come back as they were put, from memory and from a file, and a file that cannot be written is told. */
#include "check.h"
#include "util/spool.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROWS = 5, NUMBERS = 60000 };

static uint64_t number(unsigned row, unsigned i)
{
	static const uint64_t ends[] = {0, 1, 127, 128, 16383, 16384, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
	uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ row;

	return i % 7 ? mixed >> mixed % 64 : ends[(i / 7 + row) % (sizeof ends / sizeof *ends)];
}

static char folder[] = "/tmp/dwell-spool.XXXXXX";

static int files_in_folder(void)
{
	DIR *dir = opendir(folder);
	int count = -2; /* . and .. */

	while (dir && readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void put_and_look(uint64_t memory_bytes, const char *beside)
{
	struct spool *spool = make_spool(beside, memory_bytes);
	struct spool_row rows[ROWS] = {0}, empty = {0};
	static struct spool_look looks[ROWS];

	for (unsigned i = 0; i < NUMBERS; i++)
		for (unsigned row = 0; row < ROWS; row++)
			CHECK(i % 2 ? spool_put(spool, &rows[row], number(row, i))
				    : spool_put_signed(spool, &rows[row], (int64_t)number(row, i)));
	for (int way = 0; way < 2; way++) { /* more than once, and several at a time */
		for (unsigned row = 0; row < ROWS; row++)
			spool_look(spool, &rows[row], &looks[row]);
		for (unsigned i = 0; i < NUMBERS; i++)
			for (unsigned row = 0; row < ROWS; row++)
				CHECK((i % 2 ? spool_next(&looks[row]) : (uint64_t)spool_next_signed(&looks[row])) == number(row, i));
	}
	for (int i = 0; i < 3; i++)
		CHECK(spool_next(&looks[0]) == 0);
	spool_look(spool, &empty, &looks[0]);
	CHECK(spool_next(&looks[0]) == 0);
	CHECK(!spool_get_error(spool));
	for (unsigned row = 0; row < ROWS; row++)
		spool_row_clear(&rows[row]);
	free_spool(spool);
}

TEST(comes_back)
{
	char beside[64];

	snprintf(beside, sizeof beside, "%s/out", folder);
	put_and_look(0, beside);
	put_and_look(1, beside);                     /* all in the file */
	put_and_look(5 * SPOOL_BLOCK_BYTES, beside); /* some */
	setenv("TMPDIR", folder, 1);
	put_and_look(1, NULL);
	CHECK(files_in_folder() == 0);
}

static unsigned put_until_refused(struct spool *spool, struct spool_row *row)
{
	unsigned i = 0;

	while (i < 40 * SPOOL_BLOCK_BYTES && spool_put(spool, row, 5))
		i++;
	return i;
}

TEST(cannot_be_written)
{
	const struct rlimit small = {5 * SPOOL_BLOCK_BYTES / 2, RLIM_INFINITY};
	struct spool *spool = make_spool("/nowhere/at/all", 1);
	struct spool_row row = {0};
	struct rlimit before;
	char beside[64];

	CHECK(put_until_refused(spool, &row) == SPOOL_BLOCK_BYTES && spool_get_error(spool) == ENOENT);
	spool_row_clear(&row);
	free_spool(spool);
	snprintf(beside, sizeof beside, "%s/out", folder);
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	spool = make_spool(beside, 1);
	setrlimit(RLIMIT_FSIZE, &small);
	CHECK(put_until_refused(spool, &row) == 3 * SPOOL_BLOCK_BYTES && spool_get_error(spool) == EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	spool_row_clear(&row);
	free_spool(spool);
	CHECK(files_in_folder() == 0);
}

int main(void)
{
	if (!mkdtemp(folder))
		return 1;
	RUN(comes_back);
	RUN(cannot_be_written);
	rmdir(folder);
	return tap_done();
}
