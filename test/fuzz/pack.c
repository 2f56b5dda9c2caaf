/* Any bytes as packed slots, and any bytes as slots to be packed. Beside the sanitizers it asks for what must hold: what is
 * unpacked is what was packed; what can be unpacked has the length that was asked for.
 *
 * The first four bytes: frames and slots, as the header of a chunk would say. All of it is unpacked as one that is whole and as one
 * that is cut, in parts and not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static void check_round(struct unpacker *unpacker, struct bytes frames, struct bytes slots)
{
	struct packer *packer = make_packer();
	struct bytes packed, payload;

	if (!packer)
		return;
	packer_begin(packer, frames);
	packer_add(packer, slots);
	if (packer_end(packer, &packed)) {
		struct packed made = {.bytes = packed,
			.frames = (uint32_t)(frames.size / DWELL_FRAME_BYTES),
			.unpacked = (uint32_t)(frames.size + slots.size),
			.in_parts = packer_is_in_parts(packer)};
		const char *problem = unpacker_unpack(unpacker, &made, &payload);

		must(!problem, problem ? problem : "");
		must(payload.size == frames.size + slots.size, "another length");
		must(!frames.size || !memcmp(payload.data, frames.data, frames.size), "other frames");
		must(!slots.size || !memcmp(payload.data + frames.size, slots.data, slots.size), "other slots");
	}
	free_packer(packer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unpacker unpacker = {0}, other = {0};
	struct bytes payload, rest;
	uint32_t frames, slots, unpacked;

	if (size < 4)
		return 0;
	frames = get_u16(data);
	slots = get_u16(data + 2);
	unpacked = frames * DWELL_FRAME_BYTES + slots * DWELL_SLOT_BYTES;
	rest = (struct bytes){data + 4, size - 4};
	for (int form = 0; form < 4; form++) {
		struct packed packed = {rest, frames, unpacked, form & 1, form & 2};
		size_t frame_bytes = frames * (size_t)DWELL_FRAME_BYTES;

		if (unpacker_unpack(&unpacker, &packed, &payload) || (packed.is_cut && !payload.size))
			continue;
		must(packed.is_cut ? payload.size <= unpacked : payload.size == unpacked, "unpacked to another length");
		must(payload.size >= frame_bytes && payload.size % DWELL_SLOT_BYTES == 0, "unpacked to what is no slots");
		check_round(
			&other, bytes_part(payload, 0, frame_bytes), bytes_part(payload, frame_bytes, payload.size - frame_bytes));
	}
	frames = (uint32_t)(rest.size / DWELL_FRAME_BYTES) < frames % 64 ? 0 : frames % 64;
	check_round(&other, bytes_part(rest, 0, frames * (size_t)DWELL_FRAME_BYTES),
		bytes_part(rest, frames * (size_t)DWELL_FRAME_BYTES, (rest.size - frames * (size_t)DWELL_FRAME_BYTES) / 8 * 8));
	unpacker_clear(&unpacker);
	unpacker_clear(&other);
	return 0;
}
