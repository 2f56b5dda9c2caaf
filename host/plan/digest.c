/* digest: hashes bytes and files (digest.h). */
#include "plan/digest.h"

#include <stdlib.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1 << 18) /* a multiple of a word */

static struct digest begin(uint64_t size)
{
	return (struct digest){0xcbf29ce484222325u ^ size, 0x9e3779b97f4a7c15u};
}

void digest_add(struct digest *digest, struct bytes bytes)
{
	size_t at = 0;

	for (; at + 8 <= bytes.size; at += 8) {
		uint64_t word = get_u64(bytes.data + at);

		digest->a = (digest->a ^ word) * 0x100000001b3u;
		digest->b = (digest->b ^ (word << 29 | word >> 35)) * 0xff51afd7ed558ccdu;
		digest->a ^= digest->a >> 29;
		digest->b ^= digest->b >> 31;
	}
	for (; at < bytes.size; at++) {
		digest->a = (digest->a ^ bytes.data[at]) * 0x100000001b3u;
		digest->b = (digest->b ^ bytes.data[at]) * 0xff51afd7ed558ccdu;
	}
}

struct digest digest_of(struct bytes bytes)
{
	struct digest digest = begin(bytes.size);

	digest_add(&digest, bytes);
	return digest;
}

/* Reads the whole piece, so that only the last one ends within a word. False: the file is shorter. */
static bool read_piece(int fd, uint8_t *piece, size_t bytes, uint64_t at)
{
	ssize_t got = 1;

	for (size_t done = 0; done < bytes && got > 0; done += (size_t)got)
		got = pread(fd, piece + done, bytes - done, (off_t)(at + done));
	return got > 0;
}

bool digest_read_open(int fd, uint64_t size, struct digest *digest)
{
	uint8_t *piece = malloc(PIECE_BYTES);
	uint64_t at = 0;
	bool good = piece;

	*digest = begin(size);
	for (size_t bytes; good && at < size; at += bytes) {
		bytes = size - at < PIECE_BYTES ? (size_t)(size - at) : PIECE_BYTES;
		good = read_piece(fd, piece, bytes, at);
		if (good)
			digest_add(digest, (struct bytes){piece, bytes});
	}
	free(piece);
	return good;
}
