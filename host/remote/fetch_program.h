/* fetch program: the program file whose memory is to be fetched. */
#ifndef DWELL_HOST_REMOTE_FETCH_PROGRAM_H
#define DWELL_HOST_REMOTE_FETCH_PROGRAM_H

#include <stdbool.h>

#include "io/gdb.h"
#include "symbol/image.h"
#include "util/diag.h"

/* Null and a diag: it is none. */
struct symbol_image *fetch_open_program(const char *path, struct diag *diag);

/* Whether that is what runs there: some of its functions are compared. False and a diag: it is not, or the connection failed. Where
 * single ones differ, they may have been changed at run time, which is a warning. */
bool fetch_check_program(struct gdb *gdb, const char *path, const struct symbol_image *image, struct diag *diag);

#endif
