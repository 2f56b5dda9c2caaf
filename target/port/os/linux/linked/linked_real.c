/* SPDX-License-Identifier: MIT
 *
 * Lists the functions from which the linker has taken calls away (ld --wrap). A member of libdwell.a of its own, since these names
 * exist only with that option.
 *
 * The references make a static program contain the functions. References to the unwinder's are weak, since a program with landing
 * pads contains the unwinder anyway.
 */
#include "linux.h"

#define EACH_FUNCTION(do)                                                                                                          \
	do                                                                                                                         \
	(longjmp) do(_longjmp) do(siglongjmp) do(__longjmp_chk) do(_Fork) do(clone) do(prctl) do(pthread_setname_np)               \
		LINUX_INTERPOSED(do)

#define DECLARE(name) extern char __real_##name[];
EACH_FUNCTION(DECLARE)
extern char __real__Unwind_SetIP[] __attribute__((weak)), __real___cxa_begin_catch[] __attribute__((weak)),
	_Unwind_GetCFA[] __attribute__((weak)), _Unwind_GetGR[] __attribute__((weak));

#define ROW(name) {#name, __real_##name},
__attribute__((visibility("default"))) const struct {
	const char *name;
	void *address;
} dwell_linked_real[] = {EACH_FUNCTION(ROW){"_Unwind_SetIP", __real__Unwind_SetIP},
	{"__cxa_begin_catch", __real___cxa_begin_catch},
	{"_Unwind_GetCFA", _Unwind_GetCFA},
	{"_Unwind_GetGR", _Unwind_GetGR}, {0, 0}};
