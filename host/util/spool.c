#include "util/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/array.h"
#include "util/aside.h"

#define NUMBER_BYTES_MAX 10u

struct spool {
	char *path;      /* whose folder the file is in */
	char *temporary; /* its name, where it has to have one */
	int fd;          /* −1: there is none yet */
	int error;
	uint64_t end, left_bytes; /* of the file; of memory */
};

struct spool *make_spool(const char *beside, uint64_t memory_bytes)
{
	struct spool *spool = calloc(1, sizeof *spool);
	const char *folder = getenv("TMPDIR");

	if (!spool)
		return NULL;
	*spool = (struct spool){.fd = -1, .left_bytes = memory_bytes ? memory_bytes : SPOOL_MEMORY_BYTES};
	/* Not the name that the file itself has meanwhile (aside.h). */
	if ((beside ? asprintf(&spool->path, "%s.rows", beside)
		    : asprintf(&spool->path, "%s/dwell.rows", folder && *folder ? folder : "/tmp")) >= 0)
		return spool;
	free(spool);
	return NULL;
}

void free_spool(struct spool *spool)
{
	if (!spool)
		return;
	if (spool->fd >= 0)
		close(spool->fd);
	aside_drop(spool->temporary);
	free(spool->path);
	free(spool);
}

int spool_get_error(const struct spool *spool)
{
	return spool->error;
}

/* ---- writing ---- */

static bool write_block(struct spool *spool, const uint8_t *bytes, uint64_t *offset)
{
	size_t done = 0;

	if (spool->fd < 0 && !spool->error)
		spool->fd = aside_open(spool->path, O_RDWR, &spool->temporary);
	if (spool->fd < 0) {
		spool->error = spool->error ? spool->error : errno;
		return false;
	}
	while (done < SPOOL_BLOCK_BYTES) {
		ssize_t written = pwrite(spool->fd, bytes + done, SPOOL_BLOCK_BYTES - done, (off_t)(spool->end + done));

		if (written > 0) {
			done += (size_t)written;
		} else if (written < 0 && errno != EINTR) {
			spool->error = errno;
			return false;
		}
	}
	*offset = spool->end;
	spool->end += SPOOL_BLOCK_BYTES;
	return true;
}

/* The block that is full goes to the others. */
static bool keep_block(struct spool *spool, struct spool_row *row)
{
	struct spool_block block = {0};

	if (!array_reserve(&row->blocks, &row->block_capacity, row->block_count + 1, sizeof *row->blocks))
		return false;
	if (spool->left_bytes >= SPOOL_BLOCK_BYTES) {
		spool->left_bytes -= SPOOL_BLOCK_BYTES;
		block.bytes = row->bytes;
		row->bytes = NULL;
		row->capacity = 0;
	} else if (!write_block(spool, row->bytes, &block.offset)) {
		return false;
	}
	row->blocks[row->block_count++] = block;
	row->used = 0;
	return true;
}

static bool put_byte(struct spool *spool, struct spool_row *row, uint8_t byte)
{
	if (row->used == SPOOL_BLOCK_BYTES && !keep_block(spool, row))
		return false;
	if (!array_reserve(&row->bytes, &row->capacity, row->used + 1, 1))
		return false;
	row->bytes[row->used++] = byte;
	return true;
}

bool spool_put(struct spool *spool, struct spool_row *row, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		if (!put_byte(spool, row, (uint8_t)(number | 128)))
			return false;
	return put_byte(spool, row, (uint8_t)number);
}

bool spool_put_signed(struct spool *spool, struct spool_row *row, int64_t number)
{
	return spool_put(spool, row, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

void spool_row_clear(struct spool_row *row)
{
	for (size_t i = 0; i < row->block_count; i++)
		free(row->blocks[i].bytes);
	free(row->blocks);
	free(row->bytes);
	*row = (struct spool_row){0};
}

/* ---- reading ---- */

void spool_look(struct spool *spool, const struct spool_row *row, struct spool_look *look)
{
	look->spool = spool;
	look->row = row;
	look->block = look->at = look->count = 0;
	look->bytes = NULL;
}

static bool read_block(struct spool *spool, uint64_t offset, uint8_t room[SPOOL_BLOCK_BYTES])
{
	size_t done = 0;

	while (done < SPOOL_BLOCK_BYTES) {
		ssize_t got = pread(spool->fd, room + done, SPOOL_BLOCK_BYTES - done, (off_t)(offset + done));

		if (got > 0) {
			done += (size_t)got;
		} else if (!got || errno != EINTR) {
			spool->error = got ? errno : EIO;
			return false;
		}
	}
	return true;
}

/* False: there is none. */
static bool next_block(struct spool_look *look)
{
	const struct spool_row *row = look->row;
	size_t at = look->block++;

	look->at = look->count = 0;
	if (at < row->block_count) {
		const struct spool_block *block = &row->blocks[at];

		look->bytes = block->bytes ? block->bytes : look->room;
		look->count = block->bytes || read_block(look->spool, block->offset, look->room) ? SPOOL_BLOCK_BYTES : 0;
	} else if (at == row->block_count) {
		look->bytes = row->bytes;
		look->count = row->used;
	}
	return look->count;
}

uint64_t spool_next(struct spool_look *look)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < NUMBER_BYTES_MAX; i++) {
		uint8_t byte;

		if (look->at == look->count && !next_block(look))
			return 0;
		byte = look->bytes[look->at++];
		number |= (uint64_t)(byte & 127) << 7 * i;
		if (byte < 128)
			break;
	}
	return number;
}

int64_t spool_next_signed(struct spool_look *look)
{
	uint64_t number = spool_next(look);

	return (int64_t)(number >> 1 ^ -(number & 1));
}
