#ifndef TI_SYSBIOS_KNL_CLOCK_H
#define TI_SYSBIOS_KNL_CLOCK_H

#include <xdc/std.h>

typedef struct Clock_Object *Clock_Handle;
typedef Void (*Clock_FuncPtr)(UArg);
typedef struct {
	UInt period;
	Bool startFlag;
} Clock_Params;

Void Clock_Params_init(Clock_Params *params);
Clock_Handle Clock_create(Clock_FuncPtr function, UInt timeout, const Clock_Params *params, void *errors);

#endif
