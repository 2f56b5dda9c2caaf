/* append: writes the bytes of the trace file, which grows by whole pieces only: the header, then chunks. The remains of a failed
 * write are cut off again. However the recording ends (a full disk, a limit, a kill), the file is a sequence of whole pieces, with
 * at most one cut piece at the end.
 *
 * On a full disk, or at a limit on file size, dispensable pieces stop first: the file system reserves space beyond the end of the
 * file (fallocate), and each piece leaves a part of that space to more important pieces. So even a recording on a full disk gets
 * its end. On file systems without reservations (NFS before 4.2, some FUSE ones), a full disk may cost the end, too. */
#ifndef DWELL_HOST_WRITER_TRACE_APPEND_H
#define DWELL_HOST_WRITER_TRACE_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "util/diag.h"

/* The free space that a piece must leave after itself. */
enum append_room {
	APPEND_BULK, /* leaves the whole reserve: for the bulk of the data */
	APPEND_NEEDED, /* leaves enough for the end: for pieces needed by the other data */
	APPEND_LAST,   /* leaves nothing: for the end itself */
};
#define APPEND_RESERVE_BYTES (256u << 10) /* on a small disk, a quarter of the free space */
#define APPEND_END_BYTES (16u << 10)

/* Users may read seekable, size_bytes, unwritten_bytes and name; the other fields are internal. chunks.c also takes pieces that
 * contain nothing recorded out of unwritten_bytes. */
struct append_file {
	int fd;
	char *temporary;  /* name of a hidden file before append_publish; null: nameless, or the file is not hidden */
	bool is_hidden;    /* append_publish has not given the file its name yet */
	uint64_t kept_bytes, end_bytes; /* space that pieces leave free: the whole reserve, the part for the end */
	uint64_t room_bytes; /* the file system has reserved space up to here */
	bool cannot_reserve;    /* the file system reserves no space */
	bool seekable; /* a regular file, which can be cut */
	bool torn;     /* the file ends with part of a piece and cannot be cut: nothing may follow */
	bool error_reported;     /* a diag has reported the first failure */
	int error;     /* errno of the first failure, 0: none */
	uint64_t error_bytes; /* size_bytes at the first failure */
	uint64_t size_bytes;      /* size of the whole pieces */
	uint64_t unwritten_bytes; /* size of the pieces that are not in the file */
	char *name;    /* of the complete file, for messages */
	struct diag *diag;
};

/* Creates the file or empties it. hidden: the file has no name before append_publish, and an existing file of that name stays
 * unchanged. Returns false and adds a diag on failure; then the struct needs no close. */
bool append_open(struct append_file *file, const char *path, bool hidden, struct diag *diag);
/* Gives the file its name. Returns false and adds a diag on failure. */
bool append_publish(struct append_file *file);
/* Closes the file. A hidden file that was not published is gone then. */
void append_close(struct append_file *file);
/* Releases the reserved space. Nothing may be written afterwards. */
void append_finish(struct append_file *file);

/* Returns whether a piece of size bytes would fit, with the space left behind it that `leave` demands. */
bool append_has_room(struct append_file *file, uint64_t size, enum append_room leave);
/* Writes the parts as one piece, in one system call if the kernel takes all bytes. Changes the array. Returns
 * false and counts the piece if the file does not contain it. */
bool append_write(struct append_file *file, struct iovec *parts, int part_count, enum append_room leave);
/* Reports the first failure as a diag, once. */
void append_report(struct append_file *file);

/* Overwrites bytes inside the file. Returns false if it is not a regular file
 * or the write failed; then some of the bytes may be written. */
bool append_overwrite(struct append_file *file, uint64_t offset, const void *data, size_t size);

#endif
