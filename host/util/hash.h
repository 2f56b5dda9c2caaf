/* hash: the hash functions of the host: of 64 bits for bytes and texts, and of 32 bits for keys of tables (lookup.h).
 *
 * Keys come from recordings, and an attacker may have made these. hash_number and hash_text_seeded have a random seed of the
 * process, so nobody can choose keys that collide. hash_bytes and hash_text have no seed: they give the same number in each
 * process. A
 * recording contains such a number (recording_facts.c). */
#ifndef DWELL_HOST_UTIL_HASH_H
#define DWELL_HOST_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325) /* the hash of no bytes */

/* Random, from the start of the process on. */
extern uint64_t hash_seed;

/* Continues from the hash of the preceding bytes: hashing a text in parts gives the hash of the whole. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The same for a text, without its terminating 0. */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* Every bit of the number influences every bit of the result, so that a table may use any bits. Consecutive ids, and
 * addresses, which end in zeros, would collide otherwise. The function folds the two halves of a 128-bit product. One
 * multiplication is enough, and each lookup has to wait for it. */
static inline uint32_t hash_number(uint64_t number)
{
	unsigned __int128 product = (unsigned __int128)(number ^ hash_seed) * UINT64_C(0xa0761d6478bd642f);

	return (uint32_t)(product ^ product >> 64);
}

/* The hash of a text for a table, with the seed. */
static inline uint32_t hash_text_seeded(const char *text)
{
	return hash_number(hash_text(HASH_BEGIN ^ hash_seed, text));
}

/* Hashes two numbers of 32 bits, such as caller and callee. */
static inline uint32_t hash_pair(uint32_t first, uint32_t second)
{
	return hash_number((uint64_t)first << 32 | second);
}

#endif
