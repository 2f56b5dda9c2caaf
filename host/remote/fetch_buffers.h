/* fetch buffers: those that dwell's libraries fill, among the variables of a program. */
#ifndef DWELL_HOST_REMOTE_FETCH_BUFFERS_H
#define DWELL_HOST_REMOTE_FETCH_BUFFERS_H

#include <stdbool.h>

#include "remote/fetched.h"
#include "symbol/image.h"

/* Looks for them, and prints what there is. With them come the names that their lines point to. False and a diag: there is none, or the
 * connection failed. */
bool fetch_buffers(struct gdb *gdb, const char *path, const struct symbol_image *image, struct fetched *fetched, struct diag *diag);

#endif
