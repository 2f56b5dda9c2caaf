/* hash: chooses the random seed of the process when it starts, before main. */
#include "util/hash.h"

#include <sys/random.h>

uint64_t hash_seed;

static void __attribute__((constructor)) choose_seed(void)
{
	if (getrandom(&hash_seed, sizeof hash_seed, GRND_NONBLOCK) != sizeof hash_seed)
		hash_seed = (uintptr_t)&hash_seed * UINT64_C(0xa0761d6478bd642f);
}
