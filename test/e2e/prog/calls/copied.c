/* A short function that is called often, always with the same argument, for which GCC makes a copy of it: scale.constprop.0. */
static volatile unsigned sink;

__attribute__((noinline)) static unsigned scale(unsigned value, unsigned by)
{
	sink = value;
	return value * by;
}

int main(void)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 100000; i++)
		sum += scale(i, 7);
	sink = sum;
	return 0;
}
