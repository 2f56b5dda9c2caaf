/* Two files with a function twin each: one is short and called often, the other, of this file compiled with -DOTHER, long and
 * called seldom. */
#define KEPT __attribute__((noinline))

void other(void);

static volatile unsigned sink;

KEPT static void twin(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink = i;
}

#ifdef OTHER
void other(void)
{
	for (unsigned i = 0; i < 10; i++)
		twin(1000000);
}
#else
int main(void)
{
	for (unsigned i = 0; i < 100000; i++)
		twin(1);
	other();
	return 0;
}
#endif
