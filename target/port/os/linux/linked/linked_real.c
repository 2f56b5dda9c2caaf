/* SPDX-License-Identifier: MIT
 *
 * What the linker has taken calls away from (ld --wrap): the functions themselves. A member of libdwell.a of its own, since without that
 * option there are no such names.
 *
 * They are asked for by name, so that a static program has them. But not that of C++: whoever has a catch clause brings it along.
 */
#include "linux.h"

#define EACH_FUNCTION(do) do(longjmp) do(_longjmp) do(siglongjmp) do(__longjmp_chk) do(_Fork) do(pthread_setname_np) LINUX_INTERPOSED(do)

#define DECLARE(name) extern char __real_##name[];
EACH_FUNCTION(DECLARE)
extern char __real___cxa_begin_catch[] __attribute__((weak));

#define ROW(name) {#name, __real_##name},
__attribute__((visibility("default"))) const struct {
	const char *name;
	void *address;
} dwell_linked_real[] = {EACH_FUNCTION(ROW){"__cxa_begin_catch", __real___cxa_begin_catch}, {0, 0}};
