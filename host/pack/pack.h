/* pack: compresses the payload of a SLOTS chunk to a tenth of its size, and back. The recorder packs (writer/trace/dwell.h), the
 * reader unpacks. Pure: bytes in, bytes out, no file, no thread. FORMAT.md (*Packed slots*) has the rules.
 *
 * Unpacking restores the packed bytes exactly, whatever the slots are: late stamps, unknown tags, exits without
 * an enter. Usual slots become small: an exit is predicted from the enters before it, an enter takes a byte, a
 * time takes a byte, and zstd exploits that programs repeat themselves. Each chunk is independent of all others.
 * A long chunk is packed in parts: if the file is cut, the slots of the parts before the cut can be read.
 *
 *     packer_begin(packer, frames);
 *     packer_add(packer, slots);            // as often as there are slots to add
 *     if (packer_end(packer, &packed)) … */
#ifndef DWELL_HOST_PACK_PACK_H
#define DWELL_HOST_PACK_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

/* The packer's memory: for one chunk, on one thread, at a time. */
struct packer;

/* Null: no memory. */
struct packer *make_packer(void);
void free_packer(struct packer *packer);

/* Starts a chunk. frames: its checkpoint, in the form of an unpacked payload, whole frames. */
void packer_begin(struct packer *packer, struct bytes frames);
/* Adds whole slots, little-endian. */
void packer_add(struct packer *packer, struct bytes slots);
/* Returns the low words of the chunk's enters and exits so far, in order of appearance. Some may appear twice;
 * low words without a number, beyond DWELL_PACK_NUMBERS, are missing. Valid until the next packer_begin. */
const uint32_t *packer_get_lows(const struct packer *packer, uint32_t *count);
/* Returns the packed payload, whose length is a multiple of 8; valid until the next packer_begin.
 * With few or random events it may be longer than the unpacked payload. False: no memory. */
bool packer_end(struct packer *packer, struct bytes *packed);
/* After packer_end: whether the chunk needs the flag DWELL_CHUNK_PARTS. */
bool packer_is_in_parts(const struct packer *packer);

struct packed_slots;

/* A packed payload, with the numbers of its chunk's header. */
struct packed {
	struct bytes bytes;
	uint32_t frames, unpacked; /* number of frames of the checkpoint; bytes of the payload when it is unpacked */
	bool in_parts; /* the flag DWELL_CHUNK_PARTS */
	bool is_cut; /* the file ends inside of the payload */
};

/* The unpacker's memory. Zero before the first use, clear after the last. */
struct unpacker {
	/* payload: the result; slots: its first slot, behind the checkpoint. streams: the unpacked streams. gathered: the stored
	 * bytes of each stream in one piece, if the payload is in parts. */
	uint8_t *payload, *streams, *slots, *gathered;
	size_t payload_capacity, streams_capacity, gathered_capacity, checkpoint_bytes;
	struct unpacker_state *state;
	void *zstd; /* ZSTD_DCtx */
};

/* Unpacks a payload. Null: *payload is the result, valid until the next call. Else an error message. From a cut
 * payload the result is the checkpoint and the slots before the cut; nothing if part of the checkpoint is missing.
 * Any bytes are safe: the memory needed depends on `unpacked` alone, which is at most DWELL_CHUNK_LENGTH_MAX. */
const char *unpacker_unpack(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload);

/* Unpacks a payload that is not cut piece by piece, for callers that may not need all of it.
 * Only unpacked pieces are checked: call unpacker_is_good after each step and at the end.
 *
 *     unpacker_begin(unpacker, …, &payload)     the payload has its checkpoint, and no slots yet
 *     unpacker_advance(unpacker, count)         unpacks up to count more slots, and tags that follow; returns the total
 *     unpacker_get_slots(unpacker)              or take packed slots (pack/packed_slots.h): these are not put into the payload …
 *     unpacker_put_last(unpacker)               … but for the last one, on demand
 *     unpacker_position(unpacker)               slots unpacked or taken so far */
const char *unpacker_begin(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload);
uint32_t unpacker_advance(struct unpacker *unpacker, uint32_t count);
struct packed_slots *unpacker_get_slots(struct unpacker *unpacker);
void unpacker_put_last(struct unpacker *unpacker);
uint32_t unpacker_position(const struct unpacker *unpacker);
/* Whether all data so far was valid; at the end, also whether all streams are used up. */
bool unpacker_is_good(const struct unpacker *unpacker);

void unpacker_clear(struct unpacker *unpacker);

#endif
