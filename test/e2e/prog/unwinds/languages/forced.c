/* Half of the calls of inner unwind by force, as pthread_exit does, to a cleanup of catcher's that goes on instead. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

static int sum;
static jmp_buf here;

__attribute__((noinline)) void after(void)
{
	sum++;
}

static void clean(const int *turn)
{
	sum += *turn & 1;
	after();
}

static _Unwind_Reason_Code until_end(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
	struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *parameter)
{
	(void)version;
	(void)class;
	(void)exception;
	(void)context;
	(void)parameter;
	if (actions & _UA_END_OF_STACK)
		abort();
	return _URC_NO_REASON;
}

__attribute__((noinline)) void inner(int turn)
{
	static struct _Unwind_Exception exception;

	if (turn % 2 == 0)
		_Unwind_ForcedUnwind(&exception, until_end, 0);
	sum += turn;
}

__attribute__((noinline)) void middle(int turn)
{
	inner(turn);
	sum++;
}

static void leave(const int *turn)
{
	if (*turn % 2 == 0)
		longjmp(here, 1);
}

/* The cleanup of the frame that the unwind comes to. */
__attribute__((noinline)) void catcher(int turn)
{
	__attribute__((cleanup(leave))) int leaves = turn;
	__attribute__((cleanup(clean))) int cleans = turn;

	middle(turn);
}

int main(void)
{
	for (volatile int turn = 1; turn <= 1000; turn++)
		if (!setjmp(here))
			catcher(turn);
	printf("sum %d\n", sum);
	return 0;
}
