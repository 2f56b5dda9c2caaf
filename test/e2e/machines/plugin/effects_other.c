/* Two files: what one calls in the other, whose functions change nothing, and of which it says so or not. */
#include "saw.h"

int found(int a);
__attribute__((const)) int said(int a);
int with_options(int a);

#ifdef OTHER
NOINLINE int found(int a)
{
	return a * 2;
}

NOINLINE int said(int a)
{
	return a * 3;
}

NOINLINE __attribute__((optimize("O3"))) int with_options(int a)
{
	return a * 4;
}
#else
int main(void)
{
	int sum = 0;
	SAW("+main ");
	(void)found(1);
	(void)said(1);
	(void)with_options(1);
	SAW("+found - +said - +with_options - ");
	for (int i = 0; i < 2; i++) {
		sum += found(1);
		sum += said(1);
		sum += with_options(1);
	}
	SAME(sum, 18);
	SAW("+found - +said - +with_options - +found - +said - +with_options - ");
	return finish();
}
#endif
