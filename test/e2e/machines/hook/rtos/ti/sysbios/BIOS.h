#ifndef TI_SYSBIOS_BIOS_H
#define TI_SYSBIOS_BIOS_H

#include <xdc/std.h>

Void BIOS_start(Void);

#endif
