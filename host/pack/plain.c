/* plain: compresses bytes to one zstd frame, and back. */
#include "pack/plain.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "dwell/format.h"
#include "util/array.h"

#define LEVEL 1

/* The zstd context is kept from chunk to chunk, since a new one queries
 * the processor (CPUID), which takes 30 us in a virtual machine. */

uint8_t *make_plain_packed(struct plain_packer *packer, struct bytes plain, size_t *packed_bytes)
{
	size_t most = ZSTD_compressBound(plain.size), size;
	uint8_t *packed = malloc(most + 8);

	if (!packer->zstd)
		packer->zstd = ZSTD_createCCtx();
	if (!packed || !packer->zstd) {
		free(packed);
		return NULL;
	}
	size = ZSTD_compressCCtx(packer->zstd, packed, most, plain.data, plain.size, LEVEL);
	if (ZSTD_isError(size) || size + 8 > plain.size) {
		free(packed);
		return NULL;
	}
	*packed_bytes = (size + 7) & ~(size_t)7;
	memset(packed + size, 0, *packed_bytes - size);
	return packed;
}

void plain_packer_clear(struct plain_packer *packer)
{
	ZSTD_freeCCtx(packer->zstd);
	*packer = (struct plain_packer){0};
}

const char *plain_unpack(struct plain_unpacker *unpacker, struct bytes packed, uint32_t unpacked, struct bytes *plain)
{
	size_t frame = ZSTD_findFrameCompressedSize(packed.data, packed.size), got;

	if (unpacked > DWELL_CHUNK_LENGTH_MAX)
		return "is too long when it is unpacked";
	if (ZSTD_isError(frame))
		return "is packed with zstd, and cannot be unpacked";
	if (!array_reserve(&unpacker->data, &unpacker->capacity, (size_t)unpacked + 1, 1))
		return "cannot be unpacked: out of memory";
	if (!unpacker->zstd)
		unpacker->zstd = ZSTD_createDCtx();
	if (!unpacker->zstd)
		return "cannot be unpacked: out of memory";
	got = ZSTD_decompressDCtx(unpacker->zstd, unpacker->data, unpacked, packed.data, frame);
	if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
		return "cannot be unpacked: out of memory";
	if (ZSTD_isError(got) || got != unpacked)
		return "is packed with zstd, and cannot be unpacked";
	*plain = (struct bytes){unpacker->data, unpacked};
	return NULL;
}

void plain_unpacker_clear(struct plain_unpacker *unpacker)
{
	ZSTD_freeDCtx(unpacker->zstd);
	free(unpacker->data);
	*unpacker = (struct plain_unpacker){0};
}
