/* append: a file that grows by whole pieces only. What a failed write left of a piece is cut off again, so that whatever ends the recording
 * (a full disk, a limit, a kill), the file is a sequence of whole pieces and at most one cut piece at its end. */
#ifndef DWELL_HOST_WRITER_APPEND_H
#define DWELL_HOST_WRITER_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "util/diag.h"

/* Read the counters, leave the rest alone. */
struct append_file {
	int fd;
	bool seekable; /* a regular file: can be cut back */
	bool torn;     /* half a piece is in it and cannot be taken back: nothing may follow */
	bool told;     /* the first failure was said */
	int error;     /* of the first failure, 0: there was none */
	uint64_t error_bytes; /* size_bytes then */
	uint64_t size_bytes;      /* of whole pieces */
	uint64_t unwritten_bytes; /* of pieces that are not in the file */
	char *name;
	struct diag *diag;
};

/* Creates the file or empties it. False and a diag on failure; the struct needs no close then. */
bool append_open(struct append_file *file, const char *path, struct diag *diag);
void append_close(struct append_file *file);

/* Writes the parts as one piece, in one system call where the kernel takes it in one. The array is changed. False: not in the file, and
 * counted. */
bool append_write(struct append_file *file, struct iovec *parts, int part_count);
/* The first failure as a diag, once. */
void append_say(struct append_file *file);

/* Writes over bytes that are in the file, all of them. False: not a regular file, or the system refused; a part may be written then. */
bool append_overwrite(struct append_file *file, uint64_t offset, const void *data, size_t size);

#endif
