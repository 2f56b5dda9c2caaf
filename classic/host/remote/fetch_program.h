/* fetch program: opens the program file whose memory is to be fetched, and compares it with the target. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_FETCH_PROGRAM_H
#define DWELL_CLASSIC_HOST_REMOTE_FETCH_PROGRAM_H

#include <stdbool.h>

#include "classic/host/io/gdb.h"
#include "symbol/image.h"
#include "util/diag.h"

/* Null and a diag: the file is no program. */
struct symbol_image *fetch_open_program(const char *path, struct diag *diag);

/* Compares some functions of the file with the target's memory. False and a diag: most differ, so another
 * program runs there, or the connection failed. A few differences may be changes at run time, and are a warning. */
bool fetch_check_program(struct gdb *gdb, const char *path, const struct symbol_image *image, struct diag *diag);

#endif
