/* read_file: reads a whole file into memory. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_READ_FILE_H
#define DWELL_HOST_PLAN_READ_FILE_H

#include "util/bytes.h"
#include "util/diag.h"

/* The caller frees file->data. Returns false if reading fails; diag, if given, gets the reason. */
bool plan_read_file(const char *path, struct bytes *file, struct diag *diag);
/* The same for an open file. Returns false with the reason in errno. */
bool plan_read_open(int fd, struct bytes *file);

#endif
