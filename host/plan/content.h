/* content: the digest of a file's content, without reading a file again that has not changed. Internal to plan/.
 *
 * The digest is kept beside the plans, by device and inode, with the file's size, its build-id and the times of its last changes.
 * Only the kernel sets the time of the last change of an inode (ctime), so a changed file has another one. What that rests on:
 *
 *     file systems     those of disks, of memory, and overlays. Servers and programs (NFS, FUSE) may give any times
 *     build-ids        images with an arranged ctime may be mounted at one device, one after the other
 *     a minute         a file that changed in the last minute may change again without another time: clocks of file systems go in
 *                      steps, and stores into a mapping set the time only once before a page is written to the disk */
#ifndef DWELL_HOST_PLAN_CONTENT_H
#define DWELL_HOST_PLAN_CONTENT_H

#include "plan/digest.h"
#include "symbol/build_id.h"

struct content {
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	size_t build_id_bytes; /* 0: the file has no build-id */
	struct digest digest;
};

/* Reads the file's build-id and the digest of its content. now_ns: time of day. Returns false if the file cannot be read, or
 * changes meanwhile. */
bool content_read(const char *path, uint64_t now_ns, struct content *content);

#endif
