/* Half of the calls of inner throw an exception, which catcher catches. */
#import <objc/Object.h>
#include <stdio.h>

static int sum;

__attribute__((noinline)) void after(void)
{
	sum++;
}

__attribute__((noinline)) void inner(int turn)
{
	if (turn % 2 == 0)
		@throw(id) nil;
	sum += turn;
}

__attribute__((noinline)) void middle(int turn)
{
	inner(turn);
	sum++;
}

__attribute__((noinline)) void catcher(void)
{
	for (int turn = 1; turn <= 1000; turn++) {
		@try {
			middle(turn);
		} @catch (id e) {
			after();
		}
	}
}

int main(void)
{
	catcher();
	printf("sum %d\n", sum);
	return 0;
}
