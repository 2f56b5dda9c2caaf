/* source: reads a file, standard input or memory; see source.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/source.h"
#include "util/array.h"

#define PEEK_BYTES 4096
#define HOLD_BYTES 65536

struct source {
	char *name;
	struct diag *diag;
	int fd; /* −1: memory */
	bool close_fd; /* false for standard input, which the caller owns */
	bool seekable;
	bool live;
	bool failed; /* reported already */
	const uint8_t *memory;
	uint8_t *held; /* memory, if the source owns it */
	uint64_t size; /* UINT64_MAX: unknown */
	uint64_t start; /* offset in the file where the source begins: the position of the descriptor at the start */
	uint64_t position; /* of source_read */
	uint64_t read_end; /* where source_read ends: the size, or a hole; 0: not determined yet */
	size_t peeked; /* bytes read ahead at the start, for streams only */
	uint8_t *peek;
};

/* Reports a read error. In the middle of the file it is a loss (a warning), since the bytes before are intact. */
static void fail(struct source *source, uint64_t offset)
{
	if (!source->failed)
		diag_add(
			source->diag, offset ? DIAG_WARN : DIAG_ERROR, source->name, offset, "cannot be read: %s", strerror(errno));
	source->failed = true;
}

static struct source *make(const char *name, struct diag *diag)
{
	struct source *source = calloc(1, sizeof *source);

	if (source)
		source->name = strdup(name);
	if (!source || !source->name) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be opened: out of memory");
		free(source);
		return NULL;
	}
	source->diag = diag;
	source->fd = -1;
	source->size = UINT64_MAX;
	return source;
}

struct source *make_source(const char *path, struct diag *diag)
{
	bool is_stdin = !strcmp(path, "-");
	struct source *source = make(is_stdin ? "standard input" : path, diag);
	struct stat stat;
	off_t start;

	if (!source)
		return NULL;
	source->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	source->close_fd = !is_stdin;
	if (source->fd < 0 || fstat(source->fd, &stat) < 0) {
		diag_add(diag, DIAG_ERROR, source->name, DIAG_NO_OFFSET, "cannot be opened: %s", strerror(errno));
		free_source(source);
		return NULL;
	}
	if (S_ISDIR(stat.st_mode)) {
		diag_add(diag, DIAG_ERROR, source->name, DIAG_NO_OFFSET, "is a folder; a file or a pipe was expected");
		free_source(source);
		return NULL;
	}
	if (S_ISREG(stat.st_mode) && (start = lseek(source->fd, 0, SEEK_CUR)) >= 0) {
		source->seekable = true;
		source->start = (uint64_t)start;
		source->size = stat.st_size > start ? (uint64_t)(stat.st_size - start) : 0;
		posix_fadvise(source->fd, start, 0, POSIX_FADV_SEQUENTIAL);
	}
	return source;
}

struct source *make_source_memory(const char *name, const void *data, size_t size, struct diag *diag)
{
	struct source *source = make(name, diag);

	if (!source)
		return NULL;
	source->memory = data;
	source->seekable = true;
	source->size = size;
	return source;
}

void free_source(struct source *source)
{
	if (!source)
		return;
	if (source->close_fd && source->fd >= 0)
		close(source->fd);
	free(source->peek);
	free(source->held);
	free(source->name);
	free(source);
}

const char *source_name(const struct source *source)
{
	return source->name;
}

bool source_is_seekable(const struct source *source)
{
	return source->seekable;
}

uint64_t source_size(const struct source *source)
{
	return source->size;
}

/* Reads the next bytes of a stream. */
static size_t read_stream(struct source *source, void *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(source->fd, (char *)buffer + done, size - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			fail(source, source->position + done);
		if (got <= 0)
			break;
		done += (size_t)got;
		if (source->live)
			break;
	}
	return done;
}

void source_set_live(struct source *source)
{
	source->live = !source->seekable;
}

size_t source_read_at(struct source *source, uint64_t offset, void *buffer, size_t size)
{
	size_t done = 0;

	if (!source->seekable || offset >= source->size)
		return 0;
	if (size > source->size - offset)
		size = (size_t)(source->size - offset);
	if (source->memory) {
		memcpy(buffer, source->memory + offset, size);
		return size;
	}
	while (done < size) {
		ssize_t got = pread(source->fd, (char *)buffer + done, size - done, (off_t)(source->start + offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			fail(source, offset + done);
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* SEEK_DATA: returns the first offset at or behind `offset` with written data. SEEK_HOLE: the first in a hole.
 * The size: there is none. If the system does not report holes: offset for SEEK_DATA, the size for SEEK_HOLE. */
static uint64_t seek(const struct source *source, uint64_t offset, int whence)
{
	off_t found = lseek(source->fd, (off_t)(source->start + offset), whence);
	int problem = errno;

	lseek(source->fd, (off_t)source->start, SEEK_SET); /* restore the position for the owner of the descriptor */
	if (found < 0)
		return whence == SEEK_DATA && problem != ENXIO ? offset : source->size;
	return (uint64_t)found > source->start ? (uint64_t)found - source->start : 0;
}

uint64_t source_find_data(const struct source *source, uint64_t offset)
{
	return source->memory || source->fd < 0 || offset >= source->size ? offset : seek(source, offset, SEEK_DATA);
}

/* Limits reading to SOURCE_HOLES_MAX bytes of holes: a file with holes takes no time to make, and could take hours to read. */
static void find_read_end(struct source *source)
{
	uint64_t at = 0, holes = 0, data;

	while (!source->memory && at < source->size) {
		at = seek(source, at, SEEK_HOLE);
		data = at < source->size ? seek(source, at, SEEK_DATA) : at;
		holes += data - at;
		if (holes > SOURCE_HOLES_MAX) {
			diag_add(source->diag, DIAG_WARN, source->name, at,
				"nothing was ever written to the next %" PRIu64 " MiB of the file (a hole): what comes behind them is not read",
				(data - at) >> 20);
			break;
		}
		at = data;
	}
	source->read_end = source->memory ? source->size : at;
}

size_t source_read(struct source *source, void *buffer, size_t size)
{
	size_t done = 0;

	if (source->seekable) {
		if (!source->read_end)
			find_read_end(source);
		if (source->position >= source->read_end)
			return 0;
		if (size > source->read_end - source->position)
			size = (size_t)(source->read_end - source->position);
		done = source_read_at(source, source->position, buffer, size);
		source->position += done;
		return done;
	}
	if (source->position < source->peeked) {
		done = source->peeked - (size_t)source->position;
		done = done < size ? done : size;
		memcpy(buffer, source->peek + source->position, done);
		source->position += done;
		if (source->live)
			return done;
	}
	size = read_stream(source, (uint8_t *)buffer + done, size - done);
	source->position += size;
	return done + size;
}

bool source_skip(struct source *source, uint64_t bytes)
{
	uint8_t buffer[512];

	for (size_t part; bytes; bytes -= part) {
		part = bytes < sizeof buffer ? (size_t)bytes : sizeof buffer;
		if (source_read(source, buffer, part) < part)
			return false;
	}
	return true;
}

bool source_rewind(struct source *source)
{
	if (!source->seekable)
		return false;
	source->position = 0;
	return true;
}

size_t source_peek(struct source *source, void *buffer, size_t size)
{
	if (size > PEEK_BYTES)
		size = PEEK_BYTES;
	if (source->seekable)
		return source_read_at(source, 0, buffer, size);
	if (!source->peek) {
		source->peek = malloc(PEEK_BYTES);
		if (!source->peek || source->position)
			return 0;
		source->peeked = read_stream(source, source->peek, PEEK_BYTES);
	}
	if (size > source->peeked)
		size = source->peeked;
	memcpy(buffer, source->peek, size);
	return size;
}

bool source_hold(struct source *source, uint64_t limit)
{
	size_t capacity = 0, size = 0, got;

	if (source->seekable || source->position)
		return source->seekable;
	source->live = false;
	do {
		if (size >= limit || !array_reserve(&source->held, &capacity, size + HOLD_BYTES, 1))
			return false;
		got = source_read(source, source->held + size, capacity - size);
		size += got;
	} while (size == capacity);
	source->memory = source->held;
	source->size = size;
	source->position = 0;
	source->seekable = true;
	return true;
}
