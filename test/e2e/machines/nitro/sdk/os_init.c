#include "sdk.h"

int sdk_is_up;

void OS_Init(void)
{
	sdk_is_up = 1;
}
