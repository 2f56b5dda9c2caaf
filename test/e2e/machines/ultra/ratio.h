#ifndef TEST_ULTRA_RATIO_H
#define TEST_ULTRA_RATIO_H

void hot(unsigned turns);
void cold(unsigned turns);

static inline void ratio_round(unsigned turns)
{
	hot(3 * turns);
	cold(turns);
}

#endif
