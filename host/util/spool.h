/* spool: rows of numbers, many at a time and each of any length, that are read when all of them are written: what is too much for memory
 * is in a file that has no name.
 *
 *     struct spool *spool = make_spool("out.json");
 *     struct spool_row row = {0};
 *     spool_put(spool, &row, 5); …
 *     spool_look(spool, &row, &look); while (…) number = spool_next(&look);
 *     spool_row_clear(&row); free_spool(spool);
 *
 * A small number is a byte. In memory are 16 MiB, at most 16 KiB of each row on top of that, and 16 bytes for 16 KiB of what is in the
 * file. */
#ifndef DWELL_HOST_UTIL_SPOOL_H
#define DWELL_HOST_UTIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOOL_BLOCK_BYTES 16384u
#define SPOOL_MEMORY_BYTES (UINT64_C(16) << 20)

struct spool;

struct spool_block {
	uint8_t *bytes;  /* null: it is in the file … */
	uint64_t offset; /* … there */
};

/* Zeroed: empty. */
struct spool_row {
	struct spool_block *blocks; /* that are full */
	size_t block_count, block_capacity;
	uint8_t *bytes; /* of the one that is not */
	size_t used, capacity;
};

/* beside: the file will be in its folder; null: where the system has files for a while (TMPDIR, /tmp). It is made when it is needed. Null:
 * no memory. memory_bytes: 0 is as above. */
struct spool *make_spool(const char *beside, uint64_t memory_bytes);
void free_spool(struct spool *spool);
/* What it could not do, of errno; 0: there was no memory, or nothing is wrong. */
int spool_get_error(const struct spool *spool);

/* False: see spool_get_error. */
bool spool_put(struct spool *spool, struct spool_row *row, uint64_t number);
/* Numbers of either sign that are near to 0 are short. */
bool spool_put_signed(struct spool *spool, struct spool_row *row, int64_t number);
void spool_row_clear(struct spool_row *row);

/* From the first number on; several at a time, while nothing is put. */
struct spool_look {
	struct spool *spool;
	const struct spool_row *row;
	size_t block, at, count; /* of bytes: where, how many there are */
	const uint8_t *bytes;
	uint8_t room[SPOOL_BLOCK_BYTES];
};
void spool_look(struct spool *spool, const struct spool_row *row, struct spool_look *look);
/* 0 behind the last one, and where the file cannot be read, which spool_get_error tells. */
uint64_t spool_next(struct spool_look *look);
int64_t spool_next_signed(struct spool_look *look);

#endif
