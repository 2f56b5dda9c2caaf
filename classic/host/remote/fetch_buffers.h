/* fetch buffers: finds and fetches the buffers of dwell's libraries among the variables of a program. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_FETCH_BUFFERS_H
#define DWELL_CLASSIC_HOST_REMOTE_FETCH_BUFFERS_H

#include <stdbool.h>

#include "classic/host/remote/fetched.h"
#include "symbol/image.h"

/* Finds the buffers, fetches them with the names that their lines refer to, and prints
 * a line for each. False and a diag: there is no buffer, or the connection failed. */
bool fetch_buffers(struct gdb *gdb, const char *path, const struct symbol_image *image, struct fetched *fetched, struct diag *diag);

#endif
