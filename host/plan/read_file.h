/* read_file: a whole file into memory. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_READ_FILE_H
#define DWELL_HOST_PLAN_READ_FILE_H

#include "util/bytes.h"
#include "util/diag.h"

/* To be freed. False: it cannot be read, and a diag says why, if there is one. */
bool plan_read_file(const char *path, struct bytes *file, struct diag *diag);
/* The same of one that is open. False: errno says why. */
bool plan_read_open(int fd, struct bytes *file);

#endif
