/* digest: two 64-bit hashes (FNV-1a by words, with different start values). They distinguish files and detect every single changed
 * bit, but do not protect against an attacker. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_DIGEST_H
#define DWELL_HOST_PLAN_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "util/bytes.h"

struct digest {
	uint64_t a, b;
};

struct digest digest_of(struct bytes bytes);
/* Adds bytes behind what was added before. */
void digest_add(struct digest *digest, struct bytes bytes);
/* Reads an open file of this size in pieces: the digest is that of all its bytes. False: the file cannot be read, or is shorter. */
bool digest_read_open(int fd, uint64_t size, struct digest *digest);

#endif
