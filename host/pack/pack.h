/* pack: the payload of a SLOTS chunk ↔ the same in a tenth of its size. Pure: bytes in, bytes out, no file, no thread; FORMAT.md
 * (*Packed slots*) has the rules.
 *
 * Whatever the slots are, what is unpacked is what was packed, byte for byte: late stamps, unknown tags, exits of nothing. What is usual
 * is small: an exit is known from the enters before it, an enter is a byte, a time is a byte, and zstd finds that programs repeat
 * themselves. Each chunk is for itself: nothing is learned from one for the next. A long one is packed in parts: where the file was cut
 * the slots of the parts before the cut are there.
 *
 *     packer_begin(packer, frames);
 *     packer_add(packer, slots);            // as often as there is something to add
 *     if (packer_end(packer, &packed)) …
 */
#ifndef DWELL_HOST_PACK_PACK_H
#define DWELL_HOST_PACK_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

/* The packer's memory. One chunk at a time, one thread at a time. */
struct packer;

/* Null: no memory. */
struct packer *make_packer(void);
void free_packer(struct packer *packer);

/* A new chunk; frames: its checkpoint as it is in an unpacked payload, whole frames. */
void packer_begin(struct packer *packer, struct bytes frames);
/* Whole slots, little-endian. */
void packer_add(struct packer *packer, struct bytes slots);
/* Low words of the enters and exits in the chunk so far, in the order in which they came; some may come twice, and beyond as many as have
 * numbers none is there. Valid until the next packer_begin. */
const uint32_t *packer_get_lows(const struct packer *packer, uint32_t *count);
/* The packed payload, a multiple of 8 long, valid until the next packer_begin. It may be longer than what was packed: of a few events,
 * or of noise. False: there was no memory for it. */
bool packer_end(struct packer *packer, struct bytes *packed);
/* Behind packer_end: whether it has DWELL_CHUNK_PARTS. */
bool packer_is_in_parts(const struct packer *packer);

struct run;

/* A packed payload, as the chunk's header says, and what there is of it. */
struct packed {
	struct bytes bytes;
	uint32_t frames, unpacked;
	bool in_parts;
	bool is_cut; /* the file ends inside of it */
};

/* The memory to unpack with. Zero it before the first use, clear it after the last. */
struct unpacker {
	uint8_t *payload, *streams, *slots, *gathered;
	size_t payload_capacity, streams_capacity, gathered_capacity, checkpoint_bytes;
	struct unpacker_state *state;
	void *zstd;
};

/* Null, and *payload is the unpacked payload, unpacked bytes of it, valid until the next time; or what is wrong with it. Of one that
 * is cut it is the checkpoint and the slots that the bytes in front of the cut tell, or nothing if they lack some of the checkpoint.
 * Any bytes may be given: memory is taken for what unpacked allows, which is at most DWELL_CHUNK_LENGTH_MAX. */
const char *unpacker_unpack(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload);

/* The same, of what is not cut, little by little, for who need not have all of it. Nothing is checked but what was unpacked: ask
 * unpacker_is_good behind each step, and at the end.
 *
 *     unpacker_begin(unpacker, …, &payload)     of the payload the checkpoint is there, the slots are not yet
 *     unpacker_advance(unpacker, count)         count more are, or as many as there are, and all tags behind them: how many in all
 *     unpacker_get_run(unpacker)                or they are taken as they are (pack/run.h): none of these is there then …
 *     unpacker_put_last(unpacker)               … but the last one taken
 *     unpacker_position(unpacker)               how many were unpacked or taken */
const char *unpacker_begin(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload);
uint32_t unpacker_advance(struct unpacker *unpacker, uint32_t count);
struct run *unpacker_get_run(struct unpacker *unpacker);
void unpacker_put_last(struct unpacker *unpacker);
uint32_t unpacker_position(const struct unpacker *unpacker);
/* Whether what the streams said so far can be; at the end: that they said no more. */
bool unpacker_is_good(const struct unpacker *unpacker);

void unpacker_clear(struct unpacker *unpacker);

#endif
