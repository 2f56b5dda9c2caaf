/* longjmp in a loop, from frames below the one that catches. The next call after a jump is a child of catcher, not of what it left.
 *
 *     jump longjmp TURNS     longjmp out of two frames
 *     jump signal TURNS      siglongjmp out of a signal handler and the two frames that it interrupted
 *     jump same TURNS        the landing frame longjmps to itself, through one frame, without any exit in between */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#include "../count.h"

static sigjmp_buf landing;
static volatile unsigned sink;
static int by_signal;

static void after(void)
{
	CALLED();
	sink++;
}

static void on_signal(int number)
{
	CALLED();
	siglongjmp(landing, number);
}

static void thrower(void)
{
	CALLED();
	if (by_signal)
		raise(SIGUSR1);
	siglongjmp(landing, 1);
}

static void middle(void)
{
	CALLED();
	thrower();
}

static void catcher(void)
{
	CALLED();
	if (!sigsetjmp(landing, by_signal))
		middle();
	after();
}

static void catch_many(unsigned long turns)
{
	volatile unsigned long turn = 0;

	CALLED();
	sigsetjmp(landing, 0);
	if (turn++ < turns)
		middle();
	after();
}

int main(int argc, char **argv)
{
	unsigned long turns = argc > 2 ? strtoul(argv[2], 0, 10) : 1;

	CALLED();
	by_signal = argc > 1 && !strcmp(argv[1], "signal");
	signal(SIGUSR1, on_signal);
	if (argc > 1 && !strcmp(argv[1], "same"))
		catch_many(turns);
	else
		for (unsigned long turn = 0; turn < turns; turn++)
			catcher();
	after();
	count_print();
	return 0;
}
