/* What the example needs of TI's headers. */
#ifndef XDC_STD_H
#define XDC_STD_H

#include <stddef.h>
#include <stdint.h>

#define Void void
#define TRUE 1
typedef int Int;
typedef unsigned int UInt;
typedef unsigned short Bool;
typedef intptr_t IArg;
typedef uintptr_t UArg;

#endif
