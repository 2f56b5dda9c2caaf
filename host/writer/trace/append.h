/* append: a file that grows by whole pieces only. What a failed write left of a piece is cut off again, so that whatever ends the recording
 * (a full disk, a limit, a kill), the file is a sequence of whole pieces and at most one cut piece at its end.
 *
 * A disk that fills up, or a limit on file size, stops what can be spared first: the file system keeps some room for the file ahead of its
 * end (fallocate), and pieces say how much of that they must leave to others. So a recording on a full disk still gets its end. Where the
 * file system keeps no room (NFS before 4.2, some of FUSE), a full disk may cost the end, too. */
#ifndef DWELL_HOST_WRITER_TRACE_APPEND_H
#define DWELL_HOST_WRITER_TRACE_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "util/diag.h"

/* What a piece leaves free, beside what it takes itself. */
enum append_room {
	APPEND_SPARED, /* all that is kept: of what there is most of */
	APPEND_NEEDED, /* what the end takes: for what the rest cannot be understood without */
	APPEND_LAST,   /* nothing, since it is the end */
};
#define APPEND_KEPT_BYTES (256u << 10) /* where the disk is small, a quarter of what is free */
#define APPEND_END_BYTES (16u << 10)

/* Read the counters, leave the rest alone. */
struct append_file {
	int fd;
	char *temporary;  /* see aside.h */
	bool is_aside;    /* it did not appear yet */
	uint64_t kept_bytes, end_bytes; /* to be left free by pieces */
	uint64_t room_bytes; /* up to here the file system has promised room */
	bool no_promises;    /* it makes none */
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

/* Creates the file or empties it. aside: it has no name before append_appear, and a file of that name stays what it is. False and a diag on
 * failure; the struct needs no close then. */
bool append_open(struct append_file *file, const char *path, bool aside, struct diag *diag);
/* False and a diag: it could not be given its name. */
bool append_appear(struct append_file *file);
/* What did not appear is gone. */
void append_close(struct append_file *file);
/* Nothing more will come: gives the room back that was promised. */
void append_finish(struct append_file *file);

/* Whether a piece of size bytes would get in. */
bool append_has_room(struct append_file *file, uint64_t size, enum append_room leave);
/* Writes the parts as one piece, in one system call where the kernel takes it in one. The array is changed. False: not in the file, and
 * counted. */
bool append_write(struct append_file *file, struct iovec *parts, int part_count, enum append_room leave);
/* The first failure as a diag, once. */
void append_say(struct append_file *file);

/* Writes over bytes that are in the file, all of them. False: not a regular file, or the system refused; a part may be written then. */
bool append_overwrite(struct append_file *file, uint64_t offset, const void *data, size_t size);

#endif
