#include "mixed.h"

static void step(struct generator *generator)
{
	generator->state ^= generator->state << 13;
	generator->state ^= generator->state >> 7;
	generator->state ^= generator->state << 17;
}

uint32_t generator_next(struct generator *generator)
{
	step(generator);
	return (uint32_t)(generator->state >> 24);
}

uint32_t generator_below(struct generator *generator, uint32_t limit)
{
	return (uint32_t)((uint64_t)generator_next(generator) * limit >> 32);
}
