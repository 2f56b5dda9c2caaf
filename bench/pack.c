/* pack FILE [NOISE]: packs and unpacks the events of a recording again, and says what each costs, in processor time.
 *
 *     pack 3.3      ns a slot, from what a ring holds to what is written
 *     unpack 3.9    and back
 *     bytes 0.26    of a call: two slots, with their part of the chunk's header
 *
 * NOISE: so many bits of it are added to the time between two events, as a clock of full resolution has it where this one has
 * steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "io/source.h"
#include "pack/pack.h"
#include "reader/dwell/feed.h"
#include "util/array.h"

#define CHUNK_SLOTS 65536u

static uint8_t *slots;
static size_t slot_bytes, slot_capacity;

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static bool load_chunk(const struct raw_chunk *chunk, struct unpacker *unpacker)
{
	size_t frames = (size_t)chunk->frames * DWELL_FRAME_BYTES;
	struct packed packed = raw_chunk_get_packed(chunk);
	struct bytes payload = chunk->payload;

	if (chunk->flags & DWELL_CHUNK_PACKED && unpacker_unpack(unpacker, &packed, &payload))
		return false;
	if (frames > payload.size || !array_reserve(&slots, &slot_capacity, slot_bytes + payload.size, 1))
		return false;
	memcpy(slots + slot_bytes, payload.data + frames, payload.size - frames);
	slot_bytes += payload.size - frames;
	return true;
}

static bool load(const char *path)
{
	struct diag *diag = make_diag();
	struct source *source = make_source(path, diag);
	struct unpacker unpacker = {0};
	struct split_item item;
	enum split_status status;
	struct feed feed;
	bool good = source;

	if (source && source_skip(source, DWELL_HEADER_BYTES)) {
		feed_init(&feed, source, DWELL_HEADER_BYTES);
		while (good && (status = feed_next(&feed, &item)) != SPLIT_END)
			if (status == SPLIT_CHUNK && item.chunk.kind == DWELL_CHUNK_SLOTS)
				good = load_chunk(&item.chunk, &unpacker);
		feed_clear(&feed);
	}
	unpacker_clear(&unpacker);
	free_source(source);
	diag_print(diag, stderr);
	free_diag(diag);
	return good && slot_bytes;
}

static void add_noise(unsigned bits)
{
	uint64_t random = 1;
	uint32_t added = 0;

	for (size_t at = 0; at < slot_bytes; at += DWELL_SLOT_BYTES) {
		uint64_t slot = get_u64(slots + at);

		if (dwell_slot_is_tag(slot))
			continue;
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		added += (uint32_t)(random >> 40) & ((1u << bits) - 1);
		put_u64(slots + at, dwell_slot_make((uint32_t)slot, (uint32_t)(slot >> 32) + added));
	}
}

int main(int argc, char **argv)
{
	struct packer *packer = make_packer();
	struct unpacker unpacker = {0};
	double packing = 0, unpacking = 0, count, begin;
	struct bytes packed, unpacked;
	uint64_t written = 0;

	if (argc < 2 || !packer || !load(argv[1])) {
		fprintf(stderr, "usage: pack FILE [NOISE]: a recording with events\n");
		return 2;
	}
	if (argc > 2)
		add_noise((unsigned)atoi(argv[2]) & 15);
	for (size_t at = 0; at < slot_bytes; at += unpacked.size) {
		size_t most = (size_t)CHUNK_SLOTS * DWELL_SLOT_BYTES, size = slot_bytes - at < most ? slot_bytes - at : most;

		begin = now_ns();
		packer_begin(packer, (struct bytes){0});
		packer_add(packer, (struct bytes){slots + at, size});
		if (!packer_end(packer, &packed))
			return 2;
		packing += now_ns() - begin;
		written += DWELL_CHUNK_HEADER_BYTES + packed.size;
		begin = now_ns();
		if (unpacker_unpack(
			    &unpacker, &(struct packed){packed, 0, (uint32_t)size, packer_is_in_parts(packer), false}, &unpacked))
			return 2;
		unpacking += now_ns() - begin;
		if (memcmp(unpacked.data, slots + at, size))
			return 2;
	}
	count = (double)(slot_bytes / DWELL_SLOT_BYTES);
	printf("pack %.2f\nunpack %.2f\nbytes %.3f\n", packing / count, unpacking / count, 2 * (double)written / count);
	return 0;
}
