/* hooked_code: how much of a file's code is in functions with hooks. A library that is linked into a program may be compiled
 * without them: then its calls are not recorded, and its time is in its callers. */
#ifndef DWELL_HOST_RECORD_PROGRAM_HOOKED_CODE_H
#define DWELL_HOST_RECORD_PROGRAM_HOOKED_CODE_H

#include <stdbool.h>

#include "util/code_share.h"

/* Adds the code of the file's functions that have a symbol; its part: that of functions with hooks. False, and nothing is added:
 * the file has no symbols or cannot be read, or it is a static program, or the agent is linked into it, or dwell does not know its
 * hooks (machines other than x86-64 and AArch64; files with a table of sites). */
bool hooked_code_add(struct code_share *code, const char *path);

#endif
